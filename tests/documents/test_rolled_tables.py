"""Tables to roll on: so many rows as there are results, none twice, and only what fits."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sheetgen.documents.book.rolled_tables import random_table, results_of
from sheetgen.errors import Place
from sheetgen.model.book import RANDOM_DICE, RandomTable
from sheetgen.model.cast import Cast
from sheetgen.model.system import System

HERE = Place("x.yaml", 1, 1)


def cells(system: System, table: RandomTable) -> list[list[str]]:
    made = random_table(system, table)
    return [row["cells"] for stack in made["stacks"] for group in stack for row in group]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("dice", "count", "first", "last"),
    [("d66", 36, "11", "66"), ("d6xd6", 36, "11", "66"), ("d4", 4, "1", "4"), ("d100", 100, "1", "100")],
)
def test_a_table_has_a_row_for_each_result(dice: str, count: int, first: str, last: str) -> None:
    results = results_of(dice)
    assert (len(results), results[0], results[-1]) == (count, first, last)


def test_a_card_table_has_a_row_for_each_card_of_the_deck() -> None:
    assert len(set(results_of("cards"))) == 52


@pytest.mark.parametrize("dice", RANDOM_DICE)
@pytest.mark.parametrize("name", ["hooks", "occupations"])
def test_nothing_stands_in_a_table_twice(gamers: System, dice: str, name: str) -> None:
    table = RandomTable("T", {"": name}, HERE, dice=dice)  # type: ignore[arg-type]
    found = [cell for row in cells(gamers, table) for cell in row]
    assert len(found) == len(set(found)) == len(results_of(dice))
    assert not any("{" in cell or cell != cell.strip() or cell[0].islower() for cell in found)


def test_columns_of_one_list_stay_together_and_those_of_others_are_drawn_on_their_own(gamers: System) -> None:
    columns = {"What": "hooks", "They want": "hooks.want", "Manner": "manners"}
    hooks = {hook.say: hook.want for hook in gamers.cast.hooks if "{friend}" not in hook.say + hook.want}
    rows = [(what, want) for what, want, _ in cells(gamers, RandomTable("T", columns, HERE)) if what in hooks]
    assert len(rows) > 10
    assert all(hooks[what] == want for what, want in rows)


def test_only_what_fits_at_every_level_that_is_asked_for_is_drawn(gamers: System) -> None:
    asked = frozenset({9, 10})
    table = RandomTable("T", {"": "occupations"}, HERE, fits=(("Tech", asked),))
    by_name = {name[:1].upper() + name[1:]: each for name, each in gamers.cast.occupations.items()}
    for (name,) in cells(gamers, table):
        assert all(asked <= allowed for trait, allowed in by_name[name].fits if trait == "Tech")


def test_the_same_seed_draws_the_same_table(gamers: System) -> None:
    table = RandomTable("T", {"Name": "names", "Trade": "occupations"}, HERE, dice="d20", seed=7)
    assert cells(gamers, table) == cells(gamers, table) != cells(gamers, replace(table, seed=8))


@pytest.mark.parametrize(
    ("columns", "dice", "said"),
    [
        ({"": "hoks"}, "d66", 'no list "hoks" (did you mean "hooks"?)'),
        ({"": "gear.Stealht"}, "d66", 'no list "gear.Stealht" (did you mean "gear.Stealth"?)'),
        ({"": "languages"}, "d100", "languages has "),
        ({"A": "names", "B": "family"}, "d6xd6", "d6xd6 has room for one list: take d66 for several columns"),
    ],
)
def test_what_cannot_be_drawn_is_told(gamers: System, columns: dict[str, str], dice: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        random_table(gamers, RandomTable("T", columns, HERE, dice=dice))  # type: ignore[arg-type]


def test_a_pack_without_people_says_how_many_entries_it_has(gamers: System) -> None:
    with pytest.raises(ValueError, match="manners has 0 entries that fit, and a d66 needs 36"):
        random_table(replace(gamers, cast=Cast()), RandomTable("T", {"": "manners"}, HERE))


def test_a_wider_page_sets_more_of_a_table_side_by_side(gamers: System) -> None:
    """A list whose lines take all of A5 stands in two stacks on A4, and in one roll."""
    table = RandomTable("T", {"": "manners"}, HERE, dice="d20", seed=3)
    narrow, wide = random_table(gamers, table), random_table(gamers, table, 800.0)
    assert (len(narrow["stacks"]), len(wide["stacks"])) == (1, 2)  # type: ignore[arg-type]
    flat = [[group for stack in made["stacks"] for group in stack] for made in (narrow, wide)]  # type: ignore[attr-defined]
    assert flat[0] == flat[1]
