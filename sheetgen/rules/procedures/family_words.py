"""What a pack says of a roll that chooses a family of mechanics, read word by word."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.errors import InputError, Problem, among, quoted
from sheetgen.model.data import Word
from sheetgen.model.system import Step
from sheetgen.rules.procedures.procedure import Procedure

MOST_SIDES = 100
YES, NO = "yes", "no"


class FamilyWords:
    """The words of a pack for one roll, read as what they must be; InputError at the one that is wrong."""

    def __init__(self, step: Step, rolls: Mapping[str, Procedure] | None = None) -> None:
        self.step, self.rolls = step, rolls or {}  # the other rolls of the pack, by name

    def wrong(self, message: str, at: object = None) -> InputError:
        """Return what is wrong as an error, at a word or else where the roll stands."""
        place = at.place if isinstance(at, Word) else self.step.place
        return InputError([Problem(place, f"play {self.step.name}: {message}")])

    def word(self, name: str, otherwise: str = "") -> str:
        """Return the word under a key."""
        value = self.step.params.get(name, otherwise)  # type: ignore[call-overload]
        if not isinstance(value, str) or not value:
            raise self.wrong(f"needs {name}")
        return value

    def words(self, name: str) -> tuple[str, ...]:
        """Return the words of a list under a key, none if it is absent."""
        given = self.step.params.get(name, ())  # type: ignore[call-overload]
        if not isinstance(given, tuple | list) or not all(isinstance(each, str) for each in given):
            raise self.wrong(f"{name} is a list of words: [one, other]", given)
        return tuple(given)

    def only(self, *names: str) -> None:
        """Refuse all keys but these."""
        for name in self.step.params:
            if name not in names:
                raise self.wrong(f"unknown key {quoted(name)}{among(name, names)}", name)

    def dice(self, sides: int = 0) -> Notation:
        """Return the dice that are rolled."""
        try:
            return parse_notation(self.word("dice"), sides=sides)
        except NotationError as error:
            raise self.wrong(error.message) from None

    def number(self, name: str, otherwise: str = "") -> int:
        """Return a whole number below 1,000."""
        word = self.word(name, otherwise)
        if not (word.isascii() and word.isdigit() and len(word) < 4):
            raise self.wrong(f"{name} must be a whole number")
        return int(word)

    def sides(self) -> int:
        """Return how many sides the dice have: six if nothing is said."""
        found = self.number("sides", "6")
        if not 2 <= found <= MOST_SIDES:
            raise self.wrong(f"a die has 2 to {MOST_SIDES} sides", self.step.params.get("sides"))  # type: ignore[call-overload]
        return found

    def switch(self, name: str) -> bool:
        """Return a word that is yes or no; no if it is absent."""
        found = self.word(name, NO)
        if found not in (YES, NO):
            raise self.wrong(f"{name} is yes or no, not {quoted(found)}", found)
        return found == YES

    def bands(self, name: str = "bands") -> dict[str, int]:
        """Return the least total of each band of results, the highest band first."""
        given = self.step.params.get(name)  # type: ignore[call-overload]
        if not isinstance(given, Mapping) or not given:
            raise self.wrong(f"needs {name}, each with its least total: {{hit: 7, miss: 2}}")
        found = {str(band): self._least(band, least) for band, least in given.items()}
        ordered = dict(sorted(found.items(), key=lambda each: -each[1]))
        if any(one == other for one, other in pairwise(ordered.values())):
            raise self.wrong(f"two {name} begin at the same total", next(iter(given)))
        return ordered

    def _least(self, band: Word, least: object) -> int:
        text = str(least).replace("−", "-")
        if not (text.removeprefix("-").isascii() and text.removeprefix("-").isdigit() and len(text) < 5):
            raise self.wrong(f"{band} begins at a whole number, not {quoted(str(least))}", band)
        return int(text)

    def ladder(self, name: str = "ladder") -> tuple[int, ...]:
        """Return the sides of the dice of a ladder, the smallest first: `[d4, d6, d8, d10, d12]`."""
        given = self.step.params.get(name)  # type: ignore[call-overload]
        words = tuple(map(str, given)) if isinstance(given, tuple | list) else ()
        sides = [int(word[1:]) for word in words if word[:1] == "d" and word[1:].isdigit() and len(word) < 5]
        if (
            not words
            or len(sides) < len(words)
            or sides != sorted(set(sides))
            or not 2 <= sides[0] <= sides[-1] <= MOST_SIDES
        ):
            raise self.wrong(f"needs {name}, rising dice of 2 to {MOST_SIDES} sides: [d4, d6, d8]", given)
        return tuple(sides)
