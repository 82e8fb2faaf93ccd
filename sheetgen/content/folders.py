"""Pack folders: which names mean which, the files inside them, and what they extend, merged into one tree of nodes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sheetgen.content.casting import PARTS
from sheetgen.content.decode import Problems
from sheetgen.content.nodes import Mapping as MappingNode
from sheetgen.content.nodes import Node, Scalar, parse
from sheetgen.errors import InputError, Place, Problem, quoted, suggestion

MANIFEST = "system.yaml"
PARTS_OF_A_PACK = ("system", "tables", "creation", "sheet", "npcs")
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


def extended(folder: Path, library: Library, problems: Problems, lineage: list[str]) -> dict[str, MappingNode]:
    """The parts of a pack by name, those of what it extends below them; `lineage` takes the names met on the way."""
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
    parent = extended(library.packs[name], library, problems, lineage)
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
