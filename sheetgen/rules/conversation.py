"""A conversation about a character: answers given beforehand, questions, what was answered, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from sheetgen.errors import UsageError
from sheetgen.model.character import Character
from sheetgen.model.data import Data
from sheetgen.model.system import Option, System
from sheetgen.rules.creation.answers import RefusedAnswer, listed, named, numbered, picked
from sheetgen.rules.creation.draft import ALL, NONE, ROLLED, RollPlan
from sheetgen.rules.rolling import checked_option, plan_of

T = TypeVar("T")
NOBODY = "none"


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


@dataclass(frozen=True, slots=True)
class PresetAnswers:
    """Answers given in advance, which are not asked for."""

    method: str = ""
    archetype: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


def settle(system: System, settled: PresetAnswers) -> Asking[RollPlan]:
    """Ask for what is still open, and return the plan; UsageError at once for a preset answer that is wrong."""
    creation, archetypes = system.creation, system.cast.archetypes
    archetype = "" if settled.archetype == NOBODY else settled.archetype
    plan = plan_of(system, method=settled.method, archetype=archetype or "", options=settled.options)
    method = plan.method
    if not settled.method and len(creation.methods) > 1:
        methods = [(name, cited(each.say, each.rule)) for name, each in creation.methods.items()]
        method = yield from asked_for_one("Method", methods, plan.method, say="How the character is made.")
    if archetype is None and archetypes:
        kinds = [
            (NOBODY, "let the dice and your choices decide"),
            *((name, each.say) for name, each in archetypes.items()),
        ]
        say = "A part to play: it leans the suggestions one way."
        archetype = yield from asked_for_one("Archetype", kinds, NOBODY, say=say)
    archetype = "" if archetype in (None, NOBODY) else archetype
    options = dict(settled.options)
    strength = creation.strength
    if strength is not None and strength.name not in options:
        options.update((yield from _ask_strength(strength, method)))
    for name in _open_options(system, method):
        if name not in options:
            default = plan_of(system, method=method, archetype=archetype, options=options).options[name]
            options[name] = yield from _option(creation.options[name], default, system)
    return plan_of(system, method=method, archetype=archetype, options=options)


def _ask_strength(strength: Option, method: str) -> Asking[dict[str, str]]:
    """Ask how strong they are made, among the levels that the method can make; nothing is settled by the usual one."""
    title, default = f"Option: {strength.name}", strength.default
    levels = [
        (name, cited(each.say, each.rule)) for name, each in strength.levels.items() if each.method in ("", method)
    ]
    usual = (default, "as the rules of creation make everybody")
    chosen = yield from asked_for_one(title, [usual, *levels], default, say=strength.say)
    return {strength.name: chosen} if chosen != strength.default else {}


def _option(option: Option, default: str, system: System) -> Asking[str]:
    title = f"Option: {option.name}"
    if option.kind == "step":
        choices = [(name, system.creation.steps[step].say) for name, step in option.steps.items()]
        return (yield from asked_for_one(title, choices, default, say=option.say, rule=option.rule))
    if option.kind == "switch":
        takes = "yes or no"
    elif option.kind == "members":
        takes = f"{ALL}, {NONE}, or some of {listed(trait.name for trait in system.group(option.of).members)}"
    elif option.kind == "word":
        takes = f"{listed(option.among, 40)}, or {ROLLED}"
    else:
        trait = system.by_role[option.of]
        takes = (
            f"{system.write(trait.name, trait.start.low)} to {system.write(trait.name, trait.start.high)}, or {ROLLED}"
        )
    question = Prompt(title, option.say, option.rule, (), f"Type {takes}; Enter: {default}")
    return (yield from asked(question, lambda answer: checked_option(option, answer or default, system)))


def _open_options(system: System, method: str) -> Iterator[str]:
    """Yield the options that the steps of a method name, and those that only lists of the pack may name."""
    creation = system.creation
    named = {name: frozenset(_words_in(step.params)) for name, step in creation.steps.items()}
    slots = frozenset(map(str, creation.methods[method].steps))
    taken = slots | {
        step for slot in slots if slot in creation.options for step in creation.options[slot].steps.values()
    }
    ever = frozenset(word for words in named.values() for word in words)
    for name, option in creation.options.items():
        here = name in slots or any(name in named[step] for step in taken if step in named)
        if here or (option.kind == "word" and name not in ever):
            yield name


def _words_in(data: Data | Mapping[str, Data]) -> Iterator[str]:
    if isinstance(data, str):
        yield str(data)
    else:
        for part in data.values() if isinstance(data, Mapping) else data:
            yield from _words_in(part)
