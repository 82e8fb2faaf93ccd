"""Work shared out among forked processes, its results in order; and the lazy sequences that it is cut from.

Whoever is done gets the next chunk, so that long and short ones keep all at work; each has one more waiting. Results
are read as they come, and nobody runs far ahead of the one that is wanted, which keeps memory flat. A worker that dies
is replaced by another that goes on at the chunk it owed; the second that dies over the same chunk ends the run. Where
nothing can be forked (Windows), or with one worker, the chunks are done here, one after another.
"""

from __future__ import annotations

import gc
import os
import pickle
import struct
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Generic, TypeVar

from sheetgen.batch.child import Child, can_fork, end_all, heard, send
from sheetgen.errors import LimitError, SheetgenError

C = TypeVar("C")
R = TypeVar("R")
Begin = Callable[[], Callable[[C], R]]

FEW = 8  # processes at the most where there are no more cores: each takes some 20 MB, and more are no faster
_PIPE_SIZE = 1 << 20
_NUMBER = struct.Struct(">Q")
_WAITING = 2  # chunks that a worker has at most: one at work and the next
_AHEAD = 16  # chunks for each worker, from the one that is wanted
T = TypeVar("T")
Maker = Callable[[range], Iterable[T]]


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
    workers = min(workers, len(chunks), max(cores(), FEW))
    if workers < 2 or not can_fork():
        work = begin()
        for chunk in chunks:
            yield work(chunk)
        return
    crew: list[_Worker[C, R]] = []
    made: dict[int, tuple[R, Exception | None]] = {}
    given = 0
    try:
        for _ in range(workers):
            crew.append(_Worker(begin, chunks))
        for at in range(len(chunks)):
            while at not in made:
                most = min(len(chunks), at + _AHEAD * workers)
                while given < most and (free := _free(crew)):
                    free.give(given)
                    given += 1
                busy = {worker.child: worker for worker in crew if worker.owed}
                for child in heard(busy):
                    made.update(busy[child].news())
            value, error = made.pop(at)
            if error is not None:
                raise error
            yield value
    finally:
        end_all(worker.child for worker in crew)
        for worker in crew:
            worker.close()


@contextmanager
def beside(work: Callable[[], R]) -> Iterator[Callable[[], R]]:
    """Yield what returns the result of work that is done meanwhile, in a process that ends with the `with` block.

    An error of the work is raised where its result is asked for. With one core, where nothing can be forked, and if the
    process died, the work is done here when it is asked for.
    """
    child = Child(partial(_done_beside, work)) if cores() > 1 and can_fork() else None

    @cache
    def result() -> R:
        data = child.receive() if child is not None else None
        if data is None:
            return work()
        value, error = pickle.loads(data)
        if error is not None:
            raise error
        return value  # type: ignore[no-any-return]  # what the pickle holds is what `work` returned

    try:
        yield result
    finally:
        if child is not None:
            child.end()


def _done_beside(work: Callable[[], object], pipe: int) -> None:
    gc.freeze()
    try:
        made = packed_outcome(work())
    except Exception as error:
        made = packed_outcome(error=error)
    send(pipe, made)


def _free(crew: Sequence[_Worker[C, R]]) -> _Worker[C, R] | None:
    """Return the worker with the least to do that may be given a chunk; None while there is none."""
    free = (each for each in crew if not each.gone and len(each.owed) < _WAITING)
    return min(free, key=lambda each: len(each.owed), default=None)


class _Worker(Generic[C, R]):
    """One process, and the numbers of the chunks that it has been given and owes, in their order."""

    def __init__(self, begin: Begin[C, R], chunks: Sequence[C]) -> None:
        self._begin, self._chunks = begin, chunks
        self.owed: deque[int] = deque()
        self._died_over = -1
        self.gone = False  # died for good
        self._start()

    def _start(self) -> None:
        taking, self._giving = os.pipe()
        try:
            self.child = Child(lambda pipe: self._work(pipe, taking))
        except BaseException:
            self.close()
            raise
        finally:
            os.close(taking)

    def close(self) -> None:
        """Close the pipe through which the process is given chunks."""
        giving, self._giving = self._giving, -1
        if giving >= 0:
            os.close(giving)

    def give(self, at: int) -> None:
        """Let the process do the chunk of that number after those that it has."""
        self.owed.append(at)
        self._send(at)

    def _send(self, at: int) -> None:
        with suppress(BrokenPipeError):  # that it died is found when it is listened to
            os.write(self._giving, _NUMBER.pack(at))

    def news(self) -> dict[int, Any]:
        """Return the result or the error of the first chunk owed by its number; nothing if its process is replaced."""
        at, data = self.owed[0], self.child.receive()
        if data is not None:
            return {self.owed.popleft(): pickle.loads(data)}
        self.child.end()
        if self._died_over == at:
            self.owed.clear()  # all later than this one, at which the run ends
            self.gone = True
            died = f"a worker process died twice over the same work (part {at + 1} of {len(self._chunks)}): "
            return {at: (None, WorkerDied(died + "if memory is short, use fewer with --workers"))}
        self._died_over = at
        self.close()
        self._start()
        for each in self.owed:
            self._send(each)
        return {}

    def _work(self, pipe: int, taking: int) -> None:
        os.close(self._giving)  # so that it ends with the parent
        gc.freeze()  # what came from the parent is not looked through again and again, nor copied for that
        _widen(pipe)
        work: Callable[[C], R] | None = None
        while number := os.read(taking, _NUMBER.size):
            try:
                work = work or self._begin()
                made = packed_outcome(work(self._chunks[_NUMBER.unpack(number)[0]]))
            except BrokenPipeError:
                raise
            except MemoryError:
                made = packed_outcome(error=LimitError("a worker process ran out of memory; use fewer with --workers"))
            except Exception as error:
                made = packed_outcome(error=error)
            send(pipe, made)


def _widen(pipe: int) -> None:
    """Give a pipe room for a whole result where the system can, so that a worker goes on while nobody reads it."""
    with suppress(ImportError, AttributeError, OSError):
        from fcntl import F_SETPIPE_SZ, fcntl  # Linux alone

        fcntl(pipe, F_SETPIPE_SZ, _PIPE_SIZE)


def packed_outcome(value: object = None, error: Exception | None = None) -> bytes:
    """Return a result or an error as bytes; an error that cannot be pickled becomes the nearest kind that can."""
    if error is None:
        return pickle.dumps((value, None), pickle.HIGHEST_PROTOCOL)
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


@dataclass(frozen=True, slots=True)
class Series(Generic[T]):
    """A sequence of `count` items, numbered from 0 and made on demand; `begin` prepares a process once and returns the
    maker.
    """

    count: int
    begin: Callable[[], Maker[T]]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[T]:
        return iter(self.begin()(range(self.count)))

    def part(self, numbers: range) -> Series[T]:
        """Return the items with these consecutive numbers as a series of its own."""
        first = numbers.start

        def begin() -> Maker[T]:
            make = self.begin()
            return lambda some: make(range(first + some.start, first + some.stop))

        return Series(len(numbers), begin)

    def shard(self, number: int, of: int) -> range:
        """Return the numbers of shard `number` (from 1) of `of`: consecutive, of nearly the same size, each thing in
        one.
        """
        return range(self.count * (number - 1) // of, self.count * number // of)


def series_of(things: Iterable[T]) -> Series[T]:
    """Return existing items as a series."""
    if isinstance(things, Series):
        return things
    kept: Sequence[T] = things if isinstance(things, (list, tuple)) else tuple(things)
    return Series(len(kept), lambda: lambda numbers: (kept[number] for number in numbers))


def chunks(count: int, size: int) -> tuple[range, ...]:
    """Return the numbers from 0 to `count` in ranges of `size`; the last one may be shorter."""
    return tuple(range(start, min(start + size, count)) for start in range(0, count, size))
