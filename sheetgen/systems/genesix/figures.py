"""Figures for the sheet, what a character fills in for procedures, and what makes one illegal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from sheetgen.dice.source import Scripted
from sheetgen.errors import Place, Problem, UsageError, quoted, suggestion
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.genesix.characters import DeriveOutcome, derived, rated, ratings_of
from sheetgen.systems.genesix.combat import Attack, attacks_of
from sheetgen.systems.genesix.equipment import load
from sheetgen.systems.genesix.gear import Thing, things_of
from sheetgen.systems.genesix.tags import tag_figures

BOXES = 15  # of each track on the sheet; new characters need 12 and 13 (GEN-207, GEN-277)
MOST_THINGS, MOST_ATTACKS = 7, 4
MARKED, BEYOND = "×", "–"
MINUS = "−"


def figures(system: System, character: Character) -> Mapping[str, str]:
    """Every figure of the sheet by name; characters without attributes have none that follow from them."""
    attributes = ratings_of(system, character, "attributes")
    approaches = ratings_of(system, character, "approaches")
    things = things_of(system, character)
    found: dict[str, str] = dict(_gear(system, things))
    if not attributes and not approaches:
        return found
    numbers = derived(Play(system, Scripted([])), rated(Play(system, Scripted([])), "attributes", attributes))
    found.update(_sums(system, character, attributes, approaches))
    found.update(_tracks(character, numbers, ratings_of(system, character, "state")))
    found.update(_guard(things, numbers))
    found.update(_load(system, things, attributes, numbers))
    found.update(_fight(system, attacks_of(system, character, things)))
    return found


def signed(number: int) -> str:
    """A modifier as it is printed: +2, 0, −1."""
    return f"{number:+d}".replace("-", MINUS) if number else "0"


def _sums(
    system: System, character: Character, attributes: Mapping[str, int], approaches: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """What is added to two dice, for each attribute with each approach; Monetary is no attribute of a check (GEN-Q34).

    The approach of powers has sums only for those who have one (`GEN-262`).
    """
    bonus, power = system.values.text("fight.bonus"), system.values.text("creation.power")
    for attribute in attributes:
        for approach in approaches:
            closed = approach == power and not character.text("power")
            if attribute != bonus:
                total = signed(attributes[attribute] + approaches[approach])
                yield f"sum.{attribute}.{approach}", BEYOND if closed else total


def _tracks(character: Character, numbers: DeriveOutcome, marks: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Capacity of each track, and its boxes that are marked or lie beyond it; open ones stay empty (`GEN-203`)."""
    for name, capacity in (("wounds", numbers.wounds), ("stress", numbers.stress)):
        yield name, str(capacity)
        marked = marks.get(name.capitalize(), 0)
        for box in range(1, BOXES + 1):
            if box <= min(marked, capacity) or box > capacity:
                yield f"{name}.{box}", MARKED if box <= capacity else BEYOND


def _guard(things: tuple[Thing, ...], numbers: DeriveOutcome) -> Iterator[tuple[str, str]]:
    """Toughness, and what it comes to with what is worn (`GEN-205`, `GEN-269`)."""
    worn = [thing for thing in things if thing.protective]
    yield "toughness", signed(numbers.toughness)
    resist = max(numbers.toughness + sum(thing.protective for thing in worn), 0)
    yield "resists", str(resist)
    if worn:
        yield "guard.worn", ", ".join(thing.name for thing in worn)


def _load(
    system: System, things: tuple[Thing, ...], attributes: Mapping[str, int], numbers: DeriveOutcome
) -> Iterator[tuple[str, str]]:
    sizes = tuple(thing.size for thing in things if thing.size)
    carried = load(Play(system, Scripted([])), strength=attributes.get("Strength", 0), items=sizes)
    yield "load.limit", str(numbers.encumbrance)
    yield "load.carried", plain(carried.load)


def plain(number: Decimal) -> str:
    """A load without needless noughts, halves as ½."""
    whole, half = divmod(number, 1)
    return f"{whole or '' if half else whole}{'½' if half else ''}"


def _gear(system: System, things: tuple[Thing, ...]) -> Iterator[tuple[str, str]]:
    """The rows of the gear table; things without a row are named together."""
    for number, thing in enumerate(things[:MOST_THINGS], 1):
        yield f"item.{number}.name", _capital(thing.name)
        if thing.size:
            yield f"item.{number}.load", plain(system.values.decimal(f"load.{thing.size}"))
        yield f"item.{number}.tags", _tags(thing)
    if things[MOST_THINGS:]:
        yield "item.more", " · ".join(_capital(_said(thing)) for thing in things[MOST_THINGS:])


def _said(thing: Thing) -> str:
    about = ", ".join(filter(None, (thing.size, _tags(thing))))
    return f"{thing.name} ({about})" if about else thing.name


def _tags(thing: Thing) -> str:
    """Tags with the figure of Protective where it is not the usual one."""
    more = f" {thing.protective}" if thing.protective > 1 else ""
    return ", ".join(f"{tag}{more}" if tag == "Protective" else tag for tag in thing.tags)


def _fight(system: System, ways: tuple[Attack, ...]) -> Iterator[tuple[str, str]]:
    """The rows of the fight table, best weapon first, then bare hands, words and the power as far as there is room."""
    weapons = [attack for attack in ways if attack.thing.size][: MOST_ATTACKS - 2]
    others = [attack for attack in ways if not attack.thing.size]
    powers = [attack for attack in others if attack.power]
    hands = others[:1] if len(weapons) + len(powers) < MOST_ATTACKS - 1 else []
    rows = [*weapons, *powers, *hands, *others[1:2]][:MOST_ATTACKS]
    for number, attack in enumerate(rows, 1):
        yield f"fight.{number}.name", _capital(attack.thing.name)
        yield f"fight.{number}.sum", signed(attack.total)
        yield f"fight.{number}.with", f"{attack.attribute}, {attack.approach}"
        yield f"fight.{number}.against", _against(system, attack)
        yield f"fight.{number}.does", _does(system, attack)
    yield (
        "fight",
        "\n".join(f"{_capital(each.thing.name)} {signed(each.total)}, {_brief(system, each)}" for each in rows),
    )


def _against(system: System, attack: Attack) -> str:
    """What the attack is rolled against: their roll, or the number of each band in reach (`GEN-270`, `GEN-276`)."""
    if attack.power:
        return "as the GM sets"
    if not attack.thing.reach:
        return "their roll"
    bands = list(map(str, system.values.at("bands")))
    tags = tag_figures(Play(system, Scripted([])), attack.thing.tags)
    shift = tags.harmful * system.values.number("circumstance.harmful")
    shift += tags.helpful * system.values.number("circumstance.helpful")
    within = bands[: bands.index(attack.thing.reach) + 1]
    return " · ".join(f"{band} {system.values.number(f'range.{band}') + shift}" for band in within)


def _does(system: System, attack: Attack) -> str:
    if attack.power:
        return "costs its Delta"
    return ", ".join((attack.thing.track.capitalize(), *_telling(system, attack)))


def _telling(system: System, attack: Attack) -> tuple[str, ...]:
    """The tags that the numbers of a shot do not already hold."""
    counted = ("harmful", "helpful") if attack.thing.reach else ()
    return tuple(
        tag for tag in attack.thing.tags if not any(system.values.has(f"tags.{tag}.{figure}") for figure in counted)
    )


def _brief(system: System, attack: Attack) -> str:
    where = _against(system, attack) if attack.thing.reach else "hand to hand"
    where = "costs its Delta" if attack.power else "to Stress" if attack.thing.track == "stress" else where
    return ", ".join((where, *_telling(system, attack)))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


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
