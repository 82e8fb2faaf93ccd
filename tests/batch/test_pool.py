"""Work in several processes: the same results in the same order, whatever happens to a worker."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sheetgen.batch import pool
from sheetgen.batch.pool import WorkerDied, beside, in_order
from sheetgen.errors import SheetgenError, UsageError

CHUNKS = [range(start, start + 7) for start in range(0, 91, 7)]


def squares() -> Callable[[range], list[int]]:
    return lambda chunk: [number * number for number in chunk]


@pytest.mark.parametrize("workers", [1, 2, 3, 40])
def test_results_come_in_order_however_many_work(workers: int) -> None:
    assert list(in_order(squares, CHUNKS, workers=workers)) == [[n * n for n in chunk] for chunk in CHUNKS]


def test_a_small_machine_is_not_filled_with_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "cores", lambda: 2)

    def begin() -> Callable[[range], int]:
        (tmp_path / str(os.getpid())).touch()
        return len

    assert list(in_order(begin, [range(1)] * 70, workers=64)) == [1] * 70
    assert len(list(tmp_path.iterdir())) <= 8


def test_nothing_to_do_makes_nothing() -> None:
    assert list(in_order(squares, [], workers=2)) == []


def test_the_work_is_begun_once_a_worker_and_in_it() -> None:
    def begin() -> Callable[[range], int]:
        here = os.getpid()
        return lambda chunk: here

    made = list(in_order(begin, CHUNKS, workers=2))
    assert len(set(made)) == 2
    assert os.getpid() not in made


def test_while_one_has_a_long_chunk_the_other_does_the_rest(tmp_path: Path) -> None:
    done = tmp_path / "done"

    def begin() -> Callable[[range], bool]:
        def work(chunk: range) -> bool:
            if chunk == CHUNKS[8]:
                done.touch()
            end = time.monotonic() + 20
            while chunk == CHUNKS[0] and not done.exists() and time.monotonic() < end:
                time.sleep(0.01)
            return done.exists()

        return work

    assert next(iter(in_order(begin, CHUNKS, workers=2)))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_the_work_refuses_is_raised_at_its_place(workers: int) -> None:
    def begin() -> Callable[[range], int]:
        def work(chunk: range) -> int:
            if chunk.start == 21:
                raise UsageError("not 21")
            return chunk.start

        return work

    made = in_order(begin, CHUNKS, workers=workers)
    assert [next(made), next(made), next(made)] == [0, 7, 14]
    with pytest.raises(UsageError, match="not 21"):
        next(made)


def test_a_mistake_of_ours_comes_with_where_it_happened() -> None:
    def begin() -> Callable[[range], float]:
        return lambda chunk: 1 / (chunk.start - 7)

    with pytest.raises(ZeroDivisionError) as caught:
        list(in_order(begin, CHUNKS, workers=2))
    assert "test_pool.py" in "".join(caught.value.__notes__)


class Stubborn(UsageError):
    """An error that pickle makes and cannot unmake."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} {two}")


def test_what_cannot_be_pickled_is_told_all_the_same() -> None:
    def begin() -> Callable[[range], object]:
        def work(chunk: range) -> object:
            if chunk.start:
                raise Stubborn("not", "this")
            return lambda: "a function"

        return work

    with pytest.raises(SheetgenError, match="not this") as caught:
        list(in_order(begin, CHUNKS[1:], workers=2))
    assert caught.value.exit_code == UsageError.exit_code
    with pytest.raises(Exception, match="pickle"):
        list(in_order(begin, CHUNKS, workers=2))


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    died = tmp_path / "died"

    def begin() -> Callable[[range], int]:
        def work(chunk: range) -> int:
            if chunk.start == 35 and not died.exists():
                died.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return chunk.start

        return work

    assert list(in_order(begin, CHUNKS, workers=2)) == [chunk.start for chunk in CHUNKS]
    assert died.exists()


def test_one_that_dies_twice_over_the_same_ends_the_run_and_what_came_before_is_kept() -> None:
    def begin() -> Callable[[range], int]:
        def work(chunk: range) -> int:
            if chunk.start == 35:
                os._exit(9)
            return chunk.start

        return work

    made = in_order(begin, CHUNKS, workers=2)
    assert [next(made) for _ in range(5)] == [0, 7, 14, 21, 28]
    with pytest.raises(WorkerDied, match=r"part 6 of 13"):
        next(made)


def test_one_that_dies_twice_gets_nothing_more_while_earlier_work_goes_on() -> None:
    def begin() -> Callable[[range], int]:
        def work(chunk: range) -> int:
            if chunk.start == 7:
                os._exit(9)
            if chunk.start == 0:
                time.sleep(0.5)
            return chunk.start

        return work

    made = in_order(begin, CHUNKS, workers=2)
    assert next(made) == 0
    with pytest.raises(WorkerDied, match=r"part 2 of 13"):
        next(made)


def test_a_reader_that_stops_early_leaves_no_process_behind() -> None:
    def begin() -> Callable[[range], tuple[int, bytes]]:
        return lambda chunk: (os.getpid(), bytes(3_000_000))

    made = in_order(begin, CHUNKS, workers=2)
    pids = [next(made)[0], next(made)[0]]
    made.close()  # type: ignore[attr-defined]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "cores", lambda: 2)


@pytest.mark.usefixtures("two_cores")
def test_work_is_done_beside_in_a_process_of_its_own() -> None:
    with beside(os.getpid) as result:
        assert result() != os.getpid()
        assert result() == result()


@pytest.mark.usefixtures("two_cores")
def test_an_error_of_work_done_beside_is_raised_where_its_result_is_wanted() -> None:
    def refuse() -> None:
        raise UsageError("not this")

    with beside(refuse) as result, pytest.raises(UsageError, match="not this"):
        result()


@pytest.mark.usefixtures("two_cores")
def test_work_done_beside_that_nobody_waits_for_is_ended(tmp_path: Path) -> None:
    def endless() -> None:
        (tmp_path / "pid").write_text(str(os.getpid()))
        (tmp_path / "begun").touch()
        time.sleep(60)

    begun = time.monotonic()
    with beside(endless):
        while not (tmp_path / "begun").exists():
            time.sleep(0.01)
    assert time.monotonic() - begun < 30
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.usefixtures("two_cores")
def test_what_a_process_beside_died_over_is_done_here() -> None:
    here = os.getpid()

    def deadly() -> int:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return 7

    with beside(deadly) as result:
        assert result() == 7


def test_with_one_core_the_work_waits_until_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "cores", lambda: 1)
    done = list[int]()
    with beside(lambda: done.append(os.getpid())) as result:
        assert not done
        result()
        result()
    assert done == [os.getpid()]
