"""`sheetgen npc`: roll people and print them."""

from __future__ import annotations

import secrets
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sheetgen.cli.form_output import font_files, fonts_of
from sheetgen.cli.options import add_output, add_paper, add_rolling, parser, tone_of, unique_values
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.people_output import PeopleJob, add_printing, check_job, named_after, print_job, read_targets
from sheetgen.cli.verbs.reroll import add_rerolling, run_again
from sheetgen.errors import UsageError
from sheetgen.model.character import Character
from sheetgen.people.groups import GroupRun, check_group, group_explanation, group_named, roll_group
from sheetgen.people.roll_code import code_of_run, known_words, read_roll_code
from sheetgen.people.rolling import MOST_CHARACTERS, RollOptions, check_run, explanation, roll
from sheetgen.products.batch_pdf import Report
from sheetgen.products.people_options import ROSTER
from sheetgen.products.product import default_stem
from sheetgen.products.roster import RosterHeading
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.write import slug

EXAMPLE = """  sheetgen npc gamers -n 12 --seed 7
  sheetgen npc gamers --archetype guard --option tech=9 -o guard.pdf -o guard.yaml
  sheetgen npc gamers --group "the night watch" --as card
  sheetgen npc gamers -n 60 --as roster --sort Melee
  sheetgen npc gamers --seed 7 --index 57 --log
  sheetgen npc --reroll skills --keep name,occupation output/gamers-npcs.yaml"""


@dataclass(frozen=True, slots=True)
class Rolled:
    """The people to roll: how to roll them, how many, the message, and the heading."""

    people: Callable[[], Iterable[Character]]
    count: int
    log: Callable[[], Iterable[str]]
    heading: RosterHeading
    stem: str
    is_group: bool = False
    run: str = ""
    inputs: tuple[Path, ...] = ()


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Roll and writes the people that the words ask for."""
    parse = parser("npc", "Rolls non-player characters and prints their sheets.", EXAMPLE)
    parse.add_argument(
        "system", nargs="?", default="", help="a system, or the folder of a pack; with --reroll a file of characters"
    )
    add_rolling(parse, MOST_CHARACTERS)
    parse.add_argument(
        "--group", default="", metavar="GROUP", help="roll a group: a ready-made one of the system, or a YAML file"
    )
    add_rerolling(parse)
    parse.add_argument(
        "--from-code", default="", metavar="TEXT", help="whoever the code on a sheet, card or roster stands for"
    )
    add_printing(parse)
    parse.add_argument("--log", action="store_true", help="tell how each was rolled, line by line")
    add_paper(parse)
    add_output(parse, formats=".pdf, .html, .yaml, .json, .csv or .zip")
    args = parse.read(words)
    _check_words(args)
    project = project_at(where, environ)
    if args.from_code:
        args = _decoded(project, args, parse.read(["-"]))
    if not args.system:
        raise UsageError("sheetgen npc: which SYSTEM? sheetgen systems lists them")
    if args.reroll is not None:
        return run_again(project, args, parse.read([args.system]))
    wanted = read_targets(args, where, args.count)
    seed = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    options = unique_values(args.option, "--option")
    pack = open_pack(project, args.system).with_tone(tone_of(args))
    rolled = (_group if args.group else _run)(project, pack, args, seed, options)
    job = _job(project, pack, args, rolled, seed)
    check_job(job, args, wanted)
    reporter = ConsoleReporter(
        args.quiet, args.json, {"system": pack.system.id, "seed": seed}, any(t.path is None for t in wanted)
    )
    if args.log:
        for line in rolled.log():
            reporter.say(line)
    told = f"rolled with --seed {seed}"
    if args.seed is None and (args.split or args.each):  # whoever breaks off needs it to go on
        reporter.say(told)
    print_job(job, args, wanted, reporter)
    if args.seed is None and not (args.split or args.each):
        reporter.say(told)
    return reporter.finish()


def _decoded(project: Project, args: Namespace, defaults: Namespace) -> Namespace:
    """Return the words with those that the code stands for; UsageError if others say whom to roll."""
    for name in ("system", "seed", "count", "index", "method", "archetype", "option", "group", "reroll"):
        if getattr(args, name) not in (getattr(defaults, name), ""):
            raise UsageError("--from-code says whom to roll: leave out the system and what else says so")
    system, run = read_roll_code(args.from_code, project.library.packs)
    run = known_words(open_pack(project, system).system, run)
    asked = {"system": system, "seed": run.seed, "count": run.count, "index": run.first, "method": run.method}
    asked |= {"archetype": run.archetype, "option": list(run.options.items())}
    return Namespace(**{**vars(args), **asked})


def _check_words(args: Namespace) -> None:
    """Raise UsageError for words that do not go together."""
    if args.keep and args.reroll is None:
        raise UsageError("--keep goes with --reroll: it names what is not rolled again")
    if args.resume and args.seed is None:
        raise UsageError("--resume goes on with a run that was begun: say its --seed, too")
    if args.group and (args.archetype or args.count != 1 or args.index != 1):
        raise UsageError("--group says who there is and how many: leave out --archetype, -n and --index")


def _run(project: Project, pack: Pack, args: Namespace, seed: int, options: Mapping[str, str]) -> Rolled:
    """Return the people of one run."""
    run = RollOptions(seed, args.count, args.index, args.method, args.archetype, options)
    check_run(pack, run)
    last = "" if run.count == 1 else f" to {run.first + run.count - 1:,}"
    again = f"{_settled(run.archetype, run.method, options)}seed {seed} · no. {run.first:,}{last}"
    stem = default_stem(pack, named_after(args), args.paper)
    people, log = partial(roll, pack, run), partial(explanation, pack, run)
    code = code_of_run(pack.system, run) if args.code and args.shape == ROSTER else ""
    return Rolled(people, run.count, log, RosterHeading(reroll_hint=again, code=code), stem, run=repr(run))


def _settled(archetype: str, method: str, options: Mapping[str, str]) -> str:
    """Return the options of the run, as the foot of a roster has them."""
    words = [word for word in (archetype, method, *(f"{name} {value}" for name, value in options.items())) if word]
    return f"{', '.join(words)} · " if words else ""


def _group(project: Project, pack: Pack, args: Namespace, seed: int, options: Mapping[str, str]) -> Rolled:
    """Return the people of one group."""
    group, inputs = group_named(project, pack, args.group)
    group_run = GroupRun(group, seed, args.method, options)
    check_group(pack, group_run)
    title = group.title[:1].upper() + group.title[1:]
    heading = RosterHeading(title, group.say, f"{_settled('', args.method, options)}seed {seed}", is_group=True)
    stem = default_stem(pack, slug(title.casefold()), args.paper)
    return Rolled(
        people=lambda: roll_group(pack, group_run),
        count=group.size,
        log=lambda: group_explanation(pack, group_run),
        heading=heading,
        stem=stem if named_after(args) == "npcs" else f"{stem}-{named_after(args)}",
        is_group=True,
        inputs=inputs,
    )


def _job(project: Project, pack: Pack, args: Namespace, rolled: Rolled, seed: int) -> PeopleJob:
    def summary(report: Report) -> str:
        return f"{report.printed:,} {'person' if report.printed == 1 else 'people'} of {pack.system.title}"

    return PeopleJob(
        project=project,
        pack=pack,
        people=rolled.people,
        count=rolled.count,
        stem=rolled.stem,
        suffixes=(".pdf", ".yaml"),
        summary=summary,
        heading=rolled.heading,
        roster=rolled.is_group,
        inputs=(*rolled.inputs, *font_files(project.where, args)),
        fonts=fonts_of(project, args),
        run=rolled.run,
        resume_words="" if args.seed is not None else f"--seed {seed} ",
    )
