"""Cards and pages as a print shop asks for them: its bleed, its inks, its pictures."""

from __future__ import annotations

from sheetgen.errors import UsageError
from sheetgen.geometry import CARDS, mm
from sheetgen.model.printing import CONDITIONS, PrintShop
from sheetgen.pdf.pdfium import in_inks
from sheetgen.press.pages import cut_to_bleed, normalize_origin
from sheetgen.press.pdf_x import VERSION, as_pdf_x
from sheetgen.products.cards.sheets import CardPages, single_cards, write_pictures
from sheetgen.products.product import ProductResult

CLOSEST = 3.2  # mm from the cut, where the text of our cards begins
PAGE_DPI = 600  # of a page that becomes a picture: fine enough for the type on it


def check_size(shop: PrintShop, size: str) -> None:
    """Raise UsageError if the shop does not cut cards of that size."""
    if shop.cards and size not in shop.cards:
        raise UsageError(f"{shop.title} cuts cards of {', '.join(shop.cards)}, not {size}: say --size {shop.cards[0]}")


def shop_cards(faces: CardPages, shop: PrintShop, what: str, *, backs: bool = True) -> ProductResult:
    """Return the cards of a deck as the shop takes them, what they are, and what to know before they are sent."""
    card, bleed, near = CARDS[faces.size], shop.bleed, _near_text(shop)
    around = f"{card.width + 2 * bleed:g} × {card.height + 2 * bleed:g} mm with {bleed:g} mm of bleed"
    if shop.form == ".zip":
        pieces = list[bytes]()
        write_pictures(faces, pieces.append, backs=backs, bleed=bleed, dpi=shop.dots)
        dots = " × ".join(str(round((side + 2 * bleed) / 25.4 * shop.dots)) for side in (card.width, card.height))
        about = f"for {shop.title}: pictures of {dots} dots, {around}, in RGB"
        return ProductResult(b"".join(pieces), what, (about,), notes=near)
    data, notes = single_cards(faces, backs=backs, back_first=shop.first == "back", bleed=bleed), tuple[str, ...]()
    if shop.standard:
        data, notes = in_standard(data, shop)
    order = ", each back before its front" if backs and shop.first == "back" else ""
    about = f"for {shop.title}: pages of {around}{order}{standard_told(shop)}"
    return ProductResult(data, what, (about,), notes=(*notes, *near))


def _near_text(shop: PrintShop) -> tuple[str, ...]:
    """Return a note for a shop that wants text further from the cut than our cards have it."""
    if shop.safe <= CLOSEST:
        return ()
    look = f": sheetgen preflight FILE --for {shop.name} names it" if shop.form == ".pdf" else ""
    return (f"{shop.title} wants text {shop.safe:g} mm from the cut, and some of ours stands nearer{look}",)


def shop_book(data: bytes, shop: PrintShop, what: str) -> ProductResult:
    """Return the pages of a book as the shop takes them; without links."""
    made, notes = normalize_origin(cut_to_bleed(data, mm(shop.bleed))), tuple[str, ...]()
    if shop.standard:
        made, notes = in_standard(made, shop)
    about = f"for {shop.title}: pages with {shop.bleed:g} mm of white around them{standard_told(shop)}"
    return ProductResult(made, what, (about,), notes=notes)


def check_book(shop: PrintShop) -> None:
    """Raise UsageError for a shop that takes no books."""
    if shop.cards or shop.form != ".pdf":
        raise UsageError(f"{shop.title} prints cards: say --for shop, or describe the one that prints your book")


def in_standard(data: bytes, shop: PrintShop) -> tuple[bytes, tuple[str, ...]]:
    """Return pages in the standard of a shop, and notes on those that became pictures."""
    made, pictured = as_pdf_x(data, condition=shop.condition, paint=lambda page: in_inks(data, page, dpi=PAGE_DPI))
    if not pictured:
        return made, ()
    pages = f"{len(pictured)} page{' is a picture' if len(pictured) == 1 else 's are pictures'}"
    return made, (f"{pages} of {PAGE_DPI} dots an inch, as {VERSION} knows nothing see-through",)


def standard_told(shop: PrintShop) -> str:
    """Return the standard and the inks of a shop's PDFs in words that follow on their size."""
    if not shop.standard:
        return ""
    return f", {VERSION} for {shop.condition} ({CONDITIONS[shop.condition]}), black as black ink alone"
