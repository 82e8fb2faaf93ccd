"""Armour (section 11): whether it covers what was struck, and how much of an injury it lets pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure

Coverage: TypeAlias = Annotated[int, Whole(2, 13)]
Rating: TypeAlias = Annotated[int, Whole(0, 99)]


@dataclass(frozen=True, slots=True)
class Armour:
    """A piece of armour: 2d6 under its coverage protects, from 2 (never) to 13 (always); its rating (`GAM-Q50`)."""

    coverage: Coverage
    rating: Rating


Worn: TypeAlias = Armour | tuple[Armour, ...] | None


@dataclass(frozen=True, slots=True)
class CoverageOutcome:
    """Whether the armour protects."""

    protects: bool


@procedure("GAM-200", "GAM-201", "GAM-Q49", "GAM-Q50", say="does the armour cover what was struck")
def coverage(play: Play, *, coverage: Coverage) -> CoverageOutcome:
    """Whether 2d6 come out strictly under the coverage."""
    dice = play.values.numbers("coverage")
    rolled = play.dice.total(dice["dice"], dice["sides"], "coverage")
    protects = rolled < coverage
    said = f"{rolled} is {'' if protects else 'not '}under {coverage}"
    play.tell(f"coverage: {said}, the armour {'protects' if protects else 'does not protect'}", "GAM-201", "GAM-Q49")
    return CoverageOutcome(protects)


@dataclass(frozen=True, slots=True)
class ArmourOutcome:
    """What was stopped, what was halved, and the injury that passes."""

    stopped: int
    halved: int
    injury: int


@procedure("GAM-202", "GAM-203", "GAM-204", "GAM-Q51", say="how much of an injury armour lets pass")
def armour(play: Play, *, rating: Rating, damage: Annotated[int, Whole(0, 999)]) -> ArmourOutcome:
    """The injury that passes: the first `rating` points are stopped, as many more halved, the rest passes."""
    stopped = min(damage, rating)
    halved = min(damage - stopped, rating)
    passes = halved // play.values.number("armour.halved") + damage - stopped - halved
    rest = damage - stopped - halved
    play.tell(
        f"armour {rating} against {damage}: {stopped} stopped, {halved} halved, {rest} more pass: injury {passes}",
        "GAM-202",
        "GAM-204",
    )
    return ArmourOutcome(stopped, halved, passes)


@dataclass(frozen=True, slots=True)
class Shielded:
    """Whether any piece covers, and the injury that passes."""

    covered: bool | None
    injury: int


def shield(play: Play, worn: Worn, struck_for: int) -> Shielded:
    """What passes the armour worn: each piece is rolled for, and the best of those that protect counts (`GAM-Q50`)."""
    pieces = (worn,) if isinstance(worn, Armour) else worn or ()
    if not pieces or not struck_for:
        return Shielded(None, struck_for)
    ratings = [piece.rating for piece in pieces if coverage(play, coverage=piece.coverage).protects]
    if not ratings:
        return Shielded(False, struck_for)
    return Shielded(True, armour(play, rating=max(ratings), damage=struck_for).injury)
