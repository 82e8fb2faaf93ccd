"""The steps that make a Die Codes character: stats and skills at random or by choice, luck, a look, and gear.

What is rolled is rolled by the procedures of `making`; nothing here knows a number of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.dice.source import Dice
from sheetgen.model.cast import Item, fits
from sheetgen.model.system import Span
from sheetgen.rules.creation.choices import ChoiceForm, PointBuy
from sheetgen.rules.creation.dealing import Dealer
from sheetgen.rules.creation.draft import Draft, Making, StepFunction
from sheetgen.rules.creation.gear import Belongings, belongings_of, kinds_in
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.diecodes.figures import stat_of_skills
from sheetgen.systems.diecodes.making import Budgets, random_skills, random_stats, start

TOP_WEIGHT = 4  # of ten pips, so many fall on what matters most; the next stats get one fewer each
SPENT_AT_ONCE = (3, 3, 3, 2, 1)  # pips that a skill takes in one go when skills are bought: mostly whole dice


def stats_rolled(making: Making) -> StepFunction:
    """A step that places the pips of the stats where the dice say (`DIE-222`); an archetype may give all four."""
    making.only()
    given, budgets = _given_pips(making), Budgets(making.system)
    if given and set(given) != set(budgets.names("stats")):
        raise making.wrong("an archetype that gives some stats but not all cannot roll the rest [DIE-222]")

    def step(draft: Draft, dice: Dice) -> None:
        if not given:
            stats = random_stats(Play(making.system, dice))
            _lay(making, draft, "stats", {name: budgets.codes.read(code, name) for name, code in stats.items()})

    return step


def stats_shared(making: Making) -> StepFunction:
    """A step that shares the dice among the stats (`DIE-201`): an archetype's order draws the most, else any order.

    What an archetype gives is spent first; InputError at the step when the budget does not fit the rest.
    """
    making.only()
    budgets, archetype, given = Budgets(making.system), making.plan.archetype, _given_pips(making)
    names = budgets.names("stats")
    least, most, budget = (budgets.worth(f"stats.{path}") for path in ("least", "most", "budget"))
    open_to = tuple(name for name in names if name not in given)
    left = budget - sum(given.values())
    if not least * len(open_to) <= left <= most * len(open_to):
        raise making.wrong("what the archetype gives does not leave a legal share for the other stats [DIE-201]")

    def step(draft: Draft, dice: Dice) -> None:
        order = [name for name in archetype.attributes if name in open_to] if archetype is not None else []
        rest = [name for name in open_to if name not in order]
        while rest:
            order.append(rest.pop(dice.choose(len(rest), "what matters next")))
        stats = {**given, **dict.fromkeys(order, least)}
        for _ in range(left - least * len(order)):
            drawn = [n for at, n in enumerate(order) for _ in range(max(TOP_WEIGHT - at, 1)) if stats[n] < most]
            stats[drawn[dice.choose(len(drawn), "a pip for a stat")]] += 1
        _lay(making, draft, "stats", {name: stats[name] for name in names})

    return step


def _given_pips(making: Making) -> dict[str, int]:
    archetype = making.plan.archetype
    gives = archetype.gives.get("stats", {}) if archetype is not None else {}
    return {name: pips for name, pips in gives.items() if isinstance(pips, int)} if isinstance(gives, Mapping) else {}


def skills_rolled(making: Making) -> StepFunction:
    """A step that raises the skills that two dice pick (`DIE-223`)."""
    making.only()

    def step(draft: Draft, dice: Dice) -> None:
        _raise(making, draft, random_skills(Play(making.system, dice))[0])

    return step


def skills_bought(making: Making) -> StepFunction:
    """A step that shares the dice of skill (`DIE-104`): an archetype's core first, then what the dice fancy.

    Without an archetype the skills of a trade are raised. Whoever has learned to fight has `armed` pips at least on the
    one of `arms` that the archetype likes, or on the first; nothing goes to those of `never`. InputError at the step
    for a core that the budget forbids.
    """
    making.only("arms", "armed", "never")
    budgets, archetype = Budgets(making.system), making.plan.archetype
    everything, most, budget = budgets.names("skills"), budgets.worth("skills.most"), budgets.worth("skills.budget")
    arms, never = (making.words(name) if name in making.step.params else () for name in ("arms", "never"))
    armed = making.number("armed") if "armed" in making.step.params else 0
    everything = tuple(name for name in everything if name not in never)
    core = {name: pips for name, pips in archetype.core.items() if name in everything} if archetype is not None else {}
    if arms:
        also = archetype.also if archetype is not None else ()
        arm = next((name for names in (core, also) for name in arms if name in names), arms[0])
        core[str(arm)] = max(core.get(arm, 0), armed)
    if sum(core.values()) > budget or any(pips > most for pips in core.values()):
        raise making.wrong("what the archetype raises first is more than the rules allow [DIE-104]")
    trades = [trade for trade in making.system.cast.occupations.values() if trade.skills]

    def step(draft: Draft, dice: Dice) -> None:
        liked = archetype.also if archetype is not None else ()
        if archetype is None and trades:
            liked = trades[dice.choose(len(trades), "a trade to learn")].skills
        raises = dict(core)
        known = [name for name in (*core, *liked) if name in everything]
        fancied = [*dict.fromkeys(known), everything[dice.choose(len(everything), "a fancy of one’s own")]]
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
    """Notes the raised skills, each from the code of its stat upward (`DIE-018`)."""
    stat = stat_of_skills(making.system)
    _lay(making, draft, "skills", {name: draft.levels[stat[name]] + pips for name, pips in raises.items()})


def _lay(making: Making, draft: Draft, group: str, pips: dict[str, int]) -> None:
    """Notes stats or skills, and tells their codes."""
    draft.groups[group] = pips
    draft.levels.update(pips)
    codes = Budgets(making.system).codes
    draft.tell(", ".join(f"{name} {codes.write(level)}" for name, level in pips.items()))


def luck(making: Making) -> StepFunction:
    """A step that gives the luck of a new character (`DIE-044`), unless an option says to go without (`DIE-Q28`)."""
    making.only("holds")
    holds = making.chosen(making.option("holds", "switch")) == "yes"

    def step(draft: Draft, dice: Dice) -> None:
        points = start(Play(making.system, dice))[0] if holds else 0
        draft.groups["fortune"] = {"luck": points}
        draft.levels["luck"] = points
        draft.tell(f"luck: {points}")

    return step


def lines(making: Making) -> StepFunction:
    """A step that deals a line of each table of words into a field: dice would repeat themselves in a run."""
    making.only("tables", "into")
    into, names = making.field("into", "text").name, making.words("tables")
    tables = []
    for name in names:
        if name not in making.system.tables or not making.system.tables[name].dice:
            raise making.wrong("tables must name tables with dice", name)
        table = making.system.tables[name]
        rows, place = [(row.columns["is"], ()) for row in table.rows], list(making.system.tables).index(name)
        tables.append(Dealer(rows, making.key(into, name), spare=1, wider=-place))

    def step(draft: Draft, dice: Dice) -> None:
        words = [dealer.deal(draft.index, draft.levels, dice) or "" for dealer in tables]
        draft.values[into] = "; ".join(words)
        draft.tell(f"{into}: {'; '.join(words)}")

    return step


def gear(making: Making) -> StepFunction:
    """A step that lists gear: `arms`, `tools` for the skills raised most, the trade's own, and others up to `most`.

    Whoever has raised no weapon skill carries a plain arm, whoever has raised a parry that needs a thing in hand has
    that too; an archetype that gives gear keeps to it.
    """
    making.only("arms", "tools", "most")
    numbers = {name: making.number(name) for name in ("arms", "tools", "most")}
    cast, values = making.system.cast, making.system.values
    weapon_skills = [name for name in values.names("arms") if name != values.text("exchange.bare_hands")]
    needs = tuple(values.names("exchange.needs"))
    by_skill: dict[str, list[Item]] = {}
    for thing in cast.things.values():
        if not thing.has("beast"):
            by_skill.setdefault(thing.text("skill"), []).append(thing)
    plain = [thing for thing in cast.things.values() if thing.has("plain")]
    belongings, kinds = belongings_of(making, each=2), kinds_in(cast)

    def step(draft: Draft, dice: Dice) -> None:
        if draft.given is not None and "gear" in draft.given.values:
            return
        skills = [name for name in _most_raised(making, draft) if name in by_skill]
        brought = draft.occupation.gear if draft.occupation is not None else ()
        held = {skill for thing in brought for skill in cast.arms(thing)}
        armed = [name for name in skills if name in weapon_skills][: numbers["arms"]]
        parried = [name for name in skills if name in needs]
        tools = [name for name in skills if name not in (*weapon_skills, *parried)][: numbers["tools"]]
        owned = [] if armed or held else [_one(plain, draft, dice)]
        owned += [_one(by_skill[name], draft, dice) for name in (*armed, *parried, *tools) if name not in held]
        owned = [thing for thing in dict.fromkeys((*owned, *brought)) if thing]
        things = Belongings(owned, kinds)
        things.fill(numbers["most"], belongings, draft, dice)
        things.write_to(draft)

    return step


def _most_raised(making: Making, draft: Draft) -> list[str]:
    """The raised skills, those that rose most above their stat first."""
    stat = stat_of_skills(making.system)
    raises = {name: pips - draft.levels[stat[name]] for name, pips in draft.groups.get("skills", {}).items()}
    return sorted(raises, key=lambda name: -raises[name])


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
    own = {name: draft.levels.get(stat, 0) for name, stat in stat_of_skills(making.system).items()}
    most, budget = budgets.worth("skills.most"), budgets.worth("skills.budget")
    start = {name: Span(level, level + most) for name, level in own.items()}
    writes = budgets.codes.write
    return (PointBuy(group, budget, lambda name, level: level - own[name], start, unit="", writes=writes, drops=True),)
