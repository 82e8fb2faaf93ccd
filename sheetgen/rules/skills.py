"""Steps that give skills their colour: a specialty here and there, and what each skill is familiar with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheetgen.dice.source import Dice
from sheetgen.rules.draft import Draft, Making, StepFunction
from sheetgen.rules.menu import menu_of

NOTABLE = 9


def specialties(making: Making) -> StepFunction:
    """A step that picks specialties, at most `most`, one a trait, for traits of level `least` or better.

    The best skills come first; the last place may go to a remarkable attribute, a feature, or another skill.
    Gear that is owned already suggests the specialty.
    """
    making.only("most", "least")
    most, least = making.number("most"), making.number("least")
    lists = making.system.cast.specialties
    names = {trait.role: trait.name for trait in making.system.all_traits()}
    menus = {role: menu_of(phrases) for role, phrases in lists.items()}
    skills = [role for role in lists if making.system.group_of[names[role]].default is not None]
    others = [role for role in lists if role not in skills]

    def step(draft: Draft, dice: Dice) -> None:
        trade = draft.occupation.skills if draft.occupation else ()
        held = [role for role in skills if draft.levels.get(role, 0) >= max(least, 1)]
        held.sort(key=lambda role: (-draft.levels[role], trade.index(role) if role in trade else len(trade)))
        chosen = held[: most - 1]
        rest = held[most - 1 :][:1]
        rest += [role for role in others if draft.levels.get(role, 0) >= max(least, NOTABLE)]
        if rest and len(chosen) < most:
            chosen.append(rest[dice.choose(len(rest), "one more specialty")])
        owned = " ".join(_owned(draft))
        found: dict[str, str] = {}
        for role in chosen:
            said = _apt(menus[role].fitting(draft.levels), dice, owned)
            if said:
                found[names[role]] = said
        if found:
            draft.values["specialties"] = found
        draft.tell("specialties: " + (", ".join(f"{name} ({said})" for name, said in found.items()) or "none"))

    return step


def _owned(draft: Draft) -> tuple[str, ...]:
    gear = draft.values.get("gear", ())
    return gear if isinstance(gear, tuple) else ()


def _apt(fitting: Sequence[str], dice: Dice, owned: str) -> str:
    """One of the phrases, one that the gear mentions before any other."""
    apt = [say for say in fitting if say in owned] or fitting
    return apt[dice.choose(len(apt), "specialty")] if apt else ""


def familiarities(making: Making) -> StepFunction:
    """A step that lists what each skill is familiar with, `each` things a level, owned ones first (`GAM-103`).

    `room` is how many letters the whole list may take on a sheet; past it, things with shorter names take the places
    of longer ones that are not owned.
    """
    making.only("group", "each", "room")
    group, each = making.group(), making.number("each")
    room = making.number("room") if "room" in making.step.params else None
    menus = {role: menu_of(phrases) for role, phrases in making.system.cast.familiarities.items()}
    traits = [trait for trait in group.members if trait.role in menus]
    weapons = making.system.cast.weapons

    def step(draft: Draft, dice: Dice) -> None:
        found: dict[str, list[str]] = {}
        spare: dict[str, list[str]] = {}
        owned = _owned(draft)
        arms: dict[str, list[str]] = {}
        for thing in owned:
            if thing in weapons:
                arms.setdefault(weapons[thing].skill, []).append(thing)
        for trait in traits:
            level = draft.levels.get(trait.role, 0)
            if not level:
                continue
            known = list(dict.fromkeys(arms.get(trait.role, ())))[: level * each]
            fitting = [say for say in menus[trait.role].fitting(draft.levels) if say not in known]
            while len(known) < level * each and fitting:
                known.append(fitting.pop(dice.choose(len(fitting), "familiarity")))
            if known:
                found[trait.name] = known
                spare[trait.name] = fitting
        if room is not None:
            _shorten(found, spare, room, frozenset(owned))
        if found:
            draft.values["familiarities"] = {name: tuple(known) for name, known in found.items()}
        draft.tell("familiar with: " + ("; ".join(f"{name}: {', '.join(found[name])}" for name in found) or "nothing"))

    return step


def _shorten(found: Mapping[str, list[str]], spare: Mapping[str, list[str]], room: int, owned: frozenset[str]) -> None:
    """Swaps the longest names for shorter spare ones, the best swap first, until the list fits or none helps."""
    over = sum(len(name) + 3 + sum(len(thing) + 2 for thing in known) for name, known in found.items()) - room
    while over > 0:
        swaps = []
        for name, known in found.items():
            longest = max((thing for thing in known if thing not in owned), key=len, default="")
            shortest = min(spare[name], key=len, default=longest)
            swaps.append((len(longest) - len(shortest), name, longest, shortest))
        gain, name, longest, shortest = max(swaps, default=(0, "", "", ""))
        if gain <= 0:
            return
        found[name][found[name].index(longest)] = shortest
        spare[name].remove(shortest)
        over -= gain
