"""Messages about results: lines for people, or one line of JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sheetgen.errors import EXIT_OK, EXIT_SOME, printable
from sheetgen.products.batch_pdf import NobodyPrinted, Report, grouped_lines
from sheetgen.workspace.targets import Target, write_target
from sheetgen.workspace.write import Write


@dataclass(slots=True)
class ConsoleReporter:
    """Prints what was done, in words or as one line of JSON; problems always go to standard error."""

    quiet: bool
    as_json: bool
    facts: dict[str, Any] = field(default_factory=dict)
    to_stderr: bool = False
    failed: bool = False

    def wrote(self, name: str, what: str) -> None:
        """Report a file that was written."""
        self.facts.setdefault("written", []).append(name)
        self.say(f"{name}: {what}")

    def say(self, line: str) -> None:
        """Print a line for people; nothing if quiet or with JSON."""
        if not self.quiet and not self.as_json:
            print(printable(line), file=sys.stderr if self.to_stderr else sys.stdout)

    def note(self, lines: Iterable[str], kind: str, shown: Sequence[str] | None = None) -> None:
        """Report warnings about work that went on; `shown` has them in fewer lines."""
        lines = tuple(lines)
        if lines:
            self.facts.setdefault(kind, []).extend(lines)
        for line in lines if shown is None else shown:
            if not self.quiet or kind == "skipped":
                print(printable(line), file=sys.stderr)

    def report(self, report: Report) -> None:
        """Report who was skipped in a print run and why, and who needed more pages."""
        self.note(report.skipped, "skipped")
        self.note(report.continued, "continued", grouped_lines(report.continued))
        self.failed = self.failed or bool(report.skipped)

    def nobody(self, name: str, report: Report) -> None:
        """Report that nobody could be printed; an existing file stays as it is."""
        self.report(report)
        self.failed = True
        self.note([f"{name}: nobody could be printed, so nothing was written"], "skipped")

    def finish(self) -> int:
        """Print the line of JSON if one was asked for; return the exit code."""
        if self.as_json:
            print(json.dumps(self.facts, ensure_ascii=False), file=sys.stderr if self.to_stderr else sys.stdout)
        return EXIT_SOME if self.failed else EXIT_OK


def write_people_target(
    target: Target, make: Callable[[Write], Report], reporter: ConsoleReporter, *, inputs: Iterable[Path] = ()
) -> Report | None:
    """Write a print run to a target and return its report; None if nobody could be printed. Both are shown."""
    try:
        report = write_target(target, make, inputs=inputs)
    except NobodyPrinted as error:
        reporter.nobody("standard output" if target.path is None else target.name, error.report)
        return None
    reporter.report(report)
    return report
