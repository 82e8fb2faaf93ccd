"""The shape of a pack's traits and tables: nodes in, frozen records out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sheetgen.content.yaml.containers import Either, Entries, Key, Later, ListOf, MapOf, RecordOf, Then, mapping_entries
from sheetgen.content.yaml.decoder import Decoder, Definitions, Schema, Scope
from sheetgen.content.yaml.levels import DiceNotation, LevelRange
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.content.yaml.scalars import ChoiceOf, FreeText, NameOf, OneLine, WholeNumber
from sheetgen.errors import Place, quoted
from sheetgen.model.data import Values, Word
from sheetgen.model.scale import KINDS, Scale, usual
from sheetgen.model.system import Span, Table, TableRow, Trait, TraitGroup

LOWEST = -999
MOST_ROWS = 10_000
PIPS = "pips.die"
TEXT = FreeText()
LINE = OneLine()
_REFERENCE = re.compile(r"\{[^{}]*\}")


def _covered(rule: str, node: Node, scope: Scope) -> str:
    scope.covered.add(rule)
    return rule


RULE_ID = Then(TEXT, _covered)
COVERS = Key("covers", ListOf(RULE_ID), "the IDs of the rules that it states", ())
RULE = Key("rule", RULE_ID, "the ID of the rule that it follows", "")


def _hint(text: str, node: Node, scope: Scope) -> str:
    if reference := _REFERENCE.search(text):
        scope.add(node.place, f"hint: {reference[0]} stays as it is in a hint (write the words)")
    return text


def hint(help: str) -> Key:
    """Return the key of a hint, with what it is for."""
    return Key("hint", Then(TEXT, _hint), help, "")


def _check_trait(entries: Entries) -> None:
    """Read range and start, for which the group decides how levels are written, and fill in what the group says."""
    values, shared, name = entries.values, entries.scope.facts["shared trait"], entries.values["name"]
    levels = LevelRange(LOWEST, scale=entries.scope.facts["bounds"])
    values["range"] = whole = entries.read("range", levels, shared.range, f"range of {name}")
    start = entries.read("start", levels, shared.start, f"start of {name}")
    values["start"] = Span(max(start.low, whole.low), min(start.high, whole.high))
    if values["start"].low > values["start"].high:
        entries.add(f"start of {name} lies outside its range", at="start")
        values["start"] = whole
    for part in ("rule", "bands"):
        values[part] = values[part] or getattr(shared, part)
    values["role"] = values["role"] or name
    values["default"] = shared.default
    if "default" in entries and shared.default is None:
        entries.add(f"default of {name}: the group needs a default, too: that of its other traits", at="default")
    elif "default" in entries:
        values["default"] = entries.read("default", WholeNumber(0, whole.high), 0, f"default of {name}")


BANDS = Key("bands", TEXT, "the table that tells what each level means", "")
TRAIT = RecordOf(
    "{key}",
    Trait,
    hint("a word or two on what it is for"),
    Key("short", OneLine(8), "its name where there is little room: in boxes, on cards, over columns", ""),
    Key("kind", TEXT, "a word by which the engine of the game knows it", ""),
    RULE,
    BANDS,
    Key("start", Later(LevelRange()), "the levels that somebody new may have; those of the group if absent", None),
    Key("range", Later(LevelRange()), "the levels that there are; those of the group if absent", None),
    Key(
        "default",
        Later(WholeNumber(0, 999)),
        "its level if nobody writes it down; that of the group if absent",
        None,
    ),
    Key("role", TEXT, "its name in the rules, where it has another one in this game", ""),
    check=_check_trait,
    key="name",
    name="trait",
)
MEMBERS = MapOf(TRAIT, key=OneLine(40))
SECTIONS = MapOf(MEMBERS, each="section {key}")


def _check_group(entries: Entries) -> None:
    """Read what depends on how the group writes its levels: range, start, default and members."""
    values, scope, name = entries.values, entries.scope, entries.values["name"]
    scale = _scale(entries)
    scope.facts["bounds"] = Scale() if scale.kind == "words" else scale  # a ladder of words has its numbers from here
    levels = LevelRange(LOWEST, scale=scope.facts["bounds"])
    whole = entries.read("range", levels, Span(0, 15), f"range of {name}")
    if scale.kind == "words":
        scale = replace(scale, lowest=whole.low)
        if len(scale.words) != whole.high - whole.low + 1:
            entries.add(f"{name} runs from {whole.low} to {whole.high}, but has {len(scale.words)} words", at="words")
    start = entries.read("start", levels, whole, f"start of {name}")
    if start.low < whole.low or start.high > whole.high:
        entries.add(f"start of {name} reaches beyond its range", at="start")
    default = entries.read("default", WholeNumber(0, whole.high), 0) if "default" in entries else None
    scope.facts["shared trait"] = Trait(
        "", "", whole, start, bands=values["bands"], rule=values["rule"], default=default
    )
    members = list(entries.read("members", MEMBERS, {}).values())
    for section, traits in entries.read("sections", SECTIONS, {}).items():
        members += [replace(trait, section=section) for trait in traits.values()]
    if not members:
        entries.add(f"{entries.what} has no members")
    kept = {part: values[part] for part in ("name", "title", "hint", "rule", "spells_title")}
    values.clear()
    values.update(kept, scale=scale, members=tuple(members), default=default)


def _scale(entries: Entries) -> Scale:
    """How levels of a group are written; a problem at the word for a value that the pack lacks."""
    kind, path, pack = entries.values["notation"], entries.values["words"], entries.scope.values
    if kind == "words":
        if path and pack.has(path):
            return Scale("words", words=listed(pack, path))
        at = "words" if path else "notation"
        entries.add(f"notation words needs words: the path of a pack value, not {quoted(path)}", at=at)
        return Scale()
    if path:
        entries.add("only notation words has words", at="words")
    if kind == "code" and not pack.has(PIPS):
        entries.add(f"notation code needs the pack value {PIPS}: how many pips make a die", at="notation")
        return Scale()
    return Scale(kind, pips=pack.number(PIPS)) if kind == "code" else Scale(kind)


def listed(values: Values, path: str) -> tuple[str, ...]:
    """Return the words of a pack value: the names of a mapping, or the items of a list."""
    data = values.at(path)
    return (str(data),) if isinstance(data, Word) else tuple(str(each) for each in data)


GROUP = RecordOf(
    "trait group {key}",
    TraitGroup,
    Key("title", LINE, "what the group is called on a sheet"),
    Key("range", Later(LevelRange()), "the levels that there are, such as `0-15`"),
    Key("notation", ChoiceOf(KINDS), "how levels are written", "decimal"),
    Key("words", TEXT, "for notation words: the path of the pack value that lists them, the lowest first", ""),
    Key("start", Later(LevelRange()), "the levels that somebody new may have; the whole range if absent", None),
    Key("default", Later(WholeNumber(0, 999)), "the level of a trait that a character does not write down", None),
    RULE,
    hint("a line on the whole group"),
    BANDS,
    Key("members", Later(MEMBERS), "the traits, in the order of the sheet", None),
    Key("sections", Later(MapOf(MEMBERS)), "or the traits under headings", None),
    Key("spells_title", TEXT, "the ID of a rule by which a variant's initials spell its title", ""),
    check=_check_group,
    key="name",
)


def _each_once(groups: dict[str, TraitGroup], node: Node, scope: Scope) -> tuple[TraitGroup, ...]:
    seen: dict[str, str] = {}
    for group in groups.values():
        for trait in group.members:
            if trait.name in seen:
                scope.add(node.place, f'trait "{trait.name}" stands in {seen[trait.name]} and in {group.name}')
            seen[trait.name] = group.name
    return tuple(groups.values())


GROUPS = Then(MapOf(GROUP), _each_once)


def know_traits(scope: Scope, groups: Iterable[TraitGroup]) -> None:
    """Make the traits known to what is read from now on, each by its name and by its role."""
    pairs = [(group, trait) for group in groups for trait in group.members]
    scope.names["trait group"] = {group.name: group for group, _ in pairs}
    scope.names["trait"] = {name: trait.role for _, trait in pairs for name in (trait.name, trait.role)}
    scope.facts["traits"] = {trait.role: (group, trait) for group, trait in pairs}
    scope.facts["usual scale"] = usual(group.scale for group, _ in pairs)
    scope.facts["scales"] = {trait.role: group.scale for group, trait in pairs}


class WordsOrPath(Decoder[tuple[str, ...]]):
    """The words of a list, or those of the pack value whose path stands there."""

    blank = ()

    def read(self, node: Node, scope: Scope, what: str) -> tuple[str, ...]:
        if not isinstance(node, Scalar):
            return ListOf(FreeText(60)).read(node, scope, what)
        if scope.values.has(node.text):
            return listed(scope.values, node.text)
        scope.add(node.place, f"{what}: the pack has no value {quoted(node.text)}, and this is no list")
        return ()

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [{"type": "string"}, ListOf(FreeText(60)).schema(definitions)]}

    def __str__(self) -> str:
        return "list of words, or the path of a pack value that has them"


def _role(name: str, node: Node, scope: Scope) -> str:
    roles = scope.names["trait"]
    return str(roles[name]) if name in roles else ""


TRAIT_ROLE = Then(NameOf("trait"), _role)


COLUMNS = Either(Then(TEXT, lambda written, node, scope: {"is": written}), MapOf(FreeText(empty=True)))


class Rows(MapOf[Any]):
    """Rows under the results that they answer, each with its place."""

    blank = ()

    def read(self, node: Node, scope: Scope, what: str) -> Any:
        found = mapping_entries(node, scope, what=what, most=MOST_ROWS).values()
        results = LevelRange()
        span_of = partial(results.read, scope=scope, what=what.replace("rows", "row"))
        return tuple((TableRow(span_of(key), self.value.read(value, scope, "row")), key.place) for key, value in found)


def _check_table(entries: Entries) -> None:
    """Every result of the dice, or every level that the table is over, must have one row."""
    values, what = entries.values, entries.what
    dice, over = values["dice"], values["over"]
    if "dice" in entries:
        values["dice"], values["over"] = str(dice or ""), dice.values if dice else ()
    else:
        values["dice"], values["over"] = "", tuple(range(over.low, over.high + 1)) if over else ()
        if over is None:
            entries.add(f"{what} needs dice (2d6) or over (the levels it answers)")
    if values["over"] and "rows" in entries:
        _check_gaps(entries, values["rows"], values["over"])
    _check_columns(entries, values["rows"])
    values["rows"] = tuple(row for row, _ in values["rows"])
    del values["covers"]


def _check_columns(entries: Entries, rows: Sequence[tuple[TableRow, Place]]) -> None:
    """Note a column without a word in it, which a comma outside quotes makes, and cells with references."""
    heads, what, add = entries.values["heads"], entries.what, entries.scope.add
    for row, place in rows:
        for column, said in row.columns.items():
            if not said and column not in heads and not any(other.columns.get(column) for other, _ in rows):
                fix = "put a text with a comma in quotes, or give the column a head"
                add(place, f"{what}: the column {quoted(column)} says nothing in any row ({fix})")
            if reference := _REFERENCE.search(said):
                add(place, f"{what}: {reference[0]} stays as it is in a table (write the words)")


def _check_gaps(entries: Entries, rows: Iterable[tuple[TableRow, Place]], over: tuple[int, ...]) -> None:
    """Note every result that no row answers, that two rows answer, or that cannot come up."""
    seen: dict[int, Place] = {}
    add, what = entries.scope.add, entries.what
    for row, place in rows:
        low, high = row.span.low, row.span.high
        twice = [result for result in range(low, high + 1) if result in seen]
        if twice:
            add(place, f"{what}: {_shortened(twice)} stands in another row too (line {seen[twice[0]].line})")
        beyond = [end for end in (low, high) if not min(over) <= end <= max(over)]
        if beyond or set(over).isdisjoint(range(low, high + 1)):
            add(place, f"{what}: {_shortened(list(dict.fromkeys(beyond or [low])))} cannot come up")
        seen.update(dict.fromkeys(range(low, high + 1), place))
    missing = [result for result in over if result not in seen]
    if missing:
        entries.add(f"{what}: no row for {_shortened(missing)}")


def _shortened(results: list[int]) -> str:
    shown = ", ".join(map(str, results[:6]))
    return f"{shown} and {len(results) - 6} more" if len(results) > 6 else shown


TABLE = RecordOf(
    "table {key}",
    Table,
    Key("title", LINE, "what the table is called"),
    Key("rows", Rows(COLUMNS), "result or range → a text, or a text for each column", what="rows of table {key}"),
    Key("dice", DiceNotation(), "the dice to roll on it", None, what="table {key}"),
    Key("over", LevelRange(), "in place of dice: the numbers to look up", None, what="table {key}: over"),
    RULE,
    COVERS,
    Key("heads", COLUMNS, "what stands over each column, and over the results (`over`)", dict, what="row"),
    check=_check_table,
    key="name",
)
