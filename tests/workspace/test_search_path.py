"""Where packs are looked for: by option, by environment, by the project file, in one order."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.workspace import PACKS_OPTION
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

Sheetgen = Callable[..., Any]
ALL = ("option", "content", "variable", "file", "shelf")


def put(sheetgen: Sheetgen, folder: str, title: str, name: str = "mist") -> None:
    """A small game in a folder, with a title of its own."""
    assert sheetgen("new", "made", "-o", f"{folder}/{name}").code == 0
    manifest = Path(folder, name, "system.yaml")
    said = {"id": name, "title": title}
    lines = manifest.read_text().splitlines()
    lines = [f"{key}: {said[key]}" if (key := line.partition(":")[0]) in said else line for line in lines]
    manifest.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("there", [ALL[first:] for first in range(len(ALL))])
def test_of_packs_with_one_name_the_first_counts(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: tuple[str, ...]
) -> None:
    for name in there:
        put(sheetgen, "data/sheetgen/packs" if name == "shelf" else name, name)
    words = ["--packs", "option"] if "option" in there else []
    monkeypatch.setenv("SHEETGEN_PACKS", "variable")
    if "file" in there:
        (tmp_path / "sheetgen.toml").write_text('packs = ["file"]\n')
    for told in (sheetgen("systems", "mist", "--json", *words), sheetgen(*words, "systems", "mist", "--json")):
        assert [(each["title"], each["from"]) for each in json.loads(told.out)] == [
            (
                there[0],
                {
                    "option": "option/mist (--packs)",
                    "content": "content/mist",
                    "variable": "variable/mist ($SHEETGEN_PACKS)",
                    "file": "file/mist (sheetgen.toml)",
                    "shelf": "data/sheetgen/packs/mist (your shelf)",
                }[there[0]],
            )
        ]


def test_a_pack_may_lie_beside_the_folder_of_its_project_file(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(sheetgen, "games", "Mist")
    (tmp_path / "evening").mkdir()
    monkeypatch.chdir(tmp_path / "evening")
    Path("sheetgen.toml").write_text('packs = ["../games"]\n')
    assert sheetgen("npc", "mist", "-o", "people.yaml").code == 0
    assert sheetgen("sheet", "people.yaml", "-o", "people.pdf").code == 0  # the file says `system: mist`
    assert "mist from ../games/mist (sheetgen.toml)" in sheetgen("doctor").out
    assert " mist " in sheetgen("completion", "bash").out


def test_a_pack_from_elsewhere_is_never_ours(sheetgen: Sheetgen, tmp_path: Path, project: Any) -> None:
    put(sheetgen, "games", "Mist")
    (tmp_path / "sheetgen.toml").write_text('packs = ["games"]\n')
    (tmp_path / "linked").symlink_to(project.content)
    by_file = project_at(tmp_path, os.environ)
    by_option = project_at(tmp_path, {**os.environ, PACKS_OPTION: "games"})
    assert not open_pack(by_file, "mist").ours
    assert not open_pack(by_option, "mist").ours


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (
            'packs = ["/tmp"]',
            '"/tmp" is neither below nor beside this folder (name it with --packs or $SHEETGEN_PACKS)',
        ),
        ('packs = ["../.."]', '"../.." is neither below nor beside this folder'),
        ('packs = ["out"]', '"out" is neither below nor beside this folder'),
        ('packs = ["//evil.example/share"]', '"//evil.example/share" is neither below nor beside'),
        (r"packs = ['\\evil.example\share']", r'"\\evil.example\share" is neither below nor beside'),
        ('packs = ["games", "gamez"]', '"gamez" is no folder'),
        ('packs = ["games/mist"]', '"games/mist" is a pack: name the folder that it lies in'),
    ],
)
def test_a_project_file_names_folders_of_packs_near_it(
    sheetgen: Sheetgen, tmp_path: Path, written: str, line: str
) -> None:
    put(sheetgen, "games", "Mist")
    (tmp_path / "out").symlink_to("/")
    (tmp_path / "sheetgen.toml").write_text(f"# of an evening\n{written}\n")
    told = sheetgen("npc", "gamers", "-o", "x.yaml")
    assert (told.code, told.err[: len(line) + 23].rstrip()) == (
        2,
        f"sheetgen.toml:2:1: packs: {line}"[: len(line) + 23],
    )


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("packs = 3", 'sheetgen.toml:1:1: packs is a list of folders: write packs = ["../our-games"]'),
        ("packs = [3]", "sheetgen.toml:1:1: packs is a list of folders"),
        ('pakcs = ["x"]', 'sheetgen.toml:1:1: unknown key "pakcs" (did you mean "packs"?)'),
        ("[hause.gamers]\nx = 1", 'sheetgen.toml:1:2: unknown key "hause" (did you mean "house"?)'),
    ],
)
def test_a_project_file_says_nothing_in_vain(sheetgen: Sheetgen, tmp_path: Path, written: str, line: str) -> None:
    (tmp_path / "sheetgen.toml").write_text(f"{written}\n")
    told = sheetgen("systems")
    assert (told.code, told.err.startswith(line)) == (2, True)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--packs", "nix", "systems"], "--packs: nix is no folder"),
        (["systems", "--packs=games/mist"], "--packs: games/mist is a pack: name the folder that it lies in"),
        (["systems", "--packs"], "--packs needs a folder that packs lie in"),
    ],
)
def test_what_the_option_names_must_be_there(sheetgen: Sheetgen, words: list[str], line: str) -> None:
    put(sheetgen, "games", "Mist")
    told = sheetgen(*words)
    assert (told.code, told.err) == (2, f"{line}\n")


def test_doctor_tells_of_a_folder_in_the_environment_that_is_not_there(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHEETGEN_PACKS", f"nix{os.pathsep}content")
    assert f"there is no {tmp_path / 'nix'}: take it out of $SHEETGEN_PACKS" in sheetgen("doctor").out


def test_what_may_not_be_read_hides_no_other_pack(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(sheetgen, "games", "Mist")
    listed = Path.iterdir

    def guarded(folder: Path) -> Any:
        if folder.name == "locked":
            raise PermissionError(13, "Permission denied")
        return listed(folder)

    monkeypatch.setattr(Path, "iterdir", guarded)
    (tmp_path / "locked").mkdir()
    monkeypatch.setenv("SHEETGEN_PACKS", f"locked{os.pathsep}games")
    assert "mist" in project_at(tmp_path, os.environ).library.packs


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[foo]]\nx = 1\n", 'sheetgen.toml:1:1: unknown key "foo"'),
        ('packs = ["a\\u0000b"]\n', "packs is a list of folders"),
    ],
)
def test_whatever_stands_in_a_project_file_is_told_in_one_line(
    sheetgen: Sheetgen, tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "sheetgen.toml").write_text(text, "utf-8")
    ran = sheetgen("npc", "gamers", "-o", "x.pdf")
    assert ran.code == 2
    assert told in ran.err
