"""Mechanics that a pack without Python can choose by name: its rolls become procedures like any other.

    play:
      attempt: {family: sum against a target, dice: 2d6, say: try something}

Each family is a maker of a procedure from the pack's words; the parameters are the same in every pack that uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sheetgen.errors import InputError, Problem, quoted, suggestion
from sheetgen.model.reckoning import RECKONING, Reckoning
from sheetgen.model.system import FIGHT, Step, System
from sheetgen.rules.procedures.card_family import drawn_cards
from sheetgen.rules.procedures.family_words import FamilyWords
from sheetgen.rules.procedures.fights import fight
from sheetgen.rules.procedures.linked_families import LINKED
from sheetgen.rules.procedures.procedure import Procedure, declared
from sheetgen.rules.procedures.reckoning import reckoned
from sheetgen.rules.procedures.result_families import (
    bands_of_results,
    exploding_dice,
    highest_face,
    matching_faces,
    opposed_rolls,
    percentile,
    roll_under,
    step_dice,
    usage_die,
)
from sheetgen.rules.procedures.sum_families import (
    count_successes,
    critical_number,
    die_codes,
    sum_against,
    sum_of_kept,
)

FAMILIES: Mapping[str, Callable[[FamilyWords], Callable[..., object]]] = {
    "sum against a target": sum_against,
    "sum of the kept dice": sum_of_kept,
    "count successes": count_successes,
    "die codes": die_codes,
    "critical number": critical_number,
    "roll under": roll_under,
    "bands of results": bands_of_results,
    "highest face": highest_face,
    "step dice": step_dice,
    "usage die": usage_die,
    "percentile": percentile,
    "exploding dice": exploding_dice,
    "matching faces": matching_faces,
    "opposed rolls": opposed_rolls,
    "drawn cards": drawn_cards,
    **LINKED,
    FIGHT: fight,
}


def family_procedures(system: System) -> dict[str, Procedure]:
    """The procedures that a pack's `play:` asks for; InputError at the words that do not hold."""
    found, problems, failed = dict[str, Procedure](), list[Problem](), set[str]()
    for name, step in sorted(system.play.items(), key=lambda each: _tier(each[1])):
        rolls = {each: known for each, known in found.items() if _tier(system.play[each]) < _tier(step)}
        if isinstance(step, Step) and _tier(step) and step.params.get("roll") in failed:  # type: ignore[call-overload]
            continue  # what is wrong with its roll is told there
        try:
            found[name] = reckoned(step, system) if isinstance(step, Reckoning) else _rolled(name, step, rolls, system)
        except InputError as error:
            failed.add(name)
            problems += error.problems
    if problems:
        raise InputError(problems)
    return {name: found[name] for name in system.play}


def _tier(step: Step | Reckoning) -> int:
    """Return what may go on from what: 1 from rolls of 0, a fight (2) from both."""
    return 0 if isinstance(step, Reckoning) else 2 if step.do == FIGHT else int(step.do in LINKED)


def _rolled(name: str, step: Step, rolls: Mapping[str, Procedure], system: System) -> Procedure:
    if step.do not in FAMILIES:
        near = suggestion(step.do, FAMILIES) or f" (one of: {', '.join((*FAMILIES, RECKONING))})"
        raise InputError([Problem(step.do.place, f"play {name}: unknown family {quoted(step.do)}{near}")])
    work = FAMILIES[step.do](FamilyWords(step, rolls, system.tables))
    return declared(work, name=name, say=step.say or step.do, rules=(step.rule,) if step.rule else ())
