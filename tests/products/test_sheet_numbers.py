"""Numbers of rules on sheets come from the pack: a house rule that changes one changes the page."""

from __future__ import annotations

import pytest

from sheetgen.products.form_cache import sheet_html
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

GAMERS = "dice: {count: 3, sides: 8}, balls_up: 1, specialty: 2"


@pytest.mark.parametrize(
    ("game", "values", "before", "after"),
    [
        ("gamers", "injury: {bonus_above: 8}", "over 9: blow S, shot R, word A", "over 8: blow S, shot R, word A"),
        ("gamers", "injury: {ranged: Grit}", "over 9: blow S, shot R, word A", "over 9: blow S, shot G, word A"),
        (
            "gamers",
            f"quickie: {{{GAMERS}}}",
            "<b>1, 1</b> or a total of 0 or less: roll again",
            "<b>1, 1, 1</b> or a total of 1 or less: roll again",
        ),
        ("gamers", f"quickie: {{{GAMERS}}}", "<b>6, 6</b>: roll again", "<b>8, 8, 8</b>: roll again"),
        (
            "gamers",
            f"quickie: {{{GAMERS}}}",
            "2d6 + skill; an empty box is 0; a specialty counts as one level more",
            "3d8 + skill; an empty box is 0; a specialty counts as 2 levels more",
        ),
        ("gamers", "coverage: {dice: 3}", "protects on 2d6 under", "protects on 3d6 under"),
        ("gamers", "effort: {dm: 2}", "effort: injury for +1", "effort: injury for +2"),
        ("gamers", "load: {step: Grit}", "1, 2, 3 × Strength", "1, 2, 3 × Grit"),
        ("tsgs", "reading: {success: [5, 6]}", "<b>4, 5, 6</b> succeed", "<b>5, 6</b> succeed"),
        ("tsgs", "reading: {bonus: [5]}", "(a 6 on that die", "(a 5 on that die"),
        ("genesix", "dice: {count: 3, sides: 4}", "<b>2d6 + attribute", "<b>3d4 + attribute"),
        ("genesix", "dice: {count: 3, sides: 4}", '<th class="roll">2d6</th>', '<th class="roll">3d4</th>'),
        ("genesix", "derived: {wounds: {of: [Social]}}", "Strength + Agility + 8", "Social + 8"),
        ("genesix", "circumstance: {harmful: 2}", "+1 for each circumstance", "+2 for each circumstance"),
        ("genesix", "circumstance: {helpful: -3}", "−1 that helps", "−3 that helps"),
        ("genesix", "growth: {attribute: 2}", "each: +1 to one rating", "each: +2 to one rating"),
    ],
)
def test_a_house_rule_changes_what_the_sheet_says(
    project: Project, game: str, values: str, before: str, after: str
) -> None:
    house = project.where / "house"
    house.mkdir()
    (house / "system.yaml").write_text(f"{{id: house, extends: {game}, title: House, values: {{{values}}}}}", "utf-8")
    assert before in sheet_html(project, open_pack(project, game), paper="a4")
    assert after in sheet_html(project, open_pack(project, "./house"), paper="a4")


def test_a_house_rule_changes_where_attributes_start_on_the_sheet(project: Project) -> None:
    house = project.where / "house"
    house.mkdir()
    traits = "traits: {attributes: {start: 3-B}}"
    (house / "system.yaml").write_text(f"{{id: house, extends: gamers, title: House, {traits}}}", "utf-8")
    said = "attributes and features: {} at the start"
    assert said.format("2 to C") in sheet_html(project, open_pack(project, "gamers"), paper="a4")
    assert said.format("3 to B") in sheet_html(project, open_pack(project, "./house"), paper="a4")
