"""Extra effort (section 15): injury taken on purpose for a better roll, plain or cinematic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers.injury import state_of
from sheetgen.systems.gamers.terms import Kind, Level, Levels, printed, require_triad, signed

Mode = Literal["plain", "cinematic"]


@dataclass(frozen=True, slots=True)
class Effort:
    """Levels of injury taken for one roll; decided after the dice fell, `injuries` is the most that may be taken.

    `level` is the present level of the attribute that suffers, if more than it has should be refused.
    """

    mode: Mode = "plain"
    injuries: Annotated[int, Whole(1, 15)] = 1
    decided: Literal["before", "after"] = "before"
    level: Level | None = None


def require_affordable(play: Play, effort: Effort) -> None:
    """Refuses more levels than the attribute has, or more turned dice than there are (`GAM-Q68`)."""
    if effort.level is not None and effort.injuries > effort.level:
        message = f"effort: {effort.injuries} levels from an attribute at {effort.level}"
        raise Refused("effort", message, "GAM-Q68")
    dice = play.values.number("quickie.dice.count")
    if effort.mode == "cinematic" and effort.injuries > dice:
        raise Refused("effort", f"effort: the most is {dice} levels, one for each die", "GAM-Q68")


def turned(play: Play, faces: tuple[int, ...], injuries: int) -> tuple[int, ...]:
    """The faces with that many dice turned to their best, the lowest first (`GAM-252`)."""
    lowest = sorted(range(len(faces)), key=lambda die: faces[die])[:injuries]
    best = play.values.number("effort.face")
    return tuple(best if die in lowest else face for die, face in enumerate(faces))


@dataclass(frozen=True, slots=True)
class Strained:
    """What the effort gives, and what it costs."""

    dm: int
    dice_turned: int
    levels: Named[str, int]
    state: str


@procedure("GAM-250", "GAM-251", "GAM-252", "GAM-Q68", say="injury taken on purpose for a better roll")
def effort(
    play: Play,
    *,
    kind: Kind,
    levels: Levels,
    attribute: str,
    injuries: Annotated[int, Whole(1, 15)] = 1,
    mode: Mode = "plain",
) -> Strained:
    """The DM or the dice to turn, and the levels after one attribute of the task's kind has paid for all of it."""
    require_triad(play, kind, levels)
    if attribute not in levels:
        message = f"attribute: a {kind} task strains {', '.join(levels)}, not {attribute}"
        raise Refused("attribute", message, "GAM-251")
    require_affordable(play, Effort(mode, injuries, level=levels[attribute]))
    after: Mapping[str, int] = {**levels, attribute: levels[attribute] - injuries}
    plain = mode == "plain"
    dm = injuries * play.values.number("effort.dm") if plain else 0
    gain = signed(dm) if plain else f"{injuries} of the dice turned to {play.values.number('effort.face')}"
    play.tell(f"{printed(play, attribute)} {levels[attribute]} falls to {after[attribute]}: {gain}", "GAM-250")
    return Strained(dm, 0 if plain else injuries, Named(after), state_of(play, kind, after))
