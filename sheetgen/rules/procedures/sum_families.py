"""Families of mechanics that add up dice or count them: makers of a roll from the words of a pack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

from sheetgen.dice.notation import NotationError, parse_notation
from sheetgen.rules.procedures.family_words import FamilyWords
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import needed_only_for

Number = Annotated[int, Whole(-99, 99)]
Count = Annotated[int, Whole(0, 40)]
aimed = needed_only_for("target", "success", "margin")


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


def against(play: Play, total: int, target: int | None, rolled: str) -> Sum:
    """Return what a total comes to against a target, and tell it; without one, only the total counts."""
    if target is None:
        play.tell(f"{rolled} = {total}")
        return Sum(total, False, 0)
    success = total >= target
    end = f"success by {total - target}" if success else f"failure by {target - total}"
    play.tell(f"{rolled} = {total}, against {target}: {end}")
    return Sum(total, success, total - target)


def shown(faces: tuple[int, ...], bonus: int) -> str:
    """Return faces and a bonus as a sum is written."""
    return " + ".join(map(str, faces)) + (f" {'+' if bonus > 0 else '−'} {abs(bonus)}" if bonus else "")


def sum_against(words: FamilyWords) -> Callable[..., Sum]:
    """Add up dice and a modifier, and compare the sum with a target."""
    words.only("dice")
    notation = words.dice()

    @aimed
    def roll(play: Play, *, target: Number, bonus: Number = 0) -> Sum:
        if notation.keep or notation.tens:
            faces = play.dice.roll(notation.count, notation.sides, words.step.name)
            return against(play, notation.total(faces) + bonus, target, f"{notation}: {shown(faces, bonus)}")
        plain = play.dice.total(notation.count, notation.sides, words.step.name)
        return against(play, plain + notation.modifier + bonus, target, f"{notation}: {shown((plain,), bonus)}")

    return roll


def sum_of_kept(words: FamilyWords) -> Callable[..., Sum]:
    """Roll more dice for advantage or drawback, keep the best or worst, and compare their sum with a target."""
    words.only("dice")
    base = words.dice()

    @aimed
    def roll(play: Play, *, target: Number, bonus: Number = 0, advantage: Annotated[int, Whole(-5, 5)] = 0) -> Sum:
        kept = abs(base.keep) or base.count
        count = kept + abs(advantage)
        notation = replace(base, count=count, keep=kept if advantage >= 0 else -kept)
        faces = play.dice.roll(count, base.sides, words.step.name)
        return against(play, notation.total(faces) + bonus, target, f"{notation}: {shown(faces, bonus)}")

    return roll


def count_successes(words: FamilyWords) -> Callable[..., Successes]:
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


def die_codes(words: FamilyWords) -> Callable[..., Sum]:
    """Roll the dice of a code such as `3d+1`, one of them wild if so wished, against a target."""
    words.only("sides", "wild")
    sides, wild = words.sides(), words.word("wild", "no") == "yes"

    @aimed
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
        return against(play, total, target, code)

    return roll


def critical_number(words: FamilyWords) -> Callable[..., Sum]:
    """Roll one die; a face of at least the number, less any help, succeeds."""
    words.only("sides")
    sides = words.sides()

    def roll(play: Play, *, number: Count, help: Count = 0) -> Sum:
        effective = max(number - help, 0)
        face = play.dice.total(1, sides, words.step.name) if effective else sides
        return against(play, face, effective, f"d{sides}")

    return roll
