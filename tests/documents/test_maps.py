"""Maps from data: what is wrong is told at its place, names never touch, and the same data makes the same map."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.documents.figures.kinds import draw_figure
from sheetgen.documents.figures.map_pen import KINDS_OF_PLACES, WAYS, drawn_way
from sheetgen.documents.figures.maps import AREAS
from sheetgen.documents.figures.svg import Canvas, Drawn, Misplaced
from sheetgen.errors import Place
from sheetgen.model.data import Word
from sheetgen.pdf.fonts.bundled import text_width

CANVAS = Canvas(330, "#802020", text_width)
TEXT = re.compile(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="middle" font-size="([\d.]+)"([^>]*)>(.*?)</text>')
MILL, TOWER = {"is": "mill", "at": ("1", "1")}, {"is": "tower", "at": ("4", "2")}


def drawn(**params: Any) -> Drawn:
    return draw_figure("map", {"places": {"Mill": MILL, "Tower": TOWER}, **params}, CANVAS)


def names(figure: Drawn) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Every name on a map with the box of its letters."""
    found = []
    for x, y, size, pen, inside in TEXT.findall(figure.inside):
        if "stroke" in pen or inside == "N":
            continue
        text = re.sub("<[^>]*>", "", inside)
        wide = text_width(text, float(size), weight=600, serif=True)
        middle, foot = float(x), float(y)
        found.append((text, (middle - wide / 2, foot - float(size) * 0.7, middle + wide / 2, foot + float(size) * 0.2)))
    return found


@pytest.mark.parametrize("kind", KINDS_OF_PLACES)
def test_every_kind_of_place_is_drawn(kind: str) -> None:
    plain, other = (
        drawn(places={"A": {"is": "name", "at": ("2", "2")}}),
        drawn(places={"A": {"is": kind, "at": ("2", "2")}}),
    )
    assert "A" in "".join(text for text, _ in names(other))
    assert kind == "name" or plain.inside != other.inside


@pytest.mark.parametrize("kind", WAYS)
def test_every_kind_of_way_is_drawn(kind: str) -> None:
    made = drawn(ways=({"from": "Mill", "to": "Tower", "is": kind, "say": "two hours"},))
    assert len(made.inside) > len(drawn().inside)
    assert "two hours" in " ".join(text for text, _ in names(made))  # on one line or two


@pytest.mark.parametrize("kind", AREAS)
def test_every_kind_of_area_is_drawn_and_named(kind: str) -> None:
    made = drawn(areas=({"is": kind, "name": "Hanger", "at": ("2.5", "1.5"), "size": ("2", "2")},))
    assert "Hanger" in [text for text, _ in names(made)]
    assert len(made.inside) > len(drawn().inside) + 300


def test_a_place_may_stand_at_some_steps_from_another() -> None:
    beside = {"Mill": MILL, "Tower": {"is": "tower", "at": "3 east of Mill"}}
    assert drawn(places=beside) == drawn(places={"Mill": MILL, "Tower": {"is": "tower", "at": ("4", "1")}})


@pytest.mark.parametrize("width", [330, 900])
def test_a_scale_tells_of_several_steps(width: int) -> None:
    places = {"Mill": MILL, "Tower": TOWER}
    wide = draw_figure("map", {"places": places, "scale": ("1", "miles")}, Canvas(width, "#000", text_width))
    assert "2 miles</text>" in wide.inside


def test_the_same_data_make_the_same_map() -> None:
    areas = ({"is": "wood", "at": ("2.5", "1.5"), "size": ("2", "2")},)
    assert drawn(areas=areas) == drawn(areas=areas)


@pytest.mark.parametrize(
    ("params", "word", "said"),
    [
        ({"ways": ({"from": "Mil", "to": "Tower"},)}, "Mil", 'no place "Mil" (did you mean "Mill"?)'),
        ({"ways": ({"from": "Mill", "to": "Tower", "is": "raod"},)}, "raod", 'unknown kind of way "raod"'),
        ({"areas": ({"is": "woods", "at": ("1", "1"), "size": ("1", "1")},)}, "woods", 'unknown kind of area "woods"'),
        ({"places": {"A": {"is": "hut", "at": ("1", "1")}}}, "hut", 'unknown kind of place "hut" (write one of: house'),
        (
            {"places": {"A": {"at": "3 est of B"}}},
            "3 est of B",
            "A: at takes [x, y], or `2 northeast of` a place before it",
        ),
        ({"places": {"A": {"at": ("one", "1")}}}, "one", '"one" is no number of steps'),
        ({"places": {"A": {"at": ("1000", "1")}}}, "1000", '"1000" is off the map (at most 60 steps)'),
    ],
)
def test_what_is_wrong_is_told_at_its_word(params: dict[str, Any], word: str, said: str) -> None:
    place = Place("x.yaml", 7, 9)

    def placed(data: Any) -> Any:
        if isinstance(data, dict):
            return {name: placed(each) for name, each in data.items()}
        return tuple(map(placed, data)) if isinstance(data, tuple) else Word(data, place) if data == word else data

    with pytest.raises(Misplaced, match=re.escape(said)) as caught:
        drawn(**placed(params))
    assert caught.value.place == place


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"places": {}}, "a map has 1 to 40 places"),
        ({"places": {"A": {"is": "mill"}}}, "needs places: "),
        ({"ways": ({"from": "Mill", "to": "Tower", "say": "so very far " * 40},)}, 'no room for "so very far'),
        ({"areas": ({"is": "lake", "at": ("0", "1"), "size": ("2", "1")},)}, "1 steps beyond the upper left corner"),
    ],
)
def test_a_map_that_cannot_be_drawn_is_refused(params: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        drawn(**params)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 5),
            st.integers(0, 6),
            st.sampled_from(KINDS_OF_PLACES),
            st.text("abcdefg ", min_size=3, max_size=18),
        ),
        min_size=2,
        max_size=9,
        unique_by=lambda each: each[:2],
    )
)
def test_names_never_touch_and_never_leave_the_map(spots: list[tuple[int, int, str, str]]) -> None:
    places = {
        f"{at}{name.strip()}": {"is": kind, "at": (f"{x}.5", f"{y}.5")} for at, (x, y, kind, name) in enumerate(spots)
    }
    figure = drawn(places=places, grid=("6", "7"), scale=("1", "miles"))
    found = names(figure)
    assert len(found) >= len(places)
    for (one, a), (other, b) in combinations(found, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (one, other)
    assert all(box[0] >= 0 and box[2] <= figure.width for _, box in found)


@pytest.mark.parametrize(
    ("clocks", "said"),
    [
        ({"Dawn": "1"}, "2 to 12 segments"),
        ({"Dawn": {"segments": "4", "beats": {"5": "x"}}}, "4 segments, and a beat at 5"),
    ],
)
def test_a_clock_has_segments_and_beats_within_them(clocks: dict[str, Any], said: str) -> None:
    assert (
        "Dawn" in draw_figure("clock", {"clocks": {"Dawn": {"segments": "4", "beats": {"4": "light"}}}}, CANVAS).inside
    )
    with pytest.raises(ValueError, match=said):
        draw_figure("clock", {"clocks": clocks}, CANVAS)


def test_a_name_too_long_for_its_room_stands_beside_it() -> None:
    room = {"is": "room", "at": ("3", "2"), "size": ("0.6", "0.4")}
    figure = drawn(places={"The Sorting Hall": room, "Tower": {"is": "tower", "at": ("1", "1")}})
    (found,) = re.findall(
        r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="#fff"', figure.inside
    )
    left, top, wide, high = map(float, found)
    ((_, box),) = [each for each in names(figure) if each[0] == "1 The Sorting Hall"]
    assert box[2] < left or box[0] > left + wide or box[3] < top or box[1] > top + high


def test_a_name_stands_nearest_to_its_own_sign() -> None:
    """Two ships side by side, with room for long names only above and below."""
    places = {f"The {name} Queen": {"is": "ship", "at": (x, "2")} for name, x in (("Western", "2"), ("Eastern", "3"))}
    found = dict(names(drawn(places=places, grid=("6", "4"))))
    west, east = (sum(found[each][::2]) / 2 for each in ("1 The Western Queen", "2 The Eastern Queen"))
    assert west < east


def test_a_way_that_leads_into_a_room_does_not_push_its_name_out_of_it() -> None:
    """The floor of a room covers what leads into it."""
    places = {
        "Hut": {"is": "house", "at": ("2.5", "2")},
        "The warehouse": {"is": "room", "at": ("4.2", "2.9"), "size": ("2.3", "1")},
        "Crane": {"is": "tower", "at": ("6.5", "2.6")},
    }
    ways = [
        {"from": "Hut", "to": "The warehouse", "is": "path"},
        {"from": "The warehouse", "to": "Crane", "is": "path"},
    ]
    figure = draw_figure("map", {"places": places, "ways": ways, "grid": ("8", "5")}, replace(CANVAS, width=260.0))
    found = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="#fff"', figure.inside)
    left, top, wide, high = map(float, found[0])
    boxes = [box for said, box in names(figure) if said in ("2 The", "warehouse")]
    assert len(boxes) == 2
    for box in boxes:
        assert left < box[0] < box[2] < left + wide
        assert top < box[1] < box[3] < top + high


def test_a_shore_has_its_water_on_the_side_of_the_sea() -> None:
    """Two fine lines run beside the line of the coast, above it or below it as the sea lies."""
    for middle, below in (("0.4", False), ("3.6", True)):
        figure = drawn(
            ways=({"from": ("0", "2"), "to": ("5", "2"), "is": "shore"},),
            areas=({"is": "sea", "at": ("2.5", middle), "size": ("4", "0.6")},),
            places={"Mill": MILL},
            grid=("5", "4"),
        )
        found = re.findall(r'<path d="M[12]\.\d ([\d.]+)C[^"]*" fill="none" stroke="#000"', figure.inside)
        coast, *water = [float(y) for y in found if float(y) > 20 and float(y) < figure.height - 20]
        assert len(water) == 2
        assert all((y > coast) is below for y in water)


def test_no_wave_stands_on_the_name_of_a_sea() -> None:
    figure = drawn(areas=({"is": "sea", "name": "Calder Bay", "at": ("3", "4"), "size": ("5", "2")},), grid=("6", "6"))
    ((_, box),) = [each for each in names(figure) if each[0] == "Calder Bay"]
    waves = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)q2\.5 -2\.6", figure.inside)]
    assert len(waves) > 3
    assert not [1 for x, y in waves if box[0] - 10 < x < box[2] and box[1] < y < box[3]]


def test_a_name_stands_off_a_way_as_it_is_drawn() -> None:
    """A way wanders; what is told of it keeps off the line of the hand, not off the one from point to point."""
    way = {"from": ("0.6", "0"), "to": ("0.2", "5"), "by": (("0.5", "1.6"), ("0.4", "3.4")), "say": "Dock Street"}
    figure = drawn(ways=(way,), places={"Mill": {"is": "mill", "at": ("4", "2")}}, grid=("8", "5"))
    boxes = [box for said, box in names(figure) if said in ("Dock Street", "Dock", "Street")]
    road = re.search(r'<path d="(M[^"]*)" fill="none" stroke="#000" stroke-width="3.6"', figure.inside)
    assert boxes
    assert road is not None
    points = [tuple(map(float, each)) for each in re.findall(r"([\d.]+) ([\d.]+)(?=C|$)", road[1])]
    assert not [1 for x, y in points for box in boxes if box[0] < x < box[2] and box[1] < y < box[3]]


def test_a_shore_and_its_water_end_at_one_edge() -> None:
    """The lines of the water stuck out of the frame."""
    lines = re.findall(r' d="M([^"]*)"', drawn_way("shore", [(0, 50), (50, 70), (100, 40)], (50, 100)))
    assert [(float(line.split()[0]), float(line.split()[-2])) for line in lines] == [(0, 100)] * 3
