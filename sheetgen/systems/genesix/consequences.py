"""What is kept of somebody from session to session: milestones, marks on the two tracks, nights of rest."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.model.character import Character
from sheetgen.rules.consequences import Consequence, Event, cited, levels_with, reads, trait_named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import engine_of
from sheetgen.systems.genesix.figures import person_of, signed
from sheetgen.systems.genesix.tracks import Change, recover, suffer

MILESTONES, STRESS, WOUNDS = "Milestones", "Stress", "Wounds"
KINDS = {"attributes": "attribute", "approaches": "approach"}


@reads(on=True)
def experience(play: Play, character: Character, event: Event) -> Consequence:
    """As many milestones, each of which raises the rating named by one (`GEN-216`)."""
    if len(event.on) != event.amount:
        raise Refused("on", "each milestone raises one attribute or one approach: name it with --on", "GEN-216")
    grow, raised = engine_of(play.system).procedures["grow"], dict[str, dict[str, int]]()
    said = list[str]()
    for word in event.on:
        group, name = trait_named(play.system, KINDS, word)
        ratings = raised.setdefault(group, dict(character.numbers(group)))
        before = ratings.get(name, 0)
        ratings[name] = grow.run(play, {"what": before, "kind": KINDS[group]})["value"]
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
