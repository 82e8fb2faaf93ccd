"""The decks of Six Shooter as they are printed: looked at as pictures, and measured as pages."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pypdf
import pytest
from PIL import Image, ImageChops

from sheetgen.errors import UsageError
from sheetgen.geometry import BLEED, CARDS, mm
from sheetgen.model.print_tone import Tone
from sheetgen.people.rolling import Run
from sheetgen.products.card_faces import Faces, sheets
from sheetgen.products.card_sheets import Cutting
from sheetgen.products.cards import DECKS
from sheetgen.products.playing_deck import MOST_OPERATORS, operator_cards, playing_cards
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at

DOTS = 10  # a mm
SAFE = 3  # mm inside the cut
Six = tuple[Project, Pack]


@pytest.fixture(scope="module")
def six(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Six:
    """A project, and Six Shooter in it."""
    project = project_at(tmp_path_factory.mktemp("deck"), {"SHEETGEN_CACHE": str(cache)})
    return project, open_pack(project, "sixshooter")


@pytest.fixture(scope="module")
def deck(six: Six) -> Faces:
    """The playing cards in colour, on poker cards."""
    return playing_cards(*six, "poker")


def pictures(faces: Faces, *, dots: float = DOTS, first: int = 0) -> Iterator[Image.Image]:
    """A picture of each face from a number on, cut to size; the last is the back."""
    card = CARDS[faces.size]
    edge = round(BLEED * dots)
    with pymupdf.open(stream=faces.data) as pdf:
        for page in list(pdf)[first:]:
            seen = page.get_pixmap(matrix=pymupdf.Matrix(dots / mm(1), dots / mm(1)))
            whole = Image.frombytes("RGB", (seen.width, seen.height), seen.samples)
            yield whole.crop((edge, edge, edge + round(card.width * dots), edge + round(card.height * dots)))


def ink(picture: Image.Image) -> float:
    """How much of a picture is covered, from 0 to 1."""
    shades = picture.convert("L").histogram()
    return 1 - sum(shade * count for shade, count in enumerate(shades)) / 255 / sum(shades)


def inner(picture: Image.Image) -> int:
    """How many dots from the nearest edge a picture begins."""
    found = ImageChops.invert(picture.convert("L")).point(lambda shade: 255 * (shade > 40)).getbbox()
    assert found is not None
    left, above, right, below = found
    return min(left, above, picture.width - right, picture.height - below)


def changed(one: Image.Image, other: Image.Image) -> float:
    """The part of two pictures that differs by more than the edges of shapes do."""
    shades = ImageChops.difference(one.convert("L"), other.convert("L")).histogram()
    return sum(shades[96:]) / sum(shades)


def test_pages_have_the_size_of_the_card_and_its_bleed(deck: Faces) -> None:
    card = CARDS["poker"]
    pages = pypdf.PdfReader(io.BytesIO(deck.data)).pages
    assert len(pages) == len(deck.names) + 1 == 55
    for page in pages:
        width, height = (mm(length + 2 * BLEED) for length in (card.width, card.height))
        assert (page.mediabox.width, page.mediabox.height) == pytest.approx((width, height), abs=mm(0.1))
        assert (page.trimbox.width, page.trimbox.height) == pytest.approx((mm(63.5), mm(88.9)), abs=mm(0.1))


def test_no_two_faces_look_alike_and_nothing_is_nearer_than_3_mm_to_the_cut(deck: Faces) -> None:
    seen = set()
    for name, picture in zip(deck.names, pictures(deck), strict=False):
        assert inner(picture) >= SAFE * DOTS, name
        seen.add(picture.tobytes())
    assert len(seen) == 54


def test_courts_look_the_same_when_turned(deck: Faces) -> None:
    shown = dict(zip(deck.names, pictures(deck), strict=False))
    courts = [name for name in shown if name.split()[0] in ("Jack", "Queen", "King")]
    assert len(courts) == 12
    for name in courts:
        assert changed(shown[name], shown[name].rotate(180)) < 0.003, name
    assert changed(shown["7 of spades"], shown["7 of spades"].rotate(180)) > 0.01


def test_no_card_is_known_by_its_back(deck: Faces) -> None:
    (back,) = pictures(deck, first=len(deck.names))
    assert ink(back) > 0.3
    assert changed(back, back.rotate(180)) < 0.006


def test_six_sheets_of_a4_are_all_it_takes(deck: Faces) -> None:
    made = sheets(deck, Cutting())
    assert (made.cards, made.sheets) == (54, 6)
    assert len(pypdf.PdfReader(io.BytesIO(made.data)).pages) == 12


def test_greys_and_outlines(six: Six, deck: Faces) -> None:
    project, pack = six
    thin = playing_cards(project, pack.toned(Tone(ink_saver=True, greyscale=True)), "poker")
    for name, usual, spared in zip(deck.names, pictures(deck, dots=3), pictures(thin, dots=3), strict=False):
        assert ink(spared) < 0.12, name
        assert ink(spared) <= ink(usual), name
        red, green, blue = spared.split()
        assert all(high <= 3 for _, high in (ImageChops.difference(red, each).getextrema() for each in (green, blue)))
    assert sum(map(ink, pictures(thin, dots=3))) / 55 < 0.05


def test_a_trading_card_has_a_narrower_margin_and_the_same_picture(six: Six, deck: Faces) -> None:
    made = playing_cards(*six, "trading")
    for name, one, other in zip(made.names, pictures(made), pictures(deck), strict=False):
        assert inner(one) >= SAFE * DOTS, name
        assert ink(one) == pytest.approx(ink(other), abs=0.01)


def test_cards_that_are_not_drawn_for_a_size_are_refused(six: Six) -> None:
    with pytest.raises(UsageError, match="playing cards are made on cards of poker, trading, tarot, a6, not index"):
        playing_cards(*six, "index")
    with pytest.raises(UsageError, match="not poker"):
        operator_cards(*six, "poker", Run(seed=7))


def test_a_table_of_operators_ready_to_be_played(six: Six) -> None:
    made = operator_cards(*six, "tarot", Run(seed=7, count=8))
    pages = pypdf.PdfReader(io.BytesIO(made.data)).pages
    assert len(pages) == 9
    told = [" ".join(page.extract_text().split()) for page in pages]
    assert len(set(made.names)) == 8
    for name, text in zip(made.names, told, strict=False):
        assert name in text
        assert "any suit helps" in text
        assert all(f"\u2212{off}" in text for off in range(1, 6))
        assert "seed 7" in text


def test_a_deck_of_operators_has_an_end(six: Six) -> None:
    with pytest.raises(UsageError, match="at the most"):
        operator_cards(*six, "tarot", Run(seed=7, count=MOST_OPERATORS + 1))


def test_only_games_with_playing_cards_have_these_decks(six: Six) -> None:
    project, pack = six
    other = open_pack(project, "gamers")
    for name in ("playing", "operators"):
        assert DECKS[name].has(project, pack)
        assert not DECKS[name].has(project, other)
