"""Declaring, action segments, and acts that collide in one (ledger, part M2): the rolls themselves say who is first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby

from sheetgen.dice.paths import Hidden
from sheetgen.errors import quoted, suggestion
from sheetgen.model.procedures import Named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import Number, Wild, codes_of
from sheetgen.systems.diecodes.rolls import number_of, total_of
from sheetgen.systems.diecodes.rounds import reactions_of


@dataclass(frozen=True, slots=True)
class Declarer:
    """Somebody who declares, and the Perception code as written."""

    who: str
    perception: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What somebody declared, in order: moves, skills and stats."""

    who: str
    acts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Side:
    """One act among those that collide; `reaction` is the working code of what the target throws in against it."""

    who: str
    act: str
    code: str
    number: Number | None = None
    stuns: str | None = None
    wounds: str | None = None
    doubled: bool = False
    reaction: str | None = None


@dataclass(frozen=True, slots=True)
class ClashOutcome:
    """Colliding acts: totals, who came when, whose roll reached its number, who acted, who lost the act."""

    totals: Named[str, int | Hidden]
    order: tuple[tuple[str, ...], ...]
    reached: Named[str, bool]
    reactions: Named[str, int | Hidden]
    came_off: tuple[str, ...]
    acted: tuple[str, ...]
    lost: tuple[str, ...]
    stunned: tuple[str, ...]
    wounded: tuple[str, ...]


@procedure("DIE-065 DIE-205 DIE-206", say="who declares first", results="order")
def declare(play: Play, *, characters: tuple[Declarer, ...]) -> tuple[tuple[str, ...], ...]:
    """The lowest Perception declares first, equal codes together (`DIE-206`, `DIE-Q33`)."""
    codes, order = codes_of(play), list[tuple[str, ...]]()
    check_names(tuple(each.who for each in characters), "characters")
    ranks = [
        (codes.read(each.perception, f"characters[{number}].perception"), each.who)
        for number, each in enumerate(characters, 1)
    ]
    for pips, members in groupby(sorted(ranks, key=lambda rank: rank[0]), key=lambda rank: rank[0]):
        order.append(tuple(who for _, who in members))
        play.tell(f"{' and '.join(order[-1])} with {codes.write(pips)}", "DIE-206")
    return tuple(order)


@procedure("DIE-205 DIE-207 DIE-208 DIE-209 DIE-210", say="who does what in each action segment", results="segments")
def segments(play: Play, *, plans: tuple[Plan, ...]) -> tuple[Named[str, str], ...]:
    """One act a segment in the order declared, as many segments as the longest list (`DIE-209`, `DIE-Q38`)."""
    check_names(tuple(plan.who for plan in plans), "plans")
    for number, plan in enumerate(plans, 1):
        _check_acts(play, plan.acts, f"plans[{number}].acts")
    done = []
    for turn in range(max((len(plan.acts) for plan in plans), default=0)):
        done.append(Named({plan.who: plan.acts[turn] for plan in plans if turn < len(plan.acts)}))
        doing = ", ".join(f"{who}: {act}" for who, act in done[-1].items())
        play.tell(f"segment {turn + 1}: {doing}", "DIE-207", "DIE-209")
    return tuple(done)


def check_names(names: tuple[str, ...], what: str) -> None:
    """Refused when a name stands twice, since results are told by name."""
    for number, who in enumerate(names, 1):
        if who in names[: number - 1]:
            raise Refused("who", f"{what}[{number}].who: {quoted(who)} stands twice")


def _check_acts(play: Play, acts: tuple[str, ...], what: str) -> None:
    """Refused when a list of declared acts holds back, skips, or names a reaction or no act (`DIE-209`, `DIE-Q38`)."""
    move, reactions = play.values.text("round.move"), reactions_of(play)
    traits = [trait.name for name in ("stats", "skills") for trait in play.system.group(name).members]
    for number, act in enumerate(acts, 1):
        path = f"{what}[{number}]"
        if act in reactions:
            raise Refused("reaction", f"{path}: {act} is a reaction; it is thrown in, not declared", "DIE-208")
        if not act.strip() or act == play.values.text("round.wait"):
            raise Refused("wait", f"{path}: no act may be held back and no segment skipped", "DIE-209")
        if act != move and act not in traits:
            near = suggestion(act, (move, *traits))
            raise Refused("act", f"{path}: takes {move}, a skill or a stat, not {quoted(act)}{near}", "DIE-207")


@procedure(
    "DIE-049 DIE-120 DIE-121 DIE-122 DIE-208 DIE-212 DIE-213 DIE-214 DIE-216 DIE-225",
    say="acts that collide within a segment",
)
def clash(play: Play, *, sides: tuple[Side, ...], wild: Wild = "table") -> ClashOutcome:
    """The rolls themselves say who acts first; whoever is stunned before then loses the act (`DIE-212`, `DIE-216`)."""
    check_names(tuple(side.who for side in sides), "sides")
    codes = codes_of(play)
    totals, roll = {}, total_roll(play, seen=play.needs("totals", "reactions"))
    for number, side in enumerate(sides, 1):
        pips = codes.read(side.code, f"sides[{number}].code", empty=True)
        totals[side.who] = roll(total_of, pips, wild, f"{side.who}, {side.act}")

    def answer(side: Side) -> int | Hidden | None:
        if side.reaction is None:
            return None
        pips = codes.read(side.reaction, f"reaction to {side.who}", empty=True)
        return roll(total_of, pips, wild, f"the reaction to {side.who}")

    return act_out(play, sides, totals, frozenset(side.who for side in sides if side.doubled), answer)


def total_roll(play: Play, *, seen: bool) -> Callable[..., int | Hidden]:
    """How totals that collide are rolled: to be seen, or where only comparisons matter, to be compared."""
    return play.part if seen else play.hidden


def act_out(
    play: Play,
    sides: tuple[Side, ...],
    totals: Mapping[str, int | Hidden],
    safe: frozenset[str],
    answer: Callable[[Side], int | Hidden | None],
) -> ClashOutcome:
    """Acts from the highest total down, equal ones at once (`DIE-212`, `DIE-Q34`); no second roll (`DIE-213`).

    Those in `safe` ignore a stun (`DIE-049`); `answer` rolls the reaction against an act, if there is one.
    """
    ranked = sorted(sides, key=lambda side: totals[side.who], reverse=True)
    turns = [tuple(turn) for _, turn in groupby(ranked, key=lambda side: totals[side.who])]
    reached: dict[str, bool] = {}
    for side in sides:
        if side.number is not None:
            reached[side.who] = 0 < totals[side.who] >= number_of(play, side.number)
    acted, lost, came_off = list[str](), list[str](), list[str]()
    stunned, wounded, reactions = list[str](), list[str](), dict[str, int | Hidden]()
    for turn in turns:
        ready = [side for side in turn if not _is_out(play, side, stunned, wounded)]
        lost += [side.who for side in turn if side not in ready]
        hits = []
        for side in ready:
            total, done = totals[side.who], reached.get(side.who, totals[side.who] > 0)
            line = f"{side.who} acts on {total}"
            reply = answer(side) if done and (side.stuns or side.wounds or "") not in stunned else None
            if reply is not None:
                reactions[side.who] = reply
                done = play.is_higher(total, reply)
            play.tell(f"{line}: {side.act} {'comes off' if done else 'fails'}", "DIE-212", "DIE-213")
            if done:
                hits.append(side)
        acted += [side.who for side in ready]
        came_off += [side.who for side in hits]
        for side in hits:
            _take_effect(play, side, safe, stunned, wounded)
    return ClashOutcome(
        Named(totals),
        tuple(tuple(side.who for side in turn) for turn in turns),
        Named(reached),
        Named(reactions),
        *(tuple(came_off), tuple(acted), tuple(lost), tuple(stunned), tuple(wounded)),
    )


def _is_out(play: Play, side: Side, stunned: list[str], wounded: list[str]) -> bool:
    """Whether somebody has lost the act: by a stun, or by a wound where the table rules so (`DIE-216`, `DIE-Q35`)."""
    if side.who in stunned:
        play.tell(f"{side.who} is stunned: {side.act} never happens", "DIE-216")
        return True
    if side.who in wounded and play.ruling("DIE-Q35") == "act lost":
        play.tell(f"{side.who} is wounded: {side.act} never happens", "DIE-Q35")
        return True
    return False


def _take_effect(play: Play, side: Side, safe: frozenset[str], stunned: list[str], wounded: list[str]) -> None:
    """Notes whom an act that came off has stunned or wounded."""
    if side.stuns and side.stuns in safe:
        play.tell(f"{side.stuns} has doubled codes and ignores the stun", "DIE-049")
    elif side.stuns and side.stuns not in stunned:
        play.tell(f"{side.stuns} is stunned", "DIE-216")
        stunned.append(side.stuns)
    if side.wounds and side.wounds not in wounded:
        play.tell(f"{side.wounds} is wounded", "DIE-062")
        wounded.append(side.wounds)
