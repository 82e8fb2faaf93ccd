"""Work shared out among forked processes, its results in order.

Every worker knows all the chunks from the start, so that nothing is sent to it: worker 0 of 2 does chunks 0, 2, 4, …
and the results are read in turn. A worker whose result is not wanted yet waits with it in its pipe, which keeps memory
flat. One that dies is replaced by another that goes on at the chunk it owed; the second that dies over the same chunk
ends the run. Where nothing can be forked (Windows), or with one worker, the chunks are done here, one after another.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import struct
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import BinaryIO, Generic, NoReturn, TypeVar

from sheetgen.errors import LimitError, SheetgenError

C = TypeVar("C")
R = TypeVar("R")
Begin = Callable[[], Callable[[C], R]]

_LENGTH = struct.Struct(">Q")
_BUFFER = 1 << 20
STOPPING = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}


class WorkerDied(LimitError):
    """A worker that ended without a result, and so did its replacement: most often memory ran short."""


def cores() -> int:
    """How many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(begin: Begin[C, R], chunks: Sequence[C], *, workers: int) -> Iterator[R]:
    """What the work makes of each chunk, in their order; `begin` is called once a worker and gives the work.

    A SheetgenError of the work is raised here as it was, at its place in the order; WorkerDied when a worker dies twice
    over one chunk.
    """
    workers = min(workers, len(chunks))
    if workers < 2 or not hasattr(os, "fork"):
        work = begin()
        for chunk in chunks:
            yield work(chunk)
        return
    crew: list[_Worker[C, R]] = []
    try:
        for first in range(workers):
            crew.append(_Worker(begin, chunks, first, workers))
        for at in range(len(chunks)):
            yield crew[at % workers].result(at)
    finally:
        for worker in crew:
            worker.end()


def _widen(pipe: int) -> None:
    """Gives a pipe room for a whole result where the system can, so that a worker goes on while nobody reads it."""
    with suppress(ImportError, AttributeError, OSError):
        from fcntl import F_SETPIPE_SZ, fcntl  # Linux alone

        fcntl(pipe, F_SETPIPE_SZ, _BUFFER)


@contextmanager
def _unheard() -> Iterator[None]:
    """Inside, whoever asks to stop is heard a moment later: a process just begun must not answer for its parent."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker(Generic[C, R]):
    """One process and the reading end of its pipe."""

    def __init__(self, begin: Begin[C, R], chunks: Sequence[C], first: int, step: int) -> None:
        self._begin, self._chunks, self._step = begin, chunks, step
        self._pid, self._pipe = self._fork(first)

    def result(self, at: int) -> R:
        """The result of the chunk at that place, which is the next that this worker owes."""
        data = self._read()
        if data is None:
            self.end()
            self._pid, self._pipe = self._fork(at)
            data = self._read()
        if data is None:
            raise WorkerDied(
                f"a worker process died twice over the same work (part {at + 1} of {len(self._chunks)}): "
                "if memory is short, use fewer with --workers"
            )
        value, error = pickle.loads(data)
        if error is not None:
            raise error
        return value  # type: ignore[no-any-return]  # what the pickle holds is what the work returned

    def end(self) -> None:
        """Ends the process, if it has not ended, and closes the pipe."""
        self._pipe.close()
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)

    def _read(self) -> bytes | None:
        """The next message; None when the process ended before it was whole."""
        head = self._pipe.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack(head)
        data = self._pipe.read(length)
        return data if len(data) == length else None

    def _fork(self, first: int) -> tuple[int, BinaryIO]:
        reading, writing = os.pipe()
        _widen(writing)
        with _unheard():
            pid = os.fork()
            if not pid:
                self._live(reading, writing, first)
        os.close(writing)
        return pid, os.fdopen(reading, "rb", _BUFFER)

    def _live(self, reading: int, writing: int, first: int) -> NoReturn:
        """All that the new process ever does."""
        code = 1
        gc.freeze()  # what came from the parent is not looked through again and again, nor copied for that
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent answers Ctrl-C, and ends its workers
            for number in STOPPING - {signal.SIGINT}:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
            os.close(reading)
            with os.fdopen(writing, "wb", _BUFFER) as pipe:
                self._work(pipe, first)
            code = 0
        except BrokenPipeError:  # nobody is there to read any more
            code = 0
        finally:
            os._exit(code)

    def _work(self, pipe: BinaryIO, first: int) -> None:
        try:
            work = self._begin()
            for at in range(first, len(self._chunks), self._step):
                self._send(pipe, (work(self._chunks[at]), None))
        except BrokenPipeError:
            raise
        except SheetgenError as error:
            self._send(pipe, (None, error))
        except MemoryError:
            self._send(pipe, (None, LimitError("a worker process ran out of memory; use fewer with --workers")))
        except Exception as error:
            error.add_note("".join(traceback.format_exception(error))[-10_000:])
            self._send(pipe, (None, error))

    def _send(self, pipe: BinaryIO, message: tuple[object, Exception | None]) -> None:
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        pipe.write(_LENGTH.pack(len(data)))
        pipe.write(data)
        pipe.flush()
