"""Procedures from the command line: words to typed arguments, dice from anywhere; what comes of it for somebody."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from sheetgen.batch.sandbox import PUBLICATION
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.levels import tree
from sheetgen.content.yaml.nodes import DEEPEST, parse
from sheetgen.dice.deck import Cards, DealtCards, ScriptedCards, full_deck, parse_card
from sheetgen.dice.source import Dice, Recorded, Roll, Scripted, Seeded, Typed
from sheetgen.errors import InputError, LimitError, Place, Problem, UsageError, quoted, shortened, suggestion
from sheetgen.model.character import Character
from sheetgen.model.data import Data, Word
from sheetgen.model.procedures import Throw
from sheetgen.notebook import table
from sheetgen.people.campaign_cast import CampaignMember
from sheetgen.people.character_files import problems_of, read_party
from sheetgen.people.parameter_binding import character_parameters
from sheetgen.people.rerolling import patched_text
from sheetgen.rules.consequences import Consequence, Event
from sheetgen.rules.odds import Odds, exact_odds, sampled_odds
from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

COMMAND = Place("command line")
WITH, ASK = "with", "ask"
THROWN = "· "
MOST_S = 60  # of computing that plays to be counted may take
WORDS = {"experience": "experience", "injury": "injuries", "rest": "rest"}


@dataclass(frozen=True, slots=True)
class PlayResult:
    """The outcome of a procedure, its log, and what was thrown: a line of the log each that begins with `THROWN`."""

    outcome: Any
    log: tuple[str, ...]
    throws: tuple[Throw, ...] = ()

    def _repr_html_(self) -> str:
        return table(["what happened"], [[line] for line in self.log])


@dataclass(frozen=True, slots=True)
class RandomSource:
    """Where dice and cards come from: as listed, from a seed, or asked for at the table."""

    seed: int
    dice: tuple[int, ...] | None = None
    cards: tuple[str, ...] | None = None
    ask: Callable[[str], str] | None = None


def source_of(
    dice: str, seed: int | None, *, cards: tuple[str, ...] | None = None, ask: Callable[[str], str] | None = None
) -> RandomSource:
    """Return where dice come from by the words of a person: faces such as `4,3`, `ask`, or a seed; else by chance.

    UsageError for faces that no die has.
    """
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    if dice == ASK and ask is not None:
        return RandomSource(chosen, cards=cards, ask=ask)
    if not dice:
        return RandomSource(chosen, cards=cards)
    faces = dice.replace(",", " ").split()
    for face in faces:
        if not (face.isascii() and face.isdigit() and len(face) < 5):
            asked = f", or {ASK}" if ask is not None else ""
            raise UsageError(f"--dice takes faces such as 4,3{asked}; not {quoted(face)}")
    return RandomSource(chosen, dice=tuple(map(int, faces)), cards=cards)


def cards_of(words: str) -> tuple[str, ...] | None:
    """Return the cards that a person lists, such as `KS, 7C`, None for none; UsageError for what is no card."""
    cards = tuple(words.replace(",", " ").split())
    for card in cards:
        try:
            parse_card(card)
        except ValueError as error:
            raise UsageError(f"{quoted(card)} is no card: {error}") from None
    return cards or None


def computing() -> float:
    """Return the seconds of computing that this process and its children have taken."""
    return sum(os.times()[:4])


class Pace:
    """Looks once, after a second, how fast things are played, and refuses those that would take too long.

    `what` they are is told in the LimitError, and the `option` that says how many.
    """

    def __init__(self, count: int, what: str, option: str) -> None:
        self._count, self._what, self._option = count, what, option
        self._first: tuple[int, float] | None = None  # what was done when all was loaded, and when that was
        self._judged = False

    def __call__(self, done: int) -> None:
        now = computing()
        if self._first is None:
            self._first = done, now
        before, began = self._first
        if self._judged or now - began < 1:
            return
        self._judged = True
        each = (now - began) / (done - before)
        if self._count * each > MOST_S:
            takes = f"{self._count:,} {self._what} take some {self._count * each:,.0f} s of computing"
            fewer = int(MOST_S / 2 / each)
            takes_half = f"{self._option} {max(fewer - fewer % 100, 1)} takes half a minute"
            raise LimitError(f"{takes}, more than {MOST_S} s: {takes_half}")


def procedure_named(pack: Pack, name: str) -> Procedure:
    """Return the procedure of that name; UsageError with the nearest one otherwise."""
    procedures = engine_of(pack.system).procedures
    if name not in procedures:
        near = suggestion(name, procedures) or f"; sheetgen play {pack.system.id} lists them"
        raise UsageError(f"unknown procedure {quoted(name)}{near}")
    return procedures[name]


def read_words(project: Project, pack: Pack, procedure: Procedure, words: Iterable[str]) -> dict[str, Any]:
    """Return the typed arguments of NAME=VALUE words; values are YAML, `a.b=1` nests, `@FILE:NAME` is a character.

    UsageError names the parameter and what it takes.
    """
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise UsageError(f"{quoted(word)} is not NAME=VALUE")
        if name in given:
            raise UsageError(f"{shortened(name)} is given twice")
        given[name] = value
    what = given.pop(WITH, "") if all(each.name != WITH for each in procedure.parameters) else ""
    data: dict[str, Any] = {}
    for name, value in given.items():
        if value.startswith("@"):
            for path, filled in character_parameters(
                project, pack, procedure.name, parameter=name, words=value[1:], what=what
            ).items():
                if path not in given:
                    set_at_path(data, path, filled)
        else:
            set_at_path(data, name, read_value(name, value))
    play = Play(pack.system, Scripted(()), rulings=rulings_of(pack.system))
    try:
        return procedure.arguments(as_words(data), play)
    except Wrong as wrong:
        raise UsageError(f"{procedure.name}: {wrong}") from None


def people_files(project: Project, words: Iterable[str]) -> tuple[Path, ...]:
    """Return the files that words such as `@FILE`, `@FILE:NAME` and `attacker=@FILE:NAME` take characters from."""
    people = (value for value in (word[word.find("=") + 1 :] for word in words) if value.startswith("@"))
    return tuple(project.where / (each[1:].rpartition(":")[0] or each[1:]) for each in people)


def read_value(name: str, text: str) -> Data:
    """Return the data that a value on the command line writes, as YAML."""
    problems = Problems()
    try:
        data = tree(parse((text or '""').encode(), name), Scope(problems))
    except InputError as error:
        raise UsageError(f"{shortened(name)}: {error.problems[0].message}") from None
    for problem in problems.found[:1]:
        raise UsageError(f"{shortened(name)}: {problem.message}")
    return data


def set_at_path(data: dict[str, Any], path: str, value: object) -> None:
    """Set the value at a dotted path; numbers in it are places in a list."""
    *heads, last = path.split(".")
    if not all((*heads, last)):
        raise UsageError(f"{quoted(path)}: a name is missing beside a dot")
    if len(heads) >= DEEPEST:
        raise UsageError(f"{quoted(path)}: nested deeper than {DEEPEST}")
    for head in heads:
        inner = data.setdefault(head, {})
        if not isinstance(inner, dict):
            raise UsageError(f"{shortened(path)}: {shortened(head)} has a value already")
        data = inner
    data[last] = value


def as_words(data: object) -> Any:
    """Return dicts, lists and strings as the words that procedures read; a dict of numbers becomes a list."""
    if isinstance(data, dict) and data and all(str(key).isdigit() for key in data):
        data = list(data.values())
    if isinstance(data, Mapping):
        return {Word(str(key), COMMAND): as_words(value) for key, value in data.items()}
    if isinstance(data, list):
        return tuple(as_words(item) for item in data)
    return data if isinstance(data, (Word, tuple)) else Word(str(data), COMMAND)


def play(pack: Pack, procedure: Procedure, arguments: Mapping[str, Any], source: RandomSource) -> PlayResult:
    """Return the outcome and the log of playing a procedure once; faces and cards that are listed must all be used.

    A stranger's pack is played in a confined process (LimitError when it is stopped), unless the dice are asked for at
    the table, which no such process can.
    """
    if source.ask is not None:
        return _played(pack, procedure, arguments, source)
    return pack.run_isolated(lambda: _played(pack, procedure, arguments, source))


def _played(pack: Pack, procedure: Procedure, arguments: Mapping[str, Any], source: RandomSource) -> PlayResult:
    log, throws = list[str](), list[Throw]()
    dice, cards = dice_of(source), _cards(source)

    def keep(roll: Roll) -> None:
        log.append(f"{THROWN}{roll}")
        throws.append(Throw(roll.purpose, roll.faces, roll.sides, roll.summed))

    table = Play(
        pack.system,
        Recorded(dice, keep),
        rulings=rulings_of(pack.system),
        cards=cards,
        log=log,
    )
    outcome = procedure.run(table, arguments)
    for each in (dice, cards):
        if isinstance(each, (Scripted, ScriptedCards)):
            each.finish()
    return PlayResult(outcome, tuple(log), tuple(throws))


def dice_of(source: RandomSource) -> Dice:
    """Return the dice of a source."""
    if source.dice is not None:
        return Scripted(source.dice)
    return Typed(source.ask) if source.ask is not None else Seeded(f"play\0{source.seed}".encode())


def _cards(source: RandomSource) -> Cards:
    if source.cards is not None:
        return ScriptedCards(source.cards)
    return DealtCards(full_deck(), Seeded(f"cards\0{source.seed}".encode()))


def odds(
    pack: Pack,
    procedure: Procedure,
    arguments: Mapping[str, Any],
    *,
    of: str,
    policy: str = "",
    samples: int = 0,
    seed: int = 1,
) -> Odds:
    """Return the odds of one result of a procedure: exact, or counted in `samples` plays.

    Those of a stranger's pack are worked out in a confined process; LimitError when it is stopped, and once it shows
    that `samples` would take more than `MOST_S` seconds.
    """
    if policy and policy not in procedure.policies:
        there = f"there are {', '.join(procedure.policies)}" if procedure.policies else "it leaves no choice"
        raise UsageError(f"{procedure.name}: unknown policy {quoted(policy)}; {there}")
    system = pack.system
    if samples:
        count = partial(sampled_odds, system, procedure, arguments, of=of, policy=policy, samples=samples, seed=seed)
        count = partial(count, progress=Pace(samples, "plays", "--samples"))
        return pack.run_isolated(count, limits=PUBLICATION)
    return pack.run_isolated(partial(exact_odds, system, procedure, arguments, of=of, policy=policy))


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
