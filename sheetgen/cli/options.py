"""The parser of all verbs, readers of numbers, and the options that several verbs share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NoReturn, TypeVar

from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.geometry import SHEET_PAPERS
from sheetgen.model.print_job import Tone
from sheetgen.products.options import LARGEST_SEED, name_and_value, paper_name, whole_number
from sheetgen.products.options import millimetres as lengths

Value = TypeVar("Value")
OUTPUT = ("-o", "--output")


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
    return Parser(
        prog=f"sheetgen {verb}",
        description=say,
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


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


def millimetres(low: float, high: float) -> Callable[[str], float]:
    """Return a reader of lengths in mm in a range, for argparse."""
    return argument(lengths(low, high))


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
    to.add_argument("--to", metavar="FORMAT", default="", help="the format for -o - (pdf, html, yaml, json, csv)")
    add_verbosity(to)


def add_verbosity(to: argparse.ArgumentParser) -> None:
    """Add the options for how much is printed."""
    to.add_argument("--quiet", action="store_true", help="say nothing but problems")
    to.add_argument("--json", action="store_true", help="tell what was done as one line of JSON")


def add_paper(to: argparse.ArgumentParser) -> None:
    """Add the option for the paper."""
    paper = argument(paper_name(SHEET_PAPERS, "sheets are made for"))
    to.add_argument("--paper", type=paper, default="a4", metavar="SIZE", help="a4 (default) or letter")


def add_tone(to: argparse.ArgumentParser) -> None:
    """Add the options for the tone of pages."""
    to.add_argument("--ink-saver", action="store_true", help="leave out fills and patterns")
    to.add_argument("--greyscale", action="store_true", help="greys in place of every colour")


def tone_of(args: argparse.Namespace) -> Tone:
    """Return the tone of pages that the arguments ask for."""
    return Tone(ink_saver=args.ink_saver, greyscale=args.greyscale)


def add_margin(to: argparse.ArgumentParser) -> None:
    """Add the option for the margin that the printer leaves white, for pages with fixed margins."""
    say = "what your printer cannot print on; refused if it is more than the page leaves free"
    to.add_argument("--margin", type=millimetres(0, 50), metavar="MM", help=say)


def add_rolling(to: argparse.ArgumentParser, most: int) -> None:
    """Add the options of a run of rolled characters."""
    to.add_argument("-n", "--count", type=whole(1, most), default=1, metavar="N", help="how many (default 1)")
    to.add_argument("--seed", type=whole(0, LARGEST_SEED), metavar="N", help="the same seed rolls the same people")
    to.add_argument("--index", type=whole(1, 10**9), default=1, metavar="I", help="start at number I of the run")
    add_casting(to)
    to.add_argument("--method", default="", metavar="NAME", help="how they are made: random, arrange, points, …")


def add_casting(to: argparse.ArgumentParser) -> None:
    """Add the options for whom to roll."""
    to.add_argument("--archetype", default="", metavar="NAME", help="cast them as guard, scholar, thief, …")
    to.add_argument(
        "--option",
        type=argument(name_and_value),
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as tech=9 or features=none",
    )
