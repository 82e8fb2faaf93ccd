"""sheetgen turns small tabletop roleplaying systems into things people hold at the table.

    import sheetgen

    guards = sheetgen.roll("gamers", 5, seed=7, archetype="guard")
    sheetgen.write(guards.pack, guards, "guards.pdf")
    sheetgen.make("book", "gamers", "rules.pdf", paper="a5")
    sheetgen.odds("gamers", "check", of="success", skill=2, difficulty=8)

Everything a user can mend is a `SheetgenError`; its text is one line a problem.
"""

from __future__ import annotations

import os
import sys

# `python -m sheetgen` finds modules in the folder one is in before all others: nothing of a stranger's may run there.
if sys.argv[:1] == ["-m"] and not sys.flags.safe_path and os.path.dirname(os.path.dirname(__file__)) != sys.path[0]:
    del sys.path[0]

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sheetgen.version import __version__

if TYPE_CHECKING:
    from sheetgen.api import (
        People,
        Result,
        duel,
        fill,
        group,
        load,
        make,
        odds,
        play,
        product_names,
        read,
        read_forms,
        reroll,
        roll,
        write,
    )
    from sheetgen.errors import SheetgenError

__all__ = [
    "People",
    "Result",
    "SheetgenError",
    "__version__",
    "duel",
    "fill",
    "group",
    "load",
    "make",
    "odds",
    "play",
    "product_names",
    "read",
    "read_forms",
    "reroll",
    "roll",
    "write",
]


def __dir__() -> list[str]:
    """Return the public names, which notebooks and shells offer."""
    return __all__


def __getattr__(name: str) -> Any:
    """The public functions, imported when they are first asked for."""
    if name == "SheetgenError":
        return import_module("sheetgen.errors").SheetgenError
    if name in __all__:
        return getattr(import_module("sheetgen.api"), name)
    raise AttributeError(f"module 'sheetgen' has no attribute {name!r}")
