"""How long short commands take from a cold process with warm caches, beside the same commands of 0.1.0.

    python benchmarks/startup.py [commit of 0.1.0]

Both versions run with this interpreter and its libraries, by turns, each in a folder and with a cache of its own. A
figure is the shortest of some runs, in seconds; the ratio tells what part of the old time is left.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import time
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLD = "7375622"
RUNS = 5
COMMANDS = {
    "--help": 0.15,
    "systems": 0.4,
    "npc gamers --seed 7 -o x.pdf": 0.45,
    "build genesix --quiet": 1.0,
}


def unpacked(commit: str, where: Path) -> Path:
    """The source of a commit, in a folder."""
    packed = subprocess.run(["git", "-C", str(ROOT), "archive", commit], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(where, filter="data")
    return where


def seconds(source: Path, where: Path, words: str) -> float:
    """How long one run of a command takes."""
    environ = {**os.environ, "PYTHONPATH": str(source), "SHEETGEN_CACHE": str(where / "cache")}
    begun = time.perf_counter()
    command = [sys.executable, "-m", "sheetgen", *words.split()]
    subprocess.run(command, cwd=where, env=environ, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def main() -> None:
    """Prints a line for each command."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sources = {"now": ROOT, "0.1.0": unpacked(sys.argv[1] if len(sys.argv) > 1 else OLD, folder / "source")}
        places = {version: folder / version for version in sources}
        for place in places.values():
            place.mkdir()
        print(f"{'command':<32} {'now':>7} {'0.1.0':>7} {'ratio':>6} {'aim':>6}")
        for words, aim in COMMANDS.items():
            for version, source in sources.items():  # the caches grow warm
                seconds(source, places[version], words)
            best = dict.fromkeys(sources, float("inf"))
            for _ in range(RUNS):
                for version, source in sources.items():
                    best[version] = min(best[version], seconds(source, places[version], words))
            now, before = best["now"], best["0.1.0"]
            print(f"{words:<32} {now:7.2f} {before:7.2f} {now / before:6.2f} {aim:6.2f}", flush=True)


if __name__ == "__main__":
    main()
