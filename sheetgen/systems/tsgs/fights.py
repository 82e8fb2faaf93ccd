"""Whole fights (ledger, sections I to L): rounds until only one side is up, by a plain plan for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole, Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.combatants import Combatant, by_name
from sheetgen.systems.tsgs.initiative import Fighter, initiative
from sheetgen.systems.tsgs.rolls import POLICIES
from sheetgen.systems.tsgs.rounds import Order, Plan, combat_round, round_after


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
    asks = Asks(play.needs("fighters"), len({fighter.side for fighter in state.values()}) == len(state))
    end, number = play.rounds(
        _round,
        tuple(state.values()),
        *(order, tending, asks),
        goes_on=lambda standing: len(_sides_up(standing)) > 1,
        what="a fight",
        most=most,
        counted=play.needs("rounds"),
        begins=lambda count: play.tell(f"Round {count}", "TSG-047"),
    )
    up = _sides_up(end)
    winner = up[0] if len(up) == 1 else "none"
    rounds = f"{number} round{'' if number == 1 else 's'}"
    play.tell(f"After {rounds}: {winner} still up" if len(up) == 1 else f"After {rounds}: no winner", "TSG-068")
    return FightOutcome(winner, number, end)


@dataclass(frozen=True, slots=True)
class Asks:
    """What odds of a fight have to follow: everybody's state at the end, and whether each side is one fighter alone."""

    states: bool
    alone: bool


def _round(
    play: Play, fighters: tuple[Combatant, ...], order: Order | None, tending: bool, asks: Asks
) -> tuple[Combatant, ...]:
    """The fighters after one more round."""
    state = {fighter.name: fighter for fighter in fighters}
    plans = tuple(_plan(fighter, state, tending) for fighter in fighters if fighter.is_up)
    if not play.explores:
        return combat_round(play, fighters=fighters, plans=plans, order=order).fighters
    rollers = tuple(fighter.roller(play) for fighter in fighters if fighter.is_up)
    after = round_after(play, fighters, plans, order or play.part(_order, rollers), asks.alone and not asks.states)
    if asks.states or len(_sides_up(after)) > 1:
        return after
    return tuple(replace(each, wounds=0, rounds=None, condition="fine" if each.is_up else "dead") for each in after)


def _order(play: Play, rollers: tuple[Fighter, ...]) -> Order:
    """Who acts when in a round, and nothing else of initiative."""
    return initiative(play, fighters=rollers).order


def _sided(fighter: Combatant) -> Combatant:
    if fighter.side == "none":
        raise Wrong(f"{fighter.name}.side", 'takes any word but "none", which is for a fight without a winner')
    return fighter.of_side(fighter.side or fighter.name)


def _sides_up(fighters: Iterable[Combatant]) -> list[str]:
    return list(dict.fromkeys(fighter.side for fighter in fighters if fighter.is_up))


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
