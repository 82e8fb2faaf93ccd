"""The steps that make a Die Codes character: stats and skills at random or by choice, luck, a look, and gear.

What is rolled is rolled by the procedures of `making`; nothing here knows a number of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.dice.notation import Notation, parse_notation
from sheetgen.dice.source import Dice
from sheetgen.model.cast import Item, fits
from sheetgen.model.data import Word
from sheetgen.model.system import Span
from sheetgen.rules.creation.choices import ChoiceForm, PointBuy
from sheetgen.rules.creation.draft import Draft, Making, StepFunction
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.diecodes.budgets import Budgets
from sheetgen.systems.diecodes.making import random_skills, random_stats, start

STATS, SKILLS = "stats", "skills"
TOP_WEIGHT = 4  # of ten pips, so many fall on what matters most; the next stats get one fewer each
SPENT_AT_ONCE = (3, 3, 3, 2, 1)  # pips that a skill takes in one go when skills are bought: mostly whole dice


def stats_rolled(making: Making) -> StepFunction:
    """A step that places the pips of the stats where the dice say (`DIE-222`); an archetype may give all four."""
    making.only()
    given = _given(making)
    if given and set(given) != set(Budgets(making.system).names(STATS)):
        raise making.wrong("an archetype that gives some stats but not all cannot roll the rest [DIE-222]")

    def step(draft: Draft, dice: Dice) -> None:
        if given:
            return
        stats = random_stats(Play(making.system, dice)).stats
        codes = Budgets(making.system).codes
        _settle(draft, STATS, {name: codes.read(code, name) for name, code in stats.items()})
        draft.tell(", ".join(f"{name} {code}" for name, code in stats.items()))

    return step


def stats_shared(making: Making) -> StepFunction:
    """A step that shares the dice among the stats (`DIE-201`): an archetype's order draws the most, else any order.

    What an archetype gives is spent first; InputError at the step when the budget does not fit the rest.
    """
    making.only()
    budgets, archetype = Budgets(making.system), making.plan.archetype
    names = budgets.names(STATS)
    least, most, budget = (budgets.worth(f"stats.{path}") for path in ("least", "most", "budget"))
    fixed = _given(making)
    open_to = tuple(name for name in names if name not in fixed)
    left = budget - sum(fixed.values())
    if not least * len(open_to) <= left <= most * len(open_to):
        raise making.wrong("what the archetype gives does not leave a legal share for the other stats [DIE-201]")

    def step(draft: Draft, dice: Dice) -> None:
        order = [name for name in archetype.attributes if name in open_to] if archetype is not None else []
        rest = [name for name in open_to if name not in order]
        while rest:
            order.append(rest.pop(dice.choose(len(rest), "what matters next")))
        stats = {**fixed, **dict.fromkeys(order, least)}
        for _ in range(left - least * len(order)):
            drawn = [n for at, n in enumerate(order) for _ in range(max(TOP_WEIGHT - at, 1)) if stats[n] < most]
            stats[drawn[dice.choose(len(drawn), "a pip for a stat")]] += 1
        _settle(draft, STATS, {name: stats[name] for name in names})
        draft.tell(", ".join(f"{name} {budgets.codes.write(stats[name])}" for name in names))

    return step


def _given(making: Making) -> dict[str, int]:
    """The stats that an archetype gives."""
    archetype = making.plan.archetype
    gives = archetype.gives.get(STATS, {}) if archetype is not None else {}
    return {name: pips for name, pips in gives.items() if isinstance(pips, int)} if isinstance(gives, Mapping) else {}


def skills_rolled(making: Making) -> StepFunction:
    """A step that raises the skills that two dice pick (`DIE-223`)."""
    making.only()

    def step(draft: Draft, dice: Dice) -> None:
        _raise(making, draft, random_skills(Play(making.system, dice)).raises)

    return step


def skills_bought(making: Making) -> StepFunction:
    """A step that shares the dice of skill (`DIE-104`): an archetype's core first, then what the dice fancy.

    Without an archetype the skills of a trade are raised. InputError at the step for a core that the budget forbids.
    """
    making.only()
    budgets, archetype = Budgets(making.system), making.plan.archetype
    everything, most, budget = budgets.names(SKILLS), budgets.worth("skills.most"), budgets.worth("skills.budget")
    core = dict(archetype.core) if archetype is not None else {}
    if sum(core.values()) > budget or any(pips > most for pips in core.values()):
        raise making.wrong("what the archetype raises first is more than the rules allow [DIE-104]")
    trades = [trade for trade in making.system.cast.occupations.values() if trade.skills]

    def step(draft: Draft, dice: Dice) -> None:
        wanted = archetype.also if archetype is not None else ()
        if archetype is None and trades:
            wanted = trades[dice.choose(len(trades), "a trade to learn")].skills
        raises = dict(core)
        fancied = [*dict.fromkeys((*core, *wanted)), everything[dice.choose(len(everything), "a fancy of one’s own")]]
        left = budget - sum(raises.values())
        while left:
            open_to = [name for name in fancied if raises.get(name, 0) < most] or [
                name for name in everything if raises.get(name, 0) < most
            ]
            name = open_to[dice.choose(len(open_to), "what to raise")]
            pips = SPENT_AT_ONCE[dice.choose(len(SPENT_AT_ONCE), "by how much")]
            pips = min(pips, left, most - raises.get(name, 0))
            raises[name] = raises.get(name, 0) + pips
            left -= pips
        _raise(making, draft, raises)

    return step


def _raise(making: Making, draft: Draft, raises: Mapping[str, int]) -> None:
    """Lays down the raised skills, each from the code of its stat upward (`DIE-018`)."""
    codes = Budgets(making.system).codes
    stat = {trait.name: trait.section for trait in making.system.group(SKILLS).members}
    levels = {name: draft.levels[stat[name]] + pips for name, pips in raises.items()}
    _settle(draft, SKILLS, levels)
    draft.tell(", ".join(f"{name} {codes.write(pips)}" for name, pips in levels.items()))


def _settle(draft: Draft, group: str, levels: dict[str, int]) -> None:
    draft.groups[group] = levels
    draft.levels.update(levels)


def luck(making: Making) -> StepFunction:
    """A step that gives the luck of a new character (`DIE-044`), unless an option says to go without (`DIE-Q28`)."""
    making.only("holds")
    holds = making.chosen(making.option("holds", "switch")) == "yes"

    def step(draft: Draft, dice: Dice) -> None:
        points = start(Play(making.system, dice)).luck if holds else 0
        _settle(draft, "fortune", {"luck": points})
        draft.tell(f"luck: {points}")

    return step


def lines(making: Making) -> StepFunction:
    """A step that rolls on tables of words and puts what comes up into a field, one after another."""
    making.only("tables", "into")
    into, named = making.field("into", "text").name, making.data("tables")
    if isinstance(named, (Word, Mapping)):
        raise making.wrong("tables must be a list of tables", named)
    tables = []
    for word in named:
        if not isinstance(word, Word) or word not in making.system.tables or not making.system.tables[word].dice:
            raise making.wrong("tables must name tables with dice", word)
        tables.append((making.system.tables[word], parse_notation(making.system.tables[word].dice)))

    def step(draft: Draft, dice: Dice) -> None:
        said = [table.row(_read(notation, dice, table.title))["is"] for table, notation in tables]
        draft.values[into] = "; ".join(said)
        draft.tell(f"{into}: {'; '.join(said)}")

    return step


def _read(notation: Notation, dice: Dice, purpose: str) -> int:
    return notation.total(dice.roll(notation.count, notation.sides, purpose))


def gear(making: Making) -> StepFunction:
    """A step that lists gear: `arms`, `tools` for the skills raised most, the trade's own, and others up to `most`.

    Whoever has raised no weapon skill carries a plain arm, whoever has raised a parry that needs a thing in hand has
    that too; an archetype that gives gear keeps to it.
    """
    making.only("arms", "tools", "most")
    numbers = {name: making.number(name) for name in ("arms", "tools", "most")}
    cast, values = making.system.cast, making.system.values
    hands = values.text("exchange.bare_hands")
    weapon_skills = [name for name in values.names("arms") if name != hands]
    needs = tuple(values.names("exchange.needs"))
    by_skill: dict[str, list[Item]] = {}
    for thing in cast.things.values():
        if "beast" not in thing.facts:
            by_skill.setdefault(fact(thing, "skill"), []).append(thing)
    plain = [thing for thing in cast.things.values() if "plain" in thing.facts]

    def step(draft: Draft, dice: Dice) -> None:
        if draft.given is not None and "gear" in draft.given.values:
            return
        skills = [name for name in _most_raised(making, draft) if name in by_skill]
        armed = [name for name in skills if name in weapon_skills][: numbers["arms"]]
        parried = [name for name in skills if name in needs]
        tools = [name for name in skills if name not in (*weapon_skills, *parried)][: numbers["tools"]]
        owned = [] if armed else [_one(plain, draft, dice)]
        owned += [_one(by_skill[name], draft, dice) for name in (*armed, *parried, *tools)]
        owned += draft.occupation.gear if draft.occupation is not None else ()
        owned = [thing for thing in dict.fromkeys(owned) if thing]
        others = [phrase.say for phrase in cast.belongings if fits(phrase.fits, draft.levels)]
        while len(owned) < numbers["most"] and (left := [thing for thing in others if thing not in owned]):
            owned.append(left[dice.choose(len(left), "belonging")])
        draft.values["gear"] = tuple(owned)
        draft.tell(f"gear: {'; '.join(owned)}")

    return step


def _most_raised(making: Making, draft: Draft) -> list[str]:
    """The raised skills, those that rose most above their stat first."""
    stat = {trait.name: trait.section for trait in making.system.group(SKILLS).members}
    raises = {name: pips - draft.levels[stat[name]] for name, pips in draft.groups.get(SKILLS, {}).items()}
    return sorted(raises, key=lambda name: -raises[name])


def fact(thing: Item, name: str) -> str:
    """A fact of a thing as a word, or nothing."""
    word = thing.facts.get(name, "")  # type: ignore[call-overload]
    return word if isinstance(word, str) else ""


def _one(things: list[Item], draft: Draft, dice: Dice) -> str:
    """One of the things that fit, or nothing when none does."""
    fitting = [thing.name for thing in things if fits(thing.fits, draft.levels)]
    return fitting[dice.choose(len(fitting), "a thing")] if fitting else ""


def stat_forms(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The dice that are shared among the stats."""
    budgets, group = Budgets(making.system), making.system.group("stats")
    span = Span(budgets.worth("stats.least"), budgets.worth("stats.most"))
    start = {trait.name: span for trait in group.members}
    budget, writes = budgets.worth("stats.budget"), budgets.codes.write
    return (PointBuy(group, budget, lambda name, level: level, start, unit="", writes=writes),)


def skill_forms(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The dice that raise skills above their stats; a skill at the code of its stat is none of its own."""
    budgets, group = Budgets(making.system), making.system.group("skills")
    most, stat = budgets.worth("skills.most"), {trait.name: trait.section for trait in group.members}
    own = {name: draft.levels.get(stat[name], 0) for name in stat}
    start = {name: Span(level, level + most) for name, level in own.items()}
    budget, writes = budgets.worth("skills.budget"), budgets.codes.write

    def raised(name: str, level: int) -> int:
        return level - own[name]

    return (PointBuy(group, budget, raised, start, unit="", writes=writes, drops=True),)
