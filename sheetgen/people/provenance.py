"""The line at the foot of a sheet by which somebody can be rolled again, read back: who that is."""

from __future__ import annotations

import re

from sheetgen.documents.sheet import provenance_line
from sheetgen.errors import SheetgenError
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.rolling import Roller, plan_of

EDITED = " · edited since"
_FOOT = re.compile(r"(?:(.*?) · )?seed (\d{1,19}) · no\. (\d{1,10})")
_AGAIN = re.compile(r"(.+) by (\d{1,19})")


def rolled_as_said(system: System, line: str) -> Character | None:
    """Return whom the foot of a sheet stands for, as rolled; None if it does not say all of it, or the game changed."""
    foot = " ".join(line.split()).removesuffix(EDITED)
    found = _FOOT.fullmatch(foot)
    if found is None:
        return None
    archetype, method, options, again = "", "", dict[str, str](), dict[str, int]()
    for word in filter(None, (found[1] or "").split(", ")):
        name, _, value = word.partition(" ")
        if reroll := _AGAIN.fullmatch(word):
            again[reroll[1]] = int(reroll[2])
        elif word in system.creation.methods:
            method = word
        elif name in system.creation.options and value:
            options[name] = value
        else:
            archetype = f"{archetype}, {word}" if archetype else word
    try:
        plan = plan_of(system, method=method, archetype=archetype, options=options)
        rolled = Roller(system, plan, int(found[2]), again).roll(int(found[3]))
    except SheetgenError:
        return None
    said = rolled.origin is not None and provenance_line(system, rolled.origin).split() == foot.split()
    return rolled if said else None
