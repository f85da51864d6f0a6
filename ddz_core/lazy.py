"""Submodules that are imported when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType


def submodules(package: str, names: tuple[str, ...]) -> Callable[[str], ModuleType]:
    """A package's ``__getattr__`` by which ``package.name`` needs no import of its own."""

    def find(name: str) -> ModuleType:
        if name in names:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
