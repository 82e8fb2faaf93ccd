"""How words and numbers stand on a page: a capital ahead, speech in quotes, chances in per cent, dots in between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import floor

NO_BREAK = "\u00a0"
DOT = f"{NO_BREAK}· "  # between things on a line: the dot stays at the end of its line
SHORT_WORD = 12  # letters of a last word that does not stand alone
EXACT = 9  # decimals of a per cent in which a float that stands for a fraction is right

_QUOTED = re.compile('“((?:[^“”]|“[^“”]*”)*)”|"([^"]*)"')
_INNER = str.maketrans("“”", "‘’")


def capital(text: str) -> str:
    """Return a text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text that begins with a capital; a die such as d6 keeps its letter."""
    return text if text[:1] == "d" and text[1:2].isdigit() else capital(text)


def without_runt(html: str) -> str:
    """Return words in large type with the last two kept together, so that no line of theirs has the last one alone."""
    first, _, last = html.rpartition(" ")
    together = "<" not in html and first.count(" ") > 1 and len(last) <= SHORT_WORD
    return f"{first}{NO_BREAK}{last}" if together else html


def unquoted(text: str) -> str:
    """Return what somebody says without the pair of quotes around the whole of it, if there is one."""
    found = _QUOTED.fullmatch(text)
    return text if found is None else found[1] or found[2] or ""


def within_quotes(text: str) -> str:
    """Return what somebody says as it stands between quotes: a quotation within it has single ones."""
    return unquoted(text).translate(_INNER)


def quoted_speech(text: str) -> str:
    """Return what somebody says between quotes, whether or not it was written so."""
    return f"“{unquoted(text)}”"


def hundredths(chance: float | Fraction) -> int:
    """Return a chance in whole per cent; halves go up, also where a float comes out a hair below them."""
    return floor(round(100 * chance, EXACT) + 0.5)


def percent(chance: float | Fraction) -> str:
    """Return a chance as a percentage; what may happen is never nothing, and what may fail never certain."""
    shown = hundredths(chance)
    if chance and not shown:
        return "<1%"
    return ">99%" if shown == 100 and chance != 1 else f"{shown}%"


def in_per_cent(shares: Sequence[float]) -> list[int]:
    """Return the shares of a whole in whole per cent, which come to 100; one that there is has 1 at least.

    What rounding down leaves goes to the largest remainders, of equal ones to the larger share.
    """
    parts = [max(floor(round(100 * share, EXACT)), int(share > 0)) for share in shares]
    left = 100 - sum(parts)
    behind = sorted(range(len(shares)), key=lambda at: (round(parts[at] - 100 * shares[at], EXACT), -shares[at]))
    for at in behind[: max(left, 0)]:
        parts[at] += 1
    parts[max(range(len(shares)), key=shares.__getitem__)] += min(left, 0)
    return parts
