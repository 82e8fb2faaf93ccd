"""What becomes of somebody of a campaign by the rules of the game: the person as they are afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sheetgen.dice.source import Dice, Recorded, Scripted
from sheetgen.errors import InputError, Problem, UsageError
from sheetgen.model.character import Character
from sheetgen.people.campaign_cast import CampaignMember
from sheetgen.people.character_files import problems_of, read_party
from sheetgen.people.rerolling import patched_text
from sheetgen.rules.consequences import Consequence, Event
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.table.play import THROWN
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

WORDS = {"experience": "experience", "injury": "injuries", "rest": "rest"}


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Somebody afterwards, what came of it in a line with its rules, what is hurt by it, and the log of the dice."""

    character: Character
    said: str
    hurt: Mapping[str, int]
    log: tuple[str, ...]


def aftermath_of(pack: Pack, character: Character, kind: str, event: Event, dice: Dice) -> Aftermath:
    """Return what experience, an injury or rest makes of somebody.

    UsageError, with the ID of the rule, where the game has no such rule or does not allow it; InputError where somebody
    would break a rule who did not before.
    """
    rules = engine_of(pack.system).consequences()
    if kind not in rules:
        raise UsageError(f"{pack.system.title} has no rule for {WORDS[kind]} between evenings: say it in words alone")

    def work() -> tuple[Consequence, tuple[str, ...]]:
        log = list[str]()
        thrown = Recorded(dice, lambda roll: log.append(f"{THROWN}{roll}"))
        found = rules[kind](Play(pack.system, thrown, rulings=rulings_of(pack.system), log=log), character, event)
        if isinstance(dice, Scripted):
            dice.finish()
        return found, tuple(log)

    try:
        came, log = pack.run_isolated(work)
    except Refused as refused:
        raise UsageError(f"{character.text('name')}: {refused}") from None
    values = {**character.values, **came.values}
    after = replace(character, values={name: value for name, value in values.items() if value})
    before = {each.message for each in problems_of(pack.system, [character])}
    problems = [each for each in problems_of(pack.system, [after]) if each.message not in before]
    if problems:
        raise InputError([Problem(character.place, each.message, each.rule) for each in problems])
    return Aftermath(after, came.said, came.hurt, log)


def file_after(project: Project, kept: CampaignMember, after: Character) -> str:
    """Return the text of somebody's file with what changed, every other line as it is; UsageError if it cannot be."""
    party = read_party(project, kept.file)
    people = tuple(after if each == kept.character else each for each in party.characters)
    text = patched_text(project, kept.file, party, people)
    if text is None:
        raise UsageError(f"{project.shown(kept.file)} cannot be changed line by line: change it as text")
    return text
