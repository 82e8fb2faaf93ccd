"""What holds of each of the five rulebooks: every rule and ruling stands in it once, as the engine plays it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sheetgen.content.book.references import References
from sheetgen.documents.figures import maps
from sheetgen.documents.figures.kinds import draw_figure
from sheetgen.documents.markdown import html_of
from sheetgen.geometry import PAPERS
from sheetgen.products.books.setting import FIGURES, PAGE_MEASURES
from sheetgen.products.chapters import Rulebook, canvas_of, settled_warnings, stray_digits
from sheetgen.table.examples import run_examples
from sheetgen.workspace.packs import Pack

LEDGERS = Path(__file__).parents[1] / "ledger"
LONGEST = 60  # words on a card that can be read in play
GLANCES = {"a-fight-on-two-pages"}  # chapters that are a glance themselves


@dataclass(frozen=True)
class LedgerTold:
    """A book: its rulings by prefix and number, under which labels they stand, how many scenes it may have."""

    system: str
    prefix: str
    rulings: int
    scenes: int
    labels: tuple[str, ...] = ("ruling",)
    elsewhere: frozenset[str] = frozenset()  # rulings that the pack carries instead
    unmarked: frozenset[str] = frozenset()  # rulings about a plain slip of the pen: nothing to tell a reader


SILENT = "house default: the source is silent"
BOOKS = (
    LedgerTold("gamers", "GAM-Q", 74, 35),
    LedgerTold("tsgs", "TSG-Q", 46, 40),
    LedgerTold("sixshooter", "SIX-Q", 38, 35, ("ruling", "house default"), unmarked=frozenset({"SIX-Q35"})),
    LedgerTold("diecodes", "DIE-Q", 40, 45),
    LedgerTold("genesix", "GEN-Q", 45, 51, ("ruling", SILENT), elsewhere=frozenset({"GEN-Q30"})),  # the credit
)
MAPPED = (*(str(told.system) for told in BOOKS), *("agents", "fright", "heroic", "spacer", "waster", "slackwater"))


@pytest.fixture(params=BOOKS, ids=lambda told: str(told.system))
def told(request: pytest.FixtureRequest) -> LedgerTold:
    made: LedgerTold = request.param
    return made


@pytest.fixture
def pack(told: LedgerTold, book_of: Callable[[str], tuple[Pack, Rulebook]]) -> Pack:
    return book_of(told.system)[0]


@pytest.fixture
def rulebook(told: LedgerTold, book_of: Callable[[str], tuple[Pack, Rulebook]]) -> Rulebook:
    return book_of(told.system)[1]


def test_every_rule_of_the_ledger_is_told(told: LedgerTold, rulebook: Rulebook) -> None:
    ids = {line.split()[0] for line in (LEDGERS / f"{told.system}.txt").read_text("utf-8").splitlines() if line.strip()}
    assert ids
    assert sorted(ids - rulebook.book.covered) == []


def test_every_open_point_of_the_source_has_its_ruling_told(told: LedgerTold, rulebook: Rulebook) -> None:
    rulings = {f"{told.prefix}{number}" for number in range(1, told.rulings + 1)}
    assert sorted(rulings - rulebook.book.covered - told.elsewhere) == []


def test_no_rule_is_told_twice(rulebook: Rulebook) -> None:
    names = [name for rule in rulebook.book.rules.values() for name in rule.covers]
    assert sorted(names) == sorted(set(names))


def test_no_figure_is_spelt_out_where_the_pack_has_it(pack: Pack, rulebook: Rulebook) -> None:
    assert [str(problem) for problem in stray_digits(pack, rulebook.book)] == []


def test_what_is_not_the_author_s_says_so_beside_it(told: LedgerTold, rulebook: Rulebook) -> None:
    for rule in rulebook.book.rules.values():
        if any(name.startswith(told.prefix) and name not in told.unmarked for name in rule.covers):
            assert rule.settled or rule.label in told.labels, rule.id
        assert bool(rule.label) is bool(rule.note), rule.id


def test_each_sign_has_its_reasons_and_each_reason_its_sign(rulebook: Rulebook) -> None:
    assert [str(problem) for problem in settled_warnings(rulebook.book)] == []


def test_each_chapter_opens_with_what_it_is_for_and_ends_at_a_glance(rulebook: Rulebook) -> None:
    for chapter in rulebook.book.chapters:
        assert chapter.opening.text, chapter.id
        assert chapter.summary or chapter.id in GLANCES, chapter.id


@pytest.mark.parametrize("paper", ["a5", "a4"])
@pytest.mark.parametrize("game", MAPPED)
def test_no_name_of_a_place_runs_across_a_way(
    book_of: Callable[[str], tuple[Pack, Rulebook]], game: str, paper: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Roads were drawn through Cinder Market and Ninegate, although there was room a little further off."""
    (pack, rulebook), crossed, name_place = book_of(game), list[str](), maps._name_place

    def watched(sheet: Any, place: Any) -> None:
        name_place(sheet, place)
        in_a_room = bool(place.size[0])
        crossed.extend([place.name] if not in_a_room and maps._crossed(sheet, sheet.taken[-1]) else [])

    monkeypatch.setattr(maps, "_name_place", watched)
    canvas = canvas_of(pack, PAGE_MEASURES[paper].width(PAPERS[paper].width) * 72 / 25.4, FIGURES)
    drawn = [each for rule in rulebook.book.rules.values() for each in rule.figures if each.kind == "map"]
    for each in drawn:
        draw_figure("map", each.params, canvas)
    assert drawn
    assert crossed == []


def test_every_scene_comes_out_as_it_is_told(told: LedgerTold, pack: Pack, rulebook: Rulebook) -> None:
    cases = [rulebook.cases[scene.case] for rule in rulebook.book.rules.values() for scene in rule.scenes]
    assert 10 <= len(cases) <= told.scenes
    assert run_examples(pack.system, tuple(cases)) == ()


def test_cards_are_short_enough_to_be_read_in_play(pack: Pack, rulebook: Rulebook) -> None:
    references = References(pack.system, rulebook.book)
    for rule in rulebook.book.rules.values():
        for extract in (rule.card, rule.screen):
            if extract and extract.text:
                words = re.sub(r"<[^>]+>", " ", html_of(extract.text.text, references.resolve)).split()
                assert len(words) <= LONGEST, (rule.id, len(words))
