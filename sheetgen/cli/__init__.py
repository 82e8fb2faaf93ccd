"""The command line: words in, recipes called, one line a problem, and the exit code.

Nothing heavy is imported here, so that Ctrl-C has a listener almost from the start.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

VERBS = {
    "systems": "what is there, and what each can make",
    "npc": "roll people and print them",
    "sheet": "filled sheets for characters you wrote, edited or rolled earlier",
    "blank": "an empty sheet for pencil, or for a PDF reader",
    "build": "everything into output/, only what changed",
    "play": "any rule, with your dice or its own",
    "odds": "how likely each result of a rule is, exactly",
    "duel": "two characters fight again and again: who wins, at what cost",
    "check": "validate packs and characters",
    "doctor": "fonts, libraries, versions and cache, with the command that mends each",
}

STOPPED = "stopped; what was finished is whole, nothing is half-written"


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of one verb: 0 done, 1 some failed, 2 bad input, 3 a limit, 4 no output, 130 interrupted."""
    try:
        from sheetgen.cli.front import start

        return start(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        with suppress(OSError):
            print(STOPPED, file=sys.stderr)
        return 130
