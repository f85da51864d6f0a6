"""Another package can cimport the core: a real module, compiled against the installed package."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ddz_core as ddz

DOWNSTREAM = Path(__file__).parent / "downstream"

CHECK = """
import counter, ddz_core as ddz
hand = ddz.Hand("33344455566778TJQK2B")
for name in ddz.Rules.preset_names():
    try:
        moves = ddz.legal_moves(hand, rules=name)
    except ddz.InvalidCardsError:
        continue
    rules = ddz.Rules.preset(name)
    assert counter.count(hand, rules) == len(moves), name
    assert counter.cards_in_all_leads(hand, rules) == sum(m.n_cards for m in moves), name
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
