"""A GM screen and a quick reference as a pack orders them: moments of play, and the rules looked up in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sheetgen.errors import Place
from sheetgen.model.book import Book, Extract

Part = Literal["card", "screen"]


@dataclass(frozen=True, slots=True)
class RulePart:
    """A rule as a moment shows it: what it says on its card, or on the screen."""

    rule: str
    part: Part
    place: Place

    def extract(self, book: Book) -> Extract:
        """Return the words of the rule, which exist because the screen was checked when it was read."""
        rule = book.rules[self.rule]
        found = rule.card if self.part == "card" else rule.screen
        if found is None:
            raise ValueError(f"rule {self.rule} has no {self.part}")
        return found


@dataclass(frozen=True, slots=True)
class Moment:
    """What is looked up together; `panel` is where it stands (0: wherever it fits), `people` how many at the least."""

    title: str
    parts: tuple[RulePart, ...]
    place: Place
    panel: int = 0
    people: int = 0


@dataclass(frozen=True, slots=True)
class Screen:
    """The moments of a screen, those of the players' reference, and those of the little book for the pocket."""

    panels: int
    moments: tuple[Moment, ...]
    reference: tuple[Moment, ...]
    pocket: tuple[Moment, ...]
