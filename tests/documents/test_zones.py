"""Zones on columns: in the order of play, full to the foot, the same ones always alike."""

from __future__ import annotations

import time

import pytest

from sheetgen.documents.zones import (
    PlacedHead,
    Strip,
    Zone,
    ZoneColumns,
    ZoneGaps,
    filled,
    joined_heads,
    packed,
    placed_column,
    with_spare,
)
from sheetgen.errors import Place

GAPS = ZoneGaps(head=10, below=1, zone=2, moment=4)
STRIP = Strip(panels=2, columns=2, room=100)


def zones(*written: tuple[int, float], panel: int = 0) -> tuple[Zone, ...]:
    return tuple(
        Zone(f"{moment}.{at}", moment, height, 2, Place("rules.yaml", at), panel)
        for at, (moment, height) in enumerate(written, 1)
    )


def keys(columns: ZoneColumns) -> list[list[str]]:
    return [[zone.key for zone in column] for column in columns]


def test_a_column_counts_the_heads_of_its_moments() -> None:
    assert GAPS.height(zones((0, 20), (0, 30), (1, 10))) == 11 + 20 + 2 + 30 + 4 + 11 + 10


def test_zones_change_places_where_they_fit_only_so() -> None:
    found = packed(zones((0, 30), (0, 65), (0, 55), (0, 20)), Strip(1, 2, 100), GAPS)
    assert keys(found) == [["0.1", "0.3"], ["0.2", "0.4"]]


def test_moments_keep_their_order_and_begin_with_their_first_zone() -> None:
    found = packed(zones((0, 20), (0, 70), (0, 40), (1, 20), (1, 60)), STRIP, GAPS)
    told = [zone for column in found for zone in column]
    assert [zone.moment for zone in told] == sorted(zone.moment for zone in told)
    assert told[0].key == "0.1"
    assert next(zone for zone in told if zone.moment == 1).key == "1.4"


def test_a_moment_stands_on_its_panel() -> None:
    found = keys(packed((*zones((0, 30), panel=1), *zones((1, 30), (1, 30), panel=2)), STRIP, GAPS))
    assert found[0] == ["0.1"]
    assert [key for column in found[2:] for key in column] == ["1.1", "1.2"]


def test_what_has_no_room_is_not_packed() -> None:
    assert packed(zones((0, 80), (0, 80), (0, 80)), Strip(1, 2, 100), GAPS) == ()
    assert packed(zones((0, 95)), STRIP, GAPS) == ()


def test_what_may_be_added_fills_what_is_free() -> None:
    (zone,) = zones((0, 30))
    found = filled((Zone(zone.key, 0, 30, 2, zone.place, more=(20, 20, 20)),), 100, GAPS)
    assert found.counts == {zone.key: 2}
    assert found.zones[0].height == 70
    assert found.free == pytest.approx(0.19)


def test_the_last_zone_of_a_column_ends_at_its_foot() -> None:
    """Rows take some air, and the boxes what is left after that."""
    column = filled(zones((0, 30), (0, 20), (1, 10)), 100, GAPS)
    heads, spots = placed_column(column, 0, 8, 100, GAPS, air=0.5)
    assert [(head.moment, head.y) for head in heads] == [(0, 8), (1, pytest.approx(spots[1].y + spots[1].height + 4))]
    assert {spot.air for spot in spots} == {0.5}
    assert spots[-1].y + spots[-1].height == pytest.approx(108, abs=0.01)


def test_boxes_of_a_column_that_is_far_from_full_are_no_higher_than_their_words() -> None:
    column = filled(zones((0, 30)), 100, GAPS)
    _, (spot,) = placed_column(column, 0, 8, 100, GAPS, air=0.5)
    assert spot.height == 30 + 2 * 0.5


def test_lists_fill_what_a_column_leaves_free_line_by_line() -> None:
    """With a head of their own for a title where two lines have room below it, else in a box under the last head."""
    lists = Zone("names", 9, 6, 0, Place("screen.yaml"), more=(5.0,) * 3, title=2)
    roomy = with_spare(filled(zones((0, 40)), 100, GAPS), 100, GAPS, [lists])
    assert [zone.moment for zone in roomy.zones] == [0, 9]
    assert (roomy.counts["names"], round(100 * roomy.free)) == (3, 100 - 51 - 15 - 19)
    tight = with_spare(filled(zones((0, 74)), 100, GAPS), 100, GAPS, [lists])
    assert [zone.moment for zone in tight.zones] == [0, 0]
    assert (tight.counts["names"], round(100 * tight.free)) == (1, 100 - 85 - 2 - 11)
    full = filled(zones((0, 84)), 100, GAPS)
    assert with_spare(full, 100, GAPS, [lists]).zones == full.zones


def test_no_list_stands_under_the_head_of_another() -> None:
    names = Zone("names", 8, 6, 0, Place("screen.yaml"), more=(5.0,) * 3, title=2)
    manners = Zone("manners", 9, 6, 0, Place("screen.yaml"), more=(5.0,) * 3, title=2)
    found = with_spare(filled(zones((0, 29)), 100, GAPS), 100, GAPS, [names, manners])
    assert [(zone.moment, found.counts.get(zone.key)) for zone in found.zones] == [(0, 0), (8, 3), (9, 1)]


def test_a_moment_at_the_top_of_two_columns_has_one_head_across_both() -> None:
    heads = [PlacedHead(0, 0, 8), PlacedHead(1, 0, 60), PlacedHead(0, 1, 8), PlacedHead(0, 2, 8), PlacedHead(1, 3, 8)]
    found = joined_heads(heads, columns=2)
    assert [(head.moment, head.column, head.across) for head in found] == [(0, 0, 2), (1, 0, 1), (0, 2, 1), (1, 3, 1)]


def test_the_search_is_bounded_and_always_finds_the_same() -> None:
    """Forty zones on twelve columns, which could be packed in more ways than anybody can count."""
    many = zones(*((at // 8, 18 + 7 * at % 23) for at in range(40)))
    strip, begun = Strip(4, 3, 190), time.process_time()
    first = packed(many, strip, GAPS)
    assert time.process_time() - begun < 5
    assert first
    assert packed(many, strip, GAPS) == first
