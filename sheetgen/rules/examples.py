"""Worked examples run: each case played with its own dice and cards, and every difference told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from sheetgen.dice.deck import Card, ScriptedCards
from sheetgen.dice.source import Recorded, Roll, Scripted
from sheetgen.errors import Problem, SheetgenError, among, quoted
from sheetgen.model.data import Data, Values, Word, plain
from sheetgen.model.outcome import Example, PlayedCase, Results, Throw, as_data
from sheetgen.model.system import System
from sheetgen.rules.procedures.parameters import Wrong, is_absent, read
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import Engine, engine_of, rulings_of


def run_examples(system: System, examples: tuple[Example, ...]) -> tuple[Problem, ...]:
    """Return a problem for each case that does not come out as it says."""
    engine = engine_of(system)
    found = []
    for example in examples:
        failure = run_example(system, engine, example)
        if failure:
            found.append(Problem(example.place, f"{example.id}: {failure}"))
    return tuple(found)


def run_example(system: System, engine: Engine, example: Example) -> str:
    """Return what is wrong with a case, or nothing."""
    procedure = engine.procedures.get(example.do)
    if procedure is None:
        return f"unknown procedure {quoted(example.do)}{among(example.do, engine.procedures)}"
    play, dice, cards = _table(system, engine, example)
    refusal = example.expect.get("error")  # type: ignore[call-overload]
    try:
        outcome = procedure.run(play, procedure.arguments(example.given, play))
        dice.finish()
        cards.finish()
    except (Wrong, Refused) as error:
        return _refused(error, refusal)
    except SheetgenError as error:
        return str(error)
    if refusal is not None:
        return f"expected a refusal, got {as_data(outcome)}"
    return "; ".join(_compared(outcome, procedure.outcome, example.expect, "", system.values))


def played(system: System, example: Example) -> PlayedCase:
    """Return a case as it goes at the table: its throws, its log, its outcome; a refused one ends with why it is."""
    log, throws, procedure = list[str](), list[Throw](), engine_of(system).procedures[example.do]
    dice, cards = Scripted(example.dice), _SeenCards(example.cards, throws)

    def keep(roll: Roll) -> None:
        throws.append(Throw(roll.purpose, roll.faces, roll.sides, roll.summed))

    play = Play(system, Recorded(dice, keep), rulings=rulings_of(system), cards=cards, log=log)
    try:
        outcome = procedure.run(play, procedure.arguments(example.given, play))
    except (Wrong, Refused) as error:
        log.append(str(error))
        outcome = None
    return PlayedCase(tuple(throws), tuple(log), outcome)


class _SeenCards(ScriptedCards):
    """The cards of a case, noted among its throws as they are drawn."""

    def __init__(self, cards: Iterable[str], throws: list[Throw]) -> None:
        super().__init__(cards)
        self._throws = throws

    def draw(self, purpose: str) -> Card:
        card = super().draw(purpose)
        self._throws.append(Throw(purpose, card=str(card)))
        return card


def _table(system: System, engine: Engine, example: Example) -> tuple[Play, Scripted, ScriptedCards]:
    """Return the table with the dice and cards of a case."""
    dice, cards = Scripted(example.dice), ScriptedCards(example.cards)
    return Play(system, dice, rulings=rulings_of(system), cards=cards), dice, cards


def _refused(error: Wrong | Refused, expected: Data | None) -> str:
    code = error.code if isinstance(error, Refused) else "bad_parameter"
    if expected is None:
        return f"refused: {error}"
    if expected in ("true", code):
        return ""
    return f"expected the refusal {expected}, got {code}: {error}"


def _compared(got: Any, wanted: Any, expect: Mapping[Word, Data], path: str, values: Values) -> Iterator[str]:
    """Yield the differences between a record and the part of it that a case expects."""
    kind = wanted if isinstance(got, Results) else type(got)
    hints = get_type_hints(kind, include_extras=True) if is_dataclass(kind) else {}
    names = {each.name.rstrip("_"): each.name for each in fields(kind)} if is_dataclass(kind) else {}
    for key, data in expect.items():
        at = f"{path}{key}"
        if key not in names:
            yield f"{at}: no such outcome{among(key, names)}"
            continue
        value, kind = getattr(got, names[key]), hints[names[key]]
        if is_dataclass(value) and isinstance(data, Mapping):
            yield from _compared(value, kind, data, f"{at}.", values)
            continue
        try:
            expected = None if is_absent(data) and _may_be_none(kind) else read(data, kind, at, values)
        except Wrong as wrong:
            yield f"expected {at} {plain(data)}, got {as_data(value)} ({wrong.takes})"
            continue
        if isinstance(expected, Mapping) and isinstance(value, Mapping):
            value = {name: each for name, each in value.items() if name in expected}
            expected = dict(expected)
        if expected != value:
            yield f"expected {at} {as_data(expected)}, got {as_data(value)}"


def _may_be_none(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType) and type(None) in get_args(kind)
