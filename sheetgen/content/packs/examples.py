"""Files of worked examples: a list of cases, the same in packs, in ledgers and on the command line."""

from __future__ import annotations

from sheetgen.content.packs.traits import TEXT
from sheetgen.content.yaml.containers import Entries, Key, ListOf, RecordOf
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.levels import FreeMapping
from sheetgen.content.yaml.nodes import Node
from sheetgen.content.yaml.scalars import FreeText, WholeNumber
from sheetgen.model.data import Word
from sheetgen.model.procedures import Example

MOST_CASES = 10_000


def _check_case(entries: Entries) -> None:
    """Take out of `given` what is to be done."""
    values, given = entries.values, entries.values["given"]
    do = next((value for key, value in given.items() if key == "do"), None)
    if not isinstance(do, Word):
        entries.add("given must say what to do: `do: check`", at="given")
        do = Word("", entries.node.place)
    values |= {"do": do, "given": {key: value for key, value in given.items() if key != "do"}}
    del values["source"]


CASE = RecordOf(
    "example",
    Example,
    Key("id", FreeText(80), "the name of the case, by which chapters refer to it"),
    Key("given", FreeMapping(), "the procedure (`do`) and its parameters"),
    Key("expect", FreeMapping(), "the results that must come out, by path"),
    Key("rule", ListOf(TEXT), "the IDs of the rules that it shows", (), to="rules"),
    Key("dice", ListOf(WholeNumber(1, 1000), each="face"), "the faces that fall, in order", ()),
    Key("cards", ListOf(TEXT), "the cards that are drawn, in order", ()),
    Key("source", FreeText(), "where the case is from", ""),
    Key("note", FreeText(1000), "a remark", ""),
    check=_check_case,
    place="place",
)
EXAMPLES = ListOf(CASE, most=MOST_CASES)


def read_examples(node: Node, problems: Problems) -> tuple[Example, ...]:
    """Return the cases of a file, in order; ids may stand only once."""
    cases = EXAMPLES.read(node, Scope(problems), "examples")
    seen: dict[str, int] = {}
    for case in cases:
        if case.id in seen:
            problems.add(case.place, f"{case.id} stands twice (first on line {seen[case.id]})")
        seen.setdefault(case.id, case.place.line)
    return cases
