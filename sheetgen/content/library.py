"""Packs read: the System that a folder comes to, or every problem it has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sheetgen.content.casting import CastReader
from sheetgen.content.decode import Problems, choice, fields, pairs, text
from sheetgen.content.folders import MANIFEST, Library, extended
from sheetgen.content.levels import branch
from sheetgen.content.making import read_creation, read_duel, read_fields, read_step
from sheetgen.content.nodes import Mapping as MappingNode
from sheetgen.content.nodes import Node, Scalar
from sheetgen.content.schema import Reader, read_groups, read_table
from sheetgen.errors import Place, quoted, suggestion
from sheetgen.model.data import EMPTY, Data, Values, Word
from sheetgen.model.system import Creation, Step, System, Table, Trait, TraitGroup

HEAD = (
    "id",
    "extends",
    "title",
    "subtitle",
    "motto",
    "credit",
    "licence",
    "engine",
    "accent",
    "covers",
    "traits",
    "skin",
    "values",
    "rulings",
    "uses",
    "play",
    "duel",
)


def read_pack(folder: Path, library: Library) -> System:
    """The System that a pack folder states, what it extends included; InputError with every problem found."""
    problems = Problems()
    lineage: list[str] = []
    parts = extended(folder, library, problems, lineage)
    problems.raise_if_any()
    system = _assemble(parts, Place(library.shown(folder / MANIFEST), 1, 1), tuple(lineage), problems)
    problems.raise_if_any()
    return system


def _assemble(parts: Mapping[str, MappingNode], place: Place, lineage: tuple[str, ...], problems: Problems) -> System:
    reader = Reader(problems)
    needs = ("id", "title", "credit", "licence", "traits")
    head = fields(parts["system"], problems, what="system.yaml", needs=needs, may=HEAD)
    reader.covers(head)
    groups = read_groups(head["traits"], reader) if "traits" in head else ()
    complete = not problems.found
    if "skin" in head:
        groups = tuple(_skinned(group, head["skin"], reader, reader.optional(head, "title")) for group in groups)
    values = Values(branch(head["values"], problems, what="values") if "values" in head else EMPTY, place)
    traits = {name: trait.role for group in groups for trait in group.members for name in (trait.name, trait.role)}
    tables = _tables(parts.get("tables"), reader)
    _check_bands(groups, tables, problems, parts["system"])
    creation = read_creation(parts["creation"], reader) if "creation" in parts else Creation({}, {}, {}, place)
    sizes = tuple(values.names("injury.dice")) if values.has("injury.dice") else ()
    return System(
        id=text(head["id"], problems, what="id", longest=40) if "id" in head else "",
        title=reader.optional(head, "title"),
        subtitle=reader.optional(head, "subtitle"),
        credit=reader.optional(head, "credit"),
        licence=reader.optional(head, "licence"),
        engine=reader.optional(head, "engine"),
        accent=reader.optional(head, "accent", "#333333"),
        motto=reader.optional(head, "motto"),
        place=place,
        values=values,
        groups=groups,
        tables=tables,
        fields=read_fields(parts["sheet"], groups, reader) if "sheet" in parts else (),
        creation=creation,
        cast=CastReader(problems, traits, sizes, complete=complete).read(parts.get("npcs") or MappingNode((), place)),
        lineage=lineage,
        rulings=_rulings(head, problems),
        uses=_uses(head, problems),
        play=_play(head, reader),
        duel=read_duel(head["duel"], reader) if "duel" in head else None,
        covered=frozenset(reader.covered),
    )


def _rulings(head: Mapping[str, Node], problems: Problems) -> dict[str, str]:
    """How the pack rules open points, by their IDs; `rules` checks that they are points that can be ruled."""
    if "rulings" not in head:
        return {}
    return pairs(head["rulings"], problems, lambda _, value: text(value, problems, what="ruling"), what="rulings")


def _uses(head: Mapping[str, Node], problems: Problems) -> dict[str, dict[str, Mapping[Word, Data]]]:
    """What a character fills in: procedure, parameter that names the character, and where each value comes from."""
    if "uses" not in head:
        return {}
    filled = lambda _, node: branch(node, problems, what="uses")  # noqa: E731
    return pairs(head["uses"], problems, lambda key, node: pairs(node, problems, filled, what=key.text), what="uses")


def _play(head: Mapping[str, Node], reader: Reader) -> dict[str, Step]:
    """The rolls of a pack that chooses its mechanics by name."""
    if "play" not in head:
        return {}
    read = lambda key, node: read_step(key, node, reader, verb="family")  # noqa: E731
    return pairs(head["play"], reader.problems, read, what="play")


def _tables(node: Node | None, reader: Reader) -> dict[str, Table]:
    if node is None:
        return {}
    found = fields(node, reader.problems, what="tables.yaml", needs=("tables",))
    read = lambda key, value: read_table(key, value, reader)  # noqa: E731
    return pairs(found["tables"], reader.problems, read, what="tables") if "tables" in found else {}


def _check_bands(groups: tuple[TraitGroup, ...], tables: Mapping[str, Table], problems: Problems, node: Node) -> None:
    wanted = {trait.bands: trait for group in groups for trait in group.members if trait.bands}
    for name, trait in wanted.items():
        if name not in tables:
            message = f"bands of {trait.name}: unknown table {quoted(name)}{suggestion(name, tables)}"
            problems.add(node.place, message)


def _skinned(group: TraitGroup, node: Node, reader: Reader, title: str) -> TraitGroup:
    """The group with its members renamed and put in the skin's order; each role must be named once (`GAM-Q3`)."""
    problems = reader.problems
    skins = pairs(node, problems, lambda key, value: (key, value), what="skin")
    if group.name not in skins:
        return group
    key, names = skins[group.name]
    roles = {trait.role: trait for trait in group.members}
    members: dict[str, Trait] = {}

    def renamed(name: Scalar, value: Node) -> Trait:
        found = fields(value, problems, what=name.text, needs=("role",), may=("hint",))
        role = choice(found["role"], problems, roles, what="role") if "role" in found else ""
        trait = roles.get(role, group.members[0])
        if role in members:
            problems.add(value.place, f"{role} has two names: {members[role].name} and {name.text}")
        skin = trait.renamed(text(name, problems, longest=40), reader.optional(found, "hint", trait.hint))
        members[role] = skin
        return skin

    order = tuple(pairs(names, problems, renamed, what=f"skin of {group.name}").values())
    missing = [role for role in roles if role not in members]
    if missing:
        problems.add(key.place, f"the skin gives no name to {', '.join(missing)}", "GAM-Q3")
    initials = "".join(trait.name[:1] for trait in order)
    if initials.casefold() != title.casefold():
        problems.add(key.place, f"the initials spell {initials}, not {title}", "GAM-Q3")
    return group.with_members(order)
