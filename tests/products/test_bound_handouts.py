"""Handouts in rulebooks: what the text speaks of is drawn in its place, and a name that is not there is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from sheetgen.content.book.references import References
from sheetgen.geometry import Size
from sheetgen.pdf.flow.document import flow
from sheetgen.press.pages import drawn_at
from sheetgen.products.book import BoundHandout, bound_handouts, handout_places
from sheetgen.products.chapters import Rulebook, _handout_problems
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

GAMES = ["gamers", "tsgs", "sixshooter", "diecodes", "genesix"]
BookOf = Callable[[str], tuple[Pack, Rulebook]]


def test_what_is_drawn_stands_in_its_place(project: Project) -> None:
    use_bundled_fonts(project)

    def pdf(style: str, body: str) -> bytes:
        page = (
            f'<!DOCTYPE html><html lang="en"><title>x</title><style>@page {{ {style} }} * {{ margin: 0 }}</style>{body}'
        )
        return flow(page, root=project.where, name="x", tagged=True)

    book = pdf(
        "size: a5; margin: 0", '<p>words</p><div id="a" style="position: absolute; left: 20mm; top: 50mm">.</div>'
    )
    note = pdf("size: 40mm 30mm; margin: 0", "<p>Dear Nora</p>")
    made = drawn_at(book, [(note, ("a",), 0.5)])
    assert made == drawn_at(book, [(note, ("a",), 0.5)])
    (page,) = pymupdf.open(stream=made)
    (where,) = page.search_for("Dear Nora")
    millimetre = 72 / 25.4
    assert where.x0 == pytest.approx(20 * millimetre, abs=2)
    assert 50 * millimetre - 1 <= where.y0 <= 58 * millimetre


@pytest.mark.parametrize("game", GAMES)
def test_the_handouts_of_the_books_are_there_and_spoken_of(book_of: BookOf, game: str) -> None:
    pack, rulebook = book_of(game)
    assert rulebook.book.handouts
    assert not list(_handout_problems(rulebook.book, (pack.folder,)))
    for rule in rulebook.book.rules.values():
        assert all(f"{{handout {name}}}" in rule.text.text for name in rule.handouts)
    with pytest.raises(ValueError, match="unknown handout"):
        References(pack.system, rulebook.book).resolve("handout nowhere")


def test_a_handout_that_no_pack_has_is_a_problem(book_of: BookOf, tmp_path: Path) -> None:
    _, rulebook = book_of("gamers")
    problems = list(_handout_problems(rulebook.book, (tmp_path,)))
    assert len(problems) == 3
    assert all("no handout" in str(problem) for problem in problems)


def test_handouts_are_as_large_as_the_page_allows(project: Project, book_of: BookOf) -> None:
    pack, _ = book_of("gamers")
    room = Size(60, 70)
    bound = bound_handouts(project, pack, "a5", room)
    assert all(each.size.width <= 60.01 and each.size.height <= 70.01 and each.scale < 1 for each in bound)
    places = handout_places(bound)
    assert [each["anchor"] for each in places] == [
        "handout-notice-of-forfeit",
        "handout-seven-bills",
        "handout-from-cold-ash",
    ]
    assert [len(each["places"]) for each in places] == [each.pages for each in bound]


def test_the_plan_with_the_secrets_says_for_whom_it_is() -> None:
    """It was called page 2 of the plan, beside the one that players may see."""
    plan, letter = (
        BoundHandout("x", "The plan", "rule", style, b"", 2, Size(9, 9), 1.0) for style in ("map", "letter")
    )
    assert [each["captions"] for each in handout_places((plan, letter))] == [
        ("The plan", "For the GM: The plan"),
        ("The plan", "The plan, page 2"),
    ]
