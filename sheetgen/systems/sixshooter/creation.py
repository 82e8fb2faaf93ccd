"""The two steps of Six Shooter: a Descriptor, and a Lucky Number that nobody else at the table has."""

from __future__ import annotations

from sheetgen.dice.shuffle import shuffled
from sheetgen.dice.source import Dice
from sheetgen.errors import UsageError
from sheetgen.rules.creation.draft import ROLLED, Draft, Making, StepFunction

ANY, CHOSEN = "any", "chosen"
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
    most, seat = system.values.number("table.most"), _first_seat(making)
    wanted = int(named) if named != ROLLED else None

    def step(draft: Draft, dice: Dice) -> None:
        if must and wanted is None:
            message = f"name the Lucky Number: --option {option.name}=7, or any from {numbers[0]} to {numbers[-1]}"
            raise UsageError(f"{message} [SIX-010]")
        table, place = divmod(draft.index - 1, most)
        order = [numbers[at] for at in shuffled(len(numbers), f"lucky\0{making.seed}\0{table}".encode())]
        if wanted is not None:
            order.remove(wanted)
            number = order[place - 1] if place else wanted
        else:
            number = order[(seat + place) % len(order)]
        draft.groups.setdefault(group.name, {})[trait.role] = number
        draft.levels[trait.role] = number
        draft.tell(f"{trait.name}: {number}, seat {place + 1} of table {table + 1}")

    return step


def _first_seat(making: Making) -> int:
    """Where an archetype begins in the order of numbers: parts that stand apart in the pack get different ones."""
    archetype = making.plan.archetype
    return list(making.system.cast.archetypes).index(archetype.name) if archetype is not None else 0
