"""What a terminal shows beside results: colour, and after a second without a word which verb is at work."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO

BOLD, RED, GREEN, YELLOW, DIM = "1", "31", "32", "33", "2"
_PLACE = re.compile(r"[^\s:][^:]*:(?:\d+:(?:\d+:)?|[^:!]+![A-Z]+\d+:)")
_RULE = re.compile(r" \[[A-Z]+-\w+\]$")
SECOND = 1.0
SERVING = ("studio", "--watch")  # these wait for a person, not a person for them
SILENT = ("--quiet", "-q", "--json")
Heed = Callable[[str], None]


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
