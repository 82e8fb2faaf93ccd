"""Attributes (sections 2 and 3): levels as digits, the three ways to come by the six, and what a level means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from sheetgen.model.outcome import Named
from sheetgen.model.scale import HEX_DIGITS
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers import figures
from sheetgen.systems.gamers.terms import Level, Levels, code_of, level_of, levels_of, printed, require_names, roles


@dataclass(frozen=True, slots=True)
class Digit:
    """A level and the digit that writes it."""

    level: int
    symbol: str


@procedure("GAM-015", "GAM-016", say="a level as a hexadecimal digit, or a digit as a level")
def hex_(play: Play, *, level: Level | None = None, symbol: str | None = None) -> Digit:
    """The level with its digit, from either of the two."""
    if (level is None) == (symbol is None):
        raise Refused("parameters", "takes a level or a symbol, and not both", "GAM-015")
    found = level_of(symbol) if symbol is not None else level or 0
    play.tell(f"level {found} is written {HEX_DIGITS[found]}", "GAM-015")
    return Digit(found, HEX_DIGITS[found])


@dataclass(frozen=True, slots=True)
class Code:
    """Levels of the six attributes, and the code that writes them."""

    attributes: Named[str, int]
    code: str


@procedure("GAM-020", "GAM-033", say="six attributes as a code such as 79B2C5, or the code as levels")
def compact(play: Play, *, code: str | None = None, attributes: Levels | None = None) -> Code:
    """The six levels with their code, from either of the two, in the order of the sheet."""
    if (code is None) == (attributes is None):
        raise Refused("parameters", "takes a code or attributes, and not both", "GAM-033")
    names = roles(play.system, "attributes")
    if code is not None:
        levels = dict(zip(names, levels_of(code, len(names), "code"), strict=True))
    else:
        require_names("attributes", attributes or {}, names, "GAM-020", every=True)
        levels = {name: (attributes or {})[name] for name in names}
    written = code_of(levels.values())
    play.tell(f"{play.system.title} {written}", "GAM-033")
    return Code(Named(levels), written)


@procedure("GAM-020", "GAM-030", "GAM-033", say="six attributes rolled in order")
def roll_attributes(play: Play) -> Code:
    """What the dice give each attribute in the order in which the title spells them (`GAM-C02`)."""
    dice = play.values.numbers("quickie.dice")

    def rolled(role: str) -> int:
        name = printed(play, role)
        level = play.dice.total(dice["count"], dice["sides"], name)
        play.tell(f"{name}: {level}", "GAM-030")
        return level

    levels = play.each("attributes", roles(play.system, "attributes"), rolled)
    written = code_of(levels.values())
    play.tell(f"{play.system.title} {written}", "GAM-033")
    return Code(Named(levels), written)


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether the rules allow it."""

    legal: bool


@procedure("GAM-031", say="may six rolled numbers be given to the attributes like this")
def arrange(play: Play, *, rolled: tuple[Annotated[int, Whole(0, 99)], ...], levels: Levels) -> Judged:
    """Whether each rolled number is used once."""
    require_names("levels", levels, roles(play.system, "attributes"), "GAM-020", every=True)
    legal = sorted(rolled) == sorted(levels.values())
    play.tell("each number is used once" if legal else "these are not the numbers that were rolled", "GAM-031")
    return Judged(legal)


@dataclass(frozen=True, slots=True)
class Bought:
    """What the levels cost together, and whether they may be bought."""

    total: int
    legal: bool


@procedure("GAM-014", "GAM-032", say="attributes bought with points instead of dice")
def buy_attributes(play: Play, *, levels: Levels) -> Bought:
    """The points spent, one a level; legal within the budget and with each level in its range (`GAM-Q4`)."""
    names = roles(play.system, "attributes")
    require_names("levels", levels, names, "GAM-020", every=True)
    total, budget = sum(levels.values()), play.values.number("creation.attribute_points")
    wrong = [name for name in names if levels[name] not in play.system.by_role[name].start]
    play.tell(f"{total} points of {budget}", "GAM-032")
    for name in wrong:
        start = play.system.by_role[name].start
        span = f"{HEX_DIGITS[start.low]} to {HEX_DIGITS[start.high]}"
        play.tell(f"{printed(play, name)} {HEX_DIGITS[levels[name]]} is not a starting level ({span})", "GAM-014")
    return Bought(total, total <= budget and not wrong)


@dataclass(frozen=True, slots=True)
class Band:
    """What a level means."""

    band: str
    word: str


@procedure("GAM-028", say="what an attribute level means")
def attribute_band(play: Play, *, level: Level) -> Band:
    """The band of a level and the pack's words for it; levels off the table read the nearest band (`GAM-Q5`)."""
    row = play.system.tables["attributes"].row(level)
    play.tell(f"{HEX_DIGITS[level]}: {row['key']} - {row['word']}", "GAM-028")
    return Band(row["key"], row["word"])


@dataclass(frozen=True, slots=True)
class Weight:
    """A body's weight."""

    kg: int


@procedure("GAM-029", say="body weight from Strength")
def weight(play: Play, *, strength: Level) -> Weight:
    """The usual weight in kg."""
    kg = figures.weight(play.values, strength)
    play.tell(f"{printed(play, play.values.text('weight.of'))} {strength}: near {kg} kg", "GAM-029")
    return Weight(kg)
