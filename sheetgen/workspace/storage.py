"""Results on any storage that fsspec knows (`s3://…`, `file://…`, `memory://…`): whole or not at all, as on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sheetgen.errors import OutputError
from sheetgen.workspace.write import Write

T = TypeVar("T")
MARK = "://"


def is_url(name: str) -> bool:
    """Return whether a name is an address of a storage, and no path."""
    return MARK in name


def write_url(url: str, make: Callable[[Write], T]) -> T:
    """Return what `make` returns after writing to a storage; OutputError if it does not take the file.

    The file appears at the end; when `make` raises, what was there before stays.
    """
    system, path = _storage(url)
    try:
        with system.transaction:
            system.makedirs(path.rpartition("/")[0], exist_ok=True)
            with system.open(path, "wb") as file:
                return make(file.write)
    except OSError as error:
        raise OutputError(f"{url}: cannot be written ({error.strerror or error})") from None


def _storage(url: str) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    try:
        system, path = url_to_fs(url)
    except ValueError as error:
        raise OutputError(f"{url}: {error}") from None
    return system, str(path)
