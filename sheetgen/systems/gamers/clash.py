"""A whole conflict between two sides: from threat to result, round after round, until one is out or gives in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers.armour import Worn
from sheetgen.systems.gamers.attack import attack
from sheetgen.systems.gamers.checks import Side
from sheetgen.systems.gamers.complements import Complement
from sheetgen.systems.gamers.conflict import initiative, round_actions
from sheetgen.systems.gamers.injury import Size, fatigue, state_of
from sheetgen.systems.gamers.terms import Kind, Level, Levels, Modifier, require_names, require_triad, words

Party = Literal["initiator", "other"]
Tactic = Literal["guarded", "all out", "helped", "aimed"]
ACTIONS: Mapping[Tactic, tuple[str, ...]] = {
    "guarded": ("attack", "defend"),
    "all out": ("attack", "attack"),
    "helped": ("complement", "attack"),
    "aimed": ("aim", "attack"),
}


@dataclass(frozen=True, slots=True)
class Fighter:
    """One side of a conflict: its skills, its triad, what it strikes with, and how it spends its two actions.

    `opening` is the skill for going first (in an ambush, Stealth), else `skill`; `defence` likewise. `attribute` names
    the one that confirms. `yields_at`: gives in when an attribute is at that level or under it.
    """

    skill: Level
    levels: Levels
    name: str = ""
    opening: Level | None = None
    defence: Level | None = None
    dm: tuple[Modifier, ...] = ()
    attribute: str | None = None
    weapon: Annotated[str, OneOf("injury.adds")] | None = None
    size: Size | None = None
    armour: Worn = None
    tactic: Tactic = "guarded"
    complements: tuple[Complement, ...] = ()
    awareness: Level = 0
    yields_at: Level = 0


@dataclass(frozen=True, slots=True)
class ConflictOutcome:
    """Who went first, how many rounds it took, who prevailed and why, and what it cost each side."""

    first: Party
    rounds: int
    winner: Party | None
    ending: Literal["out", "submits", "undecided"]
    initiator_levels: Named[str, int]
    initiator_state: str
    other_levels: Named[str, int]
    other_state: str


@dataclass(frozen=True, slots=True)
class Ending:
    """Who prevailed, and whether the other side is out or gave in."""

    winner: Party
    how: Literal["out", "submits"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One attack within a conflict."""

    kind: Kind
    attacker: Side
    defender: Side | None
    size: str | None
    injury_attributes: tuple[int, ...]
    armour: Worn
    levels: Named[str, int]


@procedure(
    *("GAM-150", "GAM-153", "GAM-154", "GAM-155", "GAM-156", "GAM-157", "GAM-161", "GAM-163", "GAM-169", "GAM-170"),
    *("GAM-171", "GAM-187", "GAM-189", "GAM-213", "GAM-218", "GAM-220", "GAM-Q58", "GAM-Q69", "GAM-Q72", "GAM-Q74"),
    say="a whole conflict between two sides",
)
def conflict(
    play: Play,
    *,
    kind: Kind,
    initiator: Fighter,
    other: Fighter,
    other_expects_attack: bool = True,
    rounds: Annotated[int, Whole(1, 100)] = 100,
) -> ConflictOutcome:
    """How a conflict goes: first place, rounds of two actions each in that order, and fatigue for both at the end.

    A guarded fighter keeps one action to defend against the first attack; the other tactics leave no defence.
    """
    sides: dict[Party, Fighter] = {"initiator": initiator, "other": other}
    levels = {who: _ready(play, kind, who, fighter) for who, fighter in sides.items()}
    opening = {who: Side(skill=_or(each.opening, each.skill), name=each.name) for who, each in sides.items()}
    first = initiative(
        play, initiator=opening["initiator"], other=opening["other"], other_expects_attack=other_expects_attack
    ).first
    play.settled(first=first)
    order: tuple[Party, ...] = ("initiator", "other") if first == "initiator" else ("other", "initiator")
    count, ending = 0, None
    while ending is None and count < rounds:
        play.again(count, "rounds of the conflict")
        count += 1
        play.tell(f"round {count}", "GAM-156")
        ending = _round(play, kind, sides, order, levels)
    after = {}
    for who, each in levels.items():
        play.tell(f"{_named(sides, who)}, after it all:", "GAM-Q58")
        after[who] = fatigue(play, kind=kind, levels=each)
    winner = ending.winner if ending is not None else None
    play.tell(
        f"after {count} rounds: {f'{_named(sides, winner)} prevails' if winner else 'nobody prevails'}", "GAM-Q74"
    )
    return ConflictOutcome(
        first=first,
        rounds=count,
        winner=winner,
        ending=ending.how if ending is not None else "undecided",
        initiator_levels=after["initiator"].levels,
        initiator_state=after["initiator"].state,
        other_levels=after["other"].levels,
        other_state=after["other"].state,
    )


def _named(sides: Mapping[Party, Fighter], who: Party) -> str:
    return sides[who].name or f"the {who}"


def _or(level: int | None, otherwise: int) -> int:
    return otherwise if level is None else level


def _ready(play: Play, kind: Kind, who: Party, fighter: Fighter) -> Named[str, int]:
    """The levels a side begins with; refuses one that is out already."""
    names = require_triad(play, kind, fighter.levels, f"{who}.levels")
    if fighter.attribute is not None:
        require_names(f"{who}.attribute", (fighter.attribute,), names, "GAM-137")
    if not all(fighter.levels.values()):
        raise Refused("levels", f"{who}.levels: is out of the fight already", "GAM-220")
    return Named({name: fighter.levels[name] for name in names})


def _round(
    play: Play,
    kind: Kind,
    sides: Mapping[Party, Fighter],
    order: tuple[Party, ...],
    levels: dict[Party, Named[str, int]],
) -> Ending | None:
    """One round: each side in its turn; `levels` holds what is left of both (`GAM-Q72`)."""
    defences = {who: ACTIONS[sides[who].tactic].count("defend") for who in order}
    for who, foe in (order, order[::-1]):
        actions = ACTIONS[sides[who].tactic]
        dms = round_actions(play, actions=actions).dm or ()
        for action, dm in zip(actions, dms, strict=True):
            if action != "attack":
                continue
            defends = defences[foe] > 0
            defences[foe] -= defends
            exchange = Exchange(
                kind,
                _striking(sides[who], levels[who], dm),
                _defending(sides[foe], levels[foe]) if defends else None,
                sides[who].size,
                _adding(play, kind, sides[who], levels[who]),
                sides[foe].armour,
                levels[foe],
            )
            levels[foe] = play.part(_struck, exchange)
            ending = _ended(play, kind, sides, foe, levels[foe])
            if ending is not None:
                return ending
    return None


def _struck(play: Play, exchange: Exchange) -> Named[str, int]:
    """The levels of the victim after one attack."""
    return attack(
        play,
        kind=exchange.kind,
        attacker=exchange.attacker,
        defender=exchange.defender,
        size=exchange.size,
        injury_attributes=exchange.injury_attributes,
        armour=exchange.armour,
        levels=exchange.levels,
    ).levels


def _striking(fighter: Fighter, levels: Mapping[str, int], dm: int) -> Side:
    aim = (fighter.awareness,) if fighter.tactic == "aimed" else ()
    return Side(
        skill=fighter.skill,
        dm=(*fighter.dm, *aim, dm),
        complements=fighter.complements if fighter.tactic == "helped" else (),
        attribute=levels[fighter.attribute] if fighter.attribute else None,
        name=fighter.name,
    )


def _defending(fighter: Fighter, levels: Mapping[str, int]) -> Side:
    attribute = levels[fighter.attribute] if fighter.attribute else None
    return Side(skill=_or(fighter.defence, fighter.skill), attribute=attribute, name=fighter.name)


def _adding(play: Play, kind: Kind, fighter: Fighter, levels: Mapping[str, int]) -> tuple[int, ...]:
    """The present levels of the attributes that add to injury (`GAM-213`, `GAM-Q69`)."""
    weapon = fighter.weapon or ("unarmed" if kind == "physical" else "mental")
    return tuple(levels[name] for name in words(play.values, f"injury.adds.{weapon}") if name in levels)


def _ended(
    play: Play, kind: Kind, sides: Mapping[Party, Fighter], foe: Party, levels: Mapping[str, int]
) -> Ending | None:
    """Whether the side that was struck is out, or gives in (`GAM-163`, `GAM-Q74`)."""
    winner: Party = "initiator" if foe == "other" else "other"
    state = state_of(play, kind, levels)
    if not all(levels.values()):
        play.tell(f"{_named(sides, foe)} is {state}", "GAM-220")
        return Ending(winner, "out")
    if min(levels.values()) <= sides[foe].yields_at:
        play.tell(f"{_named(sides, foe)} gives in", "GAM-163", "GAM-Q74")
        return Ending(winner, "submits")
    return None
