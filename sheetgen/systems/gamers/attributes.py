"""Attributes (sections 2 and 3): levels as digits, the three ways to come by the six, and what a level means."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from sheetgen.model.outcome import Named
from sheetgen.model.scale import HEX_DIGITS
from sheetgen.model.system import Table, TableRow
from sheetgen.rules.procedures.parameters import OneOf
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers import figures
from sheetgen.systems.gamers.terms import (
    Level,
    Levels,
    code_of,
    level_of,
    levels_of,
    not_below_zero,
    printed,
    require_names,
    roles,
)


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
class Weight:
    """A body's weight."""

    kg: int


@procedure("GAM-029", say="body weight from Strength")
def weight(play: Play, *, strength: Level) -> Weight:
    """The usual weight in kg."""
    kg = figures.weight(play.values, strength)
    play.tell(f"{printed(play, play.values.text('weight.of'))} {strength}: near {kg} kg", "GAM-029")
    return Weight(kg)


TECH, PEOPLE = "Tech", "People"


@dataclass(frozen=True, slots=True)
class Features:
    """The level of each feature."""

    features: Named[str, int]


@procedure("GAM-041", "GAM-058", "GAM-057", say="six features rolled in order; the GM may set Tech")
def roll_features(play: Play, *, tech_set_by_gm: Level | None = None) -> Features:
    """The six features; a Tech that the GM sets takes no dice (`GAM-Q7`, `GAM-C02`)."""
    dice = play.values.numbers("quickie.dice")
    span = play.system.by_role[TECH].start
    if tech_set_by_gm is not None and tech_set_by_gm not in span:
        raise Refused("tech", f"tech_set_by_gm: takes {span.low} to {span.high}, not {tech_set_by_gm}", "GAM-057")

    def rolled(name: str) -> int:
        if name == TECH and tech_set_by_gm is not None:
            play.tell(f"{name}: {tech_set_by_gm}, set by the GM", "GAM-058")
            return tech_set_by_gm
        level = play.dice.total(dice["count"], dice["sides"], name)
        play.tell(f"{name}: {level}", "GAM-041")
        return level

    found = play.each("features", roles(play.system, "features"), rolled)
    return Features(Named(found))


@dataclass(frozen=True, slots=True)
class Reaction:
    """How one person takes to another at first."""

    reaction: int


@procedure("GAM-050", say="how somebody takes to a stranger")
def reaction(play: Play) -> Reaction:
    """The Reaction on first meeting; 7 is obliging."""
    dice = play.values.numbers("quickie.dice")
    total = play.dice.total(dice["count"], dice["sides"], "the reaction")
    play.tell(f"Reaction {total}", "GAM-050")
    return Reaction(total)


@dataclass(frozen=True, slots=True)
class Wealth:
    """A month's income, what is owned, the week's hours, and whether what is owned is owed."""

    monthly_income: Decimal
    savings: Decimal
    weekly_hours: int
    owed: bool


@procedure("GAM-060", "GAM-062", "GAM-063", say="income, possessions and working hours from Wealth")
def wealth(
    play: Play,
    *,
    rating: Level,
    minimum_wage: Decimal,
    specialty: Annotated[str, OneOf("wealth.specialties")] | None = None,
) -> Wealth:
    """What a Wealth level comes to where the minimum wage is this much a month (`GAM-Q12`, `GAM-Q13`)."""
    not_below_zero("minimum_wage", minimum_wage)
    values, table = play.values, play.system.tables["wealth"]
    betters = values.text(f"wealth.specialties.{specialty}") if specialty else ""
    row = _row(table, rating)
    better = table.rows[min(table.rows.index(row) + 1, len(table.rows) - 1)]
    income = minimum_wage * int((better if betters == "income" else row).columns["income"])
    savings = minimum_wage * int((better if betters == "savings" else row).columns["savings"])
    hours = values.number("wealth.low_hours" if betters == "hours" else "wealth.hours")
    play.tell(f"{row.columns['word']}: {income} a month for {hours} hours a week, {savings} owned", "GAM-060")
    return Wealth(income, savings, hours, specialty == values.text("wealth.owed"))


def _row(table: Table, level: int) -> TableRow:
    """The row for a level; levels off either end read the first or last row."""
    held = max(level, table.rows[0].span.low)
    return next((row for row in table.rows if held in row.span), table.rows[-1])
