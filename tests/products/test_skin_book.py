"""The book of a game that varies another: that of the other, without what does not fit, and with what is its own."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from sheetgen.documents.book.book import BookBuilder
from sheetgen.errors import InputError
from sheetgen.model.procedures import as_data
from sheetgen.products.book_people import kept_characters
from sheetgen.products.chapters import LEAST_WIDTH, Rulebook, canvas_of, open_book, perform, prose_of
from sheetgen.products.session.screen import open_screen
from sheetgen.table.examples import played
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at

BookOf = Callable[[str], tuple[Pack, Rulebook]]
SKINS = ("agents", "fright", "heroic", "spacer", "waster")
CHAPTER = """title: The dome
opening: Where the air is made.
rules:
  the-lock:
    title: The lock
    text: It has two doors, and opens one.
"""


@pytest.fixture(name="dome")
def dome_folder(project: Project) -> Path:
    """A game like SPACER with a book of one chapter of its own."""
    folder = project.where / "dome"
    copytree(
        project.library.packs["spacer"], folder, ignore=ignore_patterns("rules", "handouts", "hero.yaml", "cast.yaml")
    )
    system = folder / "system.yaml"
    system.write_text(system.read_text().replace("id: spacer", "id: dome"))
    (folder / "rules").mkdir()
    (folder / "rules" / "14-the-dome.yaml").write_text(CHAPTER)
    return folder


def chapters(project: Project) -> list[str]:
    return [chapter.id for chapter in open_book(project, open_pack(project, "./dome")).book.chapters]


@pytest.mark.parametrize("skin", SKINS)
def test_a_game_of_another_time_has_no_harbour_under_airships(book_of: BookOf, skin: str) -> None:
    _, rulebook = book_of(skin)
    names = [chapter.id for chapter in rulebook.book.chapters]
    assert "people-and-tables" in names
    assert not {"port-ambry", "one-sack-too-many"} & set(names)
    assert not {"notice-of-forfeit", "seven-bills", "from-cold-ash"} & set(rulebook.book.handouts)


@pytest.mark.parametrize("skin", ["agents", "waster"])
def test_its_examples_are_of_its_own_people(book_of: BookOf, skin: str) -> None:
    """A mail airship once flew through a book of the ruins, with the crew of another game."""
    _, rulebook = book_of(skin)
    told = " ".join(prose.text for prose in prose_of(rulebook.book))
    assert re.findall(r"\b(?:Vanja|Ishaan|Bex|Jo Tamm|Patience|Port Ambry)\b", told) == []


@pytest.mark.parametrize("skin", SKINS)
def test_its_screen_has_the_moments_of_the_game_that_it_varies(project: Project, book_of: BookOf, skin: str) -> None:
    """Chapters of its own once cost a skin the order of its screen, and every rule found no room on three panels."""
    titles = [[moment.title for moment in open_screen(project, *book_of(name)).moments] for name in (skin, "gamers")]
    assert titles[0] == titles[1]


def test_what_leads_to_a_chapter_left_out_says_where_it_stands(project: Project, dome: Path) -> None:
    book = open_book(project, open_pack(project, "./dome")).book
    assert book.elsewhere["port-ambry"].endswith("(in the book of GAMERS)")
    assert any("{chapter port-ambry}" in prose.text for prose in prose_of(book))


def test_chapters_of_its_own_join_the_others_in_their_order(project: Project, dome: Path) -> None:
    names = chapters(project)
    assert names[names.index("people-and-tables") + 1] == "the-dome"


def test_a_rule_of_its_own_stands_in_place_of_a_shared_one(project: Project, dome: Path) -> None:
    file = dome / "rules" / "14-the-dome.yaml"
    file.write_text(f"{CHAPTER}instead:\n  the-crew:\n    title: Who lives here\n    text: Eleven people.\n")
    book = open_book(project, open_pack(project, "./dome")).book
    assert "the-crew" in [rule.id for rule in book.chapters[0].rules]
    assert book.rules["the-crew"].title == "Who lives here"


def test_an_example_is_told_anew_and_its_rule_stays(project: Project, dome: Path) -> None:
    """A skin that wanted another story had to copy the rule with its odds and cards, and missed its mends."""
    file = dome / "rules" / "14-the-dome.yaml"
    file.write_text(f"{CHAPTER}retold:\n  resisted: [{{case: gamers-b01, told: Eleven people look for a spanner.}}]\n")
    rule, shared = (
        open_book(project, open_pack(project, name)).book.rules["resisted"] for name in ("./dome", "gamers")
    )
    assert [scene.case for scene in rule.scenes] == ["gamers-b01"]
    assert (rule.text, rule.charts, rule.cards) == (shared.text, shared.charts, shared.cards)
    scenes = open_book(project, open_pack(project, "gamers")).book.rules["resisted"].scenes
    first = scenes[0].case
    file.write_text(f"{CHAPTER}retold:\n  {first}: [{{case: gamers-b01, told: Eleven people look for a spanner.}}]\n")
    told = open_book(project, open_pack(project, "./dome")).book.rules["resisted"].scenes
    assert [scene.case for scene in told] == ["gamers-b01", *(scene.case for scene in scenes[1:])]

    file.write_text(f"{CHAPTER}retold:\n  resist: [{{case: gamers-b01, told: Nobody looks.}}]\n")
    with pytest.raises(InputError, match=r'retold: no rule, and no example, "resist" \(did you mean "resisted"\?\)'):
        chapters(project)


def test_a_shared_chapter_opens_and_ends_as_the_game_says(project: Project, dome: Path) -> None:
    """A skin could replace every rule of a chapter, and not the joke over it, which was about airships."""
    file = dome / "rules" / "14-the-dome.yaml"
    new = "{opening: Nobody goes out., summary: [Shut the lock.]}"
    file.write_text(f"{CHAPTER}reopened:\n  conflicts: {new}\nglossary:\n  round: A lap.\n  Posture:\n")
    book, shared = (open_book(project, open_pack(project, name)).book for name in ("./dome", "gamers"))
    ours, theirs = (next(each for each in b.chapters if each.id == "conflicts") for b in (book, shared))
    assert (ours.opening.text, [line.text for line in ours.summary]) == ("Nobody goes out.", ["Shut the lock."])
    assert (ours.title, ours.icon, len(ours.rules)) == (theirs.title, theirs.icon, len(theirs.rules))
    assert book.glossary["round"].text == "A lap."
    assert set(shared.glossary) - set(book.glossary) == {"Posture"}

    file.write_text(f"{CHAPTER}reopened:\n  conflict: {new}\n")
    with pytest.raises(InputError, match=r'reopened: no chapter "conflict" \(did you mean "conflicts"\?\)'):
        chapters(project)


def test_a_rule_that_is_not_there_has_no_place_to_stand_in(project: Project, dome: Path) -> None:
    file = dome / "rules" / "14-the-dome.yaml"
    file.write_text(f"{CHAPTER}instead:\n  the-crow:\n    title: Who lives here\n    text: Eleven people.\n")
    with pytest.raises(InputError, match=r'instead: no rule "the-crow" \(did you mean "the-crew"\?\)'):
        chapters(project)


def test_a_rule_in_place_of_another_may_be_one_that_a_table_leaves_out(project: Project, dome: Path) -> None:
    """A table that had left it out once had no book at all."""
    new = "{title: Help, text: Everybody helps., covers: [GAM-H4]}"
    (dome / "rules" / "14-the-dome.yaml").write_text(f"{CHAPTER}instead:\n  too-much-help: {new}\n")
    copytree(dome, project.where / "content" / "dome")
    with (project.where / "sheetgen.toml").open("a") as house:
        house.write('[house.dome]\nGAM-H4 = "off"\n')
    again = project_at(project.where, os.environ)
    book = open_book(again, open_pack(again, "dome")).book
    assert "too-much-help" not in book.rules
    assert book.elsewhere["too-much-help"] == "Help (which this table does not use)"


def test_people_of_its_own_stand_beside_those_of_the_other(project: Project, dome: Path) -> None:
    """A skin could change a rule, and not who was in its example: a horror story had the crew of an airship."""
    (dome / "crew.yaml").write_text("system: dome\ncharacters: [{name: Ada, attributes: {Power: 9}}]\n")
    pack = open_pack(project, "./dome")
    ((ada,), (jo, *_)) = (kept_characters(project, pack, name) for name in ("crew.yaml", "cast.yaml"))
    assert (ada.system, jo.system) == ("dome", "gamers")
    (dome / "rules" / "14-the-dome.yaml").write_text(f"{CHAPTER}cast: crew.yaml\n")
    assert open_book(project, open_pack(project, "./dome")).book.cast[-1] == "crew.yaml"


def test_a_book_may_go_without_the_reasons(project: Project, dome: Path) -> None:
    def built() -> dict[str, Any]:
        pack = open_pack(project, "./dome")
        rulebook = open_book(project, pack)
        canvas = canvas_of(pack, LEAST_WIDTH)
        return dict(BookBuilder(pack.system, rulebook.book, perform(pack, rulebook, canvas), canvas).data())

    system = dome / "system.yaml"
    without = built()
    system.write_text(system.read_text().replace("reasons: no ", "reasons: yes "))
    said = built()
    assert (without["settled"], "†" in str(without["chapters"])) == ([], False)
    assert said["settled"]
    assert "†" in str(said["chapters"])


@pytest.mark.parametrize(("skin", "code"), [("gamers", "79B2C5"), ("fright", "2CB795"), ("waster", "79B52C")])
def test_a_code_has_its_digits_in_the_order_of_the_title(book_of: BookOf, skin: str, code: str) -> None:
    pack, rulebook = book_of(skin)
    outcome = played(pack.system, rulebook.cases["gamers-ex-052"]).outcome
    assert as_data(outcome)["code"] == code
    assert as_data(outcome)["attributes"]["Reflexes"] == 12


def test_lists_of_all_attributes_stand_in_the_order_of_the_sheet(book_of: BookOf) -> None:
    _, rulebook = book_of("fright")
    rule, hero = rulebook.book.rules["attributes"], rulebook.book.rules["somebody"].hero
    order = ["Endurance", "Reflexes", "Mind", "Grit", "Awareness", "Strength"]
    assert re.findall(r"^- \*\*\{(\w+)\}", rule.text.text, re.MULTILINE) == order
    assert rule.card is not None
    assert rule.card.text is not None
    assert re.findall(r"^\| \{(\w+)\}", rule.card.text.text, re.MULTILINE) == order
    assert hero is not None
    assert [line.split("{")[-1].split("}")[0] for line in hero.made["Attributes rolled"]] == order


@pytest.mark.parametrize(
    ("skin", "there", "gone"),
    [
        ("gamers", ("laser rifle", "two-handed sword", "revolver"), ()),
        ("fright", ("revolver", "club"), ("laser rifle", "two-handed sword")),
        ("spacer", ("laser rifle", "stun prod"), ("musket", "cutlass")),
    ],
)
def test_arms_are_those_of_the_age_of_the_game(
    book_of: BookOf, skin: str, there: tuple[str, ...], gone: tuple[str, ...]
) -> None:
    _, rulebook = book_of(skin)
    text = rulebook.book.rules["some-weapons"].text.text
    assert [name for name in (*there, *gone) if f"| {name} |" in text] == list(there)


def weapons(project: Project, dome: Path, rows: str) -> str:
    """What the book of a game of Tech 9 has of a table of its own with a column for that."""
    lines = "".join(f"      {row}\n" for row in ("| Thing | {Tech} |", "|---|---|", *rows.splitlines()))
    (dome / "rules" / "14-the-dome.yaml").write_text(CHAPTER.replace("text: It", f"text: |\n{lines}\n      It"))
    return open_book(project, open_pack(project, "./dome")).book.rules["the-lock"].text.text


def test_a_row_that_says_nothing_of_the_age_stays(project: Project, dome: Path) -> None:
    """It took the whole pack down, without a place."""
    assert "| Rope |\n| Lamp | |\n" in weapons(project, dome, "| Rope |\n| Lamp | |\n| Axe | 1–2 |")


@pytest.mark.parametrize("span", ["1–2", "1-2", "1 – 2", "{1}–{2}", "2"])
def test_spans_of_levels_are_read_however_they_are_written(project: Project, dome: Path, span: str) -> None:
    text = weapons(project, dome, f"| {{7|Word}} ropes | {span} |\n| {{7|word}} lamps | 8-C |")
    assert ("ropes" in text, "lamps" in text) == (False, True)


def test_a_mistake_below_rows_that_went_is_told_at_its_own_line(project: Project, dome: Path) -> None:
    with pytest.raises(InputError) as caught:
        weapons(project, dome, "| Axe | 1–2 |\n| Bow | 1–2 |\n| {rule nowhere} | any |")
    (problem,) = caught.value.problems
    (line,) = (
        at
        for at, text in enumerate((dome / "rules" / "14-the-dome.yaml").read_text().splitlines(), 1)
        if "nowhere" in text
    )
    assert problem.place.line == line


@pytest.mark.parametrize("parent", SKINS)
def test_a_variant_of_a_variant_has_the_book_of_both(
    project: Project, book_of: BookOf, sheetgen: Callable[..., Any], parent: str
) -> None:
    """It joined the chapters of two games and no more, so that it had none of the first."""
    assert sheetgen("new", "mine", "--from", parent).code == 0
    pack = open_pack(project, "./content/mine")
    names = [[rule.id for rule in each.book.rules.values()] for each in (open_book(project, pack), book_of(parent)[1])]
    assert names[0] == names[1]
    (pack.folder / "rules").mkdir()
    (pack.folder / "rules" / "14-mine.yaml").write_text(
        f"{CHAPTER}instead:\n  some-weapons: {{title: My weapons, text: None.}}\n"
    )
    book = open_book(project, open_pack(project, "./content/mine")).book
    assert "the-lock" in book.rules
    assert book.rules["some-weapons"].title == "My weapons"
    assert book.elsewhere["port-ambry"].endswith("(in the book of GAMERS)")
    titles = [
        [moment.title for moment in open_screen(project, *both).moments]
        for both in ((pack, open_book(project, pack)), book_of("gamers"))
    ]
    assert titles[0] == titles[1]


def test_without_the_line_its_own_chapters_are_the_whole_book(project: Project, dome: Path) -> None:
    system = dome / "system.yaml"
    lines = [line for line in system.read_text().splitlines() if not line.startswith("leaves_out")]
    system.write_text("\n".join(lines))
    assert chapters(project) == ["the-dome"]


def test_worked_examples_of_its_own_stand_beside_those_of_the_other(project: Project, dome: Path) -> None:
    """With a file of its own, a skin once had none of the cases that the chapters of GAMERS tell."""
    case = "{id: DOME-X1, given: {do: bare, level: 7}, dice: [3, 4], expect: {success: true}}"
    (dome / "examples.yaml").write_text(f"- {case}\n")
    cases = open_book(project, open_pack(project, "./dome")).cases
    assert {"DOME-X1", "gamers-b01"} <= cases.keys()


def test_a_chapter_that_is_not_there_cannot_be_left_out(project: Project, dome: Path) -> None:
    system = dome / "system.yaml"
    system.write_text(system.read_text().replace("one-sack-too-many", "one-sock-too-many"))
    with pytest.raises(InputError) as caught:
        chapters(project)
    (problem,) = caught.value.problems
    assert str(problem.place).startswith("dome/system.yaml:")
    assert 'no chapter "one-sock-too-many" to leave out (did you mean "one-sack-too-many"?)' in problem.message
