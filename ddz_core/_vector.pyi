from typing import Self

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from ddz_core._actions import ActionTable
from ddz_core._position import Position
from ddz_core.rules import Rules

AUTORESET_SAME: int
AUTORESET_NEXT: int
AUTORESET_OFF: int
OBSERVE_NOTHING: int
OBSERVE_DOUZERO: int
OBSERVE_NATIVE: int
PHASE_AUCTION: int
PHASE_PLAY: int
PHASE_OVER: int

@disjoint_base
class Games:
    def __new__(
        cls,
        rules: Rules,
        n: int,
        options: tuple[int, ...],
        table: ActionTable | None,
        autoreset: int,
        observe: int,
        single: bool,
    ) -> Self: ...
    @property
    def indptr(self) -> npt.NDArray[np.int64]: ...
    @property
    def moves(self) -> npt.NDArray[np.void]: ...
    @property
    def outcome(self) -> dict[str, npt.NDArray[np.generic]]: ...
    @property
    def mask(self) -> npt.NDArray[np.bool_]: ...
    @property
    def observed(self) -> dict[str, npt.NDArray[np.generic]]: ...
    @property
    def rows(
        self,
    ) -> list[
        tuple[
            npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.generic], npt.NDArray[np.generic]
        ]
    ]: ...
    @property
    def actions(self) -> npt.NDArray[np.generic]: ...
    def seed(self, key: npt.NDArray[np.uint64], chosen: npt.NDArray[np.bool_]) -> None: ...
    def restart(self, chosen: npt.NDArray[np.bool_]) -> None: ...
    def take(self, actions: npt.NDArray[np.int64]) -> None: ...
    def advance(self, start: int, stop: int) -> None: ...
    def arrange(self) -> None: ...
    def fill(self, start: int, stop: int) -> None: ...
    def ids(self, table: ActionTable) -> npt.NDArray[np.int64]: ...
    def position(self, game: int) -> Position | None: ...
    def dealt(
        self, game: int
    ) -> tuple[list[list[int]], list[int], list[int], int, int | None]: ...
