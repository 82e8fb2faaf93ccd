"""The file of what happened to the people of a campaign, and of who knows whom."""

from __future__ import annotations

import re
from typing import Any

from sheetgen.content.yaml.containers import Key, ListOf, MapOf, OrNothing, RecordOf
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.edits import insert, plain
from sheetgen.content.yaml.nodes import parse
from sheetgen.content.yaml.quoting import list_entry
from sheetgen.content.yaml.scalars import FreeText, OneLine, PlacedText, WholeNumber
from sheetgen.errors import UsageError
from sheetgen.model.session import KnownTie, LogEntry

LOG, MOST = "log.yaml", 5_000
NAME = PlacedText(120)

ENTRY = RecordOf(
    "entry",
    LogEntry,
    Key("who", NAME, "somebody of the cast, by name"),
    Key("what", FreeText(500), "what happened to them"),
    Key("date", OneLine(40), "when: 2026-11-28", ""),
    Key("rules", OneLine(2_000), "what came of it by the rules: `wounds 0 to 2`", ""),
    Key("hurt", MapOf(WholeNumber(-999, 999), most=40), "levels lost, or healed below 0", {}),
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


def with_entry(text: str, entry: LogEntry) -> str:
    """Return the text of a log with an entry behind those that it has; every other line stays.

    UsageError for a log without `log:`.
    """
    said: dict[str, Any] = {"date": entry.date, "who": str(entry.who), "what": entry.what, "rules": entry.rules}
    written = {key: value for key, value in said.items() if value}
    written |= {"hurt": {name: str(by) for name, by in entry.hurt.items()}} if entry.hurt else {}
    data = plain(parse(text.encode(), LOG))
    if not isinstance(data, dict) or "log" not in data:
        raise UsageError(f"{LOG} has no line `log:` to add to: write one at its end")
    listed = data["log"]
    bare = listed is None and re.search(r"^log:[ \t]*(#.*)?$", text, re.MULTILINE)
    if bare and list(data)[-1] == "log":  # behind the comments that a new file has
        return f"{text.rstrip()}\n{list_entry(written, 0)}"
    return insert(text, ("log",), len(listed or ()), written)
