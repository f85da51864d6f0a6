"""The examples in README and docstrings are run; the package's names are complete."""

import ast
import builtins
import doctest
import importlib
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

import ddz_core as ddz

ROOT = Path(__file__).parent.parent
CYTHON = ROOT / "docs" / "cython.md"
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("[a-z]*/*.md"))]
PACKAGE = Path(ddz.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if path != PACKAGE / "__init__.py"
)


def blocks(path):
    """The Python in a document's code blocks, prompts and all."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S)
    return [text for language, text in found if language == "python" or ">>> " in text]


def unknown_names(source):
    """Names that a program reads and does not make."""
    nodes = list(ast.walk(ast.parse(source)))
    made = set(vars(builtins))
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            made.add(node.id)
        elif isinstance(node, ast.alias):
            made.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
    return {node.id for node in nodes if isinstance(node, ast.Name)} - made


@pytest.mark.parametrize("number", range(len(blocks(ROOT / "README.md"))))
def test_each_example_of_the_readme_runs_by_itself(number):
    text = blocks(ROOT / "README.md")[number]
    examples = doctest.DocTestParser().get_doctest(text, {}, f"block {number}", "README.md", 0)
    assert len(examples.examples) > 5
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_no_example_lacks_an_import():
    parser = doctest.DocTestParser()
    found = [(path, text) for path in DOCUMENTS for text in blocks(path)]
    assert len(found) > 15
    for path, text in found:
        examples = parser.get_examples(text)
        source = "".join(example.source for example in examples) if examples else text
        assert not unknown_names(source), f"{path.name}: {source}"


def test_links_lead_somewhere():
    links = [
        path.parent / link
        for path in DOCUMENTS
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    ]
    assert len(links) > 10
    assert [link for link in links if not link.exists()] == []


def test_the_policy_in_the_documents_keeps_its_word():
    names = {}
    exec(blocks(ROOT / "docs" / "policies.md")[0], names)
    result = ddz.simulate("standard", 500, names["Cautious"](), seed=1)
    assert result.histogram("bids")[ddz.Bid.ONE] == 500
    assert not result.histogram("bids")[ddz.Bid.TWO :].any()


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


def test_python_in_the_clone_is_told_that_nothing_is_compiled_there(tmp_path):
    folder = tmp_path / "ddz_core"
    folder.mkdir()
    shutil.copy(PACKAGE / "__init__.py", folder)
    ended = subprocess.run(
        [sys.executable, "-c", "import ddz_core"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: ddz_core is not compiled in {folder}: ")
