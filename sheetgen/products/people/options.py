"""The options of all that prints people, and which of them go together."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields

from sheetgen.errors import UsageError, quoted
from sheetgen.geometry import PEOPLE_PAPERS, SHEET_PAPERS, SMALL_SHEET
from sheetgen.people.ordering import Order
from sheetgen.press.plan import Flip
from sheetgen.products.options import (
    TonedOptions,
    choice,
    default_of,
    flip_option,
    font_option,
    margin_option,
    paper_option,
    plan_option,
    refuse_margin,
    whole_number,
)
from sheetgen.products.people.split_run import MOST_IN_ONE, ZIP
from sheetgen.products.shapes import SHAPES, Shape, shape_named

MOST_SHARDS = 1_000
NPC_SHAPE, SHEET_SHAPE = "npc", "sheet"


def _part(text: str) -> tuple[int, int]:
    """Return the part and the number of parts in K/N."""
    number, slash, of = text.partition("/")
    if not slash or not (number.isdigit() and of.isdigit()) or not 1 <= int(number) <= int(of) <= MOST_SHARDS:
        raise ValueError(f"takes a part such as 3/16, up to {MOST_SHARDS:,} parts, not {quoted(text)}")
    return int(number), int(of)


SHAPES_SAID = ", ".join(shape_named(name).say for name in SHAPES)


@dataclass(frozen=True, kw_only=True)
class PeopleOptions(TonedOptions):
    """How people are printed: in which shape and order, on which paper, in how many files."""

    only: tuple[str, ...] = choice(
        (),
        "only this one of a file, by name or number; may be given several times",
        read=str,
        repeated=True,
        metavar="NAME",
        terminal=True,
    )
    shape: str = choice(
        "sheet", f"{SHAPES_SAID}; default sheet", choices=tuple(SHAPES), flag="--as", label="printed as"
    )
    back: bool = choice(False, "player sheets: with the back", label="with the back")
    backs: bool = choice(
        False, "cards: with backs that face the players, to be printed on both sides", label="backs of cards"
    )
    flip: Flip = flip_option()
    plan: bool = plan_option()
    sort: str = choice(
        "", "by name, occupation, archetype, or a trait, best first", read=str, metavar="WORD", label="in order"
    )
    group_by: str = choice("", "together under headings, by the same words", read=str, metavar="WORD")
    contents: bool = choice(False, "an index in front: who is on which page", label="an index")
    shard: tuple[int, int] | None = choice(
        None, "only part K of N; sheetgen merge puts PDFs together", read=_part, metavar="K/N", terminal=True
    )
    workers: int | None = choice(
        None,
        "processes at work on a PDF (default: one for each core; at most 8, or the number of cores if that is larger)",
        read=whole_number(1, 64),
        metavar="N",
        terminal=True,
    )
    cluster: str = choice(
        "", "PDF: worked on by the Dask workers of this scheduler, or local", read=str, metavar="ADDRESS", terminal=True
    )
    code: bool = choice(
        False,
        "PDF: a small QR code on each, from which npc --from-code makes the person again",
        label="a code on each",
        hint="PDF: a small QR code on each, which makes the same person again",
    )
    each: bool = choice(False, "one file for each person, in a folder or a .zip", terminal=True)
    split: int = choice(0, "one file for every N people", read=whole_number(1, MOST_IN_ONE), metavar="N", terminal=True)
    resume: bool = choice(False, "with --split or --each: make only the files still missing", terminal=True)
    keep_columns: bool = choice(
        False, "tables: keep columns that the game does not know, as those named x-… are", terminal=True
    )
    strict: bool = choice(False, "stop at the first person who cannot be printed", terminal=True)
    font: tuple[str, ...] = font_option()
    margin: float | None = margin_option()
    paper: str = paper_option(PEOPLE_PAPERS)

    def __post_init__(self) -> None:
        """Take sheets for who wants their backs and named no other shape."""
        if self.back and self.shape == NPC_SHAPE:
            object.__setattr__(self, "shape", SHEET_SHAPE)

    @property
    def kind(self) -> Shape:
        """The shape that was asked for."""
        return shape_named(self.shape)

    @property
    def order(self) -> Order:
        """The order that was asked for."""
        return Order(self.sort, self.group_by)

    @property
    def usual(self) -> bool:
        """Whether the file needs no word for its shape."""
        usual = next(default_of(each) for each in fields(self) if each.name == "shape")
        return self.shape == usual or self.kind.filled is not None


def _sides_conflict(options: PeopleOptions, formats: Collection[str], *, each: bool) -> None:
    """Raise UsageError for what does not go with cards and pieces that have two sides."""
    shape, named = options.kind, f"--as {options.shape}"
    for wrong, message in (
        (
            options.backs and (not shape.cards or not shape.apart or bool({".html", ZIP} & set(formats))),
            "--backs are for cards in a .pdf: --as card, tarot or index",
        ),
        (
            options.backs and (options.contents or options.shard or options.split or each),
            "--backs are for one file of cards: leave out --contents, --shard, --split and --each",
        ),
        (
            options.backs and bool(shape.behind),
            f"{named} has two sides as it is: leave out --backs",
        ),
        (
            shape.behind and (options.contents or options.shard or options.split or each or options.code),
            f"{named} is one file of pieces: leave out --contents, --shard, --split, --each and --code",
        ),
        (
            options.plan and not (options.backs or shape.behind),
            "--plan shows how to cut and fold: it goes with --backs and with --as token, standee and tent",
        ),
        (options.flip != "long" and not options.backs, "--flip says how backs are printed: it goes with --backs"),
    ):
        if wrong:
            raise UsageError(message)


def people_conflict(options: PeopleOptions, formats: Collection[str]) -> None:
    """Raise UsageError for options that do not go together, or not with a shape."""
    shape, packed = options.kind, ZIP in formats
    named = f"--as {options.shape}"
    if not shape.behind:
        refuse_margin(options.margin, shape.free_on(options.paper), named)
    each = options.each or (packed and not options.split)
    single = not shape.is_stamped
    what = named if single else "--each" if options.each else f"a {ZIP} of people"
    several = "--each" if options.each else "--split" if options.split else f"a {ZIP}"
    ordered = options.contents or options.order.asked
    papers = SHEET_PAPERS if shape.listing else shape.papers
    _sides_conflict(options, formats, each=each)
    for wrong, message in (
        (
            options.paper not in papers,
            f"{named} is made for {' and '.join(papers)}, not for {options.paper}",
        ),
        (options.contents and options.paper == SMALL_SHEET, f"--contents is made for {' and '.join(SHEET_PAPERS)}"),
        (options.back and not shape.back, f"--back goes with --as sheet: a {options.shape} has none"),
        (
            options.contents and (each or single),
            f"--contents tells pages of one file of sheets or cards: it does not go with {what}",
        ),
        (
            options.cluster and (single or options.backs),
            "--cluster deals sheets and cards to workers: it does not go with "
            + ("--backs" if options.backs else named),
        ),
        (
            options.shard and (each or single or options.split or ordered),
            "--shard is a part of sheets or cards as they come: leave out what orders or lists them",
        ),
        (
            (each or options.split) and shape.listing,
            f"{several} makes a file for each person, {named} one for all: say one of them",
        ),
        (
            shape.filled and options.code,
            "--code is printed: a form stays open to change, so that it may be somebody else tomorrow",
        ),
        (
            shape.filled and (options.split or options.resume or options.strict),
            f"{named} makes a file for each person: --split, --resume and --strict do not go with it",
        ),
        (
            options.each and options.split,
            "--each makes a file for each person, --split one for every so many: say one of them",
        ),
        (
            options.resume and (packed or not (options.each or options.split)),
            "--resume makes the files that are missing: it goes with --split or --each, not with one file",
        ),
        (options.font and bool(shape.filled), f"--font sets text on pages, and a form has its own: not with {named}"),
        (options.font and not {".pdf", ZIP} & set(formats), "--font sets text in PDFs, and none is made"),
    ):
        if wrong:
            raise UsageError(message)
