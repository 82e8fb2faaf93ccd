"""Acts that collide in one segment (ledger part M2): the rolls themselves say who is first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby

from sheetgen.dice.paths import Hidden
from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import codes_of
from sheetgen.systems.diecodes.declaring import check_names
from sheetgen.systems.diecodes.difficulty import Number, number_of, total_of
from sheetgen.systems.diecodes.wild import Wild


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


@procedure(
    *("DIE-049", "DIE-120", "DIE-121", "DIE-122", "DIE-208", "DIE-212", "DIE-213", "DIE-214", "DIE-216", "DIE-225"),
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
            done = reached.get(side.who, totals[side.who] > 0)
            told = f"{side.who} acts on {totals[side.who]}"
            target = side.stuns or side.wounds or ""
            reply = answer(side) if done and target not in stunned else None
            if reply is not None:
                reactions[side.who] = reply
                done = play.is_higher(totals[side.who], reply)
            play.tell(f"{told}: {side.act} {'comes off' if done else 'fails'}", "DIE-212", "DIE-213")
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
