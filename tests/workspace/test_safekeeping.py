"""What people wrote is saved whole or not at all, never over what somebody else wrote, and can be undone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

from sheetgen.errors import UsageError
from sheetgen.workspace.safekeeping import (
    ChangedOutside,
    digest,
    draft_of,
    drafts,
    file_in,
    keep_draft,
    read_kept,
    save,
    steps,
    throw_away,
    undo_last,
)

NOW = datetime(2026, 11, 21, 20, 15)


def saved(folder: Path, text: str, seen: str, label: str = "change the title") -> str:
    return save(folder, "tonight.yaml", text, seen=seen, label=label, now=NOW)


def test_a_file_is_saved_if_it_still_is_as_it_was_seen(tmp_path: Path) -> None:
    seen = saved(tmp_path, "title: A toll\n", "")
    assert read_kept(tmp_path / "tonight.yaml").seen == seen
    (tmp_path / "tonight.yaml").write_text("title: Theirs\n")
    with pytest.raises(ChangedOutside, match=r"tonight\.yaml.*changed outside") as told:
        saved(tmp_path, "title: Mine\n", seen)
    assert (told.value.theirs, told.value.mine) == ("title: Theirs\n", "title: Mine\n")
    assert (tmp_path / "tonight.yaml").read_text() == "title: Theirs\n"


def test_steps_are_undone_one_by_one_by_name(tmp_path: Path) -> None:
    first = saved(tmp_path, "one\n", "", "begin an evening")
    saved(tmp_path, "two\n", first, "put Nadia back")
    assert [step.label for step in steps(tmp_path)] == ["begin an evening", "put Nadia back"]
    undone = undo_last(tmp_path)
    assert undone is not None
    assert (undone.label, (tmp_path / "tonight.yaml").read_text()) == ("put Nadia back", "one\n")
    undo_last(tmp_path)
    assert not (tmp_path / "tonight.yaml").exists()
    assert undo_last(tmp_path) is None


def test_what_was_changed_outside_since_is_not_undone(tmp_path: Path) -> None:
    saved(tmp_path, "one\n", "")
    (tmp_path / "tonight.yaml").write_text("theirs\n")
    assert undo_last(tmp_path) is None
    assert (tmp_path / "tonight.yaml").read_text() == "theirs\n"


def test_a_record_that_leads_elsewhere_is_never_followed(tmp_path: Path) -> None:
    folder, victim = tmp_path / "folder", tmp_path / "victim.yaml"
    saved(folder, "one\n", "")
    victim.write_text("one\n")
    [record] = (folder / ".sheetgen" / "undo").glob("*.json")
    record.write_text(record.read_text().replace('"tonight.yaml"', '"../victim.yaml"').replace("null", '"evil"'))
    assert undo_last(folder) is None
    assert victim.read_text() == "one\n"


def test_drafts_stay_until_they_are_saved_or_thrown_away(tmp_path: Path) -> None:
    keep_draft(tmp_path, "rules/01.yaml", "half a line", seen="", now=NOW)
    found = draft_of(tmp_path, "rules/01.yaml")
    assert found is not None
    assert (found.text, found.at) == ("half a line", NOW)
    assert [each.file for each in drafts(tmp_path)] == ["rules/01.yaml"]
    throw_away(tmp_path, "rules/01.yaml")
    assert draft_of(tmp_path, "rules/01.yaml") is None


def test_a_draft_that_says_what_the_file_says_is_none(tmp_path: Path) -> None:
    saved(tmp_path, "one\n", "")
    keep_draft(tmp_path, "tonight.yaml", "one\n", seen="", now=NOW)
    assert draft_of(tmp_path, "tonight.yaml") is None


def test_names_that_lead_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret.yaml").write_text("a: 1\n")
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "prog.py").write_text("")
    for name in ("../secret.yaml", "/etc/passwd", "a/../../secret.yaml", ".sheetgen/undo/1.yaml", "link.yaml", "", "..", "prog.py", "a\0.yaml", "..\\secret.yaml"):  # fmt: skip  # noqa: E501
        with pytest.raises(UsageError):
            file_in(folder, name, suffixes=(".yaml",))
    assert file_in(folder, "new/evening.yaml", suffixes=(".yaml",)) == folder / "new/evening.yaml"


KILLED = """
import sys
from datetime import datetime
from pathlib import Path
from sheetgen.workspace.safekeeping import keep_draft, read_kept, save, undo_last
folder, NOW = Path(sys.argv[1]), datetime(2026, 1, 1)
print("begun", flush=True)
for number in range(10**6):
    seen = read_kept(folder / "a.yaml").seen
    save(folder, "a.yaml", f"text: {number} " + "x" * 200_000 + " end", seen=seen, label=str(number), now=NOW)
    keep_draft(folder, "a.yaml", "draft " + "y" * 50_000 + " end", seen=seen, now=NOW)
    if number % 5 == 4:
        undo_last(folder)
"""


def test_killed_at_any_moment_no_file_is_hurt(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("text: mine end")
    for number in range(8):
        run = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, cwd=os.getcwd())
        assert run.stdout is not None
        assert run.stdout.readline() == b"begun\n"
        time.sleep(0.004 * number)
        run.send_signal(signal.SIGKILL)
        run.wait()
        run.stdout.close()
        text = (tmp_path / "a.yaml").read_text()
        assert text.startswith("text: ")
        assert text.endswith(" end")
        known = {
            digest(text.encode()),
            *(step.now for step in steps(tmp_path)),
            *(step.was for step in steps(tmp_path)),
        }
        assert digest(text.encode()) in known
        draft = draft_of(tmp_path, "a.yaml")
        assert draft is None or draft.text.endswith(" end")
