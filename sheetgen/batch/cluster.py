"""Work shared out among the machines of a Dask cluster, its results in order: what `pool` does, further away.

Nothing but chunks goes out and nothing but results comes back. What prepares a process (`begin`, with all it refers to)
is left with the scheduler as a plugin, which hands it to every worker, to those that join later and to those that take
the place of dead ones. A chunk whose worker dies is dealt again; since chunks are made from numbers alone, it does no
harm if one is made twice. Results come as bytes and only a few chunks are dealt ahead of the one that is wanted, which
keeps the memory flat here, on the workers and on the scheduler. A cluster runs what it is given: use none but your own.
"""

from __future__ import annotations

import logging
import pickle
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, TypeVar
from uuid import uuid4

from sheetgen.batch.pool import Begin, WorkerDied, cores, in_order, packed_outcome
from sheetgen.errors import OutputError, UsageError
from sheetgen.version import __version__

C = TypeVar("C")
R = TypeVar("R")

LOCAL = "local"
AHEAD = 4  # chunks for each thread of the cluster, from the one that is wanted
DEATHS = 5  # workers that may die over one chunk
PATIENCE = 30.0  # seconds for a scheduler to answer, and for a first worker
_LOOK = 2.0  # seconds between two looks at how many workers there are

SPARING = {  # of the memory of a cluster that is started here: short logs, and no pool of memory for each thread
    "distributed.admin.low-level-log-length": 100,
    "distributed.nanny.pre-spawn-environ.MALLOC_ARENA_MAX": 1,
}
_ready: dict[tuple[str, int], Callable[[Any], Any]] = {}  # on a worker: the work of each run and thread


def dealt(begin: Begin[C, R], chunks: Sequence[C], *, workers: int, cluster: str = "") -> Iterator[R]:
    """Yield the result of the work for each chunk, in order: from the cluster at an address, or from processes here.

    `local` starts a cluster of so many processes on this machine. Errors are those of `pool.in_order`; UsageError when
    there is no cluster at the address, or one of another version.
    """
    if not cluster:
        yield from in_order(begin, chunks, workers=workers)
        return
    with _client(cluster, workers) as client:
        yield from _from(client, begin, chunks)


@contextmanager
def _client(address: str, workers: int) -> Iterator[Any]:
    """Yield a client of the cluster; what it has to say goes nowhere, since what matters is raised."""
    import dask
    from distributed import Client, LocalCluster

    settings = {
        "distributed.scheduler.allowed-failures": DEATHS,
        "distributed.comm.timeouts.connect": f"{PATIENCE}s",
        **SPARING,
    }
    for name in ("distributed", "distributed.nanny", "distributed.worker", "distributed.scheduler"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as stack, warnings.catch_warnings(), dask.config.set(settings):
        warnings.simplefilter("ignore")
        place: Any = address
        if address == LOCAL:
            count = workers or cores()
            place = stack.enter_context(
                LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=count, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
                )
            )
        try:
            client = stack.enter_context(Client(place, timeout=PATIENCE, set_as_default=False))  # type: ignore[no-untyped-call]
            client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0][:150]
            raise UsageError(f"--cluster {address}: no cluster of workers answers there ({reason})") from None
        yield client


def _from(client: Any, begin: Begin[C, R], chunks: Sequence[C]) -> Iterator[R]:
    """Yield the results of a cluster in order."""
    import cloudpickle
    from distributed import KilledWorker, WorkerPlugin

    run = f"sheetgen-{uuid4().hex}"
    payload = cloudpickle.dumps((__version__, begin))

    class Preparation(WorkerPlugin):
        """Holds what prepares the work of this run, on every worker."""

        data = payload
        name = run

    client.register_plugin(Preparation(), name=run)
    futures: dict[int, Any] = {}
    given, threads, looked = 0, 1, 0.0
    try:
        for at in range(len(chunks)):
            if time.monotonic() - looked > _LOOK:
                threads, looked = max(sum(client.nthreads().values()), 1), time.monotonic()
            while given < min(len(chunks), at + AHEAD * threads):
                chunk = cloudpickle.dumps(chunks[given])
                futures[given] = client.submit(_run_chunk, run, chunk, pure=False, priority=-given, retries=0)
                given += 1
            try:
                data = futures.pop(at).result()
            except KilledWorker:
                raise WorkerDied(
                    f"{DEATHS} workers died over the same work (part {at + 1} of {len(chunks)}): memory may be short"
                ) from None
            value, error = pickle.loads(data)
            if error is not None:
                raise error
            yield value
    except OSError as error:  # the scheduler is gone
        raise OutputError(f"the cluster was lost: {(str(error).splitlines() or [''])[0][:150]}") from None
    finally:
        with suppress(Exception):  # whatever is left of the cluster, the run has ended
            client.cancel(list(futures.values()), force=True)
            client.unregister_worker_plugin(run)


def _run_chunk(run: str, chunk: bytes) -> bytes:
    """Return the outcome of a chunk, packed; runs on a worker, which prepares itself at its first chunk."""
    key = run, threading.get_ident()
    try:
        if key not in _ready:
            from distributed import get_worker

            plugin: Any = get_worker().plugins[run]
            version, begin = pickle.loads(plugin.data)
            if version != __version__:
                raise UsageError(f"a worker of the cluster has sheetgen {__version__}, and this run is of {version}")
            for other in [each for each in _ready if each[0] != run]:
                del _ready[other]  # of runs that have ended
            _ready[key] = begin()
        return packed_outcome(_ready[key](pickle.loads(chunk)))
    except Exception as error:
        return packed_outcome(error=error)
