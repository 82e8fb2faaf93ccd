"""The file of what happened to the people of a campaign, and of who knows whom."""

from __future__ import annotations

from typing import Any

from sheetgen.content.yaml.containers import Key, ListOf, OrNothing, RecordOf
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import parse
from sheetgen.content.yaml.scalars import FreeText, OneLine, PlacedText
from sheetgen.model.campaign import KnownTie, LogEntry

LOG, MOST = "log.yaml", 5_000
NAME = PlacedText(120)

ENTRY = RecordOf(
    "entry",
    LogEntry,
    Key("who", NAME, "somebody of the cast, by name"),
    Key("what", FreeText(500), "what happened to them"),
    Key("date", OneLine(40), "when: 2026-11-28", ""),
    place="place",
)
TIE = RecordOf(
    "tie",
    KnownTie,
    Key("who", NAME, "somebody of the cast, by name"),
    Key("to", NAME, "somebody else of the cast"),
    Key("is", OneLine(60), "what they are to them: `owes a boat to`", "", to="relation"),
    place="place",
)
LOG_FILE = RecordOf[dict[str, Any]](
    "the log",
    dict,
    Key("ties", OrNothing(ListOf(TIE, most=MOST)), "who knows whom", ()),
    Key("log", OrNothing(ListOf(ENTRY, most=MOST)), "what happened, entry by entry", ()),
    name="log",
)


def read_log(data: bytes, file: str) -> tuple[tuple[KnownTie, ...], tuple[LogEntry, ...]]:
    """Return the ties and the entries of a log; InputError with every problem and its place."""
    problems = Problems()
    found = LOG_FILE.read(parse(data, file), Scope(problems), "")
    problems.raise_if_any()
    return found["ties"] or (), found["log"] or ()
