"""Bonus dice taken wisely (`TSG-Q9`): each side adds dice while it is not ahead, the one behind first.

Nothing counts here but how far the sides are apart, so that odds work each such race out once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from sheetgen.rules.procedures.play import Play
from sheetgen.systems.tsgs.reading import bonus_die

SideName = Literal["a", "b"]


class Gain(NamedTuple):
    """A result, and how many dice it was rolled with: of one side, or what one side has more than the other."""

    result: int
    dice: int

    def plus(self, other: Gain) -> Gain:
        """Both together."""
        return Gain(self.result + other.result, self.dice + other.dice)

    def who_leads(self) -> Gain:
        """The smallest lead of the same side: by result, else by dice (`TSG-041`, `TSG-042`)."""
        return Gain(_sign(self.result), 0 if self.result else _sign(self.dice))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


NOTHING = Gain(0, 0)


@dataclass(frozen=True, slots=True)
class Race:
    """Two sides that may add dice: what `a` has more than `b`, the dice each has left, and whom a dead level serves."""

    lead: Gain
    a_left: int
    b_left: int
    level_serves: SideName | None

    def turn(self) -> SideName | None:
        """Who adds a die now, if anybody does; on a dead level the starter is asked first."""
        if self.a_left and not _will_do(self.lead, self.level_serves == "a"):
            return "a"
        return "b" if self.b_left and not _will_do(_reversed(self.lead), self.level_serves == "b") else None

    def after(self, side: SideName, gain: Gain) -> Race:
        """The race once a side has added dice."""
        if side == "a":
            return Race(self.lead.plus(gain), self.a_left - gain.dice, self.b_left, self.level_serves)
        return Race(self.lead.plus(_reversed(gain)), self.a_left, self.b_left - gain.dice, self.level_serves)


def _reversed(lead: Gain) -> Gain:
    return Gain(-lead.result, -lead.dice)


def _will_do(lead: Gain, level_is_enough: bool) -> bool:
    return lead >= ((0, 0) if level_is_enough else (0, 1))


def raced(play: Play, race: Race, names: tuple[str, str]) -> tuple[Gain, Gain]:
    """What the dice that each side adds bring it."""
    side = race.turn()
    if side is None:
        return NOTHING, NOTHING
    gain = _added(play, side, names)
    by_a, by_b = play.part(raced, race.after(side, gain), names)
    return (gain.plus(by_a), by_b) if side == "a" else (by_a, gain.plus(by_b))


def final_lead(play: Play, race: Race, names: tuple[str, str]) -> Gain:
    """Who leads in the end."""
    side = race.turn()
    if side is None:
        return race.lead.who_leads()
    return play.part(final_lead, race.after(side, _added(play, side, names)), names)


def _added(play: Play, side: SideName, names: tuple[str, str]) -> Gain:
    return Gain(play.part(bonus_die, names[side == "b"]), 1)
