"""Build the compiled core: one extension `ddz_core._x` for each `src/_x.pyx`."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CONTRACTS = sorted(Path("ddz_core").glob("*.pxd"))
HEADERS = sorted(Path("src").glob("*.h"))
SOURCES = sorted(Path("src").glob("_*.pyx"))

# -g0: Python's own flags ask for debug symbols, which are two thirds of a wheel.
COMPILE_ARGS = [] if sys.platform == "win32" else ["-O3", "-Wall", "-g0"]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    # Bound methods of Cython's own kind do not check what self is: Position.undo(5) would crash.
    "binding": False,
    "embedsignature": True,
    "embedsignature.format": "clinic",
    "freethreading_compatible": True,
}

# Cython tracks src/_x.pxd, not ddz_core/_x.pxd, nor the directives above: without this, a changed
# contract builds stale code.
newest = max(path.stat().st_mtime for path in [*CONTRACTS, Path(__file__)])
stale = any(
    not (generated := source.with_suffix(".c")).exists() or generated.stat().st_mtime < newest
    for source in SOURCES
)

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"ddz_core.{source.stem}",
                [str(source)],
                extra_compile_args=COMPILE_ARGS,
                include_dirs=["src"],
                depends=[str(path) for path in [*CONTRACTS, *HEADERS]],
            )
            for source in SOURCES
        ],
        compiler_directives=DIRECTIVES,
        include_path=["."],
        force=stale,
    ),
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
