"""Values out of somebody's PDF, which may be of any type: what has the wrong one is as if it were not there."""

from __future__ import annotations

from pikepdf import Array, Dictionary, Name, Object, String


def value_of(value: object) -> str:
    """The value of a field: a text, or a name without its slash; nothing if it is neither."""
    return str(value).removeprefix("/") if isinstance(value, (String, Name)) else ""


def text(value: object) -> str:
    """A text, or nothing."""
    return str(value) if isinstance(value, (String, str)) else ""


def whole(value: object) -> int:
    """A whole number, or 0."""
    return value if isinstance(value, int) and abs(value) < 1 << 32 else 0


def number(value: object) -> float:
    """A number that a length or a colour can be, or 0."""
    try:
        found = float(value)  # type: ignore[arg-type]  # what is no number is told by the error
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return found if abs(found) < 1e9 else 0.0


def array(value: object) -> list[Object]:
    """What a list holds, or nothing."""
    return list(value) if isinstance(value, Array) else []


def dictionaries(value: object) -> list[Object]:
    """The dictionaries of a list."""
    return [each for each in array(value) if isinstance(each, Dictionary)]


def inside(value: object, *keys: str) -> Object | None:
    """What stands in a dictionary within dictionaries, or None."""
    for key in keys:
        value = value.get(key) if isinstance(value, Dictionary) else None
    return value  # type: ignore[return-value]


def truth(value: object) -> bool:
    """Whether it is plainly true."""
    return value is True
