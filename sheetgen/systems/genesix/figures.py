"""The figures a GM looks up at the table: sums of attribute and approach, tracks, load, and how somebody fights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from sheetgen.dice.source import Scripted
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.genesix.attacks import Attack, attacks_of
from sheetgen.systems.genesix.characters import DeriveOutcome, derived, rated, ratings_of
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
