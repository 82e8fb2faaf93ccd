"""Decoders of single values: texts, numbers, switches, words to choose from, names.

One rule holds for numbers everywhere: an optional sign and decimal digits without a leading zero, for fractions a point
and digits. Nothing is guessed; `010` is neither 10 nor 8 until its writer says which.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from sheetgen.content.yaml.decoder import Decoder, Definitions, Problems, Schema, Scope, instead_of
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.errors import Place, quoted, suggestion
from sheetgen.model.data import Word

LONGEST = 40
_WHOLE = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_FRACTION = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_ZEROS = re.compile(r"([+-]?)0+([0-9]+)")
_PREFIXED = re.compile(r"[+-]?0(?:[xX][0-9a-fA-F_]+|[oO][0-7_]+|[bB][01_]+)")
_GROUPED = re.compile(r"([+-]?[1-9][0-9]{0,2})(?:[_, '’]([0-9]{3}))+")
_POINT = re.compile(r"([+-]?)([0-9]*)[.,]([0-9]*)")
_EXPONENT = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,2}")
_SEPARATORS = re.compile("[_, '’]")
LONGEST_KEY = 200
MOST_MARKS = 8
_SCALAR = ["string", "number", "boolean"]
YES = frozenset(("yes", "true", "on"))
_NO = frozenset(("no", "false", "off"))
# Controls but line break and tab (escapes let them in) and other line ends; then the marks that turn text around.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_FEW = 12


def is_whole(text: str) -> bool:
    """Return whether a text is a plain whole number."""
    return _WHOLE.fullmatch(text) is not None


def is_decimal(text: str) -> bool:
    """Return whether a text is a plain number, whole or with a decimal point."""
    return _FRACTION.fullmatch(text) is not None


def plainer(text: str, *, whole: bool, low: Decimal | int, high: Decimal | int) -> str:
    """Return what to write instead of a number that is not plainly written, such as `10, or 8 if octal was meant`.

    Only numbers from `low` to `high` are proposed; empty if there is none or the text is unclear.
    """
    if len(text) > LONGEST:
        return ""
    text = unicodedata.normalize("NFKC", text).replace("\u2212", "-").strip()
    plain = is_whole(text) or (is_decimal(text) and not whole)
    meant = {text: ""} if plain else _other_base(text) or _other_style(text, whole=whole)
    allowed = {number: reading for number, reading in meant.items() if low <= Decimal(number) <= high}
    joint = ", or " if any(allowed.values()) else " or "
    return joint.join(number + reading for number, reading in allowed.items())


def _other_base(text: str) -> dict[str, str]:
    """The numbers that may be meant, each with the reading that makes it so."""
    padded = _ZEROS.fullmatch(text)
    if padded:
        sign, digits = padded.groups()
        plain, octal = int(digits), int(digits, 8) if set(digits) <= set("01234567") else int(digits)
        other = {f"{sign}{octal}": " if octal was meant"} if octal != plain else {}
        return {f"{sign}{plain}": ""} | other
    if _PREFIXED.fullmatch(text) and text[-1] != "_":
        return {str(int(text.replace("_", ""), 0)): ""}
    return {}


def _other_style(text: str, *, whole: bool) -> dict[str, str]:
    if _GROUPED.fullmatch(text):
        return {_SEPARATORS.sub("", text): ""}
    if _EXPONENT.fullmatch(text):
        value = Decimal(text)
        plain = f"{value:f}"
        return {plain: ""} if len(plain) <= LONGEST and (not whole or value == value.to_integral_value()) else {}
    point = _POINT.fullmatch(text)
    if not point or not (point[2] or point[3]):
        return {}
    sign, units, rest = point[1], int(point[2] or 0), point[3].rstrip("0")
    if not whole:
        return {f"{sign}{units}.{rest}" if rest else f"{sign}{units}": ""}
    return dict.fromkeys((f"{sign}{units}", f"{sign}{units + 1}") if rest else (f"{sign}{units}",), "")


@dataclass(frozen=True)
class FreeText(Decoder[str]):
    """Any scalar as it was written (`NO` stays `NO`, `1.10` stays `1.10`), with composed accents; "" if refused.

    With `empty`, a missing value or an empty text is "". Text that cannot be printed as it reads is refused.
    """

    longest: int = 2000
    empty: bool = False
    blank = ""

    def read(self, node: Node, scope: Scope, what: str) -> str:
        if self.empty and node.is_null:
            return ""
        if node.is_null or not isinstance(node, Scalar):
            scope.add(node.place, f"{what} {instead_of(node, 'a text')} (write a text)")
            return ""
        if len(node.text) > self.longest:
            scope.add(node.place, f"{what} is {len(node.text):,} characters long (shorten it to {self.longest:,})")
            return ""
        written, wrong = _clean(node.text)
        if not wrong and not written.strip() and not (self.empty and not written):
            wrong = "holds nothing but spaces (write a text)" if written else "is empty (write a text)"
        if wrong:
            scope.add(node.place, f"{what} {wrong}")
        return "" if wrong else written

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": [*_SCALAR, "null"] if self.empty else _SCALAR, "maxLength": self.longest}

    def __str__(self) -> str:
        return f"text of up to {self.longest:,} characters" if self.longest < 1000 else "text"


class OneLine(FreeText):
    """A text without line break or tab."""

    def read(self, node: Node, scope: Scope, what: str) -> str:
        written = super().read(node, scope, what).strip("\n")
        if "\n" in written:
            scope.add(node.place, f"{what} has a line break (write it on one line)")
        elif "\t" in written:
            scope.add(node.place, f"{what} holds the control character U+0009, a tab (write a space)")
        return written.replace("\n", " ").replace("\t", " ")

    def __str__(self) -> str:
        return f"line of up to {self.longest:,} characters" if self.longest < 1000 else "line"


class PlacedText(FreeText):
    """A text that remembers its place, without blank lines around it."""

    blank = Word("", Place(""))

    def read(self, node: Node, scope: Scope, what: str) -> Word:
        return Word(super().read(node, scope, what).strip("\n"), node.place)


@dataclass(frozen=True)
class WholeNumber(Decoder[int]):
    """A plain decimal whole number within limits; the lower one if refused."""

    low: int
    high: int

    @property
    def blank(self) -> Any:
        return self.low

    def read(self, node: Node, scope: Scope, what: str) -> int:
        return int(_number(node, scope, what, self.low, self.high, whole=True))

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def __str__(self) -> str:
        return f"whole number, {self.low} to {self.high:,}"


@dataclass(frozen=True)
class DecimalNumber(Decoder[Decimal]):
    """A plain number, whole or with a decimal point, within limits, exact; the lower one if refused."""

    low: Decimal | int
    high: Decimal | int

    @property
    def blank(self) -> Any:
        return Decimal(self.low)

    def read(self, node: Node, scope: Scope, what: str) -> Decimal:
        return _number(node, scope, what, Decimal(self.low), Decimal(self.high), whole=False)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "number", "minimum": float(self.low), "maximum": float(self.high)}

    def __str__(self) -> str:
        return f"number, {self.low} to {self.high}"


class YesNo(Decoder[bool]):
    """Yes or no, true or false, on or off, in any case; no if refused."""

    blank = False

    def read(self, node: Node, scope: Scope, what: str) -> bool:
        written = node.text.casefold() if isinstance(node, Scalar) else ""
        if isinstance(node, Scalar) and not node.quoted and written in YES | _NO:
            return written in YES
        fix = f"write {written} without quotes" if written in YES | _NO else "write yes or no"
        scope.add(node.place, f"{what} {instead_of(node, 'yes or no')} ({fix})")
        return False

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": "^(yes|Yes|YES|no|No|NO|on|On|off|Off)$"}]}

    def __str__(self) -> str:
        return "yes or no"


@dataclass(frozen=True)
class ChoiceOf(Decoder[str]):
    """One of a few words."""

    words: tuple[str, ...]
    what: str = ""

    @property
    def blank(self) -> Any:
        return next(iter(self.words), "")

    def read(self, node: Node, scope: Scope, what: str) -> str:
        return choice(node, scope.problems, self.words, what=self.what or what)

    def schema(self, definitions: Definitions) -> Schema:
        return {"enum": list(self.words)}

    def __str__(self) -> str:
        return f"one of {', '.join(f'`{word}`' for word in self.words)}"


@dataclass(frozen=True)
class NameOf(Decoder[Any]):
    """A name of a kind that the scope knows.

    The value is the name, or with `where`, which says where such names are defined, what the name stands for.
    """

    kind: str
    what: str = ""
    where: str = ""
    blank = ""

    def read(self, node: Node, scope: Scope, what: str) -> Any:
        names, problems = scope.names.get(self.kind, ()), scope.naming(self.kind)
        if not self.where:
            return choice(node, problems, names, what=self.what or self.kind)
        name = FreeText().read(node, replace(scope, problems=problems), self.what or self.kind)
        if name not in names:
            near = suggestion(name, names) or f"; see {self.where}"
            problems.add(node.place, f"unknown {self.what or self.kind} {quoted(name)}{near}")
            return next(iter(_stands_for(names).values()), name)
        return _stands_for(names)[name]

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": _SCALAR}

    def __str__(self) -> str:
        return f"name of {_with_article(self.what or self.kind)}"


def _stands_for(names: Collection[str]) -> Mapping[str, Any]:
    return names if isinstance(names, Mapping) else {name: name for name in names}


def _with_article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def choice(node: Node, problems: Problems, names: Iterable[str], *, what: str) -> str:
    """Return the one of `names` that stands here, letter by letter; the first of them if none does."""
    names = names if isinstance(names, Collection) else tuple(names)
    known = names if len(names) <= _FEW else ()
    if node.is_null or not isinstance(node, Scalar):
        fix = f"write one of: {', '.join(known)}" if known else "write one"
        problems.add(node.place, f"{what} {instead_of(node, 'a name')} ({fix})")
    else:
        written = unicodedata.normalize("NFC", node.text[:LONGEST_KEY])
        if written in names and len(node.text) <= LONGEST_KEY:
            return written
        problems.add(node.place, f"unknown {what} {quoted(node.text)}{hint_at(written, names, 'one of')}")
    return next(iter(names), "")


def hint_at(name: str, known: Collection[str], label: str) -> str:
    """The nearest known name, or all of them when they are few."""
    few = f" ({label}: {', '.join(known)})" if 0 < len(known) <= _FEW else ""
    return suggestion(name, known) or few


def composed(written: str) -> str:
    """Return the text with composed accents."""
    return written if written.isascii() else unicodedata.normalize("NFC", written)


def _number(node: Node, scope: Scope, what: str, low: int | Decimal, high: int | Decimal, *, whole: bool) -> Decimal:
    """Return a plain number within limits; what is refused is noted, with what is allowed."""
    written = node.text if isinstance(node, Scalar) else ""
    allowed = f"a {'whole ' if whole else ''}number from {low} to {high}"
    if isinstance(node, Scalar) and not node.quoted and (is_whole if whole else is_decimal)(written):
        if len(written) > LONGEST:
            scope.add(node.place, f"{what} is a number of {len(written):,} digits (write {allowed})")
            return Decimal(low)
        value = Decimal(written)
        if not low <= value <= high:
            scope.add(node.place, f"{what} is {value} (write {allowed})")
        return min(max(value, Decimal(low)), Decimal(high))
    fix = plainer(written, whole=whole, low=low, high=high)
    if fix and isinstance(node, Scalar) and node.quoted:
        fix += " without quotes"
    kind = "a plain whole number" if whole else "a plain number"
    scope.add(node.place, f"{what} {instead_of(node, kind)} (write {fix or allowed})")
    return Decimal(low)


def _clean(written: str) -> tuple[str, str]:
    """The text with composed accents and plain line breaks, and what is wrong with it, if anything."""
    if written.isascii() and written.isprintable():
        return written, ""
    written = unicodedata.normalize("NFC", written.replace("\r\n", "\n").replace("\r", "\n"))
    banned = _UNPRINTABLE.search(written) or _TURNING.search(written)
    if banned:
        kind = "text-direction" if _TURNING.match(banned.group()) else "control"
        return written, f"holds the {kind} character U+{ord(banned.group()):04X} (delete it)"
    marks = 0
    for character in written if not written.isascii() else "":
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if marks > MOST_MARKS:
            return written, f"piles more than {MOST_MARKS} accents on one letter (delete some)"
    return written, ""
