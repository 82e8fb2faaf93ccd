"""Tags of gear (ledger Q3): what they add to a check and to harm, whom they hold, and for how long."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from sheetgen.model.data import Values
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure

T = TypeVar("T")

Rating: TypeAlias = Annotated[int, Whole(-99, 99)]
Count: TypeAlias = Annotated[int, Whole(0, 99)]
Marks: TypeAlias = Annotated[int, Whole(0, 999)]
Capacity: TypeAlias = Annotated[int, Whole(1, 999)]
Delta: TypeAlias = Annotated[int, Whole(-999, 999)]
Face: TypeAlias = Annotated[int, Whole(1, 6)]
Difficulty: TypeAlias = Annotated[int, Whole(-99, 99)] | Annotated[str, OneOf("difficulty")]
Band: TypeAlias = Annotated[str, OneOf("range")]
Row: TypeAlias = Annotated[str, OneOf("rows")]
Effect: TypeAlias = Annotated[str, OneOf("effects")]
Tag: TypeAlias = Annotated[str, OneOf("tags")]
Hold: TypeAlias = Annotated[str, OneOf("holds")]
Mode: TypeAlias = Literal["normal", "advantage", "disadvantage"]
Side: TypeAlias = Literal["pc", "npc"]
Track: TypeAlias = Literal["wounds", "stress"]


def results(outcome: Any) -> dict[str, Any]:
    """The results of an outcome by name, for the outcome of a procedure that contains the other."""
    return {each.name: getattr(outcome, each.name) for each in fields(outcome)}


def signed(number: int, name: str) -> str:
    """A modifier as it is said at the table: `+ Attribute 2`, `- Approach 1`."""
    return f"{'-' if number < 0 else '+'} {name} {abs(number)}"


def counted(number: int, thing: str) -> str:
    """A count with its noun: `1 point`, `3 points`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class TagsOutcome:
    """What the tags of an item add to a check made with it."""

    advantage: int
    disadvantage: int
    harmful: int
    helpful: int


@dataclass(frozen=True, slots=True)
class HeldOutcome:
    """Whether a held character may go there."""

    allowed: bool


@dataclass(frozen=True, slots=True)
class LastingOutcome:
    """For how many turns of the target an item goes on working, and the harm at each of them."""

    turns: int
    repeat: int


def tag_sum(values: Values, tags: tuple[str, ...], figure: str) -> int:
    """What the tags add up to in one figure; a tag that stands twice counts once."""
    paths = [f"tags.{tag}.{figure}" for tag in dict.fromkeys(tags)]
    return sum(values.number(path) for path in paths if values.has(path))


def tag_figures(play: Play, tags: tuple[str, ...]) -> TagsOutcome:
    """What the tags add to a check, told in the log (GEN-240, GEN-241, GEN-270)."""
    figures = {name: tag_sum(play.values, tags, name) for name in ("advantage", "disadvantage", "harmful", "helpful")}
    if tags:
        adds = ", ".join(f"{name} {number}" for name, number in figures.items() if number)
        play.tell(f"Tags {', '.join(tags)}: {adds or 'nothing for the check'}", "GEN-240", "GEN-241", "GEN-270")
    return TagsOutcome(**figures)


@procedure("GEN-240", "GEN-241", "GEN-270", say="what the tags of an item add to a check made with it")
def tags(play: Play, *, tags: tuple[Tag, ...] = ()) -> TagsOutcome:
    """Applications and circumstances of an item's tags; GEN-240, GEN-241, GEN-270."""
    return tag_figures(play, tags)


@procedure("GEN-240", say="whether somebody held by an item may move from one band to another")
def held(play: Play, *, tag: Hold, from_: Band, to: Band) -> HeldOutcome:
    """Whether the move is open, bands as seen from the item; GEN-240."""
    bands = list(play.values.names("range"))
    leaves, reaches = f"holds.{tag}.leaves", f"holds.{tag}.reaches"
    if play.values.has(leaves):
        band = play.values.text(leaves)
        allowed, why = from_ != band or to == band, f"cannot leave {band} range of the item"
    elif play.values.has(reaches):
        band = play.values.text(reaches)
        allowed, why = bands.index(to) <= bands.index(band), f"gets no further than {band}"
    else:
        allowed, why = False, "cannot move at all"
    play.tell(f"{tag}: the target {why}; {from_} to {to} is {'open' if allowed else 'barred'}", "GEN-240")
    return HeldOutcome(allowed)


@procedure("GEN-240", "GEN-271", say="how long an item holds its target, or goes on harming it")
def lasting(play: Play, *, tags: tuple[Tag, ...] = ()) -> LastingOutcome:
    """Turns of the target and harm at each of them; GEN-271 (house default)."""
    repeat = tag_sum(play.values, tags, "repeat")
    holding = [tag for tag in tags if play.values.has(f"holds.{tag}")]
    turns = 0
    if repeat:
        turns = play.values.number("lasting.ongoing")
    elif holding:
        turns = play.values.number("lasting.plain")
    if not turns:
        play.tell("Nothing holds: it is over at once", "GEN-271")
        return LastingOutcome(0, 0)
    what = " and ".join(holding) or "the item"
    harm = f", with {repeat} harm at each" if repeat else ""
    play.tell(f"{what} works until {turns} of the target's turns are over{harm}", "GEN-240", "GEN-271")
    return LastingOutcome(turns, repeat)
