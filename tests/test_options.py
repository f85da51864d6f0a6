"""Options: choices, flags and real numbers, in every function that takes one."""

import math
from fractions import Fraction

import numpy as np
import pytest

import ddz_core as ddz
from ddz_core.envs import VectorEnv
from ddz_core.interop.botzone import Judge
from ddz_core.interop.douzero import Env

GAME = ddz.Game("douzero", seed=1)
SMALL = ddz.Position(["34", "5"])
SEEN = GAME.observe(0)
CHOICES = {
    "objective": [
        lambda value: ddz.solve(SMALL, objective=value),
        lambda value: ddz.solve_batch([SMALL], objective=value),
        lambda value: ddz.analyse(GAME.record(), objective=value),
        Env,
    ],
    "by": [lambda value: ddz.evaluate_moves(SEEN, 1, by=value)],
    "style": [lambda value: ddz.deal(style=value)],
    "format": [lambda value: GAME.record().save(format=value)],
    "actions": [lambda value: VectorEnv(1, actions=value)],
    "observation": [lambda value: VectorEnv(1, observation=value)],
    "autoreset": [lambda value: VectorEnv(1, autoreset=value)],
    "reward": [lambda value: VectorEnv(1, reward=value)],
}
FLAGS = {
    "all_moves": [
        lambda value: ddz.solve(SMALL, all_moves=value),
        lambda value: ddz.solve_batch([SMALL], all_moves=value),
    ],
    "validate": [lambda value: ddz.Record.load(GAME.record().save(), validate=value)],
    "distinct_kickers": [lambda value: ddz.Rules.pagat(distinct_kickers=value)],
    "bids": [lambda value: Judge(ddz.deal("botzone", seed=1), value)],
    "auction": [lambda value: VectorEnv(1, auction=value)],
    "copy": [lambda value: VectorEnv(1, copy=value)],
}
NUMBERS = {
    "time_limit": [
        lambda value: ddz.solve(SMALL, time_limit=value),
        lambda value: ddz.solve_batch([SMALL], time_limit=value),
        lambda value: ddz.evaluate_moves(SEEN, 1, policy="random", time_limit=value),
    ],
    "table_mb": [lambda value: ddz.solve(SMALL, table_mb=value)],
    "stop_at": [lambda value: ddz.evaluate_moves(SEEN, 1, policy="random", stop_at=value)],
    "confidence": [lambda value: ddz.Estimate(0.5, 0.1).interval(value)],
}


def each_of(takers):
    return pytest.mark.parametrize(
        ("name", "take"), [(name, take) for name, all_ in takers.items() for take in all_]
    )


@pytest.mark.parametrize("wrong", [0, True, 2.5, [], b"win", np.array(["win"])], ids=repr)
@each_of(CHOICES)
def test_a_choice_is_a_text(name, take, wrong):
    with pytest.raises(TypeError, match=f"^{name} must be one of .*, not {type(wrong).__name__}:"):
        take(wrong)


@each_of(CHOICES)
def test_another_choice_is_named_with_those_there_are(name, take):
    with pytest.raises(ddz.DdzError, match=f"^{name} is 'other'; it must be one of "):
        take("other")


@pytest.mark.parametrize("wrong", ["no", 0, 1, 2.5, [], np.int64(1)], ids=repr)
@each_of(FLAGS)
def test_a_flag_is_true_or_false(name, take, wrong):
    with pytest.raises(TypeError, match=f"^{name} must be True or False, not "):
        take(wrong)


@pytest.mark.parametrize("right", [True, False, np.True_, np.False_], ids=repr)
@each_of(FLAGS)
def test_numpys_flags_are_flags(name, take, right):
    take(right)


@pytest.mark.parametrize("wrong", ["1", True, np.True_, [1], 1j, np.array([0.5])], ids=repr)
@each_of(NUMBERS)
def test_a_number_is_a_real_number(name, take, wrong):
    with pytest.raises(TypeError, match=f"^{name} must be a number, not "):
        take(wrong)


@pytest.mark.parametrize("right", [0.5, np.float32(0.5), np.float64(0.5), Fraction(1, 2)], ids=repr)
@each_of(NUMBERS)
def test_any_real_number_is_a_number(name, take, right):
    take(right)


@pytest.mark.parametrize(
    "wrong",
    [0, -1, math.nan, math.inf, -math.inf, 10**400, -(10**400)],
    ids=lambda n: f"{n:.3}" if isinstance(n, float) else str(n)[:6],
)
@each_of(NUMBERS)
def test_a_number_out_of_range_is_named(name, take, wrong):
    with pytest.raises(ddz.DdzError, match=f"^{name} is .*; it must be "):
        take(wrong)


def test_the_limits_of_a_search_are_named():
    with pytest.raises(
        ddz.DdzError, match=r"time_limit is inf; .* above 0 and at most 1000000000$"
    ):
        ddz.solve(SMALL, time_limit=math.inf)
    with pytest.raises(ddz.DdzError, match=rf"^node_limit is {1 << 62}; .* 1 … {(1 << 62) - 1}$"):
        ddz.solve(SMALL, node_limit=1 << 62)
    with pytest.raises(ddz.DdzError, match=r"^table_mb is 2000000\.0; .* 0 and at most 1048576$"):
        ddz.solve(SMALL, table_mb=2e6)
