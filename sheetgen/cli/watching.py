"""`--watch`: work done again whenever a file that it comes from changes, one time after the other, until Ctrl-C."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from pathlib import Path

from sheetgen.errors import EXIT_OK, SheetgenError, printable
from sheetgen.workspace.watching import after_change, states

WAITING = "watching: change a file, or end with Ctrl-C"
MENDED = "mended"


def add_watch(parse: ArgumentParser, what: str = "make it again") -> None:
    """Add the option."""
    say = f"{what} whenever a file of it changes, until Ctrl-C"
    parse.add_argument("--watch", action="store_true", help=say)


def again_and_again(work: Callable[[], int], files: Callable[[], Iterable[Path]]) -> int:
    """Do the work, and again at every change of the files, which are asked for each time; ends with Ctrl-C only.

    Problems are told, and that they are mended when they are.
    """
    failed = False
    while True:
        before = tuple(files())
        now = states(before)
        try:
            worked = work() == EXIT_OK
        except SheetgenError as error:
            worked = False
            print(printable_lines(error), file=sys.stderr)
        if failed and worked:
            print(MENDED, file=sys.stderr)
        failed = not worked
        after = tuple(files())
        if after != before:  # only the work itself found out what it comes from
            now = states(after)
        print(WAITING, file=sys.stderr, flush=True)
        after_change(after, now)


def printable_lines(error: SheetgenError) -> str:
    """Return the lines of an error as they may be printed."""
    return "\n".join(printable(line) for line in str(error).splitlines())
