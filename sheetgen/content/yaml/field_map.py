"""The map of a form: which value goes into which of its fields, read from YAML."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sheetgen.content.yaml.containers import Either, Key, MapOf, RecordOf, mapping_entries
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.content.yaml.scalars import PlacedText, WholeNumber
from sheetgen.errors import Place, quoted, suggestion
from sheetgen.model.acroform import Blank, FieldRule
from sheetgen.model.data import Word

MOST = 5_000
MOST_LEVEL = 1_000

TEMPLATE = PlacedText()
FIELD_RULE = RecordOf[dict[str, Any]](
    '"{key}"',
    dict,
    Key("on", TEMPLATE, "for a box: the value that decides whether it is ticked", None),
    Key("from", WholeNumber(-MOST_LEVEL, MOST_LEVEL), "the box is ticked if the value is at least this", None),
    Key("is", TEMPLATE, "the box is ticked if the value is this text", ""),
    Key("say", TEMPLATE, "a text to print, with values in braces; goes alone", None),
    name="field rule",
)
FIELD_MAP = MapOf(Either(TEMPLATE, FIELD_RULE), most=MOST)


def read_map(
    data: bytes, file: str, blanks: Iterable[Blank], known: Iterable[str], is_value: Callable[[str], bool]
) -> dict[str, FieldRule | None]:
    """Return the rule of each field that the map names, None for one that is to stay empty.

    `known` are names to suggest for one that `is_value` does not take. InputError holds every problem.
    """
    scope, by_name = Scope(Problems()), {each.name: each for each in blanks}
    rules: dict[str, FieldRule | None] = {}
    entries = mapping_entries(parse(data, file), scope, what="the map", most=MOST)
    for key, node in entries.values():
        # A name that differs only by spaces at its ends is meant, if there is one such field.
        near = [name for name in by_name if name.strip() == key.text.strip()]
        name = key.text if key.text in by_name else near[0] if len(near) == 1 else ""
        if not name:
            meant = suggestion(key.text, by_name) or " (--list tells its fields)"
            scope.add(key.place, f"the form has no field {quoted(key.text)}{meant}")
            continue
        rule = None if node.is_null else _rule(key, node, by_name[name], scope)
        rules[name] = rule and _checked(*rule, scope, known, is_value)
    scope.problems.raise_if_any()
    return rules


def _rule(key: Scalar, node: Node, blank: Blank, scope: Scope) -> tuple[FieldRule, Place] | None:
    """The rule that stands under the name of a field, and where its text does."""
    tick, shown = blank.kind == "tick", quoted(key.text)
    given = FIELD_MAP.value.under(key, node, scope)
    if isinstance(given, Word):
        return FieldRule(given if "{" in given or "}" in given else f"{{{given}}}", tick=tick), node.place
    if given["say"] is not None:
        others = [name for name, value in given.items() if value and name != "say"]
        if others:
            scope.add(node.place, f"{shown}: say goes alone, without {' and '.join(others)}")
        return FieldRule(given["say"], tick=tick), given["say"].place
    if given["on"] is None:
        scope.add(node.place, f'{shown} lacks "on" (write {{on: NAME OF A VALUE}})')
        return None
    if blank.shows_text:
        scope.add(node.place, f"{shown} takes text: on is for boxes to tick (write the name alone)")
    return FieldRule(f"{{{given['on']}}}", tick=True, least=given["from"], equals=given["is"]), given["on"].place


def _checked(
    rule: FieldRule, place: Place, scope: Scope, known: Iterable[str], is_value: Callable[[str], bool]
) -> FieldRule:
    if rule.text.count("{") != len(rule.names) or rule.text.count("}") != len(rule.names):
        scope.add(place, f"{quoted(rule.text)}: braces hold the name of a value, as in {{name}}")
    for name in rule.names:
        if not is_value(name):
            scope.add(
                place, f"there is no value {quoted(name)}{suggestion(name, known) or ' (--list tells the values)'}"
            )
    return rule
