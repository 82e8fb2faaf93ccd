"""`sheetgen npc`: roll people and print them."""

from __future__ import annotations

import secrets
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.results import Target, Teller, Write, deliver, progress, targets
from sheetgen.cli.words import add_output, add_paper, add_rolling, parser
from sheetgen.errors import UsageError
from sheetgen.recipes.npcs import MOST_CHARACTERS, Run, explanation, roll, roller
from sheetgen.recipes.packs import Pack, open_pack
from sheetgen.recipes.project import Project, project_at
from sheetgen.recipes.sheets import Report, filled_form, telling_name, write_characters
from sheetgen.recipes.write import slugs, write_file

EXAMPLE = """  sheetgen npc gamers -n 12 --seed 7
  sheetgen npc gamers --archetype guard --option tech=9 -o guard.pdf -o guard.yaml
  sheetgen npc gamers --seed 7 --index 57 --log"""
MOST_FORMS = 500


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Rolls and writes the people that the words ask for."""
    parse = parser("npc", "Rolls non-player characters and prints their sheets.", EXAMPLE)
    parse.add_argument("system", help="a system, or the folder of a pack")
    add_rolling(parse, MOST_CHARACTERS)
    parse.add_argument(
        "--as",
        dest="shape",
        choices=("sheet", "form"),
        default="sheet",
        help="a sheet (default), or a form that stays open to change, one file each",
    )
    parse.add_argument("--back", action="store_true", help="player sheets: with the back")
    parse.add_argument("--log", action="store_true", help="tell how each was rolled, line by line")
    add_paper(parse)
    add_output(parse, formats=".pdf, .html, .yaml, .json or .csv")
    args = parse.read(words)
    project = project_at(where, environ)
    wanted = targets(args.output, args.to, where)
    pack = open_pack(project, args.system)
    seed = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    run = Run(seed, args.count, args.index, args.method, args.archetype, dict(args.option))
    roller(pack, run)  # a wrong method, archetype or option is told before anything is made
    teller = Teller(
        args.quiet, args.json, {"system": pack.system.id, "seed": seed}, any(t.path is None for t in wanted)
    )
    if args.log:
        for line in explanation(pack, run):
            teller.say(line)
    if args.shape == "form":
        return _forms(project, pack, run, args, teller)
    if not wanted:
        names = [telling_name(pack, "npcs", args.paper, suffix, project.output) for suffix in (".pdf", ".yaml")]
        wanted = tuple(Target(project.shown(path), path, path.suffix) for path in names)
    for target in wanted:
        _write(project, pack, run, args, target=target, teller=teller)
    if args.seed is None:
        teller.say(f"rolled with --seed {seed}")
    return teller.finish()


def _write(project: Project, pack: Pack, run: Run, args: Namespace, *, target: Target, teller: Teller) -> None:
    shown = progress(run.count, "sheets", args.quiet or args.json)

    def make(write: Write) -> Report:
        people = roll(pack, run)
        return write_characters(
            project, pack, people, write, form=target.form, paper=args.paper, back=args.back, progress=shown
        )

    report = deliver(target, make)
    teller.report(report)
    if target.path is not None:
        people = "person" if report.printed == 1 else "people"
        teller.wrote(target.name, f"{report.printed:,} {people} of {pack.system.title}")


def _forms(project: Project, pack: Pack, run: Run, args: Namespace, teller: Teller) -> int:
    if run.count > MOST_FORMS:
        raise UsageError(f"forms are made one file each, {MOST_FORMS} at the most")
    if len(args.output) > 1 or args.output == ["-"]:
        raise UsageError("--as form takes one -o: a file for one character, a folder for more")
    named = Path(args.output[0]) if args.output else Path("output") / f"{pack.system.id}-forms"
    single = run.count == 1 and named.suffix == ".pdf"
    people = list(roll(pack, run))
    for stem, character in zip(slugs(each.text("name") for each in people), people, strict=True):
        name = named if single else named / f"{stem}.pdf"
        data = filled_form(project, pack, character, paper=args.paper)
        write_file(project.where / name, data)
        teller.wrote(str(name), character.text("name"))
    return teller.finish()
