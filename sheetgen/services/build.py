"""Everything a system can make, into the output folder, and only what changed since the last time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path

from sheetgen.batch.pool import in_order
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
from sheetgen.workspace.manifest import Kept, remember, remembered
from sheetgen.workspace.packs import Pack, open_pack, sources
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Output, Write, sweep

RECORD = ".sheetgen-build.json"
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
    """What became of a product: where it is, and whether it had to be made."""

    path: Path
    fresh: bool


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
    project: Project, word: str, *, paper: str, workers: int = 1, tell: Tell = lambda line: None
) -> Iterator[Built]:
    """Makes what changed of one system, by so many processes, and remembers what it was made from.

    `tell` gets a line for each file of the pack that is too large to be looked at.
    """
    pack = open_pack(project, word)
    sweep(project.output)
    record, kept, inputs = remembered(project.output / RECORD), Kept(project.output), sources(project, pack)
    of_all = source_key(project, inputs, paper, tell)
    of_rules = source_key(project, inputs, paper, lambda line: None, without=HANDOUT_TEXT)
    of_people = source_key(project, inputs, paper, lambda line: None, without=(*RULE_TEXT, *HANDOUT_TEXT))
    wanted = list[tuple[Product, str]]()
    for product in products(project, pack, paper=paper):
        made_of = of_all if product.of_handouts else of_rules if product.of_rules else of_people
        wanted.append((product, blake2b(f"{made_of}\0{product.name}".encode(), digest_size=16).hexdigest()))
    stale = [
        product for product, key in wanted if record.get(product.name) != [key, _state(project.output / product.name)]
    ]
    made = in_order(lambda: _bytes_of, stale, workers=workers)
    for product, key in wanted:
        path = project.output / product.name
        if product in stale:
            data = next(made)
            with Output(path, inputs=inputs, shown=project.shown(path)) as output:
                write, note = kept.write(product.name, output)
                write(data)
            note()
            remember(project.output / RECORD, {product.name: [key, _state(path)]})
        yield Built(path, fresh=product in stale)


def _bytes_of(product: Product) -> bytes:
    pieces = list[bytes]()
    product.make(pieces.append)
    return b"".join(pieces)


def _state(path: Path) -> str:
    """What a product looks like on disk; a file that somebody changed or removed is made again."""
    try:
        about = path.stat()
    except OSError:
        return ""
    return f"{about.st_size} {about.st_mtime_ns}"
