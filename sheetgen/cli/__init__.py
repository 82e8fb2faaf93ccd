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
    "make": "make a character by choice, step by step",
    "sheet": "filled sheets for characters you wrote, edited or rolled earlier",
    "blank": "an empty sheet for pencil, or for a PDF reader",
    "book": "the rulebook: contents, page references, executed examples, exact odds, index",
    "cards": "reference cards and other decks: on sheets to cut out, or one by one",
    "screen": "the panels of a GM screen, and of its players’ side",
    "reference": "what players look up: a page, or a little book for the pocket",
    "proof": "a page to measure a printer by, and a profile of what you read",
    "preflight": "what a print shop would send back: boxes, bleed, fonts, pictures, text near the cut",
    "handouts": "letters, notices, telegrams: a system's own, or of your own words",
    "fill": "anybody’s fillable PDF, filled in for your characters",
    "booklet": "impose any PDF: saddle stitch, several pages a side, eight-page fold",
    "new": "start your own pack: a small game that works at once, or a variant of one",
    "build": "everything into output/, only what changed",
    "merge": "the shards of one run put together into one file",
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
    except KeyboardInterrupt as stopped:
        with suppress(OSError):
            print(stopped.args[0] if stopped.args else STOPPED, file=sys.stderr)
        return 130
