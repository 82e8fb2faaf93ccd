"""Work dealt to a cluster: the same bytes as on one machine, whatever dies on the way or is there only later."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

import fsspec
import pytest
from distributed import LocalCluster

from sheetgen.batch import cluster as batch_cluster
from sheetgen.batch.cluster import dealt
from sheetgen.batch.pool import WorkerDied
from sheetgen.batch.sandbox import confined
from sheetgen.errors import UsageError
from sheetgen.workspace.targets import write_url

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


@pytest.fixture(scope="module")
def ftp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a server of files, and the folder in which it keeps them."""
    import aioftp

    folder, loop = tmp_path_factory.mktemp("served"), asyncio.new_event_loop()
    user = aioftp.User("gm", "secret", base_path=folder, permissions=[aioftp.Permission("/")])
    server = aioftp.Server([user])
    loop.run_until_complete(server.start("127.0.0.1", 0))
    serving = Thread(target=loop.run_forever)
    serving.start()
    yield f"ftp://gm:secret@127.0.0.1:{server.server_port}", folder
    asyncio.run_coroutine_threadsafe(server.close(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    serving.join()
    loop.close()


@pytest.mark.parametrize("storage", ["file", "ftp"])
def test_parts_go_to_a_storage_with_an_index(
    storage: str, sheetgen: Sheetgen, two: str, tmp_path: Path, ftp: tuple[str, Path]
) -> None:
    words = ("npc", "gamers", "-n", "25", "--seed", "7", "--as", "card", "--split", "10")
    assert sheetgen(*words, "-o", "town.pdf").code == 0
    address, folder = ftp if storage == "ftp" else (f"file://{tmp_path}", tmp_path)
    ran = sheetgen(*words, "--cluster", two, "-o", f"{address}/far/town.pdf")
    assert ran.code == 0
    assert f"{address.replace(':secret', '')}/far/town-index.csv: 25 people of GAMERS in 3 files" in ran.out
    index = (folder / "far" / "town-index.csv").read_text().splitlines()
    assert index[0] == "file,first,last,people,bytes,blake2b"
    for number, line in enumerate(index[1:], 1):
        name, first, _, people, size, digest = line.split(",")
        there, here = (folder / "far" / name).read_bytes(), (tmp_path / name).read_bytes()
        assert there == here
        assert (int(first), int(size)) == (10 * number - 9, len(here))
        assert int(people) == (10 if number < 3 else 5)
        assert digest == blake2b(here, digest_size=16).hexdigest()
    assert len(list((folder / "far").iterdir())) == 4  # nothing half stays beside them


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("ftp://gm:wrong@127.0.0.1:{port}/a.pdf", "ftp://gm@127.0.0.1:{port}/a.pdf: cannot be written (530"),
        ("nowhere://a.pdf", "nowhere://a.pdf: Protocol not known: nowhere"),
    ],
)
def test_a_storage_that_takes_nothing_is_told_in_a_line_without_its_password(
    address: str, why: str, sheetgen: Sheetgen, ftp: tuple[str, Path]
) -> None:
    port = ftp[0].rpartition(":")[2]
    ran = sheetgen("npc", "gamers", "--as", "card", "-o", address.format(port=port))
    assert (ran.code, len(ran.err.splitlines())) == (4, 1)
    assert ran.err.startswith(why.format(port=port))


def test_what_was_on_a_storage_stays_when_a_run_fails(ftp: tuple[str, Path]) -> None:
    address, folder = ftp
    (folder / "kept.pdf").write_bytes(b"before")

    def breaks(write: Callable[[bytes], object]) -> None:
        write(b"half")
        raise UsageError("no seven here")

    with pytest.raises(UsageError, match="no seven here"):
        write_url(f"{address}/kept.pdf", breaks)
    assert (folder / "kept.pdf").read_bytes() == b"before"
    assert not list(folder.glob(".kept*"))


def test_a_build_on_a_cluster_makes_the_same_files(sheetgen: Sheetgen, two: str, tmp_path: Path) -> None:
    pack = tmp_path / "content" / "ford"
    pack.mkdir(parents=True)
    (pack / "system.yaml").write_text(
        "id: ford\ntitle: Ford\ncredit: Ford, by somebody\nlicence: as you like it\n"
        "traits: {ties: {title: Ties, range: 0-9, members: {Luck: {}, Wit: {}}}}\n"
    )
    (pack / "creation.yaml").write_text(
        "steps: {ties: {do: roll each, group: ties, dice: 1d4}}\nmethods: {random: {steps: [ties]}}\n"
    )
    (pack / "sheet.yaml").write_text("character: {name: {is: text, title: Name}, ties: {is: levels, title: Ties}}\n")
    made = []
    for words in ((), ("--cluster", two)):
        ran = sheetgen("build", "ford", *words)
        assert ran.code == 0, ran.err
        assert "output/ford-sample.pdf: made" in ran.out
        made.append({path.name: path.read_bytes() for path in (tmp_path / "output").glob("ford*")})
        shutil.rmtree(tmp_path / "output")
    assert len(made[0]) > 3
    assert made[0] == made[1]


def test_a_worker_that_joins_late_takes_its_share(tmp_path: Path) -> None:
    def slow() -> Callable[[range], list[int]]:
        def work(numbers: range) -> list[int]:
            (tmp_path / str(os.getpid())).touch()
            time.sleep(0.1)
            return squares()(numbers)

        return work

    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50) as growing:
        made = dealt(slow, CHUNKS, workers=1, cluster=growing.scheduler_address)
        begun = [next(made)]
        growing.scale(2)
        growing.wait_for_workers(2)
        assert [*begun, *made] == EXPECTED
    assert len(list(tmp_path.iterdir())) == 2


def test_one_file_goes_to_a_storage_whole_or_not_at_all(sheetgen: Sheetgen) -> None:
    assert sheetgen("npc", "gamers", "--seed", "7", "-o", "memory://here/a.pdf").code == 0
    assert fsspec.filesystem("memory").cat("/here/a.pdf").startswith(b"%PDF-")


@pytest.mark.slow
def test_a_worker_that_kills_whoever_takes_its_part_ends_the_run(two: str, tmp_path: Path) -> None:
    def deadly() -> Callable[[range], list[int]]:
        return lambda numbers: os.kill(os.getpid(), signal.SIGKILL) or []

    with pytest.raises(WorkerDied, match="workers died over the same work"):
        list(dealt(deadly, CHUNKS[:1], workers=1, cluster=two))
