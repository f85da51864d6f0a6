"""Submodules are there as attributes, cost nothing before, and may lack what they need."""

import subprocess
import sys

import pytest

import ddz_core as ddz


def run(code):
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("bots.Easy", None),
        ("envs.VectorEnv", "gymnasium"),
        ("envs.pettingzoo.raw_env", "pettingzoo"),
        ("features.douzero_features", None),
        ("importers.from_rlcard", None),
        ("interop.botzone.read", None),
        ("interop.douzero.Env", None),
        ("interop.openspiel.Actions", "pyspiel"),
        ("interop.rlcard.make", None),
    ],
)
def test_one_import_is_enough(name, needs):
    if needs is not None:
        pytest.importorskip(needs)
    run(f"import ddz_core as ddz; ddz.{name}")


def test_they_are_not_imported_before():
    run(
        "import sys, ddz_core\n"
        "late = ('bots', 'envs', 'features', 'importers', 'interop')\n"
        "found = [name for name in late if f'ddz_core.{name}' in sys.modules]\n"
        "assert not found, found"
    )


def test_other_names_are_still_errors():
    for module in (ddz, ddz.envs, ddz.interop):
        with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute"):
            module.nothing  # noqa: B018


def test_help_needs_no_extra():
    run(
        "import sys; sys.modules['gymnasium'] = sys.modules['pyspiel'] = None\n"
        "import pydoc, ddz_core as ddz\n"
        "for module in (ddz, ddz.envs, ddz.interop):\n"
        "    assert pydoc.render_doc(module)\n"
        "try:\n"
        "    ddz.envs.VectorEnv\n"
        "except ImportError as error:\n"
        "    assert 'ddz_core[envs]' in str(error)\n"
        "else:\n"
        "    raise AssertionError\n"
    )
