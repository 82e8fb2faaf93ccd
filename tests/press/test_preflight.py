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
from sheetgen.geometry import mm
from sheetgen.pdf.pdfium import texts
from sheetgen.press.pages import normalize_origin
from sheetgen.press.pdf_open import opened
from sheetgen.press.preflight import PreflightReport, examine, too_near

BLEED, WIDTH, HEIGHT = mm(3), mm(63), mm(88)
Spoil = Callable[[pikepdf.Pdf], None]


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


def examined(path: Path) -> PreflightReport:
    with opened(path, path.name) as source:
        return examine(source)


def told(tmp_path: Path, data: bytes, spoil: Spoil | None = None) -> list[tuple[int, str]]:
    path = tmp_path / "cards.pdf"
    path.write_bytes(data)
    if spoil is not None:
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            spoil(pdf)
            pdf.save(path)
    made = examined(path)
    return [(each.page, each.message) for each in (*made.findings, *too_near(made.trims, texts(path)))]


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
