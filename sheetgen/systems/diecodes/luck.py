"""Luck points (ledger part F): doubling every code for a round, cheating death, and what of a point comes back."""

from __future__ import annotations

from typing import Literal

from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import Count, Manner


@procedure(
    "DIE-045 DIE-046 DIE-047 DIE-050 DIE-051 DIE-053 DIE-054",
    say="a luck point spent: every code doubled for a round, or death cheated",
    results="now at_end owed",
)
def luck(
    play: Play,
    *,
    points: Count,
    effect: Literal["double", "cheat_death"],
    manner: Manner = "unheroic",
    bonus: bool | None = None,
    explanation: str = "",
    doubled: bool = False,
    doomed: bool = True,
) -> tuple[int, int, int]:
    """What is left of the points and what comes back when the adventure ends (`DIE-053`, `DIE-Q18`).

    Refused without a point (`DIE-054`), for doubling what is `doubled` already (`DIE-Q19`), and for cheating a death
    that is not certain (`doomed`, `DIE-050`) or without telling how (`DIE-051`).
    """
    if effect == "double":
        if doubled:
            raise Refused("doubled", "doubled: the codes double only once in a round", "DIE-Q19")
    elif not doomed:
        raise Refused("doomed", "doomed: a death is cheated when a failed roll leaves nothing but death", "DIE-050")
    elif not explanation.strip():
        raise Refused("explanation", "explanation: the player must tell how the escape came about", "DIE-051")
    now = spend(play, points)
    if effect == "double":
        factor = play.values.number("luck.factor")
        play.tell(f"a luck point: every stat and skill counts {factor} times its code this round", "DIE-047")
    else:
        play.tell(f"a luck point, and the character is safe: {explanation.strip()}", "DIE-050", "DIE-051")
    owed = comes_back(play, manner, bonus)
    play.tell(f"{now} held now, {now + owed} when the adventure ends", "DIE-053")
    return now, now + owed, owed


def spend(play: Play, points: int) -> int:
    """The points left when one is spent; Refused when none is held (`DIE-054`)."""
    cost = play.values.number("luck.cost")
    if points < cost:
        raise Refused("points", f"points: a luck point can be spent only if held, and {points} are", "DIE-054")
    return points - cost


def comes_back(play: Play, manner: str, bonus: bool | None) -> int:
    """The points owed for a spent one when the adventure ends (`DIE-053`); no word on the bonus: by `DIE-Q18`."""
    with_extra = play.ruling("DIE-Q18") == "extra point" if bonus is None else bonus
    back, extra = play.values.number(f"luck.back.{manner}"), play.values.number(f"luck.extra.{manner}")
    owed = back + extra * with_extra
    play.tell(f"the manner was {manner}: {owed or 'nothing'} comes back when the adventure ends", "DIE-053")
    return owed
