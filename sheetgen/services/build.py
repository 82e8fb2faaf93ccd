"""Building all products of packs into the output folder, only those that changed since the last time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from sheetgen.batch.cluster import dealt
from sheetgen.errors import InputError, SheetgenError
from sheetgen.products.product import Product, Reporter, Sink, default_stem, products_of
from sheetgen.workspace.manifest import Entry, Manifest, Tell, file_state, source_keys
from sheetgen.workspace.packs import Pack, id_clash, open_pack, owner_of, sources
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Output, check_writable, sweep

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


class _Planned(NamedTuple):
    """A file of a build under the name it gets, the key of what it is made from, and whether it has to be made."""

    item: BuildFile
    name: str
    key: str
    fresh: bool
    manifest: Manifest
    inputs: tuple[Path, ...]


def items(project: Project, pack: Pack, *, paper: str) -> Iterator[BuildFile]:
    """Yield all files that a pack can make; each is a function of the pack, the templates and the paper only."""
    for product, _, plain in products_of(project, pack):
        options = replace(plain, paper=paper)  # type: ignore[call-arg]
        forms = product.built(options)
        if not forms:
            continue
        try:
            subject = product.open(project, pack, options)
        except SheetgenError as error:
            name = default_stem(pack, product.name, paper) + forms[0]
            yield BuildFile(name, partial(_fail, error), product.shaped_by)
            continue
        stem = (product.build_stem or product.stem)(subject, options)
        for form in forms:
            yield BuildFile(
                stem + form, partial(_product_bytes, product, project, subject, options, form), product.shaped_by
            )


def _fail(error: SheetgenError) -> bytes:
    """Raise why a product could not be begun, in its turn."""
    raise error


def _product_bytes(product: Product[Any, Any], project: Project, subject: Any, options: Any, form: str) -> bytes:
    pieces = list[bytes]()
    product.write(project, subject, options, Sink(form, pieces.append, Reporter()))
    return b"".join(pieces)


def build(
    project: Project,
    words: Sequence[str],
    *,
    paper: str,
    workers: int = 1,
    cluster: str = "",
    tell: Tell = lambda line: None,
) -> Iterator[BuildResult]:
    """Make what changed of the packs that the words mean, by so many processes or on a cluster; yield what became
    of each product.

    A product or a pack that cannot be made is yielded with its error, and the others are made all the same. `tell` gets
    a line for each source that is too large to be looked at, and for each file of a person's that stays where it is.
    InputError for an unknown pack, or if none can be read; OutputError if nothing can be written.
    """
    for word in words:
        project.pack_folder(word)
    check_writable(project.output, shown=project.shown(project.output))
    sweep(project.output)
    packs, planned = list[Pack](), list[_Planned]()
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
            planned += _plan(project, pack, paper=paper, tell=tell)
    made = dealt(lambda: _made_bytes, [each.item for each in planned if each.fresh], workers=workers, cluster=cluster)
    for each in planned:
        path = project.output / each.name
        data = next(made) if each.fresh else b""
        if isinstance(data, SheetgenError):
            yield BuildResult(path, True, data)
            continue
        if each.fresh:
            with Output(path, inputs=each.inputs, shown=project.shown(path)) as output:
                write, enter = each.manifest.write(each.name, output, each.key)
                write(data)
                enter()
        yield BuildResult(path, each.fresh)


def _plan(project: Project, pack: Pack, *, paper: str, tell: Tell) -> Iterator[_Planned]:
    """Yield the files of a pack, each with what it is made from and whether it has to be made."""
    manifest, inputs = Manifest(project.output, owner_of(project, pack)), sources(project, pack)
    withouts = {"handouts": (), "rules": HANDOUT_TEXT, "": (*RULE_TEXT, *HANDOUT_TEXT)}
    made_of = dict(zip(withouts, source_keys(project, inputs, paper, tell, list(withouts.values())), strict=True))
    known = manifest.entries()
    for item in items(project, pack, paper=paper):
        key = blake2b(f"{made_of[item.shaped_by]}\0{item.name}".encode(), digest_size=16).hexdigest()
        name, taken = item.name, ""
        if fresh := not _is_current(manifest, known, name, key):
            name, taken = _free_name(manifest, name)
            fresh = not _is_current(manifest, known, name, key)
        if fresh and taken:
            stays = project.shown(project.output / taken)
            tell(f"{stays} was changed since, or is not from here: it stays, and the new name is {name}")
        yield _Planned(item, name, key, fresh, manifest, inputs)


def _is_current(manifest: Manifest, known: Mapping[str, Entry], name: str, key: str) -> bool:
    """Return whether the file of that name is what the key would make, as it was written."""
    entry = known.get(name)
    state = file_state(manifest.folder / name)
    return entry is not None and (entry.owner or manifest.owner, entry.key, entry.state) == (manifest.owner, key, state)


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
