"""The examples in README and docstrings are run; the package's names are complete."""

import doctest
import importlib
import re
import types
from pathlib import Path

import pytest

import ddz_core as ddz

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
CYTHON = ROOT / "docs" / "cython.md"
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


def test_every_pxd_is_a_contract_or_is_not():
    text = CYTHON.read_text(encoding="utf-8")
    contracts, _, others = text.partition("## Not contracts")
    rows = re.findall(r"^\| `(_\w+\.pxd)` \| (.*) \|$", text, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(path.name for path in PACKAGE.glob("*.pxd"))
    assert len(re.findall(r"^\| `_", others, re.MULTILINE)) >= 6
    for name, declared in re.findall(r"^\| `(_\w+\.pxd)` \| (.*) \|$", contracts, re.MULTILINE):
        words = set(re.findall(r"\w+", (PACKAGE / name).read_text(encoding="utf-8")))
        for quoted in re.findall(r"`([^`]+)`", declared):
            assert words.issuperset(re.findall(r"\w+", quoted)), (name, quoted)


def test_the_module_that_is_shown_is_the_one_that_is_built():
    code = re.search(r"```cython\n(.*?)```", CYTHON.read_text(encoding="utf-8"), re.DOTALL)[1]
    built = (ROOT / "tests" / "downstream" / "counter.pyx").read_text(encoding="utf-8")
    imports, _, function = code.partition("\n\n")
    assert function in built
    for line in imports.splitlines():
        start, names = line.split(" cimport ")
        (real,) = re.findall(rf"^{start} cimport (.*)$", built, re.MULTILINE)
        assert set(names.split(", ")) <= set(real.split(", "))
