"""What a part of a print run remembers, so that the parts can be put together again (see `shard_reader`).

A shard is a PDF like any other. What makes it one is a private stream in its catalogue (ISO 32000-1, 14.5): which part
of which run it is, and for each row its title, the backgrounds of its pages and what was continued.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sheetgen.pdf.form.compositor import Sheet
from sheetgen.pdf.writer import Writer

KEY = "/Sheetgen"
_DATE = b"(D:20000101000000Z)"  # the entry must be there, and the same pages must be the same bytes

Facts = Mapping[str, Any]


@dataclass(slots=True)
class ShardRecord:
    """What a shard has to remember, collected while it is written; `facts` say which part of which run it is."""

    facts: Facts
    rows: list[tuple[str, tuple[int, ...], tuple[str, ...]]] = field(default_factory=list)

    def note(self, sheet: Sheet) -> None:
        """Take note of a row that was written."""
        self.rows.append((sheet.title, tuple(background for background, _ in sheet.pages), sheet.continued))

    def entry(self, writer: Writer, letters: Mapping[bytes, set[str]]) -> bytes:
        """Write the private stream; return the entry for the catalogue."""
        used = {font.decode(): sorted(found) for font, found in sorted(letters.items())}
        record = json.dumps({"facts": dict(self.facts), "rows": self.rows, "letters": used}, ensure_ascii=False)
        number = writer.deflated(record.encode())
        return b"/PieceInfo<<%b<</LastModified%b/Private %d 0 R>>>>" % (KEY.encode(), _DATE, number)
