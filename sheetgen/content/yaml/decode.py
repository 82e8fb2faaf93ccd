"""Nodes to values: each reader says what it wanted, what it found and how to mend it, and carries on.

A reader that cannot use its node notes a Problem and returns a harmless value of its type, so that one pass over a file
finds every mistake in it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from sheetgen.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from sheetgen.content.yaml.number_format import LONGEST, is_decimal, is_whole, plainer
from sheetgen.errors import InputError, Place, Problem, quoted, suggestion

T = TypeVar("T")

LONGEST_KEY = 200
MOST_MARKS = 8
_YES = frozenset(("yes", "true", "on"))
_NO = frozenset(("no", "false", "off"))
# Controls but line break and tab (escapes let them in) and other line ends; then the marks that turn text around.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_FEW = 12
MOST_PROBLEMS = 500


class Problems:
    """A collector of problems; readers add to it and go on."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(self, place: Place, message: str, rule: str = "") -> None:
        """Note one problem; a file with several hundred of them is not read further."""
        self._found.append(Problem(place, message, rule))
        if len(self._found) >= MOST_PROBLEMS:
            raise InputError(self._found, stopped=True)

    def __len__(self) -> int:
        return len(self._found)

    def __bool__(self) -> bool:
        return True  # a collector, however empty

    def cite(self, rule: str, *, since: int) -> None:
        """Give a rule to the problems noted since there were so many."""
        self._found[since:] = [replace(problem, rule=rule) for problem in self._found[since:]]

    @property
    def found(self) -> tuple[Problem, ...]:
        """All problems so far, in the order in which they were met."""
        return tuple(self._found)

    def raise_if_any(self) -> None:
        """Raise InputError with every problem, if there is one."""
        if self._found:
            raise InputError(self._found)


def text(node: Node, problems: Problems, *, what: str = "text", longest: int = 2000, empty: bool = False) -> str:
    """Any scalar as it was written (`NO` stays `NO`, `1.10` stays `1.10`), with composed accents; "" if refused.

    With `empty`, a missing value or an empty text is "". Text that cannot be printed as it reads is refused.
    """
    if empty and node.is_null:
        return ""
    if node.is_null or not isinstance(node, Scalar):
        problems.add(node.place, f"{what} {_instead(node, 'a text')} (write a text)")
        return ""
    if len(node.text) > longest:
        problems.add(node.place, f"{what} is {len(node.text):,} characters long (shorten it to {longest:,})")
        return ""
    written, wrong = _clean(node.text)
    if not wrong and not written.strip() and not (empty and not written):
        wrong = "holds nothing but spaces (write a text)" if written else "is empty (write a text)"
    if wrong:
        problems.add(node.place, f"{what} {wrong}")
    return "" if wrong else written


def one_line(node: Node, problems: Problems, *, what: str = "text", longest: int = 2000, empty: bool = False) -> str:
    """A text as `text` reads it, refused when it holds a tab or a line break before its end."""
    written = text(node, problems, what=what, longest=longest, empty=empty).strip("\n")
    if "\n" in written:
        problems.add(node.place, f"{what} has a line break (write it on one line)")
    elif "\t" in written:
        problems.add(node.place, f"{what} holds the control character U+0009, a tab (write a space)")
    return written.replace("\n", " ").replace("\t", " ")


def composed(written: str) -> str:
    """Return the text with composed accents."""
    return written if written.isascii() else unicodedata.normalize("NFC", written)


def number(node: Node, problems: Problems, *, what: str, low: int, high: int) -> int:
    """Return a plain decimal whole number from `low` to `high`; `low` if refused."""
    allowed = f"a whole number from {low} to {high}"
    if not _is_number(node, problems, what=what, low=low, high=high, whole=True):
        return low
    value = int(_written(node))
    if not low <= value <= high:
        problems.add(node.place, f"{what} is {value} (write {allowed})")
    return min(max(value, low), high)


def decimal(node: Node, problems: Problems, *, what: str, low: Decimal | int, high: Decimal | int) -> Decimal:
    """Return a plain number, whole or with a decimal point, from `low` to `high`, exact; `low` if refused."""
    allowed = f"a number from {low} to {high}"
    if not _is_number(node, problems, what=what, low=low, high=high, whole=False):
        return Decimal(low)
    value = Decimal(_written(node))
    if not low <= value <= high:
        problems.add(node.place, f"{what} is {value} (write {allowed})")
    return min(max(value, Decimal(low)), Decimal(high))


def switch(node: Node, problems: Problems, *, what: str) -> bool:
    """True for yes, true and on, False for no, false and off, in any case; False if refused."""
    written = _written(node).casefold()
    if isinstance(node, Scalar) and not node.quoted and written in _YES | _NO:
        return written in _YES
    fix = f"write {written} without quotes" if written in _YES | _NO else "write yes or no"
    problems.add(node.place, f"{what} {_instead(node, 'yes or no')} ({fix})")
    return False


def choice(node: Node, problems: Problems, names: Iterable[str], *, what: str) -> str:
    """Return the one of `names` that stands here, letter by letter; the first of them if none does."""
    names = names if isinstance(names, Collection) else tuple(names)
    known = names if len(names) <= _FEW else ()
    if node.is_null or not isinstance(node, Scalar):
        fix = f"write one of: {', '.join(known)}" if known else "write one"
        problems.add(node.place, f"{what} {_instead(node, 'a name')} ({fix})")
    else:
        written = unicodedata.normalize("NFC", node.text[:LONGEST_KEY])
        if written in names and len(node.text) <= LONGEST_KEY:
            return written
        problems.add(node.place, f"unknown {what} {quoted(node.text)}{_hint(written, names, 'one of')}")
    return next(iter(names), "")


def items(node: Node, problems: Problems, read: Callable[[Node], T], *, what: str, most: int = 10_000) -> tuple[T, ...]:
    """Return what `read` makes of each entry of a list, in order; nothing if this is no list."""
    if not isinstance(node, Sequence):
        problems.add(node.place, f'{what} {_instead(node, "a list")} (write one "- " line for each, or [a, b])')
        return ()
    if len(node.items) > most:
        problems.add(node.place, f"{what} has {len(node.items):,} entries (leave {most:,} at most)")
        return ()
    return tuple(read(item) for item in node.items)


def mapping_entries(node: Node, problems: Problems, *, what: str, most: int) -> dict[str, tuple[Scalar, Node]]:
    """Return the keys and values of a mapping with free keys, by key; the first holds if a key comes twice."""
    if not isinstance(node, Mapping):
        problems.add(node.place, f'{what} {_instead(node, "a mapping")} (write "name: value" lines)')
        return {}
    if len(node.entries) > most:
        problems.add(node.place, f"{what} has {len(node.entries):,} entries (leave {most:,} at most)")
        return {}
    return _keys(node, problems, what=what)


def fields(
    node: Node, problems: Problems, *, what: str, needs: Iterable[str] = (), may: Iterable[str] = ()
) -> dict[str, Node]:
    """Return the nodes of the known keys that a mapping has; unknown, missing and double keys are noted."""
    needed = tuple(needs)
    known = dict.fromkeys((*needed, *may))
    if not isinstance(node, Mapping):
        problems.add(node.place, f"{what} {_instead(node, 'a mapping')} ({_example(tuple(known))})")
        return {}
    found: dict[str, Node] = {}
    taken_for = ""
    for name, (key, value) in _keys(node, problems, what=what).items():
        if name in known:
            found[name] = value
            continue
        hint = _hint(name, known, "known")
        taken_for += hint if "did you mean" in hint else ""
        problems.add(key.place, f"unknown key {quoted(name)} in {what}{hint}")
    for name in needed:
        # A misspelt key has said already that this one is meant.
        if name not in found and f'"{name}"' not in taken_for:
            problems.add(node.place, f'{what} lacks "{name}" (add a line "{name}: ...")')
    return found


def _keys(node: Mapping, problems: Problems, *, what: str) -> dict[str, tuple[Scalar, Node]]:
    """Each key once, with composed accents; unusable ones and second ones are noted and left out."""
    found: dict[str, tuple[Scalar, Node]] = {}
    for key, value in node.entries:
        name = text(key, problems, what=f"key in {what}", longest=LONGEST_KEY) if not key.is_null else key.text
        if "\n" in name:
            problems.add(key.place, f"key in {what} has a line break (write it on one line)")
        elif name in found:
            first = found[name][0].place
            problems.add(key.place, f"key {quoted(name)} stands twice in {what}, first at {first} (keep one)")
        elif name:
            found[name] = (key, value)
    return found


def _is_number(
    node: Node, problems: Problems, *, what: str, low: Decimal | int, high: Decimal | int, whole: bool
) -> bool:
    """Whether a node holds a plain number, of any size; if not, the problem is noted, with what is allowed."""
    written = _written(node)
    allowed = f"a {'whole ' if whole else ''}number from {low} to {high}"
    if isinstance(node, Scalar) and not node.quoted and (is_whole if whole else is_decimal)(written):
        if len(written) <= LONGEST:
            return True
        problems.add(node.place, f"{what} is a number of {len(written):,} digits (write {allowed})")
        return False
    fix = plainer(written, whole=whole, low=low, high=high)
    if fix and isinstance(node, Scalar) and node.quoted:
        fix += " without quotes"
    kind = "a plain whole number" if whole else "a plain number"
    problems.add(node.place, f"{what} {_instead(node, kind)} (write {fix or allowed})")
    return False


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


def _written(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _instead(node: Node, wanted: str) -> str:
    """`is a list, not a text`: what was found where something else was wanted."""
    if isinstance(node, Sequence):
        return f"is a list, not {wanted}"
    if isinstance(node, Mapping):
        return f"is a mapping, not {wanted}"
    if node.is_null:
        return "has no value"
    in_quotes = " in quotes" if node.quoted else ""
    return f"is {quoted(node.text)}{in_quotes}, not {wanted}"


def _hint(name: str, known: Collection[str], label: str) -> str:
    """The nearest known name, or all of them when they are few."""
    few = f" ({label}: {', '.join(known)})" if 0 < len(known) <= _FEW else ""
    return suggestion(name, known) or few


def _example(keys: tuple[str, ...]) -> str:
    if not keys:
        return 'write "name: value" lines'
    return "write " + " and ".join(f'"{key}: ..."' for key in keys[:2]) + (" on lines of their own" if keys[1:] else "")
