"""Every preset carries the options that rules.md's tables give it."""

import dataclasses

import oracle
import pytest
from deals import PRESETS, RULES
from helpers import core_rules

import ddz_core as ddz


@pytest.mark.parametrize("name", PRESETS)
def test_combination_options(name):
    ours, rules = RULES[name], core_rules(name)
    assert rules.players == ours.players
    assert rules.packs == ours.packs
    assert rules.lowest_rank == ours.lowest_rank
    switches = {kind.lower(): kind in ours.attached for kind in oracle.ATTACHED}
    assert {field: getattr(rules, field) for field in switches} == switches
    assert rules.shuttles == ours.shuttles
    assert not rules.held_quads_stay_together
    if "AIRPLANE_SINGLES" in ours.attached:
        assert rules.airplane_kicker_cap == ours.airplane_cap
        assert rules.both_jokers_as_kickers == ours.both_jokers
        assert rules.chain_extending_kickers == ours.extending
    if "QUAD_SINGLES" in ours.attached:
        assert rules.quad_kicker_cap == ours.quad_cap


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "pagat_distinct"])
def test_presets_by_name_and_by_method(name):
    assert ddz.Rules.preset(name) == getattr(ddz.Rules, name)()
    assert ddz.Rules.preset(name).name == name


def test_rules_are_frozen_and_replaceable():
    standard = ddz.Rules.standard()
    with pytest.raises(dataclasses.FrozenInstanceError):
        standard.shuttles = True
    assert standard.replace(airplane_kicker_cap=3) != standard
    assert standard.replace(airplane_kicker_cap=3).airplane_kicker_cap == 3
    assert hash(standard) == hash(ddz.Rules.standard())


@pytest.mark.parametrize("cap", [0, 5, -1, "2"])
def test_caps_outside_1_to_4_are_refused(cap):
    with pytest.raises((ddz.DdzError, TypeError), match=str(cap)):
        ddz.Rules.standard().replace(airplane_kicker_cap=cap)


def test_unknown_preset_is_refused_by_name():
    with pytest.raises(ddz.DdzError, match="klingon"):
        ddz.Rules.preset("klingon")
