"""What verbs say on a terminal: results in lines or JSON, colour, the progress of long work, and a sign of life."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TextIO

from sheetgen.errors import EXIT_OK, EXIT_SOME, printable
from sheetgen.products.product import Meter, Reporter

BOLD, RED, GREEN, YELLOW, DIM = "1", "31", "32", "33", "2"
_PLACE = re.compile(r"[^\s:][^:]*:(?:\d+:(?:\d+:)?|[^:!]+![A-Z]+\d+:)")
_RULE = re.compile(r" \[[A-Z]+-\w+\]$")


def wants_colour(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that shows colours, and its user has not refused them."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def painted(text: str, style: str, stream: TextIO) -> str:
    """Return the text in a style, or as it is where colours are not wanted."""
    return f"\x1b[{style}m{text}\x1b[0m" if text and wants_colour(stream) else text


def problem_line(line: str, stream: TextIO) -> str:
    """Return the line of a problem, its place in bold and its rule dimmed."""
    place, rule = _PLACE.match(line), _RULE.search(line)
    start, end = place.end() if place else 0, rule.start() if rule else len(line)
    return painted(line[:start], BOLD, stream) + line[start:end] + painted(line[end:], DIM, stream)


SHORT = 50  # what is fewer is done before anybody wonders
BAR = 24
OFTEN, SELDOM = 0.1, 0.5  # seconds between two states of the bar, and between two lines of JSON


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
                self._line(now)
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

    def _line(self, now: float) -> None:
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


SECOND = 1.0
SERVING = ("studio", "--watch")  # these wait for a person, not a person for them
SILENT = ("--quiet", "-q", "--json")

Heed = Callable[[str], None]


@contextmanager
def waiting(words: Sequence[str], terminal: TextIO, heard: Callable[[Heed], None]) -> Iterator[None]:
    """Show on a terminal that the verb of the words goes on; `heard` is given what has to see all other output first.

    Nothing is shown elsewhere, to who asked for silence, where signals do not tell the time, and while the last line of
    other output is not ended: there is a bar then, or a question.
    """
    unwanted = {*SERVING, *SILENT} & set(words)
    if not words or unwanted or not terminal.isatty() or not hasattr(signal, "setitimer"):
        yield
        return
    sign = _Sign(words[0], terminal.fileno())
    try:
        before = signal.signal(signal.SIGALRM, lambda number, frame: sign.show())
    except ValueError:  # only the main thread hears signals
        yield
        return
    heard(sign.heed)
    signal.setitimer(signal.ITIMER_REAL, SECOND, SECOND)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sign.heed("\n")


class _Sign:
    def __init__(self, verb: str, terminal: int) -> None:
        self._verb, self._terminal = verb, terminal
        self._drawn, self._ended = 0, True
        self._begun = self._last = time.monotonic()

    def show(self) -> None:
        """Draw the line, unless something was said in the last second or a line is not ended."""
        now = time.monotonic()
        if self._ended and now - self._last > SECOND / 2:
            line = f"{self._verb} … {now - self._begun:.0f} s"
            self._write(f"\r{line}")
            self._drawn = len(line)

    def heed(self, text: str) -> None:
        """Make room for other output."""
        if text:  # first of all, so that nothing is drawn between
            self._ended, self._last = text.endswith(("\n", "\r")), time.monotonic()
        if self._drawn:
            self._write(f"\r{'':<{self._drawn}}\r")
            self._drawn = 0

    def _write(self, text: str) -> None:
        with suppress(OSError):  # the terminal is gone: whoever writes next to it is told
            os.write(self._terminal, text.encode())
