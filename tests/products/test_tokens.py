"""Tokens, standees and tent cards: two sides that are folded over the top, cut as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from sheetgen.documents.marks import token_of
from sheetgen.documents.people.card import token_values
from sheetgen.model.people_pages import TitledLine, boxes_of
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

Run = Callable[..., Any]
MM = 72 / 25.4
GAMES = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix")
SIDES = {"token": (38, 38), "standee": (32, 64), "tent": (95, 44)}
NUMBERS = {
    "gamers": ("Attack", "Injury"),
    "tsgs": ("Attack", "Toughness"),
    "sixshooter": ("Danger", "Sharpness"),
    "diecodes": ("Attack", "Dodge"),
    "genesix": ("Attack", "Takes off"),
}
MARKS = {
    "gamers": {"Body": 3, "Mind": 3},
    "tsgs": {"Wounds": 12},
    "sixshooter": {"Strikes": 3},
    "diecodes": {"Stunned": 1, "Wounded": 1},
}


def rolled(project: Project, system: str) -> tuple[Any, Any, Mapping[str, str]]:
    """The game, somebody of it, and their figures."""
    pack = open_pack(project, system)
    (somebody,) = roll(pack, RollOptions(seed=7, count=1))
    return pack.system, somebody, engine_of(pack.system).figures(pack.system, somebody)


@pytest.mark.parametrize("system", GAMES)
def test_a_token_has_the_numbers_and_the_boxes_that_the_game_names(project: Project, system: str) -> None:
    values = token_values(*rolled(project, system))
    assert tuple(values[f"token.{number}.title"] for number in (1, 2)) == NUMBERS[system]
    assert all(values[f"token.{number}"] for number in (1, 2))
    boxes = {
        values[f"token.marks.{number}.title"]: values[f"token.rows.{number}"].count("\u2610")
        for number in (1, 2)
        if f"token.marks.{number}.title" in values
    }
    if system == "genesix":
        figures = rolled(project, system)[2]
        assert boxes == {"Wounds": int(figures["wounds"]), "Stress": int(figures["stress"])}
    else:
        assert boxes == MARKS[system]


def test_a_pack_that_names_none_shows_the_keys_and_the_boxes_of_its_roster(project: Project) -> None:
    system = replace(rolled(project, "tsgs")[0], token=None)
    token = token_of(system)
    assert [line.title for line in token.numbers] == ["Attack", "Defence"]
    assert token.marks == (TitledLine("Wounds", "12"),)


def test_a_pack_without_a_roster_shows_the_first_traits_of_its_cards(project: Project) -> None:
    system = replace(rolled(project, "gamers")[0], token=None, roster=None)
    token = token_of(system)
    assert [line.title for line in token.numbers] == ["Grit", "Awareness"]
    assert token.marks == (TitledLine("Harm", "6"),)


def test_who_has_more_to_mark_than_there_are_boxes_has_the_number(project: Project) -> None:
    """Forty boxes were thirty on a token, and somebody died ten hits too soon."""
    system, somebody, figures = rolled(project, "tsgs")
    assert system.token is not None
    strong = replace(system, token=replace(system.token, marks=(TitledLine("Wounds", "40"),)))
    values = token_values(strong, somebody, figures)
    assert values["token.marks.1.title"] == "Wounds 40"
    assert "token.rows.1" not in values
    assert [boxes_of(line, {"hits": "4"}) for line in ("30", "31", "{hits}", "{none}", "−1")] == [30, 0, 4, 0, 0]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("shape", SIDES)
def test_the_side_of_the_players_stands_on_its_head_above_the_other(
    sheetgen: Run, tmp_path: Path, shape: str, paper: str
) -> None:
    ran = sheetgen("npc", "tsgs", "-n", "2", "--seed", "7", "--as", shape, "--paper", paper, "-o", "two.pdf", "--plan")
    assert (ran.code, ran.err) == (0, ""), ran.err
    assert (tmp_path / "two-plan.pdf").exists()
    with pymupdf.open(tmp_path / "two.pdf") as made:
        (page,) = made
        names = [
            (span["bbox"], line["dir"][0])
            for block in page.get_text("dict")["blocks"]
            for line in block.get("lines", ())
            for span in line["spans"]
            if span["text"].split(" ")[0] == "Irma"
        ]
        lines = [
            (item[1].y, each["dashes"] not in {"", "[] 0"})
            for each in page.get_drawings()
            if each["type"] == "s"
            for item in each["items"]
            if item[0] == "l"
            and abs(item[1].y - item[2].y) < 0.1
            and max(item[1].x, item[2].x) < 12.9 * MM
            and abs(item[1].x - item[2].x) > 3 * MM  # longer than a tick of the ruler
        ]
    upright = next(box for box, direction in names if direction > 0)
    turned = next(box for box, direction in names if direction < 0)
    assert turned[3] < upright[1]
    # The fold is dashed, and cut is one side above it and one below, nowhere between.
    folds, cuts = ({round(y, 2) for y, dashed in lines if dashed is wanted} for wanted in (True, False))
    (fold,) = folds  # and none for rows that are empty
    assert turned[3] < fold < upright[1]
    side = SIDES[shape][1] * MM
    assert sorted(y - fold for y in cuts if abs(y - fold) < side + 1) == pytest.approx([-side, side], abs=0.1)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--as", "token", "--backs"), "--as token has two sides as it is: leave out --backs"),
        (("--as", "tent", "--each"), "--as tent is one file of pieces"),
        (("--as", "card", "--plan"), "--plan shows how to cut and fold"),
    ],
)
def test_what_does_not_go_with_pieces_is_refused(sheetgen: Run, words: tuple[str, ...], told: str) -> None:
    ran = sheetgen("npc", "gamers", "--seed", "7", *words)
    assert ran.code == 2
    assert told in ran.err


def test_a_tent_card_tells_what_somebody_does_from_what_they_want(project: Project) -> None:
    system, somebody, figures = rolled(project, "gamers")
    manner, want = token_values(system, somebody, figures)["token.about"].splitlines()
    assert manner.lower() == somebody.text("manner").lower()
    assert want.removeprefix("Wants: ").lower() == somebody.text("want").lower()
    assert want.startswith("Wants: ")


@pytest.mark.parametrize(("words", "white"), [((), True), (("--ink-saver",), False)])
def test_players_see_initials_on_the_badge_of_the_game(
    sheetgen: Run, tmp_path: Path, words: tuple[str, ...], *, white: bool
) -> None:
    asked = ("npc", "sixshooter", "-n", "1", "--seed", "7", "--as", "token", "-o", "one.pdf")
    ran = sheetgen(*asked, *words)
    assert (ran.code, ran.err) == (0, ""), ran.err
    with pymupdf.open(tmp_path / "one.pdf") as made:
        letters = [
            span
            for block in made[0].get_text("dict")["blocks"]
            for line in block.get("lines", ())
            for span in line["spans"]
            if span["size"] > 20 and span["text"].isalpha()
        ]
        badges = [
            each for each in made[0].get_drawings() if each.get("fill") and 22 * MM < each["rect"].width < 25 * MM
        ]
    (initials,), (badge,) = letters, badges
    assert (initials["color"] == 0xFFFFFF) is white
    assert (badge["fill"] == (1.0, 1.0, 1.0)) is not white
    left, top, right, low = initials["bbox"]
    assert badge["rect"].contains(pymupdf.Point((left + right) / 2, (top + low) / 2))
