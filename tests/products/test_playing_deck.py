"""The decks that Six Shooter declares: looked at as pictures, measured as pages, and read as drawings."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pymupdf
import pypdf
import pytest
from PIL import Image, ImageChops

from sheetgen.errors import InputError, Place, UsageError
from sheetgen.geometry import CARDS, DRAWN_BLEED, mm
from sheetgen.model.data import Data, Values, Word
from sheetgen.model.printing import Tone
from sheetgen.people.rolling import RollOptions
from sheetgen.products.cards.cards import deck_of, decks_of, playing_page
from sheetgen.products.cards.sheets import CardPages, CardSheetOptions, card_sheets
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at

DOTS = 10  # a mm
SAFE = 3  # mm inside the cut
ART = Path(__file__).resolve().parents[2] / "templates" / "sixshooter" / "deck"
NUMBERS = [str(rank) for rank in range(2, 11)]
COLOUR = re.compile(r"#[0-9a-f]{6}|#[0-9a-f]{3}\b")
PIP = re.compile(r'<g class="pip" transform="translate\((\S+) (\S+)\)( rotate\(180\))? scale\S+>(.*?)</g>', re.DOTALL)
Six = tuple[Project, Pack]


@pytest.fixture(scope="module")
def six(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Six:
    """A project, and Six Shooter in it."""
    project = project_at(tmp_path_factory.mktemp("deck"), {"SHEETGEN_CACHE": str(cache)})
    return project, open_pack(project, "sixshooter")


@pytest.fixture(scope="module")
def deck(six: Six) -> CardPages:
    """The playing cards in colour, on poker cards."""
    return playing_cards(*six, "poker")


def playing_cards(project: Project, pack: Pack, size: str) -> CardPages:
    """The playing cards of Six Shooter."""
    return deck_of(project, pack, "playing").make(size, RollOptions(seed=7))


def operator_cards(project: Project, pack: Pack, size: str, run: RollOptions) -> CardPages:
    """Operators on cards."""
    return deck_of(project, pack, "operators").make(size, run)


def drawings(project: Project, pack: Pack) -> dict[str, str]:
    """The SVG of each face on a poker card, by its name."""
    page = playing_page(project, pack, pack.system.decks["playing"], "poker")
    found = re.findall(r'<section class="front">.*?aria-label="(.*?)">(.*?)</section>', page, re.DOTALL)
    return {f"{name} {at}" if name == "Joker" else name: inside for at, (name, inside) in enumerate(found, 1)}


def words(data: object) -> Data:
    """Plain data as that of a pack."""
    if isinstance(data, Mapping):
        return {Word(str(name), Place("x")): words(value) for name, value in data.items()}
    return tuple(map(words, data)) if isinstance(data, list) else Word(str(data), Place("x"))


def pictures(faces: CardPages, *, dots: float = DOTS, first: int = 0) -> Iterator[Image.Image]:
    """A picture of each face from a number on, cut to size; the last is the back."""
    card = CARDS[faces.size]
    edge = round(DRAWN_BLEED * dots)
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


def test_pages_have_the_size_of_the_card_and_its_bleed(deck: CardPages) -> None:
    card = CARDS["poker"]
    pages = pypdf.PdfReader(io.BytesIO(deck.data)).pages
    assert len(pages) == len(deck.names) + 1 == 55
    for page in pages:
        width, height = (mm(length + 2 * DRAWN_BLEED) for length in (card.width, card.height))
        assert (page.mediabox.width, page.mediabox.height) == pytest.approx((width, height), abs=mm(0.1))
        assert (page.trimbox.width, page.trimbox.height) == pytest.approx((mm(63.5), mm(88.9)), abs=mm(0.1))


def test_no_two_faces_look_alike_and_nothing_is_nearer_than_3_mm_to_the_cut(deck: CardPages) -> None:
    seen = set()
    for name, picture in zip(deck.names, pictures(deck), strict=False):
        assert inner(picture) >= SAFE * DOTS, name
        seen.add(picture.tobytes())
    assert len(seen) == 54


def test_courts_look_the_same_when_turned(deck: CardPages) -> None:
    shown = dict(zip(deck.names, pictures(deck), strict=False))
    courts = [name for name in shown if name.split()[0] in ("Jack", "Queen", "King")]
    assert len(courts) == 12
    for name in courts:
        assert changed(shown[name], shown[name].rotate(180)) < 0.003, name
    assert changed(shown["7 of spades"], shown["7 of spades"].rotate(180)) > 0.01


def test_no_card_is_known_by_its_back(deck: CardPages) -> None:
    (back,) = pictures(deck, first=len(deck.names))
    assert ink(back) > 0.3
    assert changed(back, back.rotate(180)) < 0.006


def test_six_sheets_of_a4_are_all_it_takes(deck: CardPages) -> None:
    made = card_sheets(deck, CardSheetOptions())
    assert (made.cards, made.sheets) == (54, 6)
    assert len(pypdf.PdfReader(io.BytesIO(made.data)).pages) == 12


def test_greys_and_outlines(six: Six, deck: CardPages) -> None:
    project, pack = six
    thin = playing_cards(project, pack.with_tone(Tone(ink_saver=True, greyscale=True)), "poker")
    for name, usual, spared in zip(deck.names, pictures(deck, dots=3), pictures(thin, dots=3), strict=False):
        assert ink(spared) < 0.12, name
        assert ink(spared) <= ink(usual), name
        red, green, blue = spared.split()
        assert all(high <= 3 for _, high in (ImageChops.difference(red, each).getextrema() for each in (green, blue)))
    assert sum(map(ink, pictures(thin, dots=3))) / 55 < 0.05


def test_a_trading_card_has_a_narrower_margin_and_the_same_picture(six: Six, deck: CardPages) -> None:
    made = playing_cards(*six, "trading")
    for name, one, other in zip(made.names, pictures(made), pictures(deck), strict=False):
        assert inner(one) >= SAFE * DOTS, name
        assert ink(one) == pytest.approx(ink(other), abs=0.01)


def test_a_deck_has_54_faces_and_no_two_are_alike(six: Six) -> None:
    made = drawings(*six)
    assert len(made) == len(set(made.values())) == 54
    assert list(made)[-3:] == ["ace of hearts", "Joker 53", "Joker 54"]
    assert {"king of spades", "10 of hearts", "2 of clubs"} < made.keys()


@pytest.mark.parametrize("rank", NUMBERS)
def test_a_number_card_has_as_many_pips_as_its_rank_which_stand_as_on_every_deck(six: Six, rank: str) -> None:
    for suit in ("clubs", "diamonds", "spades", "hearts"):
        pips = PIP.findall(drawings(*six)[f"{rank} of {suit}"])
        found = {(float(x), float(y)) for x, y, _, _ in pips}
        assert len(pips) == len(found) == int(rank)
        assert {(-x, y) for x, y in found} == found, "left and right are alike"
        lowest, highest = max(y for _, y in found), min(y for _, y in found)
        assert highest < 0 < lowest
        assert all(bool(turned) == (float(y) > lowest / 20) for _, y, turned, _ in pips), "the lower half is turned"


def test_a_court_is_one_half_and_the_same_half_turned() -> None:
    for rank in "JQK":
        for suit in "CDSH":
            drawn = (ART / f"{rank}{suit}.svg").read_text("utf-8")
            assert drawn.count(f'<g id="half-{rank}{suit}"') == 1
            assert f'<use href="#half-{rank}{suit}" transform="rotate(180)"/>' in drawn


def test_corners_show_what_a_card_is_worth_in_this_pack(six: Six) -> None:
    project, pack = six
    plain = pack.system.values.plain()
    assert isinstance(plain, dict)
    plain["cards"]["reduces"]["K"] = "6"
    changed = words(plain)
    assert isinstance(changed, Mapping)
    generous = replace(pack.system, values=Values(changed, Place("x")))  # type: ignore[arg-type]

    def loaded(pack: Pack, name: str) -> int:
        corner = drawings(project, pack)[name].rpartition('<g transform="rotate(180)">')[2]
        (number,) = re.findall(r'font-size="5.7" fill="#fff">(\d)<', corner)
        return int(number)

    assert loaded(pack, "king of spades") == 4
    assert loaded(replace(pack, system=generous), "king of spades") == 6
    assert loaded(pack, "10 of spades") == 1


def test_in_grey_no_colour_is_left_and_where_ink_is_spared_no_pip_is_filled(six: Six) -> None:
    project, pack = six
    grey = drawings(project, pack.with_tone(Tone(greyscale=True)))
    found = {colour for inside in grey.values() for colour in COLOUR.findall(inside)}
    assert found
    assert all(colour[1:3] * 3 == colour[1:] or colour == "#fff" for colour in found)
    for name, inside in drawings(project, pack.with_tone(Tone(ink_saver=True))).items():
        pips = PIP.findall(inside)
        assert len(pips) == (int(name.split()[0]) if name.split()[0] in NUMBERS else 0)
        assert all("solid" in drawn for *_, drawn in pips)
        assert re.search(r"\.solid\.dark { fill: #fff; stroke: #1b2a49 }", inside)


def test_the_ace_of_spades_bears_the_name_of_the_game(six: Six) -> None:
    project, pack = six
    made = drawings(project, replace(pack, system=replace(pack.system, title="Hearts & Guns")))
    assert "HEARTS &amp; GUNS" in made["ace of spades"]
    assert all("HEARTS" not in inside for name, inside in made.items() if name != "ace of spades")


def test_cards_that_are_not_drawn_for_a_size_are_refused(six: Six) -> None:
    with pytest.raises(UsageError, match='the deck "playing" is made on cards of poker, trading, tarot, a6, not index'):
        playing_cards(*six, "index")
    with pytest.raises(UsageError, match="not poker"):
        operator_cards(*six, "poker", RollOptions(seed=7))


def test_a_table_of_operators_ready_to_be_played(six: Six) -> None:
    made = operator_cards(*six, "tarot", RollOptions(seed=7, count=8))
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
    with pytest.raises(UsageError, match='the deck "operators" has 100 people at the most, not 101'):
        operator_cards(*six, "tarot", RollOptions(seed=7, count=101))


PACK = """id: mist
title: Mist
credit: by us
licence: free
traits: {a: {title: A, range: 0-9, members: {Grit: {}, Luck: {}}}}
decks:
  fog: {say: cards for a foggy night, template: fog.html, sizes: [tarot], cards: {jokers: 1}}
"""
FOG = """<!DOCTYPE html><html lang="en"><head><title>fog</title><style>
@page { size: {{ card.width }}mm {{ card.height }}mm; margin: 0; bleed: {{ card.bleed }}mm }
p { break-after: page }</style></head><body>
{% for each in cards %}<p>{{ each.name }}</p>{% endfor %}<div>back</div></body></html>"""


def test_a_pack_of_your_own_declares_a_deck_and_draws_it(six: Six, tmp_path: Path) -> None:
    (tmp_path / "mist" / "templates").mkdir(parents=True)
    (tmp_path / "mist" / "system.yaml").write_text(PACK)
    (tmp_path / "mist" / "templates" / "fog.html").write_text(FOG)
    project = project_at(tmp_path, {"SHEETGEN_CACHE": str(six[0].cache)})
    made = deck_of(project, open_pack(project, "./mist"), "fog").make("tarot", RollOptions(seed=1))
    assert (len(made.names), made.names[0], made.names[-1]) == (53, "2 of C", "Joker")
    assert len(pypdf.PdfReader(io.BytesIO(made.data)).pages) == 54


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("say: x, template: a.html, sizes: [tarot]", "deck fog needs either people or cards"),
        ("say: x, template: a.html, sizes: [tarot], people: 3, cards: {}", "deck fog needs either people or cards"),
        ("say: x, template: a.html, sizes: [tarto], people: 3", 'unknown size of card "tarto" (did you mean "tarot"?)'),
        ("say: x, template: a.html, sizes: [], people: 3", "deck fog needs a size"),
        ("say: x, template: a.html, sizes: [a6], people: 101", "people is 101 (write a whole number from 1 to 100)"),
    ],
)
def test_a_deck_that_cannot_be_made_is_told_at_its_line(project: Project, tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "mist").mkdir()
    (tmp_path / "mist" / "system.yaml").write_text(f"{PACK.partition('  fog:')[0]}  fog: {{{line}}}\n")
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        open_pack(project, "./mist")
    assert "mist/system.yaml:7:" in str(caught.value)


def test_a_deck_may_not_take_the_name_of_the_reference_cards(project: Project, tmp_path: Path) -> None:
    (tmp_path / "mist").mkdir()
    (tmp_path / "mist" / "system.yaml").write_text(PACK.replace("fog:", "rules:"))
    with pytest.raises(InputError, match="not rules"):
        open_pack(project, "./mist")


def test_only_games_that_declare_decks_have_them(six: Six) -> None:
    project, pack = six
    assert list(decks_of(project, pack)) == ["rules", "playing", "operators"]
    assert list(decks_of(project, open_pack(project, "gamers"))) == ["rules"]
    with pytest.raises(UsageError, match=r'Six Shooter has no deck "playng" \(did you mean "playing"'):
        deck_of(project, pack, "playng")
