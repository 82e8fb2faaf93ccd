"""What was written under default names is known again, and nobody's file is taken for ours."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sheetgen.workspace.manifest import MANIFEST, Manifest, Parts
from sheetgen.workspace.printers import printers, remember
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Output

RUNS, FILES = 6, 12


def put(folder: Path, name: str, text: str, owner: str = "") -> None:
    """Writes a file as a run of sheetgen does."""
    with Output(folder / name) as output:
        write, enter = Manifest(folder, owner).write(name, output)
        write(text.encode())
        enter()


def at_once(work: Callable[[int], None]) -> None:
    """Runs the work with the numbers 0 to 5 in as many processes."""
    pids = []
    for number in range(RUNS):
        pid = os.fork()
        if not pid:
            try:
                work(number)
            except BaseException:
                os._exit(1)
            os._exit(0)
        pids.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * RUNS


def test_runs_at_once_lose_nothing_of_what_they_wrote(tmp_path: Path) -> None:
    at_once(lambda run: [put(tmp_path, f"{run}-{file}.pdf", "x") for file in range(FILES)].clear())
    assert len(Manifest(tmp_path).entries()) == RUNS * FILES


def test_runs_at_once_under_one_name_take_each_others_files_for_ours(tmp_path: Path) -> None:
    def work(run: int) -> None:
        for _ in range(FILES):
            assert Manifest(tmp_path).free_stem("npcs", [".pdf"]) == ("npcs", "")
            put(tmp_path, "npcs.pdf", f"{run}")

    at_once(work)


def test_runs_at_once_remember_all_parts(tmp_path: Path) -> None:
    def work(run: int) -> None:
        for file in range(FILES):
            name = f"{run}-{file}.pdf"
            with Output(tmp_path / name) as output:
                write, enter = Parts(tmp_path).write(name, output)
                write(b"x")
                enter("0" * 32)

    at_once(work)
    parts = Parts(tmp_path)
    assert all(parts.has(f"{run}-{file}.pdf", "0" * 32) for run in range(RUNS) for file in range(FILES))


def test_profiles_of_printers_measured_at_once_are_all_kept(project: Project) -> None:
    at_once(lambda run: [remember(project, f"p{run}-{n}", margin=5) for n in range(FILES)].clear())
    assert len(printers(project)) == RUNS * FILES


@pytest.mark.parametrize(
    ("change", "taken"),
    [
        (lambda path: None, ""),
        (lambda path: os.utime(path, (1, 1)), ""),
        (lambda path: path.write_text("mine"), "npcs.pdf"),
        (lambda path: path.unlink(), ""),
    ],
    ids=["as it was", "touched", "edited", "deleted"],
)
def test_only_a_file_that_was_changed_is_in_the_way(
    tmp_path: Path, change: Callable[[Path], object], taken: str
) -> None:
    put(tmp_path, "npcs.pdf", "ours")
    change(tmp_path / "npcs.pdf")
    assert Manifest(tmp_path).free_stem("npcs", [".pdf"])[1] == taken


def test_a_file_made_from_another_pack_is_in_the_way(tmp_path: Path) -> None:
    put(tmp_path, "npcs.pdf", "ours", owner="content/aa")
    assert Manifest(tmp_path, "content/aa").free_stem("npcs", [".pdf"]) == ("npcs", "")
    assert Manifest(tmp_path, "content/bb").free_stem("npcs", [".pdf"]) == ("npcs-2", "npcs.pdf")


def test_a_manifest_of_the_first_version_is_understood(tmp_path: Path) -> None:
    put(tmp_path, "npcs.pdf", "ours", owner="content/aa")
    digest = Manifest(tmp_path).entries()["npcs.pdf"].digest
    (tmp_path / MANIFEST).write_text(json.dumps({"npcs.pdf": digest, "spoilt": 7}))
    assert Manifest(tmp_path, "content/aa").free_stem("npcs", [".pdf"]) == ("npcs", "")
