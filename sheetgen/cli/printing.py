"""What the command line does with what was printed: marks it, and writes only what changed since beside a result."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from sheetgen.errors import InputError, Place, Problem, UsageError
from sheetgen.products.product import Reporter
from sheetgen.workspace.printed import keep_printed, last_printed
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import Target, write_target

CHANGED = "beside it NAME-changed.pdf: only what differs from what was printed (see printed), with an order sheet"
MARK = "keep the result as printed (see printed)"
ENDING = "-changed"


def add_printing(parse: ArgumentParser) -> None:
    """Add the options for what was printed."""
    parse.add_argument("--changed", action="store_true", help=CHANGED)
    parse.add_argument("--moved", action="store_true", help="with --changed: pages with another number alone, too")
    parse.add_argument("--mark-printed", action="store_true", help=MARK)


def check_printing(args: Namespace, wanted: Iterable[Target]) -> None:
    """Raise UsageError for results that cannot be compared with what was printed."""
    named = tuple(wanted)
    if args.moved and not args.changed:
        raise UsageError("--moved goes with --changed")
    if not (args.changed or args.mark_printed):
        return
    if any(target.path is None or target.form != ".pdf" for target in named):
        raise UsageError("--changed and --mark-printed are for PDFs that are files: give -o a name that ends in .pdf")


def after_printing(project: Project, args: Namespace, names: Iterable[str], reporter: Reporter) -> None:
    """Write what changed of results that were just made, and mark them as printed, as the options ask."""
    files = [project.where / name for name in names if name.endswith(".pdf") and not name.endswith("-plan.pdf")]
    for path in files:
        if args.changed:
            write_changed(project, path, reporter, moved=args.moved)
        if args.mark_printed:
            mark_printed(project, path, reporter, date.today().isoformat())


def mark_printed(project: Project, path: Path, reporter: Reporter, day: str) -> None:
    """Keep a file as printed on a day; of NAME-changed.pdf the whole file that it belongs to.

    InputError for a file that is damaged, or not ours.
    """
    whole = path.with_name(f"{path.stem.removesuffix(ENDING)}{path.suffix}")
    path = whole if path.stem.endswith(ENDING) and last_printed(project, whole) is not None else path
    shown = project.shown(path)
    if path.suffix.lower() != ".pdf":
        raise InputError([Problem(Place(shown), "only a PDF is kept as printed")])
    from sheetgen.products.comparison import compare  # imports pikepdf

    comparison = compare(path, path, shown=(shown, shown))  # refuses what could not be compared later on
    keep_printed(project, path, shown, day)
    reporter.facts.setdefault("marked", []).append(shown)
    count, what = len(comparison.changes), comparison.unit
    reporter.say(f"{shown}: kept as printed, {count} {what}{'' if count == 1 else 's'}")


def write_changed(project: Project, path: Path, reporter: Reporter, *, moved: bool) -> None:
    """Write what changed of a file since it was printed beside it; tell so if that is nothing, or everything."""
    from sheetgen.products.comparison import compare  # imports pikepdf
    from sheetgen.products.only_changed import only_changed

    shown, kept = project.shown(path), last_printed(project, path)
    if kept is None:
        reporter.facts.setdefault("changed", []).append({"file": shown, "printed": None})
        reporter.say(f"  nothing of it was printed yet, so all of it is new; when it is: sheetgen printed {shown}")
        return
    comparison = compare(kept.copy, path, shown=(f"{shown} as it was printed", shown))
    facts = {"file": shown, "printed": kept.date, "summary": comparison.summary(), "differences": [*comparison.told()]}
    reporter.facts.setdefault("changed", []).append(facts)
    if comparison.same:
        reporter.say(f"  {shown} shows the same as what was printed on {kept.date}: nothing to print")
        return
    made = only_changed(project, comparison, path, date=kept.date, moved=moved)
    beside = path.with_name(f"{path.stem}{ENDING}.pdf")
    name = project.shown(beside)
    write_target(Target(name, beside, ".pdf"), lambda write: write(made.data), inputs=(path,))
    reporter.wrote(name, made.what)
    for line in (*made.advice, *comparison.told()):
        reporter.say(f"  {line}")
    reporter.say(f"  when it is printed: sheetgen printed {shown}")
