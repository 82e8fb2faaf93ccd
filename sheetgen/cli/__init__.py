"""The command line: words in, products made, one line a problem, and the exit code.

Nothing heavy is imported here, so that Ctrl-C has a listener almost from the start.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

STOPPED = "stopped; what was finished is whole, nothing is half-written"


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of one verb: 0 done, 1 some failed, 2 bad input, 3 a limit, 4 no output, 130 interrupted."""
    try:
        from sheetgen.cli.app import start

        return start(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt as stopped:
        with suppress(OSError):
            print(stopped.args[0] if stopped.args else STOPPED, file=sys.stderr)
        return 130
