"""GAMERS and its skins: the rules as procedures, room by room as the ledger has them, and what YAML cannot say."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.gamers import figures
from sheetgen.systems.gamers.creation import languages
from sheetgen.systems.gamers.creation import skills as skills_rolled


def register(engine: Engine) -> None:
    """Adds what GAMERS needs to an engine; `rulings` are the open points that a pack may rule otherwise."""
    engine.steps["gamers skills"] = skills_rolled
    engine.steps["gamers languages"] = languages
    engine.figures = figures.figures
    engine.shown_by.update(native=("figure.languages",), languages=("figure.languages",))
    engine.judge = figures.judge
    engine.parameters = figures.parameters
    engine.best_weapon = figures.best_weapon
    engine.add_consequences(".healing", package=__name__)
    engine.add(".traits", ".checks", ".conflict", ".injury", package=__name__)
    engine.add(".healing", ".travel", ".clash", package=__name__)
    engine.rulings.update(
        {
            "GAM-Q25": ("complement", "added"),
            "GAM-Q28": ("sum", "repeat", "both"),
            "GAM-Q36": ("separately", "together"),
            "GAM-Q67": ("collapse", "to the letter"),
        }
    )
