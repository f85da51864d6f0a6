"""Environments for trainers; the extra ``envs``.

`VectorEnv` needs gymnasium, and the module `pettingzoo` PettingZoo. They are imported when they are
first asked for.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ddz_core.lazy import submodules

if TYPE_CHECKING:
    from ddz_core.envs import pettingzoo as pettingzoo
    from ddz_core.envs.vector import VectorEnv as VectorEnv

__all__ = ["VectorEnv"]

_module = submodules(__name__, ("pettingzoo",))


def __getattr__(name: str) -> Any:
    if name == "VectorEnv":
        from ddz_core.envs.vector import VectorEnv  # noqa: PLC0415 (needs gymnasium)

        return VectorEnv
    return _module(name)


def __dir__() -> list[str]:
    # help() looks up every name there is, and would end at one that cannot be imported.
    return sorted([*globals(), *(__all__ if find_spec("gymnasium") else ())])
