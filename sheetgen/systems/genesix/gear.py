"""What the parameters of GeneSix take, and gear (ledger Q3): what each thing is, does, and what can be carried."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from sheetgen.model.character import Character
from sheetgen.model.data import Values
from sheetgen.model.system import System
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure

Rating: TypeAlias = Annotated[int, Whole(-99, 99)]
Count: TypeAlias = Annotated[int, Whole(0, 99)]
Marks: TypeAlias = Annotated[int, Whole(0, 999)]
Capacity: TypeAlias = Annotated[int, Whole(1, 999)]
Delta: TypeAlias = Annotated[int, Whole(-999, 999)]
Face: TypeAlias = Annotated[int, Whole(1, 6)]
Most: TypeAlias = Annotated[int, Whole(1, 60)]
Players: TypeAlias = Annotated[int, Whole(1, 99)]
Difficulty: TypeAlias = Annotated[int, Whole(-99, 99)] | Annotated[str, OneOf("difficulty")]
Threshold: TypeAlias = Capacity | Annotated[str, OneOf("challenge.sizes")]
Band: TypeAlias = Annotated[str, OneOf("range")]
Row: TypeAlias = Annotated[str, OneOf("rows")]
Effect: TypeAlias = Annotated[str, OneOf("effects")]
Tag: TypeAlias = Annotated[str, OneOf("tags")]
Hold: TypeAlias = Annotated[str, OneOf("holds")]
Size: TypeAlias = Annotated[str, OneOf("load")]
Action: TypeAlias = Annotated[str, OneOf("actions")]
Grade: TypeAlias = Annotated[str, OneOf("creation.grades")]
Pause: TypeAlias = Annotated[str, OneOf("recovery")]
Use: TypeAlias = Annotated[str, OneOf("luck.uses")]
Mode: TypeAlias = Literal["normal", "advantage", "disadvantage"]
Side: TypeAlias = Literal["pc", "npc"]
Spender: TypeAlias = Literal["players", "gm"]
Track: TypeAlias = Literal["wounds", "stress"]
_BRACKETS = re.compile(r"(.+?)\s*\(([^()]+)\)")


def spoken(word: str) -> str:
    """A reading or an effect as people say it: `critical_failure` is a critical failure."""
    return word.replace("_", " ")


def counted(number: int, thing: str) -> str:
    """A count with its noun: `1 point`, `3 points`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class GearItem:
    """One thing that is carried: its size if that is known, its tags, and as a weapon how it is used.

    `attribute` is what an attack with it draws on, `reach` the furthest band it works at (none: hand to hand),
    `track` what its harm goes to.
    """

    name: str
    size: str = ""
    tags: tuple[str, ...] = ()
    attribute: str = ""
    reach: str = ""
    track: str = "wounds"
    protective: int = 0


def things_of(system: System, character: Character) -> tuple[GearItem, ...]:
    """What a character carries, in the order of the file."""
    return things_named(system, character.lines("gear"))


def things_named(system: System, lines: tuple[str, ...]) -> tuple[GearItem, ...]:
    """The things of a gear list, each by its name in the pack or as brackets say: `sling (Small, Near)` (GEN-240)."""
    return tuple(_thing(system, line) for line in lines)


def _thing(system: System, line: str) -> GearItem:
    match, values = _BRACKETS.fullmatch(line), system.values
    words = [word.strip() for word in match[2].split(",")] if match else []
    attributes = tuple(trait.role for trait in system.group("attributes").members)

    def is_known(word: str) -> bool:
        paths = (f"{table}.{word}" for table in ("load", "tags", "range"))
        return word in attributes or ("." not in word and any(values.has(path) for path in paths))

    if match is None or not all(is_known(word) for word in words):
        return _thing_of_pack(system, line) or GearItem(line)
    thing = _thing_of_pack(system, match[1]) or GearItem(match[1])
    tags = tuple(word for word in words if values.has(f"tags.{word}"))
    return GearItem(
        match[1],
        size=next((word for word in words if values.has(f"load.{word}")), thing.size),
        tags=tuple(dict.fromkeys((*thing.tags, *tags))),
        attribute=next((word for word in words if word in attributes), thing.attribute),
        reach=next((word for word in words if values.has(f"range.{word}")), thing.reach),
        track=thing.track,
        protective=max(thing.protective, _protective(values, tags)),
    )


def _thing_of_pack(system: System, line: str) -> GearItem | None:
    """The thing of the pack that has this name, in capitals or not."""
    things = system.cast.things
    name = line if line in things else next((name for name in things if name.casefold() == line.casefold()), "")
    if not name:
        return None
    item = things[name]
    facts = {str(key): value for key, value in item.facts.items()}
    tags = tuple(map(str, facts.get("tags", ())))
    return GearItem(
        item.name,
        size=str(facts.get("size", "")),
        tags=tags,
        attribute=str(facts.get("attribute", "")),
        reach=str(facts.get("range", "")),
        track=str(facts.get("track", "wounds")),
        protective=int(str(facts.get("protective", 0))) or _protective(system.values, tags),
    )


def _protective(values: Values, tags: tuple[str, ...]) -> int:
    """What the Protective tag adds unless the thing has a figure of its own (GEN-269)."""
    return sum(values.number(f"tags.{tag}.protective") for tag in tags if values.has(f"tags.{tag}.protective"))


@dataclass(frozen=True, slots=True)
class TagsOutcome:
    """What the tags of an item add to a check made with it."""

    advantage: int
    disadvantage: int
    harmful: int
    helpful: int


def tag_sum(values: Values, tags: tuple[str, ...], figure: str) -> int:
    """What the tags add up to in one figure; a tag that stands twice counts once."""
    return sum(values.number(f"tags.{tag}.{figure}") for tag in set(tags) if values.has(f"tags.{tag}.{figure}"))


@procedure("GEN-240 GEN-241 GEN-270", say="what the tags of an item add to a check made with it")
def tags_(play: Play, *, tags: tuple[Tag, ...] = ()) -> TagsOutcome:
    """Applications and circumstances of an item's tags; GEN-240, GEN-241, GEN-270."""
    values = play.values
    figures = {name: tag_sum(values, tags, name) for name in ("advantage", "disadvantage", "harmful", "helpful")}
    if tags:
        adds = ", ".join(f"{name} {number}" for name, number in figures.items() if number)
        play.tell(f"Tags {', '.join(tags)}: {adds or 'nothing for the check'}", "GEN-240", "GEN-241", "GEN-270")
    return TagsOutcome(**figures)


@procedure("GEN-240", say="whether somebody held by an item may move from one band to another", results="allowed")
def held(play: Play, *, tag: Hold, from_: Band, to: Band) -> bool:
    """Whether the move is open, bands as seen from the item; GEN-240."""
    values, bands, path = play.values, list(play.values.names("range")), f"holds.{tag}"
    if values.has(f"{path}.leaves"):
        band = values.text(f"{path}.leaves")
        allowed, why = from_ != band or to == band, f"cannot leave {band} range of the item"
    elif values.has(f"{path}.reaches"):
        band = values.text(f"{path}.reaches")
        allowed, why = bands.index(to) <= bands.index(band), f"gets no further than {band}"
    else:
        allowed, why = False, "cannot move at all"
    play.tell(f"{tag}: the target {why}; {from_} to {to} is {'open' if allowed else 'barred'}", "GEN-240")
    return allowed


@procedure("GEN-240 GEN-271", say="how long an item holds its target, or goes on harming it", results="turns repeat")
def lasting(play: Play, *, tags: tuple[Tag, ...] = ()) -> tuple[int, int]:
    """Turns of the target and harm at each of them; GEN-271 (house default)."""
    repeat = tag_sum(play.values, tags, "repeat")
    holding = [tag for tag in tags if play.values.has(f"holds.{tag}")]
    turns = play.values.number(f"lasting.{'ongoing' if repeat else 'plain'}") if repeat or holding else 0
    if not turns:
        play.tell("Nothing holds: it is over at once", "GEN-271")
        return 0, 0
    what = " and ".join(holding) or "the item"
    harm = f", with {repeat} harm at each" if repeat else ""
    play.tell(f"{what} works until {turns} of the target's turns are over{harm}", "GEN-240", "GEN-271")
    return turns, repeat


@procedure(
    "GEN-206 GEN-242 GEN-243",
    say="what somebody carries, against what they can",
    results="load encumbrance within",
)
def load(play: Play, *, strength: Rating = 0, items: tuple[Size, ...] = ()) -> tuple[Decimal, int, bool]:
    """The loads added up against Encumbrance; too much is reported, nothing else changes; GEN-242, GEN-243, GEN-Q42."""
    carried = sum((play.values.decimal(f"load.{size}") for size in items), Decimal(0))
    limit = strength + play.values.number("derived.encumbrance.plus")
    within = carried <= limit
    end = "within the limit" if within else "more than can be carried along"
    play.tell(f"{counted(len(items), 'item')} of load {carried} against Encumbrance {limit}: {end}", "GEN-243")
    return carried, limit, within
