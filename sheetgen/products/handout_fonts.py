"""The letters of a handout: those that only an added font has, and those that none has, told with their lines."""

from __future__ import annotations

import unicodedata
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence

from sheetgen.documents.drawn_symbols import SYMBOLS
from sheetgen.errors import InputError, Place, Problem
from sheetgen.model.handout import Handout
from sheetgen.pdf.fonts.bundled import SANS, SERIF, missing_from
from sheetgen.pdf.fonts.face import FaceName
from sheetgen.pdf.fonts.user_font import AddedFont


def check_letters(handout: Handout, fonts: Sequence[AddedFont]) -> None:
    """Raise InputError with each letter that neither our faces nor the added ones have, at its line."""
    problems = []
    for place, text in _lines(handout):
        if lacking := [char for char in _strange(text) if not any(char in font.face.glyphs for font in fonts)]:
            named = unicodedata.name(lacking[0], "without a name")
            also = f", and {len(lacking) - 1} more on this line" if lacking[1:] else ""
            what = f"no font has “{lacking[0]}” (U+{ord(lacking[0]):04X} {named}){also}"
            problems.append(Problem(place, f"{what}: add one that does, --font FILE.ttf"))
    if problems:
        raise InputError(problems)


def added_faces(fonts: Sequence[AddedFont], handout: Handout) -> list[tuple[str, str]]:
    """Return each added font that a handout needs, cut to its letters: its family, and its address for a page."""
    from sheetgen.pdf.fonts.subset import subset_letters  # imports uharfbuzz

    text = "".join(line for _, line in _lines(handout))
    found, left = list[tuple[str, str]](), set(_strange(text))
    for number, font in enumerate(fonts, 1):
        if any(char in font.face.glyphs for char in left):
            data = subset_letters(font.data, sorted(set(text)), shaped=True)
            found.append((f"Added {number}", f"data:font/ttf;base64,{b64encode(data).decode()}"))
            left -= set(font.face.glyphs)
    return found


def _lines(handout: Handout) -> Iterator[tuple[Place, str]]:
    """Yield what a handout says, with its places: each field, and each line of the text."""
    for name, entry in handout.entries.items():
        if handout.style.fields[name] != "picture" and not isinstance(entry, Mapping):
            parts = [entry] if isinstance(entry, str) else ["".join(part) for part in entry]
            yield handout.places.get(name, handout.place), " ".join(parts)
    start = handout.places.get("text", handout.place)
    for number, line in enumerate(handout.text.splitlines()):
        yield Place(start.file, start.line + number), line


def _strange(text: str) -> str:
    """Return the characters that we have no shape for; marks over letters are left to the font of their letters."""
    lacking = missing_from(missing_from(text, FaceName(SERIF)), FaceName(SANS))
    unseen = ("C", "M")
    return "".join(char for char in lacking if char not in SYMBOLS and unicodedata.category(char)[0] not in unseen)
