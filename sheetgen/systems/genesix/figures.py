"""Figures for the sheet, what a character fills in for procedures, and what makes one illegal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sheetgen.dice.source import Scripted
from sheetgen.errors import Problem, UsageError, quoted, suggestion
from sheetgen.model.character import Character
from sheetgen.model.scale import MINUS
from sheetgen.model.system import System
from sheetgen.model.wording import DOT, capital
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.genesix.creation import DeriveOutcome, derived, rated, ratings_of
from sheetgen.systems.genesix.gear import GearItem, load, tag_sum, things_of

BOXES = 15  # of each track on the sheet; new characters need 12 and 13 (GEN-207, GEN-277)
MOST_THINGS, MOST_ATTACKS = 7, 4
MARKED = "×"
PRICE, PAID = "costs its Delta", "at its price"  # of an attack with a power; what stands after "harms"


@dataclass(frozen=True, slots=True)
class Attack:
    """A way to attack: the thing it is done with, and the ratings that are added."""

    thing: GearItem
    attribute: str
    approach: str
    total: int
    power: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """A character with all that the sheet derives: ratings by role, things carried, the numbers that follow."""

    system: System
    character: Character
    attributes: Mapping[str, int]
    approaches: Mapping[str, int]
    marks: Mapping[str, int]
    things: tuple[GearItem, ...]
    numbers: DeriveOutcome

    @property
    def load(self) -> tuple[Decimal, int, bool]:
        """The load, the most that can be carried, and whether the one keeps within the other (GEN-243)."""
        sizes = tuple(thing.size for thing in self.things if thing.size)
        return load(Play(self.system, Scripted([])), strength=self.attributes.get("Strength", 0), items=sizes)


def person_of(system: System, character: Character) -> Person:
    """What the sheet derives of a character; ratings that the file does not have count 0."""
    play, attributes = Play(system, Scripted([])), ratings_of(system, character, "attributes")
    return Person(
        system,
        character,
        attributes,
        approaches=ratings_of(system, character, "approaches"),
        marks=ratings_of(system, character, "state"),
        things=things_of(system, character),
        numbers=derived(play, rated(play, "attributes", attributes)),
    )


def attacks_of(one: Person) -> tuple[Attack, ...]:
    """Every way a character can attack, weapons first, the best of them before the others.

    An attribute is added with the best approach for a fight; at the table the player names whichever is used
    (`GEN-005`). Unnaturally is left to those who have a power (`GEN-262`), with whichever attribute serves best
    (`GEN-213`).
    """
    values = one.system.values
    approach = max(map(str, values.at("fight.approaches")), key=lambda name: one.approaches.get(name, 0))

    def attack(thing: GearItem, attribute: str, approach: str = approach, power: bool = False) -> Attack:
        total = one.attributes.get(attribute, 0) + one.approaches.get(approach, 0)
        return Attack(thing, attribute, approach, total, power)

    weapons = [attack(thing, thing.attribute) for thing in dict.fromkeys(one.things) if thing.attribute]
    weapons.sort(key=lambda attack: -attack.total)
    hands, words = values.text("fight.hands"), values.text("fight.words")
    bare = [
        attack(GearItem("bare hands", attribute=hands), hands),
        attack(GearItem("words or fear", attribute=words, track="stress"), words),
    ]
    power = one.character.text("power").lower()
    if power:
        best = max(map(str, values.at("fight.power")), key=lambda name: one.attributes.get(name, 0))
        bare.append(attack(GearItem(power), best, values.text("creation.power"), power=True))
    return (*weapons, *bare)


def figures(system: System, character: Character) -> Mapping[str, str]:
    """Every figure of the sheet by name; characters without attributes have none that follow from them."""
    one = person_of(system, character)
    found = dict(_gear(one))
    if one.attributes or one.approaches:
        for part in (_sums(one), _tracks(one), _guard(one), _fight(one)):
            found.update(part)
        found.update({"load.limit": str(one.numbers.encumbrance), "load.carried": _carried(one)})
    return found


def signed(number: int) -> str:
    """A modifier as it is printed: +2, 0, −1."""
    return f"{number:+d}".replace("-", MINUS) if number else "0"


def plain(number: Decimal) -> str:
    """A load without needless noughts, halves as ½."""
    whole, half = divmod(number, 1)
    return f"{whole or '' if half else whole}{'½' if half else ''}"


def _carried(one: Person) -> str:
    """The load of what has a size, with a plus where more is carried; nothing where no thing has one."""
    sizes = [bool(thing.size) for thing in one.things]
    return plain(one.load[0]) + "+" * (not all(sizes)) if any(sizes) or not sizes else ""


def _sums(one: Person) -> Iterator[tuple[str, str]]:
    """What is added to two dice, for each attribute with each approach; Monetary is no attribute of a check (GEN-Q34).

    The approach of powers has sums only for those who have one (`GEN-262`), and only they have it among the approaches;
    where a page has a row for each approach, `power` names that of powers for them alone, with their sums, which
    `power.told` tells as one text.
    """
    bonus, power = one.system.values.text("fight.bonus"), one.system.values.text("creation.power")
    for approach, more in one.approaches.items():
        if approach != power or one.character.text("power"):
            yield f"approach.{approach}", signed(more)
        if approach == power and one.character.text("power"):
            yield "power", approach
    for attribute, rating in one.attributes.items():
        for approach, more in one.approaches.items():
            closed = approach == power and not one.character.text("power")
            if attribute != bonus and not closed:
                yield f"sum.{attribute}.{approach}", signed(rating + more)
                if approach == power:
                    yield f"power.{attribute}", signed(rating + more)
    if one.character.text("power"):
        sums = (
            f"{name} {signed(rating + one.approaches[power])}"
            for name, rating in one.attributes.items()
            if name != bonus
        )
        yield "power.told", f"{power}: {', '.join(sums)}"


def _tracks(one: Person) -> Iterator[tuple[str, str]]:
    """Capacity of each track, the boxes that it has, and those of them that are marked (`GEN-203`)."""
    for name, capacity in (("wounds", one.numbers.wounds), ("stress", one.numbers.stress)):
        yield name, str(capacity)
        for box in range(1, BOXES + 1):
            if box <= capacity:
                yield f"{name}.box.{box}", "yes"
            if box <= min(one.marks.get(name.capitalize(), 0), capacity):
                yield f"{name}.{box}", MARKED


def _guard(one: Person) -> Iterator[tuple[str, str]]:
    """Toughness, and what it comes to with what is worn (`GEN-205`, `GEN-269`)."""
    worn = [thing for thing in one.things if thing.protective]
    yield "toughness", signed(one.numbers.toughness)
    yield "resists", str(max(one.numbers.toughness + sum(thing.protective for thing in worn), 0))
    if worn:
        yield "guard.worn", ", ".join(thing.name for thing in worn)


def _gear(one: Person) -> Iterator[tuple[str, str]]:
    """The rows of the gear table; things without a row are named together."""
    rest = []
    for number, thing in enumerate(one.things, 1):
        more = f" {thing.protective}" if thing.protective > 1 else ""
        tags = ", ".join(f"{tag}{more}" if tag == "Protective" else tag for tag in thing.tags)
        if number <= MOST_THINGS:
            yield f"item.{number}.name", capital(thing.name)
            yield f"item.{number}.tags", tags
            if thing.size:
                yield f"item.{number}.load", plain(one.system.values.decimal(f"load.{thing.size}"))
        else:
            about = ", ".join(filter(None, (thing.size, tags)))
            rest.append(capital(f"{thing.name} ({about})" if about else thing.name))
    if rest:
        yield "item.more", DOT.join(rest)


def _fight(one: Person) -> Iterator[tuple[str, str]]:
    """The rows of the fight table, best weapon first, then bare hands, words and the power as far as there is room."""
    attacks = attacks_of(one)
    weapons = [attack for attack in attacks if attack.thing.size][: MOST_ATTACKS - 2]
    others = [attack for attack in attacks if not attack.thing.size]
    powers = [attack for attack in others if attack.power]
    hands = others[:1] if len(weapons) + len(powers) < MOST_ATTACKS - 1 else []
    lines, bare = list[str](), list[str]()
    rows = [*weapons, *powers, *hands, *others[1:2]][:MOST_ATTACKS]
    in_block = _of_note(rows)
    for number, attack in enumerate(rows, 1):
        name, total, thing = capital(attack.thing.name), signed(attack.total), attack.thing
        against, tags = _against(one.system, thing), _tags_apart(one.system, thing)
        bands = _bands(one.system, thing) if thing.reach else []
        where = against if thing.reach else "to Stress" if thing.track == "stress" else ""
        yield f"fight.{number}.name", name
        yield f"fight.{number}.sum", total
        yield f"fight.{number}.armed", ", ".join((name, *tags))
        if bands:
            yield f"fight.{number}.shot", total
            yield from ((f"fight.{number}.at.{band}", str(target)) for band, target in bands)
        elif not attack.power:
            yield f"fight.{number}.blow", total
        yield f"fight.{number}.with", f"{attack.attribute}, {attack.approach}"
        yield f"fight.{number}.against", "as the GM sets" if attack.power else against
        yield f"fight.{number}.does", PRICE if attack.power else ", ".join((thing.track.capitalize(), *tags))
        yield f"fight.{number}.harms", PAID if attack.power else thing.track.capitalize()
        yield f"fight.{number}.tags", ", ".join(tags)
        if attack in in_block:
            yield f"fight.{number}.block", _in_a_block(one.system, attack, first=attack is in_block[0])
        told = ", ".join(filter(None, (f"{name} {total}", PRICE if attack.power else where, *tags)))
        (lines if thing.size or attack.power else bare).append(told)
    yield "fight", "\n".join(filter(None, (*lines, DOT.join(bare))))


def _of_note(attacks: Sequence[Attack]) -> list[Attack]:
    """The attacks that a stat block tells of: weapons and powers, and what anybody can do only where it is the best."""
    special = [attack for attack in attacks if attack.thing.size or attack.power]
    usual = max((attack for attack in attacks if attack not in special), key=lambda attack: attack.total, default=None)
    is_best = usual is not None and all(usual.total > attack.total for attack in special)
    return [*special, usual] if usual is not None and is_best else special


def _in_a_block(system: System, attack: Attack, *, first: bool) -> str:
    """An attack behind its name in a stat block: dice, reach, and harm; only the `first` of a row says what is what.

    Tags that move the target of a shot stand with its reach, since a block has no targets. The harm of a power goes to
    either track, and costs as much (`GEN-214`, `GEN-267`).
    """
    dice = "{count}d{sides}".format(**system.values.numbers("dice"))
    total = signed(attack.total)
    rolled = dice if total == "0" else f"{dice} {total}" if first else total
    aimed = (tag for tag in attack.thing.tags if tag not in _tags_apart(system, attack.thing))
    reach = ", ".join((f" to {attack.thing.reach}", *aimed)) if attack.thing.reach else ""
    harms = f"Wounds or Stress, {PAID}" if attack.power else attack.thing.track.capitalize()
    return f"{rolled}{reach}, {'harms ' if first else ''}{harms}"


def _against(system: System, thing: GearItem) -> str:
    """What an attack is rolled against: their roll, or the number of each band in reach (`GEN-270`, `GEN-276`)."""
    if not thing.reach:
        return "their roll"
    return DOT.join(f"{band}\u00a0{target}" for band, target in _bands(system, thing))


def _bands(system: System, thing: GearItem) -> list[tuple[str, int]]:
    """The number of each band in reach of a thing that shoots."""
    values, bands = system.values, list(map(str, system.values.at("bands")))
    shift = sum(
        tag_sum(values, thing.tags, kind) * values.number(f"circumstance.{kind}") for kind in ("harmful", "helpful")
    )
    within = bands[: bands.index(thing.reach) + 1]
    return [(band, values.number(f"range.{band}") + shift) for band in within]


def _tags_apart(system: System, thing: GearItem) -> tuple[str, ...]:
    """The tags that the numbers of a shot do not already hold."""
    counted = ("harmful", "helpful") if thing.reach else ()
    return tuple(tag for tag in thing.tags if not any(system.values.has(f"tags.{tag}.{kind}") for kind in counted))


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """What a character means to the parameters of procedures, using `what`.

    `what` is a weapon, an attribute and an approach (`Agility, Covertly`), or empty for the best weapon; the power is
    used only where it is named. UsageError for something the character does not have.
    """
    one = person_of(system, character)
    attack, numbers = _used(one, what), one.numbers
    wounds, stress = one.marks.get("Wounds", 0), one.marks.get("Stress", 0)
    reach, bands = attack.thing.reach, list(map(str, system.values.at("bands")))
    return {
        "attributes": one.attributes,
        "approaches": one.approaches,
        "attribute": one.attributes.get(attack.attribute, 0),
        "approach": one.approaches.get(attack.approach, 0),
        "monetary": one.attributes.get(system.values.text("fight.bonus"), 0),
        "burdened": stress >= numbers.stress,
        "powerless": not character.text("power"),
        "range": min(reach, system.values.text("fight.range"), key=bands.index) if reach else None,
        "tags": list(attack.thing.tags),
        "track": attack.thing.track,
        "sizes": [thing.size for thing in one.things if thing.size],
        "toughness": numbers.toughness,
        "protective": sum(thing.protective for thing in one.things),
        "wounds_capacity": numbers.wounds,
        "stress_capacity": numbers.stress,
        "wounds": wounds,
        "stress": stress,
    }


def _used(one: Person, what: str) -> Attack:
    attacks = attacks_of(one)
    if not what:
        wounding = (each for each in attacks if each.thing.track == "wounds" and not each.power)
        return max(wounding, key=lambda attack: (attack.total, bool(attack.thing.tags)))
    for attack in attacks:
        if attack.thing.name.casefold() == what.casefold():
            return attack
    words = {word.strip().capitalize() for word in what.split(",")}
    attribute, approach = (
        next((name for name in ratings if name in words), "") for ratings in (one.attributes, one.approaches)
    )
    if attribute and approach and len(words) == 2:
        return Attack(GearItem(what), attribute, approach, one.attributes[attribute] + one.approaches[approach])
    names = [attack.thing.name for attack in attacks]
    near = suggestion(what, names) or f"; there are {', '.join(names)}, or two ratings as in 'Agility, Covertly'"
    raise UsageError(f"{one.character.text('name')} has no {quoted(what)}{near}")


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of a character: ratings its milestones do not explain, a power it lacks, full tracks, its load."""
    return tuple(
        Problem(character.places.get(field, character.place), message, rule)
        for field, message, rule in _problems(person_of(system, character))
    )


def _problems(one: Person) -> Iterator[tuple[str, str, str]]:
    """Each problem: the field it lies in, what it is, and the rule."""
    values, power = one.system.values, one.character.text("power")
    yield from _growth(one)
    name = values.text("creation.power")
    rating = one.approaches.get(name, 0)
    if rating and not power:
        yield "approaches", f"{name} is {rating:+d}, but the character has no power", "GEN-262"
    if one.character.text("gift") and not power:
        yield "gift", "a gift needs power: its kind", "GEN-211"
    for name, capacity in (("Wounds", one.numbers.wounds), ("Stress", one.numbers.stress)):
        marked, holds = one.marks.get(name, 0), max(capacity, 0)
        if marked > holds:
            yield "state", f"{name}: {marked} marked, but the track holds {holds}", "GEN-263"
    carried, most, within = one.load
    if not within:
        yield "gear", f"gear of load {carried} is carried, {most} at most", "GEN-243"


def _growth(one: Person) -> Iterator[tuple[str, str, str]]:
    """What breaks the limits of creation and more milestones than there were explain (GEN-201, GEN-216, GEN-Q33)."""
    passed = left = one.marks.get("Milestones", 0)
    for group, ratings, rule in (("attributes", one.attributes, "GEN-201"), ("approaches", one.approaches, "GEN-210")):
        limits, total = one.system.values.numbers(f"creation.{group}"), sum(ratings.values())
        high, most = limits["high"], limits["sum"]
        steps = max(sum(max(rating - high, 0) for rating in ratings.values()), total - most, 0)
        left -= steps
        if steps and left < 0:
            since = f"one milestone raises one rating by one, and there were {passed}"
            yield (
                group,
                f"{group} add up to {total:+d}; at the start {high:+d} each and {most:+d} in all, "
                + (since if passed else "no milestone since"),
                rule,
            )
