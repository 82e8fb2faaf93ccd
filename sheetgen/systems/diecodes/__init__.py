"""Die Codes: pools of six-sided dice with a wild die, rounds of declared acts and reactions, luck, and plain growth."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.diecodes import (
    attack,
    clash,
    codes,
    declaring,
    difficulty,
    fight,
    growth,
    luck,
    making,
    rounds,
    wild,
)


def register(engine: Engine) -> None:
    """Adds what Die Codes needs to an engine."""
    engine.add(codes, wild, difficulty, luck, rounds, attack, declaring, clash, fight, making, growth)
    engine.rulings.update(
        {
            "DIE-Q18": ("extra point", "no extra point"),
            "DIE-Q35": ("act stands", "act lost"),
        }
    )
