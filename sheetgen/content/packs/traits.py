"""The shape of a pack's traits and tables: nodes in, frozen records out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from sheetgen.content.yaml.decode import Problems, choice, fields, items, number, pairs, text
from sheetgen.content.yaml.levels import gaps, notation, span
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar
from sheetgen.errors import Place, quoted
from sheetgen.model.data import Values, Word
from sheetgen.model.scale import KINDS, Scale
from sheetgen.model.system import Row, Span, Table, Trait, TraitGroup

LOWEST = -999
PIPS = "pips.die"


@dataclass(frozen=True, slots=True)
class Reader:
    """What every reader needs: where to put problems, and the rule IDs met on the way."""

    problems: Problems
    covered: set[str] = field(default_factory=set)

    def rule(self, found: Mapping[str, Node]) -> str:
        """The rule ID that an item states, noted as covered."""
        if "rule" not in found:
            return ""
        rule = text(found["rule"], self.problems, what="rule")
        self.covered.add(rule)
        return rule

    def covers(self, found: Mapping[str, Node]) -> None:
        """Notes the rule IDs of a `covers` list."""
        if "covers" in found:
            self.covered.update(
                items(found["covers"], self.problems, lambda node: text(node, self.problems), what="covers")
            )

    def optional(self, found: Mapping[str, Node], name: str, otherwise: str = "") -> str:
        """The text under a name that may be absent."""
        return text(found[name], self.problems, what=name) if name in found else otherwise


def read_groups(node: Node, values: Values, reader: Reader) -> tuple[TraitGroup, ...]:
    """The trait groups of `traits:`, in the pack's order; a trait name may stand only once in a pack.

    How levels are written may depend on values of the pack: the pips of a die, or the words of a ladder.
    """
    groups = pairs(node, reader.problems, lambda key, value: _group(key, value, values, reader), what="traits")
    seen: dict[str, str] = {}
    for group in groups.values():
        for trait in group.members:
            if trait.name in seen:
                reader.problems.add(
                    node.place, f'trait "{trait.name}" stands in {seen[trait.name]} and in {group.name}'
                )
            seen[trait.name] = group.name
    return tuple(groups.values())


def _group(key: Scalar, node: Node, values: Values, reader: Reader) -> TraitGroup:
    problems = reader.problems
    may = ("notation", "words", "start", "default", "rule", "hint", "bands", "members", "sections", "spells_title")
    found = fields(node, problems, what=f"trait group {key.text}", needs=("title", "range"), may=may)
    scale = _scale(found, values, reader)
    read = partial(span, problems=problems, low=LOWEST)  # a ladder of words has its numbers from here
    bounds = Scale() if scale.kind == "words" else scale
    whole = read(found["range"], what=f"range of {key.text}", scale=bounds) if "range" in found else Span(0, 15)
    if scale.kind == "words":
        scale = replace(scale, lowest=whole.low)
        if len(scale.words) != whole.high - whole.low + 1:
            message = f"{key.text} runs from {whole.low} to {whole.high}, but has {len(scale.words)} words"
            problems.add(found.get("words", node).place, message)
    start = read(found["start"], what=f"start of {key.text}", scale=bounds) if "start" in found else whole
    if start.low < whole.low or start.high > whole.high:
        problems.add(found.get("start", node).place, f"start of {key.text} reaches beyond its range")
    rule = reader.rule(found)
    shared = Trait("", "", whole, start, bands=reader.optional(found, "bands"), rule=rule)
    members = [trait for trait in _members(found, shared, scale, reader)]
    if not members:
        problems.add(node.place, f"trait group {key.text} has no members")
    default = number(found["default"], problems, what="default", low=0, high=whole.high) if "default" in found else None
    return TraitGroup(
        name=key.text,
        title=reader.optional(found, "title"),
        scale=scale,
        members=tuple(members),
        default=default,
        hint=reader.optional(found, "hint"),
        rule=rule,
        spells_title=reader.optional(found, "spells_title"),
    )


def _scale(found: Mapping[str, Node], values: Values, reader: Reader) -> Scale:
    """How levels of a group are written; a problem at the word for a value that the pack lacks."""
    problems = reader.problems
    kind = choice(found["notation"], problems, KINDS, what="notation") if "notation" in found else "decimal"
    path = reader.optional(found, "words")
    if kind == "words":
        if not path or not values.has(path):
            place = found["words" if path else "notation"].place
            problems.add(place, f"notation words needs words: the path of a pack value, not {quoted(path)}")
            return Scale()
        return Scale("words", words=listed(values, path))
    if path:
        problems.add(found["words"].place, "only notation words has words")
    if kind == "code" and not values.has(PIPS):
        problems.add(found["notation"].place, f"notation code needs the pack value {PIPS}: how many pips make a die")
        return Scale()
    return Scale(kind, pips=values.number(PIPS)) if kind == "code" else Scale(kind)  # type: ignore[arg-type]


def listed(values: Values, path: str) -> tuple[str, ...]:
    """The words of a pack value: the names of a mapping, or the items of a list."""
    data = values.at(path)
    return (str(data),) if isinstance(data, Word) else tuple(str(each) for each in data)


def _members(found: Mapping[str, Node], shared: Trait, scale: Scale, reader: Reader) -> list[Trait]:
    problems, members = reader.problems, list[Trait]()
    if "members" in found:
        read = partial(_trait, shared=shared, scale=scale, section="", reader=reader)
        members += pairs(found["members"], problems, read, what="members").values()
    if "sections" in found:
        for section, node in _entries(found["sections"], problems, what="sections"):
            read = partial(_trait, shared=shared, scale=scale, section=section.text, reader=reader)
            members += pairs(node, problems, read, what=f"section {section.text}").values()
    return members


def _entries(node: Node, problems: Problems, *, what: str) -> list[tuple[Scalar, Node]]:
    nodes = pairs(node, problems, lambda key, value: (key, value), what=what)
    return list(nodes.values())


def _trait(key: Scalar, node: Node, *, shared: Trait, scale: Scale, section: str, reader: Reader) -> Trait:
    problems = reader.problems
    found = fields(node, problems, what=key.text, may=("hint", "kind", "rule", "bands", "start", "range", "role"))
    bounds = Scale() if scale.kind == "words" else scale
    read = partial(span, problems=problems, low=LOWEST, scale=bounds)
    whole = read(found["range"], what=f"range of {key.text}") if "range" in found else shared.range
    start = read(found["start"], what=f"start of {key.text}") if "start" in found else shared.start
    reach = Span(max(start.low, whole.low), min(start.high, whole.high))
    if reach.low > reach.high:
        problems.add(found.get("start", node).place, f"start of {key.text} lies outside its range")
        reach = whole
    return Trait(
        name=text(key, problems, what="trait name", longest=40),
        role=reader.optional(found, "role", key.text),
        range=whole,
        start=reach,
        hint=reader.optional(found, "hint"),
        section=section,
        kind=reader.optional(found, "kind"),
        bands=reader.optional(found, "bands", shared.bands),
        rule=reader.rule(found) or shared.rule,
    )


def read_table(key: Scalar, node: Node, reader: Reader) -> Table:
    """One table; its rows must answer every result of its dice, or every level it is over, exactly once."""
    problems = reader.problems
    found = fields(
        node,
        problems,
        what=f"table {key.text}",
        needs=("title", "rows"),
        may=("dice", "over", "rule", "covers", "heads"),
    )
    what = f"table {key.text}"
    over: tuple[int, ...] = ()
    dice = ""
    before = len(problems.found)
    if "dice" in found:
        rolled = notation(found["dice"], problems, what=what)
        dice, over = str(rolled), rolled.values if len(problems.found) == before else ()
    elif "over" in found:
        levels = span(found["over"], problems, what=f"{what}: over")
        over = tuple(range(levels.low, levels.high + 1))
    else:
        problems.add(node.place, f"{what} needs dice (2d6) or over (the levels it answers)")
    rows: list[tuple[Row, Place]] = []
    if "rows" in found:
        for row_key, value in _entries(found["rows"], problems, what=f"rows of {what}"):
            rows.append((Row(span(row_key, problems, what=f"row of {what}"), _columns(value, reader)), row_key.place))
        if over:
            gaps([(row.span, place) for row, place in rows], over, problems, what=what, place=node.place)
    reader.covers(found)
    named = tuple(row for row, _ in rows)
    heads = _columns(found["heads"], reader) if "heads" in found else {}
    return Table(key.text, reader.optional(found, "title"), over, named, dice, reader.rule(found), heads)


def _columns(node: Node, reader: Reader) -> dict[str, str]:
    if isinstance(node, MappingNode):
        return pairs(
            node,
            reader.problems,
            lambda key, value: text(value, reader.problems, what=key.text, empty=True),
            what="row",
        )
    return {"is": text(node, reader.problems, what="row")}
