"""Rosters, groups and print runs as a person asks for them: words, files, and what is said."""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf
import pypdf
import pytest

Sheetgen = Callable[..., Any]
TOLL = "system: gamers\ntitle: The toll house\nmembers: [2 guards, {archetype: officer, part: captain}]\n"


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--group", "night wach"], 2, 'unknown group "night wach" (did you mean "the night watch"?)'),
        (["--group", "nowhere.yaml"], 2, "nowhere.yaml: no such file"),
        (["--group", "the squad", "-n", "3"], 2, "--group says who there is and how many"),
        (["--group", "the squad", "--archetype", "guard"], 2, "leave out --archetype, -n and --index"),
        (["--group", "the squad", "--option", "tech=77"], 2, "option tech takes 0 to C"),
        (
            ["--group", "the squad", "--as", "form", "-o", "x.pdf"],
            2,
            "x.pdf is one file, and 8 forms are one file each",
        ),
        (["--sort", "nmae"], 2, '--sort: unknown field or trait "nmae" (did you mean "name"?)'),
        (["--group-by", "Gritt"], 2, '--group-by: unknown field or trait "Gritt" (did you mean "Grit"?)'),
        (["--as", "roster", "--back"], 2, "--back goes with --as sheet: a roster has none"),
        (["--as", "roster", "--contents"], 2, "--contents tells pages of one file of sheets or cards"),
        (["--each", "--contents"], 2, "it does not go with --each"),
        (["--each", "--as", "roster"], 2, "--each makes a file for each person, --as roster one for all"),
        (["--each", "-o", "x.pdf"], 2, "--each makes one for each person: name a folder or a .zip"),
        (["--each", "-n", "10001"], 2, "--each makes 10,000 files at the most, not 10,001"),
        (["--each", "--to", "doc"], 2, "--to: the format must be .pdf"),
        (["--as", "roster", "-n", "501"], 3, "a roster takes 500 people at the most, not 501"),
        (["--contents", "-n", "20001"], 3, "20,000 people at the most"),
    ],
)
def test_words_that_do_not_go_together_get_one_line(
    sheetgen: Sheetgen, tmp_path: Path, words: list[str], code: int, line: str
) -> None:
    ran = sheetgen("npc", "gamers", *words)
    assert ran.code == code
    assert line in ran.err
    assert ran.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_group_is_printed_with_a_summary_first_and_can_be_rolled_again(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "toll.yaml").write_text(TOLL)
    ran = sheetgen("npc", "gamers", "--group", "toll.yaml", "--seed", "7")
    stem = "output/gamers-the-toll-house"
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"{stem}.pdf: 3 people of GAMERS\n{stem}.yaml: 3 people of GAMERS\n"
    with pikepdf.open(tmp_path / f"{stem}.pdf") as pdf:
        titles = [str(entry.title) for entry in pdf.open_outline().root]
        assert len(pdf.pages) == 3  # two people to a page
    assert titles[0] == "The toll house"
    assert titles[3].startswith("Captain ")
    again = sheetgen("npc", "gamers", "--archetype", "guard", "--seed", "7", "-n", "2", "-o", "guards.json")
    assert again.code == 0
    names = [each["name"] for each in json.loads((tmp_path / "guards.json").read_text())["characters"]]
    assert titles[1:3] == [f"{names[0]}, guard 1", f"{names[1]}, guard 2"]
    assert sheetgen("sheet", f"{stem}.yaml", "-o", "again.pdf").code == 0


@pytest.mark.parametrize(("shape", "pages"), [("roster", 1), ("npc", 5)])
def test_a_group_that_lacks_a_little_room_has_its_page_in_one(
    sheetgen: Sheetgen, tmp_path: Path, shape: str, pages: int
) -> None:
    """Of these eight the last two stood on a second page, above an empty half."""
    run = ("npc", "gamers", "--group", "the night watch", "--seed", "5", "--as", shape, "-o", "group.pdf")
    assert sheetgen(*run).code == 0
    with pymupdf.open(tmp_path / "group.pdf") as pdf:
        lowest = max(rule["rect"].y1 for rule in pdf[0].get_drawings())
        assert (len(pdf), lowest < pdf[0].search_for("Kyle Schuant")[0].y0) == (pages, True)


def test_the_log_tells_how_each_of_a_group_was_rolled(sheetgen: Sheetgen) -> None:
    ran = sheetgen("npc", "gamers", "--group", "the squad", "--seed", "7", "--log", "-o", "x.csv")
    assert ran.out.count("Attributes arranged [GAM-031]") == 8
    assert "6 × soldier\n" in ran.out


def test_a_ready_made_group_is_listed_and_counted(sheetgen: Sheetgen) -> None:
    assert re.search(
        r"groups \(--group\)\n {4}the night watch +after curfew the lanterns on the walls are counted",
        sheetgen("systems", "gamers").out,
    )
    (told,) = json.loads(sheetgen("systems", "gamers", "--json").out)
    assert len(told["groups"]) >= 10
    assert re.search(r", 1\d groups, ", sheetgen("check", "gamers").out)


def test_check_reads_group_files(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "toll.yaml").write_text(TOLL)
    (tmp_path / "bad.yaml").write_text("system: gamers\nmembers: [2 gards, {archetype: spy, options: {tech: 77}}]\n")
    (tmp_path / "whose.yaml").write_text("members: [2 guards]\n")
    assert sheetgen("check", "toll.yaml").out == "toll.yaml: ok, a group of 3 of GAMERS\n"
    ran = sheetgen("check", "bad.yaml")
    assert (ran.code, ran.err) == (1, 'bad.yaml:2:11: nobody here is called "gards" (did you mean "guard"?)\n')
    assert "must name its system" in sheetgen("check", "whose.yaml").err


def test_each_makes_a_file_for_everybody_and_no_name_twice(sheetgen: Sheetgen, tmp_path: Path) -> None:
    people = "system: gamers\ncharacters:\n- name: Ada\n- name: ada\n- name: ../../etc/x\n- name: 東京\n"
    (tmp_path / "four.yaml").write_text(people, encoding="utf-8")
    ran = sheetgen("sheet", "four.yaml", "--each", "-o", "out")
    assert ran.code == 1
    assert sorted(path.name for path in (tmp_path / "out").glob("[!.]*")) == ["Ada.pdf", "ada-2.pdf", "etc-x.pdf"]
    assert "U+6771" in ran.err
    assert sheetgen("npc", "gamers", "-n", "3", "--seed", "7", "--each", "--to", "json").code == 0
    assert len(list((tmp_path / "output" / "gamers-npcs").glob("*.json"))) == 3


def test_people_of_several_files_are_one_roster_in_order(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("system: gamers\nname: Zed\nattributes: {Grit: 5}\n")
    (tmp_path / "b.yaml").write_text("system: gamers\nname: Ada\nattributes: {Grit: 9}\n")
    ran = sheetgen("sheet", "a.yaml", "b.yaml", "--as", "roster", "--sort", "Grit", "-o", "r.html", "-o", "r.csv")
    assert ran.out == "r.html: 2 of 2 characters\nr.csv: 2 of 2 characters\n"
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.index("Ada") < page.index("Zed")
    with (tmp_path / "r.csv").open(newline="", encoding="utf-8") as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["Ada", "Zed"]


def test_contents_stand_in_front_of_a_run(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("npc", "gamers", "-n", "45", "--seed", "7", "--contents", "--sort", "name", "-o", "run.pdf")
    assert ran.out == "run.pdf: 45 people of GAMERS\n"
    with pikepdf.open(tmp_path / "run.pdf") as pdf:
        titles = [str(entry.title) for entry in pdf.open_outline().root]
        assert len(pdf.pages) == 2 + 23  # two people to a page
    assert titles[0] == "Index"
    with pymupdf.open(tmp_path / "run.pdf") as document:
        listed, half = " ".join(document[0].get_text().split()), document[2].get_text()
    assert "WANTS FROM YOU" in listed
    wish = " ".join(half.split("WANTS FROM YOU")[1].split("MANNER")[0].split())
    assert wish
    assert wish in listed  # the index tells what the first page does
    letters = [unicodedata.normalize("NFKD", title).encode("ascii", "ignore").lower() for title in titles[1:]]
    assert letters == sorted(letters)  # İlker stands beside Ilse


@pytest.mark.parametrize(("by", "beside"), [("occupation", False), ("manner", True)])
def test_contents_do_not_say_beside_a_name_what_stands_above_it(
    sheetgen: Sheetgen, tmp_path: Path, by: str, beside: bool
) -> None:
    words = ("npc", "gamers", "-n", "9", "--seed", "3")
    assert sheetgen(*words, "-o", "run.json").code == 0
    trades = [each["occupation"].capitalize() for each in json.loads((tmp_path / "run.json").read_text())["characters"]]
    assert sheetgen(*words, "--contents", "--group-by", by, "-o", "run.pdf").code == 0
    with pymupdf.open(tmp_path / "run.pdf") as document:
        listed = document[0].get_text()
    assert ("OCCUPATION" in listed) is beside
    assert [listed.count(f"{trade}\n") for trade in trades] == [trades.count(trade) for trade in trades]


def test_attacks_stand_below_the_middle_of_an_upright_head_and_stories_before_what_they_come_to(
    sheetgen: Sheetgen, tmp_path: Path
) -> None:
    ran = sheetgen("npc", "genesix", "--seed", "21", "-n", "3", "--as", "roster", "-o", "r.html")
    assert ran.code == 0, ran.err
    page = (tmp_path / "r.html").read_text("utf-8")
    assert page.count('<td class="r-upright">') == 2 * 3  # bare hands and words, of each
    assert "standing in the same doorway, holding a warm key. <b>Wants:</b> Keep me awake tonight" in page


def test_a_roster_sets_greek_in_italics_too(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "greek.yaml").write_text("system: gamers\nname: Ада\noccupation: ράπτης και ναύτης\n", encoding="utf-8")
    ran = sheetgen("sheet", "greek.yaml", "--as", "roster", "-o", "greek.pdf")
    assert (ran.code, ran.err) == (0, "")
    with pymupdf.open(tmp_path / "greek.pdf") as document:
        assert "Ράπτης και ναύτης" in document[0].get_text()


GANG = """
system: gamers
title: the road gang
say: "They hold the bridge: pay, or swim."
members:
  - {archetype: outlaw, count: 2}
  - {archetype: boss, name: Old Marn, part: boss}
"""


@pytest.mark.parametrize("form", ["yaml", "json", "csv"])
def test_a_group_that_was_saved_and_edited_is_printed_with_its_page_again(
    sheetgen: Sheetgen, tmp_path: Path, form: str
) -> None:
    """The file of a group keeps its title and its line, whichever format it goes through on the way."""
    (tmp_path / "gang.yaml").write_text(GANG)
    assert sheetgen("npc", "gamers", "--group", "gang.yaml", "--seed", "3", "-o", f"p.{form}").code == 0
    path = tmp_path / f"p.{form}"
    path.write_text(path.read_text(encoding="utf-8-sig").replace("Old Marn", "Young Marn"), encoding="utf-8")
    assert sheetgen("sheet", f"p.{form}", "-o", "p.pdf", "-o", "p.html", "-o", "again.yaml").code == 0
    first, *sheets = [page.extract_text() for page in pypdf.PdfReader(tmp_path / "p.pdf").pages]
    for said in ("The road gang", "They hold the bridge: pay, or swim.", "Boss Young Marn"):
        assert said in first.replace("\u00a0", " ")
    assert len(sheets) == 3
    assert "They hold the bridge" in (tmp_path / "p.html").read_text(encoding="utf-8")
    group = 'group:\n  title: The road gang\n  say: "They hold the bridge: pay, or swim."\ncharacters:\n'
    assert group in (tmp_path / "again.yaml").read_text(encoding="utf-8")
    assert sheetgen("sheet", f"p.{form}", "--as", "roster", "-o", "r.pdf").code == 0
    (page,) = [page.extract_text() for page in pypdf.PdfReader(tmp_path / "r.pdf").pages]
    assert "The road gang" in page.replace("\u00a0", " ")


def test_a_group_stays_with_its_people_when_part_of_them_is_rolled_again(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "gang.yaml").write_text(GANG)
    sheetgen("npc", "gamers", "--group", "gang.yaml", "--seed", "3", "-o", "p.yaml")
    assert sheetgen("npc", "--reroll", "hook", "p.yaml", "--seed", "5", "-o", "q.yaml", "-o", "q.json").code == 0
    assert "\n  title: The road gang\n" in (tmp_path / "q.yaml").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "q.json").read_text(encoding="utf-8"))["group"]["title"] == "The road gang"


def test_a_group_needs_a_title(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("system: gamers\ngroup: {say: hm}\ncharacters:\n- name: Ada\n")
    ran = sheetgen("sheet", "p.yaml")
    assert (ran.code, ran.err) == (2, 'p.yaml:2:8: group lacks "title" (add a line "title: ...")\n')


def test_the_foot_of_an_edited_sheet_does_not_claim_that_the_seed_gives_this_person(
    sheetgen: Sheetgen, tmp_path: Path
) -> None:
    """Who is printed from a file as rolled, by part and name in a group as well, keeps a plain foot."""
    (tmp_path / "gang.yaml").write_text(GANG)
    sheetgen("npc", "gamers", "--group", "gang.yaml", "--seed", "3", "-o", "p.yaml")
    sheetgen("sheet", "p.yaml", "-o", "p.pdf")
    text = (tmp_path / "p.yaml").read_text(encoding="utf-8").replace("- name: Boss Old", "- name: Boss Young")
    (tmp_path / "p.yaml").write_text(
        re.sub(r"gear:\n( *)- ", "gear:\n\\1- toll box\n\\1- ", text, count=1), encoding="utf-8"
    )
    sheetgen("sheet", "p.yaml", "-o", "q.pdf")
    before, after = (
        [page.extract_text().replace("\u00a0", " ") for page in pypdf.PdfReader(tmp_path / name).pages][1:]
        for name in ("p.pdf", "q.pdf")
    )
    assert ["edited since" in page for page in before] == [False, False, False]
    assert [" · seed 3 · edited since" in page for page in after] == [True, False, True]
    assert ["edited since" in page for page in after] == [True, False, True]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("gamers --names slavc", "option culture: unknown word “slavc” (did you mean “slavic”?)"),
        ("tsgs --names coined", "option culture: unknown word “coined” (did you mean “one”?)"),
        ("gamers --names slavic --option culture=nordic", "--names slavic and --option culture=nordic: leave out one"),
    ],
)
def test_names_of_one_people_are_refused_in_a_line(words: str, message: str, sheetgen: Sheetgen) -> None:
    ran = sheetgen("npc", *words.split(), "-o", "x.yaml")
    assert ran.code == 2
    assert message.replace("“", '"').replace("”", '"') in ran.err


def test_a_game_whose_names_are_of_one_people_says_so(sheetgen: Sheetgen) -> None:
    assert sheetgen("new", "mine").code == 0
    ran = sheetgen("npc", "mine", "--names", "slavic", "-o", "x.yaml")
    assert (ran.code, ran.err[:42]) == (2, "--names slavic: Mine cannot choose culture")
