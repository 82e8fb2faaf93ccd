"""Work on strangers' input, done in a forked process that can be stopped, so that it hangs, bloats or kills only that.

The child may use so much memory, computing time and waiting time; it prints nothing, keeps no file, and sends what it
makes back through a pipe. Whatever ends it early becomes one line naming the input and the limit (RND-10 to RND-15).
Where nothing can be forked (Windows) the work is done in this process, and only what Python itself notices is caught.
The answer is a pickle, but one that can name nothing but records and errors of sheetgen, plain values and containers:
if hostile input ever took the child over, it still could not make the parent do anything.
A child that waits for a lock of a thread of its parent (see `child`) is stopped by its time limit.
"""

from __future__ import annotations

import dataclasses
import enum
import faulthandler
import io
import math
import os
import pickle
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeVar

from sheetgen.batch.child import Child, can_fork, scratch_folder, send
from sheetgen.errors import InputError, LimitError, Place, Problem, SheetgenError, absence, printable

_PLAIN = MappingProxyType({"builtins": ("set", "frozenset", "bytearray", "complex", "range"), "decimal": ("Decimal",)})
T = TypeVar("T")
MEGABYTE = 1_000_000
OPEN_FILES = 256
_ALONE: list[str] = []  # what this process itself is confined for, if it is


def pickled(value: object, error: SheetgenError | None) -> bytes:
    """Return a value, or the error there is instead; pickle.PicklingError or TypeError for what cannot be packed."""
    buffer = io.BytesIO()
    packer = _Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    packer.dispatch_table = {}  # none of what other libraries (Dask) add to everybody's
    packer.dump((value, error))
    return buffer.getvalue()


def unpickled(data: bytes) -> tuple[Any, SheetgenError | None]:
    """Return the value and the error; pickle.UnpicklingError for what may not pass, any exception for damaged bytes."""
    value, error = _Unpickler(io.BytesIO(data)).load()
    if error is not None and not isinstance(error, SheetgenError):
        raise pickle.UnpicklingError("the error is none")
    return value, error


def portable(error: SheetgenError) -> SheetgenError:
    """Return the error itself if it survives packing, otherwise the nearest kind of error with the same line."""
    with suppress(Exception):
        unpickled(pickled(None, error))
        return error
    nearest = next(kind for kind in type(error).__mro__ if kind.__module__ == SheetgenError.__module__)
    return SheetgenError(str(error)) if nearest is InputError else nearest(str(error))


def _fraction(numerator: int, denominator: int) -> Fraction:
    return Fraction(numerator, denominator)


def _read_only(items: dict[object, object]) -> MappingProxyType[object, object]:
    return MappingProxyType(items)


_OWN = MappingProxyType({each.__name__: each for each in (_read_only, _fraction)})


class _Pickler(pickle.Pickler):
    """Packs read-only mappings, too, which pickle does not, and fractions as numbers: as text they could be endless."""

    def reducer_override(self, value: object) -> Any:
        """Return how to rebuild a value, if pickle does not know."""
        if isinstance(value, Fraction):
            return _fraction, value.as_integer_ratio()
        return (_read_only, (dict(value),)) if isinstance(value, MappingProxyType) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Finds nothing but what may pass."""

    def find_class(self, module: str, name: str) -> object:
        """Return the class of that name; UnpicklingError for any that may not come out of a confined process."""
        if module == __name__ and name in _OWN:
            return _OWN[name]
        if name in _PLAIN.get(module, ()):
            return super().find_class(module, name)
        if module.startswith("sheetgen.") and "__" not in module:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module and _is_record(found):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} may not pass")


def _is_record(kind: type) -> bool:
    """Return whether creating an instance has no side effects: errors, values, classes of the model, frozen
    dataclasses.
    """
    if issubclass(kind, SheetgenError | str | int | tuple | enum.Enum) or kind.__module__.startswith("sheetgen.model."):
        return True
    return dataclasses.is_dataclass(kind) and bool(kind.__dataclass_params__.frozen)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Limits:
    """What confined work may use.

    `memory_mb` comes on top of what its parent has, `wall_s` is time waited for it, `file_mb` the size of each file it
    writes (WeasyPrint puts a page's own fonts into the scratch folder).
    """

    memory_mb: int = 450
    cpu_s: int = 5
    wall_s: float = 60  # with much else to do, a machine needs long for seconds of computing
    result_mb: int = 200
    file_mb: int = 20


STANDARD = Limits()
PUBLICATION = Limits(
    memory_mb=700, cpu_s=60, wall_s=180
)  # a whole book, deck or screen: dozens of pages, and odds to work out


def confined(work: Callable[[], T], *, what: str, limits: Limits = STANDARD) -> T:
    """Return the result of the work, done in a process of its own.

    A result is made of sheetgen's own records and of plain values and containers. A SheetgenError of the work is raised
    here as it was. LimitError when it ran into a limit, InputError when it crashed or failed; both name `what`.
    """
    if _ALONE or not can_fork():
        return _with_sheetgen_errors(work, what, limits)
    with scratch_folder() as scratch:
        child = Child(lambda pipe: _send(work, pipe, scratch, what, limits), expendable=True)
        try:
            data = _answer(child, what, limits)
        finally:
            child.end()
    try:
        value, error = unpickled(data)
    except Exception as problem:  # whatever a damaged pickle can raise
        raise _failed(what, f"sent no proper result ({problem})") from problem
    if isinstance(error, SheetgenError):
        raise error
    return value  # type: ignore[no-any-return]  # what the pickle holds is what `work` returned


@contextmanager
def alone(what: str, limits: Limits) -> Iterator[None]:
    """Confine this very process while it does one piece of work: what it starts as `confined` is done in it.

    For processes that others wait for, which lose nothing but time when one of them is ended: a limit of time or the
    system ends it without a word, so that who waits does the work again as `confined`, which tells why.
    """
    if not can_fork():
        yield
        return
    import resource

    spent = math.ceil(time.process_time())
    wanted = _resource_limits(replace(limits, cpu_s=limits.cpu_s + spent))
    before, temporary = {kind: resource.getrlimit(kind) for kind in wanted}, tempfile.tempdir
    handlers = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGALRM, signal.SIGXCPU)}
    with scratch_folder() as scratch:
        try:
            tempfile.tempdir = scratch
            _ALONE.append(what)
            signal.setitimer(signal.ITIMER_REAL, limits.wall_s)
            for kind, value in wanted.items():
                hard = before[kind][1]
                _set_softly(kind, value if hard == resource.RLIM_INFINITY else min(value, hard), hard)
            yield
        finally:
            for kind, (soft, hard) in before.items():
                _set_softly(kind, soft, hard)
            signal.setitimer(signal.ITIMER_REAL, 0)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            _ALONE.remove(what)
            tempfile.tempdir = temporary


def _set_softly(kind: int, soft: int, hard: int) -> None:
    import resource

    with suppress(ValueError, OSError):  # macOS has no limit on address space
        resource.setrlimit(kind, (soft, hard))


def _with_sheetgen_errors(work: Callable[[], T], what: str, limits: Limits) -> T:
    """Return the result of the work; raise any error of it as a SheetgenError."""
    try:
        return work()
    except SheetgenError:
        raise
    except MemoryError:
        raise _too_much_memory(what, limits) from None
    except RecursionError as error:
        raise _failed(what, "nested too deeply") from error
    except (Exception, SystemExit) as error:
        if (absent := absence(error)) is not None:
            raise absent from error
        lines = str(error).splitlines()
        failure = _failed(what, f"cannot be used ({': '.join([type(error).__name__, *lines[:1]])[:200]})")
        failure.add_note("".join(traceback.format_exception(error))[-10_000:])
        raise failure from error


def _too_much_memory(what: str, limits: Limits) -> LimitError:
    return LimitError(printable(f"{what}: stopped, since it takes more than {limits.memory_mb:,} MB of memory"))


def _too_long(what: str, seconds: float, doing: str) -> LimitError:
    return LimitError(printable(f"{what}: stopped, since it takes more than {seconds:g} s{doing}"))


def _too_large(what: str, limits: Limits) -> LimitError:
    return LimitError(printable(f"{what}: stopped, since it makes more than {limits.result_mb:,} MB"))


def _failed(what: str, message: str) -> InputError:
    return InputError([Problem(Place(what), message)])


def _death_error(status: int, what: str, limits: Limits) -> SheetgenError:
    """Return the error that explains why a child ended without sending a result."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return _failed(what, f"ended the process that reads it (exit status {code})")
    if -code == signal.SIGXCPU:
        return _too_long(what, limits.cpu_s, " of computing")
    if -code == signal.SIGALRM:
        return _too_long(what, limits.wall_s, "")
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if -code == signal.SIGKILL:  # not by us: we say so ourselves
        return LimitError(printable(f"{what}: stopped from outside ({name}), most likely for want of memory"))
    return _failed(what, f"crashed the process that reads it ({name})")


def _answer(child: Child, what: str, limits: Limits) -> bytes:
    """Return the bytes that a child sends; raise a SheetgenError if there are none."""
    try:
        data = child.receive(largest=limits.result_mb * MEGABYTE, deadline=time.monotonic() + limits.wall_s)
    except TimeoutError:
        raise _too_long(what, limits.wall_s, "") from None
    except OverflowError:
        raise _too_large(what, limits) from None
    if data is None:
        raise _death_error(child.status, what, limits)
    return data


def _send(work: Callable[[], object], pipe: int, scratch: str, what: str, limits: Limits) -> None:
    """Restrict this child process, do the work, and send the result or error."""
    answer = pickled(None, _too_much_memory(what, limits))  # while there is memory to say so
    pipe = _restrict_process(pipe, scratch, limits)
    try:
        packed = _with_sheetgen_errors(lambda: pickled(work(), None), what, limits)
        answer = packed if len(packed) <= limits.result_mb * MEGABYTE else pickled(None, _too_large(what, limits))
    except SheetgenError as error:
        with suppress(MemoryError):
            answer = pickled(None, portable(error))
    except MemoryError:
        pass
    send(pipe, answer)


def _restrict_process(pipe: int, scratch: str, limits: Limits) -> int:
    """Take from this process what the work does not need; returns the pipe, moved clear of standard output."""
    import fcntl

    for number in (signal.SIGALRM, signal.SIGXCPU):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.setitimer(signal.ITIMER_REAL, limits.wall_s + 1)  # should the parent be killed before it can kill us
    faulthandler.disable()
    pipe = fcntl.fcntl(pipe, fcntl.F_DUPFD_CLOEXEC, 3)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    tempfile.tempdir = os.environ["TMPDIR"] = scratch
    _limit(limits)
    return pipe


def _limit(limits: Limits) -> None:
    """Set the limits that the kernel keeps; a stricter one that is there already stays."""
    import resource

    for kind, value in _resource_limits(limits).items():
        set_already = [limit for limit in resource.getrlimit(kind) if limit != resource.RLIM_INFINITY]
        soft = min([value, *set_already])
        # One second more until SIGKILL, so that the end by SIGXCPU can be told from others.
        hard = min([value + 1 if kind == resource.RLIMIT_CPU else value, *set_already[-1:]])
        with suppress(ValueError, OSError):  # macOS has no limit on address space
            resource.setrlimit(kind, (soft, max(soft, hard)))


def _resource_limits(limits: Limits) -> dict[int, int]:
    import resource

    return {
        resource.RLIMIT_AS: _memory_now() + limits.memory_mb * MEGABYTE,
        resource.RLIMIT_CPU: limits.cpu_s,
        resource.RLIMIT_FSIZE: limits.file_mb * MEGABYTE,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CORE: 0,
    }


def _memory_now() -> int:
    """Return the bytes of address space in use: a fork starts with all that its parent has."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
