"""Shared set-up of the tests."""

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
