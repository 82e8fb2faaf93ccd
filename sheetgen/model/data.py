"""Plain data as a pack wrote it: words that remember their place, in lists and mappings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import TypeAlias

from sheetgen.errors import InputError, Place, Problem

Data: TypeAlias = "Word | tuple[Data, ...] | Mapping[Word, Data]"

EMPTY: Mapping[Word, Data] = MappingProxyType({})


class Word(str):
    """A scalar as it stands in the file, with its place; it compares and prints as the text it is."""

    place: Place
    __slots__ = ("place",)

    def __new__(cls, text: str, place: Place) -> Word:
        """Return the text with its place."""
        word = super().__new__(cls, text)
        word.place = place
        return word

    def __getnewargs__(self) -> tuple[str, Place]:  # type: ignore[override]  # so that it pickles with its place
        return str(self), self.place


def place_of(data: Data, otherwise: Place) -> Place:
    """Return where the data starts, as far as a word inside it can tell."""
    if isinstance(data, Word):
        return data.place
    for item in data:
        return place_of(item, otherwise)
    return otherwise


class Values:
    """The named numbers and words of a pack, read by dotted path: `values.number("quickie.difficulty.trained")`."""

    __slots__ = ("_numbers", "_texts", "_tree", "place")

    def __init__(self, tree: Mapping[Word, Data], place: Place) -> None:
        self._tree, self.place = tree, place
        # Those asked for before, since rules ask for the same ones again and again.
        self._numbers: dict[str, int] = {}
        self._texts: dict[str, str] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Values) and self._tree == other._tree

    __hash__ = None  # type: ignore[assignment]

    def at(self, path: str) -> Data:
        """Return the data at the path; InputError that names the path when the pack does not have it."""
        data: Data = self._tree
        for name in path.split("."):
            if not isinstance(data, Mapping) or name not in data:
                raise InputError([Problem(self.place, f"values: {path} is missing")])
            data = data[name]  # type: ignore[index]
        return data

    def has(self, path: str) -> bool:
        """Return whether the pack has anything at the path."""
        try:
            self.at(path)
        except InputError:
            return False
        return True

    def names_of(self, word: str) -> tuple[str, ...]:
        """Return the names under which the pack has this word anywhere, each once, whatever its case."""
        found, waiting = dict[str, None](), [self._tree]
        while waiting:
            for name, data in waiting.pop().items():
                if isinstance(data, Mapping):
                    waiting.append(data)
                elif isinstance(data, Word) and data.casefold() == word.casefold():
                    found[str(name)] = None
        return tuple(found)

    def text(self, path: str) -> str:
        """Return the word at the path."""
        found = self._texts.get(path)
        if found is None:
            found = self._texts[path] = self._text(path)
        return found

    def _text(self, path: str) -> str:
        data = self.at(path)
        if not isinstance(data, Word):
            raise InputError([Problem(place_of(data, self.place), f"values: {path} must be one word or number")])
        return data

    def number(self, path: str) -> int:
        """Return the whole number at the path."""
        found = self._numbers.get(path)
        if found is None:
            found = self._numbers[path] = self._number(path)
        return found

    def _number(self, path: str) -> int:
        word = self.text(path)
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
            raise InputError([Problem(place_of(self.at(path), self.place), f"values: {path} must be a whole number")])
        return int(word)

    def decimal(self, path: str) -> Decimal:
        """Return the exact decimal number at the path."""
        try:
            return Decimal(self.text(path))
        except InvalidOperation:
            message = f"values: {path} must be a number"
            raise InputError([Problem(place_of(self.at(path), self.place), message)]) from None

    def numbers(self, path: str) -> dict[str, int]:
        """Return each name below the path with its whole number."""
        return {name: self.number(f"{path}.{name}") for name in self.names(path)}

    def names(self, path: str) -> Iterator[str]:
        """Yield the names directly below the path, in the pack's order."""
        data = self.at(path)
        if not isinstance(data, Mapping):
            raise InputError([Problem(place_of(data, self.place), f"values: {path} must hold named values")])
        yield from (str(name) for name in data)

    def words(self, path: str) -> tuple[str, ...]:
        """Return the words of the list at the path; InputError for anything else."""
        data = self.at(path)
        if not isinstance(data, tuple) or not all(isinstance(word, Word) for word in data):
            raise InputError([Problem(place_of(data, self.place), f"values: {path} must be a list of words")])
        return tuple(map(str, data))

    def plain(self) -> object:
        """Return the whole tree as dicts, lists and strings, for templates."""
        return _plain(self._tree)


def _plain(data: Data) -> object:
    if isinstance(data, Mapping):
        return {str(name): _plain(value) for name, value in data.items()}
    return [_plain(item) for item in data] if isinstance(data, tuple) else str(data)
