"""Unnatural powers (ledger Q1): checks like any other, paid for with Stress or Wounds."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.genesix.checks import Call, CheckOutcome, Ratings, called, resolve
from sheetgen.systems.genesix.terms import counted, results


@dataclass(frozen=True, slots=True)
class Price:
    """What a power costs whoever used it, in points."""

    stress: int
    wounds: int


@dataclass(frozen=True, slots=True)
class UnnaturalOutcome(CheckOutcome):
    """A check with a power, and its price."""

    stress: int
    wounds: int


def price_of(play: Play, who: str, success: bool, delta: int) -> Price:
    """The size of a Delta as Stress after a success, as Wounds after a failure (GEN-214, GEN-Q35)."""
    price = Price(delta, 0) if success else Price(0, delta)
    pays = counted(delta, "point") + (" of Stress" if success else " of Wounds") if delta else "nothing"
    play.tell(f"The price of the power: {who} suffers {pays}", "GEN-214")
    return price


@procedure(
    *("GEN-007", "GEN-008", "GEN-009", "GEN-213", "GEN-214", "GEN-262", "GEN-268"),
    say="a check with an unnatural power, and its price",
)
@taking(Ratings, Call)
def unnatural(play: Play, ratings: Ratings, call: Call, *, powerless: bool = False) -> UnnaturalOutcome:
    """A normal check whose Delta is also the price, which Toughness does not lessen; GEN-213, GEN-214, GEN-268."""
    if powerless:
        raise Refused("powerless", "a character without an unnatural power cannot act unnaturally", "GEN-262")
    came = resolve(play, ratings, *called(play, call))
    price = price_of(play, "the one who acted", came.success, abs(came.delta))
    return UnnaturalOutcome(**results(came), stress=price.stress, wounds=price.wounds)
