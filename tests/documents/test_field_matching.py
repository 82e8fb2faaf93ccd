"""Fields of strangers' forms and the values that their names mean."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sheetgen.documents.people.form_fields import matched, value_names
from sheetgen.geometry import Box
from sheetgen.model.acroform import Blank, FieldRule, Kind, Spot
from sheetgen.model.people_pages import FigureRows
from sheetgen.model.system import System

PEOPLE = [{"name": "Ann", "arms.1.name": "Pike", "arms.1.injury": "2d6", "figure.move": "3", "note.Melee": "pikes"}]


def blank(name: str, *, title: str = "", kind: Kind = "line") -> Blank:
    return Blank(name, title, kind, (Spot(0, Box(0, 0, 9, 9)),))


def meant(system: System, field: Blank) -> str:
    rules = matched([field], value_names(system, PEOPLE), system)
    return rules[field.name].text if rules else ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", "name"),
        ("Character Name", "name"),
        ("form1[0].Page1[0].CharacterName[0]", "name"),
        ("attributes.Grit", "attributes.Grit"),
        ("GRIT", "attributes.Grit"),
        ("txtGrit", "attributes.Grit"),
        ("attr_grit_score", "attributes.Grit"),
        ("Melee", "skills.Melee"),
        ("Skill Melee", "skills.Melee"),
        ("Law & Society", "skills.Law & Society"),
        ("Equipment", "gear"),
        ("Equipment 3", "gear.3"),
        ("gear_12", "gear.12"),
        ("Weapon 1", "arms.1.name"),
        ("Weapon1Damage", "arms.1.injury"),
        ("dmg1", "arms.1.injury"),
        ("Move", "figure.move"),
        ("class", "occupation"),
        ("Wpn Name", "arms.1.name"),
        ("Text42", ""),
        ("History", ""),
        ("arms.2.injury", "arms.2.injury"),
    ],
)
def test_a_field_is_known_by_its_name(gamers: System, name: str, value: str) -> None:
    assert meant(gamers, blank(name)) == (f"{{{value}}}" if value else "")


def test_what_a_reader_shows_helps_where_the_name_says_nothing(gamers: System) -> None:
    assert meant(gamers, blank("Text42", title="Profession")) == "{occupation}"


def test_a_pack_has_words_of_its_own_for_fields_and_rows(gamers: System) -> None:
    also = {"occupation": ("walk of life",)}
    fields = tuple(replace(spec, also=also.get(spec.name, ())) for spec in gamers.fields)
    rows = {"arms": FigureRows("arms", also=("thingamajig",), columns={"injury": ("ouch",)})}
    system = replace(gamers, fields=fields, rows=rows)
    assert meant(system, blank("Walk of Life")) == "{occupation}"
    assert meant(system, blank("Thingamajig 1")) == "{arms.1.name}"
    assert meant(system, blank("ouch1")) == "{arms.1.injury}"
    assert meant(gamers, blank("ouch1")) == ""


def test_a_story_goes_where_there_is_room_for_one(gamers: System) -> None:
    wide = Blank("Background", "", "area", (Spot(0, Box(0, 0, 300, 90)),))
    assert meant(gamers, wide) == "{hook}"
    assert meant(gamers, blank("Background")) == ""


def test_a_box_is_ticked_by_levels_alone(gamers: System) -> None:
    boxes = [blank("Melee", kind="tick"), blank("Name", kind="tick")]
    assert matched(boxes, value_names(gamers, PEOPLE), gamers) == {"Melee": FieldRule("{skills.Melee}", tick=True)}
