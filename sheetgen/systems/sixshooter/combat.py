"""Section K: a fight is challenges like any other; a crowd may count as one; failures may cost more than luck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import bad
from sheetgen.systems.sixshooter.challenges import CN, IMPOSSIBLE, Effective, check_cn

Enough = Annotated[int, Whole(1, 99)]


@dataclass(frozen=True, slots=True)
class Try:
    """One try at a challenge: the die, absent if none was rolled, and the effective Critical Number."""

    effective: CN
    die: Annotated[int, Whole(1, 99)] | None = None


@dataclass(frozen=True, slots=True)
class Combat:
    """The challenges that a fight comes to, one Critical Number each."""

    challenges: tuple[Effective, ...]


@dataclass(frozen=True, slots=True)
class FailureCost:
    """How many tries failed, and whether that is enough for the agreed effect."""

    failures: int
    applied: bool


def read_try(play: Play, tried: Try, path: str) -> tuple[bool, bool]:
    """Whether a try overcomes the challenge, and whether the hand is rolled (`SIX-023`, `SIX-025`, `SIX-Q34`)."""
    values, die, effective = play.values, tried.die, tried.effective
    if effective == IMPOSSIBLE:
        return False, False
    if die is not None and die > values.number("die.sides"):
        raise bad(f"{path}.die", f"takes a face from 1 to {values.text('die.sides')}, not {die}")
    if effective <= values.number("critical.automatic"):
        return True, False
    if die is None:
        raise bad(f"{path}.die", f"is missing: a die is rolled against {effective}", "SIX-022")
    return die >= effective, die <= effective


@procedure("SIX-055", say="what a fight comes to: a challenge for each enemy, or one for the crowd")
def combat(
    play: Play, *, enemies: Enough, cn: CN, model: Literal["each", "crowd"] = "each", crowd: CN | None = None
) -> Combat:
    """The challenges of a fight against enemies of this Critical Number; `crowd` is the number of all of them at once.

    Source: SIX-055. How much higher the number of a crowd is, the GM decides.
    """
    for path, number in (("cn", cn), ("crowd", crowd)):
        if number is not None and number != IMPOSSIBLE:
            check_cn(play.values, number, path)
    if model == "each":
        play.tell(f"{enemies} enemies, {enemies} challenges of Critical Number {cn}", "SIX-055")
        return Combat((cn,) * enemies)
    if crowd is None:
        raise bad("crowd", "is missing: a crowd has a Critical Number of its own", "SIX-055")
    if crowd != IMPOSSIBLE and (cn == IMPOSSIBLE or crowd <= cn):
        raise bad("crowd", f"takes a Critical Number above that of one enemy, {cn}; not {crowd}", "SIX-055")
    play.tell(f"{enemies} enemies as one crowd: one challenge of Critical Number {crowd}", "SIX-055")
    return Combat((crowd,))


@procedure("SIX-057", say="the optional effect of having failed so many times")
def failure_cost(play: Play, *, after: Enough, attempts: tuple[Try, ...]) -> FailureCost:
    """Whether these tries hold enough failures for an effect that the table agreed on, such as being knocked out.

    Source: SIX-057.
    """
    read = [read_try(play, tried, f"attempts[{number}]") for number, tried in enumerate(attempts, 1)]
    failures = sum(not overcome for overcome, _ in read)
    applied = failures >= after
    what = "the agreed effect applies" if applied else "no effect yet"
    play.tell(f"{failures} failures of {after}: {what}", "SIX-057")
    return FailureCost(failures, applied)
