"""A conversation about a character: questions, answers that can be read, and the way back through them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from sheetgen.errors import UsageError
from sheetgen.model.character import Character
from sheetgen.rules.creation.answers import RefusedAnswer, named, numbered, picked

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question: title, what the rule says, its ID, how things stand, what may be answered, and help, in lines.

    `complaint` says why the last answer was refused, in lines.
    """

    title: str
    say: str = ""
    rule: str = ""
    shown: tuple[str, ...] = ()
    ask: str = ""
    help: tuple[str, ...] = ()
    complaint: tuple[str, ...] = ()


Asking = Generator[Prompt, str, T]


def asked(question: Prompt, read: Callable[[str], T]) -> Asking[T]:
    """Ask until an answer can be read, and return it; `read` raises RefusedAnswer or UsageError for one that cannot."""
    complaint: tuple[str, ...] = ()
    while True:
        answer = yield replace(question, complaint=complaint)
        try:
            return read(answer.strip())
        except RefusedAnswer as refused:
            complaint = tuple(map(str, refused.args))
        except UsageError as error:
            complaint = (str(error),)


def asked_for_one(
    title: str, choices: Sequence[tuple[str, str]], default: str, *, say: str = "", rule: str = ""
) -> Asking[str]:
    """Ask for one of several names, each with its meaning, and return it; Enter takes the default."""
    names = [name for name, _ in choices]
    width = max(map(len, names))
    lines = numbered(f"{name:<{width}}  {means}".rstrip() for name, means in choices)
    ask = f"Type a number or a name; Enter: {default}"
    question = Prompt(title, say, rule, lines, ask)
    return (yield from asked(question, lambda answer: picked(answer or default, names, title.lower())))


def cited(text: str, rule: str) -> str:
    """Return a sentence with the rule that it comes from."""
    return f"{text} [{rule}]".lstrip() if rule else text


class Interview:
    """A conversation: the accepted answers, and the question (or the character) that follows them."""

    def __init__(self, after: Callable[[Sequence[str]], Prompt | Character]) -> None:
        self._after = after
        self._answers: list[tuple[str, str]] = []
        self.now: Prompt | Character = after(())

    def answer(self, line: str) -> None:
        """Accept an answer, or keep the question with a complaint."""
        if not isinstance(self.now, Prompt):
            return
        try:
            found = self._after([*(said for _, said in self._answers), line])
        except UsageError as error:  # a step that cannot do with what was settled before it
            self.now = replace(self.now, complaint=(str(error), "go back to settle it otherwise"))
            return
        if not (isinstance(found, Prompt) and found.complaint):
            self._answers.append((self.now.title, line))
        self.now = found

    def back(self, to: str = "") -> None:
        """Take back the last answer, or every answer since a step was first asked about."""
        if not isinstance(self.now, Prompt):
            return
        titles = [title for title, _ in self._answers]
        try:
            keep = titles.index(named(to, dict.fromkeys(titles), "step")) if to else len(titles) - 1
        except RefusedAnswer as refused:
            self.now = replace(self.now, complaint=(str(refused),))
            return
        if keep < 0:
            self.now = replace(self.now, complaint=("this is the first question",))
            return
        del self._answers[keep:]
        self.now = self._after([said for _, said in self._answers])


def question_after(asking: Asking[Character], answers: Sequence[str]) -> Prompt | Character:
    """Return the question that follows some answers, or the character once there is none."""
    try:
        question = next(asking)
        for answer in answers:
            question = asking.send(answer)
    except StopIteration as end:
        made: Character = end.value
        return made
    return question
