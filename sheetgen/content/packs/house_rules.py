"""The project file: where packs are besides, and house rules, put in place of a pack's own values.

    packs = ["../our-games"]     # folders that packs lie in, below or beside this one

    [house.mist]
    difficulty.hard = 9          # a value of the pack, by its path
    MIST-Q1 = "each round"       # an open point, by its ID, as a pack's `rulings` say it
    MIST-H1 = "off"              # an optional rule of the edition, which pages then leave out

What stands there keeps its place in that file, by which pages know it for a house rule.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, Sequence
from sheetgen.content.yaml.scalars import is_decimal, is_whole
from sheetgen.errors import InputError, Place, Problem, among, quoted, suggestion

FILE = "sheetgen.toml"
HOUSE, PACKS = "house", "packs"
KEYS = (HOUSE, PACKS, "campaign")

_NAME = r"\"[^\"\n]*\"|'[^'\n]*'|[\w-]+"
_HEAD = re.compile(rf"\s*\[\s*((?:{_NAME})(?:\s*\.\s*(?:{_NAME}))*)\s*\]")
_KEY = re.compile(rf"\s*((?:{_NAME})(?:\s*\.\s*(?:{_NAME}))*)\s*=")
_POINT = re.compile(r"[A-Z]{2,5}-[A-Z]?\d+")
OPTIONAL = re.compile(r"[A-Z]{2,5}-H\d+")
_OFF = ("off", "false", "no")
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")

HouseRules = Mapping[str, Node]  # by path


def read_house_rules(data: bytes, shown: str, games: Collection[str]) -> dict[str, HouseRules]:
    """Return the house rules of each game that a project file names; InputError at the place of what is none."""
    file, places = _project_file(data, shown)
    tables, found, problems = file.get(HOUSE, {}), dict[str, HouseRules](), Problems()
    for game, table in tables.items() if isinstance(tables, dict) else ():
        here = places.get(f"{HOUSE}.{game}", Place(shown, 1, 1))
        if game not in games:
            near = suggestion(game, games) or f"; there are {', '.join(sorted(games))}"
            problems.add(here, f"house rules of an unknown system {quoted(game)}{near}")
        elif not isinstance(table, dict):
            problems.add(here, f"house rules of {game} are values by path: write them under [{HOUSE}.{game}]")
        rules = dict[str, Node]()
        for path, value in _flat(table) if isinstance(table, dict) else ():
            place = places.get(f"{HOUSE}.{game}.{path}", here)
            if (node := _node(value, place)) is None:
                problems.add(place, f"{path} takes a number, a word or a list of them")
            else:
                rules[path] = node
        found[game] = rules
    problems.raise_if_any()
    return found


def read_pack_folders(data: bytes, shown: str) -> tuple[Scalar, ...]:
    """Return the folders of packs that a project file names, as written; InputError at the place of what is none."""
    file, places = _project_file(data, shown)
    place, named = places.get(PACKS, Place(shown, 1, 1)), file.get(PACKS, [])
    if not isinstance(named, list) or not all(isinstance(each, str) and each.isprintable() and each for each in named):
        raise InputError([Problem(place, f'{PACKS} is a list of folders: write {PACKS} = ["../our-games"]')])
    return tuple(Scalar(each, place, quoted=True) for each in named)


def _project_file(data: bytes, shown: str) -> tuple[dict[str, Any], dict[str, Place]]:
    """Return what a project file says, and the place of each path in it; InputError for no TOML or an unknown key."""
    try:
        text = data.decode()
        file = tomllib.loads(text, parse_float=str)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        at = _AT.search(str(error))
        place = Place(shown, int(at[1]), int(at[2])) if at else Place(shown, data.count(b"\n") + 1, 1)
        raise InputError([Problem(place, f"this is no TOML: {_AT.sub('', str(error)).strip()}")]) from None
    places = dict(_places(text, shown))
    unknown = [
        Problem(
            next((place for path, place in places.items() if path.split(".")[0] == key), Place(shown, 1, 1)),
            f"unknown key {quoted(key)}{among(key, KEYS)}",
        )
        for key in file
        if key not in KEYS
    ]
    if unknown:
        raise InputError(unknown)
    return file, places


def _places(text: str, shown: str) -> Iterator[tuple[str, Place]]:
    """Yield each path of a TOML file with its place, as far as lines tell."""
    head = ""
    for number, line in enumerate(text.splitlines(), 1):
        if found := _HEAD.match(line):
            head = _path(found[1])
            yield head, Place(shown, number, found.start(1) + 1)
        elif found := _KEY.match(line):
            yield ".".join(filter(None, (head, _path(found[1])))), Place(shown, number, found.start(1) + 1)


def _path(written: str) -> str:
    return ".".join(name.strip("\"'") for name in re.findall(_NAME, written))


def _flat(table: Mapping[str, Any], head: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{head}{name}.")
        else:
            yield f"{head}{name}", value


def _node(value: Any, place: Place) -> Node | None:
    if isinstance(value, list):
        items = [_node(each, place) for each in value]
        return Sequence(tuple(each for each in items if each), place) if all(items) else None
    if isinstance(value, bool):
        return Scalar(str(value).lower(), place, quoted=False)
    return Scalar(str(value), place, quoted=False) if isinstance(value, (str, int)) else None


def manifest_of(rules: HouseRules, pack: MappingNode, problems: Problems) -> MappingNode:
    """Return what the manifest of a pack says otherwise by house rules, to be merged with it.

    A path that the pack does not have, or a value of another kind, is a problem at its place.
    """
    own = next((node for key, node in pack.entries if key.text == "values"), MappingNode((), pack.place))
    values, rulings, off = list[tuple[Scalar, Node]](), list[tuple[Scalar, Node]](), list[Node]()
    for path, node in rules.items():
        key, before = Scalar(path, node.place, quoted=True), _node_at(own, path.split("."))
        if OPTIONAL.fullmatch(path) and isinstance(node, Scalar) and node.text in _OFF:
            off.append(key)
        elif _POINT.fullmatch(path) and isinstance(node, Scalar):
            rulings.append((key, node))
        elif before is None:
            near = suggestion(path, paths_of(own)) or f" (`sheetgen {HOUSE} GAME` lists what there is)"
            problems.add(node.place, f"there is no value {quoted(path)} to rule otherwise{near}")
        elif needed := _needed(before, node):
            problems.add(node.place, f"{path} takes {needed}, as the game has it")
        else:
            head, *rest = path.split(".")
            values.append((Scalar(head, node.place, quoted=True), _below(rest, node)))
    entries = tuple(
        (Scalar(name, pack.place, quoted=True), _joined(found, pack.place))
        for name, found in (("values", values), ("rulings", rulings))
        if found
    )
    without = ((Scalar("without", pack.place, quoted=True), Sequence(tuple(off), pack.place)),) if off else ()
    return MappingNode((*entries, *without), pack.place)


def _below(path: list[str], node: Node) -> Node:
    """Return mappings in each other that lead to a value."""
    if not path:
        return node
    key = Scalar(path[0], node.place, quoted=True)
    return MappingNode(((key, _below(path[1:], node)),), node.place)


def _joined(entries: list[tuple[Scalar, Node]], place: Place) -> MappingNode:
    """Return the entries as one mapping, those of one name within each other."""
    found = dict[str, tuple[Scalar, Node]]()
    for key, node in entries:
        before = found[key.text][1] if key.text in found else None
        both = isinstance(before, MappingNode) and isinstance(node, MappingNode)
        found[key.text] = key, _joined([*before.entries, *node.entries], node.place) if both else node  # type: ignore[union-attr]
    return MappingNode(tuple(found.values()), place)


def _node_at(node: Node | None, path: list[str]) -> Node | None:
    for name in path:
        entries = node.entries if isinstance(node, MappingNode) else ()
        node = next((each for key, each in entries if key.text == name), None)
    return None if isinstance(node, MappingNode) else node


def paths_of(values: Node, head: str = "") -> Iterator[str]:
    """Yield the path of each number, word and list among the values of a pack."""
    if not isinstance(values, MappingNode):
        yield head
        return
    for key, node in values.entries:
        yield from paths_of(node, f"{head}.{key.text}" if head else key.text)


def _needed(before: Node, node: Node) -> str:
    """Return what a value must be if it is of another kind than the one before."""
    if isinstance(before, Sequence) or isinstance(node, Sequence):
        return "" if type(before) is type(node) else "a list" if isinstance(before, Sequence) else "one value"
    assert isinstance(before, Scalar)
    assert isinstance(node, Scalar)
    if is_whole(before.text) and not is_whole(node.text):
        return "a whole number"
    return "a number" if is_decimal(before.text) and not is_decimal(node.text) else ""
