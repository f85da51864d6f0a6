"""Environments for trainers; the extra ``envs``.

`VectorEnv` needs gymnasium. It is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ddz_core.envs.vector import VectorEnv as VectorEnv

__all__ = ["VectorEnv"]


def __getattr__(name: str) -> Any:
    if name == "VectorEnv":
        from ddz_core.envs.vector import VectorEnv  # noqa: PLC0415 (needs gymnasium)

        return VectorEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
