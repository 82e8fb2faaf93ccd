"""Packs on disk: where they are, what they extend, and the System they come to, or every problem they have."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sheetgen.content.casting import PARTS, CastReader
from sheetgen.content.decode import Problems, choice, fields, pairs, text
from sheetgen.content.levels import branch
from sheetgen.content.nodes import Mapping as MappingNode
from sheetgen.content.nodes import Node, Scalar, parse
from sheetgen.content.schema import Reader, read_creation, read_fields, read_groups, read_table
from sheetgen.errors import InputError, Place, Problem, quoted, suggestion
from sheetgen.model.data import EMPTY, Values
from sheetgen.model.system import Creation, System, Table, Trait, TraitGroup

MANIFEST = "system.yaml"
PARTS_OF_A_PACK = ("system", "tables", "creation", "sheet", "npcs")
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
)
LARGEST_FILE = 20 * 1024 * 1024
DEEPEST_EXTENDS = 8


@dataclass(frozen=True, slots=True)
class Library:
    """The packs that names can mean, and how a path is shown in messages."""

    packs: Mapping[str, Path]
    shown: Callable[[Path], str]

    def folder(self, name: str) -> Path:
        """The folder of a named pack; InputError with the nearest name otherwise."""
        if name in self.packs:
            return self.packs[name]
        near = suggestion(name, self.packs) or f"; there are {', '.join(sorted(self.packs))}"
        raise InputError([Problem(Place("sheetgen"), f"unknown system {quoted(name)}{near}")])


def find_packs(roots: Iterable[Path]) -> dict[str, Path]:
    """Every folder directly below the roots that holds a system.yaml, by name; earlier roots win."""
    found: dict[str, Path] = {}
    for root in roots:
        for folder in sorted(root.iterdir()) if root.is_dir() else ():
            if (folder / MANIFEST).is_file():
                found.setdefault(folder.name, folder)
    return found


def read_pack(folder: Path, library: Library) -> System:
    """The System that a pack folder states, what it extends included; InputError with every problem found."""
    problems = Problems()
    lineage: list[str] = []
    parts = _extended(folder, library, problems, lineage)
    problems.raise_if_any()
    system = _assemble(parts, Place(library.shown(folder / MANIFEST), 1, 1), tuple(lineage), problems)
    problems.raise_if_any()
    return system


def read_file(path: Path, shown: str, *, inside: Path | None = None) -> bytes:
    """The bytes of a regular file of at most 20 MB; with `inside`, only if it really lies in that folder."""
    place = Place(shown)
    try:
        if inside is not None and not path.resolve().is_relative_to(inside.resolve()):
            raise InputError([Problem(place, "is a link to a file outside the pack")])
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise InputError([Problem(place, _reason(path, error))]) from None
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise InputError([Problem(place, "is not a regular file")])
        if about.st_size > LARGEST_FILE:
            raise InputError([Problem(place, f"has {about.st_size:,} bytes; the most is {LARGEST_FILE:,}")])
        return file.read(LARGEST_FILE + 1)


def _reason(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        folder = path.parent
        near = suggestion(path.name, (each.name for each in folder.iterdir())) if folder.is_dir() else ""
        return f"no such file{near}"
    return (error.strerror or str(error)).lower()


def _files(folder: Path) -> dict[str, list[Path]]:
    found = {part: [folder / f"{part}.yaml"] for part in PARTS_OF_A_PACK if (folder / f"{part}.yaml").exists()}
    if (folder / "npcs").is_dir():
        found.setdefault("npcs", []).extend(sorted((folder / "npcs").glob("*.yaml")))
    return found


def _own_parts(folder: Path, library: Library, problems: Problems) -> dict[str, MappingNode]:
    parts: dict[str, MappingNode] = {}
    for part, paths in _files(folder).items():
        for path in paths:
            shown = library.shown(path)
            try:
                node = parse(read_file(path, shown, inside=folder), shown)
            except InputError as error:
                for problem in error.problems:
                    problems.add(problem.place, problem.message, problem.rule)
                continue
            if not isinstance(node, MappingNode):
                problems.add(node.place, f"this file must hold named parts, such as `{_first_key(part)}:`")
                continue
            parts[part] = MappingNode(parts[part].entries + node.entries, parts[part].place) if part in parts else node
    return parts


def _first_key(part: str) -> str:
    return {"system": "id", "tables": "tables", "creation": "steps", "sheet": "character"}.get(part, PARTS[0])


def _extended(folder: Path, library: Library, problems: Problems, lineage: list[str]) -> dict[str, MappingNode]:
    manifest = folder / MANIFEST
    if not manifest.exists():
        raise InputError(
            [Problem(Place(library.shown(folder)), f"no pack here: there is no {MANIFEST} in this folder")]
        )
    own = _own_parts(folder, library, problems)
    extends = dict((key.text, node) for key, node in own["system"].entries).get("extends") if "system" in own else None
    if not isinstance(extends, Scalar):
        return own
    name = extends.text
    if name in lineage or len(lineage) >= DEEPEST_EXTENDS:
        problems.add(extends.place, f"packs extend each other: {' -> '.join([*lineage, name])}")
        return own
    if name not in library.packs:
        problems.add(extends.place, f"unknown pack {quoted(name)}{suggestion(name, library.packs)}")
        return own
    lineage.append(name)
    parent = _extended(library.packs[name], library, problems, lineage)
    return {
        part: _merged(parent[part], own[part]) if part in parent and part in own else parent.get(part) or own[part]
        for part in PARTS_OF_A_PACK
        if part in parent or part in own
    }


def _merged(parent: MappingNode, child: MappingNode) -> MappingNode:
    """The parent with what the child says instead or besides; mappings merge, everything else is replaced."""
    mine: dict[str, tuple[Scalar, Node]] = {}
    repeated = list[tuple[Scalar, Node]]()
    for key, node in child.entries:
        if key.text in mine:
            repeated.append((key, node))
        mine[key.text] = (key, node)
    entries = []
    for key, node in parent.entries:
        if key.text not in mine:
            entries.append((key, node))
            continue
        own_key, own = mine.pop(key.text)
        both = isinstance(node, MappingNode) and isinstance(own, MappingNode)
        entries.append((own_key, _merged(node, own) if both else own))  # type: ignore[arg-type]
    return MappingNode((*entries, *mine.values(), *repeated), child.place)


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
        covered=frozenset(reader.covered),
    )


def _rulings(head: Mapping[str, Node], problems: Problems) -> dict[str, str]:
    """How the pack rules open points, by their IDs; `rules` checks that they are points that can be ruled."""
    if "rulings" not in head:
        return {}
    return pairs(head["rulings"], problems, lambda _, value: text(value, problems, what="ruling"), what="rulings")


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
