"""`sheetgen npc --reroll`: part of the characters of a file rolled again, the rest kept."""

from __future__ import annotations

import re
import secrets
from argparse import ArgumentParser, Namespace
from pathlib import Path

from sheetgen.cli.form_output import FORM, font_files, fonts_of
from sheetgen.cli.options import tone_of
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.people_output import PeopleJob, check_job, print_job, read_targets, stem_of
from sheetgen.cli.split_output import is_packed
from sheetgen.errors import UsageError, quoted
from sheetgen.people.character_files import READABLE, read_party
from sheetgen.people.rerolling import differences, explanation, patched_text, reroll
from sheetgen.products.batch_pdf import Report
from sheetgen.products.roster import RosterHeading, heading_of
from sheetgen.rules.rerolling import Reroll
from sheetgen.workspace.packs import owner_of, sources
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import Target, own_targets, refuse_inputs, write_target

SAID = 12  # characters of whom it is told one by one what changed
FROM_THE_FILE = {
    "count": "-n",
    "index": "--index",
    "method": "--method",
    "archetype": "--archetype",
    "option": "--option",
    "group": "--group",
}

_MADE = re.compile(r"(?P<stem>.*?)-rerolled(?:-(?P<number>[1-9][0-9]*))?")


def add_rerolling(to: ArgumentParser) -> None:
    """Add the options that roll part of a file again."""
    to.add_argument(
        "--reroll",
        metavar="STEP,…",
        help="with a FILE of characters for SYSTEM: roll these steps or fields again (or all)",
    )
    to.add_argument("--keep", metavar="FIELD,…", default="", help="with --reroll: leave these fields as they are")


def run_again(project: Project, args: Namespace, defaults: Namespace) -> int:
    """Reroll what the words ask for, and write everybody of the file to another one."""
    path, steps = project.where / args.system, _listed(args.reroll)
    _check_words(args, steps, defaults)
    wanted = read_targets(args, project.where, 1)
    refuse_inputs(wanted, [path])
    party = read_party(project, path)
    count = len(party.characters)
    read_targets(args, project.where, count)
    seed = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    people = reroll(party, Reroll(steps, seed, _listed(args.keep)))

    def summary(report: Report) -> str:
        return f"{report.printed:,} of {count:,} character{'' if count == 1 else 's'}"

    job = PeopleJob(
        project=project,
        pack=party.pack.with_tone(tone_of(args)),
        people=lambda: people,
        count=count,
        stem=stem_of(args, _made_from(path)),
        suffixes=(".pdf", ".yaml"),
        summary=summary,
        heading=heading_of(party.group) or RosterHeading(),
        roster=party.group is not None,
        inputs=(path, *font_files(project.where, args)),
        fonts=fonts_of(project, args),
        resume_words="" if args.seed is not None else f"--seed {seed} ",
    )
    check_job(job, args, wanted)
    facts = {"system": party.pack.system.id, "seed": seed, "rerolled": list(steps)}
    reporter = ConsoleReporter(args.quiet, args.json, facts, any(target.path is None for target in wanted))
    reporter.note(map(str, party.notes), "noted")
    for line in explanation(party, people) if args.log else ():
        reporter.say(line)
    for before, after in zip(party.characters[:SAID], people[:SAID], strict=True):
        reporter.say(differences(before, after))
    if count > SAID:
        reporter.say(f"and {count - SAID:,} more")
    _write(job, args, wanted, reporter, patched_text(project, path, party, people))
    if args.seed is None:
        reporter.say(f"rolled with --seed {seed}")
    return reporter.finish()


def _write(
    job: PeopleJob, args: Namespace, wanted: tuple[Target, ...], reporter: ConsoleReporter, text: str | None
) -> None:
    """Write everything that was asked for; a YAML file keeps the comments and the order of its source."""
    alone = args.each or args.split or args.shape == FORM or is_packed(args)
    if text is None or alone or args.sort or args.group_by:
        print_job(job, args, wanted, reporter)
        return
    owner = owner_of(job.project, job.pack)
    wanted = wanted or own_targets(job.project, job.stem, job.suffixes, reporter.say, owner=owner)
    printed = tuple(target for target in wanted if target.form != ".yaml")
    if printed:
        print_job(job, args, printed, reporter)
    for target in wanted:
        if target.form == ".yaml":
            write_target(
                target, lambda write: write(text.encode()), inputs=(*job.inputs, *sources(job.project, job.pack))
            )
            if target.path is not None:
                reporter.wrote(target.name, job.summary(Report(printed=job.count)))


def _check_words(args: Namespace, steps: tuple[str, ...], defaults: Namespace) -> None:
    if Path(args.system).suffix.lower() not in READABLE:
        raise UsageError(f"--reroll takes a file of characters ({', '.join(READABLE)}), not {quoted(args.system)}")
    if not steps:
        raise UsageError("--reroll needs a step or a field, such as skills, or all")
    for name, option in FROM_THE_FILE.items():
        if getattr(args, name) != getattr(defaults, name):
            raise UsageError(f"{option} does not go with --reroll: each character keeps its own, as its file says")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def _made_from(path: Path) -> str:
    """Return the name of what is made from a file: `guards-rerolled`, `guards-rerolled-2` from that, and so on."""
    made = _MADE.fullmatch(path.stem)
    return f"{made['stem']}-rerolled-{int(made['number'] or 1) + 1}" if made else f"{path.stem}-rerolled"
