"""Packs as files: the same bytes each time, and nothing unpacked of an archive that lies, leads out or swells."""

from __future__ import annotations

import io
import json
import random
import shutil
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from sheetgen.errors import InputError
from sheetgen.workspace.archive import (
    CONTENTS,
    MOST_BYTES,
    MOST_FILES,
    About,
    Sheetpack,
    digest_of,
    read_sheetpack,
    write_sheetpack,
)
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]
FILES = {"system.yaml": b"id: mist\n", "rules/01-the-roll.yaml": b"title: The roll\n"}
LONG_FILES = {"system.yaml": b"id: mist\n" * 200, "templates/title.ttf": bytes(range(256)) * 9}
ABOUT = About("mist", "Mist", "1.2", "Mist, by Ada", "as you like it", "", "", digest_of(FILES))


def about_of(files: Mapping[str, bytes]) -> About:
    return replace(ABOUT, digest=digest_of(files))


def packed(pack: Sheetpack) -> bytes:
    found = io.BytesIO()
    write_sheetpack(found.write, pack)
    return found.getvalue()


def zipped(files: Mapping[str, bytes], about: About = ABOUT, mode: int = 0o100644) -> bytes:
    """An archive as a stranger makes one: with these entries, all of this mode."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(CONTENTS, json.dumps({"sheetpack": 1, **asdict(about)}))
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.compress_type = mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return found.getvalue()


def refusal(data: bytes) -> str:
    with pytest.raises(InputError) as told:
        read_sheetpack(data, "x.sheetpack")
    return str(told.value)


def test_a_pack_comes_back_as_it_was_and_the_same_files_are_the_same_bytes() -> None:
    pack = Sheetpack(ABOUT, FILES)
    assert read_sheetpack(packed(pack), "x.sheetpack") == pack
    assert packed(pack) == packed(Sheetpack(ABOUT, dict(reversed(FILES.items()))))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("../evil.txt", '"../evil.txt" leads out of the pack'),
        ("/abs.txt", '"/abs.txt" leads out of the pack'),
        ("rules/../../x", "leads out of the pack"),
        ("C:x.yaml", "leads out of the pack"),
        ("a//b", "leads out of the pack"),
        ("CON", "is a name that some systems reserve"),
        ("rules/nul.txt", "is a name that some systems reserve"),
        ("x.", "is no name that every system can keep"),
        ("x ", "is no name that every system can keep"),
        ("a\nb", "is no name that every system can keep"),
        (".hidden", "is no name that every system can keep"),
        ("x" * 201, "is no name that every system can keep"),
    ],
)
def test_a_name_that_may_not_be_unpacked_is_refused(name: str, line: str) -> None:
    assert line in refusal(zipped({name: b""}))


def test_names_that_differ_in_case_or_accents_only_are_refused_naming_both() -> None:
    assert '"A.yaml" and "a.yaml" are one file on some systems' in refusal(zipped({"A.yaml": b"", "a.yaml": b""}))
    assert "are one file on some systems" in refusal(zipped({"\u00e9.yaml": b"", "e\u0301.yaml": b""}))


def test_a_link_is_refused() -> None:
    assert '"x.yaml" is a link or a device, not a regular file' in refusal(
        zipped({"x.yaml": b"/etc/passwd"}, mode=0o120777)
    )


def test_an_archive_that_swells_is_refused_by_its_table_of_contents() -> None:
    assert f"the most is {MOST_BYTES:,}" in refusal(zipped({"x.yaml": bytes(MOST_BYTES + 1)}))
    assert f"the most is {MOST_FILES:,}" in refusal(zipped({f"{n}.yaml": b"" for n in range(MOST_FILES + 1)}))


def test_a_file_that_is_larger_than_the_table_of_contents_says_is_refused() -> None:
    data = bytearray(zipped({"x.yaml": b"a" * 5000}))
    at = data.rindex(b"PK\x01\x02")  # the last entry of the table of contents
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    assert "x.sheetpack: " in refusal(bytes(data))


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", "is no sheetpack, or a damaged one"),
        (b"PK\x03\x04" + bytes(100), "is no sheetpack, or a damaged one"),
        (packed(Sheetpack(ABOUT, FILES))[:-40], "is no sheetpack, or a damaged one"),
        (zipped({**FILES, "more.yaml": b""}), "was changed after it was packed"),
        (zipped(FILES, replace(ABOUT, digest="0")), "was changed after it was packed"),
    ],
)
def test_what_is_damaged_or_changed_is_refused(data: bytes, line: str) -> None:
    assert line in refusal(data)


def test_code_is_left_behind() -> None:
    files = {**FILES, "hook.py": b"1/0", "x.so": b""}
    found = read_sheetpack(zipped(files, replace(ABOUT, digest=digest_of(files))), "x.sheetpack")
    assert found.files == FILES
    assert found.left_behind == ("hook.py", "x.so")


def test_a_pack_is_handed_on_and_found_in_every_folder(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("new", "mist").code == 0
    manifest = tmp_path / "content" / "mist" / "system.yaml"
    manifest.write_text(manifest.read_text() + "version: 1.2\n")
    (tmp_path / "content" / "mist" / "run.py").write_text("1/0")
    made = sheetgen("pack", "mist")
    assert made.out.startswith("mist-1.2.sheetpack: Mist in 8 files, ")
    assert "run.py stays behind: code never travels in a pack" in made.out
    (tmp_path / "content").rename(tmp_path / "old")
    looked = sheetgen("add", "mist-1.2.sheetpack", "--look")
    assert looked.out.startswith("Mist 1.2 (mist), 8 files\n  by Mist, by its author\n")
    assert sheetgen("npc", "mist").code == 2
    assert "is on your shelf" in sheetgen("add", "mist-1.2.sheetpack").out
    assert sheetgen("npc", "mist", "--seed", "7", "-o", "x.yaml").code == 0
    assert "is on the shelf already: --replace" in sheetgen("add", "mist-1.2.sheetpack").err
    assert sheetgen("add", "mist-1.2.sheetpack", "--replace").code == 0


def test_a_pack_with_problems_is_neither_packed_nor_added(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("new", "mist").code == 0
    manifest = tmp_path / "content" / "mist" / "system.yaml"
    manifest.write_text(manifest.read_text() + "needs: '>=9'\n")
    ran = sheetgen("pack", "mist")
    assert (ran.code, list(tmp_path.glob("*.sheetpack"))) == (2, [])
    assert "this pack needs sheetgen >=9, and this is 0.2.0.dev0 (install a later one)" in ran.err
    files = {path.name: path.read_bytes() for path in manifest.parent.glob("*.yaml")}
    (tmp_path / "x.sheetpack").write_bytes(zipped(files, replace(ABOUT, digest=digest_of(files))))
    added = sheetgen("add", "x.sheetpack")
    assert added.code == 2
    assert "x.sheetpack/system.yaml:" in added.err
    assert not (tmp_path / "data" / "sheetgen" / "packs").exists()


def test_a_game_of_ours_is_not_replaced(sheetgen: Sheetgen, tmp_path: Path) -> None:
    files = {"system.yaml": b"id: gamers\n"}
    (tmp_path / "x.sheetpack").write_bytes(zipped(files, replace(ABOUT, name="gamers", digest=digest_of(files))))
    added = sheetgen("add", "x.sheetpack")
    assert added.code == 2
    assert "x.sheetpack: sheetgen has a game called gamers of its own" in added.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("npc tsgs -o x.yaml", 2),
        ("play tsgs attempt target=8 --seed 1", 2),
        ("odds tsgs attempt target=8", 2),
        ("blank tsgs -o x.pdf", 2),
        ("systems tsgs", 2),
        ("book tsgs -o x.pdf", 2),
        ("pack tsgs", 2),
        ("check tsgs", 1),
    ],
)
def test_a_pack_in_the_place_of_a_game_of_ours_is_refused_until_it_is_meant(
    sheetgen: Sheetgen, project: Project, tmp_path: Path, words: str, code: int
) -> None:
    assert sheetgen("new", "mist").code == 0
    shadow = (tmp_path / "content" / "mist").rename(tmp_path / "content" / "tsgs")
    manifest = (shadow / "system.yaml").read_text("utf-8").replace("id: mist", "id: tsgs")
    (shadow / "system.yaml").write_text(manifest)
    refused = sheetgen(*words.split())
    assert refused.code == code
    assert (
        f"content/tsgs/system.yaml:1:1: takes the place of the game tsgs that comes with sheetgen ({project.content}"
        in (refused.err)
    )
    assert "or write `override: yes`)" in refused.err
    (shadow / "system.yaml").write_text(f"{manifest}override: yes\n")
    meant = sheetgen(*words.split())
    assert (meant.code, "takes the place" in meant.err) == (0, False)


def test_a_pack_may_not_extend_what_took_the_place_of_ours_unsaid(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("new", "embers", "--from", "tsgs").code == 0
    assert sheetgen("new", "mist").code == 0
    shadow = (tmp_path / "content" / "mist").rename(tmp_path / "content" / "tsgs")
    manifest = (shadow / "system.yaml").read_text("utf-8").replace("id: mist", "id: tsgs")
    (shadow / "system.yaml").write_text(manifest)
    refused = sheetgen("npc", "embers", "-o", "x.yaml")
    assert refused.code == 2
    assert "content/tsgs/system.yaml:1:1: takes the place of the game tsgs" in refused.err


def test_a_copy_of_ours_takes_no_place(sheetgen: Sheetgen, project: Project, tmp_path: Path) -> None:
    shutil.copytree(project.content / "tsgs", tmp_path / "content" / "tsgs")
    assert sheetgen("npc", "tsgs", "-o", "x.yaml").code == 0
    (tmp_path / "content" / "tsgs" / "LICENSE.md").write_text("mine")
    assert "takes the place" in sheetgen("npc", "tsgs", "-o", "x.yaml").err


@pytest.mark.parametrize(
    ("game", "values", "line"),
    [
        (
            "gamers",
            "quickie: {difficulty: {traned: 9}}",
            '33: values: gamers has no "traned" in quickie.difficulty, and nothing else in this pack names it '
            '(did you mean "trained"?); there are untrained, trained, expert',
        ),
        (
            "slackwater",
            "rol: {hit: 11}",
            '10: values: slackwater has no "rol", and nothing else in this pack names it (did',
        ),
        (
            "slackwater",
            "roll: {wett: 8}",
            '17: values: slackwater has no "wett" in roll, and nothing else in this pack',
        ),
        (
            "slackwater",
            "grit: 11",
            '10: values: slackwater has no "grit", and nothing else in this pack names it; there',
        ),
        ("gamers", "grit: 11", ""),  # which its engine might ask for
        ("gamers", "quickie: {difficulty: {traned: 9}}\n# traned\nmotto: '{quickie.difficulty.traned} traned'", ""),
        ("slackwater", "grit: 11\nmotto: '{grit}'", ""),
        ("slackwater", "roll: {wet: 8}", ""),
        ("slackwater", "roll: {zenith: 11}", ""),  # a row more
        ("chalkdown", "gear: {crooks: {price: 4, slots: 1, die: d6}}", ""),  # near a row, but rows are read by no name
    ],
)
def test_a_variant_changes_no_value_that_its_game_has_not(
    sheetgen: Sheetgen, tmp_path: Path, game: str, values: str, line: str
) -> None:
    (tmp_path / "content" / "odd").mkdir(parents=True)
    manifest = f"id: odd\nextends: {game}\ntitle: Odd\nvalues: {{{values.partition(chr(10))[0]}}}\n"
    (tmp_path / "content" / "odd" / "system.yaml").write_text(manifest + values.partition("\n")[2] + "\n")
    told = sheetgen("npc", "odd", "-o", "x.yaml")
    assert told.err.startswith(f"content/odd/system.yaml:4:{line}" if line else "")
    assert bool(line) == (told.code == 2) == ("values:" in told.err)


@pytest.mark.parametrize(
    ("extends", "line"),
    [
        ("base >=1.2", ""),
        ("base >=1.10", "extends base >=1.10, and what is here is 1.9"),
        ("base 1.2", 'extends "1.2": write `base`, or its least version: `base >=1.2`'),
    ],
)
def test_a_variant_may_ask_for_a_version(sheetgen: Sheetgen, tmp_path: Path, extends: str, line: str) -> None:
    assert sheetgen("new", "base").code == 0
    assert sheetgen("new", "other", "--from", "base").code == 0
    manifest, other = (tmp_path / "content" / name / "system.yaml" for name in ("base", "other"))
    manifest.write_text(manifest.read_text() + "version: '1.9'\n")
    other.write_text(other.read_text().replace("extends: base", f"extends: {extends}"))
    ran = sheetgen("check", "other")
    assert line in ran.err
    assert bool(ran.code) is bool(line)


def test_whatever_is_torn_in_an_archive_is_refused_in_a_line() -> None:
    """zlib has an error of its own, and so have broken fields of an entry."""
    whole, dice = packed(Sheetpack(about_of(LONG_FILES), LONG_FILES)), random.Random(1)
    for _ in range(2_000):
        data = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        with suppress(InputError):
            read_sheetpack(bytes(data), "x.sheetpack")


def test_a_file_that_is_packed_in_another_way_is_refused() -> None:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr(CONTENTS, json.dumps({"sheetpack": 1, **asdict(ABOUT)}))
        archive.writestr("system.yaml", FILES["system.yaml"])
    assert '"system.yaml" is packed in another way than a sheetpack is' in refusal(found.getvalue())
