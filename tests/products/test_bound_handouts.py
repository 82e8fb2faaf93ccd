"""Handouts in rulebooks: what the text speaks of is drawn in its place, and a name that is not there is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from sheetgen.content.book.references import References
from sheetgen.geometry import Size
from sheetgen.model.handout import Made
from sheetgen.pdf.flow.document import flow
from sheetgen.press.pages import drawn_at
from sheetgen.products.books.bound_handouts import LEAVES, BoundHandout, bound_handouts, handouts_behind
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
    made = drawn_at(book, [(note, ("a",), 0.5, False)])
    assert made == drawn_at(book, [(note, ("a",), 0.5, False)])
    (page,) = pymupdf.open(stream=made)
    (where,) = page.search_for("Dear Nora")
    millimetre = 72 / 25.4
    assert where.x0 == pytest.approx(20 * millimetre, abs=2)
    assert 50 * millimetre - 1 <= where.y0 <= 58 * millimetre


def test_what_is_turned_hangs_from_its_place_on_its_left_side(project: Project) -> None:
    """A plan on its side was as wide as the page, and left half of it empty."""
    use_bundled_fonts(project)
    head = '<!DOCTYPE html><html lang="en"><title>x</title><style>* { margin: 0 } @page { margin: 0; size: '
    book = f'{head}a5 }}</style><p>words</p><div id="a" style="position: absolute; left: 20mm; top: 50mm">.</div>'
    note = f"{head}40mm 30mm }}</style><p>Dear Nora</p>"
    pdfs = [flow(each, root=project.where, name="x", tagged=True) for each in (book, note)]
    (page,) = pymupdf.open(stream=drawn_at(pdfs[0], [(pdfs[1], ("a",), 0.5, True)]))
    (where,) = page.search_for("Dear Nora")
    millimetre = 72 / 25.4
    assert where.height > 2 * where.width
    assert 20 * millimetre - 1 <= where.x0 <= 24 * millimetre
    assert where.y1 == pytest.approx(70 * millimetre, abs=2)  # 40 mm across at half its size


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
    assert [each.anchor for each in bound] == [
        "handout-notice-of-forfeit",
        "handout-seven-bills",
        "handout-from-cold-ash",
    ]
    assert [len(each.places) for each in bound] == [each.pages for each in bound]


def test_the_plan_with_the_secrets_says_for_whom_it_is() -> None:
    """It was called page 2 of the plan, beside the one that players may see."""
    plan, wheel, letter, torn = (
        BoundHandout("x", "The plan", "rule", "of a pack", b"", 2, Size(9, 9), 1.0, made=made)
        for made in ("map", "wheel", "", "halves")
    )
    assert [plan.captions, wheel.captions, letter.captions, torn.captions] == [
        ("The plan", "For the GM: The plan"),
        ("The plan", "For the GM: The plan"),
        ("The plan", "The plan, page 2"),
        ("The plan, left half", "The plan, right half"),
    ]


def _bound(made: Made, width: float, height: float, pages: int = 1) -> BoundHandout:
    return BoundHandout("x", "The plan", "rule", "of a pack", b"", pages, Size(width, height), 1.0, made=made)


def _pages(*handouts: BoundHandout) -> list[tuple[str, int]]:
    shown = handouts_behind(handouts, Size(127, 188))["handouts"]
    return [(str(each["side"]), len(list(each["leaves"]))) for each in shown]  # type: ignore[call-overload]


def test_few_handouts_have_a_leaf_each_and_small_ones_share_a_page() -> None:
    """Each stood on both sides of a leaf with another: who cut one out spoiled the other."""
    letter, bill = _bound("", 125, 177), _bound("", 55, 70)
    assert _pages(*[letter] * LEAVES) == [("right", 1)] * LEAVES
    assert _pages(*[letter] * (LEAVES + 1)) == [("page", 1)] * (LEAVES + 1)
    assert _pages(bill, bill, bill, bill) == [("right", 4)]
    assert _pages(bill, letter) == [("right", 1), ("right", 1)]


def test_the_plan_for_the_gm_never_stands_behind_what_is_handed_out() -> None:
    letter, plan = _bound("", 125, 177), _bound("map", 60, 60, 2)
    many, begun = [letter] * LEAVES, [("page", 1)] * (LEAVES - 1)
    assert _pages(*many, plan, letter) == [*begun, ("page", 1), ("left", 1), ("right", 1), ("right", 1)]
    assert _pages(*many[1:], plan, plan) == [*begun, ("left", 1), *[("right", 1)] * 3]
    assert _pages(plan) == [("right", 1), ("right", 1)]
    wheel, grille = _bound("wheel", 60, 60, 2), _bound("grille", 60, 60, 2)  # the key stood behind a handout
    assert _pages(*many, wheel, letter) == _pages(*many, grille, letter) == _pages(*many, plan, letter)


def test_a_handout_that_is_wide_lies_on_its_side_where_that_is_larger(project: Project, book_of: BookOf) -> None:
    pack, _ = book_of("chalkdown")
    bound = bound_handouts(project, pack, "a5", Size(127, 188))
    assert [each.name for each in bound if each.turned] == ["plan-of-the-front-office"]
    (plan,) = (each for each in bound if each.turned)
    assert plan.size.height > plan.size.width > 120
    with pymupdf.open(stream=plan.data) as document:  # it left a sixth of its own page empty, too
        high = max(drawn["rect"].height for drawn in document[0].get_drawings()) / 72 * 25.4
        assert high / (document[0].rect.height / 72 * 25.4) > 0.6
