"""Hypothesis strategies for hands and positions."""

from __future__ import annotations

from deals import RULES, counts_of, deck_ranks
from hypothesis import strategies as st
from oracle import Cards


def hands(name: str, largest: int | None = None) -> st.SearchStrategy[Cards]:
    """Hands of 1 card to the rule set's most: fair deals, and groups of equal ranks."""
    rules = RULES[name]
    most = min(largest or rules.max_hand, rules.max_hand)
    ranks = deck_ranks(rules)
    dealt = st.lists(st.integers(0, len(ranks) - 1), min_size=1, max_size=most, unique=True).map(
        lambda picks: counts_of(ranks[i] for i in picks)
    )
    grouped = st.tuples(*(st.integers(0, n) for n in rules.deck())).map(
        lambda counts: _first_cards(counts, most)
    )
    return st.one_of(dealt, grouped.filter(any))


def _first_cards(counts: Cards, most: int) -> Cards:
    kept = []
    for n in counts:
        kept.append(min(n, most - sum(kept)))
    return tuple(kept)
