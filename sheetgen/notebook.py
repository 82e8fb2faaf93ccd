"""Small pieces of HTML by which results show themselves in notebooks."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; every text is escaped."""
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(each))}</td>' for each in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def picture(png: bytes, says: str) -> str:
    """Return a PNG that is shown in place, and says what it shows."""
    return f'<img alt="{escape(says)}" title="{escape(says)}" src="data:image/png;base64,{b64encode(png).decode()}">'
