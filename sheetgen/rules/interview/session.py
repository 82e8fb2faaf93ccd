"""A conversation about a character: the answers that could be taken so far, and the way back through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sheetgen.errors import UsageError
from sheetgen.model.character import Character
from sheetgen.rules.creation.answers import Refused, named
from sheetgen.rules.interview.question import Asking, Question


class Interview:
    """A conversation: the answers that could be taken, and what is asked after them."""

    def __init__(self, after: Callable[[Sequence[str]], Question | Character]) -> None:
        self._after = after
        self._answers: list[tuple[str, str]] = []
        self.now: Question | Character = after(())

    def answer(self, line: str) -> None:
        """Takes an answer, or keeps the question with a complaint."""
        if not isinstance(self.now, Question):
            return
        try:
            found = self._after([*(said for _, said in self._answers), line])
        except UsageError as error:  # a step that cannot do with what was settled before it
            self.now = replace(self.now, complaint=(str(error), "go back to settle it otherwise"))
            return
        if not (isinstance(found, Question) and found.complaint):
            self._answers.append((self.now.title, line))
        self.now = found

    def back(self, to: str = "") -> None:
        """Takes back the last answer, or every answer since a step was first asked about."""
        if not isinstance(self.now, Question):
            return
        titles = [title for title, _ in self._answers]
        try:
            keep = titles.index(named(to, dict.fromkeys(titles), "step")) if to else len(titles) - 1
        except Refused as refused:
            self.now = replace(self.now, complaint=(str(refused),))
            return
        if keep < 0:
            self.now = replace(self.now, complaint=("this is the first question",))
            return
        del self._answers[keep:]
        self.now = self._after([said for _, said in self._answers])


def question_after(asking: Asking[Character], answers: Sequence[str]) -> Question | Character:
    """The question that stands after some answers, or the character once there is none."""
    try:
        question = next(asking)
        for answer in answers:
            question = asking.send(answer)
    except StopIteration as end:
        made: Character = end.value
        return made
    return question
