"""Cards as print shops ask for them: their bleed to a hundredth of a millimetre, their dots, their inks."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pikepdf
import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from sheetgen.errors import InputError, UsageError
from sheetgen.geometry import CARDS, DRAWN_BLEED, mm
from sheetgen.pdf.pdfium import in_inks
from sheetgen.press.pdf_x import inks_of, not_pdf_x
from sheetgen.products.cards.sheets import CardPages
from sheetgen.products.cards.shop_files import check_book, check_size, shop_book, shop_cards
from sheetgen.workspace.printers import print_shop
from sheetgen.workspace.project import Project

POKER = CARDS["poker"]
Draw = Callable[[Canvas], None]
OWN = """title: Corner shop
bleed: 4.5
standard: pdf/x-1a
condition: FOGRA52
cards: [tarot]
"""


def coloured(canvas: Canvas) -> None:
    canvas.setFillColorRGB(0.2, 0.6, 0.4)
    canvas.rect(-9, -9, 999, 999, stroke=0, fill=1)


def see_through(canvas: Canvas) -> None:
    canvas.setFillAlpha(0.5)
    coloured(canvas)


def faces(*draw: Draw) -> CardPages:
    """Fronts as drawn, and last the back that they share, each with what is drawn around a card."""
    made, around = BytesIO(), mm(DRAWN_BLEED)
    width, height = mm(POKER.width), mm(POKER.height)
    canvas = Canvas(made, pagesize=(width + 2 * around, height + 2 * around))
    for each in draw:
        canvas.setTrimBox((around, around, around + width, around + height))
        each(canvas)
        canvas.showPage()
    canvas.save()
    with pikepdf.open(made) as drawn, BytesIO() as out:
        for page in drawn.pages:  # the letters of reportlab are in no file
            del page.obj.Resources["/Font"]
            page.obj.Contents = drawn.make_stream(
                re.sub(rb"BT.*?ET", b"", page.obj.Contents.read_bytes(), flags=re.DOTALL)
            )
        drawn.save(out)
        return CardPages(out.getvalue(), "poker", tuple(f"Card {at}" for at in range(1, len(draw))))


def boxes(page: pikepdf.Page) -> list[list[float]]:
    return [[round(float(each) / mm(1), 3) for each in box] for box in (page.mediabox, page.bleedbox, page.trimbox)]


@pytest.mark.parametrize(
    ("name", "bleed", "condition"), [("drivethru", 3.175, "CGATS TR 001"), ("shop", 3.0, "FOGRA39")]
)
def test_a_pdf_has_the_bleed_and_the_standard_of_its_shop(
    project: Project, name: str, bleed: float, condition: str
) -> None:
    made = shop_cards(faces(coloured, coloured, coloured), print_shop(project, name), "two cards")
    with pikepdf.open(BytesIO(made.data)) as pdf:
        assert len(pdf.pages) == 4, "front, back, front, back"
        whole = [0, 0, round(POKER.width + 2 * bleed, 3), round(POKER.height + 2 * bleed, 3)]
        trim = [bleed, bleed, round(bleed + POKER.width, 3), round(bleed + POKER.height, 3)]
        for page in pdf.pages:
            assert boxes(page) == [whole, whole, trim]
        assert list(not_pdf_x(pdf)) == []
        assert pdf.Root.OutputIntents[0].OutputConditionIdentifier == condition
    assert made.notes == ()
    assert made.advice[0].endswith("black as black ink alone")


@pytest.mark.parametrize(
    ("name", "backs", "order"),
    [
        ("drivethru", True, ["back", "front", "back", "front"]),
        ("drivethru", False, ["front", "front"]),
        ("shop", True, ["front", "back", "front", "back"]),
    ],
)
def test_a_shop_gets_backs_and_fronts_in_its_order(project: Project, name: str, backs: bool, order: list[str]) -> None:
    made = shop_cards(faces(coloured, coloured, see_through), print_shop(project, name), "two cards", backs=backs)
    with pikepdf.open(BytesIO(made.data)) as pdf:  # only what is see-through, here the back, becomes a picture
        pictured = ["/XObject" in page.obj.Resources for page in pdf.pages]
    assert ["back" if each else "front" for each in pictured] == order
    assert ("each back before its front" in made.advice[0]) is (name == "drivethru" and backs)


def test_colours_are_inks_and_greys_black_ink_alone() -> None:
    assert inks_of(0, 0, 0) == (1,)
    assert inks_of(0.5, 0.5, 0.5) == (0.5,)
    assert inks_of(1, 0, 0) == (0, 1, 1, 0)
    assert inks_of(0.2, 0.6, 0.4) == (0.6666, 0, 0.3333, 0.4)


@pytest.mark.parametrize("colour", [(27, 42, 73), (155, 27, 30), (45, 95, 60), (150, 72, 24), (76, 45, 110)])
def test_dark_colours_stay_as_deep_in_inks(colour: tuple[int, int, int]) -> None:
    """Drawn as a press would print them, no part is further than 30 of 255 from what the screen shows."""
    inks = inks_of(*(each / 255 for each in colour))
    assert sum(inks) <= 2
    drawn = pikepdf.new()
    contents = drawn.make_stream(f"{' '.join(map(str, inks))} k 0 0 9 9 re f".encode())
    page = pikepdf.Dictionary(Type=pikepdf.Name.Page, MediaBox=[0, 0, 9, 9], Contents=contents)
    drawn.pages.append(pikepdf.Page(page))
    out = BytesIO()
    drawn.save(out)
    with pypdfium2.PdfDocument(out.getvalue()) as document:
        seen = document[0].render().to_pil().convert("RGB").getpixel((4, 4))
    assert max(abs(one - other) for one, other in zip(seen, colour, strict=True)) <= 30


def test_a_picture_has_the_inks_of_what_is_drawn() -> None:
    bands = [
        (27, 42, 73),
        (155, 27, 30),
        (0, 0, 0),
        (128, 128, 128),
        (255, 255, 255),
        (0, 0, 40),
        (0, 0, 1),
        (0, 0, 255),
    ]
    drawn = pikepdf.new()
    for colour in bands:
        contents = drawn.make_stream(f"{' '.join(str(each / 255) for each in colour)} rg 0 0 9 9 re f".encode())
        page = pikepdf.Dictionary(Type=pikepdf.Name.Page, MediaBox=[0, 0, 9, 9], Contents=contents)
        drawn.pages.append(pikepdf.Page(page))
    out = BytesIO()
    drawn.save(out)
    for at, colour in enumerate(bands):
        inks = inks_of(*(each / 255 for each in colour))
        whole = [0, 0, 0, *inks] if len(inks) == 1 else inks
        picture = in_inks(out.getvalue(), at, dpi=72)[2]
        assert [*picture[160:164]] == pytest.approx([255 * each for each in whole], abs=2)


def test_black_with_a_trace_of_colour_is_next_to_nothing_but_black() -> None:
    assert sum(inks_of(0, 0, 0.004)[:3]) < 0.05


def test_the_standard_has_no_colours_of_light(project: Project) -> None:
    made = shop_cards(faces(coloured, coloured), print_shop(project, "shop"), "one card")
    with pikepdf.open(BytesIO(made.data)) as pdf:
        operators = {str(each.operator) for page in pdf.pages for each in pikepdf.parse_content_stream(page)}
    assert "k" in operators
    assert not operators & {"rg", "RG", "gs", "cs", "sh"}


def test_a_page_with_see_through_parts_becomes_a_picture_in_inks_and_is_told(project: Project) -> None:
    made = shop_cards(faces(coloured, coloured, see_through), print_shop(project, "shop"), "two cards")
    assert made.notes == ("2 pages are pictures of 600 dots an inch, as PDF/X-1a:2003 knows nothing see-through",)
    with pikepdf.open(BytesIO(made.data)) as pdf:
        picture, other = (pdf.pages[at].obj.Resources.XObject.Picture for at in (1, 3))
        assert (picture.ColorSpace, picture.Width, picture.Height) == ("/DeviceCMYK", 1642, 2242)
        assert picture.objgen == other.objgen, "in the file once"
        assert tuple(picture.read_bytes()[:4]) == pytest.approx((64, 0, 32, 51), abs=1), "half as strong on white"


def test_what_is_drawn_wholly_transparent_is_left_out(project: Project) -> None:
    def unseen(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.setFillAlpha(0)
        canvas.rect(20, 20, 40, 40, stroke=0, fill=1)
        canvas.restoreState()
        canvas.setFillColorRGB(1, 0, 0)
        canvas.rect(60, 60, 40, 40, stroke=0, fill=1)

    made = shop_cards(faces(unseen, coloured), print_shop(project, "shop"), "one card")
    assert made.notes == ()
    with pikepdf.open(BytesIO(made.data)) as pdf:
        drawn = [str(each.operator) for each in pikepdf.parse_content_stream(pdf.pages[0])]
    assert [each for each in drawn if each in ("re", "k", "f*", "n")] == ["n", "re", "n", "k", "n", "re", "f*"]


def test_pages_of_a_book_have_bleed_and_inks_and_no_links(project: Project) -> None:
    with pikepdf.open(BytesIO(faces(coloured, coloured).data)) as pdf, BytesIO() as out:
        for page in pdf.pages:
            page.mediabox = page.trimbox = pikepdf.Array([0, 0, mm(148), mm(210)])
            link = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=[0, 0, 9, 9])
            page.obj.Annots = pikepdf.Array([link])
        pdf.save(out)
        made = shop_book(out.getvalue(), print_shop(project, "shop"), "a book")
    with pikepdf.open(BytesIO(made.data)) as pdf:
        assert boxes(pdf.pages[0]) == [[0, 0, 154, 216], [0, 0, 154, 216], [3, 3, 151, 213]]
        assert list(not_pdf_x(pdf)) == []
        assert not any("/Annots" in page.obj for page in pdf.pages)


def test_a_tarot_card_of_the_usa_has_the_dots_of_its_template(sheetgen: Callable[..., Any], tmp_path: Path) -> None:
    words = ("cards", "slackwater", "--for", "gamecrafter", "--size", "us-tarot", "-o", "deck.zip")
    ran = sheetgen(*words)
    assert ran.code == 0, ran.err
    with ZipFile(tmp_path / "deck.zip") as zipped, Image.open(zipped.open(zipped.namelist()[0])) as picture:
        assert picture.size == (900, 1500)


def test_a_deck_goes_to_a_shop_on_a_size_that_it_cuts(sheetgen: Callable[..., Any], tmp_path: Path) -> None:
    """Operators are tarot cards; a shop in the USA cuts those, too, but poker cards first."""
    ran = sheetgen("cards", "sixshooter", "--deck", "operators", "-n", "1", "--for", "gamecrafter", "-o", "deck.zip")
    assert ran.code == 0, ran.err
    with ZipFile(tmp_path / "deck.zip") as zipped, Image.open(zipped.open(zipped.namelist()[0])) as picture:
        assert picture.size == (900, 1500)


def test_the_published_measures_of_drivethrucards_lie_over_a_whole_deck(
    sheetgen: Callable[..., Any], tmp_path: Path
) -> None:
    """In inches, as its help pages have them: 2.75 × 3.75 with 1/8 of bleed, all text 1/8 within the cut."""
    inch = 72
    ran = sheetgen("cards", "chalkdown", "--for", "drivethru", "-o", "deck.pdf")
    assert ran.code == 0, ran.err
    with pikepdf.open(tmp_path / "deck.pdf") as pdf:
        for page in pdf.pages:
            assert [float(each) for each in page.mediabox] == pytest.approx([0, 0, 2.75 * inch, 3.75 * inch], abs=0.01)
            cut = [inch / 8, inch / 8, 2.625 * inch, 3.625 * inch]
            assert [float(each) for each in page.trimbox] == pytest.approx(cut, abs=0.01)
    with pypdfium2.PdfDocument(tmp_path / "deck.pdf") as drawn:
        assert len(drawn) == 48, "each back before its front"
        for front in [drawn[at].get_textpage() for at in range(1, 48, 2)]:
            letters = [
                front.get_charbox(at) for at in range(front.count_chars()) if front.get_text_range(at, 1).strip()
            ]
            left, low, right, high = zip(*letters, strict=True)
            assert min(*left, *low) >= 0.25 * inch
            assert max(right) <= 2.5 * inch
            assert max(high) <= 3.5 * inch
    assert sheetgen("preflight", "deck.pdf", "--for", "drivethru").code == 0


@pytest.mark.parametrize("name", ["drivethru", "mpc", "gamecrafter"])
def test_who_prints_cards_prints_no_books(project: Project, name: str) -> None:
    with pytest.raises(UsageError, match="prints cards: say --for shop, or describe the one that prints your book"):
        check_book(print_shop(project, name))


@pytest.mark.parametrize(("shop", "width", "height"), [("mpc", 822, 1122), ("gamecrafter", 825, 1125)])
def test_pictures_have_the_dots_that_the_shop_counts(project: Project, shop: str, width: int, height: int) -> None:
    made = shop_cards(faces(coloured, coloured), print_shop(project, shop), "one card")
    with ZipFile(BytesIO(made.data)) as zipped:
        assert zipped.namelist() == ["01-Card-1.png", "back.png"]
        for name in zipped.namelist():
            with Image.open(zipped.open(name)) as picture:
                assert picture.size == (width, height)
                assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.01)
                corners = {picture.getpixel((x, y)) for x in (0, width - 1) for y in (0, height - 1)}
                assert corners == {(51, 153, 102)}, "coloured to the very edge"


def test_a_shop_that_wants_text_further_inside_than_ours_is_told_so(project: Project) -> None:
    (project.where / "shops").mkdir()
    (project.where / "shops" / "corner.yaml").write_text(f"{OWN}safe: 5\n")
    made = shop_cards(faces(coloured, coloured), print_shop(project, "corner"), "one card")
    assert made.notes == (
        "Corner shop wants text 5 mm from the cut, and some of ours stands nearer: "
        "sheetgen preflight FILE --for corner names it",
    )


def test_a_shop_of_ones_own_is_a_file(project: Project) -> None:
    (project.where / "shops").mkdir()
    (project.where / "shops" / "corner.yaml").write_text(OWN)
    shop = print_shop(project, "corner")
    assert (shop.title, shop.bleed, shop.cards) == ("Corner shop", 4.5, ("tarot",))
    with pytest.raises(UsageError, match="Corner shop cuts cards of tarot, not poker: say --size tarot"):
        check_size(shop, "poker")
    with pytest.raises(UsageError, match=r'unknown print shop "cornr" \(did you mean "corner"\?\)'):
        print_shop(project, "cornr")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("bleed: 9", "shops/corner.yaml:2:8: bleed "),
        ("condition: SWOP", 'shops/corner.yaml:2:12: unknown condition "SWOP"'),
        ("bled: 3", 'shops/corner.yaml:2:1: unknown key "bled" in the print shop'),
    ],
)
def test_a_mistake_in_it_is_told_with_its_place(project: Project, line: str, message: str) -> None:
    (project.where / "shops").mkdir()
    (project.where / "shops" / "corner.yaml").write_text(f"title: Corner shop\n{line}\n")
    with pytest.raises(InputError) as told:
        print_shop(project, "corner")
    assert str(told.value).startswith(message)


def test_the_run_refuses_what_the_shop_does_not_take(sheetgen: Callable[..., Any], tmp_path: Path) -> None:
    for words, said in (
        (["--for", "mpc", "-o", "x.pdf"], "MakePlayingCards takes a ZIP of pictures: give -o a name that ends in .zip"),
        (["--for", "mcp"], 'unknown print shop "mcp" (did you mean "mpc"?)'),
        (["--for", "shop", "--plan"], "--plan shows how sheets are printed and cut: leave out --for"),
    ):
        ran = sheetgen("cards", "tsgs", *words)
        assert ran.code == 2
        assert said in ran.err
        assert not (tmp_path / "output").exists()
