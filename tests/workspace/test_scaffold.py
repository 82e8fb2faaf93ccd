"""A folder appears whole or not at all, and only where nothing stood."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheetgen.errors import OutputError
from sheetgen.workspace.scaffold import write_folder

FILES = {"a.txt": b"A", "deep/down/b.txt": b"B"}


def test_a_folder_with_folders_in_it(tmp_path: Path) -> None:
    write_folder(tmp_path / "new" / "one", FILES)
    assert (tmp_path / "new" / "one" / "deep" / "down" / "b.txt").read_bytes() == b"B"
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["one"]


def test_a_folder_that_appears_meanwhile_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "one"
    rename = Path.rename

    def late(self: Path, to: Path) -> Path:
        target.mkdir()
        (target / "theirs.txt").write_text("theirs")
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", late)
    with pytest.raises(OutputError, match="cannot write"):
        write_folder(target, FILES)
    assert [path.name for path in tmp_path.rglob("*")] == ["one", "theirs.txt"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("file/one", "a file stands where its folder would have to be"),
        ("n" * 300, "File name too long"),
        ("nul\0", "embedded null byte"),
    ],
)
def test_a_folder_that_cannot_be_made_says_why(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match=reason):
        write_folder(tmp_path / name, FILES)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
