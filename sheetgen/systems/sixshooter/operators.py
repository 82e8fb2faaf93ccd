"""Section B: Operators, with their Descriptor, Archetype and Lucky Number, and what a table of them must keep to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from sheetgen.model.data import Values
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure

Descriptor = Annotated[str, OneOf("descriptors")]
Method = Annotated[str, OneOf("methods")]
Count = Annotated[int, Whole(0, 99)]
Number = Annotated[int, Whole(-99, 99)]


def own_method(values: Values, descriptor: str) -> str:
    """The method that a Descriptor is best at (`SIX-005`)."""
    return values.text(f"descriptors.{descriptor}")


def suit_of(values: Values, method: str) -> str:
    """The letter of the suit that belongs to a method (`SIX-005`, `SIX-042`)."""
    return values.text(f"methods.{method}")


def is_lucky_number(values: Values, number: int) -> bool:
    """Whether a number may be a Lucky Number at all (`SIX-010`)."""
    return values.number("lucky.least") <= number <= values.number("lucky.most")


def check_lucky(values: Values, lucky: tuple[int, ...], path: str) -> None:
    """Refuses numbers that cannot be lucky, and more of them than an Operator may hold (`SIX-010`, `SIX-067`)."""
    low, high, most = (values.number(f"lucky.{name}") for name in ("least", "most", "held"))
    for number in lucky:
        if not low <= number <= high:
            message = f"{path}: takes whole numbers from {low} to {high}, not {number}"
            raise Refused("lucky_out_of_range", message, "SIX-010")
    if len(lucky) > most:
        raise Refused("bad_parameter", f"{path}: takes at most {most} Lucky Numbers, not {len(lucky)}", "SIX-067")


@dataclass(frozen=True, slots=True)
class NewOperator:
    """What an Operator starts with: a Descriptor, an Archetype in any words, and one Lucky Number (`SIX-004`)."""

    descriptor: str
    lucky: Number
    archetype: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """Whether a table may start like this, and the code of everything in the way."""

    legal: bool
    problems: frozenset[str]


@procedure("SIX-004", "SIX-005", "SIX-007", "SIX-010", "SIX-011", "SIX-Q2", "SIX-Q33", say="whether a table may start")
def check_table(play: Play, *, operators: tuple[NewOperator, ...], taken: tuple[Number, ...] = ()) -> TableOutcome:
    """Whether these Operators may sit down together; `taken` are the Lucky Numbers of others now in play (`SIX-Q33`).

    Source: SIX-004 to SIX-011; an Archetype may be anything, as it has no effect (SIX-007).
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
    return TableOutcome(not problems, frozenset(problems))
