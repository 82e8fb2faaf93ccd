"""Text of both directions on one line: its runs, their directions, and their order from left to right.

The Unicode Bidirectional Algorithm (UAX 9) without the characters that set directions explicitly, which are refused
elsewhere. Each line is resolved by itself, in the direction of its paragraph.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_PAIRS = ("()", "[]", "{}", "⟨⟩", "〈〉", "《》", "「」", "『』", "【】", "〔〕", "（）", "［］", "｛｝")  # noqa: RUF001
_CLOSING = {pair[0]: pair[1] for pair in _PAIRS}
_OPENING = {pair[1]: pair[0] for pair in _PAIRS}
_STRONG = frozenset(("L", "R", "AL"))
_NEUTRAL = frozenset(("B", "S", "WS", "ON"))
_FROM_RIGHT = frozenset(("R", "AL", "AN"))


def is_mixed(text: str) -> bool:
    """Return whether anything in the text reads from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(char) in _FROM_RIGHT for char in text)


def base_level(paragraph: str) -> int:
    """Return 1 for a paragraph whose first letter reads from right to left, else 0 (rules P2 and P3)."""
    strong = next((kind for kind in map(unicodedata.bidirectional, paragraph) if kind in _STRONG), "L")
    return int(strong != "L")


def runs(line: str, base: int) -> list[tuple[int, int, int]]:
    """Return the runs of one level in visual order: begin, end, level (odd: right to left)."""
    found: list[tuple[int, int, int]] = []
    for at, level in enumerate(levels(line, base)):
        if found and found[-1][2] == level:
            found[-1] = (found[-1][0], at + 1, level)
        else:
            found.append((at, at + 1, level))
    for lowest in range(max((level for _, _, level in found), default=0), 0, -1):  # L2
        begin = 0
        while begin < len(found):
            end = begin
            while end < len(found) and found[end][2] >= lowest:
                end += 1
            found[begin:end] = found[begin:end][::-1]
            begin = end + 1
    return found


def levels(line: str, base: int) -> list[int]:
    """Return the embedding level of each character of a line in a paragraph of that base level."""
    all_kinds = [unicodedata.bidirectional(char) or "L" for char in line]
    places = [at for at, kind in enumerate(all_kinds) if kind != "BN"]  # X9: joiners follow what is before them
    kinds = [all_kinds[at] for at in places]
    own = "R" if base else "L"
    marks = [kind == "NSM" for kind in kinds]
    _resolve_weak(kinds, own)
    _resolve_numbers(kinds, own)
    _resolve_brackets([line[at] for at in places], kinds, marks, own)
    _resolve_neutral(kinds, own)
    found, last = [base] * len(line), base
    for at, kind in zip(places, kinds, strict=True):
        found[at] = base + (kind != "L" and 1 + (kind != "R") if not base else kind != "R")  # I1, I2
    for at, kind in enumerate(all_kinds):
        found[at] = last = last if kind == "BN" else found[at]
    for at in range(len(line) - 1, -1, -1):  # L1
        if all_kinds[at] not in ("WS", "BN", "S", "B"):
            break
        found[at] = base
    return found


def _resolve_weak(kinds: list[str], own: str) -> None:
    """Rules W1 to W3: marks, and the numbers of Arabic."""
    strong, before = own, own
    for at, kind in enumerate(kinds):
        now = before if kind == "NSM" else kind  # W1
        if now in _STRONG:
            strong = now
        before = now
        kinds[at] = "AN" if now == "EN" and strong == "AL" else now  # W2
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]  # W3


def _resolve_numbers(kinds: list[str], own: str) -> None:
    """Rules W4 to W7: numbers and what stands among them."""
    for at in range(1, len(kinds) - 1):  # W4
        left, kind, right = kinds[at - 1 : at + 2]
        if left == right and ((kind == "ES" and left == "EN") or (kind == "CS" and left in ("EN", "AN"))):
            kinds[at] = left
    for begin, end in _spans(kinds, ("ET",)):  # W5
        if "EN" in (kinds[begin - 1] if begin else "", kinds[end] if end < len(kinds) else ""):
            kinds[begin:end] = ["EN"] * (end - begin)
    strong = own
    for at, kind in enumerate(kinds):
        if kind in ("ES", "ET", "CS"):  # W6
            kinds[at] = "ON"
        elif kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":  # W7
            kinds[at] = "L"


def _resolve_brackets(chars: Sequence[str], kinds: list[str], marks: Sequence[bool], own: str) -> None:
    """Rule N0: a pair of brackets, with the marks on it, takes the direction of its content."""
    other = "L" if own == "R" else "R"
    for opened, closed in _bracket_pairs(chars, kinds):
        inside = {_strong(kind) for kind in kinds[opened + 1 : closed]}
        if own in inside:
            way = own
        elif other in inside:
            before = next((_strong(kinds[at]) for at in range(opened - 1, -1, -1) if _strong(kinds[at])), own)
            way = other if before == other else own
        else:
            continue
        for at in (opened, closed):
            after = next((after for after in range(at + 1, len(kinds)) if not marks[after]), len(kinds))
            kinds[at:after] = [way] * (after - at)


def _bracket_pairs(chars: Sequence[str], kinds: Sequence[str]) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    waiting: list[tuple[str, int]] = []
    for at, char in enumerate(chars):
        if kinds[at] != "ON":
            continue
        if char in _CLOSING:
            waiting.append((_CLOSING[char], at))
        elif char in _OPENING:
            match = next((back for back in range(len(waiting) - 1, -1, -1) if waiting[back][0] == char), None)
            if match is not None:
                pairs.append((waiting[match][1], at))
                del waiting[match:]
    return sorted(pairs)


def _resolve_neutral(kinds: list[str], own: str) -> None:
    """Rules N1 and N2: neutral characters take the direction of both sides, or of the paragraph."""
    for begin, end in _spans(kinds, _NEUTRAL):
        before = _strong(kinds[begin - 1]) if begin else own
        after = _strong(kinds[end]) if end < len(kinds) else own
        kinds[begin:end] = [before if before == after else own] * (end - begin)


def _strong(kind: str) -> str:
    """Return the direction that a resolved class counts as beside neutrals; empty for a neutral."""
    return "L" if kind == "L" else "R" if kind in ("R", "EN", "AN") else ""


def _spans(kinds: Sequence[str], wanted: Sequence[str] | frozenset[str]) -> list[tuple[int, int]]:
    """Return begin and end of each stretch of the wanted classes."""
    found: list[tuple[int, int]] = []
    for at, kind in enumerate(kinds):
        if kind in wanted:
            if found and found[-1][1] == at:
                found[-1] = (found[-1][0], at + 1)
            else:
                found.append((at, at + 1))
    return found
