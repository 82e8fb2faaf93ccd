"""The command line: words in, products made, one line a problem, and the exit code.

Nothing heavy is imported here, so that Ctrl-C has a listener almost from the start.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

SELDOM = (100_000, 20, 20)  # cyclic garbage is looked for: nearly all that a verb makes stays until its end
STOPPED = "stopped; what was finished is whole, nothing is half-written"
HANDLED = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}


def main(argv: Sequence[str] | None = None) -> int:
    """Return the exit code of one verb: 0 done, 1 some failed, 2 bad input, 3 a limit, 4 no output, 130 interrupted.

    Without `argv` this is the whole program, and signals that come after its end are ignored.
    """
    if argv is None:
        gc.set_threshold(*SELDOM)
    with _stoppable(for_good=argv is None):
        try:
            from sheetgen.cli.app import start

            return start(list(sys.argv[1:] if argv is None else argv))
        except KeyboardInterrupt as stopped:
            with suppress(OSError):
                print(stopped.args[0] if stopped.args else STOPPED, file=sys.stderr)
            return 130


@contextmanager
def _stoppable(*, for_good: bool) -> Iterator[None]:
    """Raise KeyboardInterrupt inside for signals to end and for a lost terminal, unless they were ignored before.

    Only the first signal counts, so that nothing disturbs the end of what it stopped. Afterwards signals do what they
    did before or, `for_good`, nothing.
    """
    before: dict[int, Any] = {}

    def stop(number: int, frame: object) -> NoReturn:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    for name, usual in HANDLED.items():
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is usual:
            with suppress(ValueError):  # only the main thread hears signals
                before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if for_good else handler)
