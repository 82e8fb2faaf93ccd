"""The step that gives belongings: what skills bring (`GAM-110`), what the trade needs, what Wealth affords."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sheetgen.dice.source import Dice
from sheetgen.rules.draft import Draft, Making, StepFunction
from sheetgen.rules.menu import Menu, menu_of

AFFORDED = 2

_COUNTED = re.compile(r"(one|a few|many) (basic|advanced) items?")

Choices = tuple[tuple[int, bool], ...]


def equipment_choices(columns: Mapping[str, str], few: int, many: int) -> Choices:
    """The ways a row of the equipment table may be taken, each (number of items, whether advanced).

    ValueError for words other than “one, a few, many” and “basic, advanced”.
    """
    counts = {"one": 1, "a few": few, "many": many}
    choices = []
    for words in columns.values():
        match = _COUNTED.fullmatch(words)
        if match is None:
            raise ValueError(words)
        choices.append((counts[match[1]], match[2] == "advanced"))
    return tuple(choices)


def gear(making: Making) -> StepFunction:
    """A step that lists belongings: for each skill by its level, then the trade's own, then what Wealth affords."""
    making.only("table")
    table, values, cast = making.table(), making.system.values, making.system.cast
    few, many = values.number("gear.few"), values.number("gear.many")
    try:
        by_level = {level: equipment_choices(table.row(level), few, many) for level in range(16)}
    except ValueError as error:
        raise making.wrong(f'table {table.name}: "{error}" is not “one basic item” or the like') from None
    arms = frozenset((*cast.weapons, *cast.armours))
    basic = {role: menu_of(listed.basic) for role, listed in cast.gear.items()}
    better = {role: menu_of(listed.advanced) for role, listed in cast.gear.items()}
    belongings = menu_of(cast.belongings)

    def step(draft: Draft, dice: Dice) -> None:
        owned: list[str] = []
        held = [role for role in cast.gear if draft.levels.get(role, 0)]
        for role in sorted(held, key=lambda role: -draft.levels[role]):
            choices = by_level[min(draft.levels[role], 15)]
            count, advanced = choices[dice.choose(len(choices), "fewer or better things")]
            fitting = (better if advanced else basic)[role].fitting(draft.levels)
            owned += _things(fitting, count, dice=dice, owned=owned, arms=arms)
        if draft.occupation is not None:
            owned += [thing for thing in draft.occupation.gear if thing not in owned]
        for _ in range(AFFORDED):
            thing = _other(belongings, draft.levels, dice, owned)
            if thing:
                owned.append(thing)
        if owned:
            draft.values["gear"] = tuple(owned)
        draft.tell("belongings: " + ("; ".join(owned) or "none"))

    return step


def kit(making: Making) -> StepFunction:
    """A step that lists belongings without rules: what is given, what the trade brings, and others up to `most`."""
    making.only("most")
    most, belongings = making.number("most"), menu_of(making.system.cast.belongings)

    def step(draft: Draft, dice: Dice) -> None:
        had = draft.values.get("gear", ())
        owned = list(had) if isinstance(had, tuple) else []
        if draft.occupation is not None:
            owned += [thing for thing in draft.occupation.gear if thing not in owned]
        while len(owned) < most:
            thing = _other(belongings, draft.levels, dice, owned)
            if not thing:
                break
            owned.append(thing)
        if owned:
            draft.values["gear"] = tuple(owned)
        draft.tell("belongings: " + ("; ".join(owned) or "none"))

    return step


def _things(listed: Sequence[str], count: int, *, dice: Dice, owned: Sequence[str], arms: frozenset[str]) -> list[str]:
    """`count` different things of a skill; where the list has arms, the first of them is one."""
    fitting = [say for say in listed if say not in owned]
    things: list[str] = []
    while fitting and len(things) < count:
        armed = [say for say in fitting if say in arms] if not things else []
        among = armed or fitting
        things.append(among[dice.choose(len(among), "thing")])
        fitting.remove(things[-1])
    return things


def _other(menu: Menu[str], levels: Mapping[str, int], dice: Dice, owned: Sequence[str]) -> str:
    fitting = [say for say in menu.fitting(levels) if say not in owned]
    return fitting[dice.choose(len(fitting), "belonging")] if fitting else ""
