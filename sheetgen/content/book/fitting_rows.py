"""Tables of a shared book with what a game's age has in it: each game that varies another is set in one of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from sheetgen.model.book import Prose, Rule
from sheetgen.model.scale import HEX_DIGITS
from sheetgen.model.system import Span, System

_TABLE = re.compile(r"(?:^\|.*\n){3,}", re.MULTILINE)
_SPAN = re.compile(r"([0-9A-F])(?:–([0-9A-F]))?")


def rule_of_this_age(rule: Rule, system: System) -> Rule:
    """Return a rule whose tables hold what fits the level at which a game has such a trait as its age.

    That is the usual value of an option for the level of one trait; a table tells in a column of that trait from which
    level to which a row belongs there.
    """
    text = f"{rule.text.text}\n"
    for option in system.creation.options.values():
        if option.kind == "level" and option.default in HEX_DIGITS:
            level = HEX_DIGITS.index(option.default)
            text = _TABLE.sub(partial(_fitting, option.of, level), text)
    return replace(rule, text=Prose(text.removesuffix("\n"), rule.text.place))


def _fitting(role: str, level: int, table: re.Match[str]) -> str:
    head, rule, *rows = table[0].splitlines(keepends=True)
    names = _cells(head)
    if f"{{{role}}}" not in names:
        return table[0]
    at = names.index(f"{{{role}}}")
    return "".join((head, rule, *(row for row in rows if _fits(_cells(row)[at], level))))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _fits(cell: str, level: int) -> bool:
    """Whether a level lies within what a cell says, such as `{2}–C`; it lies within words such as `any`."""
    found = _SPAN.fullmatch(cell.replace("{", "").replace("}", ""))
    return found is None or level in Span(HEX_DIGITS.index(found[1]), HEX_DIGITS.index(found[2] or found[1]))
