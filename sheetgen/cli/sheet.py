"""`sheetgen sheet`: filled sheets for characters in files."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.results import Target, Teller, Write, deliver_people, own_targets, progress, refuse_inputs, targets
from sheetgen.cli.words import add_output, add_paper, parser
from sheetgen.errors import InputError, Problem, UsageError
from sheetgen.recipes.characters import Party, read_party
from sheetgen.recipes.project import Project, project_at
from sheetgen.recipes.sheets import Report, check_count, sources, write_characters

EXAMPLE = """  sheetgen sheet heroes.yaml
  sheetgen sheet heroes.yaml -o heroes.pdf --back --paper letter"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Writes the characters of the files that the words name."""
    parse = parser("sheet", "Prints filled sheets for the characters of YAML, JSON or CSV files.", EXAMPLE)
    parse.add_argument(
        "files", nargs="+", metavar="CHARACTERS", help="files of characters, all of one system for one output"
    )
    parse.add_argument("--back", action="store_true", help="player sheets: with the back")
    add_paper(parse)
    add_output(parse, formats=".pdf, .html, .yaml, .json or .csv")
    args = parse.read(words)
    project = project_at(where, environ)
    wanted = targets(args.output, args.to, where)
    inputs = [where / name for name in args.files]
    for target in wanted:
        if target.path is not None and any(target.path.resolve() == each.resolve() for each in inputs):
            raise UsageError(f"{target.name} is an input: the output must have another name")
    party = _joined(_read(project, inputs))
    inputs += sources(project, party.pack)
    refuse_inputs(wanted, inputs)
    for target in wanted:
        check_count(target.form, len(party.characters))
    teller = Teller(args.quiet, args.json, {"system": party.pack.system.id}, any(t.path is None for t in wanted))
    wanted = wanted or own_targets(project, inputs[0].stem, (".pdf",), teller)
    for target in wanted:
        _write(project, party, inputs, args, target=target, teller=teller)
    return teller.finish()


def _write(
    project: Project, party: Party, inputs: Sequence[Path], args: Namespace, *, target: Target, teller: Teller
) -> None:
    count = len(party.characters)
    shown = progress(count, "sheets", args.quiet or args.json)

    def make(write: Write) -> Report:
        people = party.characters
        return write_characters(
            project, party.pack, people, write, form=target.form, paper=args.paper, back=args.back, progress=shown
        )

    report = deliver_people(target, make, teller, inputs=inputs)
    if report is not None and target.path is not None:
        teller.wrote(target.name, f"{report.printed:,} of {count:,} character{'' if count == 1 else 's'}")


def _read(project: Project, inputs: Sequence[Path]) -> list[Party]:
    parties: list[Party] = []
    problems: list[Problem] = []
    for path in inputs:
        try:
            parties.append(read_party(project, path))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return parties


def _joined(parties: list[Party]) -> Party:
    systems = {party.pack.system.id for party in parties}
    if len(systems) > 1:
        raise UsageError(f"characters of {' and '.join(sorted(systems))} cannot share one output: print them apart")
    return Party(parties[0].pack, tuple(character for party in parties for character in party.characters))
