"""Where faces come from: a seed, a script, or a person at the table; `paths.py` has every path at once.

A rule asks its `Dice` for what it needs and says what for: faces (`roll`), a total (`total`), or a pick among
equals that is not a roll of the game (`choose`). The seeded source is BLAKE2b in counter mode with rejection, so a
stream is the same on every machine and every Python, and each face is equally likely to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Protocol

from sheetgen.errors import SheetgenError, shortened

Reading = tuple[tuple[int, ...], ...]
BYTE = 256
LARGEST_SEED = 2**63 - 1


def classified(faces: Iterable[int], reading: Reading) -> tuple[int, ...]:
    """Return how many of the faces belong to each class of a reading."""
    rolled = list(faces)
    return tuple(sum(face in kind for face in rolled) for kind in reading)


class Dice(Protocol):
    """What a rule may ask of dice; `purpose` is what the roll is for, in words a table would use."""

    __slots__ = ()

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Return the faces of `count` dice, in the order in which they fell."""

    def total(self, count: int, sides: int, purpose: str) -> int:
        """Return the sum of `count` dice."""
        return sum(self.roll(count, sides, purpose))

    def pool(self, count: int, sides: int, reading: Reading, purpose: str) -> tuple[int, ...]:
        """Return how many of `count` dice fell into each class of a reading, such as ((1,), (2, 3), (4, 5), (6,))."""
        return classified(self.roll(count, sides, purpose), reading)

    def matched(self, count: int, sides: int, purpose: str) -> tuple[int, int]:
        """Return the largest set of equal faces among `count` dice, the higher of two such: how many, and which."""
        faces = self.roll(count, sides, purpose)
        return max((faces.count(face), face) for face in faces)

    def choose(self, count: int, purpose: str) -> int:
        """Return a number from 0 to `count` − 1, each as likely as the others: a pick, not a roll of the game."""


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll as it fell: what it was for, the faces in order, and their sum."""

    purpose: str
    faces: tuple[int, ...]
    sides: int
    summed: bool = True

    @property
    def total(self) -> int:
        """Return the sum of the faces."""
        return sum(self.faces)

    def __str__(self) -> str:
        if not self.summed:
            return f"{self.purpose}: {', '.join(map(str, self.faces))}"
        total = f" = {self.total}" if len(self.faces) > 1 else ""
        return f"{self.purpose}: {' + '.join(map(str, self.faces))}{total}"


class Seeded(Dice):
    """Dice that follow from a key alone: the same key, the same faces, for ever.

    A batch spends much of its time here, so each question goes through the bytes that are left in a loop of its own.
    """

    __slots__ = ("_key", "_left", "_turn")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._turn = 0
        self._left = iter(b"")  # an iterator goes on where the last question stopped

    def _refill(self) -> None:
        self._left = iter(blake2b(self._key + self._turn.to_bytes(8, "big")).digest())
        self._turn += 1

    def _below_wide(self, bound: int) -> int:
        """Return a number below a bound that one byte cannot reach; bytes too few for it end with their block."""
        width = ((bound - 1).bit_length() + 7) // 8
        limit = BYTE**width - BYTE**width % bound
        while True:
            taken = bytes(islice(self._left, width))
            if len(taken) < width:
                self._refill()
                taken = bytes(islice(self._left, width))
            value = int.from_bytes(taken, "big")
            if value < limit:
                return value % bound

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Return the next `count` faces of the stream."""
        if sides > BYTE:
            return tuple([self._below_wide(sides) + 1 for _ in range(count)])
        limit = BYTE - BYTE % sides
        faces: list[int] = []
        while len(faces) < count:
            for value in self._left:
                if value < limit:
                    faces.append(value % sides + 1)
                    if len(faces) == count:
                        break
            else:
                self._refill()
        return tuple(faces)

    def total(self, count: int, sides: int, purpose: str) -> int:
        """Return the sum of the next `count` faces of the stream."""
        if sides > BYTE:
            return sum(self.roll(count, sides, purpose))
        limit = BYTE - BYTE % sides
        result = left = count
        while left > 0:
            for value in self._left:
                if value < limit:
                    result += value % sides
                    left -= 1
                    if not left:
                        break
            else:
                self._refill()
        return result

    def choose(self, count: int, purpose: str) -> int:
        """Return the next number below `count`."""
        if count > BYTE:
            return self._below_wide(count)
        if count < 2:
            return 0
        limit = BYTE - BYTE % count
        while True:
            for value in self._left:
                if value < limit:
                    return value % count
            self._refill()


class Scripted(Dice):
    """Dice that fall as listed; too few faces, an impossible face, or faces left over are errors."""

    def __init__(self, faces: Iterable[int], choices: Iterable[int] = ()) -> None:
        self.left = list(faces)
        self.choices = list(choices)

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Return the next `count` faces of the script; SheetgenError if they are missing or not on such a die."""
        if count > len(self.left):
            raise SheetgenError(f"not enough dice: {purpose} takes {count}, {len(self.left)} left")
        faces, self.left = tuple(self.left[:count]), self.left[count:]
        for face in faces:
            if not 1 <= face <= sides:
                raise SheetgenError(f"{purpose}: a die with {sides} sides cannot show {face}")
        return faces

    def choose(self, count: int, purpose: str) -> int:
        """Return the next scripted pick, or the first of all when none is scripted."""
        return min(self.choices.pop(0), count - 1) if self.choices else 0

    def finish(self) -> None:
        """Raise SheetgenError that tells which faces nobody asked for, if there are any."""
        if self.left:
            raise SheetgenError(f"dice left over: {shortened(', '.join(map(str, self.left)))}")


class Typed(Dice):
    """Dice rolled by hand: `ask` shows a question and returns the answer typed at the table."""

    def __init__(self, ask: Callable[[str], str]) -> None:
        self.ask = ask

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Return the faces as typed, asked for again until they can be right."""
        question = f"{purpose}: {count}d{sides}"
        hint = ""
        while True:
            words = self.ask(f"{question}{hint} ").replace(",", " ").split()
            faces = tuple(int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 5)
            if len(faces) == len(words) == count and all(1 <= face <= sides for face in faces):
                return faces
            hint = f" (type {count} number{'s' if count > 1 else ''} from 1 to {sides})"

    def choose(self, count: int, purpose: str) -> int:
        """Return the pick as typed, from 1 to `count` at the table."""
        return self.roll(1, count, purpose)[0] - 1 if count > 1 else 0


class Recorded(Dice):
    """Another source, with every roll handed to `keep` as it falls."""

    def __init__(self, source: Dice, keep: Callable[[Roll], object]) -> None:
        self.source, self.keep = source, keep

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Return the faces of the source, kept one by one."""
        faces = self.source.roll(count, sides, purpose)
        self.keep(Roll(purpose, faces, sides, summed=False))
        return faces

    def total(self, count: int, sides: int, purpose: str) -> int:
        """Return the sum of the faces of the source, kept with their sum."""
        faces = self.source.roll(count, sides, purpose)
        self.keep(Roll(purpose, faces, sides))
        return sum(faces)

    def choose(self, count: int, purpose: str) -> int:
        """Return the pick of the source; picks are not rolls and are not kept."""
        return self.source.choose(count, purpose)


def shuffled(count: int, key: bytes) -> tuple[int, ...]:
    """Return the numbers 0 to `count` − 1 in an order that follows from the key (Fisher and Yates)."""
    dice = Seeded(key)
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = dice.choose(last + 1, "")
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def latin_pair(index: int, rows: int, columns: int) -> tuple[int, int]:
    """Return the `index`-th cell (from 0) of a walk over `rows` × `columns` that visits all before it starts anew.

    Neighbours on the walk share neither row nor column, so that first names and family names both keep changing.
    """
    turn, row = divmod(index, rows)
    return row, (row + turn) % columns
