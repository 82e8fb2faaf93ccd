"""Symbols that no text face has, drawn where they stand in a line: suits, stars, ticks, a moon, a shekel."""

from __future__ import annotations

import re

# On a square of 24, from the baseline upwards; what begins with a stroke (-) is drawn as a line, the rest is filled.
_HEART = "M12 21C4 15 2 11 2 7.5A5 5 0 0 1 12 6A5 5 0 0 1 22 7.5C22 11 20 15 12 21Z"
_STAR = "M12 2L14.7 9H22L16 13.5L18.2 21L12 16.5L5.8 21L8 13.5L2 9H9.3Z"
_CROSSED = "-M5 4L19 20M19 4L5 20"
SYMBOLS = {
    "♥": _HEART,
    "❤": _HEART,
    "♦": "M12 2L20 12L12 22L4 12Z",
    "♠": "M12 2C13 7 21 10 21 15A4.5 4.5 0 0 1 13 17L15 22H9L11 17A4.5 4.5 0 0 1 3 15C3 10 11 7 12 2Z",
    "♣": "M12 2A4.5 4.5 0 0 1 15.5 9.5A4.7 4.7 0 1 1 13 16L15 22H9L11 16A4.7 4.7 0 1 1 8.5 9.5A4.5 4.5 0 0 1 12 2Z",
    "★": _STAR,
    "☆": f"-{_STAR}",
    "✔": "M3 13L6 10.5L10 15L19 3L22 5L10.5 21Z",
    "✗": _CROSSED,
    "✘": _CROSSED,
    "☒": "-M3 3H21V21H3ZM7 7L17 17M17 7L7 17",
    "□": "-M3 3H21V21H3Z",
    "☐": "-M3 3H21V21H3Z",
    "☑": "-M3 3H21V21H3ZM7 13L11 8L17 17",
    "●": "M12 4A8 8 0 1 0 12 20A8 8 0 1 0 12 4Z",
    "○": "-M12 4A8 8 0 1 0 12 20A8 8 0 1 0 12 4Z",
    "☾": "M14 2A10 10 0 1 0 21 18A9 9 0 0 1 14 2Z",
    "✝": "M10 2H14V8H20V11.5H14V22H10V11.5H4V8H10Z",
    "✚": "M9 3H15V9H21V15H15V21H9V15H3V9H9Z",
    "☠": "-M5 11A7 7 0 0 1 19 11C19 14 17 15 16 16V20H8V16C7 15 5 14 5 11ZM9 10V13M15 10V13M12 15V17M11 20V18M13 20V18",
    "₪": "-M3 20V4H11C14 4 15 6 15 9V14M9 10V20H17C20 20 21 18 21 15V4",
}
_ASIDE = re.compile(r"(<svg.*?</svg>|<style.*?</style>|<title.*?</title>|<[^>]*>)", re.DOTALL)
_DRAWN = re.compile(f"[{''.join(SYMBOLS)}]\ufe0f?")


def with_symbols(html: str) -> str:
    """Return a page with each of these symbols in its text drawn in the size and the colour of the words around it."""
    if not _DRAWN.search(html):
        return html
    return "".join(part if at % 2 else _DRAWN.sub(_svg, part) for at, part in enumerate(_ASIDE.split(html)))


def _svg(found: re.Match[str]) -> str:
    path = SYMBOLS[found[0][0]]
    line = path.startswith("-")
    how = 'fill="none" stroke="#000" stroke-width="2" stroke-linejoin="round"' if line else 'fill="#000"'
    box = 'width="0.8em" height="0.8em" viewBox="0 0 24 24" style="vertical-align: -0.08em"'
    return f'<svg {box} role="img" aria-label="{found[0][0]}"><path d="{path.lstrip("-")}" {how}/></svg>'
