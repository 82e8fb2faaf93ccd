"""What a Die Codes character fills in for the parameters of a procedure: codes as written, raises, and reactions."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.systems.diecodes.codes import codes_in
from sheetgen.systems.diecodes.creation import fact
from sheetgen.systems.diecodes.figures import all_codes, answers, listed, weapons


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """What `told.NAME` in the pack's `uses:` stands for, for somebody who uses a skill, a stat or a thing.

    Without a word it is the weapon wielded best. UsageError for a word that means nothing, or a stat not written down.
    """
    codes, stats, skills = codes_in(system), character.numbers("stats"), all_codes(system, character)
    skill = used_skill(system, character, what)
    levels = {**stats, **skills}
    if skill not in levels:
        stat = next((trait.section for trait in system.group("skills").members if trait.name == skill), skill)
        raise UsageError(f"{character.text('name')} has no {stat}")
    written = {name: codes.write(pips) for name, pips in skills.items()}
    able = {name: written[name] for name, _ in answers(system, character, skills)}
    stat_of = {trait.name: trait.section for trait in system.group("skills").members}
    raised = character.numbers("skills")
    found: dict[str, object] = {
        "code": codes.write(levels[skill]),
        "skill": skill if skill in system.values.names("arms") else None,
        "reactions": able,
        "reaction": _meeting(system, able, skill),
        "codes": {name: written[name] for name in raised},
        "stats": {name: codes.write(pips) for name, pips in stats.items()},
        "raises": {name: pips - stats[stat_of[name]] for name, pips in raised.items() if stat_of[name] in stats},
    }
    senses = system.values.text("exchange.declares_by")
    return {**found, "perception": codes.write(stats[senses]) if senses in stats else None}


def used_skill(system: System, character: Character, what: str) -> str:
    """The skill or stat that a word stands for, or that a thing is used with; without a word, that of the best arm."""
    if not what:
        levels = all_codes(system, character)
        arms = weapons(system, character).values()
        return max(arms, key=lambda skill: levels.get(skill, 0))
    if what in system.cast.things:
        return fact(system.cast.things[what], "skill")
    names = [trait.name for group in ("stats", "skills") for trait in system.group(group).members]
    if what not in names:
        near = suggestion(what, [*names, *system.cast.things])
        raise UsageError(f"no skill, stat or thing is called {quoted(what)}{near}")
    return what


def _meeting(system: System, able: Mapping[str, str], skill: str) -> str | None:
    """The best reaction at hand against an attack with this skill, as it is written."""
    if skill not in system.values.names("arms"):
        return next(iter(able.values()), None)
    meeting = listed(system, f"exchange.answers.{system.values.text(f'arms.{skill}')}")
    return next((code for name, code in able.items() if name in meeting), None)
