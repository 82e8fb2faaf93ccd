"""Forked processes: started, heard through a pipe, and ended together with all that they started.

A child does not outlive its parent: the kernel ends it where the system offers that (Linux), elsewhere the next message
that it sends does. Temporary folders bear the process that made them, so that a later run removes those of one that was
killed. The caller should have no other threads: a lock that one of them holds at the fork stays locked in the child.
"""

from __future__ import annotations

import atexit
import os
import selectors
import shutil
import signal
import struct
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

from sheetgen.errors import LimitError

STOPPING = frozenset(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
SCRATCH = "sheetgen-"
GRACE = 2.0  # seconds that a child has for removing its own temporary files

_HEADER = struct.Struct(">Q")
_CHUNK = 1 << 20
_BEAT = 0.05
_PR_SET_PDEATHSIG = 1


def can_fork() -> bool:
    """Return whether this system has forks; Windows does not."""
    return hasattr(os, "fork")


class Child:
    """A forked process that does `work`, which gets the writing end of a pipe, and then ends.

    It ignores SIGINT, since its parent hears that, too, and ends it. SIGTERM and SIGHUP end it at once if it is
    `expendable`; otherwise they raise KeyboardInterrupt in it, so that it ends its own children and removes its files.
    LimitError if no process can be started.
    """

    def __init__(self, work: Callable[[int], object], *, expendable: bool = False) -> None:
        self._status = -1
        self._expendable = expendable
        self._pipe, writing = os.pipe()
        die_with_parent = parent_death_handler()
        try:
            with held_signals(), warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads
                parent = os.getpid()
                self._pid = os.fork()
                if not self._pid:
                    self._run(work, writing, lambda: die_with_parent(parent, expendable))
        except OSError as error:
            os.close(self._pipe)
            raise LimitError(f"no further process can be started: {error.strerror}") from error
        except BaseException:  # a signal that waited
            self.end()
            raise
        finally:
            os.close(writing)
        if expendable:
            with suppress(OSError):  # the child does it, too: whichever comes first
                os.setpgid(self._pid, self._pid)

    def _run(self, work: Callable[[int], object], writing: int, die_with_parent: Callable[[], None]) -> None:
        """Do the work in the new process and exit; none of the parent's `finally` blocks run in it."""
        status = 1
        try:
            if self._expendable:
                os.setpgid(0, 0)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            for number in STOPPING - {signal.SIGINT}:
                signal.signal(number, signal.SIG_DFL if self._expendable else _stop)
            die_with_parent()
            os.close(self._pipe)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
            work(writing)
            status = 0
        except BrokenPipeError:  # the parent reads no more
            status = 0
        except KeyboardInterrupt:
            pass
        finally:
            os._exit(status)

    def receive(self, *, largest: int | None = None, deadline: float | None = None) -> bytes | None:
        """Return the next message; None if the process ended before the message was complete (see `status`).

        OverflowError if the message is larger than `largest` bytes, TimeoutError at the `deadline`, a time of
        `time.monotonic`.
        """
        header = self._read(_HEADER.size, deadline)
        if len(header) == _HEADER.size:
            (size,) = _HEADER.unpack(header)
            if largest is not None and size > largest:
                raise OverflowError
            data = self._read(size, deadline)
            if len(data) == size:
                return data
        while not self._ended():
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError
            time.sleep(0.001)
        return None

    def _read(self, size: int, deadline: float | None) -> bytes:
        """Return `size` bytes, or fewer if the child has ended, even if a child of its own still holds the pipe."""
        got = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe, selectors.EVENT_READ)
            while len(got) < size:
                left = _BEAT if deadline is None else deadline - time.monotonic()
                ended = self._ended()  # asked before the look into the pipe, so that nothing it sent is missed
                if selector.select(0 if ended else max(0, min(left, _BEAT))):
                    piece = os.read(self._pipe, min(_CHUNK, size - len(got)))
                    if not piece:
                        break
                    got += piece
                elif ended:
                    break
                elif left <= 0:
                    raise TimeoutError
        return bytes(got)

    @property
    def status(self) -> int:
        """The exit status of a child that has ended, as `os.waitpid` gives it; -1 while it runs."""
        return self._status

    def _ended(self) -> bool:
        if self._status < 0:
            try:
                pid, status = os.waitpid(self._pid, os.WNOHANG)
            except ChildProcessError:  # the caller lets the system reap
                pid, status = self._pid, 0
            self._status = status if pid else -1
        return self._status >= 0

    def ask_to_end(self) -> None:
        """Close the pipe and send SIGTERM; `end` waits for what comes of it."""
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1
        if not self._ended():
            with suppress(OSError):
                os.kill(self._pid, signal.SIGTERM)

    def end(self) -> None:
        """End the process and what it started, by force if it takes too long; leave no zombie and no scratch of it."""
        with held_signals():
            if not self._expendable:
                self.ask_to_end()
                deadline = time.monotonic() + GRACE
                while not self._ended() and time.monotonic() < deadline:
                    time.sleep(0.001)
            else:
                with suppress(OSError):
                    os.killpg(self._pid, signal.SIGKILL)
            if not self._ended():
                with suppress(OSError):
                    os.kill(self._pid, signal.SIGKILL)
                with suppress(ChildProcessError):
                    self._status = os.waitpid(self._pid, 0)[1]
            if self._pipe >= 0:
                os.close(self._pipe)
                self._pipe = -1
            if self._status:  # it may not have come to its own tidying
                _remove_scratch(lambda pid: pid == self._pid)


def _stop(_number: int, _frame: object) -> None:
    """End this child by KeyboardInterrupt; what is heard after that would only disturb its tidying."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def heard(children: Iterable[Child]) -> list[Child]:
    """Return those that have sent something or have ended; wait for the first."""
    children = list(children)
    with selectors.DefaultSelector() as selector:
        for child in children:
            selector.register(child._pipe, selectors.EVENT_READ, child)
        while True:
            ended = [child for child in children if child._ended()]
            found = [key.data for key, _ in selector.select(0 if ended else _BEAT)]
            if found or ended:
                return list(dict.fromkeys((*found, *ended)))


def end_all(children: Iterable[Child]) -> None:
    """End several children that are not expendable, all at the same time."""
    with held_signals():
        for child in (children := list(children)):
            child.ask_to_end()
        for child in children:
            child.end()


def send(pipe: int, data: bytes) -> None:
    """Write a message into a pipe; BrokenPipeError if nobody reads it any more."""
    for piece in (_HEADER.pack(len(data)), data):
        view = memoryview(piece)
        while view:
            view = view[os.write(pipe, view) :]


@contextmanager
def held_signals() -> Iterator[None]:
    """Hold back signals that stop a run until the end of the `with` block."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def parent_death_handler() -> Callable[[int, bool], None]:
    """Return a function that makes the kernel end a child with its parent; made here, as children import nothing."""
    prctl: Callable[..., int] = lambda *words: 0  # noqa: E731
    if sys.platform.startswith("linux"):
        import ctypes

        with suppress(OSError, AttributeError):
            prctl = ctypes.CDLL(None).prctl

    def die_with_parent(parent: int, expendable: bool) -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL if expendable else signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return die_with_parent


@cache
def host_token() -> str:
    """Eight hexadecimal digits that tell this host, since it was started, and this container from any other.

    Only where they are the same does a process ID mean the same process.
    """
    facts = [os.uname().nodename.encode() if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "").encode()]
    with suppress(OSError):
        facts.append(Path("/proc/sys/kernel/random/boot_id").read_bytes())
        facts.append(os.readlink(b"/proc/self/ns/pid"))
    return blake2b(b"\0".join(facts), digest_size=4).hexdigest()


def is_running(pid: int) -> bool:
    """Return whether a process with this ID runs here; always True outside POSIX, where asking would stop it."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


@contextmanager
def scratch_folder() -> Iterator[str]:
    """Yield a folder for temporary files and remove it at the end; LimitError if none can be made."""
    path = ""
    try:
        with held_signals():
            path = _new_scratch()
        yield path
    finally:
        if path:
            shutil.rmtree(path, ignore_errors=True)


def lasting_scratch() -> str:
    """Return a folder for temporary files that exists until this process ends; LimitError if none can be made."""
    owner = os.getpid()

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(path, ignore_errors=True)

    with held_signals():
        path = _new_scratch()
        atexit.register(remove)
    return path


def _new_scratch() -> str:
    """Return a new folder; those that killed runs left are removed first."""
    try:
        _sweep_scratch(tempfile.gettempdir())
        return tempfile.mkdtemp(prefix=f"{SCRATCH}{host_token()}-{os.getpid()}-")
    except OSError as error:
        raise LimitError(f"no place for temporary files: {error.strerror}") from error


@cache
def _sweep_scratch(root: str) -> None:
    """Remove the scratch folders of dead processes of this host; once a run."""
    _remove_scratch(lambda pid: not is_running(pid), root)


def _remove_scratch(chosen: Callable[[int], bool], root: str | None = None) -> None:
    """Remove the scratch folders of this host whose processes are chosen."""
    with suppress(OSError), os.scandir(root or tempfile.gettempdir()) as entries:
        for entry in entries:
            head, _, rest = entry.name.removeprefix(SCRATCH).partition("-")
            pid = rest.partition("-")[0]
            if entry.name.startswith(SCRATCH) and head == host_token() and pid.isdigit() and chosen(int(pid)):
                shutil.rmtree(entry.path, ignore_errors=True)
