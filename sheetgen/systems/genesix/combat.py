"""Attacks and fights (ledger Q2, R): what one attack does, and rounds of attacks until one side alone stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.genesix.checks import Call, CheckOutcome, Price, Ratings, called, net_of, resolve, target_number
from sheetgen.systems.genesix.circumstances import Waiting, due, options_of, stress_of
from sheetgen.systems.genesix.contests import (
    Contestant,
    OpposedOutcome,
    compare,
    contest_of,
    refuse_circumstances,
    show_result,
    shown,
)
from sheetgen.systems.genesix.encounters import Fighter, initiative, refuse_twins, slots_of
from sheetgen.systems.genesix.gear import (
    Band,
    Capacity,
    Count,
    Marks,
    Rating,
    Side,
    Tag,
    Track,
    counted,
    lasting,
    spoken,
    tag_sum,
    tags_,
)
from sheetgen.systems.genesix.tracks import Tracks, harm

Rounds = Annotated[int, Whole(1, 100)]


@dataclass(frozen=True, slots=True)
class Guard:
    """What stands between an attack and its target, and the track that its harm goes to."""

    toughness: Rating = 0
    protective: Count = 0
    piercing: Count = 0
    track: Track = "wounds"


@dataclass(frozen=True)
class Struck:
    """What an attack does to its target: on which track, and what its item goes on doing."""

    hit: bool
    harm: int
    taken: int
    track: Track
    turns: int
    repeat: int


def struck(play: Play, hit: bool, delta: int, guard: Guard, tags: tuple[str, ...]) -> Struck:
    """The harm of an attack and what its item goes on doing (GEN-267 to GEN-271)."""
    piercing = guard.piercing + tag_sum(play.values, tags, "piercing")
    resisted = {"toughness": guard.toughness, "protective": guard.protective, "piercing": piercing}
    done, taken = harm(play, delta=delta if hit else -1, **resisted)
    if not hit:
        return Struck(False, done, taken, guard.track, 0, 0)
    play.tell(f"{taken} on the {guard.track} of the target", "GEN-267")
    return Struck(True, done, taken, guard.track, *lasting(play, tags=tags))


def armed(play: Play, a: Contestant, tags: tuple[str, ...]) -> Contestant:
    """The attacker with what the weapon's tags give in dice; marks on the target number find none (GEN-241, GEN-Q8)."""
    gives = tags_(play, tags=tags)
    return replace(a, advantage=a.advantage + gives.advantage, disadvantage=a.disadvantage + gives.disadvantage)


@procedure(
    "GEN-007 GEN-008 GEN-009 GEN-241 GEN-267 GEN-268 GEN-269 GEN-270 GEN-271 GEN-276",
    say="an attack from afar, against the range",
    results="* *",
)
@taking(Ratings, Call, Guard)
def attack(play: Play, ratings: Ratings, call: Call, guard: Guard) -> tuple[CheckOutcome, Struck]:
    """A normal check whose Delta is the harm, less what is resisted; GEN-267 to GEN-271, GEN-276 (house defaults)."""
    came = resolve(play, ratings, *called(play, call))
    return came, struck(play, came.success, came.delta, guard, call.tags)


@procedure(
    "GEN-012 GEN-013 GEN-014 GEN-241 GEN-267 GEN-268 GEN-269 GEN-271 GEN-276",
    say="an attack hand to hand or with words, as an opposed check",
    results="* a_price b_price *",
)
@taking(Guard)
def strike(
    play: Play,
    guard: Guard,
    *,
    a: Contestant,
    b: Contestant,
    harmful: Count = 0,
    helpful: Count = 0,
    tags: tuple[Tag, ...] = (),
) -> tuple[OpposedOutcome, Price | None, Price | None, Struck]:
    """Attacker a against defender b, harm only if a wins; GEN-267 to GEN-271, GEN-276 (house defaults)."""
    refuse_circumstances(harmful, helpful)
    came, a_price, b_price = contest_of(play, armed(play, a, tags), b, names=("The attacker", "The defender"))
    return came, a_price, b_price, struck(play, came.winner == "a", came.delta, guard, tags)


@dataclass(frozen=True, slots=True)
class Combatant:
    """Somebody in a fight: the ratings in use, the weapon, what protects, and how things stand.

    With a range the weapon shoots, without one it strikes; `stunned` and `ongoing` count turns that it still lasts.
    """

    who: str
    side: Side
    wounds_capacity: Capacity
    stress_capacity: Capacity
    attribute: Rating = 0
    approach: Rating = 0
    advantage: Count = 0
    disadvantage: Count = 0
    range_: Band | None = None
    tags: tuple[Tag, ...] = ()
    track: Track = "wounds"
    toughness: Rating = 0
    protective: Count = 0
    stress: Marks = 0
    wounds: Marks = 0
    stunned: Count = 0
    ongoing: Count = 0

    @property
    def tracks(self) -> Tracks:
        return Tracks(self.stress_capacity, self.wounds_capacity, self.stress, self.wounds)

    @property
    def stands(self) -> bool:
        """Whether there is any fight left in this one (GEN-264)."""
        return self.wounds < self.wounds_capacity


Readings = tuple[tuple[str, str], ...]  # who rolled, and how the dice read


def takes_effect(play: Play) -> bool:
    """Whether the policy lets readings take effect (GEN-Q22)."""
    return play.decide({"plain": lambda: False, "guideline": lambda: True}, "the effect of a reading")


def shot(
    play: Play, who: str, check: tuple[Ratings, int, int], guard: Guard, tags: tuple[str, ...]
) -> tuple[Struck, Readings]:
    """The roll of a shot, what it does, and how the dice read (GEN-276)."""
    came = resolve(play, *check)
    done = struck(play, came.success, came.delta, guard, tags)
    return done, ((who, came.row),) if takes_effect(play) else ()


def blow(
    play: Play, sides: tuple[Contestant, Contestant], names: tuple[str, str], guard: Guard, tags: tuple[str, ...]
) -> tuple[Struck, Readings]:
    """The rolls of a blow or of words, what it does, and how the dice of both sides read (GEN-276)."""
    armed_side, read = armed(play, sides[0], tags), takes_effect(play)
    one, row = shown(play, show_result, armed_side, names[0], read)
    other, other_row = shown(play, show_result, sides[1], names[1], read)
    winner, delta, _, _ = compare(play, one, other, names, counted=False)
    done = struck(play, winner == "a", delta, guard, tags)
    return done, ((names[0], row), (names[1], other_row)) if read else ()


class Fight:
    """A fight while a turn is played: who is how, and which effects wait."""

    def __init__(self, play: Play, fighters: tuple[Combatant, ...], waiting: tuple[Waiting, ...]) -> None:
        self.play, self.waiting = play, waiting
        self.people = {each.who: each for each in fighters}

    def standing(self) -> Iterator[Combatant]:
        """Everybody who can still act, in the listed order."""
        return (each for each in self.people.values() if each.stands)

    def net(self, one: Combatant, advantage: int = 0, disadvantage: int = 0) -> int:
        """The net of applications on a check: own ones, full Stress, effects that waited (GEN-052, GEN-265)."""
        gift, self.waiting = due(self.play.values, self.waiting, one.who, one.side)
        advantage += one.advantage + max(gift, 0)
        disadvantage += one.disadvantage + max(-gift, 0)
        return net_of(self.play, advantage, disadvantage, burdened=one.tracks.burdened)

    def suffer(self, who: str, points: int, track: str) -> None:
        """Marks points on somebody's track."""
        after = self.people[who].tracks.after(**{track: points})
        self.people[who] = replace(self.people[who], stress=after.stress, wounds=after.wounds)
        after.tell(self.play, who)

    def attack(self, one: Combatant, other: Combatant) -> tuple[Struck, Readings]:
        """A shot against a number, or a blow against the other's roll (GEN-276)."""
        guard = Guard(other.toughness, other.protective, 0, one.track)
        if one.range_:
            gives = tags_(self.play, tags=one.tags)
            call = Call(range_=one.range_, harmful=gives.harmful, helpful=gives.helpful)
            target = target_number(self.play, call)
            check = Ratings(one.attribute, one.approach), target, self.net(one, gives.advantage, gives.disadvantage)
            return self.play.part(shot, one.who, check, guard, one.tags)
        nets = [(each, self.net(each)) for each in (one, other)]
        sides = tuple(Contestant(who.attribute, who.approach, 0, max(net, 0), max(-net, 0)) for who, net in nets)
        return self.play.part(blow, sides, (one.who, other.who), guard, one.tags)

    def read(self, rows: Readings) -> None:
        """Lets the readings of an attack take effect: the first effect that fits (GEN-047 to GEN-050, GEN-054)."""
        for who, row in rows:
            effect = self._fitting(self.people[who], row)
            if effect is not None:
                self.play.tell(f"{who} reads {spoken(row)}: {spoken(effect.effect)}", "GEN-051")
                self.waiting = (*self.waiting, effect)

    def _fitting(self, one: Combatant, row: str) -> Waiting | None:
        """The first guideline effect on checks that finds somebody to fall on (GEN-051, GEN-Q20)."""
        values = self.play.values
        for effect in options_of(values, row):
            if stress_of(values, effect):
                continue
            on, lasts = values.text(f"effects.{effect}.on"), values.text(f"effects.{effect}.lasts")
            others = (each for each in self.standing() if (each.side == one.side) == (on == "ally"))
            other = next((each for each in others if each.who != one.who), None)
            if on == "side" or other:
                named = other.who if other and on != "side" and lasts == "any" else None
                return Waiting(effect, one.who, one.side, named)
        return None


def take_turn(fight: Fight, who: str) -> None:
    """One turn: what still lasts takes its toll, then an attack on the first opponent who stands (GEN-222, GEN-271)."""
    play, people = fight.play, fight.people
    if people[who].ongoing:
        people[who] = replace(people[who], ongoing=people[who].ongoing - 1)
        play.tell(f"{who} is still harmed by what hit before", "GEN-271")
        fight.suffer(who, tag_sum(play.values, ("Ongoing",), "repeat"), "wounds")
    one = people[who]
    if not one.stands:
        return
    if one.stunned:
        people[who] = replace(one, stunned=one.stunned - 1)
        play.tell(f"{who} is stunned and has no major action", "GEN-240")
        return
    other = next((each for each in fight.standing() if each.side != one.side), None)
    if other is None:
        return
    play.tell(f"{who} attacks {other.who}", "GEN-223")
    done, rows = fight.attack(one, other)
    if done.taken:
        fight.suffer(other.who, done.taken, done.track)
        hurt = people[other.who]
        ongoing, stunned = done.turns if done.repeat else 0, done.turns if "Stunning" in one.tags else 0
        people[other.who] = replace(hurt, ongoing=max(hurt.ongoing, ongoing), stunned=max(hurt.stunned, stunned))
    fight.read(rows)


@dataclass(frozen=True, slots=True)
class Moment:
    """A fight between two turns: everybody's state, the effects that wait, the next slot, and who has acted."""

    fighters: tuple[Combatant, ...]
    waiting: tuple[Waiting, ...] = ()
    slot: int = 0
    acted: frozenset[str] = frozenset()
    surprised: str | None = None

    @property
    def winner(self) -> str | None:
        """The side that is left, if only one is."""
        sides = {each.side for each in self.fighters if each.stands}
        return sides.pop() if len(sides) == 1 else None


def turn_of(
    play: Play, who: str, fighters: tuple[Combatant, ...], waiting: tuple[Waiting, ...]
) -> tuple[tuple[Combatant, ...], tuple[Waiting, ...]]:
    """Everybody's state and the effects that wait after one turn, which odds work out once whoever comes next."""
    fight = Fight(play, fighters, waiting)
    take_turn(fight, who)
    return tuple(fight.people.values()), fight.waiting


def next_slot(play: Play, moment: Moment, slots: tuple[Side, ...]) -> Moment:
    """The fight after one slot, which goes to the first of its side who stands and has not acted (GEN-226, GEN-273).

    Each slot is used once a round (GEN-Q38): after the last, everybody may act again.
    """
    slot, fighters, waiting, acted = slots[moment.slot], moment.fighters, moment.waiting, moment.acted
    able = [one.who for one in fighters if one.stands and one.side == slot and one.who not in acted]
    if slot == moment.surprised:
        play.tell(f"A slot of {slot} lapses: surprised", "GEN-273")
    elif not able:
        play.tell(f"A slot of {slot} lapses: nobody left to act", "GEN-226")
    elif moment.winner is None:
        fighters, waiting = play.part(turn_of, able[0], fighters, waiting)
        acted = (acted | {able[0]}) & {one.who for one in fighters if one.stands}
    if moment.slot + 1 == len(slots):
        return Moment(fighters, waiting)
    return Moment(fighters, waiting, moment.slot + 1, acted, moment.surprised)


def tell_round(play: Play, used: int, slots: int) -> None:
    """The line that begins a round, once so many slots were used."""
    if used % slots == 0:
        play.tell(f"Round {used // slots + 1}", "GEN-221")


def check_fighters(fighters: tuple[Combatant, ...]) -> None:
    """Refuses namesakes, one side alone, and marks beyond a track."""
    refuse_twins(tuple(each.who for each in fighters), "fighters")
    if len({each.side for each in fighters}) < 2:
        raise Refused("sides", "fighters: takes at least one pc and one npc", "GEN-226")
    tuple(each.tracks for each in fighters)  # which refuse marks that they do not hold


@procedure(
    "GEN-221 GEN-222 GEN-226 GEN-240 GEN-264 GEN-265 GEN-271 GEN-273",
    say="one round of a fight",
    policies=("plain", "guideline"),
    results="fighters waiting winner",
)
def round_(
    play: Play,
    *,
    fighters: tuple[Combatant, ...],
    slots: tuple[Side, ...],
    waiting: tuple[Waiting, ...] = (),
    surprised: Side | None = None,
    round_: Rounds = 1,
) -> tuple[tuple[Combatant, ...], tuple[Waiting, ...], str | None]:
    """Every slot used once by an attack on the first opponent standing; the state goes in and comes out; GEN-226."""
    check_fighters(fighters)
    moment = Moment(fighters, waiting, surprised=surprised if round_ == 1 else None)
    after, _ = play.rounds(
        next_slot, moment, slots, goes_on=lambda _: True, what="slots of a round", most=len(slots), counted=False
    )
    return after.fighters, after.waiting, after.winner


@procedure(
    "GEN-221 GEN-222 GEN-224 GEN-225 GEN-226 GEN-264 GEN-265 GEN-273 GEN-276",
    say="a fight from initiative to the last one standing",
    policies=("plain", "guideline"),
    results="winner rounds fighters slots incapacitated",
)
def encounter(
    play: Play,
    *,
    fighters: tuple[Combatant, ...],
    harmful: Count = 0,
    helpful: Count = 0,
    surprised: Side | None = None,
    rounds: Rounds = 20,
) -> tuple[str | None, int, tuple[Combatant, ...], tuple[str, ...], tuple[str, ...]]:
    """Initiative, then rounds until one side alone stands or time is up; GEN-224 to GEN-226, attacks GEN-276."""
    check_fighters(fighters)
    entering = tuple(
        Fighter(
            *(each.attribute, each.approach, 0, each.advantage, each.disadvantage, each.tracks.burdened),
            who=each.who,
            side=each.side,
        )
        for each in fighters
    )
    if play.explores:
        slots = play.part(slots_of, entering, harmful, helpful)
    else:
        slots = initiative(play, fighters=entering, harmful=harmful, helpful=helpful).slots
    play.settled(slots=slots)
    end, used = play.rounds(
        next_slot,
        Moment(fighters, surprised=surprised),
        slots,
        goes_on=lambda moment: moment.winner is None or (moment.slot > 0 and not play.explores),
        what="slots of the fight",
        most=rounds * len(slots),
        counted=play.needs("rounds"),
        begins=lambda number: tell_round(play, number - 1, len(slots)),
    )
    played = -(-used // len(slots))
    down = tuple(each.who for each in end.fighters if not each.stands)
    play.tell(f"After {counted(played, 'round')}: {end.winner or 'nobody'} alone stands", "GEN-264")
    return end.winner, played, end.fighters, slots, down
