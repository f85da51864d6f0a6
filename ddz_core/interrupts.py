"""Ctrl-C told from a KeyboardInterrupt that a policy raises."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

__all__ = ["only_own_interrupts", "raised_elsewhere"]


@contextlib.contextmanager
def only_own_interrupts() -> Iterator[None]:
    """Pass on a KeyboardInterrupt that is this thread's Ctrl-C; any other one is an error.

    Raises
    ------
    RuntimeError
        Something within raised KeyboardInterrupt by itself.
    """
    asked = False
    before = signal.getsignal(signal.SIGINT)

    def handler(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        if callable(before):
            before(number, frame)

    # Only the main thread is ever interrupted by a signal.
    watched = callable(before) and threading.current_thread() is threading.main_thread()
    if watched:
        signal.signal(signal.SIGINT, handler)
    try:
        yield
    except KeyboardInterrupt as error:
        if asked:
            raise
        raise raised_elsewhere() from error
    finally:
        if watched and signal.getsignal(signal.SIGINT) is handler:
            signal.signal(signal.SIGINT, before)


def raised_elsewhere() -> RuntimeError:
    """The error for a KeyboardInterrupt that is not the calling thread's."""
    return RuntimeError(
        "a policy or its worker raised KeyboardInterrupt; only one in the thread that called "
        "simulate stops it"
    )
