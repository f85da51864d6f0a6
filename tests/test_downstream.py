"""Another package can cimport the core: a real module, compiled against the installed package."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ddz_core as ddz

DOWNSTREAM = Path(__file__).parent / "downstream"

CHECK = """
import counter, numpy as np, ddz_core as ddz
from ddz_core._playout import play_chunk
hand = ddz.Hand("33344455566778TJQK2B")
for name in ddz.Rules.preset_names():
    try:
        moves = ddz.legal_moves(hand, rules=name)
    except ddz.InvalidCardsError:
        continue
    rules = ddz.Rules.preset(name)
    assert counter.count(hand, rules) == len(moves), name
    assert counter.cards_in_all_leads(hand, rules) == sum(m.n_cards for m in moves), name
# The games are those that the library itself plays with these random numbers.
(hands,) = ddz.random_hands("standard", 1, seed=1)
position = ddz.Position([ddz.Hand.from_counts(hand) for hand in hands])
position.play(position.legal_moves()[0])
state = np.random.SeedSequence(7).generate_state(4, np.uint64)
won = counter.landlord_wins(position, 2000, state)
sums = play_chunk(position.rules, position, state.copy(), 2000, (0, 0, 0))
assert won == sums[1] and 0 < won < 2000, (won, sums)
print(counter.count(hand, ddz.Rules.standard()))
"""


@pytest.mark.skipif(shutil.which("cc") is None and sys.platform != "win32", reason="no C compiler")
def test_a_module_that_cimports_the_core(tmp_path):
    for name in ("setup.py", "counter.pyx"):
        shutil.copy(DOWNSTREAM / name, tmp_path)

    def run(*arguments):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    built = run("setup.py", "-q", "build_ext", "--inplace")
    assert built.returncode == 0, built.stdout + built.stderr
    checked = run("-c", CHECK)
    assert checked.returncode == 0, checked.stderr
    assert int(checked.stdout) == ddz.count_legal_moves("33344455566778TJQK2B")
