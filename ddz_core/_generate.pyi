# The rest is only for `cimport`: see _generate.pxd.
from typing import Final

MAX_MOVES_ONE_PACK: Final = 806
MAX_MOVES_TWO_PACKS: Final = 1929
