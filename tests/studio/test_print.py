"""Print in the studio: products with their options as controls, pages as pictures, files, the tray, the printer."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from threading import Event
from time import sleep
from typing import ClassVar, cast
from urllib.parse import urlencode

import pikepdf
import pytest
from PIL import Image

from sheetgen.batch.sandbox import pickled
from sheetgen.batch.warm import WarmProcesses
from sheetgen.errors import InputError, Place, Problem
from sheetgen.pdf.pdfium import page_sizes, page_texts
from sheetgen.products.options import options_of
from sheetgen.products.product import product_named
from sheetgen.studio.drawing import FIRST, DrawingOrder, Drawings
from sheetgen.studio.studio import FRESH_S
from sheetgen.workspace.packs import OpenedPacks, Pack
from sheetgen.workspace.printers import printers
from sheetgen.workspace.project import Project
from sheetgen.workspace.scaffold import starter, write_folder
from tests.studio.conftest import Opened, open_studio


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawings: Drawings) -> Opened:
    """The studio of an empty folder, with printers of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "night").mkdir()
    made = open_studio(tmp_path / "night")
    made.app.app.state.drawings = drawings  # type: ignore[attr-defined]
    return made


def text_of(opened: Opened, address: str) -> str:
    answered = opened.browser.get(address)
    assert answered.status_code == 200, answered.text
    return answered.text.replace("&amp;", "&")


def pictures_in(text: str) -> list[str]:
    return re.findall(r'<img src="([^"]+)"', text)


def picture(opened: Opened, address: str) -> Image.Image:
    answered = opened.browser.get(address)
    assert answered.status_code == 200, answered.text
    return Image.open(BytesIO(answered.content))


def test_every_product_of_a_game_is_shown_as_its_own_first_page(opened: Opened) -> None:
    text = text_of(opened, "/print?game=chalkdown")
    for title in ("The rulebook", "Reference cards and other decks", "People: a card (nine to a page)"):
        assert title in text
    addresses = pictures_in(text)
    assert len(addresses) == text.count('class="thumb"') >= 10
    blank = picture(opened, next(each for each in addresses if "/blank/" in each))
    assert blank.size == (414, 585)  # A4 at 50 dots an inch


def test_a_code_on_each_is_told_in_words_of_the_page(opened: Opened) -> None:
    text = text_of(opened, "/print/gamers/npc?shape=card")
    assert "a small QR code on each, which makes the same person again" in text
    assert "From code" not in text


def test_each_shape_of_people_is_printed_as_its_name_says(opened: Opened) -> None:
    """The address of the second shape says what it is, though that is what the command line does unasked."""
    half = re.search(
        r'<a href="([^"]+)"><span class="thumb"><img[^>]+></span><b>People: half a page',
        text_of(opened, "/print?game=gamers"),
    )
    assert half is not None
    assert re.search(r'value="npc"[^>]*(?:selected|checked)', text_of(opened, half[1]))


def test_a_product_has_a_control_for_each_of_its_options_but_those_for_terminals(opened: Opened) -> None:
    text = text_of(opened, "/print/chalkdown/cards")
    for each, about in options_of(product_named("cards").options):
        assert (f'name="{each.name}"' in text) is not about.terminal
    assert "--" not in re.sub(r"<!--.*?-->|<[^>]*>", "", text)


def test_pages_are_pictures_turned_front_and_back_with_the_plan_in_words(opened: Opened) -> None:
    front = text_of(opened, "/print/chalkdown/blank/pages")
    assert "page 1 of 2" in front
    assert "How to print it" in front
    cards = text_of(opened, f"/print/chalkdown/cards/pages?{urlencode({'show': '*all', 'backs': 'duplex'})}")
    assert "sheet 1 of " in cards
    assert ", front" in cards
    turn = re.search(r'href="([^"]+)"[^>]*>Turn over', cards)
    assert turn is not None
    back = text_of(opened, turn[1])
    assert ", back" in back  # made before, so it is there at once
    sides = [picture(opened, pictures_in(each)[0]) for each in (cards, back)]
    assert sides[0].size == sides[1].size
    assert sides[0].tobytes() != sides[1].tobytes()
    assert "turned over the long edge" in cards


def test_one_part_is_drawn_alone_until_all_pages_are_asked_for(opened: Opened) -> None:
    text = text_of(opened, "/print/chalkdown/book/pages")
    assert "page 1 of 1" in text
    names = re.findall(r'<option value="([^"]+)"', text)
    assert names[0] == "cover"
    assert names[-1] == "*all"
    chapter = text_of(opened, f"/print/chalkdown/book/pages?show={names[2]}&paper=a5")
    width, height = picture(opened, pictures_in(chapter)[0]).size
    assert abs(width / height - 148 / 210) < 0.01


def test_a_picture_is_kept_by_the_browser_under_a_key_of_all_that_shapes_it(opened: Opened) -> None:
    first = pictures_in(text_of(opened, "/print/chalkdown/blank/pages"))[0]
    assert "immutable" in opened.browser.get(first).headers["cache-control"]
    assert "immutable" not in opened.browser.get(re.sub("key=[0-9a-f]+", "key=0", first)).headers["cache-control"]
    other = pictures_in(text_of(opened, "/print/chalkdown/blank/pages?paper=letter"))[0]
    assert first.partition("key=")[2] != other.partition("key=")[2]


def test_what_is_wrong_stands_under_its_field_and_what_does_not_go_together_over_the_pages(opened: Opened) -> None:
    text = text_of(opened, "/print/chalkdown/cards?margin=wide&paper=letter")
    assert re.search(r'id="w-margin" role="alert">takes millimetres from 0 to 50, not .*wide', text)
    assert '<option value="letter" selected>' in text
    changed = opened.browser.get("/print/chalkdown/book?flip=long", headers={"hx-request": "true"}).text
    assert "“Turned over the edge”" in changed
    assert "go with “Booklet”" in changed
    assert 'id="w-margin"' in changed  # notes of the controls come along
    refused = opened.browser.get("/print/chalkdown/book/rules.pdf?flip=long")
    assert refused.status_code == 422


def test_a_product_is_downloaded_or_opened_in_the_viewer_and_its_plan_too(opened: Opened) -> None:
    text = text_of(opened, f"/print/chalkdown/cards/pages?{urlencode({'show': '*all'})}")
    plan = re.search(r'href="([^"]+-plan\.pdf[^"]*)"', text)
    assert plan is not None
    for address, shown in ((plan[1], "inline"), ("/print/chalkdown/cards/deck.pdf?download=yes", "attachment")):
        answered = opened.browser.get(address)
        assert answered.headers["content-type"] == "application/pdf"
        assert answered.headers["content-disposition"].startswith(shown)
        with pikepdf.open(BytesIO(answered.content)) as made:
            assert len(made.pages) >= 1
    assert opened.browser.get("/print/chalkdown/cards/deck.html").status_code == 422


def test_how_many_pages_there_are_is_told_at_once_where_they_are_made_and_else_when_it_is_asked(opened: Opened) -> None:
    address = "/print/chalkdown/cards"
    assert f'hx-get="{address}/count?size=index"' in text_of(opened, f"{address}?size=index")
    told = text_of(opened, f"{address}/count?size=index")
    pages = len(page_sizes(opened.browser.get(f"{address}/chalkdown-cards.pdf?size=index").content))
    assert f">{pages} pages, on {pages // 2} sheets printed on both sides<" in told
    assert f">{pages} pages, on" in text_of(opened, f"{address}?size=index")
    assert "pages" not in text_of(opened, f"{address}/count?size=huge")


def test_the_tray_gathers_products_in_one_pdf_and_is_a_file_of_the_folder(opened: Opened) -> None:
    items = ["/print/chalkdown/blank", "/print/chalkdown/reference?paper=letter"]
    for item in items:
        answered = opened.browser.post("/print/tray", data={"item": item, "back": item}, follow_redirects=False)
        assert (answered.status_code, answered.headers["location"]) == (303, item)
    assert "In the tray: 2" in text_of(opened, "/print")
    assert (opened.folder / ".sheetgen" / "print.json").is_file()
    before = text_of(opened, "/print/tray")
    asked = before.partition('id="counted"')[2].partition('hx-get="')[2].partition('"')[0]
    assert ("counting the pages" in before, "pages without" in before, asked) == (
        True,
        False,
        "/print/tray?counted=yes",
    )
    assert re.search(r"\d pages without blank backs", text_of(opened, asked))
    assert "counting the pages" not in text_of(opened, "/print/tray"), "known from then on"
    with pikepdf.open(BytesIO(opened.browser.get("/print/tray/together.pdf").content)) as made:
        assert len(made.pages) >= 4
        with made.open_outline() as outline:
            assert len(outline.root) >= 2
    shown = text_of(opened, "/print/tray")
    counts = [int(each) for each in re.findall(r"<small>(\d+) page", shown)]
    assert len(counts) == 2
    assert f"{sum(counts)} pages without blank backs" in shown
    opened.browser.post("/print/tray", data={"item": items[0]})
    assert "In the tray: 1" in text_of(opened, "/print")
    opened.browser.post("/print/tray/empty")
    assert opened.browser.get("/print/tray/together.pdf").status_code == 422


@pytest.mark.parametrize(
    "item", ["http://evil.example/print/a/b", "/people/1", "/print/chalkdown/nothing", "/print/x/y/z"]
)
def test_nothing_strange_goes_into_the_tray(opened: Opened, item: str) -> None:
    assert opened.browser.post("/print/tray", data={"item": item}).status_code == 422
    elsewhere = opened.browser.post(
        "/print/tray", data={"item": "/print/chalkdown/blank", "back": "//evil.example/"}, follow_redirects=False
    )
    assert elsewhere.headers["location"] == "/print/tray"


@pytest.mark.parametrize(
    "address", ["/print/nothing/cards", "/print/chalkdown/sheet", "/print/./cards", "/print/a.b/cards"]
)
def test_what_is_not_there_is_told(opened: Opened, address: str) -> None:
    assert opened.browser.get(address).status_code in (404, 422)


def test_only_tables_and_fonts_of_the_folder_are_offered(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("title,text\nA,B\n")
    (opened.folder / "mine.csv").write_text("title,text\nTorch,Light\n")
    (opened.folder / "linked.csv").symlink_to(tmp_path / "secret.csv")
    (opened.folder / "rain.yaml").write_text("system: gamers\ntitle: Rain\nscenes:\n- title: One\n")
    (opened.folder / "cast").mkdir()
    (opened.folder / "cast" / "ann.yaml").write_text("system: gamers\ncharacters:\n- name: Ann\n")
    (opened.folder / "things.yaml").write_text("# of the cellar\n- {title: Rope, text: Wet}\n")
    (opened.folder / "more.yaml").write_text("cards:\n  - {title: Lamp, text: Dry}\n")
    (opened.folder / "hand.ttf").write_bytes(b"")
    text = text_of(opened, "/print/chalkdown/cards?table=../secret.csv")
    tables = re.search(r'<select class="in" name="table".*?</select>', text, re.DOTALL)
    assert tables is not None
    assert re.findall(r'option value="([^"]+)"', tables[0]) == ["mine.csv", "more.yaml", "things.yaml"]
    assert '<option value="mine.csv"' in text
    assert "linked.csv" not in text
    assert "no file &#34;../secret.csv&#34; in this folder" in text
    own = text_of(opened, "/print/chalkdown/cards/pages?table=mine.csv")
    assert picture(opened, pictures_in(own)[0]).size[0] > 100


def test_a_strangers_pack_is_printed_as_well_and_an_edit_of_it_is_seen_at_once(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sheetgen.studio.studio.FRESH_S", 0)
    write_folder(opened.folder / "content" / "mist", starter(opened.studio.project, "mist"))
    before = pictures_in(text_of(opened, "/print/mist/blank/pages"))[0]
    system = opened.folder / "content" / "mist" / "system.yaml"
    system.write_text(system.read_text().replace("title: ", "title: Old ", 1))
    after = pictures_in(text_of(opened, "/print/mist/blank/pages"))[0]
    assert before.partition("key=")[2] != after.partition("key=")[2]
    assert picture(opened, after).size == (1059, 1497)
    assert "OLD" in page_texts(opened.browser.get("/print/mist/blank/sheet.pdf").content)[0].upper()


def test_a_pack_that_took_long_to_open_is_looked_at_again_when_it_is_next_asked_for(opened: Opened) -> None:
    class Slow(OpenedPacks):
        opened = 0

        def pack(self, project: Project, word: str) -> Pack:
            made = super().pack(project, word)
            self.opened += 1
            sleep(FRESH_S)  # a file may change now
            return made

    slow = Slow()
    studio = replace(opened.studio, _packs=slow, _looked={})
    for _ in range(2):
        studio.pack("gamers")
    assert slow.opened == 2


def test_what_a_process_dies_of_is_drawn_again_in_one_of_its_own_which_says_why(opened: Opened) -> None:
    class Dying:
        asked: ClassVar[list[bool]] = []

        def ask(self, request: bytes, unwanted: Event) -> bytes:
            self.asked.append(json.loads(request)["anew"])
            if not self.asked[-1]:
                raise EOFError
            return pickled(None, InputError([Problem(Place("mist"), "stopped, since it takes more than 60 s")]))

    drawings, order = Drawings(processes=cast(WarmProcesses, Dying())), DrawingOrder("cards", ("mist",), (), FIRST)
    with pytest.raises(InputError, match="takes more than 60 s"):
        drawings.drawn(opened.studio.project, {}, order, "key", Event())
    assert Dying.asked == [False, True]


def test_a_printer_is_set_up_by_what_is_read_off_the_proof(opened: Opened) -> None:
    assert picture(opened, "/print/printers/proof.png?paper=letter&page=2").size == (544, 704)
    answered = opened.browser.post(
        "/print/printers/keep",
        data={"name": "Office Printer", "right": "+0,8", "up": "−1.2", "margin": "5", "flip": "long", "paper": "a4"},
        follow_redirects=False,
    )
    assert answered.headers["location"].startswith("/print/printers?printer=office-printer&")
    again = opened.browser.get(answered.headers["location"]).text
    for name, value in {"right": "0.8", "up": "-1.2", "margin": "5"}.items():
        assert f'name="{name}" value="{value}"' in again, "keeping it once more would lose what is known"
    known = printers(opened.studio.project)["office-printer"]
    assert (known.shift, known.margin) == ((0.8, -1.2), 5)
    assert "backs move 0.8 mm to the right and 1.2 mm down" in text_of(opened, "/print/printers")
    assert '<option value="office-printer"' in text_of(opened, "/print/chalkdown/cards")


def test_what_cannot_be_a_printer_is_told_under_its_field(opened: Opened) -> None:
    typed = {"name": "4th floor", "right": "far", "up": "99", "margin": "", "flip": "short"}
    wrong = opened.browser.post("/print/printers/keep", data=typed)
    assert wrong.status_code == 422
    assert wrong.text.count('class="wrong"') == 2
    assert 'value="far"' in wrong.text
    assert wrong.text.count(" autofocus") == 1, "the first of them comes into sight"
    named = opened.browser.post("/print/printers/keep", data={**typed, "right": "1", "up": "0"})
    assert "a printer is called by small letters" in named.text
    assert printers(opened.studio.project) == {}
