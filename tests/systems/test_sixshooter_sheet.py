"""The Six Shooter sheet: its figures, what an Operator brings to a procedure, duels, and pages that lose nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.model.character import Character, Value
from sheetgen.model.system import System
from sheetgen.products.form_cache import sheet_form
from sheetgen.products.people.printing import write_people
from sheetgen.products.shapes import PrintOptions
from sheetgen.systems.sixshooter.characters import figures, parameters
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project
from tests.reading import read_pack

DESCRIPTORS = ("Dangerous", "Sharp", "Sly", "Charming")


@pytest.fixture(scope="module")
def system(library: Library) -> System:
    return read_pack(library.packs["sixshooter"], library)


ASH: dict[str, Value] = {
    "name": "Ash",
    "descriptor": "Charming",
    "occupation": "torch singer",
    "luck": {"Lucky Number": 10, "Second Lucky Number": 3},
    "strikes": {"Strikes": 2},
    "hand": ("KS up", "7C down", "gone", "JOKER up", "10H down", "QD down"),
}


def test_a_whole_sheet_of_figures(system: System) -> None:
    found = figures(system, Character("sixshooter", ASH))
    assert found["lucky"] == "10 · 3"
    assert (found["method"], found["suit"]) == ("Charm", "Hearts")
    assert [name for name in found if name.startswith("best.")] == ["best.Charm"]
    assert [name for name in found if name.startswith("strike.")] == ["strike.1", "strike.2"]
    assert (found["card.1"], found["card.4"], found["card.5"]) == ("King of spades", "Joker", "10 of hearts")
    assert {"up.1", "gone.3", "up.4"} == {name for name in found if name.startswith(("up.", "gone."))}
    assert found["fight"] == "Critical Numbers: Danger 3, Sharpness 4, Slyness 4, Charm 5"


def test_somebody_of_whom_nothing_is_known_has_no_figures(system: System) -> None:
    assert not any(figures(system, Character("sixshooter", {"name": "Nobody"})).values())


def test_what_an_operator_brings_to_a_procedure(system: System) -> None:
    brought = parameters(system, Character("sixshooter", ASH), "")
    assert brought["lucky"] == [10, 3]
    assert brought["strikes"] == 2
    assert brought["descriptor"] == "Charming"
    newcomer = parameters(system, Character("sixshooter", {"name": "Bo", "descriptor": "Sly"}), "")
    assert (newcomer["lucky"], newcomer["strikes"], newcomer["hand"]) == ([], 0, None)


def test_every_archetype_is_best_at_one_method_and_open_in_another(system: System) -> None:
    """House default: five where the Operator is best, three somewhere, four elsewhere."""
    for word in DESCRIPTORS:
        numbers = [system.values.number(f"met.{word}.{method}") for method in system.values.names("methods")]
        assert sorted(numbers) == [3, 4, 4, 5]
        assert system.values.number(f"met.{word}.{system.values.text(f'descriptors.{word}')}") == 5


# Pages


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sheet_is_one_page_and_its_back_another(project: Project, paper: str) -> None:
    pack = open_pack(project, "sixshooter")
    assert len(sheet_form(project, pack, paper=paper).pages) == 1
    assert len(sheet_form(project, pack, paper=paper, back=True).pages) == 2


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_nothing_is_lost_however_much_there_is(project: Project, paper: str) -> None:
    """Sixty letters of a name, three alphabets, forty things and a long story: what does not fit is continued."""
    pack = open_pack(project, "sixshooter")
    crowded = {
        **ASH,
        "name": "Maximiliana Wilhelmine Ångström-Żółkiewska von Ωμέγα Яковлева",
        "gear": tuple(f"thing number {number} of a very large collection" for number in range(40)),
        "hook": "Was told that everything would go wrong on a Tuesday, and it did. " * 6,
        "notes": "Съешь ещё этих мягких французских булок, да выпей чаю. " * 40,
    }
    people = [Character("sixshooter", crowded), Character("sixshooter", {"name": "Bo"})]
    written = list[bytes]()
    report = write_people(project, pack, people, written.append, PrintOptions(paper), form=".pdf")
    assert report.printed == 2
    assert not report.skipped
    assert [line.partition(": ")[2] for line in report.continued] == [
        "Story, Belongings, Notes continued on a page of its own"
    ]


# Duels


def test_a_duel_between_archetypes_counts_cards(sheetgen: Callable[..., Any]) -> None:
    ran = sheetgen("duel", "sixshooter", "duellist", "gambler", "-n", "40")
    assert ran.code == 0
    assert re.search(r"cost in cards: duellist \d\.\d, gambler \d\.\d on average", ran.out)


def test_who_spends_every_card_loses_to_who_keeps_them(sheetgen: Callable[..., Any]) -> None:
    """An empty place is where Strikes come from (SIX-035)."""
    ran = sheetgen(
        *("duel", "sixshooter", "{descriptor: Sly}", "{descriptor: Sharp}", "-n", "300", "--json"),
        *("--given", "a.spends=all", "--given", "b.spends=none"),
    )
    wins = json.loads(ran.out)["wins"]
    assert wins["the first"] < 120
    assert wins["the second"] > 170


def test_an_operator_of_a_file_meets_another(sheetgen: Callable[..., Any]) -> None:
    assert sheetgen("npc", "sixshooter", "-n", "2", "--seed", "7", "-o", "two.yaml").code == 0
    first, second = re.findall(r"- name: (\w+)", Path("two.yaml").read_text(encoding="utf-8"))
    ran = sheetgen("play", "sixshooter", "showdown", f"a=@two.yaml:{first}", f"b=@two.yaml:{second}", "--seed", "1")
    assert ran.code == 0
    assert re.search(r"gains a Strike and loses the contest \[SIX-062\]", ran.out)
