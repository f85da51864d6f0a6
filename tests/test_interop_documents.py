"""What docs/interop.md and the docstrings of bridges and environments show is true."""

import doctest
import importlib
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parent.parent / "docs" / "interop.md"
NEEDS = {
    "ddz_core.interop.openspiel": "pyspiel",
    "ddz_core.envs.pettingzoo": "pettingzoo",
}
MODULES = [
    *NEEDS,
    *(f"ddz_core.interop.{name}" for name in ("rlcard", "douzero", "botzone")),
    "ddz_core.display",
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0
    assert all(getattr(module, public).__doc__ for public in module.__all__ if public.islower())


def test_the_document():
    pytest.importorskip("pettingzoo")
    text = DOCUMENT.read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(text, {}, "interop.md", str(DOCUMENT), 0)
    assert len(examples.examples) > 15
    assert doctest.DocTestRunner().run(examples).failed == 0
