"""Children that are stopped while they work leave nothing in the folder for temporary files."""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sheetgen.batch import child
from sheetgen.batch.child import Child, end_all, scratch_folder, send

pytestmark = pytest.mark.skipif(not child.can_fork(), reason="this system has no forks")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def at_work(pipe: int) -> None:
    with scratch_folder() as folder:
        (Path(folder) / "page.pdf").write_bytes(b"%PDF")
        send(pipe, b"begun")
        time.sleep(60)


def test_a_child_that_is_asked_again_while_it_tidies_tidies_to_the_end(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove = child.shutil.rmtree

    def remove_slowly(path: str, *, ignore_errors: bool) -> None:
        time.sleep(0.2)  # a busy machine; every signal that comes meanwhile is heard here
        remove(path, ignore_errors=ignore_errors)

    monkeypatch.setattr(child.shutil, "rmtree", remove_slowly)
    monkeypatch.setattr(child, "_remove_scratch", lambda *_: None)  # the child is to do it by itself
    working = [Child(at_work), Child(at_work)]
    assert [each.receive() for each in working] == [b"begun", b"begun"]
    end_all(working)
    assert list(temporary.iterdir()) == []


def test_what_a_child_left_that_had_to_be_killed_is_removed_for_it(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "GRACE", 0.0)
    kept = temporary / f"sheetgen-{child.host_token()}-{os.getpid()}-mine"
    kept.mkdir()
    for expendable in (False, True):
        working = Child(at_work, expendable=expendable)
        assert working.receive() == b"begun"
        working.end()
        assert list(temporary.iterdir()) == [kept]
