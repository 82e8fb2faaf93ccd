"""The bundled fonts and the configuration that shows them alone."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import pytest

from sheetgen.errors import InputError
from sheetgen.pdf.fonts.bundled import (
    FAMILIES,
    HANDS,
    HANDS_FOLDER,
    font_path,
    fontconfig_file,
    load_face,
    missing_from,
)
from sheetgen.pdf.fonts.face import FaceName


@pytest.mark.parametrize(
    ("face", "file"),
    [
        (FaceName("Source Serif Pro"), "SourceSerifPro-Regular.ttf"),
        (FaceName("Source Serif Pro", 400, True), "SourceSerifPro-It.ttf"),
        (FaceName("Source Serif Pro", 700, True), "SourceSerifPro-BoldIt.ttf"),
        (FaceName("Source Sans Pro", 600), "SourceSansPro-Semibold.ttf"),
        (FaceName("Source Sans Pro", 800), "SourceSansPro-Bold.ttf"),
        (FaceName("Caveat", 700, True), "Caveat-Regular.ttf"),
    ],
)
def test_a_face_comes_from_the_nearest_file(face: FaceName, file: str) -> None:
    assert font_path(face).name == file


def test_an_unknown_family_is_refused_with_a_suggestion() -> None:
    with pytest.raises(InputError, match=r'did you mean "Source Serif Pro"\?'):
        font_path(FaceName("Source Serif"))


def test_a_face_can_be_limited_to_some_letters() -> None:
    assert set(load_face(FaceName("Source Sans Pro"), "Aż語").glyphs) == {"A", "ż"}


def test_cutting_twice_gives_the_same_bytes() -> None:
    name = FaceName("Source Sans Pro", 700)
    assert load_face(name).program == load_face(name).program


def test_fontconfig_shows_the_bundled_files_and_no_others(tmp_path: Path) -> None:
    path = fontconfig_file(tmp_path / "fonts")
    environment = {"FONTCONFIG_FILE": str(path), "PATH": os.environ["PATH"]}
    command = ["fc-list", ":", "family", "file"]
    listed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split("\n")
    files = [line.partition(":")[0] for line in listed if line]
    assert len(files) == 24 + len(HANDS)
    assert all(file.endswith(".ttf") for file in files)
    assert all(any(family in line for family in (*FAMILIES, *HANDS)) for line in listed if line)


@pytest.mark.parametrize("family", HANDS)
def test_a_hand_writes_western_languages_and_lies_beside_its_licence(family: str) -> None:
    assert missing_from("Ångström, œuvre, señor, groß: “It’s £5 – don’t…” & 31/12", FaceName(family)) == ""
    licence = (HANDS_FOLDER / f"{HANDS[family]}-LICENCE.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence or "Apache License" in licence
    assert f"| {HANDS[family]} |" in (HANDS_FOLDER / "README.md").read_text(encoding="utf-8")


def test_russian_can_be_written_by_two_hands_and_a_machine() -> None:
    able = [family for family in HANDS if not missing_from("Привет", FaceName(family))]
    assert able == ["Marck Script", "Caveat", "PT Mono"]


def test_several_runs_may_begin_on_a_cold_cache(tmp_path: Path) -> None:
    """Fontconfig complains where another process makes the folder of its cache at the same moment."""
    path = fontconfig_file(tmp_path / "fonts")
    environment = {"FONTCONFIG_FILE": str(path), "PATH": os.environ["PATH"]}
    runs = [
        subprocess.Popen(["fc-list"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(8)
    ]
    assert [run.communicate()[1] for run in runs] == [b""] * 8


def test_a_full_disk_leaves_no_half_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        fontconfig_file(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]


def test_writing_it_again_leaves_it_alone(tmp_path: Path) -> None:
    path = fontconfig_file(tmp_path)
    before = path.stat().st_mtime_ns
    assert fontconfig_file(tmp_path).stat().st_mtime_ns == before


def test_installations_with_other_fonts_do_not_share_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = fontconfig_file(tmp_path)
    monkeypatch.setattr("sheetgen.pdf.fonts.bundled.font_folder", lambda family: tmp_path / family)
    theirs = fontconfig_file(tmp_path)
    assert ours != theirs
    assert str(tmp_path / "Source Serif Pro") in theirs.read_text()
    assert str(tmp_path / "Source Serif Pro") not in ours.read_text()
