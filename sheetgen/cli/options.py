"""The parser of all verbs, readers of numbers, and the options that several verbs share."""

from __future__ import annotations

import argparse
import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NoReturn, TypeVar

from sheetgen.dice.source import LARGEST_SEED
from sheetgen.errors import EXIT_OK, SheetgenError, UsageError, printable, quoted, suggestion
from sheetgen.geometry import SHEET_PAPERS
from sheetgen.products.options import name_and_value, paper_name, whole_number
from sheetgen.workspace import PACKS_OPTION
from sheetgen.workspace.watching import after_change, states

MOST_FIGHTS = 100_000
Value = TypeVar("Value")
OUTPUT = ("-o", "--output")
WAITING = "watching: change a file, or end with Ctrl-C"
MENDED = "mended"


class Parser(argparse.ArgumentParser):
    """An argparse parser that raises UsageError, in one line, with the nearest valid word."""

    def error(self, message: str) -> NoReturn:
        """Raise the complaint instead of printing the usage."""
        raise UsageError(f"{self.prog}: {message.removeprefix('argument ')}; {self.prog} --help explains")

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Return the words as options; UsageError with the nearest option for an unknown one."""
        options = [option for action in self._actions for option in action.option_strings]
        for word, name in pairwise(words):
            if word in OUTPUT and name.startswith("-") and name != "-" and name.partition("=")[0] not in options:
                raise UsageError(f"{self.prog}: a name that begins with a hyphen is given as --output={name}")
        known, unknown = self.parse_known_args(list(words))
        if unknown:
            word = unknown[0].partition("=")[0]
            near = suggestion(word, options) if word.startswith("-") else ""
            raise UsageError(f"{self.prog}: unexpected {quoted(word)}{near}; {self.prog} --help explains")
        return known


def parser(verb: str, say: str, example: str) -> Parser:
    """Return a parser for one verb, with an example at the end of its help."""
    parse = Parser(
        prog=f"sheetgen {verb}",
        description=say,
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    say = "look for packs in this folder first; before or after the verb; may be given more than once"
    parse.add_argument(PACKS_OPTION, metavar="FOLDER", help=say)  # read by the start of the program
    return parse


def argument(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """Return a reader for argparse, which shows the text of its own kind of error only."""

    def checked(text: str) -> Value:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return checked


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers in a range, for argparse."""
    return argument(whole_number(low, high))


def unique_values(pairs: Iterable[tuple[str, str]], option: str) -> dict[str, str]:
    """Return the NAME=VALUE options by name; UsageError for a name given twice."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise UsageError(f"{option} {name} is given twice: {quoted(found[name])} and {quoted(value)}")
        found[name] = value
    return found


def add_output(to: argparse.ArgumentParser, *, formats: str) -> None:
    """Add the options for where results go and how much is printed."""
    to.add_argument(
        *OUTPUT,
        metavar="FILE",
        action="append",
        default=[],
        help=f"{formats}; - is standard output; may be given more than once",
    )
    names = ", ".join(dict.fromkeys(re.findall(r"\.(\w+)", formats)))
    to.add_argument("--to", metavar="FORMAT", default="", help=f"the format for -o - ({names})")
    add_verbosity(to)


def add_fights(to: argparse.ArgumentParser, *, usual: int) -> None:
    """Add how often two sides fight, with which dice and parameters, and the chart of it."""
    to.add_argument("-n", "--count", type=whole(1, MOST_FIGHTS), default=usual, metavar="N", help="how many times")
    to.add_argument(
        "--seed", type=whole(0, LARGEST_SEED), default=1, metavar="N", help="the same seed, the same fights"
    )
    read, say = argument(name_and_value), "a parameter of the fight"
    to.add_argument("--given", type=read, action="append", default=[], metavar="NAME=VALUE", help=say)
    to.add_argument("-o", "--output", metavar="CHART.svg", default="", help="a chart for print")


def add_verbosity(to: argparse.ArgumentParser) -> None:
    """Add the options for how much is printed."""
    to.add_argument("--quiet", action="store_true", help="say nothing but problems")
    to.add_argument("--json", action="store_true", help="tell what was done as one line of JSON")


def add_paper(to: argparse.ArgumentParser) -> None:
    """Add the option for the paper."""
    paper = argument(paper_name(SHEET_PAPERS, "sheets are made for"))
    to.add_argument("--paper", type=paper, default="a4", metavar="SIZE", help="a4 (default) or letter")


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
