"""`layout:` of sheet.yaml: which block shows what, and what is said of one that cannot."""

from __future__ import annotations

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.content.packs.sheet_layout import LAYOUT
from sheetgen.content.packs.traits import know_traits
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import parse
from sheetgen.model.people_pages import SheetLayout
from sheetgen.model.system import System
from tests.reading import read_pack


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
        ("{show: xyzzy, beside: [now]}", 'unknown field "xyzzy"'),
        ("{show: name, as: clock}", "name cannot be shown as clock (one of: line, heading, area)"),
        ("{show: name, as: dial}", 'unknown kind of block "dial"'),
        (
            "{show: name, say: x}",
            "one of show, write, say, rule, table, list, picture, stack, not show and say",
        ),
        ("{span: 2}", "and this one has none"),
        ("{say: x, as: line}", "as: says how a field is shown (leave it out here)"),
        ("{show: name, lines: 3}", "lines: is for area, slots, rated, write, picture, ticks; this block is line"),
        (
            "{show: name, beside: [now]}",
            "beside: is for slots, numbers, rows, rated; this block is line (a field that is list, levels or ratings "
            "has such blocks)",
        ),
        ("{show: skills, as: track, beside: [now]}", "this block is track (show it as: numbers or rows)"),
        ("{show: attributes, beside: [skills]}", "beside: skills has "),
        ("{show: attributes, beside: [attributes]}", "beside: attributes is what this block shows"),
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


def test_a_layout_by_a_field_has_one_for_each_word_and_one_for_others(chalkdown: System) -> None:
    """The lamp of Chalkdown is a choice of dice, and so may decide which sheet somebody has."""
    layout, wrong = read(
        chalkdown,
        "by: lamp\n"
        "front: [name, {say: 'a {lamp}'}, {say: small, for: d4}, {stack: [{say: large, for: [d10, d12]}]}]\n"
        "back: [gear]\n"
        "sheets: {d6: {front: [gear]}, others: {front: [notes]}}",
    )
    texts = {word: [block.text or block.shows for block in each.front] for word, each in layout.variants.items()}
    assert wrong == []
    assert [block.shows for block in layout.front] == ["notes"]
    assert texts["d4"] == ["name", "a d4", "small"]
    assert texts["d6"] == ["gear"]
    assert texts["d8"] == ["name", "a d8"]
    assert [block.text for block in layout.variants["d10"].blocks][-2:] == ["large", ""]
    assert [word for word, each in layout.variants.items() if not each.back] == ["d6"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("by: name\nfront: [name]", 'sheet.yaml:1:5: by: "name" is no field that `is: choice` (there are lamp, chalk)'),
        ("by: lamp\nfront: [name, {say: x, for: d7}]", 'for: unknown word "d7" (there are d4, d6, d8, d10, d12)'),
        ("front: [name, {say: x, for: d4}]", "for: goes with `by` of the layout, the field whose word it is"),
        ("by: lamp\nfront: [name]\nsheets: {d7: {front: [name]}}", 'sheet.yaml:3:10: sheets: unknown word "d7"'),
        ("by: lamp\nfront: [nmae]", 'unknown field "nmae" (did you mean "name"?)'),
    ],
)
def test_what_is_wrong_with_several_sheets_is_told_once(chalkdown: System, text: str, said: str) -> None:
    _, wrong = read(chalkdown, text)
    assert len(wrong) == 1
    assert said in wrong[0]


@pytest.fixture(name="chalkdown")
def chalkdown_of_the_checkout(library: Library) -> System:
    return read_pack(library.packs["chalkdown"], library)
