"""What a pack says of a roll that chooses a family of mechanics, read word by word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, get_args, get_origin, get_type_hints

from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.errors import InputError, Problem, among, quoted, suggestion
from sheetgen.model.data import Values, Word
from sheetgen.model.system import Step, Table
from sheetgen.rules.procedures.procedure import Procedure

MOST_SIDES = 100
Change = tuple[int, Notation | int]  # a sign, and what is rolled or stands there
YES, NO = "yes", "no"
_KINDS = {int: "a number", bool: "yes or no", str: "a word"}


def result_types(roll: Procedure) -> dict[str, Any]:
    """Return the type of each result of a roll, by its name."""
    return {name.rstrip("_"): kind for name, kind in get_type_hints(roll.outcome, include_extras=True).items()}


def never_is(roll: Procedure, result: str, word: str) -> str:
    """Return why a result cannot be a word, where the roll has certain words for it; nothing where it can."""
    kind = result_types(roll).get(result)
    words = get_args(kind) if get_origin(kind) is Literal else ()
    if not words or word.casefold() in (str(each).casefold() for each in words):
        return ""
    return f"{result} of {roll.name} is never {quoted(word)}{among(word, map(str, words))}"


def _is(kind: Any, wanted: type) -> bool:
    """Return whether values are of a type, or absent; certain words are texts."""
    return wanted in (kind, *get_args(kind)) or (wanted is str and get_origin(kind) is Literal)


def there_are(names: Sequence[str]) -> str:
    """Return the names that there are, as the end of a message."""
    return f" (there are {', '.join(names)})" if names else " (there is none)"


class FamilyWords:
    """The words of a pack for one roll, read as what they must be; InputError at the one that is wrong."""

    def __init__(
        self,
        step: Step,
        rolls: Mapping[str, Procedure] | None = None,
        tables: Mapping[str, Table] | None = None,
        values: Values | None = None,
    ) -> None:
        self.step, self.rolls, self.tables = step, rolls or {}, tables or {}  # other rolls, and tables, of the pack
        self._values = values

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
        """Return the words of a list under a key, none if it is absent; a word alone is a list of one."""
        given = self.step.params.get(name, ())  # type: ignore[call-overload]
        if isinstance(given, str) and given:
            return (given,)
        if not isinstance(given, tuple | list) or not all(isinstance(each, str) for each in given):
            raise self.wrong(f"{name} is a list of words: [one, other]", given)
        return tuple(given)

    def only(self, *names: str) -> None:
        """Refuse all keys but these."""
        for name in self.step.params:
            if name not in names:
                raise self.wrong(f"unknown key {quoted(name)}{among(name, names)}", name)

    def dice(self, sides: int = 0, otherwise: str = "") -> Notation:
        """Return the dice that are rolled."""
        try:
            return parse_notation(self.word("dice", otherwise), sides=sides)
        except NotationError as error:
            raise self.wrong(error.message) from None

    def roll(self) -> Procedure:
        """Return the other roll of the pack that `roll` names."""
        name = self.word("roll")
        if name not in self.rolls:
            near = suggestion(name, self.rolls) or f" (one of: {', '.join(self.rolls)})"
            raise self.wrong(f"unknown roll {quoted(name)}{near}", name)
        return self.rolls[name]

    def result(self, roll: Procedure, key: str, *wanted: type) -> str:
        """Return the result of a roll that a key names, which must be of one of these types."""
        name, kinds = self.word(key), result_types(roll)
        able = [each for each, kind in kinds.items() if any(_is(kind, of) for of in wanted)]
        if name not in able:
            kind = " or ".join(_KINDS[each] for each in wanted)
            near = suggestion(name, able) or there_are(able)
            raise self.wrong(f"{roll.name} has no result {quoted(name)} that is {kind}{near}", name)
        return name

    def steps(self, key: str, roll: Procedure, by: str) -> dict[str, Change]:
        """Return by how much each word of a result counts: a number, or dice that are added, or taken off with a minus.

        There is none for a result that is a number, which counts itself.
        """
        kind = result_types(roll)[by]
        if int in (kind, *get_args(kind)):
            if key in self.step.params:
                raise self.wrong(f"{by} of {roll.name} is a number, which counts by itself: delete {key}")
            return {}
        given = self.step.params.get(key)  # type: ignore[call-overload]
        if not isinstance(given, Mapping) or not given:
            raise self.wrong(f"needs {key}, a change for each word of {by}: {{miss: 2, hit: 0}}")
        known = (YES, NO) if bool in (kind, *get_args(kind)) else get_args(kind) if get_origin(kind) is Literal else ()
        for word in given:
            if known and word not in known:
                raise self.wrong(f"{by} of {roll.name} is never {quoted(word)}{among(word, known)}", word)
        return {str(word): self._change(word, str(change)) for word, change in given.items()}

    def _change(self, word: Word, change: str) -> Change:
        if not any(letter.isdigit() for letter in change) or "d" not in change:
            number = self._whole_number(word, change)
            return (-1 if number < 0 else 1), abs(number)
        text = change.replace("−", "-")
        try:
            return (-1 if text.startswith("-") else 1), parse_notation(text.removeprefix("-").removeprefix("+"))
        except NotationError as error:
            raise self.wrong(f"{word}: {error.message}", word) from None

    def span(self, key: str) -> tuple[int, int]:
        """Return the lowest and the highest number of a range such as `0-6`."""
        low, _, high = self.word(key, "0-10").partition("-")
        if not all(each.isascii() and each.isdigit() and len(each) < 4 for each in (low, high)) or int(low) >= int(
            high
        ):
            raise self.wrong(f"{key} is a range such as 0-6", self.step.params.get(key))  # type: ignore[call-overload]
        return int(low), int(high)

    def table(self) -> Table:
        """Return the table of the pack that `table` names."""
        name = self.word("table")
        if name not in self.tables:
            raise self.wrong(f"unknown table {quoted(name)}{among(name, self.tables)}", name)
        return self.tables[name]

    def number(self, name: str, otherwise: str = "") -> int:
        """Return a whole number below 1,000, or the value of the pack whose path stands there."""
        word = self._stated(self.word(name, otherwise))
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

    def ties(self) -> str:
        """Return who wins a tie: nobody, a or b."""
        found = self.word("ties", "nobody")
        if found not in ("nobody", "a", "b"):
            raise self.wrong(f"ties go to nobody, a or b, not to {quoted(found)}")
        return found

    def bands(self, name: str = "bands") -> dict[str, int]:
        """Return the least total of each band of results, the highest band first."""
        given = self.step.params.get(name)  # type: ignore[call-overload]
        if not isinstance(given, Mapping) or not given:
            raise self.wrong(f"needs {name}, each with its least total: {{hit: 7, miss: 2}}")
        found = {str(band): self._whole_number(band, least, "begins at") for band, least in given.items()}
        ordered = dict(sorted(found.items(), key=lambda each: -each[1]))
        if any(one == other for one, other in pairwise(ordered.values())):
            raise self.wrong(f"two {name} begin at the same total", next(iter(given)))
        return ordered

    def _whole_number(self, word: Word, number: object, what: str = "counts by") -> int:
        text = self._stated(str(number)).replace("−", "-").removeprefix("+")
        if not (text.removeprefix("-").isascii() and text.removeprefix("-").isdigit() and len(text) < 5):
            near = suggestion(str(number), self._values.outermost) if self._values is not None else ""
            raise self.wrong(f"{word} {what} a whole number, not {quoted(str(number))}{near}", word)
        return int(text)

    def _stated(self, word: str) -> str:
        """Return a number as it stands, or that of the pack value whose path this is."""
        if self._values is None or not word[:1].isalpha() or not self._values.has(word):
            return word
        return str(self._values.number(word))

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
