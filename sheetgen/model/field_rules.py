"""What goes into a field of a form: a value by its name, a small text with values in it, or a tick on a condition."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

REFERENCE = re.compile(r"\{([^{}]*)\}")
YES = "yes"
_OFF = frozenset(("", "0", "no", "off", "false", "-", "–", "−", "—"))
_LEFT_OVER = " ,;:·/|–—-\u00a0"


@dataclass(frozen=True, slots=True)
class FieldRule:
    """What goes into one field; `text` has `{name}` wherever a value belongs.

    A `tick` is on if the text says something and is no plain no; if `least` is given, if the level of that name is at
    least so high; if `equals` is, if the text is that.
    """

    text: str
    tick: bool = False
    least: int | None = None
    equals: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the values that it needs."""
        return tuple(name.strip() for name in REFERENCE.findall(self.text))

    def said(self, values: Mapping[str, str], levels: Mapping[str, int]) -> str:
        """The text for somebody with these values; for a tick “yes” or nothing."""
        text = _filled(self.text, values)
        if not self.tick:
            return text
        if self.least is not None:
            return YES if any(levels.get(name, 0) >= self.least for name in self.names) else ""
        if self.equals:
            return YES if text.casefold() == self.equals.casefold() else ""
        return YES if is_yes(text) else ""


def is_yes(text: str) -> bool:
    """Whether a value ticks a box."""
    return text.strip().casefold() not in _OFF


def _filled(text: str, values: Mapping[str, str]) -> str:
    """The text with its values; what stood between them and nothing goes with what is not there."""
    missing = False

    def value(match: re.Match[str]) -> str:
        nonlocal missing
        found = values.get(match[1].strip(), "")
        missing = missing or not found
        return found

    filled = REFERENCE.sub(value, text)
    if not any(values.get(name.strip()) for name in REFERENCE.findall(text)) and REFERENCE.search(text):
        return ""
    return filled.strip(_LEFT_OVER) if missing else filled


def folded(words: str) -> str:
    """A name as names are compared: its letters and digits alone, without case and accents."""
    plain = unicodedata.normalize("NFKD", words).casefold()
    return "".join(char for char in plain if char.isalnum())
