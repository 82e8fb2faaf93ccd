"""Attributes (sections 2 and 3): levels as digits, the three ways to come by the six, and what a level means."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from sheetgen.model.procedures import Named
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


@procedure("GAM-015 GAM-016", say="a level as a hexadecimal digit, or a digit as a level", results="level symbol")
def hex_(play: Play, *, level: Level | None = None, symbol: str | None = None) -> tuple[int, str]:
    """The level with its digit, from either of the two."""
    if (level is None) == (symbol is None):
        raise Refused("parameters", "takes a level or a symbol, and not both", "GAM-015")
    found = level_of(symbol) if symbol is not None else level or 0
    play.tell(f"level {found} is written {HEX_DIGITS[found]}", "GAM-015")
    return found, HEX_DIGITS[found]


@procedure(
    "GAM-020 GAM-033",
    say="six attributes as a code such as 79B2C5, or the code as levels",
    results="attributes code",
)
def compact(play: Play, *, code: str | None = None, attributes: Levels | None = None) -> tuple[Named[str, int], str]:
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
    return Named(levels), written


@procedure("GAM-020 GAM-030 GAM-033", say="six attributes rolled in order", results="attributes code")
def roll_attributes(play: Play) -> tuple[Named[str, int], str]:
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
    return Named(levels), written


@procedure("GAM-014 GAM-032", say="attributes bought with points instead of dice", results="total legal")
def buy_attributes(play: Play, *, levels: Levels) -> tuple[int, bool]:
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
    return total, total <= budget and not wrong


@procedure("GAM-029", say="body weight from Strength", results="kg")
def weight(play: Play, *, strength: Level) -> int:
    """The usual weight in kg."""
    kg = figures.weight(play.values, strength)
    play.tell(f"{printed(play, play.values.text('weight.of'))} {strength}: near {kg} kg", "GAM-029")
    return kg


TECH, PEOPLE = "Tech", "People"


@procedure("GAM-041 GAM-058 GAM-057", say="six features rolled in order; the GM may set Tech", results="features")
def roll_features(play: Play, *, tech_set_by_gm: Level | None = None) -> Named[str, int]:
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
    return Named(found)


@procedure("GAM-050", say="how somebody takes to a stranger", results="reaction")
def reaction(play: Play) -> int:
    """The Reaction on first meeting; 7 is obliging."""
    dice = play.values.numbers("quickie.dice")
    total = play.dice.total(dice["count"], dice["sides"], "the reaction")
    play.tell(f"Reaction {total}", "GAM-050")
    return total


@procedure(
    "GAM-060 GAM-062 GAM-063",
    say="income, possessions and working hours from Wealth",
    results="monthly_income savings weekly_hours owed",
)
def wealth(
    play: Play,
    *,
    rating: Level,
    minimum_wage: Decimal,
    specialty: Annotated[str, OneOf("wealth.specialties")] | None = None,
) -> tuple[Decimal, Decimal, int, bool]:
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
    return income, savings, hours, specialty == values.text("wealth.owed")


def _row(table: Table, level: int) -> TableRow:
    """The row for a level; levels off either end read the first or last row."""
    held = max(level, table.rows[0].span.low)
    return next((row for row in table.rows if held in row.span), table.rows[-1])
