"""Errors of the YAML parser in plain words: where the mistake was made, what it is and how to correct it.

The parser stops where it can go no further, which is often far behind the mistake: a quote left open shows at the end
of the file. Each function here finds the place to correct.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sheetgen.content.yaml.encoding import place_at
from sheetgen.errors import Problem

# Spaces that look like indentation and are none: no-break, thin, ideographic and their kin.
ODD_SPACES = frozenset("\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200C))))
_ODD_INDENT = re.compile(f"[ \t]*([{''.join(sorted(ODD_SPACES))}])")
_NO_KEY = "no key stands before this colon (add one, or put the text in quotes)"
SECOND_DOCUMENT = "a second document begins here (one file holds one: split the file)"
_DOCUMENT_END = re.compile(r"^\.\.\.(?=\s)", re.MULTILINE)
_LEAD = re.compile("[ \t]*")
_LEAD_WITH_DASHES = re.compile("[ \t]*(?:[-?][ \t]+)*")


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error of the parser: its own words, and five indices into the text.

    `at` is where it stopped, `since` where the thing it was reading began, `opened` where the innermost list or mapping
    did; `last_from` and `last_to` enclose the last text that it read whole.
    """

    problem: str
    context: str
    at: int
    since: int
    opened: int
    last_from: int
    last_to: int


_Spot = tuple[int, str]  # index into the text, message


def explain(text: str, file: str, complaint: Complaint) -> Problem:
    """Return the problem behind an error of the parser, at the place to correct."""
    index, message = _odd_indent(text, complaint) or _reading(text, complaint)
    return Problem(place_at(text, index, file), message)


def odd_space(character: str) -> str:
    """Return the message for indentation made of a space that YAML takes for a letter."""
    return f"special space U+{ord(character):04X} used as indentation or gap (use ordinary spaces)"


def _reading(text: str, complaint: Complaint) -> _Spot:
    for needle, read in _READINGS:
        if needle in complaint.problem or needle in complaint.context:
            return read(text, complaint)
    return complaint.at, "not readable from here on (look for a stray quote, bracket, colon or indentation)"


def _odd_indent(text: str, complaint: Complaint) -> _Spot | None:
    suspects = [complaint.at, complaint.since] if "simple key" in complaint.context else [complaint.at]
    for index in suspects:
        found = _ODD_INDENT.match(text, _line_start(text, index))
        if found:
            return found.start(1), odd_space(found.group(1))
    return None


def _tab(text: str, complaint: Complaint) -> _Spot:
    return complaint.at, "tab used for indentation (use spaces)"


def _wrong_start(text: str, complaint: Complaint) -> _Spot:
    character = text[complaint.at : complaint.at + 1]
    if character == "\t":
        return _tab(text, complaint)
    return complaint.at, f"no text may begin with {character} (put the text in quotes)"


def _open_quote(text: str, complaint: Complaint) -> _Spot:
    quote = text[complaint.since : complaint.since + 1]
    return complaint.since, f"this quote is never closed (add {quote} where the text ends)"


def _late_quote(text: str, complaint: Complaint) -> _Spot | None:
    """Return where a quote was closed by one that was meant to open, or where text follows a closing quote."""
    last = text[complaint.last_from : complaint.last_to]
    if last[:1] not in ("'", '"') or "\n" in text[complaint.last_to : complaint.at]:
        return None
    if "\n" in last:
        closed = _line_of(text, complaint.last_to)
        return complaint.last_from, f"this quote is closed only {closed} (add {last[0]} where the text ends)"
    return complaint.at, "text goes on after its closing quote (put all of it into one pair of quotes)"


def _bracket(text: str, complaint: Complaint) -> _Spot:
    """Return an open bracket: unclosed when the parser stopped at the end or on a line that is indented no deeper."""
    at, since = complaint.at, complaint.since
    opening, closing = ("[", "]") if text[since : since + 1] == "[" else ("{", "}")
    found = text[at : at + 1]
    line, opened = _line_start(text, at), _line_start(text, since)
    if found in ("]", "}"):
        return since, f"{opening} is closed by {found} {_line_of(text, at)} (write {closing} there)"
    if found == ":" and not text[line:at].strip():
        return at, "a colon may not begin a line here (write it right behind its key)"
    if not text[at:].strip() or (line != opened and _lead(_LEAD, text, line) <= _lead(_LEAD_WITH_DASHES, text, opened)):
        return since, f"{opening} is never closed (add {closing})"
    expected = '"," or "]"' if opening == "[" else '":", "," or "}"'
    return at, f"{expected} is missing before this (add it, or put the text in quotes)"


def _escape(text: str, complaint: Complaint) -> _Spot:
    index = max(text.rfind("\\", 0, complaint.at + 1), 0)
    if "invalid Unicode" in complaint.problem:
        return index, f"{text[index : index + 6]} is no character (write the character itself)"
    return index, f"{text[index : index + 2]} means nothing in double quotes (write \\\\ for a backslash)"


def _no_colon(text: str, complaint: Complaint) -> _Spot:
    return complaint.since, 'this line is no "key: value" (add the colon, or indent the line under its text)'


def _second_colon(text: str, complaint: Complaint) -> _Spot:
    late = _late_quote(text, complaint)
    if late and late[0] != complaint.at:
        return late
    if "\n" in text[complaint.last_from : complaint.last_to]:
        begun = _line_of(text, complaint.last_from)
        return complaint.at, f"key inside the text that begins {begun} (mend the indentation, or quote that text)"
    return complaint.at, 'second ": " in one line (put the text in quotes)'


def _no_value(text: str, complaint: Complaint) -> _Spot:
    found = text[complaint.at : complaint.at + 1].strip()
    opening = text[complaint.opened : complaint.opened + 1]
    if not found and opening in ("[", "{"):
        return complaint.opened, f"{opening} is never closed (add {']' if opening == '[' else '}'})"
    if found == ":":
        return complaint.at, _NO_KEY
    return complaint.at, f"{found} where a value should stand (put it in quotes if it is text, or delete it)"


def _misplaced(text: str, complaint: Complaint) -> _Spot:
    """Return a line or word that does not continue what stands above it."""
    at, found = complaint.at, text[complaint.at : complaint.at + 1]
    late = _late_quote(text, complaint)
    if late and "document start" not in complaint.problem:
        return late
    if found == ":":
        return at, _NO_KEY
    if found in ("]", "}"):
        return at, f"{found} closes nothing (delete it)"
    if "document start" in complaint.problem:
        if _DOCUMENT_END.search(text, 0, at):
            return at, SECOND_DOCUMENT
        if text.lstrip()[:1] in ("{", "["):
            return at, "more text after the end of the document (one file holds one: split the file)"
    if at - _line_start(text, at) == complaint.since - _line_start(text, complaint.since) and complaint.context:
        if found == "-":
            return at, '"- " entry among the keys of a mapping (indent it under its key)'
        return at, 'this line is no "- " entry like those above it (begin it with "- ", or indent it)'
    return at, "indentation fits no line above (align it with the lines it belongs to)"


def _says(message: str, *, since: bool = False) -> Callable[[str, Complaint], _Spot]:
    return lambda text, complaint: (complaint.since if since else complaint.at, message)


_READINGS: tuple[tuple[str, Callable[[str, Complaint], _Spot]], ...] = (
    ("tab character", _tab),
    ("cannot start any token", _wrong_start),
    ("end of stream", _open_quote),
    ("document indicator", _open_quote),
    ("expected ',' or", _bracket),
    ("an alias", _says("text that begins with * must stand in quotes (aliases are not allowed)", since=True)),
    ("an anchor", _says("text that begins with & must stand in quotes (anchors are not allowed)", since=True)),
    ("tag", _says("text that begins with ! must stand in quotes (tags are not allowed)", since=True)),
    ("directive", _says("a line may not begin with % (put the text in quotes)", since=True)),
    ("scanning a block scalar", _says("the text after | or > begins on the next line (or put it in quotes)")),
    ("escape", _escape),
    ("hexdecimal", _escape),
    ("expected ':'", _no_colon),
    ("mapping values are not allowed", _second_colon),
    ("block sequence entries", _says('a list begins on a line of its own (write "- " on the next line, indented)')),
    ("mapping keys are not allowed", _says('no text may begin with "? " (put the text in quotes)')),
    ("node content", _no_value),
    ("expected key", _misplaced),
    ("'-' indicator", _misplaced),
    ("document start", _misplaced),
)


def _line_start(text: str, index: int) -> int:
    return text.rfind("\n", 0, index) + 1


def _lead(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() - start if found else 0


def _line_of(text: str, index: int) -> str:
    place = place_at(text, index, "")
    return f"in line {place.line}, column {place.column}"
