"""The named values of a pack: what is asked for is there and of its kind, or the message names its path."""

from __future__ import annotations

import pytest

from sheetgen.errors import InputError, Place
from sheetgen.model.data import Values, Word


def values(**data: object) -> Values:
    place = Place("system.yaml")
    return Values({Word(name, place): value for name, value in data.items()}, place)  # type: ignore[misc]


def test_a_list_of_words_is_read_in_its_order() -> None:
    place = Place("")
    assert values(best=(Word("agility", place), Word("speed", place))).words("best") == ("agility", "speed")


@pytest.mark.parametrize("wrong", [Word("agility", Place("")), {}, ({},)], ids=["a word", "a mapping", "mappings"])
def test_anything_else_is_no_list_of_words(wrong: object) -> None:
    with pytest.raises(InputError, match="values: best must be a list of words"):
        values(best=wrong).words("best")
