"""Print and handouts in Chromium: pages follow the controls and the words, by mouse and by key, at every width."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sheetgen.pdf.pdfium import page_sizes
from tests.studio.conftest import Opened, axe_findings, eventually, letting_in, open_studio, serving

DRAWN = """() => { const found = document.querySelector('#pages .sheet img');
  return !!found && found.complete && found.naturalWidth > 100 }"""


@pytest.fixture(scope="module", name="served")
def of_a_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Opened, str]]:
    opened = open_studio(tmp_path_factory.mktemp("printing"))
    with serving(opened) as base:
        yield opened, base


def page_at(browser: Any, served: tuple[Opened, str], address: str, width: int = 1440, scheme: str = "light") -> Any:
    """Open an address; what the browser complains of is kept."""
    opened, base = served
    page = letting_in(browser, opened, base, viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(f"{base}{address}")
    return page


def picture(page: Any) -> str:
    """The address of the picture that is shown, once it is drawn."""
    eventually(page, DRAWN)
    found: str = page.locator("#pages .sheet img").first.get_attribute("src")
    return found


def test_pages_follow_the_controls_and_a_note_stands_beside_what_is_wrong(
    browser: Any, served: tuple[Opened, str]
) -> None:
    page = page_at(browser, served, "/print?game=chalkdown")
    page.get_by_text("An empty sheet", exact=True).click()
    before = picture(page)
    page.get_by_label("Paper").select_option("letter")
    eventually(page, lambda: "paper=letter" in page.url)
    eventually(page, lambda: picture(page) != before)
    letter = picture(page)
    page.get_by_label("Printer’s margin").fill("wide")
    note = page.locator("#w-margin")
    eventually(page, note.is_visible)
    assert "takes millimetres" in note.text_content()
    assert page.locator("#o-margin").input_value() == "wide"  # typing goes on where it was
    assert picture(page) == letter
    assert page.wrong == []


def test_sheets_are_turned_over_and_collected_by_keys_alone(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    page = page_at(browser, served, "/print/chalkdown/cards")
    first = picture(page)
    page.get_by_label("Shown").select_option("*all")
    eventually(page, lambda: "sheet 1 of" in (page.locator(".turning").text_content() or ""))
    front = picture(page)
    assert front != first
    page.locator("h1").click()
    page.keyboard.press("t")
    eventually(page, lambda: ", back" in (page.locator(".turning").text_content() or ""))
    assert picture(page) != front
    page.keyboard.press("]")
    eventually(page, lambda: "sheet 2 of" in (page.locator(".turning").text_content() or ""))
    page.keyboard.press("a")
    eventually(page, lambda: "In the tray: 1" in (page.locator("#tray").text_content() or ""))
    assert (opened.folder / ".sheetgen" / "print.json").is_file()
    assert page.wrong == []


def test_it_is_told_how_many_pages_there_are_before_they_are_downloaded(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, _ = served
    page = page_at(browser, served, "/print/chalkdown/cards")
    told = page.locator("#count")
    eventually(page, lambda: "pages, on" in told.inner_text())
    data = opened.browser.get(page.get_attribute(".ways a:has-text('Download')", "href")).content
    assert told.inner_text().startswith(f"{len(page_sizes(data))} pages, on {(len(page_sizes(data)) + 1) // 2} sheets")
    assert page.wrong == []


def test_words_are_seen_while_they_are_typed_and_saved_when_told(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    page = page_at(browser, served, "/print/handouts")
    page.get_by_text("Telegram", exact=True).click()
    before = picture(page)
    page.locator("#f-text").fill("Do not come.")
    eventually(page, lambda: picture(page) != before)
    page.locator("#f-to").fill("")
    eventually(page, page.locator("#w-to").is_visible)
    assert not (opened.folder / "handouts").exists()
    page.locator("#f-to").fill("Ada")
    eventually(page, lambda: not page.locator("#w-to").is_visible())
    page.locator("#name").fill("To Ada")
    page.get_by_role("button", name="Save").click()
    eventually(page, lambda: "to-ada" in page.url)
    assert "Do not come." in (opened.folder / "handouts" / "to-ada.yaml").read_text()
    assert page.wrong == []


def test_without_script_all_works_as_plain_forms(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    context = browser.new_context(viewport={"width": 1440, "height": 900}, java_script_enabled=False)
    name = f"sheetgen-studio-{base.rpartition(':')[2]}"
    context.add_cookies([{"name": name, "value": opened.studio.secret, "url": base}])
    page = context.new_page()
    page.goto(f"{base}/print/chalkdown/blank")
    page.get_by_label("Paper").select_option("letter")
    page.locator("#options").get_by_role("button", name="Show").click()
    page.wait_for_url("**paper=letter*")
    page.goto(f"{base}/print/handouts/new?style=note")
    page.locator("#f-text").fill("Behind the mill.")
    page.get_by_role("button", name="See it").click()
    page.locator("#pages img").wait_for()
    assert page.locator("#f-text").input_value() == "Behind the mill."
    assert page.locator("#pages img").count() == 1


PAGES = (
    "/print?game=chalkdown",
    "/print/chalkdown/blank",
    "/print/printers",
    "/print/tray",
    "/print/handouts/new?style=ticket",
)


def test_at_twice_the_size_the_options_have_room_and_the_folder_keeps_its_name(
    browser: Any, served: tuple[Opened, str]
) -> None:
    page = page_at(browser, served, "/print/sixshooter/cards", 720)
    page.set_viewport_size({"width": 720, "height": 450})  # 1440 x 900 at 200 %
    assert page.locator(".top .home").bounding_box()["width"] >= 60
    assert page.locator(".top .mark").bounding_box()["x"] + page.locator(".top .mark").bounding_box()["width"] <= 720
    assert page.evaluate("document.documentElement.scrollWidth") <= 720
    page.locator("[name=paper]").scroll_into_view_if_needed()
    paper, ways = page.locator("[name=paper]").bounding_box(), page.locator("#ways").bounding_box()
    assert ways["y"] >= paper["y"] + paper["height"]
    page.context.close()


@pytest.mark.parametrize("width", [390, 1024, 1920])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_width_by_day_and_by_night(
    browser: Any, served: tuple[Opened, str], width: int, scheme: str, tmp_path: Path
) -> None:
    for number, address in enumerate(PAGES):
        page = page_at(browser, served, address, width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        page.screenshot(path=tmp_path / f"{number}.png")
        assert page.wrong == []
        assert axe_findings(page) == [], address
        page.close()
