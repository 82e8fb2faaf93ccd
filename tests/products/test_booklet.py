"""Any PDF imposed, read back: every page once, at its size, at its place; what leaves have behind is in test_duplex."""

from __future__ import annotations

from io import BytesIO

import pikepdf
import pymupdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from sheetgen.errors import InputError
from sheetgen.geometry import PAPERS, mm
from sheetgen.products.books.booklet import FOLDS, GRIDS, BookletOptions, make_booklet
from sheetgen.products.product import ProductResult
from sheetgen.workspace.project import Project


def numbered(count: int, width: float, height: float) -> bytes:
    """Pages of that size in mm, framed at their very edge, with their number in the middle."""
    made = BytesIO()
    canvas = Canvas(made, pagesize=(mm(width), mm(height)))
    for number in range(1, count + 1):
        canvas.setFillColorRGB(0.9, 0.9, 0.9)
        canvas.rect(0, 0, mm(width), mm(height), stroke=0, fill=1)
        canvas.setFillGray(0)
        canvas.drawCentredString(mm(width / 2), mm(height / 2), f"n{number}")
        canvas.showPage()
    canvas.save()
    return made.getvalue()


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 25, 40])
def test_every_page_is_there_once(project: Project, fold: str, count: int) -> None:
    (project.where / "in.pdf").write_bytes(numbered(count, 148, 210))
    made = make_booklet(project, project.where / "in.pdf", BookletOptions(fold=fold), ".pdf")
    with pymupdf.open(stream=made.data) as document:
        words = sorted(int(word[4][1:]) for page in document for word in page.get_text("words"))
        assert words == list(range(1, count + 1))
        assert len(document) == made.job.sheets * (2 if made.job.flip else 1)
        size = PAPERS["a4"]
        for page in document:
            sides = sorted((page.rect.width / mm(1), page.rect.height / mm(1)))
            assert sides == pytest.approx([size.width, size.height], abs=0.1)


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("page", [(40, 60), (60, 40)])
def test_small_pages_keep_their_size_in_the_middle_of_their_place(
    project: Project, fold: str, page: tuple[float, float]
) -> None:
    (project.where / "in.pdf").write_bytes(numbered(8, *page))
    made = make_booklet(project, project.where / "in.pdf", BookletOptions(fold=fold, creep=0.0, flip="long"), ".pdf")
    columns, rows = (1, 2) if fold == "2up" and page[0] > page[1] else GRIDS[fold]  # lying pages: one above another
    with pymupdf.open(stream=made.data) as document:
        for sheet in document:
            fields = [each["rect"] * sheet.rotation_matrix for each in sheet.get_drawings() if each["fill"]]
            fields = [each.normalize() for each in fields]
            assert fields
            for each in fields:
                assert (each.width / mm(1), each.height / mm(1)) == pytest.approx(page, abs=0.1)
                place = sheet.rect.width / columns, sheet.rect.height / rows
                x, y = (each.x0 + each.x1) / 2 / place[0], (each.y0 + each.y1) / 2 / place[1]
                assert (x % 1, y % 1) == pytest.approx((0.5, 0.5), abs=0.001)


def test_the_edge_suits_the_fold_unless_one_is_named(project: Project) -> None:
    (project.where / "in.pdf").write_bytes(numbered(8, 148, 210))
    for options, flip in (
        (BookletOptions(), "short"),
        (BookletOptions(flip="long"), "long"),
        (BookletOptions(fold="cut"), "long"),
        (BookletOptions(fold="cut", flip="short"), "short"),
        (BookletOptions(fold="eight"), ""),
    ):
        job = make_booklet(project, project.where / "in.pdf", options, ".pdf").job
        assert job.flip == flip
        assert (f"turned over the {flip} edge" in job.printing) == bool(flip)


def made_of(project: Project, data: bytes, options: BookletOptions) -> ProductResult:
    (project.where / "in.pdf").write_bytes(data)
    return make_booklet(project, project.where / "in.pdf", options, ".pdf")


def words_of(data: bytes) -> str:
    with pymupdf.open(stream=data) as document:
        return " ".join(word[4] for page in document for word in page.get_text("words"))


def form_with_values(*, letters: str = "Łódź – Ünï", anew: bool = True) -> bytes:
    """A filled form whose texts have no appearance; the viewer is asked to draw them, or nobody is."""
    made = BytesIO()
    canvas = Canvas(made, pagesize=(mm(148), mm(210)))
    canvas.acroForm.textfield(name="who", value="Loth", x=100, y=490, width=200, height=20)
    canvas.acroForm.choice(name="where", value="north", options=["north", "south"], x=100, y=400, width=100, height=20)
    canvas.acroForm.textfield(
        name="tale", value="one two three four five " * 5, x=100, y=300, width=200, height=60, fieldFlags="multiline"
    )
    canvas.acroForm.checkbox(name="lame", checked=True, x=100, y=440, size=20)
    canvas.showPage()
    canvas.save()
    with pikepdf.open(made) as form, BytesIO() as out:
        for each in form.pages[0].Annots:
            if pikepdf.Name.Btn != each.FT:
                del each.AP
            if each.T == "who":
                each.V = letters
        form.Root.AcroForm.NeedAppearances = anew
        form.save(out)
        return out.getvalue()


@pytest.mark.parametrize("anew", [True, False], ids=["NeedAppearances", "no appearances"])
def test_a_booklet_shows_what_was_filled_in_where_the_file_has_no_picture_of_it(project: Project, anew: bool) -> None:
    made = made_of(project, form_with_values(anew=anew), BookletOptions(fold="2up"))
    assert words_of(made.data) == f"Łódź – Ünï north {'one two three four five ' * 5}".strip()


def test_a_value_that_no_font_of_ours_can_show_is_refused_by_the_name_of_its_field(project: Project) -> None:
    with pytest.raises(InputError, match=r'field "who": no bundled font can print "東".*; print the form to a new PDF'):
        made_of(project, form_with_values(letters="東"), BookletOptions(fold="2up"))


def test_marks_without_a_look_of_their_own_are_told(project: Project) -> None:
    with pikepdf.open(BytesIO(numbered(1, 100, 100))) as source, BytesIO() as out:
        kinds = {"Highlight": 4, "Text": 0, "Square": 2}
        listed = (
            pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name(f"/{kind}"), Rect=[0, 0, 9, 9], F=flags)
            for kind, flags in kinds.items()
        )
        source.pages[0].obj.Annots = pikepdf.Array([source.make_indirect(each) for each in listed])
        source.save(out)
        made = made_of(project, out.getvalue(), BookletOptions(fold="2up"))
    assert made.notes == (
        "1 note left out, not meant to be printed: Text",
        "1 note left out for want of a picture in the file (print it to a new PDF where such notes show): Highlight",
    )


@pytest.mark.parametrize(
    ("pages", "options", "remarks"),
    [
        (((210, 297),) * 4, BookletOptions(), ("pages are printed at 71 % of their size",)),
        (((148, 210),) * 4, BookletOptions(), ()),
        (((148, 210),) * 4, BookletOptions(paper="letter"), ("pages are printed at 94 % of their size",)),
        (((74, 105),) * 4, BookletOptions(enlarge=True), ("pages are printed at 200 % of their size",)),
        (
            ((148, 210),) * 3 + ((297, 420),),
            BookletOptions(),
            ("pages are printed at 50 to 100 % of their size, 1 of 4 not at 100 %",),
        ),
        (((148, 210),) * 5, BookletOptions(), ("3 empty pages are added before the last one, which stays outside",)),
        (
            ((50, 70),) * 7,
            BookletOptions(fold="eight"),
            ("1 empty page is added before the last one, which stays outside",),
        ),
        (((50, 70),), BookletOptions(fold="eight"), ("7 empty pages are added after the only one",)),
    ],
)
def test_scale_and_added_pages_are_told(
    project: Project, pages: tuple[tuple[float, float], ...], options: BookletOptions, remarks: tuple[str, ...]
) -> None:
    with pikepdf.new() as source, BytesIO() as out:
        for width, height in pages:
            source.add_blank_page(page_size=(mm(width), mm(height)))
        source.save(out)
        made = made_of(project, out.getvalue(), options)
    assert made.job.remarks == remarks
    assert made.advice[1 : 1 + len(remarks)] == remarks


def test_a_page_twice_as_large_by_its_unit_is_printed_so(project: Project) -> None:
    with pikepdf.open(BytesIO(numbered(4, 74, 105))) as source, BytesIO() as out:
        for page in source.pages:
            page.obj.UserUnit = 2
        source.save(out)
        made = made_of(project, out.getvalue(), BookletOptions(creep=0))
    assert made.job.remarks == ()
    with pymupdf.open(stream=made.data) as document:
        for each in document[0].get_drawings():
            size = each["rect"]
            assert (size.width / mm(1), size.height / mm(1)) == pytest.approx((148, 210), abs=0.1)


def coloured(count: int) -> bytes:
    """Pages of half a sheet of A4, red and blue by turns."""
    made = BytesIO()
    canvas = Canvas(made, pagesize=(mm(148.5), mm(210)))
    for number in range(count):
        canvas.setFillColorRGB(number % 2, 0, 1 - number % 2)
        canvas.rect(0, 0, mm(148.5), mm(210), stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    return made.getvalue()


def test_pages_that_creep_stop_at_the_fold(project: Project) -> None:
    made = made_of(project, coloured(64), BookletOptions(creep=0.1))
    with pymupdf.open(stream=made.data) as document:
        for side in (30, 31):  # of the innermost sheet
            dots = document[side].get_pixmap(dpi=508)  # twenty to a millimetre
            fold, y = dots.width // 2, dots.height // 2
            row = [dots.pixel(x, y) for x in range(fold - 60, fold + 60)]
            changes = [at for at in range(119) if row[at] != row[at + 1]]
            assert changes == [pytest.approx(59, abs=1)]
