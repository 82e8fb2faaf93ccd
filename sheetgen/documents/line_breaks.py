"""Blanks at which no line may end, "hard" ones: after a sign, between a number and its word, before a small number.

And the lines of a reminder on a sheet, with what in them is bold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from sheetgen.documents.sheet import TemplateData

BLANK = "\u00a0"
_TAG = re.compile("<[^>]*>")
_FIRST, _LAST = 0xF0000, 0xFFFFD  # characters that stand for tags, from a plane that texts hardly use
_MARK = f"[{chr(_FIRST)}-{chr(_LAST)}]"
_SIGN = re.compile(rf"(?<= )([−+÷×]{_MARK}*) (?=\S)")
_AFTER_NUMBER = re.compile(rf"(?<=\d)([%+²]?{_MARK}*) (?={_MARK}*[^\W\d_])")
_BEFORE_NUMBER = re.compile(rf"(?<!\w)((?:an?|at|[Bb]y|in|is|of|or|[Tt]o|CN|DM){_MARK}*) (?={_MARK}*[−+±]?\d)")
_BEFORE_SIGNED = re.compile(rf"(?<=\w) (?={_MARK}*[−+±]\d)")
_ANY_SIGN = re.compile(rf"(?<!\d)([−+±×÷=≥≤]{_MARK}*) (?=\S)")
_BEFORE_SMALL = re.compile(rf"(?<=[\w,:;]) (?={_MARK}*(?:[−+±]\d|\d{{1,3}}(?:[.,;:)](?!\d)|\s|$|\+)))")


def unbroken(html: str) -> str:
    """Return the HTML of running text with hard blanks; its tags stay as they are."""
    return _between_tags(html, _unbroken_text)


def tied(html: str) -> str:
    """Return the HTML of a card or an extract with hard blanks at signs and small numbers alone: "B +2", "− range"."""
    return _between_tags(html, tied_text)


def _between_tags(html: str, changed: Callable[[str], str]) -> str:
    """Return the HTML with its text changed, as one text in which a character of its own stands for each tag."""
    tags = list(dict.fromkeys(_TAG.findall(html)))
    used = set(html)
    free = (chr(each) for each in range(_FIRST, _LAST) if chr(each) not in used)
    marks = dict(zip(tags, free, strict=False))
    if len(marks) < len(tags):
        return html
    marked = {mark: tag for tag, mark in marks.items()}
    text = changed(_TAG.sub(lambda found: marks[found[0]], html))
    return re.sub(_MARK, lambda found: marked.get(found[0], found[0]), text)


def _unbroken_text(text: str) -> str:
    for pattern in (_SIGN, _AFTER_NUMBER, _BEFORE_NUMBER):
        text = pattern.sub(rf"\1{BLANK}", text)
    return _BEFORE_SIGNED.sub(BLANK, text)


def tied_text(text: str) -> str:
    """Return plain text with hard blanks as `tied` sets them."""
    return _BEFORE_SMALL.sub(BLANK, _ANY_SIGN.sub(rf"\1{BLANK}", text))


def tied_tables(tables: list[TemplateData]) -> list[TemplateData]:
    """Return tables with the same hard blanks in their cells."""
    return [{**each, "rows": [[tied_text(cell) for cell in row] for row in _rows(each)]} for each in tables]


def _rows(table: TemplateData) -> list[list[str]]:
    rows = table["rows"]
    assert isinstance(rows, list)
    return rows


def runs(text: str) -> list[dict[str, Any]]:
    """Return the pieces of a line, bold between two asterisks each."""
    return [{"text": piece, "bold": at % 2 == 1} for at, piece in enumerate(text.split("**")) if piece]


def reminder_lines(text: str) -> Iterator[str]:
    """Yield the lines of a reminder; rows of Markdown tables have their first cell bold, items of lists a dot."""
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if any(cells) and not all(set(cell) <= set("-: ") for cell in cells):
                yield " ".join(filter(None, (f"**{cells[0]}**" if cells[0] else "", *cells[1:])))
        elif line.startswith(("- ", "* ")):
            yield f"· {' '.join(line[2:].split())}"
        else:
            yield " ".join(line.split())
