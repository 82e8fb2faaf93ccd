"""The map of a form: which value goes into which of its fields, read from YAML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sheetgen.content.yaml.decode import Problems, fields, number, pairs, text
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.errors import Place, quoted, suggestion
from sheetgen.model.acroform import Blank
from sheetgen.model.field_rules import Rule

LONGEST = 2_000
MOST = 5_000
MOST_LEVEL = 1_000


def read_map(
    data: bytes, file: str, blanks: Iterable[Blank], known: Iterable[str], is_value: Callable[[str], bool]
) -> dict[str, Rule | None]:
    """The rule of each field that the map names, None for one that is to stay empty; InputError with every problem.

    `known` are names to suggest for one that `is_value` does not take.
    """
    problems = Problems()
    return _Reader({each.name: each for each in blanks}, tuple(known), is_value, problems).rules(parse(data, file))


class _Reader:
    def __init__(
        self, blanks: Mapping[str, Blank], known: tuple[str, ...], is_value: Callable[[str], bool], problems: Problems
    ) -> None:
        self._blanks, self._known, self._is_value, self._problems = blanks, known, is_value, problems

    def rules(self, node: Node) -> dict[str, Rule | None]:
        found = pairs(node, self._problems, self._rule, what="the map", most=MOST)
        self._problems.raise_if_any()
        return {self._named(name): rule for name, rule in found.items()}

    def _named(self, name: str) -> str:
        """The field of that name, or the only one that differs from it by spaces at its ends; nothing for none."""
        near = [each for each in self._blanks if each.strip() == name.strip()]
        return name if name in self._blanks else near[0] if len(near) == 1 else ""

    def _rule(self, key: Scalar, node: Node) -> Rule | None:
        blank = self._blanks.get(self._named(key.text))
        if blank is None:
            near = suggestion(key.text, self._blanks) or " (--list tells its fields)"
            self._problems.add(key.place, f"the form has no field {quoted(key.text)}{near}")
            return None
        if node.is_null:
            return None
        if isinstance(node, MappingNode):
            return self._condition(key, node, blank)
        words = text(node, self._problems, what=key.text, longest=LONGEST)
        rule = Rule(words if "{" in words or "}" in words else f"{{{words}}}", tick=blank.kind == "tick")
        return self._checked(rule, node.place)

    def _condition(self, key: Scalar, node: MappingNode, blank: Blank) -> Rule | None:
        given = fields(node, self._problems, what=quoted(key.text), may=("on", "from", "is", "say"))
        problems = self._problems
        if "say" in given:
            if len(given) > 1:
                problems.add(node.place, f"{quoted(key.text)}: say goes alone, without {_others(given)}")
            words = text(given["say"], problems, what="say", longest=LONGEST)
            return self._checked(Rule(words, tick=blank.kind == "tick"), given["say"].place)
        if "on" not in given:
            problems.add(node.place, f'{quoted(key.text)} lacks "on" (write {{on: NAME OF A VALUE}})')
            return None
        if blank.shows_text:
            problems.add(node.place, f"{quoted(key.text)} takes text: on is for boxes to tick (write the name alone)")
        name = text(given["on"], problems, what="on", longest=LONGEST)
        least = (
            number(given["from"], problems, what="from", low=-MOST_LEVEL, high=MOST_LEVEL) if "from" in given else None
        )
        equals = text(given["is"], problems, what="is", longest=LONGEST) if "is" in given else ""
        return self._checked(Rule(f"{{{name}}}", tick=True, least=least, equals=equals), given["on"].place)

    def _checked(self, rule: Rule, place: Place) -> Rule:
        if rule.text.count("{") != len(rule.names) or rule.text.count("}") != len(rule.names):
            self._problems.add(place, f"{quoted(rule.text)}: braces hold the name of a value, as in {{name}}")
        for name in rule.names:
            if not self._is_value(name):
                near = suggestion(name, self._known) or " (--list tells the values)"
                self._problems.add(place, f"there is no value {quoted(name)}{near}")
        return rule


def _others(given: Mapping[str, Node]) -> str:
    return " and ".join(each for each in given if each != "say")
