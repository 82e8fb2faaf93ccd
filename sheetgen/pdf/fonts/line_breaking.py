"""Where a text may be broken: between words, between ideographs, and never before a combining mark."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^ ]+")
# Chinese and Japanese are wrapped between characters, but some may not end a line and some may not begin one.
_IDEOGRAPHS = "\u2e80-\u30ff\u3105-\u312f\u31a0-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_OPENING = r"「『（〔［｛〈《【〖“‘(\["  # noqa: RUF001
_CLOSING = r"」』）〕］｝〉》】〗”’)\]、。，．・：；？！…,.!?;:"  # noqa: RUF001
_SMALL = "ー々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
_IDEOGRAPH = re.compile(f"[{_IDEOGRAPHS}]")
_PIECE = re.compile(
    f"[{_OPENING}]*[{_IDEOGRAPHS}][{_CLOSING}{_SMALL}]*"
    f"|[{_OPENING}]*[^ {_OPENING}{_IDEOGRAPHS}]+[{_CLOSING}]*|[{_OPENING}]+"
)
_UNJOINED, _JOINER = "\u200c", "\u200d"


def has_ideographs(text: str) -> bool:
    """Return whether the text may be broken elsewhere than at blanks."""
    return not text.isascii() and _IDEOGRAPH.search(text) is not None


def pattern(*, ideographs: bool) -> re.Pattern[str]:
    """Return a pattern for the unbreakable pieces of a text: words, and ideographs with their punctuation."""
    return _PIECE if ideographs else _WORD


def belongs(text: str, at: int) -> bool:
    """Return whether the character at that place is a mark on the one before, or joined to it."""
    return at > 0 and (
        text[at] in (_UNJOINED, _JOINER) or text[at - 1] == _JOINER or unicodedata.category(text[at]).startswith("M")
    )


def begin_of(text: str, at: int) -> int:
    """Return the nearest place at or before `at` that does not separate a character from its marks."""
    while 0 < at < len(text) and belongs(text, at):
        at -= 1
    return at


def end_of(text: str, at: int) -> int:
    """Return the nearest place at or after `at` that does not separate a character from its marks."""
    while at < len(text) and belongs(text, at):
        at += 1
    return at
