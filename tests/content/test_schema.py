"""JSON Schemas of pack files: every file that comes with sheetgen fits its schema, and mistakes do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sheetgen.content.handout_files import FILE
from sheetgen.content.packs.folders import Library
from sheetgen.content.schema import FILES, schema_of, schema_of_characters
from sheetgen.content.yaml.levels import HIGHEST
from sheetgen.content.yaml.nodes import Mapping, Node, Scalar, parse
from sheetgen.content.yaml.scalars import is_decimal, is_whole
from sheetgen.documents.export.characters import yaml_text
from sheetgen.rules.rolling import Roller, plan_of
from tests.reading import read_pack

ROOT = Path(__file__).resolve().parents[2]
PACKS = sorted(path.parent for path in (ROOT / "content").glob("*/system.yaml"))
PLACES = {
    **{part: [f"{part}.yaml"] for part in ("system", "creation", "sheet", "tables", "groups", "examples", "screen")},
    "npcs": ["npcs.yaml", "npcs/*.yaml"],
    "chapter": ["rules/*.yaml"],
}
PEOPLE = """
system: gamers
format: 1
characters:
- name: Ada
  attributes: {Grit: 9, Mind: A}
  skills: {Melee: 2}
  specialties: {Melee: [sabre]}
  gear: [rope, lamp]
  rolled: {method: random, seed: 1, index: 2}
"""


def plain(node: Node) -> Any:
    """What an editor makes of a YAML file: numbers, words, lists and mappings."""
    if isinstance(node, Scalar):
        if node.quoted:
            return node.text
        if node.is_null or node.text in ("true", "false"):
            return None if node.is_null else node.text == "true"
        return int(node.text) if is_whole(node.text) else float(node.text) if is_decimal(node.text) else node.text
    if isinstance(node, Mapping):
        return {key.text: plain(value) for key, value in node.entries}
    return [plain(item) for item in node.items]


def read(text: str | bytes) -> Any:
    return plain(parse(text.encode() if isinstance(text, str) else text, "x.yaml"))


def errors(schema: dict[str, Any], data: Any) -> list[str]:
    return [error.message[:200] for error in jsonschema.Draft7Validator(schema).iter_errors(data)]


@pytest.mark.parametrize("kind", FILES)
def test_a_schema_is_one(kind: str) -> None:
    jsonschema.Draft7Validator.check_schema(schema_of(FILES[kind]))


@pytest.mark.parametrize("kind", PLACES)
def test_the_files_of_every_pack_fit(kind: str) -> None:
    schema = schema_of(FILES[kind])
    paths = [path for pack in PACKS for place in PLACES[kind] for path in pack.glob(place)]
    assert len(paths) >= 4
    assert {str(path): found for path in paths if (found := errors(schema, read(path.read_bytes())))} == {}


def test_the_styles_of_handouts_fit() -> None:
    assert errors(schema_of(FILES["styles"]), read((ROOT / "templates" / FILE).read_bytes())) == []


@pytest.mark.parametrize("name", ["gamers", "diecodes", "sixshooter", "tsgs", "genesix", "chalkdown", "slackwater"])
def test_every_game_has_a_schema_of_its_characters(library: Library, name: str) -> None:
    schema = schema_of_characters(read_pack(library.folder(name), library))
    jsonschema.Draft7Validator.check_schema(schema)
    assert errors(schema, {"system": name, "name": "Ada"}) == []
    assert len(errors(schema, {"system": name, "nmae": "Ada"})) == 1


@pytest.mark.parametrize("name", ["gamers", "diecodes", "sixshooter", "tsgs", "genesix", "chalkdown", "slackwater"])
def test_whoever_is_rolled_fits_and_nobody_beyond_the_range_of_a_level_does(library: Library, name: str) -> None:
    system = read_pack(library.folder(name), library)
    schema = schema_of_characters(system)
    people = list(Roller(system, plan_of(system), seed=7).roll_all(range(1, 41)))
    assert errors(schema, read("".join(yaml_text(system, people)))) == []
    (group, trait) = next((group, group.members[0]) for group in system.groups if group.members[0].range.high < HIGHEST)
    for level, fits in ((trait.range.high, True), (trait.range.high + 1, False), (trait.range.low - 1, False)):
        written = f"system: {name}\nname: Ada\n{group.name}: {{{trait.name}: {group.scale.plain(level)}}}\n"
        assert (errors(schema, read(written)) == []) is fits, written


def test_characters_fit_alone_and_in_a_list(library: Library) -> None:
    schema = schema_of_characters(read_pack(library.folder("gamers"), library))
    assert errors(schema, read(PEOPLE)) == []
    assert len(errors(schema, read(PEOPLE.replace("Grit", "Girt").replace("seed: 1", "seed: -1")))) == 2
    assert errors(schema, read("system: gamers\nname: Ada\nskills: {Fire: 1}\n")) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("printers", "printers: {desk: {shift: [0.5, -1], margin: 4}}"),
        ("field-map", "Name: name\nSneaky: {on: skills.Stealth, from: 3}\nStory: {say: once}"),
        ("group", "system: gamers\ntitle: The watch\nmembers: [5 guards, {archetype: officer, name: Marta}]"),
    ],
)
def test_files_of_ones_own_fit(kind: str, text: str) -> None:
    assert errors(schema_of(FILES[kind]), read(text)) == []


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("printers", "printers: {desk: {shift: [0.5]}}", "[0.5] is too short"),
        ("system", "id: mist", "is not valid under any of the given schemas"),
        ("system", "id: mist\nextends: gamers\ntitel: Mist", "'titel' was unexpected"),
        ("group", "title: nobody", "'members' is a required property"),
        ("tables", "tables: {a: {title: A, rows: {1: x}, dyce: 1d6}}", "'dyce' was unexpected"),
        ("creation", "options: {use: {is: swich, default: no}}", "'swich' is not one of"),
    ],
)
def test_a_mistake_does_not_fit(kind: str, text: str, message: str) -> None:
    (found,) = errors(schema_of(FILES[kind]), read(text))
    assert message in found


def test_a_schema_says_what_each_key_is_for() -> None:
    title = schema_of(FILES["system"])["definitions"]["system.yaml"]["properties"]["title"]
    assert title["description"] == "the name of the game"
