"""The two steps of Six Shooter: a Descriptor, and a Lucky Number that nobody else at the table has."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.dice.source import Dice, shuffled
from sheetgen.errors import UsageError
from sheetgen.rules.creation.draft import ROLLED, Draft, Making, StepFunction
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import Number, is_lucky_number

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
