"""Families that go on from another roll of the pack: a row, a change of a track, damage, two sides opposed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, make_dataclass
from keyword import iskeyword
from typing import Annotated, Any, Literal, get_args, get_origin

from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.errors import among, quoted
from sheetgen.model.procedures import Results
from sheetgen.model.system import Table
from sheetgen.rules.procedures.family_words import NO, YES, Change, FamilyWords, result_types
from sheetgen.rules.procedures.parameters import Parameter, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import Procedure, outcome_record
from sheetgen.rules.procedures.result_families import opposed_rolls
from sheetgen.rules.procedures.sum_families import Number

MOST_HITS = 200
Hits = Annotated[int, Whole(1, MOST_HITS)]
Given = dict[str, Any]
SIDES, WINNER = ("a", "b"), "winner"


@dataclass(frozen=True, slots=True)
class WeaponHarm:
    """What an attack does: whether it hits, what it takes, how many hits are left of those given, and whether none."""

    hit: bool
    harm: int
    left: int | None
    down: bool


@dataclass(frozen=True, slots=True)
class TrackChange:
    """A track after a roll: by how much it changed, where it stands, and whether it is at its end."""

    change: int
    now: int
    full: bool


def _spread(
    words: FamilyWords, work: Callable[[Play, Given], Any], outcome: Any, roll: Procedure | None, *own: Parameter
) -> Callable[..., Any]:
    """Return the work as a roll that takes what another roll takes, and parameters of its own."""
    theirs = roll.parameters if roll is not None else ()
    every = (*theirs, *own)
    for each in theirs:
        if any(each.name == other.name for other in own) or not each.name.isidentifier():
            raise words.wrong(f"{each.name} of {words.word('roll')} cannot be filled in here: rename the parameter")
    named = {f"{each.name}_" if iskeyword(each.name) else each.name: each for each in every}

    def whole(play: Play, **given: Any) -> Any:
        defaults = {each.name: each.default for each in every if not each.needed}
        return work(play, defaults | {named[name].name: value for name, value in given.items()})

    kind, empty = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.empty
    takes = [inspect.Parameter(name, kind, default=empty if e.needed else e.default) for name, e in named.items()]
    takes.sort(key=lambda each: each.default is not empty)
    whole.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter("play", inspect.Parameter.POSITIONAL_OR_KEYWORD), *takes]
    )
    whole.__annotations__ = {name: each.wanted for name, each in named.items()} | {"return": outcome}
    return whole


def _came_to(play: Play, roll: Procedure, given: Given, result: str) -> Any:
    """Return a result of another roll of the pack, by what was given for its parameters."""
    names = {each.name for each in roll.parameters}
    taken = tuple((name, value) for name, value in given.items() if name in names)
    return play.part(_result_of, roll.run, taken, result)


def _result_of(play: Play, run: Callable[..., Any], taken: tuple[tuple[str, Any], ...], result: str) -> Any:
    outcome = run(play, dict(taken))
    return outcome[result] if isinstance(outcome, Mapping) else getattr(outcome, result)


def row_of_table(words: FamilyWords) -> Callable[..., Any]:
    """Roll on a `table`, or take the number that another `roll` comes to; cells in columns of `rolls` are dice.

    Cells in columns of `leads` name other rolls of the pack, such as `weather` or `weather.wind` for one result of it,
    which are made next; an empty cell leads nowhere.
    """
    words.only("table", "dice", "roll", "by", "rolls", "leads")
    table = words.table()
    roll = words.roll() if "roll" in words.step.params else None
    by = words.result(roll, "by", int) if roll is not None else ""
    if roll is not None and "dice" in words.step.params:
        raise words.wrong("say either dice or roll", words.step.params["dice"])  # type: ignore[index]
    dice = None if roll is not None else words.dice(otherwise=table.dice)
    columns = _columns(words, table)
    thrown = {column: _cells(words, table, column) for column in _known_columns(words, "rolls", columns)}
    led = {column: _led(words, table, column) for column in _known_columns(words, "leads", columns)}
    roll = roll if roll is None or _shares(roll, led) else roll.asked_for(by)
    own = _led_parameters(words, roll, led)
    name = words.step.name

    def work(play: Play, given: Given) -> Results:
        if roll is not None:
            total = _came_to(play, roll, given, by)
        else:
            assert dice is not None
            total = _thrown(play, dice, name) + given["bonus"]
        row = table.row(min(max(total, table.rows[0].span.low), table.rows[-1].span.high))
        found: Given = {"total": total}
        for key, column in columns.items():
            cell = row.get(column, "")
            found[key] = _thrown(play, thrown[column][cell], column) if column in thrown else cell
            if column in led and cell:
                found[key] = _results_in_words((_came_to(play, led[column][cell][0], given, led[column][cell][1]),))
        play.tell(f"{table.title} {total}: {', '.join(str(each) for key, each in found.items() if key != 'total')}")
        return Results(found)

    kinds = {key: int if column in thrown else str for key, column in columns.items()}
    outcome = outcome_record(name, (("total", int), *kinds.items()))
    return _spread(words, work, outcome, roll, *own)


def _columns(words: FamilyWords, table: Table) -> dict[str, str]:
    """Return the columns of a table by the names of results."""
    every = list(dict.fromkeys(column for row in table.rows for column in row.columns))
    columns = {"_".join(column.split()): column for column in every}
    for key, column in columns.items():
        if not key.isidentifier() or key == "total":
            raise words.wrong(f"the column {quoted(column)} of {table.name} cannot be a result: rename it")
    return columns


def _known_columns(words: FamilyWords, key: str, columns: Mapping[str, str]) -> tuple[str, ...]:
    """Return the columns that a key lists."""
    for each in (found := words.words(key)):
        if each not in columns.values():
            raise words.wrong(f"the table has no column {quoted(each)}{among(each, columns.values())}", each)
    return found


def _led(words: FamilyWords, table: Table, column: str) -> dict[str, tuple[Procedure, str]]:
    """Return the roll that each cell of a column leads to, with the result of it that is told."""
    found = dict[str, tuple[Procedure, str]]()
    for cell in dict.fromkeys(row.plain.get(column, "") for row in table.rows):
        name, _, result = cell.partition(".")
        if not cell:
            continue
        if name not in words.rolls:
            raise words.wrong(f"leads: {table.name} has no roll {quoted(name)}{among(name, words.rolls)}")
        results = [each for each in result_types(words.rolls[name])]
        if result and result not in results:
            raise words.wrong(f"leads: {name} has no result {quoted(result)}{among(result, results)}")
        told = [each for each in results if each != "total"] or results
        found[cell] = words.rolls[name], result or told[0]
    return found


def _led_parameters(
    words: FamilyWords, roll: Procedure | None, led: Mapping[str, Mapping[str, tuple[Procedure, str]]]
) -> list[Parameter]:
    """Return what a row of a table takes besides its roll: a bonus, and whatever the rolls take that it leads to."""
    own = [Parameter("bonus", Number, 0)] if roll is None else []
    known = {each.name: each for each in (*(roll.parameters if roll is not None else ()), *own)}
    for other in (procedure for cells in led.values() for procedure, _ in cells.values()):
        for each in other.parameters:
            if each.name in known and known[each.name].wanted != each.wanted:
                raise words.wrong(f"leads: {each.name} of {other.name} is another than that of the roll: rename it")
            if each.name not in known:
                known[each.name] = each
                own.append(each)
    return own


def _shares(roll: Procedure, led: Mapping[str, Mapping[str, tuple[Procedure, str]]]) -> bool:
    """Return whether a roll that a row leads to takes what only some results of the first one need."""
    others = (each for cells in led.values() for procedure, _ in cells.values() for each in procedure.parameters)
    return any(each.name in roll.only_for for each in others)


def _cells(words: FamilyWords, table: Table, column: str) -> dict[str, Notation | int]:
    """Return the dice or the number of each cell of a column."""
    found = dict[str, Notation | int]()
    for row in table.rows:
        cell = row.plain.get(column, "")
        try:
            found[cell] = _amount(cell)
        except NotationError as error:
            raise words.wrong(f"rolls: {column} of {table.name} has {quoted(cell)}: {error.message}") from None
    return found


def _amount(text: str) -> Notation | int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else parse_notation(text)


def _thrown(play: Play, amount: Notation | int, purpose: str) -> int:
    if isinstance(amount, int):
        return amount
    if amount.keep or amount.tens:
        return amount.total(play.dice.roll(amount.count, amount.sides, purpose))
    return play.dice.total(amount.count, amount.sides, purpose) + amount.modifier


def change_track(words: FamilyWords) -> Callable[..., TrackChange]:
    """Change a track by a result of another `roll`: by `steps` for each of its words, or by the number it comes to.

    Steps are numbers or dice: `{failure: -1d6, success: -1}`.
    """
    words.only("roll", "by", "steps", "range")
    roll = words.roll()
    by = words.result(roll, "by", int, bool, str)
    roll = roll.asked_for(by)
    low, high = words.span("range")
    steps = words.steps("steps", roll, by)
    down = low if all(sign < 0 or amount == 0 for sign, amount in steps.values()) and steps else high
    nothing: Change = (1, 0)

    def work(play: Play, given: Given) -> TrackChange:
        came = _came_to(play, roll, given, by)
        word = came if isinstance(came, str) else YES if came is True else NO if came is False else ""
        sign, amount = steps.get(word, nothing)
        change = sign * _thrown(play, amount, words.step.name) if steps else int(came or 0)
        now = min(max(given["now"] + change, low), high)
        play.tell(f"{word or came}: {given['now']} becomes {now}{', the end' if now == down else ''}")
        return TrackChange(now - given["now"], now, now == down)

    return _spread(words, work, TrackChange, roll, Parameter("now", Annotated[int, Whole(low, high)]))


def damage(words: FamilyWords) -> Callable[..., WeaponHarm]:
    """Take what a weapon does, less armour, from hits: of each attack, or only where another `roll` says that it `hit`.

    Weapon and armour are dice or numbers; `dice` is the weapon where none is given, `least` goes through any armour.
    """
    words.only("roll", "hit", "dice", "least")
    roll = words.roll() if "roll" in words.step.params else None
    hit = words.result(roll, "hit", bool) if roll is not None else ""
    weapon, least = str(words.dice()), words.number("least", "0")

    def work(play: Play, given: Given) -> WeaponHarm:
        hits = given["hits"]
        if roll is not None and not _came_to(play, roll, given, hit):
            play.tell("no hit")
            return WeaponHarm(False, 0, hits, False)
        rolled, armour = _by_text(play, given, "weapon"), _by_text(play, given, "armour")
        harm = max(rolled - armour, least, 0)
        left = None if hits is None else max(hits - harm, 0)
        end = "" if left is None else f", {left} of {hits} left"
        play.tell(f"{given['weapon']}: {rolled}{f' less {armour}' if armour else ''} = {harm}{end}")
        return WeaponHarm(True, harm, left, left == 0)

    own = (Parameter("weapon", str, weapon), Parameter("armour", str, "0"), Parameter("hits", Hits | None, None))
    return _spread(words, work, WeaponHarm, roll, *own)


def _by_text(play: Play, given: Given, name: str) -> int:
    try:
        return _thrown(play, _amount(given[name]), name)
    except NotationError as error:
        raise Refused(name, f"{name}: {error.message}") from None


def opposed(words: FamilyWords) -> Callable[..., Any]:
    """Let two sides add up the same dice, each with a bonus; the higher total wins, and `ties` says who wins a tie.

    Or each makes another `roll` of the pack, and `by` names the results that decide, the next where the first are
    equal: the higher number, yes, or the word that the family lists first. Then `a` and `b` are what the roll takes.
    """
    words.only("dice", "roll", "by", "ties")
    if "roll" not in words.step.params:
        return opposed_rolls(words)
    if "dice" in words.step.params:
        raise words.wrong("say either dice or roll", words.step.params["dice"])  # type: ignore[index]
    roll, ties = words.roll(), words.ties()
    kinds, by = result_types(roll), words.words("by")
    if not by:
        raise words.wrong(f"needs by, the results of {roll.name} that decide: [{next(iter(kinds))}]")
    ranks = {name: _ranks(words, roll, name) for name in by}
    roll = roll.asked_for(*by)
    names = tuple(each.name for each in roll.parameters)
    side = _side(roll)

    def work(play: Play, given: Given) -> Results:
        taken = [tuple((name, getattr(given[who], name)) for name in names) for who in SIDES]
        sides = [play.part(_results_of, roll.run, each, by) for each in taken]
        one, other = ([ranks[name](came) for name, came in zip(by, each, strict=True)] for each in sides)
        winner = SIDES[0] if one > other else SIDES[1] if other > one else ties
        play.tell(f"{_results_in_words(sides[0])} against {_results_in_words(sides[1])}: {winner}")
        found = zip(results, (*sides[0], *sides[1]), strict=True)
        return Results({WINNER: winner, **dict(found)})

    results = tuple(f"{who}_{name}" for who in SIDES for name in by)
    told = [(each, kinds[each.partition("_")[2]]) for each in results]
    outcome = outcome_record(words.step.name, ((WINNER, Literal["a", "b", "nobody"]), *told))
    return _spread(words, work, outcome, None, *(Parameter(who, side) for who in SIDES))


def _side(roll: Procedure) -> type:
    """Return the record of one side of opposed rolls: what the roll takes."""
    found: list[Any] = [
        (each.name, each.wanted) if each.needed else (each.name, each.wanted, field(default=each.default))
        for each in roll.parameters
    ]
    return make_dataclass("Side", sorted(found, key=len), frozen=True)


def _results_in_words(results: tuple[Any, ...]) -> str:
    return ", ".join((YES if each else NO) if isinstance(each, bool) else str(each) for each in results)


def _ranks(words: FamilyWords, roll: Procedure, name: str) -> Callable[[Any], int]:
    """Return how good a result is: a number by itself, yes over no, a word by its place among those of the family."""
    kinds = result_types(roll)
    if name not in kinds:
        raise words.wrong(f"{roll.name} has no result {quoted(name)}{among(name, kinds)}", name)
    kind = kinds[name]
    listed = get_args(kind) if get_origin(kind) is Literal else ()
    if not listed and kind not in (int, bool):
        raise words.wrong(f"{name} of {roll.name} cannot be better or worse", name)
    return (lambda came: -listed.index(came)) if listed else int


def _results_of(play: Play, run: Callable[..., Any], taken: tuple[tuple[str, Any], ...], names: tuple[str, ...]) -> Any:
    outcome = run(play, dict(taken))
    return tuple(outcome[each] if isinstance(outcome, Mapping) else getattr(outcome, each) for each in names)


LINKED: Mapping[str, Callable[[FamilyWords], Callable[..., Any]]] = {
    "row of a table": row_of_table,
    "track": change_track,
    "damage": damage,
    "opposed rolls": opposed,
}
