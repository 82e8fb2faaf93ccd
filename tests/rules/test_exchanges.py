"""Steps that give one thing for another, as the manual shows them: results change places, and a purse is spent."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.errors import InputError
from sheetgen.model.character import Character
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.rules.conversation import PresetAnswers
from sheetgen.rules.creation.exchanges import fewest_exchanges
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

DOCS = Path(__file__).parents[2] / "docs" / "packs.md"
HEAD = "id: mist\ntitle: Mist\ncredit: Mist, by somebody\nlicence: CC0\n"
SHEET = """character:
  name: {is: text, title: Name}
  abilities: {is: levels, title: Abilities}
  purse: {is: levels, title: Purse}
  gear: {is: list, title: Things}
"""
NPCS = """names: {given: [Ada, Bo], family: [Vane]}
archetypes:
  thinker: {say: knows better, attributes: [Wits]}
  debtor: {say: 'has paid', gives: {purse: {Coins: 0}, abilities: {Might: 18}}}
"""
PRICES = {"rope": 5, "lantern": 8, "spade": 3, "boots": 12, "bread for a week": 2}
ABILITIES = ("Might", "Wits", "Nerve")


@pytest.fixture
def mist(project: Project) -> Callable[..., None]:
    """The pack of the manual in the folder mist/, with words of its creation exchanged."""

    def write(right: str = "", wrong: str = "") -> None:
        folder = project.where / "mist"
        folder.mkdir(exist_ok=True)
        section = DOCS.read_text().partition("Two results may change places")[2]
        system, creation = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)[:2]
        texts = {"system": HEAD + system, "creation": creation, "sheet": SHEET, "npcs": NPCS}
        for name, text in texts.items():
            (folder / f"{name}.yaml").write_text(text.replace(right, wrong) if right else text)

    return write


def rolled(project: Project, archetype: str = "", count: int = 60) -> list[Character]:
    return list(roll(open_pack(project, "./mist"), RollOptions(seed=3, count=count, archetype=archetype)))


def test_what_matters_most_gets_the_highest_result(project: Project, mist: Callable[..., None]) -> None:
    mist()
    people, plain = rolled(project, "thinker"), rolled(project)
    for each in people:
        levels = each.numbers("abilities")
        assert levels["Wits"] == max(levels.values())
    best = {max(ABILITIES, key=lambda name, each=each: each.numbers("abilities")[name]) for each in plain}
    assert best == set(ABILITIES)


def test_a_swap_moves_two_results_and_no_third(project: Project, mist: Callable[..., None]) -> None:
    mist()
    swapped = rolled(project, "thinker")
    mist("[given, abilities, swap, coins, shop, name]", "[given, abilities, coins, shop, name]")
    before = rolled(project, "thinker")
    moved = [
        sum(one.numbers("abilities")[name] != other.numbers("abilities")[name] for name in ABILITIES)
        for one, other in zip(before, swapped, strict=True)
    ]
    assert set(moved) == {0, 2}


def test_coins_go_for_things_and_what_is_needed_comes_first(project: Project, mist: Callable[..., None]) -> None:
    mist()
    bought = rolled(project)
    mist("[given, abilities, swap, coins, shop, name]", "[given, abilities, swap, coins, name]")
    for before, after in zip(rolled(project), bought, strict=True):
        things, coins = after.lines("gear"), after.numbers("purse")["Coins"]
        assert coins == before.numbers("purse")["Coins"] - sum(PRICES[each] for each in things)
        assert things[:1] == ("bread for a week",)
        left = [price for each, price in PRICES.items() if each not in things]
        assert 1 <= len(things) <= 4
        assert coins >= 1
        assert len(things) == 4 or min(left) > coins - 1
    assert len({each.lines("gear") for each in bought}) > 6


def test_what_an_archetype_fixes_is_neither_swapped_nor_spent(project: Project, mist: Callable[..., None]) -> None:
    mist()
    for each in rolled(project, "debtor"):
        assert (each.numbers("purse")["Coins"], each.lines("gear")) == (0, ())
        assert each.numbers("abilities")["Might"] == 18


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("from: prices", "from: price", 'from: the pack has no value "price" (did you mean "prices"?)'),
        ("spade: 3", "spade: three", "step shop: the price of spade must be a whole number from 0 to 9,999"),
        (
            "[bread for a week]",
            "[bred for a week]",
            'prices has no "bred for a week" (did you mean "bread for a week"?)',
        ),
        ("purse: Coins", "purse: Coin", 'step shop: unknown trait "Coin" (did you mean "Coins"?)'),
        ("keep: 1,", "keep: 300,", "step shop: keep: Coins cannot be at 300"),
        ("swap, group: abilities", "swap, group: abilities, times: 3", "times must be 1 to 2, one less than abilities"),
        ("swap, group: abilities", "swap, group: purse", "purse has one trait, which can change places with none"),
        ("Wits: {}", "Wits: {range: 1-6}", "levels of Might and Wits cannot change places: their ranges differ"),
    ],
)
def test_what_is_wrong_is_told_at_its_word(
    mist: Callable[..., None], sheetgen: Callable[..., Any], right: str, wrong: str, told: str
) -> None:
    mist(right, wrong)
    ran = sheetgen("check", "./mist")
    assert told in ran.err
    assert ran.code == 1


def test_where_a_sheet_has_no_fields_it_is_told(
    mist: Callable[..., None], sheetgen: Callable[..., Any], project: Project
) -> None:
    mist()
    (project.where / "mist" / "sheet.yaml").unlink()
    assert 'step shop: unknown field "gear"; sheet.yaml has none' in sheetgen("check", "./mist").err


def test_somebody_is_made_step_by_step_and_rolled_again(
    mist: Callable[..., None], sheetgen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mist()
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 40))
    assert sheetgen("make", "./mist", "--seed", "4", "-o", "ada.yaml").code == 0
    assert sheetgen("check", "ada.yaml").code == 0
    assert sheetgen("npc", "--reroll", "shop", "--seed", "9", "ada.yaml", "-o", "again.yaml").code == 0


@pytest.mark.parametrize(
    ("before", "after", "fewest"),
    [
        ((1, 2, 3), (1, 2, 3), 0),
        ((1, 2, 3), (2, 1, 3), 1),
        ((1, 2, 3), (2, 3, 1), 2),
        ((1, 2, 3, 4), (2, 1, 4, 3), 2),
        ((1, 1, 2, 2), (2, 2, 1, 1), 2),
        ((1, 1, 2, 3), (2, 3, 1, 1), 2),
        ((1, 2, 2, 3, 4), (2, 1, 3, 4, 2), 3),
    ],
)
def test_levels_that_are_equal_change_places_without_being_counted(
    before: tuple[int, ...], after: tuple[int, ...], fewest: int
) -> None:
    assert fewest_exchanges(zip(before, after, strict=True)) == fewest


def test_two_change_places_by_choice_and_no_third(
    project: Project, mist: Callable[..., None], talk: Callable[..., Any]
) -> None:
    mist()
    system = open_pack(project, "./mist").system
    interview = talk(system, PresetAnswers("random", "thinker"), seed=8)
    interview.until("Swap")
    interview.answer("none")
    shown = interview.asked.shown
    assert "changed places: 0 of 1" in shown
    before = dict(zip(ABILITIES, map(int, re.findall(r"\d+", shown[0])), strict=True))
    might, wits, nerve = before.values()
    assert len({might, wits, nerve}) == 3
    interview.answer(f"Might {wits}")
    interview.answer(f"Wits {nerve}")
    interview.answer("")
    was = ", ".join(f"{name} {level}" for name, level in before.items())
    assert interview.asked.complaint == (f"2 exchanges, of which there may be 1: they were {was}",)
    interview.answer("none")
    interview.answer(f"Might {nerve}")
    assert "changed places: 1 of 1" in interview.asked.shown
    interview.answer("")
    assert interview.finished().numbers("abilities") == {"Might": nerve, "Wits": wits, "Nerve": might}


def test_what_an_archetype_fixes_changes_places_with_nobody(
    project: Project, mist: Callable[..., None], talk: Callable[..., Any]
) -> None:
    mist()
    interview = talk(open_pack(project, "./mist").system, PresetAnswers("random", "debtor"))
    interview.until("Swap")
    interview.answer("Wits 18")
    assert interview.asked.complaint == ("there is no 18 left among the results for Wits",)
    interview.answer("Might 3")
    assert interview.asked.complaint == ("Might keeps its level",)


@pytest.fixture
def slots(project: Project) -> Callable[..., None]:
    """The pack of the manual that fills slots in the folder mist/, with words of its creation exchanged."""

    def write(right: str = "", wrong: str = "") -> None:
        folder = project.where / "mist"
        folder.mkdir(exist_ok=True)
        section = DOCS.read_text().partition("Slots are filled in the same way")[2]
        system, creation = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)[:2]
        sheet = "".join(line for line in SHEET.splitlines(keepends=True) if "purse" not in line)
        npcs = NPCS.partition("archetypes")[0] + (
            "archetypes:\n"
            "  diver: {say: goes down, gives: {gear: [diving bell, rope]}}\n"
            "  boatman: {say: goes over, gives: {gear: [folding boat (3 slots)]}}\n"
            "  eel: {say: bites, gives: {gear: [teeth]}, names: [Old Eel]}\n"
        )
        texts = {"system": HEAD + system, "creation": creation, "sheet": sheet, "npcs": npcs}
        for name, text in texts.items():
            (folder / f"{name}.yaml").write_text(text.replace(right, wrong) if right else text)

    return write


SIZES = {"lantern": 1, "rope": 1, "spade": 1, "folding boat (3 slots)": 3, "oil": 1, "tin of eels": 1}
SIZES |= {"diving bell (4 slots)": 4, "teeth": 1}


def test_slots_are_filled_but_for_those_that_stay_free(project: Project, slots: Callable[..., None]) -> None:
    slots()
    gear = [each.lines("gear") for each in rolled(project)]
    assert all("lantern" in each and len(set(each)) == len(each) for each in gear)
    assert {sum(SIZES[thing] for thing in each) for each in gear} <= {5, 6, 7}  # nothing that is left has room
    assert any("folding boat (3 slots)" in each for each in gear)


def test_what_is_given_takes_slots_and_a_creature_fills_none(project: Project, slots: Callable[..., None]) -> None:
    slots("[abilities", "[given, abilities")
    path = project.where / "mist" / "creation.yaml"
    path.write_text(path.read_text().replace("steps:\n", "steps:\n  given: {do: given}\n", 1))
    for each in rolled(project, "diver"):
        assert each.lines("gear")[:3] == ("diving bell", "rope", "lantern")
        assert 4 + sum(SIZES[thing] for thing in each.lines("gear")[1:]) == 7
    for each in rolled(project, "boatman"):
        assert sum(SIZES[thing] for thing in each.lines("gear")) == 7
        assert "folding boat" not in each.lines("gear")
    assert {each.lines("gear") for each in rolled(project, "eel")} == {("teeth",)}


def test_slots_may_be_as_many_as_a_trait_says(project: Project, slots: Callable[..., None]) -> None:
    slots("slots: slots, first: [lantern], free: 3", "slots: Might, most: 3")
    people = rolled(project)
    assert all(
        sum(SIZES[thing] for thing in each.lines("gear")) <= each.numbers("abilities")["Might"] for each in people
    )
    assert {len(each.lines("gear")) for each in people} == {3}


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("from: loads", "from: load", 'from: the pack has no value "load" (did you mean "loads"?)'),
        ("spade: 1", "spade: one", "the slots of spade must be a whole number"),
        ("first: [lantern]", "first: [lanten]", 'first: loads has no "lanten" (did you mean "lantern"?)'),
        ("slots: slots", "slots: 0", "slots must be 1 to 100, or a trait that says how many"),
        ("slots: slots", "slots: slot", 'slots: the pack has no value "slot" (did you mean "slots"?)'),
        (
            "slots: slots, first: [lantern], free: 3",
            "slots: 4, first: [lantern, diving bell], free: 1",
            "first: diving bell takes 4 slots, and 3 are to be filled",
        ),
        ("into: gear", "into: name", "into takes a field that is: list; name is: text"),
        ("free: 3", "fre: 3", 'unknown key "fre" (did you mean "free"?)'),
    ],
)
def test_what_is_wrong_with_slots_is_told(
    project: Project, slots: Callable[..., None], right: str, wrong: str, told: str
) -> None:
    slots(right, wrong)
    with pytest.raises(InputError) as caught:
        rolled(project, count=1)
    assert told in str(caught.value)
