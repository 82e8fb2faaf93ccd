"""A worked example told line by line: words that take their figures from the played case, and its dice drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sheetgen.content.book.references import References
from sheetgen.documents.figures.icons import card, die
from sheetgen.documents.markdown import html_of
from sheetgen.errors import InputError, Place, Problem, quoted
from sheetgen.model.book import Book, FaceReading, Scene, ToldLine
from sheetgen.model.data import Data, TemplateData, Values, Word
from sheetgen.model.procedures import Example, PlayedCase, Throw, as_data
from sheetgen.model.scale import MINUS
from sheetgen.model.system import System

Row = tuple[Throw, ...]
THROWN = "thrown"
PLAIN = FaceReading("", "plain")


class Shown(NamedTuple):
    """A line of an example with the rows of throws beside it, and what its words and each of its results refer to."""

    line: ToldLine
    rows: tuple[Row, ...]
    references: References
    beside: tuple[References, ...]


def case_data(case: Example, played: PlayedCase | None = None) -> dict[Word, Data]:
    """Return what the words of an example may refer to: what its case gives (also under `given`), what it came to.

    What it must come to stands under `expect`.
    """
    data: dict[Word, Data] = {**case.given, Word("given", case.place): case.given}
    data[Word("expect", case.place)] = case.expect
    outcome = _as_words(as_data(played.outcome), case.place) if played else {}
    return _merged(data, outcome if isinstance(outcome, Mapping) else {})


def _merged(data: Mapping[Word, Data], other: Mapping[Word, Data]) -> dict[Word, Data]:
    found = dict(data)
    for name, value in other.items():
        old = found.get(name)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        found[name] = _merged(old, value) if both else value  # type: ignore[arg-type]
    return found


def _as_words(value: Any, place: Place) -> Data:
    """Return an outcome as the data of a pack."""
    if isinstance(value, Mapping):
        return {Word(str(name), place): _as_words(each, place) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return tuple(_as_words(each, place) for each in value)
    return Word(str(value).lower() if isinstance(value, bool) else str(value), place)


class ExampleTeller:
    """Tells the examples of one book, whose `faces` say how dice are read and drawn."""

    def __init__(self, system: System, book: Book) -> None:
        self.system, self.book = system, book
        self.faces = {name: (self._listed_faces(face), face) for name, face in book.faces.items()}
        self.counts = any(face.adds for face in book.faces.values())

    def _listed_faces(self, face: FaceReading) -> frozenset[str]:
        """Return the faces that a reading is of, as words; InputError at its path for what is no list of numbers."""
        if face.of is None:
            return frozenset()
        if not self.system.values.has(face.of):
            raise InputError([Problem(face.of.place, f"faces: the pack has no value {quoted(face.of)}")])
        listed = self.system.values.words(face.of)
        wrong = [word for word in listed if not (word.isascii() and word.isdecimal())]
        if wrong:
            problem = f"faces: {quoted(wrong[0])} under {face.of} is no face: write whole numbers"
            raise InputError([Problem(face.of.place, problem)])
        return frozenset(listed)

    def shown(self, scene: Scene, played: PlayedCase, data: Mapping[Word, Data]) -> Iterator[Shown]:
        """Yield each line of an example with its throws, and with the references that its words may hold."""
        for line, thrown in zip(scene.lines, scene.shared_out(played.throws), strict=True):
            rows = thrown if line.kept is None else _counted_rows(thrown, Values(data, line.place), line.kept)
            facts = [self._facts_of(row, line.place) for row in rows]
            told = tuple(self._references(data, facts, number, line.place) for number in range(max(len(rows), 1)))
            yield Shown(line, rows, told[0], tuple(told[min(at, len(told) - 1)] for at in range(len(line.results))))

    def _references(
        self, data: Mapping[Word, Data], facts: Sequence[Mapping[Word, Data]], first: int, place: Place
    ) -> References:
        """Return what words may refer to: the case, and the dice of one row, with each row under its number as well."""
        rows = {Word(str(number), place): each for number, each in enumerate(facts, 1)}
        about = {**data, Word(THROWN, place): {**facts[first], **rows}} if facts else data
        return References(self.system, self.book, about)

    def html(self, scene: Scene, played: PlayedCase, data: Mapping[Word, Data]) -> list[TemplateData]:
        """Return each line for a template: its words, and its rows of drawn dice with what they come to."""
        return [
            {
                "played": line.played,
                "html": html_of(line.words.text, references.resolve),
                "rows": [
                    {
                        "drawn": [self.drawn(throw) for throw in row],
                        "result": self._result(line, number, beside, row),
                    }
                    for number, row in enumerate(rows)
                ],
            }
            for line, rows, references, beside in self.shown(scene, played, data)
        ]

    def key(self) -> list[tuple[str, str]]:
        """Return the key to the dice: for each way in which they are drawn a die, and what it says."""
        return [
            (die(min(map(int, listed or {"3"}), key=lambda each: (each != 5, each)), face.drawn), face.say)
            for listed, face in self.faces.values()
        ]

    def reads(self, throws: Iterable[Throw]) -> bool:
        """Return whether any of these dice are read in a way that the key explains."""
        return any(self._read(throw, face)[0] for throw in throws for face in throw.faces)

    def drawn(self, throw: Throw) -> str:
        """Return a throw as drawings in a row, which may break between them."""
        if throw.card:
            return card(throw.card)
        ways = (
            "light" if at in throw.dropped else self._read(throw, face)[1].drawn for at, face in enumerate(throw.faces)
        )
        return "\u200b".join(die(face, way) for face, way in zip(throw.faces, ways, strict=True))

    def _read(self, throw: Throw, face: int) -> tuple[str, FaceReading]:
        """Return how a face of a throw counts, by name; dice that are summed have a reading only of their own."""
        own = [(name, listed, read) for name, (listed, read) in self.faces.items() if read.throws]
        found = [each for each in own if each[2].throws in throw.purpose]
        if not found and not throw.summed:
            found = [(name, listed, read) for name, (listed, read) in self.faces.items() if not read.throws]
        named = ((name, read) for name, listed, read in found if str(face) in listed)
        others = ((name, read) for name, listed, read in found if not listed)
        return next(named, next(others, ("", PLAIN)))

    def _result(self, line: ToldLine, number: int, beside: Sequence[References], row: Row) -> str:
        if number < len(line.results):
            return html_of(line.results[number].text, beside[number].resolve, inline=True)
        return self._sum(row)

    def _sum(self, row: Row) -> str:
        """Return what a row of dice comes to: counted for and against where faces are read so, else summed."""
        faces = [(throw, face) for throw in row for face in throw.kept]
        if not faces or row[0].summed or not self.counts:
            return f"{sum(face for _, face in faces)}" if len(faces) > 1 else ""
        adds = [self._read(throw, face)[1].adds for throw, face in faces]
        more, less = sum(each for each in adds if each > 0), -sum(each for each in adds if each < 0)
        return f"{more} {MINUS} {less} = {_signed(more - less)}" if less else str(more)

    def _facts_of(self, row: Row, place: Place) -> dict[Word, Data]:
        """Return the figures of one row of dice."""
        faces = [(throw, face) for throw in row for face in throw.kept]
        reads = [self._read(throw, face) for throw, face in faces]
        total = sum(face for _, face in faces)
        counts = {name: sum(name == read for read, _ in reads) for name in self.faces}
        result = sum(face.adds for _, face in reads) if self.counts and not row[0].summed else total
        figures = {"dice": len(faces), "sum": total, **counts, "result": result}
        words = {Word(name, place): Word(str(figure), place) for name, figure in figures.items()}
        fell = tuple(Word(str(face), place) for _, face in faces)
        return {
            **words,
            Word("faces", place): fell,
            Word("cards", place): tuple(Word(t.card, place) for t in row if t.card),
        }


def _counted_rows(rows: tuple[Row, ...], values: Values, path: str) -> tuple[Row, ...]:
    """Return the rows with the dice dropped that are not among the faces that the case lists at a path."""
    faces = [int(face) for face in values.words(path) if face.isdecimal()] if values.has(path) else []
    return tuple(tuple(throw.keeping(faces) for throw in row) for row in rows)


def _signed(number: int) -> str:
    return str(number).replace("-", MINUS)
