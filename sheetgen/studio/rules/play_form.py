"""The form of a rule that is played: a control for each parameter, made from its type, and read back as arguments."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from sheetgen.dice.source import Scripted
from sheetgen.errors import SheetgenError
from sheetgen.model.data import Data, Values
from sheetgen.model.procedures import as_data
from sheetgen.model.system import System
from sheetgen.rules.procedures.parameters import FREE_TEXT, OneOf, Parameter, Whole, Wrong, described, record_parameters
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import rulings_of
from sheetgen.table.examples import flow_of
from sheetgen.table.play import as_words, read_value, set_at_path

PREFIX = "p."
_UNPLAIN = re.compile(r"[^\w +-]")
LONGEST_SLIDE = 60  # numbers that a slider may have
LONGEST_HELP = 90
DEEPEST = 3  # records within each other that have controls of their own
Ranges = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class PlayForm:
    """What was typed for a procedure, by the path of each parameter, and what is wrong with it, likewise."""

    procedure: Procedure
    typed: Mapping[str, str]
    notes: Mapping[str, str]
    arguments: Mapping[str, Any] | None

    @property
    def others(self) -> tuple[str, ...]:
        """What is wrong at no control of the form."""
        shown = _paths(self.procedure.parameters)
        return tuple(note for path, note in self.notes.items() if path not in shown)

    def controls(self, ranges: Ranges, values: Values) -> list[dict[str, Any]]:
        """Return the controls as plain data for a template; `ranges` are what sliders go through."""
        made = _Controls(values, self.typed, self.notes, ranges)
        return [made.control(each, each.name, 1) for each in self.procedure.parameters]


def play_form(system: System, procedure: Procedure, typed: Mapping[str, str]) -> PlayForm:
    """Return the form with what was typed, read as arguments where all of it is right."""
    given = {path: text.strip() for path, text in typed.items() if text.strip()}
    data, notes, known = dict[str, Any](), dict[str, str](), _paths(procedure.parameters)
    for path, text in given.items():
        kind, usual = known.get(path, ("", ""))
        if usual and text == usual:  # a record that nobody fills in must not begin with what its switches show
            continue
        try:
            whole = f"[{text}]" if kind == "list" and not text.startswith("[") else text
            set_at_path(data, path, read_value(path, whole))
        except SheetgenError as error:
            notes[path] = str(error).removeprefix(f"{path}: ")
    play = Play(system, Scripted(()), rulings=rulings_of(system))
    arguments = None
    try:
        arguments = procedure.arguments(as_words(data), play)
    except Wrong as wrong:
        for each in (wrong, *wrong.others):
            path = each.path.partition("[")[0]
            notes.setdefault(path, str(Wrong("", each.takes, each.given, each.near)))
    return PlayForm(procedure, given, notes, None if notes else arguments)


def texts_of_example(given: Mapping[Any, Data], procedure: Procedure) -> dict[str, str]:
    """Return the parameters of a worked example as what one would type: each control of the form by its path."""
    found, paths = dict[str, str](), _paths(procedure.parameters)

    def fill(data: Mapping[Any, Data], before: str) -> None:
        for name, value in data.items():
            path = f"{before}{name}"
            kind, _ = paths.get(path, ("", ""))
            if isinstance(value, Mapping) and kind == "group":
                fill(value, f"{path}.")
            elif kind == "list" and isinstance(value, tuple) and not any(_UNPLAIN.search(str(each)) for each in value):
                found[path] = ", ".join(map(str, value))
            elif kind:
                text = str(value) if isinstance(value, str) else flow_of(value)
                found[path] = "" if text in ("null", "~") else text

    fill(given, "")
    return found


def _paths(parameters: Iterable[Parameter], before: str = "", depth: int = 1) -> dict[str, tuple[str, str]]:
    """Return the kind of control of each parameter, and of what is inside it, and what it usually is, by path."""
    found = dict[str, tuple[str, str]]()
    for each in parameters:
        path, kinds = f"{before}{each.name}", [*_kinds(each.wanted)]
        kind = _control_kind(kinds, depth)
        found[path] = kind, "" if each.needed else _usual(each.default)
        if kind == "group":
            found |= _paths(_inside(kinds), f"{path}.", depth + 1)
    return found


def _inside(kinds: list[tuple[Any, tuple[Any, ...]]]) -> list[Parameter]:
    return [each for each in record_parameters(kinds[0][0]) if each.name not in FREE_TEXT]


@dataclass(frozen=True)
class _Controls:
    """Makes controls out of what was typed, and what is wrong with it."""

    values: Values
    typed: Mapping[str, str]
    notes: Mapping[str, str]
    ranges: Ranges

    def control(self, parameter: Parameter, path: str, depth: int, *, left_out: bool = False) -> dict[str, Any]:
        """Return the control of a parameter, with those inside it where it is a record, which may be `left_out`."""
        needed = parameter.needed and not left_out
        kinds = [*_kinds(parameter.wanted)]
        kind, inside = _control_kind(kinds, depth), list[dict[str, Any]]()
        if kind == "group":
            inside = [self._inner(each, path, depth, left_out=not needed) for each in _inside(kinds)]
        words = [word for base, limits in kinds for word in _allowed_words(base, limits, self.values)]
        whole = (each for _, limits in kinds for each in limits if isinstance(each, Whole))
        bounds = next(((each.low, each.high) for each in whole), (None, None))
        usual = "" if parameter.needed else _usual(parameter.default)
        text = self.typed.get(path, "")
        help_, note = described(parameter.wanted, self.values), self.notes.get(path, "")
        slide = self._slide(path, kind, bounds)
        return {
            "path": path,
            "name": PREFIX + path,
            "label": parameter.name.replace("_", " "),
            "kind": kind,
            "words": words,
            "low": bounds[0],
            "high": bounds[1],
            "slide": slide,
            "text": text,
            "usual": usual,
            "needed": needed,
            "help": "" if slide or len(help_) > LONGEST_HELP or kind in ("choice", "switch", "group") else help_,
            "note": note,
            "inside": inside,
            "shown": needed or bool(note) or text not in ("", usual) or any(each["set"] for each in inside),
            "set": bool(note) or text not in ("", usual) or any(each["set"] for each in inside),
        }

    def _inner(self, parameter: Parameter, path: str, depth: int, *, left_out: bool) -> dict[str, Any]:
        return self.control(parameter, f"{path}.{parameter.name}", depth + 1, left_out=left_out)

    def _slide(self, path: str, kind: str, bounds: tuple[Any, Any]) -> tuple[int, int] | None:
        """Return the ends of a slider: those asked for, widened to what is typed, or the bounds if they are near."""
        low, high = self.ranges.get(path, (None, None))
        if kind not in ("number", "words") or (low is None and (bounds[0] is None or kind == "words")):
            return None
        if low is None or high is None:
            low, high = bounds
            return (low, high) if high - low <= LONGEST_SLIDE else None
        typed = self.typed.get(path, "")
        if typed.removeprefix("-").isdecimal() and len(typed) < 5:
            low, high = min(low, int(typed)), max(high, int(typed))
        return (low, high) if high - low <= LONGEST_SLIDE else None


def _kinds(wanted: Any, limits: tuple[Any, ...] = ()) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield the types that a parameter may have, each with its limits; nothing for none."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        yield from _kinds(parts[0], (*limits, *parts[1:]))
    elif origin in (Union, types.UnionType):
        for each in parts:
            if each is not type(None):
                yield from _kinds(each, limits)
    else:
        yield wanted, limits


def _control_kind(kinds: list[tuple[Any, tuple[Any, ...]]], depth: int) -> str:
    """Return what a control is: choice, switch, number, words (of several kinds), list, group, long or text."""
    base = kinds[0][0]
    named = [get_origin(each) is Literal or any(isinstance(one, OneOf) for one in some) for each, some in kinds]
    if all(named):
        return "choice"
    if len(kinds) > 1:
        return "words" if all(get_origin(each) in (None, Literal) for each, _ in kinds) else "long"
    if base in (bool, int, Decimal, str):
        return {bool: "switch", int: "number", Decimal: "number", str: "text"}[base]
    if is_dataclass(base):
        return "group" if depth < DEEPEST else "long"
    simple = get_origin(base) in (tuple, frozenset) and all(
        not is_dataclass(each) and get_origin(each) in (None, Literal) for each, _ in _kinds(get_args(base)[0])
    )
    return "list" if simple else "long"


def _allowed_words(base: Any, limits: tuple[Any, ...], values: Values) -> Iterator[str]:
    if get_origin(base) is Literal:
        yield from map(str, get_args(base))
    for each in limits:
        if isinstance(each, OneOf):
            yield from map(str, values.names(each.path))


def _usual(default: object) -> str:
    plain = as_data(default)
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    return "" if plain in (None, [], {}) else str(plain)
