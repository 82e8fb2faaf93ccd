"""Values that a sheet shows by figures alone, found by trying: whatever gives the figures that stand there, was meant.

A sheet may have no field for a level, but a row of rings or the code that follows from it. The engine says which
figures show a field (`Engine.shown_by`); here one value after another is changed as long as that brings the figures
nearer to what is written. Figures that nobody filled in count for nothing; marks and rows of a table count either way.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from glob import escape

from sheetgen.documents.people.sheet import EVERY_TRAIT, sheet_values
from sheetgen.model.acroform import YES, is_yes
from sheetgen.model.character import Character, Value
from sheetgen.model.system import FieldSpec, System, Trait
from sheetgen.rules.registry import engine_of

MOST_LEVELS = 60  # that are tried of a trait
MOST_SHARE = 6  # the highest level that is tried of a rating
PASSES = 3
ORDER = ("choice", "text per trait", "levels", "list", "text", "ratings", "list per trait")
_MARKS = ("x", "on", YES)  # what figures say of a box that is ticked
_ROW = re.compile(r"\.\d+(?=\.|$)")
_PARTS = re.compile(r"\s*·\s*|\s*\n\s*")
_LEVEL = re.compile(r"\s+[+\-−]?[0-9A-F]{1,2}$|^[+\-−]\d\s+")

Ways = Callable[[Character], Iterable[Mapping[str, Value]]]  # values that fields of somebody could have instead


def plain_text(text: str) -> str:
    """Return a text as texts of sheets are compared: in small letters, with single blanks, a hyphen for a minus."""
    return " ".join(text.replace("−", "-").replace("’", "'").split()).casefold()


class FigureSearch:
    """What a sheet of a game says, by the names of its values."""

    def __init__(self, system: System, said: Mapping[str, str]) -> None:
        self._system, self._said, self._engine = system, said, engine_of(system)

    def completed(self, character: Character) -> Character:
        """Return the character with the values that give the figures of the sheet, as nearly as can be."""
        shown_by = [each for each in self._system.fields if each.name in self._engine.shown_by and not self._has(each)]
        spelt = self._engine.read_figures(self._system, self._said)
        character = _with_changes(character, {spec.name: spelt[spec.name] for spec in shown_by if spec.name in spelt})
        specs = [spec for spec in shown_by if spec.name not in spelt]
        for spec in sorted(specs, key=lambda each: ORDER.index(each.kind)):
            names = self._matching(each.format_map(EVERY_TRAIT) for each in self._engine.shown_by[spec.name])
            if any(self._said[name] for name in names):
                character = self._nearest(spec, names, character)
        return self._with_things(character)

    def _has(self, spec: FieldSpec) -> bool:
        """Whether the sheet has a field for all of a value under its own name."""
        if spec.kind == "levels":
            return all(f"{spec.name}.{trait.name}" in self._said for trait in self._system.group(spec.name).members)
        if spec.kind == "text per trait":
            groups = map(self._system.group, spec.groups)
            return any(f"note.{trait.name}" in self._said for group in groups for trait in group.members)
        return any(name == spec.name or name.startswith(f"{spec.name}.") for name in self._said)

    def _matching(self, patterns: Iterable[str]) -> tuple[str, ...]:
        patterns = tuple(patterns)
        return tuple(name for name in self._said if any(fnmatchcase(name, each) for each in patterns))

    def _nearest(self, spec: FieldSpec, names: tuple[str, ...], character: Character) -> Character:
        best = self._distance(character, names)
        for _ in range(PASSES):
            before = best
            for ways in self._parts_of(spec, names):
                for changes in ways(character) if best else ():
                    tried = _with_changes(character, changes)
                    if (far := self._distance(tried, names)) < best:
                        character, best = tried, far
            if best in (0, before):
                break
        return self._without_idle(spec, names, character, best) if spec.kind == "levels" else character

    def _without_idle(self, spec: FieldSpec, names: tuple[str, ...], character: Character, best: int) -> Character:
        """Return the character without levels that change nothing on the sheet, since anybody has them; in order."""
        found, order = character.numbers(spec.name), self._system.group(spec.name).members
        character = _with_changes(
            character, {spec.name: {each.name: found[each.name] for each in order if each.name in found}}
        )
        for key in character.numbers(spec.name):
            if f"{spec.name}.{key}" not in self._said:
                left = {each: level for each, level in character.numbers(spec.name).items() if each != key}
                fewer = _with_changes(character, {spec.name: left})
                character = fewer if self._distance(fewer, names) <= best else character
        return character

    def _parts_of(self, spec: FieldSpec, names: tuple[str, ...]) -> Iterator[Ways]:
        """Yield the ways to change each part of a field."""
        pieces = [part for name in names for part in _PARTS.split(self._said[name]) if part and part != YES]
        short = tuple(dict.fromkeys(each for piece in pieces for each in (piece, _LEVEL.sub("", piece))))
        if spec.kind == "levels":
            for trait in self._system.group(spec.name).members:
                if f"{spec.name}.{trait.name}" not in self._said:
                    yield self._ways_of_trait(spec, trait)
        elif spec.kind == "text per trait":
            group_of = {trait.name: name for name in spec.groups for trait in self._system.group(name).members}
            for head, _, text in (piece.partition(": ") for piece in pieces):
                if text and head in group_of:
                    yield partial(_with_note, spec.name, group_of[head], head, text)
        elif spec.kind == "ratings":
            for name in short:
                yield partial(_with_levels, spec.name, name, range(max(spec.least_level, 1), MOST_SHARE + 1))
        else:
            values: Iterable[Value] = spec.among if spec.kind == "choice" else short
            changes = [{spec.name: value} for value in ((tuple(pieces),) if spec.kind == "list" else values)]
            yield lambda character: changes

    def _ways_of_trait(self, spec: FieldSpec, trait: Trait) -> Ways:
        """Return the ways to change a level; none where its own figures are right, if there are such."""
        scale = self._system.group(spec.name).scale
        patterns = [each for each in self._engine.shown_by[spec.name] if "{" in each]
        own = self._matching(each.format(name=escape(trait.name), role=escape(trait.role)) for each in patterns)
        said = [level for name in own if (level := scale.read(self._said[name])) is not None]
        levels = said or range(trait.range.low, min(trait.range.high, trait.range.low + MOST_LEVELS) + 1)
        ways = partial(_with_levels, spec.name, trait.name, levels)
        return (lambda character: ways(character) if self._distance(character, own) else ()) if own else ways

    def _with_things(self, character: Character) -> Character:
        """Return the character with what stands in rows of the sheet (weapons, armour) among the belongings, too."""
        rows = [name for name in self._said if name.endswith(".name") and name.partition(".")[0] in self._system.rows]
        lists = [spec.name for spec in self._system.fields if spec.kind == "list"]
        for name in filter(self._said.get, rows):
            for listed in lists:
                tried = _with_changes(character, {listed: (*character.lines(listed), self._said[name])})
                if self._distance(tried, rows) < self._distance(character, rows):
                    character = tried
        return character

    def _distance(self, character: Character, names: Iterable[str]) -> int:
        """Return how many of these figures differ between the sheet and a sheet of the character."""
        shown = sheet_values(self._system, character, self._engine.figures(self._system, character))
        apart, rows = 0, Counter[tuple[str, str]]()
        for name in names:
            said, own = self._said[name], shown.get(name, "")
            if said == YES or (own in _MARKS and not said):
                apart += is_yes(said) != is_yes(own)
            elif _ROW.search(name):
                kind = _ROW.sub(".#", name)
                rows[kind, plain_text(said)] += 1
                rows[kind, plain_text(own)] -= 1
            elif said:
                apart += len(_pieces(said) ^ _pieces(own))
        return apart + sum(abs(count) for (_, text), count in rows.items() if text)


def _pieces(text: str) -> set[str]:
    return {plain_text(part) for part in _PARTS.split(text) if part}


def _with_changes(character: Character, changes: Mapping[str, Value]) -> Character:
    return replace(character, values={**character.values, **changes})


def _with_levels(name: str, key: str, levels: Iterable[int], character: Character) -> Iterator[dict[str, Value]]:
    for level in levels:
        yield {name: {**character.numbers(name), key: level}}


def _with_note(name: str, group: str, trait: str, text: str, character: Character) -> Iterator[dict[str, Value]]:
    """Yield the text for a trait, together with a level where there is none to hold it."""
    levels = character.numbers(group)
    for level in (levels.get(trait, 1), 2):
        yield {name: {**character.notes(name), trait: text}, group: {**levels, trait: level}}
