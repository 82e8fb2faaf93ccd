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
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

from sheetgen.batch.child import Child, can_fork, end_all, send
from sheetgen.errors import LimitError, SheetgenError

C = TypeVar("C")
R = TypeVar("R")
Begin = Callable[[], Callable[[C], R]]

_PIPE_SIZE = 1 << 20


class WorkerDied(LimitError):
    """A worker that ended without a result, and so did its replacement: most often memory ran short."""


def cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(begin: Begin[C, R], chunks: Sequence[C], *, workers: int) -> Iterator[R]:
    """Yield the result of the work for each chunk, in order; each worker calls `begin` once to get the work function.

    A SheetgenError of the work is raised here as it was, at its place in the order; WorkerDied when a worker dies twice
    over one chunk.
    """
    workers = min(workers, len(chunks))
    if workers < 2 or not can_fork():
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
        end_all(worker.child for worker in crew)


class _Worker(Generic[C, R]):
    """One process that does every `step`-th chunk, beginning with chunk `first`."""

    def __init__(self, begin: Begin[C, R], chunks: Sequence[C], first: int, step: int) -> None:
        self._begin, self._chunks, self._step = begin, chunks, step
        self.child = self._start(first)

    def _start(self, first: int) -> Child:
        return Child(lambda pipe: self._work(pipe, first))

    def result(self, at: int) -> R:
        """Return the result of the chunk at that place, which is the next that this worker owes."""
        data = self.child.receive()
        if data is None:
            self.child.end()
            self.child = self._start(at)
            data = self.child.receive()
        if data is None:
            raise WorkerDied(
                f"a worker process died twice over the same work (part {at + 1} of {len(self._chunks)}): "
                "if memory is short, use fewer with --workers"
            )
        value, error = pickle.loads(data)
        if error is not None:
            raise error
        return value  # type: ignore[no-any-return]  # what the pickle holds is what the work returned

    def _work(self, pipe: int, first: int) -> None:
        gc.freeze()  # what came from the parent is not looked through again and again, nor copied for that
        _widen(pipe)
        try:
            work = self._begin()
            for at in range(first, len(self._chunks), self._step):
                send(pipe, pickle.dumps((work(self._chunks[at]), None), pickle.HIGHEST_PROTOCOL))
        except BrokenPipeError:
            raise
        except MemoryError:
            send(pipe, _packed(LimitError("a worker process ran out of memory; use fewer with --workers")))
        except Exception as error:
            send(pipe, _packed(error))


def _widen(pipe: int) -> None:
    """Give a pipe room for a whole result where the system can, so that a worker goes on while nobody reads it."""
    with suppress(ImportError, AttributeError, OSError):
        from fcntl import F_SETPIPE_SZ, fcntl  # Linux alone

        fcntl(pipe, F_SETPIPE_SZ, _PIPE_SIZE)


def _packed(error: Exception) -> bytes:
    """Return the pickled message for an error; an error that cannot be pickled becomes the nearest kind that can."""
    trace = "".join(traceback.format_exception(error))[-10_000:]
    if not isinstance(error, SheetgenError):
        error.add_note(trace)
    with suppress(Exception):
        data = pickle.dumps((None, error), pickle.HIGHEST_PROTOCOL)
        pickle.loads(data)
        return data
    plain: Exception = RuntimeError(f"{type(error).__name__}: {error}")
    if isinstance(error, SheetgenError):
        plain = SheetgenError(str(error))
        plain.exit_code = error.exit_code
    else:
        plain.add_note(trace)
    return pickle.dumps((None, plain), pickle.HIGHEST_PROTOCOL)
