"""Fights (ledger, sections I to L): a round, a whole fight by a plain plan, and two who strike at the same moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from sheetgen.rules.procedures.parameters import Whole, Wrong
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.attacks import FISTS, Attacker, Defender, blow, harmed
from sheetgen.systems.tsgs.combatants import Combatant, Fighter, Order, by_name, initiative, moves_legal
from sheetgen.systems.tsgs.dice_pool import (
    NORMAL,
    POLICIES,
    Ability,
    AttackMove,
    Condition,
    Count,
    HoldMove,
    Level,
    Skill,
)
from sheetgen.systems.tsgs.rolls import Roller
from sheetgen.systems.tsgs.traits import paces_of
from sheetgen.systems.tsgs.wounds import Hurt, ToughnessOutcome, Weapon, stands_up, tended

# What odds keep of a fight: all, or of a decided fight just who is up; "up" forgets how long somebody lies as well,
# for fights in which each side is one fighter, so that nobody wakes before the end.
Detail = Literal["all", "lying", "up"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a fighter does this round: attack or tend somebody, at once or held until another has acted; and move."""

    name: str
    attack: str = ""
    tend: str = ""
    hold_for: str = ""
    moves: tuple[AttackMove | HoldMove, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """What somebody did in a round, and what came of it."""

    name: str
    does: Literal["attack", "tend"]
    to: str
    success: bool
    wound_points: int


@procedure(
    "TSG-047 TSG-048 TSG-050 TSG-051 TSG-052 TSG-053 TSG-057 TSG-064 TSG-067 TSG-069 TSG-070 TSG-071 TSG-072 TSG-074",
    say="one round of a fight, from initiative to who is still up",
    policies=POLICIES,
    results="order deeds fighters",
)
def combat_round(
    play: Play, *, fighters: tuple[Combatant, ...], plans: tuple[Plan, ...] = (), order: Order | None = None
) -> tuple[Order, tuple[Action, ...], tuple[Combatant, ...]]:
    """All actions by initiative (or in `order`), then those who lie one round nearer to waking or death (`TSG-047`)."""
    before = by_name(play, fighters)
    by_fighter = _checked(play, plans, before)
    if order is None:
        order = _order(play, _rollers(play, before.values()))
    for name in (name for group in order for name in group):
        _check_fighter(name, before, "order")
    play.settled(order=order)
    turns = _Turns(play, before, by_fighter)
    for group in order:
        turns.take(group)
    turns.end()
    after = _aged(play, tuple(before.values()), tuple(turns.state.values()))
    return order, tuple(turns.actions), after


def _rollers(play: Play, fighters: Iterable[Combatant]) -> tuple[Fighter, ...]:
    return tuple(fighter.roller(play) for fighter in fighters if fighter.is_up)


def _order(play: Play, rollers: tuple[Fighter, ...]) -> Order:
    """Who acts when in a round, and nothing else of initiative."""
    return initiative(play, fighters=rollers)[2]


def _aged(play: Play, before: tuple[Combatant, ...], after: tuple[Combatant, ...]) -> tuple[Combatant, ...]:
    """The round counts for those who lay before it: a count starts with the round after the fall (`TSG-Q23`)."""
    return tuple(
        now.aged(play) if (now.condition, now.rounds) == (was.condition, was.rounds) else now
        for was, now in zip(before, after, strict=True)
    )


def _check_fighter(name: str, state: Mapping[str, Combatant], path: str) -> None:
    if name not in state:
        raise Wrong(path, f"takes names of fighters: {', '.join(state)}", name)


def _checked(play: Play, plans: tuple[Plan, ...], state: Mapping[str, Combatant]) -> dict[str, Plan]:
    """The plan of each who has one; Refused when somebody wants more than a round allows (`TSG-047`, `TSG-Q24`)."""
    by_fighter: dict[str, Plan] = {}
    for number, plan in enumerate(plans, 1):
        for key in ("name", "attack", "tend", "hold_for"):
            if getattr(plan, key) or key == "name":
                _check_fighter(getattr(plan, key), state, f"plans[{number}].{key}")
        if plan.name in by_fighter or (plan.attack and plan.tend):
            raise Refused("two_actions", f"{plan.name} has one action in a round", "TSG-047")
        if plan.name in (plan.attack, plan.tend, plan.hold_for):
            raise Refused("own_target", f"{plan.name} cannot be the one meant", "TSG-047")
        if not moves_legal(play, plan.moves):
            raise Refused("split_move", f"{plan.name} cannot move at two points of one round", "TSG-053")
        by_fighter[plan.name] = plan
    return by_fighter


@dataclass(frozen=True, slots=True)
class _Blow:
    """A simultaneous attack as it landed, before anybody feels it."""

    victim: str
    points: int
    lethal: bool


class _Turns:
    """A round as it is played: the fighters as they stand, who waits for whom, and what has been done."""

    def __init__(
        self, play: Play, state: Mapping[str, Combatant], plans: Mapping[str, Plan], *, brief: bool = False
    ) -> None:
        self.play, self.state, self.plans, self.brief = play, dict(state), plans, brief
        self.waiting: dict[str, str] = {}
        self.gone: set[str] = set()
        self.actions: list[Action] = []

    def take(self, group: Sequence[str]) -> None:
        """The turn of those who act together (`TSG-050`)."""
        for name in group:
            if self._holds(name):
                self.waiting[name] = self.plans[name].hold_for
                self.play.tell(f"{name} waits for {self.waiting[name]}", "TSG-051")
        self._together([name for name in group if name not in self.waiting])

    def end(self) -> None:
        """An action still held is lost (`TSG-Q38`)."""
        for name in self.waiting:
            self.play.tell(f"{name} held on too long: the action is lost", "TSG-Q38")

    def _holds(self, name: str) -> bool:
        plan = self.plans.get(name)
        return plan is not None and bool(plan.hold_for) and plan.hold_for not in self.gone and self.state[name].is_up

    def _together(self, names: list[str]) -> None:
        """These act at once, with all who wait for one of them and are attacked; the others who wait act after."""
        for name in names:
            attacked = self.plans[name].attack if name in self.plans and self.state[name].is_up else ""
            if self.waiting.get(attacked) == name:
                self.play.tell(f"{name} attacks {attacked}, who was waiting: both act at once", "TSG-052")
                del self.waiting[attacked]
                names.append(attacked)
        self.gone.update(names)
        self._act([self.plans[name] for name in names if name in self.plans and self.state[name].is_up])
        released = [name for name, awaited in self.waiting.items() if awaited in names]
        for name in released:
            del self.waiting[name]
        if released:
            self._together(released)

    def _act(self, plans: Sequence[Plan]) -> None:
        """Actions of one moment: all rolls from the state before, then wounds, then toughness (`TSG-Q39`)."""
        before, blows, helped = dict(self.state), list[_Blow](), set[str]()
        for plan in plans:
            if plan.moves:
                mover = self.state[plan.name]
                paces_of(self.play, mover.levels[self.play.values.text("movement.pair")], mover.wounds, plan.name)
            if plan.attack and before[plan.attack].condition != "dead":
                blows.append(self._struck(plan, before))
            if plan.tend and plan.tend not in helped and before[plan.tend].condition == "dying" and self._tends(plan):
                helped.add(plan.tend)
        for each in blows:
            self.state[each.victim] = self.state[each.victim].wounded(each.points)
        for victim in self.state:
            for each in blows:
                if each.victim == victim and each.points:
                    self.state[victim] = self._stood(self.state[victim], each.lethal)

    def _struck(self, plan: Plan, before: Mapping[str, Combatant]) -> _Blow:
        attacker, defender = before[plan.name].attacker(self.play), before[plan.attack].defender(self.play)
        hit, points = self.play.part(blow, attacker, defender, None)
        self.actions.append(Action(plan.name, "attack", plan.attack, hit, points))
        return _Blow(plan.attack, points, attacker.weapon.lethal)

    def _tends(self, plan: Plan) -> bool:
        helper, victim = self.state[plan.name], self.state[plan.tend]
        roller = Roller(level=helper.levels[self.play.values.text("tending.clever")], skill=helper.medical)
        *_, saved, _, rounds = self.play.part(tended, roller, victim.wounds, None, f"{plan.name} tends {plan.tend}")
        if saved:
            self.state[plan.tend] = replace(victim, condition="unconscious", rounds=rounds)
        self.actions.append(Action(plan.name, "tend", plan.tend, saved, 0))
        return saved

    def _stood(self, victim: Combatant, lethal: bool) -> Combatant:
        roller = Roller(level=victim.levels[self.play.values.text("wounds.toughness")])
        hurt = Hurt(victim.wounds, lethal)
        falls = self.play.part(_falls, roller, hurt, f"Toughness of {victim.name}", self.brief)
        return victim if falls is None else victim.fallen(*falls)


def _falls(play: Play, roller: Roller, hurt: Hurt, who: str, brief: bool) -> tuple[Condition, int] | None:
    """The state and the rounds in which a toughness roll leaves somebody who fails it; one round if `brief`."""
    roll = stands_up(play, roller, hurt, None, who)
    return None if roll.rounds is None else (roll.condition, 1 if brief else roll.rounds)


@procedure(
    "TSG-047 TSG-050 TSG-064 TSG-068 TSG-069 TSG-070 TSG-071",
    say="a fight until only one side is up",
    policies=POLICIES,
    results="winner rounds fighters down",
)
def fight(
    play: Play,
    *,
    fighters: tuple[Combatant, ...],
    tending: bool = False,
    most_rounds: Annotated[int, Whole(1, 1000)] | None = None,
) -> tuple[str, int, tuple[Combatant, ...], tuple[str, ...]]:
    """Each attacks the first enemy still up; with `tending`, a friend who is dying comes first (`TSG-047`).

    The winner is the side that is still up, or none.
    """
    most = play.values.number("fight.most_rounds") if most_rounds is None else most_rounds
    start = tuple(_sided(fighter) for fighter in by_name(play, fighters).values())
    sides = {fighter.side for fighter in start}
    if len(sides) < 2:
        raise Wrong("fighters", "takes fighters of two sides or more")
    order: Order | None = None
    if play.ruling("TSG-Q17") == "once a fight":
        order = _order(play, tuple(fighter.roller(play) for fighter in start if fighter.condition != "dead"))
    detail: Detail = "all" if play.needs("fighters") else "up" if len(sides) == len(start) else "lying"
    end, number = play.rounds(
        *(_round, start, order, tending, detail),
        goes_on=lambda standing: len(_sides_up(standing)) > 1,
        what="a fight",
        most=most,
        counted=play.needs("rounds"),
        begins=lambda count: play.tell(f"Round {count}", "TSG-047"),
    )
    up = _sides_up(end)
    winner = up[0] if len(up) == 1 else "none"
    ends = f"{winner} still up" if len(up) == 1 else "no winner"
    play.tell(f"After {number} round{'' if number == 1 else 's'}: {ends}", "TSG-068")
    return winner, number, end, tuple(each.name for each in end if not each.is_up)


def _sided(fighter: Combatant) -> Combatant:
    if fighter.side == "none":
        raise Wrong(f"{fighter.name}.side", 'takes any word but "none", which is for a fight without a winner')
    return replace(fighter, side=fighter.side or fighter.name)


def _sides_up(fighters: Iterable[Combatant]) -> list[str]:
    return list(dict.fromkeys(fighter.side for fighter in fighters if fighter.is_up))


@dataclass(frozen=True, slots=True)
class Moment:
    """A round between two groups that act: the fighters as they stand, and how many groups have acted."""

    fighters: tuple[Combatant, ...]
    acted: int = 0


def _round(
    play: Play, fighters: tuple[Combatant, ...], order: Order | None, tending: bool, detail: Detail
) -> tuple[Combatant, ...]:
    """The fighters after one more round, in as much detail as is asked for."""
    standing = {fighter.name: fighter for fighter in fighters}
    plans = {fighter.name: _plan(fighter, standing, tending) for fighter in fighters if fighter.is_up}
    groups = order or play.part(_order, _rollers(play, fighters))
    end, _ = play.rounds(
        *(_act_together, Moment(fighters), tuple(plans.values()), groups, detail == "up"),
        goes_on=lambda moment: moment.acted < len(groups),
        what="actions of a round",
        most=len(groups),
        counted=False,
    )
    after = _aged(play, fighters, end.fighters)
    if detail == "all" or len(_sides_up(after)) > 1:
        return after
    return tuple(replace(each, wounds=0, rounds=None, condition="fine" if each.is_up else "dead") for each in after)


def _act_together(play: Play, moment: Moment, plans: tuple[Plan, ...], order: Order, brief: bool) -> Moment:
    """The fighters after one group has acted."""
    standing = {fighter.name: fighter for fighter in moment.fighters}
    turns = _Turns(play, standing, {plan.name: plan for plan in plans}, brief=brief)
    turns.take(order[moment.acted])
    return Moment(tuple(turns.state.values()), moment.acted + 1)


def _plan(fighter: Combatant, standing: Mapping[str, Combatant], tending: bool) -> Plan:
    """Tend a dying friend if asked for, else attack the first enemy who is up."""
    others = [other for other in standing.values() if other.name != fighter.name]
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
    wounds: Count = 0
    weapon: Weapon = FISTS
    attack_skill: Skill = "none"
    defend_skill: Skill = "none"
    ignores: Count = 0
    name: str = ""

    def attacker(self) -> Attacker:
        """This one striking."""
        return Attacker(self.attack, self.attack_level, self.attack_skill, self.weapon, self.wounds, name=self.name)

    def defender(self) -> Defender:
        """This one being struck at."""
        defence = self.defend, self.defend_level, self.defend_skill
        return Defender(*defence, self.tough, self.wounds, self.ignores, name=self.name)


@dataclass(frozen=True, slots=True)
class ExchangeSide:
    """What the other's attack did to one of the two."""

    hit_by_other: bool
    wound_points: int
    total_wounds: int
    toughness: ToughnessOutcome | None
    condition: Condition
    rounds: int | None


@procedure("TSG-050 TSG-052 TSG-064 TSG-067", say="two attacks on each other at the same moment", results="a b")
def exchange(play: Play, *, a: Exchanger, b: Exchanger) -> tuple[ExchangeSide, ExchangeSide]:
    """Both rolls from the state before, all wounds, then toughness (`TSG-050`, `TSG-Q39`); no bonus dice."""
    a, b = replace(a, name=a.name or "Side a"), replace(b, name=b.name or "Side b")
    on_b = play.part(blow, a.attacker(), b.defender(), ())
    on_a = play.part(blow, b.attacker(), a.defender(), ())
    harm_a = harmed(play, a.defender(), on_a[1], b.weapon.lethal, 0)
    harm_b = harmed(play, b.defender(), on_b[1], a.weapon.lethal, 0)
    return ExchangeSide(on_a[0], on_a[1], *harm_a), ExchangeSide(on_b[0], on_b[1], *harm_b)
