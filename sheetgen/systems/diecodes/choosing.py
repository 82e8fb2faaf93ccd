"""Stats and skills shared out by hand, in pips: the budgets and bounds of a new character (`DIE-201`, `DIE-104`)."""

from __future__ import annotations

from sheetgen.model.system import Span
from sheetgen.rules.creation.choices import ChoiceForm, PointBuy
from sheetgen.rules.creation.draft import Draft, Making
from sheetgen.systems.diecodes.budgets import Budgets


def stats(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The dice that are shared among the stats."""
    budgets, group = Budgets(making.system), making.system.group("stats")
    span = Span(budgets.worth("stats.least"), budgets.worth("stats.most"))
    start = {trait.name: span for trait in group.members}
    budget, writes = budgets.worth("stats.budget"), budgets.codes.write
    return (PointBuy(group, budget, lambda name, level: level, start, unit="", writes=writes),)


def skills(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The dice that raise skills above their stats; a skill at the code of its stat is none of its own."""
    budgets, group = Budgets(making.system), making.system.group("skills")
    most, stat = budgets.worth("skills.most"), {trait.name: trait.section for trait in group.members}
    own = {name: draft.levels.get(stat[name], 0) for name in stat}
    start = {name: Span(level, level + most) for name, level in own.items()}
    budget, writes = budgets.worth("skills.budget"), budgets.codes.write

    def raised(name: str, level: int) -> int:
        return level - own[name]

    return (PointBuy(group, budget, raised, start, unit="", writes=writes, drops=True),)
