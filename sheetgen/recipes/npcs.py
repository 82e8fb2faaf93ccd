"""Rolling: the characters of a run, one after another, and how each was rolled.

What a stranger's pack asks for may take for ever, so its characters are rolled in confined processes, some at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sheetgen.model.character import Character
from sheetgen.recipes.packs import Pack
from sheetgen.rules.creation import Roller, plan_of

T = TypeVar("T")

MOST_CHARACTERS = 1_000_000
CHUNK = 200  # characters that a confined process rolls within the limits of one


@dataclass(frozen=True, slots=True)
class Run:
    """What is to be rolled: how many, from which index on, by which seed and plan."""

    seed: int
    count: int = 1
    first: int = 1
    method: str = ""
    archetype: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


def roller(pack: Pack, run: Run) -> Roller:
    """The compiled creation of a run; UsageError for a method, archetype or option that the pack lacks."""
    plan = plan_of(pack.system, method=run.method, archetype=run.archetype, options=run.options)
    return Roller(pack.system, plan, run.seed)


def check_run(pack: Pack, run: Run) -> None:
    """UsageError for a method, archetype or option that the pack lacks, before anything is rolled."""
    pack.do(lambda: bool(roller(pack, run)))


def roll(pack: Pack, run: Run) -> Iterator[Character]:
    """The characters of a run in order of their index; LimitError when a stranger's pack takes too long over them."""
    if pack.ours:
        return map(roller(pack, run).roll, _numbers(run))
    return _in_chunks(pack, run, lambda numbers: tuple(map(roller(pack, run).roll, numbers)))


def explanation(pack: Pack, run: Run) -> Iterator[str]:
    """How each character of a run was rolled: its name, then the log line by line with rule IDs."""
    if pack.ours:
        made = roller(pack, run)
        return (line for number in _numbers(run) for line in _explained(made, number))

    def lines(numbers: Sequence[int]) -> tuple[str, ...]:
        made = roller(pack, run)
        return tuple(line for number in numbers for line in _explained(made, number))

    return _in_chunks(pack, run, lines)


def _explained(made: Roller, number: int) -> tuple[str, ...]:
    character, log = made.explain(number)
    return (f"{character.text('name')} (seed {made.seed}, no. {number})", *log)


def _numbers(run: Run) -> range:
    return range(run.first, run.first + run.count)


def _in_chunks(pack: Pack, run: Run, work: Callable[[Sequence[int]], tuple[T, ...]]) -> Iterator[T]:
    numbers = _numbers(run)
    for start in range(0, len(numbers), CHUNK):
        chunk = numbers[start : start + CHUNK]
        yield from pack.do(lambda chunk=chunk: work(chunk))  # type: ignore[misc]
