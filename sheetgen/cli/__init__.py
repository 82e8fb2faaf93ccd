"""The command line: words in, recipes called, one line a problem, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from sheetgen.errors import EXIT_INTERRUPTED, EXIT_OK, SheetgenError, UsageError, printable, quoted, suggestion

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

HELP = """sheetgen: small tabletop roleplaying systems as things people hold at the table

usage: sheetgen VERB …     (sheetgen VERB --help explains one)

{verbs}

  sheetgen npc gamers -n 12                  a dozen people, rolled and printed
  sheetgen blank gamers --fillable           an empty sheet for a PDF reader
"""


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of one verb: 0 done, 1 some failed, 2 bad input, 3 a limit, 4 no output, 130 interrupted."""
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        return _dispatch(words)
    except SheetgenError as error:
        print("\n".join(printable(line) for line in str(error).splitlines()), file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("stopped; what was finished is whole, nothing is half-written", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the flush at exit stays quiet
        return EXIT_OK


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        width = max(map(len, VERBS))
        print(HELP.format(verbs="\n".join(f"  {verb:<{width}}  {say}" for verb, say in VERBS.items())), end="")
        return EXIT_OK
    if words[0] in ("-V", "--version"):
        from sheetgen import __version__

        print(f"sheetgen {__version__}")
        return EXIT_OK
    verb = words[0]
    if verb not in VERBS:
        raise UsageError(f"unknown verb {quoted(verb)}{suggestion(verb, VERBS) or '; sheetgen --help lists them'}")
    run = import_module(f"sheetgen.cli.{verb}").run
    code: int = run(words[1:], Path.cwd(), os.environ)
    sys.stdout.flush()
    return code
