"""Making characters of TSGS: abilities by picks, skills by the picks a die allows, and monsters as the pack has them.

The game rolls one thing only, the number of skill picks; all else is chosen (`TSG-Q45`). Here choices are drawn: evenly
from what is allowed, or, for an archetype, from what such a person would want.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sheetgen.dice.source import Dice
from sheetgen.model.cast import Archetype, Occupation
from sheetgen.model.system import Span, System
from sheetgen.rules.creation.choices import ChoiceForm, PointBuy
from sheetgen.rules.creation.draft import Draft, Making, StepFunction
from sheetgen.systems.tsgs.abilities import level_for_picks, levels_of, written
from sheetgen.systems.tsgs.monsters import as_fought, monster_names
from sheetgen.systems.tsgs.skills import price, universal_in

NPC = "npc"
LEANING = "leaning"
FRONT, TAIL = 5, 3  # how many of the abilities that matter most (least) are looked at

Preference = Callable[[Draft, Dice, list[str]], str]


def monster(making: Making) -> StepFunction:
    """A step that gives a monster its abilities, in the form that the table plays it (`TSG-085`, `TSG-091`)."""
    making.only("stronger", "relentless")
    stronger, relentless = (
        making.chosen(making.option(name, "switch")) == "yes" for name in ("stronger", "relentless")
    )
    system, archetype = making.system, making.plan.archetype
    name = archetype.name if archetype is not None and archetype.name in monster_names(system.values) else ""

    def step(draft: Draft, dice: Dice) -> None:
        if not name:
            draft.tell("nothing")
            return
        fought = as_fought(system.values, name, stronger=stronger, ignores=relentless)
        _lay(system, draft, levels_of(system.values, fought.traits, name))
        if fought.ignores:
            count(draft, "ignores", fought.ignores)
        draft.tell(f"{name}: {', '.join(fought.traits)}")

    return step


def picks_drawn(making: Making) -> StepFunction:
    """A step that draws disabilities and picks evenly from those still open (`TSG-007` to `TSG-010`, `TSG-Q45`)."""

    def any_of(draft: Draft, dice: Dice, names: list[str]) -> str:
        return names[dice.choose(len(names), "which")]

    return _picking(making, any_of, any_of)


def picks_chosen(making: Making) -> StepFunction:
    """A step that puts picks where an archetype wants them, or some archetype if there is none (`TSG-007`)."""
    archetypes = {each.name: each for each in making.system.cast.archetypes.values() if each.attributes}
    if not archetypes:
        raise making.wrong("the pack has no archetype with attributes")

    def wanted(draft: Draft, dice: Dice, names: list[str]) -> str:
        order = [role for role in leaning_of(draft, dice, archetypes).attributes if role in names] or names
        size = min(len(order), FRONT)
        return order[min(dice.choose(size, "what matters"), dice.choose(size, "what matters"))]

    def unwanted(draft: Draft, dice: Dice, names: list[str]) -> str:
        order = [role for role in leaning_of(draft, dice, archetypes).attributes if role in names] or names
        return order[-1 - dice.choose(min(len(order), TAIL), "what does not")]

    return _picking(making, wanted, unwanted)


def leaning_of(draft: Draft, dice: Dice, archetypes: Mapping[str, Archetype]) -> Archetype:
    """The archetype, or for somebody without one that of the calling, the same each time it is asked for."""
    if draft.archetype is not None and draft.archetype.attributes:
        return draft.archetype
    if LEANING not in draft.words:
        near = _like(draft.occupation, archetypes)
        draft.words[LEANING] = near[dice.choose(len(near), LEANING)]
    return archetypes[draft.words[LEANING]]


def _like(trade: Occupation | None, archetypes: Mapping[str, Archetype]) -> list[str]:
    """The archetypes that have a calling among theirs, else those that share most of its skills."""
    if trade is None:
        return list(archetypes)
    own = [name for name, archetype in archetypes.items() if trade.name in archetype.occupations]
    shared = {
        name: sum(skill in archetype.core or skill in archetype.also for skill in trade.skills)
        for name, archetype in archetypes.items()
    }
    return own or [name for name, count in shared.items() if count == max(shared.values())]


def _picking(making: Making, wanted: Preference, unwanted: Preference) -> StepFunction:
    making.only("limit")
    system, values = making.system, making.system.values
    limit = making.option("limit", "word")
    if not all(word.isascii() and word.isdigit() for word in limit.among):
        raise making.wrong("limit: needs an option whose words are whole numbers")
    base, more = values.number("creation.picks"), values.number("creation.picks_a_disability")
    most = values.number(f"levels.{values.text('creation.highest.pc')}.picks")
    pairs = list(values.names("pairs"))
    normal, disability = values.text("rungs.normal"), values.text("rungs.disability")
    bought = [level_for_picks(values, picks) for picks in range(most + 1)]

    def step(draft: Draft, dice: Dice) -> None:
        if is_npc(draft) or is_given(draft, "abilities"):
            draft.tell("as given")
            return
        levels, permitted = dict.fromkeys(pairs, normal), int(draft.words[limit.name])
        for _ in range(dice.choose(min(permitted, len(pairs)) + 1, "how many disabilities")):
            lacking = unwanted(draft, dice, [pair for pair in pairs if levels[pair] == normal])
            levels[lacking] = disability
        picks = dict.fromkeys((pair for pair in pairs if levels[pair] == normal), 0)
        for _ in range(base + more * (len(pairs) - len(picks))):
            picked = wanted(draft, dice, [pair for pair in picks if picks[pair] < most])
            picks[picked] += 1
            levels[picked] = bought[picks[picked]]
        _lay(system, draft, levels)
        if draft.log is not None:
            marks = (written(values, pair, level, short=False) for pair, level in levels.items())
            draft.tell(", ".join(filter(None, marks)))

    return step


def people_only(maker: Callable[[Making], StepFunction], field: str) -> Callable[[Making], StepFunction]:
    """The maker of a step that leaves monsters alone, and others whose archetype settles the field it is for."""

    def made(making: Making) -> StepFunction:
        work = maker(making)

        def step(draft: Draft, dice: Dice) -> None:
            if is_npc(draft) or (draft.given is not None and field in draft.given.values):
                draft.tell("as given")
            else:
                work(draft, dice)

        return step

    return made


def is_given(draft: Draft, group: str) -> bool:
    """Whether the archetype settles the levels of a group, so that there is nothing to pick."""
    return draft.given is not None and group in draft.given.groups


def is_npc(draft: Draft) -> bool:
    """Whether an archetype made it a character that no player plays (`TSG-085`)."""
    return draft.values.get("kind") == NPC


def count(draft: Draft, role: str, number: int) -> None:
    """Notes a number of the tally, such as the skill picks that were rolled."""
    draft.groups.setdefault("tally", {})[role] = draft.levels[role] = number


def _lay(system: System, draft: Draft, levels: Mapping[str, str]) -> None:
    scale = system.group("abilities").scale
    found = {pair: scale.read(level) or 0 for pair, level in levels.items()}
    draft.groups["abilities"] = found
    draft.levels.update(found)


def ability_forms(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The picks of a player's character: a disability gives one back, a second pick of an ability makes it Very."""
    system, values = making.system, making.system.values
    if draft.values.get("kind") == NPC:
        return ()
    group, scale = system.group("abilities"), system.group("abilities").scale
    low, high = (scale.read(values.text(path)) or 0 for path in ("rungs.disability", "creation.highest.pc"))

    def picks(name: str, level: int) -> int:
        word = scale.plain(level)
        if word == values.text("rungs.disability"):
            return -values.number("creation.picks_a_disability")
        return values.number(f"levels.{word}.picks")

    start = {trait.name: Span(low, high) for trait in group.members}
    return (PointBuy(group, values.number("creation.picks"), picks, start, unit="picks"),)


def skill_forms(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The picks that the die gave, spent on skills of the setting; what everybody can do is cheaper (`TSG-020`)."""
    system, values, setting = making.system, making.system.values, str(draft.values.get("setting", ""))
    if draft.values.get("kind") == NPC or not setting:
        return ()
    group, free = system.group("skills"), universal_in(values, setting)
    absent = {str(name) for name in values.at(f"settings.{setting}.absent")}
    roles = {trait.name: trait.role for trait in group.members if trait.role not in absent}
    highest = 1 + values.number("skills.highest_at_start")  # level 1 is the plain name

    def picks(name: str, level: int) -> int:
        return price(values, level - 1, universal=roles.get(name, name) in free) if level else 0

    start = {name: Span(0, highest) for name in roles}
    return (PointBuy(group, draft.levels.get("skill_picks", 0), picks, start, unit="picks"),)
