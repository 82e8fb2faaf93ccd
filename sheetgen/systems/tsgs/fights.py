"""Whole fights (ledger, sections I to L): rounds until only one side is up, by a plain plan for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole, Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.abilities import NORMAL, Ability, Level
from sheetgen.systems.tsgs.attacks import FISTS, Attacker, Defender, Harm, Victim, harmed, landed
from sheetgen.systems.tsgs.combatants import Combatant, by_name
from sheetgen.systems.tsgs.initiative import Fighter, initiative
from sheetgen.systems.tsgs.rolls import POLICIES, Points
from sheetgen.systems.tsgs.rounds import Order, Plan, combat_round, round_after
from sheetgen.systems.tsgs.skills import Skill
from sheetgen.systems.tsgs.wounds import Condition, ToughnessOutcome, Weapon


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


@dataclass(frozen=True, slots=True)
class Exchanger:
    """One of two who strike at each other at the same moment."""

    attack: Ability
    attack_level: Level
    defend: Ability = "agility"
    defend_level: Level = NORMAL
    tough: Level = NORMAL
    wounds: Points = 0
    weapon: Weapon = FISTS
    attack_skill: Skill = "none"
    defend_skill: Skill = "none"
    ignores: Points = 0
    name: str = ""

    def attacker(self, name: str) -> Attacker:
        """This one striking."""
        return Attacker(self.attack, self.attack_level, self.attack_skill, self.weapon, self.wounds, name=name)

    def defender(self, name: str) -> Defender:
        """This one being struck at."""
        return Defender(
            self.defend, self.defend_level, self.defend_skill, self.tough, self.wounds, self.ignores, name=name
        )


@dataclass(frozen=True, slots=True)
class ExchangeSide:
    """What the other's attack did to one of the two."""

    hit_by_other: bool
    wound_points: int
    total_wounds: int
    toughness: ToughnessOutcome | None
    condition: Condition
    rounds: int | None


@dataclass(frozen=True, slots=True)
class ExchangeOutcome:
    """Both, after striking at each other at the same moment."""

    a: ExchangeSide
    b: ExchangeSide


@procedure("TSG-050", "TSG-052", "TSG-064", "TSG-067", say="two attacks on each other at the same moment")
def exchange(play: Play, *, a: Exchanger, b: Exchanger) -> ExchangeOutcome:
    """Both rolls from the state before, all wounds, then toughness (`TSG-050`, `TSG-Q39`); no bonus dice."""
    names = a.name or "Side a", b.name or "Side b"
    on_b = _blow(play, a, b, names)
    on_a = _blow(play, b, a, (names[1], names[0]))
    harm_a = harmed(play, Victim(names[0], a.tough, a.wounds), on_a[1], b.weapon.lethal, 0)
    harm_b = harmed(play, Victim(names[1], b.tough, b.wounds), on_b[1], a.weapon.lethal, 0)
    return ExchangeOutcome(_side(on_a, harm_a), _side(on_b, harm_b))


def _blow(play: Play, by: Exchanger, on: Exchanger, names: tuple[str, str]) -> tuple[bool, int]:
    return play.part(landed, by.attacker(names[0]), on.defender(names[1]), ())


def _side(blow: tuple[bool, int], harm: Harm) -> ExchangeSide:
    return ExchangeSide(*blow, harm.total_wounds, harm.toughness, harm.condition, harm.rounds)
