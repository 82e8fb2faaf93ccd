"""Messages about results: lines for people, or one line of JSON for programs."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sheetgen.cli.colour import problem_line
from sheetgen.cli.progress import Progress
from sheetgen.errors import EXIT_OK, EXIT_SOME, printable
from sheetgen.products.product import Reporter

LOST = ("skipped", "dropped")  # kinds of warnings about what is printed nowhere, which no --quiet hides


@dataclass(slots=True)
class ConsoleReporter(Reporter):
    """Prints what was done, in words or as one line of JSON; problems always go to standard error."""

    quiet: bool = False
    as_json: bool = False
    to_stderr: bool = False
    _drawn: int = 0

    @classmethod
    def of(cls, args: Namespace, *, to_stderr: bool = False, **facts: Any) -> ConsoleReporter:
        """Return a reporter as `--quiet` and `--json` ask for it, with first facts; `to_stderr` leaves standard output
        to a result.
        """
        return cls(facts, quiet=args.quiet, as_json=args.json, to_stderr=to_stderr)

    def doing(self, what: str) -> None:
        """Show a person at a terminal what is being done, in a line that the next one takes the place of."""
        if not self.quiet and not self.as_json and sys.stderr.isatty():
            line = f"{what} …" if what else ""
            print(f"\r{line:<{self._drawn}}", end="" if line else "\r", file=sys.stderr, flush=True)
            self._drawn = len(line)

    def say(self, line: str) -> None:
        """Print a line for people; nothing if quiet or with JSON."""
        if not self.quiet and not self.as_json:
            print(printable(line), file=sys.stderr if self.to_stderr else sys.stdout)

    def note(self, lines: Iterable[str], kind: str, shown: Sequence[str] | None = None) -> None:
        """Report warnings about work that went on; `shown` has them in fewer lines."""
        lines = tuple(lines)
        Reporter.note(self, lines, kind)
        for line in lines if shown is None else shown:
            if not self.quiet or kind in LOST:
                print(problem_line(printable(line), sys.stderr), file=sys.stderr)

    def progress(self, total: int, what: str) -> Progress:
        """Return what shows how much is done on a terminal, or as lines of JSON."""
        return Progress(total, what, quiet=self.quiet, as_json=self.as_json, output=self.output)

    def finish(self) -> int:
        """Print the line of JSON if one was asked for; return the exit code."""
        if self.as_json:
            print(json.dumps(self.facts, ensure_ascii=False), file=sys.stderr if self.to_stderr else sys.stdout)
        return EXIT_SOME if self.failed else EXIT_OK
