"""Rolled people as a product: a run by its seed, a group, whom a code stands for, or part of a file rolled again."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from sheetgen.documents.people.sheet import said_words
from sheetgen.errors import UsageError, quoted
from sheetgen.people.character_files import READABLE, places_in, read_party
from sheetgen.people.groups import GroupRun, check_group, group_explanation, group_named, roll_group, titled
from sheetgen.people.rerolling import differences, patched_text, reroll
from sheetgen.people.rerolling import explanation as rerolling_explanation
from sheetgen.people.rolling import (
    MOST_ROLLED,
    RollOptions,
    check_run,
    code_of_run,
    explanation,
    known_words,
    read_roll_code,
    roll,
)
from sheetgen.products.options import RolledOptions, choice, default_of, whole_number
from sheetgen.products.people.options import NPC_SHAPE, SHAPES_SAID, PeopleOptions, people_conflict
from sheetgen.products.people.people import PeopleJob, job_of_party, people_product
from sheetgen.products.people.printing import FORMATS
from sheetgen.products.people.roster import heading_of
from sheetgen.products.product import Argument, default_stem, fonts_of, opened_pack
from sheetgen.products.report import Report
from sheetgen.products.shapes import SHAPES, RosterHeading, shape_named
from sheetgen.rules.rerolling import Reroll
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import slug

SAMPLE_SEED, SAMPLE_COUNT = 7, 12  # the people that `build` prints
SAID = 12  # characters of whom it is told one by one what changed
FROM_THE_FILE = ("count", "index", "method", "archetype", "option", "names", "pronouns", "level", "group")
SHORT_FOR = {"names": "culture", "pronouns": "pronouns"}
FROM_THE_CODE = ("seed", *FROM_THE_FILE, "reroll")

_MADE = re.compile(r"(?P<stem>.*?)-rerolled(?:-(?P<number>[1-9][0-9]*))?")


@dataclass(frozen=True, kw_only=True)
class NpcOptions(PeopleOptions, RolledOptions):
    """Whom to roll, and how they are printed; without a seed each run has another one."""

    shape: str = choice(
        NPC_SHAPE, f"{SHAPES_SAID}; default npc", choices=tuple(SHAPES), flag="--as", label="printed as"
    )
    count: int = choice(
        1, "how many (default 1)", label="how many", read=whole_number(1, MOST_ROLLED), short="-n", metavar="N"
    )
    index: int = choice(1, "start at number I of the run", read=whole_number(1, 10**9), metavar="I", terminal=True)
    method: str = choice(
        "",
        "how they are made: random, arrange, points, …",
        read=str,
        metavar="NAME",
        offers=lambda project, pack: pack.system.creation.methods,
    )
    group: str = choice("", "roll a group: a ready-made one of the system, or a YAML file", read=str, metavar="GROUP")
    names: str = choice(
        "",
        "names of one people: slavic, nordic, … (as --option culture=)",
        label="names of",
        read=str,
        metavar="PEOPLE",
    )
    pronouns: str = choice("", "she, he or they for everybody (as --option pronouns=)", read=str, metavar="WORD")
    level: str = choice(
        "", "how strong: weak, average, able, strong or boss", read=str, metavar="WORD", label="strength"
    )
    reroll: str | None = choice(
        None,
        "with a FILE of characters for SYSTEM: roll these steps or fields again (or all)",
        read=str,
        metavar="STEP,…",
        terminal=True,
    )
    keep: str = choice("", "with --reroll: leave these fields as they are", read=str, metavar="FIELD,…", terminal=True)
    from_code: str = choice(
        "", "whoever the code on a sheet, card or roster stands for", read=str, metavar="TEXT", terminal=True
    )
    log: bool = choice(False, "tell how each was rolled, line by line", terminal=True)

    def given(self, names: Iterable[str]) -> list[str]:
        """Return those of the names that were given another value than their default."""
        usual = {each.name: default_of(each) for each in fields(self)}
        return [name for name in names if getattr(self, name) != usual[name]]


def _conflict(options: NpcOptions, formats: Collection[str]) -> None:
    people_conflict(options, formats)
    if options.keep and options.reroll is None:
        raise UsageError("--keep goes with --reroll: it names what is not rolled again")
    if options.only and options.reroll is None:
        raise UsageError("--only names people of a file: it goes with --reroll, and with sheetgen sheet")
    if options.resume and options.seed is None:
        raise UsageError("--resume goes on with a run that was begun: say its --seed, too")
    if options.group and options.given(("archetype", "count", "index")):
        raise UsageError("--group says who there is and how many: leave out --archetype, -n and --index")


def _open(project: Project, given: Any, options: NpcOptions) -> PeopleJob:
    """Return the people that the options ask for; InputError or UsageError, before anybody is rolled."""
    if options.from_code:
        if given or options.given(FROM_THE_CODE):
            raise UsageError("--from-code says whom to roll: leave out the system and what else says so")
        given, options = _decoded(project, options)
    if not given:
        raise UsageError("sheetgen npc: which SYSTEM? sheetgen systems lists them")
    seed = secrets.randbelow(1_000_000) if options.seed is None else options.seed
    if options.reroll is not None:
        job = _rerolled(project, project.where / given, options, seed)
    else:
        pack = opened_pack(project, given, options)
        job = (_group if options.group else _run)(project, pack, _with_names(pack, options), seed)
    if options.seed is not None:
        return job
    return replace(job, after=(f"rolled with --seed {seed}",), resume_words=f"--seed {seed} ")


def _with_names(pack: Pack, options: NpcOptions) -> NpcOptions:
    """Return the options with those that stand for an option of the game; UsageError where it has none of that name."""
    found = dict(options.option)
    for flag, name in SHORT_FOR.items():
        word = getattr(options, flag)
        if not word:
            continue
        if name not in pack.system.creation.options or (flag == name and pack.system.spec(name) is None):
            others = ", ".join(pack.system.creation.options) or "none"
            raise UsageError(f"--{flag} {word}: {pack.system.title} cannot choose {name}; its options are {others}")
        if found.setdefault(name, word) != word:
            raise UsageError(f"--{flag} {word} and --option {name}={found[name]}: leave out one of the two")
    if options.level:
        strength = pack.system.creation.strength
        if strength is None:
            raise UsageError(f"--level {options.level}: {pack.system.title} has no levels of strength")
        if found.setdefault(strength.name, options.level) != options.level:
            raise UsageError(f"--level {options.level} and --option {strength.name}: leave out one of the two")
    return replace(options, option=found)


def _decoded(project: Project, options: NpcOptions) -> tuple[str, NpcOptions]:
    """Return the system and the options that the code stands for."""
    system, run = read_roll_code(options.from_code, project.library.packs)
    run = known_words(open_pack(project, system).system, run)
    asked = replace(options, seed=run.seed, count=run.count, index=run.first, method=run.method)
    return system, replace(asked, archetype=run.archetype, option=dict(run.options))


def _run(project: Project, pack: Pack, options: NpcOptions, seed: int) -> PeopleJob:
    """Return the people of one run."""
    run = RollOptions(seed, options.count, options.index, options.method, options.archetype, dict(options.option))
    check_run(pack, run)
    last = "" if run.count == 1 else f" to {run.first + run.count - 1:,}"
    hint = f"{_settled(pack, run.archetype, run.method, run.options)}seed {seed} · no. {run.first:,}{last}"
    code = code_of_run(pack.system, run) if options.code and options.kind.listing else ""
    job = _rolled_job(project, pack, options, seed, default_stem(pack, options.kind.named, options.paper))
    before = partial(explanation, pack, run) if options.log else tuple
    heading = RosterHeading(reroll_hint=hint, code=code)
    return replace(job, people=partial(roll, pack, run), count=run.count, heading=heading, before=before, run=repr(run))


def _group(project: Project, pack: Pack, options: NpcOptions, seed: int) -> PeopleJob:
    """Return the people of one group."""
    group, inputs = group_named(project, pack, options.group)
    run = GroupRun(group, seed, options.method, dict(options.option))
    check_group(pack, run)
    heading = group_heading(pack, run)
    stem = default_stem(pack, slug(heading.title.casefold()), options.paper)
    job = _rolled_job(project, pack, options, seed, stem if options.usual else f"{stem}-{options.kind.named}")
    return replace(
        job,
        people=lambda: roll_group(pack, run),
        count=group.size,
        heading=heading,
        in_front=True,
        inputs=(*inputs, *job.inputs),
        before=(lambda: group_explanation(pack, run)) if options.log else tuple,
    )


def group_heading(pack: Pack, run: GroupRun) -> RosterHeading:
    """Return the heading of a rolled group: its title, its line, and how to roll it again."""
    title = titled(run.group.title)
    again = f"{_settled(pack, '', run.method, run.options)}seed {run.seed}"
    return RosterHeading(title, run.group.say, again, is_group=True)


def _rolled_job(project: Project, pack: Pack, options: NpcOptions, seed: int, stem: str) -> PeopleJob:
    """Return a job without people, for whoever is rolled."""

    def summary(report: Report) -> str:
        return f"{report.printed:,} {'person' if report.printed == 1 else 'people'} of {pack.system.title}"

    fonts, files = fonts_of(project, options.font)
    facts = {"system": pack.system.id, "seed": seed}
    return PeopleJob(pack, tuple, 0, stem, summary, facts, inputs=files, fonts=fonts, asked=pack.ours)


def _settled(pack: Pack, archetype: str, method: str, options: Mapping[str, str]) -> str:
    """Return the options of the run, as the foot of a roster has them."""
    words = said_words(pack.system, archetype, method, options)
    return f"{', '.join(words)} · " if words else ""


def _rerolled(project: Project, path: Path, options: NpcOptions, seed: int) -> PeopleJob:
    """Return the characters of a file with part of each rolled again."""
    steps = _split_names(options.reroll or "")
    if path.suffix.lower() not in READABLE:
        shown = project.shown(path)
        raise UsageError(f"--reroll takes a file of characters ({', '.join(READABLE)}), not {quoted(shown)}")
    if not steps:
        raise UsageError("--reroll needs a step or a field, such as skills, or all")
    for name in options.given(FROM_THE_FILE):
        option = "-n" if name == "count" else f"--{name}"
        raise UsageError(f"{option} does not go with --reroll: each character keeps its own, as its file says")
    party = read_party(project, path)
    everybody = party.characters
    chosen = places_in(everybody, options.only) if options.only else tuple(range(len(everybody)))
    again = replace(party, characters=tuple(everybody[at] for at in chosen))
    made = dict(zip(chosen, reroll(again, Reroll(steps, seed, _split_names(options.keep))), strict=True))
    people = tuple(made.get(at, each) for at, each in enumerate(everybody))

    def before() -> Iterator[str]:
        yield from rerolling_explanation(again, tuple(made.values())) if options.log else ()
        for at in chosen[:SAID]:
            yield differences(everybody[at], made[at])
        if len(chosen) > SAID:
            yield f"and {len(chosen) - SAID:,} more"

    return job_of_party(
        project,
        party,
        options,
        _made_from(path),
        people=lambda: people,
        facts={"system": party.pack.system.id, "seed": seed, "rerolled": list(steps)},
        heading=heading_of(party.group) or RosterHeading(),
        inputs=(path,),
        before=before,
        patched=patched_text(project, path, party, people),
    )


def _split_names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def _made_from(path: Path) -> str:
    """Return the name of what is made from a file: `guards-rerolled`, `guards-rerolled-2` from that, and so on."""
    made = _MADE.fullmatch(path.stem)
    return f"{made['stem']}-rerolled-{int(made['number'] or 1) + 1}" if made else f"{path.stem}-rerolled"


def _variants(project: Project, pack: Pack) -> Iterator[tuple[str, NpcOptions]]:
    for name in SHAPES if pack.system.creation.methods else ():
        if shape_named(name).is_stamped:
            yield "npc", NpcOptions(shape=name, seed=SAMPLE_SEED, count=SAMPLE_COUNT)


def _sample_stem(job: PeopleJob, options: NpcOptions) -> str:
    """Return what `build` calls these people: they are not those that somebody rolled."""
    shape = "" if options.usual else f"-{options.shape}"
    return default_stem(job.pack, f"sample{shape}", options.paper)


NPC = people_product(
    "npc",
    "roll people and print them",
    options=NpcOptions,
    arguments=(Argument("system", "a system, or the folder of a pack; with --reroll a file of characters", count="?"),),
    open=_open,
    usual=(".pdf", ".yaml"),
    conflict=_conflict,
    variants=_variants,
    built=lambda options: FORMATS[:3] if options.usual else FORMATS[:1],
    build_stem=_sample_stem,
)
