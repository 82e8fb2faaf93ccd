"""News: what changes on disk reaches open pages, and never touches what is being typed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sheetgen.studio.server import LOOK, MOST_STREAMS, MOST_TOLD, News, _told
from tests.studio.conftest import Opened, eventually, letting_in, open_studio, serving
from tests.studio.test_tonight import ADA, EVENING


@pytest.fixture(name="served")
def of_a_server(tmp_path: Path) -> Iterator[tuple[Opened, str]]:
    (tmp_path / "toll.yaml").write_text(EVENING)
    (tmp_path / "cast").mkdir()
    opened = open_studio(tmp_path)
    with serving(opened) as base:
        yield opened, base


def listens(page: Any) -> None:
    """Wait until the stream of a page stands."""
    eventually(page, "document.documentElement.dataset.news === 'heard'")


def test_what_changed_is_told_by_its_digest_and_what_is_hidden_is_not(tmp_path: Path) -> None:
    news, before = News(tmp_path), News(tmp_path).states()
    (tmp_path / "toll.yaml").write_text(EVENING)
    (tmp_path / "cast").mkdir()
    (tmp_path / "cast" / ".ada.yaml.new").write_text(ADA)
    told = news.changed(before, news.states())
    assert told is not None
    assert list(told) == ["toll.yaml"]
    assert told["toll.yaml"]
    now = news.states()
    (tmp_path / "toll.yaml").unlink()
    assert news.changed(now, news.states()) == {"toll.yaml": ""}


def test_of_too_many_at_once_none_is_swallowed_but_every_page_looks_itself(tmp_path: Path) -> None:
    news, before = News(tmp_path), News(tmp_path).states()
    for number in range(MOST_TOLD):
        (tmp_path / f"{number}.yaml").write_text("")
    assert len(news.changed(before, news.states()) or ()) == MOST_TOLD
    (tmp_path / "toll.yaml").write_text(EVENING)
    assert news.changed(before, news.states()) is None


def test_a_browser_has_connections_left_beside_all_streams() -> None:
    assert MOST_STREAMS < 6


def test_the_stream_ends_with_the_server_and_is_counted(tmp_path: Path) -> None:
    news, stop = News(tmp_path), []

    async def heard() -> list[str]:
        found = []
        async for line in _told(news, lambda: bool(stop)):
            assert news.streams == 1
            found.append(line)
            stop.append(True)
        return found

    assert asyncio.run(heard()) == [f"retry: 3000\n{LOOK}"]
    assert news.streams == 0


def test_one_page_too_many_is_told_to_ask_no_more(tmp_path: Path) -> None:
    opened = open_studio(tmp_path)
    opened.app.app.state.news = News(tmp_path, streams=MOST_STREAMS)  # type: ignore[attr-defined]
    assert opened.browser.get("/events").status_code == 204
    assert opened.stranger().get("/events").status_code == 401


def test_an_evening_that_an_editor_changes_is_shown_as_it_is_now(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    page = letting_in(browser, opened, base)
    page.goto(f"{base}/tonight/toll/1")
    listens(page)

    def shown() -> bool:
        if "Breakfast" not in (opened.folder / "toll.yaml").read_text():
            (opened.folder / "toll.yaml").write_text(EVENING.replace("Supper", "Breakfast"))
        return page.locator(".scene-row", has_text="Breakfast").count() == 1

    eventually(page, shown)
    page.locator("#f-where").fill("the quay")  # typed, and not yet saved
    (opened.folder / "toll.yaml").write_text(EVENING.replace("Supper", "Midnight"))
    page.locator("#told", has_text="toll.yaml was changed outside").wait_for()
    assert page.locator("#f-where").input_value() == "the quay"
    assert page.wrong == []
    page.context.close()


def seen_or_not(page: Any, state: str) -> None:
    """Let a page think that its window is seen, or hidden."""
    page.evaluate(f"Object.defineProperty(document, 'visibilityState', {{configurable: true, get: () => '{state}'}})")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_hidden_window_holds_no_connection_and_catches_up_when_seen(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    page = letting_in(browser, opened, base)
    page.goto(f"{base}/tonight/toll/1")
    listens(page)
    seen_or_not(page, "hidden")
    eventually(page, lambda: opened.app.app.state.news.streams == 0)  # type: ignore[attr-defined]
    (opened.folder / "toll.yaml").write_text(EVENING.replace("Supper", "Breakfast"))
    seen_or_not(page, "visible")
    page.locator(".scene-row", has_text="Breakfast").wait_for()
    assert page.wrong == []
    page.context.close()


def test_what_is_typed_anywhere_in_the_columns_stays_and_what_was_saved_gives_way(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, base = served
    page = letting_in(browser, opened, base)
    page.goto(f"{base}/tonight/toll/1")
    listens(page)
    page.locator("#f-where").fill("the quay")
    page.locator("#new-scene").fill("The ford")  # leaves the field before, which saves itself
    eventually(page, lambda: "the quay" in (opened.folder / "toll.yaml").read_text())
    eventually(page, "document.getElementById('f-where').defaultValue === 'the quay'")
    page.locator("#find-words").focus()
    (opened.folder / "toll.yaml").write_text(EVENING.replace("Supper", "Breakfast"))
    page.locator("#told", has_text="toll.yaml was changed outside").wait_for()
    assert page.locator("#new-scene").input_value() == "The ford"
    page.locator("#new-scene").fill("")
    (opened.folder / "toll.yaml").write_text(EVENING.replace("Supper", "Midnight"))
    page.locator(".scene-row", has_text="Midnight").wait_for()
    assert page.wrong == []
    page.context.close()


def test_a_handout_written_elsewhere_can_be_pulled_in(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    page = letting_in(browser, opened, base)
    page.goto(f"{base}/tonight/toll/1")
    listens(page)
    (opened.folder / "handouts").mkdir()
    (opened.folder / "handouts" / "ten-names.md").write_text("---\nstyle: letter\n---\nDear friend,\n")
    page.locator(".pull .card", has_text="ten names").wait_for()
    assert page.wrong == []
    page.context.close()


def test_somebody_whom_the_command_line_keeps_is_in_the_cast(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    page = letting_in(browser, opened, base)
    page.goto(f"{base}/people?find=")
    listens(page)
    (opened.folder / "cast" / "ada.yaml").write_text(ADA)
    eventually(page, lambda: page.locator(".called", has_text="Ada Marsh").count() == 1)
    assert page.wrong == []
    page.context.close()


def test_a_word_that_one_looks_for_keeps_nothing_from_following_and_stays(
    browser: Any, served: tuple[Opened, str]
) -> None:
    opened, base = served
    page = letting_in(browser, opened, base)
    page.goto(f"{base}/tonight/toll/1")
    listens(page)
    page.locator("#q").fill("squad")
    page.locator("#pulls small", has_text="1 of").first.wait_for()
    (opened.folder / "toll.yaml").write_text(EVENING.replace("Supper", "Breakfast"))
    page.locator(".scene-row", has_text="Breakfast").wait_for()
    assert page.locator("#q").input_value() == "squad"
    assert page.locator("#pulls small", has_text="1 of").count() >= 1
    assert page.wrong == []
    page.context.close()
