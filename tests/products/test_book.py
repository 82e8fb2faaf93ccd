"""A rulebook printed: every rule, sound page references, an outline, tags; and a web page that fetches nothing."""

from __future__ import annotations

import re
from io import BytesIO
from textwrap import dedent

import pikepdf
import pymupdf
import pytest

from sheetgen.errors import InputError, UsageError
from sheetgen.products.books.book import BookOptions, bound_sheets, make_book
from sheetgen.products.chapters import open_book, settled_warnings
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

PACK = {
    "system.yaml": """
        id: fen
        title: Fen
        credit: Fen, by somebody
        licence: as you like it
        traits: {virtues: {title: Virtues, range: 0-5, members: {Hope: {rule: FEN-2}}}}
        values: {attempt: {target: 8, dice: 2}}
        play: {attempt: {family: sum against a target, dice: 2d6, say: try something}}
    """,
    "tables.yaml": "tables: {weather: {title: Weather, dice: 1d6, rows: {1-3: rain, 4-6: sun}}}",
    "creation.yaml": """
        steps: {virtues: {do: roll each, group: virtues, dice: 1d4}}
        methods: {random: {steps: [virtues]}}
    """,
    "sheet.yaml": "character: {name: {is: text, title: Name}, virtues: {is: levels, title: Virtues}}",
    "examples.yaml": """
        - {id: fen-1, rule: [FEN-1], given: {do: attempt, target: 8}, dice: [4, 5], expect: {success: true}}
    """,
    "rules/01-the-roll.yaml": """
        title: The roll
        opening: How anything is tried.
        rules:
          attempt:
            title: Trying
            covers: [FEN-1]
            text: "Roll {attempt.dice|word} dice and reach {attempt.target}. See {rule hope} and {table weather}."
            examples: [{case: fen-1, told: Ada jumps the ditch.}]
            odds: {do: attempt, of: success, rows: {target: [6, 8]}, title: How often it works}
          hope:
            title: Hope
            covers: [FEN-2]
            label: house default
            note: Ours.
            text: "{Hope} is what is left. Two sixes: {die 6}{die 6}."
            hero: {seed: 7, index: 3}
          despair:
            title: Despair
            covers: [FEN-H1]
            house: yes
            settled: Nobody says how long it lasts.
            text: It lasts a day.†
        summary: ["Reach {attempt.target}."]
        glossary: {ditch: What one jumps.}
    """,
}


@pytest.fixture(name="fen")
def fen_pack(project: Project) -> Pack:
    folder = project.where / "fen"
    for name, text in PACK.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text).lstrip())
    return open_pack(project, "./fen")


def made(project: Project, pack: Pack, form: str, paper: str = "a5") -> bytes:
    return make_book(project, pack, BookOptions(paper=paper), form).data


def test_a_book_on_paper(project: Project, fen: Pack) -> None:
    data = made(project, fen, ".pdf")
    assert made(project, fen, ".pdf") == data
    with pymupdf.open(stream=data) as document:
        pages = [page.get_text() for page in document]
        outline = [(level, title) for level, title, _ in document.get_toc()]
    text = "\n".join(pages)
    for said in (
        "Fen",
        "Roll two dice and reach 8.",
        "Ada jumps the ditch.",
        "How often it works",
        "72%",
        "42%",
        "Ours.",
    ):
        assert said in text
    assert (1, "The roll") in outline
    assert (2, "Trying") in outline
    where = next(number for number, page in enumerate(pages, 1) if "what is left" in page)
    assert re.search(rf"Hope\s*\(page\s{where}\)", text)
    with pikepdf.open(BytesIO(data)) as document:
        assert document.Root.MarkInfo.Marked
        assert str(document.Root.Lang) == "en"
        assert [float(each) for each in document.pages[0].mediabox[2:]] == pytest.approx([419.5, 595.3], abs=0.1)


@pytest.mark.parametrize(("paper", "columns"), [("a5", 1), ("a4", 2), ("letter", 2)])
def test_wide_paper_has_two_columns_of_text(project: Project, fen: Pack, paper: str, columns: int) -> None:
    """What is short stands in one, where lines have no more than some seventy letters."""
    path = fen.folder / "rules" / "01-the-roll.yaml"
    path.write_text(path.read_text("utf-8").replace("It lasts a day.†", f'"{"It lasts a day. " * 50}†"'), "utf-8")
    with pymupdf.open(stream=made(project, open_pack(project, "./fen"), ".pdf", paper)) as document:
        pages = [
            [line for block in page.get_text("dict")["blocks"] for line in block.get("lines", ())] for page in document
        ]
    lefts = [
        {round(line["bbox"][0]) for line in page if "lasts a day. It lasts" in line["spans"][0]["text"]}
        for page in pages
    ]
    assert max(map(len, lefts)) == columns


@pytest.mark.parametrize(("paper", "beside"), [("a5", True), ("a4", False)])
def test_what_a_gm_looks_for_stands_in_the_margin_or_where_there_is_none_in_the_column(
    project: Project, fen: Pack, paper: str, beside: bool
) -> None:
    path = fen.folder / "rules" / "01-the-roll.yaml"
    text = f'":: Heron 3\\n\\n{"It lasts a day. " * 50}†"'
    path.write_text(path.read_text("utf-8").replace("It lasts a day.†", text), "utf-8")
    with pymupdf.open(stream=made(project, open_pack(project, "./fen"), ".pdf", paper)) as document:
        words = [word for page in document for word in page.get_text("words") if "Heron" in page.get_text()]
    (heron,) = (word for word in words if word[4] == "Heron")
    lasts = [word for word in words if word[4] == "lasts"]
    assert all(word[2] < heron[0] or heron[2] < word[0] for word in lasts) is beside


@pytest.mark.parametrize("drawing", ['<circle r="30"/>', ""])
def test_the_words_of_the_game_stand_behind_a_chapter_on_a_page_of_their_own_if_a_drawing_ends_it(
    project: Project, fen: Pack, drawing: str
) -> None:
    """They ran into it, where no reasons or tables stand between; a small game without one spares a page."""
    spot = fen.folder / "templates" / "book" / "spot.html"
    spot.parent.mkdir(parents=True, exist_ok=True)
    spot.write_text(f'<svg class="motif" viewBox="0 0 60 60">{drawing}</svg>', "utf-8")
    path = fen.folder / "rules" / "01-the-roll.yaml"
    text = re.sub(" *settled: .*\n", "", path.read_text("utf-8")).replace("day.†", "day.")
    path.write_text(text.replace("covers: [FEN-1]", "covers: [FEN-1]\n    table: weather"), "utf-8")
    with pymupdf.open(stream=made(project, open_pack(project, "./fen"), ".pdf", "a4")) as document:
        pages = [page.get_text() for page in document]
    (words,) = [page for page in pages if "What one jumps." in page]
    assert ("Reach 8." in words) is (drawing == "")


def test_what_this_edition_settles_is_signed_and_gathered_with_its_reasons(project: Project, fen: Pack) -> None:
    with pymupdf.open(stream=made(project, fen, ".pdf")) as document:
        pages = [page.get_text() for page in document]
    signed = next(number for number, page in enumerate(pages, 1) if "It lasts a day." in page)
    reasons = next(number for number, page in enumerate(pages, 1) if "Nobody says how long" in page)
    told = " ".join(pages[signed - 1].split())
    assert "It lasts a day.†" in told
    assert f"† settled by this edition; the reasons begin on page {reasons}" in told
    assert "HOUSE RULE" in told
    assert f"† Despair (page {signed})" in " ".join(pages[reasons - 1].split())
    assert 'href="#settled-despair"' in made(project, fen, ".html").decode()


def test_a_sign_without_a_reason_leads_nowhere_and_is_no_mistake(project: Project, fen: Pack) -> None:
    """The note at the head of a chapter leads to the reasons of the first rule that has some."""
    path = fen.folder / "rules" / "01-the-roll.yaml"
    path.write_text(path.read_text().replace("is what is left.", "is what is left.†"))
    with pymupdf.open(stream=made(project, open_pack(project, "./fen"), ".pdf")) as document:
        assert "the reasons begin on" in " ".join(" ".join(page.get_text().split()) for page in document)


@pytest.mark.parametrize(
    ("old", "new", "warning"),
    [
        ("It lasts a day.†", "It lasts a day.", "settled: write † in the text where it is decided"),
        ("    settled: Nobody says how long it lasts.\n", "", "the text has †: say why in a line `settled: …`"),
        ("    house: yes\n", "", 'rule "despair" is of this edition: add a line `house: yes`'),
    ],
)
def test_signs_and_reasons_go_together(project: Project, fen: Pack, old: str, new: str, warning: str) -> None:
    chapter = fen.folder / "rules" / "01-the-roll.yaml"
    text = chapter.read_text()
    assert old in text
    chapter.write_text(text.replace(old, new))
    (found,) = settled_warnings(open_book(project, fen).book)
    assert found.message == warning


def test_a_book_on_the_web(project: Project, fen: Pack) -> None:
    page = re.sub(r'<span id="word-\d+">([^<]*)</span>', r"\1", made(project, fen, ".html").decode())
    for said in ('id="FEN-1"', 'href="#rule-hope"', "Ada jumps the ditch.", 'type="search"', "script-src 'sha256-"):
        assert said in page
    assert not re.findall(r'(?:src|href)="(?!#|data:|https?:)', page)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("{rule hope}", "{rule hoep}", 'unknown rule "hoep" (did you mean "hope"?)'),
        ("case: fen-1", "case: fen-9", 'unknown example "fen-9" (did you mean "fen-1"?)'),
        ("odds: {do: attempt", "odds: {do: atempt", 'unknown procedure "atempt" (did you mean "attempt"?)'),
        ("of: success, rows", "of: total, rows", "odds: this result is no yes or no, but one of 10, 11, 12, 2, 3, 4"),
        ("{attempt.target}. See", "{attempt.targe}. See", 'no value "attempt.targe" (did you mean "attempt.target"?)'),
    ],
)
def test_a_book_with_a_mistake_is_not_printed(project: Project, fen: Pack, old: str, new: str, problem: str) -> None:
    chapter = fen.folder / "rules" / "01-the-roll.yaml"
    text = chapter.read_text()
    assert old in text
    chapter.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        made(project, fen, ".pdf")
    assert problem in str(caught.value)


def test_a_pack_without_chapters_has_no_book(project: Project, fen: Pack) -> None:
    (fen.folder / "rules" / "01-the-roll.yaml").unlink()
    with pytest.raises(UsageError, match="Fen has no rulebook"):
        made(project, fen, ".html")


def test_a_book_to_be_stapled(project: Project, fen: Pack) -> None:
    booklet = make_book(project, fen, BookOptions(paper="letter", booklet=True), ".pdf")
    assert booklet.job
    assert booklet.advice[0].startswith(f"{booklet.job.sheets} sheets of Letter, printed on both sides")
    with pikepdf.open(BytesIO(made(project, fen, ".pdf"))) as document:
        pages = len(document.pages)
    with pikepdf.open(BytesIO(booklet.data)) as document:
        assert len(document.pages) == 2 * booklet.job.sheets == 2 * -(-pages // 4)
        assert [float(each) for each in document.pages[0].mediabox[2:]] == pytest.approx([792, 612], abs=0.1)


@pytest.mark.parametrize(("name", "hero"), [("genesix", "Remedios"), ("chalkdown", "Agnes")])
def test_the_sheet_of_a_books_hero_is_a_players(project: Project, name: str, hero: str) -> None:
    """It once had among its notes what its player wants “from you”."""
    _, filled = bound_sheets(project, open_pack(project, name), "a5")
    with pymupdf.open(stream=filled.data) as document:
        text = " ".join(page.get_text() for page in document)
    assert hero in text
    assert "Wants from you" not in text
    assert "Says" not in text


@pytest.mark.parametrize(("name", "pages"), [("sixshooter", (4, 2)), ("chalkdown", (3, 2))])
def test_sheets_in_a_small_book_stand_upright_and_no_page_of_the_heros_is_empty(
    project: Project, name: str, pages: tuple[int, int]
) -> None:
    bound = bound_sheets(project, open_pack(project, name), "a5")
    found = []
    for sheet in bound:
        with pymupdf.open(stream=sheet.data) as document:
            assert all(page.rect.height > page.rect.width for page in document)
            found.append(len(document))
    assert tuple(found) == pages


def test_a_handout_of_several_pages_is_on_the_web_page(project: Project, fen: Pack) -> None:
    chapter = fen.folder / "rules" / "01-the-roll.yaml"
    chapter.write_text(
        chapter.read_text().replace("    label: house", "    handouts: {letter: A long letter}\n    label: house")
    )
    (fen.folder / "handouts").mkdir()
    (fen.folder / "handouts" / "letter.md").write_text(
        "---\nstyle: letter\nfrom: Ada\n---\n" + "Come before the ditch is full. " * 300
    )
    page = made(project, open_pack(project, "./fen"), ".html").decode()
    assert "The handout “A long letter” (letter), page 2; its words follow" in " ".join(page.split())
