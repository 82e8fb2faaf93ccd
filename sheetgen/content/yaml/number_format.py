"""Numbers as people write them: which text is a plain number, and the plain form of what is not.

One rule holds everywhere: an optional sign and decimal digits without a leading zero, for fractions a point and digits.
Nothing is guessed; `010` is neither 10 nor 8 until its writer says which.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

LONGEST = 40
_WHOLE = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_FRACTION = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_ZEROS = re.compile(r"([+-]?)0+([0-9]+)")
_PREFIXED = re.compile(r"[+-]?0(?:[xX][0-9a-fA-F_]+|[oO][0-7_]+|[bB][01_]+)")
_GROUPED = re.compile(r"([+-]?[1-9][0-9]{0,2})(?:[_, '’]([0-9]{3}))+")
_POINT = re.compile(r"([+-]?)([0-9]*)[.,]([0-9]*)")
_EXPONENT = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,2}")
_SEPARATORS = re.compile("[_, '’]")


def is_whole(text: str) -> bool:
    """Return whether a text is a plain whole number."""
    return _WHOLE.fullmatch(text) is not None


def is_decimal(text: str) -> bool:
    """Return whether a text is a plain number, whole or with a decimal point."""
    return _FRACTION.fullmatch(text) is not None


def plainer(text: str, *, whole: bool, low: Decimal | int, high: Decimal | int) -> str:
    """Return what to write instead of a number that is not plainly written, such as `10, or 8 if octal was meant`.

    Only numbers from `low` to `high` are proposed; empty if there is none or the text is unclear.
    """
    if len(text) > LONGEST:
        return ""
    text = unicodedata.normalize("NFKC", text).replace("\u2212", "-").strip()
    plain = is_whole(text) or (is_decimal(text) and not whole)
    meant = {text: ""} if plain else _other_base(text) or _other_style(text, whole=whole)
    allowed = {number: reading for number, reading in meant.items() if low <= Decimal(number) <= high}
    joint = ", or " if any(allowed.values()) else " or "
    return joint.join(number + reading for number, reading in allowed.items())


def _other_base(text: str) -> dict[str, str]:
    """The numbers that may be meant, each with the reading that makes it so."""
    padded = _ZEROS.fullmatch(text)
    if padded:
        sign, digits = padded.groups()
        plain, octal = int(digits), int(digits, 8) if set(digits) <= set("01234567") else int(digits)
        other = {f"{sign}{octal}": " if octal was meant"} if octal != plain else {}
        return {f"{sign}{plain}": ""} | other
    if _PREFIXED.fullmatch(text) and text[-1] != "_":
        return {str(int(text.replace("_", ""), 0)): ""}
    return {}


def _other_style(text: str, *, whole: bool) -> dict[str, str]:
    if _GROUPED.fullmatch(text):
        return {_SEPARATORS.sub("", text): ""}
    if _EXPONENT.fullmatch(text):
        value = Decimal(text)
        plain = f"{value:f}"
        return {plain: ""} if len(plain) <= LONGEST and (not whole or value == value.to_integral_value()) else {}
    point = _POINT.fullmatch(text)
    if not point or not (point[2] or point[3]):
        return {}
    sign, units, rest = point[1], int(point[2] or 0), point[3].rstrip("0")
    if not whole:
        return {f"{sign}{units}.{rest}" if rest else f"{sign}{units}": ""}
    return dict.fromkeys((f"{sign}{units}", f"{sign}{units + 1}") if rest else (f"{sign}{units}",), "")
