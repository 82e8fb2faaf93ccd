"""Sheets that a pack lays out in YAML alone: on every paper, empty, to fill in, and filled."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import pymupdf
import pypdf
import pytest
import yaml

from sheetgen.content.packs.sheet_layout import CONTENTS, SHOWING
from sheetgen.documents.people.sheet import sheet_values
from sheetgen.geometry import PAPERS, mm
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.sheet_pages import AGAIN, EDGE, FOOT, LEGAL_LINE, SIGNED, SMALL_EDGE, laid_out_pages
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

ROOT = Path(__file__).resolve().parents[2]
LAYOUTS = ROOT / "tests" / "layouts"
PACKS = ("crew", "delve", "static")


class Ran(Protocol):
    """How a run of the command line ended."""

    code: int
    out: str
    err: str


Sheetgen = Callable[..., Ran]


@pytest.fixture(name="packs")
def copies_of_the_packs(tmp_path: Path) -> Path:
    """The packs with layouts, in the folder where the command line runs."""
    shutil.copytree(LAYOUTS, tmp_path, dirs_exist_ok=True)
    return tmp_path


def grown(rectangle: pymupdf.Rect, across: float, along: float) -> pymupdf.Rect:
    """The rectangle with its edges moved outwards by so many points."""
    return pymupdf.Rect(rectangle.x0 - across, rectangle.y0 - along, rectangle.x1 + across, rectangle.y1 + along)


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
@pytest.mark.parametrize("name", PACKS)
def test_rows_fill_their_pages_and_no_more(project: Project, name: str, paper: str) -> None:
    """A large sheet has one page in front and one behind; on every page the rows end where the foot begins."""
    small = paper == "a5"
    size = PAPERS[paper]
    inside = size.height - 2 * (SMALL_EDGE if small else EDGE) - FOOT
    pages = laid_out_pages(project, open_pack(project, str(LAYOUTS / name)), size, small=small)["layout"]
    for side in ("front",) if small else ("front", "back"):
        found = pages[side]
        assert small or len(found) == 1, side
        for number, page in enumerate(found):
            room = inside - (SIGNED if side == "front" and not number else AGAIN)
            room -= LEGAL_LINE if side == "back" or small else 0
            used = sum(row["h"] + row["gap"] for row in page) - page[-1]["gap"]
            assert room * (0.5 if small else 0.9) < used < room + 0.1, (side, number)


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_with_a_layout_is_in_order(sheetgen: Sheetgen, packs: Path, name: str) -> None:
    ran = sheetgen("check", f"./{name}")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
def test_words_stay_apart_from_each_other_and_from_the_edge(
    sheetgen: Sheetgen, packs: Path, tmp_path: Path, paper: str
) -> None:
    for name in PACKS:
        assert sheetgen("blank", f"./{name}", "--paper", paper, "-o", "x.pdf").code == 0
        for page in pymupdf.open(tmp_path / "x.pdf"):
            words = [pymupdf.Rect(word[:4]) for word in page.get_text("words")]
            whole = grown(page.rect, -18, -18)
            assert all(word in whole for word in words)
            inner = [grown(word, -0.4, -2.4) for word in words]
            assert not any(one.intersects(two) for at, one in enumerate(inner) for two in inner[at + 1 :]), name


def test_what_somebody_has_stands_in_its_place(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    """Levels in boxes, things in slots, and a mark for each level of a track."""
    (tmp_path / "ada.yaml").write_text(
        "system: ./delve\nname: Ada\nabilities: {Might: 11}\ndark: {Light: 4}\ndoom: {Cold: 1, Afraid: 0}\n"
        "gear: [rope, bell]\n"
    )
    ran = sheetgen("sheet", "ada.yaml", "--as", "form", "-o", "ada.pdf")
    assert (ran.code, ran.err) == (0, "")
    fields = pypdf.PdfReader(tmp_path / "ada.pdf").get_fields()
    said = {name: str(field.get("/V", "")) for name, field in fields.items()}
    assert (said["abilities.Might"], said["gear.1"], said["gear.2"]) == ("11", "Rope", "Bell")
    marks = [name for name, value in said.items() if name.startswith("mark.") and value not in ("", "/Off")]
    assert sorted(marks) == ["mark.Cold.1", *(f"mark.Light.{at}" for at in range(1, 5))]


def test_what_a_layout_has_no_room_for_goes_on(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    sheet = (tmp_path / "delve" / "sheet.yaml").read_text()
    (tmp_path / "delve" / "sheet.yaml").write_text(sheet.replace("most: 10", "most: 20"))
    (tmp_path / "ada.yaml").write_text(
        f"system: ./delve\nname: Ada\ngear: [{', '.join(f't{n}' for n in range(1, 13))}]\n"
    )
    ran = sheetgen("sheet", "ada.yaml", "-o", "ada.pdf")
    text = "".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "ada.pdf").pages)
    assert ran.code == 0
    assert "T10" in text
    assert "T11" in text.partition("CONTINUED")[2].upper() or "T11" in text
    assert "T12" in text


def test_a_game_whose_people_want_nothing_has_npc_pages(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    ran = sheetgen("npc", "./delve", "-n", "2", "--seed", "7", "-o", "people.pdf")
    assert (ran.code, ran.err) == (0, "")
    with pymupdf.open(tmp_path / "people.pdf") as pdf:
        assert pdf[0].get_text().strip()


def test_a_field_without_a_place_is_told(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    sheet = (tmp_path / "delve" / "sheet.yaml").read_text()
    (tmp_path / "delve" / "sheet.yaml").write_text(sheet.replace("    - {show: manner}\n", ""))
    ran = sheetgen("check", "./delve")
    assert ran.code == 0
    assert "the sheet has no place: what stands under manner goes into the notes" in ran.err + ran.out


def test_a_side_that_needs_a_second_page_is_told_in_mm(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    sheet = (tmp_path / "delve" / "sheet.yaml").read_text()
    (tmp_path / "delve" / "sheet.yaml").write_text(sheet.replace("lines: 4}", "lines: 20}"))
    ran = sheetgen("check", "./delve")
    assert ran.code == 0
    told = re.findall(r"the front is (\d+\.\d) mm too long for (\w+) and goes on to a second page", ran.err)
    assert [paper for _, paper in told] == ["A4", "Letter"]
    assert float(told[1][0]) - float(told[0][0]) == pytest.approx(297 - 279.4)


def test_lines_for_writing_fill_their_block(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    """Between 7 and 9.6 mm apart, the last one at the foot of the block, and none through the licence."""
    assert sheetgen("blank", "./delve", "-o", "x.pdf").code == 0
    back = pymupdf.open(tmp_path / "x.pdf")[1]
    rules = sorted({round(each["rect"].y1 / mm(1), 1) for each in back.get_drawings() if each["rect"].width > mm(100)})
    steps = [below - above for above, below in pairwise(rules)]
    assert all(step < 16 for step in steps)
    (licence,) = back.search_for("Public domain")
    assert not any(licence.y0 < mm(y) < licence.y1 for y in rules)


def test_a_block_higher_than_a_page_is_told_in_mm(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    sheet = (tmp_path / "delve" / "sheet.yaml").read_text()
    (tmp_path / "delve" / "sheet.yaml").write_text(sheet.replace("lines: 4}", "lines: 40}"))
    ran = sheetgen("check", "./delve")
    assert ran.code == 1
    assert 'the block "Notes" is 22.8 mm higher than the page' in ran.err


def test_a_sheet_on_the_web_has_the_same_parts(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    assert sheetgen("blank", "./delve", "-o", "x.html").code == 0
    page = (tmp_path / "x.html").read_text()
    assert "What you carry" in page
    assert "d12" in page


def test_marks_are_read_back_as_levels(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    (tmp_path / "ada.yaml").write_text("system: ./delve\nname: Ada\ndark: {Light: 4}\ndoom: {Cold: 1}\ngear: [rope]\n")
    assert sheetgen("sheet", "ada.yaml", "--as", "form", "-o", "ada.pdf").code == 0
    ran = sheetgen("read", "ada.pdf", "--system", "./delve", "-o", "back.yaml")
    assert ran.code == 0, ran.err
    said = (tmp_path / "back.yaml").read_text()
    assert "Light: 4" in said
    assert "Cold: 1" in said
    assert "read back" not in said  # which stands above what is odd


RULES = """
title: The roll
opening: How to roll.
rules:
  attempt:
    title: Trying
    text: 'Roll {2d20}.'
    card: "**Roll** at or under.\\n\\n| 1 | best |\\n|---|---|\\n| 20 | worst |"
"""


def with_layout(folder: Path, line: str) -> None:
    """Gives the layout of a pack one line more."""
    sheet = (folder / "sheet.yaml").read_text()
    sheet = sheet.replace("  motif: candle.svg\n", "")
    (folder / "sheet.yaml").write_text(sheet.replace("  back:\n", f"{line}\n  back:\n"))


def test_a_reminder_is_what_a_rule_says_on_its_card(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    (tmp_path / "delve" / "rules").mkdir()
    (tmp_path / "delve" / "rules" / "01-roll.yaml").write_text(RULES)
    with_layout(tmp_path / "delve", "    - {rule: attempt, title: Trying}\n    - {say: 'Fair is {Might}.'}")
    assert sheetgen("blank", "./delve", "-o", "x.pdf").code == 0
    text = "".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "x.pdf").pages)
    assert "Roll at or under." in text
    assert "20 worst" in text
    assert "Fair is Might." in text
    assert "|" not in text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("    - {rule: attemt}", 'unknown rule "attemt"'),
        ("    - {say: 'reach {nothing}'}", 'no value "nothing"'),
        ("  theme: gamer", 'unknown theme "gamer" (did you mean "gamers"?)'),
        ("  theme: baroque", "(there are boxed, ruled, diecodes, gamers, genesix, sixshooter, tsgs)"),
        ("  motif: crest.png", 'motif: "crest.png" is no drawing'),
        ("  font: title.woff", 'font: "title.woff" is no TrueType font'),
    ],
)
def test_what_a_layout_cannot_name_is_told(
    sheetgen: Sheetgen, packs: Path, tmp_path: Path, line: str, said: str
) -> None:
    with_layout(tmp_path / "delve", line)
    ran = sheetgen("check", "./delve")
    assert ran.code == 1
    assert said in ran.err
    assert ran.err.startswith("delve/sheet.yaml:")


def test_a_layout_borrows_the_look_of_a_game(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    """Looks change how a page is drawn, and leave every word and every field where it was."""
    assert sheetgen("blank", "./crew", "--fillable", "-o", "plain.pdf").code == 0
    plain = pymupdf.open(tmp_path / "plain.pdf")[0]
    fields, seen = [each.field_name for each in plain.widgets()], plain.get_pixmap().samples
    sheet = tmp_path / "crew" / "sheet.yaml"
    without = sheet.read_text()
    for theme in ("boxed", "gamers", "tsgs", "sixshooter", "diecodes", "genesix"):
        sheet.write_text(without)
        with_layout(tmp_path / "crew", f"  theme: {theme}")
        assert sheetgen("blank", "./crew", "--fillable", "-o", "drawn.pdf").code == 0
        drawn = pymupdf.open(tmp_path / "drawn.pdf")[0]
        assert [each.field_name for each in drawn.widgets()] == fields, theme
        assert drawn.get_pixmap().samples != seen, theme


def test_a_pale_accent_is_told(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "delve" / "system.yaml"
    manifest.write_text(manifest.read_text().replace("#5a3a22", "#e0c060"))
    ran = sheetgen("check", "./delve")
    assert "accent #e0c060 is too pale: 1.8 to 1 against white" in ran.err + ran.out


def test_a_drawing_and_a_font_of_the_pack_stand_on_its_sheet(
    sheetgen: Sheetgen, packs: Path, tmp_path: Path, small_font: Callable[..., bytes]
) -> None:
    pages = tmp_path / "delve" / "templates"
    (pages / "motif.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>')
    (pages / "title.ttf").write_bytes(small_font("DELVE" + "abcdefghijklmnopqrstuvwxyz ABCHINPWYAM'"))
    with_layout(tmp_path / "delve", "  motif: motif.svg\n  font: title.ttf")
    ran = sheetgen("blank", "./delve", "-o", "x.pdf")
    assert ran.code == 0, ran.err
    fonts = {font[3] for page in pymupdf.open(tmp_path / "x.pdf") for font in page.get_fonts()}
    assert len([name for name in fonts if "Source" not in name]) >= 1


DOCS = (ROOT / "docs" / "sheets.md").read_text("utf-8")
EXAMPLES = re.findall(r"```yaml\n(- .*?)```", DOCS, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_docs_are_sheets(sheetgen: Sheetgen, packs: Path, tmp_path: Path, example: str) -> None:
    """Each makes a page of the pack that the docs show, and has a picture."""
    sheet = tmp_path / "lantern" / "sheet.yaml"
    blocks = "".join(f"    {line}\n" for line in example.splitlines())
    sheet.write_text(sheet.read_text().partition("layout:")[0] + f"layout:\n  front:\n{blocks}")
    ran = sheetgen("blank", "./lantern", "-o", "x.pdf")
    assert (ran.code, ran.err) == (0, "")
    picture = re.search(r"!\[[^\]]+\]\((\S+)\)", DOCS.partition(example)[2])
    assert picture is not None
    assert (ROOT / "docs" / picture[1]).is_file()


def test_the_docs_show_every_kind_of_block() -> None:
    assert {f"**{kind}" for kind in SHOWING} - set(re.findall(r"\*\*\w+", DOCS.lower())) == set()
    assert {word for word in CONTENTS if f"{word}:" not in DOCS} == set()


def test_a_card_names_the_moves_that_somebody_has(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    """Of traits from 0 to 1 the name says all."""
    (tmp_path / "esme.yaml").write_text("system: ./crew\nname: Esme\nmoves: {Fast Talk: 1, Old Flame: 0}\n")
    assert sheetgen("sheet", "esme.yaml", "--as", "card", "-o", "x.pdf").code == 0
    text = " ".join(pypdf.PdfReader(tmp_path / "x.pdf").pages[0].extract_text().split())
    assert "Fast Talk" in text
    assert "Fast Talk 1" not in text
    assert "Old Flame" not in text


def test_a_book_without_words_for_an_index_has_no_page_for_one(sheetgen: Sheetgen, packs: Path, tmp_path: Path) -> None:
    assert sheetgen("book", "./lantern", "-o", "x.pdf").code == 0
    pages = [page.extract_text() for page in pypdf.PdfReader(tmp_path / "x.pdf").pages]
    assert "Contents" in pages[2]
    assert [page for page in pages if "Index" in page.split()] == []


@pytest.mark.parametrize("game", ["slackwater", "chalkdown"])
def test_what_somebody_wants_and_says_is_told_once(project: Project, game: str) -> None:
    """It stands among the notes only where the front has no place of its own for it."""
    pack = open_pack(project, game)
    (person,) = roll(pack, RollOptions(seed=11, count=1))
    values = sheet_values(pack.system, person, {})
    assert (values["want"], values["voice"]) == (person.text("want"), f"“{person.text('voice')}”")
    assert "notes" not in values


LADDER = """id: kiln
title: Kilnmen
credit: Kilnmen, by somebody
licence: CC0
traits:
  dice:
    title: Dice
    notation: words
    words: ladder
    range: 1-5
    default: 1
    members: {Muscle: {}, Wits: {}, Grace: {}}
values: {ladder: {d4: {}, d6: {}, d8: {}, d10: {}, d12: {}}}
"""
LADDER_SHEET = """character:
  name: {is: text, title: Name}
  dice: {is: levels, title: Dice}
layout:
  front: [{show: name, as: heading}, {show: dice, as: track}]
"""


def test_boxes_of_a_trait_that_is_a_die_have_the_dice_below_them(sheetgen: Sheetgen, tmp_path: Path) -> None:
    """What is not written down is at its default, on paper and when the form is read back."""
    (tmp_path / "kiln").mkdir()
    (tmp_path / "kiln" / "system.yaml").write_text(LADDER)
    (tmp_path / "kiln" / "sheet.yaml").write_text(LADDER_SHEET)
    (tmp_path / "ada.yaml").write_text("system: ./kiln\nname: Ada\ndice: {Muscle: d8, Wits: d6}\n")
    assert sheetgen("blank", "./kiln", "-o", "empty.pdf").code == 0
    with pymupdf.open(tmp_path / "empty.pdf") as pages:
        words = [word[4] for word in pages[0].get_text("words")]
    assert [words.count(die) for die in ("d4", "d6", "d8", "d10", "d12")] == [3] * 5
    assert sheetgen("sheet", "ada.yaml", "--as", "form", "-o", "ada.pdf").code == 0
    fields = pypdf.PdfReader(tmp_path / "ada.pdf").get_fields() or {}
    ticked = [name for name, field in fields.items() if "mark." in name and field.get("/V") not in (None, "/Off", "")]
    assert len(ticked) == 3  # the die of each trait, and none of the smaller ones
    ran = sheetgen("read", "ada.pdf", "--system", "./kiln", "-o", "back.yaml")
    assert ran.code == 0, ran.err
    said = (tmp_path / "back.yaml").read_text()
    assert "dice: {Muscle: d8, Wits: d6}" in said
    assert "read back" not in said


def test_a_track_beside_a_number_of_its_group_needs_no_further_page(
    sheetgen: Sheetgen, packs: Path, tmp_path: Path
) -> None:
    """Of one group one trait is ticked and the other written: both stand on the sheet, and neither behind it."""
    sheet = tmp_path / "delve" / "sheet.yaml"
    shown = "{show: Grit, as: track}\n        - {show: Armour, as: numbers}"
    (before, _, after) = sheet.read_text().partition("{show: vitals")
    sheet.write_text(before + shown + after[after.index("}") + 1 :])
    (tmp_path / "ada.yaml").write_text("system: ./delve\nname: Ada\nvitals: {Grit: 12, Armour: 3}\n")
    ran = sheetgen("sheet", "ada.yaml", "-o", "ada.pdf")
    assert (ran.code, ran.err) == (0, "")
    assert "CONTINUED" not in "".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "ada.pdf").pages)


@pytest.mark.parametrize(
    ("layout", "line"),
    [
        (
            "motif: brnch.svg, front: [name]",
            '4:9: motif: there is no "brnch.svg" in templates/ of the pack (did you mean "branch.svg"?)',
        ),
        ("font: title.ttf, front: [name]", '4:9: font: there is no "title.ttf" in templates/ of the pack'),
        ("front: [name, {picture: crest.png}]", '4:24: picture: there is no "crest.png" in templates/ of the pack'),
    ],
)
def test_a_file_that_a_layout_lacks_is_told_where_it_is_named(
    sheetgen: Sheetgen, tmp_path: Path, layout: str, line: str
) -> None:
    (tmp_path / "kiln" / "templates").mkdir(parents=True)
    (tmp_path / "kiln" / "templates" / "branch.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (tmp_path / "kiln" / "system.yaml").write_text(HALVES)
    (tmp_path / "kiln" / "sheet.yaml").write_text(
        "character:\n  name: {is: text, title: Name}\n  skills: {is: levels, title: Skills}\n"
        f"layout: {{{layout}}}\n"
    )
    for words in (["check", "./kiln"], ["blank", "./kiln", "-o", "x.pdf"]):
        assert f"kiln/sheet.yaml:{line}\n" in sheetgen(*words).err


HALVES = """id: kiln
title: Kiln
credit: Kiln, by a test
licence: as you like it
traits:
  skills: {title: Skills, range: 0-99, members: {Locks: {}, Ledgers: {}, Lies: {}}}
  half: {title: Half, range: 0-49, members: {Half Locks: {}, Half Ledgers: {}, Half Lies: {}}}
play:
  halved: {family: reckoning, say: half, takes: {skill: 0 to 99},
    results: {points: {divide: skill, by: 2, round: down}}}
"""


@pytest.mark.parametrize("shown", ["rows", "numbers"])
def test_a_box_beside_a_number_is_filled_in_by_a_formula(sheetgen: Sheetgen, tmp_path: Path, shown: str) -> None:
    (tmp_path / "kiln").mkdir()
    (tmp_path / "kiln" / "system.yaml").write_text(HALVES)
    (tmp_path / "kiln" / "creation.yaml").write_text(
        "steps:\n  skills: {do: array, group: skills, levels: [81, 63, 41]}\n"
        "  half: {do: derive, by: halved, takes: {skill: skills}, into: half, result: points}\n"
        "methods: {random: {steps: [skills, half]}}\n"
    )
    (tmp_path / "kiln" / "sheet.yaml").write_text(
        "character:\n  name: {is: text, title: Name}\n"
        "  skills: {is: levels, title: Skills}\n  half: {is: levels, title: Half}\n"
        f"layout: {{front: [name, {{show: skills, as: {shown}, beside: [now, half]}}]}}\n"
    )
    ran = sheetgen("npc", "./kiln", "--as", "sheet", "-o", "ada.pdf")
    assert (ran.code, "further page" in ran.err + ran.out) == (0, False)
    with pymupdf.open(tmp_path / "ada.pdf") as pdf:
        assert len(pdf) == 1
        words = [word[4] for word in pdf[0].get_text("words")]
    assert {"81", "63", "41", "40", "31", "20"} <= set(words)
    assert sheetgen("blank", "./kiln", "--fillable", "-o", "form.pdf").code == 0
    fields = pypdf.PdfReader(tmp_path / "form.pdf").get_fields() or {}
    assert sum("Half L" in name for name in fields) == 3
    assert sum("pencil.skills." in name for name in fields) == 3
    assert "without a place" not in sheetgen("check", "./kiln").err


def test_half_a_page_of_a_game_that_does_not_lay_it_out_lacks_nothing(
    sheetgen: Sheetgen, packs: Path, tmp_path: Path
) -> None:
    """Levels beyond the boxes, every list and every choice are told, in a book's stat block as on the half page."""
    (system, sheet) = (tmp_path / "delve" / "system.yaml", tmp_path / "delve" / "sheet.yaml")
    system.write_text(system.read_text().replace("title: Abilities\n", "title: Abilities\n    default: 0\n"))
    spells = "  light: {is: choice, title: Light, among: [d4, d6]}\n  spells: {is: list, title: Spells}\n"
    sheet.write_text(sheet.read_text().replace("  gear:", f"{spells}  gear:"))
    many = "  further: {title: Further, range: 0-40, members: {A: {}, B: {}, C: {}, D: {}, E: {}, F: {}, Hits: {}}}\n"
    system.write_text(system.read_text().replace("  doom:\n", f"{many}  doom:\n"))
    sheet.write_text(sheet.read_text().replace("  doom:", "  further: {is: levels, title: Further}\n  doom:", 1))
    (tmp_path / "ada.yaml").write_text(
        "system: ./delve\nname: Ada\nlight: d6\nfurther: {Hits: 14}\ndoom: {Cold: 1}\ngear: [Rope]\nspells: [Quench]\n"
    )
    ran = sheetgen("sheet", "ada.yaml", "--as", "npc", "-o", "ada.pdf")
    assert ran.code == 0
    with pymupdf.open(tmp_path / "ada.pdf") as pdf:
        said = " ".join("".join(page.get_text() for page in pdf).replace("\u00a0", " ").split())
    assert [each for each in ("Hits 14", "Cold", "Rope", "Quench", "d6") if each not in said] == []


SECTIONS = """
id: kiln
title: Kiln
credit: Kiln, by a test
licence: as you like it
traits:
  actions:
    title: Actions
    range: 0-4
    sections: {Eye: {Scout: {}, Tinker: {}}, Hand: {Slip: {}, Scrap: {}}, Tongue: {Charm: {}, Press: {}}}
"""
TABLE = """
tables:
  jobs:
    title: Jobs
    dice: 1d2
    heads: {what: Cargo, where: To}
    rows: {1: {what: seed potatoes, where: a mine}, 2: {what: a piano, where: an orbit}}
"""


def test_tracks_stand_in_columns_and_tables_under_their_heads(sheetgen: Sheetgen, tmp_path: Path) -> None:
    """Sections of a group stay together under their names; each column of a table has its head and its own edge."""
    (tmp_path / "kiln").mkdir()
    (tmp_path / "kiln" / "system.yaml").write_text(SECTIONS)
    (tmp_path / "kiln" / "tables.yaml").write_text(TABLE)
    (tmp_path / "kiln" / "sheet.yaml").write_text(
        "character:\n  name: {is: text, title: Name}\n  actions: {is: levels, title: Actions}\n"
        "layout:\n  front: [name, {show: actions, as: track, columns: 3}, {table: jobs}]\n"
    )
    assert sheetgen("blank", "./kiln", "-o", "empty.pdf").code == 0
    with pymupdf.open(tmp_path / "empty.pdf") as pages:
        at = {word[4]: (word[0], word[1]) for word in pages[0].get_text("words")}
    for section, first, second in (("EYE", "Scout", "Tinker"), ("HAND", "Slip", "Scrap"), ("TONGUE", "Charm", "Press")):
        assert at[section][0] == pytest.approx(at[first][0], abs=1) == pytest.approx(at[second][0], abs=1)
        assert at[section][1] < at[first][1] < at[second][1]
    assert at["Scout"][1] == at["Slip"][1] == at["Charm"][1]
    assert at["Scout"][0] < at["Slip"][0] < at["Charm"][0]
    assert at["CARGO"][0] == pytest.approx(at["seed"][0], abs=1)
    assert at["potatoes"][0] < at["TO"][0] == pytest.approx(at["mine"][0], abs=12)


@pytest.mark.parametrize("system", ["chalkdown", "gamers"])
@pytest.mark.parametrize("voice", ["“By water”, it said.", 'He said "no"', '"No", she said. "Never."'])
def test_what_somebody_says_is_read_back_from_a_form_with_no_quotes_but_its_own(
    sheetgen: Sheetgen, tmp_path: Path, system: str, voice: str
) -> None:
    (tmp_path / "ada.yaml").write_text(f"system: {system}\nname: Ada\nvoice: '{voice}'\n", "utf-8")
    assert sheetgen("sheet", "ada.yaml", "--as", "form", "-o", "ada.pdf").code == 0
    assert sheetgen("read", "ada.pdf", "-o", "again.yaml").code == 0
    again = yaml.safe_load((tmp_path / "again.yaml").read_text("utf-8"))
    assert (again.get("characters", [again])[0]["voice"]) == voice


def test_an_empty_sheet_has_no_places_for_wishes_on_its_back_either(project: Project) -> None:
    pack = open_pack(project, "chalkdown")
    layout = pack.system.sheet_layout
    assert layout is not None
    asked = [
        block for block in layout.front + layout.back if {block.shows, *(each.shows for each in block.stack)} & {"want"}
    ]
    turned = pack.with_layout(replace(layout, back=(*layout.back, *asked)))
    for empty in (False, True):
        pages = laid_out_pages(project, turned, PAPERS["a4"], small=False, empty=empty)["layout"]
        assert ("Wants from you" in str(pages["back"])) is not empty


@pytest.mark.parametrize("columns", [1, 2])
def test_a_small_sheet_of_few_columns_has_one_at_least(project: Project, columns: int) -> None:
    pack = open_pack(project, "chalkdown")
    layout = pack.system.sheet_layout
    assert layout is not None
    blocks = tuple(replace(block, span=1) for block in layout.front if not block.stack)
    narrow = pack.with_layout(replace(layout, columns=columns, front=blocks))
    pages = laid_out_pages(project, narrow, PAPERS["a5"], small=True)["layout"]["front"]
    assert {len(row["cells"]) for page in pages for row in page} == {1}
