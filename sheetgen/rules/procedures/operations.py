"""The operations of formulas: what each takes, and how it is worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.errors import among, quoted
from sheetgen.model.data import Word
from sheetgen.model.procedures import Formula, Named
from sheetgen.rules.procedures.formulas import (
    DECIMAL,
    FLAG,
    HOLE,
    NUMBER,
    TEXT,
    Base,
    Case,
    Maker,
    Operation,
    ValueKind,
    Worked,
    as_text,
    joined,
    plain,
    wrong,
)
from sheetgen.rules.procedures.play import Refused

LARGEST = 10**15
MOST_DICE, MOST_SIDES = 40, 1000  # that a formula rolls at once


def _combined(parts: Sequence[Worked], kind: ValueKind, work: Callable[..., Any]) -> Worked:
    """What comes of parts; absent if any of them is."""
    if not any(part.kind.absent for part in parts):
        return Worked(kind, lambda case: work(*(part.work(case) for part in parts)))

    def careful(case: Case) -> Any:
        values = [part.work(case) for part in parts]
        return None if None in values else work(*values)

    return Worked(replace(kind, absent=True), careful)


def _within_limits(number: Any) -> Any:
    if abs(number) > LARGEST:
        raise Refused("too_large", f"the numbers grow past {LARGEST:,}")
    return number


def _total(work: Callable[[list[Any]], Any]) -> Operation:
    """An operation on numbers and lists of numbers."""

    def make(maker: Maker, formula: Formula) -> Worked:
        parts, kind = maker.flat(formula.operands(formula.do), "numbers", "number", "decimal")

        def total(*lists: tuple[Any, ...]) -> Any:
            every = [number for each in lists for number in each]
            if None in every:
                return None
            return _within_limits(work(every))

        return _combined(parts, replace(kind, words=None), total)

    return make


def _difference(numbers: list[Any]) -> Any:
    return numbers[0] - sum(numbers[1:]) if numbers else 0


def _times(numbers: list[Any]) -> Any:
    product_so_far = 1
    for number in numbers:
        product_so_far = _within_limits(product_so_far * number)
    return product_so_far


_ROUNDED: Mapping[str, Callable[[Fraction], int]] = {
    "half up": lambda number: floor(number + Fraction(1, 2)),
    "half down": lambda number: ceil(number - Fraction(1, 2)),
    "up": ceil,
    "down": floor,
}


def _divide(maker: Maker, formula: Formula) -> Worked:
    parts = [maker.number(formula.operand("divide")), maker.number(formula.operand("by"))]
    rounded = _ROUNDED.get(formula.word("round"))

    def work(number: Any, by: Any) -> Any:
        if not by:
            raise Refused("zero", "nothing can be divided by 0")
        return rounded(Fraction(number) / Fraction(by)) if rounded else Decimal(number) / Decimal(by)

    return _combined(parts, NUMBER if rounded else DECIMAL, work)


def _look_up(maker: Maker, formula: Formula) -> Worked:
    otherwise = maker.worked(formula.operand("else")) if "else" in formula.parts else None
    return maker.looked_up(formula.word("look up"), otherwise)


def _row(maker: Maker, formula: Formula) -> Worked:
    name, column, tables = formula.word("row"), formula.word("column"), maker.system.tables
    if name not in tables:
        raise wrong(name.place, f"unknown table {quoted(name)}{among(name, tables)}")
    table, at = tables[name], maker.number(formula.operand("at"))
    if not column:
        return _combined([at], ValueKind("values", TEXT), lambda level: Named(table.row(level)))
    columns = dict.fromkeys(each for row in table.rows for each in row.columns)
    if column not in columns:
        raise wrong(column.place, f"table {name} has no column {quoted(column)}{among(column, columns)}")
    read = {
        row.plain.get(column): plain(Word(row.plain.get(column, ""), column.place), column.place) for row in table.rows
    }
    if "text" in {each.base for word, (_, each) in read.items() if word is not None}:  # -2 beside 1d4: words, all of it
        read = {word: (word, replace(TEXT, words=(word,)) if word is not None else TEXT) for word in read}
    kind = joined((each for word, (_, each) in read.items() if word is not None), column.place)
    values = {word: None if word is None else value for word, (value, _) in read.items()}
    return _combined([at], replace(kind, absent=None in read), lambda level: values[table.row(level).get(column)])


def _trait(maker: Maker, formula: Formula) -> Worked:
    its, traits = formula.word("its"), maker.system.by_role

    def work(role: str) -> str:
        return str(getattr(traits[role], its)) if role in traits else role if its == "name" else ""

    return _combined([maker.text(formula.operand("trait"))], TEXT, work)


def _written(maker: Maker, formula: Formula) -> Worked:
    group = maker.group(formula.word("as"))
    return _combined([maker.number(formula.operand("written"))], TEXT, lambda level: group.write(int(level)))


def _compared(work: Callable[[Any, Any], bool]) -> Operation:
    """A comparison of each number with the next; one with something absent does not hold."""

    def make(maker: Maker, formula: Formula) -> Worked:
        parts = [maker.number(operand) for operand in formula.operands(formula.do)]

        def holds(case: Case) -> bool:
            values = [part.work(case) for part in parts]
            return None not in values and all(work(one, other) for one, other in pairwise(values))

        return Worked(FLAG, holds)

    return make


def _is(maker: Maker, formula: Formula) -> Worked:
    first, *others = formula.operands("is")
    parts = [maker.worked(first)]
    for other in others:
        words = parts[0].kind.words
        if parts[0].kind.base == "text" and isinstance(other, Word) and other not in maker.names and "." not in other:
            if words is not None and other not in words:
                raise wrong(other.place, f"unknown word {quoted(other)}{among(other, words)}")
            parts.append(Worked(TEXT, lambda case, word=str(other): word))  # type: ignore[misc]
        else:
            parts.append(maker.worked(other))
    joined((part.kind for part in parts), formula.place)
    return Worked(FLAG, lambda case: len({part.work(case) for part in parts}) == 1)


def _among(maker: Maker, formula: Formula) -> Worked:
    part, items = maker.worked(formula.operand("among")), maker.items(formula.operand("in"))
    return Worked(FLAG, lambda case: part.work(case) in items.work(case))


def _same(maker: Maker, formula: Formula) -> Worked:
    lists = [maker.items(operand) for operand in formula.operands("same")]
    return Worked(FLAG, lambda case: all(a == b for a, b in pairwise([Counter(each.work(case)) for each in lists])))


def _hold(work: Callable[[Iterable[bool]], bool]) -> Operation:
    """All or any of some conditions, and of lists of them; none after the one that decides is worked out."""

    def make(maker: Maker, formula: Formula) -> Worked:
        parts, _ = maker.flat(formula.operands(formula.do), "yes or no", "yes or no")
        return Worked(FLAG, lambda case: work(bool(each) for part in parts for each in part.work(case)))

    return make


def _not(maker: Maker, formula: Formula) -> Worked:
    part = maker.flag(formula.operand("not"))
    return Worked(FLAG, lambda case: not part.work(case))


def _given_operation(maker: Maker, formula: Formula) -> Worked:
    part = maker.worked(formula.operand("given"))
    if "else" not in formula.parts:
        return Worked(FLAG, lambda case: part.work(case) is not None)
    otherwise = maker.worked(formula.operand("else"))
    kind = joined((replace(part.kind, absent=False), otherwise.kind), formula.place)
    return Worked(kind, lambda case: otherwise.work(case) if (value := part.work(case)) is None else value)


def _if(maker: Maker, formula: Formula) -> Worked:
    condition = maker.flag(formula.operand("if"))
    if "say" in formula.parts:
        say, otherwise = maker.line(formula.word("say")), maker.line(formula.word("otherwise"))
        return Worked(TEXT, lambda case: say(case) if condition.work(case) else otherwise(case))
    then, kind = maker.worked(formula.operand("then")), None
    if "else" not in formula.parts:
        return Worked(replace(then.kind, absent=True), lambda case: then.work(case) if condition.work(case) else None)
    other = maker.worked(formula.operand("else"))
    kind = joined((then.kind, other.kind), formula.place)
    return Worked(kind, lambda case: (then if condition.work(case) else other).work(case))


def _say_operation(maker: Maker, formula: Formula) -> Worked:
    text = formula.word("say")
    return Worked(ValueKind("text", words=None if HOLE.search(text) else (str(text),)), maker.line(text))


def _case(maker: Maker, formula: Formula) -> Worked:
    part, cases = maker.text(formula.operand("case")), formula.parts["of"]
    assert isinstance(cases, Mapping)
    words = part.kind.words
    for word in cases:
        if words is not None and word not in words:
            raise wrong(word.place, f"unknown word {quoted(word)}{among(word, words)}")
    found = {str(word): maker.worked(operand) for word, operand in cases.items()}
    otherwise = maker.worked(formula.operand("else")) if "else" in formula.parts else None
    parts = [*found.values(), *([otherwise] if otherwise else [])]
    kind = joined((each.kind for each in parts), formula.place)
    covered = otherwise is not None or (words is not None and set(words) <= set(found) and not part.kind.absent)

    def work(case: Case) -> Any:
        chosen = found.get(part.work(case), otherwise)
        return None if chosen is None else chosen.work(case)

    return Worked(kind if covered else replace(kind, absent=True), work)


def _list(maker: Maker, formula: Formula) -> Worked:
    parts, kind = maker.flat(formula.operands("list"), "")
    return Worked(ValueKind("list", kind), lambda case: tuple(each for part in parts for each in part.work(case)))


def _each(maker: Maker, formula: Formula) -> Worked:
    if maker.depth > 1:
        raise wrong(formula.place, '"each" stands within "each" no more than once')
    source = maker.worked(formula.operand("each"))
    items, by_name = maker.items(formula.operand("each")), "by name" in formula.parts
    inner, words = source.kind.of or TEXT, source.kind.words
    values = source.kind.base == "values"
    if by_name and not values and inner.base != "text":
        raise wrong(formula.place, f"values by name need names, and these are a {source.kind}")
    names = {"each": inner, **({"name": ValueKind("text", words=words)} if values else {})}
    within = maker.within(**names)
    where = within.flag(formula.operand("where")) if "where" in formula.parts else None
    give = within.worked(formula.operand("give") if "give" in formula.parts else Word("each", formula.place))

    def work(case: Case) -> Any:
        given, listed, found = source.work(case) or (), items.work(case), []
        outer: dict[str, Any] = {name: case.found.pop(name) for name in ("each", "name") if name in case.found}
        for name, item in zip(given if values else listed, listed, strict=True):
            case.found.update(each=item, name=name)
            if where is None or where.work(case):
                found.append((name, give.work(case)))
        for name in ("each", "name"):
            case.found.pop(name, None)
        case.found.update(outer)
        return Named(dict(found)) if by_name else tuple(value for _, value in found)

    if by_name:
        return Worked(ValueKind("values", give.kind, words if values else inner.words), work)
    return Worked(ValueKind("list", give.kind), work)


def _join(maker: Maker, formula: Formula) -> Worked:
    items, empty = maker.items(formula.operand("join")), maker.line(formula.word("empty"))
    between = str(formula.word("with")) if "with" in formula.parts else ", "
    return Worked(TEXT, lambda case: between.join(as_text(each, False) for each in items.work(case)) or empty(case))


def _ordered(kind: Base, work: Callable[[Iterable[Any]], Any]) -> Operation:
    def make(maker: Maker, formula: Formula) -> Worked:
        items = maker.items(formula.operand(formula.do))
        return Worked(ValueKind(kind, items.kind.of), lambda case: work(items.work(case)))

    return make


def _roll(maker: Maker, formula: Formula) -> Worked:
    text = formula.word("roll")
    try:
        base = parse_notation(text)
    except NotationError as error:
        raise wrong(text.place, error.message) from None
    if "more" not in formula.parts:
        return Worked(NUMBER, lambda case: _thrown(case, base, str(text)))

    def thrown(case: Case, more: int) -> int:
        kept = abs(base.keep) or base.count
        dice = replace(base, count=base.count + _dice(abs(more)), keep=kept if more >= 0 else -kept) if more else base
        return _thrown(case, dice, str(text))

    more = maker.number(formula.operand("more"))
    return _combined_in_play([more], NUMBER, thrown)


def _thrown(case: Case, dice: Notation, purpose: str) -> int:
    if dice.keep or dice.tens:
        return dice.total(case.play.dice.roll(dice.count, dice.sides, purpose))
    return case.play.dice.total(dice.count, dice.sides, purpose) + dice.modifier


def _faces(maker: Maker, formula: Formula) -> Worked:
    parts = [maker.number(formula.operand("faces")), maker.number(formula.operand("sides"))]

    def thrown(case: Case, count: int, sides: int) -> tuple[int, ...]:
        if not MOST_SIDES >= sides > 1:
            raise Refused("sides", f"a die has 2 to {MOST_SIDES} sides, not {sides}")
        return tuple(sorted(case.play.dice.roll(_dice(count), int(sides), f"{count}d{sides}")))

    return _combined_in_play(parts, ValueKind("list", NUMBER), thrown)


def _dice(count: int) -> int:
    """A number of dice that a hand can hold."""
    if not 0 <= count <= MOST_DICE:
        raise Refused("dice", f"0 to {MOST_DICE} dice are rolled at once, not {count}")
    return int(count)


def _band(maker: Maker, formula: Formula) -> Worked:
    part, bands = maker.number(formula.operand("band")), formula.parts["of"]
    assert isinstance(bands, Mapping)
    least = [(str(word), maker.number(operand)) for word, operand in bands.items()]

    def work(case: Case) -> str | None:
        number = part.work(case)
        floors = sorted(((each.work(case), word) for word, each in least), reverse=True)
        return None if number is None else next((word for floor, word in floors if number >= floor), floors[-1][1])

    return Worked(ValueKind("text", words=tuple(word for word, _ in least), absent=part.kind.absent), work)


def _combined_in_play(parts: Sequence[Worked], kind: ValueKind, work: Callable[..., Any]) -> Worked:
    """What comes of parts at the table, whose dice fall there; absent if any of them is."""

    def careful(case: Case) -> Any:
        values = [part.work(case) for part in parts]
        return None if None in values else work(case, *values)

    return Worked(replace(kind, absent=any(part.kind.absent for part in parts)), careful)


OPERATIONS: Mapping[str, Operation] = {
    "look up": _look_up,
    "row": _row,
    "trait": _trait,
    "written": _written,
    "sum": _total(sum),
    "difference": _total(_difference),
    "times": _total(_times),
    "divide": _divide,
    "least": _total(lambda numbers: min(numbers, default=0)),
    "most": _total(lambda numbers: max(numbers, default=0)),
    "count": lambda maker, formula: _combined([maker.items(formula.operand("count"))], NUMBER, len),
    "at least": _compared(lambda one, other: one >= other),
    "more than": _compared(lambda one, other: one > other),
    "is": _is,
    "same": _same,
    "among": _among,
    "all": _hold(all),
    "any": _hold(any),
    "not": _not,
    "given": _given_operation,
    "if": _if,
    "say": _say_operation,
    "case": _case,
    "list": _list,
    "each": _each,
    "join": _join,
    "sorted": _ordered("list", lambda items: tuple(sorted(items))),
    "set": _ordered("set", frozenset),
    "roll": _roll,
    "faces": _faces,
    "band": _band,
}
