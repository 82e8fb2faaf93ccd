"""Character files: which system they belong to, and frozen characters or every problem, with the rules they break.

A value that was refused is left out of every check that looks at it, so that one mistake is one line. A `text` field
of fewer than 300 characters, and the name in any case, is a single line; longer ones keep their line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sheetgen.content.yaml.containers import (
    Entries,
    Key,
    Later,
    ListOf,
    MapOf,
    OrNothing,
    RecordOf,
    Then,
    fields,
    mapping_entries,
)
from sheetgen.content.yaml.decoder import Decoder, Definitions, Problems, Schema, Scope, Wrapped
from sheetgen.content.yaml.levels import FreeMapping, LevelOf
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, Sequence
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, OneLine, WholeNumber, is_whole
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.errors import Problem, quoted, suggestion
from sheetgen.model.cast import GroupTitle
from sheetgen.model.character import FORMAT_VERSION, MIDDLE, OWN, PICTURE, Character, Origin, PictureFile, Value
from sheetgen.model.system import SEVERAL_LINES, FieldSpec, System, Trait

MOST_INDEX = 1_000_000_000
MOST_CHARACTERS = 1_000_000

Judge = Callable[[System, Character], Iterable[Problem]]

MOST_OWN, LONGEST_OWN = 100, 10_000  # columns of one's own, and letters in each
PICTURES = (".png", ".jpg", ".jpeg")
FAR = 100

_FOCUS = re.compile(r" at (\d{1,9}) (\d{1,9})$", re.ASCII)

# What was refused of a character, as (field, name) or (field, ""): facts["refused"] of the scope.


@dataclass(frozen=True)
class Cited(Wrapped[Any]):
    """What another decoder takes; a refusal breaks the rule of the field, and is noted under field and name."""

    field: str
    rule: str

    def read(self, node: Node, scope: Scope, what: str) -> Any:
        return self._cited(node, scope, what, "")

    def under(self, key: Scalar, node: Node, scope: Scope) -> Any:
        return self._cited(node, scope, key.text, key.text)

    def _cited(self, node: Node, scope: Scope, what: str, name: str) -> Any:
        before = len(scope.problems)
        value = self.takes.read(node, scope, what)
        if len(scope.problems) > before:
            scope.problems.cite(self.rule, since=before)
            scope.facts["refused"].add((self.field, name))
        return value


@dataclass(frozen=True)
class NoteOfTrait(Decoder[str]):
    """The one text that a trait may have, alone or as a list of one."""

    spec: FieldSpec
    blank = ""

    def read(self, node: Node, scope: Scope, what: str) -> str:
        if isinstance(node, Sequence) and len(node.items) != 1:
            trait = what.removeprefix(f"{self.spec.name} of ")
            message = f"{trait} has {len(node.items)} {self.spec.name}, but a trait holds one"
            scope.add(node.place, message, self.spec.rule)
            return ""
        only = node.items[0] if isinstance(node, Sequence) else node
        return FreeText(self.spec.longest).read(only, scope, what)

    def schema(self, definitions: Definitions) -> Schema:
        inside = FreeText(self.spec.longest).schema(definitions)
        return {"anyOf": [inside, {"type": "array", "items": inside, "minItems": 1, "maxItems": 1}]}

    def __str__(self) -> str:
        return "text"


@dataclass(frozen=True)
class ByName(Decoder[dict[str, Any]]):
    """A mapping of a character, by names of traits, or by free names; a name that comes twice breaks the field's rule.

    `values` has what the value of each trait is; without traits, `free` is what any name has. Short names
    of `traits` may stand for the long ones.
    """

    spec: FieldSpec
    values: Mapping[str, Decoder[Any]]
    free: Decoder[Any] | None = None
    traits: tuple[Trait, ...] = ()
    blank = dict

    def read(self, node: Node, scope: Scope, what: str) -> dict[str, Any]:
        if not isinstance(node, MappingNode):
            scope.facts["refused"].add((self.spec.name, ""))
        most = self.spec.most if self.free else 10_000
        plain = self._without_repeats(self._spelled_out(node, scope), scope)
        found = mapping_entries(plain, scope, what=what, most=most)
        return {name: self._value(key, value, scope) for name, (key, value) in found.items()}

    def _value(self, key: Scalar, node: Node, scope: Scope) -> Any:
        if self.free is not None:
            OneLine(self.spec.longest).read(key, scope, f"name under {self.spec.name}")
            return self.free.under(key, node, scope)
        takes = self.values.get(key.text)
        if takes is None:
            return self._unknown(key, scope)
        if self.spec.kind == "levels":
            return takes.under(key, node, scope)
        return takes.read(node, scope, f"{self.spec.name} of {key.text}")

    def _unknown(self, key: Scalar, scope: Scope) -> Any:
        names = tuple(self.values)
        near = suggestion(key.text, names) or f"; there are {', '.join(names[:12])}{' …' if len(names) > 12 else ''}"
        scope.add(key.place, f"unknown name {quoted(key.text)} under {self.spec.name}{near}")
        scope.facts["refused"].add((self.spec.name, _suggested(key.text, names) or key.text))
        return next((each.blank for each in self.values.values()), None) or 0

    def _spelled_out(self, node: Node, scope: Scope) -> Node:
        """Return the mapping with long names for short ones; a short name of several traits is a problem."""
        if not isinstance(node, MappingNode) or not self.traits:
            return node
        entries = list[tuple[Scalar, Node]]()
        for key, value in node.entries:
            meant = () if key.text in self.values else meant_by(self.traits, key.text)
            if len(meant) > 1:
                message = f"{quoted(key.text)} under {self.spec.name} may be {' or '.join(meant)} (write which)"
                scope.add(key.place, message, self.spec.rule)
                scope.facts["refused"] |= {(self.spec.name, each) for each in meant}
            else:
                entries.append((replace(key, text=meant[0]) if meant else key, value))
        return MappingNode(tuple(entries), node.place)

    def _without_repeats(self, node: Node, scope: Scope) -> Node:
        if not isinstance(node, MappingNode) or len({key.text for key, _ in node.entries}) == len(node.entries):
            return node
        first: dict[str, tuple[Scalar, Node]] = {}
        for key, value in node.entries:
            if key.text in first:
                line = first[key.text][0].place.line
                message = f"{key.text} stands twice under {self.spec.name} (first on line {line})"
                scope.add(key.place, message, self.spec.rule)
                scope.facts["refused"].add((self.spec.name, key.text))
            first.setdefault(key.text, (key, value))
        return MappingNode(tuple(first.values()), node.place)

    def schema(self, definitions: Definitions) -> Schema:
        if self.free is not None:
            return {"type": "object", "additionalProperties": self.free.schema(definitions)}
        known = {name: takes.schema(definitions) for name, takes in self.values.items()}
        known |= {e.short: known[e.name] for e in self.traits if len(meant_by(self.traits, e.short)) == 1}
        return {"type": "object", "properties": known, "additionalProperties": False}

    def __str__(self) -> str:
        return f"mapping: name → {self.free or next(iter(self.values.values()), '')}"


def field_decoder(spec: FieldSpec, system: System) -> Decoder[Any]:
    """Return what a field of a character takes."""
    text_of = FreeText(spec.longest)
    match spec.kind:
        case "text":
            single = spec.name == "name" or spec.longest < SEVERAL_LINES
            return OneLine(spec.longest) if single else text_of
        case "choice":
            return Cited(ChoiceOf(spec.among, spec.name), spec.name, spec.rule)
        case "list":
            return ListOf(text_of, most=spec.most)
        case "ratings":
            return ByName(spec, {}, Cited(LevelOf(spec.least_level, scale=system.usual_scale), spec.name, spec.rule))
        case "levels":
            group = system.group(spec.name)
            levels = {each.name: LevelOf(each.range.low, each.range.high, group.scale) for each in group.members}
            cited = {name: Cited(level, spec.name, group.rule) for name, level in levels.items()}
            return ByName(spec, cited, traits=group.members)
    takes = NoteOfTrait(spec) if spec.kind == "text per trait" else ListOf(text_of, spec.most, each=spec.name)
    traits = [trait for group in system.groups if group.name in spec.groups for trait in group.members]
    return ByName(spec, dict.fromkeys((each.name for each in traits), takes), traits=tuple(traits))


def meant_by(traits: Iterable[Trait], word: str) -> tuple[str, ...]:
    """Return the names of the traits that have a word as their short name, in capitals or not."""
    return tuple(each.name for each in traits if each.short and each.short.casefold() == word.casefold())


def system_named(node: Node, problems: Problems) -> Scalar:
    """Return the system that a character file names, with the place of that word; a problem if it names none."""
    if isinstance(node, MappingNode):
        for key, value in node.entries:
            if key.text == "system":
                return Scalar(FreeText(200).read(value, Scope(problems), "system"), value.place, quoted=True)
    problems.add(node.place, "this is not a character file: it must begin with `system: gamers` or the like")
    return Scalar("", node.place, quoted=True)


def _is_our_format(node: Node, problems: Problems) -> bool:
    if isinstance(node, Scalar) and is_whole(node.text) and node.text != str(FORMAT_VERSION):
        message = f"this file is of format {node.text[:20]}; this sheetgen reads format {FORMAT_VERSION}"
        problems.add(node.place, message)
        return False
    before = len(problems.found)
    WholeNumber(FORMAT_VERSION, FORMAT_VERSION).read(node, Scope(problems), "format")
    return len(problems.found) == before


def _suggested(name: str, known: Iterable[str]) -> str:
    """The known name that the suggestion for a name holds, or nothing."""
    near = suggestion(name, known)
    return next((each for each in known if f'"{each}"' in near), "")


def _check(character: Character, node: Node, spec: FieldSpec, system: System, scope: Scope) -> None:
    """The rules a field declares that look at other fields: a least level of the trait, a sum within a trait."""
    refused = scope.facts["refused"]
    if not spec.within and not spec.least_level:
        return
    levels = character.levels(group.name for group in system.groups)
    if spec.kind == "text per trait" and spec.least_level and isinstance(node, MappingNode):
        for key, _ in node.entries:
            group = system.group_of.get(key.text)
            if group is None or not refused.isdisjoint(((group.name, key.text), (group.name, ""))):
                continue
            if levels.get(key.text, system.traits[key.text].default or 0) < spec.least_level:
                least = group.scale.plain(spec.least_level)
                message = f"{key.text} is below {least}, so it cannot hold an entry under {spec.name}"
                scope.add(key.place, message, spec.rule)
    if spec.within in system.by_role:
        trait = system.by_role[spec.within].name
        group_name = system.group_of[trait].name
        if not refused.isdisjoint(((group_name, trait), (group_name, ""))):
            return
        shares = character.numbers(spec.name)
        good = [share for name, share in shares.items() if refused.isdisjoint(((spec.name, name), (spec.name, "")))]
        if sum(good) > levels.get(trait, 0):
            least = "" if len(good) == len(shares) else "at least "
            message = f"{spec.name} add up to {least}{sum(good)}, but {trait} is {levels.get(trait, 0)}"
            scope.add(node.place, message, spec.rule)


def _check_origin(entries: Entries) -> None:
    missing = [name for name in ("method", "seed", "index") if name not in entries]
    if missing and not len(entries.scope.problems):
        entries.add(f"rolled lacks {' and '.join(missing)} (write it in, or leave all of rolled out)")


ORIGIN = RecordOf(
    "rolled",
    Origin,
    Key("method", FreeText(60), "the method of making", ""),
    Key("seed", WholeNumber(0, LARGEST_SEED), "the seed of the dice", 0),
    Key("index", WholeNumber(1, MOST_INDEX), "the number of the person in that run", 1),
    Key("archetype", FreeText(60), "the archetype", ""),
    Key("options", MapOf(FreeText(), each="option"), "the options that held", dict),
    Key("rerolled", MapOf(WholeNumber(0, LARGEST_SEED), each="seed of {key}"), "seeds of steps rolled anew", dict),
    Key("name", FreeText(60), "the name that a group gave in place of the rolled one", ""),
    check=_check_origin,
)


def _origin(_: object, node: Node, scope: Scope) -> Origin:
    """How a character was rolled; one line for each place that is wrong, one for all that is missing."""
    found = Problems()
    origin = ORIGIN.read(node, replace(scope, problems=found), "")
    for problem in {problem.place: problem for problem in reversed(found.found)}.values():
        scope.add(problem.place, problem.message, problem.rule)
    return origin


def _portrait_file(text: str, node: Node, scope: Scope) -> PictureFile | None:
    """The portrait that a text names: a file, and behind `at` what must be seen of it."""
    if not text:
        return None
    file, focus = _FOCUS.sub("", text).strip(), _FOCUS.search(text)
    if not file.lower().endswith(PICTURES):
        scope.add(node.place, f"a picture is a file {', '.join(PICTURES)}, not {quoted(file)}")
        return None
    across, down = map(int, focus.groups()) if focus else MIDDLE
    if max(across, down) > FAR:
        scope.add(
            node.place, f"the focus of a picture is in per cent from the left and the top, not {focus and focus[0]}"
        )
        return None
    return PictureFile(file, (across, down), node.place)


GROUP_TITLE = RecordOf(
    "group",
    GroupTitle,
    Key("title", FreeText(60), "what the group is called"),
    Key("say", FreeText(200), "a line about it", ""),
)
HEAD = (
    Key("system", FreeText(200), "the game: the name of its pack, or the path of its folder", ""),
    Key("format", WholeNumber(FORMAT_VERSION, FORMAT_VERSION), "the format of the file", FORMAT_VERSION),
    Key("group", Later(GROUP_TITLE), "the group that the characters are, which is printed in front of them", None),
    Key("characters", Later(ListOf(FreeMapping())), "the characters; without it, the file is one character", None),
)


PORTRAIT = Key(
    PICTURE,
    OrNothing(Then(FreeText(300), _portrait_file)),
    "a PNG or JPEG beside this file: `ada.png`, or `ada.png at 50 20` to keep that in sight, in per cent",
    None,
)
OWN_COLUMNS = Key(
    OWN,
    OrNothing(MapOf(FreeText(LONGEST_OWN), most=MOST_OWN)),
    "what you keep about the character in columns of your own tables; it is carried along and not printed",
    None,
)
CHARACTERS = RecordOf[dict[str, Any]](
    "character file",
    dict,
    *HEAD,
    Key("rolled", Then(Later(ORIGIN), _origin), "how the character was rolled", None),
    open=True,
)


def character_record(system: System, judge: Judge, *also: Key) -> RecordOf[Character]:
    """Return what a character of a game may hold; `judge` is asked for the problems that only its own rules see."""
    specs = {spec.name: spec for spec in system.fields}
    also = (*(key for key in (PORTRAIT, OWN_COLUMNS) if key.name not in specs), *also)
    known = (*specs, "rolled", *(key.name for key in also))

    def check(entries: Entries) -> None:
        """Make the character, and hold it against the rules of its fields and of its game."""
        refused: set[tuple[str, str]] = entries.scope.facts["refused"]
        names = [key.text for key, _ in entries.node.entries] if isinstance(entries.node, MappingNode) else []
        refused.update((name, "") for name in known if names.count(name) > 1)
        refused.update((_suggested(name, known), "") for name in names if name not in known)
        said = {name: node for name, node in entries.nodes.items() if name in specs and not node.is_null}
        values = {name: entries.values[name] for name in specs if name in said}
        places = {name: said[name].place for name in values}
        character = Character(system.id, values, entries.values["rolled"], entries.node.place, places)
        if PICTURE not in specs:
            character = replace(character, picture=entries.values[PICTURE])
        if OWN not in specs:
            character = replace(character, own=_extra_columns(entries, (*known, "system", "group")))
        for name in (name for name in specs if name in entries):
            _check(character, entries.nodes[name], specs[name], system, entries.scope)
        if not refused:
            for problem in judge(system, character):
                entries.scope.add(problem.place, problem.message, problem.rule)
        refused.clear()
        entries.values.clear()
        entries.values["character"] = character

    keys = [
        Key(name, OrNothing(field_decoder(spec, system)), spec.hint or spec.title, None) for name, spec in specs.items()
    ]
    rolled = Key("rolled", Then(Later(ORIGIN), _origin), "how the character was rolled; leave it as it is", None)
    return RecordOf("character", lambda character: character, *keys, rolled, *also, check=check)


def _extra_columns(entries: Entries, fields: Container[str]) -> dict[str, str]:
    """Return what stands in somebody's own columns; a problem for each that is called like a column of the game."""
    own: dict[str, str] = entries.values[OWN] or {}
    for name in own:
        if name.partition(".")[0] in fields:
            entries.scope.add(entries.nodes[OWN].place, f"{OWN}: {quoted(name)} is a name of the game's (take another)")
    return own


def read_characters(node: Node, system: System, problems: Problems, *, judge: Judge) -> tuple[Character, ...]:
    """Return the characters of a file: under `characters:`, or the one whose fields stand at the top.

    `judge` is asked for the problems that only the game's own rules can see.
    """
    scope = Scope(problems, facts={"refused": set()})
    entries = {key.text: value for key, value in node.entries} if isinstance(node, MappingNode) else {}
    if "format" in entries and not _is_our_format(entries["format"], problems):
        return ()
    if "characters" not in entries:
        also = [key for key in HEAD if system.spec(key.name) is None]
        return (character_record(system, judge, *also).read(node, scope, ""),)
    listed = fields(node, scope, what="character file", may=[key.name for key in HEAD])["characters"]
    if listed.is_null or listed == Sequence((), listed.place):
        shown = ", ".join(spec.name for spec in system.fields[:4])
        problems.add(listed.place, f'no characters here (write a "- " entry for each, with {shown} and so on)')
        return ()
    record = character_record(system, judge)
    return ListOf(record, most=MOST_CHARACTERS).read(listed, scope, "characters")


def read_group_title(node: Node, system: System, problems: Problems) -> GroupTitle | None:
    """Return what a file says of the group that its characters are, or None."""
    entries = {key.text: value for key, value in node.entries} if isinstance(node, MappingNode) else {}
    if "group" not in entries or ("characters" not in entries and system.spec("group") is not None):
        return None
    return GROUP_TITLE.read(entries["group"], Scope(problems), "group")


def read_given(node: Node, system: System, problems: Problems) -> dict[str, Value]:
    """Return what an archetype gives to everyone of its kind: fields of a character file, traits by name or by role."""
    specs = {spec.name: spec for spec in system.fields}
    if isinstance(node, MappingNode):
        entries = (
            (key, _with_trait_names(value, specs[key.text], system) if key.text in specs else value)
            for key, value in node.entries
        )
        node = MappingNode(tuple(entries), node.place)
    groups = {group.name for group in system.groups}
    keys = (
        # Levels of a group that the pack lacks are told of where the field stands.
        Key(
            name,
            FreeMapping() if spec.kind == "levels" and name not in groups else field_decoder(spec, system),
            spec.hint,
            None,
        )
        for name, spec in specs.items()
    )
    found = RecordOf[dict[str, Any]]("gives", dict, *keys).read(node, Scope(problems, facts={"refused": set()}), "")
    return {name: value for name, value in found.items() if value is not None}


def _with_trait_names(node: Node, spec: FieldSpec, system: System) -> Node:
    """The mapping with the roles of traits turned into the names that they have in this game."""
    if not isinstance(node, MappingNode) or spec.kind == "ratings":
        return node
    names = {role: trait.name for role, trait in system.by_role.items() if role not in system.traits}
    entries = ((Scalar(names.get(key.text, key.text), key.place, key.quoted), value) for key, value in node.entries)
    return MappingNode(tuple(entries), node.place)
