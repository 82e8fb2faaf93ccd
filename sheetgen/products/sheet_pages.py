"""The pages of a sheet that a pack lays out in sheet.yaml: blocks arranged for a paper, with the look it asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from sheetgen.content.book.chapters import read_book
from sheetgen.content.book.references import REFERENCE, References
from sheetgen.documents.people.sheet import BESIDE_NOTES
from sheetgen.documents.people.sheet_layout import SMALL_WIDTH, WIDTH, Arranger
from sheetgen.documents.people.sheet_setting import Setting
from sheetgen.errors import InputError, Place, Problem, UsageError, among, quoted, suggestion
from sheetgen.geometry import PAPERS, SHEET_PAPERS, Size, paper_name
from sheetgen.model.book import Book
from sheetgen.model.character import Character
from sheetgen.model.data import TemplateData
from sheetgen.model.people_pages import SheetBlock, SheetLayout
from sheetgen.products.chapter_files import own_chapters
from sheetgen.workspace.packs import Pack, template_root
from sheetgen.workspace.project import Project

EDGE, SMALL_EDGE = 10, 8  # mm: of the paper, above and below a sheet (sheet/style.css)
SIGNED, AGAIN, FOOT = 9.0, 8.6, 4.6  # mm: of whose game it is, above the blocks, and of the credit below them
LEGAL_LINE, LEGAL_SIZE = 3.2, 7.0  # of the licence on the back: mm from line to line, pt
THEMES, THEME = "sheet/themes", "theme.css"
PLAIN, MARK = "ruled", "card/mark.html"
LOOKS = (".svg", ".ttf", ".png", ".jpg", ".jpeg")


def laid_out_pages(project: Project, pack: Pack, paper: Size, *, small: bool, empty: bool = False) -> TemplateData:
    """Return the pages of a sheet that the pack lays out, as `layout`: rows of cells for the front and the back.

    On a `small` one the back goes on where the front ends. An `empty` one has no places for what people want of the
    players and say.
    InputError for a block that is higher than a page, for what a reminder cannot refer to, and for an unknown look.
    """
    layout = pack.system.sheet_layout
    if layout is None:
        return {}
    _check_files(project, pack, layout)
    front, back = _arrangers(project, pack, layout, paper, small=small)
    theme = _theme_file(project, layout)
    mark = f"{layout.theme}/{MARK}"
    look = {"theme": theme, "motif": layout.motif, "font": layout.font}
    look["mark"] = mark if (project.templates / mark).is_file() else MARK
    shown = [_without_wishes(blocks) if empty else blocks for blocks in (layout.front, layout.back)]
    if small:
        shown = [[*shown[0], *shown[1]], []]
    pages = {"front": front.pages(shown[0]), "back": back.pages(shown[1]) if shown[1] else []}
    return {"layout": {**pages, **look, "named": _named(pack, layout)}}


def _named(pack: Pack, layout: SheetLayout) -> str:
    """Return what the layout calls a name in place of the field's own title; nothing if it calls it the same."""
    first = pack.system.fields[0]
    return next((each.title for each in layout.front if each.shows == first.name and each.title != first.title), "")


def _without_wishes(blocks: Iterable[SheetBlock]) -> list[SheetBlock]:
    """Return the blocks of a sheet for a player, who has nothing to write where people want something of players."""
    kept = (each for each in blocks if each.shows not in BESIDE_NOTES)
    return [replace(each, stack=tuple(_without_wishes(each.stack))) if each.stack else each for each in kept]


def for_players(pack: Pack) -> Pack:
    """Return the pack with sheets for those who play people: without places for what these want of the players."""
    layout = pack.system.sheet_layout
    if layout is None:
        return pack
    variants = {word: _for_player(each) for word, each in layout.variants.items()}
    chosen = replace(_for_player(layout), variants=variants)
    return pack.cached(("sheets for players", pack.system.tone), lambda: pack.with_layout(chosen))


def _for_player(layout: SheetLayout) -> SheetLayout:
    return replace(layout, front=tuple(_without_wishes(layout.front)), back=tuple(_without_wishes(layout.back)))


def for_word(pack: Pack, word: str) -> Pack:
    """Return the pack with the layout for a word of the field that its sheets go by; as it is if there is none."""
    layout = pack.system.sheet_layout
    if layout is None or word not in layout.variants:
        return pack
    chosen = replace(layout.variants[word], variants=layout.variants)
    return pack.cached(("sheet of", word, pack.system.tone), lambda: pack.with_layout(chosen))


def word_of(pack: Pack, character: Character) -> str:
    """Return the word of a character that says which sheet is theirs; none if all have the same."""
    layout = pack.system.sheet_layout
    word = character.text(layout.by) if layout is not None and layout.by else ""
    return word if layout is not None and word in layout.variants else ""


def words_of(pack: Pack, only: str = "") -> tuple[str, ...]:
    """Return the words that have a sheet of their own, or one of them alone; UsageError if it has none."""
    words = tuple(pack.system.sheet_layout.variants) if pack.system.sheet_layout is not None else ()
    if only and only not in words:
        there = among(only, words) if words else ": there is one sheet for all"
        raise UsageError(f"{pack.system.title} has no sheet for {quoted(only)}{there}")
    return (only,) if only else words


def _arrangers(
    project: Project, pack: Pack, layout: SheetLayout, paper: Size, *, small: bool
) -> tuple[Arranger, Arranger]:
    """Return what arranges the front and the back."""
    from sheetgen.pdf.fonts.bundled import text_width  # imports fontTools

    texts = pack.cached(("texts of the layout", layout.word), lambda: _texts(project, pack, layout))
    inside, width = paper.height - 2 * (SMALL_EDGE if small else EDGE) - FOOT, SMALL_WIDTH if small else WIDTH
    setting = Setting(pack.system, text_width, texts, inside - AGAIN)
    licence = LEGAL_LINE * setting.lines(pack.system.licence, width, LEGAL_SIZE)
    behind = replace(setting, page_height=inside - AGAIN - licence)
    if small:  # the last of its pages has the licence
        setting, inside = behind, inside - licence
    front = Arranger(setting, layout.columns, inside - SIGNED, width)
    return front, Arranger(behind, layout.columns, behind.page_height, width)


def theme_names(project: Project) -> tuple[str, ...]:
    """Return the names of all looks that a layout can ask for: our own, then those of games."""
    ours = sorted(path.stem for path in (project.templates / THEMES).glob("*.css"))
    return (*ours, *sorted(path.parent.name for path in project.templates.glob(f"*/{THEME}")))


def _theme_file(project: Project, layout: SheetLayout) -> str:
    name, known = layout.theme or PLAIN, theme_names(project)
    if name not in known:
        raise InputError([Problem(layout.place, f"unknown theme {quoted(name)}{among(name, known)}")])
    file = f"{THEMES}/{name}.css"
    return file if (project.templates / file).is_file() else f"{name}/{THEME}"


def _check_files(project: Project, pack: Pack, layout: SheetLayout) -> None:
    """Raise InputError, at its place, for each drawing, font or picture of a layout that the pack does not have."""
    root = template_root(project, pack)
    named = [("motif", layout.motif, layout.place), ("font", layout.font, layout.place)]
    named += [
        ("picture", each.text, each.place) for each in layout.blocks if each.kind == "picture" and "." in each.text
    ]
    lacking = [each for each in named if each[1] and not (root / each[1]).is_file()]
    if lacking:
        there = [each.relative_to(root).as_posix() for each in root.glob("**/*") if each.suffix in LOOKS]
        raise InputError(
            [
                Problem(place, f"{what}: there is no {quoted(file)} in templates/ of the pack{suggestion(file, there)}")
                for what, file, place in lacking
            ]
        )


def _texts(project: Project, pack: Pack, layout: SheetLayout) -> dict[SheetBlock, str]:
    """Return what each reminder says, with its references put in; InputError with each that leads nowhere."""
    reminders = [block for block in layout.blocks if block.kind in ("words", "rule", "list")]
    book, problems = Book((), {}), list[Problem]()
    if any(block.kind == "rule" for block in reminders):
        book = read_book(own_chapters(project, pack), project.library, pack.system, home=pack.system.title)
    found, references = {}, References(pack.system, book)
    for block in reminders:
        if block.kind == "list":
            found[block] = "\n".join(f"- {each}" for each in _of_list(pack, layout, block, problems))
            continue
        text = block.text if block.kind == "words" else _of_rule(book, block, problems)
        try:
            found[block] = REFERENCE.sub(lambda match: references.resolve(match[1]).text, text)
        except ValueError as error:
            problems.append(Problem(block.place, str(error)))
    if problems:
        raise InputError(problems)
    return found


def _of_list(pack: Pack, layout: SheetLayout, block: SheetBlock, problems: list[Problem]) -> Iterator[str]:
    """Yield the phrases of a list: for a layout that goes by a word, those that fit it."""
    known, option = pack.system.cast.phrases, pack.system.creation.options.get(layout.by)
    if block.text not in known:
        problems.append(Problem(block.place, f"unknown list {quoted(block.text)}{among(block.text, known)}"))
    number = option.among.index(layout.word) if option is not None and layout.word in option.among else None
    for phrase in known.get(block.text, ()):
        if all(number in allowed for name, allowed in phrase.fits if name == layout.by):
            yield phrase.say


def _of_rule(book: Book, block: SheetBlock, problems: list[Problem]) -> str:
    """Return what a rule says on its card, or else in the book."""
    rule = book.rules.get(block.text)
    if rule is None:
        problems.append(Problem(block.place, f"unknown rule {quoted(block.text)}{among(block.text, book.rules)}"))
        return ""
    card = rule.card
    return card.text.text if card is not None and card.text is not None else rule.text.text


def overruns(project: Project, pack: Pack) -> Iterator[Problem]:
    """Yield the sides of a layout that need a second page of A4 or Letter, and fronts that leave much of A4 white.

    Each is told at the place of its layout, with how much is too much.
    """
    whole = pack.system.sheet_layout
    if whole is None:
        return
    for paper, layout in product(SHEET_PAPERS, whole.all):
        front, back = _arrangers(project, pack, layout, PAPERS[paper], small=False)
        of = f" of {layout.word}" if layout.word else ""
        for side, more in (("front", front.overrun(layout.front)), ("back", back.overrun(layout.back))):
            if more > 0:
                fix = "fewer lines, or blocks side by side, keep it on one"
                much = f"{more:.1f} mm too long for {paper_name(paper)}"
                told = f"the {side}{of} is {much} and goes on to a second page ({fix})"
                yield Problem(layout.place, told)
        white = front.unused(layout.front)
        if paper == SHEET_PAPERS[0] and white > MOST_WHITE:
            fix = "let something grow there: `{write: Notes}`"
            yield Problem(layout.place, f"the front{of} leaves {white:.0f} mm of {paper_name(paper)} white ({fix})")


def look_warnings(pack: Pack) -> Iterator[Problem]:
    """Yield what of the look of a pack would print badly: an accent that is too pale to be read on paper."""
    light = contrast_with_white(pack.system.accent)
    if light < LEAST_CONTRAST:
        message = (
            f"accent {pack.system.accent} is too pale: {light:.1f} to 1 against white, where letters need 4.5 to 1"
        )
        yield Problem(Place(pack.system.place.file), f"{message} (take a darker one)")


MOST_WHITE = 60.0  # mm below the last block of a front
LEAST_CONTRAST = 4.5  # WCAG 2.1, 1.4.3


def contrast_with_white(colour: str) -> float:
    """Return the contrast of a colour such as `#aa3344` with white paper, from 1 to 21 (WCAG 2.1, 1.4.3)."""
    digits = colour.lstrip("#")
    digits = digits if len(digits) == 6 else "".join(each * 2 for each in digits)
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 1.05 / (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)
