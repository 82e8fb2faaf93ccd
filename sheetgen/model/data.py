"""Plain data as a pack wrote it: words that remember their place, in lists and mappings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from sheetgen.errors import InputError, Place, Problem

Data: TypeAlias = "Word | tuple[Data, ...] | Mapping[Word, Data]"

TemplateData = dict[str, object]  # what a template is told

T = TypeVar("T")
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


class _ByPath(dict[str, T]):
    """What stands at each path, read once: rules ask for the same paths again and again."""

    def __init__(self, read: Callable[[str], T]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, path: str) -> T:
        self[path] = found = self._read(path)
        return found


class _Numbers(dict[str, int]):
    """The numbers below a path by name; one that is missing is told, as it is where it is asked for by its path."""

    def __init__(self, found: Mapping[str, int], missing: Callable[[str], InputError]) -> None:
        super().__init__(found)
        self._missing = missing

    def __missing__(self, name: str) -> int:
        raise self._missing(name)

    def __reduce__(self) -> tuple[type[dict[str, int]], tuple[dict[str, int]]]:
        return dict, (dict(self),)


class Values:
    """The named numbers and words of a pack, read by dotted path: `values.number("quickie.difficulty.trained")`.

    Every reader raises InputError that names the path when the pack does not have such a value there.
    """

    __slots__ = ("_names", "_numbers", "_texts", "_tree", "place")

    def __init__(self, tree: Mapping[Word, Data], place: Place) -> None:
        self._tree, self.place = tree, place
        self._names, self._numbers, self._texts = (
            _ByPath(self._read_names),
            _ByPath(self._whole_number),
            _ByPath(self._word),
        )

    def __reduce__(self) -> tuple[type[Values], tuple[Mapping[Word, Data], Place]]:
        return Values, (self._tree, self.place)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Values) and self._tree == other._tree

    __hash__ = None  # type: ignore[assignment]

    def at(self, path: str) -> Data:
        """Return the data at the path; numbers in it are places in a list, from 1."""
        data: Data = self._tree
        for name in path.split("."):
            if isinstance(data, tuple) and name.isdecimal() and 0 < int(name) <= len(data):
                data = data[int(name) - 1]
                continue
            if not isinstance(data, Mapping) or name not in data:
                raise self._lacks(path)
            data = data[name]  # type: ignore[index]
        return data

    def has(self, path: str) -> bool:
        """Return whether the pack has anything at the path."""
        try:
            self.at(path)
        except InputError:
            return False
        return True

    @property
    def outermost(self) -> tuple[str, ...]:
        """The names of the values that stand in no other one."""
        return tuple(map(str, self._tree))

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
        return self._texts[path]

    def number(self, path: str) -> int:
        """Return the whole number at the path."""
        return self._numbers[path]

    def decimal(self, path: str) -> Decimal:
        """Return the exact decimal number at the path."""
        try:
            return Decimal(self.text(path))
        except InvalidOperation:
            raise self._must_be(path, "a number") from None

    def numbers(self, path: str) -> dict[str, int]:
        """Return each name below the path with its whole number; InputError for a name that is not there."""
        found = {name: self.number(f"{path}.{name}") for name in self.names(path)}
        return _Numbers(found, lambda name: self._lacks(f"{path}.{name}"))

    def names(self, path: str) -> tuple[str, ...]:
        """Return the names directly below the path, in the pack's order."""
        return self._names[path]

    def _lacks(self, path: str) -> InputError:
        return InputError([Problem(self.place, f"values: {path} is missing")])

    def _word(self, path: str) -> str:
        data = self.at(path)
        if not isinstance(data, Word):
            raise self._must_be(path, "one word or number")
        return data

    def _whole_number(self, path: str) -> int:
        word = self.text(path)
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
            raise self._must_be(path, "a whole number")
        return int(word)

    def _read_names(self, path: str) -> tuple[str, ...]:
        data = self.at(path)
        if not isinstance(data, Mapping):
            raise self._must_be(path, "named values", verb="hold")
        return tuple(map(str, data))

    def _must_be(self, path: str, what: str, *, verb: str = "be") -> InputError:
        return InputError([Problem(place_of(self.at(path), self.place), f"values: {path} must {verb} {what}")])

    def words(self, path: str) -> tuple[str, ...]:
        """Return the words of the list at the path; InputError for anything else."""
        data = self.at(path)
        if not isinstance(data, tuple) or not all(isinstance(word, Word) for word in data):
            raise InputError([Problem(place_of(data, self.place), f"values: {path} must be a list of words")])
        return tuple(map(str, data))

    def flat(self) -> Iterator[tuple[str, str]]:
        """Yield each path that leads to a word, a number or a list, with what stands there in one line."""
        yield from _flat(self._tree, "")

    def plain(self) -> object:
        """Return the whole tree as dicts, lists and words that know their place, for templates."""
        return plain(self._tree, words=True)


def _flat(data: Data, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(data, Mapping):
        for name, inner in data.items():
            yield from _flat(inner, f"{path}.{name}" if path else str(name))
    else:
        yield path, str(data) if isinstance(data, Word) else ", ".join(str(plain(each)) for each in data)


def plain(data: Data, *, words: bool = False) -> object:
    """Return data as dicts, lists and strings, or `words` as they are."""
    if isinstance(data, Mapping):
        return {str(name): plain(value, words=words) for name, value in data.items()}
    if isinstance(data, tuple):
        return [plain(item, words=words) for item in data]
    return data if words else str(data)


def in_words(data: Data) -> str:
    """Return data in a line, as people would say it: `hits 8, target 12`."""
    if isinstance(data, Mapping):
        return ", ".join(f"{name} {in_words(value)}" for name, value in data.items())
    return ", ".join(map(in_words, data)) if isinstance(data, tuple) else str(data)
