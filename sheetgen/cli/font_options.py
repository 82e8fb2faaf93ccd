"""`--font FILE`: fonts that a user adds for what the bundled ones lack."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Collection
from pathlib import Path

from sheetgen.cli.form_output import FORM
from sheetgen.errors import UsageError
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.products.people_options import ROSTER
from sheetgen.workspace.project import Project
from sheetgen.workspace.user_fonts import read_fonts


def add_fonts(to: ArgumentParser) -> None:
    """The option that adds fonts."""
    to.add_argument(
        "--font",
        action="append",
        default=[],
        metavar="FILE",
        help="PDF: a TrueType font for what the bundled ones lack, such as Arabic or Chinese; may be given several "
        "times, and the first that has all of a text sets it",
    )


def font_files(where: Path, args: Namespace) -> tuple[Path, ...]:
    """The files that the words name."""
    return tuple(where / name for name in args.font)


def fonts_of(project: Project, args: Namespace) -> tuple[AddedFont, ...]:
    """The fonts that the words add; InputError for a file that is none or may not be embedded."""
    return read_fonts(project, font_files(project.where, args))


def check_fonts(args: Namespace, formats: Collection[str]) -> None:
    """UsageError where there is nothing that added fonts could set."""
    if not args.font:
        return
    if args.shape in (FORM, ROSTER):
        raise UsageError(f"--font sets text on sheets and cards: it does not go with --as {args.shape}")
    if not {".pdf", ".zip"} & set(formats):
        raise UsageError("--font sets text in PDFs, and none is made")
