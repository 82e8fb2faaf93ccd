"""Confined work: what comes back, what is stopped and by which limit, and that nothing is left behind."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import pytest

import sheetgen
from sheetgen.batch import sandbox as confine
from sheetgen.batch import sandbox as parcel
from sheetgen.batch.child import Child
from sheetgen.batch.sandbox import Limits, confined
from sheetgen.errors import InputError, LimitError, OutputError, Place, Problem, SheetgenError, UsageError
from sheetgen.geometry import PAPERS, Box
from sheetgen.model.cast import Item, Phrase
from sheetgen.model.data import Values, Word

CHECKOUT = Path(sheetgen.__file__).parents[1]
BRISK = Limits(memory_mb=300, cpu_s=5, wall_s=10, result_mb=10)
PLACE = Place("pack.yaml", 3, 7)

# A counter that is written as twenty million marks: GLib finds no memory for them and aborts.
MARKS = (
    "@counter-style marks { system: symbolic; symbols: x } "
    "body { counter-reset: n 20000000 } p::before { content: counter(n, marks) }"
)


@pytest.fixture(autouse=True)
def nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After every test there is no child or zombie that was not there before, no open pipe and no temporary file."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    before, known = lowest_free(), children()
    yield
    assert lowest_free() == before
    assert list(scratch.iterdir()) == []
    assert children() <= known


def children() -> set[str]:
    """The processes that this one has started and not waited for; other tests keep some to draw with."""
    return {child for each in Path("/proc/self/task").glob("*/children") for child in each.read_text().split()}


def lowest_free() -> int:
    handle = os.open(os.devnull, os.O_RDONLY)
    os.close(handle)
    return handle


def refused(work: Callable[[], object], limits: Limits = BRISK) -> str:
    """The kind of error that the work ends with, and its line, which names the input."""
    with pytest.raises(SheetgenError) as caught:
        confined(work, what="evil.html", limits=limits)
    line = str(caught.value)
    assert line.startswith("evil.html: ")
    assert "\n" not in line
    return line.replace("evil.html", type(caught.value).__name__)


def loop() -> None:
    while True:
        pass


def hog() -> None:
    held = []
    while True:
        held.append(bytearray(1_000_000))


def recursion() -> int:
    return recursion() + 1


class TestResults:
    @pytest.mark.parametrize(
        "value",
        [
            None,
            "text",
            b"%PDF",
            7,
            0.5,
            Decimal("1.10"),
            (1, [2, {"three": {4, 5}}], frozenset({6}), bytearray(b"7"), 8j, range(9)),
            Box(1, 2, 3, 4),
            Phrase("owes {friend} a boat", fits=(("Tech", 3, 8),)),
            Item("sling", {Word("kg", PLACE): Word("0.3", PLACE)}),
            PAPERS,
            MappingProxyType({"a": MappingProxyType({"b": (Box(1, 2, 3, 4),)})}),
            Problem(PLACE, "wrong"),
        ],
        ids=lambda value: type(value).__name__,
    )
    def test_plain_values_and_records_come_back_as_they_are(self, value: object) -> None:
        got = confined(lambda: value, what="x")
        assert (got, type(got)) == (value, type(value))

    def test_a_read_only_mapping_stays_read_only_and_in_order(self) -> None:
        got: Any = confined(lambda: MappingProxyType({"b": 1, "a": 2}), what="x")
        assert list(got) == ["b", "a"]
        with pytest.raises(TypeError):
            got["c"] = 3

    def test_a_word_keeps_its_place(self) -> None:
        word = confined(lambda: Word("Sword", PLACE), what="x")
        assert (word, word.place) == ("Sword", PLACE)

    def test_the_values_of_a_pack_come_back(self) -> None:
        tree = MappingProxyType({Word("odds", PLACE): MappingProxyType({Word("low", PLACE): Word("3", PLACE)})})
        assert confined(lambda: Values(tree, PLACE), what="x").number("odds.low") == 3

    def test_a_result_larger_than_a_pipe_comes_back_whole(self) -> None:
        data = os.urandom(5_000_000)
        assert confined(lambda: data, what="x", limits=BRISK) == data

    def test_the_work_sees_what_its_caller_has(self) -> None:
        here = ["seen"]
        assert confined(lambda: [*here, os.getpid() == os.getppid()], what="x") == ["seen", False]

    def test_what_the_work_changes_stays_inside(self) -> None:
        here: list[int] = []

        def change() -> int:
            here.append(1)
            return len(here)

        assert confined(change, what="x") == 1
        assert here == []

    def test_the_work_may_import_a_large_library(self) -> None:
        def render() -> bytes:
            import weasyprint

            data: bytes = weasyprint.HTML(string="<p>Hello").write_pdf()
            return data

        assert confined(render, what="x").startswith(b"%PDF")

    def test_confined_work_may_confine_work(self) -> None:
        def outer() -> str:
            with pytest.raises(InputError, match=r"inner: .*SIGABRT"):
                confined(os.abort, what="inner")
            return confined(lambda: "from within", what="inner")

        assert confined(outer, what="outer") == "from within"

    def test_a_parent_with_threads_is_served(self) -> None:
        done = threading.Event()
        thread = threading.Thread(target=done.wait)
        thread.start()
        try:
            assert confined(lambda: 7, what="x") == 7
        finally:
            done.set()
            thread.join()

    def test_a_thread_can_ask(self) -> None:
        got: list[int] = []
        thread = threading.Thread(target=lambda: got.append(confined(lambda: 7, what="x")))
        thread.start()
        thread.join()
        assert got == [7]


class TestErrors:
    def test_every_problem_of_an_input_comes_back(self) -> None:
        problems = (Problem(PLACE, "first", "GAM-202"), Problem(PLACE, "second"))

        def fail() -> None:
            raise InputError(problems)

        with pytest.raises(InputError) as caught:
            confined(fail, what="x")
        assert caught.value.problems == problems

    @pytest.mark.parametrize("kind", [UsageError, LimitError, OutputError, SheetgenError])
    def test_an_error_of_ours_comes_back_as_it_was(self, kind: type[SheetgenError]) -> None:
        def fail() -> None:
            raise kind("as it was")

        with pytest.raises(SheetgenError, match=r"^as it was$") as caught:
            confined(fail, what="x")
        assert type(caught.value) is kind

    def test_an_error_that_cannot_travel_sends_its_line(self) -> None:
        class Awkward(OutputError):
            def __init__(self, *, path: str) -> None:
                super().__init__(f"no room at {path}")

        def fail() -> None:
            raise Awkward(path="home")

        with pytest.raises(OutputError, match=r"^no room at home$"):
            confined(fail, what="x")

    def test_any_other_error_is_one_line_and_keeps_its_story(self) -> None:
        def fail() -> None:
            raise KeyError("first line\nsecond line")

        with pytest.raises(InputError) as caught:
            confined(fail, what="x.html")
        assert str(caught.value) == r"x.html: cannot be used (KeyError: 'first line\nsecond line')"
        assert "in fail" in caught.value.__notes__[0]

    @pytest.mark.parametrize(
        ("work", "line"),
        [
            (recursion, "InputError: nested too deeply"),
            (lambda: sys.exit(3), "InputError: cannot be used (SystemExit: 3)"),
            (lambda: os._exit(3), "InputError: ended the process that reads it (exit status 3)"),
            (lambda: os._exit(0), "InputError: ended the process that reads it (exit status 0)"),
            (lambda: os.kill(os.getpid(), signal.SIGSEGV), "InputError: crashed the process that reads it (SIGSEGV)"),
            (os.abort, "InputError: crashed the process that reads it (SIGABRT)"),
            (
                lambda: os.kill(os.getpid(), signal.SIGRTMIN + 1),
                f"InputError: crashed the process that reads it (signal {signal.SIGRTMIN + 1})",
            ),
            (
                lambda: os.kill(os.getpid(), signal.SIGKILL),
                "LimitError: stopped from outside (SIGKILL), most likely for want of memory",
            ),
            (lambda: os.closerange(3, 100), "InputError: ended the process that reads it (exit status 1)"),
            (object, "InputError: sent no proper result (builtins.object may not pass)"),
        ],
    )
    def test_every_other_end_is_one_line(self, work: Callable[[], object], line: str) -> None:
        assert refused(work) == line

    def test_a_strange_name_stays_one_line(self) -> None:
        with pytest.raises(InputError) as caught:
            confined(os.abort, what="a\nb\x1b[31m")
        assert str(caught.value) == r"a\nb\x1b[31m: crashed the process that reads it (SIGABRT)"


class TestLimits:
    def test_computing_time(self) -> None:
        line = refused(loop, Limits(cpu_s=1, wall_s=10))
        assert line == "LimitError: stopped, since it takes more than 1 s of computing"

    def test_waiting_time(self) -> None:
        start = time.monotonic()
        line = refused(lambda: time.sleep(60), Limits(wall_s=0.3))
        assert line == "LimitError: stopped, since it takes more than 0.3 s"
        assert time.monotonic() - start < 15

    def test_waiting_time_holds_without_the_pipe(self) -> None:
        def hide() -> None:
            os.closerange(3, 100)
            time.sleep(60)

        assert "0.3 s" in refused(hide, Limits(wall_s=0.3))

    @pytest.mark.parametrize("work", [hog, lambda: bytearray(10**12), lambda: "x" * 10**9], ids=["hog", "one", "text"])
    def test_memory(self, work: Callable[[], object]) -> None:
        assert refused(work) == "LimitError: stopped, since it takes more than 300 MB of memory"

    def test_memory_counts_from_what_the_parent_has(self) -> None:
        held = bytearray(500_000_000)
        assert confined(lambda: len(held) + len(bytearray(100_000_000)), what="x", limits=BRISK) == 600_000_000

    def test_the_size_of_the_result(self) -> None:
        assert refused(lambda: bytes(11_000_000)) == "LimitError: stopped, since it makes more than 10 MB"

    def test_the_size_that_a_captured_child_declares(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def lie(_: object, pipe: int, *__: object) -> None:
            os.write(pipe, (10**15).to_bytes(8, "big"))
            os._exit(0)

        monkeypatch.setattr(confine, "_send", lie)
        assert refused(loop) == "LimitError: stopped, since it makes more than 10 MB"

    def test_an_answer_cut_off_is_no_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def stutter(_: object, pipe: int, *__: object) -> None:
            os.write(pipe, (1000).to_bytes(8, "big") + b"half")
            os._exit(6)

        monkeypatch.setattr(confine, "_send", stutter)
        assert refused(loop) == "InputError: ended the process that reads it (exit status 6)"

    def test_files_and_open_files(self, tmp_path: Path) -> None:
        assert "File too large" in refused(lambda: (tmp_path / "x").write_bytes(bytes(30_000_000)))
        assert "Too many open files" in refused(lambda: [os.open(os.devnull, os.O_RDONLY) for _ in range(1000)])

    def test_temporary_files_are_removed(self) -> None:
        """The fixture above looks; WeasyPrint, killed, would leave the fonts of a page."""

        def leave() -> None:
            Path(tempfile.mkdtemp(), "font").write_bytes(b"font")
            os.abort()

        assert "SIGABRT" in refused(leave)

    def test_the_same_limits_hold_for_the_next_piece_of_work(self) -> None:
        assert "memory" in refused(hog)
        assert "0.2 s" in refused(lambda: time.sleep(60), Limits(wall_s=0.2))
        assert confined(lambda: "still here", what="x") == "still here"


class TestIsolation:
    def test_nothing_is_printed(self, capfd: pytest.CaptureFixture[str]) -> None:
        def noise() -> None:
            sys.stdout.write("noise")
            sys.stderr.write("noise")
            os.write(1, b"noise")
            os.write(2, b"noise")
            os.abort()

        sys.stdout.write("before")
        assert "SIGABRT" in refused(noise)
        sys.stdout.write("after")
        assert capfd.readouterr() == ("beforeafter", "")

    def test_no_last_words_of_a_crash_are_printed(self) -> None:
        script = """
            import faulthandler, os
            from sheetgen.batch.sandbox import confined
            faulthandler.enable(open(os.dup(2), "w"))
            try:
                confined(os.abort, what="x")
            finally:
                faulthandler.disable()
        """
        command = [sys.executable, "-c", "if True:" + script]
        ended = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
        assert "SIGABRT" in ended.stderr.splitlines()[-1]
        assert "Fatal Python error" not in ended.stderr

    def test_nothing_is_read(self) -> None:
        assert confined(lambda: os.read(0, 10), what="x") == b""

    def test_a_grandchild_that_holds_the_pipe_does_not_delay_the_end(self) -> None:
        def fork_and_die() -> None:
            if os.fork() == 0:
                time.sleep(60)
            os._exit(5)

        start = time.monotonic()
        assert "exit status 5" in refused(fork_and_die)
        assert time.monotonic() - start < 15

    def test_grandchildren_are_killed_too(self) -> None:
        def fork() -> int:
            pid = os.fork()
            if pid == 0:
                time.sleep(60)
            return pid

        pid = confined(fork, what="x")
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and is_running(pid):
            time.sleep(0.01)
        assert not is_running(pid)

    def test_unwritten_data_of_the_parent_are_written_once(self, tmp_path: Path) -> None:
        with (tmp_path / "log").open("w") as log:
            log.write("once")
            confined(lambda: None, what="x")
        assert (tmp_path / "log").read_text() == "once"

    def test_an_interruption_is_the_business_of_the_parent(self) -> None:
        assert confined(lambda: signal.raise_signal(signal.SIGINT), what="x") is None

    def test_an_interruption_ends_the_child(self) -> None:
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            confined(lambda: time.sleep(60), what="x", limits=Limits(wall_s=20))
        timer.join()
        assert time.monotonic() - start < 15

    def test_the_child_of_a_killed_parent_ends_by_itself(self, tmp_path: Path) -> None:
        script = """
            import os, sys, time
            from sheetgen.batch.sandbox import Limits, confined
            def work():
                with open(sys.argv[1] + ".new", "w") as file:
                    file.write(str(os.getpid()))
                os.rename(sys.argv[1] + ".new", sys.argv[1])
                time.sleep(60)
            confined(work, what="x", limits=Limits(wall_s=0.5))
        """
        note = tmp_path / "pid"
        command = [sys.executable, "-c", "if True:" + script, str(note)]
        environment = {**os.environ, "TMPDIR": str(tmp_path)}
        with subprocess.Popen(command, cwd=CHECKOUT, env=environment) as parent:
            deadline = time.monotonic() + 10
            while not note.exists() and time.monotonic() < deadline:
                time.sleep(0.005)
            parent.kill()
        pid = int(note.read_text())
        while is_running(pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not is_running(pid)


def is_running(pid: int) -> bool:
    """Whether the process does anything still; one that nobody has buried yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class TestHostilePages:
    """Small pages that hang, bloat or kill WeasyPrint below Python, as measured for RND-10 to RND-15."""

    @pytest.mark.parametrize(
        ("page", "seconds", "line"),
        [
            ('<div style="display:flex">' * 12 + "x", 2, "takes more than 2 s of computing"),
            ("<style>" + "* " * 40 + "{color:red}</style>" + "<div>" * 60 + "x", 2, "takes more than 2 s of computing"),
            # These end by themselves, on a slow machine later: the seconds only have to be enough.
            ("<div>" * 150 + "x", 20, "nested too deeply"),
            ("<table><tr><td colspan=100000000>x", 20, "takes more than 300 MB of memory"),
            (f"<style>{MARKS}</style><p>x", 20, "crashed the process that reads it (SIG"),
        ],
        ids=["flex", "selector", "nested", "colspan", "counter"],
    )
    def test_a_page_that_would_take_the_program_down_is_refused(self, page: str, seconds: int, line: str) -> None:
        def render() -> object:
            import weasyprint

            return weasyprint.HTML(string=page).write_pdf()

        assert line in refused(render, Limits(memory_mb=300, cpu_s=seconds, wall_s=60))


@dataclass
class Changing:
    number: int


@dataclass(frozen=True)
class Lasting:
    number: int


class TestParcel:
    """Bytes that a captured child might send."""

    @pytest.mark.parametrize(
        ("module", "name"),
        [
            ("os", "system"),
            ("builtins", "eval"),
            ("builtins", "getattr"),
            ("subprocess", "Popen"),
            ("sheetgen.workspace.write", "Output"),
            ("sheetgen.workspace.write", "sweep"),
            ("sheetgen.workspace.write", "os.remove"),
            ("sheetgen.workspace.write", "Path"),
            ("sheetgen.batch.sandbox", "confined"),
            ("sheetgen.content.yaml.decoder", "Problems"),
        ],
    )
    def test_nothing_that_acts_may_pass(self, module: str, name: str) -> None:
        with pytest.raises(pickle.UnpicklingError, match="may not pass"):
            parcel.unpickled(named(module, name) + b")R.")

    def test_an_error_has_to_be_one_of_ours(self) -> None:
        with pytest.raises(pickle.UnpicklingError):
            parcel.unpickled(pickle.dumps((None, "error")))

    @pytest.mark.parametrize("data", [b"", b"\x80", b"garbage", pickle.dumps(7), pickle.dumps((1, 2, 3))])
    def test_damaged_bytes_are_an_exception(self, data: bytes) -> None:
        with pytest.raises((pickle.UnpicklingError, EOFError, TypeError, ValueError)):
            parcel.unpickled(data)

    @pytest.mark.parametrize(
        ("kind", "home", "passes"),
        [
            (Lasting, "sheetgen.example", True),
            (Changing, "sheetgen.example", False),
            (Changing, "sheetgen.model.procedures", True),
            (Lasting, __name__, False),
        ],
    )
    def test_records_pass_if_they_are_ours_and_cannot_change(
        self, monkeypatch: pytest.MonkeyPatch, kind: type[Any], home: str, passes: bool
    ) -> None:
        monkeypatch.setattr(kind, "__module__", home)
        monkeypatch.setitem(sys.modules, home, ModuleType(home))
        monkeypatch.setattr(sys.modules[home], kind.__name__, kind, raising=False)
        data = parcel.pickled(kind(7), None)
        if passes:
            assert parcel.unpickled(data) == (kind(7), None)
        else:
            with pytest.raises(pickle.UnpicklingError, match="may not pass"):
                parcel.unpickled(data)

    def test_what_a_module_of_ours_imports_does_not_pass(self, monkeypatch: pytest.MonkeyPatch) -> None:
        home = ModuleType("sheetgen.example")
        monkeypatch.setitem(sys.modules, home.__name__, home)
        monkeypatch.setattr(home, "Lasting", Lasting, raising=False)
        with pytest.raises(pickle.UnpicklingError, match=r"sheetgen\.example\.Lasting may not pass"):
            parcel.unpickled(named("sheetgen.example", "Lasting") + b"K\x07\x85R.")

    def test_no_program_is_started_by_its_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delitem(sys.modules, "sheetgen.__main__", raising=False)
        with pytest.raises(pickle.UnpicklingError, match="may not pass"):
            parcel.unpickled(named("sheetgen.__main__", "main") + b")R.")
        assert "sheetgen.__main__" not in sys.modules


def named(module: str, name: str) -> bytes:
    """The start of a pickle that asks for something by name."""
    words = b"".join(b"\x8c" + bytes([len(word)]) + word.encode() for word in (module, name))
    return b"\x80\x04" + words + b"\x93"


def test_a_process_confined_itself_does_confined_work_and_has_its_old_limits_afterwards() -> None:
    before = [resource.getrlimit(kind) for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)]
    with confine.alone("mist", BRISK):
        assert confined(os.getpid, what="mist") == os.getpid()
        assert resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
        with pytest.raises(LimitError, match="mist: stopped, since it takes more than 300 MB of memory"):
            confined(lambda: bytes(900_000_000), what="mist", limits=BRISK)
        with pytest.raises(InputError, match="mist: cannot be used"):
            confined(lambda: 1 / 0, what="mist")
    after = [resource.getrlimit(kind) for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)]
    assert after == before
    assert confined(os.getpid, what="mist") != os.getpid()


def test_a_process_confined_itself_is_ended_when_it_computes_too_long() -> None:
    def endless(pipe: int) -> None:
        with confine.alone("mist", Limits(cpu_s=1, wall_s=30)):
            while True:
                pass

    child = Child(endless, expendable=True)
    assert child.receive() is None
    assert os.waitstatus_to_exitcode(child.status) == -signal.SIGXCPU
    child.end()


def test_without_forks_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    assert confined(os.getpid, what="x") == os.getpid()
    assert refused(recursion) == "InputError: nested too deeply"
    assert refused(lambda: sys.exit(3)) == "InputError: cannot be used (SystemExit: 3)"


def test_when_no_process_can_be_started_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", fail)
    with pytest.raises(LimitError, match="no further process can be started: Resource temporarily unavailable"):
        confined(lambda: 7, what="x")
