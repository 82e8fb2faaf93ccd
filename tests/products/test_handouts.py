"""Handouts on paper: every sample of every system, every style with much and with little, and what does not fit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pikepdf
import pymupdf
import pypdfium2
import pytest
from PIL import Image

from sheetgen.content.handout_files import read_handout, source_at
from sheetgen.errors import InputError, UsageError
from sheetgen.geometry import PAPERS, Size, mm
from sheetgen.model.handout import Catalogue, Entry, Style
from sheetgen.press.pages import page_count
from sheetgen.products.chapters import open_book
from sheetgen.products.handouts.handouts import (
    HANDOUTS,
    catalogue_of,
    chosen_files,
    on_sheets,
    pack_files,
    printed_handouts,
    read_all,
)
from sheetgen.products.handouts.layout import HandoutsOptions, PrintedHandout
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

SYSTEMS = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix")
STRANGE = "Ελληνικά и кириллица"
LONG_WORD = "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsg"


@pytest.fixture(scope="module")
def many() -> dict[str, list[PrintedHandout]]:
    return {}


@pytest.fixture
def ours(project: Project) -> Project:
    """A project that takes what lies in its folder for its own, and needs no process of its own to print it."""
    return replace(project, content=project.where)


def written(project: Project, name: str, text: str) -> Path:
    (project.where / name).write_text(text, encoding="utf-8")
    return project.where / name


def shown(data: bytes) -> str:
    """All letters of a PDF in their order, small and without anything between them."""
    with pypdfium2.PdfDocument(data) as document:
        return squashed("".join(page.get_textpage().get_text_bounded() for page in document))


def squashed(text: str) -> str:
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", text)).casefold()


def words_of(entries: Iterable[Entry]) -> set[str]:
    found = set[str]()
    for entry in entries:
        parts = (
            [entry]
            if isinstance(entry, str)
            else [p for each in entry for p in ([each] if isinstance(each, str) else each)]
        )
        found |= {squashed(word) for part in parts for word in re.sub(r"[-–—/.:,’]", " ", part).split()}
    return {word for word in found if len(word) > 2}


def missing(leaves: PrintedHandout, file: Path, catalogue: Catalogue) -> set[str]:
    """The words of a handout that are not on its pages, apart from those under bars and the names of symbols."""
    handout = read_handout(source_at(file, file.name), catalogue)
    kinds = handout.style.fields
    entries = [
        each
        for name, each in handout.entries.items()
        if kinds[name] not in ("picture", "symbols", "seal", "map") and name != "hidden"
    ]
    text = re.sub(r"~~.*?~~", " ", handout.text, flags=re.DOTALL) if handout.style.bars else handout.text
    letters = shown(leaves.data)
    if handout.style.made == "halves":
        return set() if len(letters) == len(squashed(" ".join([*map(str, handout.entries.values()), text]))) else {text}
    return {word for word in words_of([*entries, re.sub(r"[*\\]", "", text)]) if word not in letters}


def outside(leaves: PrintedHandout, style: Style) -> str:
    """What is drawn beyond the margins of a handout's one page, or of further ones beyond what its edges need."""
    found = ""
    part = 1.0 if style.sizes else min(1.0, leaves.size.width / 205)
    _, right, below, left = (mm(each if style.sizes else max(each * part, 12)) for each in style.margins)
    with pypdfium2.PdfDocument(leaves.data) as document:
        for number, page in enumerate(document):
            alone = leaves.pages == 1 or (style.made != "" and number == 0)
            foot, free = (below if alone else mm(10)) - mm(2.2), mm(2.5)
            width, height = page.get_size()
            text = page.get_textpage()
            for at in range(text.count_chars()):
                x, y, across, up = text.get_charbox(at)
                beside = x < min(left, right) - free or across > width - min(left, right) + free
                if text.get_text_range(at, 1).strip() and (beside or y < foot or up > height - mm(3)):
                    found += text.get_text_range(at, 1)
    return found


def one(project: Project, text: str, name: str = "hook.md", chosen: HandoutsOptions | None = None) -> PrintedHandout:
    file = written(project, name, text)
    (leaves,) = printed_handouts(project, None, [file], chosen or HandoutsOptions())
    return leaves


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_sample_prints_whole_on_both_papers(
    project: Project, system: str, many: dict[str, list[PrintedHandout]]
) -> None:
    pack = open_pack(project, system)
    files, catalogue = pack_files(project, pack), catalogue_of(project, pack)
    assert len(files) >= 4
    many[system] = list(printed_handouts(project, pack, files, HandoutsOptions()))
    for leaves, file in zip(many[system], files, strict=True):
        assert missing(leaves, file, catalogue) == set(), leaves.name
        assert outside(leaves, read_handout(source_at(file, file.name), catalogue).style) == "", leaves.name
        read = read_handout(source_at(file, file.name), catalogue)
        shows_all = read.style.made == "map" and not read.text and "secret" not in str(read.entries["map"])
        assert leaves.pages == (1 if read.style.made == "" or shows_all else 2), leaves.name
        assert leaves.whole is (leaves.size in (PAPERS["a4"], PAPERS["a4"].turned))
    sheets = on_sheets(many[system], HandoutsOptions(paper="letter" if system == "tsgs" else "a4"), title="All")
    assert page_count(sheets.data) <= sum(leaves.pages for leaves in many[system])


def test_the_samples_use_every_style(project: Project, many: dict[str, list[PrintedHandout]]) -> None:
    used = {read.style.name for system in SYSTEMS for read in read_all(project, open_pack(project, system))}
    assert used == set(catalogue_of(project, None).styles)


def filled(style: Style) -> str:
    """A handout with everything that its style can have: other scripts, and a word of sixty letters twice."""
    lines = [f"style: {style.name}"]
    for name, kind in style.fields.items():
        line = f"'{STRANGE} {LONG_WORD if name == next(iter(style.needs), '') else ''}'"
        values = {"line": line, "seal": "Σφραγίς печать", "list": f"[{LONG_WORD}, и два, three]"}
        values |= dict.fromkeys(("pairs", "symbols"), f"{{well: '{STRANGE}', cave: {LONG_WORD}}}")
        lines += [f"{name}: {values[kind]}"] if kind in values and name != "hidden" else []
    body = "" if style.text == "no" else f"{LONG_WORD}. Second *part*."
    return "\n".join(["---", *lines, "---", body])


@pytest.mark.parametrize("look", ["western", "space"])
def test_every_style_prints_with_every_field_it_can_have(ours: Project, look: str) -> None:
    catalogue = catalogue_of(ours, None)
    plain = [style for style in catalogue.styles.values() if not style.made]
    files = [written(ours, f"{style.name}.md", filled(style)) for style in plain]
    for leaves, file in zip(printed_handouts(ours, None, files, HandoutsOptions(look=look)), files, strict=True):
        assert missing(leaves, file, catalogue) == set(), leaves.name


def test_every_style_prints_with_no_more_than_its_example(ours: Project) -> None:
    catalogue = catalogue_of(ours, None)
    files = [written(ours, f"{style.name}.md", style.example) for style in catalogue.styles.values()]
    chosen = HandoutsOptions(look="fantasy", ink_saver=True)
    found = printed_handouts(ours, None, files, chosen)
    for leaves, file, style in zip(found, files, catalogue.styles.values(), strict=True):
        assert "none" not in shown(leaves.data)
        assert missing(leaves, file, catalogue) == set()
        if not style.sizes:
            assert leaves.size in (PAPERS["a4"], PAPERS["a4"].turned)
            continue
        assert leaves.size.height <= 1.35 * style.sizes[0].height, f"{style.name}: little text takes little paper"


@pytest.mark.parametrize("times", [2, 3])
def test_a_longer_text_is_whole_or_told_in_every_style(ours: Project, times: int) -> None:
    """Every word of it stands within the margins of its pages, or the run says how much there is no room for."""
    catalogue, told = catalogue_of(ours, None), list[str]()
    for style in catalogue.styles.values():
        if style.text == "no" or style.made in ("wheel", "grille"):
            continue
        head, _, text = style.example.rpartition("---\n")
        longer = " ".join([text.strip() or "Nobody went home before the lamps were lit."] * 8 * times)
        try:
            made = one(ours, f"{head}---\n{longer}\n", chosen=HandoutsOptions(look="western"))
        except InputError as error:
            told.append(str(error))
            continue
        assert outside(made, style) == "", style.name
        assert len(shown(made.data)) >= len(squashed(re.sub("~~.*?~~", "", longer))), style.name
        assert missing(made, ours.where / "hook.md", catalogue) == set(), style.name
    assert len(told) < 12
    assert all("more than there is room for" in each or "characters long" in each for each in told)


def test_a_long_letter_runs_over_pages_and_a_long_cutting_too(project: Project) -> None:
    told = "\n\n".join(
        f"{number}. The tide is out and the house stands open. " + "Count the chairs. " * 30 for number in range(1, 33)
    )
    letter = one(project, f"---\nstyle: letter\nfrom: Ada\n---\n{told}")
    assert letter.pages >= 5
    assert "ada" in shown(letter.data)
    cutting = one(project, f"---\nstyle: cutting\nheadline: On\n---\n{told[:9000]}")
    with pikepdf.open(BytesIO(cutting.data)) as pages:
        assert len(pages.pages) == cutting.pages > 1
        for page in pages.pages:
            assert tuple(map(float, page.mediabox)) == pytest.approx((0, 0, mm(124), mm(190)), abs=0.01)


def test_what_no_page_can_hold_is_told_with_its_size(project: Project) -> None:
    with pytest.raises(InputError) as caught:
        one(project, "---\nstyle: sign\ntitle: Ale\n---\n" + "Come in. \n\n" * 120)
    assert re.fullmatch(r'hook\.md:2:8: "sign “hook”" has \d+\.\d mm more than there is room for', str(caught.value))


def test_what_is_struck_out_of_a_dossier_is_gone(project: Project) -> None:
    letters = shown(one(project, "---\nstyle: dossier\nsubject: X\n---\nMet ~~Colonel *Vane*~~ twice.").data)
    assert "met" in letters
    assert "twice" in letters
    assert "colonel" not in letters
    assert "vane" not in letters


def test_a_picture_comes_from_the_folder_or_not_at_all(project: Project) -> None:
    (project.where / "hooks").mkdir()
    (project.where / "face.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7"/></svg>'
    )
    for path, said in (
        ("fase.svg", 'hooks/hook.md:4:10: no picture "fase.svg" there'),
        ("../face.svg", 'hooks/hook.md:4:10: picture "../face.svg" lies outside hooks/ (copy it there)'),
    ):
        with pytest.raises(InputError) as caught:
            one(project, f"---\nstyle: wanted\nname: Jo\npicture: {path}\n---\n", "hooks/hook.md")
        assert str(caught.value) == said
    assert one(project, "---\nstyle: wanted\nname: Jo\npicture: face.svg\n---\n").pages == 1


def strokes(data: bytes) -> int:
    """How many lines are drawn behind what stands on the first sheet."""
    with pikepdf.open(BytesIO(data)) as made:
        marks = made.pages[0].resources["/XObject"].get("/Marks", made.pages[0])
        return sum(str(each.operator) == "l" for each in pikepdf.parse_content_stream(marks))


def test_small_handouts_stand_on_sheets_at_their_own_size(project: Project) -> None:
    ticket = one(project, "---\nstyle: ticket\ntitle: Night Mail\n---\n", "ticket.md")
    sheets = on_sheets([ticket, ticket], HandoutsOptions(), title="Tickets")
    assert page_count(sheets.data) == 1
    with pikepdf.open(BytesIO(sheets.data)) as made:
        (page,) = made.pages
        assert tuple(map(float, page.mediabox)) == pytest.approx((0, 0, mm(210), mm(297)), abs=0.01)
        drawn = page.Contents.read_bytes().decode()
        assert sorted(name for name in drawn.split() if name.startswith("/")) == ["/Marks", "/P0", "/P1"]
        assert drawn.count(f"{mm(132):.4f} {mm(62):.4f} re W n".replace("0 re", " re")) == 2
    large = replace(ticket, size=Size(150, 62))
    with pytest.raises(UsageError, match=r"a ticket of 150 × 62 mm does not fit on A6 \(ticket\): take a larger paper"):
        on_sheets([ticket, large], HandoutsOptions(paper="a6"), title="Tickets")


def test_you_are_told_which_handouts_belong_to_the_book(project: Project) -> None:
    """Half of a system's are for evenings of your own, and looked as if the adventure had forgotten them."""
    opened = HANDOUTS.open(project, ["chalkdown"], HandoutsOptions())
    declared = list(open_book(project, open_pack(project, "chalkdown")).book.handouts)
    assert [file.stem for file in opened.files][: len(declared)] == declared
    (advice,) = opened.advice
    named = " ".join(f"--only {name}" for name in declared)
    assert advice == f"those of its book are {named}; the other 2 are for evenings of your own"
    assert HANDOUTS.open(project, ["chalkdown"], HandoutsOptions(only=(declared[0],))).advice == ()


def test_what_the_printer_leaves_white_is_kept_free_and_marks_may_be_left_out(project: Project) -> None:
    ticket = one(project, "---\nstyle: ticket\ntitle: Night Mail\n---\n", "ticket.md")
    options = [HandoutsOptions(marks=marks) for marks in (True, False)]
    with_marks, without = (on_sheets([ticket] * 4, each, title="Tickets") for each in options)
    assert [each.advice[1] for each in (with_marks, without)] == [
        "cut the small ones along the marks at their corners",
        "cut the small ones out",
    ]
    assert [strokes(each.data) > 0 for each in (with_marks, without)] == [True, False]
    # Four tickets with 8 mm between them are 272 mm high: 12.5 mm stay free above and below, and no more.
    tried = [on_sheets([ticket] * 4, HandoutsOptions(margin=margin), title="Tickets") for margin in (12, 13)]
    assert [page_count(each.data) for each in tried] == [1, 2]
    with pytest.raises(UsageError, match=r"on A6 \(ticket\): take a larger paper or a smaller --margin"):
        on_sheets([ticket], HandoutsOptions(paper="a6", margin=20), title="Tickets")
    letter = one(project, "---\nstyle: letter\nfrom: M.\n---\nCome.\n", "letter.md")
    assert page_count(on_sheets([letter], HandoutsOptions(margin=6), title="Letter").data) == 1
    shrunk = on_sheets([letter], HandoutsOptions(margin=8), title="Letter")
    assert "drawn at 98 % of their size, so that 8 mm stay free for your printer" in shrunk.advice[1]
    with pikepdf.open(BytesIO(shrunk.data)) as made:
        assert tuple(map(float, made.pages[0].mediabox)) == pytest.approx((0, 0, mm(210), mm(297)), abs=0.01)
        moved = re.findall(r"([\d.]+) 0 0 ([\d.]+) [\d.]+ [\d.]+ cm", made.pages[0].Contents.read_bytes().decode())
        assert [float(each) for each in moved[0]] == pytest.approx([1 - 4 / 198] * 2, abs=0.001)


def test_a_coarse_photograph_is_told_with_its_dots(project: Project) -> None:
    Image.new("L", (90, 120), 180).save(project.where / "face.png")
    (note,) = one(project, "---\nstyle: wanted\nname: Jo\npicture: face.png\n---\n").notes
    assert re.fullmatch(r"hook\.md:4:10: the picture has \d\d dots an inch here: 150 and more print well", note)


def test_times_and_words_of_a_ticket_stay_whole(project: Project) -> None:
    fields = "date: 14 / 277\ntime: '23:40'\nclass: Steerage, upright\nseat: 6F\nprice: one favour\nnumber: '000 006'"
    ticket = one(project, f"---\nstyle: ticket\ntitle: The Night Lift\n{fields}\n---\nNo refund.")
    with pypdfium2.PdfDocument(ticket.data) as document:
        words = document[0].get_textpage().get_text_bounded().split()
    assert {"23:40", "SEAT", "CLASS", "Steerage,"} <= set(words)


def test_a_long_name_on_the_stub_of_a_ticket_is_smaller(project: Project) -> None:
    """Twenty letters stay whole, also where the stub is narrower than their usual size."""
    ticket = one(project, "---\nstyle: ticket\ntitle: Night Mail\nto: Llanfairpwllgwyngyll\n---\nNo refund.")
    with pypdfium2.PdfDocument(ticket.data) as document:
        words = document[0].get_textpage().get_text_bounded().split()
    assert words.count("Llanfairpwllgwyngyll") == 2


def test_no_headline_ends_in_one_word(project: Project) -> None:
    said = "headline: Nine floors painted; painter gone\npaper: The Evening Lamp"
    cutting = one(project, f"---\nstyle: cutting\nlook: noir\n{said}\n---\nThe hotel is white from cellar to roof.")
    with pymupdf.open(stream=cutting.data) as document:
        lines = document[0].get_text().splitlines()
    assert "Nine floors painted;" in [line.strip() for line in lines]


def test_the_price_of_a_ticket_never_stands_alone_on_a_row(project: Project) -> None:
    fields = "date: 14 / 277\ntime: '23:40'\nclass: Steerage, upright\nseat: 6F\nprice: one favour"
    ticket = one(project, f"---\nstyle: ticket\ntitle: The Night Lift\n{fields}\n---\nNo refund.")
    with pymupdf.open(stream=ticket.data) as document:
        rows = {word[4]: round(word[1]) for word in document[0].get_text("words") if word[0] < mm(95)}
    assert rows["PRICE"] == rows["SEAT"] > rows["DATE"]


def test_a_short_sign_and_a_torn_line_fill_their_leaf(project: Project) -> None:
    """On the smallest leaf of their style, in larger letters, down to its lower third."""
    for text in (
        "style: sign\ntitle: Back soon\nsubtitle: gone to lunch\nwarning: Do not touch.\n---\n",
        "style: halves\n---\nThe vault opens at nine, but not on Sundays, and never to a man who has no key to it.",
    ):
        made = one(project, f"---\n{text}")
        with pymupdf.open(stream=made.data) as document:
            foot = max(word[3] for word in document[0].get_text("words"))
        assert foot > 0.6 * mm(made.size.height)


def test_a_tear_goes_between_the_letters_of_a_wide_hand(project: Project) -> None:
    text = "The vault opens at nine, but not on Sundays, and never to a man alone. Bring the lamp, and a rope. " * 4
    made = one(project, f"---\nstyle: halves\nlook: fantasy\nto: Dear Bell\nfrom: Augustus\n---\n{text}")
    with pymupdf.open(stream=made.data) as document:
        left, right = (
            {round(each[3] / 4): each for each in page.get_text("blocks") for each in page.get_text("words")}
            for page in document
        )
        ends = {row: max(w[2] for w in document[0].get_text("words") if round(w[3] / 4) == row) for row in left}
        starts = {row: min(w[0] for w in document[1].get_text("words") if round(w[3] / 4) == row) for row in right}
    torn = ends.keys() & starts.keys()
    assert len(torn) > 4
    assert all(ends[row] <= starts[row] + 1 for row in torn)


def test_stamps_and_tabs_hold_the_widest_letters(project: Project) -> None:
    wide = "WHOM WOMEN & MEN MAY WOO MUM MAY MOW WWW"
    text = f"style: dossier\nsubject: X\nnumber: WWW-MMM-OOO-WWW-MMM\nstamp: {wide}"
    made = one(project, f"---\n{text}\n---\nNothing.", chosen=HandoutsOptions(look="modern"))
    with pymupdf.open(stream=made.data) as document:
        letters = [word for word in document[0].get_text("words") if word[1] > mm(20) and set(word[4]) <= set(wide)]
        frames = [each["rect"] for each in document[0].get_drawings() if each["width"] and each["width"] > 1.5]
        frame = min((each for each in frames if each.width > mm(50)), key=abs)
        tab = next(word for word in document[0].get_text("words") if word[4].startswith("WWW-"))
    assert min(word[0] for word in letters) > frame.x0 + mm(1)
    assert max(word[2] for word in letters) < frame.x1 - mm(1)
    assert tab[2] - tab[0] < 0.24 * mm(185)


def test_a_long_number_of_a_diary_has_lines_of_its_own(project: Project) -> None:
    number = "page one hundred and twelve of the second volume, begun in the rain"
    made = one(project, f"---\nstyle: diary\nnumber: {number}\ndate: Tuesday\n---\nSlept badly.")
    with pymupdf.open(stream=made.data) as document:
        rows = {word[4]: word for word in document[0].get_text("words")}
    assert rows["rain"][3] <= rows["Tuesday"][1] + mm(3)
    assert rows["rain"][1] < rows["Tuesday"][1] < rows["badly."][1]


def test_what_a_gm_is_told_below_a_map_goes_on_and_leaves_the_map_its_room(project: Project) -> None:
    told = " ".join(f"Room {number} smells of tar." for number in range(200))
    text = "map: {grid: [6, 4], places: {Mill: {is: mill, at: [1, 1]}, Ford: {is: spot, at: [4, 2], secret: yes}}}"
    made = one(project, f"---\nstyle: map\ntitle: Tide\n{text}\n---\n{told}")
    assert made.pages >= 3
    assert "room199smellsoftar" in shown(made.data)
    with pymupdf.open(stream=made.data) as document:
        for page in document:
            assert max(word[3] for word in page.get_text("words")) < page.rect.height - mm(12)


def test_a_wide_map_lies_on_its_paper_and_fills_it(project: Project) -> None:
    """Both versions of it, the players' and the GM's, are equally large."""
    places = (
        "{Mill: {is: mill, at: [1, 1]}, Ford: {is: spot, at: [7, 4]}, Cellar: {is: cross, at: [3, 3], secret: yes}}"
    )
    text = f"---\nstyle: map\ntitle: Tide\nby: a friend\nmap:\n  grid: [8, 5]\n  places: {places}\n---\nIt is dry."
    made = one(project, text)
    with pymupdf.open(stream=made.data) as document:
        assert [(round(page.rect.width), round(page.rect.height)) for page in document] == [(842, 595)] * 2
        frames = [max((each["rect"] for each in page.get_drawings()), key=abs) for page in document]
    assert [frame.width for frame in frames] == [pytest.approx(frames[0].width, abs=0.1)] * 2
    assert frames[0].height > 0.6 * 595


def test_a_few_lines_are_written_larger(project: Project) -> None:
    def largest(text: str) -> float:
        with pypdfium2.PdfDocument(one(project, f"---\nstyle: decree\ntitle: X\n---\n{text}").data) as document:
            page = document[0].get_textpage()
            at = page.search("Hear").get_next()[0]
            _, low, _, high = page.get_charbox(at)
            return float(high - low)

    assert largest("Hear this.") > 1.4 * largest("Hear this. " + "It is so ordered, and so on. " * 60)


def test_a_letter_that_no_font_has_is_told_with_its_line_and_a_way_out(project: Project) -> None:
    with pytest.raises(InputError) as caught:
        one(project, "---\nstyle: note\n---\nCome.\n\nBring שלום.")
    said = "no font has “ש” (U+05E9 HEBREW LETTER SHIN), and 3 more on this line: add one that does, --font FILE.ttf"
    assert str(caught.value) == f"hook.md:6: {said}"


def test_an_added_font_sets_what_ours_lack_and_from_right_to_left(
    project: Project, small_font: Callable[..., bytes]
) -> None:
    (project.where / "own.ttf").write_bytes(small_font())
    chosen = HandoutsOptions(font=("own.ttf",))
    letter = one(project, "---\nstyle: letter\nfrom: אב\n---\nאא בב, אב.", chosen=chosen)
    with pypdfium2.PdfDocument(letter.data) as document:
        page = document[0].get_textpage()
        text = page.get_text_range()
        first, second = (page.get_charbox(text.index(each))[0] for each in ("א", "ב"))
    assert first > second, "the first word stands on the right"


def test_symbols_are_drawn_where_they_stand(project: Project) -> None:
    """Boxes to tick, too: among written words that of a book face has a shadow."""
    note = one(project, "---\nstyle: note\nfrom: A. ♠\n---\nTwo ★ and a ♥ for ₪ 20. ☐ Yes ☑ No")
    assert note.pages == 1
    with pymupdf.open(stream=note.data) as document:
        assert not {"☐", "☑", "★"} & set(document[0].get_text())


def test_a_pinprick_is_a_dot_without_a_shade_around_it(project: Project) -> None:
    """Printers and PDFium show what is nearly transparent as a pale box, which gives the letter away."""
    letter = one(project, "---\nstyle: note\nhidden: go\n---\nThe dog is outside.")
    with pikepdf.open(BytesIO(letter.data)) as made:
        assert not any("ShadingType" in repr(each) for each in made.objects)


def test_the_same_words_give_the_same_bytes(project: Project) -> None:
    text = "---\nstyle: note\n---\nGone for water."
    assert one(project, text).data == one(project, text).data


def test_one_of_a_systems_handouts_is_chosen_by_its_name(project: Project) -> None:
    pack = open_pack(project, "tsgs")
    assert [file.stem for file in chosen_files(project, pack, ["on-owls"])] == ["on-owls"]
    with pytest.raises(UsageError, match='has no handout "on-owl" \\(did you mean "on-owls"'):
        chosen_files(project, pack, ["on-owl"])


def test_a_look_that_is_not_there_is_told_at_the_pack(project: Project) -> None:
    folder = project.where / "mist"
    (folder / "handouts").mkdir(parents=True)
    traits = "traits: {v: {title: V, range: 1-3, members: {Hope: {}}}}"
    (folder / "system.yaml").write_text(f"id: mist\ntitle: M\ncredit: c\nlicence: l\nlook: noirr\n{traits}\n")
    (folder / "handouts" / "a.md").write_text("---\nstyle: note\n---\nHi")
    with pytest.raises(InputError, match='unknown look "noirr" \\(did you mean "noir"\\?\\)'):
        read_all(project, open_pack(project, "./mist"))
