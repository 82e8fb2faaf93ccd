"""What YAML forgives and JSON does not: a file that calls itself JSON must be JSON, or nobody else can read it."""

from __future__ import annotations

import json
import re

from sheetgen.content.yaml.encoding import place_at
from sheetgen.errors import InputError, Problem

_WORD = re.compile(r"[^\s,:\[\]{}\"]+")


def check_json(text: str, file: str) -> None:
    """InputError for a text that is YAML but no JSON, with the place and the way to mend it."""
    try:
        json.loads(text, parse_int=str, object_pairs_hook=lambda pairs: None)
    except json.JSONDecodeError as error:
        index, message = _complaint(text, error.pos)
        raise InputError([Problem(place_at(text, index, file), message)]) from None


def _complaint(text: str, index: int) -> tuple[int, str]:
    """Where the mistake is and what to do; `index` is where the reader stopped, before or behind a comma too many."""
    behind = index + len(text[index:]) - len(text[index:].lstrip(", \t\n"))
    before = len(text[:index].rstrip())
    comma = index if text[index : index + 1] == "," else before - 1
    if text[behind : behind + 1] in ("]", "}") and text[comma : comma + 1] == ",":
        return comma, f"JSON has no comma before {text[behind]} (delete it)"
    if text[index : index + 1] == "'":
        return index, "JSON has no single quotes (write double ones)"
    if text[index : index + 1] == "#" or text.startswith(("//", "/*"), index):
        return index, "JSON has no comments (delete it, or rename the file to .yaml)"
    word = _WORD.match(text, index)
    if word:
        return index, "this is no JSON (put the text in double quotes, or rename the file to .yaml)"
    return index, "this is no JSON from here on (mend it, or rename the file to .yaml)"
