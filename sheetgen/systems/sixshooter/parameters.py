"""What a character fills in for the parameters of a procedure: the words that `uses:` of the pack calls `told.…`."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.model.character import Character
from sheetgen.model.system import System

LUCK, STRIKES = "luck", "strikes"


def lucky_numbers(system: System, character: Character) -> tuple[int, ...]:
    """The Lucky Numbers that an Operator holds, in the order of the pack (`SIX-010`, `SIX-067`)."""
    held = character.numbers(LUCK)
    return tuple(held[trait.name] for trait in system.group(LUCK).members if held.get(trait.name))


def strikes(system: System, character: Character) -> int:
    """How many Strikes an Operator has; none unless the file says so (`SIX-070`)."""
    start = system.values.number("strikes.start")
    return character.numbers(STRIKES).get(system.group(STRIKES).members[0].name, start)


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """Everything of an Operator that may be filled in; what is used makes no difference in this game."""
    hand = character.lines("hand")
    return {
        "descriptor": character.text("descriptor") or None,
        "archetype": character.text("occupation") or None,
        "lucky": list(lucky_numbers(system, character)),
        "strikes": strikes(system, character),
        "hand": list(hand) if hand else None,
    }
