"""A question about a character in the making, and how a line that answers it becomes a value."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from sheetgen.errors import UsageError
from sheetgen.rules.creation.answers import Refused, numbered, picked

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: a title, what the rules say and which, how things stand, what may be answered; `help` tells more.

    `complaint` says, in lines, why the last answer could not be taken.
    """

    title: str
    say: str = ""
    rule: str = ""
    shown: tuple[str, ...] = ()
    ask: str = ""
    help: tuple[str, ...] = ()
    complaint: tuple[str, ...] = ()


Asking = Generator[Question, str, T]


def asked(question: Question, read: Callable[[str], T]) -> Asking[T]:
    """Asks until the answer can be read; `read` raises Refused, or a UsageError, for one that cannot be taken."""
    complaint: tuple[str, ...] = ()
    while True:
        answer = yield replace(question, complaint=complaint)
        try:
            return read(answer.strip())
        except Refused as refused:
            complaint = tuple(map(str, refused.args))
        except UsageError as error:
            complaint = (str(error),)


def asked_for_one(
    title: str, choices: Sequence[tuple[str, str]], default: str, *, say: str = "", rule: str = ""
) -> Asking[str]:
    """Asks for one of some names, each with what it means; Enter takes the default."""
    names = [name for name, _ in choices]
    width = max(map(len, names))
    lines = numbered(f"{name:<{width}}  {means}".rstrip() for name, means in choices)
    ask = f"Type a number or a name; Enter: {default}"
    question = Question(title, say, rule, lines, ask)
    return (yield from asked(question, lambda answer: picked(answer or default, names, title.lower())))


def cited(text: str, rule: str) -> str:
    """A sentence with the rule that it comes from."""
    return f"{text} [{rule}]".lstrip() if rule else text
