"""ZIP archives: whole, the same to the byte, and given up cleanly."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

import pytest

from sheetgen.workspace.archive import archive
from sheetgen.workspace.write import Write


def packed(files: dict[str, list[bytes]]) -> bytes:
    pieces: list[bytes] = []
    with archive(pieces.append) as add:
        for name, parts in files.items():

            def make(write: Write, parts: list[bytes] = parts) -> int:
                return sum(write(part) is None for part in parts)

            assert add(name, make) == len(parts)
    return b"".join(pieces)


def test_files_come_out_as_they_went_in_and_who_writes_nothing_adds_none() -> None:
    with ZipFile(BytesIO(packed({"a.pdf": [b"one", b"two"], "nobody.pdf": [], "é/b.pdf": [b"3" * 100_000]}))) as read:
        assert read.testzip() is None
        assert {name: read.read(name) for name in read.namelist()} == {"a.pdf": b"onetwo", "é/b.pdf": b"3" * 100_000}
        assert all(entry.date_time == (2000, 1, 1, 0, 0, 0) for entry in read.infolist())


def test_the_same_files_make_the_same_bytes() -> None:
    files = {"a.pdf": [b"one"], "b.pdf": [b"two"]}
    assert packed(files) == packed(files)


def test_an_archive_that_is_broken_off_says_so_and_writes_no_end() -> None:
    pieces: list[bytes] = []

    def fail(write: Write) -> None:
        write(b"half")
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"), archive(pieces.append) as add:
        add("a.pdf", fail)
    assert b"PK\x05\x06" not in b"".join(pieces)


def test_a_refusal_before_the_first_byte_can_be_caught_and_the_rest_goes_on() -> None:
    def refuse(write: Write) -> None:
        raise KeyError("nobody")

    pieces: list[bytes] = []
    with archive(pieces.append) as add:
        with pytest.raises(KeyError):
            add("a.pdf", refuse)
        add("b.pdf", lambda write: write(b"two"))
    with ZipFile(BytesIO(b"".join(pieces))) as read:
        assert read.namelist() == ["b.pdf"]
