"""What a print shop would send a PDF back for: boxes, bleed, fonts, pictures, inks, and what is not for print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import pikepdf
from pikepdf import Dictionary, Name

from sheetgen.errors import quoted
from sheetgen.geometry import CARDS, Box, millimetres, mm
from sheetgen.model.printing import ANY_SHOP, PrintShop
from sheetgen.press.impose import annotations_of, box_of, unit_of
from sheetgen.press.page_content import PageContent, page_content
from sheetgen.press.pdf_x import VERSION, not_pdf_x

FINE_LINES = 600  # dots an inch of pictures that are black or white only
# In points: the thinnest line that offset presses hold (https://preflight.art/glossary/hairline, which has 0.25 for
# digital ones, as https://filecheck.io/glossary/hairlines does); smaller type cannot be read.
HAIRLINE, SMALLEST = 0.15, 5.0
_NEAR = 0.05  # mm: what nobody can cut to
_TINY = 0.005  # points
# Colour just inside the cut counts from this share of the edge; it has to be seen half as far out as the bleed is wide.
_INSIDE, _MOST_INSIDE = 0.6, 0.3
_SEEN = 0.02

Profile = Sequence[tuple[float, float]]  # mm beyond the cut, and the share of the edge that has colour there


@dataclass(frozen=True, slots=True, order=True)
class PreflightFinding:
    """A reason to send a file back, and the page it is on, from 1; 0 for the whole file."""

    page: int
    message: str


@dataclass(frozen=True, slots=True)
class PreflightReport:
    """The findings, the number of pages, the trim box of each in points, and notes on what is no fault.

    `units` says how many points a unit of each page is.
    """

    findings: tuple[PreflightFinding, ...]
    pages: int
    trims: tuple[Box, ...]
    notes: tuple[str, ...] = ()
    units: tuple[float, ...] = ()


def examine(source: pikepdf.Pdf, shop: PrintShop = ANY_SHOP) -> PreflightReport:
    """Return all findings in an open file but those that have to be seen (see `too_near` and `white_bleed`)."""
    findings = [*_file_findings(source), *_for_shop(source, shop)]
    trims, units, contents = list[Box](), list[float](), list[PageContent]()
    for number, page in enumerate(source.pages, 1):
        units.append(unit_of(page))
        trims.append(_scaled(box_of(page.trimbox), units[-1]))
        contents.append(page_content(page))
        said = (*_boxes(page, units[-1], shop), *_page(page, contents[-1], shop))
        findings += [PreflightFinding(number, say) for say in dict.fromkeys(said)]
    findings += _sizes(trims)
    notes = tuple(_notes(source, contents, shop))
    return PreflightReport(tuple(findings), len(trims), tuple(trims), notes, tuple(units))


def too_near(
    made: PreflightReport, texts: Iterable[tuple[int, str, Box]], shop: PrintShop = ANY_SHOP
) -> tuple[PreflightFinding, ...]:
    """Return the text nearest to the cut of each page, or beyond it, where that is nearer than is safe.

    Texts come with the number of their page, from 1, and their box in units of the page.
    """
    nearest: dict[int, tuple[float, str]] = {}
    for number, text, place in texts:
        trim, box = made.trims[number - 1], _scaled(place, made.units[number - 1])
        room = min(box.x - trim.x, box.y - trim.y, trim.right - box.right, trim.top - box.top)
        if millimetres(room) < shop.safe - _NEAR and room < nearest.get(number, (mm(2 * shop.safe), ""))[0]:
            nearest[number] = (room, text)
    return tuple(PreflightFinding(number, _near_text(*near, shop)) for number, near in sorted(nearest.items()))


def _near_text(room: float, text: str, shop: PrintShop) -> str:
    words = quoted(" ".join(text.split()), longest=40)
    if room < 0:
        return f"text {words} reaches {-millimetres(room):.1f} mm beyond the cut"
    return f"text {words} stands {millimetres(room):.1f} mm from the cut ({shop.safe:g} mm at least)"


def white_bleed(
    profiles: Iterable[tuple[int, Mapping[str, Profile]]], shop: PrintShop = ANY_SHOP
) -> tuple[PreflightFinding, ...]:
    """Return the pages whose colour reaches the cut, but not half of the bleed: a white frame in place of a bleed.

    A profile of each edge comes with the number of the page, from 1.
    """
    found = []
    for number, edges in profiles:
        short = {edge: reach for edge, profile in edges.items() if (reach := _short(profile, shop)) is not None}
        if short:
            listed = " and ".join(filter(None, (", ".join([*short][:-1]), [*short][-1])))
            near = round(2 * min(short.values())) / 2  # as exactly as it was looked at
            ends = f"ends about {near:g} mm beyond the cut" if near else "ends at the cut"
            found.append(PreflightFinding(number, f"colour {ends} on the {listed} edge: the bleed there is white"))
    return tuple(found)


def _short(profile: Profile, shop: PrintShop) -> float | None:
    """Return how far colour reaches beyond the cut, in mm, where it reaches the cut but is no bleed; else None.

    Where the page itself ends, nothing is white.
    """
    room = max((out for out, _ in profile), default=0.0)
    inside = max((share for out, share in profile if -_INSIDE <= out < -0.1), default=0.0)
    reach = max((out for out, share in profile if out > 0.2 and share >= _SEEN), default=0.0)
    return reach if inside >= _MOST_INSIDE and room > 0.2 and reach < min(shop.bleed, room) / 2 else None


def grouped(findings: Sequence[PreflightFinding]) -> tuple[str, ...]:
    """Return the findings in words, those that several pages share once: "pages 1 to 8: has no TrimBox"."""
    pages: dict[str, list[int]] = {}
    for each in findings:
        pages.setdefault(each.message, []).append(each.page)
    return tuple(f"{_pages(on)}{message}" for message, on in pages.items())


def _pages(numbers: Sequence[int]) -> str:
    """Return the pages as words lead with them; nothing for the whole file."""
    numbers = sorted({each for each in numbers if each})
    if not numbers:
        return ""
    runs = [[each for _, each in run] for _, run in groupby(enumerate(numbers), lambda at: at[1] - at[0])]
    parts = [part for run in runs for part in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
    listed = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
    return f"page{'' if len(numbers) == 1 else 's'} {listed}: "


def _for_shop(source: pikepdf.Pdf, shop: PrintShop) -> Iterator[PreflightFinding]:
    """What one shop asks of a file, and others do not."""
    if shop.form != ".pdf":
        yield PreflightFinding(0, f"is a PDF, and {shop.title} takes a ZIP of pictures")
    if shop.standard:
        yield from (PreflightFinding(0, each) for each in not_pdf_x(source))
    if shop.cards:
        taken = [CARDS[each] for each in shop.cards]
        for number, page in enumerate(source.pages, 1):
            trim = _scaled(box_of(page.trimbox), unit_of(page))
            off = [
                max(abs(millimetres(trim.width) - w), abs(millimetres(trim.height) - h))
                for w, h in ((each.width, each.height) for size in taken for each in (size, size.turned))
            ]
            if min(off) > 0.1:
                yield PreflightFinding(
                    number, f"is trimmed to {size_in_mm(trim)}, and {shop.title} cuts {', '.join(shop.cards)} cards"
                )


def _file_findings(source: pikepdf.Pdf) -> Iterator[PreflightFinding]:
    if source.is_encrypted:
        yield PreflightFinding(0, "is encrypted: save it without a password or restrictions")
    if "/AcroForm" in source.Root and len(source.Root.AcroForm.get("/Fields", [])):
        yield PreflightFinding(0, "has form fields: print it to a new PDF first")
    names = source.Root.get("/Names", Dictionary())
    opening = source.Root.get("/OpenAction")
    if "/JavaScript" in names or (isinstance(opening, Dictionary) and opening.get("/S") == Name.JavaScript):
        yield PreflightFinding(0, "holds a script")
    if "/EmbeddedFiles" in names:
        yield PreflightFinding(0, "has files attached")


def _page(page: pikepdf.Page, found: PageContent, shop: PrintShop) -> Iterator[str]:
    if found.broken:
        yield "is drawn with instructions that are broken: print it to a new PDF first"
    for name in sorted(found.unembedded):
        yield f"font {name} is not embedded"
    for picture in found.pictures:
        least = FINE_LINES if picture.line_art else shop.dots
        if picture.dpi < least - 0.5:
            yield (
                f"a picture of {picture.width} × {picture.height} dots is printed at {picture.dpi:.0f} dots an inch "
                f"({least} at least)"
            )
    yield from _fineness(found)
    yield from _inks(found, shop)
    others = [each for each in annotations_of(page) if each.get("/Subtype") != Name.Link]
    if others:
        yield f"has {len(others)} note{'' if len(others) == 1 else 's'} or fields on it, which do not belong in print"


def _fineness(found: PageContent) -> Iterator[str]:
    """Lines and letters that a press cannot print."""
    if found.thinnest is not None and found.thinnest < HAIRLINE - _TINY:
        yield f"a line of {found.thinnest:.2g} pt may break up ({HAIRLINE:g} pt at least)"
    if found.smallest is not None and found.smallest < SMALLEST - _TINY:
        yield f"type of {found.smallest:.2g} pt cannot be read ({SMALLEST:g} pt at least)"


def _inks(found: PageContent, shop: PrintShop) -> Iterator[str]:
    """Colours that the shop does not take."""
    if found.ink > shop.ink + 0.5:
        yield f"a colour has {found.ink:.0f} % of ink ({shop.ink} % at most)"
    if shop.standard and found.light:
        yield f"has colours of red, green and blue, and {VERSION} knows inks only"
    if shop.standard and found.see_through:
        yield f"has see-through parts, which {VERSION} does not know"


def _boxes(page: pikepdf.Page, unit: float, shop: PrintShop) -> Iterator[str]:
    """What is wrong with the boxes: each within the next, with the bleed between the first two."""
    if unit != 1:
        yield f"is measured in units of {unit:g} points (UserUnit), which many presses do not read"
    if "/TrimBox" not in page.obj:
        yield "has no TrimBox: it does not say where it is cut"
        return
    media, crop = box_of(page.mediabox), box_of(page.cropbox)
    trim, bleed = box_of(page.trimbox), box_of(page.bleedbox)
    if "/BleedBox" not in page.obj:
        yield "has no BleedBox: it does not say what may be cut away"
    elif not _within(bleed, media) or not _within(bleed, crop):
        yield "has a BleedBox that reaches beyond the page"
    elif not _within(trim, bleed):
        yield "has a TrimBox that reaches beyond its BleedBox"
    else:
        least = unit * min(trim.x - bleed.x, trim.y - bleed.y, bleed.right - trim.right, bleed.top - trim.top)
        if millimetres(least) < shop.bleed - _NEAR:
            yield f"has {max(millimetres(least), 0):.1f} mm of bleed ({shop.bleed:g} mm at least)"


def _sizes(trims: list[Box]) -> Iterator[PreflightFinding]:
    """Pages that are trimmed to another size than the first."""
    first = trims[0]
    for number, trim in enumerate(trims, 1):
        off = max(abs(trim.width - first.width), abs(trim.height - first.height))
        if millimetres(off) > 0.1:
            yield PreflightFinding(number, f"is trimmed to {size_in_mm(trim)}, unlike page 1 with {size_in_mm(first)}")


def size_in_mm(box: Box) -> str:
    """Return width and height of a box, as in `63.5 × 88.9 mm`."""
    return f"{millimetres(box.width):.1f} × {millimetres(box.height):.1f} mm"


def _scaled(box: Box, unit: float) -> Box:
    return Box(box.x * unit, box.y * unit, box.width * unit, box.height * unit)


def _notes(source: pikepdf.Pdf, contents: list[PageContent], shop: PrintShop) -> Iterator[str]:
    if any(found.rgb for found in contents) and not shop.standard and shop.form == ".pdf":
        yield "colours are RGB: most print shops turn them into their inks themselves; ask whether yours does"
    links = sum(each.get("/Subtype") == Name.Link for page in source.pages for each in annotations_of(page))
    if links:
        yield f"has {links} links: they do no harm, and are not printed"
    if any(found.left < 0 for found in contents):
        yield "some pages are too intricate to be looked at whole"


def _within(inner: Box, outer: Box) -> bool:
    slack = mm(_NEAR)
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.right <= outer.right + slack
        and inner.top <= outer.top + slack
    )
