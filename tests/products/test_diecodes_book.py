"""The rulebook of Die Codes: reasons for what the rules leave open, and lists that are those of the pack."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from sheetgen.documents.book.book import BookBuilder, BookResults
from sheetgen.model.book import Rule
from sheetgen.products.chapters import Rulebook, canvas_of
from sheetgen.workspace.packs import Pack


@pytest.fixture
def pack(book_of: Callable[[str], tuple[Pack, Rulebook]]) -> Pack:
    return book_of("diecodes")[0]


@pytest.fixture
def rules(book_of: Callable[[str], tuple[Pack, Rulebook]]) -> Mapping[str, Rule]:
    return book_of("diecodes")[1].book.rules


def test_what_the_rules_leave_open_has_its_reasons_and_no_label(pack: Pack, rules: Mapping[str, Rule]) -> None:
    values: Any = pack.system.values.plain()
    open_points = {"DIE-Q1", *values["labelled"]["house"]}
    assert [rule.id for rule in rules.values() if rule.label] == []
    assert [rule.id for rule in rules.values() if open_points & set(rule.covers) and not rule.settled] == []


def test_the_list_of_skills_is_that_of_the_sheet(pack: Pack, rules: Mapping[str, Rule]) -> None:
    groups = {group.name: group for group in pack.system.groups}
    stats = [trait.name for trait in groups["stats"].members]
    sheet = {stat: [trait.name for trait in groups["skills"].sections[stat]] for stat in stats}
    marked = [trait.name for trait in groups["skills"].members if trait.kind == "reaction"]
    listed: dict[str, list[str]] = {stat: [] for stat in stats}
    stat, reactions = "", []
    for line in rules["skill-list"].text.text.splitlines():
        if line.startswith("| {"):
            name = line[line.index("{") + 1 : line.index("}")]
            stat = name if name in stats else stat
            listed[stat] += [] if name in stats else [name]
            reactions += [name] if "· R" in line else []
    assert (listed, reactions) == (sheet, marked)


def test_the_lists_of_skills_have_the_same_columns(
    pack: Pack, book_of: Callable[[str], tuple[Pack, Rulebook]], rules: Mapping[str, Rule]
) -> None:
    """The words for what a skill is good for began here and there, list by list."""
    builder = BookBuilder(pack.system, book_of("diecodes")[1].book, BookResults({}, {}, {}), canvas_of(pack, 343))
    blocks = builder.rule(replace(rules["skill-list"], scenes=()))["blocks"]
    tables = [each["html"] for each in blocks if each["kind"] == "table"]
    assert len(tables) == 4
    assert len({tuple(re.findall(r'<col style="width: ([\d.]+)%">', table)) for table in tables}) == 1
    assert all("<col" in table for table in tables)


def test_what_the_text_counts_in_words_is_what_the_pack_has(pack: Pack) -> None:
    """Twelve pips over the least, seven codes for a stat, seven throws, nine skills to each of four stats, a minute."""
    values: Any = pack.system.values.plain()
    groups = {group.name: group for group in pack.system.groups}
    budget, least, most = (3 * int(values["stats"][name][:-1]) for name in ("budget", "least", "most"))
    sections = groups["skills"].sections
    assert (budget - 4 * least, most - least + 1) == (12, 7)
    assert int(values["skills"]["budget"][:-1]) == 7
    assert [len(members) for members in sections.values()] == [9, 9, 9, 9]
    assert 8 * float(values["round"]["seconds"]) == 60
