"""`sheetgen sheet`: filled sheets for characters in files."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.form_output import font_files, fonts_of
from sheetgen.cli.options import add_output, add_paper, parser, tone_of
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.people_output import PeopleJob, add_printing, check_job, print_job, read_targets, stem_of
from sheetgen.errors import InputError, Problem, UsageError
from sheetgen.people.character_files import Party, read_party
from sheetgen.people.rerolling import with_edits_marked
from sheetgen.products.batch_pdf import Report
from sheetgen.products.formats import SHAPES, SHEET
from sheetgen.products.roster import PEOPLE, RosterHeading, heading_of
from sheetgen.workspace.project import Project, project_at

ROLLED = SHAPES[SHEET].named  # the file of people that were rolled without a name for it
EXAMPLE = """  sheetgen sheet heroes.yaml
  sheetgen sheet guards.yaml --as card
  sheetgen sheet heroes.yaml villains.yaml --contents --sort name
  sheetgen sheet heroes.yaml -o heroes.pdf --back --paper letter"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the characters of the files that the words name."""
    parse = parser("sheet", "Prints filled sheets for the characters of YAML, JSON or CSV files.", EXAMPLE)
    parse.add_argument(
        "files", nargs="+", metavar="CHARACTERS", help="files of characters, all of one system for one output"
    )
    add_printing(parse)
    add_paper(parse)
    add_output(parse, formats=".pdf, .html, .yaml, .json, .csv or .zip")
    args = parse.read(words)
    project = project_at(where, environ)
    inputs = [where / name for name in args.files]
    wanted = read_targets(args, where, 1)
    for target in wanted:
        if target.path is not None and any(target.path.resolve() == each.resolve() for each in inputs):
            raise UsageError(f"{target.name} is an input: the output must have another name")
    party = _joined(_read(project, inputs))
    job = _job(project, party, args, inputs)
    check_job(job, args, wanted)
    reporter = ConsoleReporter(
        args.quiet, args.json, {"system": party.pack.system.id}, any(t.path is None for t in wanted)
    )
    reporter.note(map(str, party.notes), "noted")
    print_job(job, args, wanted, reporter)
    return reporter.finish()


def _job(project: Project, party: Party, args: Namespace, inputs: Sequence[Path]) -> PeopleJob:
    count, stem = len(party.characters), inputs[0].stem
    own = stem.removeprefix(f"{party.pack.system.id}-").replace("-", " ")
    title = PEOPLE if len(inputs) > 1 or own == ROLLED else own[:1].upper() + own[1:]

    def summary(report: Report) -> str:
        return f"{report.printed:,} of {count:,} character{'' if count == 1 else 's'}"

    return PeopleJob(
        project=project,
        pack=party.pack.with_tone(tone_of(args)),
        people=lambda: party.characters,
        count=count,
        stem=stem_of(args, stem),
        suffixes=(".pdf",),
        summary=summary,
        heading=heading_of(party.group) or RosterHeading(title),
        roster=party.group is not None,
        inputs=(*inputs, *font_files(project.where, args)),
        fonts=fonts_of(project, args),
    )


def _read(project: Project, inputs: Sequence[Path]) -> list[Party]:
    parties: list[Party] = []
    problems: list[Problem] = []
    for path in inputs:
        try:
            parties.append(with_edits_marked(read_party(project, path)))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return parties


def _joined(parties: list[Party]) -> Party:
    systems = {party.pack.system.id for party in parties}
    if len(systems) > 1:
        raise UsageError(f"characters of {' and '.join(sorted(systems))} cannot share one output: print them apart")
    characters = tuple(character for party in parties for character in party.characters)
    group = parties[0].group if len(parties) == 1 else None
    return Party(parties[0].pack, characters, tuple(note for party in parties for note in party.notes), group)
