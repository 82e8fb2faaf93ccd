"""WeasyPrint's one home: lays HTML out on pages, strictly.

A page that fetches what it must not, links where it must not, asks for a font that is not bundled, has a character that
no font can show, or sets text off its paper is refused with every such problem named. Importing this module imports
WeasyPrint, which reads FONTCONFIG_FILE once: see `fonts.fontconfig_file`.
"""

from __future__ import annotations

import logging
import os
import re
import traceback
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urljoin

import weasyprint
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetchingError

from sheetgen.errors import InputError, Place, Problem, SheetgenError, quoted, suggestion
from sheetgen.pdf.flow.drawings import set_aside
from sheetgen.pdf.flow.overflow import overruns
from sheetgen.pdf.flow.resource_fetcher import Refused, ResourceFetcher
from sheetgen.pdf.fonts.bundled import FAMILIES, font_folder

# 1980-01-01, the first day a ZIP archive can name: any fixed moment makes renders repeatable.
EPOCH = "315532800"
GENERIC = ("serif", "sans-serif")
MOST_PAGES = 500
LINK_SCHEMES = ("http", "https", "mailto")
_NOT_OURS = ("Using fontTools instead of HarfBuzz-Subset",)
_IN_STYLE = re.compile(r" at \d+:\d+")
_MISSING_GLYPH = re.compile(r'\.notdef glyph .*: "(.*)" \(U\+([0-9A-F]+)\)', re.DOTALL)


class Fonts(FontConfiguration):  # type: ignore[misc]  # WeasyPrint has no types
    """A font configuration that remembers which families the page brings itself, one file a face."""

    def __init__(self) -> None:
        super().__init__()
        self.families: set[str] = set()
        self.twice: list[str] = []
        self._faces: set[tuple[str, str, str]] = set()

    def add_font_face(self, rule_descriptors: dict[str, Any], url_fetcher: object) -> None:
        """Adds the face; a second file for the same face is noted, since it would print wrong letters (RND-20)."""
        family = str(rule_descriptors["font_family"])
        style, weight = (str(rule_descriptors.get(key, "normal")) for key in ("font_style", "font_weight"))
        if (face := (family, style, weight)) in self._faces:
            self.twice.append(family)
        self._faces.add(face)
        self.families.add(family)
        super().add_font_face(rule_descriptors, url_fetcher)


@contextmanager
def strictly(name: str) -> Iterator[list[Problem]]:
    """Collects the problems of one render, those of WeasyPrint's log too; raises InputError if there were any."""
    problems: list[Problem] = []
    handler = _Listener(name, problems)
    logger = logging.getLogger("weasyprint")
    logger.addHandler(handler)
    try:
        with _fixed_date():
            yield problems
    except (FatalURLFetchingError, URLFetchingError) as error:
        problems.append(Problem(Place(name), str(error)))
    except RecursionError:
        problems.append(Problem(Place(name), "nested too deeply"))
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        problems.append(Problem(Place(name), f"holds half a character (U+{ord(half):04X}, a lone surrogate)"))
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:
        told = InputError([Problem(Place(name), f"cannot be laid out: some style asks for what cannot be ({error})")])
        told.add_note("".join(traceback.format_exception(error))[-10_000:])
        raise told from error
    finally:
        logger.removeHandler(handler)
    if problems:
        raise InputError(dict.fromkeys(problems))


def laid_out(
    html: str,
    problems: list[Problem],
    *,
    root: Path,
    name: str,
    forms: bool = False,
    places: Mapping[str, Place] = MappingProxyType({}),
) -> Any:
    """The WeasyPrint document of the page, its links and fonts checked.

    With `forms`, inputs keep their boxes, and their values move to the attribute `data-value`, out of the drawing. The
    `places` say where the text of a part with a `data-name` comes from, for when it does not fit.
    """
    document, fonts = _rendered(html, root=root, forms=forms)
    place = Place(name)
    if len(document.pages) > MOST_PAGES:
        problems.append(Problem(place, f"has {len(document.pages):,} pages; the most is {MOST_PAGES}"))
        return document
    problems += [Problem(place, f"two font files for one face of {quoted(family)}") for family in fonts.twice]
    problems += [Problem(place, message) for message in _link_faults(document)]
    problems += [Problem(places.get(each.name, place), each.message) for each in overruns(document)]
    problems += [Problem(place, message) for message in _family_faults(document, fonts.families)]
    return document


def overfull(html: str, *, root: Path, name: str) -> frozenset[str]:
    """The names of the parts of a page, told by their `data-name`, whose text or pictures are cut off."""
    with strictly(name) as problems:
        document, _ = _rendered(html, root=root)
        found = frozenset(each.name for each in overruns(document) if each.name)
        problems.clear()  # whoever prints the page is told of them
    return found


def refusal(address: str, *, root: Path) -> str:
    """Why a page may not use the file at an address relative to `root`; empty if it may."""
    try:
        _fetcher(root).fetch(urljoin(f"{root.resolve().as_uri()}/", address))
    except Refused as refused:
        return f"cannot use {quoted(address, longest=120)}: {refused.why}"
    return ""


def _fetcher(root: Path) -> ResourceFetcher:
    return ResourceFetcher((root.resolve(), *(font_folder(family).resolve() for family in FAMILIES)))


def _rendered(html: str, *, root: Path, forms: bool = False) -> tuple[Any, Fonts]:
    """The WeasyPrint document of a page as it is, and the fonts that it asked for."""
    fonts = Fonts()
    _check_bundle(fonts)
    with set_aside(html) as shortened:
        page = weasyprint.HTML(string=shortened, base_url=f"{root.resolve().as_uri()}/", url_fetcher=_fetcher(root))
        if forms:
            _set_values_aside(page.etree_element)
        return page.render(font_config=fonts, pdf_forms=forms), fonts


def written(document: Any, problems: list[Problem], *, name: str, **options: object) -> bytes:
    """The document as PDF, the fonts in it checked against the bundle."""
    data: bytes = document.write_pdf(**options)
    problems += [Problem(Place(name), message) for message in document.url_fetcher.refused]
    known = {*FAMILIES, *document.font_config.families}
    strangers = sorted({font.family for font in document.fonts.values()} - known)
    problems += [Problem(Place(name), f"printed with {quoted(family)}, which is not bundled") for family in strangers]
    return data


def _set_values_aside(root: Any) -> None:
    for element in root.iter():
        if element.tag == "input":
            element.attrib["data-value"] = element.attrib.pop("value", "")
        elif element.tag == "textarea":
            element.attrib["data-value"], element.text = element.text or "", None


class _Listener(logging.Handler):
    """Turns each warning of WeasyPrint into a problem."""

    def __init__(self, name: str, problems: list[Problem]) -> None:
        super().__init__(logging.WARNING)
        self._place, self._problems = Place(name), problems

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message.startswith(_NOT_OURS):
            return
        if match := _MISSING_GLYPH.match(message):
            char, code = match.groups()
            message = f"no bundled font has “{char}” (U+{code} {unicodedata.name(char, 'without a name')})"
        # A place is counted within a <style>, of which there may be several: it would mislead.
        self._problems.append(Problem(self._place, " ".join(_IN_STYLE.sub("", message).split())))


@contextmanager
def _fixed_date() -> Iterator[None]:
    """Sets SOURCE_DATE_EPOCH for the render: fonts cut by fontTools carry a date otherwise."""
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = EPOCH
    try:
        yield
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before


def _check_bundle(fonts: Fonts) -> None:
    """Raises SheetgenError unless fontconfig shows the bundled files: Pango dies without fonts (RND-21)."""
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
    """Links and attachments that may not be in a PDF (RND-03, RND-06)."""
    if document.metadata.attachments:
        yield "files may not be attached to a page"
    for page in document.pages:
        for kind, target, _, _ in page.links:
            if kind == "attachment":
                yield f"files may not be attached to a page: {quoted(target)}"
            elif kind == "external" and target.partition(":")[0].lower() not in LINK_SCHEMES:
                yield f"a link may lead to a heading, a web page or a mail address, not to {quoted(target)}"


def _family_faults(document: Any, own: set[str]) -> Iterator[str]:
    """Families asked for that are neither bundled nor brought by the page (RND-19)."""
    known = {*FAMILIES, *own, *GENERIC}
    asked: dict[str, None] = {}
    for page in document.pages:
        for box in page._page_box.descendants():
            if hasattr(box, "text") and box.text.strip():
                asked |= dict.fromkeys(box.style["font_family"])
    for family in asked:
        if family not in known:
            yield f"unknown font-family {quoted(family)}{suggestion(family, known)}"
