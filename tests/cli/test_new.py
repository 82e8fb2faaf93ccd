"""`sheetgen new`: a game of one's own that works at once, a variant of any game, and nothing ever written over."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from sheetgen.content.packs.folders import find_packs
from sheetgen.content.yaml.nodes import parse

Sheetgen = Callable[..., Any]
ROOT = Path(__file__).parents[2]
STARTER = [
    *("creation.yaml", "examples.yaml", "npcs.yaml", "rules/01-the-roll.yaml"),
    *("screen.yaml", "sheet.yaml", "system.yaml", "tables.yaml"),
]


def files(folder: Path) -> list[str]:
    """Every file below a folder, hidden ones and empty folders included."""
    found = (path for path in folder.rglob("*") if not path.is_dir() or not any(path.iterdir()))
    return sorted(path.relative_to(folder).as_posix() for path in found)


def seen(folder: Path) -> list[str]:
    """The files of a pack without those for editors, in a hidden folder."""
    return [name for name in files(folder) if not name.startswith(".schema/")]


def test_a_new_game_is_a_folder_of_files_that_say_what_to_change(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("new", "salt-marsh")
    assert (ran.code, ran.err) == (0, "")
    first, *rest = ran.out.splitlines()
    assert first.startswith("content/salt-marsh: a game of your own in 8 files")
    assert rest == [
        "try next:",
        "  sheetgen check salt-marsh",
        "  sheetgen npc salt-marsh -n 3",
        "  sheetgen play salt-marsh attempt target=10 bonus=3",
        "editors with YAML support complete and explain every key: .schema/ tells them how",
    ]
    pack = tmp_path / "content" / "salt-marsh"
    assert seen(pack) == STARTER
    for name in STARTER:
        text = (pack / name).read_text()
        assert text.startswith("# "), f"{name} does not say what to change"
        editors, _, rest = text.partition("\n")
        assert "$" not in rest
        parse(text.encode(), name)
        schema = json.loads((pack / name).parent.joinpath(editors.partition("$schema=")[2]).read_text())
        errors = jsonschema.Draft7Validator(schema).iter_errors(yaml.safe_load(text))
        assert [error.message for error in errors] == []
    manifest = (pack / "system.yaml").read_text()
    assert "\nid: salt-marsh\n" in manifest
    assert "\ntitle: Salt Marsh\n" in manifest
    assert "sheetgen check salt-marsh" in manifest


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "mist"], "mist: ok, 4 traits, 1 table, 1 creation method, 2 archetypes"),
        (["check", "mist"], "2 rule IDs"),
        (["npc", "mist", "-n", "3"], "output/mist-npcs.pdf: 3 people of Mist"),
        (["npc", "mist", "--archetype", "rival", "-o", "rival.yaml"], "rival.yaml: 1 person of Mist"),
        (["blank", "mist"], "output/mist-blank.pdf: an empty sheet, front and back"),
        (
            ["play", "mist", "attempt", "target=10", "bonus=3", "--dice", "4,3"],
            "2d6: 7 + 3 = 10, against 10: success by 0",
        ),
        (["odds", "mist", "attempt", "target=10", "bonus=3", "--of", "success"], "7/12"),
        (["book", "mist"], "output/mist-rulebook.pdf: the rules of Mist"),
        (["cards", "mist"], "output/mist-cards.pdf"),
        (["screen", "mist"], "output/mist-screen.pdf: 3 panels of Mist"),
        (["systems", "mist"], "Mist, a game of our own"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_new_game_works_at_once(sheetgen: Sheetgen, words: list[str], said: str) -> None:
    sheetgen("new", "mist")
    ran = sheetgen(*words)
    assert (ran.code, ran.err.replace(_seed(ran.err), "")) == (0, "")
    assert said in ran.out


def _seed(told: str) -> str:
    """The line that tells the seed of a run that was given none."""
    return next((f"{line}\n" for line in told.splitlines() if line.startswith("rolled with --seed ")), "")


def test_the_longest_name_still_fits_on_the_cover_of_its_book(sheetgen: Sheetgen) -> None:
    name = "thecitybeneaththeseaandthetownaboveitall"
    sheetgen("new", name)
    ran = sheetgen("book", name, "--paper", "a5", "-o", "book.pdf")
    assert (len(name), ran.code, ran.err) == (40, 0, "")


def test_a_character_of_a_new_game_rolls_with_what_is_on_the_sheet(sheetgen: Sheetgen, tmp_path: Path) -> None:
    sheetgen("new", "mist")
    (tmp_path / "people.yaml").write_text("system: mist\ncharacters:\n- {name: Ada, abilities: {Body: 1, Wits: 4}}\n")
    ran = sheetgen("play", "mist", "attempt", "by=@people.yaml:Ada", "with=Wits", "target=10", "--dice", "4,3")
    assert (ran.code, ran.out.splitlines()[1]) == (0, "2d6: 7 + 4 = 11, against 10: success by 1")


@pytest.mark.parametrize("parent", ["gamers", "agents", "tsgs", "sixshooter", "diecodes", "genesix"])
def test_a_variant_of_any_game_rolls_a_part_of_its_own(sheetgen: Sheetgen, tmp_path: Path, parent: str) -> None:
    ran = sheetgen("new", "mine", "--from", parent)
    assert ran.code == 0
    assert ran.out.startswith("content/mine: a variant of ")
    manifest = (tmp_path / "content" / "mine" / "system.yaml").read_text()
    assert f"\nextends: {parent}\n" in manifest
    assert seen(tmp_path / "content" / "mine") == ["creation.yaml", "npcs.yaml", "system.yaml"]
    ran = sheetgen("npc", "mine", "-n", "3", "--archetype", "newcomer", "--seed", "7", "-o", "people.yaml")
    assert (ran.code, ran.err) == (0, "")
    assert "asks what things used to be called" in (tmp_path / "people.yaml").read_text()
    assert sheetgen("check", "people.yaml").code == 0


def test_a_variant_prints_the_pages_of_its_game(sheetgen: Sheetgen) -> None:
    sheetgen("new", "mine", "--from", "sixshooter")
    assert sheetgen("systems", "mine").out.startswith("mine         Mine, a variant of Six Shooter: old rules")
    ran = sheetgen("blank", "mine")
    assert (ran.code, ran.err, ran.out[:21]) == (0, "", "output/mine-blank.pdf")


def test_a_variant_may_take_other_names_whose_initials_spell_its_title(sheetgen: Sheetgen, tmp_path: Path) -> None:
    sheetgen("new", "magers", "--from", "gamers")
    manifest = tmp_path / "content" / "magers" / "system.yaml"
    head, skin = manifest.read_text().split("# skin:")
    lines = ["skin:", *(line.removeprefix("# ").removeprefix("#") for line in skin.splitlines()[1:])]
    grit, awareness, mind, *rest = lines[2:]
    manifest.write_text(head + "\n".join([*lines[:2], mind, awareness, grit, *rest]) + "\n")
    assert sheetgen("npc", "magers", "-o", "somebody.yaml").code == 0
    manifest.write_text(head + "\n".join(lines) + "\n")
    assert "the initials spell GAMERS, not Magers" in sheetgen("npc", "magers", "-o", "somebody.yaml").err


@pytest.mark.parametrize(("parent", "spelt"), [("gamers", True), ("chalkdown", False)])
def test_only_a_variant_whose_initials_must_spell_its_title_is_told_so(
    sheetgen: Sheetgen, tmp_path: Path, parent: str, spelt: bool
) -> None:
    sheetgen("new", "mine", "--from", parent)
    manifest = (tmp_path / "content" / "mine" / "system.yaml").read_text()
    assert ("the initials must spell the title" in manifest) == spelt


def test_a_variant_of_a_game_of_ones_own(sheetgen: Sheetgen, tmp_path: Path) -> None:
    sheetgen("new", "mist")
    for number, parent in enumerate(("mist", "./content/mist", "fog-1")):
        assert sheetgen("new", f"fog-{number}", "--from", parent).code == 0
    assert "\nextends: mist\n" in (tmp_path / "content" / "fog-1" / "system.yaml").read_text()
    ran = sheetgen("systems", "fog-2")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "fog-2        Fog 2, a variant of Fog 1: old rules, other people")


def test_a_pack_may_lie_anywhere_and_is_then_called_by_its_path(sheetgen: Sheetgen, tmp_path: Path) -> None:
    ran = sheetgen("new", "mist", "-o", "my drafts")
    assert (ran.code, ran.out.splitlines()[2]) == (0, "  sheetgen check './my drafts'")
    assert seen(tmp_path / "my drafts") == STARTER
    ran = sheetgen("new", "fog", "--from", "./my drafts")
    assert ran.code == 2
    assert ran.err == (
        "my drafts: a pack can extend only what has a name here (move it to content/mist, and say --from mist)\n"
    )
    assert not (tmp_path / "content").exists()


def test_a_program_is_told_in_json_and_the_quiet_are_told_nothing(sheetgen: Sheetgen) -> None:
    told = json.loads(sheetgen("new", "mist", "--json").out)
    assert told == {
        "system": "mist",
        "files": STARTER,
        "next": ["sheetgen check mist", "sheetgen npc mist -n 3", "sheetgen play mist attempt target=10 bonus=3"],
        "written": ["content/mist"],
    }
    assert sheetgen("new", "fog", "--quiet").out == ""


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("../x", "x"),
        ("Ünïcode", "unicode"),
        ("My Game", "my-game"),
        ("con", "con-name"),
        ("7th sea", "th-sea"),
        ("", "unnamed"),
        ("山", "mist"),
        ("a" * 80, "a" * 40),
        ("mist\n", "mist"),
        ("-", "unnamed"),
    ],
)
def test_a_name_that_cannot_name_files_is_refused_with_one_that_can(
    sheetgen: Sheetgen, tmp_path: Path, name: str, better: str
) -> None:
    ran = sheetgen("new", name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(
        f" cannot name a pack (write up to 40 small letters, digits and hyphens, a letter first, such as {better})\n"
    )
    assert ran.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["gamers"], '"gamers" is a system already (take another one; sheetgen new my-gamers --from gamers starts'),
        (["card"], '"card" cannot name a pack: pages of sheetgen are called so'),
        (["mist", "--from", "gamer"], 'unknown system "gamer" (did you mean "gamers"?)'),
        (["mist", "--from", "./nowhere"], "./nowhere: no such folder"),
        (["mist", "-o", "-"], "a pack is a folder, and standard output can take none"),
        (["mist", "--form", "gamers"], 'unexpected "--form" (did you mean "--from"?)'),
        ([], "the following arguments are required: name"),
    ],
)
def test_other_words_that_are_refused(sheetgen: Sheetgen, tmp_path: Path, words: list[str], problem: str) -> None:
    ran = sheetgen("new", *words)
    assert (ran.code, ran.out, list(tmp_path.iterdir())) == (2, "", [])
    assert problem in ran.err


def test_what_is_there_is_never_written_over(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "content" / "mist").mkdir(parents=True)
    (tmp_path / "notes").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    for words, shown in (
        (["mist"], "content/mist"),
        (["fog", "-o", "notes"], "notes"),
        (["fog", "-o", "link"], "link"),
    ):
        ran = sheetgen("new", *words)
        said = f'cannot write "{shown}": it is there already, and nothing is written over it\n'
        assert (ran.code, ran.err) == (4, said)
    assert files(tmp_path) == ["content/mist", "link", "notes"]
    assert sheetgen("new", "fog").code == 0
    before = (tmp_path / "content" / "fog" / "npcs.yaml").read_bytes()
    ran = sheetgen("new", "fog", "--from", "gamers")
    assert (ran.code, ran.err.partition(" (")[0]) == (2, '"fog" is a system already')
    assert (tmp_path / "content" / "fog" / "npcs.yaml").read_bytes() == before


@pytest.mark.parametrize("written", [0, 3, len(STARTER) - 1])
def test_a_full_disk_leaves_nothing_behind(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    calls = iter(range(written))

    def full(handle: int) -> None:
        if next(calls, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(os, "replace", os.rename)
    ran = sheetgen("new", "mist", "-o", "here/and/there")
    assert ran.code == 4
    assert ran.err.startswith('cannot write "here/and/there/')
    assert "No space left on device" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_stopped_half_way_it_leaves_nothing_behind(
    sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", stopped)
    assert sheetgen("new", "mist").code == 130
    assert list(tmp_path.iterdir()) == []


def test_what_it_starts_from_is_no_system_of_its_own() -> None:
    """The templates of a new pack come with sheetgen, and stand in no list of systems."""
    assert (ROOT / "templates" / "pack" / "starter" / "system.yaml").is_file()
    assert not {"starter", "variant"} & set(find_packs([ROOT / "content"]))


@pytest.mark.parametrize(
    ("folder", "game", "suffix"),
    [
        ("lanes", "roads", ".yaml"),
        ("far away/old roads", "roads", ".json"),
        ("far away/gamers", "gamers", ".csv"),  # whose id is that of a pack of ours
        ("roads", "roads", ".yaml"),
    ],
)
def test_people_of_a_pack_called_by_its_path_can_be_read_again(
    sheetgen: Sheetgen, tmp_path: Path, folder: str, game: str, suffix: str
) -> None:
    sheetgen("new", "roads")
    shutil.move(tmp_path / "content/roads", tmp_path / folder)
    system = tmp_path / folder / "system.yaml"
    system.write_text(system.read_text("utf-8").replace("id: roads", f"id: {game}"), "utf-8")
    assert sheetgen("npc", str(tmp_path / folder), "-n", "2", "-o", f"evening/people{suffix}").code == 0
    written = (tmp_path / "evening" / f"people{suffix}").read_text("utf-8-sig")
    assert (f"./{folder}" if folder == "lanes" else folder) in written
    assert str(tmp_path) not in written
    assert sheetgen("check", f"evening/people{suffix}").code == 0
    os.chdir(tmp_path / "evening")
    assert sheetgen("check", f"people{suffix}").code == 0
