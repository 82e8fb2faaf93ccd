"""What more processes bring: the same people rolled and printed by 1, 2, 4 … workers, in paired runs.

usage: python benchmarks/workers.py [COUNT] [PAIRS]       (default 4000 people, 5 pairs)

Each pair is one run with one worker and one with more, one right after the other; the median of the pairs counts, since
a machine is seldom quiet.
"""

from __future__ import annotations

import sys
import time
from hashlib import blake2b
from statistics import median

from crowd import crowd, machine

from sheetgen.batch.pool import cores
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.batch_pdf import write_people_pdf
from sheetgen.products.shapes import PrintOptions


def main(count: int, pairs: int) -> None:
    """Prints the table."""
    party = crowd(1)

    def run(workers: int) -> tuple[float, str]:
        digest = blake2b()
        people = roll(party.pack, RollOptions(seed=7, count=count))
        started = time.perf_counter()
        write_people_pdf(party.project, party.pack, people, digest.update, PrintOptions(workers=workers))
        return time.perf_counter() - started, digest.hexdigest()

    run(1)
    print(f"{count:,} people of GAMERS rolled and printed, {pairs} pairs; {machine()}")
    workers = 2
    while workers <= max(cores(), 2):
        taken = []
        for _ in range(pairs):
            alone, first = run(1)
            together, second = run(workers)
            assert first == second, "the files differ"
            taken.append((alone, together))
        gain = median(alone / together for alone, together in taken)
        alone, together = (median(each[at] for each in taken) for at in (0, 1))
        print(f"{workers} workers: {together:.2f} s against {alone:.2f} s, {gain:.2f} times faster, the same bytes")
        workers *= 2


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3])) if len(sys.argv) > 2 else main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 4000, 5
    )
