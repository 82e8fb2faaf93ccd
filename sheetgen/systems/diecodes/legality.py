"""What a Die Codes character file must keep beyond the ranges of its pack: budgets, and no skill below its stat."""

from __future__ import annotations

from sheetgen.errors import Problem
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.systems.diecodes.budgets import Budgets, Fault


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of a character: stats that do not share the budget, skills below their stat or beyond theirs.

    Somebody without any stats or skills is no more than a name, and legal.
    """
    budgets = Budgets(system)
    stats, skills = character.numbers("stats"), character.numbers("skills")
    if not stats and not skills:
        return ()
    found = [_problem(character, "stats", fault) for fault in budgets.stat_faults(stats)]
    stat = {trait.name: trait.section for trait in system.group("skills").members}
    if any(stat[name] not in stats for name in skills):
        return tuple(found)
    raises = {name: pips - stats[stat[name]] for name, pips in skills.items()}
    faults = budgets.skill_faults(raises, character.numbers("fortune").get("growth", 0))
    return (*found, *(_problem(character, "skills", fault) for fault in faults))


def _problem(character: Character, field: str, fault: Fault) -> Problem:
    places = character.places
    place = places.get(f"{field}.{fault.name}", places.get(field, character.place))
    return Problem(place, fault.message, fault.rule)
