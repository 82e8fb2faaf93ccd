"""Stress and Wounds (ledger P, R): marked up to a capacity, taken away by rest; harm and what Toughness takes off.

At the end stands what is kept of somebody from session to session: milestones, marks on the two tracks, nights of rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sheetgen.model.character import Character
from sheetgen.rules.consequences import Consequence, Event, cited, levels_with, reads, trait_named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.rules.registry import engine_of
from sheetgen.systems.genesix.figures import person_of, signed
from sheetgen.systems.genesix.gear import Capacity, Count, Delta, Marks, Pause, Rating

MILESTONES, STRESS, WOUNDS = "Milestones", "Stress", "Wounds"
TRAIT_KINDS = {"attributes": "attribute", "approaches": "approach"}


@dataclass(frozen=True, slots=True)
class Change:
    """Points suffered, or recovered if negative, on one of the tracks."""

    stress: Delta | None = None
    wounds: Delta | None = None


@dataclass(frozen=True, slots=True)
class Tracks:
    """A character's two tracks: how much they hold, and what is marked; refused when that is more (GEN-263)."""

    stress_capacity: Capacity
    wounds_capacity: Capacity
    stress: Marks = 0
    wounds: Marks = 0

    def __post_init__(self) -> None:
        tracks = ("stress", self.stress, self.stress_capacity), ("wounds", self.wounds, self.wounds_capacity)
        for name, marked, holds in tracks:
            if marked > holds:
                raise Refused("over_capacity", f"{name}: {marked} marked, but the track holds {holds}", "GEN-263")

    @property
    def burdened(self) -> bool:
        """Whether Stress is full (GEN-265)."""
        return self.stress >= self.stress_capacity

    @property
    def incapacitated(self) -> bool:
        """Whether Wounds are full (GEN-264)."""
        return self.wounds >= self.wounds_capacity

    def after(self, *, stress: int = 0, wounds: int = 0) -> Tracks:
        """The tracks after a change: never under 0, Stress without room run over into Wounds (GEN-263 to GEN-265)."""
        strain = max(self.stress + stress, 0)
        over = max(strain - self.stress_capacity, 0)
        hurt = min(max(self.wounds + wounds, 0) + over, self.wounds_capacity)
        return replace(self, stress=strain - over, wounds=hurt)

    def tell(self, play: Play, why: str) -> None:
        """Tells how the tracks stand."""
        stands = f"Stress {self.stress}/{self.stress_capacity}, Wounds {self.wounds}/{self.wounds_capacity}"
        play.tell(f"{why}: {stands}", "GEN-263")
        if self.burdened:
            play.tell("Stress is full: burdened, each check with Disadvantage once more", "GEN-265")
        if self.incapacitated:
            play.tell("Wounds are full: incapacitated, no actions of any kind", "GEN-264")


@procedure(
    "GEN-091 GEN-203 GEN-204 GEN-263 GEN-264 GEN-265",
    say="points suffered and recovered",
    results="stress wounds burdened incapacitated",
)
@taking(Tracks)
def suffer(
    play: Play, tracks: Tracks, *, changes: tuple[Change, ...] = ()
) -> tuple[tuple[int, ...], tuple[int, ...], bool, bool]:
    """The tracks after each change; GEN-263 to GEN-265 (house defaults)."""
    course = [tracks]
    for number, change in enumerate(changes, 1):
        if (change.stress is None) == (change.wounds is None):
            raise Refused("change", f"changes[{number}]: takes stress or wounds, one of the two", "GEN-263")
        course.append(course[-1].after(stress=change.stress or 0, wounds=change.wounds or 0))
        points, name = (change.wounds, "Wounds") if change.stress is None else (change.stress, "Stress")
        course[-1].tell(play, f"{points:+d} {name}")
    marks = tuple(each.stress for each in course[1:]), tuple(each.wounds for each in course[1:])
    return *marks, course[-1].burdened, course[-1].incapacitated


@procedure("GEN-091 GEN-263 GEN-266", say="what a quiet scene or a night's rest takes away", results="stress wounds")
def recover(play: Play, *, stress: Marks = 0, wounds: Marks = 0, event: Pause) -> tuple[int, int]:
    """The marks left after a quiet scene or a night; GEN-266 (house default)."""

    def rested(marked: int, path: str) -> int:
        return 0 if play.values.text(path) == "all" else max(marked - play.values.number(path), 0)

    left = rested(stress, f"recovery.{event}.stress"), rested(wounds, f"recovery.{event}.wounds")
    play.tell(f"A {event} of rest: Stress {stress} to {left[0]}, Wounds {wounds} to {left[1]}", "GEN-266")
    return left


@procedure(
    "GEN-205 GEN-267 GEN-268 GEN-269",
    say="the harm of an attack, and how much gets through",
    results="harm taken",
)
def harm(
    play: Play, *, delta: Delta, toughness: Rating = 0, protective: Count = 0, piercing: Count = 0
) -> tuple[int, int]:
    """Delta as harm, Toughness taken off, one point at least; GEN-267 to GEN-269 (house defaults)."""
    values = play.values
    least = values.number("harm.least")
    if delta < 0:
        play.tell("A failed attack does no harm", "GEN-267")
        return values.number("harm.failed"), values.number("harm.failed")
    harm, resist = max(delta, least), max(0, toughness + protective - piercing)
    taken = max(harm - resist, least)
    armour = f" + {protective} protective" if protective else ""
    holes = f" - {piercing} piercing" if piercing else ""
    play.tell(f"Harm: Delta {delta}, at least {least} = {harm}", "GEN-267")
    play.tell(
        f"Toughness {toughness}{armour}{holes} resists {resist}: {harm} - {resist}, at least {least} = {taken} taken",
        *("GEN-268", "GEN-269"),
    )
    return harm, taken


@reads(on=True)
def experience(play: Play, character: Character, event: Event) -> Consequence:
    """As many milestones, each of which raises the rating named by one (`GEN-216`)."""
    if len(event.on) != event.amount:
        raise Refused("on", "each milestone raises one attribute or one approach: name it with --on", "GEN-216")
    grow, raised = engine_of(play.system).procedures["grow"], dict[str, dict[str, int]]()
    said = list[str]()
    for word in event.on:
        group, name = trait_named(play.system, TRAIT_KINDS, word)
        ratings = raised.setdefault(group, dict(character.numbers(group)))
        before = ratings.get(name, 0)
        ratings[name] = grow.run(play, {"what": before, "kind": TRAIT_KINDS[group]})["value"]
        said.append(f"{name} {signed(before)} to {signed(ratings[name])}")
    passed = person_of(play.system, character).marks.get(MILESTONES, 0) + event.amount
    state = levels_with(character, "state", {MILESTONES: passed})
    return Consequence(cited(f"milestone {passed}: {', '.join(said)}", "GEN-216"), {**raised, "state": state})


@reads(on=True)
def injury(play: Play, character: Character, event: Event) -> Consequence:
    """Points of Wounds, or of Stress where that is named; what finds no room is marked by the rules (`GEN-263`)."""
    track = trait_named(play.system, ("state",), event.one(WOUNDS, "points are marked on"))[1]
    if track == MILESTONES:
        raise Refused("on", "points are marked as Stress or Wounds", "GEN-263")
    one = person_of(play.system, character)
    change = Change(stress=event.amount) if track == STRESS else Change(wounds=event.amount)
    stress, wounds, burdened, out = suffer(
        play,
        stress_capacity=max(one.numbers.stress, 1),
        wounds_capacity=max(one.numbers.wounds, 1),
        stress=one.marks.get(STRESS, 0),
        wounds=one.marks.get(WOUNDS, 0),
        changes=(change,),
    )
    full = [(", incapacitated", "GEN-264")] * out + [(", burdened", "GEN-265")] * burdened
    return _marked(character, one.marks, stress[-1], wounds[-1], *full, rules=("GEN-263",))


@reads()
def rest(play: Play, character: Character, event: Event) -> Consequence:
    """So many nights of rest (`GEN-266`)."""
    marks = person_of(play.system, character).marks
    left = marks.get(STRESS, 0), marks.get(WOUNDS, 0)
    if not any(left):
        raise Refused("unhurt", "there is neither Stress nor a Wound to take away", "GEN-266")
    for _ in range(event.amount):
        left = recover(play, stress=left[0], wounds=left[1], event="night") if any(left) else left
    return _marked(character, marks, *left, rules=("GEN-266",))


def _marked(
    character: Character,
    marks: Mapping[str, int],
    stress: int,
    wounds: int,
    *full: tuple[str, str],
    rules: tuple[str, ...],
) -> Consequence:
    """What the tracks show after a change, and a line on those that changed."""
    after = {STRESS: stress, WOUNDS: wounds}
    said = [f"{name} {marks.get(name, 0)} to {now}" for name, now in after.items() if now != marks.get(name, 0)]
    words = (", ".join(said) or "nothing changes") + "".join(word for word, _ in full)
    told = cited(words, *rules, *(rule for _, rule in full))
    return Consequence(told, {"state": levels_with(character, "state", after)})
