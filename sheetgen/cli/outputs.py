"""Where results go and what is said of them: whole files, standard output, a progress bar on terminals."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from sheetgen.errors import EXIT_OK, EXIT_SOME, OutputError, UsageError, printable, quoted
from sheetgen.products.batch_pdf import NobodyPrinted, Report
from sheetgen.products.sheet import FORMATS
from sheetgen.workspace.manifest import Kept
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Output, Write, refuse_input, sweep

T = TypeVar("T")
STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Target:
    """One place for a result: a path, or standard output, and the format as a suffix.

    `kept` remembers what is written there if the name is one of our own choosing: then it is called so, too.
    """

    name: str
    path: Path | None
    form: str
    kept: Kept | None = None
    key: str = ""


def targets(names: Iterable[str], to: str, where: Path, formats: Iterable[str] = FORMATS) -> tuple[Target, ...]:
    """The targets that `-o` options name; UsageError for a format that cannot be made, or for one named twice."""
    allowed, names = tuple(formats), tuple(names)
    if to and STDOUT not in names:
        raise UsageError("--to gives the format of standard output: say -o -, too, or give the file a suffix")
    found = []
    for name in names:
        form = f".{to.lower().removeprefix('.')}" if name == STDOUT else Path(name).suffix.lower()
        if form not in allowed:
            what = "say which with --to" if name == STDOUT and not to else f"the format must be {', '.join(allowed)}"
            raise UsageError(f"{'standard output' if name == STDOUT else quoted(name)}: {what}")
        found.append(Target(name, None if name == STDOUT else where / name, form))
    if sum(target.path is None for target in found) > 1:
        raise UsageError("standard output can take one result only")
    first: dict[str, str] = {}
    for target in found:
        place = os.path.realpath(target.path) if target.path is not None else STDOUT
        if place in first:
            raise UsageError(
                f"{quoted(target.name)} and {quoted(first[place])} are the same file: give -o once for each"
            )
        first[place] = target.name
    return tuple(found)


def own_targets(project: Project, stem: str, suffixes: Iterable[str], teller: Teller) -> tuple[Target, ...]:
    """Targets in the output folder under a name of our own, numbered if something of the user's stands there."""
    suffixes, kept = tuple(suffixes), Kept(project.output)
    free, taken = kept.stem(stem, suffixes)
    if taken:
        shown = project.shown(project.output / taken)
        teller.say(f"{shown} was changed since, or is not from here: it stays, and the new name is {Path(free).name}")
    keys = (free + suffix for suffix in suffixes)
    return tuple(
        Target(project.shown(path), path, path.suffix, kept, key)
        for key, path in ((key, project.output / key) for key in keys)
    )


def refuse_inputs(wanted: Iterable[Target], inputs: Iterable[Path]) -> None:
    """UsageError, before anything is made, if a result would land among the files that it is made from."""
    inputs = tuple(inputs)
    for target in wanted:
        if target.path is not None:
            with suppress(OSError, ValueError, RuntimeError):  # the writer tells what is wrong with such a path
                refuse_input(target.path, inputs, shown=target.name)


@dataclass(slots=True)
class Teller:
    """Says what was done, in words or as one line of JSON; problems always go to standard error."""

    quiet: bool
    as_json: bool
    facts: dict[str, Any] = field(default_factory=dict)
    to_stderr: bool = False
    failed: bool = False

    def wrote(self, name: str, what: str) -> None:
        """Tells of a file that is there now."""
        self.facts.setdefault("written", []).append(name)
        self.say(f"{name}: {what}")

    def say(self, line: str) -> None:
        """A line for people; nothing when quiet or when a program reads."""
        if not self.quiet and not self.as_json:
            print(printable(line), file=sys.stderr if self.to_stderr else sys.stdout)

    def note(self, lines: Iterable[str], kind: str) -> None:
        """Things that a person should know though the work went on."""
        for line in lines:
            self.facts.setdefault(kind, []).append(line)
            if not self.quiet or kind == "skipped":
                print(printable(line), file=sys.stderr)

    def report(self, report: Report) -> None:
        """What a print run has to say: who was skipped and why, who needed more pages."""
        self.note(report.skipped, "skipped")
        self.note(report.continued, "continued")
        self.failed = self.failed or bool(report.skipped)

    def nobody(self, name: str, report: Report) -> None:
        """What is said when nobody could be printed: a file that was there stays as it is."""
        self.report(report)
        self.failed = True
        self.note([f"{name}: nobody could be printed, so nothing was written"], "skipped")

    def finish(self) -> int:
        """Prints the line of JSON if one was asked for, and returns the exit code."""
        if self.as_json:
            print(json.dumps(self.facts, ensure_ascii=False), file=sys.stderr if self.to_stderr else sys.stdout)
        return EXIT_SOME if self.failed else EXIT_OK


def deliver(target: Target, make: Callable[[Write], T], *, inputs: Iterable[Path] = ()) -> T:
    """What `make` returns after writing to a target; a file appears whole when it is done, or the old one stays."""
    if target.path is not None:
        sweep(target.path.parent)
        kept, note = target.kept, None
        with Output(target.path, inputs=inputs, shown=target.name) as output:
            write: Write = output.write
            if kept is not None:
                write, note = kept.write(target.key, output)
            made = make(write)
        if note is not None:
            note()
        return made
    try:
        made = make(sys.stdout.buffer.write)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"standard output: {error.strerror}") from None
    return made


def deliver_people(
    target: Target, make: Callable[[Write], Report], teller: Teller, *, inputs: Iterable[Path] = ()
) -> Report | None:
    """The report of a print run, told; None, also told, if nobody could be printed."""
    try:
        report = deliver(target, make, inputs=inputs)
    except NobodyPrinted as error:
        teller.nobody("standard output" if target.path is None else target.name, error.report)
        return None
    teller.report(report)
    return report
