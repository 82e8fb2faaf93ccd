"""A character file changed in place: changed fields are written anew, every other line stays, with its comments.

This works for files in block style with a field to a line, as sheetgen writes them. The answer is None for any other
file, and for one that would not read back as it should.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import Mapping, Node, parse
from sheetgen.content.yaml.nodes import Sequence as Items
from sheetgen.documents.export.characters import yaml_fields
from sheetgen.errors import InputError
from sheetgen.model.character import Character
from sheetgen.model.system import System

HEAD = ("system", "format", "group", "characters")


@dataclass(frozen=True, slots=True)
class _Field:
    """The lines of a field: its name, its first line and the one behind its last, and its indentation."""

    name: str
    start: int
    end: int
    indent: int


def patched(system: System, text: str, before: Sequence[Character], after: Sequence[Character]) -> str | None:
    """Return the text of a YAML file of characters with the changed fields written anew.

    Return None if that cannot be done line by line.
    """
    lines = text.split("\n")
    try:
        people = list(_people(parse(text.encode(), "before"), len(lines)))
    except InputError:
        return None
    if "\r" in text or len(people) != len(before) or len(before) != len(after):
        return None
    for (node, end), old, new in reversed(list(zip(people, before, after, strict=True))):
        fields = _fields(node, lines, end)
        if fields is None or not _change(lines, fields, yaml_fields(system, old), yaml_fields(system, new)):
            return None
    made = "\n".join(lines)
    return made if _reads_as(system, made, after) else None


def _people(node: Node, end: int) -> Iterator[tuple[Mapping, int]]:
    """Yield each character of a file, and the line behind its last one."""
    entries = {key.text: value for key, value in node.entries} if isinstance(node, Mapping) else {}
    listed = entries.get("characters")
    if listed is None and isinstance(node, Mapping):
        yield node, end
    elif isinstance(listed, Items):
        ends = [item.place.line - 1 for item in listed.items[1:]] + [end]
        for item, last in zip(listed.items, ends, strict=True):
            if isinstance(item, Mapping):
                yield item, last


def _fields(node: Mapping, lines: Sequence[str], end: int) -> list[_Field] | None:
    """Return the fields of a character with their lines, without the comments behind them; None if they share lines."""
    starts = [key.place.line - 1 for key, _ in node.entries]
    columns = {key.place.column for key, _ in node.entries}
    if len(set(starts)) < len(starts) or starts != sorted(starts) or len(columns) > 1:
        return None
    found = []
    for (key, _), start, behind in zip(node.entries, starts, [*starts[1:], end], strict=True):
        last = behind
        while last > start + 1 and (not lines[last - 1].strip() or lines[last - 1].lstrip().startswith("#")):
            last -= 1
        found.append(_Field(key.text, start, last, key.place.column - 1))
    return found


def _change(lines: list[str], fields: list[_Field], old: dict[str, list[str]], new: dict[str, list[str]]) -> bool:
    """Write what is new into the lines, from the last field to the first; False if there is no place for it."""
    standing = {field.name: field for field in fields}
    places = {name: number for number, name in enumerate(new)}
    for name in reversed([name for name in new if name not in standing]):
        known = [each for each in list(new)[: list(new).index(name)] if each in standing]
        if not known:
            return False
        place = standing[known[-1]]
        standing[name] = _Field(name, place.end, place.end, place.indent)

    def from_the_top(field: _Field) -> tuple[int, bool, int]:
        return field.start, field.start < field.end, places.get(field.name, -1)  # what is put in goes before a field

    for field in sorted(standing.values(), key=from_the_top, reverse=True):
        if field.name in HEAD or old.get(field.name) == new.get(field.name):
            continue
        written = new.get(field.name, [])
        begun = lines[field.start][: field.indent] if field.start < field.end else ""
        if begun.strip() and not written:  # the dash of the entry stands before it
            return False
        indented = [f"{' ' * field.indent}{line}" if line else "" for line in written]
        if begun.strip():
            indented[0] = begun + written[0]
        lines[field.start : field.end] = indented
    return True


def _reads_as(system: System, text: str, people: Sequence[Character]) -> bool:
    problems = Problems()
    try:
        found = read_characters(parse(text.encode(), "after"), system, problems, judge=lambda system, character: ())
    except InputError:
        return False
    return not problems.found and found == tuple(people)
