"""The Six Shooter rulebook: every rule and ruling stands in it, and what it tells is what the engine does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sheetgen.content.references import References
from sheetgen.documents.prose import html_of
from sheetgen.recipes.packs import Pack, open_pack
from sheetgen.recipes.project import project_at
from sheetgen.recipes.rulebook import Rulebook, open_book, stray_digits
from sheetgen.rules.creation import Roller, plan_of
from sheetgen.rules.examples import run_examples

LEDGER = Path(__file__).parents[1] / "ledger" / "sixshooter.txt"
RULINGS = {f"SIX-Q{number}" for number in range(1, 39)}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pack, Rulebook]:
    project = project_at(tmp_path_factory.mktemp("book"), {})
    pack = open_pack(project, "sixshooter")
    return pack, open_book(project, pack)


def test_every_rule_of_the_ledger_and_every_ruling_is_told(opened: tuple[Pack, Rulebook]) -> None:
    ids = {line.split()[0] for line in LEDGER.read_text("utf-8").splitlines() if line.strip()}
    assert (ids | RULINGS) - opened[1].book.covered == set()


def test_no_figure_is_spelt_out_where_the_pack_has_it(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    assert [str(problem) for problem in stray_digits(pack, rulebook.book)] == []


def test_what_is_not_the_author_s_says_so(opened: tuple[Pack, Rulebook]) -> None:
    for rule in opened[1].book.rules.values():
        if RULINGS - {"SIX-Q35"} & set(rule.covers):  # Q35: a plain slip of the pen, nothing to tell
            assert rule.label in ("ruling", "house default"), rule.id
        assert bool(rule.label) is bool(rule.note), rule.id


def test_every_scene_comes_out_as_it_is_told(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    cases = [rulebook.cases[scene.case] for rule in rulebook.book.rules.values() for scene in rule.scenes]
    assert 10 <= len(cases) <= 25
    assert run_examples(pack.system, tuple(cases)) == ()


def test_the_operator_of_the_stories_is_the_one_made_on_the_page(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    (hero,) = (rule.hero for rule in rulebook.book.rules.values() if rule.hero)
    plan = plan_of(pack.system, method=hero.method, archetype=hero.archetype, options=hero.options)
    character = Roller(pack.system, plan, hero.seed).explain(hero.index)[0]
    assert (character.text("name"), character.text("occupation")) == ("Opal Gallegos", "desert guide")
    assert "mule called Senator" in character.lines("gear")


def test_cards_are_short_enough_to_be_read_in_play(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    references = References(pack.system, rulebook.book)
    for rule in rulebook.book.rules.values():
        for extract in (rule.card, rule.screen):
            if extract and extract.text:
                words = re.sub(r"<[^>]+>", " ", html_of(extract.text.text, references.resolve)).split()
                assert len(words) <= 60, (rule.id, len(words))
