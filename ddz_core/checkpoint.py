"""Files that a long simulation leaves behind, so that it can go on after a crash."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from typing import TYPE_CHECKING, Any

from ddz_core.errors import RecordError
from ddz_core.record_reader import brief
from ddz_core.simulation_result import SimulationResult
from ddz_core.strict_json import parse_json

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Checkpoint", "load"]

VERSION = 1
# Seconds between two writes.
EVERY = 5.0
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
        self._written = -EVERY

    @property
    def is_due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() >= self._written + EVERY

    def write(self, result: SimulationResult) -> None:
        """Replace the file as a whole: whoever reads it finds the old one or the new one."""
        body = {
            "ddz_checkpoint": VERSION,
            "first": self._first,
            "chunk": self._chunk,
            "result": result.as_dict(),
        }
        text = json.dumps({**body, "checksum": _checksum(body)}, allow_nan=False)
        new = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        try:
            with new.open("w", encoding="ascii") as file:
                file.write(text + "\n")
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)
        except BaseException:
            with contextlib.suppress(OSError):
                new.unlink()
            raise
        _sync_folder(self._path.parent)
        self._written = time.monotonic()


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
        It is no checkpoint, cut off, changed, or of another version.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    where = f"checkpoint {str(path)[-200:]!r}"
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
    where = f"checkpoint {str(path)[-200:]!r}"
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
