"""Print runs: rosters, an index that knows every page, groups with a summary first, and who cannot be printed."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from dataclasses import replace

import pikepdf
import pymupdf
import pypdf
import pytest

from sheetgen.documents.people.roster_rows import Person
from sheetgen.errors import LimitError, UsageError
from sheetgen.geometry import PAPERS, Size, mm
from sheetgen.model.character import Character, Origin
from sheetgen.people.groups import GroupRun, roll_group
from sheetgen.people.ordering import Order
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products import shapes
from sheetgen.products.people.people import run_hint
from sheetgen.products.people.printing import check_size, write_people
from sheetgen.products.people.roster import BEGINS, HEADED, MOST_ON_A_ROSTER, NOTES, on_few_pages
from sheetgen.products.report import NobodyPrinted, Report
from sheetgen.products.shapes import INDEX_CARD, SHAPES, PrintOptions, RosterHeading
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

A4 = PrintOptions("a4")


@pytest.fixture
def pack(project: Project) -> Pack:
    """GAMERS, opened."""
    return open_pack(project, "gamers")


def printed(
    project: Project, pack: Pack, people: Iterable[Character], form: str = ".pdf", **how: object
) -> tuple[bytes, Report]:
    """The file of a print run on A4, and its report."""
    out = bytearray()
    printing = PrintOptions(**{"paper": "a4", **how})  # type: ignore[arg-type]
    report = write_people(project, pack, people, out.extend, printing, form=form)
    return bytes(out), report


def texts(data: bytes) -> list[str]:
    """The text of each page, spaces as they come."""
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_room_for_notes_begins_no_page_of_its_own(project: Project, paper: str) -> None:
    """A roster of eight people of GeneSix once had a second page, with nothing but a box for notes."""
    genesix = open_pack(project, "genesix")
    data, _ = printed(project, genesix, roll(genesix, RollOptions(52, 8)), shape="roster", paper=paper)
    (page,) = texts(data)
    assert page.lower().count("wants") == 8


@pytest.mark.parametrize(
    ("pages", "made"),
    [
        ({1.0: 2, 0.8: 2, 0.6: 1, 0.4: 1, 0.0: 1}, 0.6),
        ({1.0: 2, 0.8: 2, 0.6: 2, 0.4: 2, 0.0: 1}, 0.0),
        ({1.0: 2, 0.0: 2}, 1.0),
        ({1.0: 1}, 1.0),
    ],
)
def test_nor_does_it_under_headings(pages: dict[float, int], made: float) -> None:
    """Whatever stands on a roster or between the people of a group, notes have what room is left and take no page."""

    def html_of(notes: float = 1.0) -> str:
        return f"{HEADED} {NOTES} {notes}" if notes else f"{HEADED} 0.0"

    for heading in (RosterHeading("Sunday"), RosterHeading("The six", is_group=True)):
        if pages[made] == 1 or not heading.is_group:
            found = on_few_pages(html_of, str, lambda html: pages[float(html.split()[-1])], heading)
            assert float(found.split()[-1]) == made


def test_a_row_that_is_higher_than_it_was_taken_for_does_not_stand_alone() -> None:
    """Twelve people of Die Codes on Letter were eleven, and one on a page of his own."""

    def html_of(less: float = 0.0) -> str:
        return BEGINS if less else ""

    assert on_few_pages(html_of, str, lambda html: 2, RosterHeading("Sunday")) == BEGINS
    assert on_few_pages(html_of, str, lambda html: 1, RosterHeading("Sunday")) == ""


def somebody(name: str, **values: object) -> Character:
    """A character that was written by hand."""
    return Character("gamers", {"name": name, **values})  # type: ignore[dict-item]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_roster_repeats_its_head_and_loses_nobody(project: Project, pack: Pack, paper: str) -> None:
    people = list(roll(pack, RollOptions(7, 30)))
    data, report = printed(
        project, pack, people, paper=paper, shape="roster", heading=RosterHeading("The lot", reroll_hint="seed 7")
    )
    pages = texts(data)
    assert report.printed == 30
    assert len(pages) == {"a4": 2, "letter": 3}[paper]
    assert all(page.count("The lot") == 1 + (page is not pages[0]) for page in pages[1:])  # at the head and at the foot
    assert all("WEAPON" in page.upper() and f"of {len(pages)}" in page for page in pages)
    whole = " ".join(" ".join(pages).split())
    assert [name for name in (each.text("name") for each in people) if name not in whole] == []
    with pikepdf.open(io.BytesIO(data)) as pdf:
        width, height = (float(edge) for edge in pdf.pages[0].mediabox[2:])
        assert width > height
        assert round(width / 72 * 25.4) == round(PAPERS[paper].height)


@pytest.mark.parametrize(("game", "least"), [("gamers", 6), ("chalkdown", 8), ("genesix", 13), ("sixshooter", 9)])
def test_all_that_a_row_of_a_roster_says_stands_on_the_line_of_the_name(
    project: Project, game: str, least: int
) -> None:
    """Texts and names once stood each on a line of their own; only a level with a box stands on the middle of that."""
    pack = open_pack(project, game)
    people = list(roll(pack, RollOptions(3, 5)))
    data, _ = printed(project, pack, people, shape="roster")
    with pymupdf.open(stream=data) as pdf:
        blocks = pdf[0].get_text("dict")["blocks"]
    spans = [
        span for block in blocks for line in block.get("lines", ()) for span in line["spans"] if span["size"] > 7.5
    ]
    for person in people:
        (name,) = (span["origin"][1] for span in spans if span["text"] == person.text("name"))
        assert sum(abs(span["origin"][1] - name) < 0.2 for span in spans) >= least
        assert [span["text"] for span in spans if 0.2 <= abs(span["origin"][1] - name) < 4] == []


def test_a_number_and_its_box_are_a_pair(project: Project, pack: Pack) -> None:
    """Boxes hung below their numbers, and each stood nearer to the number of the next attribute."""
    data, _ = printed(project, pack, list(roll(pack, RollOptions(3, 5))), shape="roster")
    with pymupdf.open(stream=data) as pdf:
        lines = [line for block in pdf[0].get_text("dict")["blocks"] for line in block.get("lines", ())]
        levels = [
            span for line in lines for span in line["spans"] if round(span["size"]) == 13 and span["bbox"][1] > 90
        ]
        drawn = [drawing["rect"] for drawing in pdf[0].get_drawings()]
    boxes = [rect for rect in drawn if 22 < rect.width < 24 and 22 < rect.height < 24]
    assert len(levels) == len(boxes) == 30
    for span in levels:
        left, _, right, _ = span["bbox"]
        middle = span["origin"][1] - 0.33 * 13  # of a figure of this height
        row = [rect for rect in boxes if rect.y0 < middle < rect.y1]
        own = min(row, key=lambda rect: abs(rect.x0 - right))
        assert 2.5 < own.x0 - right < 5
        assert abs((own.y0 + own.y1) / 2 - middle) < 2
        assert all(left - rect.x1 > 9 for rect in row if rect.x1 < left)


def test_a_roster_keeps_hostile_names_whole(project: Project, pack: Pack) -> None:
    names = ["W" * 120, "Łódź Ωμέγα Київ", "</style><script>alert(1)</script> {{ 7*7 }}"]
    data, report = printed(project, pack, [somebody(name) for name in names], shape="roster")
    said = re.sub(r"\s", "", "".join(texts(data)))
    assert report.skipped == []
    assert [name for name in names if re.sub(r"\s", "", name) not in said] == []
    page, _ = printed(project, pack, [somebody(name) for name in names], ".html", shape="roster")
    assert b"<script" not in page


def test_who_cannot_be_printed_on_a_roster_is_named_and_the_rest_are_printed(project: Project, pack: Pack) -> None:
    people = [somebody("東京"), somebody("Ada", occupation="東"), somebody("Bo", manner="😀")]
    data, report = printed(project, pack, people, shape="roster")
    assert report.printed == 1
    assert report.skipped[0].startswith("東京: Name: no bundled font can print")
    assert report.skipped[1].startswith("Ada: Occupation: ")
    assert "Bo" in texts(data)[0]
    with pytest.raises(NobodyPrinted):
        printed(project, pack, people[:2], shape="roster")


def test_an_index_tells_the_page_where_everybody_begins(project: Project, pack: Pack) -> None:
    people = [somebody(f"Person {at}", notes="word " * (900 if at % 12 == 0 else 1)) for at in range(60)]
    data, _ = printed(project, pack, [*people, somebody("東京")], index=True)
    pages = texts(data)
    told = {name: int(page) for page, name in re.findall(r"(\d+)\s*(Person \d+)\b", "".join(pages[:2]))}
    assert len(told) == 60
    assert [name for name, page in told.items() if name not in pages[page - 1] or "CONTINUED" in pages[page - 1]] == []
    assert len(pages) == 2 + 60 + 5


def test_the_index_leads_to_its_pages(project: Project, pack: Pack) -> None:
    data, _ = printed(project, pack, [somebody("Zed"), somebody("Ada")], index=True, order=Order("name"))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pages = [page.objgen for page in pdf.pages]
        assert [pages.index(pdf.Root.Dests[note.Dest][0].objgen) for note in pdf.pages[0].Annots] == [1, 1, 2, 2]
    assert [("Ada" in text, "Zed" in text) for text in texts(data)[1:]] == [(True, False), (False, True)]


def test_with_a_back_every_sheet_begins_on_a_right_hand_page(project: Project, pack: Pack) -> None:
    data, _ = printed(project, pack, roll(pack, RollOptions(7, 3)), index=True, roster=True, back=True)
    pages = texts(data)
    assert len(pages) == 2 + 2 + 6
    assert [at for at, page in enumerate(pages) if "seed 7" in page and "no. " in page and "NOTES" in page.upper()][1:]
    told = re.findall(r"(\d+)\s*[A-Z]\w+ \w+", pages[2])
    assert [int(page) % 2 for page in told] == [1, 1, 1]


def test_sheets_of_three_pages_begin_on_a_right_hand_page_as_well(project: Project) -> None:
    chalkdown = open_pack(project, "chalkdown")
    people = list(roll(chalkdown, RollOptions(7, 3)))
    data, _ = printed(project, chalkdown, people, paper="a5", back=True)
    pages = texts(data)
    begun = [at for at, page in enumerate(pages) if "NAME" in page and "STORY" not in page]
    assert (begun, len(pages)) == ([0, 4, 8], 11)
    alone, _ = printed(project, chalkdown, people[:1], paper="a5", back=True)
    assert len(texts(alone)) == 3


@pytest.mark.parametrize(("system", "begun"), [("chalkdown", ["2", "3", "4"]), ("slackwater", ["3", "5", "7"])])
def test_the_index_names_the_pages_of_sheets_without_a_back(project: Project, system: str, begun: list[str]) -> None:
    """In a game in which others have one, each begins on a right-hand page."""
    pack = open_pack(project, system)
    layout = pack.system.sheet_layout
    assert layout is not None
    pack = pack if layout.by else pack.with_layout(replace(layout, back=()))
    data, _ = printed(project, pack, roll(pack, RollOptions(7, 3)), index=True, back=True)
    index, *pages = texts(data)
    assert re.findall(r"^ *(\d+) *[A-Z]\w+ \w+", index, re.MULTILINE) == begun
    assert len(pages) == int(begun[-1]) - 1


def test_cards_are_found_by_the_page_they_share(project: Project, pack: Pack) -> None:
    people = [somebody(f"Person {at:02}") for at in range(20)]
    data, _ = printed(project, pack, people, shape="card", index=True)
    pages = texts(data)
    told = {name: int(page) for page, name in re.findall(r"(\d)\s*(Person \d\d)", pages[0])}
    assert [page for _, page in sorted(told.items())] == [2] * 9 + [3] * 9 + [4] * 2
    assert [name for name, page in told.items() if name not in pages[page - 1]] == []


def test_headings_stand_in_the_index_and_on_the_roster(project: Project, pack: Pack) -> None:
    people = [somebody("Bo", occupation="spy"), somebody("Ada", occupation="cook"), somebody("Cy", occupation="spy")]
    order = Order("name", "occupation")
    for how in ({"index": True}, {"shape": "roster"}):
        data, _ = printed(project, pack, people, order=order, **how)
        said = re.findall(r"Cook|Spy|Ada|Bo|Cy", texts(data)[0].title())
        assert list(dict.fromkeys(said)) == ["Cook", "Ada", "Spy", "Bo", "Cy"]


def test_the_page_that_the_index_tells_stands_on_that_page(project: Project, pack: Pack) -> None:
    for shape in ("sheet", "card"):
        data, _ = printed(project, pack, [somebody("Zed"), somebody("Ada")], shape=shape, index=True)
        index, *pages = texts(data)
        count = 1 + len(pages)
        assert f"page 1 of {count}" in index
        for name in ("Zed", "Ada"):
            (told,) = re.findall(rf"(\d)\s*{name}", index)
            assert [f"page {told} of {count}" in page for page in pages if name in page] == [True]


def test_a_page_alone_has_no_number_and_every_side_of_several_has_one(project: Project, pack: Pack) -> None:
    one, _ = printed(project, pack, roll(pack, RollOptions(7, 1)))
    assert "page 1" not in texts(one)[0]
    data, _ = printed(project, pack, [somebody(f"P{at}") for at in range(6)], back=True)
    assert [re.findall(r"page (\d+ of \d+)", page) for page in texts(data)] == [[f"{at} of 12"] for at in range(1, 13)]


def test_the_back_is_signed_with_name_seed_and_game(project: Project, pack: Pack) -> None:
    (somebody_rolled,) = roll(pack, RollOptions(7, 1))
    data, _ = printed(project, pack, [somebody_rolled], back=True)
    back = " ".join(texts(data)[1].split())
    assert [word for word in (somebody_rolled.text("name"), "seed 7 · no. 1", "GAMERS") if word not in back] == []


@pytest.mark.parametrize(("paper", "shape"), [("a4", "card"), ("letter", "card"), ("a4", "index"), ("letter", "index")])
def test_a_sheet_of_cards_tells_game_licence_and_seed_in_its_margin(project: Project, paper: str, shape: str) -> None:
    tsgs = open_pack(project, "tsgs")
    heading = RosterHeading(reroll_hint="seed 7 · no. 1 to 2")
    data, _ = printed(project, tsgs, roll(tsgs, RollOptions(7, 2)), paper=paper, shape=shape, heading=heading)
    said = " ".join(texts(data)[0].split())
    wanted = (
        "TSGS · The Simple Game System",
        "Gonnerman",
        "Creative Commons",
        "seed 7 · no. 1 to 2 · page 1 of 1",
        "seed 7 · no. 2",
        "50 mm",
    )
    assert [words for words in wanted if words not in said] == []


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    ("game", "licence"), [("diecodes", "no licence"), ("genesix", "CC BY-NC-SA"), ("sixshooter", "Licence not stated")]
)
def test_every_games_licence_stands_in_the_margin_of_its_cards(
    project: Project, game: str, licence: str, paper: str
) -> None:
    pack = open_pack(project, game)
    data, _ = printed(project, pack, roll(pack, RollOptions(7, 1)), paper=paper, shape="card")
    assert licence in " ".join(texts(data)[0].split())


def test_a_file_says_in_the_margin_of_its_cards_which_run_it_was_and_what_was_edited() -> None:
    def one(seed: int, index: int, *, edited: bool = False) -> Character:
        return Character("gamers", {}, Origin("random", seed, index, edited=edited))

    assert run_hint([one(7, 1), one(7, 2)]) == "seed 7\u00a0· no. 1 to 2"
    assert run_hint([one(7, 4), one(7, 4)]) == "seed 7"
    assert run_hint([one(7, 1, edited=True)]) == "seed 7\u00a0· no. 1\u00a0· edited"
    assert run_hint([one(7, 1), one(8, 1), Character("gamers", {})]) == "2 seeds\u00a0· edited"
    assert run_hint([Character("gamers", {})]) == ""


def test_headings_of_the_index_follow_an_empty_row_and_never_end_a_page() -> None:
    from sheetgen.products.people.roster import index_pages

    people = [(Person(somebody(f"P{at}"), {}, heading), at) for at, heading in enumerate("AABBBC", 1)]
    told = [
        [head or (who.character.text("name") if who else "") for head, who, *_ in page]
        for page in index_pages(people, 8)
    ]
    assert told == [["A", "P1", "P2", "", "B", "P3", "P4", "P5"], ["C", "P6"]]
    (high,) = index_pages(people, 9, asked=True)  # rows of two lines have air enough
    assert [head for head, *_ in high] == ["A", "", "", "B", "", "", "", "C", ""]


def test_nobody_stands_under_a_heading_of_what_nobody_has(project: Project, pack: Pack) -> None:
    for how in ({"index": True}, {"shape": "roster"}):
        data, _ = printed(project, pack, [somebody("Ada"), somebody("Bo")], order=Order("", "archetype"), **how)
        assert "Others" not in texts(data)[0].title()
        assert "\n—\n" not in texts(data)[0]


def test_the_page_of_a_group_tells_manner_wish_ties_and_trouble(project: Project, pack: Pack) -> None:
    names = ("Ada", "Bo", "Cy")
    people = [
        somebody(f"Guard {at} {name}", occupation="guard", manner="hums", hook=f"Saw it {at}.", want="Say nothing.")
        for at, name in enumerate(names, 1)
    ]
    heading = RosterHeading("The watch", "one lantern too many", is_group=True)
    for form in (".pdf", ".html"):
        data, _ = printed(project, pack, people, form, roster=True, heading=heading)
        page = " ".join((texts(data)[0] if form == ".pdf" else re.sub("<[^>]*>", " ", data.decode())).split())
        for at in (1, 2, 3):
            assert f"Hums. Saw it {at}. Wants: Say nothing." in page
        between = page.partition("Between them")[2].partition("Guard 1 Ada")[0]
        assert sum(between.count(name) for name in names) >= 6
        assert re.search(r"One lantern too many\. It begins with Guard (\d) (Ada|Bo|Cy) \(\1\)\.", page)
    assert "page 1 of 4" in texts(printed(project, pack, people, roster=True, heading=heading)[0])[0]


def test_rows_of_many_weapons_are_as_high_in_a_group_as_they_are_counted(project: Project) -> None:
    """They were higher, and a page that was full by a line handed its last row on, to stand alone."""
    heroic = open_pack(project, "heroic")
    crew = heroic.system.ready_groups["the longship"]
    people = list(roll_group(heroic, GroupRun(crew, 5)))
    heading = RosterHeading(crew.title, crew.say, is_group=True)
    data, _ = printed(project, heroic, people, roster=True, heading=heading)
    pages = [page.get_text("words") for page in list(pymupdf.open("pdf", data))[:2]]
    numbers = [[text for x, *_, text, _, _, _ in page if x < mm(16) and text.isdigit()] for page in pages]
    assert numbers == [list("1234567"), ["8", "9", "10"]]


def test_a_web_page_of_a_group_begins_with_its_roster(project: Project, pack: Pack) -> None:
    page, _ = printed(
        project, pack, roll(pack, RollOptions(7, 2)), ".html", roster=True, heading=RosterHeading("The watch")
    )
    text = page.decode()
    assert text.index("<h1>The watch</h1>") < text.index('<article class="person">')
    assert text.count('<article class="person">') == 2


def test_files_of_characters_are_in_the_order_asked_for(project: Project, pack: Pack) -> None:
    data, _ = printed(project, pack, [somebody("Bo"), somebody("Ada")], ".yaml", order=Order("name"), shape="roster")
    assert re.findall(r"name: (\w+)", data.decode()) == ["Ada", "Bo"]


def test_a_strangers_roster_is_made_like_ours(project: Project, pack: Pack) -> None:
    import dataclasses

    people = list(roll(pack, RollOptions(7, 2)))
    ours, _ = printed(project, pack, people, shape="roster")
    theirs, _ = printed(project, dataclasses.replace(pack, ours=False), people, shape="roster")
    assert ours == theirs


def test_too_many_are_refused_before_anything_is_rolled() -> None:
    check_size(A4, ".pdf", 1_000_000)
    check_size(PrintOptions("a4", shape="roster"), ".csv", 100_000)
    with pytest.raises(LimitError, match="a roster takes 500 people at the most, not 501"):
        check_size(PrintOptions("a4", shape="roster"), ".pdf", MOST_ON_A_ROSTER + 1)
    with pytest.raises(LimitError, match="20,000 people at the most"):
        check_size(PrintOptions("a4", index=True), ".pdf", 20_001)


def test_a_roster_is_no_picture(project: Project, pack: Pack) -> None:
    from sheetgen.products.people.roster import check_roster

    with pytest.raises(UsageError, match=r"a roster is made as \.pdf or \.html, not \.png"):
        check_roster(".png", 3)


MIST = {
    "system.yaml": "id: mist\ntitle: Mist\ncredit: 'by \"you\" & </style>'\nlicence: yours\ntraits:\n  virtues:\n"
    "    title: Virtues\n    range: 0-5\n    members: {Hope: {}, Wit: {}, Steel: {}}\n",
    "sheet.yaml": "character:\n  name: {is: text, title: Name}\n  virtues: {is: levels, title: Virtues}\n",
}


@pytest.fixture
def mist(project: Project) -> Pack:
    """A stranger's pack that says nothing of rosters, and has no occupations."""
    folder = project.where / "mist"
    folder.mkdir()
    for name, text in MIST.items():
        (folder / name).write_text(text, encoding="utf-8")
    return open_pack(project, "./mist")


def test_a_pack_that_says_nothing_gets_a_roster_and_an_index(project: Project, mist: Pack) -> None:
    people = [Character("mist", {"name": name, "virtues": {"Wit": 3}}) for name in ("Ada", "Zed")]
    roster, _ = printed(project, mist, people, shape="roster")
    assert re.search(
        r"HOPE.*WIT.*STEEL.*Ada.*3.*Zed.*by \"you\" & </style>", texts(roster)[0], re.DOTALL | re.IGNORECASE
    )
    index, _ = printed(project, mist, people, index=True)
    assert re.findall(r"\d (?:Ada|Zed)", " ".join(texts(index)[0].split())) == ["2 Ada", "3 Zed"]


def test_a_strangers_own_roster_template_is_checked(project: Project, mist: Pack) -> None:
    from sheetgen.services.check import check_templates

    assert check_templates(project, mist) == ()
    (mist.folder / "templates").mkdir()
    (mist.folder / "templates" / "roster.html").write_text("<html lang=en><title>x</title>{{ oops }}</html>")
    (problem,) = check_templates(project, mist)
    assert str(problem).startswith("mist/templates/roster.html:1: oops: no such value")


def test_a_new_shape_is_a_constant_with_its_templates_and_a_line(
    project: Project, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two large index cards to a page: everything that prints people can print them so."""
    large = replace(INDEX_CARD, say="half a page", named="halves", cards={"a4": Size(150, 120)})
    monkeypatch.setattr(shapes, "LARGE", large, raising=False)
    monkeypatch.setitem(SHAPES, "large", "shapes.LARGE")
    data, report = printed(project, pack, roll(pack, RollOptions(7, 3)), shape="large")
    assert (report.printed, len(texts(data))) == (3, 2)
