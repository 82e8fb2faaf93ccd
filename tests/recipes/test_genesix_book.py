"""The GeneSix rulebook: every rule of the ledger stands in it, its figures are the engine's, house defaults say so."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path

import pytest

from sheetgen.content.references import References
from sheetgen.dice.source import Scripted
from sheetgen.documents.pairs import Reading
from sheetgen.documents.prose import html_of
from sheetgen.errors import Place
from sheetgen.model.book import Book
from sheetgen.model.data import Word
from sheetgen.recipes.packs import Pack, open_pack
from sheetgen.recipes.project import project_at
from sheetgen.recipes.rulebook import Rulebook, open_book, perform, stray_digits
from sheetgen.rules.play import Play
from sheetgen.rules.registry import engine_of
from sheetgen.systems.genesix.characters import derived

LEDGER = Path(__file__).parents[1] / "ledger" / "genesix.txt"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pack, Rulebook]:
    project = project_at(tmp_path_factory.mktemp("book"), {})
    pack = open_pack(project, "genesix")
    return pack, open_book(project, pack)


def test_every_rule_of_the_ledger_is_told(opened: tuple[Pack, Rulebook]) -> None:
    ids = [line.split()[0] for line in LEDGER.read_text("utf-8").splitlines() if line.strip()]
    missing = [name for name in ids if name not in opened[1].book.covered]
    assert not missing


def test_every_open_point_of_the_source_has_its_ruling_told(opened: tuple[Pack, Rulebook]) -> None:
    told_elsewhere = {"GEN-Q30"}  # the credit, which the pack carries
    missing = {f"GEN-Q{number}" for number in range(1, 46)} - opened[1].book.covered - told_elsewhere
    assert not missing


def test_no_figure_is_spelt_out_where_the_pack_has_it(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    assert [str(problem) for problem in stray_digits(pack, rulebook.book)] == []


def test_house_defaults_carry_the_label_of_the_pack(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    label = pack.system.values.text("house.label")
    ours = {str(name) for name in pack.system.values.at("house.rules")}
    for rule in rulebook.book.rules.values():
        assert (rule.label == label) is bool(ours & set(rule.covers)), rule.id
        assert bool(rule.note) is bool(rule.label), rule.id


def test_every_rule_that_holds_a_ruling_is_labelled(opened: tuple[Pack, Rulebook]) -> None:
    for rule in opened[1].book.rules.values():
        if any(re.match(r"GEN-Q", name) for name in rule.covers):
            assert rule.label, rule.id


def test_cards_are_short_enough_to_be_read_in_play(opened: tuple[Pack, Rulebook]) -> None:
    pack, rulebook = opened
    references = References(pack.system, rulebook.book)
    for rule in rulebook.book.rules.values():
        for extract in (rule.card, rule.screen):
            if extract and extract.text:
                words = re.sub(r"<[^>]+>", " ", html_of(extract.text.text, references.resolve)).split()
                assert len(words) <= 65, (rule.id, len(words))


def test_the_limits_of_a_new_character_are_what_the_formulas_come_to(opened: tuple[Pack, Rulebook]) -> None:
    """GEN-207, worked out again: every mix of the ends of the range that keeps to the sum."""
    system = opened[0].system
    low, high, most = (system.values.number(f"creation.attributes.{name}") for name in ("low", "high", "sum"))
    names = [trait.role for trait in system.group("attributes").members]
    builds = [levels for levels in product((low, 0, high), repeat=len(names)) if sum(levels) <= most]
    found = [asdict(derived(Play(system, Scripted(())), dict(zip(names, each, strict=True)))) for each in builds]
    average = asdict(derived(Play(system, Scripted(())), dict.fromkeys(names, 0)))
    for name, usual in average.items():
        told = {what: system.values.number(f"new.{name}.{what}") for what in ("average", "least", "most")}
        reached = [each[name] for each in found]
        assert told == {"average": usual, "least": min(reached), "most": max(reached)}


def test_the_square_of_pairs_reads_as_the_engine_does(opened: tuple[Pack, Rulebook]) -> None:
    """GEN-035: the figure's rule for a pair of faces and the engine's procedure agree on all of them."""
    system = opened[0].system
    read = engine_of(system).procedures["row"]
    doubles = [system.tables["doubles"].row(face)["is"] for face in range(1, 7)]
    figure = Reading(doubles, *(system.values.text(f"reading.{name}") for name in ("odd", "even", "mixed")))
    for first, second in product(range(1, 7), repeat=2):
        play = Play(system, Scripted(()))
        kept = {Word("kept", Place("")): (Word(str(first), Place("")), Word(str(second), Place("")))}
        assert read.run(play, read.arguments(kept, play)).row == figure.of(first, second)


def test_chances_of_the_readings_are_those_of_the_ledger(opened: tuple[Pack, Rulebook]) -> None:
    """GEN-040: half of all checks say nothing further; two plain dice, then Advantage, then Disadvantage."""
    pack, rulebook = opened
    chapters = tuple(
        replace(chapter, rules=tuple(rule for rule in chapter.rules if rule.id == "how-often"))
        for chapter in rulebook.book.chapters
    )
    shown = perform(pack, Rulebook(Book(chapters, {}), {}), width=334)
    [(drawn, _)] = shown.charts["how-often"]
    said = [float(found) for found in re.findall(r">&?l?t?;?(\d+)%<", drawn)]
    assert said[9:12] == [50, 49, 49]
    assert said[6:9] == [17, 18, 10]
    assert said[12:15] == [17, 10, 18]
