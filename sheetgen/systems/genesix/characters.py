"""Characters (ledger Q1 and R): derived numbers, the limits of a new character, growth, and rolling one up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from sheetgen.dice.paths import PathDice
from sheetgen.errors import suggestion
from sheetgen.model.character import Character
from sheetgen.model.outcome import Named
from sheetgen.model.system import System
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.tags import Rating

Grade: TypeAlias = Annotated[str, OneOf("creation.grades")]
TABLES = {"attributes": "attribute die", "approaches": "approach die"}


@dataclass(frozen=True, slots=True)
class DeriveOutcome:
    """The four numbers that follow from the attributes."""

    wounds: int
    stress: int
    toughness: int
    encumbrance: int


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """Whether a new character keeps the limits, and what does not."""

    attribute_sum: int
    approach_sum: int
    valid: bool
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GrowOutcome:
    """A rating after a milestone."""

    value: int


@dataclass(frozen=True, slots=True)
class RandomBuildOutcome(DeriveOutcome):
    """A character by dice, with the numbers that follow."""

    attributes: Named[str, int]
    approaches: Named[str, int]


def rated(play: Play, group: str, given: Mapping[str, int]) -> dict[str, int]:
    """Every rating of a group in the pack's order, 0 where none is given; a name of another group is refused."""
    names = [trait.role for trait in play.system.group(group).members]
    for name in given:
        if name not in names:
            near = suggestion(name, names) or f"; there are {', '.join(names)}"
            raise Refused("unknown_rating", f"{group}: there is no {name}{near}", "GEN-200")
    return {name: given.get(name, 0) for name in names}


def ratings_of(system: System, character: Character, group: str) -> dict[str, int]:
    """Every rating of a group by role as a character has it, 0 where none is written; empty if the group is missing."""
    held = character.numbers(group)
    return {trait.role: held.get(trait.name, 0) for trait in system.group(group).members} if held else {}


def derived(play: Play, attributes: Mapping[str, int]) -> DeriveOutcome:
    """The four numbers, each the sum of some attributes and a constant (GEN-203 to GEN-206)."""
    found = {}
    for name, rule in zip(
        ("wounds", "stress", "toughness", "encumbrance"), ("GEN-203", "GEN-204", "GEN-205", "GEN-206"), strict=True
    ):
        of, plus = tuple(map(str, play.values.at(f"derived.{name}.of"))), play.values.number(f"derived.{name}.plus")
        found[name] = sum(attributes[each] for each in of) + plus
        parts = " + ".join(f"{each} {attributes[each]}" for each in of) + (f" + {plus}" if plus else "")
        play.tell(f"{name.capitalize()}: {parts} = {found[name]}", rule)
    return DeriveOutcome(**found)


@procedure("GEN-200", "GEN-203", "GEN-204", "GEN-205", "GEN-206", "GEN-207", say="the four numbers of a character")
def derive(play: Play, *, attributes: Mapping[str, Rating]) -> DeriveOutcome:
    """Wounds, Stress, Toughness and Encumbrance; Monetary feeds none of them; GEN-203 to GEN-206."""
    return derived(play, rated(play, "attributes", attributes))


def faults_of(play: Play, group: str, ratings: Mapping[str, int]) -> tuple[str, ...]:
    """What of a group breaks the limits of a new character (GEN-201, GEN-209, GEN-210)."""
    path = f"creation.{group}"
    low, high = play.values.number(f"{path}.low"), play.values.number(f"{path}.high")
    most, total = play.values.number(f"{path}.sum"), sum(ratings.values())
    faults = [
        f"{name} {rating} is not from {low} to {high}" for name, rating in ratings.items() if not low <= rating <= high
    ]
    if total > most:
        faults.append(f"{group} add up to {total}, {most} at most")
    return tuple(faults)


@procedure("GEN-200", "GEN-201", "GEN-207", "GEN-209", "GEN-210", say="whether a new character keeps the limits")
def check_build(play: Play, *, attributes: Mapping[str, Rating], approaches: Mapping[str, Rating]) -> BuildOutcome:
    """Each rating within its range and each sum at most at its limit; points may be left; GEN-201, GEN-210, GEN-Q33."""
    first, second = rated(play, "attributes", attributes), rated(play, "approaches", approaches)
    faults = (*faults_of(play, "attributes", first), *faults_of(play, "approaches", second))
    sums = sum(first.values()), sum(second.values())
    end = "; ".join(faults) or "within the limits"
    play.tell(f"Attributes add up to {sums[0]}, approaches to {sums[1]}: {end}", "GEN-201", "GEN-209", "GEN-210")
    return BuildOutcome(*sums, not faults, faults)


@procedure("GEN-216", "GEN-209", "GEN-263", say="a rating raised at a milestone")
def grow(play: Play, *, what: Annotated[int, Whole(-99, 99)], kind: Literal["attribute", "approach"]) -> GrowOutcome:
    """The rating and one more; an approach has a ceiling, an attribute has none in play; GEN-216, GEN-Q33."""
    value, ceiling = what + play.values.number(f"growth.{kind}"), play.values.number("growth.highest_approach")
    if kind == "approach" and value > ceiling:
        raise Refused("ceiling", f"what: an approach at {what} cannot grow, it ends at {ceiling:+d}", "GEN-216")
    play.tell(f"A milestone: {kind} {what:+d} becomes {value:+d}", "GEN-216")
    return GrowOutcome(value)


def pick(play: Play, names: tuple[str, ...], open_: tuple[int, ...], what: str) -> int:
    """The place of a name that a d6 names among those open; other faces are rolled again (GEN-260)."""
    if not open_:
        raise Refused("nothing_left", f"{what}: no rating is left to change", "GEN-260")
    if isinstance(play.dice, PathDice):
        # Whatever was rolled again before, each open name has the same share: the loop in closed form.
        return open_[play.dice.choose(len(open_), what)]
    rounds = 0
    while True:
        play.again(rounds, what)
        face = play.dice.roll(1, play.values.number("dice.sides"), what)[0]
        if face - 1 in open_:
            play.tell(f"{what}: {face}, {names[face - 1]}", "GEN-260")
            return face - 1
        play.tell(f"{what}: {face} ({names[face - 1]}), rolled again", "GEN-260", "GEN-262")
        rounds += 1


def throw_ratings(play: Play, group: str, grade: str, closed: tuple[str, ...]) -> tuple[int, ...]:
    """The ratings of a group by dice: some lowered, then others raised (GEN-260, GEN-261)."""
    path, table = f"creation.grades.{grade}.{group}", play.system.tables[TABLES[group]]
    members = [trait.role for trait in play.system.group(group).members]
    names = tuple(table.row(face)["is"] for face in table.over)
    open_ = tuple(place for place, name in enumerate(names) if name in members and name not in closed)
    ratings = [0] * len(names)
    for _ in range(play.values.number(f"{path}.lower")):
        ratings[pick(play, names, open_, f"{group} lowered")] -= 1
    raisable = tuple(place for place in open_ if not ratings[place])
    top = play.values.number(f"creation.{group}.high")
    for _ in range(play.values.number(f"{path}.raise")):
        room = tuple(place for place in raisable if ratings[place] < top)
        ratings[pick(play, names, room, f"{group} raised")] += 1
    by_name = dict(zip(names, ratings, strict=True))
    return tuple(by_name.get(name, 0) for name in members)


@procedure("GEN-200", "GEN-209", "GEN-260", "GEN-261", "GEN-262", "GEN-120", say="a character rolled up by dice")
def random_build(play: Play, *, grade: Grade, unnatural: bool = False) -> RandomBuildOutcome:
    """Attributes, then approaches, some lowered and others raised by a d6; GEN-260 to GEN-262 (house defaults)."""
    closed = () if unnatural else (play.values.text("creation.power"),)
    found = {}
    for group in TABLES:
        values = play.part(throw_ratings, group, grade, closed)
        names = [trait.role for trait in play.system.group(group).members]
        found[group] = dict(zip(names, values, strict=True))
        play.tell(", ".join(f"{name} {rating:+d}" for name, rating in found[group].items()), "GEN-260", "GEN-261")
    numbers = derived(play, found["attributes"])
    return RandomBuildOutcome(
        *(numbers.wounds, numbers.stress, numbers.toughness, numbers.encumbrance),
        *(Named(found["attributes"]), Named(found["approaches"])),
    )
