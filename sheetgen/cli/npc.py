"""`sheetgen npc`: roll people and print them."""

from __future__ import annotations

import os
import secrets
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.results import (
    Target,
    Teller,
    Write,
    deliver,
    deliver_people,
    own_targets,
    progress,
    refuse_inputs,
    targets,
)
from sheetgen.cli.words import add_output, add_paper, add_rolling, parser, settled
from sheetgen.errors import UsageError
from sheetgen.recipes.npcs import MOST_CHARACTERS, Run, check_run, explanation, roll
from sheetgen.recipes.packs import Pack, open_pack
from sheetgen.recipes.project import Project, project_at
from sheetgen.recipes.sheets import (
    FORMATS,
    Report,
    check_count,
    filled_form,
    sources,
    telling_name,
    write_characters,
)
from sheetgen.recipes.write import slugs

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
    _check_words(args)
    project = project_at(where, environ)
    form = args.shape == "form"
    wanted = () if form else targets(args.output, args.to, where)
    seed = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    options = settled(args.option, "--option")
    run = Run(seed, args.count, args.index, args.method, args.archetype, options)
    for target in wanted:
        check_count(target.form, run.count)
    pack = open_pack(project, args.system)
    refuse_inputs(wanted, sources(project, pack))
    check_run(pack, run)
    teller = Teller(
        args.quiet, args.json, {"system": pack.system.id, "seed": seed}, any(t.path is None for t in wanted)
    )
    if args.log:
        for line in explanation(pack, run):
            teller.say(line)
    if form:
        _forms(project, pack, run, args, teller)
    else:
        if not wanted:
            stem = telling_name(pack, "npcs", args.paper, "", project.output).name
            wanted = own_targets(project, stem, (".pdf", ".yaml"), teller)
        for target in wanted:
            _write(project, pack, run, args, target=target, teller=teller)
    if args.seed is None:
        teller.say(f"rolled with --seed {seed}")
    return teller.finish()


def _check_words(args: Namespace) -> None:
    """UsageError for words that do not go together with a form."""
    if args.shape != "form":
        return
    if args.count > MOST_FORMS:
        raise UsageError(f"forms are made one file each, {MOST_FORMS} at the most")
    if args.to or len(args.output) > 1 or args.output == ["-"]:
        raise UsageError("--as form takes one -o: a file for one character, a folder for more")
    suffix = Path(args.output[0]).suffix.lower() if args.output else ""
    if suffix == ".pdf" and args.count > 1:
        raise UsageError(f"{args.output[0]} is one file, and {args.count} forms are one file each: name a folder")
    if suffix in FORMATS and suffix != ".pdf":
        raise UsageError(f"{args.output[0]}: a form is a .pdf")


def _write(project: Project, pack: Pack, run: Run, args: Namespace, *, target: Target, teller: Teller) -> None:
    shown = progress(run.count, "sheets", args.quiet or args.json)

    def make(write: Write) -> Report:
        people = roll(pack, run)
        return write_characters(
            project, pack, people, write, form=target.form, paper=args.paper, back=args.back, progress=shown
        )

    report = deliver_people(target, make, teller, inputs=sources(project, pack))
    if report is not None and target.path is not None:
        people = "person" if report.printed == 1 else "people"
        teller.wrote(target.name, f"{report.printed:,} {people} of {pack.system.title}")


def _forms(project: Project, pack: Pack, run: Run, args: Namespace, teller: Teller) -> None:
    inputs, named = sources(project, pack), args.output[0] if args.output else ""
    if named:
        refuse_inputs([Target(named, project.where / named, ".pdf")], inputs)
    people = list(roll(pack, run))
    for stem, character in zip(slugs(each.text("name") for each in people), people, strict=True):
        if not named:
            (target,) = own_targets(project, f"{pack.system.id}-forms/{stem}", (".pdf",), teller)
        else:
            name = named if named.lower().endswith(".pdf") else os.path.join(named, f"{stem}.pdf")
            target = Target(name, project.where / name, ".pdf")
        data = filled_form(project, pack, character, paper=args.paper)
        deliver(target, lambda write, data=data: write(data), inputs=inputs)  # type: ignore[misc]
        teller.wrote(target.name, character.text("name"))
