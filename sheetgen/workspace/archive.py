"""ZIP archives: files packed as they come, in little memory, the same files to the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Protocol, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sheetgen.workspace.write import Write

DATE = (2000, 1, 1, 0, 0, 0)  # an entry must have one, and no day may change the archive
MODE = 0o100644 << 16
LEVEL = 1  # what goes in is compressed already

T = TypeVar("T")


class Add(Protocol):
    """Adds a file under a name by calling `make` to write it, and returns its result; if nothing is written, no file is
    added.
    """

    def __call__(self, name: str, make: Callable[[Write], T]) -> T: ...


@contextmanager
def archive(write: Write) -> Iterator[Add]:
    """Yield a function that adds files; an error that leaves the `with` block leaves the archive unfinished."""
    sink = _Sink(write)
    with ZipFile(sink, "w") as packed:

        def add(name: str, make: Callable[[Write], T]) -> T:
            opened: list[IO[bytes]] = []

            def take(data: bytes) -> None:
                if not opened:
                    opened.append(packed.open(_entry(name), "w"))
                opened[0].write(data)

            try:
                return make(take)
            except BaseException:
                if opened:
                    sink.shut()
                raise
            finally:
                for member in opened:
                    member.close()

        try:
            yield add
        except BaseException:
            sink.shut()
            raise


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, DATE)
    entry.compress_type, entry.external_attr, entry.create_system = ZIP_DEFLATED, MODE, 3
    entry._compresslevel = LEVEL  # type: ignore[attr-defined]  # no other way before Python 3.13
    return entry


class _Sink:
    """A minimal file object for an archive that is written from beginning to end."""

    def __init__(self, write: Write) -> None:
        self._write: Write = write

    def write(self, data: bytes) -> int:
        """Pass the data on."""
        self._write(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: no data is buffered."""

    def close(self) -> None:
        """Do nothing: the owner of the write function closes the file."""

    def shut(self) -> None:
        """Discard all further data, since an unfinished archive needs no end."""
        self._write = lambda data: None
