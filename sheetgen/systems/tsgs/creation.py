"""Making characters of TSGS: abilities by picks, skills by the picks a die allows, and monsters as the pack has them.

The game rolls one thing only, the number of skill picks; all else is chosen (`TSG-Q45`). Here choices are drawn: evenly
from what is allowed, or, for an archetype, from what such a person would want.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated

from sheetgen.dice.source import Dice
from sheetgen.model.cast import Archetype, Occupation
from sheetgen.model.data import Values
from sheetgen.model.procedures import Named
from sheetgen.model.system import Span, System
from sheetgen.rules.creation.choices import ChoiceForm, PointBuy
from sheetgen.rules.creation.dealing import MOST_REMEMBERED, Dealer
from sheetgen.rules.creation.draft import Draft, Making, StepFunction
from sheetgen.rules.creation.gear import Belongings, belongings_of, kinds_in
from sheetgen.rules.creation.growth import grow
from sheetgen.rules.creation.trades import occupation
from sheetgen.rules.procedures.parameters import OneOf
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.traits import (
    level_for_picks,
    levels_of,
    paces_of,
    picks_rolled,
    price,
    read_mark,
    skill_label,
    universal_in,
    written,
)

LEANING = "leaning"
FRONT, TAIL = 5, 3  # how many of the abilities that matter most (least) are looked at
FANCY = 6  # one pick in so many goes to a fancy

Preference = Callable[[Draft, Dice, list[str]], str]


@procedure(
    "TSG-056 TSG-085 TSG-092",
    say="a monster of the pack, as it stands in a fight",
    results="traits levels ignores paces",
)
def monster(
    play: Play, *, monster: Annotated[str, OneOf("monsters")], stronger: bool = False, ignores: bool = False
) -> tuple[tuple[str, ...], Named[str, str], int, int]:
    """Its traits and levels; `stronger` and `ignores` take up what the GM may allow (`TSG-091`, `TSG-092`)."""
    values = play.values
    traits, less = _monster(values, monster, stronger=stronger, ignores=ignores)
    levels = levels_of(values, traits, "traits")
    play.tell(f"{monster.capitalize()}: {', '.join(traits)}", "TSG-085")
    if less:
        play.tell(f"Each attack deals {less} wound point{'' if less == 1 else 's'} less", "TSG-092")
    paces = paces_of(play, levels[values.text("movement.pair")], 0, monster.capitalize())
    return traits, Named(levels), less, paces


def _monster(values: Values, name: str, *, stronger: bool, ignores: bool) -> tuple[tuple[str, ...], int]:
    """A monster's traits and the wound points it shrugs off, with what the GM allows (`TSG-091`, `TSG-092`)."""
    path = f"monsters.{name}"
    traits = values.words(f"{path}.traits")
    if stronger and values.has(f"{path}.stronger"):
        better = {read_mark(values, words, "stronger").pair: words for words in values.words(f"{path}.stronger")}
        traits = tuple(better.get(read_mark(values, words, "traits").pair, words) for words in traits)
    return traits, values.number(f"{path}.ignores") if ignores and values.has(f"{path}.ignores") else 0


def monster_laid(making: Making) -> StepFunction:
    """A step that gives a monster its abilities, in the form that the table plays it (`TSG-085`, `TSG-091`)."""
    making.only("stronger", "relentless")
    stronger, relentless = (
        making.chosen(making.option(name, "switch")) == "yes" for name in ("stronger", "relentless")
    )
    system, archetype = making.system, making.plan.archetype
    name = archetype.name if archetype is not None and archetype.name in system.values.names("monsters") else ""

    def step(draft: Draft, dice: Dice) -> None:
        if not name:
            draft.tell("nothing")
            return
        traits, ignores = _monster(system.values, name, stronger=stronger, ignores=relentless)
        _lay(system, draft, levels_of(system.values, traits, name))
        if ignores:
            _count(draft, "ignores", ignores)
        draft.tell(f"{name}: {', '.join(traits)}")

    return step


def picks_drawn(making: Making) -> StepFunction:
    """A step that draws disabilities and picks evenly from those still open (`TSG-007` to `TSG-010`, `TSG-Q45`)."""

    def any_of(draft: Draft, dice: Dice, names: list[str]) -> str:
        return names[dice.choose(len(names), "which")]

    return _picking(making, any_of, any_of)


def picks_chosen(making: Making) -> StepFunction:
    """A step that puts picks where an archetype wants them, or some archetype if there is none (`TSG-007`)."""
    archetypes = _leanings(making.system)
    if not archetypes:
        raise making.wrong("the pack has no archetype with attributes")

    def ordered(draft: Draft, dice: Dice, names: list[str]) -> list[str]:
        return [role for role in _leaning(draft, dice, archetypes).attributes if role in names] or names

    def liked(draft: Draft, dice: Dice, names: list[str]) -> str:
        order = ordered(draft, dice, names)
        size = min(len(order), FRONT)
        return order[min(dice.choose(size, "what matters"), dice.choose(size, "what matters"))]

    def disliked(draft: Draft, dice: Dice, names: list[str]) -> str:
        order = ordered(draft, dice, names)
        return order[-1 - dice.choose(min(len(order), TAIL), "what does not")]

    return _picking(making, liked, disliked)


def _leanings(system: System) -> dict[str, Archetype]:
    """The archetypes that rank the abilities."""
    return {each.name: each for each in system.cast.archetypes.values() if each.attributes}


def _leaning(draft: Draft, dice: Dice, archetypes: Mapping[str, Archetype]) -> Archetype:
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


def _needed(values: Values, trade: Occupation | None) -> frozenset[str]:
    """The pairs that a calling’s skills are mostly rolled with (`TSG-029`), in which its people have no disability."""
    skills = trade.skills if trade is not None else ()
    paths = [f"skills.usual.{skill}" for skill in skills]
    return frozenset(values.text(path) for path in paths if values.has(path))


def _picking(making: Making, liked: Preference, disliked: Preference) -> StepFunction:
    """A step that lets one preference draw the disabilities and the other one the picks (`TSG-007` to `TSG-010`)."""
    making.only("limit", "picks", "lacks")
    system, values = making.system, making.system.values
    limit = making.option("limit", "word")
    if not all(word.isascii() and word.isdigit() for word in limit.among):
        raise making.wrong("limit: needs an option whose words are whole numbers")
    base = making.number("picks") if "picks" in making.step.params else values.number("creation.picks")
    more = values.number("creation.picks_a_disability")
    lacks = [making.named_trait(word).role for word in making.words("lacks")] if "lacks" in making.step.params else []
    most = values.number(f"levels.{values.text('creation.highest.pc')}.picks")
    pairs = list(values.names("pairs"))
    normal, disability = values.text("rungs.normal"), values.text("rungs.disability")
    bought = [level_for_picks(values, picks) for picks in range(most + 1)]

    def step(draft: Draft, dice: Dice) -> None:
        if _is_settled(draft, "abilities"):
            draft.tell("as given")
            return
        levels, permitted = dict.fromkeys(pairs, normal), int(draft.words[limit.name])
        needed = _needed(values, draft.occupation)
        for _ in range(dice.choose(min(permitted, len(pairs)) + 1, "how many disabilities")):
            left = [pair for pair in pairs if levels[pair] == normal]
            levels[disliked(draft, dice, [pair for pair in left if pair not in needed] or left)] = disability
        if lacks:
            lacking = [pair for pair in lacks if pair not in needed] or lacks
            levels[lacking[dice.choose(len(lacking), "what is lacking")]] = disability
        picks = dict.fromkeys((pair for pair in pairs if levels[pair] == normal), 0)
        for _ in range(base + more * (len(pairs) - len(picks)) if base else 0):
            picked = liked(draft, dice, [pair for pair in picks if picks[pair] < most])
            picks[picked] += 1
            levels[picked] = bought[picks[picked]]
        _lay(system, draft, levels)
        if draft.log is not None:
            draft.tell(", ".join(filter(None, (written(values, pair, level) for pair, level in levels.items()))))

    return step


def people_only(maker: Callable[[Making], StepFunction], field: str) -> Callable[[Making], StepFunction]:
    """The maker of a step that leaves monsters alone, and others whose archetype settles the field it is for."""

    def made(making: Making) -> StepFunction:
        work = maker(making)

        def step(draft: Draft, dice: Dice) -> None:
            if _is_npc(draft) or (draft.given is not None and field in draft.given.values):
                draft.tell("as given")
            else:
                work(draft, dice)

        return step

    return made


def _is_settled(draft: Draft, group: str) -> bool:
    """Whether a monster or an archetype has the levels of a group already, so that there is nothing to pick."""
    return _is_npc(draft) or (draft.given is not None and group in draft.given.groups)


def _is_npc(draft: Draft) -> bool:
    """Whether an archetype made it a character that no player plays (`TSG-085`)."""
    return draft.values.get("kind") == "npc"


def _count(draft: Draft, role: str, number: int) -> None:
    """Notes a number of the tally, such as the skill picks that were rolled."""
    draft.groups.setdefault("tally", {})[role] = draft.levels[role] = number


def _lay(system: System, draft: Draft, levels: Mapping[str, str]) -> None:
    scale = system.group("abilities").scale
    draft.groups["abilities"] = {pair: scale.read(level) or 0 for pair, level in levels.items()}
    draft.levels.update(draft.groups["abilities"])


def ability_forms(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The picks of a player's character: a disability gives one back, a second pick of an ability makes it Very."""
    system, values = making.system, making.system.values
    if _is_npc(draft):
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
    if _is_npc(draft) or not setting:
        return ()
    group, free = system.group("skills"), universal_in(values, setting)
    absent = values.words(f"settings.{setting}.absent")
    roles = {trait.name: trait.role for trait in group.members if trait.role not in absent}
    highest = 1 + values.number("skills.highest_at_start")  # level 1 is the plain name

    def picks(name: str, level: int) -> int:
        return price(values, level - 1, universal=roles.get(name, name) in free) if level else 0

    start = {name: Span(0, highest) for name in roles}
    return (PointBuy(group, draft.levels.get("skill_picks", 0), picks, start, unit="picks"),)


def _steps(values: Values, *, universal: bool) -> tuple[int, ...]:
    """What each step costs that a new character can buy of a skill, the first one first (`TSG-019`, `TSG-020`)."""
    whole = [price(values, plus, universal=universal) for plus in range(values.number("skills.highest_at_start") + 1)]
    steps = tuple(after - before for before, after in zip((0, *whole), whole, strict=False))
    return steps[1:] if universal else steps  # a universal one is held plainly already


def skills(making: Making) -> StepFunction:
    """A step that rolls the skill picks and spends them, an archetype's on its core first (`TSG-018` to `TSG-020`)."""
    making.only("setting")
    option = making.option("setting", "word")
    system, values = making.system, making.system.values
    archetypes = _leanings(system)
    free = {name: universal_in(values, name) for name in values.names("settings")}
    roles = [trait.role for trait in system.group("skills").members]
    open_in = {name: [role for role in roles if role not in values.words(f"settings.{name}.absent")] for name in free}
    seldom = {name: frozenset(values.words(f"settings.{name}.seldom")) for name in free}
    ordinary, universal = _steps(values, universal=False), _steps(values, universal=True)
    scale = system.group("skills").scale
    levels = [scale.read(f"+{plus}" if plus else "basic") or 0 for plus in range(len(scale.words))]

    def step(draft: Draft, dice: Dice) -> None:
        if _is_settled(draft, "skills"):
            draft.tell("as given")
            return
        setting = draft.words[option.name]
        leans = draft.archetype is not None or LEANING in draft.words
        leaning = _leaning(draft, dice, archetypes) if leans else None
        rolled, picks = picks_rolled(values, dice)
        everything, bought, left = open_in[setting], dict[str, int](), picks
        costs = {role: universal if role in free[setting] else ordinary for role in everything}
        usual = [role for role in everything if role not in seldom[setting]]
        trade = draft.occupation.skills if draft.occupation is not None else ()
        own = [role for role in (*_armed(system, draft), *trade) if role in everything]
        wishes = _wishes(leaning, own, everything, usual, dice)
        while left:
            next_cost = {role: costs[role][bought.get(role, 0) :] for role in next(wishes)}
            able = [role for role, cost in next_cost.items() if cost and cost[0] <= left]
            if able:
                role = able[dice.choose(len(able), "a skill")]
                left -= next_cost[role][0]
                bought[role] = bought.get(role, 0) + 1
        pluses = {role: steps - (role not in free[setting]) for role, steps in bought.items()}
        held = {role: levels[pluses[role]] for role in everything if role in pluses}
        draft.values["setting"] = setting
        draft.groups["skills"] = held
        draft.levels.update(held)
        _count(draft, "skill_picks", picks)
        draft.tell(f"{rolled} and {picks - rolled} more: {picks} skill picks")
        draft.tell(", ".join(skill_label(role, plus) for role, plus in pluses.items()))

    return step


def experience(making: Making) -> StepFunction:
    """A step that spends picks bought with experience, on nothing that there is not where the character lives."""
    values = making.system.values
    absent = {name: frozenset(values.words(f"settings.{name}.absent")) for name in values.names("settings")}
    return grow(making, closed=lambda draft: absent.get(str(draft.values.get("setting", "")), ()))


def _wishes(
    leaning: Archetype | None, own: list[str], everything: list[str], usual: list[str], dice: Dice
) -> Iterator[list[str]]:
    """What each pick may go to: the core, what the calling lives by, what is liked; for fun, or else, what is usual."""
    if leaning is not None:
        core = [role for role, picks in leaning.core.items() for _ in range(picks) if role in everything]
        yield from ([role] for role in core)
        yield own[:1]
        liked = list(dict.fromkeys((*core, *own, *(role for role in leaning.also if role in everything))))
        for _ in liked:
            yield usual if not dice.choose(FANCY, "a fancy of one’s own") else liked
    while True:
        yield usual


def _armed(system: System, draft: Draft) -> list[str]:
    """The skills of the weapons that a calling brings."""
    things, gear = system.cast.things, draft.occupation.gear if draft.occupation is not None else ()
    return [skill for thing in gear if thing in things and (skill := things[thing].text("skill"))]


def _free(system: System, draft: Draft) -> frozenset[str]:
    """The skills that everybody has where the character lives."""
    return universal_in(system.values, str(draft.values.get("setting", "")))


def calling(making: Making) -> StepFunction:
    """A step that finds a calling whose weapons the character can use, and that no disability forbids, if it can."""
    system = making.system
    lowest = system.group("abilities").scale.read(system.values.text("rungs.disability"))
    pairs = list(system.values.names("pairs"))
    needed = {name: _needed(system.values, trade) for name, trade in system.cast.occupations.items()}

    @lru_cache(MOST_REMEMBERED)
    def asking(lacked: tuple[str, ...]) -> frozenset[str]:
        return frozenset(name for name, some in needed.items() if not some.isdisjoint(lacked))

    return occupation(
        making,
        known=lambda draft: _free(system, draft),
        closed=lambda draft: asking(tuple([pair for pair in pairs if draft.levels.get(pair) == lowest])),
    )


def kit(making: Making) -> StepFunction:
    """A step that lists belongings: what the calling brings, an arm for each weapon skill, others up to `most`.

    `arms` names the weapon skills; an arm of the calling that the character has not learnt stays at home (`TSG-025`).
    """
    making.only("most", "arms")
    most, belongings, cast = making.number("most"), belongings_of(making, each=2), making.system.cast
    roles, kinds = [making.named_trait(word).role for word in making.words("arms")], kinds_in(cast)
    weapons = {role: [thing for thing in cast.things.values() if role in cast.arms(thing.name)] for role in roles}
    racks = {
        role: Dealer(((thing.name, thing.fits) for thing in listed), making.key("arms", role))
        for role, listed in weapons.items()
    }

    def step(draft: Draft, dice: Dice) -> None:
        trained = {role for role in roles if draft.levels.get(role)}
        usable = trained | _free(making.system, draft)
        brought = draft.occupation.gear if draft.occupation is not None else ()
        own = [thing for thing in brought if usable.issuperset(cast.arms(thing) & set(roles))]
        have = {role for thing in own for role in cast.arms(thing)}
        trade = draft.occupation

        def suits(weapon: str) -> bool:
            return cast.suits(trade, weapon)

        dealt = [
            racks[role].deal(draft.index, draft.levels, dice, usable=suits)
            or racks[role].deal(draft.index, draft.levels, dice)
            for role in roles
            if role in trained - have
        ]
        owned = Belongings([*filter(None, dealt), *own], kinds)
        owned.fill(max(most, len(owned.things) + 1), belongings, draft, dice)
        owned.write_to(draft)

    return step


def fields(making: Making) -> StepFunction:
    """A step that names the field of a skill that has fields, such as Knowledge (`TSG-026`)."""
    making.only()
    values = making.system.values
    by_role = {role: values.words(f"fields.{role}") for role in values.names("fields")}
    names = {trait.role: trait.name for trait in making.system.group("skills").members}

    def step(draft: Draft, dice: Dice) -> None:
        about = {
            names[role]: words[dice.choose(len(words), f"field of {role}")]
            for role, words in by_role.items()
            if draft.levels.get(role)
        }
        if about:
            draft.values["about"] = about
        draft.tell("; ".join(f"{name}: {field}" for name, field in about.items()) or "nothing")

    return step
