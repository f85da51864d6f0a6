"""Write data/perft.json anew: python tests/make_perft.py

The oracle counts every position as deep as its patience goes and the core counts on from there,
after it gave the oracle's numbers for the depths before. Counts of the core alone guard against a
change, those of the oracle (the first `by_oracle` depths) against a mistake.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import oracle
from deals import PRESETS, RULES, deal, random_play

FILE = Path(__file__).parent / "data" / "perft.json"
ORACLE_LEAVES = 60_000
CORE_LEAVES = 4_000_000
DEEPEST = 12

# Small positions in which rare moves meet: readings side by side, bombs on bombs, shuttles.
BY_HAND: list[dict[str, Any]] = [
    {"rules": "openspiel", "hands": ["333444555666", "777888999TTT", "JQKA2BR"]},
    {"rules": "douzero", "hands": ["3334445556667777", "8889999", "BRA"]},
    {"rules": "rlcard", "hands": ["333444555666", "KKKAAA222", "777888"]},
    {"rules": "standard", "hands": ["33334455", "66667788", "99992BR"]},
    {"rules": "standard", "hands": ["333444556", "777888TTJ", "2222BR"], "landlord": 1},
    {"rules": "pagat", "hands": ["33334455", "66667788", "9999QK"]},
    {"rules": "botzone", "hands": ["3333444499", "55556666TJ", "77778888QK"]},
    {"rules": "duel", "hands": ["5566778899", "667TJQKA"], "target": 3},
    {"rules": "douzero", "hands": ["33344BR", "5556622"]},
    {"rules": "four_player", "hands": ["33333", "444444", "BBRR", "5556677"]},
    {"rules": "four_player", "hands": ["333444BBRR", "5556667788", "99999", "TTTT"]},
]


def fields(model: oracle.Model, name: str) -> dict[str, Any]:
    """The position as the file keeps it."""
    return {
        "name": name,
        "rules": model.rules.name,
        "hands": [oracle.text_of(hand) for hand in model.hands],
        "landlord": model.landlord,
        "turn": model.turn,
        "last": model.last and oracle.move_text(model.last),
        "passes": model.passes,
        "target": model.target,
    }


def model_of(row: dict[str, Any]) -> oracle.Model:
    """The position of a row of the file."""
    rules = RULES[row["rules"]]
    last = None
    if row["last"]:
        cards = oracle.parse(row["last"])
        (last,) = (
            (cards, reading)
            for reading in oracle.readings(cards, rules)
            if oracle.move_text((cards, reading)) == row["last"]
        )
    return oracle.Model(
        rules,
        tuple(oracle.parse(hand) for hand in row["hands"]),
        landlord=row["landlord"],
        turn=row["turn"],
        last=last,
        passes=row["passes"],
        target=row["target"],
    )


def positions() -> Iterator[tuple[str, oracle.Model]]:
    """All positions of the file, with their names."""
    for i, row in enumerate(BY_HAND):
        defaults = {"landlord": 0, "turn": row.get("landlord", 0), "last": None}
        yield f"by hand {i + 1}", model_of(defaults | {"passes": 0, "target": 0} | row)
    for name in PRESETS:
        rules = RULES[name]
        rng = random.Random(f"perft {name}")
        large, peasant = (33, 25) if rules.packs == 2 else (20, 17)
        sizes = [large] + [peasant] * (rules.players - 1)
        yield f"{name} opening", oracle.Model(rules, deal(rng, rules, sizes))
        for seats in (2, 3, 4):
            sizes = [rng.randint(4, 8) for _ in range(seats)]
            landlord = rng.randrange(seats)
            start = oracle.Model(rules, deal(rng, rules, sizes), landlord, landlord)
            yield f"{name} endgame of {seats}", start
        # From the middle of a trick: a play lies on the table, and one seat has passed on it.
        start = oracle.Model(rules, deal(rng, rules, [12, 10, 10]))
        lead = random_play(rng, start.hands[0], rules)
        yield f"{name} answer", _without_counters(start.after(lead))
        yield f"{name} last answer", _without_counters(start.after(lead).after(oracle.PASS))


def _without_counters(model: oracle.Model) -> oracle.Model:
    return oracle.Model(
        model.rules, model.hands, model.landlord, model.turn, model.last, model.passes, model.target
    )


def oracle_counts(model: oracle.Model) -> list[int]:
    """Leaves by depth from 1, as far as the oracle goes in reasonable time."""
    counts: list[int] = []
    growth = 1.0
    while len(counts) < DEEPEST and (not counts or counts[-1] * growth <= ORACLE_LEAVES):
        counts.append(oracle.perft(model, len(counts) + 1))
        growth = counts[-1] / counts[-2] if len(counts) > 1 else counts[-1]
    return counts


def core_counts(row: dict[str, Any], known: list[int]) -> list[int]:
    """The same counts from the core, and the deeper ones."""
    from helpers import core_rules  # noqa: PLC0415

    import ddz_core as ddz  # noqa: PLC0415 (the oracle's part of this script works without it)

    rules = core_rules(row["rules"])
    last = row["last"] and ddz.Move.parse(row["last"], rules=rules)
    places = {key: row[key] for key in ("landlord", "turn", "passes", "target")}
    position = ddz.Position(row["hands"], last=last, rules=rules, **places)
    counts: list[int] = []
    growth = 1.0
    while len(counts) < len(known) or (
        len(counts) < DEEPEST and counts[-1] * growth <= CORE_LEAVES
    ):
        counts.append(ddz.perft(position, len(counts) + 1))
        growth = counts[-1] / counts[-2] if len(counts) > 1 else counts[-1]
    if counts[: len(known)] != known:
        raise SystemExit(f"{row['name']}: the oracle counts {known}, the core {counts}")
    return counts


def main() -> None:
    """Count and write."""
    rows = []
    for name, model in positions():
        known = oracle_counts(model)
        row = fields(model, name)
        nodes = known if "--oracle-only" in sys.argv else core_counts(row, known)
        rows.append(row | {"by_oracle": len(known), "nodes": nodes})
    text = ",\n".join(json.dumps(row) for row in rows)
    FILE.write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    main()
