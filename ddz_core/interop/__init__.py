"""Bridges to the programs that others train and play with; none of them is needed to import one.

`rlcard`, `openspiel`, `douzero` and `botzone` are modules of this package, each imported when it is
first asked for; docs/interop.md says what each has and how it differs from the program that it
stands for.
"""

import typing

from ddz_core.lazy import submodules as _submodules

if typing.TYPE_CHECKING:
    from ddz_core.interop import botzone as botzone
    from ddz_core.interop import douzero as douzero
    from ddz_core.interop import openspiel as openspiel
    from ddz_core.interop import rlcard as rlcard
else:
    __getattr__ = _submodules(__name__, ("botzone", "douzero", "openspiel", "rlcard"))
