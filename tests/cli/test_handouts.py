"""`sheetgen handouts`, as it is typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from sheetgen.cli.verbs import help_of

Run = Callable[..., Any]

NOTE = "---\nstyle: note\nfrom: M.\n---\nGone for water.\n"


@pytest.fixture(autouse=True)
def note(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(NOTE)


def test_a_file_becomes_a_sheet_under_a_telling_name(sheetgen: Run, tmp_path: Path) -> None:
    ran = sheetgen("handouts", "note.md", "--look", "western", "--paper", "letter")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "output/note-letter.pdf: note “M.”",
        "  1 sheet of Letter, printed on one side, at actual size (100 %)",
        "  cut the small ones along the marks at their corners",
    ]
    assert (tmp_path / "output" / "note-letter.pdf").read_bytes().startswith(b"%PDF")


def test_a_page_as_a_picture_and_all_alone_in_an_archive(sheetgen: Run, tmp_path: Path) -> None:
    (tmp_path / "letter.md").write_text("Come.\n")
    ran = sheetgen("handouts", "note.md", "-o", "note.png", "--ink-saver", "--greyscale")
    assert (ran.code, (tmp_path / "note.png").read_bytes()[:4]) == (0, b"\x89PNG")
    ran = sheetgen("handouts", "note.md", "letter.md", "--style", "note", "-o", "both.zip", "--quiet")
    assert (ran.code, ran.out) == (0, "")
    with ZipFile(tmp_path / "both.zip") as packed:
        assert packed.namelist() == ["note.pdf", "letter.pdf"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "which handouts? name a system, or a file .md or .yaml (sheetgen handouts --help explains)"),
        (["gamers", "tsgs"], "handouts of one system at a time: name one, and files of your own beside it if you like"),
        (["note.md", "--only", "x"], "--only chooses among the handouts of a system, and files are named"),
        (["note.md", "--look", "westen"], 'unknown look "westen" (did you mean "western"?)'),
        (["note.md", "--style", "notte"], 'unknown style "notte" (did you mean "note"?)'),
        (["note.md", "-o", "note.md"], '"note.md": the format must be .pdf, .png, .zip'),
        (["letters"], '"letters" is a folder: name the files in it (sheetgen handouts letters/*.md)'),
        (["letters/"], '"letters/" is a folder: name the files in it (sheetgen handouts letters/*.md)'),
        (["nota.md"], 'nota.md: no such file (did you mean "note.md"?)'),
        (["note.md", "note.md", "-o", "x.png"], "a .png holds one page, and these are 2: name one with --only, or "),
    ],
)
def test_wrong_words_are_told_in_one_line(sheetgen: Run, words: list[str], said: str) -> None:
    Path("letters").mkdir(exist_ok=True)
    Path("letters/one.md").write_text("Dear Ada")
    ran = sheetgen("handouts", *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(said)


def test_what_is_wrong_in_a_file_is_told_with_its_place(sheetgen: Run, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(NOTE.replace("from", "form"))
    ran = sheetgen("handouts", "note.md")
    assert (ran.code, ran.err) == (2, 'note.md:3:1: unknown key "form" in a note (did you mean "from"?)\n')
    assert not (tmp_path / "output").exists()


def test_the_styles_are_listed_with_an_example_of_each(sheetgen: Run) -> None:
    ran = sheetgen("handouts", "--styles")
    assert ran.code == 0
    assert "letter: a letter with its letterhead, signed by hand\n  needs from\n  may have letterhead," in ran.out
    assert "    style: telegram\n" in ran.out
    assert "  noir " in ran.out


def test_what_a_system_has_can_be_asked_for(sheetgen: Run) -> None:
    assert "handouts" in sheetgen("systems", "gamers").out
    assert ", 11 handouts" in sheetgen("check", "sixshooter").out


def test_a_title_with_quotes_of_its_own_stands_between_others(sheetgen: Run, tmp_path: Path) -> None:
    (tmp_path / "file.md").write_text("---\nstyle: dossier\nsubject: Subject “Lantern”\n---\nSeen.\n")
    ran = sheetgen("handouts", "file.md")
    assert ran.out.splitlines()[0] == "output/file.pdf: dossier “Subject ‘Lantern’”"


def test_small_ones_keep_clear_of_what_the_printer_cannot_print_on(sheetgen: Run, tmp_path: Path) -> None:
    ran = sheetgen("handouts", "note.md", "--margin", "12", "--no-marks")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "  cut the small ones out")
    (tmp_path / "letter.md").write_text("---\nstyle: letter\nfrom: M.\n---\nCome.\n")
    ran = sheetgen("handouts", "letter.md", "--margin", "12")
    told = "those as large as the paper are drawn at 94 % of their size, so that 12 mm stay free for your printer"
    assert (ran.code, ran.out.splitlines()[-1]) == (0, f"  {told}")


def test_help_names_the_formats_that_there_are(tmp_path: Path) -> None:
    said = " ".join(help_of("handouts", tmp_path, {}).split())
    assert "the format for -o - (pdf, png, zip)" in said
