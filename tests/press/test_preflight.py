"""What a print shop would send back: each fault made on purpose, told with its page, and a sound file without any."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pikepdf
import pymupdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from sheetgen.errors import InputError
from sheetgen.geometry import Box, mm
from sheetgen.model.printing import ANY_SHOP, PDF_X, PrintShop
from sheetgen.pdf.pdfium import edges_inked, texts
from sheetgen.press.pages import normalize_origin, opened
from sheetgen.press.preflight import PreflightFinding, PreflightReport, examine, grouped, too_near, white_bleed

BLEED, WIDTH, HEIGHT = mm(3), mm(63), mm(88)
Spoil = Callable[[pikepdf.Pdf], None]
Draw = Callable[[Canvas], None]


def drawn(draw: Callable[[Canvas], None], pages: int = 2) -> bytes:
    """Cards with their boxes, on which `draw` draws."""
    made = BytesIO()
    canvas = Canvas(made, pagesize=(WIDTH + 2 * BLEED, HEIGHT + 2 * BLEED))
    for _ in range(pages):
        canvas.setTrimBox((BLEED, BLEED, BLEED + WIDTH, BLEED + HEIGHT))
        canvas.setBleedBox((0, 0, WIDTH + 2 * BLEED, HEIGHT + 2 * BLEED))
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return made.getvalue()


def field(canvas: Canvas) -> None:
    canvas.setFillGray(0.3)
    canvas.rect(0, 0, WIDTH + 2 * BLEED, HEIGHT + 2 * BLEED, stroke=0, fill=1)


def examined(path: Path, shop: PrintShop = ANY_SHOP) -> PreflightReport:
    with opened(path, path.name) as source:
        return examine(source, shop)


def told(tmp_path: Path, data: bytes, spoil: Spoil | None = None, shop: PrintShop = ANY_SHOP) -> list[tuple[int, str]]:
    path = tmp_path / "cards.pdf"
    path.write_bytes(data)
    if spoil is not None:
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            spoil(pdf)
            pdf.save(path)
    made = examined(path, shop)
    places = (
        Box(*(length / unit for length in (box.x, box.y, box.width, box.height)))
        for box, unit in zip(made.trims, made.units, strict=True)
    )
    seen = (*too_near(made, texts(path), shop), *white_bleed(edges_inked(path, places), shop))
    return [(each.page, each.message) for each in (*made.findings, *seen)]


def test_a_sound_file_has_no_findings(tmp_path: Path) -> None:
    assert told(tmp_path, drawn(field)) == []


def _trimless(pdf: pikepdf.Pdf) -> None:
    del pdf.pages[1].obj["/TrimBox"]


def _bleedless(pdf: pikepdf.Pdf) -> None:
    del pdf.pages[0].obj["/BleedBox"]


def _narrow(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].bleedbox = Array([mm(1), 0, WIDTH + 2 * BLEED, HEIGHT + 2 * BLEED])


def _outside(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].bleedbox = Array([-9, 0, WIDTH + 2 * BLEED, HEIGHT + 2 * BLEED])


def _cropped(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].cropbox = pdf.pages[0].trimbox


def _swapped(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].trimbox, pdf.pages[0].bleedbox = pdf.pages[0].bleedbox, pdf.pages[0].trimbox


def _other_size(pdf: pikepdf.Pdf) -> None:
    pdf.pages[1].trimbox = Array([BLEED, BLEED, BLEED + mm(60), BLEED + HEIGHT])


def _noted(pdf: pikepdf.Pdf) -> None:
    note = Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=Array([0, 0, 9, 9]), Contents="please")
    pdf.pages[1].obj.Annots = Array([pdf.make_indirect(note)])


def _scripted(pdf: pikepdf.Pdf) -> None:
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS="app.alert(1)")


def _broken(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].obj.Contents = pdf.make_stream(b"1 0 cm Tf")


@pytest.mark.parametrize(
    ("spoil", "page", "message"),
    [
        (_trimless, 2, "has no TrimBox: it does not say where it is cut"),
        (_bleedless, 1, "has no BleedBox: it does not say what may be cut away"),
        (_narrow, 1, "has 2.0 mm of bleed (3 mm at least)"),
        (_outside, 1, "has a BleedBox that reaches beyond the page"),
        (_cropped, 1, "has a BleedBox that reaches beyond the page"),
        (_swapped, 1, "has a TrimBox that reaches beyond its BleedBox"),
        (_other_size, 2, "is trimmed to 60.0 × 88.0 mm, unlike page 1 with 63.0 × 88.0 mm"),
        (_noted, 2, "has 1 note or fields on it, which do not belong in print"),
        (_scripted, 0, "holds a script"),
        (_broken, 1, "is drawn with instructions that are broken: print it to a new PDF first"),
    ],
)
def test_boxes_and_what_is_no_print(tmp_path: Path, spoil: Spoil, page: int, message: str) -> None:
    assert (page, message) in told(tmp_path, drawn(field), spoil)


def test_fonts_are_carried(tmp_path: Path) -> None:
    found = told(tmp_path, drawn(lambda canvas: canvas.drawString(mm(20), mm(40), "Help")))
    assert found == [(1, "font Helvetica is not embedded"), (2, "font Helvetica is not embedded")]


@pytest.mark.parametrize(("inside", "message"), [
    (3.2, ""),
    (2.0, 'text "Help" stands 2.0 mm from the cut (3 mm at least)'),
    (-1.0, 'text "Help" reaches 1.0 mm beyond the cut'),
])  # fmt: skip
def test_text_keeps_off_the_cut(tmp_path: Path, inside: float, message: str) -> None:
    """The H of Helvetica begins 0.077 of its size to the right of where it is set."""
    data = drawn(lambda canvas: canvas.drawString(BLEED + mm(inside) - 0.077 * 12, mm(40), "Help"), pages=1)
    near = [say for _, say in told(tmp_path, data) if say.startswith("text")]
    assert near == ([message] if message else [])


def _line_art(pdf: pikepdf.Pdf) -> None:
    for thing in pdf.pages[0].obj.Resources.XObject.values():
        thing.BitsPerComponent = 1


@pytest.mark.parametrize(
    ("size", "least", "fine"), [(300, 300, True), (299, 300, False), (599, 600, False), (600, 600, True)]
)
def test_pictures_are_fine_enough(tmp_path: Path, size: int, least: int, fine: bool) -> None:
    """An inch of a photograph has 300 dots, one of black and white 600."""
    picture = ImageReader(Image.new("L", (size, size)))

    def draw(canvas: Canvas) -> None:
        canvas.scale(0.5, 0.5)
        canvas.drawImage(picture, mm(10), mm(10), mm(50.8), mm(50.8))

    found = [say for _, say in told(tmp_path, drawn(draw, pages=1), _line_art if least == 600 else None)]
    message = f"a picture of {size} × {size} dots is printed at {size} dots an inch ({least} at least)"
    assert found == ([] if fine else [message])


def test_a_locked_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "locked.pdf"
    with pikepdf.open(BytesIO(drawn(field))) as pdf:
        pdf.save(path, encryption=pikepdf.Encryption(owner="secret", user=""))
    assert "is encrypted" in examined(path).findings[0].message
    with pikepdf.open(BytesIO(drawn(field))) as pdf:
        pdf.save(path, encryption=pikepdf.Encryption(owner="secret", user="secret"))
    with pytest.raises(InputError, match="is locked with a password"):
        examined(path)


def test_colours_of_light_are_a_note_and_no_finding(tmp_path: Path) -> None:
    path = tmp_path / "red.pdf"

    def red(canvas: Canvas) -> None:
        canvas.setFillColorRGB(0.6, 0, 0)
        canvas.rect(0, 0, WIDTH + 2 * BLEED, HEIGHT + 2 * BLEED, stroke=0, fill=1)

    path.write_bytes(drawn(red))
    made = examined(path)
    assert made.findings == ()
    assert made.notes[0].startswith("colours are RGB")


def test_singles_begin_at_nought_and_look_the_same(tmp_path: Path) -> None:
    with pikepdf.open(BytesIO(drawn(field))) as pdf:
        for page in pdf.pages:
            for name in ("/MediaBox", "/CropBox", "/TrimBox", "/BleedBox"):
                if name in page.obj:
                    page.obj[name] = Array([float(each) - 8.504 for each in page.obj[name]])
            page.contents_add(b"q 1 0 0 1 -8.504 -8.504 cm ", prepend=True)
            page.contents_add(b" Q 0 0 20 30 re f")
        moved = BytesIO()
        pdf.save(moved)
    made = normalize_origin(moved.getvalue())
    with pikepdf.open(BytesIO(made)) as pdf:
        assert [float(each) for each in pdf.pages[0].mediabox][:2] == [0, 0]
        assert [float(each) for each in pdf.pages[0].trimbox] == pytest.approx(
            [BLEED, BLEED, BLEED + WIDTH, BLEED + HEIGHT], abs=0.01
        )
    with pymupdf.open(stream=made) as after, pymupdf.open(stream=moved.getvalue()) as before:
        assert after[0].get_pixmap().samples == before[0].get_pixmap().samples
    assert told(tmp_path, made) == []


def area(
    left: float, low: float, right: float, top: float, colour: tuple[float, float, float] = (0.1, 0.5, 0.2)
) -> Draw:
    """A coloured area that reaches so many mm beyond the cut on each side."""

    def draw(canvas: Canvas) -> None:
        canvas.setFillColorRGB(*colour)
        width, height = WIDTH + mm(left + right), HEIGHT + mm(low + top)
        canvas.rect(BLEED - mm(left), BLEED - mm(low), width, height, stroke=0, fill=1)

    return draw


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (area(0, 0, 0, 0), "colour ends at the cut on the left, right, lower and upper edge: the bleed there is white"),
        (area(3, 3, 3, 0), "colour ends at the cut on the upper edge: the bleed there is white"),
        (area(1, 3, 3, 3), "colour ends about 1 mm beyond the cut on the left edge: the bleed there is white"),
        (area(3, 3, 3, 3), ""),
        (area(3, 3, 3, 3, (1, 1, 1)), ""),
        (area(0, 0, 0, 0, (0.9, 0.9, 0.9)), "colour ends at the cut on the left, right, lower and upper edge: "),
        (area(-4, -4, -4, -4), ""),
    ],
    ids=["frame", "above", "too little", "whole", "white", "tint", "within"],
)
@pytest.mark.parametrize("turn", [0, 90])
def test_a_white_frame_is_no_bleed(tmp_path: Path, draw: Draw, message: str, turn: int) -> None:
    def turned(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].obj.Rotate = turn

    found = [say for _, say in told(tmp_path, drawn(draw, pages=1), turned)]
    assert len(found) == bool(message)
    assert all(say.startswith(message) for say in found)


@pytest.mark.parametrize(("bleed", "message"), [(0, "has 0.0 mm of bleed"), (1, "has 1.0 mm of bleed")])
def test_what_has_no_room_for_a_bleed_is_not_called_white_there(tmp_path: Path, bleed: float, message: str) -> None:
    def without(pdf: pikepdf.Pdf) -> None:
        off = BLEED - mm(bleed)
        whole = Array([off, off, WIDTH + 2 * BLEED - off, HEIGHT + 2 * BLEED - off])
        pdf.pages[0].mediabox = pdf.pages[0].cropbox = pdf.pages[0].bleedbox = whole

    data = drawn(area(3, 3, 3, 3), pages=1)
    assert told(tmp_path, data, without) == [(1, f"{message} (3 mm at least)")]


def test_a_larger_unit_is_told_and_counted(tmp_path: Path) -> None:
    def doubled(pdf: pikepdf.Pdf) -> None:
        for page in pdf.pages:
            page.obj.UserUnit = 2

    data = drawn(lambda canvas: canvas.drawString(BLEED + mm(2), mm(40), "Help"), pages=1)
    assert [say for _, say in told(tmp_path, data, doubled) if "font" not in say] == [
        "is measured in units of 2 points (UserUnit), which many presses do not read",
    ], "text is 4 mm from the cut"
    assert examined(tmp_path / "cards.pdf").trims[0].width == pytest.approx(2 * WIDTH, abs=0.01)


def _line(canvas: Canvas) -> None:
    canvas.setLineWidth(0.1)
    canvas.scale(0.5, 0.5)
    canvas.line(99, 99, 199, 199)


def _thin_area(canvas: Canvas) -> None:
    canvas.rect(50, 50, 60, 0.1, stroke=0, fill=1)


def _small(canvas: Canvas) -> None:
    canvas.scale(0.25, 0.25)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(300, 300, "small")


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (_line, "a line of 0.05 pt may break up (0.15 pt at least)"),
        (_thin_area, "a line of 0.1 pt may break up (0.15 pt at least)"),
        (_small, "type of 2.5 pt cannot be read (5 pt at least)"),
    ],
)
def test_what_is_too_fine_for_a_press_is_told(tmp_path: Path, draw: Draw, message: str) -> None:
    assert (1, message) in told(tmp_path, drawn(draw, pages=1))


def test_a_shop_has_measures_of_its_own(tmp_path: Path) -> None:
    strict = PrintShop("Corner shop", bleed=5, safe=6, cards=("poker",), ink=250)

    def draw(canvas: Canvas) -> None:
        canvas.setFillColorCMYK(1, 1, 0.7, 0)
        canvas.rect(40, 40, 40, 40, stroke=0, fill=1)
        canvas.drawString(BLEED + mm(5), mm(40), "Help")

    found = [say for _, say in told(tmp_path, drawn(draw, pages=1), shop=strict)]
    assert found[:2] == [
        "is trimmed to 63.0 × 88.0 mm, and Corner shop cuts poker cards",
        "has 3.0 mm of bleed (5 mm at least)",
    ]
    assert "a colour has 270 % of ink (250 % at most)" in found
    assert found[-1].endswith("mm from the cut (6 mm at least)")


def test_a_shop_of_a_standard_is_told_what_is_not_so(tmp_path: Path) -> None:
    found = [say for _, say in told(tmp_path, drawn(area(3, 3, 3, 3), pages=1), shop=PrintShop("It", standard=PDF_X))]
    assert found == [
        "is no PDF/X-1a:2003: it does not say so",
        "has colours of red, green and blue, and PDF/X-1a:2003 knows inks only",
    ]


def test_what_several_pages_share_is_said_once() -> None:
    findings = [PreflightFinding(page, "has no TrimBox") for page in (1, 2, 3, 5, 7, 8)]
    findings += [PreflightFinding(0, "is encrypted"), PreflightFinding(4, "is broken")]
    assert grouped(findings) == ("pages 1 to 3, 5, 7 and 8: has no TrimBox", "is encrypted", "page 4: is broken")
