"""A form: pages laid out once, as shared backgrounds and the boxes where values go, which can be stored as bytes.

Reading a form back needs no other library than Python's own: the outlines, widths and PDF objects that stamping uses
are all in it. `compile.py` makes forms from HTML; `stamp.py` puts values on them.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from sheetgen.geometry import Box
from sheetgen.pdf.fonts.face import Face, FaceName
from sheetgen.pdf.writer import Writer

# Names of fields on a continuation form: its area, a line that shows how the titles in it are set, and one for which
# page it is.
CONTINUED, HEADING, PART = "text", "heading", "part"
PAGE = "page"  # the field of a form that its number goes to
STANDING = ("area", "place")  # kinds of fields that stand in a column, and move with it
_NEWLINE = frozenset("\n")  # which no font needs a glyph for


@dataclass(frozen=True, slots=True)
class NewResources:
    """Resources that a compositor needs since it was last asked: pictures by name, and letters by font.

    Those of an added font are glyphs with what they stand for (see `face.lettered`).
    """

    pictures: Mapping[bytes, bytes]
    letters: Mapping[bytes, Sequence[str]]


class Resources:
    """The pictures and letters used by the pages so far, and those of them that `take_new` has not returned yet."""

    def __init__(self) -> None:
        self._pictures: dict[bytes, bytes] = {}
        self._letters: dict[bytes, set[str]] = {}
        self._seen: set[bytes] = set()
        self._known: dict[bytes, set[str]] = {}

    def picture(self, name: bytes, drawing: bytes) -> None:
        if name not in self._seen:
            self._seen.add(name)
            self._pictures[name] = drawing

    def knows(self, font: bytes, text: str) -> bool:
        """Return whether all letters of a text were needed of that font before, which then has them."""
        return self._known.get(font, _NEWLINE).issuperset(text)

    def letters(self, font: bytes, text: Iterable[str]) -> None:
        known = self._known.setdefault(font, set(_NEWLINE))
        new = set(text) - known
        if new:
            known |= new
            self._letters.setdefault(font, set()).update(new)

    def take_new(self) -> NewResources:
        letters = {font: tuple(sorted(new)) for font, new in self._letters.items()}
        new = NewResources(self._pictures, letters)
        self._pictures, self._letters = {}, {}
        return new


Kind = Literal["line", "area", "tick", "code", "bar", "squares", "stack", "fill", "place", "picture", "over"]
Align = Literal["left", "center", "right"]
Valign = Literal["top", "middle", "bottom"]

_MAGIC = b"sheetgen form 12\n"
# Strings stand in hexadecimal and names have no blanks, so that nothing else in an object looks like this.
_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
_FACE_NUMBERS = ("ascent", "descent", "cap_height", "angle", "bounds")


@dataclass(frozen=True, slots=True)
class Field:
    """One place for a value: where it is (points, from the lower left of its page) and how a value is set there.

    `box` is the inside, where text goes, `border` the outer edge; `size` and `floor` are the wanted and the smallest
    type size, `leading` the distance of lines at `size`, `frame` the stroke drawn round a value (0: none) and `radius`
    its corners, all in points. `colour` is red, green, blue from 0 to 1. `longest` is the most characters a reader may
    type into the fillable form (0: any number), `value` what the HTML gives and only the fillable form shows; of an
    `over`, it is the printed word that is set anew over the background, once the field has any value. What does
    not fit goes on elsewhere under the title of the `part`. Fields of one `column` share its height; a list that is
    `counted` ends in how many more there are, one with `notes` loses what its brackets say before another text has no
    room (they are told under that title), and a `spare` text is left out before anything goes on elsewhere; a `kept`
    one is never cut to make room, one that `takes` them has lines of the page that are too long told above it. One with
    `boxes` says what those are called whose number is the value of that name, and they are drawn behind it. One that is
    `untitled` has no heading there, one that `moves` may stand in that other column of its page if it is cut in its
    own, and a line that `rises` stands below the last that says something. One that is `plain` has no rule above it,
    and from the first one on that is `low` all stand at the foot of the column.
    `block` names the block that the field is part of, that a `fill` repeats, or that a `place` in a column holds, as
    long as a field of it says something or the place is `kept`; a fill begins `below` stacks of those names. A line
    `after` another field of its page begins where that one's text ends, and a `spare` one loses what stands behind its
    last comma first.
    """

    name: str
    title: str
    page: int
    kind: Kind
    box: Box
    border: Box
    face: FaceName
    size: float
    floor: float
    align: Align
    valign: Valign
    leading: float
    colour: tuple[float, float, float]
    frame: float = 0.0
    radius: float = 0.0
    longest: int = 0
    value: str = ""
    part: str = ""
    column: str = ""
    counted: bool = False
    spare: bool = False
    kept: bool = False
    takes: bool = False
    boxes: str = ""
    untitled: bool = False
    plain: bool = False
    low: bool = False
    rises: bool = False
    moves: str = ""
    notes: str = ""
    block: str = ""
    below: tuple[str, ...] = ()
    after: str = ""


@dataclass(frozen=True, slots=True)
class Shared:
    """One PDF object of the background: its text with references `n 0 R` counted from 1 within the form, its stream."""

    text: bytes
    stream: bytes | None = None

    def moved(self, by: int) -> Shared:
        """Return the same object where the numbers of those it refers to are higher by so many."""
        return Shared(_REFERENCE.sub(lambda found: b"%d 0 R" % (int(found[1]) + by), self.text), self.stream)


@dataclass(frozen=True, slots=True)
class Form:
    """A compiled form: page sizes in points, fields in reading order, shared objects, and the faces its values need.

    `backgrounds` holds, for each page, the number of its drawing (a form XObject) among `shared`, counted from 1.
    `resources` are the files that the page fetched: the path it asked for, where that leads, a digest (BLAKE2b).

    The last pages may be blocks, which are no pages of a document: a stack is filled with as many of them, one below
    the other, as there are values for. Rows of one file may be of different forms: `others` are those by name.
    """

    pages: tuple[tuple[float, float], ...]
    fields: tuple[Field, ...]
    shared: tuple[Shared, ...]
    backgrounds: tuple[int, ...]
    faces: tuple[Face, ...]
    resources: tuple[tuple[str, str, str], ...] = ()
    others: Mapping[str, Form] = field(default_factory=dict)

    @property
    def all(self) -> tuple[Form, ...]:
        """The form and the others, in the order in which their backgrounds are numbered."""
        return (self, *self.others.values())

    @property
    def two_sided(self) -> bool:
        """Whether each row, whichever form it is of, begins on a new sheet of paper."""
        return any(each.fronts > 1 for each in self.all)

    @property
    def names(self) -> tuple[str, ...]:
        """The field names, each once, in reading order."""
        return tuple(dict.fromkeys(field.name for field in self.fields))

    @property
    def blocks(self) -> dict[str, int]:
        """The page of each block by its name."""
        return {field.block: field.page for field in self.fields if field.block and field.kind not in ("fill", "place")}

    @property
    def fronts(self) -> int:
        """The number of pages that are no blocks."""
        return min(self.blocks.values(), default=len(self.pages))

    def told_pages(self, values: Collection[str]) -> Form:
        """Return the form without the pages on which nothing of their own is filled in; the first one stays.

        What is on every page, such as a name, is nothing of its own.
        """
        count = Counter(name for name, _ in {(each.name, each.page) for each in self.fields})
        told = {each.page for each in self.fields if each.name in values and count[each.name] == 1}
        kept = [page for page in range(len(self.pages)) if not page or page in told or page >= self.fronts]
        fields = [replace(each, page=kept.index(each.page)) for each in self.fields if each.page in kept]
        pages, backgrounds = tuple(self.pages[each] for each in kept), tuple(self.backgrounds[each] for each in kept)
        return replace(self, pages=pages, backgrounds=backgrounds, fields=tuple(fields))

    def face_for(self, name: FaceName, text: str) -> Face:
        """Return the face of that name or, where it lacks letters of the text, the upright one.

        Raise KeyError when no field uses it.
        """
        face = self.face(name)
        upright = next((each for each in self.faces if each.name == name.upright), face)
        return upright if name.italic and face.missing(text) else face

    def face(self, name: FaceName) -> Face:
        """Return the face of that name; KeyError when no field uses it."""
        for face in self.faces:
            if face.name == name:
                return face
        raise KeyError(name)

    def followed_by(self, other: Form) -> Form:
        """Return this form with the pages of another behind its own."""
        known = {face.name for face in self.faces}
        return Form(
            (*self.pages, *other.pages),
            (*self.fields, *(replace(field, page=field.page + len(self.pages)) for field in other.fields)),
            (*self.shared, *(item.moved(len(self.shared)) for item in other.shared)),
            (*self.backgrounds, *(number + len(self.shared) for number in other.backgrounds)),
            (*self.faces, *(face for face in other.faces if face.name not in known)),
            (*self.resources, *other.resources),
        )

    def to_bytes(self) -> bytes:
        """Return the form as bytes for a cache: a line of JSON about it, then the objects and outlines as they are."""
        blobs: list[bytes] = []

        def kept(blob: bytes | None) -> int:
            blobs.append(blob or b"")
            return -1 if blob is None else len(blob)

        about = {
            "pages": self.pages,
            "fields": [asdict(field) for field in self.fields],
            "shared": [[kept(item.text), kept(item.stream)] for item in self.shared],
            "backgrounds": self.backgrounds,
            "faces": [_face_about(face, kept) for face in self.faces],
            "resources": self.resources,
        }
        head = json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode()
        body = struct.pack(">L", len(head)) + head + b"".join(blobs)
        return _MAGIC + struct.pack(">L", zlib.crc32(body)) + body

    @classmethod
    def from_bytes(cls, data: bytes) -> Form:
        """Return the form that `to_bytes` wrote.

        Raise ValueError when the bytes are damaged or of another version: compile again.
        """
        start = len(_MAGIC) + 8
        if len(data) < start or not data.startswith(_MAGIC):
            raise ValueError("not a compiled form of this version")
        checksum, length = struct.unpack_from(">LL", data, len(_MAGIC))
        if zlib.crc32(memoryview(data)[start - 4 :]) != checksum:
            raise ValueError("a damaged compiled form")
        about = json.loads(data[start : start + length])
        cut = _Cutter(data, start + length)
        return cls(
            pages=tuple((width, height) for width, height in about["pages"]),
            fields=tuple(_field(kept) for kept in about["fields"]),
            shared=tuple(Shared(cut(text) or b"", cut(stream)) for text, stream in about["shared"]),
            backgrounds=tuple(about["backgrounds"]),
            faces=tuple(_face(kept, cut) for kept in about["faces"]),
            resources=tuple((asked, path, digest) for asked, path, digest in about["resources"]),
        )


class _Cutter:
    """Returns the blobs after the head, one after another."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at

    def __call__(self, length: int) -> bytes | None:
        if length < 0:
            return None
        self._at += length
        return self._data[self._at - length : self._at]


def _face_about(face: Face, kept: Callable[[bytes], int]) -> dict[str, Any]:
    about: dict[str, Any] = {key: getattr(face, key) for key in _FACE_NUMBERS}
    about["name"] = asdict(face.name)
    about["characters"] = "".join(face.glyphs)
    about["glyphs"] = kept(struct.pack(f">{len(face.glyphs)}H", *face.glyphs.values()))
    about["advances"] = kept(struct.pack(f">{len(face.advances)}H", *face.advances))
    about["outlines"] = kept(struct.pack(f">{len(face.outlines)}H", *face.outlines))
    about["program"] = kept(face.program)
    return about


def _face(about: dict[str, Any], cut: _Cutter) -> Face:
    numbers, advances, outlines = (
        _unpacked_numbers(cut(about[key]) or b"") for key in ("glyphs", "advances", "outlines")
    )
    return Face(
        name=FaceName(**about["name"]),
        ascent=about["ascent"],
        descent=about["descent"],
        cap_height=about["cap_height"],
        angle=about["angle"],
        bounds=tuple(about["bounds"]),
        glyphs=dict(zip(about["characters"], numbers, strict=True)),
        advances=advances,
        program=cut(about["program"]) or b"",
        outlines=outlines,
    )


def _unpacked_numbers(packed: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(packed) // 2}H", packed)


def _field(about: dict[str, Any]) -> Field:
    about["box"], about["border"] = Box(**about["box"]), Box(**about["border"])
    about["face"], about["colour"] = FaceName(**about["face"]), tuple(about["colour"])
    about["below"] = tuple(about["below"])
    return Field(**about)


def write_shared(writer: Writer, shared: Sequence[Shared], drawn: Iterable[int]) -> tuple[int, ...]:
    """Write every shared object; return the number of each that is `drawn`, which counts them from 1."""
    base = writer.reserve(len(shared)) - 1
    for number, item in enumerate(shared, base + 1):
        moved = item.moved(base)
        if moved.stream is None:
            writer.pack(moved.text, number)
        else:
            writer.object(moved.text, number, moved.stream)
    return tuple(base + each for each in drawn)
