"""GeneSix: two dice against a target number, read for odd and even, and all that hangs on it."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.genesix import (
    challenges,
    characters,
    chases,
    checks,
    circumstances,
    combat,
    contests,
    encounters,
    equipment,
    luck,
    powers,
    skirmish,
    tags,
    tracks,
    turns,
)


def register(engine: Engine) -> None:
    """Adds every procedure of GeneSix; its ledger leaves no point with two ways to rule it."""
    engine.add(checks, contests, chases, challenges, circumstances, luck, tracks)
    engine.add(characters, powers, encounters, turns, equipment, tags, combat, skirmish)
