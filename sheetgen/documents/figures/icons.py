"""Dice, cards and suits as small drawings that stand in a line of text and in figures; lengths in tenths of a die."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType

from sheetgen.model.printing import Tone

PIPS = MappingProxyType(
    {
        1: ((5, 5),),
        2: ((2.6, 2.6), (7.4, 7.4)),
        3: ((2.6, 2.6), (5, 5), (7.4, 7.4)),
        4: ((2.6, 2.6), (7.4, 2.6), (2.6, 7.4), (7.4, 7.4)),
        5: ((2.6, 2.6), (7.4, 2.6), (5, 5), (2.6, 7.4), (7.4, 7.4)),
        6: ((2.6, 2.4), (7.4, 2.4), (2.6, 5), (7.4, 5), (2.6, 7.6), (7.4, 7.6)),
    }
)
# Each suit in a square of ten by ten.
SUITS = MappingProxyType(
    {
        "S": "M5 0.6C6.6 3 9.4 4.4 9.4 6.6C9.4 8.6 7 9 5.7 7.6C5.8 8.6 6.2 9.2 6.8 9.6H3.2C3.8 9.2 4.2 8.6 4.3 7.6"
        "C3 9 0.6 8.6 0.6 6.6C0.6 4.4 3.4 3 5 0.6Z",
        "H": "M5 9.5C3.2 7.2 0.5 5.4 0.5 3.1C0.5 0.4 4 -0.1 5 2.5C6 -0.1 9.5 0.4 9.5 3.1C9.5 5.4 6.8 7.2 5 9.5Z",
        "D": "M5 0.4L9 5L5 9.6L1 5Z",
        "C": "M5 0.5A2.2 2.2 0 0 1 6.6 4.2A2.2 2.2 0 1 1 5.6 7.3C5.7 8.4 6.2 9.2 6.8 9.6H3.2C3.8 9.2 4.3 8.4 4.4 7.3"
        "A2.2 2.2 0 1 1 3.4 4.2A2.2 2.2 0 0 1 5 0.5Z",
    }
)
NAMES = MappingProxyType({"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"})
RED = "#a01818"
_BAR = re.compile(r'(<rect class="bar"[^>]*)fill="([^"]*)"')


def suit_colour(suit: str) -> str:
    """Red for hearts and diamonds, black for the others; the shapes tell them apart in grey."""
    return RED if suit in "HD" else "#000"


def with_tone(page: str, tone: Tone) -> str:
    """Return the page with the red of its suits as it is printed, and its bars empty if ink is to be saved.

    What stands in its text was drawn before that was known.
    """
    page = page.replace(RED, tone.of(RED))
    return _BAR.sub(r'\1fill="none" stroke="\2" stroke-width="0.6"', page) if tone.ink_saver else page


def die_face(face: int, drawn: str = "plain") -> str:
    """Return the inside of an SVG: a die of ten by ten that shows a face, black, light or struck out if so drawn."""
    ink = "#fff" if drawn == "black" else "#777" if drawn == "light" else "#000"
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="0.95"/>' for x, y in PIPS.get(face, ()))
    if face not in PIPS:
        pips = (
            '<text x="5" y="7.1" text-anchor="middle" font-family="Source Sans Pro" font-size="6" '
            f'font-weight="600">{face}</text>'
        )
    if drawn == "struck":
        pips = (
            '<path d="M1.2 8.8L8.8 1.2" stroke="#000" stroke-width="0.7"/><circle cx="5" cy="5" r="2" fill="#fff"/>'
            + pips
        )
    pips = pips if ink == "#000" else f'<g fill="{ink}">{pips}</g>'
    fill, line = ("#000", "#000") if drawn == "black" else ("#fff", ink)
    edge = f'<rect x="0.4" y="0.4" width="9.2" height="9.2" rx="1.6" fill="{fill}" stroke="{line}" stroke-width="0.7"/>'
    return f"{edge}{pips}"


def die(face: int, drawn: str = "plain") -> str:
    """Return a die as a glyph in text."""
    return f'<svg class="die" viewBox="0 0 10 10" role="img" aria-label="{face}">{die_face(face, drawn)}</svg>'


def suit(letter: str) -> str:
    """Return a suit as a glyph in text."""
    shape = f'<path d="{SUITS[letter]}" fill="{suit_colour(letter)}"/>'
    return f'<svg class="suit" viewBox="0 0 10 10" role="img" aria-label="{NAMES[letter]}">{shape}</svg>'


def card(name: str) -> str:
    """Return a playing card as a glyph in text: its rank and its suit."""
    if name.upper() == "JOKER":
        return '<span class="card">Joker</span>'
    rank, letter = name[:-1], name[-1].upper()
    return f'<span class="card">{rank}\u2060{suit(letter)}</span>'


def hand_layout(places: Sequence[str]) -> tuple[float, float, str]:
    """Cards in a row with their places numbered: width and height in points, and the inside of an SVG.

    Each place says `KS up` (or `KS`), `7C down` for the back of a card, or `gone`.
    """
    width, height, parts = 30.0, 42.0, []
    for number, place in enumerate(places):
        name, _, face = place.partition(" ")
        gone = name.casefold() in ("gone", "empty", "")
        drawing = "" if gone else _back() if face == "down" else _front(name)
        line = 'stroke="#777" stroke-width="0.5" stroke-dasharray="2 2"'
        line = line if gone else 'stroke="#000" stroke-width="0.75"'
        frame = f'<rect x="0.5" y="0.5" width="{width:g}" height="{height:g}" rx="3" fill="#fff" {line}/>'
        label = (
            f'<text x="{width / 2:g}" y="{height + 8.5:g}" text-anchor="middle" font-family="Source Sans Pro" '
            f'font-size="9" font-weight="600" fill="#555">{number + 1}</text>'
        )
        parts.append(f'<g transform="translate({number * (width + 5):g} 0)">{frame}{drawing}{label}</g>')
    return len(places) * (width + 5) - 4, height + 10, "".join(parts)


def _front(name: str) -> str:
    """Return the face of a playing card, 30 by 42 points."""
    if name.upper() == "JOKER":
        return (
            '<text x="15.5" y="25" text-anchor="middle" font-family="Source Serif Pro" font-size="8.5" '
            'font-weight="700">Joker</text>'
        )
    rank, letter = name[:-1], name[-1:].upper()
    colour = suit_colour(letter)
    return (
        f'<text x="4" y="13" font-family="Source Serif Pro" font-size="12" font-weight="700" fill="{colour}">'
        f'{rank}</text><path transform="translate(9.5 19) scale(1.5)" d="{SUITS[letter]}" fill="{colour}"/>'
    )


def _back() -> str:
    """Return the back of a playing card: six chambers around a pin."""
    chambers = "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="2"/>'
        for x, y in ((15.5, 15), (20.9, 18.2), (20.9, 24.6), (15.5, 27.8), (10.1, 24.6), (10.1, 18.2))
    )
    return (
        '<g fill="none" stroke="#777" stroke-width="0.5"><rect x="3" y="3" width="25" height="37" rx="1.6"/>'
        f'<circle cx="15.5" cy="21.4" r="9.6"/>{chambers}</g>'
    )


def hand(places: Sequence[str]) -> str:
    """Return a hand of cards laid out in text."""
    width, height, inside = hand_layout(places)
    said = ", ".join(place.replace(" up", "") if not place.endswith(" down") else "face-down" for place in places)
    return f'<svg class="laid" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="A hand: {said}">{inside}</svg>'
