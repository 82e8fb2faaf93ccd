"""References of all systems fit, read in order, and keep from their folds; which packs have a screen."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pikepdf
import pymupdf
import pytest

from sheetgen.content.book.references import References
from sheetgen.documents.markdown import html_of
from sheetgen.errors import InputError, UsageError
from sheetgen.geometry import PAPERS, millimetres
from sheetgen.products import chapters as rulebook
from sheetgen.products.chapters import Rulebook
from sheetgen.products.session import screen as screens
from sheetgen.products.session.reference import (
    ONE,
    POCKET,
    TWO,
    PanelSetting,
    ReferenceOptions,
    fit_panels,
    leaf_of,
    make_reference,
    pocket_of,
    text_of,
)
from sheetgen.products.session.screen import open_screen
from sheetgen.services.check import check
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

SYSTEMS = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix")
BookOf = Callable[[str], tuple[Pack, Rulebook]]


@pytest.fixture(autouse=True)
def quick_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charts with the same bar everywhere: how high they are does not hang on it."""
    monkeypatch.setattr(rulebook, "_chance", lambda *_: 0.5)


def pages_of(data: bytes) -> list[tuple[float, float]]:
    """The sizes of the pages in mm."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [(millimetres(float(page.mediabox[2])), millimetres(float(page.mediabox[3]))) for page in pdf.pages]


def words_of(data: bytes, page: int = 0) -> list[tuple[float, float, float, float, str]]:
    """The words of a page with their boxes in mm from the upper left."""
    with pymupdf.open(stream=data) as pdf:
        return [(*(millimetres(side) for side in word[:4]), word[4]) for word in pdf[page].get_text("words")]


@pytest.mark.parametrize("name", SYSTEMS)
def test_references_fit_in_type_that_can_be_read(name: str, project: Project, book_of: BookOf) -> None:
    """At 8.5 pt at the least on a page and 8 pt in a pocket."""
    pack, rules = book_of(name)
    found = open_screen(project, pack, rules)
    made = [
        (found.reference, leaf_of(ReferenceOptions(), 2), TWO),
        (found.pocket, pocket_of(PAPERS["a4"].turned), POCKET),
    ]
    for moments, board, look in made:
        least = replace(look, sizes=look.sizes[:1])
        text = text_of(pack, rules, moments, column=board.column, look=least)
        assert fit_panels(PanelSetting(project, pack, text, board, least)).panels, look.kind


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_says_enough_to_play_by(name: str, project: Project, book_of: BookOf) -> None:
    """More than a few lines on the screen, on the page and in the pocket alike."""
    pack, rules = book_of(name)
    found = open_screen(project, pack, rules)
    references = References(pack.system, rules.book)
    for moments in (found.moments, found.reference, found.pocket):
        texts = [each.extract(rules.book).text for moment in moments for each in moment.parts]
        assert sum(len(html_of(text.text, references.resolve).split()) for text in texts if text) > 250


def test_a_long_word_of_a_title_stays_on_the_cover(
    project: Project, book_of: BookOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What reaches out of its box is an error."""
    title = "Donaudampfschifffahrtsgesellschaftskapit"
    monkeypatch.setattr("sheetgen.products.session.reference.POCKET", replace(POCKET, sizes=(8,)))
    pack, _ = book_of("sixshooter")
    titled = replace(pack, system=replace(pack.system, title=title))
    made = make_reference(project, titled, ReferenceOptions(pocket=True), ".pdf")
    with pymupdf.open(stream=made.data) as pdf:
        assert title in pdf[0].get_text()


@pytest.fixture
def little_book(project: Project, book_of: BookOf, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setattr("sheetgen.products.session.reference.POCKET", replace(POCKET, sizes=(8,)))
    made = make_reference(project, book_of("sixshooter")[0], ReferenceOptions(pocket=True), ".pdf")
    assert made.what.endswith("8 pages")
    return made.data


def test_the_little_book_reads_in_order(little_book: bytes) -> None:
    """Eight places on one side, 5 4 3 2 on their heads above 6 7 8 1, each an eighth of the paper to 0.1 mm."""
    assert pages_of(little_book) == [pytest.approx((297, 210), abs=0.1)]
    with pikepdf.open(io.BytesIO(little_book)) as pdf:
        page = pdf.pages[0]
        placed = [
            [float(number) for number in operands]
            for operands, operator in pikepdf.parse_content_stream(page)
            if str(operator) == "cm"
        ]
        forms = {name: form for name, form in page.Resources.XObject.items() if name != "/Marks"}
        boxes = {tuple(map(float, form.BBox)) for form in forms.values()}
    assert [(millimetres(box[2]), millimetres(box[3])) for box in boxes] == [pytest.approx((74.25, 105), abs=0.1)]
    corners = [(matrix[0], millimetres(matrix[4]), millimetres(matrix[5])) for matrix in placed]
    upper = [(-1, 74.25 * (column + 1), 210) for column in range(4)]  # turned, so drawn from their upper right
    lower = [(1, 74.25 * column, 0) for column in range(4)]
    assert corners == [pytest.approx(corner, abs=0.1) for corner in (*upper, *lower)]
    numbers = sorted((left, top, word) for left, top, _, _, word in words_of(little_book) if word in "234567")
    assert [word for _, top, word in numbers if top < 12] == ["5", "4", "3", "2"]
    assert [word for _, top, word in numbers if top > 198] == ["6", "7"]


def test_the_little_book_keeps_away_from_its_folds(little_book: bytes) -> None:
    for left, top, right, bottom, word in words_of(little_book):
        assert all(right <= fold - 4 or left >= fold + 4 for fold in (74.25, 148.5, 222.75)), word
        assert bottom <= 105 - 4 or top >= 105 + 4, word
        assert left >= 5, word
        assert right <= 297 - 5, word


def test_little_pages_are_eighths_of_letter_paper_too() -> None:
    board = pocket_of(PAPERS["letter"].turned)
    assert (board.width, board.height) == (69.85, 107.95)


def test_a_reference_is_a_page_for_the_browser_that_fetches_nothing(project: Project, book_of: BookOf) -> None:
    pack, _ = book_of("sixshooter")
    made = make_reference(project, pack, ReferenceOptions(), ".html")
    page = made.data.decode()
    assert "default-src 'none'" in page
    assert "Roll the<strong> die</strong>" in page
    assert 'href="#' not in page


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", ["gamers", "diecodes", "genesix"])
def test_the_reference_of_every_game_is_one_page_with_full_columns(
    project: Project, book_of: BookOf, monkeypatch: pytest.MonkeyPatch, name: str, paper: str
) -> None:
    pack, _ = book_of(name)
    monkeypatch.setattr("sheetgen.products.session.reference.ONE", replace(ONE, sizes=ONE.sizes[:1]))
    made = make_reference(project, pack, ReferenceOptions(paper=paper), ".pdf")
    assert made.what.endswith("1 page")


def test_a_reference_has_one_page_where_nine_points_suffice(
    project: Project, book_of: BookOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, _ = book_of("sixshooter")
    monkeypatch.setattr("sheetgen.products.session.reference.ONE", replace(ONE, sizes=(9,)))
    made = make_reference(project, pack, ReferenceOptions(paper="letter"), ".pdf")
    assert made.what.endswith("1 page")
    assert pages_of(made.data) == [pytest.approx((215.9, 279.4), abs=0.1)]


def test_a_skin_shows_its_own_names(project: Project) -> None:
    pack = open_pack(project, "agents")
    rules, found = screens.rules_and_screen(project, pack)
    text = text_of(pack, rules, found.pocket, column=60, look=POCKET)
    said = str(text.moments)
    assert "Stamina" in said
    assert "Endurance" not in said


def test_a_pack_without_rules_has_no_screen(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "mist"
    folder.mkdir()
    (folder / "system.yaml").write_text(
        "id: mist\ntitle: Mist\ncredit: me\nlicence: mine\n"
        "traits: {a: {title: A, range: 0-9, members: {Grit: {}, Luck: {}}}}\n"
    )
    pack = open_pack(project, "./mist")
    assert not screens.has_screen(project, pack)
    with pytest.raises(UsageError, match="nothing to put on a screen"):
        screens.make_screen(project, pack, screens.ScreenOptions(), ".pdf")


def test_check_reads_the_screen_too(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "mist"
    (folder / "rules").mkdir(parents=True)
    (folder / "system.yaml").write_text(
        "id: mist\ntitle: Mist\ncredit: me\nlicence: mine\n"
        "traits: {a: {title: A, range: 0-9, members: {Grit: {}, Luck: {}}}}\n"
    )
    (folder / "rules" / "01-roll.yaml").write_text(
        "title: The roll\nopening: Roll.\nrules: {quickie: {title: A quickie, text: Roll., screen: Roll.}}\n"
    )
    (folder / "screen.yaml").write_text("moments: [{title: The roll, rules: [quicky]}]\n")
    with pytest.raises(InputError) as caught:
        check(project, "./mist")
    assert [str(problem) for problem in caught.value.problems] == [
        'mist/screen.yaml:1:37: unknown rule "quicky" (did you mean "quickie"?)'
    ]
