"""Empty sheets: they say what creation spends where, and their places are those of a printed or typed sheet."""

from __future__ import annotations

import re
from itertools import combinations

import pymupdf
import pytest

from sheetgen.geometry import mm
from sheetgen.pdf.form.form import Form
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.chapters import open_book
from sheetgen.products.form_cache import FILLABLE, PENCIL, STAMPED, compiled_form, sheet_html
from sheetgen.products.people.printing import write_people
from sheetgen.products.shapes import PrintOptions
from sheetgen.workspace.packs import open_pack, template_root
from sheetgen.workspace.project import Project

SMALL = ("gamers", "fright", "tsgs", "sixshooter", "diecodes", "genesix")
SKINS = ("agents", "fright", "heroic", "spacer", "waster")


def _html(project: Project, name: str, mode: str, *, values: dict[str, str] | None = None, back: bool = True) -> str:
    return sheet_html(project, open_pack(project, name), paper="a4", back=back, mode=mode, values=values)


def _text(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page.partition("<body>")[2]).split())


def _places(form: Form) -> dict[str, tuple[int, tuple[float, ...]]]:
    found: dict[str, tuple[int, tuple[float, ...]]] = {}
    for field in form.fields:
        # Page and picture are printed where there are any; the second of a name, and a tick in the place of something
        # else, frames or covers what is printed.
        if field.name in ("page", "picture") or field.name in found or field.kind == "over":
            continue
        box = field.border
        place = field.page, tuple(round(edge, 1) for edge in (box.x, box.y, box.width, box.height))
        if field.kind != "tick" or place not in found.values():
            found[field.name] = place
    return found


def _colliding(form: Form) -> list[tuple[str, str]]:
    """The pairs of texts that share more than half a millimetre of a page each way."""
    apart = 1.4
    texts = [(field.page, field.name, field.border) for field in form.fields if field.kind in ("line", "area")]
    return [
        (name, other)
        for (page, name, one), (on, other, two) in combinations(texts, 2)
        if page == on
        if min(one.right, two.right) - max(one.x, two.x) > apart and min(one.top, two.top) - max(one.y, two.y) > apart
    ]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix", "fright"])
def test_what_is_written_printed_and_typed_stands_in_the_same_places(project: Project, name: str, paper: str) -> None:
    pack = open_pack(project, name)

    def places(mode: str) -> dict[str, tuple[int, tuple[float, ...]]]:
        html = sheet_html(project, pack, paper=paper, back=True, mode=mode)
        form = compiled_form(project, html, root=template_root(project, pack), name=name)
        assert len(form.pages) == 2
        assert not _colliding(form)
        return _places(form)

    stamped = places(STAMPED)
    assert places(PENCIL) == stamped
    assert places(FILLABLE) == stamped


@pytest.mark.parametrize("name", SMALL)
def test_on_a5_a_sheet_is_four_upright_pages_with_large_boxes(project: Project, name: str) -> None:
    pack = open_pack(project, name)

    def form(paper: str, mode: str) -> Form:
        html = sheet_html(project, pack, paper=paper, back=True, mode=mode)
        return compiled_form(project, html, root=template_root(project, pack), name=name)

    small, large = form("a5", STAMPED), form("a4", STAMPED)
    upright = [pytest.approx(mm(side), abs=0.1) for side in (148, 210)]
    assert [list(page) for page in small.pages] == [upright] * 4
    assert not _colliding(small)
    assert _places(small) == _places(form("a5", PENCIL)) == _places(form("a5", FILLABLE))
    levels = {field.name: field for field in large.fields if field.kind == "line" and field.longest}
    enough = mm(14) - 0.1  # for three digits
    assert all(
        field.border.width >= min(levels[field.name].border.width - 0.1, enough)
        for field in small.fields
        if field.name in levels
    )
    free = mm(8) - 0.1
    assert all(free <= field.border.y and field.border.top <= mm(210) - free for field in small.fields)
    asked = {re.sub(r"[0-9]+", "#", field.name) for field in large.fields if not field.name.startswith("pencil.")}
    assert asked <= {re.sub(r"[0-9]+", "#", field.name) for field in small.fields}


@pytest.mark.parametrize(
    ("name", "taught"),
    [
        ("gamers", "2d6 picks from the table, or 15 points; 3 specialties"),
        ("fright", "2d6 for each in turn; Tech is the GM’s"),
        ("tsgs", "1d6 + 1 picks: 1 for a skill, 1 more for its plus"),
        ("tsgs", "3 picks, a rung up each; a disability gives 1 more"),
        ("sixshooter", "2 to 10, yours alone"),
        ("diecodes", "12d for the stats, 2d to 4d each · 7d for skills, +2d at most in one"),
        ("genesix", "approaches −2 to +2 +3 in all"),
    ],
)
def test_an_empty_sheet_says_what_creation_spends(project: Project, name: str, taught: str) -> None:
    assert taught in _text(_html(project, name, PENCIL))
    assert taught in _text(_html(project, name, FILLABLE))
    assert taught not in _text(_html(project, name, FILLABLE, values={"name": "Ada"}))
    assert taught not in _text(_html(project, name, STAMPED))


def test_what_stands_on_the_back_of_a_players_sheet_does_not_stand_on_its_front(project: Project) -> None:
    for name in ("gamers", "tsgs", "diecodes"):
        page = _html(project, name, PENCIL)
        assert 'name="gear"' not in page
        assert 'name="gear.1"' in page
        assert 'name="gear"' in _html(project, name, STAMPED, back=False)


@pytest.mark.parametrize(
    ("name", "place"),
    [("agents", "Cover"), ("fright", "Dread"), ("heroic", "Oath"), ("spacer", "Air"), ("waster", "Rations")],
)
def test_each_skin_has_a_place_of_its_own(project: Project, name: str, place: str) -> None:
    for back in (True, False):
        assert f"<h2>{place}</h2>" in _html(project, name, STAMPED, back=back)
    others = [each for each in (*SKINS, "gamers") if each != name]
    assert all(f"<h2>{place}</h2>" not in _html(project, each, STAMPED) for each in others)


def test_words_under_the_boxes_of_dread_are_those_of_its_rule(project: Project) -> None:
    """The sheet once said “the GM says when, and what then”, and no rule did."""
    pack = open_pack(project, "fright")
    sheet, rules = _html(project, "fright", STAMPED), open_book(project, pack).book.rules.values()
    rule = "\n".join(rule.text.text for rule in rules)
    for word in ("uneasy", "known", "lost"):
        assert f"{pack.system.values.number(f'house.dread.{word}')} {word}" in sheet
        assert f"**{{house.dread.{word}}}, {word}.**" in rule


def test_what_has_a_heading_has_boxes_below_it(project: Project) -> None:
    """“Raised” once stood above nothing but the gap between a skill and its code."""
    pack = open_pack(project, "diecodes")
    html = sheet_html(project, pack, paper="a4", back=False, mode=PENCIL)
    form = compiled_form(project, html, root=template_root(project, pack), name="diecodes")
    raised = [field for field in form.fields if field.name.startswith(("figure.raise.", "pencil.up."))]
    assert len(raised) > 36
    assert all(field.border.width > field.box.width for field in raised if field.kind != "over")


@pytest.mark.parametrize("name", SKINS)
def test_a_pencil_has_room_under_the_story_and_in_every_box(project: Project, name: str) -> None:
    """The ornament once stood on the line of the story, and round frames cut the boxes for levels now."""
    pack = open_pack(project, name)
    html = sheet_html(project, pack, paper="a4", back=True, mode=FILLABLE)
    form = compiled_form(project, html, root=template_root(project, pack), name=name)
    boxes = {field.name: field.border for field in form.fields}
    first = pack.system.group("attributes").members[0].name
    assert boxes["hook"].y - boxes[f"attributes.{first}"].top > mm(8)
    assert boxes[f"pencil.now.{first}.2"].y - boxes["pencil.mental.out"].top > mm(4.5 if name == "heroic" else 1.9)
    skills = [box for field, box in boxes.items() if field.startswith("skills.")]
    assert all(round(min(box.width, box.height), 1) >= round(mm(8.5), 1) for box in skills)


@pytest.mark.parametrize("back", [False, True], ids=["front", "with a back"])
@pytest.mark.parametrize("name", SKINS)
def test_no_frame_of_an_attribute_runs_through_its_boxes(project: Project, name: str, back: bool) -> None:
    """The shields of HEROIC are not as high on a sheet without a back, and their curve cut all twelve boxes."""
    pack, printed = open_pack(project, name), bytearray()
    html = sheet_html(project, pack, paper="a4", back=back, mode=STAMPED)
    form = compiled_form(project, html, root=template_root(project, pack), name=name)
    boxes = [field.border for field in form.fields if field.name.startswith("pencil.now.")]
    asked = PrintOptions(paper="a4", shape="sheet", back=back)
    write_people(project, pack, roll(pack, RollOptions(7, 1)), printed.extend, asked, form=".pdf")
    page = pymupdf.open("pdf", bytes(printed))[0]
    foot, within = page.rect.height, 2.0  # pt: the corners of a box are round
    assert len(boxes) == 12
    for box in boxes:
        clip = (box.x + within, foot - box.top + within, box.x + box.width - within, foot - box.y - within)
        assert min(page.get_pixmap(dpi=150, clip=clip, colorspace="gray").samples) > 200


def test_a_printed_sheet_has_lines_where_nothing_else_stands(project: Project) -> None:
    """The heading What else once stood over white paper."""
    page = _html(project, "tsgs", STAMPED)
    assert page.partition("What else")[2].partition("</div>\n</div>")[0].count("<i></i>") >= 2
