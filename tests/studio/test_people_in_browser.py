"""People in Chromium: what is typed is saved and drawn, by mouse and by keys alone, at every width, day and night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sheetgen.people.character_files import read_party
from tests.studio.conftest import Opened, axe_findings, eventually, letting_in, serving


@pytest.fixture(name="served")
def of_a_server(opened: Opened) -> Iterator[tuple[Opened, str]]:
    with serving(opened) as base:
        yield opened, base


def people_of(opened: Opened) -> list[Any]:
    """Everybody in the files of the cast."""
    files = sorted((opened.folder / "cast").glob("*.yaml"))
    return [each for file in files for each in read_party(opened.studio.project, file).characters]


def test_somebody_is_kept_changed_and_taken_back(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    page = letting_in(browser, opened, base)
    page.goto(f"{base}/people?seed=7")
    page.click("#face-3")
    page.wait_for_selector("#card-3.chosen")
    page.keyboard.press("k")
    page.wait_for_selector("#card-3.kept")
    (kept,) = people_of(opened)
    assert page.locator(".who .called").input_value() == kept.text("name")
    assert page.locator("#work-name").text_content() == kept.text("name"), "the tab of narrow windows, and the column"
    before = page.locator("#page").get_attribute("src")
    page.fill('textarea[name="f.manner"]', "limps since the bridge")
    page.wait_for_selector(f'#page:not([src="{before}"])')
    eventually(page, lambda: people_of(opened)[0].text("manner") == "limps since the bridge")
    page.fill('input[name="f.attributes.Endurance"]', "G")
    page.wait_for_selector(".note")
    assert "GAM-016" in page.inner_text(".note")
    page.click("text=Make it F")
    page.wait_for_selector(".note", state="detached")
    eventually(page, lambda: people_of(opened)[0].numbers("attributes")["Endurance"] == 15)
    page.locator("#work").focus()
    page.keyboard.press("z")
    page.wait_for_selector("#tray >> text=undone")
    eventually(page, lambda: people_of(opened)[0].text("manner") != "limps since the bridge")
    page.locator(".spots rect[data-for]").first.click()
    eventually(page, "document.activeElement.name === 'f.name'")  # the paper leads to the form
    eventually(page, lambda: page.locator(".spots rect.ringed").count() == 1)
    assert page.wrong == []
    page.context.close()


def test_what_is_wrong_with_a_field_comes_into_sight_and_is_told_with_it(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, base = served
    page = letting_in(browser, opened, base, viewport={"width": 1024, "height": 640})
    page.goto(f"{base}/people?seed=7&who=3")
    field = page.locator('input[name="f.attributes.Endurance"]')
    field.evaluate("each => each.scrollIntoView({block: 'end'})")
    field.fill("G")
    note = page.locator(".note", has_text="GAM-016")
    note.wait_for()
    tray = page.locator("#tray").bounding_box()["y"]
    eventually(page, lambda: note.bounding_box()["y"] + note.bounding_box()["height"] <= tray)
    assert field.get_attribute("aria-describedby") == note.get_attribute("id")
    field.fill("9")
    note.wait_for(state="detached")
    eventually(page, lambda: field.get_attribute("aria-invalid") is None)
    assert page.wrong == []


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_what_is_said_of_an_age_is_read_to_its_end(browser: Any, served: tuple[Opened, str], width: int) -> None:
    opened, base = served
    page = letting_in(browser, opened, base, viewport={"width": width, "height": 900})
    page.goto(f"{base}/people?seed=7&who=1")
    age = page.locator('input[name="f.age"]')
    assert len(age.input_value()) > 15
    assert age.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_no_page_is_shown_of_nobody(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    page = letting_in(browser, opened, base)
    page.goto(f"{base}/people?seed=7&who=3")
    page.keyboard.press("k")
    page.wait_for_selector("#card-3.kept")
    page.goto(f"{base}/people?find=")
    page.wait_for_selector("#page")
    page.fill("input[name=find]", "zzz")
    page.press("input[name=find]", "Enter")
    page.wait_for_selector("text=Nobody is chosen")
    eventually(page, "document.querySelector('#page').offsetParent === null")
    page.reload()
    page.click("text=Back to the dice")
    page.click("#face-2")
    eventually(page, "document.querySelector('#page').offsetParent !== null")
    assert page.wrong == []


def test_whoever_is_not_on_the_wall_is_changed_without_a_word_of_it(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    page = letting_in(browser, opened, base)
    page.goto(f"{base}/people?seed=7&who=3")
    page.keyboard.press("k")
    page.wait_for_selector("#card-3.kept")
    page.goto(f"{base}/people/{people_of(opened)[0].text('name').lower().replace(' ', '-')}?seed=8")
    page.fill('textarea[name="f.manner"]', "limps since the bridge")
    eventually(page, lambda: people_of(opened)[0].text("manner") == "limps since the bridge")
    eventually(page, "document.querySelector('#tray').innerText.includes('changed')")
    assert page.wrong == []


def test_a_wall_is_walked_thrown_back_and_rolled_by_keys_alone(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    page = letting_in(browser, opened, base)
    page.goto(f"{base}/people?seed=7")
    page.locator("#face-1").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("#card-2.chosen")
    page.keyboard.press("x")
    page.wait_for_selector("#card-2.gone")
    eventually(page, lambda: "not=2" in page.url)
    page.reload()
    page.wait_for_selector("#card-2.gone")
    page.locator("#work").focus()
    page.keyboard.press("r")
    page.wait_for_url("**seed=100*")
    page.locator("#work").focus()
    page.keyboard.press("/")
    page.keyboard.type("a golden trombone")
    page.keyboard.press("Enter")  # to the first that was found: the place where people are looked through
    page.wait_for_selector("text=Nobody of the cast has")
    assert people_of(opened) == []
    assert page.wrong == []
    page.context.close()


def test_a_look_at_the_files_that_comes_late_does_not_undo_what_was_done_since(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, base = served
    page, late = letting_in(browser, opened, base), list[Any]()
    page.goto(f"{base}/people?seed=7&who=2")
    held = lambda route: route.continue_() if late or not _is_look(route.request) else late.append(route)  # noqa: E731
    page.route("**/people?*", held)
    eventually(page, lambda: bool(late))
    page.keyboard.press("x")
    page.wait_for_selector("#card-2.gone")
    with page.expect_event("requestfinished", _is_look):
        late[0].continue_()
    page.wait_for_timeout(300)  # it is read and put in place by then
    assert page.locator("#card-2.gone").count() == 1
    page.context.close()


def _is_look(request: Any) -> bool:
    """Whether it is our script that looks at a page again, not htmx that asks for parts of it."""
    return bool(request.resource_type == "fetch")


def test_without_script_it_is_forms_and_links(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    page = letting_in(browser, opened, base, java_script_enabled=False)
    page.goto(f"{base}/people?seed=7&who=2")
    page.click("button:has-text('Keep')")
    page.wait_for_selector("#card-2.kept")
    page.fill('textarea[name="f.manner"]', "limps")
    page.click("button:has-text('Save')")
    eventually(page, lambda: people_of(opened)[0].text("manner") == "limps")
    page.context.close()


@pytest.mark.parametrize("width", [390, 1024])
def test_narrow_windows_begin_with_the_wall_and_a_tab_leads_back_to_it(
    browser: Any, served: tuple[Opened, str], width: int
) -> None:
    opened, base = served
    page = letting_in(browser, opened, base, viewport={"width": width, "height": 768})
    page.goto(f"{base}/people?seed=7")
    wall, form = page.locator(".wall"), page.locator("#person")
    assert (wall.is_visible(), form.is_visible()) == (True, False)
    page.click("#face-3")
    eventually(page, lambda: (wall.is_visible(), form.is_visible()) == (False, True))
    pressed = page.locator(".tabs [aria-pressed=true]")
    assert pressed.inner_text() == page.locator(".who .called").input_value()
    page.click(".tabs >> text=People")
    assert (wall.is_visible(), form.is_visible()) == (True, False)
    assert page.wrong == []
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1024, 1920])
def test_it_is_for_everybody_at_every_width(
    browser: Any, served: tuple[Opened, str], tmp_path: Path, width: int, scheme: str
) -> None:
    """axe finds nothing serious, nothing runs out of the window, and the page is there."""
    opened, base = served
    page = letting_in(browser, opened, base, viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(f"{base}/people?seed=7&who=1&not=2")
    eventually(page, "document.getElementById('page').complete")  # never idle: it listens for news
    assert axe_findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=tmp_path / f"people-{width}-{scheme}.png")
    assert page.wrong == []
    page.context.close()
