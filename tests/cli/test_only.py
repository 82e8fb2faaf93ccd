"""`--only`: some people of a file, by name or number, printed by `sheet` or rolled again by `npc --reroll`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

Sheetgen = Callable[..., Any]


@pytest.fixture
def crew(sheetgen: Sheetgen, tmp_path: Path) -> list[str]:
    """The names of a file of four."""
    assert sheetgen("npc", "tsgs", "-n", "4", "--seed", "5", "-o", "crew.yaml").code == 0
    return names_of(tmp_path / "crew.yaml")


def names_of(path: Path) -> list[str]:
    return [each["name"] for each in yaml.safe_load(path.read_text("utf-8"))["characters"]]


def test_those_who_are_named_are_printed_in_the_order_of_the_file(
    sheetgen: Sheetgen, tmp_path: Path, crew: list[str]
) -> None:
    ran = sheetgen("sheet", "crew.yaml", "--only", crew[2].upper(), "--only", "1", "-o", "x.pdf", "-o", "x.yaml")
    assert (ran.code, ran.err) == (0, "")
    assert "x.pdf: 2 of 2 characters" in ran.out
    assert names_of(tmp_path / "x.yaml") == [crew[0], crew[2]]


def test_who_is_nobody_is_told_with_the_nearest_name(sheetgen: Sheetgen, tmp_path: Path, crew: list[str]) -> None:
    ran = sheetgen("sheet", "crew.yaml", "--only", f"{crew[1]}e", "--only", "5", "-o", "x.pdf")
    assert ran.code == 2
    assert f'--only: "{crew[1]}e" is none of the 4 people of the file (did you mean "{crew[1]}"?)' in ran.err
    assert f'--only: "5" is none of the 4 people of the file (there are {", ".join(crew)})' in ran.err
    assert not (tmp_path / "x.pdf").exists()


def test_words_of_a_name_are_enough_where_only_one_has_them(sheetgen: Sheetgen, tmp_path: Path) -> None:
    people = "- {name: Boss Old Marn}\n- {name: Old Bram}\n- {name: Ada 1}\n"
    (tmp_path / "gang.yaml").write_text(f"system: tsgs\nformat: 1\ncharacters:\n{people}")
    ran = sheetgen("sheet", "gang.yaml", "--only", "old marn", "--only", "1", "-o", "one.yaml")
    assert (ran.code, names_of(tmp_path / "one.yaml")) == (0, ["Boss Old Marn"])
    ran = sheetgen("sheet", "gang.yaml", "--only", "Old", "-o", "one.yaml")
    assert (ran.code, ran.err) == (2, '--only: "Old" may be Boss Old Marn, Old Bram (write the whole name)\n')


def test_one_of_a_group_comes_without_the_page_of_the_group(sheetgen: Sheetgen, tmp_path: Path) -> None:
    assert sheetgen("npc", "gamers", "--group", "the night watch", "--seed", "5", "-o", "watch.yaml").code == 0
    assert sheetgen("sheet", "watch.yaml", "-o", "all.html").code == 0
    assert sheetgen("sheet", "watch.yaml", "--only", "1", "-o", "one.html").code == 0
    rosters = ['<section class="roster' in (tmp_path / name).read_text("utf-8") for name in ("all.html", "one.html")]
    assert rosters == [True, False]


def test_one_is_rolled_again_and_all_others_stay(sheetgen: Sheetgen, tmp_path: Path, crew: list[str]) -> None:
    ran = sheetgen("npc", "crew.yaml", "--reroll", "all", "--only", crew[1], "--seed", "8", "-o", "new.yaml")
    assert ran.code == 0
    before, after = ((tmp_path / name).read_text("utf-8") for name in ("crew.yaml", "new.yaml"))
    old, new = (yaml.safe_load(text)["characters"] for text in (before, after))
    assert [one == other for one, other in zip(old, new, strict=True)] == [True, False, True, True]
    assert len([line for line in ran.out.splitlines() if line.startswith(tuple(names_of(tmp_path / "new.yaml")))]) == 1


def test_nobody_can_be_named_who_is_not_rolled_yet(sheetgen: Sheetgen) -> None:
    ran = sheetgen("npc", "gamers", "--only", "Ada", "-o", "x.pdf")
    assert ran.code == 2
    assert "--only names people of a file: it goes with --reroll, and with sheetgen sheet" in ran.err
