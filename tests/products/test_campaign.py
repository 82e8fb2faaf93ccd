"""A campaign: its folder, what happened to whom, words found again, the cast on paper, and evenings that know of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from sheetgen.documents.figures.web import web_figure
from sheetgen.people.campaign_cast import read_cast
from sheetgen.products.session.parts import SessionOptions
from sheetgen.products.session.session import open_session
from sheetgen.workspace.campaigns import campaign_at
from sheetgen.workspace.project import project_at

Sheetgen = Callable[..., Any]
PEOPLE = """\
system: gamers
characters:
- name: Ada Marsh
- name: Captain Pask Orrin
- name: Guard 2 Ruth Lister
"""
SESSION = """\
system: gamers
title: The toll
date: 2026-11-28
scenes:
- title: The bridge
  people: [{from: cast/people.yaml, only: [Ada, Ruth Lister]}]
"""


@pytest.fixture
def harbour(sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a campaign with three people and an evening, from where commands are run."""
    assert sheetgen("campaign", "new", "harbour", "--system", "gamers", "--title", "The harbour").code == 0
    folder = tmp_path / "harbour"
    (folder / "cast" / "people.yaml").write_text(PEOPLE, encoding="utf-8")
    (folder / "sessions" / "toll.yaml").write_text(SESSION, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def words_of(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return " ".join(" ".join(page.get_textpage().get_text_bounded() for page in document).split())


def test_what_happened_is_kept_found_and_printed(sheetgen: Sheetgen, harbour: Path) -> None:
    assert sheetgen("campaign", "log", "Ruth", "limps since the bridge", "--date", "2026-11-28").code == 0
    assert sheetgen("campaign", "log", "ada marsh", "has the key, and: a boat").code == 0
    found = json.loads(sheetgen("find", "LIMPS", "--json").out)
    assert [(each["file"], "Ruth Lister" in each["words"]) for each in found] == [("log.yaml", True)]
    assert sheetgen("find", "nobody ever").code == 1
    (harbour / "log.yaml").write_text(
        (harbour / "log.yaml").read_text("utf-8").replace("ties:\n", "ties:\n- {who: Ada, to: Pask, is: owes him}\n"),
        encoding="utf-8",
    )
    ran = sheetgen("campaign", "-o", "cast.pdf")
    assert ran.code == 0, ran.err
    printed = words_of(harbour / "cast.pdf")
    for said in ("The harbour", "Who knows whom", "owes him", "limps since the bridge", "has the key, and: a boat"):
        assert said in printed
    assert "The toll: The bridge" in printed
    assert sheetgen("campaign", "-o", "cast.html").code == 0


def test_an_entry_without_a_date_stays_behind_the_one_it_was_written_after(harbour: Path) -> None:
    entries = ("{date: 2026-12-05, who: Ada, what: third}", "{who: Ada, what: fourth}")
    first = ("{date: 2026-11-28, who: Ada, what: first}", "{who: Ada, what: second}")
    text = (harbour / "log.yaml").read_text("utf-8").partition("log:")[0]
    (harbour / "log.yaml").write_text("\n- ".join((f"{text}log:", *entries, *first)), encoding="utf-8")
    project = project_at(harbour, os.environ)
    cast = read_cast(project, campaign_at(project, harbour))
    assert [entry.what for entry in cast.people[0].log] == ["first", "second", "third", "fourth"]


def test_an_evening_knows_what_happened_before(sheetgen: Sheetgen, harbour: Path, world: dict[str, str]) -> None:
    assert sheetgen("campaign", "log", "Ruth", "limps since the bridge", "--date", "2026-11-21").code == 0
    assert sheetgen("campaign", "log", "Ruth", "has a stick", "--date", "2026-11-28").code == 0
    opened = open_session(project_at(harbour, world), "sessions/toll.yaml", SessionOptions())
    assert [each.note for each in opened.evening.scenes[0]] == ["", "2026-11-28: has a stick"]


def test_a_session_in_a_campaign_takes_its_game(sheetgen: Sheetgen, harbour: Path) -> None:
    assert sheetgen("session", "new", "sessions/next.yaml").code == 0
    assert "system: gamers" in (harbour / "sessions" / "next.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "change", "told"),
    [
        ("sheetgen.toml", ("paper", "papre"), 'unknown key "papre" in campaign (did you mean "paper"?)'),
        ("sheetgen.toml", ('"a4"', "4"), "paper of campaign is a text in quotes"),
        ("sheetgen.toml", ("[campaign]", "[campaign"), "sheetgen.toml:2:10: this is no TOML"),
        (
            "log.yaml",
            ("log:\n", "log:\n- {who: Ada Mrash, what: x}\n"),
            'log.yaml:6:9: nobody of the cast is called "Ada Mrash" (did you mean "Ada Marsh"?)',
        ),
        ("log.yaml", ("log:\n", "log:\n- {who: Ada, waht: x}\n"), 'unknown key "waht" in entry'),
    ],
)
def test_what_is_wrong_is_told_at_its_place(
    sheetgen: Sheetgen, harbour: Path, file: str, change: tuple[str, str], told: str
) -> None:
    text = (harbour / file).read_text("utf-8")
    assert change[0] in text
    (harbour / file).write_text(text.replace(*change, 1), encoding="utf-8")
    ran = sheetgen("campaign", "-o", "cast.pdf")
    assert ran.code == 2
    assert told in ran.err


def test_a_folder_that_is_there_is_left_alone(sheetgen: Sheetgen, harbour: Path) -> None:
    assert "is there already" in sheetgen("campaign", "new", "cast", "--system", "gamers").err
    assert "is no campaign" in sheetgen("find", "x", "--campaign", "cast").err


def test_labels_of_a_web_do_not_lie_on_each_other_and_names_are_escaped() -> None:
    drawn = web_figure(["A & B", "C", "D", "E"], [(0, 2, "knows"), (1, 3, "fears")], 480)
    assert "A &amp; B" in drawn
    spots = [line.split('"')[1::2][:2] for line in drawn.split("<rect ")[1:]]
    (x1, y1), (x2, y2) = ([float(number) for number in spot] for spot in spots)
    assert abs(x1 - x2) > 20 or abs(y1 - y2) > 9.5
