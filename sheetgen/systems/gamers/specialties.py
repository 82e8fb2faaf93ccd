"""Specialties, familiarities, masteries and equipment (section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers.terms import HIGHEST, Level, Levels, require_names, roles


def effective(play: Play, level: int, specialty_applies: bool) -> int:
    """The level with its specialty where that applies; F at the most (`GAM-100`, `GAM-Q20`)."""
    return min(level + play.values.number("quickie.specialty"), HIGHEST) if specialty_applies else level


@dataclass(frozen=True, slots=True)
class Effective:
    """The level that counts."""

    level: int


@procedure("GAM-100", "GAM-016", say="a level with its specialty")
def effective_level(play: Play, *, level: Level, specialty_applies: bool = False) -> Effective:
    """The level that counts inside or outside the specialty."""
    counts = effective(play, level, specialty_applies)
    play.tell(f"level {level} counts as {counts}", "GAM-100")
    return Effective(counts)


@dataclass(frozen=True, slots=True)
class Specialised:
    """A trait that a specialty is chosen for, and its level."""

    trait: str
    level: Level


@dataclass(frozen=True, slots=True)
class Allowed:
    """Whether a choice is legal."""

    legal: bool


@procedure("GAM-101", say="may a new character have these specialties")
def specialties(play: Play, *, chosen: tuple[Specialised, ...]) -> Allowed:
    """Whether there are few enough, one a trait, each on a trait of level 1 or better (`GAM-Q14`, `GAM-Q20`)."""
    traits = [each.trait for each in chosen]
    require_names("trait", traits, (trait.role for trait in play.system.all_traits()), "GAM-Q14")
    most, least = play.values.number("creation.specialties"), play.values.number("creation.specialty_level")
    wrong = [f"{len(chosen)} of {most} at most"] if len(chosen) > most else []
    wrong += [f"{trait} has more than one" for trait in sorted(set(traits)) if traits.count(trait) > 1]
    wrong += [f"{each.trait} is at {each.level}, under {least}" for each in chosen if each.level < least]
    play.tell("; ".join(wrong) or "these are allowed", "GAM-101")
    return Allowed(not wrong)


@dataclass(frozen=True, slots=True)
class Known:
    """How many things within a skill are familiar."""

    count: int


@procedure("GAM-103", "GAM-104", say="how many familiarities a skill has")
def familiarities(play: Play, *, skill: Level, gained: Annotated[int, Whole(0, 999)] = 0) -> Known:
    """Those that come with the levels, and those gained in play, which even skill 0 may have (`GAM-Q21`)."""
    count = skill * play.values.number("creation.familiarities") + gained
    play.tell(f"skill {skill}: {count} familiarities", "GAM-103")
    return Known(count)


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Hours of practice a day, and for what."""

    daily_hours: int
    kept: frozenset[str]


@procedure("GAM-108", say="hours of practice that masteries take")
def mastery(play: Play, *, attributes: Levels | None = None, skills: Levels | None = None) -> Upkeep:
    """The hours a day that high attributes and skills take to keep."""
    floors = play.values.numbers("mastery")
    held = {"attribute": attributes or {}, "skill": skills or {}}
    for what, levels in held.items():
        require_names(f"{what}s", levels, roles(play.system, f"{what}s"), "GAM-108")
    kept = [name for what, levels in held.items() for name, level in levels.items() if level >= floors[what]]
    hours = len(kept) * floors["hours"]
    play.tell(f"{', '.join(kept) or 'no mastery'}: {hours} hours a day", "GAM-108")
    return Upkeep(hours, frozenset(kept))


@dataclass(frozen=True, slots=True)
class Neglected:
    """What a level has sunk to."""

    level: int


@procedure("GAM-109", say="what a mastery sinks to without practice")
def neglect(
    play: Play, *, what: Literal["attribute", "skill"], level: Level, years: Annotated[int, Whole(0, 99)]
) -> Neglected:
    """The level after that many full years of neglect: never further than to where it asks no upkeep (`GAM-Q22`)."""
    floor, loss = play.values.number(f"mastery.{what}"), play.values.number("mastery.loss")
    left = level if level < floor else max(level - years * loss, floor - 1)
    play.tell(f"{what} {level}, neglected for {years} years: {left}", "GAM-109", "GAM-Q22")
    return Neglected(left)


@dataclass(frozen=True, slots=True)
class Gear:
    """The choices of gear, in alphabetical order."""

    options: tuple[str, ...]


@procedure("GAM-110", say="gear that comes with a skill")
def equipment(play: Play, *, skill: Level) -> Gear:
    """What a character owns through a skill of this level; skill 4 and above as 3 (`GAM-Q23`)."""
    options = tuple(sorted(play.system.tables["equipment"].row(skill).values()))
    play.tell(f"skill {skill}: {' or '.join(options) or 'nothing'}", "GAM-110")
    return Gear(options)
