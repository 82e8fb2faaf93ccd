"""Movement, load, marching (section 14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Annotated, Literal

from sheetgen.model.procedures import Named
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers.injury import state_of
from sheetgen.systems.gamers.terms import (
    Kind,
    Level,
    Levels,
    code_of,
    levels_of,
    not_below_zero,
    printed,
    require_triad,
    signed,
    words,
)

Hours = Annotated[int, Whole(0, 999)]


def reduction_of(kg: Decimal, strength: int) -> int:
    """Levels that a load takes off: none up to Strength in kg, one for each further multiple begun (`GAM-Q66`)."""
    if not strength:
        return int(kg > 0)
    return max(int((kg / strength).to_integral_value(ROUND_CEILING)) - 1, 0)


@procedure(
    "GAM-033 GAM-242 GAM-243 GAM-Q66",
    say="what a load does to the one who carries it",
    results="reduction can_carry ers",
)
def encumbrance(
    play: Play, *, ers: str, kg: Decimal, full_strength: Level | None = None
) -> tuple[int, bool, str | None]:
    """Endurance, Reflexes and Strength under a load; `full_strength` if Strength is injured (`GAM-Q69`)."""
    not_below_zero("kg", kg)
    names = words(play.values, "load.lowers")
    levels = levels_of(ers, len(names), "ers")
    strength = levels[names.index(play.values.text("load.step"))] if full_strength is None else full_strength
    reduction = reduction_of(kg, strength)
    left = [level - reduction for level in levels]
    can_carry = not reduction or min(left) > 0
    text = f"{code_of(left)} while carried" if can_carry else "too much to carry"
    play.tell(f"{kg} kg for Strength {strength}: {reduction} off each: {text}", "GAM-242", "GAM-Q66")
    return reduction, can_carry, code_of(left) if can_carry else None


@procedure("GAM-244 GAM-Q67", say="hours on the march", results="ers hours_marched state")
def march(play: Play, *, ers: str, hours: Hours) -> tuple[str, int, str]:
    """One level off each of the three an hour, until time is up or the first of them reaches 0."""
    names = words(play.values, "load.lowers")
    levels, walked = levels_of(ers, len(names), "ers"), 0
    while walked < hours and all(levels):
        play.again(walked, "hours on the march")
        walked, levels = walked + 1, _hour(play, levels)
        play.tell(f"hour {walked}: {code_of(levels)}", "GAM-244", *(() if all(levels) else ("GAM-Q67",)))
    state = state_of(play, "physical", _by_name(names, code_of(levels)))
    play.tell(f"after {walked} hours: {state}", "GAM-244")
    return code_of(levels), walked, state


def _hour(play: Play, levels: tuple[int, ...]) -> tuple[int, ...]:
    """The levels an hour later; only the first to reach 0 does so, unless the table takes the rule to the letter."""
    lost = play.values.number("march.injury")
    left = [max(level - lost, 0) for level in levels]
    if play.ruling("GAM-Q67") == "collapse" and 0 in left:
        first = left.index(0)
        left = [max(level, 1) if each != first else 0 for each, level in enumerate(left)]
    return tuple(left)


@procedure(
    "GAM-241 GAM-242 GAM-244",
    say="a journey on foot with a load, hour by hour",
    results="hours_marched kilometres arrived ers state",
)
def journey(
    play: Play,
    *,
    ers: str,
    kilometres: Decimal,
    kg: Decimal = Decimal(0),
    full_strength: Level | None = None,
) -> tuple[int, Decimal, bool, str, str]:
    """How far one gets: each hour Reflexes km under the load, then an injury; a load grown too heavy ends it.

    The way is begun with whole hours; an hour in which the goal is reached counts whole.
    """
    not_below_zero("kilometres", kilometres)
    names = words(play.values, "load.lowers")
    speed = names.index(play.values.text("move.kilometres"))
    strength = levels_of(ers, len(names), "ers")[names.index(play.values.text("load.step"))]
    walked, hours, now = Decimal(0), 0, ers
    while walked < kilometres:
        play.again(hours, "hours on the way")
        own = strength if full_strength is None else full_strength
        *_, laden = encumbrance(play, ers=now, kg=kg, full_strength=own)
        if laden is None or "0" in now:
            break
        walked = min(walked + levels_of(laden, len(names), "ers")[speed], kilometres)
        hours, now = hours + 1, march(play, ers=now, hours=1)[0]
        play.tell(f"{walked} km so far", "GAM-241")
    state = state_of(play, "physical", _by_name(names, now))
    return hours, walked, walked >= kilometres, now, state


def _by_name(names: tuple[str, ...], code: str) -> dict[str, int]:
    return dict(zip(names, levels_of(code, len(names), "ers"), strict=True))


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


@procedure(
    "GAM-250 GAM-251 GAM-252 GAM-Q68",
    say="injury taken on purpose for a better roll",
    results="dm dice_turned levels state",
)
def effort(
    play: Play,
    *,
    kind: Kind,
    levels: Levels,
    attribute: str,
    injuries: Annotated[int, Whole(1, 15)] = 1,
    mode: Mode = "plain",
) -> tuple[int, int, Named[str, int], str]:
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
    return dm, 0 if plain else injuries, Named(after), state_of(play, kind, after)
