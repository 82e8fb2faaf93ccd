"""A value made ready for its field: composed and tidied, checked letter by letter, fitted into the box."""

from __future__ import annotations

import re
import unicodedata

from sheetgen.errors import SheetgenError, printable, quoted
from sheetgen.pdf.fonts.face import Face
from sheetgen.pdf.form.form import Field
from sheetgen.pdf.form.text_fitting import MARK, Fitted, fit

_NAMED = 5
_BLANKS = re.compile(r"[ \t\r\n]+")
_SPACES = re.compile(r"[ \t]+")
_NEWLINES = re.compile(r"\r\n?")


class Unprintable(SheetgenError):
    """A value with a character that its font does not have; the message names field, character and code point.

    `added` is true when fonts that the user added do not have it either.
    """

    def __init__(self, title: str, missing: str, added: bool = False) -> None:
        self.title, self.missing, self.added = title, missing, added
        super().__init__(title, missing, added)

    def __str__(self) -> str:
        named = ", ".join(_named(char) for char in self.missing[:_NAMED])
        more = f" and {len(self.missing) - _NAMED} more" if len(self.missing) > _NAMED else ""
        fonts = "bundled or added font" if self.added else "bundled font"
        return f"{self.title}: no {fonts} can print {named}{more}"


def cleaned(text: str, field: Field) -> str:
    """Return the text composed (NFC), its blanks plain; newlines stay in an area."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip(" ")
    text = unicodedata.normalize("NFC", text)
    if field.kind == "area":
        text = _NEWLINES.sub("\n", text) if "\r" in text else text
        return (_SPACES.sub(" ", text) if "  " in text or "\t" in text else text).strip(" \n")
    return _BLANKS.sub(" ", text).strip(" ")


def check(field: Field, face: Face, text: str) -> None:
    """Raise Unprintable for a character that the face lacks."""
    if missing := face.missing(text.replace("\n", "")):
        raise Unprintable(field.title, missing)


def fitted_in(field: Field, face: Face, text: str, *, mark: str = MARK) -> Fitted:
    """Return the cleaned text as the field can hold it; KeyError for a character that the face lacks: see `check`."""
    return fit(
        text,
        width=field.box.width,
        height=field.box.height,
        measure=face.width,
        size=field.size,
        floor=field.floor,
        leading=field.leading,
        lines="many" if field.kind == "area" else "one",
        mark=mark,
    )


def _named(char: str) -> str:
    return f"{printable(quoted(char))} (U+{ord(char):04X} {unicodedata.name(char, 'without a name')})"
