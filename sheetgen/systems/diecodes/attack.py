"""Attacks and reactions (ledger parts D, K and ruling DIE-Q13): a number to reach, a reaction to beat, or both."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.dice.paths import Tail
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.diecodes.codes import codes_of
from sheetgen.systems.diecodes.difficulty import Number, number_of, total_of
from sheetgen.systems.diecodes.rounds import Flags, Uses, flagged
from sheetgen.systems.diecodes.wild import Wild, throw


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """An attack: its roll, whether it reached its number, the reaction against it, and whether it hits."""

    rolled_code: str
    total: int
    success: bool
    margin: int | None
    auto_fail: bool
    wild_total: int | None
    extra: tuple[int, ...] | None
    reaction_rolled_code: str | None
    reaction_total: int | None
    hit: bool


@procedure(
    *("DIE-024", "DIE-028", "DIE-030", "DIE-069", "DIE-070", "DIE-107", "DIE-120", "DIE-121", "DIE-122"),
    say="an attack against a number, a reaction, or both",
)
@taking(Flags)
def attack(
    play: Play,
    flags: Flags,
    *,
    code: str,
    number: Number | None = None,
    reaction: str | None = None,
    wild: Wild = "table",
    reaction_uses: Uses = 1,
    reaction_running: bool = False,
    reaction_wounded: bool = False,
    reaction_doubled: bool = False,
) -> AttackOutcome:
    """A hit when the total reaches the number and beats the reaction (`DIE-Q13`).

    The reaction is rolled when the attack reached its number (`DIE-Q39`); without a number only the comparison counts.
    What the wild dice came to is told apart only when nobody reacts: a contest asks for totals.
    """
    pips, _ = flagged(play, code, "code", flags)
    aim = None if number is None else number_of(play, number)
    if reaction is None:
        return _unanswered(play, pips, aim, wild)
    answering = Flags(reaction_uses, reaction_running, reaction_wounded, doubled=reaction_doubled)
    left, _ = flagged(play, reaction, "reaction", answering)
    total = play.part(total_of, pips, wild, "the attack")
    reached, margin = _reaches(play, total, aim)
    answer = play.part(total_of, left, wild, "the reaction") if reached else None
    hit = answer is not None and total > answer
    if answer is not None:
        play.tell(f"{total} against {answer}: {'a hit' if hit else 'no hit'}", "DIE-Q13", "DIE-030")
    codes = codes_of(play)
    return AttackOutcome(
        codes.write(pips), total, reached, margin, not pips, None, None, codes.write(left), answer, hit
    )


def _unanswered(play: Play, pips: int, aim: int | None, wild: Wild) -> AttackOutcome:
    """An attack against which nobody does anything: only the number counts."""
    code = codes_of(play).write(pips)
    try:
        rolled = throw(play, pips, wild, who="the attack", aim=aim or 0)
    except Tail:
        play.settled(rolled_code=code, success=True, hit=True, auto_fail=False)
        play.settled(reaction_rolled_code=None, reaction_total=None)
        raise
    hit, margin = _reaches(play, rolled.total, aim)
    play.tell("a hit" if hit else "no hit", "DIE-Q13")
    return AttackOutcome(code, rolled.total, hit, margin, not pips, rolled.wild_total, rolled.extra, None, None, hit)


def _reaches(play: Play, total: int, aim: int | None) -> tuple[bool, int | None]:
    """Whether a total reaches the number, if there is one, and by how much (`DIE-024`); nothing rolled never does."""
    if aim is None:
        return total > 0, None
    reached = 0 < total >= aim
    play.tell(f"{total} against {aim}: {'far enough' if reached else 'not enough'}", "DIE-024")
    return reached, total - aim
