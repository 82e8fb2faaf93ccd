"""Lays HTML out on pages with WeasyPrint and reports every problem of the page.

Problems are forbidden files and links, fonts that are not bundled, characters without a glyph, and text that is cut off
by the paper or by a box that hides its overflow (RND-22). Importing this module imports WeasyPrint, which reads
FONTCONFIG_FILE once: see `fonts.bundled.fontconfig_file`.
"""

from __future__ import annotations

import gc
import logging
import os
import re
import traceback
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import weasyprint
import weasyprint.pdf
from weasyprint.anchors import rectangle_aabb
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetchingError

from sheetgen.errors import InputError, Place, Problem, SheetgenError, quoted, suggestion
from sheetgen.geometry import POINTS_PER_CSS_PIXEL, millimetres
from sheetgen.model.printing import DUPLEX
from sheetgen.pdf.flow.composition import composed
from sheetgen.pdf.flow.resource_fetcher import fetcher
from sheetgen.pdf.flow.weasyprint_hooks import set_aside
from sheetgen.pdf.fonts.bundled import FAMILIES, HANDS, font_folder

# 1980-01-01, the first day a ZIP archive can name: any fixed moment makes renders repeatable.
EPOCH = "315532800"
GENERIC = ("serif", "sans-serif")
MOST_PAGES = 500
LINK_SCHEMES = ("http", "https", "mailto")
# Attribute of an element whose text may be cut off, such as a pattern that bleeds off the page.
CUT_ON_PURPOSE = "data-cut"
# Attribute of an element that messages report as a whole, such as a card or a panel.
NAME = "data-name"
_TOLERANCE = 1.0
# The part of a line that must be visible, in em above and below its baseline: small letters, most of descenders.
_ABOVE, _BELOW = 0.5, 0.2
_HARMLESS = ("Using fontTools instead of HarfBuzz-Subset",)
# WeasyPrint counts lines within one <style> and not in the file, and has files by their whole path: both would mislead.
_IN_STYLE, _FOLDERS = re.compile(r" at \d+:\d+"), re.compile(r"\bfile://[^\s'\"]*/")
_PLAIN = (
    (re.compile(r"Ignored `\s*(.*?)\s*`, (.*?)\.?$"), r'"\1" in a style has no effect: \2'),
    (
        re.compile(r"Failed to (?:load|render) .*?([^' :]+)'?(?:$| ?:.*)"),
        r'cannot use "\1": damaged, or not what it seems',
    ),
    (re.compile(r"No anchor (#.*) for internal URI reference"), r'a link leads to "\1", which is nowhere on the page'),
)
_STRANGE = ", which is not bundled, or which the page does not name"
_MISSING_GLYPH = re.compile(r'\.notdef glyph .*: "(.*)" \(U\+([0-9A-F]+)\)', re.DOTALL)


class PageFonts(FontConfiguration):  # type: ignore[misc]  # WeasyPrint has no types
    """A font configuration that records the families that the page brings itself; each face may have one file."""

    def __init__(self) -> None:
        super().__init__()
        self.families: set[str] = set()
        self.twice: list[str] = []
        self._faces: set[tuple[str, str, str]] = set()

    def add_font_face(self, rule_descriptors: dict[str, Any], url_fetcher: object) -> None:
        """Add the face; a second file for the same face is recorded, since it would print wrong letters (RND-20)."""
        family = str(rule_descriptors["font_family"])
        style, weight = (str(rule_descriptors.get(key, "normal")) for key in ("font_style", "font_weight"))
        if (face := (family, style, weight)) in self._faces:
            self.twice.append(family)
        self._faces.add(face)
        self.families.add(family)
        super().add_font_face(rule_descriptors, url_fetcher)


@contextmanager
def collect_problems(name: str) -> Iterator[list[Problem]]:
    """Collect the problems of one render, warnings of WeasyPrint included; raise InputError if there are any."""
    problems: list[Problem] = []
    handler = _ProblemHandler(name, problems)
    logger = logging.getLogger("weasyprint")
    logger.addHandler(handler)
    try:
        with _fixed_date(), _rare_collection():
            yield problems
    except (FatalURLFetchingError, URLFetchingError) as error:
        problems.append(Problem(Place(name), str(error)))
    except RecursionError:
        problems.append(Problem(Place(name), "nested too deeply"))
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        problems.append(Problem(Place(name), f"holds half a character (U+{ord(half):04X}, a lone surrogate)"))
    except (ArithmeticError, LookupError, NameError, TypeError, ValueError, AttributeError, AssertionError) as error:
        told = InputError([Problem(Place(name), "cannot be laid out: some size or place in its styles cannot be")])
        told.add_note("".join(traceback.format_exception(error))[-10_000:])
        raise told from error
    finally:
        logger.removeHandler(handler)
    if problems:
        raise InputError(dict.fromkeys(problems))


def lay_out(
    html: str,
    problems: list[Problem],
    *,
    root: Path,
    name: str,
    forms: bool = False,
    places: Mapping[str, Place] = MappingProxyType({}),
) -> Any:
    """Return the WeasyPrint document of the page; what is wrong with it is added to `problems`.

    With `forms`, inputs keep their boxes, and their values move to the attribute `data-value`, so that they are not
    drawn. `places` has the source of each part with a `data-name`, for messages about what does not fit.
    """
    document, fonts = _render(html, root=root, forms=forms)
    place = Place(name)
    if len(document.pages) > MOST_PAGES:
        problems.append(Problem(place, f"has {len(document.pages):,} pages; the most is {MOST_PAGES}"))
        return document
    problems += [Problem(place, f"two font files for one face of {quoted(family)}") for family in fonts.twice]
    problems += [Problem(place, message) for message in _link_faults(document)]
    problems += [Problem(places.get(each.name, place), each.message) for each in overruns(document)]
    problems += [Problem(place, message) for message in _family_faults(document, fonts.families)]
    return document


@cache
def prepare() -> None:
    """Lay out a small page of our own, once in a process: what WeasyPrint works out for its first page is then
    there for all, also for those of processes that are forked from here.
    """
    with collect_problems("prepare") as problems:
        page = '<html lang="en"><title>a</title><p><b>a</b><table><tr><td>1</table><svg viewBox="0 0 1 1"></svg></html>'
        document = lay_out(page, problems, root=Path(__file__).parent, name="prepare")
        to_pdf(document, problems, name="prepare")


def overfull(html: str, *, root: Path, name: str) -> frozenset[str]:
    """Return the `data-name` of each part of the page whose text or pictures are cut off."""
    with collect_problems(name) as problems:
        document, _ = _render(html, root=root)
        found = frozenset(each.name for each in overruns(document) if each.name)
        problems.clear()  # they are reported when the page is printed
    return found


def _render(html: str, *, root: Path, forms: bool = False) -> tuple[Any, PageFonts]:
    """Return the WeasyPrint document of a page, unchecked, and the fonts that it brings."""
    fonts = PageFonts()
    fonts.families |= {family for family in HANDS if family in html}
    _check_bundle(fonts)
    with set_aside(html) as shortened, composed():
        page = weasyprint.HTML(string=shortened, base_url=f"{root.resolve().as_uri()}/", url_fetcher=fetcher(root))
        if forms:
            _move_values_aside(page.etree_element)
        return page.render(font_config=fonts, pdf_forms=forms), fonts


def to_pdf(document: Any, problems: list[Problem], *, name: str, flip: str = "", **options: object) -> bytes:
    """Return the document as PDF, to be printed at its own size and turned over an edge, if it has two sides.

    Fonts in it that are not bundled, and refused addresses, are added to `problems`.
    """

    def ask_to_print(document: Any, pdf: Any) -> None:
        asked = f"/DisplayDocTitle true /PrintScaling /None /PickTrayByPDFSize true /Duplex /{DUPLEX[flip]}"
        pdf.catalog["ViewerPreferences"] = f"<<{asked}>>"

    with _references_known():
        data: bytes = document.write_pdf(finisher=ask_to_print, **options)
    problems += [Problem(Place(name), message) for message in document.url_fetcher.refused]
    known = {*FAMILIES, *document.font_config.families}
    strangers = sorted({font.family for font in document.fonts.values()} - known)
    problems += [Problem(Place(name), f"printed with {quoted(family)}{_STRANGE}") for family in strangers]
    return data


@contextmanager
def _references_known() -> Iterator[None]:
    """Let references to pages be put together once: pydyf 0.13 does so for each link and each tag."""
    made = weasyprint.pdf.pydyf.PDF
    usual = made.page_references

    def references(pdf: Any) -> Any:
        count, found = vars(pdf).get("known_references", (0, ()))
        if count != len(pdf.pages["Kids"]):
            count, found = len(pdf.pages["Kids"]), usual.fget(pdf)
            pdf.known_references = count, found
        return found

    made.page_references = property(references)
    try:
        yield
    finally:
        made.page_references = usual


def _move_values_aside(root: Any) -> None:
    for element in root.iter():
        if element.tag == "input":
            element.attrib["data-value"] = element.attrib.pop("value", "")
        elif element.tag == "textarea":
            element.attrib["data-value"], element.text = element.text or "", None


class _ProblemHandler(logging.Handler):
    """A log handler that adds each warning of WeasyPrint to the problems."""

    def __init__(self, name: str, problems: list[Problem]) -> None:
        super().__init__(logging.WARNING)
        self._place, self._problems = Place(name), problems

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message.startswith(_HARMLESS):
            return
        if match := _MISSING_GLYPH.match(message):
            char, code = match.groups()
            message = f"no bundled font has “{char}” (U+{code} {unicodedata.name(char, 'without a name')})"
        message = " ".join(_FOLDERS.sub("", _IN_STYLE.sub("", message)).split())
        for library, plain in _PLAIN:
            message = library.sub(plain, message)
        self._problems.append(Problem(self._place, message))


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Let cyclic garbage be looked for seldom: a layout makes millions of objects, and nearly all of them stay."""
    usual = gc.get_threshold()
    gc.set_threshold(10_000_000, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@contextmanager
def _fixed_date() -> Iterator[None]:
    """Set SOURCE_DATE_EPOCH for the render: fonts that fontTools cuts carry the time of day otherwise."""
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = EPOCH
    try:
        yield
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before


def _check_bundle(fonts: PageFonts) -> None:
    """Raise SheetgenError unless fontconfig finds the bundled files: Pango crashes without fonts (RND-21)."""
    from weasyprint.text.ffi import ffi, fontconfig

    for family in FAMILIES:
        pattern = ffi.gc(fontconfig.FcPatternCreate(), fontconfig.FcPatternDestroy)
        fontconfig.FcPatternAddString(pattern, b"family", family.encode())
        fontconfig.FcConfigSubstitute(fonts._config, pattern, fontconfig.FcMatchFont)
        fontconfig.FcDefaultSubstitute(pattern)
        match = fontconfig.FcFontMatch(fonts._config, pattern, ffi.new("FcResult *"))
        path = ffi.new("FcChar8 **")
        if match == ffi.NULL or fontconfig.FcPatternGetString(match, b"file", 0, path) != 0:
            raise SheetgenError(f"fontconfig shows no font at all; {quoted(family)} is wanted")
        if Path(os.fsdecode(ffi.string(path[0]))).parent != font_folder(family):
            raise SheetgenError(f"fontconfig does not show the bundled {quoted(family)} (is FONTCONFIG_FILE set?)")


def _link_faults(document: Any) -> Iterator[str]:
    """Yield a message for each link or attachment that may not be in a PDF (RND-03, RND-06)."""
    if document.metadata.attachments:
        yield "files may not be attached to a page"
    for page in document.pages:
        for kind, target, _, _ in page.links:
            if kind == "attachment":
                yield f"files may not be attached to a page: {quoted(target)}"
            elif kind == "external" and target.partition(":")[0].lower() not in LINK_SCHEMES:
                shown = _FOLDERS.sub("", target)
                yield f"a link may lead to a heading, a web page or a mail address, not to {quoted(shown)}"


def _family_faults(document: Any, own: set[str]) -> Iterator[str]:
    """Yield a message for each font family that is neither bundled nor brought by the page (RND-19)."""
    known = {*FAMILIES, *own, *GENERIC}
    asked: dict[str, None] = {}
    for page in document.pages:
        for box in page._page_box.descendants():
            if hasattr(box, "text") and box.text.strip():
                asked |= dict.fromkeys(box.style["font_family"])
    for family in asked:
        if family not in known:
            yield f"unknown font-family {quoted(family)}{suggestion(family, known)}"


@dataclass(frozen=True, slots=True)
class _Window:
    """The visible area, in CSS pixels from the upper left of the page; `turn` is how boxes in it are transformed."""

    left: float
    top: float
    right: float
    bottom: float
    turn: Any = None

    def through(self, transform: Any) -> _Window:
        """Return the area as seen from a box that is moved, turned or slanted itself."""
        return replace(self, turn=transform @ self.turn if self.turn else transform) if transform else self

    def within(self, box: Any) -> _Window:
        """Return the area that is visible through a box that hides its overflow."""
        x, y = box.padding_box_x(), box.padding_box_y()
        left, top, right, bottom = rectangle_aabb(self.turn, x, y, box.padding_width(), box.padding_height())
        return replace(
            self,
            left=max(self.left, left),
            top=max(self.top, top),
            right=min(self.right, right),
            bottom=min(self.bottom, bottom),
        )

    def overrun(self, text: Any) -> float:
        """Return by how many pixels a text box reaches out of the area."""
        size, baseline = text.style["font_size"], text.position_y + text.baseline
        upper, high = baseline - _ABOVE * size, (_ABOVE + _BELOW) * size
        left, top, right, bottom = rectangle_aabb(self.turn, text.position_x, upper, text.width, high)
        return float(max(self.left - left, right - self.right, self.top - top, bottom - self.bottom))

    def hidden(self, box: Any) -> float:
        """Return by how many pixels a picture reaches out below or to the right."""
        x, y = box.content_box_x(), box.content_box_y()
        _, _, right, bottom = rectangle_aabb(self.turn, x, y, box.width, box.height)
        return float(max(right - self.right, bottom - self.bottom))


@dataclass(frozen=True, slots=True)
class Overrun:
    """A message about text that is cut off, and the `data-name` of the part that it is in, if it is in one."""

    message: str
    name: str = ""


def overruns(document: Any) -> Iterator[Overrun]:
    """Yield what the document cuts off, and by how much: each text with its page, or a named part as a whole."""
    for number, page in enumerate(document.pages, 1):
        bleed = page.bleed
        paper = _Window(-bleed["left"], -bleed["top"], page.width + bleed["right"], page.height + bleed["bottom"])
        most: dict[str, float] = {}
        for text, over, name in _cut(page._page_box, paper):
            if name:
                most[name] = max(over, most.get(name, 0.0))
            else:
                length = millimetres(over * POINTS_PER_CSS_PIXEL)
                yield Overrun(f"page {number}: {quoted(text)} reaches {length:.1f} mm out of its box")
        for name, over in most.items():
            length = millimetres(over * POINTS_PER_CSS_PIXEL)
            yield Overrun(f"{quoted(name)} has {length:.1f} mm more than there is room for", name)


def _cut(box: Any, window: _Window, name: str = "") -> Iterator[tuple[str, float, str]]:
    style, element = box.style, box.element
    about = {} if element is None else getattr(element, "attrib", {})
    if CUT_ON_PURPOSE in about:
        return
    name, window = about.get(NAME, name), window.through(box.transformation_matrix)
    if hasattr(box, "text"):
        over = window.overrun(box) if box.text.strip() and style["visibility"] == "visible" else 0.0
        if over > _TOLERANCE:
            yield box.text.strip(), over, name
        return
    if name and hasattr(box, "replacement"):
        over = window.hidden(box)
        if over > _TOLERANCE:
            yield about.get("aria-label", box.element_tag), over, name
        return
    if style["overflow"] != "visible" and hasattr(box, "padding_left") and hasattr(box, "height"):
        window = window.within(box)
    for child in box.all_children():
        yield from _cut(child, window, name)
