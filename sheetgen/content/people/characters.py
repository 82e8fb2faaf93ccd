"""Character files: which system they belong to, and frozen characters or every problem, with the rules they break.

A value that was refused is left out of every check that looks at it, so that one mistake is one line. A `text` field
of fewer than 300 characters, and the name in any case, is a single line; longer ones keep their line breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from sheetgen.content.yaml.decode import Problems, choice, fields, items, number, pairs, text
from sheetgen.content.yaml.decoders import Scope
from sheetgen.content.yaml.levels import LevelOf
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, Sequence
from sheetgen.content.yaml.number_format import is_whole
from sheetgen.errors import Place, Problem, quoted, suggestion
from sheetgen.model.character import FORMAT_VERSION, Character, Origin, Value
from sheetgen.model.system import FieldSpec, System

HEAD = ("system", "format", "characters")
LARGEST_SEED = 2**63 - 1
MOST_INDEX = 1_000_000_000
SEVERAL_LINES = 300  # a text field that may be this long may have several lines

Judge = Callable[[System, Character], Iterable[Problem]]


@dataclass(frozen=True, slots=True)
class _Reader:
    """One character being read: its game, where problems go, and what was refused, as (field, name) or (field, "")."""

    system: System
    problems: Problems
    refused: set[tuple[str, str]] = field(default_factory=set)

    def knows(self, part: str, name: str) -> bool:
        """Whether a value, or its absence, is what the file means to say."""
        return not self.refused & {(part, name), (part, "")}


def system_named(node: Node, problems: Problems) -> Scalar:
    """The system that a character file names, with the place of that word; a problem if it names none."""
    if isinstance(node, MappingNode):
        for key, value in node.entries:
            if key.text == "system":
                return Scalar(text(value, problems, what="system", longest=200), value.place, quoted=True)
    problems.add(node.place, "this is not a character file: it must begin with `system: gamers` or the like")
    return Scalar("", node.place, quoted=True)


def read_characters(node: Node, system: System, problems: Problems, *, judge: Judge) -> tuple[Character, ...]:
    """The characters of a file: under `characters:`, or the one whose fields stand at the top.

    `judge` is asked for the problems that only the game's own rules can see.
    """
    entries = {key.text: value for key, value in node.entries} if isinstance(node, MappingNode) else {}
    if "format" in entries and not _is_our_format(entries["format"], problems):
        return ()
    if "characters" not in entries:
        return (_character(node, _Reader(system, problems), judge, also=HEAD),)
    listed = fields(node, problems, what="character file", needs=HEAD[:1], may=HEAD[1:])["characters"]
    if listed.is_null or listed == Sequence((), listed.place):
        names = ", ".join(spec.name for spec in system.fields[:4])
        problems.add(listed.place, f'no characters here (write a "- " entry for each, with {names} and so on)')
        return ()
    read = lambda item: _character(item, _Reader(system, problems), judge)  # noqa: E731
    return items(listed, problems, read, what="characters", most=1_000_000)


def _is_our_format(node: Node, problems: Problems) -> bool:
    if isinstance(node, Scalar) and is_whole(node.text) and node.text != str(FORMAT_VERSION):
        message = f"this file is of format {node.text[:20]}; this sheetgen reads format {FORMAT_VERSION}"
        problems.add(node.place, message)
        return False
    before = len(problems.found)
    number(node, problems, what="format", low=FORMAT_VERSION, high=FORMAT_VERSION)
    return len(problems.found) == before


def _character(node: Node, reader: _Reader, judge: Judge, also: tuple[str, ...] = ()) -> Character:
    system, problems = reader.system, reader.problems
    specs = {spec.name: spec for spec in system.fields}
    may = (*specs, "rolled", *also)
    found = fields(node, problems, what="character", may=may)
    _note_misspelt(node, may, reader)
    values: dict[str, Value] = {}
    places: dict[str, Place] = {}
    for name, spec in specs.items():
        if name in found and not found[name].is_null:
            values[name] = _value(found[name], spec, reader)
            places[name] = found[name].place
    origin = _origin(found["rolled"], problems) if "rolled" in found else None
    character = Character(system.id, values, origin, node.place, places)
    for name, spec in specs.items():
        if name in found:
            _check(character, found[name], spec, reader)
    if not reader.refused:
        for problem in judge(system, character):
            problems.add(problem.place, problem.message, problem.rule)
    return character


def read_given(node: Node, system: System, problems: Problems) -> dict[str, Value]:
    """What an archetype gives to everyone of its kind: fields of a character file, traits by name or by role."""
    reader = _Reader(system, problems)
    specs = {spec.name: spec for spec in system.fields}
    found = fields(node, problems, what="gives", may=specs)
    given = [(name, _named(found[name], spec, system), spec) for name, spec in specs.items() if name in found]
    return {name: _value(node, spec, reader) for name, node, spec in given}


def _named(node: Node, spec: FieldSpec, system: System) -> Node:
    """The mapping with the roles of traits turned into the names that they have in this game."""
    if not isinstance(node, MappingNode) or spec.kind == "ratings":
        return node
    names = {role: trait.name for role, trait in system.by_role.items() if role not in system.traits}
    entries = ((Scalar(names.get(key.text, key.text), key.place, key.quoted), value) for key, value in node.entries)
    return MappingNode(tuple(entries), node.place)


def _note_misspelt(node: Node, known: Iterable[str], reader: _Reader) -> None:
    """Counts a field as refused when a key that is not known, or comes twice, seems to mean it."""
    keys = [key.text for key, _ in node.entries] if isinstance(node, MappingNode) else []
    reader.refused.update((name, "") for name in known if keys.count(name) > 1)
    reader.refused.update((_meant(key, known), "") for key in keys if key not in known)


def _meant(name: str, known: Iterable[str]) -> str:
    """The known name that the suggestion for a name holds, or nothing."""
    near = suggestion(name, known)
    return next((each for each in known if f'"{each}"' in near), "")


def _value(node: Node, spec: FieldSpec, reader: _Reader) -> Value:
    problems = reader.problems
    if spec.kind == "text":
        return _text(node, spec, problems)
    if spec.kind == "choice":
        found = Problems()
        word = choice(node, found, spec.among, what=spec.name)
        for problem in found.found:
            problems.add(problem.place, problem.message, spec.rule)
            reader.refused.add((spec.name, ""))
        return word
    if spec.kind == "list":
        read = lambda item: text(item, problems, what=spec.name, longest=spec.longest)  # noqa: E731
        return items(node, problems, read, what=spec.name, most=spec.most)
    if not isinstance(node, MappingNode):
        reader.refused.add((spec.name, ""))
    single = _without_repeats(node, spec, reader)
    if spec.kind == "levels":
        return pairs(single, problems, lambda key, value: _level(key, value, spec, reader), what=spec.name)
    if spec.kind == "ratings":
        read_rating = lambda key, value: _rating(key, value, spec, reader)  # noqa: E731
        return pairs(single, problems, read_rating, what=spec.name, most=spec.most)
    known = [trait.name for group in reader.system.groups if group.name in spec.groups for trait in group.members]
    if spec.kind == "text per trait":
        return pairs(single, problems, lambda key, value: _note(key, value, known, spec, problems), what=spec.name)
    return pairs(single, problems, lambda key, value: _list(key, value, known, spec, problems), what=spec.name)


def _text(node: Node, spec: FieldSpec, problems: Problems) -> str:
    if spec.name != "name" and spec.longest >= SEVERAL_LINES:
        return text(node, problems, what=spec.name, longest=spec.longest)
    written = _untabbed(node, problems, spec.name, spec.longest)
    line = written.strip("\n")  # block text ends in a line break that nobody means
    if "\n" in line:
        problems.add(node.place, f"{spec.name} has a line break (write it on one line)")
    return line.replace("\n", " ")


def _untabbed(node: Node, problems: Problems, what: str, longest: int) -> str:
    """The text of a field of one line, in which a tab would be lost."""
    written = text(node, problems, what=what, longest=longest)
    if "\t" in written:
        problems.add(node.place, f"{what} holds the control character U+0009, a tab (write a space)")
    return written.replace("\t", " ")


def _without_repeats(node: Node, spec: FieldSpec, reader: _Reader) -> Node:
    """The mapping with each key once; a repeated one breaks the field's rule."""
    if not isinstance(node, MappingNode):
        return node
    first: dict[str, tuple[Scalar, Node]] = {}
    for key, value in node.entries:
        if key.text in first:
            line = first[key.text][0].place.line
            message = f"{key.text} stands twice under {spec.name} (first on line {line})"
            reader.problems.add(key.place, message, spec.rule)
            reader.refused.add((spec.name, key.text))
        first.setdefault(key.text, (key, value))
    return MappingNode(tuple(first.values()), node.place)


def _level(key: Scalar, node: Node, spec: FieldSpec, reader: _Reader) -> int:
    group = reader.system.group(spec.name)
    traits = {trait.name: trait for trait in group.members}
    if not _known(key, list(traits), group.name, reader.problems):
        reader.refused.add((spec.name, _meant(key.text, traits) or key.text))
        return 0
    levels = LevelOf(traits[key.text].range.low, traits[key.text].range.high, group.scale)
    read = lambda found: levels.read(node, Scope(found), key.text)  # noqa: E731
    return _ruled(read, key.text, (spec.name, group.rule), reader)


def _ruled(read: Callable[[Problems], int], name: str, part: tuple[str, str], reader: _Reader) -> int:
    """The level of a name in a field with a rule; one that is refused is counted as refused."""
    found = Problems()
    value = read(found)
    for problem in found.found:
        reader.problems.add(problem.place, problem.message, part[1])
        reader.refused.add((part[0], name))
    return value


def _known(key: Scalar, names: list[str], what: str, problems: Problems) -> bool:
    if key.text in names:
        return True
    near = suggestion(key.text, names) or f"; there are {', '.join(names[:12])}{' …' if len(names) > 12 else ''}"
    problems.add(key.place, f"unknown name {quoted(key.text)} under {what}{near}")
    return False


def _rating(key: Scalar, node: Node, spec: FieldSpec, reader: _Reader) -> int:
    _untabbed(key, reader.problems, f"name under {spec.name}", spec.longest)
    levels = LevelOf(spec.least_level)
    read = lambda found: levels.read(node, Scope(found), key.text)  # noqa: E731
    return _ruled(read, key.text, (spec.name, spec.rule), reader)


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


def _check(character: Character, node: Node, spec: FieldSpec, reader: _Reader) -> None:
    """The rules a field declares that look at other fields: a least level of the trait, a sum within a trait."""
    system, problems = reader.system, reader.problems
    if not spec.within and not spec.least_level:
        return
    levels = character.levels(group.name for group in system.groups)
    if spec.kind == "text per trait" and spec.least_level and isinstance(node, MappingNode):
        for key, _ in node.entries:
            group = system.group_of.get(key.text)
            if group is None or not reader.knows(group.name, key.text):
                continue
            if levels.get(key.text, group.default or 0) < spec.least_level:
                least = group.scale.plain(spec.least_level)
                message = f"{key.text} is below {least}, so it cannot hold an entry under {spec.name}"
                problems.add(key.place, message, spec.rule)
    if spec.within in system.by_role:
        trait = system.by_role[spec.within].name
        if not reader.knows(system.group_of[trait].name, trait):
            return
        shares = character.numbers(spec.name)
        good = [share for name, share in shares.items() if reader.knows(spec.name, name)]
        if sum(good) > levels.get(trait, 0):
            least = "" if len(good) == len(shares) else "at least "
            message = f"{spec.name} add up to {least}{sum(good)}, but {trait} is {levels.get(trait, 0)}"
            problems.add(node.place, message, spec.rule)


def _origin(node: Node, problems: Problems) -> Origin:
    """How a character was rolled; one line for each place that is wrong, one for all that is missing."""
    found = Problems()
    needs = ("method", "seed", "index")
    parts = fields(node, found, what="rolled", may=(*needs, "archetype", "options", "rerolled"))
    missing = [name for name in needs if name not in parts]
    if missing and not found.found:
        found.add(node.place, f"rolled lacks {' and '.join(missing)} (write it in, or leave all of rolled out)")
    origin = Origin("", 0, 1)
    if "options" in parts:
        read = lambda _, value: text(value, found, what="option")  # noqa: E731
        origin = replace(origin, options=pairs(parts["options"], found, read, what="options"))
    if "rerolled" in parts:
        seed = lambda key, value: number(value, found, what=f"seed of {key.text}", low=0, high=LARGEST_SEED)  # noqa: E731
        origin = replace(origin, rerolled=pairs(parts["rerolled"], found, seed, what="rerolled"))
    if "method" in parts:
        origin = replace(origin, method=text(parts["method"], found, what="method", longest=60))
    if "archetype" in parts:
        origin = replace(origin, archetype=text(parts["archetype"], found, what="archetype", longest=60))
    if "seed" in parts:
        origin = replace(origin, seed=number(parts["seed"], found, what="seed", low=0, high=LARGEST_SEED))
    if "index" in parts:
        origin = replace(origin, index=number(parts["index"], found, what="index", low=1, high=MOST_INDEX))
    for problem in {problem.place: problem for problem in reversed(found.found)}.values():
        problems.add(problem.place, problem.message, problem.rule)
    return origin
