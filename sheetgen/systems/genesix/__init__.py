"""GeneSix: two dice against a target number, read for odd and even, and all that hangs on it."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.genesix.creation import chosen, line, power, rating_forms, rolled, within_load
from sheetgen.systems.genesix.figures import figures, judge, parameters


def register(engine: Engine) -> None:
    """Adds every procedure of GeneSix, and what makes its people; no point of its ledger can be ruled in two ways."""
    engine.steps.update(
        {
            "genesix power": power,
            "genesix dice": rolled,
            "genesix choice": chosen,
            "genesix line": line,
            "genesix load": within_load,
        }
    )
    engine.forms["genesix choice"] = rating_forms
    engine.figures = figures
    engine.shown_by.update(
        state=("figure.wounds.*", "figure.stress.*"), gear=("figure.item.*.name", "figure.item.more")
    )
    engine.judge = judge
    engine.parameters = parameters
    engine.add_consequences(".tracks", package=__name__)
    engine.add(".checks", ".contests", ".challenges", ".circumstances", ".tracks", package=__name__)
    engine.add(".gear", ".creation", ".encounters", ".combat", package=__name__)
