"""No value vanishes: what a sheet has no field for stands on a page of its own, and whoever prints it is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pikepdf
import pymupdf
import pypdf
import pytest

from sheetgen.documents.people.sheet import FieldPlaces, sheet_values
from sheetgen.model.character import Character
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.form_cache import field_names, places_of, sheet_html
from sheetgen.products.report import grouped_lines
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

PACKS = ("gamers", "agents", "fright", "heroic", "spacer", "waster", "tsgs", "sixshooter", "diecodes", "genesix")

CLUB = """
character:
  player: {is: text, title: Player, longest: 80}
  sign: {is: text, title: Sign, longest: 40}
"""
ADA = "system: club\nname: Ada\nplayer: Kim\nsign: the Heron\nhook: Owes Ines money.\n"


class Ran(Protocol):
    """How a run of the command line ended."""

    code: int
    out: str
    err: str


Sheetgen = Callable[..., Ran]


@pytest.fixture(name="club")
def skin_with_fields_of_its_own(tmp_path: Path) -> Path:
    """A skin of GAMERS that asks who plays, and somebody of it in `ada.yaml`."""
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "system.yaml").write_text("id: club\nextends: gamers\ntitle: Club\n")
    (tmp_path / "club" / "sheet.yaml").write_text(CLUB)
    (tmp_path / "ada.yaml").write_text(ADA)
    return tmp_path


def with_sheet(folder: Path, body: str) -> None:
    """Gives a pack a sheet of its own."""
    head = '{% extends "sheet/skeleton.html" %}{% import "sheet/blocks.html" as b with context %}'
    (folder / "templates").mkdir()
    (folder / "templates" / "sheet.html").write_text(f"{head}{{% block front %}}{body}{{% endblock %}}")


# What has a line on a sheet with a back, and stands in the notes of one without.
IN_NOTES = {"agents": ["cover_papers", "cover_contact"], "spacer": ["ship", "berth", "owed"]}


def pages(path: Path) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(path).pages]


def places(project: Project, pack: Pack, *, back: bool) -> FieldPlaces:
    return places_of(pack, field_names(sheet_html(project, pack, paper="a4", back=back)))


@pytest.mark.parametrize("name", PACKS)
def test_rolled_people_find_all_that_they_are_on_their_sheet(project: Project, name: str) -> None:
    """Whoever is rolled, as any archetype, with the back or without it."""
    pack = open_pack(project, name)
    system, figures = pack.system, engine_of(pack.system).figures
    shown = [places(project, pack, back=back) for back in (False, True)]
    for at, archetype in enumerate(("", *system.cast.archetypes)):
        for person in roll(pack, RollOptions(seed=at, count=2, archetype=archetype)):
            values = sheet_values(system, person, figures(system, person))
            assert [each.unplaced(person, values) for each in shown] == [(), ()], archetype
    front, whole = ([spec.name for spec, _ in each.missing()] for each in shown)
    assert (front, whole) == (IN_NOTES.get(name, []), [])


def test_a_skins_own_fields_stand_among_the_notes_behind_those_of_the_person(sheetgen: Sheetgen, club: Path) -> None:
    (club / "ada.yaml").write_text(f"{ADA}notes: Limps.\n")
    ran = sheetgen("sheet", "ada.yaml", "-o", "ada.pdf")
    assert (ran.code, ran.err) == (0, "")
    (front,) = pages(club / "ada.pdf")
    assert "Limps.\nPlayer: Kim\nSign: the Heron" in front


def test_what_finds_no_room_in_the_notes_goes_over_or_onto_a_page_of_its_own(sheetgen: Sheetgen, club: Path) -> None:
    """Notes that fill their box leave room on the back, if there is one, and else on a page under titles."""
    (club / "ada.yaml").write_text(f"{ADA}notes: {'Limps. ' * 400}\n")
    ran = sheetgen("sheet", "ada.yaml", "-o", "ada.pdf")
    assert "Notes continued on a page of its own" in ran.err
    front, more = pages(club / "ada.pdf")
    assert "» next page" in front
    assert "CONTINUED" in more
    assert "Player\nKim\nSign\nthe Heron" in more
    assert f"{front}{more}".count("Limps.") == 400
    assert sheetgen("sheet", "ada.yaml", "--back", "-o", "ada.pdf").code == 0
    _, back, more = pages(club / "ada.pdf")
    assert "Sign: the Heron" in back
    assert "the Heron" not in more


def test_a_field_with_a_place_on_the_back_stands_there(sheetgen: Sheetgen, club: Path) -> None:
    assert sheetgen("sheet", "ada.yaml", "--back", "-o", "ada.pdf").err == ""
    front, back = pages(club / "ada.pdf")
    assert ("Kim" in front, "Kim" in back, "the Heron" in front, "the Heron" in back) == (False, True, True, False)


def test_a_web_page_has_it_behind_the_sheet(sheetgen: Sheetgen, club: Path) -> None:
    ran = sheetgen("sheet", "ada.yaml", "-o", "ada.html")
    assert ran.err == "Ada: Player, Sign on a page of its own (no place on the sheet)\n"
    assert "the Heron" in (club / "ada.html").read_text(encoding="utf-8")


def test_a_form_has_a_field_for_it(sheetgen: Sheetgen, club: Path) -> None:
    ran = sheetgen("sheet", "ada.yaml", "--as", "form", "-o", "ada.pdf")
    assert ran.err == "Ada: Sign on a page of its own (no place on the sheet)\n"
    with pikepdf.open(club / "ada.pdf") as form:
        assert form.check_pdf_syntax() == []
        fields = {str(field.T): str(field.V) for field in form.Root.AcroForm.Fields if "/V" in field}
        told = [fields[name] for name in ("player", "continued.1.title", "continued.1")]
        assert told == ["Kim", "Sign", "the Heron"]
    with pymupdf.open(club / "ada.pdf") as document:
        assert "Sign\nthe Heron" in document[2].get_text()


def test_check_warns_of_fields_that_the_sheet_shows_nowhere(sheetgen: Sheetgen, club: Path) -> None:
    ran = sheetgen("check", "./club")
    assert ran.code == 0
    told = "the sheet has no place: what stands under sign goes into the notes or onto a page of its own"
    assert f"club/sheet.yaml:4:9: {told}" in ran.err
    assert "player" not in ran.err


def test_rows_that_are_too_few_and_fields_left_out_are_made_up_for(sheetgen: Sheetgen, club: Path) -> None:
    """A sheet of a stranger's with two rows for things, two attributes, and no place for much else."""
    rows = "{% for at in numbers[:2] %}{{ b.line('gear.' ~ at, 'Thing') }}{% endfor %}"
    with_sheet(club / "club", "{{ b.line('name', 'Name') }}{{ b.line('attributes.Grit', 'Grit') }}" + rows)
    text = (
        "attributes: {Grit: 7, Mind: 9}\nskills: {Melee: 2}\nspecialties: {Melee: sabres}\ngear: [rope, lamp, ale, tar]"
    )
    (club / "ada.yaml").write_text(f"system: club\nname: Ada\n{text}\nnotes: Limps.\n")
    ran = sheetgen("sheet", "ada.yaml", "-o", "ada.pdf")
    _, more = pages(club / "ada.pdf")
    for said in (
        "Attributes\nMind 9\n",
        "Skills\nMelee 2\n",
        "Specialties\nMelee: sabres\n",
        "Belongings\nAle · Tar\n",
        "Notes\nLimps.\n",
    ):
        assert said in more.replace("\u00a0", " ")
    assert "Grit" not in more
    assert "Attributes, Skills, Specialties, Belongings, Notes on a page of its own (no place on the sheet)" in ran.err


def test_titles_of_a_skin_stand_on_its_sheets_and_cards(sheetgen: Sheetgen, club: Path) -> None:
    titles = "  hook: {is: text, title: Trouble, longest: 400}\n  gear: {is: list, title: Kit, longest: 80}\n"
    (club / "club" / "sheet.yaml").write_text(CLUB + titles)
    assert sheetgen("sheet", "ada.yaml", "-o", "ada.pdf", "-o", "ada.html").code == 0
    front = pages(club / "ada.pdf")[0]
    assert ("TROUBLE" in front, "Kit" in front, "STORY" in front, "Belongings" in front) == (True, True, False, False)
    assert ">Trouble<" in (club / "ada.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("shape", ["card", "index"])
def test_a_skins_own_texts_stand_on_its_cards(sheetgen: Sheetgen, club: Path, shape: str) -> None:
    ran = sheetgen("sheet", "ada.yaml", "--as", shape, "-o", "ada.pdf")
    assert (ran.code, ran.err) == (0, "")
    (card,) = pages(club / "ada.pdf")
    for said in ("Player: Kim", "Sign: the Heron"):
        assert said in card.replace("\u00a0", " ")


def test_the_sheet_of_any_game_has_room_for_notes_on_traits(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("new", "mist").code == 0
    (sheet,) = tmp_path.rglob("mist/sheet.yaml")
    traits = (sheet.parent / "system.yaml").read_text(encoding="utf-8")
    group = re.search(r"^traits:\n(?:  #.*\n)*  (\w+):", traits, re.MULTILINE)
    assert group is not None
    field = f"  marks: {{is: text per trait, title: Marks, groups: [{group[1]}]}}\n"
    text = sheet.read_text(encoding="utf-8").replace("character:\n", f"character:\n{field}", 1)
    sheet.write_text(text)
    laid_out = sheetgen("check", str(sheet.parent))
    assert (laid_out.code, "no place" in laid_out.err) == (0, True)  # its layout does not name the field
    sheet.write_text(text.partition("layout:\n")[0])
    ran = sheetgen("check", str(sheet.parent))
    assert (ran.code, "no place" in ran.err) == (0, False)


def test_who_has_a_sign_that_cannot_be_printed_is_told_which_field_has_it(sheetgen: Sheetgen, club: Path) -> None:
    (club / "ada.yaml").write_text(ADA.replace("the Heron", "她"))
    ran = sheetgen("sheet", "ada.yaml", "-o", "ada.pdf")
    assert "Sign: no bundled font can print" in ran.err


def test_what_is_true_of_many_is_said_once() -> None:
    alike = [f"Ada {number}: Player on a page of its own (no place on the sheet)" for number in range(30)]
    assert list(grouped_lines([*alike, "Bo: Story continued on a page of its own"])) == [
        "30 people, Ada 0 first: Player on a page of its own (no place on the sheet)",
        "Bo: Story continued on a page of its own",
    ]
    assert grouped_lines(alike[:5]) == alike[:5]


def test_a_figure_that_has_no_room_for_all_of_a_field_does_not_stand_for_it(project: Project) -> None:
    """Die Codes prints skills as codes: a sheet that has a code for one skill only shows no more than that skill."""
    pack = open_pack(project, "diecodes")
    system = pack.system
    known = [trait.name for trait in system.group("skills").members]
    stats = {trait.name: 9 for trait in system.group("stats").members}
    person = Character("diecodes", {"stats": stats, "skills": {known[0]: 10, known[1]: 12}})
    values = sheet_values(system, person, engine_of(system).figures(system, person))
    both = [*(f"stats.{name}" for name in stats), f"figure.code.{known[0]}", f"figure.code.{known[1]}"]
    codes = [*both, *(name for name in values if name.startswith("figure.code."))]
    assert places_of(pack, codes).unplaced(person, values) == ()
    ((title, _),) = places_of(pack, both[:-1]).unplaced(person, values)
    assert title == "Skills"


@pytest.mark.parametrize("name", PACKS)
@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
def test_what_people_want_and_say_has_a_row_of_its_own(
    sheetgen: Sheetgen, tmp_path: Path, name: str, paper: str
) -> None:
    assert sheetgen("npc", name, "-n", "2", "--seed", "41", "--as", "sheet", "--paper", paper, "-o", "a.pdf").code == 0
    front, *further = pages(tmp_path / "a.pdf")
    assert len(further) == (7 if paper == "a5" else 1)
    assert "WANTS" in front
    assert "SAYS" in front
    assert "Wants from you:" not in front


def test_a_want_that_is_too_long_for_its_row_stands_whole_in_the_notes(sheetgen: Sheetgen, tmp_path: Path) -> None:
    want = f"Carry the {'heavy ' * 60}box."
    (tmp_path / "ada.yaml").write_text(f"system: gamers\nname: Ada\nwant: {want}\n")
    assert sheetgen("sheet", "ada.yaml", "-o", "ada.pdf").code == 0
    (front,) = pages(tmp_path / "ada.pdf")
    assert "» notes" in front
    assert want in " ".join(front.partition("Wants from you:")[2].split())


def test_nobody_who_wants_nothing_has_a_row_for_it(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "ada.yaml").write_text("system: gamers\nname: Ada\nhook: Owes Ines money.\n")
    assert sheetgen("sheet", "ada.yaml", "-o", "ada.pdf").code == 0
    assert "WANTS" not in pages(tmp_path / "ada.pdf")[0]
    skin = "name: Ada\nhook: Owes Ines money.\nwant: A boat.\n"
    (tmp_path / "club").mkdir(exist_ok=True)
    (tmp_path / "club" / "system.yaml").write_text("id: club\nextends: gamers\ntitle: Club\n")
    (tmp_path / "bo.yaml").write_text(f"system: club\n{skin}")
    assert sheetgen("sheet", "bo.yaml", "-o", "bo.pdf").code == 0
    assert "A boat." in pages(tmp_path / "bo.pdf")[0]


def test_a_web_page_has_the_row_too(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "ada.yaml").write_text("system: gamers\nname: Ada\nwant: A boat.\nvoice: Row.\n")
    assert sheetgen("sheet", "ada.yaml", "-o", "ada.html").code == 0
    page = (tmp_path / "ada.html").read_text()
    assert page.count("A boat.") == 1
    assert page.count("“Row.”") == 1
