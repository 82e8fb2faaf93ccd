"""References in rule text: `{quickie.difficulty.trained}` stands for what the pack says there, and is checked.

{path.to.value}        a value of the pack, or of an example’s own case; |word, |signed, |digit (0 to F), |names (keys)
{tables.NAME.7.column} a cell of a table, in the row for that result
{Reflexes}             a trait, under the name that it has in this game
{hint Reflexes}        what the pack says on that trait: its hint, such as the words of a move
{rule NAME}  {chapter NAME}  {table NAME}   where to read on, with its page
{chapter NAME, else rule NAME} the same, and where else where this book leaves that out
{handout NAME}         a handout that a rule of the book declares, with its page
{die 6}  {card KS}  {suit S}   a drawn die, card or suit
{hand KS up, 7C down, gone}    cards laid out in a row; in a scene also `{hand actor.hand}`, out of its own case
{2}  {2d6}  {+1}  {2|word}     a figure that is meant as it stands
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.errors import Place, Problem, among, quoted, suggestion
from sheetgen.model.book import HOUSE_RULE, Book, Prose
from sheetgen.model.data import EMPTY, Data, Values, Word
from sheetgen.model.scale import HEX_DIGITS, MINUS
from sheetgen.model.system import System

REFERENCE = re.compile(r"\{([^{}]*)\}")
WORDS = (
    *("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
FORMS = ("word", "Word", "signed", "digit", "names")
TARGETS = ("rule", "chapter", "table", "handout")

_LAID = r"(?:gone|(?:(?:10|[2-9JQKA])[SHDC]|JOKER) (?:up|down))"
_LITERAL = re.compile(r"[+\-−]?\d[\w+\-−–/:.,%½¼² ]*|[½¼⅓⅔]")
_DRAWN = {
    "die": re.compile(r"[1-6]"),
    "card": re.compile(r"(?:10|[2-9JQKA])[SHDC]|JOKER", re.IGNORECASE),
    "suit": re.compile(r"[SHDC]"),
}
_HAND = re.compile(rf"{_LAID}(?:, ?{_LAID})*")
_NOUN = "(?:a|an|the|his|her|its|their|your|my|this|that) "  # a six, his six: a face, not a count
_SPELT = re.compile(rf"\b({_NOUN})?({'|'.join(WORDS[2:])})\b", re.IGNORECASE)
_DIGIT = re.compile(r"\b\d*d\d+|\d+")
_MEANT = re.compile(r"^\s*\d+\.(?= )|\[[^\]]*\]\([^)]*\)|`[^`]*`|[A-Z]{3}-[A-Z]?\d+")


@dataclass(frozen=True, slots=True)
class Reference:
    """What a reference stands for: text, or something to link to or to draw, with its text."""

    kind: Literal["text", "rule", "chapter", "table", "handout", "die", "card", "suit", "hand"]
    text: str
    target: str = ""


class References:
    """Resolves the references of one game; `resolve` raises ValueError with what is wrong.

    `case` holds what a scene is about, where references may lead into it.
    """

    def __init__(self, system: System, book: Book, case: Mapping[Word, Data] = EMPTY) -> None:
        self.system, self.case = system, Values(case, Place(""))
        self.rules = {name: rule.title for name, rule in book.rules.items()}
        self.handouts = {name: str(title) for name, title in book.handouts.items()}
        self.chapters = {chapter.id: chapter.title for chapter in book.chapters}
        self.elsewhere = book.elsewhere

    def resolve(self, inside: str) -> Reference:
        """Return what the words between a pair of braces stand for; ValueError with what is wrong."""
        words = self._first_in_this_book(" ".join(inside.split()))
        head, _, rest = words.partition(" ")
        if head in TARGETS and rest:
            return self._target(head, rest.strip())
        if head in _DRAWN and _DRAWN[head].fullmatch(rest):
            return Reference(head, rest.upper(), rest.upper())  # type: ignore[arg-type]
        if head in ("hint", "hand") and rest:
            return self._hint(rest) if head == "hint" else self._hand(rest)
        if words in self.system.by_role:
            return Reference("text", self.system.by_role[words].name)
        if words in self.system.traits:
            return Reference("text", words)
        if _LITERAL.fullmatch(words):
            return Reference("text", words.replace("-", MINUS, 1) if words.startswith("-") else words)
        path, _, form = words.partition("|")
        if path.isdecimal():
            return Reference("text", _text_of(Word(path, Place("")), form.strip()))
        return Reference("text", _text_of(self.value(path.strip()), form.strip()))

    def _first_in_this_book(self, words: str) -> str:
        first, _, other = words.partition(", else ")
        if other:
            self.resolve(other)  # to be sound in every book, also where the first is there
        return other if other and first.partition(" ")[2] in self.elsewhere else first

    def _target(self, kind: str, name: str) -> Reference:
        titles = {
            "rule": self.rules,
            "chapter": self.chapters,
            "table": {table.name: table.title for table in self.system.tables.values()},
            "handout": self.handouts,
        }[kind]
        if name not in titles and name in self.elsewhere:
            return Reference("text", self.elsewhere[name])
        if name not in titles:
            raise ValueError(f"unknown {kind} {quoted(name)}{among(name, titles)}")
        return Reference(kind, titles[name], name)  # type: ignore[arg-type]

    def _hint(self, name: str) -> Reference:
        known = {**self.system.by_role, **self.system.traits}
        if name not in known:
            raise ValueError(f"unknown trait {quoted(name)}{among(name, known)}")
        if not known[name].hint:
            raise ValueError(f"{name} has no hint")
        return Reference("text", known[name].hint)

    def _hand(self, words: str) -> Reference:
        """Return a hand as written, or as the case of a scene has it at a path; cards face down are not named."""
        laid = words if _HAND.fullmatch(words) else ""
        if self.case.has(words):
            found = self.case.at(words)
            laid = ", ".join(map(str, found)) if isinstance(found, tuple) else ""
        if not laid:
            raise ValueError("takes cards such as `KS up, 7C down, gone`, or in a scene a hand of its case")
        return Reference("hand", laid, laid)

    def value(self, path: str) -> Data:
        """Return the value at a path of the pack or of the case, as it stands there; ValueError if there is none."""
        if path.startswith("tables."):
            return self._cell(path)
        values = self.system.values
        if self.case.has(path):
            return self.case.at(path)
        if not values.has(path):
            near = suggestion(path, _paths(values)) or among(
                path, {name.partition(".")[0]: name for name in _paths(values)}
            )
            raise ValueError(f"no value {quoted(path)}{near}")
        return values.at(path)

    def _cell(self, path: str) -> Data:
        _, name, result, *column = path.split(".")
        table = self.system.tables.get(name)
        if table is None:
            raise ValueError(f"unknown table {quoted(name)}{among(name, self.system.tables)}")
        if not result.lstrip("-").isdigit() or int(result) not in table.over:
            raise ValueError(f"table {name} has no row for {quoted(result)}")
        row = table.row(int(result))
        wanted = column[0] if column else "is"
        if wanted not in row:
            raise ValueError(f"table {name} has no column {quoted(wanted)}{among(wanted, row)}")
        return Word(row[wanted], Place(""))

    def problems(self, prose: Prose) -> Iterator[Problem]:
        """Yield a problem for each reference that cannot be resolved, at its line."""
        for found in REFERENCE.finditer(prose.text):
            try:
                self.resolve(found[1])
            except ValueError as error:
                number = prose.text.count("\n", 0, found.start())
                yield Problem(line_of(prose, number), f"{quoted(found[0])}: {error}")

    def digits(self, prose: Prose) -> Iterator[tuple[Place, str]]:
        """Yield each number in the text that should be a reference to the data, with its place."""
        for number, line in enumerate(prose.text.splitlines()):
            for found in _DIGIT.finditer(_MEANT.sub("", REFERENCE.sub("", line))):
                yield line_of(prose, number), found[0]

    def figures(self, prose: Prose, *, words: bool) -> Iterator[tuple[Place, str]]:
        """Yield each number in the text that is no reference, with its place; also those in `words`, from two up."""
        yield from self.digits(prose)
        for number, line in enumerate(prose.text.splitlines() if words else ()):
            for found in _SPELT.finditer(REFERENCE.sub("", line)):
                if not found[1]:
                    yield line_of(prose, number), found[2].casefold()


def line_of(prose: Prose, number: int) -> Place:
    """Return the place of a line of block text, counted from 0; the text begins below its key."""
    at, place = prose.line(number), prose.place
    return Place(place.file, place.line + at + 1) if at else place


def _text_of(data: Data, form: str) -> str:
    if form and form not in FORMS:
        raise ValueError(f"unknown form {quoted(form)}{among(form, FORMS)}")
    if isinstance(data, Mapping):
        if form != "names":
            raise ValueError("holds several values: name one of them, or write |names")
        return _joined([str(name) for name in data])
    if isinstance(data, tuple):
        return _joined([_text_of(item, form if form != "names" else "") for item in data])
    assert isinstance(data, Word)
    sign = HOUSE_RULE if data.place.file.endswith(HOUSE_FILE) else ""
    return f"{_number_text(str(data), form)}{sign}"


def _number_text(text: str, form: str) -> str:
    digits = text.removeprefix("-")
    if not digits.isdigit():
        return text
    number = int(text)
    if form in ("word", "Word") and 0 <= number < len(WORDS):
        return WORDS[number].capitalize() if form == "Word" else WORDS[number]
    if form == "digit" and 0 <= number < len(HEX_DIGITS):
        return HEX_DIGITS[number]
    sign = "+" if form == "signed" and number > 0 else MINUS if number < 0 else ""
    return f"{sign}{abs(number)}"


def _joined(items: list[str]) -> str:
    return " and ".join((", ".join(items[:-1]), items[-1])) if len(items) > 1 else "".join(items)


def _paths(values: Values) -> list[str]:
    """Return every path of the pack's values, for suggestions."""
    found: list[str] = []
    plain = values.plain()
    waiting = [("", plain)]
    while waiting:
        head, data = waiting.pop()
        if isinstance(data, dict):
            waiting += [(f"{head}.{name}" if head else name, item) for name, item in data.items()]
        if head:
            found.append(head)
    return found
