"""Shared set-up of the tests."""

import contextlib
import importlib
import io
import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# pytest runs with --import-mode=importlib, which puts no folder on the path: the tests must never
# pick up the source folder instead of the installed package, but they do share these helpers.
sys.path.insert(0, str(Path(__file__).parent))

# The same examples in every run, here and in CI; DDZ_HYPOTHESIS=random searches for new ones.
settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.register_profile("random", deadline=None, max_examples=400)
settings.load_profile(os.environ.get("DDZ_HYPOTHESIS", "fixed"))


def pytest_configure(config):
    """Let one process, before any worker starts, be the first to import RLCard.

    Its first import in a new environment unpacks its tables; workers that import it side by side
    would each unpack them, and all but one fail.
    """
    if not hasattr(config, "workerinput"):
        with contextlib.suppress(ImportError):
            importlib.import_module("rlcard.games.doudizhu.utils")


# ---- the command line ----------------------------------------------------------------------------


@pytest.fixture
def answer(capsys):
    """Run a command in this process: what it prints, once it has succeeded."""

    def run(*arguments):
        assert run_cli(list(arguments)) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out

    return run


@pytest.fixture
def as_json(answer):
    """The same with --json, parsed: one line that holds one object."""

    def run(*arguments):
        text = answer(*arguments, "--json")
        assert text.count("\n") == 1
        assert "NaN" not in text
        found = json.loads(text)
        assert isinstance(found, dict)
        return found

    return run


@pytest.fixture
def refused(capsys):
    """Run a command that fails: its one line."""

    def run(*arguments):
        assert run_cli(list(arguments)) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("ddz: ")
        assert printed.err.count("\n") == 1
        assert printed.err.endswith("\n")
        assert 10 < len(printed.err) < 500
        return printed.err

    return run


@pytest.fixture
def stdin(monkeypatch):
    """Put bytes on standard input."""

    def put(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def run_cli(arguments):
    """What ``ddz`` does, in this process."""
    from ddz_core import cli  # noqa: PLC0415 (not before the tests of its import)

    return cli.main(arguments)
