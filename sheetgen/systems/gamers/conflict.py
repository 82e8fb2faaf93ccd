"""Conflicts (section 9) up to the blow: who goes first, what a round holds, how one may respond."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Literal

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import OneOf
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers.checks import Block, Side, opposed, prevails, roll_of
from sheetgen.systems.gamers.terms import signed

ATTACKS = ("attack", "mental attack")


@procedure(
    "GAM-153 GAM-154 GAM-155 GAM-Q33 GAM-Q34",
    say="who goes first",
    policies=("wise", "none", "all"),
    results="initiator_* other_* first",
)
def initiative(
    play: Play, *, initiator: Side, other: Side, other_expects_attack: bool = True
) -> tuple[Block, Block, Literal["initiator", "other"]]:
    """Who goes first: a contest of conflict skills, in an ambush of the ambusher's Stealth; ties to the initiator."""
    if not other_expects_attack:
        unready = play.values.number("conflict.unready")
        play.tell(f"the other side expects nothing: {signed(unready)}", "GAM-155")
        other = replace(other, dm=(*other.dm, unready))
    mine, theirs = roll_of(play, initiator, who="initiator"), roll_of(play, other, who="other side")
    first: Literal["initiator", "other"] = "initiator" if prevails(mine, theirs, ties=True) else "other"
    begins = (initiator.name or "the initiator") if first == "initiator" else (other.name or "the other side")
    play.tell(f"{mine.total} against {theirs.total}: {begins} goes first", "GAM-153")
    return mine, theirs, first


@dataclass(frozen=True, slots=True)
class Party(Side):
    """A party among several; `initiates` marks the side that started it."""

    initiates: bool = False


@procedure("GAM-153 GAM-Q33", say="in which order several parties act", results="order totals")
def turn_order(play: Play, *, parties: tuple[Party, ...]) -> tuple[tuple[str, ...], Named[str, int]]:
    """The order from high to low, special results first; on a tie whoever started it leads."""
    names = [party.name for party in parties]
    if "" in names or len(set(names)) < len(names):
        raise Refused("parties", "parties: each needs a name of its own", "GAM-Q33")
    rolled = {party.name: roll_of(play, party) for party in parties}
    starts = {party.name: party.initiates for party in parties}
    order = sorted(names, key=lambda name: (-rolled[name].rank, -rolled[name].total, not starts[name]))
    play.tell(f"they act in this order: {', '.join(order)}", "GAM-Q33")
    return tuple(order), Named({name: rolled[name].total for name in names})


@procedure(
    "GAM-156 GAM-157 GAM-168 GAM-171 GAM-187 GAM-Q36 GAM-Q40 GAM-Q43",
    say="what a round may hold, and at which DMs",
    results="legal dm may_defend_against_physical aim_lost",
)
def round_actions(
    play: Play, *, actions: tuple[Annotated[str, OneOf("round.kinds")], ...]
) -> tuple[bool, tuple[int, ...] | None, bool, bool]:
    """Whether the actions fit into one round; attacks after the first, and defences after the first, suffer a DM.

    A table may count the two together (`GAM-Q36`). Posture and defuse are mental attacks: no defence against a
    physical reply in that round. An aim must be followed by the shot, or by more aiming.
    """
    values = play.values
    kinds = [values.text(f"round.kinds.{action}") for action in actions]
    most, again = values.number("round.actions"), values.number("round.again")
    open_to_defence = "mental attack" not in kinds
    aim_lost = any(one == "aim" and then not in ("aim", "attack") for one, then in pairwise(kinds))
    if len(actions) > most:
        play.tell(f"{len(actions)} actions; a round has {most}", "GAM-156")
        return False, None, open_to_defence, aim_lost
    dms, counts = [], {"attack": 0, "defence": 0}
    for action, kind in zip(actions, kinds, strict=True):
        sort = "attack" if kind in ATTACKS else kind
        before = sum(counts.values()) if play.ruling("GAM-Q36") == "together" else counts.get(sort, 0)
        dms.append(again if sort in counts and before else 0)
        if sort in counts:
            counts[sort] += 1
        if dms[-1]:
            play.tell(f"{action}, once more this round: {signed(dms[-1])}", "GAM-157")
    if not open_to_defence:
        play.tell("after a mental attack there is no defence against a physical one", "GAM-168")
    return True, tuple(dms), open_to_defence, aim_lost


@procedure(
    "GAM-132 GAM-163 GAM-Q41",
    say="flight: does somebody get away",
    policies=("wise", "none", "all"),
    results="active_* opposing_* active_wins escapes",
)
def flight(play: Play, *, active: Side, opposing: Side) -> tuple[Block, Block, bool, bool]:
    """Whether the one who flees, as the active side, wins the contest against the pursuer."""
    mine, theirs, wins = opposed(play, active=active, opposing=opposing)
    play.tell("away" if wins else "caught", "GAM-Q41")
    return mine, theirs, wins, wins
