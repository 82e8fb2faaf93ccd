"""What a GAMERS character file must keep beyond the shapes and ranges that its pack declares."""

from __future__ import annotations

from sheetgen.errors import Problem
from sheetgen.model.character import Character
from sheetgen.model.system import System


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of a character: languages beyond what its levels pay for (`GAM-096`, `GAM-Q19`)."""
    spoken = character.numbers("languages")
    paid = character.numbers("skills").get(system.values.text("language.skill"), 0)
    if sum(spoken.values()) <= paid:
        return ()
    message = f"languages add up to {sum(spoken.values())}, but Languages is at {paid}"
    return (Problem(character.places.get("languages", character.place), message, "GAM-096"),)
