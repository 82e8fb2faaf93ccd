"""An evening from its file: the run sheet, who is where, what is printed on which paper, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest

from sheetgen.errors import InputError
from sheetgen.pdf.flow import document
from sheetgen.products.session import run_sheet
from sheetgen.products.session.parts import SessionOptions, SessionParts
from sheetgen.products.session.session import open_session
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]
SYSTEMS = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix")


def page_texts(data: bytes) -> list[str]:
    """The words of each page of a PDF."""
    with pypdfium2.PdfDocument(data) as document:
        return [page.get_textpage().get_text_bounded() for page in document]


EVENING = """\
system: gamers
title: The toll
seed: 7
cast:
  chief: {archetype: boss, part: chief, name: Ada Marsh, wants: the key}
scenes:
  - title: The bridge
    read: Fog, and a lantern.
    people: [chief, 2 guards, {group: the road gang}]
    odds:
      - {try: Climb the pier, with: Climbing, at: 8}
    clocks:
      - {title: The tide, segments: 4, beats: {2: it turns}}
    tables:
      - {title: Who comes, rows: [a dog, a miller], ahead: 1}
    dice: 2d6
    handouts:
      - {file: letter.md, when: at the end}
    boxes: [the second key]
  - title: The mill
    people: [chief]
reference: none
screen: none
"""


@pytest.fixture
def evening(project: Project) -> Path:
    letter = "---\nstyle: letter\nfrom: Ada Marsh\n---\nThe key is under the stone.\n"
    (project.where / "letter.md").write_text(letter, encoding="utf-8")
    path = project.where / "toll.yaml"
    path.write_text(EVENING, encoding="utf-8")
    return path


def problems_with(project: Project, text: str) -> str:
    (project.where / "toll.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        open_session(project, "toll.yaml", SessionOptions())
    return str(refused.value)


def test_an_evening_is_one_pdf_in_the_order_of_use(sheetgen: Sheetgen, evening: Path) -> None:
    ran = sheetgen("session", "toll.yaml", "-o", "toll.pdf")
    assert ran.code == 0, ran.err
    data = (evening.parent / "toll.pdf").read_bytes()
    pages = page_texts(data)
    with pikepdf.open(evening.parent / "toll.pdf") as made, made.open_outline() as outline:
        parts = [str(each.title) for each in outline.root]
        scenes = [str(each.title) for each in outline.root[0].children]
    assert parts == ["Run sheet", "People, half a page each", "Handouts"]
    assert scenes == ["The evening", "The bridge", "The mill"]
    assert "under the stone" in pages[-1]
    told = [line for line in ran.out.splitlines() if "pages" in line or "page " in line]
    numbers = [int(each) for line in told for each in re.findall(r"pages? (\d+)(?: to \d+)?:", line)]
    assert numbers == [1, 5]  # four pages of a run sheet on both sides, the rest on one


def test_the_run_sheet_has_people_odds_clock_table_dice_and_boxes(sheetgen: Sheetgen, evening: Path) -> None:
    assert sheetgen("session", "toll.yaml", "--part", "run-sheet", "-o", "run.pdf").code == 0
    bridge = " ".join(" ".join(page_texts((evening.parent / "run.pdf").read_bytes())[1:3]).split())
    for said in ("Fog, and a lantern.", "Chief Ada Marsh", "The key", "Climb the pier", "The tide", "it turns"):
        assert said in bridge
    for said in ("a miller", "2d6, strike out", "at the end", "the second key", "What happened"):
        assert said in bridge
    assert re.search(r"Climbing 42 58 72 83", bridge)  # 2d6 + 0 to 3 reaches 8 in 15, 21, 26 and 30 of 36


def test_a_scene_is_set_alone_as_it_is_among_all_and_blocks_that_did_not_change_are_not_measured_again(
    project: Project, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = SessionParts(project, open_session(project, evening, SessionOptions()), SessionOptions())
    monkeypatch.setattr(SessionParts, "_confined", lambda self, work: work())  # so that its heights are kept here
    whole = parts.run_sheet()
    alone = parts.run_sheet(only=2)
    assert page_texts(alone.data) == page_texts(whole.data)[whole.marks[2][1] - 1 :]
    assert (alone.marks, alone.about.pages) == (whole.marks, whole.about.pages)
    measured = list[str]()
    heights = document.part_heights
    monkeypatch.setattr(document, "part_heights", lambda html, **more: measured.append(html) or heights(html, **more))
    evening.write_text(evening.read_text().replace("Fog, and a lantern.", "Rain."))
    again = replace(open_session(project, evening, SessionOptions()), pack=parts.subject.pack)
    put_together, blocks = list[int](), run_sheet.scene_blocks
    monkeypatch.setattr(
        run_sheet, "scene_blocks", lambda *about, **more: put_together.append(about[2]) or blocks(*about, **more)
    )
    SessionParts(project, again, SessionOptions()).run_sheet(only=1)
    assert put_together == [*range(1, len(again.session.scenes) + 1), 1], "a second time the scene that is shown alone"
    (html,) = measured
    assert html.count("data-part=") == 1
    assert "Rain." in html


def test_rows_are_as_high_as_they_were_measured_and_none_lies_on_another(sheetgen: Sheetgen, evening: Path) -> None:
    crowd = EVENING.replace("2 guards", "9 guards")  # names, trades and pages that break their lines here and there
    evening.write_text(crowd, encoding="utf-8")
    assert sheetgen("session", "toll.yaml", "--part", "run-sheet", "--part", "people", "-o", "run.pdf").code == 0
    with pypdfium2.PdfDocument(evening.parent / "run.pdf") as made:
        for number in range(4):
            text = made[number].get_textpage()
            boxes = [text.get_rect(at) for at in range(text.count_rects())]
            for at, (left, low, right, top) in enumerate(boxes):
                for other in boxes[at + 1 :]:
                    across = min(right, other[2]) - max(left, other[0])
                    along = min(top, other[3]) - max(low, other[1])
                    assert across < 2 or along < 4, (number + 1, text.get_text_bounded(left, low, right, top))


def test_somebody_in_two_scenes_is_one_person_and_printed_once(project: Project, evening: Path) -> None:
    opened = open_session(project, evening.name, SessionOptions())
    first, second = opened.evening.scenes
    assert first[0].number == second[0].number == 0
    names = [each.text("name") for each in opened.evening.everybody]
    assert len(names) == len(set(names)) == 1 + 2 + 7
    assert opened.evening.everybody[0].text("want") == "the key"


def test_guards_of_a_line_and_guards_of_a_group_are_different_people(project: Project, evening: Path) -> None:
    evening.write_text(EVENING.replace("the road gang", "the night watch"), encoding="utf-8")
    everybody = open_session(project, evening.name, SessionOptions()).evening.everybody
    alike = [(each.values.get("attributes"), each.text("want"), each.text("hook")) for each in everybody]
    assert len({repr(each) for each in alike}) == len(everybody) == 1 + 2 + 8


def test_the_same_seed_gives_the_same_bytes_and_another_gives_others(sheetgen: Sheetgen, evening: Path) -> None:
    def made(name: str) -> bytes:
        assert sheetgen("session", "toll.yaml", "--part", "run-sheet", "-o", name).code == 0
        return (evening.parent / name).read_bytes()

    first = made("a.pdf")
    assert made("b.pdf") == first
    evening.write_text(EVENING.replace("seed: 7", "seed: 8"), encoding="utf-8")
    assert made("c.pdf") != first


def test_half_the_people_of_an_evening_come_from_a_file(sheetgen: Sheetgen, project: Project, evening: Path) -> None:
    assert sheetgen("npc", "gamers", "-n", "3", "--seed", "5", "-o", "kept.yaml").code == 0
    kept = EVENING.replace("people: [chief]", "people: [{from: kept.yaml, only: 2}, chief]")
    told = problems_with(project, kept)
    assert "toll.yaml:21:38:" in told
    assert 'kept.yaml has no "2"' in told
    name = re.findall(r"name: (.+)", (project.where / "kept.yaml").read_text("utf-8"))[1].strip("'\"")
    evening.write_text(kept.replace("only: 2", f'only: "{name}"'), encoding="utf-8")
    opened = open_session(project, evening.name, SessionOptions())
    assert opened.evening.scenes[1][0].character.text("name") == name
    assert project.where / "kept.yaml" in opened.evening.files


def test_who_was_rolled_for_an_evening_is_kept_for_the_next(
    sheetgen: Sheetgen, project: Project, evening: Path
) -> None:
    ran = sheetgen("session", "toll.yaml", "-o", "cast/toll.yaml")
    assert (ran.code, "rolled for “The toll”" in ran.out) == (0, True), ran.err
    before = open_session(project, "toll.yaml", SessionOptions()).evening.everybody
    half = [each.text("name") for each in before][::2]
    assert half[0] == "Chief Ada Marsh"
    (project.where / "next.yaml").write_text(
        "system: gamers\ntitle: After the toll\nseed: 8\nscenes:\n- title: The inn\n"
        f"  people: [3 guards, {{from: cast/toll.yaml, only: {json.dumps(half)}}}]\nreference: none\nscreen: none\n",
        encoding="utf-8",
    )
    opened = open_session(project, "next.yaml", SessionOptions()).evening
    assert [each.values for each in opened.everybody[3:]] == [each.values for each in before[::2]]
    assert [each.text("name") for each in opened.rolled] == [each.text("name") for each in opened.everybody[:3]]
    assert sheetgen("session", "next.yaml", "-o", "next.pdf").code == 0
    kept = sheetgen("session", "next.yaml", "-o", "cast/toll.yaml")
    assert (kept.code, "cast/toll.yaml" in kept.err) == (2, True)


def test_an_evening_of_people_from_files_has_nobody_to_keep(
    sheetgen: Sheetgen, project: Project, evening: Path
) -> None:
    assert sheetgen("session", "toll.yaml", "-o", "cast/toll.yaml").code == 0
    text = "system: gamers\ntitle: Later\nscenes: [{title: One, people: [{from: cast/toll.yaml}]}]\n"
    (project.where / "later.yaml").write_text(text, encoding="utf-8")
    ran = sheetgen("session", "later.yaml", "-o", "cast/later.yaml")
    assert (ran.code, "everybody of this evening is kept in a file already" in ran.err) == (2, True)
    assert not (project.where / "cast" / "later.yaml").exists()
    assert "has no parts" in sheetgen("session", "toll.yaml", "--part", "people", "-o", "x.yaml").err


def test_a_game_without_groups_or_trades_begins_with_three_of_a_kind(
    sheetgen: Sheetgen, project: Project, tmp_path: Path
) -> None:
    """What a game has no list for is not asked for."""
    assert sheetgen("new", "mist").code == 0
    (system,) = tmp_path.rglob("mist/system.yaml")
    (system.parent / "groups.yaml").unlink(missing_ok=True)
    (system.parent / "npcs.yaml").write_text(
        "names: {given: [Ada], family: [Reed]}\narchetypes: {guard: {say: keeps a door}}\n"
    )
    creation = system.parent / "creation.yaml"
    creation.write_text("steps: {given: {do: given}, name: {do: name}}\nmethods: {random: {steps: [given, name]}}\n")
    assert sheetgen("session", "new", "first.yaml", "--system", str(system.parent)).code == 0
    assert "count: 3}" in (project.where / "first.yaml").read_text("utf-8")
    assert sheetgen("check", "first.yaml").code == 0


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("chief, 2 guards", "cheif, 2 guards", 'toll.yaml:9:14: nobody is called "cheif" (did you mean "chief"?)'),
        ("2 guards", "2 gaurds", 'toll.yaml:9:21: nobody here is called "gaurds" (did you mean "guard"?)'),
        ("the road gang", "the road gnag", 'unknown group "the road gnag" (did you mean "the road gang"?)'),
        ("file: letter.md", "file: leter.md", 'toll.yaml:18:16: no file "leter.md" there (did you mean "letter.md"?)'),
        ("file: letter.md", "ready: decree", 'has no handout "decree"'),
        ("file: letter.md", "file: /etc/passwd", "lies outside the folder of the session"),
        ("beats: {2", "beats: {5", "beat 5 comes after the last of 4 segments"),
        ("dice: 2d6", "dice: 2x6", '"2x6" is not dice notation'),
        ("at: 8", "hard: 8", 'unknown key "hard" in attempt'),
        ("archetype: boss,", "archetype: boss, group: the road gang,", "people come from one of"),
        ("read: Fog", "raed: Fog", 'unknown key "raed" in scene (did you mean "read"?)'),
    ],
)
def test_what_is_wrong_is_told_at_its_place(
    project: Project, evening: Path, before: str, after: str, told: str
) -> None:
    assert told in problems_with(project, EVENING.replace(before, after))


def test_every_mistake_of_a_file_is_told_at_once(project: Project, evening: Path) -> None:
    text = EVENING.replace("2 guards", "2 gaurds").replace("letter.md", "leter.md").replace("the road gang", "the gang")
    assert len(problems_with(project, text).splitlines()) == 3


def test_odds_that_the_game_refuses_are_told_at_their_row(sheetgen: Sheetgen, evening: Path) -> None:
    evening.write_text(EVENING.replace("at: 8", "at: steep"), encoding="utf-8")
    ran = sheetgen("session", "toll.yaml", "-o", "toll.pdf")
    assert ran.code == 2
    assert "toll.yaml:11:9:" in ran.err
    assert not (evening.parent / "toll.pdf").exists()


def test_check_asks_the_game_for_odds_and_fights_and_tells_all_that_it_refuses(
    sheetgen: Sheetgen, evening: Path
) -> None:
    text = EVENING.replace("at: 8}", "at: steep}\n      - {try: Swim, at: deep}")
    mill = "  - title: The mill\n    fights:\n      - {first: 99 guards, second: here}\n"
    evening.write_text(text.replace("  - title: The mill\n", mill), encoding="utf-8")
    for verb in (("check", "toll.yaml"), ("session", "toll.yaml", "-o", "toll.pdf")):
        told = sheetgen(*verb).err
        assert "toll.yaml:11:9: at: takes" in told
        assert 'not "steep"' in told
        assert "toll.yaml:12:9: at: takes" in told
        assert told.count('"99 guards" has 99 fighters') == 1
        assert "npc:" not in told


def test_a_fight_that_the_rules_refuse_is_told_at_its_line(sheetgen: Sheetgen, evening: Path) -> None:
    """Nine hands of six cards are more than a deck has (`SIX-Q2`)."""
    evening.write_text(
        "system: sixshooter\ntitle: Dawn\nscenes:\n- title: The bluff\n  people: [the posse, 3 guards]\n"
        "  fights:\n  - {first: 2 scouts, second: here}\n".replace("the posse", "{group: the posse}"),
        encoding="utf-8",
    )
    ran = sheetgen("check", "toll.yaml")
    assert ran.code == 1
    assert "toll.yaml:7:5: " in ran.err
    assert "[SIX-Q2]" in ran.err
    many = sheetgen("encounter", "sixshooter", "3 scouts", "6 guards")
    assert many.code == 2
    assert "[SIX-Q2]" in many.err


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_new_session_works_as_it_is(sheetgen: Sheetgen, project: Project, system: str) -> None:
    assert sheetgen("session", "new", "first.yaml", "--system", system, "--seed", "3").code == 0
    ran = sheetgen("session", "first.yaml", "--part", "run-sheet", "-o", "run.pdf")
    assert ran.code == 0, ran.err
    words = " ".join(" ".join(page_texts((project.where / "run.pdf").read_bytes())).split())
    assert "Get in unseen" in words
    assert "None" not in words
    assert "page 1 of 2" not in words  # each scene has a page
    again = sheetgen("session", "new", "first.yaml", "--system", system)
    assert again.code == 2
    assert "is there already" in again.err


@pytest.mark.parametrize("seed", [3, 7])
def test_figures_that_are_too_many_for_columns_are_told_in_words(
    sheetgen: Sheetgen, project: Project, seed: int
) -> None:
    """Nine columns with whole words at their heads left the names of people of GeneSix less than no room."""
    assert sheetgen("session", "new", "first.yaml", "--system", "genesix", "--seed", str(seed)).code == 0
    ran = sheetgen("session", "first.yaml", "--part", "run-sheet", "-o", "run.pdf")
    assert (ran.code, ran.err) == (0, "")
    words = " ".join(" ".join(page_texts((project.where / "run.pdf").read_bytes())).split())
    assert re.search("[+−][12] (Strength|Agility|Mental|Social)", words)


def test_a_run_sheet_for_a_phone_is_one_page_that_fetches_nothing(sheetgen: Sheetgen, evening: Path) -> None:
    assert sheetgen("session", "toll.yaml", "--part", "run-sheet", "-o", "toll.html").code == 0
    page = (evening.parent / "toll.html").read_text("utf-8")
    assert 'type="checkbox"' in page
    assert "Climb the pier" in page
    assert not re.search(r"(?:src|href)=|url\((?!data:)", re.sub(r'src="data:|href="#', "", page))
    assert page.count("<script") == 1  # our own, named by its hash in the policy
    assert sheetgen("session", "toll.yaml", "--part", "screen", "-o", "toll.html").code == 2


def test_an_evening_is_checked_before_it_is_printed(sheetgen: Sheetgen, evening: Path) -> None:
    assert "toll.yaml: ok, an evening of 2 scenes of GAMERS, 10 people" in sheetgen("check", "toll.yaml").out
    evening.write_text(EVENING.replace("2 guards", "2 gaurds"), encoding="utf-8")
    ran = sheetgen("check", "toll.yaml")
    assert ran.code == 1
    assert 'toll.yaml:9:21: nobody here is called "gaurds"' in ran.err
