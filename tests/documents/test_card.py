"""What a card says of somebody: the notable first, nothing twice, and what is left out is counted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.documents.marks import boxed
from sheetgen.documents.people.card import boxes, card_values
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project
from tests.reading import read_pack

NB = "\u00a0"
ADA = Character(
    "gamers",
    {
        "name": "Ada",
        "occupation": "harbour pilot",
        "manner": "counts under her breath",
        "attributes": {"Grit": 10, "Awareness": 8, "Mind": 7, "Endurance": 7, "Reflexes": 9, "Strength": 8},
        "features": {"People": 7, "Wealth": 5},
        "skills": {"Brawling": 1, "Melee": 3, "Law & Society": 2, "Fire": 0},
        "specialties": {"Melee": "sabre", "Grit": "storms"},
        "people": {"Ines, sister": 4, "Old Bram": 3},
        "gear": ("sabre", "mail shirt", "brass quadrant", "sling", "pike", "oilskins"),
        "hook": "Saw who scuttled the Petrel.",
        "notes": "Owes the harbour a boat.",
    },
)


def values_of(system: System, character: Character) -> dict[str, str]:
    return card_values(system, character, engine_of(system).figures(system, character))


def test_skills_come_best_first_with_their_specialties_and_without_zeroes(gamers: System) -> None:
    said = values_of(gamers, ADA)
    assert said["top.skills"] == f"Melee{NB}3 (sabre), Law{NB}&{NB}Society{NB}2, Brawling{NB}1"
    assert said["card.can"] == f"{said['top.skills']}{NB}· Grit{NB}A (storms)"


def test_gear_is_what_has_no_line_of_its_own_in_the_fight(gamers: System) -> None:
    said = values_of(gamers, ADA)
    shown = {said["arms.1.name"], said["arms.2.name"], said["armour.1.name"]}
    assert "Mail shirt" in shown
    for thing in ("Sabre", "Mail shirt", "Brass quadrant", "Sling", "Pike", "Oilskins"):
        assert (thing in shown) != (thing.casefold() in said["top.gear"].casefold()), thing


def test_a_weapon_without_a_line_comes_first_and_says_what_it_rolls(gamers: System) -> None:
    said = values_of(gamers, ADA)
    third = said["top.gear"].split(" (")[0]
    assert third in ("Sabre", "Sling", "Pike")
    assert f"{third} (2d6" in said["top.gear"]


def test_no_thing_of_a_long_list_is_left_out(gamers: System) -> None:
    """How many of them a card has room for is settled where it is set."""
    many = Character("gamers", {"name": "Ada", "gear": tuple(f"thing number {at}" for at in range(1, 31))})
    said = values_of(gamers, many)
    assert said["top.gear"] == said["card.has"]
    assert said["top.gear"].split(f"{NB}· ") == ["Thing number 1", *(f"thing number {at}" for at in range(2, 31))]


def test_the_story_is_manner_hook_and_notes(gamers: System) -> None:
    assert values_of(gamers, ADA)["card.story"].split("\n") == [
        "Counts under her breath. Saw who scuttled the Petrel.", "Owes the harbour a boat.",
    ]  # fmt: skip


def test_a_manner_that_ends_in_a_quotation_has_its_full_stop(gamers: System) -> None:
    for manner, told in (("ends with “or so they say”", "Ends with “or so they say”."), ("asks “why?”", "Asks “why?”")):
        who = Character("gamers", {"name": "Ada", "manner": manner, "hook": "Saw the lights go off."})
        assert values_of(gamers, who)["card.story"] == f"{told} Saw the lights go off."


def test_a_story_that_ends_in_a_blank_has_its_full_stop_at_once(gamers: System) -> None:
    who = Character("gamers", {"name": "Ada", "manner": "hums ", "hook": "Is believed dead "})
    assert values_of(gamers, who)["card.story"] == "Hums. Is believed dead."


def test_people_share_the_room_with_belongings(gamers: System) -> None:
    people, things = values_of(gamers, ADA)["card.has"].split("\n")
    assert people == f"People (shares): Ines, sister{NB}4; Old Bram{NB}3"
    assert "rass quadrant" in things


def test_a_character_of_whom_little_is_known_says_nothing_more(gamers: System) -> None:
    said = values_of(gamers, Character("gamers", {"name": "Bo"}))
    assert [name for name in said if re.match(r"top\.|card\.(?!marks|rows)", name)] == [
        "card.rest",
        "card.facts",
        "card.told",
    ]
    assert said["card.rest"] == said["card.facts"]  # how bare hands fight


MIST = {
    "system.yaml": """
id: mist
title: Mist
credit: Mist, by the tests
licence: Do as you like.
traits:
  virtues: {title: Virtues, range: 1-6, start: 1-6, members: {Boldness: {}, Wits: {}, Constitution: {}, Charm: {}}}
  arts: {title: Arts, range: 0-5, start: 0-5, default: 0, members: {Sailing: {}, Lore: {}, Knives: {}}}
""",
    "sheet.yaml": """
character:
  name: {is: text, title: Name}
  calling: {is: text, title: Calling}
  virtues: {is: levels, title: Virtues}
  arts: {is: levels, title: Arts}
  ally: {is: text, title: Ally}
  gear: {is: list, title: Belongings}
  hook: {is: text, title: Story, story: yes}
  past: {is: text, title: Past}
""",
}


def mist(folder: Path) -> System:
    """A small pack of somebody else's, without a template or a line of Python."""
    for name, text in MIST.items():
        (folder / name).write_text(text)
    return read_pack(folder, Library({}, lambda path: path.name))


def test_any_pack_has_boxes_and_the_rest_as_text(tmp_path: Path) -> None:
    system = mist(tmp_path)
    assert [group.name for group in boxed(system)] == ["virtues"]
    assert boxes(system)["longest"] == len("Constitution")
    bram = Character(
        "mist",
        {
            "name": "Old Bram", "calling": "ferryman", "virtues": {"Boldness": 3}, "arts": {"Sailing": 3, "Knives": 5},
            "ally": "the heron", "gear": ("ferry pole", "lantern"), "hook": "Took somebody across who never got off.",
            "past": "A smuggler.",
        },
    )  # fmt: skip
    said = card_values(system, bram, {"pace": "4", "pace.wet": "2"})
    assert said["card.trade"] == "Ferryman"
    assert said["card.rest"].split("\n") == [
        f"Knives{NB}5, Sailing{NB}3",
        "Ally: the heron",
        f"Belongings: Ferry pole{NB}· lantern",
        "Past: A smuggler.",
        "Pace: 4",
        "Took somebody across who never got off.",
    ]


def test_weapons_of_a_pack_without_a_template_are_told_line_by_line(tmp_path: Path) -> None:
    row = {"arms.1.name": "Oar", "arms.1.roll": "2d6+1", "arms.1.bite": "3"}
    assert card_values(mist(tmp_path), Character("mist", {"name": "Bo"}), row)["card.rest"] == "Oar: 2d6+1, bite 3"


@pytest.mark.parametrize("name", ["genesix", "diecodes"])
def test_what_the_fight_tells_does_not_stand_among_belongings_again(project: Project, name: str) -> None:
    pack = open_pack(project, name)
    for each in roll(pack, RollOptions(seed=11, count=60)):
        said = values_of(pack.system, each)
        fight = f"· {said['figure.fight']}".replace("\n", "· ").replace(NB, " ").casefold()
        for thing in map(str.casefold, each.lines("gear")):
            assert (thing in said["top.gear"].casefold()) != (f"· {thing} " in fight), said


def test_a_card_of_six_shooter_says_how_many_successes_an_opponent_takes(project: Project) -> None:
    pack = open_pack(project, "sixshooter")

    def told(options: dict[str, str]) -> tuple[str, str]:
        (person,) = roll(pack, RollOptions(seed=7, count=1, options=options))
        values = card_values(pack.system, person, engine_of(pack.system).figures(pack.system, person))
        return values["figure.successes"], values.get("figure.takes", "")

    strength = pack.system.creation.strength
    assert strength is not None
    assert told({strength.name: "boss"}) == ("4", "takes 4 successes")
    assert told({}) == ("1", "")


def test_what_players_wear_down_has_boxes_and_stands_nowhere_else(project: Project) -> None:
    """A Grip of 2 once stood in figures alone, and a card of any game said it no other way."""
    pack = open_pack(project, "slackwater")
    values = values_of(pack.system, *roll(pack, RollOptions(3, 1)))
    assert (values["card.marks.1.title"], values["card.marks.1"]) == ("GRIP", "2")
    assert "card.marks.2" not in values
    assert "Grip" not in values["card.facts"]
    (pilot,) = roll(pack, RollOptions(3, 1, archetype="pilot"))
    values = values_of(pack.system, pilot)
    assert (values["card.marks.1.title"], values["card.marks.1"]) == ("COLD", "6")
    chalkdown = open_pack(project, "chalkdown")
    values = values_of(chalkdown.system, *roll(chalkdown, RollOptions(3, 1)))
    assert (values["card.marks.1.title"], values["card.marks.1"]) == ("WOUNDS", "10")


def test_what_has_more_boxes_than_a_row_holds_stays_a_number(project: Project) -> None:
    """A Grip of 35 was thirty boxes, and 35 nowhere."""
    pack = open_pack(project, "slackwater")
    values = values_of(pack.system, Character("slackwater", {"name": "Ada", "does": "Ring", "grip": {"Grip": 31}}))
    assert "card.marks.1" not in values
    assert "Grip\u00a031" in values["card.facts"]


def test_a_quotation_within_what_somebody_says_has_single_quotes(project: Project) -> None:
    system = open_pack(project, "slackwater").system
    said = Character("slackwater", {"name": "Agnes", "voice": "“Return to the galley.” She looked me in the eye."})
    assert values_of(system, said)["card.voice"] == "“‘Return to the galley.’ She looked me in the eye.”"


def test_the_levels_of_people_say_what_they_are(gamers: System) -> None:
    known = Character("gamers", {"name": "Ada", "people": {"Bodil, tavern keeper": 7}})
    assert values_of(gamers, known)["card.has"] == "People (shares): Bodil, tavern keeper\u00a07"


def test_the_lowest_level_of_many_skills_is_said_once(gamers: System) -> None:
    """Ten skills at 1 took five lines, and belongings were cut for them."""
    skilled = Character(
        "gamers",
        {"name": "Ada", "skills": {"Melee": 2, "Fire": 1, "Search": 1, "Writing": 1}, "specialties": {"Fire": "bows"}},
    )
    assert values_of(gamers, skilled)["card.can"] == f"Melee{NB}2; at{NB}1: Fire (bows), Writing, Search"
    two = Character("gamers", {"name": "Ada", "skills": {"Melee": 2, "Fire": 1, "Search": 1}})
    assert values_of(gamers, two)["card.can"] == f"Melee{NB}2, Fire{NB}1, Search{NB}1"


def test_boxes_stand_for_the_level_that_they_count(project: Project) -> None:
    """A card said “Hits 8” beside ten wounds, whoever it was."""
    system = open_pack(project, "chalkdown").system
    one = Character("chalkdown", {"name": "Ada", "attack": "sword d8", "body": {"Hits": 8, "Guard": 2}})
    values = values_of(system, one)
    assert (values["card.marks.1.title"], values["card.marks.1"]) == ("WOUNDS", "8")
    assert values["card.facts"] == f"Guard{NB}2{NB}· Attack: sword d8"
    assert values["card.told"] == f"Sword d8{NB}· Guard{NB}2"
    assert boxes(system)["heading"] == "In a fight"


def test_what_somebody_does_stands_under_its_own_name(project: Project) -> None:
    """An index card had the heading “What they do”, and under it “Will: ask your mother”."""
    system = open_pack(project, "slackwater").system
    one = Character("slackwater", {"name": "Ada", "does": "ask your mother", "grip": {"Grip": 2}})
    values = values_of(system, one)
    assert (boxes(system)["heading"], values["card.told"]) == ("What they do", "Ask your mother")
    assert values["card.facts"] == "What they do: ask your mother"


def test_a_pronoun_of_which_no_age_is_told_stands_in_brackets(gamers: System) -> None:
    """“Miller she” looked like a sentence that was cut off."""
    known = Character("gamers", {"name": "Ada", "pronouns": "she", "age": "past fifty"})
    assert values_of(gamers, known)["about"] == "she, past fifty"
    assert values_of(gamers, Character("gamers", {"name": "Ada", "pronouns": "she"}))["about"] == "(she)"


def test_a_small_card_tells_of_bare_hands_where_nobody_owns_anything_better(gamers: System) -> None:
    armed = values_of(gamers, Character("gamers", {"name": "Ada", "gear": ("sabre",)}))
    assert armed["card.rows.arms.1.name"] == "Sabre"
    assert "card.rows.arms.2.name" not in armed
    assert armed["arms.2.name"] == "Bare hands"
    assert values_of(gamers, Character("gamers", {"name": "Bo"}))["card.rows.arms.1.name"] == "Bare hands"
