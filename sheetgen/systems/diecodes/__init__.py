"""Die Codes: pools of six-sided dice with a wild die, rounds of declared acts and reactions, luck, and plain growth."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.diecodes import creation
from sheetgen.systems.diecodes.figures import figures, judge, parameters


def register(engine: Engine) -> None:
    """Adds what Die Codes needs to an engine."""
    engine.steps.update(
        {
            "diecodes stats rolled": creation.stats_rolled,
            "diecodes stats shared": creation.stats_shared,
            "diecodes skills rolled": creation.skills_rolled,
            "diecodes skills bought": creation.skills_bought,
            "diecodes luck": creation.luck,
            "diecodes lines": creation.lines,
            "diecodes gear": creation.gear,
        }
    )
    engine.forms["diecodes stats shared"] = creation.stat_forms
    engine.forms["diecodes skills bought"] = creation.skill_forms
    engine.figures = figures
    engine.shown_by.update(skills=("figure.code.{name}",), fortune=("figure.luck.*",))
    engine.judge = judge
    engine.parameters = parameters
    engine.add_consequences(".harm", package=__name__)
    engine.add(".codes", ".rolls", ".rounds", ".segments", package=__name__)
    engine.add(".fight", ".exchange", ".harm", ".making", package=__name__)
    engine.rulings.update({"DIE-Q18": ("extra point", "no extra point"), "DIE-Q35": ("act stands", "act lost")})
    engine.rulings["DIE-H1"] = ("force rolled", "the GM says")
