"""Tonight in Chromium: typing saves itself, entries move by mouse and by key, at every width by day and by night."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sheetgen.content.yaml.edits import plain
from sheetgen.content.yaml.nodes import parse
from tests.studio.conftest import Opened, axe_findings, eventually, letting_in, open_studio, serving
from tests.studio.test_tonight import EVENING


@pytest.fixture(name="served")
def of_a_server(tmp_path: Path) -> Iterator[tuple[Opened, str]]:
    (tmp_path / "toll.yaml").write_text(EVENING)
    opened = open_studio(tmp_path)
    with serving(opened) as base:
        yield opened, base


def opened_page(
    browser: Any, served: tuple[Opened, str], at: str, width: int = 1440, scheme: str = "light", *, script: bool = True
) -> Any:
    """Open a page of the studio; whatever the browser complains of is in its `wrong`."""
    opened, base = served
    size = {"width": width, "height": 900}
    page = letting_in(browser, opened, base, viewport=size, color_scheme=scheme, java_script_enabled=script)
    page.goto(f"{base}{at}")
    return page


def at_tonight(browser: Any, served: tuple[Opened, str], width: int = 1440, scheme: str = "light") -> Any:
    """Open the evening."""
    return opened_page(browser, served, "/tonight/toll/1", width, scheme)


def scenes(opened: Opened) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = plain(parse((opened.folder / "toll.yaml").read_bytes(), "toll.yaml"))["scenes"]
    return found


def test_what_the_game_does_not_know_is_told_in_sight(browser: Any, served: tuple[Opened, str]) -> None:
    page = at_tonight(browser, served, 390)
    page.fill("#add-who", "3 dragoons")
    page.press("#add-who", "Enter")
    note = page.locator("#told .note", has_text="dragoons")
    note.wait_for()
    eventually(page, lambda: note.bounding_box()["y"] >= 0)
    assert page.locator("#add-who").input_value() == "3 dragoons"
    page.fill("#add-who", "3 guards")
    page.press("#add-who", "Enter")
    note.wait_for(state="detached")


@pytest.mark.parametrize("at", ["/tonight/toll/1", "/people?seed=7"])
def test_the_foot_of_a_phones_page_says_what_would_be_undone(browser: Any, served: tuple[Opened, str], at: str) -> None:
    page = at_tonight(browser, served, 390)
    page.fill("#f-where", "the quay")
    page.locator("#f-where").blur()
    undo = page.locator(".tray button", has_text="Undo")
    undo.wait_for()
    page.goto(f"{served[1]}{at}")
    undo.wait_for()
    assert undo.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert page.locator(".tray").bounding_box()["height"] < 160


def test_an_evening_by_mouse_and_by_key(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    page = at_tonight(browser, served)
    page.locator("#f-read").fill("Snow.\n\nNobody is about.")
    page.locator("#f-read").blur()
    eventually(page, lambda: scenes(opened)[0]["read"] == "Snow.\n\nNobody is about.\n")
    page.locator("#status", has_text="changed read of The gate").wait_for()
    page.locator("#f-where").fill("the quay")
    page.locator("#f-where").blur()
    eventually(page, lambda: scenes(opened)[0].get("where") == "the quay")
    page.locator("li.entry").nth(1).focus()
    page.keyboard.press("Alt+ArrowUp")
    eventually(page, lambda: scenes(opened)[0]["people"] == ["2 guards", "captain"])
    page.locator(".card", has_text="the night watch").drag_to(page.locator("#f-notes"))
    eventually(page, lambda: {"group": "the night watch"} in scenes(opened)[0]["people"])
    page.locator("li.entry", has_text="the night watch").wait_for()
    page.set_viewport_size({"width": 1440, "height": 1600})  # a mouse does not drag what it cannot see
    page.locator("li.entry", has_text="Sabine Ferrow").locator(".grip").drag_to(page.locator(".scene:not(.here)"))
    eventually(page, lambda: len(scenes(opened)[0]["people"]) == 2)
    page.locator("#undo", has_text="moved captain").wait_for()
    page.locator("#work").focus()
    page.keyboard.press("z")
    eventually(page, lambda: len(scenes(opened)[0]["people"]) == 3)
    assert "# brothers, both" in (opened.folder / "toll.yaml").read_text()
    assert page.wrong == []
    page.context.close()


def test_a_scene_is_dragged_past_a_long_open_one_by_holding_it_at_the_edge(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, _ = served
    file = opened.folder / "toll.yaml"
    file.write_text(f"{EVENING}  - title: The ford\n  - title: The mill\n")
    page = at_tonight(browser, served)
    row = page.locator(".scene-row", has_text="The mill")
    row.scroll_into_view_if_needed()
    start, edge = row.bounding_box(), page.locator("#work").bounding_box()
    top = "document.getElementById('work').scrollTop"
    assert page.evaluate(top) > 0, "the open scene is longer than the window"
    page.mouse.move(start["x"] + start["width"] - 12, start["y"] + 19)
    page.mouse.down()
    page.mouse.move(start["x"] + 300, start["y"] - 30)

    def held(x: float, y: float) -> None:
        """Hold the mouse as still as hands do: a browser that is driven tells of a drag only when it moves."""
        for more in (0, 1, 0):
            page.mouse.move(x + more, y)

    def at_the_top() -> bool:
        held(edge["x"] + 80, edge["y"] + 20)
        return bool(page.evaluate(f"{top} === 0"))

    eventually(page, at_the_top, settled=False)
    first = page.locator(".scene.here .scene-row").bounding_box()
    held(first["x"] + 8, first["y"] + 8)
    page.mouse.up()
    eventually(page, lambda: [scene["title"] for scene in scenes(opened)][:2] == ["The mill", "The gate"])
    assert page.wrong == []


def test_the_left_is_searched_and_a_scene_is_added_by_keys_alone(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    page = at_tonight(browser, served)
    page.locator("#work").focus()
    page.keyboard.press("i")
    page.keyboard.type("squad")
    page.locator("#pulls small", has_text="1 of").first.wait_for()
    page.locator("#work").focus()
    page.keyboard.press("n")
    page.keyboard.type("The ford")
    page.keyboard.press("Enter")
    eventually(page, lambda: [scene["title"] for scene in scenes(opened)] == ["The gate", "The ford", "Supper"])
    page.locator("input.scene-title").wait_for()
    assert page.wrong == []
    page.context.close()


def test_a_fight_is_proposed_and_put_into_the_scene_and_the_tray_tells_of_it(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, _ = served
    page = at_tonight(browser, served)
    page.get_by_role("button", name="I have printed it").click()
    page.locator("#since", has_text="nothing has changed since").wait_for()
    page.get_by_label("Who meets them").fill("2 guards")
    page.get_by_label("Or find out how many would be right, of").select_option("outlaw")
    page.get_by_role("button", name="Even", exact=True).click()
    page.locator(".proposed li").first.wait_for(timeout=120_000)
    assert axe_findings(page) == []
    page.locator(".proposed button").first.click()
    eventually(page, lambda: len(scenes(opened)[0]["people"]) == 3)
    page.locator("#since", has_text="The gate changed").wait_for()
    assert page.wrong == []
    page.context.close()


def test_fights_tell_how_far_they_are_and_are_stopped_at_once(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    page = at_tonight(browser, served)
    page.get_by_label("Who meets them").fill("12 guards")
    page.get_by_label("Or find out how many would be right, of").select_option("outlaw")
    page.get_by_role("button", name="Hard", exact=True).click()
    page.locator("#so-far", has_text="of 8 weighed").wait_for()
    assert axe_findings(page) == []
    process = opened.app.app.state.fights.processes._all[0]._process  # type: ignore[attr-defined]
    page.get_by_role("button", name="Stop").click()
    page.wait_for_function("document.getElementById('odds').textContent.match(/^Stopped: [1-7] of 8 weighed.$/)")
    assert page.evaluate("document.activeElement.id") == "odds"
    eventually(page, lambda: not process.is_alive())
    page.get_by_role("button", name="Stop").wait_for(state="hidden")
    assert page.wrong == []


LIGHTNESS = """name => {
  const [red, green, blue] = getComputedStyle(document.querySelector(name)).getPropertyValue('fill').match(/\\d+/g)
    .map(each => each / 255).map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}"""


@pytest.mark.parametrize(("scheme", "panel"), [("dark", 0.0116), ("light", 0.955)])
def test_the_bar_of_a_fight_is_seen_though_one_side_never_wins(
    browser: Any, served: tuple[Opened, str], scheme: str, panel: float
) -> None:
    page = at_tonight(browser, served, scheme=scheme)
    page.get_by_label("Who meets them").fill("1 guard")
    page.get_by_label("Against").fill("8 guards")
    page.get_by_role("button", name="Weigh it").click()
    page.locator(".balance .second").wait_for(state="attached")
    for side in (".first", ".second"):
        light = page.evaluate(LIGHTNESS, f".balance {side}")
        assert (max(light, panel) + 0.05) / (min(light, panel) + 0.05) >= 3, side


def test_the_file_for_a_phone_says_at_once_that_it_is_made(browser: Any, served: tuple[Opened, str]) -> None:
    page = at_tonight(browser, served)
    with page.expect_download() as kept:
        page.get_by_text("For your phone").click()
        assert page.locator("#carried").inner_text() == "making the file …"
    assert kept.value.suggested_filename == "toll-tonight.html"
    page.set_viewport_size({"width": 390, "height": 844})
    tops = [page.get_by_text(words).bounding_box()["y"] for words in ("For your phone", "The evening in one PDF")]
    assert tops[0] == tops[1], "they stand side by side"
    page.locator("#carried", has_text="made, and downloaded").wait_for()
    page.get_by_label("Where and when").fill("the quay")
    page.get_by_label("Where and when").blur()
    page.locator("#carried", has_text="made").wait_for(state="detached")
    assert page.wrong == []


def test_a_server_ends_though_what_is_done_with_it_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), serving(open_studio(tmp_path)) as base:
        _ = 1 / 0
    with pytest.raises(OSError, match="refused"), socket.create_connection(("127.0.0.1", int(base.rpartition(":")[2]))):
        pass


def test_what_is_typed_while_fights_are_counted_is_saved_meanwhile(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    page = at_tonight(browser, served)
    page.route("**/odds?*n=300*", lambda route: None)  # is never answered
    page.get_by_label("Who meets them").fill("2 guards")
    page.get_by_role("button", name="Weigh it").click()
    page.locator("#going-on", has_text="counting on").wait_for()
    page.get_by_role("button", name="Stop").wait_for()
    page.locator("#f-where").fill("the quay")
    page.locator("#f-where").blur()
    eventually(page, lambda: scenes(opened)[0].get("where") == "the quay", settled=False)
    page.get_by_role("button", name="Stop").click()
    page.locator("#going-on", has_text="stopped there").wait_for()
    assert page.wrong == []


def test_how_many_pages_the_evening_has_is_told_until_something_changes(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, _ = served
    page = at_tonight(browser, served)
    page.locator("#evening-count", has_text="pages in all").wait_for()
    page.route("**/toll/count", lambda route: None)
    page.locator("#f-where").fill("the quay")
    page.locator("#f-where").blur()
    eventually(page, "document.getElementById('evening-count').textContent === ''")
    assert scenes(opened)[0]["where"] == "the quay"
    assert page.wrong == []


def test_what_is_typed_last_is_saved_though_the_window_is_closed_at_once(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, base = served
    page = at_tonight(browser, served)
    page.locator("#f-notes").click()
    page.keyboard.type("The bridge is out.")
    page.close(run_before_unload=True)
    page = page.context.new_page()
    eventually(page, lambda: scenes(opened)[0].get("notes") == "The bridge is out.")
    page.goto(f"{base}/tonight/toll/1")
    page.locator("#f-read").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" Nobody is about.")
    page.goto(f"{base}/people")
    eventually(page, lambda: "Nobody is about." in scenes(opened)[0]["read"])
    page.context.close()


def test_two_windows_change_different_fields_of_a_scene(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    one = at_tonight(browser, served)
    two = one.context.new_page()
    two.goto(f"{base}/tonight/toll/1")
    one.locator("#f-notes").click()
    one.keyboard.type("The bridge")
    two.locator("#f-where").fill("the quay")
    two.locator("#f-where").blur()
    eventually(two, lambda: scenes(opened)[0].get("where") == "the quay")
    one.keyboard.type(" is out.")
    one.locator("#f-notes").blur()
    eventually(one, lambda: scenes(opened)[0].get("notes") == "The bridge is out.")
    one.bring_to_front()
    eventually(one, "document.getElementById('f-where').value === 'the quay'")  # and learns of the other
    assert scenes(opened)[0]["where"] == "the quay"
    assert one.locator("h1", has_text="changed outside").count() == 0
    one.context.close()


def test_a_field_is_saved_twice_though_another_window_saved_between(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    one = at_tonight(browser, served)
    one.route("**/events", lambda route: route.abort())  # nor does it learn of the other
    one.reload()
    two = one.context.new_page()
    two.goto(f"{base}/tonight/toll/1")
    two.locator("#f-where").fill("the quay")
    two.locator("#f-where").blur()
    eventually(two, lambda: scenes(opened)[0].get("where") == "the quay")
    one.locator("#f-notes").fill("The bridge")
    one.locator("#f-notes").blur()
    eventually(one, lambda: scenes(opened)[0].get("notes") == "The bridge")
    one.locator("#f-notes").fill("The bridge is out.")
    one.locator("#f-notes").blur()
    eventually(one, lambda: scenes(opened)[0].get("notes") == "The bridge is out.")
    assert scenes(opened)[0]["where"] == "the quay"
    one.context.close()


def test_what_was_saved_without_an_answer_is_no_change_from_outside(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    page = at_tonight(browser, served)
    lost = list[str]()

    def lose(route: Any) -> None:
        if route.request.method == "POST" and not lost:
            route.fetch()
            lost.append(route.request.post_data)
            route.abort()
        else:
            route.continue_()

    page.route("**/tonight/toll/1", lose)
    page.locator("#f-notes").click()
    page.keyboard.type("The bridge")
    eventually(page, lambda: scenes(opened)[0].get("notes") == "The bridge")
    page.keyboard.type(" is out.")
    page.locator("#f-notes").blur()
    eventually(page, lambda: scenes(opened)[0].get("notes") == "The bridge is out.")
    assert len(lost) == 1
    page.context.close()


def test_whoever_is_quicker_than_the_answers_loses_nothing(browser: Any, served: tuple[Opened, str]) -> None:
    opened, _ = served
    page = at_tonight(browser, served)

    def slowly(route: Any) -> None:
        page.wait_for_timeout(700 if route.request.method == "POST" else 0)
        route.continue_()

    page.route("**/tonight/toll/1*", slowly)
    page.locator("#pulls .grab", has_text="the night watch").click(no_wait_after=True)
    page.locator("#add-who").fill("1 soldier")
    page.keyboard.press("Enter")
    page.locator("#f-read").fill("Rain.")
    page.locator("#f-notes").fill("They pay.")
    eventually(page, lambda: len(scenes(opened)[0]["people"]) == 4)
    assert page.locator("#f-notes").input_value() == "They pay."
    assert page.evaluate("document.activeElement.id") == "f-notes"
    assert page.locator("#add-who").input_value() == ""
    page.locator("#f-notes").blur()
    eventually(page, lambda: str(scenes(opened)[0].get("notes")).strip() == "They pay.")
    eventually(page, lambda: str(scenes(opened)[0]["read"]).strip() == "Rain.")
    assert scenes(opened)[0]["people"][2:] == [{"group": "the night watch"}, "1 soldier"]
    assert "changed outside" not in page.locator("#told").inner_text()
    assert page.wrong == []
    page.context.close()


def test_whoever_moves_an_entry_by_keys_stays_with_it_however_quick_the_keys_are(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, _ = served
    page = at_tonight(browser, served)
    page.locator("#add-who").fill("1 soldier")
    page.keyboard.press("Enter")
    eventually(page, lambda: len(scenes(opened)[0]["people"]) == 3)
    page.locator("li.entry[data-list=people]").nth(2).focus()
    page.keyboard.press("Alt+ArrowUp")
    eventually(page, lambda: scenes(opened)[0]["people"][1] == "1 soldier")
    eventually(page, "document.activeElement.textContent.includes('soldier')")
    page.keyboard.press("Alt+ArrowUp")
    eventually(page, lambda: scenes(opened)[0]["people"][0] == "1 soldier")
    eventually(page, "document.activeElement.dataset.at === '0'")
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowDown")
    eventually(page, lambda: scenes(opened)[0]["people"][2] == "1 soldier")
    eventually(page, "document.activeElement.dataset.at === '2'")
    page.locator("li.entry[data-list=people]").nth(0).locator(".out").focus()
    page.keyboard.press("Enter")
    eventually(page, lambda: len(scenes(opened)[0]["people"]) == 2)
    eventually(page, "document.activeElement.matches('.entry[data-list=people] .out')")
    page.locator("#pulls .grab", has_text="the night watch").focus()
    page.keyboard.press("Enter")
    eventually(page, lambda: {"group": "the night watch"} in scenes(opened)[0]["people"])
    eventually(page, "document.activeElement.textContent.includes('the night watch')")
    assert page.wrong == []
    page.context.close()


@pytest.mark.parametrize("address", ["/tonight/toll/1", "/print/gamers/cards", "/edit/game/gamers/system.yaml"])
def test_the_paper_alone_has_the_whole_window(browser: Any, served: tuple[Opened, str], address: str) -> None:
    page = opened_page(browser, served, address)
    page.locator("[data-look=alone]").click()
    assert page.locator("#work").is_hidden()
    assert page.locator("#paper").bounding_box()["width"] > 1400
    page.context.close()


@pytest.mark.parametrize("fonts", [True, False], ids=["our fonts", "the wider ones of the system"])
def test_on_a_phone_somebody_is_pulled_in_the_tab_says_what_is_shown_and_the_tray_leaves_room(
    browser: Any, served: tuple[Opened, str], *, fonts: bool
) -> None:
    opened, _ = served
    page = at_tonight(browser, served, 390)
    if not fonts:
        page.route("**/*.ttf", lambda route: route.abort())
        page.reload()
    page.click(".tabs >> text=Pull in")
    page.locator("#pulls .grab", has_text="the night watch").click()
    eventually(page, lambda: len(scenes(opened)[0]["people"]) == 3)
    assert page.locator(".tabs [aria-pressed=true]").inner_text() == "Evening"
    assert page.locator("#evening-title").is_visible()
    page.locator("#undo", has_text="Undo: put").wait_for()
    assert page.locator(".tray").bounding_box()["height"] < 130  # two lines have all that can be done
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert [line for line in page.wrong if fonts or "ERR_FAILED" not in line] == []
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1024, 1920])
def test_every_width_by_day_and_by_night(
    browser: Any, served: tuple[Opened, str], width: int, scheme: str, tmp_path: Path
) -> None:
    page = at_tonight(browser, served, width, scheme)
    page.locator("#evening-title").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=tmp_path / f"{width}-{scheme}.png")
    assert page.wrong == []
    assert axe_findings(page) == []
    page.context.close()
