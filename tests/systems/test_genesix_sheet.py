"""The GeneSix sheet: what it adds up, what a fighter brings, things with sizes and tags, pages that lose nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.documents.people.card import card_values
from sheetgen.errors import UsageError
from sheetgen.model.character import Character, Value
from sheetgen.model.system import System
from sheetgen.products.form_cache import sheet_html
from sheetgen.products.people.printing import write_people
from sheetgen.products.shapes import PrintOptions
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.systems.genesix.figures import BOXES, figures, parameters
from sheetgen.systems.genesix.gear import things_named
from sheetgen.table.duel import duel
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project
from tests.reading import read_pack

WORLDS = ("past", "present", "future")


@pytest.fixture(scope="module")
def system(library: Library) -> System:
    return read_pack(library.packs["genesix"], library)


def test_everything_anybody_owns_has_a_size(system: System) -> None:
    """GEN-242: a thing of the pack always tells its load."""
    for trade in system.cast.occupations.values():
        assert all(thing.size for thing in things_named(system, trade.gear)), trade.name
    for phrase in system.cast.belongings:
        assert phrase.fits == system.cast.things[phrase.say].fits
    for thing in things_named(system, tuple(system.cast.things)):
        assert system.values.has(f"load.{thing.size}"), thing.name
        assert all(system.values.has(f"tags.{tag}") for tag in thing.tags), thing.name
        assert not thing.reach or system.values.has(f"range.{thing.reach}"), thing.name


@pytest.mark.parametrize(
    ("line", "size", "tags", "attribute", "reach"),
    [
        ("Service rifle", "Large", ("Automatic", "Armor piercing"), "Agility", "Distant"),
        ("sling (Small, Near, Agility)", "Small", ("Inaccurate",), "Agility", "Near"),
        ("grandmother’s clock (Huge, Inferior)", "Huge", ("Inferior",), "", ""),
        ("a box (empty, I think)", "", (), "", ""),
        ("left shoe", "", (), "", ""),
    ],
)
def test_a_thing_is_known_by_its_name_or_by_its_brackets(
    system: System, *, line: str, size: str, tags: tuple[str, ...], attribute: str, reach: str
) -> None:
    (thing,) = things_named(system, (line,))
    assert (thing.size, thing.tags, thing.attribute, thing.reach) == (size, tags, attribute, reach)


def person(**values: Value) -> Character:
    return Character("genesix", {"name": "Ada Test", **values})


RATED: dict[str, Value] = {
    "attributes": {"Strength": 1, "Agility": 2, "Mental": -1, "Social": 0, "Monetary": 0},
    "approaches": {"Cautiously": 1, "Flamboyantly": -1, "Aggressively": 2, "Covertly": 0, "Unnaturally": 0},
}


def test_only_who_has_a_power_is_told_the_approach_of_powers(system: System) -> None:
    assert "approach.Unnaturally" not in figures(system, person(**RATED))
    assert figures(system, person(**RATED, power="Magic"))["approach.Unnaturally"] == "0"


def test_a_card_tells_a_drive_behind_its_title(system: System) -> None:
    who = person(**RATED, manner="winks at statues", drive="to sleep soundly", hook="Owes a game of chess.")
    said = card_values(system, who, figures(system, who))["card.story"]
    assert said == "Winks at statues. Drive: to sleep soundly. Owes a game of chess."


def test_the_sheet_adds_every_attribute_to_every_approach(system: System) -> None:
    found = figures(system, person(**RATED))
    assert found["sum.Agility.Aggressively"] == "+4"
    assert found["sum.Mental.Flamboyantly"] == "−2"
    assert found["sum.Social.Covertly"] == "0"
    assert "sum.Strength.Unnaturally" not in found
    assert not any(name.startswith("sum.Monetary") for name in found)
    gifted = figures(system, person(**RATED, power="Magic"))
    assert gifted["sum.Strength.Unnaturally"] == "+1"


def test_boxes_beyond_a_capacity_are_not_drawn_and_marks_are_printed(system: System) -> None:
    """GEN-203, GEN-204, GEN-263: 11 Wounds and 7 Stress."""
    found = figures(system, person(**RATED, state={"Wounds": 2}))
    assert (found["wounds"], found["stress"], found["toughness"]) == ("11", "7", "+2")
    shown = [found.get(f"wounds.{box}", "") for box in range(1, BOXES + 1)]
    assert shown == ["×", "×", *[""] * (BOXES - 2)]
    drawn = [found.get(f"wounds.box.{box}", "") for box in range(1, BOXES + 1)]
    assert drawn == [*["yes"] * 11, *[""] * (BOXES - 11)]


def test_the_fight_rows_say_what_is_rolled_against_what(system: System) -> None:
    found = figures(system, person(**RATED, gear=("target pistol", "bulletproof vest")))
    row = [found[f"fight.1.{part}"] for part in ("name", "sum", "with", "against", "does")]
    assert row == [
        "Target pistol",
        "+4",
        "Agility, Aggressively",
        "Close\u00a04\u00a0· Near\u00a06\u00a0· Far\u00a08",
        "Wounds",
    ]
    assert found["fight.2.against"] == "their roll"
    assert (found["resists"], found["guard.worn"], found["load.carried"]) == ("4", "bulletproof vest", "3")


def test_a_load_is_told_only_of_things_whose_size_is_known(system: System) -> None:
    """Forty lanterns of no known size once weighed nothing: 0 of 8."""
    gear = {
        (): "0",
        ("one left boot", "letter nobody answered"): "",
        ("one left boot", "pistol", "snub-nosed revolver"): "1½+",
        ("one left boot (Small)", "pistol"): "1½",
    }
    loads = {things: figures(system, person(**RATED, gear=things))["load.carried"] for things in gear}
    assert loads == gear


def test_a_power_harms_at_its_price_and_the_sheet_says_which(system: System) -> None:
    found = figures(system, person(**RATED, power="Magic"))
    magic = next(number for number in (1, 2, 3, 4) if found[f"fight.{number}.name"] == "Magic")
    assert [found[f"fight.{magic}.{part}"] for part in ("harms", "does")] == ["at its price", "costs its Delta"]


def test_a_stat_block_says_how_far_a_shot_goes_and_what_a_power_harms(system: System) -> None:
    """GEN-267, GEN-270, GEN-276: reach and aim stand with the dice; the harm of a power goes to either track."""
    found = figures(system, person(**RATED, power="Magic", gear=("hunting rifle", "weighted net")))
    said = {found[f"fight.{number}.name"]: found.get(f"fight.{number}.block", "") for number in (1, 2, 3, 4)}
    assert said["Hunting rifle"] == "2d6 +4 to Distant, Accurate, harms Wounds"
    assert said["Weighted net"] == "+4 to Near, Wounds"
    assert said["Magic"].endswith(", Wounds or Stress, at its price")


def test_a_stat_block_leaves_out_what_anybody_can_do(system: System) -> None:
    """Bare hands and words stood in each of thirty blocks, also in those of beasts."""
    armed, unarmed = (figures(system, person(**RATED, gear=gear)) for gear in (("hunting rifle",), ()))
    told = [
        [found[f"fight.{number}.name"] for number in (1, 2, 3, 4) if f"fight.{number}.block" in found]
        for found in (armed, unarmed)
    ]
    assert told[0] == ["Hunting rifle"]
    assert len(told[1]) == 1
    assert figures(system, person(**RATED))["fight.1.block"].startswith("2d6 ")


def test_a_fighter_uses_the_best_weapon_or_the_one_that_is_named(system: System) -> None:
    armed = person(**RATED, gear=("shotgun", "stab vest"), state={"Wounds": 3})
    best = parameters(system, armed, "")
    assert (best["attribute"], best["approach"], best["range"], best["tags"]) == (2, 2, "Near", ["Stunning"])
    assert (best["toughness"], best["protective"], best["wounds"], best["wounds_capacity"]) == (2, 1, 3, 11)
    assert parameters(system, armed, "bare hands")["range"] is None
    assert parameters(system, armed, "mental, covertly")["attribute"] == -1
    with pytest.raises(UsageError, match=re.escape('Ada Test has no "shotgum" (did you mean "shotgun"?)')):
        parameters(system, armed, "shotgum")


TWIST = {
    "system.yaml": (
        "{id: twist, extends: genesix, title: Twist,"
        " values: {effects: {suffer_1: {stress: 3}}, doubles: {2: critical_failure}}}"
    ),
}


def test_the_readings_on_the_sheet_are_those_of_the_pack(project: Project, tmp_path: Path) -> None:
    """GEN-036, GEN-048: what doubles mean and what it costs, ruled otherwise in a pack that extends the game."""
    folder = tmp_path / "twist"
    folder.mkdir()
    for name, text in TWIST.items():
        (folder / name).write_text(text, "utf-8")
    html = sheet_html(project, open_pack(project, str(folder)), paper="a4")
    readings = html.split('<div class="reading">')[1:]
    faces = [re.findall(r'aria-label="(\d)"', each) for each in readings]
    said = [re.findall(r"<p>(.*?)</p>", each)[0] for each in readings]
    assert ["".join(each) for each in faces] == ["1122", "3355", "15", "34", "26", "44", "66"]
    assert said[0] == "the scene turns against you"
    assert said[2] == "next ally Disadvantage, or next opponent Advantage, or suffer 3 Stress"
    assert said[3] == "success or failure alone"


HOSTILE: dict[str, Value] = {
    "name": "Maximiliana Wilhelmina Konstantinopolitanskaja-Hohenzollern",
    "occupation": "first underminister for the weather, the harvest and the tides of the moon",
    "manner": "reads lips and answers them, walks as if the floor were ice, and shouts what does not matter",
    "drive": "Ελένη asked for it to be carried to Łódź before Сергей hears of it, and every word of that was a lie "
    * 2,
    **RATED,
    "power": "Superpowers",
    "gift": "moves too fast to see, for a breath; stretches further than is decent; hears a heartbeat; " * 3,
    "state": {"Stress": 7, "Wounds": 11, "Milestones": 12},
    "gear": tuple(f"thing number {number} with a long name and a use (Tiny, Superior)" for number in range(1, 30)),
    "hook": "It ticks, it hums, it knows your name, and on Tuesdays it sings in the voice of somebody’s grandmother. "
    * 4,
    "notes": "one line of notes, and another one\n" * 90,
}


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("values", [HOSTILE, {"name": "Ö"}], ids=["full", "empty"])
def test_nothing_is_lost_on_a_sheet_that_is_too_full(project: Project, paper: str, values: dict[str, Value]) -> None:
    pack, written = open_pack(project, "genesix"), list[bytes]()
    report = write_people(
        project, pack, [Character("genesix", values)], written.append, PrintOptions(paper), form=".pdf"
    )
    assert report.printed == 1
    assert len(report.continued) == (values is HOSTILE)
    if values is HOSTILE:
        assert ", Gear, " in report.continued[0]
        assert "Attack" not in report.continued[0]


def test_rolled_people_fit_on_one_page_each_with_anything_of_the_pack(project: Project, system: System) -> None:
    """Every archetype as a hero in one of the worlds, and every thing in somebody's hands."""
    pack = open_pack(project, "genesix")
    people = [
        Roller(system, plan_of(system, archetype=name, options={"world": world, "grade": "hero"}), seed=7).roll(index)
        for name, (index, world) in zip(system.cast.archetypes, list(enumerate(WORLDS * 9, 1)), strict=False)
    ]
    people += [person(**RATED, gear=(thing,), power="Magic") for thing in system.cast.things]
    report = write_people(project, pack, people, lambda data: None, PrintOptions("letter"), form=".pdf")
    assert (report.printed, report.continued) == (len(people), [])


@pytest.mark.parametrize("using", ["", "bare hands"])
def test_archetypes_fight_each_other_to_the_end(project: Project, using: str) -> None:
    """The encounter of the ledger, with what each brings along; a weapon that is named is the one that is used."""
    pack, fought = open_pack(project, "genesix"), list[int]()
    fighters = ("soldier", "scholar")
    tally = duel(project, pack, fighters, using=(using, ""), given={}, count=40, seed=7, progress=fought.append)
    assert fought[-1] == 40
    assert tally.wins[0] > tally.wins[1]
    assert sum(tally.wins) + tally.undecided == 40
