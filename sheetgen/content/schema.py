"""JSON Schemas (draft-07) of the files that people write, made from what their decoders declare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sheetgen.content.book.chapters import CHAPTER
from sheetgen.content.book.screens import SCREEN
from sheetgen.content.handouts.styles import CATALOGUE
from sheetgen.content.packs.creation import CREATION
from sheetgen.content.packs.examples import EXAMPLES
from sheetgen.content.packs.library import SYSTEM, TABLES
from sheetgen.content.packs.sheet import SHEET
from sheetgen.content.people.characters import CHARACTERS, HEAD, character_record
from sheetgen.content.people.groups import GROUP_FILE, PACK_GROUPS
from sheetgen.content.people.npcs import NPCS
from sheetgen.content.sessions.campaign import LOG_FILE
from sheetgen.content.sessions.reader import SESSION
from sheetgen.content.yaml.decoder import Decoder, Definitions, Schema
from sheetgen.content.yaml.field_map import FIELD_MAP
from sheetgen.content.yaml.print_shops import SHOP
from sheetgen.content.yaml.printer_profiles import PRINTERS
from sheetgen.model.system import System

DRAFT = "http://json-schema.org/draft-07/schema#"


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
    "groups": FileKind("groups.yaml", "Ready-made groups, each under its name.", PACK_GROUPS, True),
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
    found = _whole(kind.holds.schema(definitions), kind.say, definitions)
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
    return _whole(choice, f"Characters of {system.title}", definitions)


def _whole(root: Schema, title: str, definitions: Definitions) -> Schema:
    if "$ref" in root:  # a draft-07 reader looks at nothing beside a reference
        root = {"allOf": [root]}
    return {"$schema": DRAFT, "title": title, **root, "definitions": definitions.found}
