"""Characters as text: YAML to edit, with comments on what may be changed; JSON for programs; files changed in place.

In a file that is changed, what changed is written anew and every other line stays, with its comments. That works for
files in block style with a field to a line, as sheetgen writes them; the answer is None for any other file, and for one
that would not read back as it should.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, parse
from sheetgen.content.yaml.nodes import Sequence as Items
from sheetgen.content.yaml.quoting import flow_scalar, scalar
from sheetgen.errors import InputError
from sheetgen.model.cast import GroupTitle
from sheetgen.model.character import FORMAT_VERSION, OWN, PICTURE, Character, Origin, Value
from sheetgen.model.scale import MINUS, Scale
from sheetgen.model.system import FieldSpec, System, TraitGroup

WIDTH = 112
MOST_WORDS = 12
OFTEN_REROLLED = ("skills", "gear", "hook")  # what people are likely to roll again, the likeliest first

_LINES = r"[^\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]*"
_BLOCK = re.compile(rf"(?=\S){_LINES}\n{_LINES}(?<=\S)")  # lines that may stand in a file as they are
HEAD = ("system", "format", "group", "characters")


def yaml_text(
    system: System, characters: Sequence[Character], group: GroupTitle | None = None, *, named: str = ""
) -> Iterator[str]:
    """Yield the pieces of a YAML file: comments that say what may be changed, then one block a character.

    The file names the system by its id or, where that would not find it, as `named`; so do JSON and tables.
    """
    for line in _header(system, characters):
        yield f"{line}\n"
    yield f"system: {scalar(named) if named else system.id}\nformat: {FORMAT_VERSION}\n"
    if group is not None:
        yield "".join(["group:\n", *(f"  {name}: {scalar(said)}\n" for name, said in about_group(group).items())])
    yield "characters:\n"
    for character in characters:
        yield yaml_character(system, character)


def about_group(group: GroupTitle) -> dict[str, str]:
    """Return what a file says of a group, by key."""
    return {"title": group.title} | ({"say": group.say} if group.say else {})


def yaml_character(system: System, character: Character) -> str:
    """Return one character as an entry of a YAML list, its fields in the order of the pack."""
    lines = [line for field in yaml_fields(system, character).values() for line in field]
    if not lines:
        return "- {}\n"
    return "- " + "".join(f"  {line}\n" if line else "\n" for line in lines).removeprefix("  ")


def yaml_fields(system: System, character: Character) -> dict[str, list[str]]:
    """Return the lines of each field with a value, in the order of the pack, and of how the character was rolled."""
    found: dict[str, list[str]] = {}
    for spec in system.fields:
        if spec.name in character.values:
            found[spec.name] = _yaml_field(system, spec, character.values[spec.name])
    if character.picture is not None:
        found[PICTURE] = [f"{PICTURE}: {scalar(character.picture.written)}"]
    if character.own:
        found[OWN] = [f"{OWN}:", *(f"  {scalar(name)}: {scalar(said)}" for name, said in character.own.items())]
    if character.origin is not None:
        found["rolled"] = [f"rolled: {{{', '.join(origin_words(character))}}}"]
    return {name: lines for name, lines in found.items() if lines}


def origin_words(character: Character) -> Iterator[str]:
    """Yield how a character was rolled, as entries of a YAML mapping."""
    origin = character.origin
    if origin is None:
        return
    yield f"method: {scalar(origin.method)}"
    if origin.archetype:
        yield f"archetype: {scalar(origin.archetype)}"
    yield f"seed: {origin.seed}"
    yield f"index: {origin.index}"
    if origin.options:
        yield f"options: {_flow({name: flow_scalar(value) for name, value in origin.options.items()})}"
    if origin.rerolled:
        yield f"rerolled: {_flow(origin.rerolled)}"
    if origin.name:
        yield f"name: {flow_scalar(origin.name)}"


def _flow(entries: Mapping[str, object]) -> str:
    return f"{{{', '.join(f'{flow_scalar(name)}: {said}' for name, said in entries.items())}}}"


def _yaml_field(system: System, spec: FieldSpec, value: Value) -> list[str]:
    name = scalar(spec.name)
    if isinstance(value, str):
        if _BLOCK.fullmatch(value):
            return [f"{name}: |-", *(f"  {line}" if line else "" for line in value.split("\n"))]
        return [f"{name}: {scalar(value)}"]
    if isinstance(value, tuple):
        return [f"{name}:", *(f"  - {scalar(item)}" for item in value)] if value else []
    if spec.kind == "levels":
        scale = system.group(spec.name).scale
        written = {key: _level_scalar(scale, level) for key, level in _in_order(system.group(spec.name), value).items()}
        flow = f"{name}: {_flow(written)}"
        return (
            [flow]
            if len(flow) <= WIDTH
            else [f"{name}:", *(f"  {scalar(key)}: {level}" for key, level in written.items())]
        )
    if not value:
        return []
    return [f"{name}:", *(f"  {scalar(key)}: {_nested(item)}" for key, item in value.items())]


def _in_order(group: TraitGroup, value: object) -> dict[str, int]:
    """Return the levels in the order of the pack, whatever order they were read in."""
    levels = value if isinstance(value, Mapping) else {}
    return {trait.name: levels[trait.name] for trait in group.members if trait.name in levels}


def _level_scalar(scale: Scale, level: int) -> str:
    return flow_scalar(scale.plain(level)) if scale.kind == "words" else scale.plain(level)


def _nested(item: object) -> str:
    if isinstance(item, tuple):
        return f"[{', '.join(flow_scalar(str(each)) for each in item)}]"
    return str(item) if isinstance(item, int) else scalar(str(item))


def json_text(
    system: System, characters: Sequence[Character], group: GroupTitle | None = None, *, named: str = ""
) -> Iterator[str]:
    """Yield the characters as JSON of the same shape as the YAML; a level that is a number is a plain one."""
    about = {"group": about_group(group)} if group is not None else {}
    head = json.dumps({"system": named or system.id, "format": FORMAT_VERSION, **about}, ensure_ascii=False)
    yield head[:-1] + ', "characters": ['
    for number, character in enumerate(characters):
        yield ("," if number else "") + "\n  " + json.dumps(plain(system, character), ensure_ascii=False)
    yield "\n]}\n"


def plain(system: System, character: Character) -> dict[str, object]:
    """Return a character as dicts, lists, strings and numbers; levels that are no numbers on paper are texts."""
    made: dict[str, object] = {}
    for spec in system.fields:
        if spec.name in character.values and spec.kind == "levels":
            group = system.group(spec.name)
            levels = _in_order(group, character.values[spec.name])
            made[spec.name] = (
                levels if group.scale.numeric else {name: group.scale.plain(levels[name]) for name in levels}
            )
        elif spec.name in character.values:
            made[spec.name] = _plain_value(character.values[spec.name])
    if character.picture is not None:
        made[PICTURE] = character.picture.written
    if character.own:
        made[OWN] = dict(character.own)
    if character.origin is not None:
        made["rolled"] = _plain_origin(character.origin)
    return made


def _plain_origin(origin: Origin) -> dict[str, object]:
    rolled: dict[str, object] = {"method": origin.method, "seed": origin.seed, "index": origin.index}
    if origin.archetype:
        rolled["archetype"] = origin.archetype
    if origin.options:
        rolled["options"] = dict(origin.options)
    if origin.rerolled:
        rolled["rerolled"] = dict(origin.rerolled)
    if origin.name:
        rolled["name"] = origin.name
    return rolled


def _plain_value(value: Value) -> object:
    if isinstance(value, Mapping):
        return {key: list(item) if isinstance(item, tuple) else item for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _header(system: System, characters: Sequence[Character]) -> Iterator[str]:
    """Yield the comment lines of a YAML file with these characters: once a file, however many there are."""
    count = len(characters)
    yield f"# {system.title}: {count:,} character{'s' if count != 1 else ''}. Change what you like, then:"
    orders = {"sheetgen sheet FILE": "prints them, or says what breaks which rule"}
    slots = [slot for method in system.creation.methods.values() for slot in method.steps]
    word = next((word for word in (*OFTEN_REROLLED, *slots) if word in slots), "")
    if word and any(character.origin for character in characters):
        orders[f"sheetgen npc --reroll {word} FILE"] = "rolls one thing again and keeps what you changed"
    yield from _table(orders.items(), gap=3)
    limits = [(spec.name, said) for spec in system.fields if (said := _limits(system, spec))]
    if limits:
        yield "#"
        yield from _table(limits, gap=2)


def _table(rows: Iterable[tuple[str, str]], *, gap: int) -> Iterator[str]:
    rows = list(rows)
    width = max(len(name) for name, _ in rows) + gap
    return (f"#   {name:<{width}}{said}" for name, said in rows)


def _limits(system: System, spec: FieldSpec) -> str:
    """Return what a field takes, in a line, and the rule that says so; nothing where any text will do."""
    said = [bound for bound in _bounds(system, spec) if bound.replace("-", MINUS) not in spec.hint.replace("-", MINUS)]
    said += [spec.hint] if spec.hint else []
    if not said:
        return ""
    rule = spec.rule or (system.group(spec.name).rule if spec.kind == "levels" else "")
    return "; ".join(dict.fromkeys(said)) + (f" [{rule}]" if rule else "")


def _bounds(system: System, spec: FieldSpec) -> list[str]:
    if spec.kind == "levels":
        group = system.group(spec.name)
        usual = {trait.default for trait in group.members if trait.default is not None}
        ends = (
            " to ".join(group.scale.plain(level) for level in dict.fromkeys((min(usual), max(usual)))) if usual else ""
        )
        unwritten = [f"left out: {ends}"] if ends and not spec.hint else []
        return [_range(group), *unwritten]
    if spec.kind == "choice":
        more = " …" if len(spec.among) > MOST_WORDS else ""
        return [f"one of {', '.join(spec.among[:MOST_WORDS])}{more}"]
    if spec.kind == "ratings":
        return [f"{spec.least_level} to 15"]
    return []


def _range(group: TraitGroup) -> str:
    """Return the levels that every member may have, or those that some member may."""
    low = min(trait.range.low for trait in group.members)
    high = max(trait.range.high for trait in group.members)
    return f"{group.scale.plain(low)} to {group.scale.plain(high)}"


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
        people = list(_people_with_ends(parse(text.encode(), "before"), len(lines)))
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


def _people_with_ends(node: Node, end: int) -> Iterator[tuple[MappingNode, int]]:
    """Yield each character of a file, and the line behind its last one."""
    entries = {key.text: value for key, value in node.entries} if isinstance(node, MappingNode) else {}
    listed = entries.get("characters")
    if listed is None and isinstance(node, MappingNode):
        yield node, end
    elif isinstance(listed, Items):
        ends = [item.place.line - 1 for item in listed.items[1:]] + [end]
        for item, last in zip(listed.items, ends, strict=True):
            if isinstance(item, MappingNode):
                yield item, last


def _fields(node: MappingNode, lines: Sequence[str], end: int) -> list[_Field] | None:
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
