"""The layout of handouts: on the smallest page that holds them, in smaller type if needed, or over several pages."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from sheetgen.content.handout_files import pictured, title_of
from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.documents.handout.handout import SMALL, Faces, HandoutPage, Ink, ShownPicture, handout_data
from sheetgen.documents.handout.lettering import SYMBOLS, with_symbols
from sheetgen.documents.handout.secrets import lies
from sheetgen.errors import InputError, Place, Problem
from sheetgen.geometry import PAPERS, Size
from sheetgen.model.handout import Catalogue, Handout, Look, Made
from sheetgen.pdf.fonts.bidi import base_level
from sheetgen.pdf.fonts.bundled import SANS, SERIF, missing_from
from sheetgen.pdf.fonts.face import AddedFont, FaceName
from sheetgen.press.pages import page_count
from sheetgen.press.plan import PRINTER_MARGIN
from sheetgen.products.options import MOST_MM, TonedOptions, choice, font_option, millimetres, paper_option
from sheetgen.workspace.packs import Pack

GROWN = (2.2, 1.9, 1.6, 1.45, 1.3, 1.2, 1.1)  # how much larger the type of a few lines is, to fill their paper
STEPS = (0.93, 0.86, 0.8, 0.74, 0.68)
LEAST = 12.0  # mm, the smallest margin
SPARE = 2000.0  # mm
ENOUGH_DPI = 150
MOST_PICTURE = FileLimit(32_000_000, 1, "save it smaller")
ONE_PAGE = 4500  # letters; nobody wishes a longer text pressed on one page
PAPERS_FOR = ("a4", "letter", "a5", "a6")
LOOSE = 0.86  # how far type shrinks so that a few lines need no page of their own


Page = Callable[[Mapping[str, object]], str]  # what makes HTML of the data of a handout


@dataclass(frozen=True, kw_only=True)
class HandoutsOptions(TonedOptions):
    """Which handouts of a pack, in which style and look, on which paper; `margin` in mm."""

    only: tuple[str, ...] = choice((), "only this one of a system's handouts", read=str, repeated=True, metavar="NAME")
    style: str = choice("", "for files that name none: letter, telegram, …", read=str, metavar="NAME")
    look: str = choice("", "for those that name none: western, noir, space, …", read=str, metavar="NAME")
    paper: str = paper_option(PAPERS_FOR, "handouts are made for")
    margin: float = choice(
        PRINTER_MARGIN,
        f"what your printer cannot print on (default {PRINTER_MARGIN:g}); small ones keep clear of it",
        read=millimetres(0, MOST_MM),
        metavar="MM",
    )
    font: tuple[str, ...] = font_option()
    marks: bool = choice(True, "where to cut small ones out, and a ruler", negatable=True, label="marks and ruler")


@dataclass(frozen=True, slots=True)
class PrintedHandout:
    """A handout as PDF: its pages are as large as its trim; `whole` ones are as large as the paper and need no cut.

    `made` says what its style makes of it, such as a map.
    """

    name: str
    style: str
    title: str
    data: bytes
    size: Size
    pages: int
    whole: bool
    notes: tuple[str, ...] = ()
    made: Made = ""


@dataclass(frozen=True, slots=True)
class HandoutSetter:
    """Sets handouts in one look on one paper; `flow` and `overfull` lay a page out, as those of `pdf.flow.document`."""

    pack: Pack | None
    page: Page
    catalogue: Catalogue
    look: Look
    chosen: HandoutsOptions
    flow: Callable[..., bytes]
    overfull: Callable[..., frozenset[str]]
    fonts: tuple[AddedFont, ...] = ()

    def printed(self, handout: Handout, root: Path, file: str) -> PrintedHandout:
        """Return the handout as PDF: on the smallest of its sizes that holds it, smaller type, or more pages.

        `file` is its picture below the root, if it has one.
        """
        check_letters(handout, self.fonts)
        picture, notes = self._printed_picture(handout, root, file)
        style, shown = handout.style, handout.place.file
        named = f"{style.name} “{handout.name}”"
        leaf = self._first(handout, lambda each: self._holds(handout, each, root, picture, named))
        if leaf is None:
            sizes, margins, basis = self._basis(handout)
            leaf = HandoutPage(sizes[-1], margins, basis if style.continues else basis * style.smallest, closed=False)
            if not style.continues:  # says by how much, at the handout's place
                self.flow(
                    self._html(handout, _trial(leaf), picture), root=root, name=shown, places={named: handout.place}
                )
        data = self.flow(self._html(handout, leaf, picture), root=root, name=shown)
        title = title_of(handout)
        return PrintedHandout(
            handout.name, style.name, title, data, leaf.size, page_count(data), not style.sizes, notes, style.made
        )

    def _printed_picture(self, handout: Handout, root: Path, file: str) -> tuple[ShownPicture, tuple[str, ...]]:
        """Return the picture as it is printed, photographs in grey or in dots, and what is to be told about it."""
        if not file:
            return ShownPicture(), ()
        style = handout.style
        place = handout.places["picture"]
        focus = pictured(str(handout.entries["picture"]))[1] or (round(style.focus[0]), round(style.focus[1]))
        if not style.picture or Path(file).suffix.lower() == ".svg":
            return ShownPicture(quote(file), focus), ()
        from sheetgen.pdf.pictures import press_picture  # imports Pillow

        size, margins, _ = self._basis(handout)
        across = size[-1].width - margins[1] - margins[3]
        frame = Size(across * style.picture[0], across * style.picture[1])
        data = read_file(root / file, place.file, inside=root, most=MOST_PICTURE)
        made = press_picture(data, place, frame=frame, focus=focus, lines=style.screen)
        low = f"{place}: the picture has {made.dpi} dots an inch here: {ENOUGH_DPI} and more print well"
        return ShownPicture(made.address, focus), (low,) if made.dpi < ENOUGH_DPI else ()

    def _first(self, handout: Handout, holds: Callable[[HandoutPage], bool]) -> HandoutPage | None:
        """Return the first leaf that holds everything, found by halves: each holds more than the one before it."""
        for tries in self._tries(handout):
            at = bisect_left(tries, True, key=holds)
            if at < len(tries):
                return tries[at]
        return None

    def _holds(self, handout: Handout, leaf: HandoutPage, root: Path, picture: ShownPicture, named: str) -> bool:
        """Return whether the handout fits on one page."""
        return named not in self.overfull(
            self._html(handout, _trial(leaf), picture), root=root, name=handout.place.file
        )

    def _basis(self, handout: Handout) -> tuple[tuple[Size, ...], tuple[float, float, float, float], float]:
        """Return the sizes of a style on this paper, its margins, and the scale of its type before it is reduced.

        A wide map has the paper on its side.
        """
        paper, style, drawn = PAPERS[self.chosen.paper], handout.style, handout.entries.get("map")
        if style.sizes:
            return style.sizes, style.margins, 1.0
        turned = paper.turned if isinstance(drawn, Mapping) and lies(drawn) else paper
        return (turned,), _margins(style.margins, turned), SMALL.get(paper.width, 1.0)

    def _tries(self, handout: Handout) -> Iterator[list[HandoutPage]]:
        """Yield the leaves that hold a handout on one page: those with full type, or larger on the smallest, then the
        largest with less and less.

        None for a long text on full pages.
        """
        style = handout.style
        sizes, margins, basis = self._basis(handout)
        flows = style.continues and not style.sizes
        if flows and len(handout.text) > ONE_PAGE:
            return
        grown = [each for each in GROWN if each <= style.largest and self._wraps_no_more(handout, each)]
        larger = [HandoutPage(sizes[0], margins, basis * each, closed=True) for each in grown]
        yield [*larger, *(HandoutPage(size, margins, basis, closed=True) for size in sizes)]
        least = LOOSE if flows else style.smallest
        yield [HandoutPage(sizes[-1], margins, basis * step, closed=True) for step in STEPS if step >= least - 0.001]

    def _wraps_no_more(self, handout: Handout, grown: float) -> bool:
        """Return whether no typed line is broken because its letters are larger."""
        typed = handout.style.typed
        longest = max(map(len, handout.text.splitlines()), default=0)
        return typed is None or longest * grown <= typed.columns

    def _html(self, handout: Handout, leaf: HandoutPage, picture: ShownPicture) -> str:
        from sheetgen.pdf.fonts.bundled import baseline, measure_of, missing_from, text_width  # imports fontTools
        from sheetgen.pdf.fonts.face import FaceName

        faces = Faces(
            measure=lambda family, weight: measure_of(FaceName(family, weight)),
            lacks=lambda text, family: missing_from(text, FaceName(family)),
            baseline=lambda family: baseline(FaceName(family)),
            text_width=text_width,
            leftwards=lambda text: base_level(text.partition("\n\n")[0]) == 1,
        )

        accent = self.chosen.tone.of(self.pack.system.accent) if self.pack is not None else "#000000"
        data = handout_data(
            handout,
            self.catalogue,
            self.look,
            leaf,
            ink=Ink(accent, self.chosen.tone.ink_saver),
            faces=faces,
            picture=picture,
        )
        from sheetgen.pdf.fonts.shaping import carried_fonts  # imports uharfbuzz

        text = "".join(line for _, line in _lines(handout))
        return with_symbols(self.page({**data, "added": carried_fonts(self.fonts, text, _strange(text))}))


def _trial(leaf: HandoutPage) -> HandoutPage:
    """Return the leaf with room below it for what does not fit."""
    return replace(leaf, closed=True, spare=SPARE)


def _margins(margins: tuple[float, float, float, float], paper: Size) -> tuple[float, float, float, float]:
    """Return the margins of a page of A4 on another paper, with room for a frame beyond what a printer leaves white."""
    part = min(1.0, paper.width / 205)
    above, right, below, left = (max(each * part, LEAST) for each in margins)
    return above, right, below, left


def check_letters(handout: Handout, fonts: Sequence[AddedFont]) -> None:
    """Raise InputError with each letter that neither our faces nor the added ones have, at its line."""
    problems = []
    for place, text in _lines(handout):
        if lacking := [char for char in _strange(text) if not any(char in font.face.glyphs for font in fonts)]:
            named = unicodedata.name(lacking[0], "without a name")
            also = f", and {len(lacking) - 1} more on this line" if lacking[1:] else ""
            what = f"no font has “{lacking[0]}” (U+{ord(lacking[0]):04X} {named}){also}"
            problems.append(Problem(place, f"{what}: add one that does, --font FILE.ttf"))
    if problems:
        raise InputError(problems)


def _lines(handout: Handout) -> Iterator[tuple[Place, str]]:
    """Yield what a handout says, with its places: each field, and each line of the text."""
    for name, entry in handout.entries.items():
        if handout.style.fields[name] != "picture" and not isinstance(entry, Mapping):
            parts = [entry] if isinstance(entry, str) else ["".join(part) for part in entry]
            yield handout.places.get(name, handout.place), " ".join(parts)
    start = handout.places.get("text", handout.place)
    for number, line in enumerate(handout.text.splitlines()):
        yield Place(start.file, start.line + number), line


def _strange(text: str) -> str:
    """Return the characters that we have no shape for; marks over letters are left to the font of their letters."""
    lacking = missing_from(missing_from(text, FaceName(SERIF)), FaceName(SANS))
    unseen = ("C", "M")
    return "".join(char for char in lacking if char not in SYMBOLS and unicodedata.category(char)[0] not in unseen)
