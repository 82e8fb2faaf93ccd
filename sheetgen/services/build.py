"""Everything a system can make, into the output folder, and only what changed since the last time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path

from sheetgen.batch.pool import in_order
from sheetgen.errors import InputError, SheetgenError
from sheetgen.people.rolling import Run, roll
from sheetgen.products.book import book
from sheetgen.products.card_faces import sheets
from sheetgen.products.card_sheets import Cutting
from sheetgen.products.cards import DECKS, RULES
from sheetgen.products.chapters import has_book
from sheetgen.products.formats import SHAPES, SHEET
from sheetgen.products.handout_layout import Wish as HandoutWish
from sheetgen.products.handout_sheets import Trim, write_handouts
from sheetgen.products.handouts import leaves_of, pack_files
from sheetgen.products.reference import Wish as ReferenceWish
from sheetgen.products.reference import reference
from sheetgen.products.screen import Wish as ScreenWish
from sheetgen.products.screen import has_screen, screen
from sheetgen.products.sheet import blank_sheet, write_characters
from sheetgen.workspace.build_key import Tell, source_key
from sheetgen.workspace.manifest import Manifest, file_state
from sheetgen.workspace.packs import Pack, id_clash, open_pack, owner_of, sources
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Output, Write, check_writable, sweep

SAMPLE = Run(seed=7, count=12)
PEOPLE = Run(seed=7, count=8)  # on cards
RULE_TEXT = ("rules", "screen.yaml", "book", "book.html", "reference", "deck")  # what no sheet is made from
HANDOUT_TEXT = ("handouts", "handout", "handout.html")  # what nothing but handouts is made from


@dataclass(frozen=True, slots=True)
class Product:
    """One file of a build: its name, how it is made, and whether the rule text or the handouts of the pack shape it."""

    name: str
    make: Callable[[Write], object]
    of_rules: bool = False
    of_handouts: bool = False


@dataclass(frozen=True, slots=True)
class Built:
    """What became of a product, or of a whole pack (no path): whether it had to be made, and why it could not be."""

    path: Path | None
    fresh: bool
    error: SheetgenError | None = None


def products(project: Project, pack: Pack, *, paper: str) -> Iterator[Product]:
    """All products of a pack; each is a function of the pack, the templates and the paper only."""
    name = pack.system.id if paper == "a4" else f"{pack.system.id}-{paper}"
    if has_book(project, pack):
        for form in (".pdf", ".html"):
            made = partial(_book, project, pack, form, paper)
            yield Product(f"{name}-rulebook{form}", made, of_rules=True)
        yield from _decks(project, pack, name, paper)
    yield from _references(project, pack, name, paper)
    if pack_files(project, pack):
        yield Product(f"{name}-handouts.pdf", partial(_handouts, project, pack, paper), of_handouts=True)
    if not pack.system.fields:
        return
    for what, fillable in (("blank", False), ("fillable", True)):
        made = partial(blank_sheet, project, pack, form=".pdf", paper=paper, fillable=fillable)
        yield Product(f"{name}-{what}.pdf", made)
    if not pack.system.creation.methods:
        return
    for form in (".pdf", ".html", ".yaml"):
        yield Product(f"{name}-sample{form}", partial(_people, project, pack, form, paper))
    for shape in SHAPES:
        if shape != SHEET:
            yield Product(f"{name}-sample-{shape}.pdf", partial(_people, project, pack, ".pdf", paper, shape=shape))


def _decks(project: Project, pack: Pack, name: str, paper: str) -> Iterator[Product]:
    """Every deck of cards that a pack has, on sheets to be cut."""
    for deck in DECKS:
        if DECKS[deck].has(project, pack):
            what = "cards" if deck == RULES else f"{deck}-cards"
            yield Product(f"{name}-{what}.pdf", partial(_cards, project, pack, deck, paper), of_rules=True)


def _references(project: Project, pack: Pack, name: str, paper: str) -> Iterator[Product]:
    """What is looked up in play, of a pack that says so."""
    if not has_screen(project, pack):
        return
    yield Product(f"{name}-screen.pdf", partial(_screen, project, pack, paper), of_rules=True)
    for what, pocket in (("reference", False), ("pocket", True)):
        yield Product(f"{name}-{what}.pdf", partial(_reference, project, pack, paper, pocket=pocket), of_rules=True)


def _book(project: Project, pack: Pack, form: str, paper: str, write: Write) -> None:
    book(project, pack, write, form=form, paper=paper)


def _cards(project: Project, pack: Pack, deck: str, paper: str, write: Write) -> None:
    size = DECKS[deck].usual(paper)
    write(sheets(DECKS[deck].make(project, pack, size, PEOPLE), Cutting(paper=paper)).data)


def _screen(project: Project, pack: Pack, paper: str, write: Write) -> None:
    screen(project, pack, write, ScreenWish(paper=paper))


def _reference(project: Project, pack: Pack, paper: str, write: Write, *, pocket: bool) -> None:
    reference(project, pack, write, form=".pdf", wish=ReferenceWish(pocket=pocket, paper=paper))


def _handouts(project: Project, pack: Pack, paper: str, write: Write) -> None:
    found = tuple(leaves_of(project, pack, pack_files(project, pack), HandoutWish(paper=paper)))
    write_handouts(found, write, Trim(paper), form=".pdf", title=f"{pack.system.title} handouts")


def _people(project: Project, pack: Pack, form: str, paper: str, write: Write, *, shape: str = SHEET) -> None:
    write_characters(project, pack, roll(pack, SAMPLE), write, form=form, paper=paper, shape=SHAPES[shape])


def build(
    project: Project, words: Sequence[str], *, paper: str, workers: int = 1, tell: Tell = lambda line: None
) -> Iterator[Built]:
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
            yield Built(None, False, error)
        else:
            packs.append(pack)
            yield from _build_pack(project, pack, paper=paper, workers=workers, tell=tell)


def _build_pack(project: Project, pack: Pack, *, paper: str, workers: int, tell: Tell) -> Iterator[Built]:
    manifest, inputs = Manifest(project.output, owner_of(project, pack)), sources(project, pack)
    of_all = source_key(project, inputs, paper, tell)
    of_rules = source_key(project, inputs, paper, lambda line: None, without=HANDOUT_TEXT)
    of_people = source_key(project, inputs, paper, lambda line: None, without=(*RULE_TEXT, *HANDOUT_TEXT))
    known, wanted, stale = manifest.entries(), list[tuple[str, str, bool]](), list[Product]()
    for product in products(project, pack, paper=paper):
        made_of = of_all if product.of_handouts else of_rules if product.of_rules else of_people
        key = blake2b(f"{made_of}\0{product.name}".encode(), digest_size=16).hexdigest()
        name, taken = _free_name(manifest, product.name)
        entry = known.get(name)
        fresh = entry is None or (entry.key, entry.state) != (key, file_state(project.output / name))
        wanted.append((name, key, fresh))
        if fresh:
            stale.append(product)
            if taken:
                stays = project.shown(project.output / taken)
                tell(f"{stays} was changed since, or is not from here: it stays, and the new name is {name}")
    made = in_order(lambda: _made, stale, workers=workers)
    for name, key, fresh in wanted:
        path = project.output / name
        data = next(made) if fresh else b""
        if isinstance(data, SheetgenError):
            yield Built(path, fresh, data)
            continue
        if fresh:
            with Output(path, inputs=inputs, shown=project.shown(path)) as output:
                write, enter = manifest.write(name, output, key)
                write(data)
                enter()
        yield Built(path, fresh)


def _free_name(manifest: Manifest, name: str) -> tuple[str, str]:
    """The name, or one with a number if a file of a person's stands there, and the name of that file."""
    stem, suffix = Path(name).stem, Path(name).suffix
    free, taken = manifest.free_stem(stem, [suffix])
    return free + suffix, taken


def _made(product: Product) -> bytes | SheetgenError:
    """The bytes of a product, or why it cannot be made."""
    pieces = list[bytes]()
    try:
        product.make(pieces.append)
    except SheetgenError as error:
        return error
    return b"".join(pieces)
