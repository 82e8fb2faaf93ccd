"""Lists of which a part fits: the part is what a look at every condition finds, and it knows what is taken."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sheetgen.model.cast import Condition, fits
from sheetgen.rules.creation.dealing import ConditionalChoices, FittingPart

TRAITS = st.sampled_from(["Tech", "Status", "Wealth"])
CONDITION = st.tuples(TRAITS, st.frozensets(st.integers(0, 5)))
LEVELS = st.dictionaries(TRAITS, st.integers(0, 5))


@given(st.lists(st.lists(CONDITION, max_size=3).map(tuple), max_size=12), st.lists(LEVELS, min_size=1, max_size=6))
def test_what_fits_is_what_every_condition_allows(
    conditions: list[tuple[Condition, ...]], people: list[dict[str, int]]
) -> None:
    menu = ConditionalChoices(enumerate(conditions))
    for levels in people:
        assert list(menu.fitting(levels)) == [at for at, each in enumerate(conditions) if fits(each, levels)]


@given(st.lists(st.integers(0, 9)), st.frozensets(st.integers(0, 9)))
def test_what_is_taken_is_left_out_in_order(things: list[int], taken: frozenset[int]) -> None:
    assert list(FittingPart(things).without(taken)) == [thing for thing in things if thing not in taken]
