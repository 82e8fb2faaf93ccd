"""Whether a PDF can go to a print shop: its boxes, fonts, pictures, and what else a shop stumbles over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pikepdf
from pikepdf import Dictionary, Name

from sheetgen.errors import quoted
from sheetgen.geometry import Box, millimetres, mm
from sheetgen.press.ink import Ink, ink

BLEED, SAFE = 3.0, 3.0  # mm around the cut, and within it
FINE, FINE_LINES = 300, 600  # dots an inch: of pictures, and of those that are black or white only
_NEAR = 0.05  # mm: what nobody can cut to


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing a print shop would send back, and the page it is on, from 1; 0 for the whole file."""

    page: int
    message: str


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found, how many pages there are, what each is trimmed to, and what is worth knowing but no fault."""

    findings: tuple[Finding, ...]
    pages: int
    trims: tuple[Box, ...]
    notes: tuple[str, ...] = ()


def examine(source: pikepdf.Pdf) -> Examined:
    """Return what is found in an open file but for its text, see `too_near`."""
    findings = list(_whole(source))
    trims, inks = [], []
    for number, page in enumerate(source.pages, 1):
        trims.append(_box(page.trimbox))
        inks.append(ink(page))
        findings += [Finding(number, say) for say in dict.fromkeys(_page(page, inks[-1]))]
    findings += _sizes(trims)
    return Examined(tuple(findings), len(trims), tuple(trims), tuple(_notes(source, inks)))


def too_near(trims: tuple[Box, ...], texts: Iterable[tuple[int, str, Box]]) -> tuple[Finding, ...]:
    """The text that stands nearer to the cut than is safe, or beyond it: the nearest of each page."""
    nearest: dict[int, tuple[float, str]] = {}
    for number, text, box in texts:
        trim = trims[number - 1]
        room = min(box.x - trim.x, box.y - trim.y, trim.right - box.right, trim.top - box.top)
        if millimetres(room) < SAFE - _NEAR and room < nearest.get(number, (SAFE * 10, ""))[0]:
            nearest[number] = (room, text)
    return tuple(Finding(number, _told(room, text)) for number, (room, text) in sorted(nearest.items()))


def _told(room: float, text: str) -> str:
    words = quoted(" ".join(text.split()), longest=40)
    if room < 0:
        return f"text {words} reaches {-millimetres(room):.1f} mm beyond the cut"
    return f"text {words} stands {millimetres(room):.1f} mm from the cut ({SAFE:g} mm at least)"


def _whole(source: pikepdf.Pdf) -> Iterator[Finding]:
    if source.is_encrypted:
        yield Finding(0, "is encrypted: save it without a password or restrictions")
    if "/AcroForm" in source.Root and len(source.Root.AcroForm.get("/Fields", [])):
        yield Finding(0, "has form fields: print it to a new PDF first")
    names = source.Root.get("/Names", Dictionary())
    opening = source.Root.get("/OpenAction")
    if "/JavaScript" in names or (isinstance(opening, Dictionary) and opening.get("/S") == Name.JavaScript):
        yield Finding(0, "holds a script")
    if "/EmbeddedFiles" in names:
        yield Finding(0, "has files attached")


def _page(page: pikepdf.Page, found: Ink) -> Iterator[str]:
    yield from _boxes(page)
    if found.broken:
        yield "is drawn with instructions that are broken: print it to a new PDF first"
    for name in sorted(found.strangers):
        yield f"font {name} is not embedded"
    for picture in found.pictures:
        least = FINE_LINES if picture.line_art else FINE
        if picture.dpi < least - 0.5:
            yield (
                f"a picture of {picture.width} × {picture.height} dots is printed at {picture.dpi:.0f} dots an inch "
                f"({least} at least)"
            )
    others = [each for each in _annotations(page) if each.get("/Subtype") != Name.Link]
    if others:
        yield f"has {len(others)} note{'' if len(others) == 1 else 's'} or fields on it, which do not belong in print"


def _boxes(page: pikepdf.Page) -> Iterator[str]:
    """What is wrong with the boxes: each within the next, with the bleed between the first two."""
    if "/TrimBox" not in page.obj:
        yield "has no TrimBox: it does not say where it is cut"
        return
    trim, bleed, media = _box(page.trimbox), _box(page.bleedbox), _box(page.mediabox)
    crop = _box(page.cropbox)
    if "/BleedBox" not in page.obj:
        yield "has no BleedBox: it does not say what may be cut away"
    elif not _within(bleed, media) or not _within(bleed, crop):
        yield "has a BleedBox that reaches beyond the page"
    elif not _within(trim, bleed):
        yield "has a TrimBox that reaches beyond its BleedBox"
    else:
        least = min(trim.x - bleed.x, trim.y - bleed.y, bleed.right - trim.right, bleed.top - trim.top)
        if millimetres(least) < BLEED - _NEAR:
            yield f"has {millimetres(least):.1f} mm of bleed ({BLEED:g} mm at least)"


def _sizes(trims: list[Box]) -> Iterator[Finding]:
    """Pages that are trimmed to another size than the first."""
    first = trims[0]
    for number, trim in enumerate(trims, 1):
        off = max(abs(trim.width - first.width), abs(trim.height - first.height))
        if millimetres(off) > 0.1:
            yield Finding(number, f"is trimmed to {_size(trim)}, unlike page 1 with {_size(first)}")


def _size(box: Box) -> str:
    return f"{millimetres(box.width):.1f} × {millimetres(box.height):.1f} mm"


def _notes(source: pikepdf.Pdf, inks: list[Ink]) -> Iterator[str]:
    if any(found.light for found in inks):
        yield "colours are RGB: most print shops turn them into their inks themselves; ask whether yours does"
    links = sum(each.get("/Subtype") == Name.Link for page in source.pages for each in _annotations(page))
    if links:
        yield f"has {links} links: they do no harm, and are not printed"
    if any(found.left < 0 for found in inks):
        yield "some pages are too intricate to be looked at whole"


def _annotations(page: pikepdf.Page) -> Iterator[pikepdf.Object]:
    for each in page.obj.get("/Annots", []):
        if isinstance(each, Dictionary):
            yield each


def _box(box: object) -> Box:
    left, bottom, right, top = (float(each) for each in box)  # type: ignore[attr-defined]
    return Box(min(left, right), min(bottom, top), abs(right - left), abs(top - bottom))


def _within(inner: Box, outer: Box) -> bool:
    slack = mm(_NEAR)
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.right <= outer.right + slack
        and inner.top <= outer.top + slack
    )
