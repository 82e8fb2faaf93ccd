"""What the parameters of Six Shooter take, what the pack says of those words, and how refusals are told."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from sheetgen.model.data import Values
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Refused

Descriptor: TypeAlias = Annotated[str, OneOf("descriptors")]
Method: TypeAlias = Annotated[str, OneOf("methods")]
Count: TypeAlias = Annotated[int, Whole(0, 99)]
Positive: TypeAlias = Annotated[int, Whole(1, 99)]
Number: TypeAlias = Annotated[int, Whole(-99, 99)]
IMPOSSIBLE: Literal["Impossible"] = "Impossible"
CN: TypeAlias = Number | Literal["Impossible"]
Effective: TypeAlias = int | Literal["Impossible"]
Result: TypeAlias = Literal["success", "success_at_cost", "failure", "automatic", "not_possible"]


def bad(path: str, takes: str, rule: str = "") -> Refused:
    """The refusal of a parameter: which one, and what it takes."""
    return Refused("bad_parameter", f"{path}: {takes}", rule)


def strikes_text(count: int) -> str:
    """How many Strikes, in words."""
    return f"{count} Strike" if count == 1 else f"{count} Strikes"


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
        raise bad(path, f"takes at most {most} Lucky Numbers, not {len(lucky)}", "SIX-067")
