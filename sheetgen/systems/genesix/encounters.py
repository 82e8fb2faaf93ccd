"""Encounters (ledger Q2): who acts when, who is surprised, what fits into a turn, and what a move takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from sheetgen.model.data import Values
from sheetgen.model.procedures import Named
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.checks import Call, Roller, net_of, resolve, target_number
from sheetgen.systems.genesix.contests import Contestant, OpposedOutcome, contest_of
from sheetgen.systems.genesix.gear import (
    Action,
    Band,
    Count,
    Hold,
    Mode,
    Rating,
    Row,
    Side,
    counted,
    spoken,
)


@dataclass(frozen=True, slots=True)
class Fighter(Roller):
    """Somebody who enters an encounter, with the ratings in use at that moment."""

    who: str = field(kw_only=True)
    side: Side = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class InitiativeOutcome:
    """What the checks came to, by who, and the slots by side, first to act first."""

    target: int
    results: Named[str, int]
    deltas: Named[str, int]
    modes: Named[str, Mode]
    rows: Named[str, Row]
    slots: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Ambusher:
    """One who lies in wait."""

    attribute: Rating = 0
    covertly: Rating = 0


@dataclass(frozen=True, slots=True)
class Watcher:
    """One who might notice."""

    attribute: Rating = 0
    cautiously: Rating = 0


def refuse_twins(names: tuple[str, ...], where: str) -> None:
    """Names must tell people apart."""
    twins = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twins:
        raise Refused("names", f"{where}: {twins[0]} stands there twice", "GEN-226")


Entry = tuple[int, int, Mode, Row]  # what an initiative check came to: result, Delta, mode and reading


def enter(play: Play, fighter: Fighter, target: int) -> Entry:
    """One initiative check, with all that bears on it (GEN-224, GEN-265)."""
    play.tell(f"{fighter.who}:")
    net = net_of(play, fighter.advantage, fighter.disadvantage, burdened=fighter.burdened)
    came = resolve(play, fighter.ratings, target, net)
    return came.result, came.delta, came.mode, came.row


def enter_all(play: Play, fighters: tuple[Fighter, ...], target: int) -> tuple[Entry, ...]:
    """Everybody's check, in the listed order; halved again and again, so that odds meet few questions on each path."""
    half = len(fighters) // 2
    if not half:
        return tuple(enter(play, fighter, target) for fighter in fighters)
    return tuple(entry for part in (fighters[:half], fighters[half:]) for entry in play.part(enter_all, part, target))


def initiative_target(play: Play, harmful: int, helpful: int) -> tuple[int, str]:
    """The number that everybody's check is against, and the side that is first when Deltas are equal.

    A part of its own: with many fighters it is asked for on every path, and comes to the same each time.
    """
    target = target_number(play, Call(play.values.text("initiative.difficulty"), None, harmful, helpful))
    return target, play.values.text("initiative.first")


Place = tuple[int, bool, Side]  # how far somebody is behind, whether the other side wins ties, and the own side


def join_queue(
    play: Play, queue: tuple[Place, ...], fighters: tuple[Fighter, ...], target: int, first: str
) -> tuple[Place, ...]:
    """The queue, first to act first, with the next of the listed fighters in it (GEN-225, GEN-226, GEN-272).

    Once everybody is in it, Deltas make no difference, and odds need not tell them apart.
    """
    fighter = fighters[len(queue)]
    place = (-play.part(delta_of, fighter, target), fighter.side != first, fighter.side)
    after = sorted((*queue, place))
    return tuple(after) if len(after) < len(fighters) else tuple((0, False, side) for _, _, side in after)


def delta_of(play: Play, fighter: Fighter, target: int) -> int:
    """The Delta of one initiative check."""
    return enter(play, fighter, target)[1]


def slots_of(play: Play, fighters: tuple[Fighter, ...], harmful: int, helpful: int) -> tuple[Side, ...]:
    """The slots by side alone, for odds that ask nothing else of initiative."""
    nobody: tuple[Place, ...] = ()
    queue, _ = play.rounds(
        join_queue,
        nobody,
        *(fighters, *initiative_target(play, harmful, helpful)),
        goes_on=lambda queue: len(queue) < len(fighters),
        what="initiative",
        counted=False,
        most=len(fighters),
    )
    return tuple(side for _, _, side in queue)


@procedure("GEN-029 GEN-061 GEN-120 GEN-224 GEN-225 GEN-226 GEN-272", say="who acts when")
def initiative(
    play: Play, *, fighters: tuple[Fighter, ...], harmful: Count = 0, helpful: Count = 0
) -> InitiativeOutcome:
    """A check each, in the listed order, and the slots of each side by Delta; GEN-224 to GEN-226, ties GEN-272."""
    refuse_twins(tuple(fighter.who for fighter in fighters), "fighters")
    if play.asked_for("slots"):
        play.settled(slots=play.part(slots_of, fighters, harmful, helpful))
    target, first = play.part(initiative_target, harmful, helpful)
    entered = {one.who: entry for one, entry in zip(fighters, enter_all(play, fighters, target), strict=True)}
    order = sorted(fighters, key=lambda fighter: (-entered[fighter.who][1], fighter.side != first))
    if play.log is not None:
        slots = ", ".join(f"{each.side} ({each.who} {entered[each.who][1]:+d})" for each in order)
        play.tell(f"Slots: {slots}", "GEN-225", "GEN-226", "GEN-272")
    names = ("results", "deltas", "modes", "rows")
    by_name: dict[str, Any] = {
        name: Named({who: entry[at] for who, entry in entered.items()}) for at, name in enumerate(names)
    }
    return InitiativeOutcome(target, **by_name, slots=tuple(fighter.side for fighter in order))


@procedure(
    "GEN-221 GEN-225 GEN-226 GEN-264 GEN-273",
    say="whether a round's turns went by the rules",
    results="legal faults",
)
def round_order(
    play: Play,
    *,
    slots: tuple[Side, ...],
    sides: Mapping[str, Side],
    uses: tuple[str | None, ...],
    incapacitated: tuple[str, ...] = (),
    surprised: Side | None = None,
    round_: Annotated[int, Whole(1, 999)] = 1,
) -> tuple[bool, tuple[str, ...]]:
    """Whether each slot was used by its own side, nobody twice, nobody who cannot act; GEN-226, GEN-264, GEN-273."""
    if len(uses) != len(slots):
        raise Refused("uses", f"uses: takes one for each of {len(slots)} slots, not {len(uses)}", "GEN-226")
    faults, acted = list[str](), set[str]()
    for slot, who in zip(slots, uses, strict=True):
        if who is None:
            play.tell(f"A slot of {slot}: passed up", "GEN-226")
            continue
        if who not in sides:
            raise Refused("uses", f"uses: {who} stands on no side", "GEN-226")
        wrong = [
            (sides[who] != slot, f"{who} ({sides[who]}) takes a slot of {slot}", "GEN-226"),
            (who in acted, f"{who} acts twice", "GEN-226"),
            (who in incapacitated, f"{who} is incapacitated", "GEN-264"),
            (sides[who] == surprised and round_ == 1, f"{who} is surprised and has no turn yet", "GEN-273"),
        ]
        acted.add(who)
        broken = [(why, rule) for holds, why, rule in wrong if holds]
        for why, rule in broken or [(f"{who} acts", "GEN-226")]:
            play.tell(f"A slot of {slot}: {why}", rule)
        faults += [why for why, _ in broken]
    return not faults, tuple(faults)


@procedure("GEN-227 GEN-228", say="whether a reading may set initiative anew", results="allowed decides spendable")
def recheck(play: Play, *, row: Row) -> tuple[bool, str | None, bool]:
    """Whether all check anew before the next round, who decides, and if not, whether it may be spent; GEN-Q44."""
    path = f"rows.{row}.recheck"
    decides = play.values.text(path) if play.values.has(path) else None
    spendable = decides is None and bool(play.values.at(f"rows.{row}.options"))
    if decides:
        play.tell(f"{spoken(row)}: all may check anew before the next round; the {decides} decides", "GEN-227")
    elif spendable:
        play.tell(f"{spoken(row)}: no new checks, but its effect may go to an initiative check to come", "GEN-228")
    else:
        play.tell(f"{spoken(row)}: nothing to spend on initiative", "GEN-228")
    return decides is not None, decides, spendable


@procedure(
    "GEN-012 GEN-013 GEN-014 GEN-016 GEN-120 GEN-231",
    say="whether an ambush comes as a surprise",
    results="surprised *",
)
def surprise(
    play: Play,
    *,
    prepared: bool = False,
    ambushers: tuple[Ambusher, ...],
    watchers: tuple[Watcher, ...],
    a_advantage: Count = 0,
    a_disadvantage: Count = 0,
    b_advantage: Count = 0,
    b_disadvantage: Count = 0,
) -> tuple[bool, OpposedOutcome | None]:
    """The best Covertly against the best Cautiously, if there was preparation; GEN-231, GEN-016, GEN-Q39."""
    if not ambushers or not watchers:
        raise Refused("sides", "ambushers, watchers: each takes at least one", "GEN-231")
    if not prepared:
        play.tell("Nothing was prepared: no ambush, no check", "GEN-231")
        return False, None
    hidden = max(each.attribute for each in ambushers), max(each.covertly for each in ambushers)
    wary = max(each.attribute for each in watchers), max(each.cautiously for each in watchers)
    came, _, _ = contest_of(
        play,
        Contestant(*hidden, advantage=a_advantage, disadvantage=a_disadvantage),
        Contestant(*wary, advantage=b_advantage, disadvantage=b_disadvantage),
        names=("The ambush", "The watch"),
    )
    surprised = came.winner == "a"
    ends = "the watchers are surprised and miss the first round" if surprised else "both sides are aware"
    play.tell(f"So {ends}", "GEN-231", "GEN-273")
    return surprised, came


def too_many(values: Values, kinds: tuple[str, ...]) -> list[tuple[str, str]]:
    """What a turn has no room for: one major, one minor (two for the major given up), three incidental actions."""
    room = values.numbers("turn")
    room["minor"] += room["traded"] if "major" not in kinds else 0
    counts = [(kinds.count(kind), kind, "GEN-222" if kind == "major" else "GEN-274") for kind in room]
    return [
        (f"{counted(count, f'{kind} action')}, room for {room[kind]}", rule)
        for count, kind, rule in counts
        if count > room[kind]
    ]


def held_back(values: Values, tag: str, actions: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What a tag that holds the character rules out (GEN-240)."""
    faults = []
    moves, taken = set(map(str, values.at("moves"))), set(map(str, values.at(f"holds.{tag}.takes")))
    still = not values.has(f"holds.{tag}.leaves") and not values.has(f"holds.{tag}.reaches")
    for action, kind in actions:
        if kind in taken:
            faults.append((f"{tag} leaves no {kind} action for {action}", "GEN-240"))
        elif still and action in moves:
            faults.append((f"{tag} allows no {action}", "GEN-240"))
    return faults


@procedure(
    "GEN-221 GEN-222 GEN-223 GEN-240 GEN-264 GEN-274",
    say="whether actions fit into one turn",
    results="kinds legal faults",
)
def turn(
    play: Play, *, actions: tuple[Action, ...] = (), tag: Hold | None = None, incapacitated: bool = False
) -> tuple[tuple[str, ...], bool, tuple[str, ...]]:
    """A major, a minor and three incidental actions at most; GEN-222, GEN-223, GEN-274, held GEN-240, GEN-264."""
    kinds = tuple(play.values.text(f"actions.{action}") for action in actions)
    taken = list(zip(actions, kinds, strict=True))
    play.tell(", ".join(f"{action} is {kind}" for action, kind in taken) or "Nothing", "GEN-223")
    faults = too_many(play.values, kinds)
    if tag is not None:
        faults += held_back(play.values, tag, taken)
    if incapacitated and actions:
        faults.append(("the incapacitated take no actions", "GEN-264"))
    for why, rule in faults:
        play.tell(f"Not in one turn: {why}", rule)
    if not faults:
        play.tell("It all fits into one turn", "GEN-222")
    return kinds, not faults, tuple(why for why, _ in faults)


def steps(values: Values, start: str, end: str) -> tuple[str, ...]:
    """The kinds of action on the way from band to band, in order (GEN-233, GEN-275)."""
    bands = tuple(map(str, values.at("bands")))
    first, last = bands.index(start), bands.index(end)
    if first == last:
        return (values.text(f"move.within.{start}"),)
    crossed = bands[first + 1 : last + 1] if first < last else bands[last + 1 : first + 1][::-1]
    return tuple(str(kind) for band in crossed for kind in values.at(f"move.into.{band}"))


def turns_for(values: Values, kinds: tuple[str, ...]) -> int:
    """Over how many turns these actions spread, one major and one minor in each (GEN-Q40)."""
    room, turns, taken = values.numbers("move.a_turn"), 1, list[str]()
    for kind in kinds:
        if taken.count(kind) >= room.get(kind, len(kinds)):
            turns, taken = turns + 1, []
        taken.append(kind)
    return turns


@procedure("GEN-232 GEN-233 GEN-275", say="what a move from band to band takes", results="actions turns")
def move(play: Play, *, from_: Band, to: Band) -> tuple[tuple[str, ...], int]:
    """The actions of a move, band by band, and its turns; GEN-233, GEN-275 (house default), GEN-Q40."""
    kinds = steps(play.values, from_, to)
    turns = turns_for(play.values, kinds)
    way = f"about within {to}" if from_ == to else f"{from_} to {to}"
    play.tell(f"Moving {way}: {', '.join(kinds)}; {counted(turns, 'turn')}", "GEN-233", "GEN-275")
    return kinds, turns
