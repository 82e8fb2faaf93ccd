"""Many people on a cluster of two processes, one of which is killed on the way: time, memory, and the same bytes.

usage: python benchmarks/cluster.py [COUNT] [--compare]     (default 20000 people)

With --compare the same people are made by two processes without a cluster, too, and the digests must be the same. At
every tenth of the way the digest so far is told, and the most memory that each process had (VmHWM).
"""

from __future__ import annotations

import os
import signal
import sys
import time
from hashlib import blake2b

import dask
from crowd import crowd, machine
from distributed import LocalCluster

from sheetgen.batch.cluster import SPARING
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.batch_pdf import write_people_pdf
from sheetgen.products.shapes import PrintOptions


def most_memory(pid: int) -> int:
    """Returns the most megabytes that a process had so far; 0 if it is gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return 0


def made(count: int, printing: PrintOptions, cluster: LocalCluster | None = None) -> tuple[float, str, int]:
    """Returns the seconds of a run, the digest and the size of its file; a worker is killed at a third of it."""
    party, digest, size, kill_at = crowd(1), blake2b(digest_size=16), 0, count // 3

    def write(data: bytes) -> None:
        nonlocal size
        digest.update(data)
        size += len(data)

    def progress(done: int) -> None:
        if cluster is not None and done == kill_at:
            victim = next(iter(cluster.workers.values())).pid
            os.kill(victim, signal.SIGKILL)
            print(f"  {done:,} are there: worker {victim} is killed", flush=True)
        if done % (count // 10) == 0:
            so_far = f"{done:,} after {time.perf_counter() - started:.0f} s, {digest.hexdigest()}"
            print(f"  {so_far}: {told(cluster)}", flush=True)

    people = roll(party.pack, RollOptions(seed=7, count=count))
    started = time.perf_counter()
    write_people_pdf(party.project, party.pack, people, write, printing, progress=progress)
    return time.perf_counter() - started, digest.hexdigest(), size


def told(cluster: LocalCluster | None) -> str:
    """Returns the memory of the process that writes, which holds the scheduler too, and of the workers."""
    here = f"at most {most_memory(os.getpid())} MB here"
    if cluster is None:
        return here
    workers = ", ".join(f"{most_memory(each.pid)} MB" for each in cluster.workers.values() if each.pid)
    return f"{here}, {workers} in the workers"


def main(count: int, *, compare: bool) -> None:
    """Prints the figures."""
    print(f"{count:,} people of GAMERS rolled and printed; {machine()}")
    dask.config.set(SPARING)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        taken, digest, size = made(count, PrintOptions(cluster=cluster.scheduler_address), cluster)
        rate = f"{taken:.1f} s, {count / taken:,.0f} a second"
        print(f"cluster: {rate}, {size / 1_000_000:.1f} MB, {digest}; {told(cluster)}", flush=True)
    alone = made(count, PrintOptions(workers=2)) if compare else None
    if alone:
        print(f"two processes: {alone[0]:.1f} s, {alone[2] / 1_000_000:.1f} MB, {alone[1]}")
    assert alone is None or digest == alone[1], "the files differ"


if __name__ == "__main__":
    words = sys.argv[1:]
    main(next((int(word) for word in words if word.isdigit()), 20_000), compare="--compare" in words)
