"""The page of an evening in Chromium, on a phone and on a desk, by day and by night: what is rolled is the engine's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sheetgen.dice.source import Scripted
from sheetgen.documents.book.book import without_ids
from sheetgen.products.session.parts import SessionOptions, SessionParts
from sheetgen.products.session.session import open_session
from sheetgen.rules.procedures.parameters import plain_words
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project, project_at
from tests.conftest import reloaded

PHONE, DESK = (390, 844), (1024, 768)

EVENING = """\
system: gamers
title: The toll <b>
seed: 7
cast: {chief: {archetype: boss, part: chief, name: Ada Marsh, wants: the key}}
scenes:
  - title: The bridge
    read: Fog, and a lantern.
    people: [chief, 2 guards]
    odds: [{try: Climb the pier, with: Climbing, at: 8}]
    clocks: [{title: The tide, segments: 4, beats: {2: it turns}}]
    dice: 2d6
    boxes: [the second key]
  - title: The mill
    people: [chief]
"""


@pytest.fixture(scope="module", name="evening")
def whole_evening(tmp_path_factory: pytest.TempPathFactory, world: dict[str, str]) -> Path:
    folder = tmp_path_factory.mktemp("tonight")
    (folder / "toll.yaml").write_text(EVENING, encoding="utf-8")
    project, path = project_at(folder, world), folder / "tonight.html"
    options = SessionOptions()
    page = SessionParts(project, open_session(project, "toll.yaml", options), options).web_page()
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture(params=[(PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark")], ids=str)
def page(request: pytest.FixtureRequest, evening: Path, browser: Any) -> Iterator[Any]:
    (width, height), scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(5000)
    wrong = list[str]()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith(("file:", "data:")) else None)
    page.goto(evening.as_uri())
    yield page
    assert wrong == []
    context.close()


def place(page: Any, name: str) -> None:
    """Go to a place of the page, and wait until it is shown: browsers tell a page of its new address a moment later."""
    page.click(f".tabs a >> text={name}")
    page.locator(f"#{name.lower()}").wait_for()


def told(page: Any) -> list[str]:
    return [str(line) for line in page.locator(".told-roll > .said-line").all_inner_texts()]


def test_one_place_is_shown_at_a_time_and_nothing_is_wider_than_the_screen(page: Any) -> None:
    for name, shown in (("Tonight", "#tonight"), ("People", "#people"), ("Rules", "#rules")):
        place(page, name)
        assert page.locator("main > .place:visible").count() == 1
        assert page.locator(shown).is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    assert page.locator("#rules > article.rule:visible").count() == 0
    page.click("#rules .contents summary >> nth=2")
    page.click("#rules .contents details:nth-of-type(3) a >> nth=0")
    page.wait_for_selector("#rules > article.rule:visible")
    assert page.locator("#rules > article.rule:visible").count() == 1


def test_what_a_thumb_must_hit_is_large_enough(page: Any) -> None:
    place(page, "Tonight")
    wanted = "#dice button:visible, #dice select, .tabs a, .clock button, .chips.present a, .finder input"
    sizes = page.locator(wanted).evaluate_all("all => all.map(e => e.getBoundingClientRect().height)")
    assert len(sizes) > 8
    assert min(sizes) >= 42


def test_search_finds_rules_people_and_scenes_best_first(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.type("triumph")
    page.wait_for_selector("article.rule:visible h2 >> text=Triumphs and balls-ups")
    page.locator(".finder input").fill("ada marsh")
    page.wait_for_selector(".who-card:visible .name >> text=Ada Marsh")
    page.locator(".finder input").fill("zeppelin")
    page.wait_for_selector(".finder output >> text=nowhere in this file")


def test_a_clock_is_ticked_and_stays_so(page: Any) -> None:
    clock = page.locator(".clock")
    for _ in range(2):
        clock.get_by_role("button", name="Tick The tide").click()
    assert clock.locator("output").inner_text() == "2 of 4"
    assert "it turns" in clock.locator(".beat.reached").inner_text()
    page.locator(".boxes input").check()
    reloaded(page, "document.querySelector('.clock output').textContent === '2 of 4'")
    assert page.locator(".boxes input").is_checked()
    clock.get_by_role("button", name="Take a tick back").click()
    assert clock.locator("output").inner_text() == "1 of 4"


def test_opening_an_evening_writes_nothing(page: Any) -> None:
    """A page that is opened in the moment in which another is left must not write back what was so before."""
    page.add_init_script("writes = []; Storage.prototype.setItem = (name) => writes.push(name)")
    page.reload()
    assert page.evaluate("writes") == []
    page.locator(".clock").get_by_role("button", name="Tick The tide").click()
    assert [name.split(": ")[-1] for name in page.evaluate("writes")] == ["clock 0"]


def test_two_windows_of_an_evening_undo_nothing_of_each_other(page: Any) -> None:
    second = page.context.new_page()
    second.goto(page.url)
    page.locator(".clock").get_by_role("button", name="Tick The tide").click()
    second.locator(".boxes input").check()
    stored = page.evaluate("Object.values(localStorage).sort()")
    second.close()
    assert stored == ["1", "true"]


def test_real_dice_are_told_and_what_follows_is_the_next_button(page: Any) -> None:
    page.click("#dice .picks >> text=8")
    page.click("#dice .buttons .mine")
    for _ in range(2):
        page.click("#dice .keys button >> text=6")
    assert told(page) == ["6 + 6 + skill 2 = 14, against 8: success by 6"]
    confirm = page.locator("#dice .next")
    assert re.search(r"Confirm roll\s+triumph 83%", confirm.inner_text())
    confirm.locator(".mine").click()
    page.click("#dice .keys button >> text=3")
    page.click("#dice .keys button >> text=4")
    assert told(page)[-1].endswith("confirm roll 4 + 3 = 7 at or under 7 + skill 2 = 9: a triumph")
    assert not confirm.is_visible()


def test_what_the_page_rolls_is_what_the_engine_tells_of_these_dice(page: Any, project: Project) -> None:
    system = open_pack(project, "gamers").system
    procedure = engine_of(system).procedures["check"]
    for number in range(25):
        skill, against = number % 6, (6, 8, 10)[number % 3]
        page.click(f"#dice .choice button >> text={against}")
        stepper = page.locator("#dice .stepper")
        for _ in range(5):
            stepper.locator("button").first.click()
        for _ in range(skill):
            stepper.locator("button").last.click()
        page.click("#dice .buttons .roll")
        while page.locator("#dice .next").is_visible():
            page.click("#dice .next .roll")
        fell = page.locator("#dice .fallen").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
        faces = [sorted(map(int, re.findall(r"\d+", each.rpartition(":")[2])), reverse=True) for each in fell]
        given = plain_words({"skill": skill, "difficulty": against, "attribute": 7})
        log = list[str]()
        dice = Scripted([face for some in faces for face in some])
        play = Play(system, dice, rulings=rulings_of(system), log=log)
        procedure.run(play, procedure.arguments(given, play))
        dice.finish()
        assert told(page) == [without_ids(line) for line in log]


def test_any_dice_can_be_rolled(page: Any) -> None:
    page.select_option("#dice select", label="Any dice")
    page.click("#dice .buttons .roll")
    faces = page.locator("#dice .fallen svg").evaluate_all("all => all.map(e => Number(e.getAttribute('aria-label')))")
    assert told(page)[-1].endswith(f"= {sum(faces)}")


def test_a_card_offers_its_roll_and_the_tray_folds_away(page: Any) -> None:
    page.goto(page.url.partition("#")[0] + "#rule-coverage")
    page.click("article.rule:visible .play")
    assert page.locator("#dice select option:checked").inner_text() == "Does the armour cover it?"
    if page.viewport_size["width"] == PHONE[0]:
        page.click(".fold-dice")
        assert not page.locator("#dice").is_visible()


def test_it_can_be_read_without_script(evening: Path, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(evening.as_uri())
    assert page.locator("#tonight").is_visible()
    assert page.locator("#people .who-card").count() == 3
    assert page.locator("article.rule:visible").count() > 50
    assert not page.locator("#dice").is_visible()
    assert page.locator("h1").first.inner_text() == "The toll <b>"
    context.close()
