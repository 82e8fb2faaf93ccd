"""Peak memory of print runs of growing size, each in a process of its own, the children of the run included.

usage: python benchmarks/memory.py [COUNT …]       (default 1000 10000 100000)
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from crowd import machine

MEGABYTE = 1024  # ru_maxrss is in kilobytes here


def measured(count: int) -> tuple[float, float, float]:
    """Seconds, peak megabytes of the largest process, and bytes a sheet of one run."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "people.pdf"
        words = [sys.executable, "-m", "sheetgen", "npc", "gamers", "-n", str(count), "--seed", "7", "-o", str(target)]
        started = time.perf_counter()
        subprocess.run([*words, "--quiet"], check=True)
        taken = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / MEGABYTE
        return taken, peak, target.stat().st_size / count


def main(counts: list[int]) -> None:
    """Prints the table; the peak is the highest so far, so counts go up."""
    print(f"GAMERS, rolled and printed, all cores; {machine()}")
    for count in sorted(counts):
        taken, peak, size = measured(count)
        print(f"{count:>9,} sheets{taken:9.1f} s{peak:9.0f} MB at most{size:10,.0f} bytes a sheet")


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [1_000, 10_000, 100_000])
