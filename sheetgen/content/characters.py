"""Character files: which system they belong to, and frozen characters or every problem, with the rules they break."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sheetgen.content.decode import Problems, fields, items, number, pairs, text
from sheetgen.content.levels import level
from sheetgen.content.nodes import Mapping as MappingNode
from sheetgen.content.nodes import Node, Scalar, Sequence
from sheetgen.errors import Place, quoted, suggestion
from sheetgen.model.character import FORMAT_VERSION, Character, Origin, Value
from sheetgen.model.system import FieldSpec, Span, System

HEAD = ("system", "format", "characters")
LARGEST_SEED = 2**63 - 1
MOST_INDEX = 1_000_000_000


def system_named(node: Node, problems: Problems) -> str:
    """The system that a character file names; a problem if it names none."""
    if isinstance(node, MappingNode):
        for key, value in node.entries:
            if key.text == "system":
                return text(value, problems, what="system", longest=200)
    problems.add(node.place, "this is not a character file: it must begin with `system: gamers` or the like")
    return ""


def read_characters(node: Node, system: System, problems: Problems) -> tuple[Character, ...]:
    """The characters of a file: under `characters:`, or the one whose fields stand at the top."""
    names = [spec.name for spec in system.fields]
    keys = [key.text for key, _ in node.entries] if isinstance(node, MappingNode) else []
    if "characters" not in keys:
        return (_character(node, system, problems, also=HEAD),)
    found = fields(node, problems, what="character file", needs=("system", "characters"), may=("format",))
    _check_format(found, problems)
    read = lambda item: _character(item, system, problems)  # noqa: E731
    characters = items(found["characters"], problems, read, what="characters", most=1_000_000)
    if not characters:
        problems.add(node.place, f"no characters here; each holds some of {', '.join(names[:4])} …")
    return characters


def _check_format(found: Mapping[str, Node], problems: Problems) -> None:
    if "format" in found:
        number(found["format"], problems, what="format", low=1, high=FORMAT_VERSION)


def _character(node: Node, system: System, problems: Problems, also: tuple[str, ...] = ()) -> Character:
    specs = {spec.name: spec for spec in system.fields}
    found = fields(node, problems, what="character", may=(*specs, "rolled", *also))
    _check_format(found, problems)
    values: dict[str, Value] = {}
    places: dict[str, Place] = {}
    for name, spec in specs.items():
        if name in found and not found[name].is_null:
            values[name] = _value(found[name], spec, system, problems)
            places[name] = found[name].place
    origin = _origin(found["rolled"], problems) if "rolled" in found else None
    character = Character(system.id, values, origin, node.place, places)
    for spec in system.fields:
        _check(character, found.get(spec.name), spec, system, problems)
    return character


def _value(node: Node, spec: FieldSpec, system: System, problems: Problems) -> Value:
    if spec.kind == "text":
        return text(node, problems, what=spec.name, longest=spec.longest)
    if spec.kind == "list":
        read = lambda item: text(item, problems, what=spec.name, longest=spec.longest)  # noqa: E731
        return items(node, problems, read, what=spec.name, most=spec.most)
    single = _without_repeats(node, spec, problems)
    if spec.kind == "levels":
        return pairs(single, problems, lambda key, value: _level(key, value, spec, system, problems), what=spec.name)
    if spec.kind == "ratings":
        return pairs(
            single, problems, lambda key, value: _rating(key, value, spec, problems), what=spec.name, most=spec.most
        )
    known = [trait.name for group in system.groups if group.name in spec.groups for trait in group.members]
    if spec.kind == "text per trait":
        return pairs(single, problems, lambda key, value: _note(key, value, known, spec, problems), what=spec.name)
    return pairs(single, problems, lambda key, value: _list(key, value, known, spec, problems), what=spec.name)


def _without_repeats(node: Node, spec: FieldSpec, problems: Problems) -> Node:
    """The mapping with each key once; a repeated one breaks the field's rule."""
    if not isinstance(node, MappingNode):
        return node
    first: dict[str, tuple[Scalar, Node]] = {}
    for key, value in node.entries:
        if key.text in first:
            line = first[key.text][0].place.line
            problems.add(key.place, f"{key.text} stands twice under {spec.name} (first on line {line})", spec.rule)
        first.setdefault(key.text, (key, value))
    return MappingNode(tuple(first.values()), node.place)


def _level(key: Scalar, node: Node, spec: FieldSpec, system: System, problems: Problems) -> int:
    group = system.group(spec.name)
    traits = {trait.name: trait for trait in group.members}
    if not _known(key, list(traits), group.name, problems):
        return 0
    return _ruled(node, key.text, traits[key.text].range, group.rule, problems)


def _ruled(node: Node, what: str, span: Span, rule: str, problems: Problems) -> int:
    found = Problems()
    value = level(node, found, what=what, low=span.low, high=span.high)
    for problem in found.found:
        problems.add(problem.place, problem.message, rule)
    return value


def _known(key: Scalar, names: list[str], what: str, problems: Problems) -> bool:
    if key.text in names:
        return True
    near = suggestion(key.text, names) or f"; there are {', '.join(names[:12])}{' …' if len(names) > 12 else ''}"
    problems.add(key.place, f"unknown name {quoted(key.text)} under {what}{near}")
    return False


def _rating(key: Scalar, node: Node, spec: FieldSpec, problems: Problems) -> int:
    text(key, problems, what=f"name under {spec.name}", longest=spec.longest)
    return _ruled(node, key.text, Span(spec.least_level, 15), spec.rule, problems)


def _note(key: Scalar, node: Node, known: list[str], spec: FieldSpec, problems: Problems) -> str:
    _known(key, known, spec.name, problems)
    if isinstance(node, Sequence) and len(node.items) != 1:
        problems.add(node.place, f"{key.text} has {len(node.items)} {spec.name}, but a trait holds one", spec.rule)
        return ""
    only = node.items[0] if isinstance(node, Sequence) else node
    return text(only, problems, what=f"{spec.name} of {key.text}", longest=spec.longest)


def _list(key: Scalar, node: Node, known: list[str], spec: FieldSpec, problems: Problems) -> tuple[str, ...]:
    _known(key, known, spec.name, problems)
    read = lambda item: text(item, problems, what=spec.name, longest=spec.longest)  # noqa: E731
    return items(node, problems, read, what=f"{spec.name} of {key.text}", most=spec.most)


def _check(character: Character, node: Node | None, spec: FieldSpec, system: System, problems: Problems) -> None:
    """The rules a field declares that look at other fields: a least level of the trait, a sum within a trait."""
    if node is None:
        return
    levels = character.levels(group.name for group in system.groups)
    if spec.kind == "text per trait" and spec.least_level and isinstance(node, MappingNode):
        for key, _ in node.entries:
            group = system.group_of.get(key.text)
            if group is not None and levels.get(key.text, group.default or 0) < spec.least_level:
                message = f"{key.text} is below {spec.least_level}, so it cannot hold an entry under {spec.name}"
                problems.add(key.place, message, spec.rule)
    if spec.within in system.by_role:
        trait = system.by_role[spec.within].name
        total = sum(character.numbers(spec.name).values())
        if total > levels.get(trait, 0):
            message = f"{spec.name} add up to {total}, but {trait} is {levels.get(trait, 0)}"
            problems.add(node.place, message, spec.rule)


def _origin(node: Node, problems: Problems) -> Origin:
    may = ("archetype", "options")
    found = fields(node, problems, what="rolled", needs=("method", "seed", "index"), may=may)
    options: dict[str, str] = {}
    if "options" in found:
        options = pairs(
            found["options"], problems, lambda _, value: text(value, problems, what="option"), what="options"
        )
    origin = Origin("", 0, 1, options=options)
    if "method" in found:
        origin = replace(origin, method=text(found["method"], problems, what="method", longest=60))
    if "archetype" in found:
        origin = replace(origin, archetype=text(found["archetype"], problems, what="archetype", longest=60))
    if "seed" in found:
        origin = replace(origin, seed=number(found["seed"], problems, what="seed", low=0, high=LARGEST_SEED))
    if "index" in found:
        origin = replace(origin, index=number(found["index"], problems, what="index", low=1, high=MOST_INDEX))
    return origin
