"""What a character means to the parameters of procedures: the ratings it uses, its weapon, its guard, its tracks."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.dice.source import Scripted
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.genesix.attacks import Attack, attacks_of
from sheetgen.systems.genesix.characters import derived, rated, ratings_of
from sheetgen.systems.genesix.gear import Thing, things_of


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """What a character means to the parameters of procedures, using `what`.

    `what` is a weapon, an attribute and an approach (`Agility, Covertly`), or empty for the best weapon; the power is
    used only where it is named. UsageError for something the character does not have.
    """
    ratings = {group: ratings_of(system, character, group) for group in ("attributes", "approaches")}
    things = things_of(system, character)
    attack = _used(attacks_of(system, character, things), character, ratings, what)
    play, marked = Play(system, Scripted([])), ratings_of(system, character, "state")
    numbers = derived(play, rated(play, "attributes", ratings["attributes"]))
    stress = marked.get("Stress", 0)
    return {
        **ratings,
        "attribute": ratings["attributes"].get(attack.attribute, 0),
        "approach": ratings["approaches"].get(attack.approach, 0),
        "monetary": ratings["attributes"].get(system.values.text("fight.bonus"), 0),
        "burdened": stress >= numbers.stress,
        "powerless": not character.text("power"),
        "range": nearest(system, attack.thing.reach, system.values.text("fight.range")) or None,
        "tags": list(attack.thing.tags),
        "track": attack.thing.track,
        "sizes": [thing.size for thing in things if thing.size],
        "toughness": numbers.toughness,
        "protective": sum(thing.protective for thing in things),
        "wounds_capacity": numbers.wounds,
        "stress_capacity": numbers.stress,
        "wounds": marked.get("Wounds", 0),
        "stress": stress,
    }


def _used(
    ways: tuple[Attack, ...], character: Character, ratings: Mapping[str, Mapping[str, int]], what: str
) -> Attack:
    if not what:
        return max((each for each in ways if each.thing.track == "wounds" and not each.power), key=_promise)
    for attack in ways:
        if attack.thing.name.casefold() == what.casefold():
            return attack
    words = {word.strip().capitalize() for word in what.split(",")}
    named = [next((name for name in ratings[group] if name in words), "") for group in ("attributes", "approaches")]
    if all(named) and len(words) == len(named):
        total = ratings["attributes"][named[0]] + ratings["approaches"][named[1]]
        return Attack(Thing(what), named[0], named[1], total)
    names = [attack.thing.name for attack in ways]
    near = suggestion(what, names) or f"; there are {', '.join(names)}, or two ratings as in 'Agility, Covertly'"
    raise UsageError(f"{character.text('name')} has no {quoted(what)}{near}")


def _promise(attack: Attack) -> tuple[int, bool]:
    return attack.total, bool(attack.thing.tags)


def nearest(system: System, reach: str, band: str) -> str:
    """The band, or how far the weapon reaches if that is less; nothing for one used hand to hand."""
    bands = list(map(str, system.values.at("bands")))
    return min(reach, band, key=bands.index) if reach else ""
