"""What became of a print run: who was printed, who could not be, and whose texts are continued elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sheetgen.errors import EXIT_SOME, SheetgenError
from sheetgen.pdf.form.overflow import NO_PLACE, NO_ROOM
from sheetgen.pdf.form.text_fitting import THINGS

FEW = 20  # lines that are shown one by one


@dataclass(slots=True)
class Report:
    """What became of a print run: how many were printed, who was left out and why, who needed a second page, what of
    whom was dropped, how many are `short_of` a part of their text, whose portrait is too coarse."""

    printed: int = 0
    skipped: list[str] = field(default_factory=list)
    continued: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    short_of: Counter[str] = field(default_factory=Counter)
    coarse: list[str] = field(default_factory=list)

    def add(self, other: Report) -> None:
        """Add the report of a further part of the run."""
        self.printed += other.printed
        self.skipped += other.skipped
        self.continued += other.continued
        self.dropped += other.dropped
        self.short_of += other.short_of
        self.coarse += other.coarse


class NobodyPrinted(SheetgenError):
    """A print run in which nobody could be printed, so that there is no file; carries the report."""

    exit_code = EXIT_SOME

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(report)  # what pickle makes it of again

    def __str__(self) -> str:
        """Return a line for each person who was left out, and one for all."""
        return "\n".join([*self.report.skipped, "nobody could be printed, so nothing was written"])

    def __reduce__(self) -> tuple[type[NobodyPrinted], tuple[Report]]:
        """Return how to unpickle the error: from the report, not from the message."""
        return type(self), (self.report,)


class UnprintablePerson(SheetgenError):
    """Somebody who cannot be printed, where that was to stop the run."""

    exit_code = EXIT_SOME


def continued_on(told: Iterable[str], where: str) -> str:
    """Return a phrase that lists what of the entries of `Sheet.continued` stands elsewhere; nothing for no such."""
    titles = [entry for entry in told if not entry.endswith(NO_ROOM)]
    cut = ", ".join(title for title in titles if not title.endswith(NO_PLACE))
    unplaced = ", ".join(title.removesuffix(NO_PLACE) for title in titles if title.endswith(NO_PLACE))
    said = [f"{cut} continued on {where}"] if cut else []
    said += [f"{unplaced} on {where} (no place on the sheet)"] if unplaced else []
    return " and ".join(said)


def dropped_from(told: Iterable[str]) -> str:
    """Return a phrase that lists what of the entries of `Sheet.continued` stands nowhere, under its titles; nothing for
    no such.
    """
    parts = dict[str, list[str]]()
    for title, _, things in (entry.removesuffix(NO_ROOM).partition(": ") for entry in told if entry.endswith(NO_ROOM)):
        parts.setdefault(title, []).extend(things.split(THINGS))
    listed = [f"{title} ({' · '.join(things)})" for title, things in parts.items()]
    return f"no room on the card for {' and '.join(listed)}" if listed else ""


def dropped_parts(told: Iterable[str]) -> tuple[str, ...]:
    """Return the titles of what such things are part of, each once."""
    return tuple(dict.fromkeys(entry.partition(": ")[0] for entry in told if entry.endswith(NO_ROOM)))


def dropped_lines(report: Report) -> Sequence[str]:
    """Return the lines of `Report.dropped` to show; of many people one line tells how many lack what."""
    if len(report.dropped) <= FEW:
        return report.dropped
    first = report.dropped[0].rpartition(": no room")[0]
    counts = ", ".join(f"{title} ({count:,})" for title, count in report.short_of.items())
    return [f"{len(report.dropped):,} people, {first} first: no room on the card for part of {counts}"]


def grouped_lines(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of `Report.continued` to show; if there are many, people with the same message share a line."""
    if len(lines) <= FEW:
        return lines
    alike: dict[str, list[str]] = {}
    for line in lines:
        name, _, said = line.rpartition(": ")
        alike.setdefault(said, []).append(name)
    groups = sorted(alike.items(), key=lambda each: -len(each[1]))
    return [f"{f'{len(who):,} people, {who[0]} first' if who[1:] else who[0]}: {said}" for said, who in groups]
