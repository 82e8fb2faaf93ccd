"""A run in several files: split, one for each, archives, what `--resume` keeps and where `--strict` stops."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pikepdf
import pytest

Sheetgen = Callable[..., Any]
FOUR = "system: gamers\ncharacters:\n- name: Ada\n- name: ada\n- name: ../../etc/x\n- name: 東京\n"


def made(folder: Path) -> dict[str, bytes]:
    """What a person sees in a folder."""
    return {path.name: path.read_bytes() for path in folder.glob("[!.]*") if path.is_file()}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--split", "0"], "takes a whole number from 1 to 1,000,000"),
        (["--split", "2", "--each"], "say one of them"),
        (["--split", "2", "--shard", "1/2"], "--shard is a part of sheets or cards as they come"),
        (["--split", "2", "--as", "roster"], "--split makes a file for each person, --as roster one for all"),
        (["--split", "2", "--as", "form"], "--split, --resume and --strict do not go with it"),
        (["--split", "2", "-o", "-", "--to", "pdf"], "standard output takes one"),
        (["--split", "1", "-n", "10001"], "--split makes 10,000 files at the most, not 10,001"),
        (["-n", "50001", "-o", "x.zip"], "a .zip takes 50,000 files at the most, not 50,001"),
        (["-o", "x.zip", "--contents"], "it does not go with a .zip of people"),
        (["-o", "x.zip", "--as", "roster"], "a .zip makes a file for each person, --as roster one for all"),
        (["-o", "x.zip", "--as", "form"], "x.zip: a form is a .pdf"),
        (["-o", "x.zip", "-o", "x.pdf", "--split", "3"], "results are all .zip or none"),
        (["-o", "x.zip", "--resume", "--seed", "7"], "it goes with --split or --each, not with one file"),
        (["--resume", "--split", "2"], "--resume goes on with a run that was begun: say its --seed, too"),
    ],
)
def test_words_that_do_not_go_together_get_one_line(
    sheetgen: Sheetgen, tmp_path: Path, words: list[str], line: str
) -> None:
    ran = sheetgen("npc", "gamers", *words)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert line in ran.err
    assert list(tmp_path.iterdir()) == []


def test_split_makes_a_file_for_every_so_many_people_in_order(sheetgen: Sheetgen, tmp_path: Path) -> None:
    run = ("npc", "gamers", "-n", "7", "--seed", "7", "--sort", "name")
    ran = sheetgen(*run, "--split", "3", "-o", "a/people.pdf", "-o", "a/people.csv")
    assert (ran.code, ran.err) == (0, "")
    first, second, third = ran.out.splitlines()[:3]
    assert first == "a/people-001.pdf: 3 people of GAMERS"
    assert second == "a/people-002.pdf: 3 people of GAMERS"
    assert third.startswith("a/people-003.pdf: ")
    assert sheetgen(*run, "-o", "one.csv").code == 0
    heading, *lines = (tmp_path / "one.csv").read_text().splitlines()
    parts = [(tmp_path / "a" / f"people-00{n}.csv").read_text().splitlines() for n in (1, 2, 3)]
    assert [line for part in parts for line in part[1:]] == lines
    assert {part[0] for part in parts} == {heading}


def test_a_part_is_what_its_people_alone_would_be(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("npc", "gamers", "-n", "60", "--seed", "7", "--split", "30", "-o", "people.pdf").code == 0
    assert sheetgen("npc", "gamers", "-n", "30", "--seed", "7", "--index", "31", "-o", "alone.pdf").code == 0
    assert (tmp_path / "people-002.pdf").read_bytes() == (tmp_path / "alone.pdf").read_bytes()


@pytest.mark.parametrize("words", [("--split", "25"), ("--each",)], ids=["split", "each"])
def test_files_are_the_same_however_many_work_on_them(
    sheetgen: Sheetgen, tmp_path: Path, words: tuple[str, ...]
) -> None:
    run = ("npc", "gamers", "-n", "90", "--seed", "7", *words)
    for workers in "123":
        name = workers if "--each" in words else f"{workers}/people.pdf"
        assert sheetgen(*run, "--workers", workers, "-o", name).code == 0
    assert made(tmp_path / "1") == made(tmp_path / "2") == made(tmp_path / "3")
    assert len(made(tmp_path / "1")) == (90 if "--each" in words else 4)


def test_resume_makes_what_is_missing_changed_or_made_from_something_else(sheetgen: Sheetgen, tmp_path: Path) -> None:
    run = ("npc", "gamers", "-n", "8", "--split", "2", "-o", "people.pdf", "--json")
    assert sheetgen(*run, "--seed", "7").code == 0
    whole = made(tmp_path)
    (tmp_path / "people-002.pdf").unlink()
    (tmp_path / "people-003.pdf").write_bytes(b"changed")
    told = json.loads(sheetgen(*run, "--seed", "7", "--resume").out)
    assert (told["written"], told["kept"]) == (
        ["people-002.pdf", "people-003.pdf"],
        ["people-001.pdf", "people-004.pdf"],
    )
    assert made(tmp_path) == whole
    assert "written" not in json.loads(sheetgen(*run, "--seed", "7", "--resume").out)
    for other in (("--seed", "8"), ("--seed", "8", "--back"), ("--seed", "8", "--back", "--paper", "letter")):
        assert len(json.loads(sheetgen(*run, *other, "--resume").out)["written"]) == 4


def test_resume_tells_in_words_what_is_kept(sheetgen: Sheetgen) -> None:
    run = ("npc", "gamers", "-n", "4", "--seed", "7", "--split", "2")
    assert sheetgen(*run).out == "".join(f"output/gamers-npcs-00{n}.pdf: 2 people of GAMERS\n" for n in (1, 2))
    ran = sheetgen(*run, "--resume")
    assert ran.out == "2 of 2 files are there, made from the same and not changed since: kept\n"


def test_resume_prints_only_who_could_not_be_printed_before(sheetgen: Sheetgen, tmp_path: Path) -> None:
    party = tmp_path / "four.yaml"
    party.write_text(FOUR, encoding="utf-8")
    run = ("sheet", "four.yaml", "--each", "-o", "out")
    assert sheetgen(*run).code == 1
    ran = sheetgen(*run, "--resume")
    assert ran.code == 1
    assert "U+6771" in ran.err
    assert "out/" not in ran.out
    party.write_text(FOUR.replace("東京", "Bo"), encoding="utf-8")
    ran = sheetgen(*run, "--resume")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[1:] == ["out/Bo.pdf: Bo"]


def test_own_names_step_aside_for_what_a_person_changed(sheetgen: Sheetgen, tmp_path: Path) -> None:
    run = ("npc", "gamers", "-n", "4", "--seed", "7", "--split", "2")
    assert sheetgen(*run).code == sheetgen(*run).code == 0
    (tmp_path / "output" / "gamers-npcs-002.pdf").write_bytes(b"mine")
    ran = sheetgen(*run)
    assert ran.out.startswith("output/gamers-npcs-002.pdf was changed since, or is not from here: it stays")
    assert (tmp_path / "output" / "gamers-npcs-002.pdf").read_bytes() == b"mine"
    assert (tmp_path / "output" / "gamers-npcs-2-002.pdf").is_file()


def test_the_seed_is_told_before_a_run_that_may_have_to_be_gone_on_with(sheetgen: Sheetgen) -> None:
    first, *_ = sheetgen("npc", "gamers", "-n", "2", "--split", "1").out.splitlines()
    assert first.startswith("rolled with --seed ")


def test_an_archive_holds_a_file_for_each_person_no_name_twice(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "four.yaml").write_text(FOUR, encoding="utf-8")
    ran = sheetgen("sheet", "four.yaml", "-o", "four.zip")
    assert ran.code == 1
    assert ran.out.startswith("four.zip: 3 of 4 characters in 3 files\n")
    assert "U+6771" in ran.err
    assert sheetgen("sheet", "four.yaml", "--each", "-o", "four").code == 1
    with ZipFile(tmp_path / "four.zip") as packed:
        assert packed.testzip() is None
        assert packed.namelist() == ["Ada.pdf", "ada-2.pdf", "etc-x.pdf"]
        assert {name: packed.read(name) for name in packed.namelist()} == made(tmp_path / "four")


def test_an_archive_is_the_same_to_the_byte_however_many_work_on_it(sheetgen: Sheetgen, tmp_path: Path) -> None:
    run = ("npc", "gamers", "-n", "50", "--seed", "7", "--as", "card")
    for workers in "12":
        assert sheetgen(*run, "--workers", workers, "-o", f"{workers}/each.zip").code == 0
        assert sheetgen(*run, "--workers", workers, "--split", "20", "-o", f"{workers}/by-20.zip").code == 0
    assert made(tmp_path / "1") == made(tmp_path / "2")
    with ZipFile(tmp_path / "1" / "by-20.zip") as packed:
        assert packed.namelist() == [f"by-20-00{n}.pdf" for n in (1, 2, 3)]
        with pikepdf.open(BytesIO(packed.read("by-20-003.pdf"))) as pdf:
            assert len(pdf.open_outline().root) == 10


def test_nobody_printed_leaves_no_archive(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("system: gamers\nname: 東京\n", encoding="utf-8")
    ran = sheetgen("sheet", "one.yaml", "-o", "one.zip")
    assert ran.code == 1
    assert "one.zip: nobody could be printed, so nothing was written" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["one.yaml"]


@pytest.mark.parametrize("words", [["-o", "x.yaml", "-o", "x.pdf"], ["-o", "x.zip"], ["--as", "card", "-o", "x.pdf"]])
def test_strict_stops_at_the_first_who_cannot_be_printed(sheetgen: Sheetgen, tmp_path: Path, words: list[str]) -> None:
    people = FOUR.replace("ada", "龍")
    (tmp_path / "four.yaml").write_text(people, encoding="utf-8")
    ran = sheetgen("sheet", "four.yaml", "--strict", *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert ran.err.startswith("four.yaml:4:3: ")
    assert "U+9F8D" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["four.yaml"]


def test_strict_stops_a_roster_and_keeps_finished_parts(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "four.yaml").write_text(FOUR, encoding="utf-8")
    ran = sheetgen("sheet", "four.yaml", "--strict", "--as", "roster", "-o", "x.pdf")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert not (tmp_path / "x.pdf").exists()
    assert sheetgen("sheet", "four.yaml", "--strict", "--split", "2", "-o", "a/x.pdf").code == 1
    assert list(made(tmp_path / "a")) == ["x-001.pdf"]
