"""What commands take from a cold process, beside the same commands of 0.1.0: with warm caches, or from scratch.

    python benchmarks/startup.py [commit of 0.1.0] [--build]

Both versions run with this interpreter and its libraries, by turns, each in a folder and with a cache of its own. A
figure is the least of some runs: seconds of computing, which a busy machine blurs little, what part of that of 0.1.0 is
left, and seconds by the clock beside the aim for two cores. --build adds everything that the packs can make: minutes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLD = "7375622"
WARM = {
    "--help": 0.15,
    "systems": 0.4,
    "npc gamers --seed 7 -o x.pdf": 0.45,
    "cards gamers -o x.pdf": 2.0,
    "screen gamers -o x.pdf": 3.0,
    "reference gamers --pocket -o x.pdf": 1.5,
}
FROM_SCRATCH = {"book gamers --paper a5 -o x.pdf": 7.0}
BUILD = {"build --quiet": 70.0}
UNCHANGED = {"build --quiet": 1.0}


def unpacked(commit: str, where: Path) -> Path:
    """The source of a commit, in a folder."""
    packed = subprocess.run(["git", "-C", str(ROOT), "archive", commit], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(where, filter="data")
    return where


def seconds(source: Path, where: Path, words: str) -> tuple[float, float]:
    """Seconds of computing, of all processes together, and by the clock that one run of a command takes."""
    environ = {**os.environ, "PYTHONPATH": str(source), "SHEETGEN_CACHE": str(where / "cache")}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # nobody compiles sheetgen anew for each command
    command = [sys.executable, "-m", "sheetgen", *words.split()]
    before, begun = os.times(), time.perf_counter()
    subprocess.run(command, cwd=where, env=environ, check=True, stdout=subprocess.DEVNULL)
    after, ended = os.times(), time.perf_counter()
    computing = after.children_user + after.children_system - before.children_user - before.children_system
    return computing, ended - begun


def main(words: list[str]) -> None:
    """Prints a line for each command."""
    commits = [word for word in words if word != "--build"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sources = {"now": ROOT, "0.1.0": unpacked(commits[0] if commits else OLD, folder / "source")}
        for version, source in sources.items():
            (folder / version).mkdir()
            seconds(source, folder / version, "--help")  # so that all of it is compiled
        tables = [("warm caches", WARM, 4, False), ("from scratch", FROM_SCRATCH, 1, True)]
        if "--build" in words:
            tables += [("from scratch", BUILD, 1, True), ("nothing changed", UNCHANGED, 2, False)]
        print(f"{'command':<36}{'':<17}{'now':>7} {'0.1.0':>7} {'ratio':>6} {'clock':>7} {'aim':>6}")
        for state, commands, runs, fresh in tables:
            for command, aim in commands.items():
                found: dict[str, list[tuple[float, float]]] = {version: [] for version in sources}
                for _ in range(runs):
                    for version, source in sources.items():
                        if fresh:
                            shutil.rmtree(folder / version)
                            (folder / version).mkdir()
                        found[version].append(seconds(source, folder / version, command))
                now, before = (min(each[0] for each in found[version]) for version in sources)
                clock = min(each[1] for each in found["now"])
                figures = f"{now:7.2f} {before:7.2f} {now / before:6.2f} {clock:7.2f} {aim:6.2f}"
                print(f"{command:<36}{state:<17}{figures}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
