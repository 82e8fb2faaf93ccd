"""The text of a sheet's fields, and that rolled people fit on one page with every letter."""

from __future__ import annotations

import io

import pytest

from sheetgen.documents.people.sheet import sheet_values, unknown_fields
from sheetgen.model.cast import Phrase
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.model.wording import quoted_speech
from sheetgen.pdf.form.stamp import Row, Stamp
from sheetgen.pdf.form.text_fitting import fit
from sheetgen.products.form_cache import continuation_form, sheet_form
from sheetgen.rules.registry import engine_of
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("By water.", "“By water.”"),
        ("“By water.”", "“By water.”"),
        ("He said “no”", "“He said “no””"),
        ("“Quoted” is the word", "““Quoted” is the word”"),
        ("“He said “no” twice”", "“He said “no” twice”"),
    ],
)
def test_what_somebody_says_has_one_pair_of_quotes_around_it(said: str, printed: str) -> None:
    """Those within it were eaten as well where one stood at an end."""
    assert quoted_speech(said) == printed


def test_fields_are_named_after_what_they_hold(gamers: System) -> None:
    ada = Character(
        "gamers",
        {
            "name": "Ada",
            "occupation": "harbour pilot",
            "attributes": {"Grit": 10},
            "features": {"People": 7, "Status": 4, "Wealth": 7},
            "skills": {"Fire": 2},
            "specialties": {"Fire": "crossbow", "Wealth": "Debt"},
            "familiarities": {"Fire": ("sling", "musket")},
            "people": {"Ines, sister": 4, "Old Bram": 3},
            "gear": ("brass quadrant", "musket"),
        },
    )
    values = sheet_values(
        gamers, ada, {"move": "7 paces", "word.Status": "pushed about for life", "word.Wealth": "poor"}
    )
    assert values["name"] == "Ada"
    assert values["occupation"] == "Harbour pilot"
    assert values["attributes.Grit"] == "A"
    assert values["note.Fire"] == "crossbow"
    assert values["note.People"] == "4\u00a0+\u00a03"
    assert values["note.Status"] == "pushed about for life"
    assert values["note.Wealth"] == "Debt\u00a0· poor"
    assert values["people"] == "4\u00a0· Ines, sister\n3\u00a0· Old Bram"
    assert (values["people.2.name"], values["people.2.level"]) == ("Old Bram", "3")
    assert values["gear"] == "Brass quadrant\u00a0· Musket"
    assert values["familiarities"] == "Fire: sling, musket"
    assert values["figure.move"] == "7 paces"


def test_a_template_field_that_nothing_fills_is_found(gamers: System) -> None:
    names = ("name", "attributes.Grit", "attributes.Grti", "note.Fire", "figure.move", "hpp", "pencil.x", "gear.3")
    assert unknown_fields(names, gamers) == ("attributes.Grti", "hpp")


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("archetype", ["", "guard", "thief", "scholar"])
def test_rolled_people_need_one_page(project: Project, paper: str, archetype: str) -> None:
    pack = open_pack(project, "gamers")
    stamp = Stamp(
        sheet_form(project, pack, paper=paper),
        io.BytesIO().write,
        title="",
        author="",
        more=continuation_form(project, pack, paper=paper),
    )
    figures = engine_of(pack.system).figures
    for tech in "468A":
        roller = Roller(pack.system, plan_of(pack.system, archetype=archetype, options={"tech": tech}), seed=7)
        for person in roller.roll_all(range(1, 101)):
            placed = stamp.add(
                Row(person.text("name"), sheet_values(pack.system, person, figures(pack.system, person)))
            )
            assert placed.continued == (), person.text("name")


@pytest.mark.parametrize(
    ("name", "casts"),
    [
        ("gamers", [("", "4"), ("soldier", "A"), ("farmer", "8"), ("scholar", "6"), ("spy", "1")]),
        ("heroic", [("merchant", "5")]),
        ("spacer", [("", "A"), ("sailor", "C")]),
    ],
)
def test_two_thousand_rolled_people_need_one_page_each_on_letter(
    project: Project, name: str, casts: list[tuple[str, str]]
) -> None:
    """Skins have longer names and other ages; what is rolled in long lists keeps to the room all the same."""
    pack = open_pack(project, name)
    more, figures = continuation_form(project, pack, paper="letter"), engine_of(pack.system).figures
    stamp = Stamp(sheet_form(project, pack, paper="letter"), io.BytesIO().write, title="", author="", more=more)
    for archetype, tech in casts:
        roller = Roller(pack.system, plan_of(pack.system, archetype=archetype, options={"tech": tech}), seed=5)
        for index in range(1, 251):
            person = roller.roll(index)
            values = sheet_values(pack.system, person, figures(pack.system, person))
            assert stamp.add(Row(person.text("name"), values)).continued == (), (archetype, tech, index)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_longest_list_of_familiar_things_that_is_rolled_has_room(project: Project, paper: str) -> None:
    """As many letters as the step of creation allows, and a tongue more than anybody is rolled with."""
    pack = open_pack(project, "gamers")
    form = sheet_form(project, pack, paper=paper)
    fields = {field.name: field for field in form.fields}
    faces = {face.name: face for face in form.faces}
    room = int(str(pack.system.creation.steps["familiarities"].params["room"]))  # type: ignore[index]
    tongues = sorted(pack.system.cast.languages, key=len)[-4:]
    for name, text in (
        ("familiarities", ("Law & Society: wax tablets, scales, " * 30)[:room]),
        ("figure.languages", " · ".join(f"{tongue} 3" for tongue in tongues)),
    ):
        field = fields[name]
        measure = faces[field.face].width
        fitted = fit(
            text,
            width=field.box.width,
            height=field.box.height,
            measure=measure,
            size=field.size,
            floor=field.floor,
            leading=field.leading,
            lines="many",
        )
        assert fitted.rest == "", name


def test_every_specialty_and_manner_fits_its_line(project: Project) -> None:
    pack = open_pack(project, "gamers")
    form = sheet_form(project, pack, paper="letter")
    fields = {field.name: field for field in form.fields}
    faces = {face.name: face for face in form.faces}
    cast = pack.system.cast
    said = [(f"note.{role}", phrase) for role, phrases in cast.specialties.items() for phrase in phrases]
    said += [("manner", phrase) for phrase in cast.manners]
    said += [("occupation", Phrase(name)) for name in cast.occupations]
    said += [("hook", Phrase(phrase.say.replace("{friend}", "Bartholomew"))) for phrase in cast.hooks]
    for name, phrase in said:
        field = fields[name]
        lines = 1.8 if field.kind == "area" else 1
        assert faces[field.face].width(phrase.say, field.floor) <= field.box.width * lines, (name, phrase.say)
