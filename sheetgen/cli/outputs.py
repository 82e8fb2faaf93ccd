"""Messages about results, for people or as JSON for programs, and the progress of long work."""

from __future__ import annotations

import json
import shutil
import sys
import time
from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sheetgen.cli.terminal import problem_line
from sheetgen.errors import EXIT_OK, EXIT_SOME, printable
from sheetgen.products.product import Meter, Reporter

SHORT = 50  # what is fewer is done before anybody wonders
BAR = 24
OFTEN, SELDOM = 0.1, 0.5  # seconds between two states of the bar, and between two lines of JSON
LOST = ("skipped", "dropped")  # kinds of warnings about what is printed nowhere, which no --quiet hides


class Progress(Meter):
    """Told how many of `total` are done, it says so on standard error, with rate, time left and current `output`.

    A program (`as_json`) reads a line at most twice a second: `{"done": 200, "of": 3000, "rate": 950, "left_s": 3,
    "output": "people-002.pdf"}`. A person at a terminal sees a bar, of which nothing half stays behind when the context
    ends. All others, and who asked for quiet, see nothing.
    """

    def __init__(self, total: int, what: str, *, quiet: bool = False, as_json: bool = False, output: str = "") -> None:
        super().__init__(total, output)
        self._what, self._json = what, as_json
        self._visible = as_json or (not quiet and sys.stderr.isatty())
        self._drawn, self._ended = 0, False
        self._started = self._last = time.monotonic()

    def __call__(self, done: int) -> None:
        """Report that `done` items are done."""
        self.done = done
        if not self._visible or self.total < SHORT or self._ended:
            return
        now, whole = time.monotonic(), done >= self.total
        if self._json:
            if now - self._last >= SELDOM:
                self._last = now
                self._print_progress(now)
        elif whole or self._last == self._started or now - self._last >= OFTEN:
            self._last, self._ended = now, whole
            self._bar(now)

    def clear(self) -> None:
        """Clear the bar, so that a line can be printed; the next report draws it again."""
        if self._drawn and not self._ended:
            print(f"\r{'':<{self._drawn}}\r", end="", file=sys.stderr, flush=True)
            self._drawn, self._last = 0, self._started

    def _rate(self, now: float) -> float:
        return max(self.done / max(now - self._started, 1e-6), 1e-6)

    def _print_progress(self, now: float) -> None:
        rate = self._rate(now)
        told = {"done": self.done, "of": self.total, "rate": round(rate, 1)}
        told |= {"left_s": round((self.total - self.done) / rate, 1)}
        print(json.dumps({**told, "output": self.output}, ensure_ascii=False), file=sys.stderr, flush=True)

    def _bar(self, now: float) -> None:
        rate, filled = self._rate(now), BAR * self.done // max(self.total, 1)
        left = "" if self._ended else f", {(self.total - self.done) / rate:.0f} s left"
        where = f", {printable(self.output)}" if self.output and not self._ended else ""
        line = f"{'█' * filled}{'░' * (BAR - filled)} {self.done:,}/{self.total:,} {self._what}"
        line = f"{line}, {rate:,.0f} a second{left}{where}"[: max(shutil.get_terminal_size().columns - 1, BAR)]
        print(f"\r{line:<{self._drawn}}", end="\n" if self._ended else "", file=sys.stderr, flush=True)
        self._drawn = len(line)


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
