"""What happens to people between two evenings, by the rules of their game: experience, injury, rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from sheetgen.errors import suggestion
from sheetgen.model.character import Character, Value
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play, Refused

EXPERIENCE, INJURY, REST = KINDS = ("experience", "injury", "rest")


@dataclass(frozen=True, slots=True)
class Event:
    """How much of what happened: to which traits, with whose help, and what was hurt before, by name.

    The game says what an amount is: points, pips, months, days. `helper` is how good a teacher or healer is, or `yes`.
    `before` has what was hurt at each time since they were last whole, the present last.
    """

    amount: int
    on: tuple[str, ...] = ()
    helper: str = ""
    hurt: Mapping[str, int] = field(default_factory=dict)
    before: tuple[Mapping[str, int], ...] = ()

    def one(self, otherwise: str, what: str) -> str:
        """Return what alone is named, `otherwise` if nothing is; Refused for more."""
        if len(self.on) > 1:
            raise Refused("on", f"{what} one at a time, not {', '.join(self.on)}")
        return self.on[0] if self.on else otherwise

    def number(self, otherwise: int | None = None) -> int | None:
        """Return how good the helper is, as a level; Refused for other words."""
        if not self.helper:
            return otherwise
        if not self.helper.isdecimal():
            raise Refused("helper", f"a helper of this game has a level, such as 2, not {self.helper}")
        return int(self.helper)


@dataclass(frozen=True, slots=True)
class Consequence:
    """What comes of it: fields with their new values, what is hurt (below 0: healed) where no field has it, a line."""

    said: str
    values: Mapping[str, Value] = field(default_factory=dict)
    hurt: Mapping[str, int] = field(default_factory=dict)


Rule = Callable[[Play, Character, Event], Consequence]


def levels_with(character: Character, group: str, changes: Mapping[str, int]) -> dict[str, int]:
    """Return the levels of a group of somebody with some changed; those that count nothing are left out."""
    return {name: level for name, level in {**character.numbers(group), **changes}.items() if level}


def trait_named(system: System, groups: Iterable[str], word: str) -> tuple[str, str]:
    """Return the group and the name of a trait, capitals or not; Refused with the nearest name."""
    known = {
        each: (group, trait.name)
        for group in groups
        for trait in system.group(group).members
        for each in (trait.role.casefold(), trait.name.casefold())
    }
    if word.casefold() not in known:
        names = [name for _, name in known.values()]
        near = suggestion(word, names) or f"; there are {', '.join(dict.fromkeys(names))}"
        raise Refused("on", f"nothing here is called {word}{near}")
    return known[word.casefold()]


def cited(line: str, *rules: str) -> str:
    """Return a line with the IDs of the rules behind it."""
    return f"{line} [{', '.join(rules)}]"


def counted(number: int, what: str) -> str:
    """Return a number of things in words: `1 month`, `2 months`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
