"""Die Codes: pools of six-sided dice with a wild die, rounds of declared acts and reactions, luck, and plain growth."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.diecodes import (
    attack,
    clash,
    codes,
    declaring,
    difficulty,
    exchange,
    fight,
    growth,
    luck,
    making,
    rounds,
    wild,
)
from sheetgen.systems.diecodes.creation import (
    gear,
    lines,
    skill_forms,
    skills_bought,
    skills_rolled,
    stat_forms,
    stats_rolled,
    stats_shared,
)
from sheetgen.systems.diecodes.creation import luck as luck_held
from sheetgen.systems.diecodes.figures import figures
from sheetgen.systems.diecodes.legality import judge
from sheetgen.systems.diecodes.parameters import parameters

STEPS = {
    "diecodes stats rolled": stats_rolled,
    "diecodes stats shared": stats_shared,
    "diecodes skills rolled": skills_rolled,
    "diecodes skills bought": skills_bought,
    "diecodes luck": luck_held,
    "diecodes lines": lines,
    "diecodes gear": gear,
}


def register(engine: Engine) -> None:
    """Adds what Die Codes needs to an engine."""
    engine.steps.update(STEPS)
    engine.forms["diecodes stats shared"] = stat_forms
    engine.forms["diecodes skills bought"] = skill_forms
    engine.figures = figures
    engine.shown_by.update(skills=("figure.code.{name}",), fortune=("figure.luck.*",))
    engine.judge = judge
    engine.parameters = parameters
    engine.add(codes, wild, difficulty, luck, rounds, attack, declaring, clash, fight, exchange, making, growth)
    engine.rulings.update(
        {
            "DIE-Q18": ("extra point", "no extra point"),
            "DIE-Q35": ("act stands", "act lost"),
        }
    )
