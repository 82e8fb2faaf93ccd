"""Making a character by choice: the game's own questions, each answer judged as a file would be."""

from __future__ import annotations

from collections.abc import Sequence

from sheetgen.model.character import Character
from sheetgen.people.character_files import complaints
from sheetgen.rules.conversation import Interview, PresetAnswers, Prompt, question_after
from sheetgen.rules.interview import interview
from sheetgen.rules.rolling import Roller
from sheetgen.workspace.packs import Pack


def interview_about(pack: Pack, settled: PresetAnswers, seed: int) -> Interview:
    """Return the conversation that makes a character of a pack; UsageError for what is settled wrongly.

    A stranger's pack is asked in a confined process: what comes next follows from the answers alone.
    """
    system = pack.system

    rollers: dict[object, Roller] = {}

    def judge(character: Character) -> Sequence[str]:
        return complaints(system, character)

    def after(answers: Sequence[str]) -> Prompt | Character:
        return pack.run_isolated(lambda: question_after(interview(system, settled, seed, judge, rollers), answers))

    return Interview(after)
