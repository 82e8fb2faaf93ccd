"""How much ink the pages of people take, as they are and with --ink-saver, in per cent of the page or card.

usage: python benchmarks/ink.py [GAME …]       (default: the five games and the skins)
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.people.blank import ink_shares
from sheetgen.products.shapes import SHAPES, PrintOptions, shape_named
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

SEED, COUNT = 11, 8


def main(words: list[str]) -> None:
    """Print a row for each game, with a column for each shape: plain, with little ink, and what that saves."""
    shapes = [name for name in SHAPES if shape_named(name).filled is None]
    print(" " * 12 + "".join(f"{name:>20}" for name in shapes))
    with tempfile.TemporaryDirectory() as folder:
        project = project_at(Path(folder), {})
        for game in words or [*project.library.packs]:
            pack, cells = open_pack(project, game), []
            for name in shapes:
                printing = PrintOptions(shape=name, back=shape_named(name).back)
                run = RollOptions(seed=SEED, count=COUNT)
                spared, usual = ink_shares(project, pack, printing, lambda pack=pack, run=run: roll(pack, run))
                cells.append(f"{usual:.1f} % → {spared:.1f} % −{1 - spared / usual:.0%}")
            print(f"{game:<12}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
