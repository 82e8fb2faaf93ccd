"""Mechanics that a pack without Python can choose by name: its rolls become procedures like any other.

    play:
      attempt: {family: sum against a target, dice: 2d6, say: try something}

Each family is a maker of a procedure from the pack's words; the parameters are the same in every pack that uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.errors import InputError, Problem, quoted, suggestion
from sheetgen.model.data import Word
from sheetgen.model.reckoning import RECKONING, Reckoning
from sheetgen.model.system import Step, System
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import Procedure, declared
from sheetgen.rules.procedures.reckoning import reckoned

MOST_SIDES = 100
Number = Annotated[int, Whole(-99, 99)]
Count = Annotated[int, Whole(0, 40)]


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum against a target: the total with its bonus, whether it reaches the target, and by how much."""

    total: int
    success: bool
    margin: int


@dataclass(frozen=True, slots=True)
class Successes:
    """Dice that count: how many do, and whether they are enough."""

    successes: int
    success: bool


class _Words:
    """The words of a pack for one roll."""

    def __init__(self, step: Step) -> None:
        self.step = step

    def wrong(self, message: str, at: object = None) -> InputError:
        place = at.place if isinstance(at, Word) else self.step.place
        return InputError([Problem(place, f"play {self.step.name}: {message}")])

    def word(self, name: str, otherwise: str = "") -> str:
        value = self.step.params.get(name, otherwise)  # type: ignore[call-overload]
        if not isinstance(value, str) or not value:
            raise self.wrong(f"needs {name}")
        return value

    def only(self, *names: str) -> None:
        for name in self.step.params:
            if name not in names:
                raise self.wrong(f"unknown key {quoted(name)}{suggestion(name, names)}", name)

    def dice(self, sides: int = 0) -> Notation:
        try:
            return parse_notation(self.word("dice"), sides=sides)
        except NotationError as error:
            raise self.wrong(error.message) from None

    def number(self, name: str, otherwise: str = "") -> int:
        word = self.word(name, otherwise)
        if not (word.isascii() and word.isdigit() and len(word) < 4):
            raise self.wrong(f"{name} must be a whole number")
        return int(word)

    def sides(self) -> int:
        found = self.number("sides", "6")
        if not 2 <= found <= MOST_SIDES:
            raise self.wrong(f"a die has 2 to {MOST_SIDES} sides", self.step.params.get("sides"))  # type: ignore[call-overload]
        return found


def _against(play: Play, total: int, target: int, shown: str) -> Sum:
    success = total >= target
    end = f"success by {total - target}" if success else f"failure by {target - total}"
    play.tell(f"{shown} = {total}, against {target}: {end}")
    return Sum(total, success, total - target)


def _shown(faces: tuple[int, ...], bonus: int) -> str:
    return " + ".join(map(str, faces)) + (f" {'+' if bonus > 0 else '−'} {abs(bonus)}" if bonus else "")


def _sum(words: _Words) -> Callable[..., Sum]:
    """Add up dice and a modifier, and compare the sum with a target."""
    words.only("dice")
    notation = words.dice()

    def roll(play: Play, *, target: Number, bonus: Number = 0) -> Sum:
        if notation.keep or notation.tens:
            faces = play.dice.roll(notation.count, notation.sides, words.step.name)
            return _against(play, notation.total(faces) + bonus, target, f"{notation}: {_shown(faces, bonus)}")
        plain = play.dice.total(notation.count, notation.sides, words.step.name)
        return _against(play, plain + notation.modifier + bonus, target, f"{notation}: {_shown((plain,), bonus)}")

    return roll


def _kept(words: _Words) -> Callable[..., Sum]:
    """Roll more dice for advantage or drawback, keep the best or worst, and compare their sum with a target."""
    words.only("dice")
    base = words.dice()

    def roll(play: Play, *, target: Number, bonus: Number = 0, advantage: Annotated[int, Whole(-5, 5)] = 0) -> Sum:
        kept = abs(base.keep) or base.count
        count = kept + abs(advantage)
        notation = replace(base, count=count, keep=kept if advantage >= 0 else -kept)
        faces = play.dice.roll(count, base.sides, words.step.name)
        return _against(play, notation.total(faces) + bonus, target, f"{notation}: {_shown(faces, bonus)}")

    return roll


def _successes(words: _Words) -> Callable[..., Successes]:
    """Roll a pool and count the dice that show a number or more."""
    words.only("sides", "from")
    sides, least = words.sides(), words.number("from")
    if not 1 <= least <= sides:
        raise words.wrong(f"a die with {sides} sides cannot succeed from {least} on")
    reading = (tuple(range(least, sides + 1)),)

    def roll(play: Play, *, dice: Count, needed: Count = 1) -> Successes:
        (found,) = play.dice.pool(dice, sides, reading, words.step.name)
        play.tell(f"{dice}d{sides}: {found} at {least} or more, {needed} needed")
        return Successes(found, found >= needed)

    return roll


def _codes(words: _Words) -> Callable[..., Sum]:
    """Roll the dice of a code such as `3d+1`, one of them wild if so wished, against a target."""
    words.only("sides", "wild")
    sides, wild = words.sides(), words.word("wild", "no") == "yes"

    def roll(play: Play, *, code: str, target: Number) -> Sum:
        try:
            notation = parse_notation(code, sides=sides)
        except NotationError as error:
            raise Refused("code", error.message) from None
        plain = play.dice.total(notation.count - wild, sides, "plain dice") if notation.count > wild else 0
        total, count = plain + notation.modifier, 0
        while wild:
            face = play.dice.total(1, sides, "wild die")
            total, count = total + face, count + 1
            if face < sides:
                break
            play.again(count, "the wild die")
        return _against(play, total, target, code)

    return roll


def _critical(words: _Words) -> Callable[..., Sum]:
    """Roll one die; a face of at least the number, less any help, succeeds."""
    words.only("sides")
    sides = words.sides()

    def roll(play: Play, *, number: Count, help: Count = 0) -> Sum:
        effective = max(number - help, 0)
        face = play.dice.total(1, sides, words.step.name) if effective else sides
        return _against(play, face, effective, f"d{sides}")

    return roll


FAMILIES: Mapping[str, Callable[[_Words], Callable[..., object]]] = {
    "sum against a target": _sum,
    "sum of the kept dice": _kept,
    "count successes": _successes,
    "die codes": _codes,
    "critical number": _critical,
}


def family_procedures(system: System) -> dict[str, Procedure]:
    """The procedures that a pack's `play:` asks for; InputError at the words that do not hold."""
    found, problems = {}, list[Problem]()
    for name, step in system.play.items():
        try:
            found[name] = reckoned(step, system) if isinstance(step, Reckoning) else _rolled(name, step)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return found


def _rolled(name: str, step: Step) -> Procedure:
    if step.do not in FAMILIES:
        near = suggestion(step.do, FAMILIES) or f" (one of: {', '.join((*FAMILIES, RECKONING))})"
        raise InputError([Problem(step.do.place, f"play {name}: unknown family {quoted(step.do)}{near}")])
    work = FAMILIES[step.do](_Words(step))
    return declared(work, name=name, say=step.say or step.do, rules=(step.rule,) if step.rule else ())
