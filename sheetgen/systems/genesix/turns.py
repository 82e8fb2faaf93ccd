"""Turns and movement (ledger Q2): what fits into one turn, and what it takes to get from band to band."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from sheetgen.model.data import Values
from sheetgen.rules.procedures.parameters import OneOf
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.terms import Band, Hold, counted

Action: TypeAlias = Annotated[str, OneOf("actions")]


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """The kind of each action, whether they fit into one turn, and what does not."""

    kinds: tuple[str, ...]
    legal: bool
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """The kinds of the actions that a move takes, in order, and over how many turns."""

    actions: tuple[str, ...]
    turns: int


def too_many(values: Values, kinds: tuple[str, ...]) -> list[tuple[str, str]]:
    """What a turn has no room for: one major, one minor (two for the major given up), three incidental actions."""
    room = values.numbers("turn")
    if "major" not in kinds:
        room["minor"] += room["traded"]
    found = []
    for kind, rule in (("major", "GEN-222"), ("minor", "GEN-274"), ("incidental", "GEN-274")):
        if kinds.count(kind) > room[kind]:
            found.append((f"{counted(kinds.count(kind), f'{kind} action')}, room for {room[kind]}", rule))
    return found


def held_back(values: Values, tag: str, actions: tuple[str, ...], kinds: tuple[str, ...]) -> list[tuple[str, str]]:
    """What a tag that holds the character rules out (GEN-240)."""
    found = []
    moves, taken = set(map(str, values.at("moves"))), set(map(str, values.at(f"holds.{tag}.takes")))
    still = not values.has(f"holds.{tag}.leaves") and not values.has(f"holds.{tag}.reaches")
    for action, kind in zip(actions, kinds, strict=True):
        if kind in taken:
            found.append((f"{tag} leaves no {kind} action for {action}", "GEN-240"))
        elif still and action in moves:
            found.append((f"{tag} allows no {action}", "GEN-240"))
    return found


@procedure("GEN-221", "GEN-222", "GEN-223", "GEN-240", "GEN-264", "GEN-274", say="whether actions fit into one turn")
def turn(
    play: Play, *, actions: tuple[Action, ...] = (), tag: Hold | None = None, incapacitated: bool = False
) -> TurnOutcome:
    """A major, a minor and three incidental actions at most; GEN-222, GEN-223, GEN-274, held GEN-240, GEN-264."""
    kinds = tuple(play.values.text(f"actions.{action}") for action in actions)
    play.tell(", ".join(f"{each} is {kind}" for each, kind in zip(actions, kinds, strict=True)) or "Nothing", "GEN-223")
    faults = too_many(play.values, kinds)
    if tag is not None:
        faults += held_back(play.values, tag, actions, kinds)
    if incapacitated and actions:
        faults.append(("the incapacitated take no actions", "GEN-264"))
    for why, rule in faults:
        play.tell(f"Not in one turn: {why}", rule)
    if not faults:
        play.tell("It all fits into one turn", "GEN-222")
    return TurnOutcome(kinds, not faults, tuple(why for why, _ in faults))


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


@procedure("GEN-232", "GEN-233", "GEN-275", say="what a move from band to band takes")
def move(play: Play, *, from_: Band, to: Band) -> MoveOutcome:
    """The actions of a move, band by band, and its turns; GEN-233, GEN-275 (house default), GEN-Q40."""
    kinds = steps(play.values, from_, to)
    turns = turns_for(play.values, kinds)
    way = f"about within {to}" if from_ == to else f"{from_} to {to}"
    play.tell(f"Moving {way}: {', '.join(kinds)}; {counted(turns, 'turn')}", "GEN-233", "GEN-275")
    return MoveOutcome(kinds, turns)
