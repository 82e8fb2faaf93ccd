"""Characters (ledger Q1 and R): derived numbers, the limits of a new character, growth, and rolling one up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheetgen.dice.paths import PathDice
from sheetgen.errors import suggestion
from sheetgen.model.character import Character
from sheetgen.model.outcome import Named
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.terms import Grade, Rating

TABLES = {"attributes": "attribute die", "approaches": "approach die"}


@dataclass(frozen=True, slots=True)
class DeriveOutcome:
    """The four numbers that follow from the attributes."""

    wounds: int
    stress: int
    toughness: int
    encumbrance: int


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
    numbers = {}
    rules = {"wounds": "GEN-203", "stress": "GEN-204", "toughness": "GEN-205", "encumbrance": "GEN-206"}
    for name, rule in rules.items():
        of, plus = map(str, play.values.at(f"derived.{name}.of")), play.values.number(f"derived.{name}.plus")
        added = {each: attributes[each] for each in of}
        numbers[name] = sum(added.values()) + plus
        parts = " + ".join(f"{each} {rating}" for each, rating in added.items()) + (f" + {plus}" if plus else "")
        play.tell(f"{name.capitalize()}: {parts} = {numbers[name]}", rule)
    return DeriveOutcome(**numbers)


@procedure("GEN-200 GEN-203 GEN-204 GEN-205 GEN-206 GEN-207", say="the four numbers of a character")
def derive(play: Play, *, attributes: Mapping[str, Rating]) -> DeriveOutcome:
    """Wounds, Stress, Toughness and Encumbrance; Monetary feeds none of them; GEN-203 to GEN-206."""
    return derived(play, rated(play, "attributes", attributes))


@procedure(
    "GEN-200 GEN-201 GEN-207 GEN-209 GEN-210",
    say="whether a new character keeps the limits",
    results="attribute_sum approach_sum valid faults",
)
def check_build(
    play: Play, *, attributes: Mapping[str, Rating], approaches: Mapping[str, Rating]
) -> tuple[int, int, bool, tuple[str, ...]]:
    """Each rating within its range and each sum at most at its limit; points may be left; GEN-201, GEN-210, GEN-Q33."""
    sums, faults = [], []
    for group, given in (("attributes", attributes), ("approaches", approaches)):
        ratings, limits = rated(play, group, given), play.values.numbers(f"creation.{group}")
        low, high, most = limits["low"], limits["high"], limits["sum"]
        sums.append(sum(ratings.values()))
        wrong = {name: rating for name, rating in ratings.items() if not low <= rating <= high}
        faults += [f"{name} {rating} is not from {low} to {high}" for name, rating in wrong.items()]
        faults += [f"{group} add up to {sums[-1]}, {most} at most"] if sums[-1] > most else []
    end = "; ".join(faults) or "within the limits"
    play.tell(f"Attributes add up to {sums[0]}, approaches to {sums[1]}: {end}", "GEN-201", "GEN-209", "GEN-210")
    return sums[0], sums[1], not faults, tuple(faults)


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


def throw_ratings(play: Play, group: str, grade: str, closed: tuple[str, ...]) -> Named[str, int]:
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
    return Named({name: by_name.get(name, 0) for name in members})


@procedure(
    "GEN-200 GEN-209 GEN-260 GEN-261 GEN-262 GEN-120",
    say="a character rolled up by dice",
    results="* attributes approaches",
)
def random_build(
    play: Play, *, grade: Grade, unnatural: bool = False
) -> tuple[DeriveOutcome, Named[str, int], Named[str, int]]:
    """Attributes, then approaches, some lowered and others raised by a d6; GEN-260 to GEN-262 (house defaults)."""
    closed = () if unnatural else (play.values.text("creation.power"),)
    groups = dict[str, Named[str, int]]()
    for group in TABLES:
        groups[group] = play.part(throw_ratings, group, grade, closed)
        play.tell(", ".join(f"{name} {rating:+d}" for name, rating in groups[group].items()), "GEN-260", "GEN-261")
    return derived(play, groups["attributes"]), groups["attributes"], groups["approaches"]
