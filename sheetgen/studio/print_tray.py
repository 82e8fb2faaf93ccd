"""What is to be printed together, as one PDF: kept in a file of the folder, so that every window sees it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sheetgen.studio.studio import Studio
from sheetgen.workspace.write import locked, write_file

FILE = Path(".sheetgen") / "print.json"
MOST, LARGEST = 60, 200_000


def tray(studio: Studio) -> list[str]:
    """Return the addresses of what is in the tray, in the order in which it was put there."""
    with suppress(OSError, ValueError):
        path = studio.folder / FILE
        if path.stat().st_size <= LARGEST:
            found = json.loads(path.read_text("utf-8"))
            return [each for each in found if isinstance(each, str)][:MOST] if isinstance(found, list) else []
    return []


def in_tray(studio: Studio, address: str) -> bool:
    """Return whether something is in the tray."""
    return address in tray(studio)


def turn_over(studio: Studio, address: str) -> None:
    """Put something into the tray, or take it out."""
    with locked(_home(studio)):
        there = tray(studio)
        _write(studio, [each for each in there if each != address] if address in there else [*there, address])


def empty(studio: Studio) -> None:
    """Take everything out of the tray."""
    with locked(_home(studio)):
        _write(studio, [])


def tray_data(studio: Studio) -> dict[str, object]:
    """Return what the tray at the foot of the page shows."""
    there = tray(studio)
    return {"count": len(there), "full": len(there) >= MOST}


def _home(studio: Studio) -> Path:
    folder = (studio.folder / FILE).parent
    folder.mkdir(exist_ok=True)
    return folder


def _write(studio: Studio, addresses: Sequence[str]) -> None:
    data = json.dumps(list(addresses)[:MOST], ensure_ascii=False).encode()
    write_file(studio.folder / FILE, data, shown=str(FILE))
