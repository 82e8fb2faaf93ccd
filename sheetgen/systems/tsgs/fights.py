"""Whole fights (ledger, sections I to L): rounds until only one side is up, by a plain plan for everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole, Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.combatants import Combatant, by_name
from sheetgen.systems.tsgs.initiative import initiative
from sheetgen.systems.tsgs.rolls import POLICIES
from sheetgen.systems.tsgs.rounds import Order, Plan, combat_round


@dataclass(frozen=True, slots=True)
class FightOutcome:
    """A fight: the side still up (or none), the rounds it took, and everybody's state at its end."""

    winner: str
    rounds: int
    fighters: tuple[Combatant, ...]


@procedure(
    "TSG-047",
    "TSG-050",
    "TSG-064",
    "TSG-068",
    "TSG-069",
    "TSG-070",
    "TSG-071",
    say="a fight until only one side is up",
    policies=POLICIES,
)
def fight(
    play: Play,
    *,
    fighters: tuple[Combatant, ...],
    tending: bool = False,
    most_rounds: Annotated[int, Whole(1, 1000)] | None = None,
) -> FightOutcome:
    """Each attacks the first enemy still up; with `tending`, a friend who is dying comes first (`TSG-047`)."""
    most = play.values.number("fight.most_rounds") if most_rounds is None else most_rounds
    state = {name: _sided(fighter) for name, fighter in by_name(play, fighters).items()}
    if len({fighter.side for fighter in state.values()}) < 2:
        raise Wrong("fighters", "takes fighters of two sides or more")
    order = _order_for_all(play, state) if play.ruling("TSG-Q17") == "once a fight" else None
    number = 0
    while len(_sides_up(state)) > 1 and number < most:
        play.again(number, "a fight")
        number += 1
        play.tell(f"Round {number}", "TSG-047")
        plans = tuple(_plan(fighter, state, tending) for fighter in state.values() if fighter.is_up)
        after = combat_round(play, fighters=tuple(state.values()), plans=plans, order=order)
        state = {fighter.name: fighter for fighter in after.fighters}
    up = _sides_up(state)
    winner = up[0] if len(up) == 1 else "none"
    rounds = f"{number} round{'' if number == 1 else 's'}"
    play.tell(f"After {rounds}: {winner} still up" if len(up) == 1 else f"After {rounds}: no winner", "TSG-068")
    return FightOutcome(winner, number, tuple(state.values()))


def _sided(fighter: Combatant) -> Combatant:
    if fighter.side == "none":
        raise Wrong(f"{fighter.name}.side", 'takes any word but "none", which is for a fight without a winner')
    return fighter.of_side(fighter.side or fighter.name)


def _sides_up(state: Mapping[str, Combatant]) -> list[str]:
    return list(dict.fromkeys(fighter.side for fighter in state.values() if fighter.is_up))


def _order_for_all(play: Play, state: Mapping[str, Combatant]) -> Order:
    """One initiative for the whole fight, for packs that rule it so (`TSG-Q17`)."""
    rollers = tuple(fighter.roller(play) for fighter in state.values() if fighter.condition != "dead")
    return initiative(play, fighters=rollers).order


def _plan(fighter: Combatant, state: Mapping[str, Combatant], tending: bool) -> Plan:
    """Tend a dying friend if asked for, else attack the first enemy who is up."""
    others = [other for other in state.values() if other.name != fighter.name]
    dying = [each.name for each in others if each.side == fighter.side and each.condition == "dying"]
    if tending and dying:
        return Plan(fighter.name, tend=dying[0])
    foes = [each.name for each in others if each.side != fighter.side and each.is_up]
    return Plan(fighter.name, attack=foes[0] if foes else "")
