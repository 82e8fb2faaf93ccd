"""A whole combat round (ledger parts F to K, M2 and N): declaring, segments, collisions, reactions, luck, the end.

The round takes everybody's state and returns it as it stands when the next round begins. What an act does when it
comes off is the GM's word, given with the act (`DIE-Q22`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from sheetgen.dice.paths import Hidden
from sheetgen.errors import quoted, suggestion
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import Count, Manner, Number, Wild, codes_of, comes_back, spend
from sheetgen.systems.diecodes.rolls import total_of
from sheetgen.systems.diecodes.rounds import Flags, Use, left_of, reactions_of
from sheetgen.systems.diecodes.segments import (
    ClashOutcome,
    Declarer,
    Plan,
    Side,
    act_out,
    check_names,
    declare,
    segments,
    total_roll,
)


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
    luck: Count = 0
    owed: Count = 0
    doubles_in: Count = 0
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
class Standing:
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
        bonus = prepared and self.fighter.prepared and not self.reactions
        flags = Flags(self.uses + self.reactions, self.fighter.running, self.wounded, bonus, self.doubled)
        return left_of(play, code, what, flags)


H = TypeVar("H", bound=Hashable)
Hits = tuple[tuple[str, ...], ...]  # who brought an act off, in order, those with equal totals together
Keep = Callable[[H, Hits, tuple[Turn, ...]], H]


@dataclass(frozen=True, slots=True)
class Colliding:
    """Whose acts bear on each other, how wild dice run on, and whether totals are to be seen or only compared.

    Unless they are `seen`, there are no turns to keep, and odds follow only who brings an act off.
    """

    linked: tuple[tuple[str, ...], ...] | None
    wild: Wild
    seen: bool


@dataclass(frozen=True, slots=True)
class Round(Generic[H]):
    """A round after so many segments: how everybody stands, and what is kept of what happened."""

    segments: int
    standing: tuple[Standing, ...]
    kept: H


@dataclass(frozen=True, slots=True)
class _Knot:
    """What comes of acts that bear on each other; the turns only where totals are to be seen."""

    standing: tuple[Standing, ...]
    hits: Hits = ()
    turns: tuple[Turn, ...] = ()
    stunned: tuple[str, ...] = ()
    wounded: tuple[str, ...] = ()


@procedure(
    "DIE-045 DIE-049 DIE-057 DIE-058 DIE-061 DIE-062 DIE-064 DIE-065 DIE-070 DIE-071 DIE-072 DIE-073 DIE-074 DIE-075",
    "DIE-109 DIE-205 DIE-206 DIE-207 DIE-208 DIE-209 DIE-212 DIE-213 DIE-216 DIE-225",
    say="a whole combat round, from declaring to the next round",
    results="order turns fighters",
)
def fight_round(
    play: Play,
    *,
    fighters: tuple[Fighter, ...],
    linked: tuple[tuple[str, ...], ...] | None = None,
    wild: Wild = "table",
) -> tuple[tuple[tuple[str, ...], ...], tuple[Turn, ...], tuple[After, ...]]:
    """Who declares when, every act of a round in its segment, and everybody's state after it (`DIE-075`, `DIE-207`).

    `linked` are those whose acts bear on each other whenever they fall into the same segment; without it, acts do
    whose aim stuns or wounds somebody who also acts then (`DIE-Q37`).
    """
    order = declared(play, fighters)
    play.settled(order=order)
    none: tuple[Turn, ...] = ()
    round_ = play_segments(play, fighters, Colliding(linked, wild, play.needs("turns")), none, _all_turns)
    return order, round_.kept, tuple(_after(play, each) for each in round_.standing)


def _all_turns(before: tuple[Turn, ...], hits: Hits, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    return before + turns


def declared(play: Play, fighters: tuple[Fighter, ...]) -> tuple[tuple[str, ...], ...]:
    """In which order all declare; the segments that this makes are told. Refused for what cannot be declared."""
    _check(play, fighters)
    order = declare(play, characters=tuple(Declarer(each.who, each.perception) for each in fighters))
    segments(play, plans=tuple(Plan(each.who, tuple(act.act for act in each.acts)) for each in fighters))
    return order


def play_segments(play: Play, fighters: tuple[Fighter, ...], colliding: Colliding, start: H, keep: Keep[H]) -> Round[H]:
    """The round after its last segment; `keep` makes of what was kept and of one segment what is kept from then on."""
    move, standing = play.values.text("round.move"), list[Standing]()
    for each in fighters:
        uses = sum(1 for act in each.acts if act.act != move)
        standing.append(Standing(each, uses, each.wounded, each.luck, each.owed))
        if each.stunned:
            play.tell(f"{each.who} is no longer stunned", "DIE-225")
    count = max((len(each.acts) for each in fighters), default=0)
    begun = Round(0, tuple(standing), start)
    return play.rounds(
        *(_segment, begun, colliding, keep),
        goes_on=lambda state: state.segments < max(len(each.fighter.acts) for each in state.standing),
        what="segments of the round",
        most=count,
        counted=False,
    )[0]


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


def _segment(play: Play, before: Round[H], colliding: Colliding, keep: Keep[H]) -> Round[H]:
    """One action segment: luck, then each knot of acts that collide; knots happen at the same time (`DIE-Q37`)."""
    number, standing, ready = before.segments + 1, list[Standing](), dict[str, Act]()
    hits: Hits = ()
    turns, stunned, wounded = list[Turn](), list[str](), list[str]()
    play.tell(f"segment {number}", "DIE-207")
    for each in before.standing:
        who, acts = each.fighter.who, each.fighter.acts
        standing.append(_lucky(play, each) if each.fighter.doubles_in == number else each)
        if number > len(acts):
            continue
        if each.stunned:
            play.tell(f"{who} is stunned and loses {acts[number - 1].act}", "DIE-225")
            turns += [Turn(number, who, acts[number - 1].act, None, None, None, False, True)] if colliding.seen else []
        else:
            ready[who] = acts[number - 1]
    now = tuple(standing)
    for knot in _knots(ready, colliding.linked):
        together = tuple((who, ready[who]) for who in knot)
        done = play.part(_knot, number if colliding.seen else 0, together, now, colliding)
        now, hits = done.standing, hits + done.hits
        turns += done.turns
        stunned += done.stunned
        wounded += done.wounded
    after = tuple(
        replace(
            each,
            stunned=each.stunned or each.fighter.who in stunned,
            wounded=each.wounded or each.fighter.who in wounded,
        )
        for each in now
    )
    return Round(number, after, keep(before.kept, hits, tuple(turns)))


def _lucky(play: Play, each: Standing) -> Standing:
    """Somebody who spends a luck point as a segment begins (`DIE-047`)."""
    luck = spend(play, each.luck)
    owed = each.owed + comes_back(play, each.fighter.manner, None)
    line = f"{each.fighter.who} spends a luck point: every code doubles until the round ends"
    play.tell(line, "DIE-047", "DIE-Q20")
    return replace(each, luck=luck, owed=owed, doubled=True)


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


def _knot(
    play: Play,
    number: int,
    together: tuple[tuple[str, Act], ...],
    standing: tuple[Standing, ...],
    colliding: Colliding,
) -> _Knot:
    """Acts that bear on each other: all roll, then they happen from the highest total down (`DIE-212`)."""
    acts, now = dict(together), {each.fighter.who: each for each in standing}
    roll, wild = total_roll(play, seen=colliding.seen), colliding.wild
    sides, totals, move = list[Side](), dict[str, int | Hidden](), play.values.text("round.move")
    for who, act in together:
        moves = act.act == move
        if moves and len(acts) == 1 and act.number is None:
            play.tell(f"{who} moves", "DIE-207")
            turn = Turn(number, who, act.act, None, None, None, True, False)
            return _Knot(standing, ((who,),), (turn,) if colliding.seen else ())
        code = now[who].fighter.dexterity if moves else act.code
        what = f"dexterity of {who}" if moves else f"code of {who}, {act.act}"
        pips = now[who].left(play, code, what, prepared=not moves)
        totals[who] = roll(total_of, pips, wild, f"{who}, {act.act}")
        stuns = act.at if act.effect == "stunned" else None
        wounds = act.at if act.effect == "wounded" else None
        sides.append(Side(who, act.act, codes_of(play).write(pips), act.number, stuns, wounds))

    def answer(side: Side) -> int | Hidden | None:
        """The total of the reaction thrown in against an act; it counts from now on (`DIE-072`)."""
        act = acts[side.who]
        if act.reaction is None or act.at is None or now[act.at].stunned:
            return None
        target = now[act.at] = replace(now[act.at], reactions=now[act.at].reactions + 1)
        play.tell(f"{act.at} answers {side.who} with {act.reaction.name}", "DIE-070", "DIE-071")
        pips = target.left(play, act.reaction.code, f"reaction of {act.at}")
        return roll(total_of, pips, wild, f"{act.at}, {act.reaction.name}")

    safe = frozenset(who for who, each in now.items() if each.doubled)
    done = act_out(play, tuple(sides), totals, safe, answer)
    hits = tuple(tuple(who for who in turn if who in done.came_off) for turn in done.order)
    turns = _turns_of(number, sides, done) if colliding.seen else ()
    return _Knot(tuple(now.values()), tuple(turn for turn in hits if turn), turns, done.stunned, done.wounded)


def _turns_of(number: int, sides: list[Side], done: ClashOutcome) -> tuple[Turn, ...]:
    """What everybody rolled whose acts collided, in the order in which they acted."""
    by_name = {side.who: side for side in sides}
    return tuple(
        Turn(
            *(number, who, by_name[who].act, by_name[who].code),
            *(
                _seen_total(done.totals[who]),
                _seen_total(done.reactions.get(who)),
                who in done.came_off,
                who in done.lost,
            ),
        )
        for turn in done.order
        for who in turn
    )


def _seen_total(total: int | Hidden | None) -> int | None:
    return total.seen() if isinstance(total, Hidden) else total


def _after(play: Play, each: Standing) -> After:
    """The state as the next round begins: stuns over, wounds kept, prepared after doing nothing (`DIE-058`)."""
    fighter = each.fighter
    idle = not fighter.acts and not each.reactions and not fighter.running and not each.stunned
    if idle:
        play.tell(f"{fighter.who} has done nothing and is prepared", "DIE-058")
    return After(fighter.who, each.wounded, idle, False, each.stunned, each.luck, each.owed)
