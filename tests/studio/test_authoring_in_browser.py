"""Authors in Chromium: the editor completes, marks problems, saves with Ctrl+S alone, and brings drafts back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sheetgen.studio.assets import asset_file
from sheetgen.studio.authoring.files import rule_at
from sheetgen.workspace.safekeeping import draft_of
from tests.studio.conftest import Opened, axe_findings, eventually, serving
from tests.studio.test_authoring import AT, BELLS, of_authors, text
from tests.studio.test_tonight_in_browser import opened_page

__all__ = ["of_authors"]
EDITOR = asset_file("@codemirror/view/dist/index.js")
pytestmark = pytest.mark.skipif(EDITOR is None, reason="needs CodeMirror: ./run studio fetches it")


@pytest.fixture(name="served")
def of_authors_served(authors: Opened) -> Iterator[tuple[Opened, str]]:
    with serving(authors) as base:
        yield authors, base


def drafted(opened: Opened) -> str:
    """The draft of the chapter; nothing while there is none."""
    kept = draft_of(opened.folder, f"content/lamps/{BELLS}")
    return kept.text if kept else ""


def test_a_rule_is_changed_and_its_card_follows(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    before = text(opened)
    page = opened_page(browser, served, f"{AT}?line=7")
    page.locator(".cm-content").wait_for()
    page.locator("img[alt^='Card 1']").wait_for(timeout=60_000)
    first = page.locator("img[alt^='Card 1']").get_attribute("src")
    page.locator(".cm-line", has_text="title: Each bell").click()
    page.keyboard.press("End")
    page.keyboard.type(" and lamp")
    page.locator("#state", has_text="draft, 20:15").wait_for()
    assert text(opened) == before
    page.locator("#moves li", has_text="bells").wait_for(timeout=60_000)
    eventually(page, lambda: page.locator("img[alt^='Card 1']").get_attribute("src") != first)
    page.keyboard.press("Control+s")
    page.locator("#state", has_text="saved 20:15").wait_for()
    assert text(opened) == before.replace("title: Each bell", "title: Each bell and lamp")
    assert page.wrong == []
    page.context.close()


def test_the_paper_follows_to_the_rule_that_the_cursor_comes_to(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    rules = [(at, name) for at, line in enumerate(text(opened).split("\n"), 1) if (name := rule_at(text(opened), at))]
    before, after = next((at, rules[at + 1]) for at, each in enumerate(rules[:-1]) if rules[at + 1][1] != each[1])
    line, name = rules[before]
    page = opened_page(browser, served, f"{AT}?line={line}")
    page.locator(f"img[alt='{name} in the book, as printed']").wait_for(timeout=60_000)
    assert after[0] == line + 1
    page.keyboard.press("ArrowDown")
    page.locator(f"img[alt='{after[1]} in the book, as printed']").wait_for(timeout=60_000)
    assert page.wrong == []
    page.context.close()


def test_a_locked_chapter_is_taken_into_a_variant_and_changed_there(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    opened.browser.post("/edit-new", data={"name": "harbour", "from": "gamers"})
    page = opened_page(browser, served, "/edit-rule/harbour/quickie")
    page.get_by_role("button", name="Change it in harbour").click()
    page.wait_for_url(f"{base}/edit/here/content/harbour/rules/03-the-roll.yaml?line=*")
    page.locator("img[alt^='Card 1 of quickie']").wait_for(timeout=90_000)
    first = page.locator("img[alt^='Card 1 of quickie']").get_attribute("src")
    page.locator(".cm-line", has_text="title: A quick roll").first.click()
    page.keyboard.press("End")
    page.keyboard.type(" thing")
    eventually(page, lambda: page.locator("img[alt^='Card 1 of quickie']").get_attribute("src") != first)
    assert page.locator("img[alt='quickie in the book, as printed']").count() == 1
    assert page.wrong == []
    page.context.close()


def test_a_mistake_in_a_template_is_told_at_its_line_and_the_last_page_stays(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, _ = served
    opened.browser.post("/edit-new", data={"name": "harbour", "from": "gamers"})
    sheet = opened.folder / "content" / "harbour" / "templates" / "sheet.html"
    sheet.parent.mkdir(exist_ok=True)
    sheet.write_text('{% extends "sheet/plain.html" %}\n')
    page = opened_page(browser, served, "/edit/here/content/harbour/templates/sheet.html")
    page.locator("#author-paper img").wait_for(timeout=90_000)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("{% nope %}")
    page.locator("#problems p", has_text="line 2 Encountered unknown tag").wait_for(timeout=60_000)
    page.locator(".cm-lint-marker-error").wait_for()
    page.wait_for_timeout(2_500)  # when the whole pack has been read, it still is a mistake
    assert "unknown tag" in page.locator("#problems").inner_text()
    assert page.locator("#author-paper img").count() == 1
    for _ in range(len("{% nope %}")):
        page.keyboard.press("Backspace")
    eventually(page, "!document.getElementById('problems').textContent.includes('unknown tag')")
    assert page.wrong == []
    page.context.close()


def test_the_line_one_types_in_stays_in_sight_when_a_mistake_is_told(browser: Any, served: tuple[Opened, str]) -> None:
    page = opened_page(browser, served, AT, 1024)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nx: [")
    page.locator("#problems p").first.wait_for()
    bottoms = (
        "['.cm-activeLine', '.cm-scroller'].map(each => document.querySelector(each).getBoundingClientRect().bottom)"
    )
    eventually(page, f"(([line, box]) => line <= box + 1)({bottoms})")
    assert page.wrong == []


def test_keys_are_completed_and_problems_marked(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    page = opened_page(browser, served, AT)
    page.locator(".cm-line", has_text="table: bell").first.click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("sett")
    page.locator(".cm-tooltip-autocomplete li", has_text="settled").wait_for()
    page.wait_for_timeout(600)  # the editor takes no Enter for a list that has just come up
    page.keyboard.press("Enter")
    page.keyboard.type("so")
    page.locator(".cm-line", has_text="settled: so").wait_for()
    page.keyboard.press("Enter")
    page.keyboard.type("titel: x")
    page.locator(".cm-line", has_text="titel: x").click()
    page.locator("#problems p", has_text="titel").first.wait_for()
    page.locator(".cm-lint-marker-error").first.wait_for()
    page.reload()
    page.locator(".drafted", has_text="Draft of 20:15").wait_for()
    page.locator(".cm-line", has_text="titel: x").wait_for()
    assert "titel" not in text(opened)
    assert page.wrong == []
    page.context.close()


def test_what_is_typed_last_is_a_draft_though_the_page_is_left_at_once(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, base = served
    page = opened_page(browser, served, AT)
    page.locator(".cm-content").click()
    page.keyboard.type("# last words ")
    page.goto(f"{base}/edit")
    eventually(page, lambda: "# last words" in drafted(opened), settled=False)
    page.goto(f"{base}{AT}")
    page.locator("#drafted").wait_for()
    page.locator(".cm-line", has_text="# last words").wait_for()
    assert "# last words" not in text(opened)
    page.context.close()


def test_what_is_typed_while_it_is_saved_is_a_draft(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    page = opened_page(browser, served, AT)
    page.locator(".cm-content").click()
    page.keyboard.type("# first ")

    held = list[Any]()  # a save on its way: typed is when no key is down any more

    def slowly(route: Any) -> None:
        if "do=save" in route.request.post_data:
            held.append(route)
        else:
            route.continue_()

    page.route(f"{base}{AT}", slowly)
    page.keyboard.press("Control+s")
    eventually(page, lambda: held, settled=False)
    page.keyboard.type("# second ")
    held[0].continue_()
    eventually(page, lambda: "# first" in text(opened), settled=False)
    eventually(page, lambda: "# second" in drafted(opened), settled=False)
    page.unroute_all()
    assert len(held) == 1
    assert "# second" not in text(opened)
    page.reload()
    page.locator("#drafted").wait_for()
    page.locator(".cm-line", has_text="# first # second").wait_for()
    page.context.close()


def test_without_script_it_is_a_form(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    page = opened_page(browser, served, AT, script=False)
    area = page.locator("textarea[name=text]")
    area.fill(text(opened).replace("title: Bells", "titel: Bells"))
    page.get_by_role("button", name="Check").click()
    page.locator("#problems p", has_text="titel").first.wait_for()
    area = page.locator("textarea[name=text]")
    area.fill(area.input_value().replace("titel: Bells", "title: All bells"))
    page.get_by_role("button", name="Save").click()
    eventually(page, lambda: "title: All bells" in text(opened))
    page.context.close()


def test_on_a_phone_the_tabs_lead_to_files_text_and_pages(browser: Any, served: tuple[Opened, str]) -> None:
    page = opened_page(browser, served, AT, 390)
    page.locator(".cm-content").wait_for()
    for column, shown in (("paper", "#author-paper"), ("list", ".rows.files"), ("work", "#editor")):
        page.click(f".tabs [data-column={column}]")
        visible = [each for each in ("#author-paper", ".rows.files", "#editor") if page.locator(each).is_visible()]
        assert visible == [shown]
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1024, 1920])
def test_every_width_by_day_and_by_night(
    browser: Any, served: tuple[Opened, str], width: int, scheme: str, tmp_path: Path
) -> None:
    page = opened_page(browser, served, AT, width, scheme)
    page.locator(".cm-content").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=tmp_path / f"{BELLS.replace('/', '-')}-{width}-{scheme}.png")
    assert page.wrong == []
    assert axe_findings(page) == []
    page.context.close()
