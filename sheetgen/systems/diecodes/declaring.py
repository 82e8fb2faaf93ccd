"""Declaring and action segments (ledger part M2): who speaks first, and who does what in which segment."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from sheetgen.errors import quoted, suggestion
from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import codes_of
from sheetgen.systems.diecodes.rounds import reactions_of


@dataclass(frozen=True, slots=True)
class Declarer:
    """Somebody who declares, and the Perception code as written."""

    who: str
    perception: str


@dataclass(frozen=True, slots=True)
class DeclareOutcome:
    """Who declares, in groups: the first group first, the members of a group together."""

    order: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What somebody declared, in order: moves, skills and stats."""

    who: str
    acts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentsOutcome:
    """For each action segment who does what."""

    segments: tuple[Named[str, str], ...]


@procedure("DIE-065", "DIE-205", "DIE-206", say="who declares first")
def declare(play: Play, *, characters: tuple[Declarer, ...]) -> DeclareOutcome:
    """The lowest Perception declares first, equal codes together (`DIE-206`, `DIE-Q33`)."""
    codes = codes_of(play)
    check_names(tuple(each.who for each in characters), "characters")
    ranks = [
        (codes.read(each.perception, f"characters[{number}].perception"), each.who)
        for number, each in enumerate(characters, 1)
    ]
    groups = groupby(sorted(ranks, key=lambda rank: rank[0]), key=lambda rank: rank[0])
    order = []
    for pips, members in groups:
        order.append(tuple(who for _, who in members))
        play.tell(f"{' and '.join(order[-1])} with {codes.write(pips)}", "DIE-206")
    return DeclareOutcome(tuple(order))


@procedure("DIE-205", "DIE-207", "DIE-208", "DIE-209", "DIE-210", say="who does what in each action segment")
def segments(play: Play, *, plans: tuple[Plan, ...]) -> SegmentsOutcome:
    """One act a segment in the order declared, as many segments as the longest list (`DIE-209`, `DIE-Q38`)."""
    check_names(tuple(plan.who for plan in plans), "plans")
    for number, plan in enumerate(plans, 1):
        check_acts(play, plan.acts, f"plans[{number}].acts")
    found = []
    for turn in range(max((len(plan.acts) for plan in plans), default=0)):
        found.append(Named({plan.who: plan.acts[turn] for plan in plans if turn < len(plan.acts)}))
        doing = ", ".join(f"{who}: {act}" for who, act in found[-1].items())
        play.tell(f"segment {turn + 1}: {doing}", "DIE-207", "DIE-209")
    return SegmentsOutcome(tuple(found))


def check_names(names: tuple[str, ...], what: str) -> None:
    """Refused when a name stands twice, since results are told by name."""
    for number, who in enumerate(names, 1):
        if who in names[: number - 1]:
            raise Refused("who", f"{what}[{number}].who: {quoted(who)} stands twice")


def check_acts(play: Play, acts: tuple[str, ...], what: str) -> None:
    """Refused when a list of declared acts holds back, skips, or names a reaction or no act (`DIE-209`, `DIE-Q38`)."""
    move, reactions = play.values.text("round.move"), reactions_of(play)
    traits = [trait.name for name in ("stats", "skills") for trait in play.system.group(name).members]
    for number, act in enumerate(acts, 1):
        if act in reactions:
            message = f"{what}[{number}]: {act} is a reaction; it is thrown in, not declared"
            raise Refused("reaction", message, "DIE-208")
        if not act.strip() or act == play.values.text("round.wait"):
            raise Refused("wait", f"{what}[{number}]: no act may be held back and no segment skipped", "DIE-209")
        if act != move and act not in traits:
            near = suggestion(act, (move, *traits))
            raise Refused(
                "act", f"{what}[{number}]: takes {move}, a skill or a stat, not {quoted(act)}{near}", "DIE-207"
            )
