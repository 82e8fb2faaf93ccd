"""Rolling: the characters of a run, one after another, and how each was rolled.

What a stranger's pack asks for may take for ever, so its characters are rolled in confined processes, some at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sheetgen.batch.pool import Series
from sheetgen.model.character import Character
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.workspace.packs import Pack

T = TypeVar("T")

MOST_CHARACTERS = 1_000_000  # that a code stands for
MOST_ROLLED = 100_000_000
CHUNK = 200  # characters that a confined process rolls within the limits of one


@dataclass(frozen=True, slots=True)
class RollOptions:
    """A run: how many people, from which index on, with seed, method, archetype and options."""

    seed: int
    count: int = 1
    first: int = 1
    method: str = ""
    archetype: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


def roller(pack: Pack, run: RollOptions) -> Roller:
    """Return the compiled creation of a run; UsageError for a method, archetype or option that the pack lacks."""
    plan = plan_of(pack.system, method=run.method, archetype=run.archetype, options=run.options)
    return Roller(pack.system, plan, run.seed)


def check_run(pack: Pack, run: RollOptions) -> None:
    """Raise UsageError for a method, archetype or option that the pack lacks, before anything is rolled."""
    pack.run_isolated(lambda: bool(roller(pack, run)))


def roll(pack: Pack, run: RollOptions) -> Series[Character]:
    """Return the characters of a run in order of their index.

    Raise LimitError when a stranger's pack takes too long over them.
    """

    def begin() -> Callable[[range], Iterator[Character]]:
        made = roller(pack, run)
        return lambda numbers: made.roll_all(_indices(run, numbers))

    def begin_confined() -> Callable[[range], Iterator[Character]]:
        work = lambda indices: tuple(roller(pack, run).roll_all(indices))  # noqa: E731
        return lambda numbers: _in_chunks(pack, _indices(run, numbers), work)

    return Series(run.count, begin if pack.ours else begin_confined)


def explanation(pack: Pack, run: RollOptions, rerolled: Mapping[str, int] | None = None) -> Iterator[str]:
    """Return how each character of a run was rolled: its name, then the log line by line with rule IDs.

    `rerolled` names the steps that were rolled again, each with its seed.
    """

    def begin() -> Roller:
        made = roller(pack, run)
        return made.again(rerolled) if rerolled else made

    if pack.ours:
        made = begin()
        return (line for number in _indices(run) for line in _explained(made, number))

    def lines(numbers: Sequence[int]) -> tuple[str, ...]:
        made = begin()
        return tuple(line for number in numbers for line in _explained(made, number))

    return _in_chunks(pack, _indices(run), lines)


def _explained(made: Roller, number: int) -> tuple[str, ...]:
    character, log = made.explain(number)
    return (f"{character.text('name')} (seed {made.seed}, no. {number})", *log)


def _indices(run: RollOptions, numbers: range | None = None) -> range:
    """Return the indices of a run, or those of some of its numbers, which begin at 0."""
    numbers = range(run.count) if numbers is None else numbers
    return range(run.first + numbers.start, run.first + numbers.stop)


def _in_chunks(pack: Pack, indices: range, work: Callable[[Sequence[int]], tuple[T, ...]]) -> Iterator[T]:
    for start in range(0, len(indices), CHUNK):
        chunk = indices[start : start + CHUNK]
        yield from pack.run_isolated(lambda chunk=chunk: work(chunk))  # type: ignore[misc]
