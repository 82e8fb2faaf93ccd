"""The pages of the rulebooks: no gaps, no torn blocks, no lonely headings; the index leads to its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymupdf
import pytest
import yaml

from tests.products.conftest import LaidOut

KNOWN = yaml.safe_load((Path(__file__).parent / "book_layout_faults.yaml").read_text("utf-8"))
WHOLE = ("told", "scene", "glance", "many", "columns")  # classes of blocks that stand on one page
WORST_GAP = 0.2  # of a page


@pytest.fixture(scope="module", params=sorted(KNOWN))
def book(request: pytest.FixtureRequest, laid_out: Callable[..., LaidOut]) -> tuple[str, LaidOut]:
    """A system and its book on A5; tests of one book come in a row, so that each is laid out once."""
    return request.param, laid_out(request.param)


def blocks(box: Any) -> Iterator[Any]:
    """The boxes that stand for an element as a whole."""
    for each in box.descendants():
        is_words = type(each).__name__ == "LineBox" or hasattr(each, "text")
        if not is_words and hasattr(each.element, "get") and each.element_tag == each.element.tag:
            yield each


def is_of(box: Any, name: str) -> bool:
    return name in (box.element.get("class") or "").split()


def flowing_lines(box: Any, heading: bool = False) -> Iterator[tuple[Any, bool]]:
    """The lines and pictures of a page in their order, floats left out, and whether each is of a heading."""
    for child in box.children:
        if not child.is_in_normal_flow():
            continue
        within = heading or child.element_tag in ("h1", "h2", "h3")
        if type(child).__name__ == "LineBox" or hasattr(child, "replacement"):
            yield child, within
        elif hasattr(child, "children"):
            yield from flowing_lines(child, within)


def foot(line: Any) -> float:
    height = line.margin_height() if hasattr(line, "replacement") else line.height
    return float(line.position_y + height)


def openings(pages: list[Any]) -> list[int]:
    """The places of the pages on which a chapter, or a part behind the chapters, begins."""
    begun: dict[Any, int] = {}
    for at, page in enumerate(pages):
        for box in blocks(page.children[0]):
            if is_of(box, "opener") or is_of(box, "back"):
                begun.setdefault(box.element, at)
    return sorted(set(begun.values()))


def gaps(pages: list[Any]) -> list[str]:
    starts = openings(pages)
    found = []
    for at in range(starts[0], starts[-1]):
        page = pages[at]
        if at + 1 in starts or (at + 2 in starts and is_blank(pages[at + 1])):  # a chapter may end where it likes
            continue
        last = max((foot(line) for line, _ in flowing_lines(page.children[0])), default=page.content_box_y())
        empty = (page.content_box_y() + page.height - last) / page.height
        if empty > WORST_GAP:
            found.append(f"page {at + 1}: {empty:.0%} empty")
    return found


def is_blank(page: Any) -> bool:
    return not any(flowing_lines(page.children[0]))


def torn(pages: list[Any]) -> list[str]:
    """What goes on overleaf though a page has room for all of it."""
    found = []
    for at, (page, after) in enumerate(pairwise(pages), 1):
        here = {each.element: each for each in blocks(page.children[0])}
        for each in blocks(after.children[0]):
            blocked = each.element_tag == "table" or any(is_of(each, name) for name in WHOLE)
            if blocked and each.element in here and here[each.element].height + each.height < page.height:
                words = "".join(part.text for part in each.descendants() if hasattr(part, "text"))
                found.append(f"page {at}: {each.element_tag} goes on with {words[:40]!r}")
    return list(dict.fromkeys(found))


def lonely_headings(pages: list[Any]) -> list[str]:
    found = []
    for at, page in enumerate(pages, 1):
        lines = list(flowing_lines(page.children[0]))
        for line, is_heading in lines[-2:]:
            if is_heading and len(lines) > 2:
                found.append(f"page {at}: {''.join(part.text for part in line.descendants() if hasattr(part, 'text'))}")
    return found


def after_the_glance(pages: list[Any]) -> list[str]:
    """What stands behind the box that ends a chapter; the drawing that fills its page may."""
    found, ended = [], False
    for at, page in enumerate(pages, 1):
        for box in blocks(page.children[0]):
            if is_of(box, "opener") or is_of(box, "back") or is_of(box, "bound") or is_of(box, "outside"):
                ended = False
            elif is_of(box, "glance"):
                ended = True
            elif ended and any(is_of(box, name) for name in ("told", "scene", "random", "people")):
                found.append(f"page {at}: {box.element.get('class')}")
            elif ended and box.element_tag in ("h2", "table", "figure"):
                found.append(f"page {at}: {box.element_tag}")
    return found


def wrapped_contents(pages: list[Any]) -> list[str]:
    entries: dict[Any, list[Any]] = {}
    for page in pages[:8]:
        for box in blocks(page.children[0]):
            if is_of(box, "contents"):
                for link in blocks(box):
                    if link.element_tag == "a":
                        entries[link.element] = [line for line, _ in flowing_lines(link)]
    return ["".join(entry.itertext()) for entry, lines in entries.items() if len(lines) > 1]


FAULTS = (gaps, torn, lonely_headings, wrapped_contents, after_the_glance)


@pytest.mark.parametrize("fault", FAULTS)
def test_no_page_is_worse_than_what_is_known(
    book: tuple[str, LaidOut], fault: Callable[[list[Any]], list[str]]
) -> None:
    """The numbers of known faults in `book_layout_faults.yaml` may only shrink."""
    system, made = book
    found = fault(made.pages)
    assert len(found) <= KNOWN[system]["a5"].get(fault.__name__, 0), found


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("system", sorted(KNOWN))
def test_no_page_of_wide_paper_is_worse_than_what_is_known(
    system: str, paper: str, laid_out: Callable[..., LaidOut]
) -> None:
    made = laid_out(system, paper)
    found = {fault.__name__: fault(made.pages) for fault in FAULTS}
    assert {name: each for name, each in found.items() if len(each) > KNOWN[system][paper].get(name, 0)} == {}


def test_each_word_of_the_index_stands_on_its_pages(book: tuple[str, LaidOut]) -> None:
    _, made = book
    with pymupdf.open(stream=made.pdf) as document:
        places = {name: place["page"] for name, place in document.resolve_names().items()}
        texts = [" ".join(page.get_text().split()).casefold() for page in document]
    entries = re.findall(r'<li data-pages><span class="word">(.*?)</span>(.*?)</li>', made.html)
    assert len(entries) > 40
    assert len({word.casefold() for word, _ in entries}) == len(entries)
    titles = {name: title for name, title in re.findall(r'<h2 id="([^"]*)"[^>]*>(.*?)</h2>', made.html)}
    for word, links in entries:
        plain = re.sub("^(?:map|handout): ", "", unescape(word).casefold())
        filed = re.sub("^([^,]*), ([^,]*)$", r"\2 \1", plain)  # somebody, by the last of several names
        head, family = plain.partition(":")[0], plain.partition(",")[0]  # of an entry that the rule has in fewer words
        said = [each.removesuffix("s") if len(each) > 4 else each for each in (plain, filed, head, family)]
        for name in re.findall(r'href="#([^"]*)"', links):
            assert any(each in texts[places[name]] for each in said) or name in titles, (word, places[name] + 1)
    assert {re.findall(r'href="#([a-z]+)-', links)[0] for word, links in entries if word[:8] == "handout:"} == {
        "handout"
    }


def test_each_word_of_the_glossary_leads_to_a_page(book: tuple[str, LaidOut]) -> None:
    """What a book explains, it has: GeneSix explained a circumstantial modifier, and calls it a circumstance."""
    _, made = book
    words = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", made.html)
    assert words
    assert [word for word, said in words if "href" not in said] == []


def test_no_entry_of_the_glossary_breaks_behind_its_first_word(book: tuple[str, LaidOut]) -> None:
    """WeasyPrint breaks a line at its first space where the last word and a page number behind it have no room."""
    _, made = book
    with pymupdf.open(stream=made.pdf) as document:
        places = {name: place["page"] for name, place in document.resolve_names().items()}
        pages = range(places["glossary"], places.get("index", places["glossary"] + 3))
        lines = [line for at in pages for line in _lines_of(document[at])]
    heads = [unescape(word).split() for word in re.findall(r"<dt>(.*?)</dt>", made.html)]
    begun = [line for line in lines if any(line[: len(head)] == head for head in heads)]
    assert len(begun) >= len(heads)
    assert [line for line in begun if len(line) < 4] == []


def _lines_of(page: Any) -> list[list[str]]:
    """The words of each line of a page that begins at its left edge, as an entry does."""
    found: dict[int, list[tuple[float, str]]] = {}
    for left, _, _, bottom, word, *_ in sorted(page.get_text("words"), key=lambda each: each[0]):
        found.setdefault(round(bottom / 3), []).append((left, word))
    edge = min((line[0][0] for line in found.values()), default=0.0)
    return [[word for _, word in line] for line in found.values() if line[0][0] < edge + 3]


def test_every_reference_names_a_page(book: tuple[str, LaidOut]) -> None:
    """Where “(page 50)” was broken over two pages, the second of them said “page 0”."""
    _, made = book
    with pymupdf.open(stream=made.pdf) as document:
        named = [set(re.findall(r"\bpage\s(\d+)", page.get_text())) for page in document]
    assert any(named)
    assert [at for at, pages in enumerate(named, 1) if "0" in pages] == []


def test_every_number_beside_a_link_is_that_of_the_page_it_leads_to(book: tuple[str, LaidOut]) -> None:
    """An entry of the index said 21 where its words had moved to page 22 in the last round of the layout."""
    _, made = book
    numbered = list(enumerate(made.document.pages, 1))
    pages = {anchor: number for number, page in reversed(numbered) for anchor in page.anchors}  # the first that has it
    told = [
        (target, number)
        for page in made.document.pages
        for kind, target, _, box in page.links
        if kind == "internal"
        for number in numbers_beside(box)
    ]
    assert len(told) > 60
    assert [(target, number) for target, number in told if number != pages[target]] == []


def numbers_beside(link: Any) -> Iterator[int]:
    """The numbers of pages that a style puts in front of a link or behind it."""
    for box in link.descendants():
        if box.element_tag.partition("::")[2] and hasattr(box, "text"):
            yield from map(int, re.findall(r"\d+", box.text))


def test_a_heading_at_the_head_of_a_page_stands_at_its_top(book: tuple[str, LaidOut]) -> None:
    """One that was moved overleaf for what it shows stood a line lower than the words on the page beside it."""
    _, made = book
    lowest = 4.0  # px
    for at, page in enumerate(made.pages[openings(made.pages)[0] :]):
        line, is_heading = next(flowing_lines(page.children[0]), (None, False))
        if line is not None and is_heading and line.element_tag == "h2":
            assert line.position_y - page.content_box_y() < lowest, at


def test_what_ends_a_chapter_and_the_drawing_below_it_have_one_middle(book: tuple[str, LaidOut]) -> None:
    """On left pages the drawing stood in the middle of the text, right of that of the box above it."""
    _, made = book
    for page in made.pages:
        boxes = list(blocks(page.children[0]))
        ends = [box for box in boxes if is_of(box, "glance")]
        for spot in (box for box in boxes if is_of(box, "spot") and ends):
            assert middle(spot) == pytest.approx(middle(ends[0]), abs=1)


def middle(box: Any) -> float:
    return float(box.border_box_x() + box.border_width() / 2)


def test_the_outside_has_a_picture_and_a_blurb(book: tuple[str, LaidOut]) -> None:
    """The last page is a left one, also of a booklet, whose empty pages stand before the last."""
    _, made = book
    assert any(is_of(box, "picture") for box in blocks(made.pages[0].children[0]))
    assert len(made.pages) % 2 == 0
    assert any(is_of(box, "blurb") for box in blocks(made.pages[-1].children[0]))
