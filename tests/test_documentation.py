"""The examples in README and docstrings are run; the package's names are complete."""

import doctest
import importlib
import types
from pathlib import Path

import pytest

import ddz_core as ddz

README = Path(__file__).parent.parent / "README.md"
PACKAGE = Path(ddz.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if path != PACKAGE / "__init__.py"
)


def test_the_readme():
    text = "\n".join(
        line
        for line in README.read_text(encoding="utf-8").splitlines()
        if not line.startswith("```")
    )
    examples = doctest.DocTestParser().get_doctest(text, {}, "README.md", str(README), 0)
    assert len(examples.examples) > 15
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(f"ddz_core.{name}")).failed == 0


def test_every_public_name_is_exported():
    public = {
        name
        for name, value in vars(ddz).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert public == set(ddz.__all__)
    assert all(getattr(ddz, name).__doc__ for name in ddz.__all__)
