"""Build the compiled core: one extension `ddz_core._x` for each `src/_x.pyx`."""

import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CONTRACTS = sorted(Path("ddz_core").glob("*.pxd"))
SOURCES = sorted(Path("src").glob("_*.pyx"))

COMPILE_ARGS = [] if sys.platform == "win32" else ["-O3", "-Wall"]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": False,
    "freethreading_compatible": True,
}

# Cython tracks src/_x.pxd, not ddz_core/_x.pxd: without this, a changed contract builds stale code.
newest_contract = max(path.stat().st_mtime for path in CONTRACTS)
stale = any(
    not (generated := source.with_suffix(".c")).exists()
    or generated.stat().st_mtime < newest_contract
    for source in SOURCES
)

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"ddz_core.{source.stem}",
                [str(source)],
                extra_compile_args=COMPILE_ARGS,
                depends=[str(path) for path in CONTRACTS],
            )
            for source in SOURCES
        ],
        compiler_directives=DIRECTIVES,
        include_path=["."],
        force=stale,
    )
)
