"""The Simple Game System: every roll and subsystem of the game, in rooms named after the ledger's sections."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.tsgs import (
    abilities,
    advancement,
    attacks,
    exchanges,
    fights,
    healing,
    initiative,
    monsters,
    movement,
    pools,
    reading,
    rolls,
    rounds,
    skills,
    tending,
    wounds,
)


def register(engine: Engine) -> None:
    """Adds the procedures of TSGS to an engine, and the open points that a pack may rule otherwise."""
    engine.add(abilities, skills, pools, reading, rolls, initiative, movement, attacks, exchanges, wounds)
    engine.add(tending, healing, advancement, monsters, rounds, fights)
    engine.rulings.update(
        {
            "TSG-Q17": ("each round", "once a fight"),
            "TSG-Q27": ("lowest row", "one below"),
        }
    )
