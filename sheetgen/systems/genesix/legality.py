"""What a GeneSix character file must keep beyond the shapes and ranges that its pack declares."""

from __future__ import annotations

from collections.abc import Iterator

from sheetgen.dice.source import Scripted
from sheetgen.errors import Place, Problem
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.genesix.characters import derived, rated, ratings_of
from sheetgen.systems.genesix.equipment import load
from sheetgen.systems.genesix.gear import things_of

STATE, MILESTONES = "state", "Milestones"
RULES = {"attributes": "GEN-201", "approaches": "GEN-210"}
TRACKS = ("Wounds", "Stress")


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of a character: ratings its milestones do not explain, a power it lacks, full tracks, its load."""
    return (
        *_ratings(system, character),
        *_power(system, character),
        *_marks(system, character),
        *_burden(system, character),
    )


def grown(system: System, group: str, ratings: dict[str, int]) -> int:
    """How many milestones at least it took to come to these ratings from a legal start (`GEN-216`, `GEN-Q33`)."""
    high, most = system.values.number(f"creation.{group}.high"), system.values.number(f"creation.{group}.sum")
    beyond = sum(max(rating - high, 0) for rating in ratings.values())
    return max(beyond, sum(ratings.values()) - most, 0)


def _ratings(system: System, character: Character) -> Iterator[Problem]:
    """What breaks the limits of creation and was not grown since (`GEN-201`, `GEN-210`, `GEN-216`)."""
    passed = left = character.numbers(STATE).get(MILESTONES, 0)
    for group, rule in RULES.items():
        ratings = ratings_of(system, character, group)
        steps = grown(system, group, ratings)
        left -= steps
        if steps and left < 0:
            high, most = (system.values.number(f"creation.{group}.{end}") for end in ("high", "sum"))
            limits = f"{group} add up to {sum(ratings.values()):+d}; at the start {high:+d} each and {most:+d} in all"
            since = (
                f"one milestone raises one rating by one, and there were {passed}" if passed else "no milestone since"
            )
            yield Problem(_place(character, group), f"{limits}, {since}", rule)


def _power(system: System, character: Character) -> Iterator[Problem]:
    name = system.values.text("creation.power")
    rating = ratings_of(system, character, "approaches").get(name, 0)
    if rating and not character.text("power"):
        message = f"{name} is {rating:+d}, but the character has no power"
        yield Problem(_place(character, "approaches"), message, "GEN-262")
    if character.text("gift") and not character.text("power"):
        yield Problem(_place(character, "gift"), "a gift needs power: its kind", "GEN-211")


def _marks(system: System, character: Character) -> Iterator[Problem]:
    play = Play(system, Scripted([]))
    holds = derived(play, rated(play, "attributes", ratings_of(system, character, "attributes")))
    for name in TRACKS:
        capacity, marked = getattr(holds, name.lower()), character.numbers(STATE).get(name, 0)
        if marked > max(capacity, 0):
            message = f"{name}: {marked} marked, but the track holds {max(capacity, 0)}"
            yield Problem(_place(character, STATE), message, "GEN-263")


def _burden(system: System, character: Character) -> Iterator[Problem]:
    strength = ratings_of(system, character, "attributes").get("Strength", 0)
    sizes = tuple(thing.size for thing in things_of(system, character) if thing.size)
    carried = load(Play(system, Scripted([])), strength=strength, items=sizes)
    if not carried.within:
        message = f"gear of load {carried.load} is carried, {carried.encumbrance} at most"
        yield Problem(_place(character, "gear"), message, "GEN-243")


def _place(character: Character, field: str) -> Place:
    return character.places.get(field, character.place)
