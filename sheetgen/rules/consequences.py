"""What happens to people between two evenings, by the rules of their game: experience, injury, rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from sheetgen.errors import suggestion
from sheetgen.model.character import Character, Value
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play, Refused

KINDS = ("experience", "injury", "rest")
YES, LEVEL = "yes", "level"  # a helper there is, or one whose level counts


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


Work = Callable[[Play, Character, Event], Consequence]


@dataclass(frozen=True, slots=True)
class EventRule:
    """What a game makes of an event, and which words it reads: traits `on`, a `helper` (`yes`, or at a `level`)."""

    work: Work
    on: bool = False
    helper: str = ""
    amount: bool = True

    def __call__(self, play: Play, character: Character, event: Event) -> Consequence:
        """Return what comes of it; Refused where the game does not allow it, or reads not all that is said."""
        if event.on and not self.on:
            raise Refused("on", f"the rule has no use for --on {' '.join(event.on)}: leave it out")
        if event.helper and not self.helper:
            raise Refused("helper", "nobody can help with this by the rules: leave --helper out")
        if event.helper not in ("", YES) and self.helper == YES:
            raise Refused("helper", f"how good the helper is does not matter here: --helper alone, not {event.helper}")
        if event.amount != 1 and not self.amount:
            raise Refused("amount", f"this happens once, whatever the amount: write 1, not {event.amount}")
        return self.work(play, character, event)


def reads(*, on: bool = False, helper: str = "", amount: bool = True) -> Callable[[Work], EventRule]:
    """Return a decorator for what a game makes of an event, with the words that it reads; others are refused."""
    return lambda work: EventRule(work, on, helper, amount)


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
