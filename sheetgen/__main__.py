"""`python -m sheetgen`: the same as the `sheetgen` command."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    try:
        from sheetgen.cli import main
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
        sys.exit(130)
    sys.exit(main())
