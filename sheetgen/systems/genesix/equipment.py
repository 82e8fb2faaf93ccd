"""Equipment (ledger Q3): what can be carried, and how extraordinary gear is come by."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, TypeAlias

from sheetgen.rules.procedures.parameters import OneOf
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.genesix.checks import Call, Ratings, called, resolve
from sheetgen.systems.genesix.tags import Mode, Rating, Row, counted, results

Size: TypeAlias = Annotated[str, OneOf("load")]


@dataclass(frozen=True, slots=True)
class LoadOutcome:
    """What is carried, what can be, and whether the one keeps within the other."""

    load: Decimal
    encumbrance: int
    within: bool


@dataclass(frozen=True, slots=True)
class AcquireOutcome:
    """Whether a check is needed, and what it came to if so."""

    check_needed: bool
    mode: Mode | None = None
    kept: tuple[int, ...] | None = None
    result: int | None = None
    target: int | None = None
    success: bool | None = None
    delta: int | None = None
    quality: str | None = None
    row: Row | None = None


@procedure("GEN-206", "GEN-242", "GEN-243", say="what somebody carries, against what they can")
def load(play: Play, *, strength: Rating = 0, items: tuple[Size, ...] = ()) -> LoadOutcome:
    """The loads added up against Encumbrance; too much is reported, nothing else changes; GEN-242, GEN-243, GEN-Q42."""
    carried = sum((play.values.decimal(f"load.{size}") for size in items), Decimal(0))
    limit = strength + play.values.number("derived.encumbrance.plus")
    within = carried <= limit
    end = "within the limit" if within else "more than can be carried along"
    play.tell(f"{counted(len(items), 'item')} of load {carried} against Encumbrance {limit}: {end}", "GEN-243")
    return LoadOutcome(carried, limit, within)


@procedure("GEN-007", "GEN-008", "GEN-009", "GEN-202", "GEN-245", "GEN-246", say="coming by gear")
@taking(Ratings, Call)
def acquire(play: Play, ratings: Ratings, call: Call, *, mundane: bool = False) -> AcquireOutcome:
    """No check for everyday gear; for the rest a check with Monetary added, a negative one too; GEN-245, GEN-246."""
    if mundane:
        play.tell("Everyday gear is simply had, at a fitting moment and at the GM's word", "GEN-245")
        return AcquireOutcome(False)
    play.tell("Extraordinary gear takes a check, Monetary added", "GEN-246")
    came = resolve(play, ratings, *called(play, call))
    return AcquireOutcome(True, **results(came))
