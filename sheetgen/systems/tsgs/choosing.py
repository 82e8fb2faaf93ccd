"""Abilities and skills picked by hand: what each level takes of the picks there are (`TSG-007` to `TSG-020`)."""

from __future__ import annotations

from sheetgen.model.system import Span
from sheetgen.rules.creation.choices import ChoiceForm, PointBuy
from sheetgen.rules.creation.draft import Draft, Making
from sheetgen.systems.tsgs.skills import price, universal_in

NPC = "npc"


def abilities(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The picks of a player's character: a disability gives one back, a second pick of an ability makes it Very."""
    system, values = making.system, making.system.values
    if draft.values.get("kind") == NPC:
        return ()
    group, scale = system.group("abilities"), system.group("abilities").scale
    low, high = (scale.read(values.text(path)) or 0 for path in ("rungs.disability", "creation.highest.pc"))

    def picks(name: str, level: int) -> int:
        word = scale.plain(level)
        if word == values.text("rungs.disability"):
            return -values.number("creation.picks_a_disability")
        return values.number(f"levels.{word}.picks")

    start = {trait.name: Span(low, high) for trait in group.members}
    return (PointBuy(group, values.number("creation.picks"), picks, start, unit="picks"),)


def skills(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The picks that the die gave, spent on skills of the setting; what everybody can do is cheaper (`TSG-020`)."""
    system, values, setting = making.system, making.system.values, str(draft.values.get("setting", ""))
    if draft.values.get("kind") == NPC or not setting:
        return ()
    group, free = system.group("skills"), universal_in(values, setting)
    absent = {str(name) for name in values.at(f"settings.{setting}.absent")}
    roles = {trait.name: trait.role for trait in group.members if trait.role not in absent}
    highest = 1 + values.number("skills.highest_at_start")  # level 1 is the plain name

    def picks(name: str, level: int) -> int:
        return price(values, level - 1, universal=roles.get(name, name) in free) if level else 0

    start = {name: Span(0, highest) for name in roles}
    return (PointBuy(group, draft.levels.get("skill_picks", 0), picks, start, unit="picks"),)
