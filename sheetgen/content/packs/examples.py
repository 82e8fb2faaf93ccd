"""Files of worked examples: a list of cases, the same in packs, in ledgers and on the command line."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.content.yaml.decode import Problems, fields, items, number, text
from sheetgen.content.yaml.levels import branch
from sheetgen.content.yaml.nodes import Node
from sheetgen.model.data import EMPTY, Data, Word
from sheetgen.model.example import Example

MOST_CASES = 10_000


def read_examples(node: Node, problems: Problems) -> tuple[Example, ...]:
    """The cases of a file, in order; ids may stand only once."""
    cases = items(node, problems, lambda each: _case(each, problems), what="examples", most=MOST_CASES)
    seen: dict[str, int] = {}
    for case in cases:
        if case.id in seen:
            problems.add(case.place, f"{case.id} stands twice (first on line {seen[case.id]})")
        seen.setdefault(case.id, case.place.line)
    return cases


def _case(node: Node, problems: Problems) -> Example:
    may = ("rule", "dice", "cards", "source", "note")
    found = fields(node, problems, what="example", needs=("id", "given", "expect"), may=may)
    given = branch(found["given"], problems, what="given") if "given" in found else EMPTY
    do = next((value for key, value in given.items() if key == "do"), None)
    if not isinstance(do, Word):
        problems.add(found.get("given", node).place, "given must say what to do: `do: check`")
        do = Word("", node.place)
    return Example(
        id=text(found["id"], problems, what="id", longest=80) if "id" in found else "",
        rules=_list(found, "rule", problems),
        do=do,
        given={key: value for key, value in given.items() if key != "do"},
        dice=_faces(found, problems),
        cards=_list(found, "cards", problems),
        expect=_expected(found, problems),
        place=node.place,
        note=text(found["note"], problems, what="note", longest=1000) if "note" in found else "",
    )


def _list(found: Mapping[str, Node], name: str, problems: Problems) -> tuple[str, ...]:
    return (
        items(found[name], problems, lambda node: text(node, problems, what=name), what=name) if name in found else ()
    )


def _faces(found: Mapping[str, Node], problems: Problems) -> tuple[int, ...]:
    if "dice" not in found:
        return ()
    read = lambda node: number(node, problems, what="face", low=1, high=1000)  # noqa: E731
    return items(found["dice"], problems, read, what="dice")


def _expected(found: Mapping[str, Node], problems: Problems) -> Mapping[Word, Data]:
    return branch(found["expect"], problems, what="expect") if "expect" in found else EMPTY
