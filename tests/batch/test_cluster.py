"""Work dealt to a cluster: the same bytes as on one machine, whatever dies on the way or is there only later."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import fsspec
import pytest

from sheetgen.batch import cluster as batch_cluster
from sheetgen.batch.cluster import dealt
from sheetgen.batch.pool import WorkerDied
from sheetgen.batch.sandbox import confined
from sheetgen.errors import UsageError

Sheetgen = Callable[..., Any]
pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of what a killed worker leaves behind
    pytest.mark.xdist_group("cluster"),
]


SCHEDULER = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two worker processes, which are started again when they die."""
    script = tmp_path_factory.mktemp("cluster") / "scheduler.py"
    script.write_text(SCHEDULER)
    words = [sys.executable, str(script)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        yield running.stdout.readline().strip()
        running.communicate()


def squares() -> Callable[[range], list[int]]:
    return lambda numbers: [number * number for number in numbers]


def dies_once(marker: Path, fatal: int) -> Callable[[range], list[int]]:
    """Work that kills its process at the first try of one chunk."""

    def work(numbers: range) -> list[int]:
        if fatal in numbers and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return squares()(numbers)

    return work


def refuses(fatal: int) -> Callable[[range], list[int]]:
    def work(numbers: range) -> list[int]:
        if fatal in numbers:
            raise UsageError("no seven here")
        return squares()(numbers)

    return work


CHUNKS = [range(at, at + 5) for at in range(0, 100, 5)]
EXPECTED = [[number * number for number in chunk] for chunk in CHUNKS]


def test_results_come_in_order_from_all_workers(two: str) -> None:
    assert list(dealt(squares, CHUNKS, workers=1, cluster=two)) == EXPECTED


def test_a_worker_killed_on_the_way_is_made_up_for(two: str, tmp_path: Path) -> None:
    begin = partial(dies_once, tmp_path / "died", 42)
    assert list(dealt(begin, CHUNKS, workers=1, cluster=two)) == EXPECTED
    assert (tmp_path / "died").exists()


def test_an_error_of_the_work_is_raised_as_it_was_at_its_place(two: str) -> None:
    made = dealt(partial(refuses, 7), CHUNKS, workers=1, cluster=two)
    assert next(made) == EXPECTED[0]
    with pytest.raises(UsageError, match="no seven here"):
        next(made)


def test_workers_of_another_version_are_refused(two: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_cluster, "__version__", "9.9")
    with pytest.raises(UsageError, match=r"a worker of the cluster has sheetgen .*, and this run is of 9\.9"):
        list(dealt(squares, CHUNKS, workers=1, cluster=two))


def test_errors_of_confined_work_pass_although_dask_changes_how_errors_are_packed() -> None:
    import_module("distributed")

    def refuse() -> None:
        raise UsageError("no seven here")

    with pytest.raises(UsageError, match="no seven here"):
        confined(refuse, what="x")


def test_nobody_at_the_address_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_cluster, "PATIENCE", 0.2)
    with pytest.raises(UsageError, match=r"--cluster tcp://127\.0\.0\.1:9: no cluster of workers answers there"):
        list(dealt(squares, CHUNKS, workers=1, cluster="tcp://127.0.0.1:9"))


def test_people_of_a_cluster_are_the_same_to_the_byte(sheetgen: Sheetgen, two: str, tmp_path: Path) -> None:
    words = ("npc", "gamers", "-n", "250", "--seed", "7", "--as", "card")
    alone = sheetgen(*words, "--workers", "1", "-o", "alone.pdf")
    together = sheetgen(*words, "--cluster", two, "-o", "together.pdf")
    assert (together.code, together.err) == (0, alone.err)
    assert (tmp_path / "alone.pdf").read_bytes() == (tmp_path / "together.pdf").read_bytes()


def test_parts_go_to_a_storage_with_an_index(sheetgen: Sheetgen, two: str, tmp_path: Path) -> None:
    words = ("npc", "gamers", "-n", "25", "--seed", "7", "--as", "card", "--split", "10")
    assert sheetgen(*words, "-o", "town.pdf").code == 0
    stored = f"file://{tmp_path}/far/town.pdf"
    ran = sheetgen(*words, "--cluster", two, "-o", stored)
    assert ran.code == 0
    assert "25 people of GAMERS in 3 files" in ran.out
    index = (tmp_path / "far" / "town-index.csv").read_text().splitlines()
    assert index[0] == "file,first,last,people,bytes,blake2b"
    for number, line in enumerate(index[1:], 1):
        name, first, _, people, size, _ = line.split(",")
        there, here = (tmp_path / folder / name for folder in ("far", "."))
        assert there.read_bytes() == here.read_bytes()
        assert (int(first), int(size)) == (10 * number - 9, here.stat().st_size)
        assert int(people) == (10 if number < 3 else 5)


def test_one_file_goes_to_a_storage_whole_or_not_at_all(sheetgen: Sheetgen) -> None:
    assert sheetgen("npc", "gamers", "--seed", "7", "-o", "memory://here/a.pdf").code == 0
    assert fsspec.filesystem("memory").cat("/here/a.pdf").startswith(b"%PDF-")


@pytest.mark.slow
def test_a_worker_that_kills_whoever_takes_its_part_ends_the_run(two: str, tmp_path: Path) -> None:
    def deadly() -> Callable[[range], list[int]]:
        return lambda numbers: os.kill(os.getpid(), signal.SIGKILL) or []

    with pytest.raises(WorkerDied, match="workers died over the same work"):
        list(dealt(deadly, CHUNKS[:1], workers=1, cluster=two))
