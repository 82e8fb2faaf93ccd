"""Files that appear whole or not at all, under names that every system can hold: the one place that writes results.

Data go to a hidden file beside the target, which is flushed and then renamed over it. Whoever looks sees the old file
or the new one, even if the disk is full or the program is killed (OUT-05 to OUT-07). The folder is opened once, so that
swapping it for a link in the meantime leads nowhere else (OUT-08). Standard output is not handled here.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import TracebackType

from sheetgen.batch.child import host_token, is_running
from sheetgen.errors import OutputError, UsageError, printable, quoted

Write = Callable[[bytes], object]  # takes the bytes of a result as they come

LONGEST_SLUG = 80
LONGEST_FILE_NAME = 255
UNNAMED = "unnamed"
OUTPUT = "output"
DEVICES = re.compile(r"(?:CON|PRN|AUX|NUL|COM\d|LPT\d)", re.IGNORECASE | re.ASCII)

# Latin letters that Unicode does not take apart.
_PLAIN = str.maketrans(
    {
        **{"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"},
        **{"đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ħ": "h", "Ħ": "H", "\u0131": "i", "ŋ": "ng"},
    }
)
# Inside a word these only spell it; the last four are letters that show nothing.
_SILENT = frozenset("'’‘ʼ\u00ad\u115f\u1160\u3164\uffa0")  # noqa: RUF001
# A part of a file: where it was made (nothing before 0.2.0), by which process, and a random number.
_PART = re.compile(r"\..+?\.(?:(?P<host>[0-9a-f]{8})-)?(?P<pid>\d{1,10})-[0-9a-f]{8}\.part", re.DOTALL)
_PART_ROOM = 49
_STALE_AFTER = 60.0
_STALE_ELSEWHERE_AFTER = 24 * 3600.0
_BUFFER = 1 << 20


def slug(name: str) -> str:
    """Return a file name without suffix for a name, of at most 80 bytes, that no system takes for a folder or a device.

    Accents go, letters of other scripts stay, everything else becomes a hyphen.
    """
    return _stem(name)


def slugs(names: Iterable[str]) -> Iterator[str]:
    """Yield the slug of each name in order; one that is used, which capitals do not tell apart, ends in -2, -3 …"""
    used = set[str]()
    last: dict[str, int] = {}
    for name in names:
        stem = found = _stem(name)
        number = last.get(_folded(stem), 1)
        while _folded(found) in used:
            number += 1
            found = _cut(stem, LONGEST_SLUG - len(f"-{number}")) + f"-{number}"
        last[_folded(stem)] = number
        used.add(_folded(found))
        yield found


def _folded(word: str) -> str:
    return unicodedata.normalize("NFC", word.casefold())


def _stem(name: str) -> str:
    text = unicodedata.normalize("NFKD", name.strip()[:1000].translate(_PLAIN))
    kept = ""
    for char in text:
        kind = unicodedata.category(char)
        # On a letter of another script a mark is part of the spelling.
        if char in _SILENT or kind == "Cf" or (kind[0] == "M" and kept[-1:].isascii()):
            continue
        kept += char if kind[0] in "LNM" else "-"
    words = re.sub("-+", "-", unicodedata.normalize("NFC", kept))
    stem = _cut(words, LONGEST_SLUG) or UNNAMED
    return f"{stem}-name" if DEVICES.fullmatch(stem) else stem


def _cut(text: str, room: int) -> str:
    return text.strip("-").encode()[:room].decode(errors="ignore").rstrip("-")


class Output:
    """A target file that appears whole or not at all: on leaving the `with` block, and only if nothing went wrong.

    The folder is made if it is missing. UsageError if the target is one of the `inputs`, or lies in a folder among them
    (see `refuse_input`); OutputError, a line with the path, as `shown`, and the reason, if it is no regular file or
    cannot be written. A link is followed to the regular file it leads to.
    """

    def __init__(self, path: Path, *, inputs: Iterable[Path] = (), shown: str = "") -> None:
        self.path = path
        self._shown = shown or str(path)
        self._size = 0
        with self._system_errors_explained(ValueError, RuntimeError):  # NUL in a path; a circle of links
            target = self._target()
            refuse_input(target, inputs, shown=self._shown)
            target.parent.mkdir(parents=True, exist_ok=True)
            self._folder = OpenFolder(target.parent)
            self._name, self._part = target.name, part_name(_head(target.name))
            try:
                self._file = os.fdopen(self._folder.create(self._part, like=target.name), "wb", buffering=_BUFFER)
            except BaseException as error:
                if not isinstance(error, OSError):  # an interruption, which may come right after it was made
                    self._folder.remove(self._part)
                self._folder.close()
                raise

    def write(self, data: bytes) -> None:
        """Add the data to the temporary file."""
        self._size += len(data)
        with self._system_errors_explained():
            self._file.write(data)

    def commit(self) -> int:
        """Flush the file to disk, move it to its place, and return its size in bytes."""
        try:
            with self._system_errors_explained():
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()
                self._folder.rename(self._part, self._name)
        except BaseException:
            self.abandon()
            raise
        self._folder.close()
        return self._size

    def abandon(self) -> None:
        """Remove the temporary file; a target that was there before stays as it is."""
        with suppress(OSError):  # closing writes what is left in the buffer
            self._file.close()
        self._folder.remove(self._part)
        self._folder.close()

    def __enter__(self) -> Output:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.abandon()
        elif not self._file.closed:
            self.commit()

    def _target(self) -> Path:
        """Return the regular file, there already or not, that is to be replaced."""
        path = self.path
        if path.is_symlink():
            path = path.resolve()
            if not path.is_file():
                raise refusal(self._shown, "it is a link that leads to no regular file")
        if path.is_dir():
            raise refusal(self._shown, "it is a folder")
        if path.exists() and not path.is_file():
            raise refusal(self._shown, "it is not a regular file")
        if path.exists() and not os.access(path, os.W_OK):
            raise refusal(self._shown, "it is write-protected")
        return path

    def _system_errors_explained(self, *others: type[Exception]) -> AbstractContextManager[None]:
        return system_errors_explained(self._shown, lambda: self._size, *others)


def refusal(shown: str, reason: str) -> OutputError:
    """Return the error for what cannot be written, and why."""
    return OutputError(printable(f"cannot write {quoted(shown, longest=300)}: {reason}"))


@contextmanager
def system_errors_explained(shown: str, size: Callable[[], int], *others: type[Exception]) -> Iterator[None]:
    """Raise system errors, and these others, as one-line OutputErrors with the path, as `shown`, and the reason.

    `size` gives the bytes that are needed.
    """
    try:
        yield
    except OSError as error:
        raise refusal(shown, os_error_reason(error, size())) from error
    except others as error:
        raise refusal(shown, str(error)) from error


class OpenFolder:
    """A folder held open where the system supports it, so that later changes to its path have no effect."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY) if os.open in os.supports_dir_fd else None

    def create(self, name: str, *, like: str) -> int:
        """Make the file, with the permissions of the one called `like` if there is one, and opens it."""
        mode = None
        with suppress(FileNotFoundError):
            mode = (
                stat.S_IMODE(os.stat(self._path_of(like), dir_fd=self._handle, follow_symlinks=False).st_mode) & 0o777
            )
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        handle = os.open(self._path_of(name), flags, 0o666 if mode is None else mode, dir_fd=self._handle)
        if mode is not None and hasattr(os, "fchmod"):
            with suppress(OSError):  # disks without permissions
                os.fchmod(handle, mode)
        return handle

    def rename(self, old: str, new: str) -> None:
        """Rename a file over another, for good where the system can promise that."""
        os.replace(self._path_of(old), self._path_of(new), src_dir_fd=self._handle, dst_dir_fd=self._handle)
        self.flush()

    def flush(self) -> None:
        """Bring what was renamed in the folder to disk, where the system supports it."""
        if self._handle is not None:
            with suppress(OSError):  # some disks know no such promise, and the file is in its place
                os.fsync(self._handle)

    def remove(self, name: str) -> None:
        """Remove a file if it is there and can be removed."""
        with suppress(OSError, ValueError):
            os.unlink(self._path_of(name), dir_fd=self._handle)

    def close(self) -> None:
        """Close the folder; a second call does nothing."""
        if self._handle is not None and self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _path_of(self, name: str) -> str:
        return name if self._handle is not None else str(self._path / name)


def write_file(path: Path, data: bytes, *, shown: str = "") -> None:
    """Write a file that appears whole or not at all; errors as for `Output`."""
    with Output(path, shown=shown) as output:
        output.write(data)


def add_line(path: Path, line: str) -> None:
    """Append a line to a file, of which a crash can damage the last line only; OutputError if that fails."""
    with system_errors_explained(str(path), lambda: 0), path.open("ab") as file:
        file.write(f"\n{line}\n".encode())


def check_writable(folder: Path, *, shown: str = "") -> None:
    """Raise OutputError if no file can be written to a folder, which is created if it is missing."""
    probe = Output(folder / f"probe-{secrets.token_hex(4)}", shown=shown or str(folder))
    probe.abandon()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other runs of sheetgen; without effect where folders cannot be locked."""
    handle = -1
    with suppress(ImportError, OSError):
        import fcntl  # not on Windows

        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if handle >= 0:
            os.close(handle)


def refuse_input(path: Path, inputs: Iterable[Path], *, shown: str = "") -> None:
    """Raise UsageError if a target is an input, or lies in a folder among them and not in its `output` folder."""
    name, target = shown or str(path), path.resolve()
    line = [target, *target.parents]
    for given in inputs:
        depth = next((number for number, each in enumerate(line) if _same(each, given)), None)
        if depth is None or (depth > 0 and line[depth - 1].name == OUTPUT):
            continue
        if depth == 0 and not given.is_dir():
            raise UsageError(printable(f"{name} is also an input, and would be overwritten: give another name"))
        raise UsageError(
            printable(f"{name} lies among the files it is made from: give a name elsewhere, or in an {OUTPUT}/ there")
        )


def part_name(name: str) -> str:
    """Return the name of a hidden file or folder, beside the one called `name`, that is to take its place."""
    return f".{name}.{host_token()}-{os.getpid()}-{secrets.token_hex(4)}.part"


def sweep(folder: Path) -> None:
    """Remove the temporary files and folders that killed runs left in a folder.

    Those of this host go when their process is dead and they are a minute old; those of others, whose processes cannot
    be seen from here, when nothing has been written to them for a day.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = _PART.fullmatch(entry.name)
            if not match or entry.is_symlink():
                continue
            here = match["host"] == host_token()
            if here and is_running(int(match["pid"])):
                continue
            with suppress(OSError):
                age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                if age <= (_STALE_AFTER if here else _STALE_ELSEWHERE_AFTER):
                    continue
                if entry.is_dir():
                    shutil.rmtree(entry.path, ignore_errors=True)
                elif entry.is_file():
                    os.unlink(entry.path)


def _same(target: Path, given: Path) -> bool:
    try:
        return target.samefile(given)
    except OSError:
        return target.resolve() == given.resolve()


def _head(name: str) -> str:
    """Return the start of a file name that leaves room for the rest of a temporary one."""
    return os.fsdecode(os.fsencode(name)[: LONGEST_FILE_NAME - _PART_ROOM])


def os_error_reason(error: OSError, size: int) -> str:
    """Return the reason of a system error, with a fix where there is one; `size` is the bytes written by then."""
    reason = error.strerror or str(error)
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return "a file stands where its folder would have to be"
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return f"{reason} ({size:,} bytes or more are needed)"
    if error.errno == errno.ENAMETOOLONG:
        return f"{reason} (a file name may have {LONGEST_FILE_NAME} bytes)"
    return reason
