"""Injury (section 12): damage, where it strikes, fatigue, and what zeroed attributes mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from sheetgen.model.procedures import Named
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers import figures
from sheetgen.systems.gamers.terms import Kind, Level, Levels, printed, require_triad, words

Size = Annotated[str, OneOf("injury.dice")]


def state_of(play: Play, kind: str, levels: Mapping[str, int]) -> str:
    """The state that the number of zeroed attributes of one triad means (`GAM-220` to `GAM-223`, `GAM-Q59`)."""
    states = words(play.values, f"injury.states.{kind}")
    zeroed = sum(level == 0 for level in levels.values())
    return states[min(zeroed, len(states) - 1)]


@procedure("GAM-211 GAM-212 GAM-Q52 GAM-Q53", say="the damage of a hit", results="rolled bonus damage")
def damage(play: Play, *, size: Size, injury_attributes: tuple[Level, ...] = ()) -> tuple[int, int, int]:
    """The dice of the weapon's size and +1 at A, +2 at B… for each attribute that adds."""
    values = play.values
    rolled = play.dice.total(values.number(f"injury.dice.{size}"), values.number("injury.sides"), "damage")
    bonus = sum(figures.injury_bonus(values, level) for level in injury_attributes)
    play.tell(f"damage: {rolled} + {bonus} = {rolled + bonus}", "GAM-211", "GAM-212")
    return rolled, bonus, rolled + bonus


@procedure("GAM-212 GAM-213 GAM-Q54", say="which attributes add to injury", results="attributes bonus")
def adds_to_injury(
    play: Play, *, weapon: Annotated[str, OneOf("injury.adds")], levels: Levels | None = None
) -> tuple[tuple[str, ...], int | None]:
    """The attributes that add when it strikes like this: by muscle, at range, or on the mind."""
    names = words(play.values, f"injury.adds.{weapon}")
    bonus = None
    if levels is not None:
        bonus = sum(figures.injury_bonus(play.values, levels.get(name, 0)) for name in names)
    text = " and ".join(printed(play, name) for name in names)
    play.tell(f"{weapon}: {text}{'' if bonus is None else f' add {bonus}'}", "GAM-213")
    return names, bonus


Injured: TypeAlias = tuple[tuple[str, ...], Named[str, int], str]  # struck in this order, the levels left, the state


@procedure(
    "GAM-027 GAM-210 GAM-214 GAM-215 GAM-216 GAM-220 GAM-222 GAM-223 GAM-Q56 GAM-Q57",
    say="an injury spread over the three attributes of its kind",
    results="struck levels state",
)
def injure(
    play: Play, *, kind: Kind, injury: Annotated[int, Whole(0, 999)], levels: Levels, target: str | None = None
) -> Injured:
    """What an injury leaves: it strikes a random attribute, or the target, and what is left over flows on.

    The die that picks passes over attributes at 0; the last one needs no die; beyond all three it is lost (`GAM-C06`).
    """
    names = require_triad(play, kind, levels)
    require_target(play, levels, target)
    left, after, struck = injury, {name: levels[name] for name in names}, list[str]()
    while left and any(after.values()):
        name = target if target is not None and not struck else _picked(play, after)
        taken = min(left, after[name])
        play.tell(f"{printed(play, name)} {after[name]} takes {taken}: {after[name] - taken} left", "GAM-214")
        struck.append(name)
        after[name] -= taken
        left -= taken
        if left and any(after.values()):
            play.tell(f"{left} more flow on", "GAM-215")
    state = state_of(play, kind, after)
    play.tell(f"state: {state}", *STATE_RULES[min(list(after.values()).count(0), 3)])
    return tuple(struck), Named(after), state


STATE_RULES: tuple[tuple[str, ...], ...] = ((), ("GAM-220",), ("GAM-222",), ("GAM-223",))


def require_target(play: Play, levels: Mapping[str, int], target: str | None) -> None:
    """Refuses a target that is not of this kind of conflict, or has nothing left to lose (`GAM-Q57`)."""
    if target is None:
        return
    if target not in levels:
        raise Refused("target", f"target: takes {', '.join(levels)}; not {target}", "GAM-216")
    if not levels[target]:
        raise Refused("target", f"target: {printed(play, target)} is at 0 already", "GAM-Q57")


def _picked(play: Play, levels: Mapping[str, int]) -> str:
    """One of the attributes still above 0, each with the same number of faces."""
    able = [name for name, level in levels.items() if level]
    if len(able) == 1:
        return able[0]
    sides = play.values.number("injury.pick")
    share = sides // len(able)
    reading = tuple(tuple(range(1 + share * each, 1 + share * (each + 1))) for each in range(len(able)))
    return able[play.dice.pool(1, sides, reading, "which attribute").index(1)]


@procedure("GAM-218 GAM-Q58", say="the fatigue that every conflict leaves", results="struck levels state")
def fatigue(play: Play, *, kind: Kind, levels: Levels) -> Injured:
    """What is left after one level of injury to a random attribute of the conflict's triad."""
    play.tell("fatigue after the conflict", "GAM-218")
    return injure(play, kind=kind, injury=play.values.number("conflict.fatigue"), levels=levels)


@procedure("GAM-H6", say="harm that is no weapon", results="damage struck levels state")
def mishap(
    play: Play, *, size: Size, levels: Levels, target: str | None = None
) -> tuple[int, tuple[str, ...], Named[str, int], str]:
    """What a fall, a fire or a poison leaves: the dice of its size, at random, or first on the target."""
    play.tell(f"a {size} mishap", "GAM-H6")
    _, _, suffered = damage(play, size=size)
    return suffered, *injure(play, kind="physical", injury=suffered, levels=levels, target=target)


Coverage: TypeAlias = Annotated[int, Whole(2, 13)]
Rating: TypeAlias = Annotated[int, Whole(0, 99)]


@dataclass(frozen=True, slots=True)
class Armour:
    """A piece of armour: 2d6 under its coverage protects, from 2 (never) to 13 (always); its rating (`GAM-Q50`)."""

    coverage: Coverage
    rating: Rating


Worn: TypeAlias = Armour | tuple[Armour, ...] | None


@procedure("GAM-200 GAM-201 GAM-Q49 GAM-Q50", say="does the armour cover what was struck", results="protects")
def coverage(play: Play, *, coverage: Coverage) -> bool:
    """Whether 2d6 come out strictly under the coverage."""
    dice = play.values.numbers("coverage")
    rolled = play.dice.total(dice["dice"], dice["sides"], "coverage")
    protects = rolled < coverage
    text = f"{rolled} is {'' if protects else 'not '}under {coverage}"
    play.tell(f"coverage: {text}, the armour {'protects' if protects else 'does not protect'}", "GAM-201", "GAM-Q49")
    return protects


@procedure(
    "GAM-202 GAM-203 GAM-204 GAM-Q51", say="how much of an injury armour lets pass", results="stopped halved injury"
)
def armour(play: Play, *, rating: Rating, damage: Annotated[int, Whole(0, 999)]) -> tuple[int, int, int]:
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
    return stopped, halved, passes


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
    ratings = [piece.rating for piece in pieces if coverage(play, coverage=piece.coverage)]
    if not ratings:
        return Shielded(False, struck_for)
    return Shielded(True, armour(play, rating=max(ratings), damage=struck_for)[-1])
