"""The order of people on paper: by what they are called, by what they do, by what they are best at."""

from __future__ import annotations

import pytest

from sheetgen.errors import LimitError, UsageError
from sheetgen.model.character import Character, Origin
from sheetgen.model.system import System
from sheetgen.people import ordering as arranging
from sheetgen.people.ordering import Order, arranged, check_order

ADA = Character("gamers", {"name": "Ada", "occupation": "spy", "attributes": {"Grit": 5}, "skills": {"Fire": 2}})
EMILE = Character("gamers", {"name": "Émile", "occupation": "cook", "attributes": {"Grit": 12}})
FINN = Character("gamers", {"name": "finn", "occupation": "spy"}, Origin("random", 1, 1, "guard"))
NOBODY = Character("gamers", {"attributes": {"Grit": 7}})
PEOPLE = [NOBODY, FINN, EMILE, ADA]


def order(system: System, sort: str = "", group: str = "") -> list[tuple[str, str]]:
    """Heading and name of each, in order."""
    return [(heading, each.text("name")) for heading, each in arranged(system, PEOPLE, Order(sort, group))]


def test_without_an_order_they_stay_as_they_come(gamers: System) -> None:
    assert [name for _, name in order(gamers)] == ["", "finn", "Émile", "Ada"]


def test_names_go_by_letter_whatever_their_accents_and_the_nameless_come_last(gamers: System) -> None:
    assert [name for _, name in order(gamers, "name")] == ["Ada", "Émile", "finn", ""]


def test_a_trait_puts_the_best_first_and_the_unrated_last(gamers: System) -> None:
    assert [name for _, name in order(gamers, "grit")] == ["Émile", "", "Ada", "finn"]


def test_a_skill_left_out_is_at_0(gamers: System) -> None:
    assert order(gamers, group="Fire") == [("Fire 2", "Ada"), ("Fire 0", ""), ("Fire 0", "finn"), ("Fire 0", "Émile")]


def test_headings_keep_together_what_is_sorted_within(gamers: System) -> None:
    assert order(gamers, "name", "occupation") == [("Cook", "Émile"), ("Spy", "Ada"), ("Spy", "finn"), ("Others", "")]
    assert order(gamers, group="archetype")[0] == ("Guard", "finn")


def test_an_unknown_word_is_told_with_the_nearest(gamers: System) -> None:
    with pytest.raises(UsageError, match=r'--sort: unknown field or trait "occupaton" \(did you mean "occupation"\?\)'):
        check_order(gamers, Order("occupaton"))
    with pytest.raises(UsageError, match="--group-by: unknown field or trait"):
        check_order(gamers, Order("", "gear"))


def test_too_many_to_hold_at_once_are_refused(gamers: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arranging, "MOST_ARRANGED", 3)
    with pytest.raises(LimitError, match="3 people at the most"):
        order(gamers, "name")
    assert len(order(gamers)) == 4
