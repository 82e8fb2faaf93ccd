"""GAMERS and its skins: random skills, languages, the figures a sheet shows, and what makes a character illegal."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.gamers.creation import languages, skills
from sheetgen.systems.gamers.figures import figures
from sheetgen.systems.gamers.legality import judge


def register(engine: Engine) -> None:
    """Adds what GAMERS needs to an engine."""
    engine.steps["gamers skills"] = skills
    engine.steps["gamers languages"] = languages
    engine.figures = figures
    engine.judge = judge
