"""Levels, ranges of levels and dice as packs write them: `7`, `A`, `4-8`, `8-C`, `2d6`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from sheetgen.content.yaml.decode import Problems, choice, fields, items, number, text
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, Sequence
from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.errors import Place, quoted, suggestion
from sheetgen.model.cast import Condition
from sheetgen.model.data import Data, Word
from sheetgen.model.scale import MINUS, Scale
from sheetgen.model.system import Span

HIGHEST, LOWEST = 999, -99
PLAIN = Scale()

_RANGE = re.compile(r"\s*([-−]?[\w+]+)\s*[-–]\s*([-−]?[\w+]+)\s*")


def level(node: Node, problems: Problems, *, what: str, low: int = 0, high: int = 15, scale: Scale = PLAIN) -> int:
    """The level a scalar states: a plain number, one hexadecimal digit, or as the scale writes it."""
    if scale.kind in ("signed", "code", "words") and isinstance(node, Scalar) and not node.is_null:
        return _scaled(node, problems, what=what, low=low, high=high, scale=scale)
    value = scale.read(node.text) if isinstance(node, Scalar) and len(node.text) == 1 and node.text.isupper() else None
    if isinstance(node, Scalar) and value is not None:
        if low <= value <= high:
            return value
        problems.add(node.place, f"{what} is {node.text} ({value}), but must be {low} to {high}")
        return low
    return number(node, problems, what=what, low=low, high=high)


def _scaled(node: Scalar, problems: Problems, *, what: str, low: int, high: int, scale: Scale) -> int:
    value = scale.read(node.text)
    if value is not None and low <= value <= high:
        return value
    if scale.kind == "words":
        words = [scale.plain(each) for each in range(low, high + 1)] if high - low < len(scale.words) else scale.words
        near = suggestion(node.text, words) or f", but must be {', '.join(words)}"
        problems.add(node.place, f"{what} is {quoted(node.text)}{near}")
    else:
        fits = f"{scale.write(low)} to {scale.write(high)}" if high < HIGHEST else f"{scale.write(low)} or more"
        problems.add(node.place, f"{what} is {quoted(node.text)}, but must be {fits}")
    return low


def span(node: Node, problems: Problems, *, what: str, low: int = 0, high: int = HIGHEST, scale: Scale = PLAIN) -> Span:
    """The range a scalar states: one level, or two joined by a hyphen, the lower first."""
    if not isinstance(node, Scalar):
        return Span(*[number(node, problems, what=what, low=low, high=high)] * 2)
    match = _RANGE.fullmatch(node.text)
    if match is None or scale.read(node.text) is not None:
        only = level(node, problems, what=what, low=low, high=high, scale=scale)
        return Span(only, only)
    first, last = match.groups()
    ends = [level(_part(node, part), problems, what=what, low=low, high=high, scale=scale) for part in (first, last)]
    if ends[0] > ends[1]:
        problems.add(node.place, f"{what} runs from {first} down to {last}: write the lower end first")
        return Span(ends[1], ends[0])
    return Span(ends[0], ends[1])


def _part(node: Scalar, part: str) -> Scalar:
    return Scalar(part.replace(MINUS, "-"), node.place, False)


def notation(node: Node, problems: Problems, *, what: str) -> Notation:
    """The dice a scalar states, with the column of what does not belong."""
    written = text(node, problems, what=what)
    try:
        return parse_notation(written)
    except NotationError as error:
        shift = error.column - 1 + (1 if isinstance(node, Scalar) and node.quoted else 0)
        place = Place(node.place.file, node.place.line, node.place.column + shift)
        problems.add(place, f"{what}: {error.message}")
        return Notation(1, 6)


@dataclass(frozen=True, slots=True)
class Measures:
    """What `fits:` may speak of: traits by each of their names, with role and scale, and options by their words."""

    traits: Mapping[str, tuple[str, Scale]]
    words: Mapping[str, tuple[str, ...]]


def conditions(node: Node | None, problems: Problems, *, what: str, measures: Measures) -> tuple[Condition, ...]:
    """The conditions of a `fits:` mapping, trait names turned into roles and words into their numbers."""
    if node is None:
        return ()
    found: list[Condition] = []
    for key, value in fields(node, problems, what=f"fits of {what}", may=(*measures.traits, *measures.words)).items():
        if key in measures.traits:
            role, scale = measures.traits[key]
            asked = span(value, problems, what=f"fits: {key}", low=LOWEST, scale=scale)
            found.append((role, frozenset(range(asked.low, asked.high + 1))))
        elif key in measures.words:
            words = measures.words[key]
            listed = value if isinstance(value, Sequence) else Sequence((value,), value.place)
            read = partial(choice, problems=problems, names=words, what=key)
            picked = items(listed, problems, read, what=f"fits: {key}")
            found.append((key, frozenset(words.index(word) for word in picked if word in words)))
    return tuple(found)


def known(node: Node, problems: Problems, names: Mapping[str, str], *, what: str, where: str) -> str:
    """The role that a name stands for; an unknown one is a problem that says where such names are defined."""
    name = text(node, problems, what=what)
    if name in names:
        return names[name]
    problems.add(node.place, f"unknown {what} {quoted(name)}{suggestion(name, names) or f'; see {where}'}")
    return next(iter(names.values()), name)


def tree(node: Node, problems: Problems) -> Data:
    """The node as plain data whose words keep their places; a repeated key is a problem."""
    if isinstance(node, Scalar):
        return Word(node.text, node.place)
    if isinstance(node, Sequence):
        return tuple(tree(item, problems) for item in node.items)
    return branch(node, problems, what="these values")


def branch(node: Node, problems: Problems, *, what: str) -> Mapping[Word, Data]:
    """A mapping as plain data whose words keep their places."""
    keys = [key.text for key, _ in node.entries] if isinstance(node, MappingNode) else []
    found = fields(node, problems, what=what, may=keys)
    places = {key.text: key.place for key, _ in node.entries} if isinstance(node, MappingNode) else {}
    return {Word(name, places[name]): tree(value, problems) for name, value in found.items() if name in places}


def gaps(
    spans: Iterable[tuple[Span, Place]], over: tuple[int, ...], problems: Problems, *, what: str, place: Place
) -> None:
    """Reports every result that no row answers, that two rows answer, or that cannot come up."""
    seen: dict[int, Place] = {}
    possible = set(over)
    for each, at in spans:
        results = range(each.low, each.high + 1)
        twice = [result for result in results if result in seen]
        if twice:
            problems.add(at, f"{what}: {_listed(twice)} stands in another row too (line {seen[twice[0]].line})")
        beyond = [end for end in (each.low, each.high) if not min(over) <= end <= max(over)]
        if beyond or not possible.intersection(results):
            problems.add(at, f"{what}: {_listed(list(dict.fromkeys(beyond or [each.low])))} cannot come up")
        seen.update(dict.fromkeys(results, at))
    missing = [result for result in over if result not in seen]
    if missing:
        problems.add(place, f"{what}: no row for {_listed(missing)}")


def _listed(results: list[int]) -> str:
    shown = ", ".join(map(str, results[:6]))
    return f"{shown} and {len(results) - 6} more" if len(results) > 6 else shown
