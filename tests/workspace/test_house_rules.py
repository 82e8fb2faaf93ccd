"""House rules in sheetgen.toml: in place of the pack's values wherever they stand, signed, and checked like them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdf
import pytest

from sheetgen.errors import InputError
from sheetgen.model.book import HOUSE_RULE
from sheetgen.products.chapters import LEAST_WIDTH, canvas_of, odds_of, open_book, perform
from sheetgen.products.session.screen import open_screen
from sheetgen.workspace.manifest import source_key
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at

Sheetgen = Callable[..., Any]
NINE = "[house.gamers]\nquickie.difficulty.trained = 9\n"


def at(folder: Path, rules: str) -> Project:
    (folder / "sheetgen.toml").write_text(rules)
    return project_at(folder, os.environ)


def game(folder: Path, rules: str, name: str = "gamers") -> Pack:
    return open_pack(at(folder, rules), name)


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (
            "[house.gamrs]\nx = 1",
            'sheetgen.toml:1:2: house rules of an unknown system "gamrs" (did you mean "gamers"?)',
        ),
        ("[house]\ngamers = 1", "sheetgen.toml:2:1: house rules of gamers are values by path: write them under"),
        (
            "[house.gamers]\n\nquickie.difficulty.traned = 9",
            'sheetgen.toml:3:1: there is no value "quickie.difficulty.traned" to rule otherwise '
            '(did you mean "quickie.difficulty.trained"?)',
        ),
        (
            '[house.gamers.quickie]\ndifficulty.trained = "nine"',
            "sheetgen.toml:2:1: quickie.difficulty.trained takes a whole number, as the game has it",
        ),
        (
            "[house.gamers]\nquickie.difficulty.trained = 8.5",
            "sheetgen.toml:2:1: quickie.difficulty.trained takes a whole",
        ),
        ("[house.gamers]\nquickie.difficulty.trained = [9]", "sheetgen.toml:2:1: quickie.difficulty.trained takes one"),
        (
            "[house.gamers]\nquickie.difficulty.trained = 1979-05-27",
            "sheetgen.toml:2:1: quickie.difficulty.trained takes a number, a word or a list of them",
        ),
        ('[house.gamers]\nGAM-Q1 = "x"', 'sheetgen.toml:2:1: rulings: "GAM-Q1" cannot be ruled otherwise'),
        ("[house.gamers]\nx = ", "sheetgen.toml:2:1: this is no TOML: Invalid value"),
    ],
)
def test_what_is_no_house_rule_is_told_where_it_stands(tmp_path: Path, rules: str, line: str) -> None:
    with pytest.raises(InputError) as told:
        game(tmp_path, rules)
    assert str(told.value).startswith(line)


def test_a_value_is_ruled_otherwise_in_the_game_and_its_skins(tmp_path: Path) -> None:
    system = game(tmp_path, NINE).system
    assert system.values.number("quickie.difficulty.trained") == 9
    assert system.as_printed.values.number("quickie.difficulty.trained") == 8
    assert [tuple(rule) for rule in system.house_rules] == [("quickie.difficulty.trained", "9", "8")]
    assert game(tmp_path, NINE, "waster").system.values.number("quickie.difficulty.trained") == 9
    assert game(tmp_path, NINE, "tsgs").system.house_rules == ()


def test_cards_show_it_with_a_sign(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "sheetgen.toml").write_text(NINE)
    assert sheetgen("cards", "gamers", "-o", "x.pdf").code == 0
    text = "".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "x.pdf").pages)
    assert f"9{HOUSE_RULE}+" in text
    assert f"{HOUSE_RULE} house rule" in text


def test_odds_are_of_the_values_that_are_ruled(tmp_path: Path) -> None:
    project = at(tmp_path, NINE)
    pack = open_pack(project, "gamers")
    (chart,) = open_book(project, pack).book.rules["quickie"].charts
    told = odds_of(pack, chart)
    assert told.head == ("6", "9", "10")
    assert all(label.endswith(HOUSE_RULE) for label, _ in told.rows)
    plain = project_at(tmp_path / "elsewhere", os.environ)
    assert odds_of(open_pack(plain, "gamers"), chart).head == ("6", "8", "10")


def test_examples_that_would_come_out_otherwise_are_told_as_printed(tmp_path: Path) -> None:
    project = at(tmp_path, "[house.gamers]\nquickie.dice.sides = 8\n")
    pack = open_pack(project, "gamers")
    performed = perform(pack, open_book(project, pack), canvas_of(pack, LEAST_WIDTH))
    assert 0 < len(performed.otherwise) < len(performed.scenes)


@pytest.mark.parametrize(("name", "off"), [("gamers", "GAM-H5"), ("tsgs", "TSG-H9"), ("diecodes", "DIE-H4")])
def test_an_optional_rule_that_is_off_is_in_no_book_and_on_no_screen(tmp_path: Path, name: str, off: str) -> None:
    project = at(tmp_path, f"[house.{name}]\n{off} = false\n")
    pack = open_pack(project, name)
    rulebook = open_book(project, pack)
    assert off not in rulebook.book.covered
    assert any("does not use" in title for title in rulebook.book.elsewhere.values())
    plain = project_at(tmp_path / "elsewhere", os.environ)
    assert off in open_book(plain, open_pack(plain, name)).book.covered
    open_screen(project, pack, rulebook)


def test_only_optional_rules_can_be_off(tmp_path: Path) -> None:
    project = at(tmp_path, '[house.tsgs]\nTSG-H55 = "off"\n')
    with pytest.raises(InputError, match=r'toml:2:1: no optional rule "TSG-H55" to go without \(did you mean "TSG-H5"'):
        open_book(project, open_pack(project, "tsgs"))


def test_what_is_built_is_made_again_when_a_house_rule_changes(tmp_path: Path) -> None:
    before = source_key(at(tmp_path, NINE), (), "a4", print)
    assert before == source_key(at(tmp_path, NINE), (), "a4", print)
    assert before != source_key(at(tmp_path, NINE.replace("9", "7")), (), "a4", print)


def test_the_verb_lists_what_is_ruled_and_what_can_be(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("house").out.startswith("no house rules here\n")
    (tmp_path / "sheetgen.toml").write_text(NINE)
    assert sheetgen("house").out.startswith("gamers: quickie.difficulty.trained = 9 (printed: 8)\n")
    listed = sheetgen("house", "gamers", "--find", "difficulty").out
    assert "gamers: quickie.difficulty.expert = 10\n" in listed
    assert "gamers: quickie.difficulty.trained = 9 (printed: 8)\n" in listed
