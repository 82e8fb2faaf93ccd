"""The line at the foot of a sheet by which the very same person can be rolled again."""

from __future__ import annotations

from sheetgen.model.character import Origin
from sheetgen.model.system import System
from sheetgen.rules.rolling import unusual_words

DOT = "\u00a0· "
LONGEST = 52  # what a field of 60 mm holds at 7 pt


def again(system: System, origin: Origin) -> str:
    """Archetype, method and options where they are not what sheetgen takes by itself; then seed and number.

    What the foot of a sheet cannot hold ends in “…”; the file of the character holds all of it. Of somebody who was
    changed by hand the line says so, since the seed does not give them.
    """
    number = DOT.join((f"seed {origin.seed}", f"no. {origin.index}", *(("edited since",) if origin.edited else ())))
    method, options = unusual_words(system, origin)
    said = [word for word in (origin.archetype, method) if word]
    said += [f"{name} {value}" for name, value in options.items()]
    said += [f"{step} by {seed}" for step, seed in origin.rerolled.items()]
    for words in (", ".join(said), f"{origin.archetype} …".lstrip(), "…" if said else ""):
        line = f"{words}{DOT}{number}" if words else number
        if len(line) <= LONGEST:
            break
    return line
