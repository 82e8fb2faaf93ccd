"""Cards laid out in a row: faces, backs and gaps, each place with its number."""

from __future__ import annotations

import pytest

from sheetgen.documents.figures.icons import RED, hand, hand_layout, suit, with_tone
from sheetgen.documents.figures.kinds import draw_figure
from sheetgen.documents.figures.svg import Canvas
from sheetgen.model.printing import Tone


def test_a_card_that_is_face_down_keeps_its_secret() -> None:
    assert hand_layout(["KS down"]) == hand_layout(["2H down"])
    assert hand_layout(["KS up"]) == hand_layout(["KS"]) != hand_layout(["KH up"])


def test_every_place_has_its_number_and_a_gap_is_dashed() -> None:
    width, _, inside = hand_layout(["7C down", "gone", "QH up"])
    assert width == 101
    assert [f">{number}<" in inside for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert inside.count("stroke-dasharray") == 1
    assert RED in inside


def test_a_hand_says_what_it_shows() -> None:
    assert 'aria-label="A hand: face-down, gone, QH, JOKER"' in hand(["7C down", "gone", "QH up", "JOKER up"])


def narrow(text: str, size: float, *, weight: int = 400, serif: bool = False) -> float:
    """How wide a text is where all letters are half as wide as they are high."""
    return len(text) * size / 2


def test_a_scale_reads_every_face_against_every_number_and_shows_how_far_cards_fall() -> None:
    params = {"rungs": {"2": "hard", "1": "easy", "0": "no roll"}, "faces": "3", "falls": {"ace": "2"}}
    _, _, inside = draw_figure("scale", params, Canvas(300, "#123456", narrow))
    squares = 2 * 3 + 3  # none for the number that needs no roll; three in the key
    assert inside.count('width="10" height="10"') == squares
    assert ">−2<" in inside


@pytest.mark.parametrize("params", [{}, {"rungs": {"x": "?"}, "faces": "6", "falls": {}}])
def test_a_scale_without_its_numbers_says_what_it_needs(params: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="figure scale: needs rungs"):
        draw_figure("scale", params, Canvas(300, "#000", narrow))


def test_a_page_is_toned_as_a_whole() -> None:
    page = f'{suit("H")}<rect class="bar" x="1" fill="#123456"/><rect fill="#123456"/>'
    assert with_tone(page, Tone()) == page
    grey = with_tone(page, Tone(greyscale=True))
    assert RED not in grey
    assert 'fill="#353535"' in grey
    assert with_tone(page, Tone(ink_saver=True)) == page.replace(
        'x="1" fill="#123456"', 'x="1" fill="none" stroke="#123456" stroke-width="0.6"'
    )
