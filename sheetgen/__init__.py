"""sheetgen turns small tabletop roleplaying systems into things people hold at the table.

    import sheetgen

    gamers = sheetgen.load("gamers")
    guards = sheetgen.roll(gamers, 5, seed=7, archetype="guard")
    sheetgen.write(gamers, guards, "guards.pdf")
    sheetgen.odds(gamers, "check", of="success", skill=2, difficulty=8)

Everything a user can mend is a `SheetgenError`; its text is one line a problem.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sheetgen.version import __version__

if TYPE_CHECKING:
    from sheetgen.api import load, odds, play, read, roll, write
    from sheetgen.errors import SheetgenError

__all__ = ["SheetgenError", "__version__", "load", "odds", "play", "read", "roll", "write"]


def __getattr__(name: str) -> Any:
    """The public functions, imported when they are first asked for."""
    if name == "SheetgenError":
        return import_module("sheetgen.errors").SheetgenError
    if name in __all__:
        return getattr(import_module("sheetgen.api"), name)
    raise AttributeError(f"module 'sheetgen' has no attribute {name!r}")
