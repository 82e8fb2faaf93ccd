"""Six Shooter: Operators and their luck in cards, challenges, Roll Your Hand, wagers, contests and progression."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.sixshooter import (
    attempts,
    challenges,
    combat,
    contests,
    luck,
    operators,
    progression,
    stages,
    table,
    turns,
    using,
    versus,
)


def register(engine: Engine) -> None:
    """Adds the procedures of Six Shooter to an engine; its open points are ruled one way only."""
    engine.add(operators, table, turns, challenges, luck, using, attempts, combat, stages, versus, contests)
    engine.add(progression)
