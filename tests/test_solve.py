"""The solver against searches that leave nothing out, on small positions of every sort."""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import ddz_core as ddz
from ddz_core._solver import Search, plain_value
from ddz_core.solve import analyse, solve, solve_batch

DATA = Path(__file__).parent / "data"
# DDZ_SOLVE=5000 checks so many positions of every rule set and number of seats.
POSITIONS = int(os.environ.get("DDZ_SOLVE", "60"))
CARDS = {2: 7, 3: 5, 4: 4}

# Each reduction on its own, all, and none of them (src/_solver.pyx).
STATIC, HEURISTIC, NORMAL, WAITING, DOMINANCE, RIVALS, THRIFT = (1 << i for i in range(7))
NONE = 127


@cache
def rule_sets() -> tuple[ddz.Rules, ...]:
    """All presets and some rules that no preset has."""
    standard = ddz.Rules.standard()
    return (
        *(ddz.Rules.preset(name) for name in ddz.Rules.preset_names()),
        standard.replace(name="no_kickers", triple_single=False, triple_pair=False,
                         airplane_singles=False, airplane_pairs=False, quad_singles=False,
                         quad_pairs=False),
        standard.replace(name="held_quads", held_quads_stay_together=True),
        standard.replace(name="any_kickers", airplane_kicker_cap=4, quad_kicker_cap=4,
                         both_jokers_as_kickers=True, shuttles=True),
    )  # fmt: skip


def deal(rng: random.Random, rules: ddz.Rules, sizes: list[int], clumped: bool) -> list[ddz.Hand]:
    """Hands from the whole deck, or from few ranks, so that there are triples, quads and chains."""
    deck = [rank for rank, n in enumerate(rules.deck) for _ in range(n)]
    rng.shuffle(deck)
    if clumped:
        width = 2 + sum(sizes) // (4 * rules.packs) + rng.randrange(4)
        first = rng.randrange(rules.lowest_rank, 15)
        window = {*range(first, first + width), 13, 14}
        deck.sort(key=lambda rank: rank not in window)
        near = deck[: sum(sizes)]
        rng.shuffle(near)
        deck = near
    hands = []
    for size in sizes:
        counts = [0] * 15
        for rank in deck[:size]:
            counts[rank] += 1
        del deck[:size]
        hands.append(ddz.Hand.from_counts(counts))
    return hands


def begun(
    rng: random.Random, rules: ddz.Rules, hands: list[ddz.Hand], landlord: int, target: int
) -> ddz.Position | None:
    """These hands, at the start or a few moves later; None if the game is over."""
    if any(seat != landlord and len(hand) <= target for seat, hand in enumerate(hands)):
        return None
    turn = rng.randrange(len(hands))
    position = ddz.Position(hands, landlord=landlord, turn=turn, target=target, rules=rules)
    for _ in range(rng.randrange(4)):
        if position.winner is None:
            position.play(rng.choice(position.legal_moves()))
    return position if position.winner is None else None


def positions(rules: ddz.Rules, seats: int, n: int, largest: int, seed: object):
    """Random positions whose game goes on, at the start or a few moves later."""
    rng = random.Random(f"{rules.name} {seats} {seed}")
    while n:
        sizes = [rng.randint(1, largest) for _ in range(seats)]
        hands = deal(rng, rules, sizes, rng.random() < 0.6)
        target = rng.choice((0, 0, 0, 1, 2))
        landlord = rng.randrange(seats)
        position = begun(rng, rules, hands, landlord, target)
        if position is not None:
            n -= 1
            yield position


def exhaustive(position: ddz.Position, points: bool, seen: dict[object, int]) -> int:
    """Every move, in Python, with nothing but equal positions left out."""
    if position.winner is not None:
        return result_of(position, points)
    key = position.to_string() if points else position.key
    if key not in seen:
        values = []
        for move in position.legal_moves():
            position.play(move)
            values.append(exhaustive(position, points, seen))
            position.undo()
        seen[key] = max(values) if position.turn == position.landlord else min(values)
    return seen[key]


def result_of(position: ddz.Position, points: bool) -> int:
    """The landlord's multiple of the base, from the words of rules.md."""
    rules = position.rules
    sign = 1 if position.landlord_won else -1
    if not points:
        return sign
    doublings = 0
    if rules.bombs_double:
        doublings += position.doubling_bombs + position.rockets
    counted = position.standing_plays if rules.spring == "standing" else position.plays
    if rules.spring != "none":
        if position.landlord_won:
            doublings += sum(counted) == counted[position.landlord]
        elif rules.spring == "played":
            doublings += counted[position.landlord] == 1
        else:
            doublings += counted[position.landlord] == position.opening_stood
    return sign * 2**doublings


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_plain_search_agrees_with_python(rules: ddz.Rules, seats: int) -> None:
    """The compiled plain search, which checks the rest, is itself checked."""
    for points in (False, True):
        for position in positions(rules, seats, 12, CARDS[seats] - 1, "python"):
            expected = exhaustive(position.copy(), points, {})
            assert plain_value(position, points) == expected, position


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_winner_agrees_with_plain_search(rules: ddz.Rules, seats: int) -> None:
    for i, position in enumerate(positions(rules, seats, POSITIONS, CARDS[seats], "win")):
        value = plain_value(position, False, 2_000_000)
        if value is not None:
            table_mb = 0.01 if i % 2 else 1
            assert solve(position, table_mb=table_mb).value == value, position


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_points_agree_with_plain_search(rules: ddz.Rules, seats: int) -> None:
    for position in positions(rules, seats, POSITIONS // 2, CARDS[seats], "points"):
        value = plain_value(position, True, 2_000_000)
        if value is not None:
            assert solve(position, objective="points", table_mb=1).value == value, position


@pytest.mark.parametrize(
    "reduction", [STATIC, HEURISTIC, NORMAL, WAITING, DOMINANCE, RIVALS, THRIFT]
)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_reduction_alone(reduction: int, seats: int) -> None:
    """Positions beyond the plain search's reach: with one reduction, and with none."""
    for rules in rule_sets():
        n = max(2, POSITIONS // 12)
        for position in positions(rules, seats, n, CARDS[seats] + 2, reduction):
            expected = Search(position, table_mb=16, switches=NONE).prove(position, 40_000)
            if expected is not None:
                search = Search(position, table_mb=1, switches=NONE & ~reduction)
                assert search.prove(position) is expected, position


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_reductions_on_larger_positions(seats: int) -> None:
    for rules in rule_sets():
        for position in positions(rules, seats, max(2, POSITIONS // 6), CARDS[seats] + 3, "larger"):
            expected = Search(position, table_mb=16, switches=NONE).prove(position, 40_000)
            if expected is not None:
                assert (solve(position).value == 1) is expected, position


@pytest.mark.parametrize(
    ("hands", "last"),
    [
        (["TJ", "444598", "7"], "333+6"),
        (["TJ", "444589", "7"], "333+Q"),
        (["TTJ", "4445899", "7"], "333+Q"),
    ],
)
def test_low_cards_are_kept_for_the_partner(hands: list[str], last: str) -> None:
    """A peasant throws a higher kicker and keeps the 5, on which his partner goes out with the 7.

    A lower kicker leaves a better hand for the landlord only, not for a seat that has partners.
    """
    position = ddz.Position(hands, turn=1, last=last)
    assert plain_value(position, False, 50_000_000) == -1
    for switches in (0, *(1 << i for i in range(7)), *(NONE & ~(1 << i) for i in range(7))):
        assert Search(position, switches=switches).prove(position) is False
    assert all("5" not in str(move.cards) for move in solve(position, all_moves=True).moves)


@pytest.mark.parametrize(
    "text",
    [
        # The landlord, who speaks before the partner, has a card as high as what it takes with.
        "douzero JQQ/88A/78A 1 2 - 0 0 0 0 0 0/0/0 0/0/0 0",
        "casual Q/QA2/A2/2 2 1 - 0 0 0 0 0 0/0/0/0 0/0/0/0 0",
        "casual 667TJK/QK/8TTQK 1 0 - 0 0 0 0 0 0/0/0 0/0/0 0",
        # He goes out on what is fed, or has too few cards left by then.
        "rlcard Q/8TQK/J 2 1 T 0 0 0 0 0 1/0/0 0/0/0 0",
        "pagat 9JK2/9JKK/Q 2 2 A 0 0 0 0 0 0/1/0 0/0/0 0",
        "pagat TA/78QKA2/79T 0 2 - 0 0 0 0 0 0/0/0 0/0/0 0",
        "standard A/6782/452R 0 1 6 1 0 0 0 0 0/0/1 0/0/0 0",
        # He beats what the peasant wins the trick with.
        "rlcard A/TTJ/779KK 2 0 TT 0 0 0 0 0 0/0/1 0/0/0 0",
        "casual 6A/55699/5788TJ 1 2 JJ 0 0 0 0 0 0/1/0 0/0/0 0",
    ],
)
def test_a_partner_is_fed_only_what_the_landlord_cannot_take(text: str) -> None:
    """Right but for one card: each goes wrong if the rule forgets one of its conditions."""
    position = ddz.Position.from_string(text)
    assert plain_value(position, False, 50_000_000) == 1
    for switches in (0, *(1 << i for i in range(7)), *(NONE & ~(1 << i) for i in range(7))):
        assert Search(position, switches=switches).prove(position) is True


def test_a_partner_is_fed_without_search() -> None:
    """Seat 1 leads a three, and seat 2 takes what the landlord plays on it: 61 positions else."""
    position = ddz.Position(["5778TJA2", "3345TTKK", "679JQQA2"], turn=1)
    search = Search(position)
    assert search.prove(position) is False
    assert search.nodes == 1


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        # A bomb that an enemy's equal bomb ties with wins nothing back from that bomb.
        ("four_player", "347777/777799 0 0"),
        ("four_player", "34777788888/777799 0 0"),
        # A card of a quad that stays together is no single to wait with.
        ("held", "682222/59T 0 1"),
        ("held", "33349J2222/4KA 0 1"),
        # Eight of a rank are two bombs to cover with.
        ("four_player", "72/68899KA/355677TTTTTTTTJQA 0 0"),
    ],
)
def test_bombs_of_two_packs_and_quads_that_stay_together(rules: str, text: str) -> None:
    held = ddz.Rules.standard().replace(held_quads_stay_together=True, name="held")
    chosen = held if rules == "held" else ddz.Rules.preset(rules)
    position = ddz.Position.from_string(f"{chosen.name} {text}", chosen)
    plain = Search(position, switches=NONE).prove(position)
    assert Search(position).prove(position) == plain
    solution = solve(position, all_moves=True)
    assert solution.landlord_wins == plain
    for move in position.legal_moves():
        position.play(move)
        won = solve(position).landlord_wins
        position.undo()
        assert (move in solution.moves) == (won == (position.turn == position.landlord))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        # An ace that nobody beats, out of a pair or a straight, and the rest goes out.
        ("44TAA/36789TJQ/349 0 0 3 0 0 0 0 0 0/0/1 0/0/0 0", STATIC),
        ("TTJQKA/45788Q/7999TK 0 0 6 0 0 0 0 0 0/0/1 0/0/0 0", STATIC),
        # Whatever straight the first peasant plays, two low singles are left.
        ("5A/367899TJJA/49Q 0 1 J 0 0 0 0 0 1/0/0 0/0/0 0", WAITING),
        # The B beats one ace only, and a low pair meets the kings.
        ("44KKAA/4689TJJ/339TTQQB 0 2 8 0 0 0 0 0 0/1/0 0/0/0 0", WAITING),
    ],
)
def test_seen_at_once(text: str, rule: int) -> None:
    position = ddz.Position.from_string(f"standard {text}")
    assert Search(position).known(position) is True
    assert Search(position, switches=rule).known(position) is None
    assert Search(position, switches=STATIC | WAITING).prove(position) is True


@pytest.mark.parametrize(
    "text",
    [
        # A peasant who may keep a card shows one low single less, and keeps his B for the last 2.
        "A22/48JKAA2/568KKAB 0 2 QQQQ 0 1 1 1 0 1/2/1 0/0/0 0",
        # The peasant behind the landlord needs no lead: he goes out on the 4.
        "48/5/379 0 1 R 0 0 0 0 0 5/6/5 1/3/2 1",
        # Nor does he where the landlord would have to win a lost group back.
        "7T2/A 0 0",
        "445668AR/357TJJQK/3789QKA2 0 0",
        # An enemy that shows no more cards may still go out on what is lost after the answer.
        "469TT/38 0 1 A 0 1 0 0 0 1/1 0/0 0",
        "QK2B/JJQKKA 0 1 - 0 0 0 0 0 1/1 0/1 0",
    ],
)
def test_waiting_is_not_enough(text: str) -> None:
    position = ddz.Position.from_string(f"standard {text}")
    assert Search(position, switches=WAITING).prove(position) is False
    assert Search(position).prove(position) is False


def test_a_few_high_cards_wait() -> None:
    """One seat has few cards, mostly high: waiting against a search without that rule."""
    rng = random.Random(12)
    fired = 0
    for _ in range(60 * POSITIONS):
        rules = rng.choice((*rule_sets(), ddz.Rules.standard(), ddz.Rules.pagat()))
        seats = rng.choice((2, 3, 3, 3, 4))
        waits = rng.randrange(seats)
        largest = {2: 11, 3: 9, 4: 6}[seats]
        sizes = [rng.randint(1, 5) if s == waits else rng.randint(2, largest) for s in range(seats)]
        dealt = deal(rng, rules, sizes, rng.random() < 0.4)
        cards = sorted(r for hand in dealt for r, n in enumerate(hand.counts) for _ in range(n))
        lowest = max(0, len(cards) - sizes[waits] - rng.randint(0, 8))
        mine = [cards.pop(rng.randrange(lowest, len(cards))) for _ in range(sizes[waits])]
        rng.shuffle(cards)
        hands = []
        for seat, size in enumerate(sizes):
            part = mine if seat == waits else [cards.pop() for _ in range(size)]
            hands.append(ddz.Hand.from_counts([part.count(rank) for rank in range(15)]))
        landlord = waits if rng.random() < 0.7 else rng.randrange(seats)
        target = rng.choice((0, 0, 0, 1, 2))
        position = begun(rng, rules, hands, landlord, target)
        if position is None:
            continue
        search = Search(position, table_mb=1)
        without = Search(position, table_mb=16, switches=WAITING)
        known = search.known(position)
        fired += known is not None and without.known(position) is None
        expected = without.prove(position, 40_000)
        if expected is not None:
            assert known in (None, expected), position
            assert search.prove(position) is expected, position
    assert fired > 5 * POSITIONS


def test_facts_of_each_legal_move() -> None:
    """What training/gather.py saves."""
    position = ddz.Position(["38TTJQKA", "445667TQ", "35789JJ2"])
    row, facts = Search(position).facts(position)
    assert row == 0
    assert len(facts) == len(position.legal_moves())
    assert {len(known) for known in facts if known is not None} == {88}
    position.play("8")
    assert Search(position).facts(position)[0] == 3
    passes = ddz.Position(["3", "4", "5"], turn=1, last="A")
    assert Search(passes).facts(passes) == (0, [])


def test_points_of_a_deal_too_large_for_the_table() -> None:
    refused = []
    for seed in range(20):
        hands = ddz.random_hands("four_player", 1, seed=seed)[0].tolist()
        position = ddz.Position([ddz.Hand.from_counts(hand) for hand in hands], rules="four_player")
        try:
            solution = solve(position, objective="points", node_limit=10)
        except ddz.DdzError as error:
            refused.append(str(error))
        else:
            assert solution.lower < solution.upper
        assert solve(position, node_limit=10).stopped in ("nodes", None)
    assert refused
    assert all("more cards than points" in message for message in refused)


def test_ranks_are_not_joined() -> None:
    """A version that squeezed out empty ranks, wrongly beside pairs, failed here."""
    position = ddz.Position(["7899JQQKKR", "8JQAA"], landlord=1, turn=0, rules="pagat_distinct")
    assert Search(position, switches=NONE).prove(position) is True
    assert Search(position).prove(position) is True


def test_partners_with_kickers_to_follow() -> None:
    """Many positions of the sort above."""
    rng = random.Random(11)
    checked = 0
    while checked < 10 * POSITIONS:
        main = rng.randrange(1, 10)
        deck = [rank for rank in range(13) for _ in range(4) if rank not in (main, main - 1)]
        rng.shuffle(deck)
        hands = [deck[:3], [main] * 3 + deck[3:7], deck[7:9]]
        counts = [[hand.count(rank) for rank in range(15)] for hand in hands]
        below = ddz.Hand.from_counts([3 * (rank == main - 1) for rank in range(15)])
        kicker = ddz.Hand.from_counts([int(rank == deck[9]) for rank in range(15)])
        position = ddz.Position(
            [ddz.Hand.from_counts(hand) for hand in counts],
            landlord=0, turn=1, last=f"{below}+{kicker}",
        )  # fmt: skip
        expected = Search(position, switches=NONE).prove(position, 40_000)
        assert expected is not None
        assert Search(position).prove(position) is expected, position
        checked += 1


# ---- puzzles -------------------------------------------------------------------------------------


def puzzles(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def puzzle_position(case: dict[str, object]) -> ddz.Position:
    rules = ddz.Rules.douzero()
    allowed = case.get("allowed")
    if allowed:
        rules = rules.replace(
            airplane_singles=allowed["triple_single"],
            airplane_pairs=allowed["triple_pair"],
            **allowed,
        )
    return ddz.Position([case["to_move"], case["other"]], last=case.get("last"), rules=rules)


@pytest.mark.parametrize(
    "case",
    [*puzzles("endgames_two_player.jsonl"), *puzzles("endgames_random_two_player.jsonl")],
    ids=lambda case: str(case.get("id", "")),
)
def test_two_player_puzzles(case: dict[str, object]) -> None:
    """The result and all winning first moves."""
    solution = solve(puzzle_position(case), all_moves=True)
    expected = case.get("result_for_mover") or case["result"]
    assert solution.value == (1 if expected == "win" else -1)
    order = "3456789TJQKA2BR".index
    found = {"".join(sorted(str(m.cards), key=order)) or "pass" for m in solution.moves}
    assert found == set(case["winning_moves"])


# ---- lines, moves and limits ---------------------------------------------------------------------


def sample(n: int, sizes: dict[int, int], seed: object):
    for rules in rule_sets():
        for seats in (2, 3, 4):
            yield from positions(rules, seats, n, sizes[seats], seed)


@pytest.mark.parametrize("objective", ["win", "points"])
def test_lines_end_in_the_value(objective: str) -> None:
    """A line replays legally to the value, and no move on it can be bettered."""
    for position in sample(3, {2: 6, 3: 5, 4: 3}, objective):
        points = objective == "points"
        solution = solve(position, objective=objective, table_mb=1)
        replay = position.copy()
        for move in solution.line:
            assert replay.winner is None
            replay.play(move)
            value = plain_value(replay, points, 2_000_000)
            assert value in (None, solution.value), (position, move)
        assert replay.winner is not None
        assert result_of(replay, points) == solution.value, position


@pytest.mark.parametrize("objective", ["win", "points"])
@pytest.mark.parametrize("threads", [1, 2])
def test_all_moves_are_those_that_keep_the_value(objective: str, threads: int) -> None:
    points = objective == "points"
    for position in sample(2, {2: 5, 3: 4, 4: 3}, f"moves {objective}"):
        solution = solve(position, objective=objective, all_moves=True, threads=threads, table_mb=1)
        sign = 1 if position.turn == position.landlord else -1
        best = []
        for move in position.legal_moves():
            child = position.copy()
            child.play(move)
            if plain_value(child, points) == solution.value:
                best.append(move)
        if not points and solution.value != sign:
            best = []
        assert list(solution.moves) == best, position
        assert not solution.undecided


def test_a_limit_never_contradicts() -> None:
    hands = deal(random.Random(1), ddz.Rules.standard(), [9, 9, 9], False)
    position = ddz.Position(hands)
    for objective in ("win", "points"):
        full = solve(position, objective=objective)
        assert full.proved
        for limit in (1, 2, 3, 10, 30, 100, 300, 1000, 3000, 10_000):
            part = solve(position, objective=objective, node_limit=limit, all_moves=True)
            assert part.lower <= full.value <= part.upper
            assert part.nodes <= limit
            if part.proved:
                assert part.value == full.value
            else:
                assert part.stopped == "nodes"
                assert part.value is None
                assert part.line == part.moves == ()


def hard_position() -> ddz.Position:
    """Open after 2,500,000 positions, which take 10 s and more."""
    return ddz.Position(["3456666899TTJJQQQA22", "34557889JQKKKAA2R", "3344577789TTJKA2B"])


def test_time_limit() -> None:
    start = time.perf_counter()
    solution = solve(hard_position(), time_limit=0.2)
    assert time.perf_counter() - start < 2
    assert solution.stopped == "time"
    assert solution.landlord_wins is None


def test_cancel_from_another_thread() -> None:
    position = hard_position()
    search = Search(position)
    threading.Timer(0.2, search.cancel).start()
    assert search.prove(position) is None
    assert search.stopped == "cancelled"
    assert search.prove(position) is None


def test_the_same_search_gives_the_same_nodes() -> None:
    position = ddz.Position(deal(random.Random(5), ddz.Rules.standard(), [9, 9, 9], False))
    for table_mb in (0.02, 64):
        first = solve(position, table_mb=table_mb)
        again = solve(position, table_mb=table_mb)
        assert (first.nodes, first.line) == (again.nodes, again.line)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("pagat_distinct 33QK22/69Q2/567899TK/4JBR 1 3 2 1 0 0 0 0 1/1/0/0 0/0/0/0 0", -4),
        ("club 99TJQKAA22B/9TJJQK2 1 1 - 0 0 0 0 0 0/0 0/0 0", -2),
        ("standard 799JQQKKAA2B/33445679TJK2/33556689TJQA 0 0 - 0 0 0 0 0 0/0/0 0/0/0 0", 1),
    ],
)
def test_doublings_out_of_reach_need_no_search(text: str, value: int) -> None:
    """Who cannot double often enough does not get there: 5,000 to 28,000 positions else."""
    position = ddz.Position.from_string(text)
    assert solve(position, objective="points", node_limit=3_000).value == value


@pytest.mark.parametrize(
    ("rules", "hands", "turn"),
    [
        # A quad that may not be broken up is a bomb when nothing else is left to lead.
        ("held_quads", ["55556", "33334444"], 1),
        ("held_quads", ["3333", "44445"], 0),
        ("held_quads", ["33334", "5555", "6666"], 1),
        # A spring needs no bomb.
        ("standard", ["3334", "5", "6"], 0),
        ("standard", ["BR3", "45", "67"], 0),
        ("standard", ["3", "4444", "BR"], 1),
    ],
)
def test_doublings_that_are_forced_or_free(rules: str, hands: list[str], turn: int) -> None:
    named = {rules.name: rules for rules in rule_sets()}[rules]
    position = ddz.Position(hands, turn=turn, rules=named)
    value = plain_value(position, True)
    assert value == exhaustive(position.copy(), True, {})
    assert solve(position, objective="points").value == value


def test_finished_game() -> None:
    position = ddz.Position(["3", "4", "5"])
    position.play("3")
    solution = solve(position, all_moves=True)
    assert solution.value == 1
    assert solution.line == solution.moves == ()
    assert solve(position, objective="points").value == 2


def test_batch() -> None:
    asked = list(positions(ddz.Rules.standard(), 3, 20, 6, "batch"))
    asked += [position.copy() for position in asked]
    for threads in (1, 2):
        found = solve_batch(asked, threads=threads, table_mb=1)
        assert [solution.value for solution in found] == [solve(p).value for p in asked]
        assert all(found[i] is found[i + 20] for i in range(20))
    assert solve_batch([]) == []


def test_batch_takes_positions_as_they_come() -> None:
    def played_on() -> Iterator[ddz.Position]:
        position = ddz.Position(["34", "5"])
        yield position
        position.play("4")
        yield position

    first, second = solve_batch(played_on(), threads=1)
    assert (first.value, [str(move) for move in first.line]) == (-1, ["4", "5"])
    assert (second.value, [str(move) for move in second.line]) == (-1, ["5"])


def test_batch_starts_with_the_hands_of_most_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["ddz_core.solve"]
    begun: list[ddz.Position] = []

    def noted(position: ddz.Position, **options: Any) -> Search:
        begun.append(position)
        return Search(position, **options)

    monkeypatch.setattr(module, "Search", noted)
    texts = (["345", "66", "7"], ["34567", "8899TT", "3JJJ"], ["3579J", "46", "8"])
    asked = [ddz.Position(hands) for hands in texts]
    solve_batch(asked, threads=1)
    # Of 5, 3 and 8 turns; and of 6, 15 and 8 cards.
    assert [position.hands for position in begun] == [asked[i].hands for i in (2, 0, 1)]


def test_analyse() -> None:
    rng = random.Random(2)
    rules = ddz.Rules.standard().replace(name="short", hand_size=4, kitty_size=1)
    blunders = 0
    for seed in range(10):
        game = ddz.Game(rules, seed=seed)
        while game.phase is ddz.Phase.AUCTION:
            game.bid(game.legal_bids()[-1])
        while game.result is None:
            game.play(rng.choice(game.legal_moves()))
        for objective in ("win", "points"):
            plies = analyse(game.record(), objective=objective)
            assert len(plies) == len(game.moves)
            for ply, (seat, move) in zip(plies, game.moves, strict=True):
                assert (ply.seat, ply.move) == (seat, move)
                worse = ply.after - ply.before
                if seat != game.landlord:
                    worse = -worse
                assert worse <= 0
                assert ply.kept is (worse == 0)
                blunders += not ply.kept
            assert all(a.after == b.before for a, b in pairwise(plies))
            last = plies[-1].after
            assert (last > 0) == (game.result.winner == game.landlord)
    assert blunders


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"objective": "draw"}, ddz.DdzError),
        ({"node_limit": 0}, ddz.DdzError),
        ({"node_limit": 1.5}, TypeError),
        ({"time_limit": 0}, ddz.DdzError),
        ({"time_limit": "1"}, TypeError),
        ({"time_limit": float("nan")}, ddz.DdzError),
        ({"time_limit": 10**5000}, ddz.DdzError),
        ({"table_mb": 0}, ddz.DdzError),
        ({"table_mb": 10**400}, ddz.DdzError),
        ({"threads": 0}, ddz.DdzError),
    ],
)
def test_bad_options(options: dict[str, object], error: type[Exception]) -> None:
    position = ddz.Position(["3", "4", "5"])
    with pytest.raises(error):
        solve(position, **options)
    with pytest.raises(error):
        solve_batch([position], **options)


def test_bad_positions() -> None:
    with pytest.raises(TypeError):
        solve("3/4/5")
    with pytest.raises(TypeError):
        solve_batch(["3/4/5"])
    search = Search(ddz.Position(["34", "5", "6"]))
    for other in (
        ddz.Position(["35", "5", "6"]),
        ddz.Position(["3", "5"]),
        ddz.Position(["3", "5", "6"], landlord=1),
        ddz.Position(["3", "5", "6"], rules="casual"),
    ):
        with pytest.raises(ValueError, match="does not follow"):
            search.prove(other)
        with pytest.raises(ValueError, match="does not follow"):
            search.known(other)
