"""Processes that stay warm: each does one piece of work after another, and is ended in the middle of one nobody awaits.

They are forked from a server that has imported what they need and has no threads, so that a program of many threads may
have them, and one that was ended is replaced in milliseconds.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from multiprocessing import get_all_start_methods, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Condition, Event, Thread
from typing import Any, cast

from sheetgen.batch.child import parent_death_handler

_BEAT = 0.03  # seconds between looks whether the work is still awaited
_GRACE = 0.5  # seconds that work may go on which nobody awaits: what it has read serves the next
_SO_FAR, _DONE = b"+", b"="  # what stands before a word on how far the work is, and before its answer
Tell = Callable[[bytes], None]
Work = Callable[[bytes, Tell], bytes]  # what it is asked, and where it may tell how far it is


class Outdated(Exception):
    """The work was ended, since nobody awaits it any more."""


class WarmProcess:
    """A process that does `work`, a function of a module, on what it is sent; started when it is first asked."""

    def __init__(self, work: Work, imports: Sequence[str], grace_s: float = _GRACE) -> None:
        self._work, self._imports, self._grace = work, imports, grace_s
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._starting: Thread | None = None
        self._failed: Exception | None = None

    @property
    def is_warm(self) -> bool:
        """Whether the process was started, and not ended since."""
        return self._process is not None

    def ask(self, request: bytes, unwanted: Event, tell: Tell = lambda so_far: None) -> bytes:
        """Return what the work makes of the request; `tell` hears how far it is. EOFError if the process died.

        Outdated when it became unwanted and was not done soon after.
        """
        pipe = self._started(unwanted)
        try:
            pipe.send_bytes(request)
            left = self._grace
            while True:
                while not pipe.poll(_BEAT):
                    left -= _BEAT if unwanted.is_set() else 0
                    if unwanted.is_set() and left <= 0:
                        raise Outdated
                heard: bytes = pipe.recv_bytes()
                if heard[:1] == _DONE:
                    return heard[1:]
                tell(heard[1:])
        except (Outdated, EOFError, OSError) as error:
            self.end()
            if isinstance(error, OSError):
                raise EOFError from error
            raise

    def _started(self, unwanted: Event) -> Connection:
        """Return the pipe to the process; Outdated when it became unwanted while it starts, which takes seconds."""
        if self._starting is None and not (self._process is not None and self._process.is_alive()):
            self.end()
            self._starting = Thread(target=self._start, daemon=True)
            self._starting.start()
        while self._starting is not None and self._starting.is_alive():
            if unwanted.is_set():
                raise Outdated
            self._starting.join(_BEAT)
        self._starting = None
        if self._pipe is None:
            raise EOFError("the process could not be started") from self._failed
        return self._pipe

    def _start(self) -> None:
        forks = "forkserver" in get_all_start_methods()
        context: Any = get_context("forkserver" if forks else "spawn")
        if forks:
            context.set_forkserver_preload([__name__, *self._imports])
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self._work), daemon=True)
        try:
            process.start()
            self._process, self._pipe, self._failed = process, here, None
        except Exception as error:  # is told by who waits for it
            self._failed = error
        there.close()

    def end(self) -> None:
        """End the process and what it started; the next request starts another."""
        if self._starting is not None:
            self._starting.join(5)
            self._starting = None
        if self._process is not None:
            with suppress(OSError, AttributeError):
                self._process.kill()
            self._process.join(5)
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


class WarmProcesses:
    """Some warm processes that share out what is asked of them, the latest request first."""

    def __init__(self, work: Work, *, processes: int, imports: Sequence[str] = (), grace_s: float = _GRACE) -> None:
        self._free = [WarmProcess(work, imports, grace_s) for _ in range(processes)]
        self._all = tuple(self._free)
        self._turns, self._waiting, self._numbers = Condition(), list[int](), count()

    def ask(self, request: bytes, unwanted: Event, tell: Tell = lambda so_far: None) -> bytes:
        """Return what the work makes of the request; all as for `WarmProcess.ask`. Called from any thread."""
        process = self._take_process(unwanted)
        try:
            return process.ask(request, unwanted, tell)
        finally:
            with self._turns:  # one that was ended comes last: what it has read, the others still know
                self._free.insert(len(self._free) if process.is_warm else 0, process)
                self._turns.notify_all()

    def _take_process(self, unwanted: Event) -> WarmProcess:
        with self._turns:
            number = next(self._numbers)
            self._waiting.append(number)
            try:
                while not self._free or max(self._waiting) != number:
                    if unwanted.is_set():
                        raise Outdated
                    self._turns.wait(_BEAT)
                return self._free.pop()
            finally:
                self._waiting.remove(number)
                self._turns.notify_all()

    def warm(self) -> None:
        """Start a process, so that the first request need not wait for what it imports."""
        with suppress(Outdated, EOFError):
            self.ask(b"", Event())

    def end(self) -> None:
        """End all of them."""
        for process in self._all:
            process.end()


def _serve(pipe: Connection, work: Work) -> None:
    """Answer requests until the other end is closed; an empty one is only heard."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, too, and ends this
    parent_death_handler()(os.getppid(), True)
    _end_with_who_asks()

    def tell(so_far: bytes) -> None:
        pipe.send_bytes(_SO_FAR + so_far)

    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            request = pipe.recv_bytes()
            pipe.send_bytes(_DONE + (work(request, tell) if request else b""))


def _end_with_who_asks() -> None:
    """Make the kernel end this process with the one that has it, whose child it is not: that of the server.

    The pipe that tells of its end is closed by it alone. Where that is no signal, work that was begun is finished.
    """
    parent = parent_process()
    with suppress(ImportError, AttributeError, OSError):
        import fcntl  # which Windows lacks

        pipe = cast(int, parent.sentinel)  # type: ignore[union-attr]
        fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
