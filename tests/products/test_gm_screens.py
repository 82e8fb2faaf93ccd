"""GM screens of all systems: moments at their place, columns full to the foot, type that can be read from afar."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf
import pytest

from sheetgen.content.book.references import References
from sheetgen.content.book.screens import PLAY
from sheetgen.errors import InputError
from sheetgen.geometry import millimetres, mm
from sheetgen.model.book import Moment
from sheetgen.pdf.fonts.bundled import text_width
from sheetgen.products import chapters as rulebook
from sheetgen.products.chapters import Rulebook
from sheetgen.products.session import screen as screens
from sheetgen.products.session import zone_layout
from sheetgen.products.session.screen import ScreenOptions, board_of, on_panels, open_screen, people_of
from sheetgen.products.session.zone_layout import ZonePanels, ZoneSetting, fit_zones, zone_text
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at

SYSTEMS = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix")
MOST_FREE = 12  # per cent of a column
# All games, ours and the two that are made from files alone, on both papers, and every other shape with one of them.
SHAPES = [
    *(
        (name, ScreenOptions(paper=paper))
        for name in (*SYSTEMS, "slackwater", "chalkdown")
        for paper in ("a4", "letter")
    ),
    ("gamers", ScreenOptions(portrait=True)),
    ("tsgs", ScreenOptions(panels=4)),
    ("sixshooter", ScreenOptions(panels=4, portrait=True)),
    ("genesix", ScreenOptions(panels=4)),
    ("genesix", ScreenOptions(paper="letter", portrait=True)),
    ("gamers", ScreenOptions(paper="letter", portrait=True)),
]
BookOf = Callable[[str], tuple[Pack, Rulebook]]


@pytest.fixture(autouse=True)
def quick_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds that are the same everywhere: how high their tables are does not hang on it."""
    monkeypatch.setattr(rulebook, "_chance", lambda *_: 0.5)


@pytest.fixture
def one_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest type at once: the search for the largest is another test's."""
    monkeypatch.setattr(zone_layout, "SIZES", (10.0,))


def shape(name: str, options: ScreenOptions) -> str:
    """What a layout is called in the list of those that are not full."""
    return f"{name} {options.paper} {options.panels or 3} {'upright' if options.portrait else 'lying'}"


def setting_of(project: Project, opened: tuple[Pack, Rulebook], options: ScreenOptions) -> ZoneSetting:
    pack, rules = opened
    found = open_screen(project, pack, rules)
    count = options.panels or found.panels
    board, moments = board_of(options, count), on_panels(found.moments, count, found.panels)
    people = people_of(pack, moments)
    text = zone_text(pack, rules, moments, column=board.column, numbers=found.numbers, people=people, spare=found.spare)
    return ZoneSetting(project, pack, text, board, zone_layout.SIZES)


def steps(made: ZonePanels) -> Iterator[dict[str, Any]]:
    """The heads and boxes of all panels, from left to right and from top to bottom."""
    for panel in made.panels:
        yield from panel["steps"]  # type: ignore[misc]


def pages(data: bytes) -> list[tuple[float, float]]:
    """The sizes of the pages in mm."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [(millimetres(float(page.mediabox[2])), millimetres(float(page.mediabox[3]))) for page in pdf.pages]


@pytest.mark.parametrize(("name", "options"), SHAPES, ids=[shape(*each) for each in SHAPES])
def test_columns_are_full_to_the_foot(name: str, options: ScreenOptions, project: Project, book_of: BookOf) -> None:
    """What is free in the emptiest column, before rows and boxes share it."""
    found, count = open_screen(project, *book_of(name)), options.panels or 3
    made = screens.fitted(setting_of(project, book_of(name), options), found, count)
    assert min(made.sizes) >= 10
    assert round(100 * max(made.free)) <= MOST_FREE
    for panel, size in zip(made.panels, made.sizes, strict=True):
        for head in (step for step in panel["steps"] if "title" in step):  # type: ignore[attr-defined]
            said = text_width(head["title"], head["type"] * size, weight=700, serif=True)
            assert head["type"] >= 1.12, "larger than the title of a box"
            assert said + head["type"] * size <= mm(head["width"]), head["title"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_same_moment_stands_at_the_same_place_in_all_games(name: str, project: Project, book_of: BookOf) -> None:
    """The roll and acting on the first panel, fights and harm on the second, people and tables on the last."""
    pack, rules = book_of(name)
    found = open_screen(project, pack, rules)
    assert tuple(each.at for each in found.moments) == PLAY
    assert [each.panel for each in on_panels(found.moments, 3, 3)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.usefixtures("one_size")
def test_the_three_numbers_of_the_game_stand_first_and_large(name: str, project: Project, book_of: BookOf) -> None:
    """At 24 pt and more, in the first zone of the first column, and taken from the data of the game."""
    pack, rules = book_of(name)
    found, references = open_screen(project, pack, rules), References(pack.system, rules.book)
    assert not [digit for prose in found.prose for digit in references.digits(prose)]
    setting = setting_of(project, (pack, rules), ScreenOptions())
    zone = next(step for step in steps(fit_zones(setting)) if "zone" in step)
    assert (zone["column"], len(zone["zone"]["numbers"])) == (0, 3)
    assert zone_layout.LEAST_NUMBER * 10 >= 24


@pytest.mark.usefixtures("one_size")
def test_panels_are_as_large_as_the_paper_and_nothing_on_them_is_under_10_points(
    project: Project, book_of: BookOf
) -> None:
    made = screens.make_screen(project, book_of("sixshooter")[0], ScreenOptions(paper="letter"), ".pdf")
    assert pages(made.data) == [pytest.approx((279.4, 215.9), abs=0.1)] * 6
    with pymupdf.open(stream=made.data) as pdf:
        for page in pdf:
            words = page.get_text("words")
            if page.number < 3:
                assert min(millimetres(word[0]) for word in words) >= 8.4
                assert max(millimetres(word[2]) for word in words) <= 279.4 - 8.4
            assert max(millimetres(word[3]) for word in words) <= 215.9 - 6.2
            spans = [
                span
                for block in page.get_text("dict")["blocks"]
                for line in block.get("lines", ())
                for span in line["spans"]
            ]
            assert min(span["size"] for span in spans if span["text"].strip()) >= 9.99
            lines = [span["text"].rstrip() for span in spans]
            assert not [line for line in lines if line.endswith((" −", " +"))]
        assert "The challenge" in pdf[0].get_text()
        assert "panel 1 of 3" in pdf[0].get_text()


@pytest.mark.parametrize("name", SYSTEMS)
def test_players_read_six_lines_from_afar(name: str, project: Project, book_of: BookOf) -> None:
    """Six lines at the least, at 20 pt or more, under art that runs across all panels."""
    pack, _ = book_of(name)
    made = screens.make_screen(project, pack, ScreenOptions(side="players"), ".pdf")
    with pymupdf.open(stream=made.data) as pdf:
        lines = list[float]()
        for page in pdf:
            art = page.get_drawings()
            assert max(drawing["rect"].x1 for drawing in art) >= page.rect.width - 1
            for block in page.get_text("dict")["blocks"]:
                tall = [line for line in block.get("lines", ()) if line["bbox"][1] > page.rect.height * 0.6]
                lines += [max(span["size"] for span in line["spans"]) for line in tall]
    assert sum(1 for size in lines if size >= 20) >= 6


@pytest.mark.usefixtures("one_size")
def test_joined_panels_stand_side_by_side_on_one_page_a_side(project: Project, book_of: BookOf) -> None:
    made = screens.make_screen(project, book_of("tsgs")[0], ScreenOptions(joined=True), ".pdf")
    assert pages(made.data) == [pytest.approx((891, 210), abs=0.1)] * 2


def test_what_does_not_fit_is_named_with_its_place(project: Project, book_of: BookOf) -> None:
    """The rule whose words have no room, the panel, and how much is lacking."""
    pack, rules = book_of("gamers")
    found = open_screen(project, pack, rules)
    crowded = tuple(Moment(each.title, each.parts, each.place, panel=1) for each in found.moments if each.parts)
    board = board_of(ScreenOptions(), 3)
    with pytest.raises(InputError) as caught:
        fit_zones(ZoneSetting(project, pack, zone_text(pack, rules, crowded, column=board.column), board, (10.0,)))
    (problem,) = caught.value.problems
    assert problem.place.file.startswith(str(project.shown(project.content / "gamers" / "rules")))
    assert problem.message.startswith('panel 1: "')
    assert "mm more than there is room for (show less in screen.yaml" in problem.message


@pytest.mark.parametrize("name", ["gamers", "sixshooter"])
def test_people_at_hand_are_different_people_and_always_the_same(name: str, project: Project, book_of: BookOf) -> None:
    pack, rules = book_of(name)
    moments = open_screen(project, pack, rules).moments
    first, again = people_of(pack, moments), people_of(pack, moments)
    assert first == again
    for what in ("name", "manner"):
        assert len({person[what] for person in first}) == len(first) >= 12
    assert len({str(person["numbers"]) for person in first[:4]}) == 4
    assert people_of(pack, moments[:1]) == []


def test_people_are_measured_as_wide_as_they_are_printed(tmp_path: Path) -> None:
    """The borders of their zone count: no line of anybody's takes one more in print, whatever the house rules."""
    (tmp_path / "sheetgen.toml").write_text('[house.diecodes]\nDIE-H5 = "off"\n')
    project = project_at(tmp_path, os.environ)
    made = screens.make_screen(project, open_pack(project, "diecodes"), ScreenOptions(side="gm"), ".pdf")
    assert pages(made.data) == [pytest.approx((297, 210), abs=0.1)] * 3


def test_people_have_the_words_of_their_game(project: Project, book_of: BookOf) -> None:
    """Tough, Wise, Unpleasant: nobody has “Charm Disability”."""
    pack, rules = book_of("tsgs")
    said = str(people_of(pack, open_screen(project, pack, rules).moments))
    assert "Very Tough" in said
    assert "Unpleasant" in said
    assert "Disability" not in said


@pytest.mark.parametrize("name", ["gamers", "sixshooter"])
def test_nobody_fills_two_columns_with_the_same_words(name: str, project: Project, book_of: BookOf) -> None:
    """Lists at the foot of columns go on where they stopped."""
    made = fit_zones(setting_of(project, book_of(name), ScreenOptions(panels=4)))
    zones = [step["zone"] for step in steps(made) if "zone" in step and step["zone"]["key"].startswith("spare")]
    said = [str(cells) for zone in zones for line in zone["people"] for cells in line["line"]]
    assert len(said) == len(set(said)) > 1


@pytest.mark.usefixtures("one_size")
def test_figures_of_odds_never_touch(project: Project, book_of: BookOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Type is smaller where long names of rows would leave too little for the columns beside them."""
    monkeypatch.setattr(zone_layout, "SIZES", (10.0, 15.0))
    made = screens.make_screen(project, book_of("tsgs")[0], ScreenOptions(panels=4, side="gm"), ".pdf")
    with pymupdf.open(stream=made.data) as pdf:
        words = [word[4] for page in pdf for word in page.get_text("words")]
    assert not [word for word in words if word.isdigit() and len(word) > 3]


@pytest.mark.usefixtures("one_size")
def test_words_keep_off_the_borders_of_their_boxes(
    project: Project, book_of: BookOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that is too wide for its box makes the type smaller, also where its words would end at the border."""
    monkeypatch.setattr(zone_layout, "SIZES", (10.0, 12.25, 14.75))
    options = ScreenOptions(panels=4, side="gm")
    board = board_of(options, 4)
    made = screens.make_screen(project, book_of("gamers")[0], options, ".pdf")
    ends = dict[str, float]()
    with pymupdf.open(stream=made.data) as pdf:
        for page in pdf:
            columns = [mm(board.x(page.number * board.columns + at)) for at in range(board.columns)]
            lines = [line for block in page.get_text("dict")["blocks"] for line in block.get("lines", ())]
            spans = [span for line in lines for span in line["spans"] if span["color"] == 0]
            for x0, y0, x1, y1 in (span["bbox"] for span in spans if span["bbox"][3] < mm(195)):
                column = max(each for each in columns if each <= x0)
                ends[f"{page.number} {y0:.0f} {y1:.0f}"] = x1 - column - mm(board.column)
    assert max(ends.values()) < -mm(2.5)


@pytest.mark.usefixtures("one_size")
def test_heads_of_odds_never_run_into_each_other(project: Project, book_of: BookOf) -> None:
    """A word that is longer than its column is hyphenated: “Disadvant-age” beside “two plain dice”."""
    made = screens.make_screen(project, book_of("genesix")[0], ScreenOptions(panels=4, side="gm"), ".pdf")
    with pymupdf.open(stream=made.data) as pdf:
        words = [word[4] for word in pdf[0].get_text("words")]
    assert "Disadvantagetwo" not in words
    assert {"vantage", "age"} & {*words}, "behind “Disad-” or “Disadvant-”"


@pytest.mark.usefixtures("one_size")
def test_the_words_over_all_columns_of_odds_are_not_hyphenated(project: Project, book_of: BookOf) -> None:
    made = screens.make_screen(project, book_of("diecodes")[0], ScreenOptions(side="gm"), ".pdf")
    with pymupdf.open(stream=made.data) as pdf:
        text = pdf[0].get_text()
    assert "how often you succeed at" in text
    assert not re.search("some[-\u2010]\n", text)


@pytest.mark.parametrize("name", ["tsgs", "diecodes", "genesix"])
@pytest.mark.parametrize("options", [ScreenOptions(portrait=True, side="players"), ScreenOptions(panels=4)])
def test_dice_of_the_players_art_are_whole(
    name: str, options: ScreenOptions, project: Project, book_of: BookOf
) -> None:
    """On each panel, none over a fold and none behind another, whether panels stand upright or lie."""
    pack = book_of(name)[0]
    made = screens.make_screen(project, pack, replace(options, side="players"), ".pdf")
    with pymupdf.open(stream=made.data) as pdf:
        for page in pdf:
            white = [each for each in page.get_drawings() if each["fill"] == (1, 1, 1) and each["color"] == (0, 0, 0)]
            seen = [each["rect"] for each in white if each["rect"].intersects(page.rect)]
            boxes = [each for each in seen if each.width < page.rect.width / 3]
            dice = [each for each in boxes if abs(each.width - each.height) < 2]
            assert len(dice) >= 1
            for at, die in enumerate(dice):
                assert page.rect.contains(die)
                assert not any(die.intersects(other) for other in dice[at + 1 :])


def test_a_list_that_the_pack_does_not_have_is_told_with_its_line(
    project: Project, book_of: BookOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, rules = book_of("tsgs")
    found = open_screen(project, pack, rules)
    wrong = replace(found, spare=(replace(found.spare[0], columns={"": "manner"}),))
    monkeypatch.setattr(screens, "read_screen", lambda *_: wrong)
    with pytest.raises(InputError, match=r'screen.yaml:\d+:\d+: spare: no list "manner" \(did you mean "manners"'):
        open_screen(project, pack, rules)


def test_a_wrong_reference_in_screen_yaml_is_told_with_its_line(
    project: Project, book_of: BookOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, rules = book_of("tsgs")
    found = open_screen(project, pack, rules)
    wrong = replace(found, lines=(replace(found.lines[0], text="A {levels.Nomal.dice} of dice."),))
    monkeypatch.setattr(screens, "read_screen", lambda *_: wrong)
    with pytest.raises(InputError, match=r'screen.yaml:\d+:\d+: "{levels.Nomal.dice}": no value'):
        open_screen(project, pack, rules)


def test_lines_that_leave_no_room_for_art_are_told_with_their_line(
    project: Project, book_of: BookOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack, rules = book_of("tsgs")
    found = open_screen(project, pack, rules)
    long = replace(found, lines=(replace(found.lines[0], text="So many words. " * 18),) * 12)
    monkeypatch.setattr(screens, "read_screen", lambda *_: long)
    with pytest.raises(InputError, match=r"screen.yaml:\d+:\d+: lines: \d+ of them on a panel leave no room for art"):
        screens.make_screen(project, pack, ScreenOptions(side="players"), ".pdf")


def test_lines_and_letters_are_shared_out_evenly() -> None:
    assert screens.shared_evenly("abcdefghi", 4) == [["a", "b", "c"], ["d", "e"], ["f", "g"], ["h", "i"]]
    assert screens.shared_evenly("GAMERS", 4) == [["G", "A"], ["M"], ["E"], ["R", "S"]]


def test_panels_on_which_nothing_stands_are_left_out_and_told(sheetgen: Callable[..., Any], tmp_path: Path) -> None:
    pack = tmp_path / "mist"
    (pack / "rules").mkdir(parents=True)
    (pack / "system.yaml").write_text(
        "id: mist\ntitle: Mist\ncredit: Mist, by us\nlicence: as you like it\n"
        "traits: {virtues: {title: Virtues, range: 0-5, members: {Hope: {}}}}\n"
    )
    (pack / "creation.yaml").write_text(
        "steps: {virtues: {do: roll each, group: virtues, dice: 1d4}}\nmethods: {random: {steps: [virtues]}}\n"
    )
    (pack / "sheet.yaml").write_text("character: {name: {is: text, title: Name}, virtues: {is: levels, title: V}}\n")
    (pack / "rules" / "01-all.yaml").write_text(
        "title: All of it\nopening: Short.\nrules: {hope: {title: Hope, text: Keep it., screen: {text: Keep it.}}}\n"
    )
    for side, pages in (("gm", 1), ("both", 4), ("players", 3)):
        ran = sheetgen("screen", str(pack), "--side", side, "-o", "s.pdf")
        with pikepdf.open(tmp_path / "s.pdf") as pdf:
            assert len(pdf.pages) == pages
        assert ran.code == 0
        assert f"{pages} sheet{'s' * (pages > 1)} of A4" in ran.out
        assert ("2 of the GM’s 3 panels (give screen.yaml more moments" in ran.out) is (side != "players")
    assert sheetgen("screen", str(pack), "--joined", "-o", "s.pdf").code == 0
