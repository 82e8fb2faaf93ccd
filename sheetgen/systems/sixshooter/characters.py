"""Characters of Six Shooter: a Descriptor, a Lucky Number all their own, figures of the sheet, and what is illegal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sheetgen.dice.deck import JOKER, parse_card
from sheetgen.dice.source import Dice, shuffled
from sheetgen.errors import Problem, UsageError, quoted
from sheetgen.model.character import Character, Value
from sheetgen.model.data import Values
from sheetgen.model.system import System
from sheetgen.model.wording import DOT, capital
from sheetgen.rules.creation.draft import ROLLED, Draft, Making, StepFunction
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import (
    DOWN,
    GONE,
    UP,
    Number,
    heard,
    is_lucky_number,
    own_method,
    read_hand,
    spoken,
    suit_of,
)

CHOSEN = "chosen"
DESCRIPTOR = "descriptor"


def descriptor(making: Making) -> StepFunction:
    """A step that settles the Descriptor: the archetype's, the one an option names, or one of four (`SIX-005`).

    With `chosen` the dice do not choose, and a UsageError asks for the Descriptor; another asks whether an archetype
    or the option is meant, where they differ.
    """
    making.only("option", CHOSEN)
    option = making.option("option", "word")
    named, must = making.chosen(option), CHOSEN in making.step.params
    every = tuple(making.system.values.names("descriptors"))
    archetype = making.plan.archetype
    own = str(archetype.gives.get(DESCRIPTOR, "")) if archetype is not None else ""
    settled = own or (named if named in every else "")

    def step(draft: Draft, dice: Dice) -> None:
        if archetype is not None and own and named in every and named != own:
            raise UsageError(f"the {archetype.name} is {own}, not {named}: leave out one of the two [SIX-004]")
        if must and not settled:
            raise UsageError(f"name the Descriptor: --option {option.name}={every[0]}, or {', '.join(every[1:])}")
        word = settled or every[dice.choose(len(every), "Descriptor")]
        draft.values[DESCRIPTOR] = draft.words[option.name] = word
        draft.levels[option.name] = option.among.index(word)
        draft.tell(f"Descriptor: {word}")

    return step


def lucky_number(making: Making) -> StepFunction:
    """A step that gives a Lucky Number nobody else at the table has (`SIX-010`, `SIX-011`).

    A run seats tables of eight (`SIX-Q2`): the first of each gets the number an option names, if it does, and everybody
    else one of those that are left, each as likely as the others. Archetypes of one group begin at different seats.
    """
    making.only("option", CHOSEN)
    system, option = making.system, making.option("option", "level")
    named, must = making.chosen(option), CHOSEN in making.step.params
    trait, group = system.by_role[option.of], system.group_of[system.by_role[option.of].name]
    numbers = range(system.values.number("lucky.least"), system.values.number("lucky.most") + 1)
    most, own = system.values.number("table.most"), int(named) if named != ROLLED else None
    # Archetypes begin at different places in the order of numbers, so that parts of a group get different ones.
    archetypes, archetype = list(system.cast.archetypes), making.plan.archetype
    seat = archetypes.index(archetype.name) if archetype is not None else 0

    def step(draft: Draft, dice: Dice) -> None:
        if must and own is None:
            message = f"name the Lucky Number: --option {option.name}=7, or any from {numbers[0]} to {numbers[-1]}"
            raise UsageError(f"{message} [SIX-010]")
        table, place = divmod(draft.index - 1, most)
        order = [numbers[at] for at in shuffled(len(numbers), f"lucky\0{making.seed}\0{table}".encode())]
        if own is not None:
            order.remove(own)
            number = order[place - 1] if place else own
        else:
            number = order[(seat + place) % len(order)]
        draft.groups.setdefault(group.name, {})[trait.role] = number
        draft.levels[trait.role] = number
        draft.tell(f"{trait.name}: {number}, seat {place + 1} of table {table + 1}")

    return step


@dataclass(frozen=True, slots=True)
class NewOperator:
    """What an Operator starts with: a Descriptor, an Archetype in any words, and one Lucky Number (`SIX-004`)."""

    descriptor: str
    lucky: Number
    archetype: str = ""
    name: str = ""


@procedure(
    "SIX-004 SIX-005 SIX-007 SIX-010 SIX-011 SIX-Q2 SIX-Q33",
    say="whether a table may start",
    results="legal problems",
)
def check_table(
    play: Play, *, operators: tuple[NewOperator, ...], taken: tuple[Number, ...] = ()
) -> tuple[bool, frozenset[str]]:
    """Whether these Operators may sit down together; `taken` are the Lucky Numbers of others now in play (`SIX-Q33`).

    An Archetype may be anything, as it has no effect (SIX-007).
    """
    values, problems = play.values, set[str]()
    most = values.number("table.most")
    if len(operators) > most:
        problems.add("too_many_operators")
        play.tell(f"{len(operators)} Operators, but at most {most} can be dealt in", "SIX-Q2")
    known, numbers = tuple(values.names("descriptors")), list(taken)
    for number, operator in enumerate(operators, 1):
        who = operator.name or f"Operator {number}"
        if operator.descriptor not in known:
            problems.add("unknown_descriptor")
            play.tell(f"{who}: {operator.descriptor} is none of {', '.join(known)}", "SIX-005")
        if not is_lucky_number(values, operator.lucky):
            problems.add("lucky_out_of_range")
            low, high = values.text("lucky.least"), values.text("lucky.most")
            play.tell(f"{who}: a Lucky Number is {low} to {high}, not {operator.lucky}", "SIX-010")
        if operator.lucky in numbers:
            problems.add("lucky_not_unique")
            play.tell(f"{who}: {operator.lucky} is somebody else's Lucky Number already", "SIX-011")
        numbers.append(operator.lucky)
    if not problems:
        play.tell(f"{len(operators)} Operators, each with a Lucky Number of their own: ready", "SIX-004", "SIX-011")
    return not problems, frozenset(problems)


LUCK, STRIKES, OPPONENT = "luck", "strikes", "opponent"


def lucky_numbers(system: System, character: Character) -> tuple[int, ...]:
    """The Lucky Numbers that an Operator holds, in the order of the pack (`SIX-010`, `SIX-067`)."""
    held = character.numbers(LUCK)
    return tuple(held[trait.name] for trait in system.group(LUCK).members if held.get(trait.name))


def strikes(system: System, character: Character) -> int:
    """How many Strikes an Operator has; none unless the file says so (`SIX-070`)."""
    start = system.values.number("strikes.start")
    return character.numbers(STRIKES).get(system.group(STRIKES).members[0].name, start)


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """Everything of an Operator that may be filled in; what is used makes no difference in this game."""
    hand = character.lines("hand")
    return {
        "descriptor": character.text("descriptor") or None,
        "archetype": character.text("occupation") or None,
        "lucky": list(lucky_numbers(system, character)),
        "strikes": strikes(system, character),
        "hand": list(hand) if hand else None,
        "opponent": character.text(OPPONENT) or None,
    }


MARK = "yes"


def figures(system: System, character: Character) -> Mapping[str, str]:
    """Every figure of the sheet by name; what the character does not say is left out."""
    values, found = system.values, dict[str, str]()
    lucky = lucky_numbers(system, character)
    if lucky:
        found["lucky"] = " · ".join(map(str, lucky))
    found.update({f"strike.{number}": MARK for number in range(1, strikes(system, character) + 1)})
    found["gear"] = DOT.join(capital(thing) for thing in character.lines("gear"))
    found.update(_hand(values, character))
    own = character.text(DESCRIPTOR)
    if own in values.names("descriptors"):
        found.update(_best(values, own, character.text(OPPONENT)))
    return found


def numbers_to_beat(values: Values, descriptor: str, opponent: str) -> tuple[dict[str, int], int]:
    """Return the number to beat with each method, and how many successes it takes; `opponent` says how strong."""
    adds, needs = (values.number(f"opponents.{opponent}.{name}") if opponent else 0 for name in ("adds", "needs"))
    low, high = values.number("critical.least"), values.number("critical.most")
    usual = {name: values.number(f"met.{descriptor}.{name}") for name in values.names("methods")}
    return {name: min(max(number + adds, low), high) for name, number in usual.items()}, max(needs, 1)


def _best(values: Values, own: str, opponent: str) -> dict[str, str]:
    """What the Descriptor means: which mark to tick, and the numbers to beat where the Operator is a challenge."""
    method = own_method(values, own)
    met, needs = numbers_to_beat(values, own, opponent)
    found = {f"met.{name}": str(number) for name, number in met.items()}
    for at, name in enumerate(sorted(met, key=met.__getitem__), 1):
        found |= {f"way.{at}.name": name, f"way.{at}.number": str(met[name])}
    found[f"best.{method}"] = MARK
    found["method"] = method
    found["suit"] = values.text(f"suits.{suit_of(values, method)}").capitalize()
    found["fight"] = "Critical Numbers: " + ", ".join(f"{name} {number}" for name, number in met.items())
    found["successes"] = str(needs)
    if needs == 1:
        found["way.once"] = "One success beats them"
    else:
        found["needs"], found["takes"] = str(needs), f"takes {needs} successes"
        found["fight"] += f"; {needs} successes"
    return found


def _hand(values: Values, character: Character) -> dict[str, str]:
    """The cards that lie in the six places, in words, with a mark for those that are up or gone."""
    found = {}
    for place, entry in enumerate(character.lines("hand"), 1):
        if entry == GONE:
            found[f"gone.{place}"] = MARK
            continue
        card, _, face = entry.partition(" ")
        try:
            name = spoken(values, parse_card(card)).removeprefix("the ")
        except ValueError:
            continue
        found[f"card.{place}"] = capital(name)
        if face == UP:
            found[f"up.{place}"] = MARK
    return found


def read_figures(system: System, said: Mapping[str, str]) -> Mapping[str, Value]:
    """Return the hand that a filled sheet shows: a card in words or in short (`KS`, `K♠`) in each place, or none."""
    values, entries = system.values, list[str]()
    for place in range(1, values.number("hand.places") + 1):
        card = heard(values, said.get(f"figure.card.{place}", ""))
        lies = card is not None and not said.get(f"figure.gone.{place}")
        entries.append(f"{card} {UP if said.get(f'figure.up.{place}') else DOWN}" if lies else GONE)
    touched = any(text for name, text in said.items() if name.startswith(("figure.card.", "figure.gone.")))
    return {"hand": tuple(entries)} if touched else {}


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of an Operator: one Lucky Number held twice (`SIX-Q29`), or a hand that no deal gives."""
    return tuple(
        Problem(character.places.get(field, character.place), message, rule)
        for field, message, rule in (*_luck_problems(system, character), *_hand_problems(system, character))
    )


def _luck_problems(system: System, character: Character) -> Iterator[tuple[str, str, str]]:
    held = lucky_numbers(system, character)
    if len(set(held)) < len(held):
        yield LUCK, f"{held[0]} stands twice among the Lucky Numbers: the second must be another one", "SIX-Q29"


def _hand_problems(system: System, character: Character) -> Iterator[tuple[str, str, str]]:
    """A hand has six places (`SIX-014`), each a card up or down or gone, and no card of a deck twice (`SIX-013`)."""
    entries = character.lines("hand")
    try:
        hand = read_hand(system.values, entries, "hand") if entries else ()
    except Refused as refused:
        yield "hand", refused.message, refused.rule or "SIX-014"
        return
    cards = [str(held.card) for held in hand if held is not None]
    for card in dict.fromkeys(cards):
        most = system.values.number("jokers.most") if card == JOKER else 1
        if cards.count(card) > most:
            yield "hand", f"hand: {quoted(card)} lies there {cards.count(card)} times", "SIX-013"
