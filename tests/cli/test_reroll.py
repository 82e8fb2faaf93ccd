"""`sheetgen npc --reroll`: part of a file rolled again into another file; the first one is never touched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sheetgen = Callable[..., Any]


@pytest.fixture
def guards(sheetgen: Sheetgen, tmp_path: Path) -> Path:
    """A file of three guards."""
    path = tmp_path / "guards.yaml"
    assert sheetgen("npc", "gamers", "-n", "3", "--archetype", "guard", "--seed", "7", "-o", path.name).code == 0
    return path


def lines_of(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_only_what_is_asked_for_changes_byte_by_byte(sheetgen: Sheetgen, guards: Path, tmp_path: Path) -> None:
    ran = sheetgen("npc", "guards.yaml", "--reroll", "hook", "--seed", "12", "-o", "again.yaml")
    assert ran.code == 0
    before, after = lines_of(guards), lines_of(tmp_path / "again.yaml")
    differ = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(differ) == 12  # what they want and say belongs to their story
    assert all(old.startswith(("  hook: ", "  want: ", "  voice: ", "  rolled: ")) for old, _ in differ)
    assert all(new.endswith("rerolled: {hook: 12}}") for _, new in differ if new.startswith("  rolled"))


def test_comments_and_the_order_of_ones_own_stay(sheetgen: Sheetgen, guards: Path, tmp_path: Path) -> None:
    text = (
        guards.read_text()
        .replace("- name: ", "# met on Tuesday\n- name: ", 1)
        .replace("  gear:", "  gear:  # heavy", 1)
    )
    guards.write_text(text)
    assert sheetgen("npc", "guards.yaml", "--reroll", "hook", "--seed", "12", "-o", "again.yaml").code == 0
    again = lines_of(tmp_path / "again.yaml")
    assert "# met on Tuesday" in again
    assert "  gear:  # heavy" in again
    assert sum(old != new for old, new in zip(text.splitlines(), again, strict=True)) == 12


def test_results_go_beside_the_file_under_a_name_that_tells(sheetgen: Sheetgen, guards: Path, tmp_path: Path) -> None:
    before = guards.read_bytes()
    ran = sheetgen("npc", "--reroll", "skills", "--keep", "name,occupation", "guards.yaml", "--seed", "12")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-2:] == [
        "output/guards-rerolled.pdf: 3 of 3 characters",
        "output/guards-rerolled.yaml: 3 of 3 characters",
    ]
    assert "occupation" not in ran.out
    sheetgen("npc", "--reroll", "hook", "output/guards-rerolled.yaml", "--seed", "3")
    assert sorted(path.name for path in (tmp_path / "output").glob("*.yaml")) == [
        "guards-rerolled-2.yaml",
        "guards-rerolled.yaml",
    ]
    assert guards.read_bytes() == before


def test_the_same_seed_rolls_the_same_again(sheetgen: Sheetgen, guards: Path, tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        assert sheetgen("npc", "guards.yaml", "--reroll", "skills,name", "--seed", "12", "-o", name).code == 0
    assert (tmp_path / "a.yaml").read_bytes() == (tmp_path / "b.yaml").read_bytes()


def test_a_fresh_seed_is_told(sheetgen: Sheetgen, guards: Path, tmp_path: Path) -> None:
    ran = sheetgen("npc", "guards.yaml", "--reroll", "hook", "-o", "a.yaml")
    seed = ran.out.splitlines()[-1].removeprefix("rolled with --seed ")
    assert f"rerolled: {{hook: {seed}}}" in (tmp_path / "a.yaml").read_text()


def test_csv_and_json_are_read_and_written_as_well(sheetgen: Sheetgen, guards: Path, tmp_path: Path) -> None:
    assert sheetgen("sheet", guards.name, "-o", "guards.csv", "-o", "guards.json").code == 0
    for suffix in ("yaml", "csv", "json"):
        name = f"from-{suffix}.yaml"
        assert sheetgen("npc", f"guards.{suffix}", "--reroll", "skills", "--seed", "12", "-o", name).code == 0
    made = [(tmp_path / f"from-{suffix}.yaml").read_bytes() for suffix in ("yaml", "csv", "json")]
    assert made[0] == made[1] == made[2]


def test_the_log_tells_what_fell_again(sheetgen: Sheetgen, guards: Path) -> None:
    ran = sheetgen("npc", "guards.yaml", "--reroll", "hook", "--seed", "12", "--log", "-o", "a.yaml")
    assert "Hook, again by seed 12" in ran.out.splitlines()


def test_what_no_longer_fits_what_a_person_wrote_is_refused_with_its_rule(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("npc", "gamers", "--seed", "7", "-o", "malik.yaml").code == 0
    path = tmp_path / "malik.yaml"
    path.write_text(path.read_text().replace("Swimming: diving deep", "Swimming: under ice"))
    ran = sheetgen("npc", "malik.yaml", "--reroll", "skills", "--seed", "5", "-o", "a.yaml")
    assert ran.code == 2
    assert "Cansu Özkan: what is kept no longer fits: Swimming is below 1" in ran.err
    assert ran.err.endswith("(roll that again, too) [GAM-101]\n")
    assert sheetgen("npc", "malik.yaml", "--reroll", "skills,specialties", "--seed", "5", "-o", "a.yaml").code == 0


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["guards.yaml", "--reroll", "skils"], 'no step "skils" (did you mean "skills"?)'),
        (["guards.yaml", "--reroll", ""], "--reroll needs a step or a field"),
        (
            ["gamers", "--reroll", "skills"],
            '--reroll takes a file of characters (.yaml, .yml, .json, .csv, .tsv, .xlsx, .ods), not "gamers"',
        ),
        (["guards.yaml", "--reroll", "skills", "-n", "3"], "-n does not go with --reroll"),
        (["guards.yaml", "--reroll", "skills", "--archetype", "spy"], "--archetype does not go with --reroll"),
        (["gamers", "--keep", "name"], "--keep goes with --reroll"),
        (["guards.yaml", "--reroll", "hook", "--keep", "hok"], 'no field "hok" to keep (did you mean "hook"?)'),
        (["guards.yaml", "--reroll", "hook", "-o", "guards.yaml"], "guards.yaml is also an input"),
        (["nobody.yaml", "--reroll", "hook"], "nobody.yaml: no such file"),
    ],
)
def test_a_wrong_word_gets_one_line_and_writes_nothing(
    sheetgen: Sheetgen, guards: Path, tmp_path: Path, words: list[str], line: str
) -> None:
    ran = sheetgen("npc", *words)
    assert ran.code == 2
    assert ran.err.startswith(line)
    assert ran.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["guards.yaml"]


def test_a_character_that_was_not_rolled_is_named_with_its_line(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("system: gamers\ncharacters:\n- name: Ada\n")
    ran = sheetgen("npc", "own.yaml", "--reroll", "hook")
    assert ran.code == 2
    assert ran.err == "own.yaml:3:3: Ada: was not rolled (it has no `rolled:`), so nothing of it can be rolled again\n"
