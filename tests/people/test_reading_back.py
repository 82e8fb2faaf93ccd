"""What a sheet shows of somebody, read back: the same person, in every game, and one line for what is odd."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sheetgen.documents.people.form_fields import answers
from sheetgen.documents.people.sheet import sheet_values
from sheetgen.geometry import Box
from sheetgen.model.acroform import YES, Blank, FieldRule, Spot, is_yes
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.reading_back import SheetReading, read_back, rolled_as_said
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.form_cache import sheet_form
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project


def fields_of(project: Project, pack: Pack) -> dict[str, bool]:
    """The fields of the sheet with its back, and whether each is a box to tick."""
    return {each.name: each.kind == "tick" for each in sheet_form(project, pack, paper="a4", back=True).fields}


def shown(system: System, character: Character, fields: Mapping[str, bool]) -> dict[str, str]:
    """What stands in these fields of a sheet of somebody."""
    values = sheet_values(system, character, engine_of(system).figures(system, character))
    return {
        name: (YES if is_yes(values.get(name, "")) else "") if tick else values.get(name, "")
        for name, tick in fields.items()
    }


def read(system: System, said: Mapping[str, str], onto: Character | None = None) -> SheetReading:
    return read_back(system, said, {name: name for name in said}, onto=onto)


def told(reading: SheetReading) -> list[str]:
    return [str(each) for each in reading.unread]


def alike(one: object, other: object) -> bool:
    """Whether two values are the same but for capitals, with which a sheet begins its texts."""
    return str(one).casefold() == str(other).casefold()


@pytest.mark.parametrize("name", ["gamers", "waster", "tsgs", "sixshooter", "diecodes", "genesix"])
def test_a_sheet_read_back_is_the_same_person(project: Project, name: str) -> None:
    pack = open_pack(project, name)
    system, fields = pack.system, fields_of(project, pack)
    for character in roll(pack, RollOptions(seed=5, count=3)):
        said = shown(system, character, fields)
        assert read(system, said).character == character
        reading = read(system, said | {"seed": ""})
        assert told(reading) == []
        for spec in system.fields:
            before, after = character.values.get(spec.name), reading.character.values.get(spec.name)
            if spec.name == "setting":  # where it is the first of the pack a sheet need not say it
                continue
            if isinstance(before, Mapping) and isinstance(after, Mapping):
                before, after = dict(sorted(before.items())), dict(sorted(after.items()))
            assert alike(before or "", after or ""), spec.name


def test_only_what_changed_on_a_sheet_changes(project: Project) -> None:
    pack = open_pack(project, "gamers")
    (ada,) = roll(pack, RollOptions(seed=5, count=1))
    said = shown(pack.system, ada, fields_of(project, pack)) | {"attributes.Grit": "9", "notes": "Owes Moe a boat."}
    reading = read(pack.system, said, onto=ada)
    changed = {name for name, value in reading.character.values.items() if ada.values.get(name) != value}
    assert changed == {"attributes", "notes"}
    assert reading.character.numbers("attributes") == {**ada.numbers("attributes"), "Grit": 9}
    assert "want" not in reading.character.values  # it stood among the notes, and was struck out there


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ({"attributes.Grit": "Z"}, '"attributes.Grit": Grit is "Z" (write 0 to F, which is 0 to 15)'),
        ({"skills.Fire": "22"}, '"skills.Fire": Fire is 22 (write 0 to F, which is 0 to 15)'),
        ({"gear": "rope, lamp, oil"}, '"gear": was read as 3 things, separated by commas or semicolons'),
        ({"figure.load": "a lot"}, '"figure.load": '),
        ({"people": "Moe, who owes me"}, '"people": "Moe, who owes me" is no name with its level'),
        ({"pencil.now.Grit.1": "5"}, '"pencil.now.Grit.1": "5": a character of this game has no such value'),
        ({"note.Fire": "torches"}, "Fire is below 1, so it cannot hold an entry under specialties"),
    ],
    ids=lambda value: "" if isinstance(value, str) else next(iter(value)),
)
def test_what_is_odd_is_told_with_its_field(gamers: System, said: dict[str, str], line: str) -> None:
    assert [line in each for each in told(read(gamers, {"name": "Ada", **said}))] == [True]


def test_a_weapon_in_its_row_is_carried(gamers: System) -> None:
    reading = read(gamers, {"name": "Ada", "skills.Melee": "2", "arms.1.name": "Rapier"})
    assert reading.character.lines("gear") == ("Rapier",)


@pytest.mark.parametrize("text", ["rope\nlamp\noil", "Rope · Lamp · Oil", "rope; lamp; oil"])
def test_things_are_parted_as_people_part_them(gamers: System, text: str) -> None:
    assert [each.casefold() for each in read(gamers, {"gear": text}).character.lines("gear")] == ["rope", "lamp", "oil"]


@pytest.mark.parametrize(
    ("about", "pronouns", "age"),
    [("she, thirty", "she", "thirty"), ("they/them", "they/them", ""), ("old, very old", "", "old, very old")],
)
def test_pronouns_and_age_share_a_field(gamers: System, about: str, pronouns: str, age: str) -> None:
    found = read(gamers, {"about": about}).character
    assert (found.text("pronouns"), found.text("age")) == (pronouns, age)


def test_the_foot_of_a_sheet_says_whom_to_roll(project: Project) -> None:
    pack = open_pack(project, "gamers")
    (spy,) = roll(pack, RollOptions(seed=7, first=57, count=1, archetype="spy", options={"tech": "9"}))
    assert rolled_as_said(pack.system, "spy, tech 9 · seed 7 · no. 57 · edited since") == spy
    assert rolled_as_said(pack.system, "spy … · seed 7 · no. 57") is None
    assert rolled_as_said(pack.system, "wizard · seed 7 · no. 57") is None


def test_a_foot_that_says_somebody_else_counts_for_nothing(project: Project) -> None:
    pack = open_pack(project, "gamers")
    (ada,) = roll(pack, RollOptions(seed=5, count=1))
    said = shown(pack.system, ada, fields_of(project, pack))
    other = read(pack.system, said | {"seed": "seed 6 · no. 9"})
    assert other.character.origin is None
    assert '"seed": "seed 6 · no. 9": a character of this game has no such value' in told(other)
    assert other.character.numbers("skills") == ada.numbers("skills")


def field(name: str, value: str, kind: str = "line") -> Blank:
    return Blank(name, "", kind, (Spot(0, Box(0, 0, 50, 10)),), value=value)  # type: ignore[arg-type]


def test_boxes_for_a_level_count_up_to_the_last_ticked_one() -> None:
    blanks = [field(f"Stealth {at}", "On" if at < 3 else "Off", "tick") for at in (1, 2, 3)]
    rules = {f"Stealth {at}": FieldRule("{skills.Stealth}", tick=True, least=at) for at in (1, 2, 3)}
    assert answers(blanks, rules).said["skills.Stealth"] == "2"


def test_a_text_of_several_values_is_taken_apart_where_that_can_be_done() -> None:
    blanks = [field("Who", "Ada, a spy"), field("Both", "Ada Finch")]
    rules = {"Who": FieldRule("{name}, a {occupation}"), "Both": FieldRule("{name}{occupation}")}
    found = answers(blanks, rules)
    assert found.said == {"name": "Ada", "occupation": "spy"}
    assert list(map(str, found.unread)) == ['"Both": "Ada Finch" cannot be taken apart into name and occupation']


def test_two_fields_that_disagree_are_told() -> None:
    found = answers([field("A", "Ada"), field("B", "Eve")], dict.fromkeys("AB", FieldRule("{name}")))
    assert found.said["name"] == "Ada"
    assert [each.why for each in found.unread] == ['says "Eve", and "A" says "Ada": the latter was taken']


@pytest.mark.parametrize(
    ("written", "card"),
    [("King of spades", "KS"), ("KS", "KS"), ("k♠", "KS"), ("10 of Hearts", "10H"), ("10♥", "10H"), ("Joker", "JOKER")],
)
def test_a_card_of_the_hand_is_read_however_it_is_written(project: Project, written: str, card: str) -> None:
    system = open_pack(project, "sixshooter").system
    said = {"name": "Kit", "figure.card.1": written, "figure.up.1": YES, "figure.card.2": "4D", "figure.gone.3": YES}
    said |= {f"figure.card.{place}": "" for place in range(3, 7)}
    reading = read_back(system, said, {})
    assert reading.character.lines("hand") == (f"{card} up", "4D down", "gone", "gone", "gone", "gone")
    assert (reading.broken, reading.unread) == ((), ())


def test_a_card_that_there_is_not_is_told_by_its_place_and_a_hand_not_dealt_is_none(project: Project) -> None:
    system = open_pack(project, "sixshooter").system
    empty = {"name": "Kit", **{f"figure.card.{place}": "" for place in range(1, 7)}}
    assert "hand" not in read_back(system, empty, {}).character.values
    odd = read_back(system, {**empty, "figure.card.1": "KS", "figure.card.4": "Kong of spades"}, {})
    assert [(each.field, each.said) for each in odd.unread] == [("figure.card.4", "Kong of spades")]
    assert odd.character.lines("hand")[0] == "KS down"
