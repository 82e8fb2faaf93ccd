"""The line at the foot of a sheet by which the very same person can be rolled again."""

from __future__ import annotations

from sheetgen.errors import UsageError
from sheetgen.model.character import Origin
from sheetgen.model.system import System
from sheetgen.rules.rolling import plan_of

DOT = "\u00a0· "
LONGEST = 52  # what a field of 60 mm holds at 7 pt


def again(system: System, origin: Origin) -> str:
    """Archetype, method and options where they are not what sheetgen takes by itself; then seed and number.

    What the foot of a sheet cannot hold ends in “…”; the file of the character holds all of it.
    """
    number = DOT.join((f"seed {origin.seed}", f"no. {origin.index}"))
    said = [word for word in (origin.archetype, *_settled(system, origin)) if word]
    said += [f"{step} by {seed}" for step, seed in origin.rerolled.items()]
    for words in (", ".join(said), f"{origin.archetype} …".lstrip(), "…" if said else ""):
        line = f"{words}{DOT}{number}" if words else number
        if len(line) <= LONGEST:
            break
    return line


def _settled(system: System, origin: Origin) -> list[str]:
    """Method and options that have to be named; all of them where the pack does not know the archetype any more."""
    try:
        usual = plan_of(system, archetype=origin.archetype)
    except UsageError:
        return [origin.method, *(f"{name} {value}" for name, value in origin.options.items())]
    method = origin.method if origin.method != usual.method else ""
    return [method, *(f"{name} {value}" for name, value in origin.options.items() if usual.options.get(name) != value)]
