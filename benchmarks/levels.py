"""How strong opponents are: the wins of each level against the one below it, and of a boss against ordinary people.

    python benchmarks/levels.py [--count 1000] [--seed 1]

In Six Shooter opponents are challenges: what is told is how often an Operator who is alone overcomes each of them.
"""

from __future__ import annotations

import argparse
import os
from itertools import pairwise
from pathlib import Path

from sheetgen.table.duel import duel
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

# A fighter, somebody who is none, and an ordinary person whom a boss meets.
CAST = {
    "gamers": ("guard", "scholar", "villager"),
    "tsgs": ("soldier", "scholar", "merchant"),
    "diecodes": ("raider", "healer", "settler"),
    "genesix": ("guard", "scholar", "scholar"),
}


def main() -> None:
    """Print a line for each game and kind of people."""
    parse = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parse.add_argument("--count", type=int, default=1000)
    parse.add_argument("--seed", type=int, default=1)
    args = parse.parse_args()
    project = project_at(Path.cwd(), os.environ)

    def wins(system: str, first: str, second: str) -> str:
        pack = open_pack(project, system)
        tally = duel(*(project, pack, (first, second)), using=("", ""), given={}, count=args.count, seed=args.seed)
        won, lost = (tally.share(each) for each in tally.wins)
        return f"{won:.0%} to {lost:.0%}"

    for system, (fighter, other, ordinary) in CAST.items():
        strength = open_pack(project, system).system.creation.strength
        levels = tuple(strength.levels) if strength is not None else ()
        for who in (fighter, other):
            steps = [f"{up} {wins(system, f'{up} {who}', f'{low} {who}')}" for low, up in pairwise(levels)]
            print(f"{system:<10} {who:<8} {', '.join(steps)}")
        boss = f"{levels[-1]} {fighter}", f"average {ordinary}"
        print(f"{system:<10} {' against '.join(boss)}: {wins(system, *boss)}")
    for level in ("weak", "average", "able", "strong", "boss"):
        print(f"sixshooter an Operator against the {level}: {wins('sixshooter', 'guard', f'{level} guard')}")


if __name__ == "__main__":
    main()
