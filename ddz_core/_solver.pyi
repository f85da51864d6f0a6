from typing_extensions import disjoint_base

from ddz_core._position import Position
from ddz_core._values import Move

@disjoint_base
class Search:
    def __init__(
        self,
        position: Position,
        *,
        goal: int = 1,
        points: bool = False,
        table_mb: float = 256,
        switches: int = 0,
    ) -> None: ...
    def prove(
        self,
        position: Position,
        node_limit: int | None = None,
        seconds: float | None = None,
        signals: bool = True,
    ) -> bool | None: ...
    def known(self, position: Position) -> bool | None: ...
    def find(self, position: Position, answer: bool | None) -> int: ...
    def line(self, position: Position, success: bool) -> tuple[list[Move], bool]: ...
    def facts(self, position: Position) -> tuple[int, list[list[int] | None]]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def stopped(self) -> str | None: ...
    def cancel(self) -> None: ...

def plain_value(
    position: Position, points: bool = False, nodes: int = 100_000_000
) -> int | None: ...
