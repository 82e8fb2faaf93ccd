"""Cards as pages: in the largest type that fits, on sheets for every printer, singly for a shop, or as pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace

from sheetgen.documents.cards import FRONTS, TYPES, CardFront, measures
from sheetgen.documents.people.sheet import game
from sheetgen.documents.render import environment, render
from sheetgen.errors import InputError, Problem, quoted, suggestion
from sheetgen.geometry import BLEED, CARDS, PAPERS, Box, Line, Size, mm
from sheetgen.model.data import TemplateData, Word
from sheetgen.model.printing import PrintJob, PrintStep
from sheetgen.pdf.fonts.bundled import SANS, label_font, small_font
from sheetgen.pdf.fonts.face import FaceName
from sheetgen.pdf.pdfium import SCREEN_DPI, pictures
from sheetgen.press.impose import Imposition, impose_pages
from sheetgen.press.marks import (
    RULER_LABEL,
    MarginRoom,
    Marks,
    Words,
    beside_rule,
    check_rule,
    crop_marks,
    cross_marks,
    under_marks,
)
from sheetgen.press.pages import cut_to_bleed, named, normalize_origin, page_count, select_pages
from sheetgen.press.plan import PRINTER_MARGIN, Flip, ImpositionPlan, Layout, Side, flip_edge, n_up, side_by_side
from sheetgen.products.page_cache import overfull_parts, pdf_of
from sheetgen.workspace.archive import archive
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write, slugs

Signed = Callable[[Sequence[MarginRoom]], tuple[Words, ...]]

CROSSES = "with {:g} mm left white, marks around the cards would be lost: small crosses at their corners show the cuts"
BACK = "back"  # the name of the picture of a back
ICONS = "icons"


@dataclass(frozen=True, slots=True)
class CardSheetOptions:
    """How cards are put on paper; lengths in mm.

    `backs` are printed on the other side (turned over the long or the short `flip` edge), beside the fronts to be
    folded over (`fold`), above them on their head to be folded over the top (`over`), or not at all. With `bleed` cards
    stand apart, each with its own; without, neighbours share their cut. `finish` is what is done with a piece that is
    folded over its top, and `signed` returns the words for the margin of its sheet. `shift` moves backs to the right
    and up, as one sees them on a sheet that stands upright; where there is one, sheets come upright.
    """

    paper: str = "a4"
    backs: str = "duplex"
    flip: Flip = "long"
    bleed: bool = False
    margin: float = PRINTER_MARGIN
    marks: bool = True
    shift: tuple[float, float] = (0.0, 0.0)
    finish: str = ""
    signed: Signed | None = None

    def kept(self, card: Size) -> dict[str, object]:
        """Return what sheets keep of how they were laid out, by which `options_kept` lays out others like them."""
        left_out = ("signed",)
        found = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in left_out}
        return {**found, "shift": [*self.shift], "card": [card.width, card.height]}


FOLDED = ("fold", "over")
BACKS = {
    "duplex": "on the other side of the paper",
    "fold": "beside the fronts, to be folded over and glued",
    "none": "left out",
}


@dataclass(frozen=True, slots=True)
class CardSheets:
    """The sheets as PDF, the number of cards on them, and how to print and cut them."""

    data: bytes
    cards: int
    job: PrintJob

    @property
    def sheets(self) -> int:
        """The number of sheets of paper."""
        return self.job.sheets

    @property
    def advice(self) -> tuple[str, ...]:
        """How to print the sheets, and what to do with the paper, step by step."""
        return self.job.advice


def lay_out_cards(
    pages: bytes, card: Size, options: CardSheetOptions, *, shared: bool = False, names: Sequence[str] = ()
) -> CardSheets:
    """Return the sheets for cards whose pages are front, back, front, back …, each with BLEED around its trim box.

    If their back is `shared`, the pages are all fronts and, last, the one back. The sheets keep the `names` of the
    cards. UsageError if not even one card fits on the paper.
    """
    there = page_count(pages)
    count = 2 * (there - 1) if shared else there
    layout, imposition = (_folded if options.backs in FOLDED else _beside)(count, card, options)
    job = _job(count // 2, card, options, layout, imposition)
    if shared:
        imposition = replace(imposition, plan=_sharing(imposition.plan, there))
    if names:
        kept = (*names, "") if shared else tuple(name for name in names for _ in range(2))
        backs = frozenset((there,) if shared else range(2, there + 1, 2))
        imposition = replace(imposition, names=kept, backs=backs, sheet=options.kept(card))
    return CardSheets(impose_pages(pages, imposition), count // 2, job)


def _beside(count: int, card: Size, options: CardSheetOptions) -> tuple[Layout, Imposition]:
    gutter = 2 * BLEED if options.bleed else 0.0
    layout = side_by_side(PAPERS[options.paper], card, gutter=gutter, margin=options.margin)
    flip = flip_edge(options.flip, lying=layout.paper.width > layout.paper.height)
    two_sided = options.backs == "duplex"
    plan = n_up(count, layout.columns, layout.rows, two_sided=True, flip=flip)
    if not two_sided:
        plan = ImpositionPlan(plan.columns, plan.rows, plan.sides[::2])
    return layout, _imposition(plan, layout, layout.cells, options)


def _sharing(plan: ImpositionPlan, back: int) -> ImpositionPlan:
    """Return the plan with every back replaced by one page; turned ones stay turned."""

    def page(number: int) -> int:
        found = back if number % 2 == 0 else (abs(number) + 1) // 2
        return 0 if not number else found if number > 0 else -found

    return replace(plan, sides=tuple(replace(side, places=tuple(map(page, side.places))) for side in plan.sides))


def _folded(count: int, card: Size, options: CardSheetOptions) -> tuple[Layout, Imposition]:
    """Return fronts with their backs to the right, or on their head above, each sheet printed on one side.

    The fold is where they meet.
    """
    over = options.backs == "over"
    gutter = 2 * BLEED if options.bleed else 0.0
    pair = Size(card.width, 2 * card.height) if over else Size(2 * card.width, card.height)
    layout = side_by_side(PAPERS[options.paper], pair, gutter=gutter, margin=options.margin)
    width, height = mm(card.width), mm(card.height)
    second = (0.0, height) if over else (width, 0.0)
    cells = tuple(Box(cell.x + x, cell.y + y, width, height) for cell in layout.cells for x, y in ((0.0, 0.0), second))
    size = len(cells)
    pages = [number if number % 2 or not over else -number for number in range(1, count + 1)]
    pages += [0] * (-count % size)
    sides = tuple(Side(tuple(pages[at : at + size])) for at in range(0, len(pages), size))
    return layout, _imposition(ImpositionPlan(2 * layout.columns, layout.rows, sides), layout, cells, options)


def _imposition(plan: ImpositionPlan, layout: Layout, cells: tuple[Box, ...], options: CardSheetOptions) -> Imposition:
    # On fronts only, since one looks at the front while cutting.
    step = 2 if plan.two_sided else 1
    marks = [Marks()] * len(plan.sides)
    marks[::step] = [_marks(side, layout, cells, options) for side in plan.sides[::step]]
    return Imposition(
        plan,
        layout.paper,
        marks=tuple(marks) if options.marks else (),
        font=_margin_font(marks[0].words) if options.marks else b"",
        cells=cells,
        bleed=BLEED,
        shift=options.shift,
        upright=any(options.shift),
        flip=options.flip if plan.two_sided else "",
    )


def _margin_font(words: tuple[Words, ...]) -> bytes:
    if not words:
        return label_font(RULER_LABEL)
    return small_font(FaceName(SANS, 400), RULER_LABEL + "".join(each.text for each in words))


def _margin_words(layout: Layout, options: CardSheetOptions) -> tuple[Words, ...]:
    """Return the words of the margin: beside the ruler, or where there is none below the marks."""
    if options.signed is None or not options.marks:
        return ()
    room = beside_rule(layout.cells, layout.paper, _rule(layout, options.margin))
    return options.signed(room or under_marks(layout.cells, layout.paper, margin=options.margin))


def _marks(side: Side, layout: Layout, cells: tuple[Box, ...], options: CardSheetOptions) -> Marks:
    """Return the marks of a side, at what stands on it alone; a front and a back that are folded are cut as one."""
    together = 2 if options.backs in FOLDED else 1
    folded = tuple(cell for at, cell in enumerate(cells) if any(side.places[at // 2 * 2 : at // 2 * 2 + 2]))
    folds = _folds(folded, over=options.backs == "over") if together == 2 else ()
    filled = [cell for at, cell in enumerate(layout.cells) if any(side.places[at * together : (at + 1) * together])]
    around = crop_marks(filled, layout.paper, margin=options.margin)
    crosses = cross_marks(filled, layout.paper, margin=options.margin) if _crossed(layout, options.margin) else ()
    return Marks((*around, *crosses), folds, _rule(layout, options.margin), _margin_words(layout, options))


def _rule(layout: Layout, margin: float) -> Line | None:
    return check_rule(layout.cells, layout.paper, bleed=BLEED, margin=margin)


def _crossed(layout: Layout, margin: float) -> bool:
    """Whether a full sheet has crosses, since its marks lie in what the printer leaves white."""
    return bool(cross_marks(layout.cells, layout.paper, margin=margin))


def _folds(cells: tuple[Box, ...], *, over: bool) -> tuple[Line, ...]:
    """Return where fronts meet their backs, drawn outside the cards only, so that no line runs along one."""
    lines = []
    if over:
        left, right = min(cell.x for cell in cells), max(cell.right for cell in cells)
        for y in sorted({round(cell.top, 3) for cell in cells[::2]}):
            lines += [Line(left - mm(6), y, left - mm(1), y), Line(right + mm(1), y, right + mm(6), y)]
        return tuple(lines)
    for x in sorted({round(cell.right, 3) for cell in cells[::2]}):
        below, above = min(cell.y for cell in cells), max(cell.top for cell in cells)
        lines += [Line(x, below - mm(6), x, below - mm(1)), Line(x, above + mm(1), x, above + mm(6))]
    return tuple(lines)


def _job(cards: int, card: Size, options: CardSheetOptions, layout: Layout, made: Imposition) -> PrintJob:
    plan, folded, piece = made.plan, options.backs in FOLDED, "piece" if options.finish else "card"
    return PrintJob(
        "fold-cards" if folded else "cards",
        f"{cards} {piece}{'' if cards == 1 else 's'} of {card.width:g} × {card.height:g} mm",
        options.paper,
        made.paper,
        plan.sheets,
        options.flip if plan.two_sided else "",
        made.cells,
        plan.sides[0].places,
        plan.sides[1].places if plan.two_sided else (),
        _steps(card, options, layout),
        made.upright,
        (CROSSES.format(options.margin),) if options.marks and _crossed(layout, options.margin) else (),
    )


def _steps(card: Size, options: CardSheetOptions, layout: Layout) -> tuple[PrintStep, ...]:
    piece = "piece" if options.finish else "card"
    measured, crossed = "or the print has the wrong size", _crossed(layout, options.margin)
    mark = "cross" if crossed else "mark"
    steps = []
    if options.marks and _rule(layout, options.margin):
        steps.append(PrintStep(f"measure the ruler in the margin: it is 50 mm long, {measured}", ("ruler",)))
    elif options.marks:
        across = f"measure from {mark} to {mark}: {card.width:g} mm across a {piece}"
        steps.append(PrintStep(f"{across}, {measured}", ("marks",)))
    if options.backs == "over":
        say = f"cut the rows, fold along the dashes with the print outside, cut the pieces, {options.finish}"
        steps.append(PrintStep(say, ("rows", "fold-top", "cards")))
    elif options.backs == "fold":
        say = "cut the rows, fold along the dashes with the print outside, glue, then cut the cards"
        steps.append(PrintStep(say, ("rows", "fold-over", "glue", "cards")))
    else:
        along = "edges of the cards" if not options.marks else "crosses" if crossed else "marks"
        say = f"cut along the {along}, the long cuts through the whole sheet first"
        steps.append(PrintStep(say, ("long", "short")))
    return tuple(steps)


@dataclass(frozen=True, slots=True)
class CardPages:
    """The cards of a deck as PDF, each page with DRAWN_BLEED around its trim box, and the names of the cards in order.

    The pages are all fronts and, last, the one back that they share; or fronts and backs by turns. `left_out` says
    which cards are not among them, since they hold more than there is room for, and `notes` what a card lacks.
    """

    data: bytes
    size: str
    names: tuple[str, ...]
    shared: bool = True
    left_out: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()


def card_sheets(faces: CardPages, options: CardSheetOptions) -> CardSheets:
    """Return the cards on paper, to be cut out; UsageError if not even one fits on it."""
    return lay_out_cards(faces.data, CARDS[faces.size], options, shared=faces.shared, names=faces.names)


def single_cards(faces: CardPages, *, backs: bool = True, back_first: bool = False, bleed: float = BLEED) -> bytes:
    """Return a PDF for print shops: a page for each front, and for its back behind it, with TrimBox and BleedBox.

    With `back_first` each back stands before its front. So much `bleed` is around each card, in mm.
    """
    kept, wanted, last = list[tuple[str, bool]](), list[int](), len(faces.names) + 1
    for front, name in enumerate(faces.names, 1):
        pages = {False: front, True: last} if faces.shared else {False: 2 * front - 1, True: 2 * front}
        for is_back in (True, False) if back_first else (False, True):
            if backs or not is_back:
                alone = is_back and back_first  # what pages keep of a back is that of the page before it
                kept.append((f"{name}, back" if alone else name, is_back and not alone))
                wanted.append(pages[is_back])
    return named(normalize_origin(cut_to_bleed(select_pages(faces.data, wanted), mm(bleed))), kept)


def write_pictures(
    faces: CardPages, write: Write, *, backs: bool = True, bleed: float = 0.0, dpi: int = SCREEN_DPI
) -> None:
    """Write a ZIP of a PNG for each face, at so many dots an inch: 01-help.png, …, back.png.

    Each is cut to size, or has so much `bleed` around it, in mm.
    """
    whole = cut_to_bleed(faces.data, mm(bleed))
    with archive(write) as add:
        for (name, is_back), picture in zip(_files(faces), pictures(whole, dpi=dpi, trimmed=False), strict=True):
            if backs or not is_back:
                add(f"{name}.png", lambda take, picture=picture: take(picture))  # type: ignore[misc]


def _files(faces: CardPages) -> Iterator[tuple[str, bool]]:
    """Yield the name of the file of each page, and whether it is a back."""
    digits = max(2, len(str(len(faces.names))))
    for number, stem in enumerate(slugs(faces.names), 1):
        yield f"{number:0{digits}}-{stem}", False
        if not faces.shared:
            yield f"{number:0{digits}}-{stem}-{BACK}", True
    if faces.shared:
        yield BACK, True


def icons_of(project: Project, pack: Pack) -> tuple[str, ...]:
    """Return the names of the icons that cards of a pack may have: its own, its system's, and the shared ones."""
    folders = (folder / ICONS for folder in template_folders(project, pack))
    return tuple(sorted({file.stem for folder in folders if folder.is_dir() for file in folder.glob("*.svg")}))


def check_icons(project: Project, pack: Pack, wanted: Iterable[Word]) -> None:
    """Raise InputError at the place of each icon that there is no drawing of."""
    known = icons_of(project, pack)
    there = f"; there are {', '.join(known)}"
    problems = [
        Problem(word.place, f"no icon {quoted(word)}{suggestion(word, known) or there}")
        for word in wanted
        if word not in known
    ]
    if problems:
        raise InputError(tuple(problems))


def card_data(pack: Pack, size: str) -> TemplateData:
    """Return the data of a card template and, for drawing backs, numbers to count by and outlines of letters."""
    from sheetgen.pdf.fonts.bundled import SERIF, outlines  # imports fontTools

    initials = "".join(trait.name[:1] for trait in pack.system.all_traits()) + pack.system.title
    letters = outlines(FaceName(SERIF, 700), initials)
    return {"game": game(pack.system), "card": measures(size), "steps": list(range(40)), "outlines": letters}


class CardSetter:
    """Sets cards of one size; `name` is what its pages are, `about` the data of every card, `remedy` what helps."""

    def __init__(self, project: Project, pack: Pack, size: str, *, name: str, about: TemplateData, remedy: str) -> None:
        self._project, self._pack, self.size = project, pack, size
        self._name, self._about, self._remedy = name, about, remedy
        self._jinja = environment(template_folders(project, pack), project.shown)

    @property
    def least(self) -> float:
        """The smallest size of type, in pt."""
        return TYPES[self.size].text[-1]

    def types(self, faces: Sequence[CardFront]) -> tuple[list[float], list[int]]:
        """Return the type that each front fits in, in pt, and the numbers of those only tried in the least."""
        *larger, least = TYPES[self.size].text
        types, waiting = [least] * len(faces), list(range(len(faces)))
        for points in larger:
            full = [waiting[at] for at in self.too_full([faces[at] for at in waiting], points)]
            for at in {*waiting} - {*full}:
                types[at] = points
            waiting = sorted(full)
        return types, waiting

    def pdf(self, faces: Sequence[CardFront], types: Sequence[float], *, back: bool = True) -> bytes:
        """Return the fronts in their types and, last, their back; InputError at the place of each without room."""
        html, places = self._page(faces, types, back=back), {face.name: face.place for face in faces}
        try:
            return pdf_of(self._project, self._pack, html, name=self._name, places=places)
        except InputError as error:
            full = {*places.values()}
            told = (
                replace(each, message=each.message + self._remedy * (each.place in full)) for each in error.problems
            )
            raise InputError(tuple(told)) from None

    def too_full(self, faces: Sequence[CardFront], points: float) -> frozenset[int]:
        """Return the numbers of the fronts, from 0, that hold too much in type of a size."""
        if not faces:
            return frozenset()
        html = self._page(faces, [points] * len(faces), back=False)
        found = overfull_parts(self._project, self._pack, html, name=self._name)
        return frozenset(at for at, face in enumerate(faces) if face.name in found)

    def _page(self, faces: Iterable[CardFront], types: Iterable[float], *, back: bool) -> str:
        cards = [{**face.data, "name": face.name, "type": each} for face, each in zip(faces, types, strict=True)]
        return render(self._jinja, FRONTS, {**self._about, "cards": cards, "back": back})
