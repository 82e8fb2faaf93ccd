"""A conversation about a character, as the tests of its questions hold it: answered, or hurried on with Enter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.character_files import interview_about
from sheetgen.rules.conversation import Interview, PresetAnswers, Prompt
from sheetgen.workspace.packs import Pack

MOST = 60


class Talk:
    """A conversation: what is asked, and Enter as often as is needed."""

    def __init__(self, interview: Interview) -> None:
        self._interview = interview
        self.answer, self.back = interview.answer, interview.back

    @property
    def now(self) -> Prompt | Character:
        """What stands: a question, or the character."""
        return self._interview.now

    @property
    def asked(self) -> Prompt:
        """The question that stands."""
        assert isinstance(self.now, Prompt)
        return self.now

    def until(self, title: str) -> Prompt:
        """The question of that title, everything before it answered with Enter."""
        for _ in range(MOST):
            if self.asked.title.startswith(title):
                return self.asked
            self.answer("")
        raise AssertionError(title)

    def finished(self) -> Character:
        """The character, everything that is left answered with Enter."""
        for _ in range(MOST):
            if isinstance(self.now, Character):
                return self.now
            self.answer("")
        raise AssertionError(self.now)


@pytest.fixture
def talk() -> Callable[..., Talk]:
    """Begins a conversation about a character of a game: `talk(gamers, PresetAnswers("points"))`."""

    def begun(system: System, settled: PresetAnswers | None = None, seed: int = 7) -> Talk:
        return Talk(interview_about(Pack(system, Path(), ours=True), settled or PresetAnswers(), seed))

    return begun
