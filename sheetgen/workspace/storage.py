"""Results on any storage that fsspec knows (`s3://…`, `ftp://…`, `memory://…`): whole or not at all, as on disk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from uuid import uuid4

from sheetgen.errors import OutputError
from sheetgen.workspace.write import Write

T = TypeVar("T")
MARK = "://"
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^/@]*(?=@)")


def is_url(name: str) -> bool:
    """Return whether a name is an address of a storage, and no path."""
    return MARK in name


def shown_url(url: str) -> str:
    """Return an address as it may be shown and logged: without the password in it."""
    return _PASSWORD.sub(r"\1", url)


def write_url(url: str, make: Callable[[Write], T]) -> T:
    """Return what `make` returns after writing to a storage; OutputError if it does not take the file.

    The file appears at the end; when `make` raises, what was there before stays. Folders are made, buckets are not.
    """
    with _told(url):
        system, path = _storage(url)
        has_folders = path.startswith("/") or "file" in system.protocol
    return _renamed(url, system, path, make) if has_folders else _committed(url, system, path, make)


def _renamed(url: str, system: Any, path: str, make: Callable[[Write], T]) -> T:
    """Write beside the file and rename: what storages with folders can, and most of them do at once."""
    folder, _, name = path.rpartition("/")
    beside = f"{folder}/.{name}-{uuid4().hex[:8]}.part"
    with _told(url):
        system.makedirs(folder, exist_ok=True)
        file = system.open(beside, "wb")
    try:
        made = make(_writing(url, file))
        with _told(url):
            file.close()
            system.mv(beside, path)
        return made
    except BaseException:
        with suppress(Exception):  # what went wrong before is told
            file.close()
            system.rm_file(beside)
        raise


def _committed(url: str, system: Any, path: str, make: Callable[[Write], T]) -> T:
    """Write an object that appears when its storage is told so: what storages with buckets can."""
    with _told(url):
        file = system.open(path, "wb", autocommit=False)
    try:
        made = make(_writing(url, file))
        with _told(url):
            file.close()
            file.commit()
        return made
    except BaseException:
        with suppress(Exception):
            file.close()
            file.discard()
        raise


def _writing(url: str, file: Any) -> Write:
    def write(data: bytes) -> object:
        with _told(url):
            return file.write(data)

    return write


@contextmanager
def _told(url: str) -> Iterator[None]:
    """Raise what a storage raises as an OutputError: each has errors of its own, and few of them are OSErrors."""
    try:
        yield
    except OutputError:
        raise
    except Exception as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise OutputError(f"{shown_url(url)}: cannot be written ({reason.splitlines()[0][:150]})") from None


def _storage(url: str) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    try:
        system, path = url_to_fs(url)
    except ValueError as error:
        raise OutputError(f"{shown_url(url)}: {error}") from None
    return system, str(path)
