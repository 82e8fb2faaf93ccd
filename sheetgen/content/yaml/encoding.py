"""Bytes to text: UTF-8 is decoded, anything else is an error that names the place and the correction.

Line ends become `\\n`, and every other character that some program takes for a line end is refused, so that a line here
is a line in the reader's editor.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from itertools import islice

from sheetgen.errors import InputError, Place, Problem, quoted


@dataclass(frozen=True, slots=True)
class FileLimit:
    """How much one file may hold: bytes, values, and what to do with a file that holds more."""

    size: int
    values: int
    advice: str


ORDINARY = FileLimit(20_000_000, 500_000, "split it")
_MOST_SHOWN = 20
_SAMPLE = 2048

_FORMATS = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
    (b"{\\rtf", "an RTF document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"SQLite format 3", "a database"),
    (b"<!DOCTYPE", "a web page"),
    (b"<!doctype", "a web page"),
    (b"<html", "a web page"),
)
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
# What a YAML reader may not see (C0, DEL, C1, non-characters), and the line ends that editors do not count.
_BANNED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_NAMES = {
    "\x00": "control character U+0000, NUL (delete it)",
    "\x1b": "control character U+001B, ESC (delete it)",
    "\x7f": "control character U+007F, DEL (delete it)",
    "\x85": "line separator U+0085 (write an ordinary line break or a space)",
    "\u2028": "line separator U+2028 (write an ordinary line break or a space)",
    "\u2029": "paragraph separator U+2029 (write an ordinary line break or a space)",
    "\ufeff": "byte-order mark U+FEFF inside the file, as joining two files leaves behind (delete it; it is invisible)",
}


def decoded(data: bytes, file: str, *, most: FileLimit = ORDINARY) -> str:
    """Return the text of a UTF-8 file, without byte-order mark and with `\\n` at the end of each line.

    Raises InputError for bytes of another kind or encoding, for control characters, and for a file of too many bytes.
    """
    if len(data) > most.size:
        size = f"{len(data) / 1_000_000:.1f} MB"
        raise InputError([Problem(Place(file), f"file of {size}, {most.size // 1_000_000} MB at most ({most.advice})")])
    foreign = _foreign(data)
    if foreign:
        raise InputError([Problem(Place(file, 1, 1), foreign)])
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = _plain_lines(data[: error.start].decode("utf-8"))
        raise InputError([Problem(place_at(before, len(before), file), _not_utf8(data, error))]) from None
    text = _plain_lines(text)
    banned = islice(_BANNED.finditer(text), _MOST_SHOWN)
    problems = [Problem(place_at(text, found.start(), file), _name_of_character(found.group())) for found in banned]
    if problems:
        raise InputError(problems)
    return text


def place_at(text: str, index: int, file: str) -> Place:
    """Return the line and column, both from 1, of the character at this index."""
    return Place(file, text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _name_of_character(character: str) -> str:
    return _NAMES.get(character, f"control character U+{ord(character):04X} (delete it)")


def _foreign(data: bytes) -> str:
    """Return the message for a file that was never UTF-8 text, or nothing."""
    for mark, name in _WIDE_MARKS:
        if data.startswith(mark):
            return f"this is {name} text (save the file as UTF-8)"
    for start, name in _FORMATS:
        if data.startswith(start):
            return f"this looks like {name}, not like a text file (give the file that you edit as text)"
    wide = _wide(data[:_SAMPLE])
    return f"this looks like {wide} text (save the file as UTF-8)" if wide else ""


def _wide(sample: bytes) -> str:
    """Return the name of the two- or four-byte encoding that the NUL bytes of a sample betray, or nothing."""
    quarter = len(sample) // 4
    if not quarter or 0 not in sample:
        return ""
    zeros = [sample[start : 4 * quarter : 4].count(0) for start in range(4)]
    little, big = zeros[2] == zeros[3] == quarter, zeros[0] == zeros[1] == quarter
    if (little and not zeros[0]) or (big and not zeros[3]):
        return "UTF-32"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    return "UTF-16" if max(even, odd) > quarter and min(even, odd) < quarter / 5 else ""


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> str:
    byte = data[error.start]
    if error.reason == "unexpected end of data":
        return "the file breaks off in the middle of a character (fetch it again, or delete the last bytes)"
    guess = "Latin-1" if byte >= 0xA0 else "Windows-1252"
    meant = data[error.start : error.start + 1].decode("cp1252", "replace")
    looks = f", it looks like {guess} ({quoted(meant)})" if meant != "\ufffd" else ""
    return f"byte {byte:02X} is not UTF-8{looks} (open the file with its own encoding and save it as UTF-8)"
