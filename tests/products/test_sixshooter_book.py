"""The Six Shooter rulebook: whom its stories are about."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from sheetgen.products.chapters import Rulebook
from sheetgen.workspace.packs import Pack

PACK = Path(__file__).parents[2] / "content" / "sixshooter"
Opened = tuple[Pack, Rulebook]


@pytest.fixture
def opened(book_of: Callable[[str], Opened]) -> Opened:
    return book_of("sixshooter")


def test_the_operator_of_the_stories_is_the_one_made_on_the_page(opened: Opened) -> None:
    (character,) = opened[1].kept.values()
    assert (character.text("name"), character.text("occupation")) == ("Opal Gallegos", "desert guide")
    assert "mule called Senator" in character.lines("gear")


def entries(text: str) -> list[str]:
    """The entries of the lists of a text that begin with a name, each on a line."""
    return [" ".join(each.split()) for each in re.findall(r"^- \*\*.*(?:\n {2}.*)*", text, re.MULTILINE)]


def test_a_printed_group_has_a_plan_a_crack_and_no_two_people_of_one_family(opened: Opened) -> None:
    """Two Cobbs, two Lockridges and two Frankies stood in one back room; and a group had one sentence."""
    _, *groups = opened[1].book.rules["ready-groups"].text.text.split("### ")
    assert len(groups) == 4
    for group in groups:
        assert re.findall(r"^\*\*(.*?)\*\*", group, re.MULTILINE) == ["The plan.", "The crack.", "At the first failure"]
        families = [each.split("**")[1].split()[-1] for each in entries(group)]
        assert len(set(families)) == len(families) >= 5, group


def test_the_four_who_stand_ready_are_those_of_the_examples(opened: Opened) -> None:
    rows = entries(opened[1].book.rules["the-four"].text.text)
    people = [yaml.safe_load((PACK / "hero.yaml").read_text("utf-8"))]
    people += yaml.safe_load((PACK / "cast.yaml").read_text("utf-8"))["characters"]
    assert len(rows) == len(people)
    for row, each in zip(rows, people, strict=True):
        luck = f"Lucky Number {{{each['luck']['Lucky Number']}}}"
        assert row.startswith(
            f"- **{each['name']}**, {each['descriptor']} {each['occupation']}, {luck}, {each['manner']}."
        )
        assert all(thing.partition(",")[0].removeprefix("box of ").lower() in row.lower() for thing in each["gear"])


def test_every_handout_is_named_in_the_book(opened: Opened) -> None:
    """Six of nine belonged to no page, and a GM looked for their adventure."""
    named = {name for rule in opened[1].book.rules.values() for name in rule.handouts}
    assert named == {each.stem for each in (PACK / "handouts").iterdir() if each.suffix in (".md", ".yaml")}
