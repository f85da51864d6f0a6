"""Ways to deal a rule set's cards: shuffled or not, with fixed cards or without."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ddz_core._stream import Stream
from ddz_core._values import Hand
from ddz_core.checks import between, sorted_cards
from ddz_core.errors import DdzError, InvalidCardsError
from ddz_core.seeds import seed_sequence
from ddz_core.suited import RANK_OF, card_name, deck_of
from ddz_core.vocabulary import Rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.rules import Rules
    from ddz_core.seeds import Seed

__all__ = ["Dealer", "Piles", "deal_stream", "dealer_of"]

# Every seat's cards, the kitty's, and those not dealt, each in ascending order.
Piles: TypeAlias = list[tuple[int, ...]]
Dealer: TypeAlias = Callable[[Stream], Piles]

# The unshuffled style: packets moved before the deal, and cards of a run (at most).
CUTS = 4
RUN = 6


def deal_stream(seed: Seed) -> Stream:
    """The draws of one `deal` call.

    A chunk of playouts starts from the first eight words of its child of the seed, and so does
    NumPy's default generator. The dealer takes the next eight: a seed, or a child of it, that is
    given to both makes two streams nonetheless. Part of the stream's definition.
    """
    return Stream(seed_sequence(seed).generate_state(16)[8:].tolist())


def dealer_of(rules: Rules, style: str, fixed: object) -> Dealer:
    """How to deal a rule set's cards in this style, with these cards fixed (None for none)."""
    if style == "shuffled" and fixed is None:
        deck = deck_of(rules.packs, rules.lowest_rank)
        sizes = (rules.hand_size,) * rules.players + (rules.kitty_size,)
        return lambda stream: stream.dealt(deck, sizes)
    pack = _Pack(rules, fixed)
    return pack.shuffled if style == "shuffled" else pack.unshuffled


class _Pack:
    """A rule set's cards, and what of them is fixed.

    Piles are numbered as seats, the kitty coming after the last seat, and the cards not dealt last.
    """

    def __init__(self, rules: Rules, fixed: object) -> None:
        self.deck = deck_of(rules.packs, rules.lowest_rank)
        self.sizes = [rules.hand_size] * rules.players + [rules.kitty_size]
        self.players = rules.players
        # Cards that are fixed by id, and by how many there are of each rank at least.
        self.ids: list[list[int]] = [[] for _ in self.sizes]
        self.ranks = [[0] * len(Rank) for _ in self.sizes]
        self.free = self.deck
        if fixed is not None:
            self._fix(fixed)

    # ---- fixed cards ---------------------------------------------------------------------------

    def _fix(self, fixed: object) -> None:
        if not isinstance(fixed, Mapping):
            raise TypeError(
                "fixed must be a mapping of seats (or 'kitty') to cards, not "
                f"{type(fixed).__name__}: {repr(fixed)[:80]}"
            )
        allowed = frozenset(self.deck)
        places: dict[int, str] = {}
        for key, cards in fixed.items():
            pile = self._pile(key)
            where = self._name(pile)
            if isinstance(cards, str | Hand):
                self.ranks[pile] = Hand(cards).counts.tolist()
            else:
                self.ids[pile] = list(sorted_cards(cards, f"fixed cards of {where}"))
            for card in self.ids[pile]:
                if card not in allowed:
                    raise InvalidCardsError(
                        f"card id {card}, fixed for {where}, is not in the deck"
                    )
                if card in places:
                    raise InvalidCardsError(
                        f"{card_name(card)} (card id {card}) is fixed twice: "
                        f"for {places[card]} and for {where}"
                    )
                places[card] = where
            number = len(self.ids[pile]) + sum(self.ranks[pile])
            if number > self.sizes[pile]:
                raise InvalidCardsError(
                    f"{number} cards are fixed for {where}, which has {self.sizes[pile]}"
                )
        self.free = tuple(card for card in self.deck if card not in places)
        for rank in Rank:
            wanted = sum(counts[rank] for counts in self.ranks)
            if wanted and wanted > (there := len(self._free_of_rank(rank))):
                taken = sum(RANK_OF[card] == rank for card in places)
                raise InvalidCardsError(
                    f"{wanted + taken} cards of rank {rank.symbol} are fixed, but the deck has "
                    f"{there + taken}"
                )

    def _pile(self, key: object) -> int:
        if key == "kitty":
            return self.players
        if isinstance(key, str):
            raise DdzError(f"fixed has cards for {key[:80]!r}; it takes seats and 'kitty'")
        return between(key, "seat in fixed", 0, self.players - 1)

    def _name(self, pile: int) -> str:
        return "the kitty" if pile == self.players else f"seat {pile}"

    def _open_places(self) -> list[int]:
        """Cards that each pile takes besides those fixed by id."""
        return [size - len(ids) for size, ids in zip(self.sizes, self.ids, strict=True)]

    def _free_of_rank(self, rank: int) -> list[int]:
        return [card for card in self.free if RANK_OF[card] == rank]

    # ---- two ways to deal ----------------------------------------------------------------------

    def shuffled(self, stream: Stream) -> Piles:
        """Every deal that agrees is equally likely."""
        sizes = self._open_places()
        piles = [list(ids) for ids in self.ids]
        left = self._deal_ranks(piles, sizes, stream) if any(map(any, self.ranks)) else self.free
        *rest, undealt = stream.dealt(left, sizes)
        for pile, more in zip(piles, rest, strict=True):
            pile.extend(more)
        return _sorted([*piles, undealt])

    def unshuffled(self, stream: Stream) -> Piles:
        """Runs of a pack that lies in order, but for a few cuts."""
        piles = [list(ids) for ids in self.ids]
        pack = sorted(stream.shuffled(self.free), key=RANK_OF.__getitem__)
        for rank in Rank:
            for pile, counts in zip(piles, self.ranks, strict=True):
                if counts[rank]:
                    chosen = [card for card in pack if RANK_OF[card] == rank][: counts[rank]]
                    pile.extend(chosen)
                    pack = [card for card in pack if card not in chosen]
        for _ in range(CUTS):
            low, high = sorted((stream.below(len(pack) + 1), stream.below(len(pack) + 1)))
            pack = pack[low:high] + pack[:low] + pack[high:]
        cut = stream.below(len(pack) + 1)
        pack = pack[cut:] + pack[:cut]
        first = stream.below(self.players)
        start = 0
        for rounds in range(-(-self.sizes[0] // RUN), 0, -1):
            for seat in (*range(first, self.players), *range(first)):
                run = -(-(self.sizes[seat] - len(piles[seat])) // rounds)
                piles[seat] += pack[start : start + run]
                start += run
        end = start + self.sizes[-1] - len(piles[-1])
        piles[-1] += pack[start:end]
        return _sorted([*piles, pack[end:]])

    # ---- ranks fixed: how many of each -----------------------------------------------------------

    def _deal_ranks(
        self, piles: list[list[int]], sizes: list[int], stream: Stream
    ) -> Sequence[int]:
        """Fill the piles with fixed ranks, as likely as among all deals that agree.

        To draw suits for the fixed cards and then the rest would favour hands that have more of a
        fixed rank than they must. So the number of cards of each fixed rank in each such pile is
        drawn first, in proportion to the number of deals that have it.

        Returns the cards left over for the other piles; `sizes` become what those still take.
        """
        named = [pile for pile, counts in enumerate(self.ranks) if any(counts)]
        # One pile takes whatever the others leave: all piles without fixed ranks, or, where there
        # are none, the largest.
        others = sum(sizes[pile] for pile in named) < len(self.free)
        last = None if others else named.pop(int(np.argmax([sizes[pile] for pile in named])))
        ranks = [rank for rank in Rank if any(counts[rank] for counts in self.ranks)]
        promised = tuple(
            (
                len(self._free_of_rank(rank)),
                tuple(self.ranks[pile][rank] for pile in named),
                0 if last is None else self.ranks[last][rank],
            )
            for rank in ranks
        )
        room = tuple(sizes[pile] - sum(self.ranks[pile]) for pile in named)
        loose = [card for card in self.free if RANK_OF[card] not in ranks]
        tables, choices = _numbers_of_deals(room, promised, len(loose))

        rest: list[int] = []
        for i, rank in enumerate(ranks):
            ways = [
                weight * tables[i + 1][_minus(room, extra)] if _fits(extra, room) else 0.0
                for extra, weight in choices[i]
            ]
            extra = choices[i][stream.weighted(ways)][0]
            room = _minus(room, extra)
            cards = stream.shuffled(self._free_of_rank(rank))
            for pile, fixed, more in zip(named, promised[i][1], extra, strict=True):
                piles[pile] += cards[: fixed + more]
                del cards[: fixed + more]
            rest += cards
        cards = stream.shuffled(loose)
        for pile, size in zip(named, room, strict=True):
            piles[pile] += cards[:size]
            del cards[:size]
            sizes[pile] = 0
        return rest + cards


def _sorted(piles: Sequence[Sequence[int]]) -> Piles:
    return [tuple(sorted(pile)) for pile in piles]


def _minus(room: tuple[int, ...], extra: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(room, extra, strict=True))


def _fits(extra: tuple[int, ...], room: tuple[int, ...]) -> bool:
    return all(a <= b for a, b in zip(extra, room, strict=True))


@lru_cache(maxsize=8)
def _numbers_of_deals(
    room: tuple[int, ...], promised: tuple[tuple[int, tuple[int, ...], int], ...], loose: int
) -> tuple[list[NDArray[np.float64]], list[list[tuple[tuple[int, ...], float]]]]:
    """In how many ways the ranks from each one on can go to some piles and a last one.

    Parameters
    ----------
    room : tuple of int
        Cards that each pile takes besides its fixed ones.
    promised : tuple
        For each rank its cards, how many of them each pile has at least, and the last pile.
    loose : int
        Cards of other ranks.

    Returns
    -------
    tables : list of ndarray
        One for each rank and one for the end, indexed by the room that is left: the number of deals
        (times a constant).
    choices : list of list
        For each rank the possible numbers of further cards for each pile, and in how many ways (in
        the same measure) the suits can be dealt so.
    """
    inverse = np.array([1 / math.factorial(n) for n in range(len(RANK_OF) + 1)])
    axes = np.ix_(*(np.arange(size + 1) for size in room))
    left = np.asarray(loose - sum(axes))
    table = np.where(left >= 0, inverse[np.maximum(left, 0)], 0.0)
    for axis, size in enumerate(room):
        shape = [1] * len(room)
        shape[axis] = size + 1
        table = table * inverse[: size + 1].reshape(shape)
    # Near 1, lest many small factors vanish.
    table /= table.max()

    tables = [table]
    choices: list[list[tuple[tuple[int, ...], float]]] = []
    for cards, fixed, fixed_last in reversed(promised):
        spare = cards - sum(fixed) - fixed_last
        options = []
        table = np.zeros_like(tables[0])
        for extra in itertools.product(*(range(min(spare, size) + 1) for size in room)):
            if sum(extra) > spare:
                continue
            ways = math.factorial(cards) // math.factorial(fixed_last + spare - sum(extra))
            for known, more in zip(fixed, extra, strict=True):
                ways //= math.factorial(known + more)
            options.append((extra, float(ways)))
            into = tuple(slice(more, None) for more in extra)
            source = tuple(
                slice(None, size + 1 - more) for more, size in zip(extra, room, strict=True)
            )
            table[into] += ways * tables[0][source]
        tables.insert(0, table)
        choices.insert(0, options)
    return tables, choices
