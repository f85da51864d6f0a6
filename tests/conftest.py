"""Shared set-up of the tests."""

import contextlib
import importlib
import os
import sys
from pathlib import Path

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
