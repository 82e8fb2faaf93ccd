"""Features (section 4): rolling the six, dividing People, first meetings, and what Wealth comes to."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from sheetgen.model.outcome import Named
from sheetgen.model.system import Table, TableRow
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers.terms import HIGHEST, Level, not_below_zero, roles

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
class Split:
    """How much of a pool is used, and whether it may be used so."""

    used: int
    legal: bool


@procedure("GAM-046", "GAM-047", say="People divided among the persons in a character's life")
def people_split(play: Play, *, rating: Level, people: tuple[Annotated[int, Whole(0, 99)], ...]) -> Split:
    """The sum of the shares; legal with shares of 1 or more that do not exceed the rating (`GAM-Q9`)."""
    used = sum(people)
    play.tell(f"{' + '.join(map(str, people)) or 0} = {used} of {rating}", "GAM-047")
    return Split(used, used <= rating and all(people))


@dataclass(frozen=True, slots=True)
class Friend:
    """People after one step, the share of the person it went to, and how long it took."""

    rating: int
    share: int
    months: int


@procedure("GAM-049", "GAM-051", say="an acquaintance made into a friend: one step of People")
def grow_people(play: Play, *, rating: Level, share: Level = 0, go_between: bool = False) -> Friend:
    """People and that person's share one higher, in the time of one feature improvement (`GAM-Q11`).

    The total may pass C in play but stops at F (`GAM-Q9`).
    """
    if rating >= HIGHEST:
        raise Refused("people", "People is at F, the highest level there is", "GAM-016")
    months = play.values.number(f"training.{'instructor' if go_between else 'alone'}")
    play.tell(f"after {months} months: People {rating + 1}, this person {share + 1}", "GAM-051", "GAM-Q11")
    return Friend(rating + 1, share + 1, months)


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
