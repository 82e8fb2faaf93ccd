"""A whole combat round (ledger parts F to K, M2 and N): declaring, segments, collisions, reactions, luck, the end.

The round takes everybody's state and returns it as it stands when the next round begins. What an act does when it
comes off is the GM's word, given with the act (`DIE-Q22`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

from sheetgen.errors import quoted, suggestion
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.clash import Side, act_out
from sheetgen.systems.diecodes.codes import codes_of
from sheetgen.systems.diecodes.declaring import Declarer, Plan, check_names, declare, segments
from sheetgen.systems.diecodes.difficulty import Number, total_of
from sheetgen.systems.diecodes.luck import Manner, Points, comes_back, spend
from sheetgen.systems.diecodes.rounds import Use, penalty_of, reactions_of, working
from sheetgen.systems.diecodes.wild import Wild


@dataclass(frozen=True, slots=True)
class Act:
    """One declared act: its code as written (none for a move), what it is against, and what it does if it comes off."""

    act: str
    code: str | None = None
    number: Number | None = None
    at: str | None = None
    effect: Literal["none", "stunned", "wounded"] = "none"
    reaction: Use | None = None


@dataclass(frozen=True, slots=True)
class Fighter:
    """Somebody as the round begins; `doubles_in` is the segment before which a luck point is spent, 0 for none."""

    who: str
    perception: str
    dexterity: str | None = None
    acts: tuple[Act, ...] = ()
    running: bool = False
    wounded: bool = False
    stunned: bool = False
    prepared: bool = False
    luck: Points = 0
    owed: Points = 0
    doubles_in: Annotated[int, Whole(0, 99)] = 0
    manner: Manner = "unheroic"


@dataclass(frozen=True, slots=True)
class Turn:
    """One act of the round: what was rolled, whether it came off, or that it was lost."""

    segment: int
    who: str
    act: str
    code: str | None
    total: int | None
    reaction_total: int | None
    success: bool
    lost: bool


@dataclass(frozen=True, slots=True)
class After:
    """Somebody as the next round begins."""

    who: str
    wounded: bool
    prepared: bool
    stunned: bool
    was_stunned: bool
    luck: int
    owed: int


@dataclass(frozen=True, slots=True)
class FightOutcome:
    """Who declared when, every act in order, and everybody's state as the next round begins."""

    order: tuple[tuple[str, ...], ...]
    turns: tuple[Turn, ...]
    fighters: tuple[After, ...]


@dataclass(slots=True)
class _Standing:
    """How somebody stands in the middle of the round."""

    fighter: Fighter
    uses: int
    wounded: bool
    luck: int
    owed: int
    reactions: int = 0
    doubled: bool = False
    stunned: bool = False

    def left(self, play: Play, code: str | None, what: str, *, prepared: bool = False) -> int:
        """The pips that are rolled on a written code at this moment (`DIE-068`, `DIE-074`)."""
        if code is None:
            raise Refused("code", f"{what}: is missing", "DIE-212")
        uses = self.uses + self.reactions
        penalty = penalty_of(play, uses, running=self.fighter.running, wounded=self.wounded)
        bonus = prepared and self.fighter.prepared and not self.reactions
        pips = codes_of(play).read(code, what, empty=True)
        return working(play, pips, penalty, prepared=bonus, doubled=self.doubled)


@dataclass(slots=True)
class _Field:
    """The round as it is played: everybody's standing, and what has been done so far."""

    play: Play
    wild: Wild
    standing: dict[str, _Standing]
    turns: list[Turn] = field(default_factory=list)

    def answer(self, side: Side, act: Act) -> int | None:
        """The total of the reaction thrown in against an act; it counts from now on (`DIE-072`)."""
        if act.reaction is None or act.at is None or self.standing[act.at].stunned:
            return None
        target = self.standing[act.at]
        target.reactions += 1
        self.play.tell(f"{act.at} answers {side.who} with {act.reaction.name}", "DIE-070", "DIE-071")
        pips = target.left(self.play, act.reaction.code, f"reaction of {act.at}")
        return self.play.part(total_of, pips, self.wild, f"{act.at}, {act.reaction.name}")


@procedure(
    *("DIE-045", "DIE-049", "DIE-057", "DIE-058", "DIE-061", "DIE-062", "DIE-064", "DIE-065", "DIE-070", "DIE-071"),
    *("DIE-072", "DIE-073", "DIE-074", "DIE-075", "DIE-109", "DIE-205", "DIE-206", "DIE-207", "DIE-208", "DIE-209"),
    *("DIE-212", "DIE-213", "DIE-216", "DIE-225"),
    say="a whole combat round, from declaring to the next round",
)
def fight_round(
    play: Play,
    *,
    fighters: tuple[Fighter, ...],
    linked: tuple[tuple[str, ...], ...] | None = None,
    wild: Wild = "table",
) -> FightOutcome:
    """Every act of a round in its segment, and everybody's state after it (`DIE-075`, `DIE-207`).

    `linked` are those whose acts bear on each other whenever they fall into the same segment; without it, acts do
    whose aim stuns or wounds somebody who also acts then (`DIE-Q37`).
    """
    _check(play, fighters)
    order = declare(play, characters=tuple(Declarer(each.who, each.perception) for each in fighters)).order
    play.settled(order=order)
    plans = tuple(Plan(each.who, tuple(act.act for act in each.acts)) for each in fighters)
    count = len(segments(play, plans=plans).segments)
    move = play.values.text("round.move")
    standing = {}
    for each in fighters:
        uses = sum(1 for act in each.acts if act.act != move)
        standing[each.who] = _Standing(each, uses, each.wounded, each.luck, each.owed)
        if each.stunned:
            play.tell(f"{each.who} is no longer stunned", "DIE-225")
    round_ = _Field(play, wild, standing)
    for number in range(1, count + 1):
        _segment(round_, number, linked)
    return FightOutcome(order, tuple(round_.turns), tuple(_after(play, each) for each in standing.values()))


def _check(play: Play, fighters: tuple[Fighter, ...]) -> None:
    names, reactions = tuple(each.who for each in fighters), reactions_of(play)
    check_names(names, "fighters")
    most, move = play.values.number("preparing.uses"), play.values.text("round.move")
    for each in fighters:
        uses = sum(1 for act in each.acts if act.act != move)
        if each.prepared and uses > most:
            message = f"acts of {each.who}: one use in the round after preparing, not {uses}"
            raise Refused("prepared", message, "DIE-059")
        for number, act in enumerate(each.acts, 1):
            what = f"acts of {each.who}[{number}]"
            if act.at is not None and act.at not in names:
                raise Refused("at", f"{what}.at: {quoted(act.at)} is not here{suggestion(act.at, names)}")
            if act.at is None and (act.reaction is not None or act.effect != "none"):
                raise Refused("at", f"{what}.at: is missing")
            if act.reaction is not None and act.reaction.name not in reactions:
                message = f"{what}.reaction: takes {', '.join(reactions)}, not {quoted(act.reaction.name)}"
                raise Refused("reaction", message, "DIE-069")


def _segment(round_: _Field, number: int, linked: tuple[tuple[str, ...], ...] | None) -> None:
    """One action segment: luck, then each knot of acts that collide; knots happen at the same time (`DIE-Q37`)."""
    play, standing = round_.play, round_.standing
    play.tell(f"segment {number}", "DIE-207")
    ready: dict[str, Act] = {}
    for who, each in standing.items():
        if each.fighter.doubles_in == number:
            each.luck, each.doubled = spend(play, each.luck), True
            each.owed += comes_back(play, each.fighter.manner, None)
            play.tell(f"{who} spends a luck point: every code doubles until the round ends", "DIE-047", "DIE-Q20")
        if number > len(each.fighter.acts):
            continue
        if each.stunned:
            play.tell(f"{who} is stunned and loses {each.fighter.acts[number - 1].act}", "DIE-225")
            round_.turns.append(Turn(number, who, each.fighter.acts[number - 1].act, None, None, None, False, True))
        else:
            ready[who] = each.fighter.acts[number - 1]
    stunned, wounded = list[str](), list[str]()
    for knot in _knots(ready, linked):
        _knot(round_, number, {who: ready[who] for who in knot}, stunned, wounded)
    for who in stunned:
        standing[who].stunned = True
    for who in wounded:
        standing[who].wounded = True


def _knots(ready: dict[str, Act], linked: tuple[tuple[str, ...], ...] | None) -> Iterator[tuple[str, ...]]:
    """Those of a segment whose acts bear on each other, chains together, in the order listed (`DIE-Q37`)."""
    if linked is None:
        ties = [{who, act.at} for who, act in ready.items() if act.effect != "none" and act.at in ready]
    else:
        ties = [{who for who in knot if who in ready} for knot in linked]
    seen: set[str | None] = set()
    for who in ready:
        if who in seen:
            continue
        knot: set[str | None] = {who}
        while more := [tie for tie in ties if tie & knot and not tie <= knot]:
            knot.update(*more)
        seen |= knot
        yield tuple(each for each in ready if each in knot)


def _knot(round_: _Field, number: int, acts: dict[str, Act], stunned: list[str], wounded: list[str]) -> None:
    """Acts that bear on each other: all roll, then they happen from the highest total down (`DIE-212`)."""
    play, standing, sides, totals = round_.play, round_.standing, list[Side](), dict[str, int]()
    move = play.values.text("round.move")
    for who, act in acts.items():
        moves = act.act == move
        if moves and len(acts) == 1 and act.number is None:
            play.tell(f"{who} moves", "DIE-207")
            round_.turns.append(Turn(number, who, act.act, None, None, None, True, False))
            return
        code = standing[who].fighter.dexterity if moves else act.code
        what = f"dexterity of {who}" if moves else f"code of {who}, {act.act}"
        pips = standing[who].left(play, code, what, prepared=not moves)
        totals[who] = play.part(total_of, pips, round_.wild, f"{who}, {act.act}")
        stuns = act.at if act.effect == "stunned" else None
        wounds = act.at if act.effect == "wounded" else None
        sides.append(Side(who, act.act, codes_of(play).write(pips), act.number, stuns, wounds))
    safe = frozenset(who for who, each in standing.items() if each.doubled)
    done = act_out(play, tuple(sides), totals, safe, lambda side: round_.answer(side, acts[side.who]))
    stunned += done.stunned
    wounded += done.wounded
    for who in (who for turn in done.order for who in turn):
        act = acts[who]
        code = next(side.code for side in sides if side.who == who)
        success, lost = who in done.came_off, who in done.lost
        round_.turns.append(Turn(number, who, act.act, code, totals[who], done.reactions.get(who), success, lost))


def _after(play: Play, each: _Standing) -> After:
    """The state as the next round begins: stuns over, wounds kept, prepared after doing nothing (`DIE-058`)."""
    fighter = each.fighter
    idle = not fighter.acts and not each.reactions and not fighter.running and not each.stunned
    if idle:
        play.tell(f"{fighter.who} has done nothing and is prepared", "DIE-058")
    return After(fighter.who, each.wounded, idle, False, each.stunned, each.luck, each.owed)
