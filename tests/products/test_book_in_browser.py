"""The web page of a rulebook in Chromium, on a phone and on a desk, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageStat

from sheetgen.products.books.book import BookOptions, make_book
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

PHONE, DESK = (390, 844), (1440, 900)
IN_VIEW = "e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight && r.width > 0; }"


@pytest.fixture(scope="module", name="book")
def whole_book(tmp_path_factory: pytest.TempPathFactory, world: dict[str, str]) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    project = project_at(folder, world)
    path = folder / "book.html"
    path.write_bytes(make_book(project, open_pack(project, "sixshooter"), BookOptions(), ".html").data)
    return path


@pytest.fixture(params=[(PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark")], ids=str)
def page(request: pytest.FixtureRequest, book: Path, browser: Any) -> Iterator[Any]:
    (width, height), scheme = request.param
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    wrong = list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith(("file:", "data:")) else None)
    page.goto(book.as_uri())
    yield page
    assert wrong == []
    page.close()


def eventually(page: Any, true: str) -> None:
    """Wait until an expression is true: the page's own policy forbids what Playwright waits with."""
    for _ in range(200):
        if page.evaluate(true):
            return
        page.wait_for_timeout(20)
    raise AssertionError(true)


def on_phone(page: Any) -> bool:
    return bool(page.viewport_size["width"] == PHONE[0])


def test_nothing_shows_beside_the_bar_as_it_slides_beneath_it(page: Any) -> None:
    """Tables, charts and sheets reach further out than the text."""
    edges = "e => { const r = e.getBoundingClientRect(); return [Math.max(0, r.left), Math.min(innerWidth, r.right)]; }"
    left, right = page.locator("div.bar").evaluate(edges)
    wide = page.locator("main .wide, main .pane, main figure").evaluate_all(f"all => all.map({edges})")
    assert left <= min(each[0] for each in wide)
    assert right >= max(each[1] for each in wide)


def test_search_is_the_first_thing_and_marks_what_it_finds(page: Any) -> None:
    box, told = page.locator(".bar input"), page.locator(".bar output")
    assert box.evaluate(IN_VIEW)
    box.fill("joker")
    page.wait_for_selector("main mark")
    marks = page.locator("main mark")
    assert marks.count() > 5
    assert {each.lower() for each in marks.all_text_contents()} == {"joker"}
    assert told.inner_text().startswith(f"{marks.count()} times")
    for number in range(1, marks.count() + 1):  # also those in a folded log
        page.keyboard.press("Enter")
        eventually(page, f"document.querySelector('.bar output').textContent.startsWith('{number} of')")
        eventually(page, f"({IN_VIEW})(document.querySelector('mark.now'))")
        assert page.locator("mark.now").bounding_box()["y"] > page.locator(".search").bounding_box()["height"]
    assert (
        page.locator(".contents a:visible").count() == 0
        if on_phone(page)
        else 0 < page.locator(".contents a:visible").count() < 20
    )
    page.keyboard.press("Escape")
    assert marks.count() == 0
    box.fill("zeppelin")
    eventually(page, "document.querySelector('.bar output').textContent === 'nowhere in this book'")


def test_contents_fold_and_open_by_a_button_on_a_phone(page: Any) -> None:
    links = page.locator(".contents > ol > li > a")
    if on_phone(page):
        assert not links.first.is_visible()
        page.click(".bar button")
    assert links.first.is_visible()
    chapter = page.locator(".contents > ol > li").nth(3)
    rule = chapter.locator("ol a").first
    assert not rule.is_visible()
    chapter.locator(".fold").click()
    rule.click()
    eventually(page, "location.hash.length > 1")
    assert links.first.is_visible() is not on_phone(page)
    eventually(page, f"({IN_VIEW})(document.querySelector(location.hash + ' h2'))")


def test_the_contents_say_where_one_is(page: Any) -> None:
    for at in (2, 5):
        chapter = f"document.querySelectorAll('.chapter')[{at}]"
        page.evaluate(f"{chapter}.scrollIntoView({{behavior: 'instant'}})")
        eventually(page, f"document.querySelector('.contents [aria-current]')?.hash === '#' + {chapter}.id")


def test_nothing_is_wider_than_the_screen_but_what_says_that_it_slides(page: Any) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    panes = page.locator(".pane, .wide")
    found = panes.evaluate_all(
        "all => all.map(e => [e.scrollWidth > e.clientWidth + 4, e.matches('.slides[tabindex]')])"
    )
    assert [wide for wide, says in found if wide != says] == []
    assert any(wide for wide, _ in found) is on_phone(page)


def test_drawings_are_as_dark_as_the_page(page: Any) -> None:
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    drawn = (page.locator(each).first for each in (".cover svg", "figure .pane svg", ".handouts img", ".sheet img"))
    for each in drawn:
        with Image.open(BytesIO(each.screenshot())) as shown:
            (light,) = ImageStat.Stat(shown.convert("L")).median
        assert light < 60 if dark else light > 200


def test_words_on_a_cover_can_be_read_by_night(tmp_path: Path, world: dict[str, str], browser: Any) -> None:
    project = project_at(tmp_path, world)
    path = tmp_path / "gamers.html"
    path.write_bytes(make_book(project, open_pack(project, "gamers"), BookOptions(), ".html").data)
    page = browser.new_page(color_scheme="dark")
    page.goto(path.as_uri())
    with Image.open(BytesIO(page.locator(".letters-cover").screenshot())) as shown:
        assert ImageStat.Stat(shown.convert("L")).median[0] < 60
    page.close()


def test_handouts_and_sheets_are_in_the_book(page: Any) -> None:
    pictures = page.locator(".leaf img")
    assert pictures.evaluate_all("all => all.every(e => e.naturalWidth > 250 && e.alt.length > 10)")
    assert page.locator("#handouts h2").count() >= 3
    assert any("My husband" in told for told in page.locator("#handouts details").all_text_contents())
    assert page.locator(".sheet h1").all_inner_texts() == ["Your character sheet", "Sheet of Opal Gallegos"]
    page.evaluate("document.querySelector('a.cited').click()")
    eventually(page, f"({IN_VIEW})(document.querySelector(location.hash + ' h2'))")
