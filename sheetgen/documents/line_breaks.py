"""Where a line must not break: behind a sign, and between a short word and its number."""

from __future__ import annotations

import re

from sheetgen.documents.sheet import TemplateData

_MARKUP = re.compile(r"(<[^>]*>)")
_SIGN = re.compile(r"([−+±×÷=≥≤]) (?=\S)")
_NUMBER = re.compile(r"(?<=[\w,:;]) (?=[−+±]?\d{1,3}(?:[.,;:)]|\s|$|\+))")


def tied(html: str) -> str:
    """Return HTML with hard spaces behind signs and before small numbers, such as "B +2" and "− range"."""
    return "".join(part if part.startswith("<") else tied_text(part) for part in _MARKUP.split(html))


def tied_text(text: str) -> str:
    """Return plain text with those hard spaces."""
    return _NUMBER.sub("\u00a0", _SIGN.sub("\\1\u00a0", text))


def tied_tables(tables: list[TemplateData]) -> list[TemplateData]:
    """Return tables with those hard spaces in their cells."""
    return [{**each, "rows": [[tied_text(cell) for cell in row] for row in _rows(each)]} for each in tables]


def _rows(table: TemplateData) -> list[list[str]]:
    rows = table["rows"]
    assert isinstance(rows, list)
    return rows
