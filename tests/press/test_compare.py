"""How a later result differs: pieces paired by name, pages by what they say; moved is told apart from changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sheetgen.model.printing import PieceLook, PrintedPiece, ShownPiece
from sheetgen.press.pieces import compared, differences


def look(body: str, rim: str = "") -> PieceLook:
    return PieceLook((*rim.split(), *body.split()), tuple(rim.split()), tuple(body.split()), body + rim, body)


def page(number: int, body: str, *, name: str = "", rim: str | None = None, pages: int = 0) -> ShownPiece:
    foot = str(number) if rim is None else rim
    return ShownPiece(PrintedPiece(number, number), look(body, foot), number - 1, name, pages=pages)


def card(number: int, name: str, body: str, back: str = "") -> ShownPiece:
    found = ShownPiece(PrintedPiece(1, number, name, cut=True), look(f"{name} {body}"), number - 1, name)
    return replace(found, back=look(back), back_at=99) if back else found


def kinds(old: Sequence[ShownPiece], new: Sequence[ShownPiece]) -> list[str]:
    """The kinds of all changes, where two pieces with the same digests but for their edges look alike inside."""
    found = compared(old, new, lambda one, other, inner: inner and one.look.body == other.look.body)
    return [f"{each.kind} {each.shown.called}" for each in found]


def test_a_card_is_known_by_its_name_wherever_it_is() -> None:
    old = [card(1, "Fear", "roll 8"), card(2, "Fire", "burns 3"), card(3, "Falls", "a metre")]
    new = [card(1, "Falls", "a metre"), card(2, "Fire", "burns 4"), card(3, "Frost", "bites")]
    assert kinds(old, new) == ["gone Fear", "same Falls", "changed Fire", "new Frost"]


def test_two_cards_of_one_name_are_two() -> None:
    old = [card(1, "Guard", "one"), card(2, "Guard", "two")]
    assert kinds(old, [*old, card(3, "Guard", "three")]) == ["same Guard", "same Guard", "new Guard"]
    assert kinds(old, old[:1]) == ["same Guard", "gone Guard"]


def test_a_card_whose_back_changed_is_changed() -> None:
    old, new = [card(1, "Fear", "roll", back="red")], [card(1, "Fear", "roll", back="blue")]
    assert kinds(old, old) == ["same Fear"]
    (change,) = compared(old, new, lambda *all_of_it: False)
    assert (change.kind, change.words) == ("changed", ("on its back “red” is now “blue”",))


def test_pages_behind_a_new_one_moved_and_did_not_change() -> None:
    old = [page(at, body) for at, body in enumerate(("how to roll", "skills and levels", "fights and wounds"), 1)]
    bodies = ("how to roll", "a page on fear", "skills and levels", "fights and harm and wounds")
    new = [page(at, body) for at, body in enumerate(bodies, 1)]
    assert kinds(old, new) == ["same page 1", "new page 2", "moved page 3", "changed page 4"]


def test_a_page_that_went_elsewhere_is_found_there() -> None:
    bodies = ["one", "two", "three", "four"]
    old, new = ([page(at, body) for at, body in enumerate(each, 1)] for each in (bodies, [*bodies[1:], bodies[0]]))
    assert [kind.split()[0] for kind in kinds(old, new)] == ["moved"] * 4


def test_a_number_of_a_rule_near_the_edge_is_no_page_number() -> None:
    old, new = page(2, "body", rim="difficulty 8"), page(2, "body", rim="difficulty 9")
    assert kinds([old], [new]) == ["changed page 2"]
    (change,) = compared([old], [new], lambda *all_of_it: True)
    assert change.words == ("“difficulty 8 body” is now “difficulty 9 body”",)


def test_sheets_go_by_the_name_in_their_bookmark() -> None:
    old = [page(1, "Ada strong", name="Ada"), page(2, "Bo weak", name="Bo")]
    new = [page(1, "Bo strong", name="Bo"), page(2, "Ada strong", name="Ada")]
    assert kinds(old, new) == ["changed page 1 (Bo)", "moved page 2 (Ada)"]


def test_differences_are_told_in_a_few_words_each() -> None:
    assert list(differences(["it", "takes", "8", "to", "climb"], ["it", "takes", "9", "to", "climb"])) == [
        "“takes 8 to climb” is now “takes 9 to climb”"
    ]
    assert list(differences(["a"], ["a", "b"])) == ["new: “b”"]
    many = [str(at) for at in range(40)]
    assert list(differences(many, [f"x{each}" if int(each) % 4 else each for each in many]))[-1] == "and more"
