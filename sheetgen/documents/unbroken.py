"""Blanks at which no line may end: between a number and its word, after a sign, before a number that belongs to it."""

from __future__ import annotations

import re

BLANK = "\u00a0"
_FIRST, _LAST = 0xF0000, 0xFFFFD  # characters that stand for tags, from a plane that no text uses
_TAG = re.compile("<[^>]*>")
_MARK = f"[{chr(_FIRST)}-{chr(_LAST)}]"
_SIGN = re.compile(rf"(?<= )([−+÷×]{_MARK}*) (?=\S)")
_AFTER_NUMBER = re.compile(rf"(?<=\d)([%+²]?{_MARK}*) (?={_MARK}*[^\W\d_])")
_BEFORE_NUMBER = re.compile(rf"(?<!\w)((?:an?|at|[Bb]y|in|is|of|or|[Tt]o|CN|DM){_MARK}*) (?={_MARK}*[−+±]?\d)")
_BEFORE_SIGNED = re.compile(rf"(?<=\w) (?={_MARK}*[−+±]\d)")


def unbroken(html: str) -> str:
    """Return HTML with hard blanks where a line must not end; its tags stay as they are."""
    tags = list(dict.fromkeys(_TAG.findall(html)))
    if len(tags) > _LAST - _FIRST:
        return html
    marks = {tag: chr(_FIRST + at) for at, tag in enumerate(tags)}
    text = _TAG.sub(lambda found: marks[found[0]], html)
    for pattern in (_SIGN, _AFTER_NUMBER, _BEFORE_NUMBER):
        text = pattern.sub(rf"\1{BLANK}", text)
    text = _BEFORE_SIGNED.sub(BLANK, text)
    return re.sub(_MARK, lambda found: tags[ord(found[0]) - _FIRST], text)
