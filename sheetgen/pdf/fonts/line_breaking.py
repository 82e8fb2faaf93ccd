"""Where a text may be parted: between words, among ideographs between characters, and never before a mark. Pure."""

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
    """Whether the text may be parted elsewhere than at blanks."""
    return not text.isascii() and _IDEOGRAPH.search(text) is not None


def pattern(*, ideographs: bool) -> re.Pattern[str]:
    """What finds the pieces of a text that stay together: words, and ideographs with what hangs on them."""
    return _PIECE if ideographs else _WORD


def belongs(text: str, at: int) -> bool:
    """Whether the character at that place belongs to the one before: a mark on it, or joined to it."""
    return at > 0 and (
        text[at] in (_UNJOINED, _JOINER) or text[at - 1] == _JOINER or unicodedata.category(text[at]).startswith("M")
    )


def begin_of(text: str, at: int) -> int:
    """That place or the nearest before it where no character is parted from its marks."""
    while 0 < at < len(text) and belongs(text, at):
        at -= 1
    return at


def end_of(text: str, at: int) -> int:
    """That place or the nearest behind it where no character is parted from its marks."""
    while at < len(text) and belongs(text, at):
        at += 1
    return at
