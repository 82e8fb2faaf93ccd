"""Figures and charts: what they show, and that no word leaves its figure or runs into another, however long it is."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from math import floor
from typing import Any

import pytest

from sheetgen.documents.figures.charts import curves, drawn_with_rows, grid, matrix, odds_chart
from sheetgen.documents.figures.kinds import KINDS, draw_figure
from sheetgen.documents.figures.svg import Canvas, Drawn, Misfit
from sheetgen.model.wording import hundredths, in_per_cent, percent
from sheetgen.pdf.fonts.bundled import text_width

TEXT = re.compile(
    r'<text x="([-\d.]+)" y="([-\d.]+)" text-anchor="(\w+)" font-size="([\d.]+)" font-weight="(\d+)" fill="[^"]+" '
    r'font-family="([^"]+)">([^<]*)</text>'
)
LADDER = {"Very Strong": "4", "Strong": "3", "normal": "2", "Weak": "1"}
CAPITALS = "WWWWWW MMMMMM WWWWWW MMMMMM WWWWWW MMMMMM WWWWWW MMMMMM WWWWWW"
LONG = "hammered common mammoths swimming among women, warm and wholesome, in March"
SAMPLES: dict[str, dict[str, Any]] = {
    "flow": {
        "steps": {"Mark every weapon": LONG, "Roll": CAPITALS},
        "ends": {"Made it through": LONG, "Failed": CAPITALS},
    },
    "ladder": {"rungs": {"Overwhelming success": "12+", "Success": "9", "At a cost": "7", "Failure": "6", "Ruin": "2"}},
    "dice": {"faces": ["1", "6", "3"]},
    "cards": {"hand": ["KS up", "7C down", "gone"]},
    "scale": {
        "rungs": {"3": LONG, "2": CAPITALS, "1": "easy"},
        "faces": "6",
        "falls": {"2–10": "1", "A": "2"},
        "legend": ["overcome", "overcome at a cost", "failed"],
        "head": "CN",
    },
    "triads": {
        "groups": {"Body": ["Endurance", "Strength", "Reflexes"], "Mind": ["Awareness", "Mind", "Grit"]},
        "states": ["on your feet", "unconscious", "severely wounded and out of it", "dead or disabled"],
    },
    "track": {"boxes": "6", "labels": ["hurt", "done"]},
    "pairs": {
        "doubles": ["good"] * 6,
        "odd": "good",
        "even": "bad",
        "mixed": "none",
        "legend": {"good": ["+", "Significantly Advantageous"], "bad": ["-", "Bad"], "none": ["dot", "nothing"]},
    },
    "rungs": {"levels": {"Overwhelmingly Strong Indeed": "4", "Weak": "1"}, "here": "Weak"},
    "faces": {"read": {"1": "takes a success away", "4 5": f"a success; {LONG}", "6": "two"}},
    "map": {"places": {"Mill": {"is": "mill", "at": ("1", "1")}, "Ford": {"at": ("3", "2")}}, "scale": ("1", "miles")},
    "clock": {"clocks": {"Dawn": {"segments": "6", "ticks": LONG, "beats": {"3": CAPITALS, "6": LONG}}, "Noon": "4"}},
}


def canvas(width: float) -> Canvas:
    """A canvas so wide, in points."""
    return Canvas(width, "#123456", text_width)


def show(kind: str, params: dict[str, Any], width: float = 300) -> Drawn:
    """A figure with its data."""
    return draw_figure(kind, params, canvas(width))


def said(inside: str) -> list[str]:
    """Every line of words in a drawing."""
    return [unescape(words) for *_, words in TEXT.findall(inside)]


def spans(inside: str) -> list[tuple[float, float, float, str]]:
    """Each line of words of a drawing: its baseline, where it begins and ends by the fonts' metrics, and the words."""
    found = []
    for x, y, anchor, size, weight, family, text in TEXT.findall(inside):
        words = unescape(text)
        if not words:
            continue
        wide = text_width(words, float(size), weight=int(weight), serif="Serif" in family)
        left = float(x) - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        found.append((float(y), left, left + wide, words))
    return found


def assert_apart(made: Drawn) -> None:
    """No word is cut off by the edges, and no two that stand on one line touch."""
    lines = spans(made.inside)
    for y, left, right, words in lines:
        assert left >= -0.5, words
        assert right <= made.width + 0.5, words
        assert 0 < y <= made.height, words
    for at, (y, left, right, words) in enumerate(lines):
        for other, start, end, others in lines[at + 1 :]:
            assert abs(y - other) > 4 or right <= start or end <= left, (words, others)


def test_every_kind_has_a_sample_here() -> None:
    assert SAMPLES.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", SAMPLES)
def test_no_word_leaves_its_figure_or_runs_into_another(kind: str) -> None:
    for width in (300, 340, 420):
        if kind != "pairs":  # which is always 338 wide
            assert_apart(show(kind, SAMPLES[kind], width))
    assert_apart(show(kind, SAMPLES[kind], 340))


@pytest.mark.parametrize(
    ("kind", "data", "width", "word"),
    [
        ("ladder", {"rungs": {"Overwhelmingly": "12", **dict.fromkeys("abcdefg", "1")}}, 300, "Overwhelmingly"),
        ("ladder", {"rungs": {"a": "from 12 to 24", **dict.fromkeys("bcdefg", "1")}}, 300, "from 12 to 24"),
        ("flow", {"steps": {"M" * 20: "x"}}, 300, "M" * 20),
        ("flow", {"steps": {"Roll": "M" * 40}}, 300, "M" * 40),
        ("flow", {"steps": {"Roll": "x"}, "ends": dict.fromkeys(("M" * 30, "b", "c"), "x")}, 300, "M" * 30),
        ("scale", {**SAMPLES["scale"], "falls": {"nineteen": "1"}}, 300, "nineteen"),
        ("scale", {**SAMPLES["scale"], "legend": ["a", "b", "M" * 40]}, 300, "M" * 40),
        ("triads", {**SAMPLES["triads"], "groups": {"Body": ["Overwhelmingness", "b", "c"]}}, 210, "Overwhelmingness"),
        ("triads", {**SAMPLES["triads"], "states": ["incomprehensible"] * 8}, 250, "incomprehensible"),
        ("track", {"boxes": "3", "labels": ["Overwhelmed", "Exhausted"]}, 300, "Exhausted"),
        ("pairs", {**SAMPLES["pairs"], "legend": {"good": ["+", "M" * 30], "bad": "-b", "none": "+c"}}, 300, "M" * 30),
        ("faces", {"read": {"1": "M" * 30, "2": "a", "3": "b"}}, 300, "M" * 30),
        ("rungs", {"levels": {"M" * 30: "4"}}, 300, "names and dice"),
    ],
)
def test_a_word_that_fits_nowhere_is_told(kind: str, data: dict[str, Any], width: float, word: str) -> None:
    with pytest.raises(ValueError, match=rf'^figure {kind}: "?{word}.* pt wide, and there is room for \d+$'):
        show(kind, data, width)


def test_what_a_figure_needs_is_told() -> None:
    with pytest.raises(ValueError, match="figure rungs: needs levels"):
        show("rungs", {})
    with pytest.raises(ValueError, match=r'unknown kind of figure "laddr" \(did you mean "ladder"\?\)'):
        show("laddr", {})
    with pytest.raises(ValueError, match="figure dice: needs faces"):
        show("dice", {"faces": []})


def test_each_rung_has_its_dice_and_one_has_the_ring() -> None:
    _, height, inside = show("rungs", {"levels": LADDER, "here": "Strong"})
    assert inside.count('rx="1.6"') == 4 + 3 + 2 + 1
    assert inside.count('stroke-width="1.6"') == 1
    assert height < 100
    assert 'stroke-width="1.6"' not in show("rungs", {"levels": LADDER}).inside


def test_faces_stand_in_groups_with_what_they_do() -> None:
    read = {"1": "takes one away", "2 3": "nothing", "4 5": "a success", "6": "a success, and; a die more"}
    width, _, inside = show("faces", {"read": read})
    assert (width, inside.count('rx="1.6"')) == (300, 6)
    assert "a die more" in said(inside)
    assert ";" not in inside


def test_a_flow_may_end_in_several_ways() -> None:
    steps, ends = {"Mark": "the points", "Roll": "toughness"}, {"Made it": "You stand.", "Failed": "You fall."}
    plain, forked = show("flow", {"steps": steps}), show("flow", {"steps": steps, "ends": ends})
    assert forked.height > plain.height
    assert "You fall." in said(forked.inside)


def test_a_scale_says_what_its_squares_mean_in_the_words_of_the_pack() -> None:
    assert {"CN", "overcome at a cost", "failed"} <= set(said(show("scale", SAMPLES["scale"]).inside))
    plain = {key: value for key, value in SAMPLES["scale"].items() if key not in ("head", "legend")}
    assert {"over", "level", "under"} <= set(said(show("scale", plain).inside))


def test_what_is_counted_in_groups_of_traits_is_in_the_words_of_the_pack() -> None:
    assert "2 spent" in said(show("triads", {**SAMPLES["triads"], "what": "spent"}).inside)


ROWS = [("0", [("50%", 0.5), ("100%", 1.0)]), ("1", [("<1%", 0.004), ("25%", 0.25)])]


def percentages(*columns: str, width: float = 100) -> str:
    """The inside of a matrix with two rows."""
    return matrix(ROWS, columns, canvas(width), corner="skill", across="against").inside


def bars(inside: str) -> list[tuple[float, float]]:
    """Where each bar ends at the right, and how long it is."""
    found = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', inside)
    return [(round(float(x) + float(width), 1), float(width)) for x, width in found]


def test_bars_end_where_their_figures_end() -> None:
    inside = percentages("6", "8")
    ends = [float(x) for x in re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="end" font-size="9"', inside)]
    assert [end for end, _ in bars(inside)] == [round(end, 1) for end in ends]
    assert max(ends) == 100


def test_bars_are_as_long_as_the_chance() -> None:
    half, whole, least, quarter = (length for _, length in bars(percentages("6", "8")))
    assert half == pytest.approx(whole / 2, abs=0.01)
    assert quarter == pytest.approx(whole / 4, abs=0.01)
    assert least == 0.3  # never nothing


def height_of(inside: str) -> dict[str, float]:
    """What is said, and how far down."""
    return {words: y for y, _, _, words in spans(inside)}


def test_halves_of_a_per_cent_go_up_everywhere() -> None:
    said = [percent(each) for each in (0.225, 0.375, 0.625, 0.875, 29 / 200, 0.005, 0.0049, 0.9949, 0.995, 1.0)]
    assert said == ["23%", "38%", "63%", "88%", "15%", "1%", "<1%", "99%", ">99%", "100%"]
    chances = [Fraction(part, whole) for whole in (8, 36, 40, 200, 216, 400, 1000, 8000) for part in range(whole + 1)]
    for chance in chances:
        assert hundredths(chance) == hundredths(float(chance)) == floor(100 * chance + Fraction(1, 2)), chance


def test_a_long_heading_takes_several_lines() -> None:
    wide, narrow = percentages("overcome", "overcome at a cost", width=400), percentages("6", "at a cost", width=80)
    assert height_of(wide)["overcome"] == height_of(wide)["overcome at a cost"]
    assert height_of(narrow)["at a"] < height_of(narrow)["cost"] == height_of(narrow)["6"]


def test_headings_stand_in_two_rows_where_words_are_too_wide() -> None:
    heads = height_of(percentages("Average", "Formidable", width=92))
    assert heads["Formidable"] < heads["Average"]


@pytest.mark.parametrize("width", [300, 120])
def test_what_stands_over_several_columns_stands_in_their_middle_above_a_rule(width: float) -> None:
    """“against a skill of” stood over the first column of the bars, or at the end of the last of the figures."""
    rows = [("0", [0.5, 0.25]), ("1", [0.75, 0.5])]
    drawn = grid(rows, ["6", "8"], canvas(width), corner="skill", across="against").inside
    x, anchor = next((float(x), anchor) for x, _, anchor, *_, text in TEXT.findall(drawn) if text == "against")
    left, right = map(float, re.findall(r'd="M([\d.]+) [\d.]+H([\d.]+)" stroke="#000"', drawn)[0])
    assert anchor == "middle"
    assert x == pytest.approx((left + right) / 2, abs=0.1)
    assert right == width
    one = grid([("0", [0.5])], ["6"], canvas(width), corner="skill", across="against").inside
    assert 'stroke="#000"' not in one


def test_a_chart_of_bars_becomes_a_matrix_where_cells_are_narrow() -> None:
    rows = [("0", [0.5, 0.25]), ("1", [1.0, 0.75])]
    wide, narrow = (grid(rows, ["6", "8"], canvas(width), corner="", across="").inside for width in (300, 120))
    assert 'height="6"' in wide
    assert 'height="6"' not in narrow
    assert "75%" in narrow


def test_no_word_of_a_chart_leaves_it() -> None:
    rows = [("Overwhelming mammoths", [0.5, 0.25, 0.1]), ("WWWWWW", [1.0, 0.75, 0.004])]
    heads = ["overcome", "overcome at a cost", "not overcome"]
    for width in (200, 300, 420):
        assert_apart(grid(rows, heads, canvas(width), corner="skill", across="against what it is rolled"))
    names = [("Overwhelming mammoths", LINES[0][1]), ("2d", LINES[1][1])]
    assert_apart(curves(names, [(1, "Easy enough"), (4, "Very Hard")], canvas(200), first=1, across="to reach"))
    with pytest.raises(ValueError, match='"MMMMMMMMMMMM" is'):
        grid(rows, ["M" * 12, "b", "c"], canvas(150), corner="", across="")


LINES = [("1d", [1.0, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6]), ("2d", [1.0, 1.0, 1.0, 1.0, 0.75, 0.25])]


def curved() -> str:
    """Two curves over six numbers, in two stretches."""
    stretches = [(1, "Easy"), (4, "Very Hard indeed it is to do")]
    return curves(LINES, stretches, canvas(226), first=1, across="the number to reach").inside


def test_each_line_has_a_point_for_each_number() -> None:
    lines = re.findall(r'<polyline points="([^"]+)"', curved())
    assert [len(line.split()) for line in lines] == [6, 6]
    assert lines[0].startswith("26.00,26.00 66.00,51.00")


def test_a_line_is_named_where_it_passes_one_half() -> None:
    places = {name: float(x) for x, name in re.findall(r'<text x="([\d.]+)"[^>]*>(\dd)</text>', curved())}
    assert places == {"1d": 146.0, "2d": 206.0}


def test_stretches_have_their_number_below_and_their_name_above_in_lines() -> None:
    assert {"1", "4", "Easy", "Very Hard indeed it is to", "do", "the number to reach", "50%"} <= set(said(curved()))


def test_a_chart_of_odds_is_as_wide_as_its_names() -> None:
    svg = odds_chart("wound", "", [("Overwhelming mammoths swimming", 0.5), ("no", 0.5)], "#123456", text_width)
    x = float(re.findall(r'<text x="([\d.]+)" y="45" text-anchor="end"', svg)[0])
    assert x >= text_width("Overwhelming mammoths swimming", 9)
    assert float(re.findall(r'viewBox="0 0 ([\d.]+)', svg)[0]) >= x + 260 + 60


@pytest.mark.parametrize("across", ["", "bonus"])
def test_a_row_that_leaves_the_columns_no_room_is_named_itself(across: str) -> None:
    canvas = Canvas(160, "#336699", text_width)
    columns = [f"+{number}" for number in range(8)]
    draw = lambda rows: grid(rows, columns, canvas, corner="who", across=across)  # noqa: E731
    rows = [("a guard", [0.5] * 8), ("somebody with a very long name indeed", [0.5] * 8)]
    with pytest.raises(Misfit, match=r'^the row "somebody with a very long name indeed" leaves the columns too little'):
        drawn_with_rows(draw, rows)
    assert drawn_with_rows(draw, rows[:1]) == draw(rows[:1])


def test_a_column_that_fits_beside_no_row_is_named_as_before() -> None:
    canvas = Canvas(160, "#336699", text_width)
    draw = lambda rows: grid(rows, ["M" * 40, "b"], canvas, corner="", across="")  # noqa: E731
    with pytest.raises(Misfit, match=r"^.M{40}. is "):
        drawn_with_rows(draw, [("a guard", [0.5, 0.5])])


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ((0.625, 0.375, 0.0), [63, 37, 0]),
        ((0.375, 0.625, 0.0), [37, 63, 0]),
        ((0.625, 0.0, 0.375), [63, 0, 37]),
        ((0.29, 0.58, 0.13), [29, 58, 13]),
        ((0.995, 0.005, 0.0), [99, 1, 0]),
        ((0.998, 0.001, 0.001), [98, 1, 1]),
    ],
)
def test_shares_of_a_whole_come_to_a_hundred_and_none_is_lost(shares: tuple[float, ...], told: list[int]) -> None:
    assert in_per_cent(shares) == told
