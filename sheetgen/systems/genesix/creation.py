"""Characters (ledger Q1 and R): their limits, derived numbers and growth, and making one by dice or by choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheetgen.dice.paths import PathDice
from sheetgen.dice.source import Dice, Scripted
from sheetgen.errors import suggestion
from sheetgen.model.character import Character
from sheetgen.model.procedures import Named
from sheetgen.model.system import Option, Span, System, Table
from sheetgen.rules.creation.choices import ChoiceForm, PointBuy
from sheetgen.rules.creation.dealing import Dealer
from sheetgen.rules.creation.draft import Draft, Making, StepFunction
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.gear import Grade, Rating, load, things_named

TABLE, GROUPS = "rating die", ("attributes", "approaches")
LEADING = 3  # how many of the ratings that matter most share what is raised
SIDES = 6


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
    path, table = f"creation.grades.{grade}.{group}", play.system.tables[TABLE]
    members = [trait.role for trait in play.system.group(group).members]
    names = tuple(table.row(face)[group] for face in table.over)
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
    for group in GROUPS:
        groups[group] = play.part(throw_ratings, group, grade, closed)
        play.tell(", ".join(f"{name} {rating:+d}" for name, rating in groups[group].items()), "GEN-260", "GEN-261")
    return derived(play, groups["attributes"]), groups["attributes"], groups["approaches"]


def power(making: Making) -> StepFunction:
    """A step that settles beforehand whether there is an unnatural power, of which kind, and what it does (`GEN-262`).

    `option` names the option that says so, `gifts` the table with a column for each kind. A kind or a gift that the
    archetype gives stays.
    """
    making.only("option", "gifts")
    option, gifts = making.option("option", "word"), making.table("gifts")
    kinds = tuple(map(str, making.system.values.at("powers")))
    without = [word for word in option.among if word not in kinds]
    missing = [kind for kind in kinds if any(kind not in row.columns for row in gifts.rows)]
    if len(without) != 1 or missing:
        raise making.wrong(f"needs one word for no power, and a column of {gifts.name} for each of {', '.join(kinds)}")

    def step(draft: Draft, dice: Dice) -> None:
        kind = str(draft.values.get("power", "")) or draft.words[option.name]
        if kind not in kinds:
            draft.tell("no unnatural power")
            return
        draft.values["power"] = kind
        if "gift" not in draft.values:
            draft.values["gift"] = read(gifts, dice, f"what {kind} does")[kind]
        draft.tell(f"{kind}: {draft.values['gift']}")

    return step


def read(table: Table, dice: Dice, what: str) -> dict[str, str]:
    """The row of a table that two dice name, the first of them the tens."""
    tens, units = dice.roll(2, SIDES, what)
    return dict(table.row(10 * tens + units))


def line(making: Making) -> StepFunction:
    """A step that deals a line of a table into a field that nothing has filled yet: dice would repeat themselves."""
    making.only("table", "into")
    table, into = making.table(), making.field("into", "text", "choice").name
    dealer = Dealer(((row.columns["is"], ()) for row in table.rows), making.key(into), spare=1, wider=-2)

    def step(draft: Draft, dice: Dice) -> None:
        if into not in draft.values:
            draft.values[into] = dealer.deal(draft.index, draft.levels, dice) or ""
        draft.tell(f"{into}: {draft.values[into]}")

    return step


def closed_to(system: System, draft: Draft) -> tuple[str, ...]:
    """The approaches that a character may not use: Unnaturally without a power (`GEN-262`)."""
    return () if "power" in draft.values else (system.values.text("creation.power"),)


def _grades(making: Making) -> Option:
    """The option that says how able people are; every word of it must be a grade of the pack."""
    option, grades = making.option("grade", "word"), list(making.system.values.names("creation.grades"))
    for word in option.among:
        if word not in grades:
            raise making.wrong(f"creation.grades has no {word}{suggestion(word, grades)}", making.data("grade"))
    return option


def _settle(draft: Draft, group: str, levels: dict[str, int]) -> None:
    draft.groups[group] = levels
    draft.levels.update(levels)
    draft.tell(f"{group}: " + ", ".join(f"{name} {level:+d}" for name, level in levels.items()))


def rolled(making: Making) -> StepFunction:
    """A step that rolls attributes, then approaches, as the procedure `random_build` does (`GEN-260` to `GEN-262`)."""
    making.only("grade")
    grades, system = _grades(making), making.system

    def step(draft: Draft, dice: Dice) -> None:
        play, closed = Play(system, dice), closed_to(system, draft)
        for group in GROUPS:
            _settle(draft, group, dict(throw_ratings(play, group, draft.words[grades.name], closed)))

    return step


def chosen(making: Making) -> StepFunction:
    """A step that sets ratings as somebody would choose them, with the same points as the dice (`GEN-201`, `GEN-210`).

    What matters most to the archetype is raised, what matters least is lowered; `attributes` of an archetype ranks its
    attributes and `also` its approaches. Without an archetype the leaning of one is picked.
    """
    making.only("grade")
    grades, values = _grades(making), making.system.values
    points = {
        (grade, group): values.numbers(f"creation.grades.{grade}.{group}") for grade in grades.among for group in GROUPS
    }
    limits = {group: values.numbers(f"creation.{group}") for group in GROUPS}
    members = {group: [trait.role for trait in making.system.group(group).members] for group in GROUPS}
    archetype, cast = making.plan.archetype, making.system.cast
    archetypes = [archetype] if archetype is not None else list(cast.archetypes.values())
    leanings = [{"attributes": each.attributes, "approaches": each.also} for each in archetypes]
    if not leanings:
        raise making.wrong("the pack has no archetypes, whose leanings this follows")

    def step(draft: Draft, dice: Dice) -> None:
        leaning = leanings[0] if draft.archetype else leanings[dice.choose(len(leanings), "leaning")]
        closed = closed_to(making.system, draft)
        for group, names in members.items():
            open_ = [name for name in names if name not in closed]
            order = [name for name in leaning[group] if name in open_]
            order += [name for name in open_ if name not in order]
            levels = _spread(order, points[draft.words[grades.name], group], limits[group], dice)
            _settle(draft, group, {name: levels.get(name, 0) for name in names})

    return step


def within_load(making: Making) -> StepFunction:
    """A step that leaves behind what is too much to carry, the last thing first (`GEN-243`, `GEN-Q42`)."""
    making.only()
    system = making.system

    def step(draft: Draft, dice: Dice) -> None:
        gear = draft.values.get("gear", ())
        kept = gear if isinstance(gear, tuple) else ()
        sizes, strength = [thing.size for thing in things_named(system, kept)], draft.levels.get("Strength", 0)
        play, count = Play(system, Scripted([])), len(kept)
        while count and not load(play, strength=strength, items=tuple(filter(None, sizes[:count])))[-1]:
            count -= 1
        if kept[count:]:
            draft.values["gear"] = kept[:count]
        draft.tell("left behind: " + ("; ".join(kept[count:]) or "nothing"))

    return step


def _spread(order: list[str], points: dict[str, int], limits: dict[str, int], dice: Dice) -> dict[str, int]:
    """So many points taken from the end of an order and so many given to its front, the first of it never behind."""
    levels = dict.fromkeys(order, 0)
    for _ in range(points["lower"]):
        last = [name for name in order[LEADING:] if levels[name] > limits["low"]] or order[LEADING - 1 :]
        levels[last[dice.choose(len(last), "lowered")]] -= 1
    for number in range(points["raise"]):
        room = [name for name in order[:LEADING] if levels[name] < limits["high"]]
        levels[room[0] if number < limits["high"] - 1 else room[dice.choose(len(room), "raised")]] += 1
    first, best = order[0], max(order, key=lambda name: levels[name])
    levels[first], levels[best] = levels[best], levels[first]
    return levels


def rating_forms(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The limits of attributes and of approaches; an approach that needs a power is closed to who has none."""
    closed, forms = closed_to(making.system, draft), []
    for name in GROUPS:
        group, limits = making.system.group(name), making.system.values.numbers(f"creation.{name}")
        span = Span(limits["low"], limits["high"])
        start = {trait.name: span for trait in group.members if trait.role not in closed}
        forms.append(PointBuy(group, limits["sum"], lambda name, level: level, start))
    return tuple(forms)
