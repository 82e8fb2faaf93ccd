"""`sheetgen handouts`: letters, notices and other things to hand to players, ready-made or of your own words."""

from __future__ import annotations

from argparse import BooleanOptionalAction, Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from sheetgen.cli.options import Parser, add_output, add_toning, millimetres, one_of_papers, parser, tone_of
from sheetgen.cli.outputs import Reporter
from sheetgen.content.handouts.reader import READABLE
from sheetgen.errors import UsageError, printable
from sheetgen.press.layouts import PRINTER_MARGIN
from sheetgen.products.handout_layout import Leaves, Wish
from sheetgen.products.handout_sheets import Trim, write_handouts
from sheetgen.products.handouts import PAPERS_FOR, chosen, leaves_of, styles_of
from sheetgen.products.sheet import telling_name
from sheetgen.workspace.packs import Pack, open_pack, sources
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import Target, deliver, own_targets, refuse_inputs, targets
from sheetgen.workspace.write import Write

EXAMPLE = """  sheetgen handouts sixshooter
  sheetgen handouts tsgs --only on-owls -o decree.png
  sheetgen handouts letter.md --look noir --paper letter
  sheetgen handouts --styles"""
FORMATS = (".pdf", ".png", ".zip")
MOST_MARGIN = 50.0


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Writes the handouts that the words name, or tells which styles there are."""
    args = _parser().read(words)
    project = project_at(where, environ)
    if args.styles:
        return _tell_styles(project, args)
    system, files = _sorted_out(args)
    wanted = targets(args.output, args.to, where, FORMATS)
    pack = open_pack(project, system) if system else None
    paths = [where / name for name in files] or list(chosen(project, _needed(pack), args.only))
    inputs = (*paths, *(sources(project, pack) if pack else ()))
    refuse_inputs(wanted, inputs)
    reporter = Reporter(
        args.quiet, args.json, {"system": pack.system.id} if pack else {}, any(t.path is None for t in wanted)
    )
    wish = Wish(args.paper, tone_of(args), args.style, args.look)
    found = tuple(leaves_of(project, pack, paths, wish))
    if not wanted:
        wanted = own_targets(project, _stem(project, pack, files, args), (".pdf",), reporter.say)
    for target in wanted:
        advice = deliver(target, partial(_write, found, pack, args, target), inputs=inputs)
        if target.path is not None:
            reporter.wrote(target.name, _said(found))
        for line in advice:
            reporter.say(f"  {line}")
    return reporter.finish()


def _parser() -> Parser:
    parse = parser("handouts", "Makes things to hand to players: a pack's own, or of words that you write.", EXAMPLE)
    parse.add_argument(
        "what", nargs="*", metavar="SYSTEM|FILE", help="a system or pack, or files .md and .yaml, or both"
    )
    parse.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="only this one of a system's handouts"
    )
    parse.add_argument("--style", default="", metavar="NAME", help="for files that name none: letter, telegram, …")
    parse.add_argument("--look", default="", metavar="NAME", help="for those that name none: western, noir, space, …")
    parse.add_argument("--styles", action="store_true", help="list the styles and looks, with an example of each")
    paper = one_of_papers(PAPERS_FOR, "handouts are made for")
    say = f"{', '.join(PAPERS_FOR)} (default a4)"
    parse.add_argument("--paper", type=paper, default="a4", metavar="SIZE", help=say)
    free = f"what your printer cannot print on (default {PRINTER_MARGIN:g}); small ones keep clear of it"
    parse.add_argument("--margin", type=millimetres(0, MOST_MARGIN), default=PRINTER_MARGIN, metavar="MM", help=free)
    marks = "where to cut small ones out, and a ruler"
    parse.add_argument("--marks", action=BooleanOptionalAction, default=True, help=marks)
    add_toning(parse)
    add_output(parse, formats=".pdf (sheets, with marks), .png (one page) or .zip (each alone)")
    return parse


def _sorted_out(args: Namespace) -> tuple[str, list[str]]:
    """The system that the words name, if they name one, and the files."""
    files = [word for word in args.what if Path(word).suffix.lower() in READABLE and Path(word).name != "system.yaml"]
    systems = [word for word in args.what if word not in files]
    if len(systems) > 1:
        raise UsageError("handouts of one system at a time: name one, and files of your own beside it if you like")
    if not args.what:
        raise UsageError("which handouts? name a system, or a file .md or .yaml (sheetgen handouts --help explains)")
    if args.only and files:
        raise UsageError("--only chooses among the handouts of a system, and files are named")
    return (systems[0] if systems else ""), files


def _needed(pack: Pack | None) -> Pack:
    if pack is None:
        raise UsageError("which handouts? name a system, or a file .md or .yaml")
    return pack


def _stem(project: Project, pack: Pack | None, files: Sequence[str], args: Namespace) -> str:
    """What a result is called that was given no name."""
    if pack is not None and not files:
        what = args.only[0] if len(args.only) == 1 else "handouts"
        return telling_name(pack, what, args.paper, "", project.output).name
    size = "" if args.paper == "a4" else f"-{args.paper}"
    return f"{Path(files[0]).stem if len(files) == 1 else 'handouts'}{size}"


def _write(
    found: Sequence[Leaves], pack: Pack | None, args: Namespace, target: Target, write: Write
) -> tuple[str, ...]:
    title = f"{pack.system.title} handouts" if pack is not None else "Handouts"
    trim = Trim(args.paper, args.margin, args.marks)
    return write_handouts(found, write, trim, form=target.form, title=title)


def _said(found: Sequence[Leaves]) -> str:
    if len(found) == 1:
        return f"{found[0].style} “{found[0].title}”"
    return f"{len(found)} handouts"


def _tell_styles(project: Project, args: Namespace) -> int:
    """Each style with one line, its fields and an example; then the looks."""
    if len(args.what) > 1:
        raise UsageError("--styles takes one system at the most")
    pack = open_pack(project, args.what[0]) if args.what else None
    catalogue = styles_of(project, pack)
    for style in catalogue.styles.values():
        needs = ", ".join(style.needs)
        lines = [f"{style.name}: {style.say}", f"  needs {needs}" if needs else "  needs nothing but its text"]
        lines += [f"  may have {', '.join(style.may)}"] if style.may else []
        lines += [f"    {line}" for line in style.example.strip().splitlines()]
        print("\n".join(printable(line) for line in lines), end="\n\n")
    print("looks (--look, or `look:` in the file)")
    for look in catalogue.looks.values():
        print(printable(f"  {look.name:<10} {look.say}"))
    return 0
