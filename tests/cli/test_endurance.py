"""Long runs that are broken off from outside: what is finished stays whole, `--resume` goes on, nothing lingers."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

COUNT, SIZE = 600, 50
PARTS = COUNT // SIZE
PEOPLE = ["npc", "gamers", "-n", str(COUNT), "--seed", "7", "--as", "sheet", "--workers", "2"]
SPLIT = [*PEOPLE, "--split", str(SIZE), "-o", "people.pdf"]
SMALL_DISK = 300_000
LONG_AGO = 1_000_000_000


def environ(cache: Path) -> dict[str, str]:
    return {**os.environ, "SHEETGEN_CACHE": str(cache)}


def run(
    words: list[str], where: Path, cache: Path, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    """A run to its end; `before` is called in its process before it begins."""
    command = words if words[0] == sys.executable else [sys.executable, "-m", "sheetgen", *words]
    return subprocess.run(
        command, cwd=where, env=environ(cache), capture_output=True, text=True, check=False, preexec_fn=before
    )


def small_disk() -> None:
    """No file may grow larger, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_DISK, SMALL_DISK))


@contextmanager
def running(words: list[str], where: Path, cache: Path) -> Iterator[subprocess.Popen[str]]:
    """A run in the background."""
    command = [sys.executable, "-m", "sheetgen", *words]
    with subprocess.Popen(
        command, cwd=where, env=environ(cache), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                process.kill()


def soon(what: Callable[[], object]) -> None:
    """Waits until something is so."""
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def workers_of(pid: int) -> list[int]:
    """The child processes of a process."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if not listed.exists():
        pytest.skip("this system does not list the children of a process")
    return [int(word) for word in listed.read_text().split()]


def gone(pid: int) -> bool:
    """Whether a process has ended, be it that nobody has asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def made(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("[!.]*")}


def leftovers(folder: Path) -> list[Path]:
    return list(folder.glob(".*.part"))


@pytest.fixture(name="undisturbed", scope="module")
def undisturbed_run(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> dict[str, bytes]:
    """The files of a run that nobody disturbs."""
    where = tmp_path_factory.mktemp("undisturbed")
    assert run(SPLIT, where, cache).returncode == 0
    assert len(made(where)) == PARTS
    return made(where)


def test_ctrl_c_keeps_whole_files_and_resume_makes_the_rest(
    tmp_path: Path, cache: Path, undisturbed: dict[str, bytes]
) -> None:
    with running(SPLIT, tmp_path, cache) as process:
        soon(lambda: made(tmp_path))
        workers = workers_of(process.pid)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    there = made(tmp_path)
    assert process.returncode == 130
    assert said == f"stopped: {len(there)} of {PARTS} files are there, each of them whole; --resume makes the rest\n"
    assert there.items() <= undisturbed.items()
    assert not leftovers(tmp_path)
    soon(lambda: all(map(gone, workers)))
    ended = run([*SPLIT, "--resume"], tmp_path, cache)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(f"{len(there)} of {PARTS} files are there")
    assert made(tmp_path) == undisturbed


def test_a_killed_run_leaves_whole_files_no_orphans_and_nothing_that_the_next_run_does_not_sweep(
    tmp_path: Path, cache: Path, undisturbed: dict[str, bytes]
) -> None:
    with running(SPLIT, tmp_path, cache) as process:
        soon(lambda: len(made(tmp_path)) >= 2)
        workers = workers_of(process.pid)
        process.kill()
        process.wait(timeout=60)
    assert workers
    there = made(tmp_path)
    assert there.items() <= undisturbed.items()
    soon(lambda: all(map(gone, workers)))
    stale = tmp_path / f".people-003.pdf.{process.pid}-0a1b2c3d.part"
    stale.write_bytes(b"half")
    for path in leftovers(tmp_path):
        os.utime(path, (LONG_AGO, LONG_AGO))
    ended = run([*SPLIT, "--resume"], tmp_path, cache)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert made(tmp_path) == undisturbed
    assert not leftovers(tmp_path)


def test_a_worker_killed_from_outside_is_replaced(tmp_path: Path, cache: Path, undisturbed: dict[str, bytes]) -> None:
    with running(SPLIT, tmp_path, cache) as process:
        soon(lambda: made(tmp_path))
        for pid in workers_of(process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _, said = process.communicate(timeout=120)
    assert (process.returncode, said) == (0, "")
    assert made(tmp_path) == undisturbed


@pytest.mark.parametrize("words", [["-o", "people.pdf"], ["-o", "people.zip", "--split", "400"]])
def test_a_full_disk_is_one_line_and_the_old_file_stays(tmp_path: Path, cache: Path, words: list[str]) -> None:
    old = tmp_path / words[1]
    old.write_bytes(b"old")
    ended = run([*PEOPLE, *words], tmp_path, cache, before=small_disk)
    assert (ended.returncode, ended.stderr.count("\n")) == (4, 1)
    assert f'cannot write "{old.name}": File too large' in ended.stderr
    assert old.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == [old.name]


def test_a_disk_that_is_full_in_mid_run_keeps_the_parts_that_fit(tmp_path: Path, cache: Path) -> None:
    words = ["npc", "gamers", "-n", "40", "--seed", "7", "--as", "sheet", "--split", "20", "-o", "people.pdf"]
    (tmp_path / ".sheetgen-parts").write_bytes(b"\n" * (SMALL_DISK - 100))  # one more line, and it is full
    ended = run(words, tmp_path, cache, before=small_disk)
    assert (ended.returncode, ended.stderr.count("\n")) == (4, 1)
    assert list(made(tmp_path)) == ["people-001.pdf"]
    ended = run([*words, "--resume"], tmp_path, cache)
    assert ended.returncode == 0
    assert made(tmp_path).keys() == {"people-001.pdf", "people-002.pdf"}


DYING = """
import os, sys
from sheetgen.pdf.form.compositor import Compositor
compose, seen = Compositor.sheet, []
def sheet(self, row, *more, **other):
    seen.append(row)
    if len(seen) == 150:
        os._exit(9)
    return compose(self, row, *more, **other)
Compositor.sheet = sheet
from sheetgen.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_worker_that_dies_again_and_again_ends_the_run_in_one_line(tmp_path: Path, cache: Path) -> None:
    dying = DYING.replace("== 150", ">= 50")
    ended = run([sys.executable, "-c", dying, *PEOPLE, "-o", "people.pdf"], tmp_path, cache)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (3, "", 1)
    assert ended.stderr.startswith("a worker process died twice over the same work (part 1 of 6)")
    assert list(tmp_path.iterdir()) == []


def test_workers_that_die_now_and_then_make_the_same_file(tmp_path: Path, cache: Path) -> None:
    """Every process dies over its 150th sheet, and whoever takes its place begins that hundred anew."""
    ended = run([sys.executable, "-c", DYING, *PEOPLE, "-o", "people.pdf"], tmp_path, cache)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert run([*PEOPLE, "-o", "calm.pdf"], tmp_path, cache).returncode == 0
    assert (tmp_path / "people.pdf").read_bytes() == (tmp_path / "calm.pdf").read_bytes()
