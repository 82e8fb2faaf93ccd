"""The GeneSix rulebook: its figures are the engine's, and house defaults say so."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from itertools import product

import pytest

from sheetgen.dice.source import Scripted
from sheetgen.documents.figures.kinds import PairReading
from sheetgen.errors import Place
from sheetgen.model.book import Book
from sheetgen.model.data import Word
from sheetgen.products.chapters import Rulebook, canvas_of, perform
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of
from sheetgen.systems.genesix.creation import derived
from sheetgen.systems.genesix.gear import things_named
from sheetgen.workspace.packs import Pack

Opened = tuple[Pack, Rulebook]


@pytest.fixture
def opened(book_of: Callable[[str], Opened]) -> Opened:
    return book_of("genesix")


def test_house_defaults_are_marked(opened: Opened) -> None:
    """What is ours stands in a rule of the house, or is marked in the text and has its reasons."""
    pack, rulebook = opened
    ours = {str(name) for name in pack.system.values.at("house.rules")}
    unmarked = [
        rule.id
        for rule in rulebook.book.rules.values()
        if ours & set(rule.covers) and not (rule.settled and "†" in rule.text.text)
    ]
    assert unmarked == []


def test_the_list_of_gear_is_that_of_the_pack(opened: Opened) -> None:
    """Every row of the two tables says size, attribute, reach and tags as things.yaml has them (GEN-H1, GEN-H2)."""
    pack, rulebook = opened
    rows = [
        line.replace("\N{NO-BREAK SPACE}", " ").strip("| ").split(" | ")
        for name in ("gear-list", "what-protects")
        for line in rulebook.book.rules[name].text.text.splitlines()
        if "{load." in line
    ]
    assert len(rows) > 50
    for name, size, *more in rows:
        thing = things_named(pack.system, (name,))[0]
        tags = ", ".join(thing.tags) + f" {{{thing.protective}}}" * (thing.protective > 1)
        weapon = [f"{{{thing.attribute}}}", thing.reach or "in hand"] if len(more) == 3 else []
        assert [size, *more] == [f"{thing.size}, {{load.{thing.size}}}", *weapon, tags or "–"], name


def test_the_limits_of_a_new_character_are_what_the_formulas_come_to(opened: Opened) -> None:
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


def test_the_square_of_pairs_reads_as_the_engine_does(opened: Opened) -> None:
    """GEN-035: the figure's rule for a pair of faces and the engine's procedure agree on all of them."""
    system = opened[0].system
    read = engine_of(system).procedures["row"]
    doubles = [system.values.text(f"doubles.{face}") for face in range(1, 7)]
    figure = PairReading(doubles, *(system.values.text(f"reading.{name}") for name in ("odd", "even", "mixed")))
    for first, second in product(range(1, 7), repeat=2):
        play = Play(system, Scripted(()))
        kept = {Word("kept", Place("")): (Word(str(first), Place("")), Word(str(second), Place("")))}
        assert read.run(play, read.arguments(kept, play)).row == figure.of(first, second)


def test_chances_of_the_readings_are_those_of_the_ledger(opened: Opened) -> None:
    """GEN-040: half of all checks say nothing further; two plain dice, then Advantage, then Disadvantage."""
    pack, rulebook = opened
    chapters = tuple(
        replace(chapter, rules=tuple(rule for rule in chapter.rules if rule.id == "how-often"))
        for chapter in rulebook.book.chapters
    )
    shown = perform(pack, Rulebook(Book(chapters, {}), {}), canvas_of(pack, 334))
    [(drawn, _)] = shown.charts["how-often"]
    said = [float(found) for found in re.findall(r">&?l?t?;?(\d+)%<", drawn.inside)]
    assert said[9:12] == [50, 49, 49]
    assert said[6:9] == [17, 18, 10]
    assert said[12:15] == [17, 10, 18]


HELP = {  # who and what helps to write the tides back: helpful circumstances, and Advantage
    "nobody and nothing": (0, 0),
    "the pen or the log": (1, 0),
    "Lusk": (0, 1),
    "the pen and the log": (2, 0),
    "Lusk, and the pen or the log": (1, 1),
    "all of them": (2, 1),
}


def test_the_chances_of_writing_the_tides_back_are_those_of_the_dice(opened: Opened) -> None:
    """Eight tides, two a check at most, four against; four checks a turn, and four pairs of odd faces bring the sea."""
    pack, rulebook = opened
    text = str(rulebook.book.rules["writing-it-back"].text.text)
    rows = re.findall(r"^ *\| ([^|]+) \| \{(\d+)\} \| \{(\d+)\} \| \{(\d+)\} \|$", text, re.MULTILINE)
    said = {who: tuple(map(int, chances)) for who, *chances in rows}
    hard = pack.system.values.number("difficulty.Hard")
    assert said == {
        who: tuple(
            round(100 * written(3 - hard + helpful, advantage, checks, marked)) for checks, marked in TURNS.values()
        )
        for who, (helpful, advantage) in HELP.items()
    }


TURNS = {"both": (8, 0), "once": (4, 0), "both, sea at 2": (8, 2)}  # checks, and marks on the sea before the first


def written(more: int, advantage: int, checks: int, marked: int) -> float:
    """The chance that all tides are home before time, the second track or the sea runs out."""
    chances, home = {(0, 0, marked): 1.0}, 0.0
    throws = list(product(range(1, 7), repeat=2 + advantage))
    for _ in range(checks):
        after: dict[tuple[int, int, int], float] = {}
        for (tides, against, sea), chance in chances.items():
            for throw in throws:
                kept = sorted(throw)[-2:]
                delta = sum(kept) + more
                now = (
                    tides + min(2, max(0, delta)),
                    against + max(0, -delta),
                    sea + all(face % 2 for face in kept),
                )
                if now[1] < 4 and now[0] >= 8:
                    home += chance / len(throws)
                elif now[1] < 4 and now[2] < 4:
                    after[now] = after.get(now, 0.0) + chance / len(throws)
        chances = after
    return home


PLAIN = [sum(throw) for throw in product(range(1, 7), repeat=2)]


def test_what_a_fall_does_is_what_the_dice_are_short_of(opened: Opened) -> None:
    """GEN-H5: how often somebody is hurt who adds nothing, by how much, and how often one who adds 3."""
    text = " ".join(str(opened[1].book.rules["without-an-attacker"].text.text).split())
    told = re.search(r"adds nothing (.*) times in \{100\}, by (.*) points on average, .* only (.*) times", text)
    assert told is not None
    often, points, able = (re.findall(r"\{(\d+)", part) for part in told.groups())
    short = {
        more: [[number - one - more for one in PLAIN if one + more < number] for number in (7, 9, 11)]
        for more in (0, 3)
    }
    assert [round(len(each) / 0.36) for each in short[0]] == [int(each) for each in often]
    assert [round(sum(each) / len(each)) for each in short[0]] == [int(each) for each in points]
    assert [round(len(each) / 0.36) for each in short[3]] == [int(each) for each in able]


def test_how_often_one_speaker_brings_thripp_to_five_boxes(opened: Opened) -> None:
    """She adds 3, and her Toughness is 2; who loses by 4 is not heard again; a paper is worth 2 points more."""
    text = " ".join(str(opened[1].book.rules["talking-to-thripp"].text.text).split())
    told = re.search(r"\{41\} times in \{100\}, or \{61\} with a paper .* \{64\} times, or \{77\}", text)
    assert told is not None
    assert [round(100 * heard(more, paper)) for more in (3, 4) for paper in (0, 2)] == [41, 61, 64, 77]


@cache
def heard(more: int, paper: int, marked: int = 0) -> float:
    """The chance that somebody who adds so much gets there, from the boxes that are marked."""
    if marked >= 5:
        return 1.0
    reached, again = 0.0, 0.0
    for one, other in product(PLAIN, repeat=2):
        delta = one + more - other - 3
        if delta >= 0:
            share = 0.5 if delta == 0 else 1.0  # bare dice settle a tie
            reached += share * heard(more, paper, marked + max(delta - 2, 1) + paper)
            again += 1 - share
        elif delta > -4:
            again += 1
    return reached / (len(PLAIN) ** 2 - again)
