"""A question with numbered answers, on a terminal or answered by lines that are piped in."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from sheetgen.errors import printable


def asked(question: str, choices: Sequence[str]) -> int | None:
    """Return the number of the choice, from 0, that is answered by its number from 1; None for Enter or no answer."""
    print(printable(question), file=sys.stderr)
    for number, choice in enumerate(choices, 1):
        print(f"  {number}  {printable(choice)}", file=sys.stderr)
    while True:
        print("Which? [1] ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        if not sys.stdin.isatty():
            print(printable(answer.strip()), file=sys.stderr)
        if not answer.strip():
            return None
        if answer.strip().isdecimal() and 1 <= int(answer.strip()[:4]) <= len(choices):
            return int(answer) - 1
        print(f"  ! a number from 1 to {len(choices)}, or Enter", file=sys.stderr)
