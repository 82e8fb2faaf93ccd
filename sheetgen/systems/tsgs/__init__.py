"""The Simple Game System: every roll and subsystem of the game, in modules named after the ledger's sections."""

from __future__ import annotations

from sheetgen.rules.registry import Engine
from sheetgen.systems.tsgs import creation
from sheetgen.systems.tsgs.characters import parameters
from sheetgen.systems.tsgs.figures import figures, judge


def register(engine: Engine) -> None:
    """Adds the procedures of TSGS to an engine, and the open points that a pack may rule otherwise."""
    engine.steps.update(
        {
            "tsgs monster": creation.monster_laid,
            "tsgs picks": creation.picks_drawn,
            "tsgs chosen picks": creation.picks_chosen,
            "tsgs skills": creation.skills,
            "tsgs fields": creation.fields,
            "tsgs experience": creation.experience,
            "tsgs occupation": creation.people_only(creation.calling, "occupation"),
            "tsgs kit": creation.people_only(creation.kit, "gear"),
        }
    )
    engine.forms["tsgs picks"] = engine.forms["tsgs chosen picks"] = creation.ability_forms
    engine.forms["tsgs skills"] = creation.skill_forms
    engine.figures = figures
    engine.shown_by.update(
        {
            "kind": ("figure.rung.*", "figure.beyond.*"),
            "setting": ("figure.free.universal",),
            "abilities": ("figure.rung.{role}.*", "figure.beyond.{role}"),
            **dict.fromkeys(("skills", "about", "own"), ("figure.skill.*.name",)),
            "tally": ("figure.wound.*", "figure.xp.*", "figure.more.else"),
            "special": ("figure.more.else",),
        }
    )
    engine.judge = judge
    engine.parameters = parameters
    engine.add_consequences(".characters", package=__name__)
    engine.add(".traits", ".dice_pool", ".rolls", ".combatants", package=__name__)
    engine.add(".attacks", ".wounds", ".fights", ".hazards", ".creation", package=__name__)
    engine.rulings.update({"TSG-Q17": ("each round", "once a fight"), "TSG-Q27": ("lowest row", "one below")})
