"""``python -m ddz_core.cli``."""

import sys

from ddz_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
