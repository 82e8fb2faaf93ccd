"""Attributes and skills (sections 2, 3 and 5): levels as digits, ways to come by them, the random table, languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from sheetgen.errors import quoted, suggestion
from sheetgen.model.procedures import Named
from sheetgen.model.scale import HEX_DIGITS
from sheetgen.model.system import Table, TableRow
from sheetgen.model.wording import capital
from sheetgen.rules.creation.steps import rising_cost
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers import creation, figures
from sheetgen.systems.gamers.terms import (
    HIGHEST,
    Level,
    Levels,
    code_of,
    level_of,
    levels_of,
    not_below_zero,
    printed,
    require_names,
    roles,
    words,
)

TECH = "Tech"
DIE = 6


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


@procedure("GAM-074 GAM-093", say="one roll on the skill table", results="number entry")
def skill_table(play: Play) -> tuple[int, str]:
    """The entry that two dice read, tens first (`GAM-Q16`)."""
    faces = play.dice.roll(2, DIE, "skill table")
    entry = creation.table_skill(play.system.tables["skills"], faces)
    number = 10 * faces[0] + faces[1]
    play.tell(f"{number}: {entry}", "GAM-074")
    return number, capital(entry)


@dataclass(frozen=True, slots=True)
class _Rolling:
    """Rolls on the skill table: those still to make, the choices still to use, and the levels that are followed."""

    to_make: int
    player: tuple[str, ...]
    gm: tuple[str, ...]
    levels: Named[str, int] = Named({})  # noqa: RUF009  (it never changes)


@procedure(
    "GAM-070 GAM-073 GAM-075 GAM-076 GAM-077",
    say="a whole list of random skills",
    results="first_count table_rolls skills levels_gained",
)
def roll_skills(
    play: Play, *, player_choices: tuple[str, ...] = (), gm_choices: tuple[str, ...] = (), psi: bool = False
) -> tuple[int, int, Named[str, int], int]:
    """The skills from 2d6 rolls on the table; choices are used in order, and picked by chance when none are left.

    A GM's choice cannot be *Roll twice*, a player's can; with `psi` choices may name a Psi skill (`GAM-Q17`).
    """
    values = play.values
    able = tuple(name for name in roles(play.system, "skills") if psi or name not in words(values, "psi"))
    player, gm = _choices(player_choices, (*able, values.text("choices.twice"))), _choices(gm_choices, able)
    first = play.dice.total(values.number("quickie.dice.count"), values.number("quickie.dice.sides"), "skill rolls")
    play.tell(f"{first} rolls on the skill table", "GAM-073")
    play.settled(first_count=first)
    followed = able if play.needs("levels_gained") else play.wanted("skills", able)
    rolled, rolls = play.rounds(
        _one_more,
        _Rolling(first, player, gm),
        able,
        followed,
        goes_on=lambda rolling: rolling.to_make > 0,
        what="rolls on the skill table",
        counted=play.needs("table_rolls"),
    )
    return first, rolls, rolled.levels, sum(rolled.levels.values())


def _one_more(play: Play, rolling: _Rolling, able: tuple[str, ...], followed: tuple[str, ...]) -> _Rolling:
    """One roll on the table: a level, or two more rolls; levels of skills that nobody asks for are left out."""
    name, player, gm, rules = play.part(_entry, rolling.player, rolling.gm, able, followed)
    levels = rolling.levels
    if name == play.values.text("choices.twice"):
        play.tell("roll twice: no skill, and two more rolls", "GAM-077")
        return _Rolling(rolling.to_make + 1, player, gm, levels)
    if name:
        levels = Named({**levels, name: min(levels.get(name, 0) + 1, HIGHEST)})
        play.tell(f"{name} {levels[name]}", "GAM-073", *rules)
    return _Rolling(rolling.to_make - 1, player, gm, levels)


def _entry(
    play: Play, player: tuple[str, ...], gm: tuple[str, ...], able: tuple[str, ...], followed: tuple[str, ...]
) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The skill that one roll names, or *Roll twice*, or nothing for a skill that is not followed.

    With it come the choices that are left, and the rule behind it where a log is kept.
    """
    entry, twice = skill_table(play)[1].casefold(), play.values.text("choices.twice")
    rules: tuple[str, ...] = ()
    for of, left in (("player", player), ("gm", gm)):
        chosen = play.values.text(f"choices.{of}")
        if entry == chosen.casefold():
            entry = (left[0] if left else able[play.dice.choose(len(able), chosen)]).casefold()
            rules = ("GAM-075",) if of == "player" and play.log is not None else ()
            player, gm = (player[1:], gm) if of == "player" else (player, gm[1:])
            break
    name = next(each for each in (*able, twice) if each.casefold() == entry)
    return name if name in followed or name == twice else "", player, gm, rules


def _choices(given: Sequence[str], able: Sequence[str]) -> tuple[str, ...]:
    by_folded = {name.casefold(): name for name in able}
    for word in given:
        if word.casefold() not in by_folded:
            raise Refused("choice", f"{quoted(word)} cannot be chosen{suggestion(word, able)}", "GAM-Q17")
    return tuple(by_folded[word.casefold()] for word in given)


@procedure("GAM-078", say="what a skill level costs in points", results="points")
def skill_cost(play: Play, *, level: Level) -> int:
    """The points for all levels up to this one."""
    play.tell(f"level {level}: {rising_cost(level)} points", "GAM-078")
    return rising_cost(level)


@procedure("GAM-078 GAM-079 GAM-096", say="skills bought with points", results="points legal")
def buy_skills(
    play: Play,
    *,
    skills: Levels,
    languages: Levels | None = None,
    budget: Annotated[int, Whole(0, 999)] | None = None,
) -> tuple[int, bool]:
    """The points that skills, and languages each as a skill of its own, cost together (`GAM-Q19`)."""
    require_names("skills", skills, roles(play.system, "skills"), "GAM-070")
    most = play.values.number("creation.skill_points") if budget is None else budget
    bought = {**skills, **(languages or {})}
    points = sum(rising_cost(level) for level in bought.values())
    text = ", ".join(f"{name} {level} for {rising_cost(level)}" for name, level in bought.items())
    play.tell(f"{text or 'nothing'}: {points} points of {most}", "GAM-078", "GAM-079")
    return points, points <= most


@procedure("GAM-094 GAM-096", say="levels of Languages spread over tongues", results="languages legal")
def spread_languages(
    play: Play, *, mind: Level, native: str, skill: Level, spread: Levels
) -> tuple[Named[str, int], bool]:
    """Each language with its level: those paid for, the native one on top of its free level (`GAM-Q19`)."""
    free = creation.native_level(play.system.tables["native language"], mind)
    found = {native: free}
    for name, level in spread.items():
        found[name] = min(found.get(name, 0) + level, HIGHEST)
    used = sum(spread.values())
    text = ", ".join(f"{name} {level}" for name, level in found.items())
    play.tell(f"{text}; {used} of {skill} levels used", "GAM-094", "GAM-096")
    return Named(found), used <= skill


def effective(play: Play, level: int, specialty_applies: bool) -> int:
    """The level with its specialty where that applies; F at the most (`GAM-100`, `GAM-Q20`)."""
    return min(level + play.values.number("quickie.specialty"), HIGHEST) if specialty_applies else level


@procedure("GAM-100 GAM-016", say="a level with its specialty", results="level")
def effective_level(play: Play, *, level: Level, specialty_applies: bool = False) -> int:
    """The level that counts inside or outside the specialty."""
    counts = effective(play, level, specialty_applies)
    play.tell(f"level {level} counts as {counts}", "GAM-100")
    return counts


@dataclass(frozen=True, slots=True)
class Specialised:
    """A trait that a specialty is chosen for, and its level."""

    trait: str
    level: Level


@procedure("GAM-101", say="may a new character have these specialties", results="legal")
def specialties(play: Play, *, chosen: tuple[Specialised, ...]) -> bool:
    """Whether there are few enough, one a trait, each on a trait of level 1 or better (`GAM-Q14`, `GAM-Q20`)."""
    traits = [each.trait for each in chosen]
    require_names("trait", traits, (trait.role for trait in play.system.all_traits()), "GAM-Q14")
    most, least = play.values.number("creation.specialties"), play.values.number("creation.specialty_level")
    wrong = [f"{len(chosen)} of {most} at most"] if len(chosen) > most else []
    wrong += [f"{trait} has more than one" for trait in sorted(set(traits)) if traits.count(trait) > 1]
    wrong += [f"{each.trait} is at {each.level}, under {least}" for each in chosen if each.level < least]
    play.tell("; ".join(wrong) or "these are allowed", "GAM-101")
    return not wrong
