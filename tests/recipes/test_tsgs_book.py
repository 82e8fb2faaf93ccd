"""The TSGS rulebook: every rule and ruling stands in it, and what it tells is what the engine does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from sheetgen.content.references import References
from sheetgen.documents.prose import html_of
from sheetgen.recipes.packs import Pack, open_pack
from sheetgen.recipes.project import project_at
from sheetgen.recipes.rulebook import Rulebook, open_book, stray_digits
from sheetgen.rules.creation import Roller, plan_of
from sheetgen.rules.examples import run_examples
from sheetgen.systems.tsgs.abilities import levels_of

LEDGER = Path(__file__).parents[1] / "ledger" / "tsgs.txt"
RULINGS = {f"TSG-Q{number}" for number in range(1, 47)}
TENDED_WITH = (("Cleverness", "abilities"), ("Medical", "skills"))


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pack, Rulebook]:
    project = project_at(tmp_path_factory.mktemp("book"), {})
    pack = open_pack(project, "tsgs")
    return pack, open_book(project, pack)


def test_every_rule_of_the_ledger_and_every_ruling_is_told(opened: tuple[Pack, Rulebook]) -> None:
    ids = {line.split()[0] for line in LEDGER.read_text("utf-8").splitlines() if line.strip()}
    assert (ids | RULINGS) - opened[1].book.covered == set()


def test_no_figure_is_spelt_out_where_the_pack_has_it(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    assert [str(problem) for problem in stray_digits(pack, rulebook.book)] == []


def test_what_is_not_the_author_s_says_so(opened: tuple[Pack, Rulebook]) -> None:
    for rule in opened[1].book.rules.values():
        if RULINGS & set(rule.covers):
            assert rule.label == "ruling", rule.id
        assert bool(rule.label) is bool(rule.note), rule.id


def test_every_scene_comes_out_as_it_is_told(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    cases = [rulebook.cases[scene.case] for rule in rulebook.book.rules.values() for scene in rule.scenes]
    assert 10 <= len(cases) <= 35
    assert run_examples(pack.system, tuple(cases)) == ()


def test_the_doctor_of_the_stories_is_the_one_made_on_the_page(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    (hero,) = (rule.hero for rule in rulebook.book.rules.values() if rule.hero)
    plan = plan_of(pack.system, method=hero.method, archetype=hero.archetype, options=hero.options)
    character = Roller(pack.system, plan, hero.seed).explain(hero.index)[0]
    assert (character.text("name"), character.text("occupation")) == ("Kitty Stonebridge", "city doctor")
    tending = {str(name): value for name, value in rulebook.cases["TSG-B09"].given.items()}
    assert (tending["clever"], tending["skill"]) == ("Ability", "+1")
    levels = character.levels(["abilities", "skills"])
    told = {name: pack.system.group(group).scale.plain(levels[name]) for name, group in TENDED_WITH}
    assert told == {"Cleverness": "Ability", "Medical": "+1"}


def test_wounds_run_on_through_the_night_at_the_pier(opened: tuple[Pack, Rulebook]) -> None:
    cases = opened[1].cases
    shot, struck, both, saved, mended = (cases[f"TSG-B{number:02}"] for number in (6, 7, 8, 9, 11))
    assert shot.expect["total_wounds"] == struck.given["attacker"]["wounds"]  # type: ignore[index, call-overload]
    assert struck.expect["total_wounds"] == both.given["b"]["wounds"]  # type: ignore[index, call-overload]
    assert both.expect["b"]["total_wounds"] == saved.given["victim_wounds"]  # type: ignore[index, call-overload]
    assert both.expect["b"]["rounds"] == saved.given["rounds"]  # type: ignore[index, call-overload]
    assert both.expect["a"]["total_wounds"] == mended.given["wounds"]  # type: ignore[index, call-overload]


def test_the_ready_made_stand_in_the_book_as_the_pack_has_them(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    text = rulebook.book.rules["ready-made"].text.text.replace("*", "")
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if "|" in line]
    told = {row[0]: levels_of(pack.system.values, tuple(row[1].split(", ")), row[0]) for row in rows[2:]}
    abilities = pack.system.group("abilities")
    for name, levels in told.items():
        given = pack.system.cast.archetypes[name].gives["abilities"]
        assert isinstance(given, Mapping)
        for trait in abilities.members:
            level = given.get(trait.name, abilities.default)
            assert isinstance(level, int)
            assert abilities.scale.plain(level) == levels[trait.role], (name, trait.name)


def test_cards_are_short_enough_to_be_read_in_play(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    references = References(pack.system, rulebook.book)
    for rule in rulebook.book.rules.values():
        for extract in (rule.card, rule.screen):
            if extract and extract.text:
                words = re.sub(r"<[^>]+>", " ", html_of(extract.text.text, references.resolve)).split()
                assert len(words) <= 60, (rule.id, len(words))
