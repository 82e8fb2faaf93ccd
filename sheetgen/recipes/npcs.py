"""Rolling: the characters of a run, one after another, and how each was rolled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sheetgen.model.character import Character
from sheetgen.recipes.packs import Pack
from sheetgen.rules.creation import Roller, plan_of

MOST_CHARACTERS = 1_000_000


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


def roll(pack: Pack, run: Run) -> Iterator[Character]:
    """The characters of a run in order of their index."""
    made = roller(pack, run)
    return (made.roll(index) for index in range(run.first, run.first + run.count))


def explanation(pack: Pack, run: Run) -> Iterator[str]:
    """How each character of a run was rolled: its name, then the log line by line with rule IDs."""
    made = roller(pack, run)
    for index in range(run.first, run.first + run.count):
        character, log = made.explain(index)
        yield f"{character.text('name')} (seed {run.seed}, no. {index})"
        yield from log
