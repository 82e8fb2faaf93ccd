"""The faces of a deck: 54 that differ, as many pips as the rank says, and in the corners what the pack says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.content.packs.library import read_pack
from sheetgen.documents.deck.pips import places
from sheetgen.documents.deck.playing import Face, faces
from sheetgen.documents.deck.woodcut import Block, cylinder
from sheetgen.errors import Place
from sheetgen.geometry import CARDS
from sheetgen.model.data import Data, Values, Word
from sheetgen.model.print_tone import Tone
from sheetgen.model.system import System

CONTENT = Path(__file__).resolve().parents[3] / "content"
NUMBERS = [str(rank) for rank in range(2, 11)]
COLOUR = re.compile(r"#[0-9a-f]{3,6}")


@pytest.fixture(scope="module")
def sixshooter(library: Library) -> System:
    """Six Shooter, read and checked."""
    return read_pack(CONTENT / "sixshooter", library)


def deck(system: System) -> dict[str, Face]:
    """The faces of a deck on poker cards, by card; the jokers by their number."""
    made = list(faces(system, CARDS["poker"]))
    return {f"{face.card} {at}" if face.card.is_joker else str(face.card): face for at, face in enumerate(made)}


def words(data: object) -> Data:
    """Plain data as that of a pack."""
    if isinstance(data, Mapping):
        return {Word(str(name), Place("x")): words(value) for name, value in data.items()}
    return tuple(map(words, data)) if isinstance(data, list) else Word(str(data), Place("x"))


def test_a_deck_has_54_faces_and_no_two_are_alike(sixshooter: System) -> None:
    made = deck(sixshooter)
    assert len(made) == 54
    assert len({face.inside for face in made.values()}) == 54
    assert made["KS"].title == "king of spades"
    assert made["10H"].title == "10 of hearts"
    assert [name for name in made if name.startswith("JOKER")] == ["JOKER 52", "JOKER 53"]


@pytest.mark.parametrize("rank", NUMBERS)
def test_a_number_card_has_as_many_pips_as_its_rank(sixshooter: System, rank: str) -> None:
    made = deck(sixshooter)
    for suit in "CDSH":
        pips = made[f"{rank}{suit}"].inside.split('class="pip"')[1:]
        assert len(pips) == int(rank)
        assert sum("rotate(180)" in pip.partition("</g></g>")[0] for pip in pips) == sum(y > 0 for _, y in places(rank))


@pytest.mark.parametrize("rank", NUMBERS)
def test_pips_stand_as_on_every_deck(rank: str) -> None:
    found = places(rank)
    assert {(-x, y) for x, y in found} == set(found), "left and right are alike"
    if rank != "7":  # its odd pip stands above the middle
        assert {(-x, -y) for x, y in found} == set(found), "so are both ends"
    assert len({y for _, y in found}) >= 2


def test_courts_are_one_half_and_the_same_half_turned(sixshooter: System) -> None:
    made = deck(sixshooter)
    for rank in "JQK":
        for suit in "CDSH":
            inside = made[f"{rank}{suit}"].inside
            half = re.search(rf'<g clip-path="url\(#upper-{rank}{suit}\)">.*?(?=<g transform="rotate\(180\)">)', inside)
            assert half is not None
            assert f'<g transform="rotate(180)">{half[0]}</g>' in inside


def test_corners_show_what_a_card_is_worth_in_this_pack(sixshooter: System) -> None:
    plain = sixshooter.values.plain()
    assert isinstance(plain, dict)
    plain["cards"]["reduces"]["K"] = "6"
    changed = words(plain)
    assert isinstance(changed, Mapping)
    generous = replace(sixshooter, values=Values(changed, Place("x")))  # type: ignore[arg-type]
    block = Block(sixshooter.accent, "#a01818")
    for system, worth in ((sixshooter, 4), (generous, 6)):
        assert cylinder(block, block.dark, radius=2.4, loaded=worth) in deck(system)["KS"].inside
    assert cylinder(block, block.dark, radius=2.4, loaded=1) in deck(sixshooter)["10S"].inside


def test_greys_leave_no_colour_and_outlines_no_large_fill(sixshooter: System) -> None:
    grey = deck(sixshooter.toned(Tone(greyscale=True)))
    found = {colour for face in grey.values() for colour in COLOUR.findall(face.inside)}
    assert found
    assert all(colour[1:3] * 3 == colour[1:] or colour == "#fff" for colour in found)
    for name, face in deck(sixshooter.toned(Tone(ink_saver=True))).items():
        pips = face.inside.split('class="pip"')[1:]
        assert len(pips) == (int(name[:-1]) if name[:-1] in NUMBERS else 0)
        assert all('fill="#fff" stroke=' in pip for pip in pips)


def test_the_ace_of_spades_bears_the_name_of_the_game(sixshooter: System) -> None:
    made = deck(replace(sixshooter, title="Hearts & Guns"))
    assert "HEARTS &amp; GUNS" in made["AS"].inside
    assert all("HEARTS" not in face.inside for name, face in made.items() if name != "AS")
