"""The command line as a person meets it: what is written where, what is said, and how a run ends."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from sheetgen.cli import main
from sheetgen.cli.app import MEANT
from sheetgen.cli.verbs import VERBS
from sheetgen.services.build import items
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

Sheetgen = Callable[..., Any]


def digest(path: Path) -> str:
    """What a file holds, in short."""
    return hashlib.blake2b(path.read_bytes()).hexdigest()


def test_help_lists_every_verb(sheetgen: Sheetgen) -> None:
    ran = sheetgen("--help")
    assert ran.code == 0
    assert all(f"\n  {verb} " in ran.out for verb in VERBS)


def test_help_for_a_verb_is_the_help_of_that_verb(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["help", "npc"], ["npc", "--help"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
    asked, said = capsys.readouterr().out.split("usage: sheetgen npc ")[1:]
    assert asked == said


def test_the_quick_start_of_the_readme_runs_in_an_empty_folder_in_its_order(
    sheetgen: Sheetgen, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    block = text.partition("## Quick start\n\n```\n")[2].partition("```")[0]
    *commands, last = [shlex.split(line.partition("  ")[0]) for line in block.splitlines()]
    assert last == ["sheetgen", "build"]  # which takes minutes, and has tests of its own
    for name, *words in commands:
        monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 40))  # `make` asks
        ran = sheetgen(*words)
        assert (name, ran.code) == ("sheetgen", 0), (words, ran.err)


def test_every_word_that_people_try_leads_to_a_verb() -> None:
    assert {meant.split()[0] for meant in MEANT.values()} <= set(VERBS)
    assert not set(MEANT) & set(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_an_example_in_its_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([verb, "--help"])
    assert ended.value.code == 0
    assert f"example:\n  sheetgen {verb}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["ncp"], 2, 'unknown verb "ncp" (did you mean "npc"?)'),
        (["people", "gamers"], 2, 'unknown verb "people" (did you mean "npc"?)'),
        (["validate", "heroes.yaml"], 2, 'unknown verb "validate" (did you mean "check"?)'),
        (["preview", "gamers"], 2, 'unknown verb "preview" (did you mean "studio"?)'),
        (["watch", "gamers"], 2, 'unknown verb "watch" (did you mean "build --watch"?)'),
        (["prnit", "heroes.yaml"], 2, 'unknown verb "prnit" (did you mean "print"?)'),
        (["lst"], 2, 'unknown verb "lst" (did you mean "list"?)'),
        (["monsters"], 2, 'unknown verb "monsters"; sheetgen --help lists the verbs by what they do'),
        (["npc", "gamers", "--odd"], 2, 'unexpected "--odd"; sheetgen npc --help explains'),
        (["help", "ncp"], 2, 'unknown verb "ncp" (did you mean "npc"?)'),
        (
            ["odds", "gamers", "check", "skill=2", "difficulty=8", "--of", "mean"],
            2,
            "for the mean say --mean, and with --of which result",
        ),
        (["npc", "gamer"], 2, 'sheetgen: unknown system "gamer" (did you mean "gamers"?)'),
        (["npc", "./nowhere"], 2, "./nowhere: no such folder"),
        (["npc", "gamers", "-n", "0"], 2, '-n/--count: takes a whole number from 1 to 100,000,000, not "0"'),
        (["npc", "gamers", "-n", "1e3"], 2, '-n/--count: takes a whole number from 1 to 100,000,000, not "1e3"'),
        (["npc", "gamers", "--seed", "9" * 40], 2, "--seed: takes a whole number from 0 to"),
        (["npc", "gamers", "--sed", "7"], 2, 'unexpected "--sed" (did you mean "--seed"?)'),
        (["sheet", "a.yaml", "--printer", "attic"], 2, 'unexpected "--printer"; sheetgen sheet --help explains'),
        (["npc", "gamers", "--archetype", "gaurd"], 2, 'unknown archetype "gaurd" (did you mean "guard"?)'),
        (["npc", "gamers", "--option", "tech"], 2, '--option: takes NAME=VALUE, not "tech"'),
        (["npc", "gamers", "-o", "x.doc"], 2, '"x.doc": the format must be .pdf, .html, .yaml, .json, .csv'),
        (["npc", "gamers", "-o", "-"], 2, "standard output: say which with --to"),
        (["blank", "gamers", "--paper", "a44"], 2, 'unknown paper "a44" (did you mean "a4"?)'),
        (["blank", "gamers", "--paper", "a6"], 2, 'unknown paper "a6"'),
        (["npc", "gamers", "--option", "tech=9", "--option", "tech=6"], 2, '--option tech is given twice: "9" and "6"'),
        (["npc", "gamers", "-o", "a.pdf", "-o", "./a.pdf"], 2, '"./a.pdf" and "a.pdf" are the same file'),
        (["npc", "gamers", "--to", "csv"], 2, "--to gives the format of standard output: say -o -, too"),
        (["npc", "gamers", "-o", "a.pdf", "--to", "csv"], 2, "--to gives the format of standard output"),
        (["npc", "gamers", "-o", "-x.pdf"], 2, "a name that begins with a hyphen is given as --output=-x.pdf"),
        (["npc", "gamers", "-o", "--quiet"], 2, "-o/--output: expected one argument"),
        (["npc", "gamers", "--as", "form", "-n", "2", "-o", "f.pdf"], 2, "f.pdf is one file, and 2 forms are one file"),
        (["npc", "gamers", "--as", "form", "-o", "f.html"], 2, "f.html: a form is a .pdf"),
        (
            ["npc", "gamers", "-n", "2001", "-o", "a.pdf", "-o", "a.html"],
            3,
            "a web page takes 2,000 people at the most",
        ),
        (["blank", "gamers", "--fillable", "-o", "x.html"], 2, "--fillable makes a .pdf"),
        (["sheet", "nobody.yaml"], 2, "nobody.yaml: no such file"),
        (["check", "nobody.yaml"], 1, "nobody.yaml: no such file"),
    ],
)
def test_a_wrong_word_gets_one_line_and_writes_nothing(
    sheetgen: Sheetgen, tmp_path: Path, words: list[str], code: int, line: str
) -> None:
    ran = sheetgen(*words)
    assert ran.code == code
    assert line in ran.err
    assert ran.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_npc_writes_half_a_page_each_and_the_same_people_as_yaml(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("npc", "gamers", "-n", "3", "--seed", "7")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "output/gamers-npcs.pdf: 3 people of GAMERS\noutput/gamers-npcs.yaml: 3 people of GAMERS\n"
    with pikepdf.open(tmp_path / "output" / "gamers-npcs.pdf") as pdf:
        assert len(pdf.pages) == 2  # two people to a page
        assert str(pdf.Root.Lang) == "en"
    again = sheetgen("sheet", "output/gamers-npcs.yaml", "--as", "npc", "-o", "again.pdf")
    assert again.code == 0
    assert digest(tmp_path / "again.pdf") == digest(tmp_path / "output" / "gamers-npcs.pdf")


def test_the_same_seed_gives_the_same_bytes(sheetgen: Sheetgen, tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf"):
        assert sheetgen("npc", "gamers", "-n", "200", "--seed", "7", "-o", name).code == 0
    assert digest(tmp_path / "a.pdf") == digest(tmp_path / "b.pdf")


def test_number_57_alone_is_number_57_of_the_run(sheetgen: Sheetgen, tmp_path: Path) -> None:
    sheetgen("npc", "gamers", "-n", "57", "--seed", "7", "-o", "run.json")
    sheetgen("npc", "gamers", "--seed", "7", "--index", "57", "-o", "alone.json")
    run, alone = (json.loads((tmp_path / name).read_text()) for name in ("run.json", "alone.json"))
    assert alone["characters"] == run["characters"][56:]


def test_standard_output_takes_a_result_and_nothing_else(sheetgen: Sheetgen) -> None:
    ran = sheetgen("npc", "gamers", "--seed", "7", "-o", "-", "--to", "json")
    assert ran.code == 0
    assert json.loads(ran.out)["system"] == "gamers"


def test_json_tells_what_was_done_in_one_line(sheetgen: Sheetgen) -> None:
    ran = sheetgen("npc", "gamers", "--seed", "7", "--json")
    told = json.loads(ran.out)
    assert told["seed"] == 7
    assert told["written"] == ["output/gamers-npcs.pdf", "output/gamers-npcs.yaml"]


def test_the_log_tells_how_somebody_was_rolled(sheetgen: Sheetgen) -> None:
    ran = sheetgen("npc", "gamers", "--seed", "7", "--log", "-o", "x.yaml")
    assert "Attributes rolled [GAM-030]\n  Grit: " in ran.out


def test_an_input_is_never_overwritten(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "ada.yaml").write_text("system: gamers\nname: Ada\n")
    before = digest(tmp_path / "ada.yaml")
    ran = sheetgen("sheet", "ada.yaml", "-o", "ada.yaml")
    assert (ran.code, ran.err) == (2, "ada.yaml is also an input, and would be overwritten: give another name\n")
    assert digest(tmp_path / "ada.yaml") == before


def test_a_name_no_font_has_is_named_and_the_rest_is_printed(sheetgen: Sheetgen, tmp_path: Path) -> None:
    people = "system: gamers\ncharacters:\n- name: Ada\n- name: 東京\n- name: Łódź Ωμέγα Київ\n"
    (tmp_path / "three.yaml").write_text(people, encoding="utf-8")
    ran = sheetgen("sheet", "three.yaml", "-o", "three.pdf")
    assert ran.code == 1
    assert ran.err.startswith("three.yaml:4:3: Name: ")
    assert "U+6771" in ran.err
    assert ran.out == "three.pdf: 2 of 3 characters\n--font FILE adds a font for what ours cannot print\n"


def test_a_hostile_name_is_kept_whole(sheetgen: Sheetgen, tmp_path: Path) -> None:
    name = "W" * 120
    (tmp_path / "long.yaml").write_text(f"system: gamers\nname: {name}\nnotes: '{') Tj ET Q ' * 400}'\n")
    ran = sheetgen("sheet", "long.yaml", "-o", "long.pdf")
    assert ran.code == 0
    assert "continued on a page of its own" in ran.err
    with pikepdf.open(tmp_path / "long.pdf") as pdf:
        assert len(pdf.pages) >= 2
        assert pdf.check_pdf_syntax() == []


def test_a_place_that_cannot_be_written_ends_with_4(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "folder.pdf").mkdir()
    ran = sheetgen("npc", "gamers", "-o", "folder.pdf")
    assert ran.code == 4
    assert ran.err.count("\n") == 1
    (tmp_path / "output").write_text("a file where the folder should be")
    assert sheetgen("npc", "gamers").code == 4


def test_blank_has_a_back_and_fillable_has_fields(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("blank", "gamers", "-o", "blank.pdf").code == 0
    assert sheetgen("blank", "gamers", "--fillable", "--paper", "letter", "-o", "form.pdf").code == 0
    with pikepdf.open(tmp_path / "blank.pdf") as blank, pikepdf.open(tmp_path / "form.pdf") as form:
        assert len(blank.pages) == len(form.pages) == 2
        assert "/AcroForm" not in blank.Root
        assert len(form.Root.AcroForm.Fields) > 150
        assert [float(edge) for edge in form.pages[0].mediabox] == pytest.approx([0, 0, 612, 792], abs=0.1)


def test_a_form_of_somebody_holds_the_values(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("npc", "gamers", "--seed", "7", "--as", "form", "-o", "one.pdf").code == 0
    assert sheetgen("npc", "gamers", "--seed", "7", "-o", "one.json").code == 0
    name = json.loads((tmp_path / "one.json").read_text())["characters"][0]["name"]
    with pikepdf.open(tmp_path / "one.pdf") as pdf:
        values = {str(field.T): str(field.get("/V", "")) for field in pdf.Root.AcroForm.Fields}
    assert values["name"] == name


@pytest.mark.parametrize("skin", ["agents", "fright", "heroic", "spacer", "waster"])
def test_a_skin_prints_under_its_own_names(sheetgen: Sheetgen, tmp_path: Path, skin: str) -> None:
    ran = sheetgen("npc", skin, "-n", "2", "--seed", "7", "-o", f"{skin}.pdf", "-o", f"{skin}.json")
    assert (ran.code, ran.err) == (0, "")
    person = json.loads((tmp_path / f"{skin}.json").read_text())["characters"][0]
    assert "".join(name[0] for name in person["attributes"]) == skin.upper()


def test_check_says_ok_with_a_count_or_a_line_a_problem(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("check", "gamers").out.startswith("gamers: ok, 48 traits, 9 tables, ")
    (tmp_path / "bad.yaml").write_text("system: gamers\nname: Ada\nattributes: {Strength: 19}\n")
    ran = sheetgen("check", "bad.yaml")
    assert ran.code == 1
    assert ran.err == "bad.yaml:3:24: Strength is 19 (write 0 to F, which is 0 to 15) [GAM-016]\n"


def test_systems_tells_what_can_be_asked_for(sheetgen: Sheetgen) -> None:
    assert "gamers" in sheetgen("systems").out
    told = sheetgen("systems", "gamers").out
    assert "Kyle Schuant, 2008" in told
    assert "guard" in told
    assert {entry["id"] for entry in json.loads(sheetgen("systems", "--json").out)} >= {"gamers", "waster"}


def test_build_makes_only_what_changed(
    sheetgen: Sheetgen, tmp_path: Path, mist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sheetgen.products.people.npc.SHAPES", ("npc", "card"))
    first = sheetgen("build", "./mist")
    assert first.code == 0
    count = first.out.count(": made\n")
    assert count >= 5
    before = {path: digest(path) for path in (tmp_path / "output").glob("mist-*")}
    assert sheetgen("build", "./mist").out == f"{count} unchanged\n"
    (tmp_path / "output" / "mist-blank.pdf").unlink()
    assert f"mist-blank.pdf: made\n{count - 1} unchanged" in sheetgen("build", "./mist").out
    assert {path: digest(path) for path in before} == before


def test_doctor_is_content_with_this_machine(sheetgen: Sheetgen) -> None:
    ran = sheetgen("doctor")
    assert "MISSING" not in ran.out
    assert "Source Serif Pro" in ran.out


def test_a_closed_pipe_ends_quietly(cache: Path, tmp_path: Path) -> None:
    """`sheetgen … | head -1`: no traceback, no noise."""
    command = f'"{sys.executable}" -m sheetgen npc gamers -n 300 --seed 7 -o - --to csv | head -1'
    environ = {**os.environ, "SHEETGEN_CACHE": str(cache)}
    ended = subprocess.run(command, shell=True, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert ended.stdout.startswith("\ufeffsystem,name,")
    assert ended.stderr == ""


def test_an_interrupted_run_leaves_the_old_file(cache: Path, tmp_path: Path) -> None:
    """Ctrl-C in the middle of 200,000 people: exit 130, one line, the old file whole, no temporary left."""
    import signal
    import time

    target = tmp_path / "people.pdf"
    target.write_bytes(b"the old one")
    words = [sys.executable, "-m", "sheetgen", "npc", "gamers", "-n", "200000", "--seed", "7", "-o", "people.pdf"]
    environ = {**os.environ, "SHEETGEN_CACHE": str(cache)}
    with subprocess.Popen(words, cwd=tmp_path, env=environ, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".people.pdf.*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == "stopped; what was finished is whole, nothing is half-written\n"
    assert target.read_bytes() == b"the old one"
    assert [path.name for path in tmp_path.iterdir()] == ["people.pdf"]


MIST = {
    "system.yaml": """
id: mist
title: Mist
credit: Mist, by you
licence: as you like it
traits:
  virtues:
    title: Virtues
    range: 0-5
    members: {Hope: {hint: looking up}, Wit: {}, Steel: {}}
""",
    "creation.yaml": """
steps:
  virtues: {do: roll each, group: virtues, dice: 1d4}
methods:
  random: {steps: [virtues]}
""",
    "sheet.yaml": """
character:
  name: {is: text, title: Name}
  virtues: {is: levels, title: Virtues}
  notes: {is: text, title: Notes}
""",
}


@pytest.fixture
def mist(tmp_path: Path) -> Path:
    """A pack that did not come with sheetgen."""
    folder = tmp_path / "mist"
    (folder / "templates").mkdir(parents=True)
    for name, text in MIST.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ["npc", "./mist", "-o", "mist/system.yaml"],
        ["npc", "./mist", "-o", "people.json", "-o", "mist/system.yaml"],
        ["npc", "./mist", "-o", "mist/templates/sheet.html"],
        ["npc", "./mist", "-o", "mist/new.yaml"],
        ["npc", "./mist", "--as", "form", "-o", "mist/templates"],
        ["npc", "./mist", "-o", "link.yaml"],
        ["npc", "./skin", "-o", "content/root/system.yaml"],
        ["blank", "./mist", "-o", "mist/templates/sheet.html"],
        ["sheet", "ada.yaml", "-o", "content/root/system.yaml"],
    ],
    ids=" ".join,
)
def test_the_files_of_a_pack_are_never_written_over(
    sheetgen: Sheetgen, tmp_path: Path, mist: Path, words: list[str]
) -> None:
    (tmp_path / "content" / "root").mkdir(parents=True)
    for name, text in MIST.items():
        (tmp_path / "content" / "root" / name).write_text(text.replace("id: mist", "id: root"))
    (tmp_path / "skin").mkdir()
    (tmp_path / "skin" / "system.yaml").write_text("id: skin\nextends: root\ntitle: Skin\n")
    (tmp_path / "ada.yaml").write_text("system: root\nname: Ada\n")
    (mist / "templates" / "sheet.html").write_text("mine")
    (tmp_path / "link.yaml").symlink_to(mist / "system.yaml")
    before = {path: digest(path) for path in tmp_path.rglob("*") if path.is_file()}
    ran = sheetgen(*words)
    assert ran.code == 2
    assert f"{words[-1]} lies among the files it is made from" in ran.err
    assert ran.err.count("\n") == 1
    assert {path: digest(path) for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_pack_may_hold_an_output_folder(sheetgen: Sheetgen, tmp_path: Path, mist: Path) -> None:
    assert sheetgen("npc", "./mist", "-o", "mist/output/a.yaml").code == 0
    assert (mist / "output" / "a.yaml").is_file()


def test_nobody_to_print_leaves_the_old_file(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("system: gamers\nname: 東京\n", encoding="utf-8")
    (tmp_path / "old.pdf").write_bytes(b"the old one")
    for name in ("old.pdf", "new.pdf"):
        ran = sheetgen("sheet", "one.yaml", "-o", name, "-o", f"{name}.csv")
        assert ran.code == 1
        assert f"{name}: nobody could be printed, so nothing was written\n" in ran.err
        told = f"{name}.csv: 1 of 1 character\n--font FILE adds a font for what ours cannot print\n"
        assert ran.out == told
    assert (tmp_path / "old.pdf").read_bytes() == b"the old one"
    assert not (tmp_path / "new.pdf").exists()
    ran = sheetgen("sheet", "one.yaml", "-o", "-", "--to", "pdf")
    assert (ran.code, ran.out) == (1, "")


def test_people_that_were_edited_are_not_lost(sheetgen: Sheetgen, tmp_path: Path) -> None:
    output = tmp_path / "output"
    assert sheetgen("npc", "agents", "--seed", "7").code == 0
    assert sheetgen("npc", "agents", "--seed", "8").out.startswith("output/agents-npcs.pdf: ")
    with (output / "agents-npcs.yaml").open("a") as file:
        file.write("# mine\n")
    edited = digest(output / "agents-npcs.yaml")
    for _ in range(2):
        ran = sheetgen("npc", "agents", "--seed", "9")
        assert ran.code == 0
        assert "output/agents-npcs.yaml was changed since, or is not from here: it stays" in ran.out
        assert "output/agents-npcs-2.pdf: 1 person" in ran.out
    assert digest(output / "agents-npcs.yaml") == edited
    names = {path.name for path in output.glob("agents-*npcs*")}
    assert names == {f"agents-npcs{number}.{form}" for number in ("", "-2") for form in ("pdf", "yaml")}
    project = project_at(tmp_path, os.environ)
    built = {item.name for item in items(project, open_pack(project, "agents"), paper="a4")}
    assert not built & names
    assert {name for name in built if "sample" in name} == {
        *(f"agents-sample.{form}" for form in ("pdf", "html", "yaml")),
        *(f"agents-sample-{shape}.pdf" for shape in ("sheet", "card", "index", "tarot", "token", "standee", "tent")),
    }


def test_a_form_that_was_filled_in_is_not_lost(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "gamers-fillable.pdf").write_bytes(b"filled in by hand")
    assert "output/gamers-fillable-2.pdf: an empty sheet" in sheetgen("blank", "gamers", "--fillable").out
    assert (tmp_path / "output" / "gamers-fillable.pdf").read_bytes() == b"filled in by hand"


def test_forms_tell_their_seed(sheetgen: Sheetgen) -> None:
    assert "\nrolled with --seed " in sheetgen("npc", "gamers", "--as", "form").out


def test_messages_name_a_file_as_it_was_written(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "folder.pdf").mkdir()
    ran = sheetgen("npc", "gamers", "-o", "./folder.pdf")
    assert ran.err == 'cannot write "./folder.pdf": it is a folder\n'


def test_a_pack_that_rolls_for_ever_is_stopped(
    sheetgen: Sheetgen, mist: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sheetgen.batch.sandbox import STANDARD, Limits, confined
    from sheetgen.rules.rolling import Roller
    from sheetgen.workspace import packs

    def for_ever(roller: Roller, indices: object) -> None:
        while True:
            pass

    assert STANDARD.cpu_s <= 5
    brief = Limits(cpu_s=1, wall_s=60)
    monkeypatch.setattr(packs, "confined", lambda work, *, what, **_: confined(work, what=what, limits=brief))
    monkeypatch.setattr(Roller, "roll_all", for_ever)
    ran = sheetgen("npc", "./mist", "-o", "x.yaml")
    assert (ran.code, ran.err) == (3, "mist/system.yaml:1:1: stopped, since it takes more than 1 s of computing\n")
    assert not (tmp_path / "x.yaml").exists()


def test_a_relative_cache_is_seen_from_where_one_is(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHEETGEN_CACHE", "kept")
    assert f"cache              {tmp_path / 'kept'}: 0 forms" in sheetgen("doctor").out
