"""The two steps of GAMERS that are more than dice and points: the random skill table, and languages."""

from __future__ import annotations

from sheetgen.dice.source import Dice
from sheetgen.model.system import Table
from sheetgen.rules.draft import Draft, Making, StepFunction
from sheetgen.rules.steps import barred_traits, needs

LARGE_TONGUES = 8
HIGHEST = 15


def table_skill(table: Table, faces: tuple[int, ...]) -> str:
    """What two faces read on the random skill table, tens first (`GAM-074`, `GAM-Q16`)."""
    return table.row(10 * faces[0] + faces[1])["is"]


def skills(making: Making) -> StepFunction:
    """A step that rolls 2d6 and then that many times on the skill table, +1 for each appearance (`GAM-073`).

    A player choice deepens a skill already there, or becomes a *Roll twice* while there is none (`GAM-075`); a GM
    choice is any skill of the setting (`GAM-076`); *Roll twice* is used up and adds two rolls (`GAM-077`, `GAM-Q17`).
    """
    making.only("dice", "table", "without", "barred", "needs")
    table, count, able = making.table(), making.dice(), needs(making)
    words = {name: making.system.values.text(f"choices.{name}") for name in ("player", "gm", "twice")}
    barred = frozenset(barred_traits(making))
    open_to_gm = [trait.role for trait in making.system.group("skills").members if trait.role not in barred]

    def step(draft: Draft, dice: Dice) -> None:
        if not able(draft):
            return
        left = dice.total(count.count, count.sides, "number of skill rolls")
        levels: dict[str, int] = {}
        while left:
            left -= 1
            entry = table_skill(table, dice.roll(2, 6, "skill table"))
            if entry == words["player"]:
                entry = _players_choice(levels, dice) or words["twice"]
            elif entry == words["gm"]:
                entry = open_to_gm[dice.choose(len(open_to_gm), "GM choice")]
            if entry == words["twice"]:
                left += 2
                draft.tell("roll twice")
                continue
            levels[entry] = min(levels.get(entry, 0) + 1, HIGHEST)
            draft.tell(f"{entry} {levels[entry]}")
        draft.groups["skills"] = levels
        draft.levels.update(levels)

    return step


def _players_choice(levels: dict[str, int], dice: Dice) -> str:
    held = list(levels)
    return held[dice.choose(len(held), "player choice")] if held else ""


def native_level(table: Table, mind: int) -> int:
    """The free level of the native language, from the full level of Mind (`GAM-095`, `GAM-Q18`)."""
    return int(table.row(mind)["level"])


def languages(making: Making) -> StepFunction:
    """A step that names the native language and spreads levels of Languages over tongues (`GAM-094` to `GAM-096`)."""
    making.only()
    cast, values = making.system.cast, making.system.values
    skill = values.text("language.skill")
    if not cast.languages:
        raise making.wrong("the pack has no languages")
    large = cast.languages[:LARGE_TONGUES]

    def step(draft: Draft, dice: Dice) -> None:
        native = large[dice.choose(len(large), "native language")]
        draft.values["native"] = native
        spoken: dict[str, int] = {}
        for _ in range(draft.levels.get(skill, 0)):
            known = list(spoken)
            if known and dice.choose(2, "deeper or wider"):
                tongue = known[dice.choose(len(known), "language")]
            else:
                others = [name for name in cast.languages if name != native and name not in spoken]
                tongue = others[dice.choose(len(others), "language")]
            spoken[tongue] = spoken.get(tongue, 0) + 1
        if spoken:
            draft.values["languages"] = spoken
        draft.tell(f"native language: {native}" + "".join(f"; {name} {level}" for name, level in spoken.items()))

    return step
