"""Building all products of packs into the output folder, only those that changed since the last time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sheetgen.batch.pool import in_order
from sheetgen.errors import InputError, SheetgenError
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.formats import SHAPES, SHEET
from sheetgen.products.product import Product, default_stem, products_of
from sheetgen.products.sheet import write_characters
from sheetgen.workspace.build_key import Tell, source_keys
from sheetgen.workspace.manifest import Manifest, file_state
from sheetgen.workspace.packs import Pack, id_clash, open_pack, owner_of, sources
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Output, check_writable, sweep

SAMPLE = RollOptions(seed=7, count=12)
RULE_TEXT = ("rules", "screen.yaml", "book", "book.html", "reference", "deck")  # what no sheet is made from
HANDOUT_TEXT = ("handouts", "handout", "handout.html")  # what nothing but handouts is made from


@dataclass(frozen=True, slots=True)
class BuildFile:
    """One file of a build: its name, how its bytes are made, and the part of the pack that shapes it besides sheets."""

    name: str
    make: Callable[[], bytes]
    shaped_by: str = ""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What became of a product, or of a whole pack (no path): whether it had to be made, and why it could not be."""

    path: Path | None
    fresh: bool
    error: SheetgenError | None = None


def items(project: Project, pack: Pack, *, paper: str) -> Iterator[BuildFile]:
    """Yield all files that a pack can make; each is a function of the pack, the templates and the paper only."""
    for product, _, plain in products_of(project, pack):
        options = replace(plain, paper=paper)  # type: ignore[call-arg]
        subject = product.of_pack(project, pack) if product.of_pack else None
        for form in product.built:
            make = partial(_data, product, project, subject, options, form)
            yield BuildFile(product.stem(subject, options) + form, make, product.shaped_by)
    if not pack.system.creation.methods:
        return
    for form in (".pdf", ".html", ".yaml"):
        yield BuildFile(default_stem(pack, "sample", paper) + form, partial(_people, project, pack, form, paper, SHEET))
    for shape in SHAPES:
        if shape != SHEET:
            make = partial(_people, project, pack, ".pdf", paper, shape)
            yield BuildFile(default_stem(pack, f"sample-{shape}", paper) + ".pdf", make)


def _data(product: Product[Any, Any], project: Project, subject: Any, options: Any, form: str) -> bytes:
    return product.make(project, subject, options, form).data


def _people(project: Project, pack: Pack, form: str, paper: str, shape: str) -> bytes:
    pieces = list[bytes]()
    people = roll(pack, SAMPLE)
    write_characters(project, pack, people, pieces.append, form=form, paper=paper, shape=SHAPES[shape])
    return b"".join(pieces)


def build(
    project: Project, words: Sequence[str], *, paper: str, workers: int = 1, tell: Tell = lambda line: None
) -> Iterator[BuildResult]:
    """Make what changed of the packs that the words mean, by so many processes, and yield what became of each product.

    A product or a pack that cannot be made is yielded with its error, and the others are made all the same. `tell` gets
    a line for each source that is too large to be looked at, and for each file of a person's that stays where it is.
    InputError for an unknown pack, or if none can be read; OutputError if nothing can be written.
    """
    for word in words:
        project.pack_folder(word)
    check_writable(project.output, shown=project.shown(project.output))
    sweep(project.output)
    packs = list[Pack]()
    for word in words:
        try:
            pack = open_pack(project, word)
            if clash := id_clash(project, pack, packs):
                raise InputError([clash])
        except InputError as error:
            if len(words) == 1:
                raise
            yield BuildResult(None, False, error)
        else:
            packs.append(pack)
            yield from _build_pack(project, pack, paper=paper, workers=workers, tell=tell)


def _build_pack(project: Project, pack: Pack, *, paper: str, workers: int, tell: Tell) -> Iterator[BuildResult]:
    manifest, inputs = Manifest(project.output, owner_of(project, pack)), sources(project, pack)
    withouts = {"handouts": (), "rules": HANDOUT_TEXT, "": (*RULE_TEXT, *HANDOUT_TEXT)}
    made_of = dict(zip(withouts, source_keys(project, inputs, paper, tell, list(withouts.values())), strict=True))
    known, wanted, stale = manifest.entries(), list[tuple[str, str, bool]](), list[BuildFile]()
    for item in items(project, pack, paper=paper):
        key = blake2b(f"{made_of[item.shaped_by]}\0{item.name}".encode(), digest_size=16).hexdigest()
        name, taken = _free_name(manifest, item.name)
        entry = known.get(name)
        fresh = entry is None or (entry.key, entry.state) != (key, file_state(project.output / name))
        wanted.append((name, key, fresh))
        if fresh:
            stale.append(item)
            if taken:
                stays = project.shown(project.output / taken)
                tell(f"{stays} was changed since, or is not from here: it stays, and the new name is {name}")
    made = in_order(lambda: _made_bytes, stale, workers=workers)
    for name, key, fresh in wanted:
        path = project.output / name
        data = next(made) if fresh else b""
        if isinstance(data, SheetgenError):
            yield BuildResult(path, fresh, data)
            continue
        if fresh:
            with Output(path, inputs=inputs, shown=project.shown(path)) as output:
                write, enter = manifest.write(name, output, key)
                write(data)
                enter()
        yield BuildResult(path, fresh)


def _free_name(manifest: Manifest, name: str) -> tuple[str, str]:
    """Return the name, or one with a number if a file of a person's stands there, and the name of that file."""
    stem, suffix = Path(name).stem, Path(name).suffix
    free, taken = manifest.free_stem(stem, [suffix])
    return free + suffix, taken


def _made_bytes(item: BuildFile) -> bytes | SheetgenError:
    """Return the bytes of a file, or why it cannot be made."""
    try:
        return item.make()
    except SheetgenError as error:
        return error
