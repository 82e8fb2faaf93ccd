"""The words that all verbs share: their parser, checked numbers, and the options that mean the same everywhere."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NoReturn

from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.geometry import SHEET_PAPERS

LARGEST_SEED = 2**63 - 1
OUTPUT = ("-o", "--output")


class Parser(argparse.ArgumentParser):
    """argparse whose complaints are one line, name the nearest right word, and go the way of all usage errors."""

    def error(self, message: str) -> NoReturn:
        """Raises the complaint instead of printing the usage."""
        raise UsageError(f"{self.prog}: {message.removeprefix('argument ')}; {self.prog} --help explains")

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """The words as options; UsageError with the nearest option for an unknown one."""
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
    """A parser for one verb, with an example at the end of its help."""
    return Parser(
        prog=f"sheetgen {verb}",
        description=say,
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def whole(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers in a range, for argparse."""

    def read(text: str) -> int:
        plain = text.isascii() and text.isdigit() and len(text) < 20
        if not plain or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"takes a whole number from {low} to {high:,}, not {quoted(text)}")
        return int(text)

    return read


def paper(text: str) -> str:
    """The name of a paper that a sheet can be printed on, for argparse."""
    if text.lower() not in SHEET_PAPERS:
        near = suggestion(text, SHEET_PAPERS) or f"; sheets are made for {' and '.join(SHEET_PAPERS)}"
        raise argparse.ArgumentTypeError(f"unknown paper {quoted(text)}{near}")
    return text.lower()


def pair(text: str) -> tuple[str, str]:
    """A NAME=VALUE option, for argparse."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"takes NAME=VALUE, not {quoted(text)}")
    return name.strip(), value.strip()


def settled(pairs: Iterable[tuple[str, str]], option: str) -> dict[str, str]:
    """The NAME=VALUE options by name; UsageError for a name given twice."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise UsageError(f"{option} {name} is given twice: {quoted(found[name])} and {quoted(value)}")
        found[name] = value
    return found


def add_output(to: argparse.ArgumentParser, *, formats: str) -> None:
    """The options that say where results go and how much is told."""
    to.add_argument(
        *OUTPUT,
        metavar="FILE",
        action="append",
        default=[],
        help=f"{formats}; - is standard output; may be given more than once",
    )
    to.add_argument("--to", metavar="FORMAT", default="", help="the format for -o - (pdf, html, yaml, json, csv)")
    add_telling(to)


def add_telling(to: argparse.ArgumentParser) -> None:
    """The options that say how much is told."""
    to.add_argument("--quiet", action="store_true", help="say nothing but problems")
    to.add_argument("--json", action="store_true", help="tell what was done as one line of JSON")


def add_paper(to: argparse.ArgumentParser) -> None:
    """The paper option."""
    to.add_argument("--paper", type=paper, default="a4", metavar="SIZE", help="a4 (default) or letter")


def add_rolling(to: argparse.ArgumentParser, most: int) -> None:
    """The options of a run of rolled characters."""
    to.add_argument("-n", "--count", type=whole(1, most), default=1, metavar="N", help="how many (default 1)")
    to.add_argument("--seed", type=whole(0, LARGEST_SEED), metavar="N", help="the same seed rolls the same people")
    to.add_argument("--index", type=whole(1, 10**9), default=1, metavar="I", help="start at number I of the run")
    to.add_argument("--archetype", default="", metavar="NAME", help="cast them as guard, scholar, thief, …")
    to.add_argument("--method", default="", metavar="NAME", help="how they are made: random, arrange, points, …")
    to.add_argument(
        "--option",
        type=pair,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as tech=9 or features=none",
    )
