"""Colour on terminals that want it: never in a pipe, a file or a log, nor where NO_COLOR is set (no-color.org)."""

from __future__ import annotations

import os
import re
from typing import TextIO

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
