"""Everything a system can make, into the output folder, and only what changed since the last time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from sheetgen import __version__
from sheetgen.recipes.forms import LIBRARIES
from sheetgen.recipes.npcs import Run, roll
from sheetgen.recipes.packs import Pack, open_pack, template_folders
from sheetgen.recipes.project import Project
from sheetgen.recipes.sheets import Write, blank_sheet, write_characters
from sheetgen.recipes.write import Output, sweep, write_file

RECORD = ".sheetgen-build.json"
SAMPLE = Run(seed=7, count=12)


@dataclass(frozen=True, slots=True)
class Product:
    """One file of a build: its name and how it is made."""

    name: str
    make: Callable[[Write], object]


@dataclass(frozen=True, slots=True)
class Built:
    """What became of a product: where it is, and whether it had to be made."""

    path: Path
    fresh: bool


def products(project: Project, pack: Pack, *, paper: str) -> Iterator[Product]:
    """All products of a pack; each is a function of the pack, the templates and the paper only."""
    name = pack.system.id if paper == "a4" else f"{pack.system.id}-{paper}"
    if not pack.system.fields:
        return
    for what, fillable in (("blank", False), ("fillable", True)):
        made = partial(blank_sheet, project, pack, form=".pdf", paper=paper, fillable=fillable)
        yield Product(f"{name}-{what}.pdf", made)
    if not pack.system.creation.methods:
        return
    for form in (".pdf", ".html", ".yaml"):
        yield Product(f"{name}-npcs{form}", partial(_people, project, pack, form, paper))


def _people(project: Project, pack: Pack, form: str, paper: str, write: Write) -> None:
    write_characters(project, pack, roll(pack, SAMPLE), write, form=form, paper=paper)


def build(project: Project, word: str, *, paper: str) -> Iterator[Built]:
    """Makes what changed of one system, product by product, and remembers what it was made from."""
    pack = open_pack(project, word)
    sweep(project.output)
    record = _remembered(project.output / RECORD)
    source = _source_key(project, pack, paper)
    for product in products(project, pack, paper=paper):
        path = project.output / product.name
        key = blake2b(f"{source}\0{product.name}".encode(), digest_size=16).hexdigest()
        if record.get(product.name) == [key, _state(path)]:
            yield Built(path, fresh=False)
            continue
        with Output(path) as output:
            product.make(output.write)
        record[product.name] = [key, _state(path)]
        write_file(project.output / RECORD, (json.dumps(record, indent=0, sort_keys=True) + "\n").encode())
        yield Built(path, fresh=True)


def _remembered(path: Path) -> dict[str, list[str]]:
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _state(path: Path) -> str:
    """What a product looks like on disk; a file that somebody changed or removed is made again."""
    try:
        about = path.stat()
    except OSError:
        return ""
    return f"{about.st_size} {about.st_mtime_ns}"


def _source_key(project: Project, pack: Pack, paper: str) -> str:
    """A key of everything that shapes a product: the packs it is made from, templates, code, libraries, paper."""
    folders = [
        pack.folder,
        *(project.library.packs[name] for name in pack.system.lineage if name in project.library.packs),
    ]
    folders += [*template_folders(project, pack), Path(__file__).resolve().parent.parent]
    digest = blake2b(digest_size=16)
    for folder in dict.fromkeys(folders):
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".yaml", ".html", ".css", ".py") and file.is_file():
                digest.update(f"{file.relative_to(folder)}\0".encode() + file.read_bytes() + b"\0")
    digest.update("\0".join((paper, __version__, *(version(library) for library in LIBRARIES))).encode())
    return digest.hexdigest()
