"""GAMERS and its skins: the rules as procedures, room by room as the ledger has them, and what YAML cannot say."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.gamers.creation import languages
from sheetgen.systems.gamers.creation import skills as skills_rolled
from sheetgen.systems.gamers.figures import best_weapon, figures, judge, parameters


def register(engine: Engine) -> None:
    """Adds what GAMERS needs to an engine; `rulings` are the open points that a pack may rule otherwise."""
    engine.steps["gamers skills"] = skills_rolled
    engine.steps["gamers languages"] = languages
    engine.figures = figures
    engine.shown_by.update(native=("figure.languages",), languages=("figure.languages",))
    engine.judge = judge
    engine.parameters = parameters
    engine.best_weapon = best_weapon
    engine.add(
        ".attributes",
        ".skills",
        ".checks",
        ".conflict",
        ".injury",
        ".attack",
        ".healing",
        ".travel",
        ".clash",
        package=__name__,
    )
    engine.rulings.update(
        {
            "GAM-Q25": ("complement", "added"),
            "GAM-Q28": ("sum", "repeat", "both"),
            "GAM-Q36": ("separately", "together"),
            "GAM-Q67": ("collapse", "to the letter"),
        }
    )
