"""What the procedures of GAMERS are written in: levels, modifiers, the kinds of conflict, and names checked by role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from sheetgen.errors import quoted, suggestion
from sheetgen.model.data import Values
from sheetgen.model.scale import HEX_DIGITS
from sheetgen.model.system import System
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused

HIGHEST = 15

Level: TypeAlias = Annotated[int, Whole(0, HIGHEST)]
Modifier: TypeAlias = Annotated[int, Whole(-99, 99)]
Kind: TypeAlias = Literal["physical", "mental"]
Levels: TypeAlias = Mapping[str, Level]
Difficulty: TypeAlias = Modifier | Annotated[str, OneOf("quickie.difficulty")]


def words(values: Values, path: str) -> tuple[str, ...]:
    """The words of a list in the pack's values."""
    return tuple(str(word) for word in values.at(path))


def roles(system: System, group: str) -> tuple[str, ...]:
    """The roles of a group in the order of this game's sheet (a skin's own order, `GAM-Q3`)."""
    return tuple(trait.role for trait in system.group(group).members)


def triad(values: Values, kind: str) -> tuple[str, ...]:
    """The three attributes that a conflict of this kind injures, in the order in which dice pick them (`GAM-C06`)."""
    return words(values, f"triads.{kind}")


def require_names(what: str, given: Iterable[str], names: Iterable[str], rule: str, *, every: bool = False) -> None:
    """Refuses names that are not among `names`, and with `every` the lack of one."""
    known, found = tuple(names), tuple(given)
    for name in found:
        if name not in known:
            raise Refused(what, f"{what}: unknown name {quoted(name)}{suggestion(name, known) or _there(known)}", rule)
    missing = [name for name in known if name not in found]
    if every and missing:
        raise Refused(what, f"{what}: {', '.join(missing)} missing", rule)


def _there(names: tuple[str, ...]) -> str:
    return f"; there are {', '.join(names)}" if len(names) <= HIGHEST else ""


def require_triad(play: Play, kind: str, levels: Mapping[str, int], what: str = "levels") -> tuple[str, ...]:
    """The triad of that kind; refuses levels that are not those of exactly its three attributes."""
    names = triad(play.values, kind)
    require_names(what, levels, names, "GAM-210", every=True)
    return names


def kind_of(play: Play, levels: Mapping[str, int]) -> Kind:
    """The kind of conflict whose triad these levels belong to."""
    return "mental" if set(levels) <= set(triad(play.values, "mental")) else "physical"


def printed(play: Play, role: str) -> str:
    """What this game calls a role: in a skin, Reflexes may be Agility."""
    trait = play.system.by_role.get(role)
    return trait.name if trait else role


def level_of(symbol: str, what: str = "symbol") -> int:
    """The level that one hexadecimal digit writes (`GAM-015`)."""
    level = HEX_DIGITS.find(symbol.upper()) if len(symbol) == 1 else -1
    if level < 0:
        raise Refused(what, f"{what}: takes one digit from 0 to 9 or A to F, not {quoted(symbol)}", "GAM-015")
    return level


def levels_of(code: str, count: int, what: str) -> tuple[int, ...]:
    """The levels that a code such as 468 writes, one digit each (`GAM-033`)."""
    if len(code) != count:
        raise Refused(what, f"{what}: takes {count} hexadecimal digits, not {quoted(code)}", "GAM-033")
    return tuple(level_of(symbol, what) for symbol in code)


def code_of(levels: Iterable[int]) -> str:
    """The levels as one hexadecimal digit each (`GAM-033`)."""
    return "".join(HEX_DIGITS[level] for level in levels)


def not_below_zero(what: str, number: Decimal) -> None:
    """Refuses measures below 0."""
    if number < 0:
        raise Refused(what, f"{what}: takes a number of 0 or more, not {number}")


def two_dice(play: Play, purpose: str) -> tuple[int, str]:
    """The sum of a quick roll's dice, and how the log shows them; odds have no log and need the sum alone."""
    count, sides = play.values.number("quickie.dice.count"), play.values.number("quickie.dice.sides")
    if play.log is None:
        return play.dice.total(count, sides, purpose), ""
    faces = play.dice.roll(count, sides, purpose)
    return sum(faces), f"{' + '.join(map(str, faces))} = {sum(faces)}"


def signed(number: int) -> str:
    """A modifier as the game writes it: DM+1, DM-3."""
    return f"DM{number:+d}"
