"""Whole combat rounds (ledger, sections I to L): actions in order, held and simultaneous ones, and who lies then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.attacks import landed
from sheetgen.systems.tsgs.combatants import Combatant, by_name
from sheetgen.systems.tsgs.healing import tended
from sheetgen.systems.tsgs.initiative import AttackMove, HoldMove, initiative, refuse_split_moves
from sheetgen.systems.tsgs.movement import paces_of
from sheetgen.systems.tsgs.rolls import POLICIES, Makings
from sheetgen.systems.tsgs.wounds import Injury, ToughnessOutcome, stands_up_to

Order = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a fighter does this round: attack or tend somebody, at once or held until another has acted; and move."""

    name: str
    attack: str = ""
    tend: str = ""
    hold_for: str = ""
    moves: tuple[AttackMove | HoldMove, ...] = ()


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody did in a round, and what came of it."""

    name: str
    does: Literal["attack", "tend"]
    to: str
    success: bool
    wound_points: int


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """A round as it went, and the fighters as they enter the next one."""

    order: Order
    deeds: tuple[Deed, ...]
    fighters: tuple[Combatant, ...]


@procedure(
    "TSG-047",
    "TSG-048",
    "TSG-050",
    "TSG-051",
    "TSG-052",
    "TSG-053",
    "TSG-057",
    "TSG-064",
    "TSG-067",
    "TSG-069",
    "TSG-070",
    "TSG-071",
    "TSG-072",
    "TSG-074",
    say="one round of a fight, from initiative to who is still up",
    policies=POLICIES,
)
def combat_round(
    play: Play, *, fighters: tuple[Combatant, ...], plans: tuple[Plan, ...] = (), order: Order | None = None
) -> RoundOutcome:
    """All actions by initiative (or in `order`), then those who lie one round nearer to waking or death (`TSG-047`)."""
    state = by_name(play, fighters)
    doing = _checked(play, plans, state)
    if order is None:
        up = tuple(fighter.roller(play) for fighter in state.values() if fighter.is_up)
        order = initiative(play, fighters=up).order
    for name in (name for group in order for name in group):
        _known(name, state, "order")
    play.settled(order=order)
    turns = _Turns(play, state, doing)
    turns.take(order)
    after = tuple(
        fighter.aged(play) if _lay_already(fighter, was) else fighter
        for fighter, was in zip(turns.state.values(), state.values(), strict=True)
    )
    return RoundOutcome(order, tuple(turns.deeds), after)


def _lay_already(fighter: Combatant, was: Combatant) -> bool:
    """Whether this round counts for one who lies: the count starts with the round after the fall (`TSG-Q23`)."""
    return (fighter.condition, fighter.rounds) == (was.condition, was.rounds)


def _known(name: str, state: Mapping[str, Combatant], path: str) -> None:
    if name not in state:
        raise Wrong(path, f"takes names of fighters: {', '.join(state)}", name)


def _checked(play: Play, plans: tuple[Plan, ...], state: Mapping[str, Combatant]) -> dict[str, Plan]:
    """The plan of each who has one; Refused when somebody wants more than a round allows (`TSG-047`, `TSG-Q24`)."""
    doing: dict[str, Plan] = {}
    for number, plan in enumerate(plans, 1):
        for key, name in (
            ("name", plan.name),
            ("attack", plan.attack),
            ("tend", plan.tend),
            ("hold_for", plan.hold_for),
        ):
            if name or key == "name":
                _known(name, state, f"plans[{number}].{key}")
        if plan.name in doing or (plan.attack and plan.tend):
            raise Refused("two_actions", f"{plan.name} has one action in a round", "TSG-047")
        if plan.name in (plan.attack, plan.tend, plan.hold_for):
            raise Refused("own_target", f"{plan.name} cannot be the one meant", "TSG-047")
        refuse_split_moves(play, plan.name, plan.moves)
        doing[plan.name] = plan
    return doing


class _Turns:
    """A round as it is played: the fighters as they stand, who waits for whom, and what has been done."""

    def __init__(
        self, play: Play, state: Mapping[str, Combatant], doing: Mapping[str, Plan], *, brief: bool = False
    ) -> None:
        self.play, self.state, self.doing, self.brief = play, dict(state), doing, brief
        self.waiting: dict[str, str] = {}
        self.gone: set[str] = set()
        self.deeds: list[Deed] = []

    def take(self, order: Order) -> None:
        """Everybody's turn, group by group; an action still held at the end is lost (`TSG-050`, `TSG-Q38`)."""
        for group in order:
            holders = [name for name in group if self._holds(name)]
            for name in holders:
                self.waiting[name] = self.doing[name].hold_for
                self.play.tell(f"{name} waits for {self.waiting[name]}", "TSG-051")
            self._together([name for name in group if name not in self.waiting])
        for name in self.waiting:
            self.play.tell(f"{name} held on too long: the action is lost", "TSG-Q38")

    def _holds(self, name: str) -> bool:
        plan = self.doing.get(name)
        return plan is not None and bool(plan.hold_for) and plan.hold_for not in self.gone and self.state[name].is_up

    def _together(self, names: Sequence[str]) -> None:
        """These act at once, with all who wait for one of them and are attacked; the others who wait act after."""
        acting = list(names)
        for name in acting:
            attacked = self.doing[name].attack if name in self.doing and self.state[name].is_up else ""
            if self.waiting.get(attacked) == name:
                self.play.tell(f"{name} attacks {attacked}, who was waiting: both act at once", "TSG-052")
                del self.waiting[attacked]
                acting.append(attacked)
        self.gone.update(acting)
        self._act([self.doing[name] for name in acting if name in self.doing and self.state[name].is_up])
        released = [name for name, awaited in self.waiting.items() if awaited in acting]
        for name in released:
            del self.waiting[name]
        if released:
            self._together(released)

    def _act(self, plans: Sequence[Plan]) -> None:
        """Actions of one moment: all rolls from the state before, then wounds, then toughness (`TSG-Q39`)."""
        before, blows, tended = dict(self.state), list[_Blow](), list[str]()
        for plan in plans:
            self._tell_moves(plan)
            if plan.attack and before[plan.attack].condition != "dead":
                blows.append(self._struck(plan, before))
            if plan.tend and plan.tend not in tended and before[plan.tend].condition == "dying" and self._tends(plan):
                tended.append(plan.tend)
        for blow in blows:
            self.state[blow.victim] = self.state[blow.victim].wounded(blow.points)
        for victim in self.state:
            for blow in blows:
                if blow.victim == victim and blow.points:
                    self.state[victim] = self._stood(self.state[victim], blow.lethal)

    def _struck(self, plan: Plan, before: Mapping[str, Combatant]) -> _Blow:
        attacker, defender = before[plan.name].attacker(self.play), before[plan.attack].defender(self.play)
        hit, points = self.play.part(landed, attacker, defender, None)
        self.deeds.append(Deed(plan.name, "attack", plan.attack, hit, points))
        return _Blow(plan.attack, points, attacker.weapon.lethal)

    def _tends(self, plan: Plan) -> bool:
        helper, victim = self.state[plan.name], self.state[plan.tend]
        makings = Makings(helper.levels[self.play.values.text("tending.clever")], helper.medical)
        roll = self.play.part(tended, makings, victim.wounds, None, f"{plan.name} tends {plan.tend}")
        if roll.rounds is not None:
            self.state[plan.tend] = victim.tended(roll.rounds)
        self.deeds.append(Deed(plan.name, "tend", plan.tend, roll.success, 0))
        return roll.success

    def _stood(self, victim: Combatant, lethal: bool) -> Combatant:
        tough = victim.levels[self.play.values.text("wounds.toughness")]
        who = f"Toughness of {victim.name}"
        return victim.after(self.play.part(_stands, Makings(tough), Injury(victim.wounds, lethal), who, self.brief))

    def _tell_moves(self, plan: Plan) -> None:
        if plan.moves:
            mover = self.state[plan.name]
            paces_of(self.play, mover.levels[self.play.values.text("movement.pair")], mover.wounds, plan.name)


def _stands(play: Play, makings: Makings, injury: Injury, who: str, brief: bool) -> ToughnessOutcome:
    """The toughness roll of somebody; odds keep whether it fells, and how long unless that is all (`brief`)."""
    roll = stands_up_to(play, makings, injury, None, who)
    if not play.explores:
        return roll
    lies = 1 if brief and roll.rounds else roll.rounds
    return replace(roll, result=0, dice_rolled=0, bonus_left=0, rounds=lies)


@dataclass(frozen=True, slots=True)
class Moment:
    """A round between two groups that act: the fighters as they stand, and how many groups have acted."""

    fighters: tuple[Combatant, ...]
    acted: int = 0


def round_after(
    play: Play, fighters: tuple[Combatant, ...], plans: tuple[Plan, ...], order: Order, brief: bool
) -> tuple[Combatant, ...]:
    """The fighters after a round in this order without held actions, for odds of a whole fight."""
    end, _ = play.rounds(
        _act_together,
        Moment(fighters),
        *(plans, order, brief),
        goes_on=lambda moment: moment.acted < len(order),
        what="actions of a round",
        most=len(order),
        counted=False,
    )
    pairs = zip(end.fighters, fighters, strict=True)
    return tuple(fighter.aged(play) if _lay_already(fighter, was) else fighter for fighter, was in pairs)


def _act_together(play: Play, moment: Moment, plans: tuple[Plan, ...], order: Order, brief: bool) -> Moment:
    """The fighters after one group has acted."""
    state, doing = {each.name: each for each in moment.fighters}, {plan.name: plan for plan in plans}
    turns = _Turns(play, state, doing, brief=brief)
    turns.take((order[moment.acted],))
    return Moment(tuple(turns.state.values()), moment.acted + 1)


@dataclass(frozen=True, slots=True)
class _Blow:
    """A simultaneous attack as it landed, before anybody feels it."""

    victim: str
    points: int
    lethal: bool
