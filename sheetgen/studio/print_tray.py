"""The tray of Print: addresses of what is to be printed together, as one PDF."""

from __future__ import annotations

from pathlib import Path

from sheetgen.studio.studio import Studio
from sheetgen.studio.tray_file import Tray

FILE = Path(".sheetgen") / "print.json"
MOST = 60


def tray(studio: Studio) -> list[str]:
    """Return the addresses of what is in the tray, in the order in which it was put there."""
    return _tray(studio).names()


def in_tray(studio: Studio, address: str) -> bool:
    """Return whether something is in the tray."""
    return address in tray(studio)


def turn_over(studio: Studio, address: str) -> None:
    """Put something into the tray, or take it out; UsageError if it is full."""
    _tray(studio).change(
        lambda there: [each for each in there if each != address] if address in there else [*there, address]
    )


def empty(studio: Studio) -> None:
    """Take everything out of the tray."""
    _tray(studio).change(lambda there: [])


def tray_data(studio: Studio) -> dict[str, object]:
    """Return what the tray at the foot of the page shows."""
    return {"count": len(tray(studio))}


def _tray(studio: Studio) -> Tray:
    return Tray(studio.folder, FILE, MOST)
