"""Complementary traits (section 8): help brought in before a roll, until one try fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.systems.gamers.skills import effective
from sheetgen.systems.gamers.terms import Level, two_dice


@dataclass(frozen=True, slots=True)
class Complement:
    """A trait brought in to help: an attribute, a feature (for People, the person's share), or a skill.

    `trait` and `name` say which it is and whose, so that the same one cannot help twice.
    """

    attribute: Level | None = None
    feature: Level | None = None
    skill: Level | None = None
    specialty_applies: bool = False
    trait: str = ""
    name: str = ""

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels given; there must be exactly one."""
        return tuple(level for level in (self.attribute, self.feature, self.skill) if level is not None)


def complementary(play: Play, complements: Sequence[Complement]) -> tuple[bool, ...]:
    """Pass or fail of each complementary roll made; the first failure ends them (`GAM-143`)."""
    _require_sound(complements)
    passed: list[bool] = []
    rung = play.values.number("help.rung")
    for each in complements:
        passed.append(play.part(_helps, each, rung))
        if not passed[-1]:
            break
        if each.skill is not None:
            rung += play.values.number("help.step")
    return tuple(passed)


def _require_sound(complements: Sequence[Complement]) -> None:
    seen = set()
    for number, each in enumerate(complements, 1):
        if len(each.levels) != 1:
            message = f"complements[{number}]: takes one of attribute, feature and skill"
            raise Refused("complement", message, "GAM-140")
        who = (each.name, each.trait)
        if each.trait and who in seen:
            raise Refused("complement", f"complements[{number}]: {each.trait} helps once only", "GAM-Q32")
        seen.add(who)


def _helps(play: Play, complement: Complement, rung: int) -> bool:
    """Whether one trait helps: attributes and features at or under their level, skills by the rung of the ladder."""
    values = play.values
    level = effective(play, complement.levels[0], complement.specialty_applies)
    rolled, faces = two_dice(play, "complement")
    gain = f"DM{values.number('quickie.helped'):+d}"
    if complement.skill is not None:
        helps = rolled + level >= rung
        text = f"{faces}, + {complement.trait or 'skill'} {level} = {rolled + level}, against {rung}"
        rules: tuple[str, ...] = ("GAM-142",)
    else:
        helps = rolled <= level
        kind = "attribute" if complement.feature is None else "feature"
        text = f"{faces}, {'at or under' if helps else 'above'} {complement.trait or kind} {level}"
        rules = ("GAM-141",) if complement.feature is None else ("GAM-141", "GAM-Q10")
    play.tell(f"complement: {text}: {f'it helps, {gain}' if helps else 'no help, and no more tries'}", *rules)
    return helps
