"""Steps for whoever writes a game without Python: lines from a table, some of a list, and what follows from levels."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, get_origin

from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.dice.source import Dice
from sheetgen.errors import InputError, Place, SheetgenError, among, quoted, suggestion
from sheetgen.model.data import Data, Word
from sheetgen.model.system import FieldSpec, System, TableRow, Trait, TraitGroup
from sheetgen.rules.creation.draft import Draft, Making, StepFunction
from sheetgen.rules.procedures.families import family_procedures
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import Procedure

MOST_LINES = 50
MOST_TRIES = 200  # of dice for a row that nobody has yet, before the first that is left is taken
INTO = ("text", "choice", "list")
_BLANKS = re.compile(r"[\s_-]+")


def from_table(making: Making) -> StepFunction:
    """Return a step that writes a row of a table into a field; `times` rows are all different.

    `dice` falls on the rows, by default those of the table; without either each row is as likely as the others.
    `column` is what is written, the only one of the table if it is left out; a list gets each row as a line.
    """
    making.only("table", "into", "times", "dice", "column")
    table, field = making.table(), making.field("into", *INTO)
    column, notation = _column(making, table.rows), _dice_of(making, table.dice)
    times = _times(making, field, len(table.rows))

    def step(draft: Draft, dice: Dice) -> None:
        taken: list[TableRow] = []
        for _ in range(times):
            taken.append(_another_row(table.rows, taken, notation, dice, table.title or table.name))
        lines = [row.plain[column] for row in taken if row.plain.get(column)]
        _write(draft, field, lines)

    return step


def _another_row(
    rows: Sequence[TableRow], taken: Sequence[TableRow], notation: Notation | None, dice: Dice, purpose: str
) -> TableRow:
    """Return a row that was not taken yet, by the dice of the table if it has any."""
    left = [row for row in rows if row not in taken]
    if notation is None:
        return left[dice.choose(len(left), purpose)]
    for _ in range(MOST_TRIES):
        total = notation.total(dice.roll(notation.count, notation.sides, purpose))
        found = next((row for row in left if total in row.span), None)
        if found is not None:
            return found
    return left[0]


def _column(making: Making, rows: Sequence[TableRow]) -> str:
    columns = list(dict.fromkeys(column for row in rows for column in row.columns))
    if "column" not in making.step.params:
        if len(columns) != 1:
            raise making.wrong(f"needs column: one of {', '.join(columns)}")
        return columns[0]
    word = making.word("column")
    if word not in columns:
        there = suggestion(word, columns) or f"; there are {', '.join(columns)}"
        raise making.wrong(f"the table has no column {quoted(word)}{there}", word)
    return str(word)


def _dice_of(making: Making, own: str) -> Notation | None:
    if "dice" in making.step.params:
        return making.dice()
    try:
        return parse_notation(own) if own else None
    except NotationError:  # cards, or dice that are read one by one: each row is as likely
        return None


def _times(making: Making, field: FieldSpec, most: int) -> int:
    times = making.number("times") if "times" in making.step.params else 1
    if not 1 <= times <= min(most, MOST_LINES):
        raise making.wrong(f"times must be 1 to {min(most, MOST_LINES)}, as many as there are")
    if times > 1 and field.kind != "list":
        raise making.wrong(f"into: {field.name} takes one line, not {times}: only a list takes several")
    return times


def _write(draft: Draft, field: FieldSpec, lines: Sequence[str]) -> None:
    """Write lines into a field: a list keeps what is there."""
    if field.kind == "list":
        before = draft.values.get(field.name)
        listed = before if isinstance(before, tuple) else ()
        draft.values[field.name] = (*listed, *(line for line in lines if line not in listed))
    elif lines:
        draft.values[field.name] = lines[0]
    draft.tell(f"{field.title}: {', '.join(lines) or 'nothing'}")


def pick(making: Making) -> StepFunction:
    """Return a step that takes `times` things of a list of the pack (`from`), or so many traits of a `group`.

    Things go `into` a field. Traits get the `level`, 1 if it is left out; those of the archetype are taken first, and
    those that somebody has already are left out. Of a group in sections, `by: FIELD` takes only those of the section
    that the field names.
    """
    making.only("from", "group", "into", "times", "level", "by")
    if "group" in making.step.params:
        return _pick_traits(making)
    field, word, values = making.field("into", *INTO), making.word("from"), making.system.values
    listed = values.at(word) if values.has(word) else ()
    things = [str(each) for each in listed if isinstance(each, Word)] if isinstance(listed, tuple) else []
    if not things:
        near = suggestion(word, values.outermost)
        raise making.wrong(
            f"from must name a list of words among the values of the pack, not {quoted(word)}{near}", word
        )
    times = _times(making, field, len(things))

    def step(draft: Draft, dice: Dice) -> None:
        left, taken = list(things), list[str]()
        for _ in range(times):
            taken.append(left.pop(dice.choose(len(left), making.step.name)))
        _write(draft, field, taken)

    return step


def _pick_traits(making: Making) -> StepFunction:
    group, level = making.group(), making.number("level") if "level" in making.step.params else 1
    times = making.number("times") if "times" in making.step.params else 1
    if not 1 <= times <= len(group.members):
        raise making.wrong(f"times must be 1 to {len(group.members)}, as many as {group.name} has")
    by = making.field("by", "text", "choice").name if "by" in making.step.params else ""
    outside = next((trait.name for trait in group.members if level not in trait.range), "")
    if outside:
        raise making.wrong(f"{outside} cannot be at {level}")

    def step(draft: Draft, dice: Dice) -> None:
        held = draft.groups.setdefault(group.name, {})
        core = (*draft.archetype.core, *draft.archetype.also) if draft.archetype is not None else ()
        section = draft.values.get(by) if by else None
        left = [
            trait.role
            for trait in group.members
            if not held.get(trait.role) and (not by or not trait.section or trait.section == section)
        ]
        taken = [role for role in dict.fromkeys(core) if role in left][:times]
        left = [role for role in left if role not in taken]
        while left and len(taken) < times:
            taken.append(left.pop(dice.choose(len(left), making.step.name)))
        held.update(dict.fromkeys(taken, level))
        draft.levels.update(dict.fromkeys(taken, level))
        draft.tell(f"{group.name}: {', '.join(taken)}")

    return step


def derive(making: Making) -> StepFunction:
    """Return a step that works out levels or a text `by` a procedure of the pack's `play`, dice and all.

    What the procedure takes are levels of traits of that name (`hit_dice` for Hit Dice), options, and words of the
    sheet; `takes` says so where names differ: `{score: Strength}`. What takes the levels of a group gets those of the
    group or of the section that has this name. What is none of them keeps its default. `into` is a trait, a field of
    texts or a whole group, whose first trait then gets the first of a group that `takes` names; `result` says which
    one, if the procedure has several.
    """
    making.only("by", "into", "result", "takes")
    work, group = _procedure(making), _group(making.system, making.word("into"))
    result = _result_name(making, work)
    targets = [trait.name for trait in group.members] if group is not None else [making.word("into")]
    parts = [(_sources(making, work, at), _writer(making, into)) for at, into in enumerate(targets)]
    here = making.step.place

    def step(draft: Draft, dice: Dice) -> None:
        for sources, write in parts:
            said = {name: data for name, source in sources.items() if (data := source(draft)) is not None}
            given = {Word(name, here): _as_data(data, here) for name, data in said.items()}
            play = Play(making.system, dice)
            try:
                found = work.run(play, work.arguments(given, play))
            except SheetgenError as error:
                raise making.wrong(f"by: {work.name}: {error}", making.word("by")) from None
            write(draft, getattr(found, result))

    return step


_Source = Callable[[Draft], str | Mapping[str, str] | None]


def _as_data(said: str | Mapping[str, str], place: Place) -> Data:
    """Return a word, or levels by role, as a procedure is given them."""
    if isinstance(said, str):
        return Word(said, place)
    return {Word(name, place): Word(level, place) for name, level in said.items()}


def _sources(making: Making, work: Procedure, at: int) -> dict[str, _Source]:
    """Return what fills in each parameter; of a group that `takes` names, the trait in this place."""
    named = making.step.params.get("takes", {})  # type: ignore[call-overload]
    known = {each.name for each in work.parameters}
    if not isinstance(named, Mapping) or not all(isinstance(each, Word) for each in named.values()):
        raise making.wrong("takes says what fills in each parameter: {score: Strength}", making.word("by"))
    for name in named:
        if name not in known:
            raise making.wrong(f"takes: {work.name} takes no {quoted(name)}{among(name, known)}", name)
    found = dict[str, _Source]()
    for each in work.parameters:
        word = str(named.get(each.name, each.name))
        takes_levels = _is_mapping(each.wanted)
        source = _all_levels(making.system, word) if takes_levels else _source(making, word, at)
        if source is not None:
            found[each.name] = source
        elif each.name in named:
            called = "group or section of traits" if takes_levels else "trait, group, option or word of the sheet"
            raise making.wrong(f"takes: no {called} is called {quoted(word)}", named[each.name])
        elif each.needed:
            called = "group or section of traits" if takes_levels else "trait, option or word of the sheet"
            kinds = f"no {called} is called so"
            raise making.wrong(f"by: nothing fills in {each.name}: {kinds}", making.word("by"))
    return found


def _is_mapping(wanted: Any) -> bool:
    """Return whether a parameter takes values by name, such as levels of a group."""
    origin = get_origin(wanted)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _all_levels(system: System, name: str) -> _Source | None:
    """Return what reads the levels, by role, of the group or of the section that has this name."""
    sections = (group.sections[name] for group in system.groups if name in group.sections)
    group = _group(system, name)
    traits = tuple(group.members) if group is not None else next(sections, ())
    if not traits:
        return None
    return lambda draft: {each.role: str(draft.levels.get(each.role, _default(each))) for each in traits}


def _source(making: Making, name: str, at: int) -> _Source | None:
    """Return what reads a trait, the trait in a place of a group, an option, or a word of the sheet, by its name."""
    system = making.system
    traits = {_folded(each): trait for each, trait in (*system.traits.items(), *system.by_role.items())}
    group, option, spec = _group(system, name), system.creation.options.get(name), system.spec(name)
    trait = traits.get(_folded(name)) or (group.members[at] if group is not None and at < len(group.members) else None)
    if trait is not None:
        role, default = trait.role, _default(trait)
        return lambda draft: str(draft.levels.get(role, default))
    worded = spec is not None and spec.kind in ("text", "choice")
    if option is None and not worded:
        return None
    settled = making.chosen(option) if option is not None else None

    def word(draft: Draft) -> str | None:
        said = draft.values.get(name) if worded else None
        return said if isinstance(said, str) else draft.words.get(name, settled)

    return word


def _group(system: System, name: str) -> TraitGroup | None:
    return next((group for group in system.groups if group.name == name), None)


def _folded(name: str) -> str:
    return _BLANKS.sub(" ", name).strip().casefold()


def _default(trait: Trait) -> int:
    return trait.default or max(trait.range.low, 0)


def _procedure(making: Making) -> Procedure:
    word = making.word("by")
    try:
        known = family_procedures(making.system)
    except InputError as error:  # told where it stands
        raise InputError(error.problems) from None
    if word not in known:
        there = suggestion(word, known) or f"; play has {', '.join(known) or 'nothing'}"
        raise making.wrong(f"by: unknown procedure {quoted(word)}{there}", word)
    return known[word]


def _writer(making: Making, word: str) -> Callable[[Draft, Any], None]:
    """Return what writes a value into the trait of that name, or else into the field of texts that `into` names."""
    traits = {**making.system.by_role, **making.system.traits}
    if word not in traits:
        field = making.field("into", *INTO)
        return lambda draft, value: _write(draft, field, [str(value)])
    trait, group = traits[word], making.system.group_of[traits[word].name]

    def write(draft: Draft, value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            raise making.wrong(f"{making.word('by')} gives {quoted(str(value))}, which is no level of {trait.name}")
        level = min(max(value, trait.range.low), trait.range.high)
        draft.groups.setdefault(group.name, {})[trait.role] = draft.levels[trait.role] = level
        draft.tell(f"{trait.name}: {group.write(level)}{'' if level == value else f', which {value} is cut to'}")

    return write


def _result_name(making: Making, work: Procedure) -> str:
    """Return the result that is meant: the one that is named, or the first."""
    names = [each.name.rstrip("_") for each in fields(work.outcome)]
    name = str(making.word("result")) if "result" in making.step.params else names[0]
    if name not in names:
        near = suggestion(name, names) or f"; there are {', '.join(names)}"
        raise making.wrong(f"result: {work.name} gives no {quoted(name)}{near}", making.word("result"))
    return name
