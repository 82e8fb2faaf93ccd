"""Violent encounters as a whole (ledger Q2, R): initiative, rounds of attacks, who is left standing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.checks import Call, Ratings, resolve, target_number, tell_net
from sheetgen.systems.genesix.circumstances import Waiting, due, options_of, stress_of
from sheetgen.systems.genesix.combat import Guard, Struck, armed, struck
from sheetgen.systems.genesix.contests import Contestant, contest_of
from sheetgen.systems.genesix.encounters import Fighter, initiative, refuse_twins, slots_of
from sheetgen.systems.genesix.tags import (
    Band,
    Capacity,
    Count,
    Marks,
    Rating,
    Side,
    Tag,
    Track,
    counted,
    tag_figures,
    tag_sum,
)
from sheetgen.systems.genesix.tracks import Tracks, tell_tracks, tracks_of

Rounds = Annotated[int, Whole(1, 100)]


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
        """The two tracks."""
        return Tracks(self.stress, self.wounds, self.stress_capacity, self.wounds_capacity)

    def suffering(self, *, stress: int = 0, wounds: int = 0) -> Combatant:
        """The same after points on the tracks."""
        after = self.tracks.after(stress=stress, wounds=wounds)
        return replace(self, stress=after.stress, wounds=after.wounds)

    @property
    def stands(self) -> bool:
        """Whether there is any fight left in this one (GEN-264)."""
        return not self.tracks.incapacitated


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """Everybody's state after a round, the effects that still wait, and the side that is left if only one is."""

    fighters: tuple[Combatant, ...]
    waiting: tuple[Waiting, ...]
    winner: str | None


@dataclass(frozen=True, slots=True)
class EncounterOutcome:
    """How a fight ended: the side left standing if only one is, after how many rounds, everybody's state, the slots."""

    winner: str | None
    rounds: int
    fighters: tuple[Combatant, ...]
    slots: tuple[str, ...]
    incapacitated: tuple[str, ...]


class Fight:
    """A fight while a round is played: who is how, and which effects wait."""

    def __init__(self, play: Play, fighters: tuple[Combatant, ...], waiting: tuple[Waiting, ...]) -> None:
        self.play, self.waiting = play, waiting
        self.people = {each.who: each for each in fighters}

    def standing(self) -> Iterator[Combatant]:
        """Everybody who can still act, in the listed order."""
        return (each for each in self.people.values() if each.stands)

    def net(self, one: Combatant, figures: tuple[int, int] = (0, 0)) -> int:
        """The net of applications on a check: own ones, full Stress, effects that waited (GEN-052, GEN-265)."""
        gift, self.waiting = due(self.play.values, self.waiting, one.who, one.side)
        burden = self.play.values.number("tracks.burden") if one.tracks.burdened else 0
        more, less = figures
        return tell_net(
            self.play, one.advantage + more + max(gift, 0), one.disadvantage + less + burden + max(-gift, 0)
        )

    def suffer(self, who: str, points: int, track: str) -> None:
        """Marks points on somebody's track."""
        after = self.people[who].suffering(**{track: points})
        self.people[who] = after
        tell_tracks(self.play, after.tracks, who)


Readings = tuple[tuple[str, str], ...]


def shoot(fight: Fight, one: Combatant, other: Combatant) -> tuple[Struck, Readings]:
    """A shot: what it does, and the reading of the one who rolled (GEN-276)."""
    play = fight.play
    figures = tag_figures(play, one.tags)
    target = target_number(play, Call(range_=one.range_, harmful=figures.harmful, helpful=figures.helpful))
    net = fight.net(one, (figures.advantage, figures.disadvantage))
    return play.part(shot, one.who, (Ratings(one.attribute, one.approach), target, net), aimed(one, other))


def shot(play: Play, who: str, numbers: tuple[Ratings, int, int], aim: Aim) -> tuple[Struck, Readings]:
    """The roll of a shot and what it does."""
    came = resolve(play, *numbers)
    return hit_of(play, aim, came.success, came.delta), read_by(play, ((who, came.row),))


def blow(fight: Fight, one: Combatant, other: Combatant) -> tuple[Struck, Readings]:
    """A blow, or words: what it does, and the readings of both sides (GEN-276)."""
    nets = [fight.net(each) for each in (one, other)]
    sides = tuple(
        Contestant(each.attribute, each.approach, 0, max(net, 0), max(-net, 0))
        for each, net in zip((one, other), nets, strict=True)
    )
    return fight.play.part(exchanged, sides, (one.who, other.who), aimed(one, other))


def exchanged(
    play: Play, sides: tuple[Contestant, Contestant], names: tuple[str, str], aim: Aim
) -> tuple[Struck, Readings]:
    """The rolls of a blow and what it does."""
    came = contest_of(play, armed(play, sides[0], aim.tags), sides[1], names=names)
    rows = ((names[0], came.a_row), (names[1], came.b_row))
    return hit_of(play, aim, came.winner == "a", came.delta), read_by(play, rows)


@dataclass(frozen=True, slots=True)
class Aim:
    """What an attack carries, and what protects against it."""

    guard: Guard
    tags: tuple[Tag, ...]
    track: Track


def aimed(one: Combatant, other: Combatant) -> Aim:
    """What one brings against the other."""
    return Aim(Guard(other.toughness, other.protective, 0), one.tags, one.track)


def hit_of(play: Play, aim: Aim, hit: bool, delta: int) -> Struck:
    """What an attack with this Delta does."""
    return struck(play, hit=hit, delta=delta, guard=aim.guard, tags=aim.tags, track=aim.track)


def read_by(play: Play, rows: Readings) -> Readings:
    """The readings, as far as the policy lets them take effect (GEN-Q22)."""
    return play.decide({"plain": lambda: (), "guideline": lambda: rows}, "the effect of a reading")


def fitting(fight: Fight, one: Combatant, row: str) -> Waiting | None:
    """The first guideline effect on checks that finds somebody to fall on (GEN-051, GEN-Q20)."""
    values = fight.play.values
    for effect in options_of(values, row):
        if stress_of(values, effect):
            continue
        on, lasts = values.text(f"effects.{effect}.on"), values.text(f"effects.{effect}.lasts")
        if on == "side":
            return Waiting(effect, one.who, one.side)
        others = [
            each for each in fight.standing() if each.who != one.who and (each.side == one.side) == (on == "ally")
        ]
        if others:
            return Waiting(effect, one.who, one.side, others[0].who if lasts == "any" else None)
    return None


def read_circumstances(fight: Fight, rows: Readings) -> None:
    """Lets the readings of an attack take effect: the first effect that fits (GEN-047 to GEN-050, GEN-054)."""
    for who, row in rows:
        effect = fitting(fight, fight.people[who], row)
        if effect is not None:
            fight.play.tell(f"{who} reads {row.replace('_', ' ')}: {effect.effect.replace('_', ' ')}", "GEN-051")
            fight.waiting = (*fight.waiting, effect)


def take_turn(fight: Fight, who: str) -> None:
    """One turn: what still lasts takes its toll, then an attack on the first opponent who stands (GEN-222, GEN-271)."""
    play, one = fight.play, fight.people[who]
    if one.ongoing:
        fight.people[who] = replace(one, ongoing=one.ongoing - 1)
        play.tell(f"{who} is still harmed by what hit before", "GEN-271")
        fight.suffer(who, tag_sum(play.values, ("Ongoing",), "repeat"), "wounds")
    one = fight.people[who]
    if not one.stands:
        return
    if one.stunned:
        fight.people[who] = replace(one, stunned=one.stunned - 1)
        play.tell(f"{who} is stunned and has no major action", "GEN-240")
        return
    other = next((each for each in fight.standing() if each.side != one.side), None)
    if other is None:
        return
    play.tell(f"{who} attacks {other.who}", "GEN-223")
    done, rows = (shoot if one.range_ else blow)(fight, one, other)
    if done.taken:
        fight.suffer(other.who, done.taken, done.track)
        lasts = {"ongoing": done.turns} if done.repeat else {}
        lasts |= {"stunned": done.turns} if "Stunning" in one.tags else {}
        hurt = fight.people[other.who]
        fight.people[other.who] = replace(
            hurt,
            ongoing=max(hurt.ongoing, lasts.get("ongoing", 0)),
            stunned=max(hurt.stunned, lasts.get("stunned", 0)),
        )
    read_circumstances(fight, rows)


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


def next_slot(play: Play, moment: Moment, slots: tuple[Side, ...]) -> Moment:
    """The fight after one slot, which goes to the first of its side who stands and has not acted (GEN-226, GEN-273)."""
    fight, acted, slot = Fight(play, moment.fighters, moment.waiting), moment.acted, slots[moment.slot]
    able = [each.who for each in fight.standing() if each.side == slot and each.who not in acted]
    if slot == moment.surprised or not able:
        why = "surprised" if slot == moment.surprised else "nobody left to act"
        play.tell(f"A slot of {slot} lapses: {why}", "GEN-273" if slot == moment.surprised else "GEN-226")
    elif moment.winner is None:
        acted |= {able[0]}
        take_turn(fight, able[0])
    return Moment(tuple(fight.people.values()), fight.waiting, moment.slot + 1, acted, moment.surprised)


def play_round(play: Play, moment: Moment, slots: tuple[Side, ...]) -> Moment:
    """The fight after a round in which each slot was used (GEN-226, GEN-Q38)."""
    after, _ = play.rounds(
        next_slot,
        moment,
        slots,
        goes_on=lambda moment: moment.slot < len(slots),
        what="slots of a round",
        most=len(slots),
        counted=False,
    )
    return Moment(after.fighters, after.waiting)


def check_fighters(fighters: tuple[Combatant, ...]) -> None:
    """Refuses namesakes, one side alone, and marks beyond a track."""
    refuse_twins(tuple(each.who for each in fighters), "fighters")
    if len({each.side for each in fighters}) < 2:
        raise Refused("sides", "fighters: takes at least one pc and one npc", "GEN-226")
    for each in fighters:
        tracks_of(each.stress, each.wounds, each.stress_capacity, each.wounds_capacity)


@procedure(
    *("GEN-221", "GEN-222", "GEN-226", "GEN-240", "GEN-264", "GEN-265", "GEN-271", "GEN-273"),
    say="one round of a fight",
    policies=("plain", "guideline"),
)
def round_(
    play: Play,
    *,
    fighters: tuple[Combatant, ...],
    slots: tuple[Side, ...],
    waiting: tuple[Waiting, ...] = (),
    surprised: Side | None = None,
    round_: Rounds = 1,
) -> RoundOutcome:
    """Every slot used once by an attack on the first opponent standing; the state goes in and comes out; GEN-226."""
    check_fighters(fighters)
    moment = Moment(fighters, waiting, surprised=surprised if round_ == 1 else None)
    after = play_round(play, moment, slots)
    return RoundOutcome(after.fighters, after.waiting, after.winner)


@procedure(
    *("GEN-221", "GEN-222", "GEN-224", "GEN-225", "GEN-226", "GEN-264", "GEN-265", "GEN-273", "GEN-276"),
    say="a fight from initiative to the last one standing",
    policies=("plain", "guideline"),
)
def encounter(
    play: Play,
    *,
    fighters: tuple[Combatant, ...],
    harmful: Count = 0,
    helpful: Count = 0,
    surprised: Side | None = None,
    rounds: Rounds = 20,
) -> EncounterOutcome:
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
    end, played = play.rounds(
        play_round,
        Moment(fighters, surprised=surprised),
        slots,
        goes_on=lambda moment: moment.winner is None,
        what="rounds of the fight",
        most=rounds,
        counted=play.needs("rounds"),
        begins=lambda number: play.tell(f"Round {number}", "GEN-221"),
    )
    down = tuple(each.who for each in end.fighters if not each.stands)
    play.tell(f"After {counted(played, 'round')}: {end.winner or 'nobody'} alone stands", "GEN-264")
    return EncounterOutcome(end.winner, played, end.fighters, slots, down)
