"""Processes that stay warm, answer one request after another, and are ended when nobody awaits the answer."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread, Timer

import pytest

from sheetgen.batch.child import is_running
from sheetgen.batch.warm import Outdated, Tell, WarmProcess, WarmProcesses


def answered(request: bytes, tell: Tell) -> bytes:
    """What the processes of these tests do: `sleep` never ends, `soon` does, `die` kills, all else tells its number.

    `steps` tells of each of three.
    """
    for step in range(3) if request == b"steps" else ():
        tell(f"{step + 1} of 3".encode())
    if request == b"sleep":
        time.sleep(600)
    if request == b"soon":
        time.sleep(0.25)
    if request == b"die":
        os._exit(3)
    return f"{request.decode()} {os.getpid()}".encode()


@pytest.fixture
def one() -> Iterator[WarmProcesses]:
    processes = WarmProcesses(answered, processes=1)
    yield processes
    processes.end()


def asked(processes: WarmProcesses, request: str) -> list[str]:
    return processes.ask(request.encode(), Event()).decode().split()


def test_one_process_answers_one_request_after_another(one: WarmProcesses) -> None:
    first, second = asked(one, "one"), asked(one, "two")
    assert (first[0], second[0]) == ("one", "two")
    assert first[1] == second[1]
    assert int(first[1]) != os.getpid()


def test_what_nobody_awaits_any_more_is_ended_and_the_next_request_has_another_process(one: WarmProcesses) -> None:
    before, unwanted = int(asked(one, "one")[1]), Event()
    Timer(0.1, unwanted.set).start()
    with pytest.raises(Outdated):
        one.ask(b"sleep", unwanted)
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)
    assert int(asked(one, "two")[1]) != before


def test_what_is_nearly_done_when_it_becomes_unwanted_is_still_answered_and_keeps_its_process(
    one: WarmProcesses,
) -> None:
    before, unwanted = asked(one, "one")[1], Event()
    unwanted.set()
    assert one._all[0].ask(b"soon", unwanted).decode().split() == ["soon", before]
    assert asked(one, "two")[1] == before


def test_long_work_tells_how_far_it_is_before_it_answers(one: WarmProcesses) -> None:
    heard = list[bytes]()
    assert one.ask(b"steps", Event(), heard.append).startswith(b"steps ")
    assert heard == [b"1 of 3", b"2 of 3", b"3 of 3"]
    assert asked(one, "again")[0] == "again"


def test_without_grace_what_nobody_awaits_is_ended_at_once() -> None:
    processes, unwanted = WarmProcesses(answered, processes=1, grace_s=0), Event()
    before = int(asked(processes, "one")[1])
    unwanted.set()
    with pytest.raises(Outdated):
        processes.ask(b"soon", unwanted)
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)
    processes.end()


def test_of_several_processes_one_that_was_ended_is_asked_last() -> None:
    processes, unwanted = WarmProcesses(answered, processes=2), Event()
    before = asked(processes, "one")[1]

    def sleeps() -> None:
        with suppress(Outdated):
            processes.ask(b"sleep", unwanted)

    sleeping = Thread(target=sleeps)
    sleeping.start()
    while processes._free[-1].is_warm:
        time.sleep(0.01)
    there = asked(processes, "two")[1]
    unwanted.set()
    sleeping.join()
    assert before != there == asked(processes, "three")[1]
    processes.end()


def test_a_process_that_dies_is_told_and_replaced(one: WarmProcesses) -> None:
    with pytest.raises(EOFError):
        one.ask(b"die", Event())
    assert asked(one, "again")[0] == "again"


STUDIO = """
from threading import Event, Thread
from sheetgen.batch.warm import WarmProcesses
from tests.batch.test_warm import answered
if __name__ == "__main__":
    processes = WarmProcesses(answered, processes=1)
    print(processes.ask(b"one", Event()).decode().split()[1], flush=True)
    processes.ask(b"sleep", Event())
"""


@pytest.mark.skipif(not hasattr(fcntl, "F_SETSIG"), reason="needs Linux, which tells of a pipe that was closed")
def test_a_process_in_the_middle_of_its_work_ends_with_whoever_asked_for_it(tmp_path: Path) -> None:
    script = tmp_path / "studio.py"
    script.write_text(STUDIO)
    environ = {**os.environ, "PYTHONPATH": os.getcwd()}
    asking = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=environ)
    assert asking.stdout is not None
    worker = int(asking.stdout.readline())
    time.sleep(0.3)
    asking.kill()
    asking.wait()
    asking.stdout.close()
    ends = time.monotonic() + 20
    while is_running(worker) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not is_running(worker)


def test_who_waits_for_a_process_gives_up_when_unwanted_and_the_latest_comes_first(one: WarmProcesses) -> None:
    asked(one, "start")
    unwanted, late, order = Event(), Event(), list[str]()

    def ask(request: str, event: Event) -> None:
        try:
            order.append(one.ask(request.encode(), event).decode().split()[0])
        except Outdated:
            order.append(f"{request} given up")

    busy = Thread(target=ask, args=("sleep", unwanted))
    busy.start()
    time.sleep(0.2)
    waiting = [Thread(target=ask, args=(name, late if name == "old" else Event())) for name in ("old", "first", "last")]
    for thread in waiting:
        thread.start()
        time.sleep(0.1)
    late.set()
    time.sleep(0.2)
    unwanted.set()
    for thread in (busy, *waiting):
        thread.join(20)
    assert order == ["old given up", "sleep given up", "last", "first"]


def test_nobody_waits_for_a_process_that_starts_once_it_is_unwanted(
    one: WarmProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, unwanted = WarmProcess._start, Event()

    def slowly(process: WarmProcess) -> None:
        time.sleep(1.5)
        start(process)

    monkeypatch.setattr(WarmProcess, "_start", slowly)
    Timer(0.1, unwanted.set).start()
    begun = time.monotonic()
    with pytest.raises(Outdated):
        one.ask(b"one", unwanted)
    assert time.monotonic() - begun < 1
    assert asked(one, "two")[0] == "two"
