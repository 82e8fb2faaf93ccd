"""Pages of people that spare ink: hairlines in place of rules, type a weight lighter, quiet words in lighter grey.

Shapes that are filled become outlines in their templates, which know what each of them means.
"""

from __future__ import annotations

import re

from sheetgen.model.printing import Tone

THINNEST = 0.25  # pt: what every printer still draws
SHARE = 0.45  # of the width of a rule
_MARKUP = re.compile(r'<style>.*?</style>|\s(?:style|stroke-width|data-frame)="[^"]*"', re.DOTALL)
_RULE = re.compile(r"\b(\d*\.?\d+)pt (solid|dashed|dotted)\b")
_WIDTH = re.compile(r'(?<=stroke-width=")\d*\.?\d+|(?<=data-frame=")\d*\.?\d+')
_COLOUR = re.compile(r"(?<![-\w])color: (#000|#333)(?![0-9a-f])")
_OWN = re.compile(r"\.field \{[^}]*\}")  # what is said of somebody stays black
_LIGHTER = {"#000": "#4d4d4d", "#333": "#555"}  # 8.4 and 7.4 to 1 on white: enough for 7 pt
_LABEL = re.compile(r"\bfont: 600 (?=7)")


def with_ink(page: str, tone: Tone) -> str:
    """Return a page of templates as it is printed: as it is, or with thinner rules and lighter words to save ink.

    Only styles and drawings change: what somebody wrote has its quotes and brackets escaped, and so is never met.
    """
    return _MARKUP.sub(lambda found: _spared(found[0]), page) if tone.ink_saver else page


def _spared(markup: str) -> str:
    thin = _RULE.sub(lambda rule: f"{max(THINNEST, float(rule[1]) * SHARE):.3g}pt {rule[2]}", markup)
    if not markup.startswith("<style>"):
        return _WIDTH.sub(lambda width: f"{float(width[0]) / 2:.3g}", thin)
    plain = _LABEL.sub("font: 400 ", thin).replace("font: 700 ", "font: 600 ")
    own = _OWN.search(plain)
    edges = own.span() if own else (0, 0)
    return _COLOUR.sub(
        lambda colour: colour[0] if edges[0] <= colour.start() < edges[1] else f"color: {_LIGHTER[colour[1]]}", plain
    )
