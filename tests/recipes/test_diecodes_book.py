"""The rulebook of Die Codes: every rule of the ledger stands in it once, under the label that says whose it is."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sheetgen.model.book import Rule
from sheetgen.recipes.packs import Pack, open_pack
from sheetgen.recipes.project import Project, project_at
from sheetgen.recipes.rulebook import Rulebook, open_book, stray_digits

ROOT = Path(__file__).parents[2]
LEDGER = ROOT / "tests" / "ledger" / "diecodes.txt"


@pytest.fixture(scope="module")
def project() -> Project:
    return project_at(ROOT, os.environ)


@pytest.fixture(scope="module")
def pack(project: Project) -> Pack:
    return open_pack(project, "diecodes")


@pytest.fixture(scope="module")
def rulebook(project: Project, pack: Pack) -> Rulebook:
    return open_book(project, pack)


@pytest.fixture(scope="module")
def rules(rulebook: Rulebook) -> Mapping[str, Rule]:
    return rulebook.book.rules


def test_every_rule_of_the_ledger_stands_in_the_book(rulebook: Rulebook) -> None:
    ids = {line.split()[0] for line in LEDGER.read_text("utf-8").splitlines() if line.strip()}
    assert sorted(ids - rulebook.book.covered) == []


def test_no_rule_stands_in_two_places(rules: Mapping[str, Rule]) -> None:
    counted = Counter(name for rule in rules.values() for name in rule.covers)
    assert [name for name, times in counted.items() if times > 1] == []


def test_numbers_come_from_the_pack(pack: Pack, rulebook: Rulebook) -> None:
    assert [str(problem) for problem in stray_digits(pack, rulebook.book)] == []


def test_what_is_not_from_the_first_page_says_so(pack: Pack, rules: Mapping[str, Rule]) -> None:
    values: Any = pack.system.values.plain()
    said = {name: values["labels"][kind] for kind, names in values["labelled"].items() for name in names}
    due = {rule.id: {said[name] for name in rule.covers if name in said} for rule in rules.values()}
    assert [name for name, labels in due.items() if labels - {rules[name].label}] == []


def test_a_rule_has_one_label_of_three(pack: Pack, rules: Mapping[str, Rule]) -> None:
    values: Any = pack.system.values.plain()
    labels = values["labels"]
    assert {rule.label for rule in rules.values() if rule.label} == {"ruling", *labels.values()}
    assert [rule.id for rule in rules.values() if bool(rule.label) != bool(rule.note)] == []


def test_a_ruling_has_its_note(rules: Mapping[str, Rule]) -> None:
    ruled = [rule for rule in rules.values() if any(name.startswith("DIE-Q") for name in rule.covers)]
    assert [rule.id for rule in ruled if not rule.label] == []


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
