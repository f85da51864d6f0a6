"""Files that a long simulation leaves behind, so that it can go on after a crash."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import secrets
import stat
import time
import warnings
from typing import TYPE_CHECKING, Any

from ddz_core.errors import DdzError, RecordError
from ddz_core.record_reader import brief
from ddz_core.simulation_result import SimulationResult
from ddz_core.strict_json import parse_json

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Checkpoint", "load"]

VERSION = 1
# Seconds between two writes.
EVERY = 5.0
# Bytes; the largest that simulate writes have some tens of thousands.
LARGEST = 2**22
MEMBERS = ("ddz_checkpoint", "first", "chunk", "result", "checksum")


class Checkpoint:
    """The file of one run.

    Parameters
    ----------
    path : Path
    first : int
        The run's first deal.
    chunk : int or None
        Deals a chunk, where the numbers depend on it (batched policies).
    """

    def __init__(self, path: Path, first: int, chunk: int | None) -> None:
        self._path = path
        self._first = first
        self._chunk = chunk
        self._written = -math.inf
        self._failing = False

    @property
    def is_due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() >= self._written + EVERY

    def write(self, result: SimulationResult) -> None:
        """Replace the file as a whole: whoever reads it finds the old one or the new one.

        Raises
        ------
        OSError
            The file cannot be written.
        DdzError
            It would be larger than `load` reads.
        """
        body = {
            "ddz_checkpoint": VERSION,
            "first": self._first,
            "chunk": self._chunk,
            "result": result.as_dict(),
        }
        text = json.dumps({**body, "checksum": _checksum(body)}, allow_nan=False)
        if len(text) >= LARGEST:
            raise DdzError(
                f"{_where(self._path)} would have {len(text):,} characters, with its seed and the "
                f"policies' names; at most {LARGEST:,} are read"
            )
        # A name that no other thread, process or machine has; short enough for any file system.
        new = self._path.with_name(f"{self._path.name[:50]}.{secrets.token_hex(8)}.new")
        try:
            with new.open("x", encoding="ascii") as file:
                file.write(text + "\n")
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)
        except BaseException as error:
            with contextlib.suppress(OSError):
                new.unlink()
            if isinstance(error, OSError):
                raise OSError(
                    error.errno, f"{_where(self._path)} cannot be written: {error.strerror}"
                ) from error
            raise
        _sync_folder(self._path.parent)
        self._written = time.monotonic()
        self._failing = False

    def write_or_warn(self, result: SimulationResult, *, at_the_end: bool = False) -> None:
        """The same in mid-run, where nothing that was played must be lost: warn, and try again when
        it is due again."""
        try:
            self.write(result)
        except OSError as error:
            self._written = time.monotonic()
            if at_the_end or not self._failing:
                then = (
                    "has less than the result" if at_the_end else "is tried again; the run goes on"
                )
                self._failing = True
                warnings.warn(f"{error.strerror}; it {then}", RuntimeWarning, stacklevel=4)


def _where(path: Path) -> str:
    return f"checkpoint {str(path)[-200:]!r}"


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk too, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _checksum(body: dict[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def load(path: Path) -> tuple[SimulationResult, int, int | None] | None:
    """What a checkpoint holds: the result so far, the first deal, and the chunk; None without a
    file.

    Raises
    ------
    RecordError
        It is no regular file, no checkpoint, cut off, changed, or of another version.
    OSError
        It cannot be read.
    """
    where = _where(path)
    try:
        # Others (devices, pipes) may have no end, or wait for one who writes.
        if not stat.S_ISREG(path.stat().st_mode):
            kind = ", but a directory" if path.is_dir() else ""
            raise RecordError(f"{where} is no regular file{kind}")
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except FileNotFoundError:
        return None
    if len(raw) > LARGEST:
        raise RecordError(f"{where} is no checkpoint: it has more than {LARGEST:,} bytes")
    try:
        body = parse_json(raw.decode("ascii"))
    except (UnicodeDecodeError, RecordError) as error:
        raise RecordError(f"{where} is no checkpoint, or cut off: {error}") from None
    if not isinstance(body, dict) or "ddz_checkpoint" not in body:
        raise RecordError(f"{where} is no checkpoint of ddz_core")
    if body["ddz_checkpoint"] != VERSION:
        raise RecordError(
            f"{where} is of version {brief(body['ddz_checkpoint'])}; this ddz_core reads {VERSION}"
        )
    if set(body) != set(MEMBERS):
        raise RecordError(f"{where} has the members {brief(sorted(body))}, not {list(MEMBERS)}")
    checksum = body.pop("checksum")
    if checksum != _checksum(body):
        raise RecordError(f"{where} was changed: its checksum does not fit")
    try:
        result = SimulationResult.from_dict(body["result"])
    except RecordError as error:
        raise RecordError(f"{where}: {error}") from None
    return result, body["first"], body["chunk"]


Saved = tuple[SimulationResult, int, int | None]


def check_same_run(path: Path, saved: Saved, wanted: Saved, *, any_seed: bool) -> None:
    """Make sure that a checkpoint is of the run that is to go on.

    Raises
    ------
    RecordError
        Something differs: what.
    """
    (result, first, chunk), (new, new_first, new_chunk) = saved, wanted
    where = _where(path)
    if len(result.parts) != 1:
        raise RecordError(f"{where} has deals of {len(result.parts)} seeds, not of one")
    pairs = {
        "rules": (result.rules, new.rules),
        "policies": (result.policies, new.policies),
        "landlord": (result.landlord, new.landlord),
        "first": (first, new_first),
        "deals": (result.requested, new.requested),
        "chunk": (chunk, new_chunk),
    }
    (old_part,), (new_part,) = result.parts, new.parts
    if not any_seed and old_part.identity != new_part.identity:
        pairs["seed"] = (old_part[:3], new_part[:3])
    for name, (old, asked) in pairs.items():
        if old != asked:
            raise RecordError(
                f"{where} is of another run: its {name} is {old!r}, but {asked!r} is asked for"
            )
    stop = new_first + new.requested
    if any(begin < new_first or end > stop for begin, end in result.parts[0].ranges):
        raise RecordError(f"{where} has deals that are not of its run")
