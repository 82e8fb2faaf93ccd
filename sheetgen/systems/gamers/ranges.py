"""Ranged attacks (section 10): how far things fly, the range number, and the DM of a shot."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import isqrt
from typing import Annotated

from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers import figures
from sheetgen.systems.gamers.terms import Level, Modifier, not_below_zero, signed


@dataclass(frozen=True, slots=True)
class Reach:
    """A greatest distance."""

    metres: int


@procedure("GAM-180", "GAM-181", "GAM-Q44", say="how far something can be thrown")
def throw_range(play: Play, *, strength: Level, weapon_kg: Decimal) -> Reach:
    """The greatest distance in metres: Strength squared by the weight, 1 kg at the least, halves upward."""
    not_below_zero("weapon_kg", weapon_kg)
    metres = figures.throw_range(play.values, strength, weapon_kg)
    kg = max(weapon_kg, play.values.decimal("throw.least_kg"))
    play.tell(f"{strength} x {strength} / {kg} kg: {metres} m", "GAM-180", "GAM-181")
    return Reach(metres)


@procedure("GAM-182", "GAM-Q45", say="how far a bow shoots")
def bow_range(play: Play, *, strength: Level, multiplier: Decimal | Annotated[str, OneOf("bow")]) -> Reach:
    """The greatest range in metres: (Strength x multiplier) squared; the pack names bows and their multipliers."""
    times = play.values.decimal(f"bow.{multiplier}") if isinstance(multiplier, str) else multiplier
    not_below_zero("multiplier", times)
    metres = figures.bow_range(strength, times)
    play.tell(f"({strength} x {times}) squared: {metres} m", "GAM-182", "GAM-Q45")
    return Reach(metres)


@procedure("GAM-183", say="how far a firearm shoots")
def firearm_range(play: Play, *, weapon_strength: Annotated[int, Whole(0, 999)]) -> Reach:
    """The greatest range in metres: the square of the weapon's own Strength."""
    metres = figures.firearm_range(weapon_strength)
    play.tell(f"{weapon_strength} squared: {metres} m", "GAM-183")
    return Reach(metres)


@dataclass(frozen=True, slots=True)
class RangeOutcome:
    """The range number of a distance."""

    range_number: int


@procedure("GAM-184", "GAM-185", "GAM-Q46", say="the range number of a distance")
def range_number(play: Play, *, metres: Decimal) -> RangeOutcome:
    """The whole part of the square root, 1 at the least: number n stands for n squared metres."""
    not_below_zero("metres", metres)
    number = max(isqrt(int(metres)), play.values.number("range.least"))
    play.tell(f"{metres} m: range number {number}", "GAM-185")
    return RangeOutcome(number)


@dataclass(frozen=True, slots=True)
class RangeDM:
    """The range number and the DM it comes to."""

    range_number: int
    dm: int


@procedure("GAM-186", "GAM-187", "GAM-188", "GAM-191", "GAM-Q47", say="the DM of a shot")
def range_dm(
    play: Play,
    *,
    metres: Decimal,
    awareness: Level,
    aimed: bool = False,
    other_dm: tuple[Modifier, ...] = (),
    greatest_metres: Decimal | None = None,
) -> RangeDM:
    """Awareness if the shot was aimed, less the range number, and what sights add; refused beyond the reach."""
    if greatest_metres is not None and metres > greatest_metres:
        raise Refused("out_of_range", f"metres: {metres} is beyond the greatest range, {greatest_metres}", "GAM-Q47")
    number = range_number(play, metres=metres).range_number
    dm = (awareness if aimed else 0) - number + sum(other_dm)
    shot = f"aimed, Awareness {awareness}" if aimed else "a snap shot"
    sights = f", {signed(sum(other_dm))} besides" if other_dm else ""
    play.tell(f"{shot}, less {number}{sights}: {signed(dm)}", "GAM-186")
    return RangeDM(number, dm)
