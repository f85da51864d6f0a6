"""The hands with the most legal moves: MAX_MOVES_ONE_PACK and MAX_MOVES_TWO_PACKS.

One pack: every hand of 20 cards, under the most permissive rules (more is legal under no others)
and under some presets. Two packs: the best of many hill climbs over hands of 33 cards.
"""

import pyximport

pyximport.install(language_level=3, inplace=False)

import widest  # noqa: E402

import ddz_core as ddz  # noqa: E402

PERMISSIVE = ddz.Rules.botzone().replace(airplane_kicker_cap=4, quad_kicker_cap=4)
PERMISSIVE_TWO_PACKS = ddz.Rules.four_player().replace(triple_single=True)


def main() -> None:
    named = [("most permissive", PERMISSIVE)]
    named += [
        (name, ddz.Rules.preset(name)) for name in ("standard", "rlcard", "douzero", "botzone")
    ]
    for name, rules in named:
        hands, moves, packed = widest.exhaustive(rules)
        print(f"{name}: {moves} moves, {ddz.Hand.from_packed(packed)}, the most of {hands:,} hands")
    for name, rules in (
        ("two packs, most permissive", PERMISSIVE_TWO_PACKS),
        ("four_player", ddz.Rules.four_player()),
    ):
        moves, packed = widest.climb(rules, 1, 200)
        print(f"{name}: {moves} moves, {ddz.Hand.from_packed(packed)}, the best of 200 climbs")


if __name__ == "__main__":
    main()
