from typing import Self, final

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from ddz_core._values import MoveList
from ddz_core.observation import Observation
from ddz_core.rules import Rules

@disjoint_base
class Seen:
    def __new__(cls, observation: Observation) -> Self: ...
    @property
    def columns(self) -> int: ...

@final
class Target: ...

def native_sizes(rules: Rules) -> tuple[int, int, int]: ...
def is_douzero_table(rules: Rules) -> bool: ...
def write_douzero(
    seen: list[Seen],
    moves: list[MoveList],
    x: npt.NDArray[np.float32] | npt.NDArray[np.int8] | None,
    z: npt.NDArray[np.float32] | npt.NDArray[np.int8] | None,
    head: npt.NDArray[np.float32] | npt.NDArray[np.int8] | None,
) -> None: ...
def write_native(
    seen: list[Seen],
    moves: list[MoveList],
    bids: list[tuple[int, ...]],
    x: npt.NDArray[np.float32] | npt.NDArray[np.int8] | None,
    history: npt.NDArray[np.float32] | npt.NDArray[np.int8] | None,
    actions: npt.NDArray[np.float32] | npt.NDArray[np.int8] | None,
) -> None: ...
