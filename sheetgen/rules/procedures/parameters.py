"""Parameters of procedures: declared as Python types, read from plain data, and explained in one line when wrong.

A procedure declares what it takes with ordinary annotations: `int` with `Whole`, `Decimal`, `bool`, `str`, `Literal`,
`OneOf` (names that the pack lists), tuples, frozen sets, mappings, frozen records, and unions of these.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from sheetgen.errors import SheetgenError, quoted, shortened, suggestion
from sheetgen.model.data import Data, Values, Word
from sheetgen.model.procedures import Named

NEEDED = object()  # the default of what must be given
FREE_TEXT = ("source", "note", "name", "archetype", "challenge", "trait")
USUAL = 7  # a number that nearly every roll takes, as an example
MOST_DESCRIBED = 100  # letters of what a missing parameter takes
_SWITCH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole numbers from `low` to `high`."""

    low: int = -999
    high: int = 999


@dataclass(frozen=True, slots=True)
class OneOf:
    """The names that stand below a path of the pack's values."""

    path: str


class Wrong(SheetgenError):
    """A value that does not fit its parameter: which one, what it takes, the nearest word; `others` that do not fit."""

    def __init__(
        self, path: str, takes: str, given: object = None, near: str = "", others: tuple[Wrong, ...] = ()
    ) -> None:
        self.path, self.takes, self.given, self.near, self.others = path, takes, given, near, others
        super().__init__(path, takes, given, near, others)

    def __str__(self) -> str:
        given = f", not {_described(self.given)}" if self.given is not None else ""
        message = f"{self.takes}{given}{self.near}"
        return "; ".join([f"{shortened(self.path)}: {message}" if self.path else message, *map(str, self.others)])


def _described(given: object) -> str:
    if isinstance(given, str):
        return quoted(given)
    return "a mapping" if isinstance(given, Mapping) else "a list" if isinstance(given, tuple) else str(given)


def is_absent(data: object) -> bool:
    """Whether the data says nothing: null, ~ or an empty scalar."""
    return data is None or (isinstance(data, str) and data in ("", "null", "~"))


def read(data: Data, wanted: Any, path: str, values: Values) -> Any:
    """The data as the wanted type; Wrong with the parameter's path and what it takes otherwise."""
    origin = get_origin(wanted)
    if origin is Annotated:
        base, *about = get_args(wanted)
        return _annotated(data, base, about, path, values)
    if origin in (Union, types.UnionType):
        return _union(data, get_args(wanted), path, values)
    if origin is Literal:
        return _literal(data, get_args(wanted), path)
    if origin in (tuple, frozenset):
        return _collection(data, origin, get_args(wanted)[0], path, values)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(data, get_args(wanted)[1], path, values)
    if is_dataclass(wanted):
        return read_record(data, wanted, path, values)  # type: ignore[arg-type]
    return _plain_value(data, wanted, path)


def _annotated(data: Data, base: Any, about: list[Any], path: str, values: Values) -> Any:
    try:
        value = read(data, base, path, values)
    except Wrong as wrong:
        takes = next((text for limit in about if wrong.path == path and (text := _limited(limit, values))), "")
        raise Wrong(path, f"takes {takes}", wrong.given) if takes else wrong from None
    for limit in about:
        if isinstance(limit, Whole) and not limit.low <= value <= limit.high:
            raise Wrong(path, f"takes a whole number from {limit.low} to {limit.high}", value)
        if isinstance(limit, OneOf):
            names = tuple(values.names(limit.path))
            if value not in names:
                near = suggestion(value, names) or suggestion(" ".join(values.names_of(value)), names)
                raise Wrong(path, f"takes {_any_of(names)}", value, near)
    return value


def _any_of(names: tuple[object, ...]) -> str:
    return " or ".join((", ".join(map(str, names[:-1])), str(names[-1]))) if len(names) > 1 else str(names[0])


def _union(data: Data, kinds: tuple[Any, ...], path: str, values: Values) -> Any:
    if type(None) in kinds and is_absent(data):
        return None
    found: list[Wrong] = []
    for kind in kinds:
        if kind is type(None):
            continue
        try:
            return read(data, kind, path, values)
        except Wrong as wrong:
            found.append(wrong)
    deepest = max(found, key=lambda wrong: len(wrong.path))
    if deepest.path != path:
        raise deepest
    takes = _either(wrong.takes.removeprefix("takes ") for wrong in found)
    raise Wrong(path, f"takes {takes}", data, next((wrong.near for wrong in found if wrong.near), ""))


def _either(kinds: Iterable[str]) -> str:
    """What any of several kinds takes; a comma parts them where one is a list of names itself."""
    each = dict.fromkeys(kinds)
    return (", or " if any(" or " in kind for kind in each) else " or ").join(each)


def _literal(data: Data, names: tuple[Any, ...], path: str) -> Any:
    for name in names:
        if isinstance(data, str) and str(data) == str(name):
            return name
    near = suggestion(data, map(str, names)) if isinstance(data, str) else ""
    raise Wrong(path, f"takes {_any_of(names)}", data, near)


def _collection(data: Data, kind: type, item: Any, path: str, values: Values) -> Any:
    if not isinstance(data, tuple):
        raise Wrong(path, "takes a list", data)
    return kind(read(each, item, f"{path}[{number}]", values) for number, each in enumerate(data, 1))


def _mapping(data: Data, item: Any, path: str, values: Values) -> Named[str, Any]:
    if not isinstance(data, Mapping):
        raise Wrong(path, "takes a mapping", data)
    return Named({str(key): read(value, item, f"{path}.{key}", values) for key, value in data.items()})


def _plain_value(data: Data, wanted: type, path: str) -> Any:
    if not isinstance(data, str):
        raise Wrong(path, f"takes {_kind_in_words(wanted)}", data)
    word = str(data)
    if wanted is str:
        return word
    if wanted is bool and word.lower() in _SWITCH:
        return _SWITCH[word.lower()]
    if wanted is int and _is_whole(word):
        return int(word)
    if wanted is Decimal:
        try:
            number = Decimal(word)
        except InvalidOperation:
            number = Decimal("NaN")
        if number.is_finite():
            return number
    raise Wrong(path, f"takes {_kind_in_words(wanted)}", data)


def _is_whole(word: str) -> bool:
    digits = word[1:] if word[:1] in "+-" else word
    return digits.isascii() and digits.isdigit() and len(digits) < 10


def _kind_in_words(wanted: type) -> str:
    kinds: dict[type, str] = {int: "a whole number", bool: "true or false", Decimal: "a number", str: "a word"}
    return kinds.get(wanted, wanted.__name__)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing a procedure or a record takes: its name, its type, and its default if it may be left out."""

    name: str
    wanted: Any
    default: Any = NEEDED

    @property
    def needed(self) -> bool:
        """Whether it must be given."""
        return self.default is NEEDED


@cache
def record_parameters(kind: type) -> tuple[Parameter, ...]:
    """The fields of a frozen record as parameters, needed ones first; their names lose a trailing underscore."""
    hints = get_type_hints(kind, include_extras=True)
    made = []
    for each in fields(kind):
        default = NEEDED if each.default is MISSING else each.default
        if each.default_factory is not MISSING:
            default = each.default_factory()
        made.append(Parameter(each.name.rstrip("_"), hints[each.name], default))
    return tuple(sorted(made, key=lambda each: not each.needed))  # a record may inherit what it need not be given


def read_record(data: Data, kind: Callable[..., Any], path: str, values: Values) -> Any:
    """A record of that kind from a mapping."""
    parameters = record_parameters(kind)
    given = read_arguments(data, parameters, path, values)
    names = {each.name.rstrip("_"): each.name for each in fields(kind)}  # type: ignore[arg-type]
    return kind(**{names[name]: value for name, value in given.items()})


def read_arguments(
    data: Data, parameters: tuple[Parameter, ...], path: str, values: Values, *, ignored: tuple[str, ...] = ()
) -> dict[str, Any]:
    """What is given for each parameter; Wrong for all unknown names, missing ones, and values that do not fit."""
    if not isinstance(data, Mapping):
        raise Wrong(path, f"takes a mapping of {_any_of(tuple(each.name for each in parameters))}", data)
    known = {each.name: each for each in parameters}
    prefix = f"{path}." if path else ""
    found, wrong, meant = dict[str, Any](), list[Wrong](), ""
    for key, value in data.items():
        if key in known:
            absent = is_absent(value) and not known[key].needed and known[key].default is None
            try:
                found[str(key)] = None if absent else read(value, known[key].wanted, f"{prefix}{key}", values)
            except Wrong as error:
                wrong += [error, *error.others]
                found[str(key)] = None
        elif key not in ignored:
            near = suggestion(key, known)
            meant += near
            wrong.append(
                Wrong(f"{prefix}{key}", f"is not a parameter{near or f' (there are {_any_of(tuple(known))})'}")
            )
    for each in parameters:
        if each.needed and each.name not in found and f'"{each.name}"' not in meant:
            takes = shortened(described(each.wanted, values), MOST_DESCRIBED)
            wrong.append(Wrong(f"{prefix}{each.name}", f"is missing (it takes {takes})"))
    if wrong:
        first, *others = wrong
        raise Wrong(first.path, first.takes, first.given, first.near, tuple(others))
    return found


def plain_words(data: object) -> Data:
    """Python values as the words that a file would hold, for callers of the library."""
    from sheetgen.errors import Place

    if isinstance(data, Mapping):
        return {Word(str(key), Place("")): plain_words(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return tuple(plain_words(item) for item in data)
    if isinstance(data, bool) or data is None:
        return Word({True: "true", False: "false", None: "null"}[data], Place(""))
    return Word(str(data), Place(""))


def described(wanted: Any, values: Values) -> str:
    """What a type takes, in words for a person."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        return next((text for limit in parts[1:] if (text := _limited(limit, values))), described(parts[0], values))
    if origin in (Union, types.UnionType):
        return _either(described(part, values) for part in parts if part is not type(None))
    if origin is Literal:
        return _any_of(parts)
    if origin in (tuple, frozenset):
        return f"a list, each {described(parts[0], values)}"
    if origin is not None and issubclass(origin, Mapping):
        return f"a mapping of names to {described(parts[1], values)}"
    if is_dataclass(wanted):
        inner = record_parameters(wanted)  # type: ignore[arg-type]
        return "{" + ", ".join(f"{each.name}: …" if each.needed else f"{each.name}?" for each in inner) + "}"
    return _kind_in_words(wanted)


def value_for(wanted: Any, values: Values) -> Data:
    """Return plain data that a type takes, for an example: a low number, the first of several names."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if names := _names_in(wanted, values):
        return plain_words(names[0])
    if origin is Annotated:
        limits = next((limit for limit in parts[1:] if isinstance(limit, Whole)), Whole())
        return plain_words(min(max(USUAL, limits.low), limits.high)) if parts[0] is int else value_for(parts[0], values)
    if origin in (Union, types.UnionType):
        return value_for(next(part for part in parts if part is not type(None)), values)
    if origin in (tuple, frozenset):
        return (value_for(parts[0], values),)
    if origin is not None and issubclass(origin, Mapping):
        return plain_words({"one": value_for(parts[1], values)})
    if is_dataclass(wanted):
        needed = (each for each in record_parameters(wanted) if each.needed)  # type: ignore[arg-type]
        return plain_words({each.name: value_for(each.wanted, values) for each in needed})
    return plain_words({bool: True, str: "somebody"}.get(wanted, USUAL))


def _limited(limit: object, values: Values) -> str:
    if isinstance(limit, Whole):
        return f"a whole number from {limit.low} to {limit.high}"
    return _any_of(tuple(values.names(limit.path))) if isinstance(limit, OneOf) else ""


def takes_word(parameter: Parameter, word: str, values: Values) -> bool:
    """Whether a parameter lists a word among the names that it takes."""
    return word in _names_in(parameter.wanted, values)


def takes_text(parameter: Parameter, text: str, values: Values) -> bool:
    """Return whether a parameter takes a level as it is written: any text, or this one among its words."""
    return parameter.wanted is str or takes_word(parameter, text, values)


def parameter_at(parameters: tuple[Parameter, ...], path: str) -> Parameter | None:
    """Return the parameter at a dotted path such as `a.die` or `fighters.1.skill`; None where there is none."""
    name, _, rest = path.partition(".")
    found = next((each for each in parameters if each.name == name), None)
    if found is None or not rest:
        return found
    number, _, behind = rest.partition(".")
    inner = behind if number.isdigit() else rest
    record = next(iter(records_in(found.wanted)), None)
    return parameter_at(record_parameters(record), inner) if record is not None and inner else found


def _names_in(wanted: Any, values: Values) -> tuple[str, ...]:
    origin, parts = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        return tuple(name for limit in parts[1:] if isinstance(limit, OneOf) for name in values.names(limit.path))
    if origin is Literal:
        return tuple(map(str, parts))
    if origin in (Union, types.UnionType):
        return tuple(name for part in parts for name in _names_in(part, values))
    return ()


@cache
def records_in(wanted: Any) -> tuple[type, ...]:
    """The records that a type is made of, outermost first, each once."""
    found: dict[type, None] = {}
    waiting = [wanted]
    while waiting:
        each = waiting.pop(0)
        if is_dataclass(each) and isinstance(each, type):
            if each not in found:
                found[each] = None
                waiting += [field.wanted for field in record_parameters(each)]
        elif get_origin(each) is Annotated:
            waiting.append(get_args(each)[0])
        elif get_origin(each) is not Literal:
            waiting += get_args(each)
    return tuple(found)
