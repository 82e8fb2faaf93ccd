"""ZIP archives, the same files to the same bytes; and sheetpacks: a folder of a pack as one such file, and back.

A sheetpack may come from a stranger: names, number and sizes of its files are judged before anything is unpacked, and
what is in it must be what its table of contents says.
"""

from __future__ import annotations

import io
import json
import re
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from struct import error as StructError
from typing import IO, Any, Protocol, TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import error as ZipError

from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.errors import InputError, Place, Problem, quoted
from sheetgen.workspace.write import Write

DATE = (2000, 1, 1, 0, 0, 0)  # an entry must have one, and no day may change the archive
MODE = 0o100644 << 16
LEVEL = 1  # what goes in is compressed already

T = TypeVar("T")
SUFFIX = ".sheetpack"
CONTENTS = "sheetpack.json"
FORMAT = 1
MOST_FILES = 2_000
MOST_BYTES = 40 * 1024 * 1024
PACKED = FileLimit(MOST_BYTES, 0, "leave out what the game does not need")
CODE = (".py", ".pyc", ".pth", ".so", ".dll", ".pyd", ".exe", ".sh", ".bat")
_NAME = re.compile(r"[\w][\w .,()'+-]*")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_ENCRYPTED = 0x1
# What the standard library raises for archives that are torn or made in bad faith.
_DAMAGED = (
    BadZipFile,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    IndexError,
    StructError,
    ZipError,
)


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


@dataclass(frozen=True, slots=True)
class About:
    """What a sheetpack says of the pack in it; `digest` is that of all its files."""

    name: str
    title: str
    version: str
    credit: str
    licence: str
    extends: str
    needs: str
    digest: str


@dataclass(frozen=True, slots=True)
class Sheetpack:
    """A pack on its way: its files by their names inside, and those of code, which are left behind."""

    about: About
    files: Mapping[str, bytes]
    left_behind: tuple[str, ...] = ()


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return a digest of files and their names: sha256 over the sha256 of each, in the order of the names."""
    whole = sha256()
    for name in sorted(files):
        whole.update(f"{name}\0{sha256(files[name]).hexdigest()}\n".encode())
    return whole.hexdigest()


def write_sheetpack(write: Write, pack: Sheetpack) -> None:
    """Write a pack as one file, the same files to the same bytes."""
    head = json.dumps({"sheetpack": FORMAT, **asdict(pack.about)}, ensure_ascii=False, indent=1).encode() + b"\n"
    with archive(write) as add:
        for name, data in ((CONTENTS, head), *sorted(pack.files.items())):
            add(name, lambda take, data=data: take(data))  # type: ignore[misc]


def read_sheetpack(data: bytes, shown: str) -> Sheetpack:
    """Return the pack in a file; InputError with every entry that is wrong, before anything is unpacked."""
    try:
        with ZipFile(io.BytesIO(data)) as packed:
            entries = [each for each in packed.infolist() if not each.is_dir()]
            if problems := tuple(Problem(Place(shown), line) for line in _wrong(packed.infolist())):
                raise InputError(problems)
            files = {entry.filename: packed.read(entry) for entry in entries}
    except _DAMAGED as error:
        raise InputError([Problem(Place(shown), f"is no sheetpack, or a damaged one ({error})")]) from None
    about = _about(files.pop(CONTENTS, b""), shown)
    if digest_of(files) != about.digest:
        raise InputError([Problem(Place(shown), "was changed after it was packed: its digest is another one")])
    code = tuple(name for name in files if name.lower().endswith(CODE))
    return Sheetpack(about, {name: text for name, text in files.items() if name not in code}, code)


def _wrong(entries: list[ZipInfo]) -> Iterator[str]:
    """Yield what is wrong with the table of contents of an archive."""
    if len(entries) > MOST_FILES:
        yield f"holds {len(entries):,} files; the most is {MOST_FILES:,}"
        return
    if (size := sum(each.file_size for each in entries)) > MOST_BYTES:
        yield f"unpacks to {size:,} bytes; the most is {MOST_BYTES:,}"
    seen = dict[str, str]()
    for entry in entries:
        name = entry.filename
        if wrong := _wrong_name(name.rstrip("/") if entry.is_dir() else name):
            yield f"{quoted(name)} {wrong}"
        if (kind := stat.S_IFMT(entry.external_attr >> 16)) and kind not in (stat.S_IFREG, stat.S_IFDIR):
            yield f"{quoted(name)} is a link or a device, not a regular file"
        if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            yield f"{quoted(name)} is packed in another way than a sheetpack is"
        if entry.flag_bits & _ENCRYPTED:
            yield f"{quoted(name)} is encrypted"
        plain = unicodedata.normalize("NFC", name).casefold()
        if plain in seen:
            yield f"{quoted(seen[plain])} and {quoted(name)} are one file on some systems"
        seen[plain] = name


def _wrong_name(name: str) -> str:
    """Return why a name may not be unpacked, or nothing."""
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or ":" in name or any(part in ("", ".", "..") for part in parts):
        return "leads out of the pack"
    if not all(_NAME.fullmatch(part) and part[-1] not in " ." for part in parts) or len(name) > 200:
        return "is no name that every system can keep"
    return "is a name that some systems reserve" if any(_RESERVED.fullmatch(part) for part in parts) else ""


def _about(data: bytes, shown: str) -> About:
    """Return the table of contents; InputError for one of another kind or a later format."""
    try:
        found: Any = json.loads(data)
        fields = {name: found[name] for name in About.__slots__}
        later = found["sheetpack"] > FORMAT
    except (ValueError, RecursionError, KeyError, TypeError):
        raise InputError(
            [Problem(Place(shown), f"is no sheetpack: it has no {CONTENTS} that tells what it is")]
        ) from None
    if later:
        raise InputError([Problem(Place(shown), "was packed by a later sheetgen (install that one)")])
    if not all(isinstance(each, str) for each in fields.values()):
        raise InputError([Problem(Place(shown), f"{CONTENTS} does not tell what the pack is in texts")])
    return About(**fields)
