"""JSON Schemas (draft-07) of the files that people write, and by them what may stand at a place of one being typed.

Schemas are made from what decoders declare. A text that is being typed may be broken: where one is in it, is told by
indentation, as people read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from sheetgen.content.book.chapters import CHAPTER
from sheetgen.content.book.screens import SCREEN
from sheetgen.content.handout_files import CATALOGUE
from sheetgen.content.packs.creation import CREATION
from sheetgen.content.packs.library import SYSTEM, TABLES
from sheetgen.content.packs.play import EXAMPLES
from sheetgen.content.packs.sheet import SHEET
from sheetgen.content.people.characters import CHARACTERS, HEAD, character_record
from sheetgen.content.people.groups import GROUP_FILE, PACK_GROUPS
from sheetgen.content.people.npcs import NPCS
from sheetgen.content.printing import PRINTERS, SHOP
from sheetgen.content.session_files import LOG_FILE, SESSION
from sheetgen.content.yaml.decoder import Decoder, Definitions, Schema
from sheetgen.content.yaml.field_map import FIELD_MAP
from sheetgen.model.system import System

DRAFT = "http://json-schema.org/draft-07/schema#"
ENTRY = "-"  # a step into a list
_LINE = re.compile(
    r"(?P<lead> *)(?P<dashes>(?:-(?: +|$))*)"
    r"(?:(?P<key>[^\s#\"'{\[][^:#{\[]*?|\"[^\"]*\"|'[^']*')(?:(?P<colon>:)(?=\s|$)|\s*$))?"
)
_BLOCK = re.compile(r"\s*[|>][-+0-9]*\s*(#.*)?")
_FOLDERS = {"rules": "chapter", "npcs": "npcs"}
_KINDS = ("system", "creation", "sheet", "tables", "npcs", "groups", "examples", "screen", "session", "log")
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file: what it is called, what it holds, and whether a pack that it extends may complete it."""

    file: str
    say: str
    holds: Decoder[Any]
    completed: bool = False


FILES: Mapping[str, FileKind] = {
    "system": FileKind("system.yaml", "The game: its traits, and every number that a rule uses.", SYSTEM, True),
    "creation": FileKind("creation.yaml", "How characters are made.", CREATION, True),
    "sheet": FileKind("sheet.yaml", "What a character file may hold, and the columns of a roster.", SHEET, True),
    "tables": FileKind("tables.yaml", "Tables to roll on or to look up.", TABLES, True),
    "npcs": FileKind("npcs.yaml, or npcs/*.yaml", "What makes a rolled person playable.", NPCS, True),
    "groups": FileKind(
        "groups.yaml",
        "Ready-made groups, each under its name, in place of all those of a pack that it extends.",
        PACK_GROUPS,
        True,
    ),
    "examples": FileKind("examples.yaml", "Worked examples, run by `sheetgen check`.", EXAMPLES),
    "screen": FileKind("screen.yaml", "What a GM screen and a quick reference show.", SCREEN),
    "chapter": FileKind("rules/01-name.yaml", "A chapter of the rulebook.", CHAPTER),
    "styles": FileKind("templates/handout/styles.yaml", "Styles, looks and symbols of handouts.", CATALOGUE),
    "characters": FileKind("a file of characters", "Characters; their fields are those of sheet.yaml.", CHARACTERS),
    "group": FileKind("a file of a group", "A group of your own, for `npc --group`.", GROUP_FILE),
    "session": FileKind("session.yaml", "An evening, for `sheetgen session`.", SESSION),
    "log": FileKind("log.yaml", "What happened in a campaign, and who knows whom.", LOG_FILE),
    "printers": FileKind("printers.yaml", "Printers, as `sheetgen proof --save` measures them.", PRINTERS),
    "shop": FileKind("shops/name.yaml", "A print shop of your own, for `cards --for name`.", SHOP),
    "field-map": FileKind("a map of a form", "Which value goes into which field of a form.", FIELD_MAP),
}


def schema_of(kind: FileKind) -> Schema:
    """Return the schema of a kind of file; keys that another file may bring are not required."""
    definitions = Definitions(whole=not kind.completed)
    found = _complete_schema(kind.holds.schema(definitions), kind.say, definitions)
    if kind.holds is SYSTEM:
        needed = [key.name for key in SYSTEM.keys if key.is_needed]
        found["anyOf"] = [{"required": ["extends"]}, {"required": needed}]
    return found


def schema_of_characters(system: System) -> Schema:
    """Return the schema of the character files of a game."""
    definitions = Definitions()
    record = character_record(system, lambda system, character: ())
    one = character_record(system, lambda system, character: (), *HEAD[:2]).outline(definitions)
    several = CHARACTERS.outline(definitions)
    several["properties"]["characters"] = {"type": "array", "items": record.schema(definitions)}
    choice = {"if": {"required": ["characters"]}, "then": several, "else": one, "required": ["system"]}
    return _complete_schema(choice, f"Characters of {system.title}", definitions)


def _complete_schema(root: Schema, title: str, definitions: Definitions) -> Schema:
    if "$ref" in root:  # a draft-07 reader looks at nothing beside a reference
        root = {"allOf": [root]}
    return {"$schema": DRAFT, "title": title, **root, "definitions": definitions.found}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that may be written here: the word, its line of help, what it takes, whether it is needed."""

    word: str
    help: str = ""
    takes: str = ""
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """A place: the steps to it, the key under the cursor or that of the value, its help, and what may be written.

    At an `open` place there may be keys of one's own, too.
    """

    path: tuple[str, ...]
    key: str
    help: str
    keys: tuple[Suggestion, ...] = ()
    values: tuple[Suggestion, ...] = ()
    open: bool = False


def kind_of(file: str) -> str:
    """Return the kind of a file of a pack by its relative name, as `schema.FILES` calls it; empty for others."""
    path = PurePosixPath(file)
    if path.suffix not in (".yaml", ".yml"):
        return ""
    if path.parent.name in _FOLDERS:
        return _FOLDERS[path.parent.name]
    return path.stem if path.stem in _KINDS else ""


def explain_place(schema: Schema, text: str, line: int, column: int) -> Explanation:
    """Return what may stand at a line and column, both from 1, of a text that need not be whole."""
    lines = text.split("\n")[: max(line, 1)] or [""]
    before = lines[-1][: max(column - 1, 0)]
    lines[-1] = lines[-1].rstrip("\r")
    path, key, in_value, in_text = _place(lines, before)
    found = list(_reached(schema, schema, path))
    own = [each for name in ((key,) if key else ()) for each in _reached(schema, schema, (*path, name))]
    help = next((str(each["description"]) for each in own if each.get("description")), "")
    if in_text:
        return Explanation(path, key, help)
    if in_value:
        return Explanation(path, key, help, values=tuple(_values(schema, own)))
    objects = [each for each in found if "properties" in each or "additionalProperties" in each]
    is_open = any(each.get("additionalProperties", True) is not False for each in objects)
    return Explanation(path, key, help, tuple(_keys(schema, found)), tuple(_values(schema, found)), is_open)


def _place(lines: Sequence[str], before: str) -> tuple[tuple[str, ...], str, bool, bool]:
    """Return the steps to the last line's mapping, its key, whether one is behind the colon, and within block text."""
    tokens = _tokens(lines[-1])
    cursor = len(before)
    own = next((name for at, name, _ in tokens if name != ENTRY), "")
    colon = next((behind for _, name, behind in tokens if name != ENTRY and behind >= 0), -1)
    depth = next((at for at, name, _ in tokens if name != ENTRY), max(cursor, len(_LINE.match(lines[-1])["lead"])))  # type: ignore[index]
    if not lines[-1].strip():
        depth = cursor
    steps, in_text = _above(lines, depth, [(at, name, behind) for at, name, behind in tokens if name == ENTRY])
    if in_text:
        return tuple(steps[:-1]), steps[-1], True, True
    if colon < 0 or cursor <= colon:
        return tuple(steps), own, False, False
    inner, key, in_value = _flow(before[colon + 1 :])
    if not inner:
        return tuple(steps), own, True, False
    return (*steps, own, *inner[:-1]), key, in_value, False


def _tokens(line: str) -> list[tuple[int, str, int]]:
    """Return the dashes and the key of a line with their columns; a key also with that of its colon, or -1."""
    found = _LINE.match(line)
    if found is None or line.lstrip().startswith("#"):
        return []
    start = found.start("dashes")
    made = [(start + each.start(), ENTRY, -1) for each in re.finditer("-", found["dashes"])]
    if found["key"]:
        made.append((found.start("key"), found["key"].strip("\"'").strip(), found.start("colon")))
    return made


def _above(lines: Sequence[str], depth: int, dashes: list[tuple[int, str, int]]) -> tuple[list[str], bool]:
    """Return the steps from the top to what is indented so deep, and whether the innermost holds block text."""
    steps, column = list[str](), depth
    for at, _, _ in reversed(dashes):
        if at < column:
            steps.append(ENTRY)
            column = at
    for number in range(len(lines) - 2, -1, -1):
        for at, name, behind in reversed(_tokens(lines[number])):
            level = at == column and steps[-1:] == [ENTRY] and name != ENTRY
            if at >= column and not level:
                continue
            if name != ENTRY and behind < 0:
                continue
            if name != ENTRY and _BLOCK.fullmatch(lines[number][behind + 1 :]) and not steps:
                return [*_above(lines[: number + 1], at, _dashes(lines[number]))[0], name], True
            steps.append(name)
            column = at
            if len(steps) >= _DEEPEST:
                return steps[::-1], False
        if column == 0 and steps[-1:] != [ENTRY]:
            break
    return steps[::-1], False


def _dashes(line: str) -> list[tuple[int, str, int]]:
    return [each for each in _tokens(line) if each[1] == ENTRY]


def _flow(written: str) -> tuple[list[str], str, bool]:
    """Return the steps into brackets that are open at the end, an empty one last; the key there; if in its value."""
    steps, key, in_value, word, quote = list[tuple[str, str]](), "", False, "", ""
    for at, char in enumerate(written):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and not word.strip():
            quote = char
        elif char in "{[":
            steps.append((char, key))
            key, word, in_value = "", "", False
        elif char in "}]" and steps:
            key, word, in_value = steps.pop()[1], "", True
        elif char == "," and steps:
            key, word, in_value = "", "", False
        elif char == ":" and steps and steps[-1][0] == "{" and written[at + 1 : at + 2] in ("", " "):
            key, word, in_value = word.strip(), "", True
        else:
            word += char
    inner = [part for char, above in steps for part in ([above] if above else []) + ([ENTRY] if char == "[" else [])]
    opened = bool(steps)
    return ([*inner, ""] if opened else []), key or word.strip(), in_value


def _reached(root: Schema, schema: Schema, path: Sequence[str]) -> Iterator[Schema]:
    """Yield every schema that a path may lead to."""
    for found in _with_parts(root, schema, _DEEPEST):
        if not path:
            yield found
            continue
        head, rest = path[0], path[1:]
        if head == ENTRY:
            inside = found.get("items")
        else:
            inside = found.get("properties", {}).get(head, found.get("additionalProperties"))
        if isinstance(inside, dict):
            yield from _reached(root, inside, rest)


def _with_parts(root: Schema, schema: Schema, depth: int) -> Iterator[Schema]:
    """Yield a schema and what it refers to, is made of, or leaves the choice of."""
    if depth <= 0:
        return
    yield schema
    if isinstance(schema.get("$ref"), str):
        named = root.get("definitions", {}).get(schema["$ref"].rpartition("/")[2])
        if named is not None:
            yield from _with_parts(root, named, depth - 1)
    for word in ("allOf", "anyOf", "oneOf"):
        for each in schema.get(word, ()):
            yield from _with_parts(root, each, depth - 1)
    for word in ("then", "else"):
        if isinstance(schema.get(word), dict):
            yield from _with_parts(root, schema[word], depth - 1)


def _keys(root: Schema, found: Sequence[Schema]) -> Iterator[Suggestion]:
    seen = set[str]()
    for each in found:
        needed = each.get("required", ())
        for name, about in each.get("properties", {}).items():
            if name not in seen:
                seen.add(name)
                yield Suggestion(name, str(about.get("description", "")), _takes(root, about), name in needed)


def _values(root: Schema, found: Sequence[Schema]) -> Iterator[Suggestion]:
    words = dict[str, None]()
    for schema in found:
        for each in _with_parts(root, schema, _DEEPEST):
            if isinstance(each.get("enum"), list):
                words.update(dict.fromkeys(str(word) for word in each["enum"]))
            if each.get("type") == "boolean":
                words.update({"yes": None, "no": None})
    yield from (Suggestion(word) for word in words)


def _takes(root: Schema, about: Schema) -> str:
    """Return what a key takes in a word or two."""
    kinds: Any = [each.get("type") for each in _with_parts(root, about, _DEEPEST) if each.get("type")]
    flat = [word for kind in kinds for word in (kind if isinstance(kind, list) else [kind])]
    names = {"array": "list", "object": "mapping", "string": "text", "integer": "number", "boolean": "yes or no"}
    words = dict.fromkeys(names.get(word, word) for word in flat if word != "null")
    words = {word: None for word in words if not ("text" in words and word in ("number", "yes or no"))}
    return " or ".join([*words][:2])
