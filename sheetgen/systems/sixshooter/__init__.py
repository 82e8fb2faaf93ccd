"""Six Shooter: Operators and their luck in cards, challenges, Roll Your Hand, wagers, contests and progression."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.sixshooter.characters import descriptor, figures, judge, lucky_number, parameters, read_figures


def register(engine: Engine) -> None:
    """Adds what Six Shooter needs to an engine; its open points are ruled one way only."""
    engine.steps["sixshooter descriptor"] = descriptor
    engine.steps["sixshooter lucky number"] = lucky_number
    engine.figures = figures
    engine.shown_by.update(
        descriptor=("figure.best.*",),
        strikes=("figure.strike.*",),
        hand=("figure.card.*", "figure.up.*", "figure.gone.*"),
        opponent=("figure.met.*",),
        gear=("figure.gear",),
    )
    engine.read_figures = read_figures
    engine.judge = judge
    engine.parameters = parameters
    engine.add_consequences(".luck", package=__name__)
    engine.add(".table", ".challenges", ".luck", ".attempts", package=__name__)
    engine.add(".stages", ".contests", ".showdown", ".characters", package=__name__)
