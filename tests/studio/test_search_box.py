"""Find: people, rules, handouts, evenings and what can be done, from one box on every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from sheetgen.studio.evenings import EveningFile, evening_files
from sheetgen.studio.rules.rules import contents_in
from tests.studio.conftest import Opened, axe_findings, eventually, letting_in, open_studio, serving

EVENING = "system: gamers\ntitle: A toll in kind\nseed: 3\nscenes:\n  - title: The gate\n  - title: Supper at Pask's\n"
ADA = "system: gamers\ncharacters:\n  - name: Ada Marsh\n    occupation: carter\n"


@pytest.fixture(name="folder")
def of_a_folder(tmp_path: Path) -> Opened:
    (tmp_path / "toll.yaml").write_text(EVENING)
    (tmp_path / "cast").mkdir()
    (tmp_path / "cast" / "ada-marsh.yaml").write_text(ADA)
    (tmp_path / "handouts").mkdir()
    (tmp_path / "handouts" / "ten-names.md").write_text("---\nstyle: letter\n---\nDear friend,\n\nten names.\n")
    return open_studio(tmp_path)


@pytest.fixture(name="served")
def of_a_server(folder: Opened) -> Iterator[tuple[Opened, str]]:
    with serving(folder) as base:
        yield folder, base


def found(opened: Opened, words: str, here: str = "/people") -> list[tuple[str, str]]:
    """What is found: labels and addresses."""
    page = opened.browser.get("/find", params={"q": words, "here": here}, headers={"hx-request": "true"}).text
    rows = re.findall(r'<a href="([^"]+)"><b>(.*?)</b>', page)
    return [(unescape(label), unescape(address)) for address, label in rows]


@pytest.mark.parametrize(
    ("words", "label", "address"),
    [
        ("ada", "Ada Marsh", "/people/ada-marsh"),
        ("toll", "A toll in kind", "/tonight/toll/1"),
        ("supper", "Supper at Pask's", "/tonight/toll/2"),
        ("ten names", "ten names", "/print/handouts/edit?file=handouts%2Ften-names.md"),
        ("gam-133", "A quick roll", "/rules/gamers/quickie"),
        ("print screen", "Print: The GM screen", "/print/gamers/screen"),
        ("roll outlaw", "Roll: outlaw", "/people?game=gamers&kind=outlaw"),
        ("your printer", "Set up your printer", "/print/printers"),
    ],
)
def test_everything_is_found_and_its_address_opens(folder: Opened, words: str, label: str, address: str) -> None:
    rows = found(folder, words)
    assert address in dict(rows).values(), rows
    assert label in dict(rows) or label.startswith("Print"), rows
    assert folder.browser.get(address).status_code == 200


def test_the_place_one_is_at_comes_first(folder: Opened) -> None:
    assert found(folder, "marsh", "/people")[0][1] == "/people/ada-marsh"
    assert found(folder, "armour", "/rules/tsgs/x")[0][1].startswith("/rules/tsgs/")
    assert found(folder, "armour", "/people")[-1][1] == "/rules/gamers?find=armour"


def test_enter_without_script_leads_to_a_page_of_all_and_with_it_to_the_first(folder: Opened) -> None:
    assert "Supper at Pask" in folder.browser.get("/find?q=supper").text
    assert folder.browser.get("/find?q=supper&go=first").url.path == "/tonight/toll/2"
    assert folder.browser.get("/find?q=zzz&go=first").url.path == "/people"


def test_a_scene_without_a_title_is_not_called_none(folder: Opened) -> None:
    (folder.folder / "toll.yaml").write_text(EVENING.replace("title: The gate", "title:"))
    assert "None" not in dict(found(folder, "none"))
    assert dict(found(folder, "supper"))["Supper at Pask's"] == "/tonight/toll/2"


def test_an_evening_deleted_meanwhile_is_passed_over(folder: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    known = evening_files(folder.studio)
    monkeypatch.setattr(
        "sheetgen.studio.search_box.evening_files", lambda studio: (EveningFile("gone", "gone.yaml"), *known)
    )
    assert "A toll in kind" in dict(found(folder, "toll"))


class Engaged:
    """A lock that somebody holds who does not let go."""

    def __enter__(self) -> None:
        raise AssertionError("stands in line")

    def __exit__(self, *_: object) -> None:
        """Nobody comes here."""


def test_known_rules_are_found_while_something_is_made(folder: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheetgen.studio.studio.FRESH_S", 3600)  # however long the first time takes
    known = contents_in(folder.studio, "gamers")
    busy: Any = Engaged()
    assert contents_in(replace(folder.studio, making=busy), "gamers") is known


def test_it_is_found_and_opened_by_keys_alone_at_every_width(browser: Any, served: tuple[Opened, str]) -> None:
    opened, base = served
    for width, scheme in ((1440, "light"), (390, "dark")):
        page = letting_in(browser, opened, base, viewport={"width": width, "height": 844}, color_scheme=scheme)
        page.goto(f"{base}/print?game=gamers")
        page.keyboard.press("Control+k")
        page.keyboard.type("ada")
        page.locator("#found-all a", has_text="Ada Marsh").wait_for()
        assert axe_findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("Escape")
        assert page.locator("#found-all a").count() == 0
        page.keyboard.press("/")
        page.keyboard.type("supper")
        page.locator("#found-all a", has_text="Supper at").wait_for()
        page.keyboard.press("ArrowDown")
        eventually(page, "document.activeElement.textContent.includes('Supper')")
        page.keyboard.press("Enter")
        page.wait_for_url("**/tonight/toll/2")
        assert page.wrong == []
        page.context.close()
