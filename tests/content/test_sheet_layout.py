"""`layout:` of sheet.yaml: which block shows what, and what is said of one that cannot."""

from __future__ import annotations

import pytest

from sheetgen.content.packs.sheet_layout import LAYOUT
from sheetgen.content.packs.traits import know_traits
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import parse
from sheetgen.model.sheet_layout import SheetLayout
from sheetgen.model.system import System


def read(system: System, text: str) -> tuple[SheetLayout, list[str]]:
    """The layout that a text states for a game, and what is wrong with it, line by line."""
    problems = Problems()
    names = {"field": {spec.name: spec for spec in system.fields}, "table": system.tables}
    scope = Scope(problems, names, system.values)
    know_traits(scope, system.groups)
    layout = LAYOUT.read(parse(text.encode(), "sheet.yaml"), scope, "layout")
    return layout, [str(problem) for problem in problems.found]


def test_a_field_is_shown_as_its_kind_usually_is(gamers: System) -> None:
    layout, wrong = read(
        gamers, "front: [name, notes, gear, people, attributes, skills, Grit, {show: hook, as: line, title: ''}]"
    )
    kinds = ["line", "area", "slots", "rated", "numbers", "rows", "numbers", "line"]
    assert wrong == []
    assert [block.kind for block in layout.front] == kinds
    assert [block.title for block in layout.front][-3:] == ["Skills", "Grit", ""]
    assert layout.front[6].traits == ("Grit",)


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("nmae", 'unknown field "nmae" (did you mean "name"?)'),
        ("{show: xyzzy}", 'unknown field "xyzzy" (there are name, occupation,'),
        ("{show: name, as: clock}", "name cannot be shown as clock (one of: line, heading, area)"),
        ("{show: name, as: dial}", 'unknown kind of block "dial"'),
        ("{show: name, say: x}", "a block has one of show, write, say, rule, table, picture, stack, not show and say"),
        ("{span: 2}", "and this one has none"),
        ("{say: x, as: line}", "as: says how a field is shown (leave it out here)"),
        ("{show: name, lines: 3}", "lines: is for area, slots, rated, write, picture; this block is line"),
        ("{show: name, span: 7}", "span: 7 is more than the 6 columns of the layout"),
        ("{table: fumbles}", 'unknown table "fumbles"'),
        ("{picture: ghost}", 'picture: "ghost" is none (portrait, motif, or a file such as crest.svg)'),
        ("{stack: [{stack: [name]}]}", "a stack holds blocks, and no stack (write its blocks here)"),
    ],
)
def test_a_block_that_cannot_be_is_told_with_what_can(gamers: System, block: str, said: str) -> None:
    _, wrong = read(gamers, f"front:\n  - name\n  - {block}\n")
    assert len(wrong) == 1
    assert wrong[0].startswith("sheet.yaml:3:")
    assert said in wrong[0]
