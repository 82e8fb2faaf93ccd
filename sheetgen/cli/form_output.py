"""The option `--as form` of all verbs, a fillable PDF for each person, and the option `--font`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.errors import UsageError
from sheetgen.model.character import Character
from sheetgen.pdf.fonts.user_font import AddedFont
from sheetgen.products.people_options import ROSTER
from sheetgen.products.sheet import FORMATS, filled_form
from sheetgen.workspace.packs import Pack, owner_of
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import Target, own_targets, refuse_inputs, write_target
from sheetgen.workspace.user_fonts import read_fonts
from sheetgen.workspace.write import slugs

FORM = "form"
MOST_FORMS = 500


def check_form_words(args: Namespace, count: int) -> None:
    """Raise UsageError for options that do not go together with `count` forms."""
    if count > MOST_FORMS:
        raise UsageError(f"forms are made one file each, {MOST_FORMS} at the most")
    if args.to or len(args.output) > 1 or args.output == ["-"]:
        raise UsageError("--as form takes one -o: a file for one character, a folder for more")
    suffix = Path(args.output[0]).suffix.lower() if args.output else ""
    if suffix == ".pdf" and count > 1:
        raise UsageError(f"{args.output[0]} is one file, and {count} forms are one file each: name a folder")
    if suffix in (*FORMATS, ".zip") and suffix != ".pdf":
        raise UsageError(f"{args.output[0]}: a form is a .pdf")


def refuse_form_inputs(project: Project, args: Namespace, inputs: Iterable[Path]) -> None:
    """Raise UsageError, before anything is made, if the forms would land among the files that they are made from."""
    if args.output:
        refuse_inputs([Target(args.output[0], project.where / args.output[0], ".pdf")], inputs)


def write_forms(
    project: Project,
    pack: Pack,
    people: Sequence[Character],
    args: Namespace,
    reporter: ConsoleReporter,
    *,
    folder: str,
    inputs: Sequence[Path],
) -> None:
    """Write a form for each person, in the file or folder that `-o` names, or in `folder` of the output folder."""
    named = args.output[0] if args.output else ""
    for stem, character in zip(slugs(each.text("name") for each in people), people, strict=True):
        if not named:
            owner = owner_of(project, pack)
            (target,) = own_targets(project, f"{folder}/{stem}", (".pdf",), reporter.say, owner=owner)
        else:
            name = named if named.lower().endswith(".pdf") else os.path.join(named, f"{stem}.pdf")
            target = Target(name, project.where / name, ".pdf")
        data, told = filled_form(project, pack, character, paper=args.paper)
        write_target(target, lambda write, data=data: write(data), inputs=inputs)  # type: ignore[misc]
        reporter.note(told, "continued")
        reporter.wrote(target.name, character.text("name"))


def add_fonts(to: ArgumentParser) -> None:
    """Add the option for fonts."""
    to.add_argument(
        "--font",
        action="append",
        default=[],
        metavar="FILE",
        help="PDF: a TrueType font for what the bundled ones lack, such as Arabic or Chinese; may be given several "
        "times, and the first that has all of a text sets it",
    )


def font_files(where: Path, args: Namespace) -> tuple[Path, ...]:
    """Return the files that the words name."""
    return tuple(where / name for name in args.font)


def fonts_of(project: Project, args: Namespace) -> tuple[AddedFont, ...]:
    """Return the fonts that the words add; InputError for a file that is none or may not be embedded."""
    return read_fonts(project, font_files(project.where, args))


def check_fonts(args: Namespace, formats: Collection[str]) -> None:
    """Raise UsageError for added fonts where no text is set with them."""
    if not args.font:
        return
    if args.shape in (FORM, ROSTER):
        raise UsageError(f"--font sets text on sheets and cards: it does not go with --as {args.shape}")
    if not {".pdf", ".zip"} & set(formats):
        raise UsageError("--font sets text in PDFs, and none is made")
