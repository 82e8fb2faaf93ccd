"""`python -m sheetgen`: the same as the `sheetgen` command."""

from __future__ import annotations

import sys

from sheetgen.cli import main

if __name__ == "__main__":
    sys.exit(main())
