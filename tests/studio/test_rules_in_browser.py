"""Rules in Chromium: read, found and played by mouse, by keys alone and without script; each width, day and night."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.studio.conftest import PATIENCE_S, axe_findings, eventually, open_studio, serving

WIDTHS = {390: 844, 1024: 768, 1920: 1080}


@pytest.fixture(scope="module", name="address")
def served_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    opened = open_studio(tmp_path_factory.mktemp("rules"))
    with serving(opened) as base:
        yield base, {"name": f"sheetgen-studio-{base.rpartition(':')[2]}", "value": opened.studio.secret, "url": base}


@pytest.fixture(params=[(width, scheme) for width in WIDTHS for scheme in ("light", "dark")], ids=str, name="page")
def page_of_the_studio(
    request: pytest.FixtureRequest, address: tuple[str, dict[str, str]], browser: Any
) -> Iterator[Any]:
    (width, scheme), (base, cookie) = request.param, address
    context = browser.new_context(
        viewport={"width": width, "height": WIDTHS[width]}, color_scheme=scheme, base_url=base
    )
    context.add_cookies([cookie])
    page, wrong = context.new_page(), list[str]()
    page.set_default_timeout(1000 * PATIENCE_S)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith(base) else None)
    yield page
    assert [each for each in wrong if not each.startswith("htmx:")] == []  # it tells of requests that were overtaken
    context.close()


def to_play(page: Any) -> None:
    """Bring the column for playing into sight."""
    if page.viewport_size["width"] < 720:
        page.click(".tabs [data-column=paper]")


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"])


def test_a_told_example_stands_as_in_the_book_without_empty_lines(page: Any) -> None:
    page.goto("/rules/gamers/quickie")
    heights = "(each) => each.getBoundingClientRect().height"
    words = page.locator(".book .told .words").first
    assert abs(words.evaluate(heights) - words.locator("p").evaluate(heights)) < 2


def test_rules_begin_with_a_question_or_a_roll(page: Any) -> None:
    page.goto("/rules/gamers")
    assert page.locator("h1").inner_text() == "GAMERS"
    assert fits(page)
    assert axe_findings(page) == []
    page.get_by_label("What does the game say about").fill("gam-133")
    page.keyboard.press("Enter")
    page.wait_for_url("**/quickie")
    page.goto("/rules/gamers")
    to_play(page)
    page.click("#play .go")
    page.locator("#came .words").last.wait_for()


def test_a_rule_is_read_and_the_next_one_is_a_click_away(page: Any) -> None:
    page.goto("/rules/gamers/quickie")
    assert page.locator(".book h1").inner_text() == "A quick roll"
    assert fits(page)
    if page.viewport_size["width"] < 1180:
        page.click(".tabs [data-column=list]")
    page.click(".chapters >> text=Triumphs and balls-ups")
    page.wait_for_url("**/special-results")
    assert page.locator(".book h1").inner_text() == "Triumphs and balls-ups"
    drawn = page.locator(".book .die rect").first
    assert drawn.evaluate("e => getComputedStyle(e).fill") == "rgb(255, 255, 255)"  # a die, not the button's


def test_a_slider_moves_the_odds_and_only_the_last_counts(page: Any) -> None:
    page.goto("/rules/gamers/quickie")
    to_play(page)
    page.wait_for_selector("#odds svg")
    said = page.locator("#odds .aloud")
    before = said.inner_text()
    slide = page.locator(".slide[data-for='p.skill']")
    slide.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    skill = page.locator("[name='p.skill']").input_value()
    assert int(skill) == int(slide.input_value())
    page.wait_for_function("before => document.querySelector('#odds .aloud')?.textContent !== before", arg=before)
    asked = (
        "fetch(document.getElementById('odds').getAttribute('hx-get') + '?'"
        " + new URLSearchParams(new FormData(document.getElementById('play')))).then(each => each.text())"
    )
    eventually(page, lambda: said.inner_text() in page.evaluate(asked))  # what stands there is what the form says now


def test_a_slider_moved_by_hand_after_a_roll_still_moves_the_odds_and_stays_in_sight(page: Any) -> None:
    page.goto("/rules/gamers/quickie")
    to_play(page)
    page.click("#play .go")
    page.wait_for_selector("#came .told .words")
    said, slide = page.locator("#odds .aloud"), page.locator(".slide[data-for='p.skill']")
    before = said.inner_text()
    slide.scroll_into_view_if_needed()
    box = slide.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    eventually(page, lambda: said.inner_text() != before)
    assert page.locator("[name='p.skill']").input_value() == slide.get_attribute("max")
    assert page.locator("#play .go").is_visible()


def test_dice_are_rolled_by_one_key_and_the_address_says_which(page: Any) -> None:
    page.goto("/rules/gamers/quickie")
    to_play(page)
    page.keyboard.press("r")
    page.wait_for_selector("#came .told .words")
    first = page.locator("#came .told").inner_text()
    eventually(page, lambda: "seed=" in page.url)
    assert page.locator("#came .die").count() >= 2
    page.goto(page.url)
    to_play(page)
    assert page.locator("#came .told").inner_text() == first
    assert fits(page)


def test_dice_of_the_table_are_told_and_what_is_wrong_stands_under_its_field(page: Any) -> None:
    page.goto("/rules/gamers/special-results/play?do=check&p.skill=2&p.difficulty=8&p.attribute=7")
    to_play(page)
    page.fill("#dice", "6, 6")
    page.click("#play [name=tell]")
    page.wait_for_selector("#dice-note")
    assert "confirm roll takes 2" in page.locator("#dice-note").inner_text()
    page.fill("#dice", "6, 6, 3, 4")
    page.click("#play [name=tell]")
    page.wait_for_selector("#came .told")
    assert page.locator("#came .words").last.inner_text().endswith("a triumph")
    page.fill("[name='p.skill']", "99")
    page.click("#play .go")
    note = page.locator("[id='p.skill-note']")
    note.wait_for()
    assert re.search(r"takes a whole number from 0 to 15, not 99 \[GAM-", note.inner_text())
    assert page.locator("[name='p.skill']").get_attribute("aria-invalid") == "true"


def test_search_goes_through_the_rules(page: Any) -> None:
    page.goto("/rules/gamers")
    page.keyboard.press("/")
    page.keyboard.type("armour")
    page.locator("#found-all section", has_text="Rules").first.wait_for()
    assert fits(page)
    page.keyboard.press("Enter")
    page.wait_for_url("**/rules/gamers/*")
    page.goto("/rules/gamers?find=armour")
    assert page.locator(".found li").count() > 3
    assert fits(page)


def test_all_of_it_works_without_script(address: tuple[str, dict[str, str]], browser: Any) -> None:
    base, cookie = address
    context = browser.new_context(java_script_enabled=False, base_url=base, viewport={"width": 1024, "height": 768})
    context.add_cookies([cookie])
    page = context.new_page()
    page.goto("/rules/chalkdown")
    page.locator(".chapters a:has(.plays)").first.click()
    page.click("[data-play]")
    page.click("#play .go")
    page.wait_for_selector("#came .told")
    page.click("#play .asked")
    page.wait_for_selector("#odds svg")
    context.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_nobody_is_kept_out(address: tuple[str, dict[str, str]], browser: Any, width: int, scheme: str) -> None:
    base, cookie = address
    size = {"width": width, "height": 900}
    context = browser.new_context(viewport=size, color_scheme=scheme, base_url=base, bypass_csp=True)
    context.add_cookies([cookie])
    page = context.new_page()
    told = "special-results/play?do=check&p.skill=2&p.difficulty=8&p.attribute=7&dice=6+6+3+4&tell=1"
    for shown in (told, "quickie/play?p.skill=99", "?find=wound"):
        page.goto(f"/rules/gamers/{shown}".replace("/?", "?"))
        assert axe_findings(page) == []
    context.close()
