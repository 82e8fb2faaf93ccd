"""Keys that all places share: listed by `?`, switched off there, and the paper alone or as large as it is printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import reloaded
from tests.studio.conftest import Opened, axe_findings, eventually, letting_in, open_studio, serving


@pytest.fixture(name="page")
def of_the_wall(browser: Any, tmp_path: Path) -> Iterator[Any]:
    opened: Opened = open_studio(tmp_path)
    with serving(opened) as base:
        page = letting_in(browser, opened, base)
        page.goto(f"{base}/people?seed=7")
        yield page
        assert page.wrong == []
        page.context.close()


def test_keys_are_listed_and_switched_off(page: Any) -> None:
    page.keyboard.press("?")
    page.locator("#keys[open]").wait_for()
    listed = page.locator("#keys-list").inner_text()
    for words in ("Find anything", "Paper alone", "True size", "Roll", "Space", "Keep"):
        assert words in listed
    assert axe_findings(page) == []
    page.get_by_label("Keys do nothing").check()
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    assert page.evaluate("document.documentElement.classList.contains('alone')") is False


def test_the_paper_alone_and_as_large_as_it_is_printed(page: Any) -> None:
    page.keyboard.press("f")
    assert page.locator("#list").is_hidden()
    page.keyboard.press(".")
    eventually(page, "Math.round(document.getElementById('sheet').getBoundingClientRect().width) === 794")  # 210 mm
    assert axe_findings(page) == []
    reloaded(page, "document.documentElement.classList.contains('alone')")
    assert page.locator("#list").is_hidden()
    page.keyboard.press(".")
    page.keyboard.press("f")
    assert page.locator("#list").is_visible()


def test_space_ticks_whom_one_looks_at(page: Any) -> None:
    page.locator("#face-2").focus()
    page.keyboard.press("Space")
    page.locator("#tray", has_text="To print: 1 person").wait_for()
    page.locator("#work").focus()
    page.keyboard.press("Space")
    page.locator("#tray", has_text="To print: 2 people").wait_for()


def test_escape_leads_out_of_a_field_and_tab_goes_on_from_there(page: Any) -> None:
    page.locator(".who .called").focus()
    page.keyboard.press("f")
    assert page.locator("#list").is_visible(), "it is a letter there"
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    assert page.locator("#list").is_hidden()
    page.keyboard.press("f")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#person') !== null")


COVERED = """() => {
  const [field, at] = [document.activeElement, document.activeElement.getBoundingClientRect()];
  const top = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
  return !(field === top || field.contains(top) || top?.contains(field)) && field.name;
}"""


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, {"width": 390, "height": 844}])
def test_no_field_is_covered_when_one_comes_to_it_by_tab(page: Any, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    page.goto(f"{page.url.partition('/people')[0]}/print/handouts/new?style=letter")
    page.locator("#f-look").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        eventually(page, f"({COVERED})() === false")
    assert page.locator("#name:focus").count() == 1
