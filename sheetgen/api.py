"""The library: what the verbs of the command line do, as functions. `import sheetgen` offers them all.

A pack is given as what `load` returned, as a name (`"gamers"`) or as a path (`"./mist"`). Results go to a path or a
binary stream, whole or not at all; without either they come back as bytes. Everything a user can mend is raised as a
`SheetgenError`, whose text is one line a problem.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from sheetgen.errors import InputError, Problem, SheetgenError, UsageError, quoted
from sheetgen.errors import Place as FilePlace
from sheetgen.model.character import Character
from sheetgen.notebook import picture, table
from sheetgen.people import rerolling
from sheetgen.people.character_files import Party, problems_of, read_party
from sheetgen.people.groups import GroupRun, check_group, group_named, roll_group
from sheetgen.people.rolling import RollOptions
from sheetgen.people.rolling import roll as roll_run
from sheetgen.products.options import chosen_options
from sheetgen.products.people.npc import group_heading
from sheetgen.products.people.people import asks, run_hint
from sheetgen.products.people.printing import FORMATS, checked_format, write_people
from sheetgen.products.people.roster import heading_of
from sheetgen.products.product import PRODUCTS, Reporter, produce, product_named
from sheetgen.products.report import Report
from sheetgen.products.shapes import SHAPES, PrintOptions, RosterHeading, shape_named
from sheetgen.rules.odds import Odds
from sheetgen.rules.procedures.parameters import plain_words
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import rulings_of
from sheetgen.rules.rerolling import Reroll
from sheetgen.services import read_forms as services
from sheetgen.table import duel as duels
from sheetgen.table.play import PlayResult, RandomSource, procedure_named
from sheetgen.table.play import odds as procedure_odds
from sheetgen.table.play import play as play_procedure
from sheetgen.workspace.packs import Pack, open_pack, sources
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import Target, targets, write_target

SHOWN = 20  # people that a notebook lists
SHOWN_DPI = 60

Place = Path | str | BinaryIO | None


class People(list[Character]):
    """Characters of one pack, in order: what `roll`, `group` and `reroll` return; the `heading` is that of a group."""

    def __init__(self, pack: Pack, characters: Iterable[Character], heading: RosterHeading | None = None) -> None:
        super().__init__(characters)
        self.pack = pack
        self.heading = heading or RosterHeading()
        self._checked = {id(each): each for each in self}

    def unchecked(self, characters: Iterable[Character]) -> list[Character]:
        """Return those characters that were put in or changed since these people were rolled or read."""
        return [each for each in characters if self._checked.get(id(each)) is not each]

    def _repr_html_(self) -> str:
        names = [spec.name for spec in self.pack.system.fields if spec.kind == "text"][:4]
        rows = [[each.text(name) for name in names] for each in self[:SHOWN]]
        more = f"<p>and {len(self) - SHOWN} more</p>" if len(self) > SHOWN else ""
        return table(names, rows) + more


@dataclass(frozen=True)
class Result:
    """A product that was made: its bytes, the files it was written to, how to print it, and facts about it."""

    data: bytes = field(repr=False)
    what: str
    form: str
    written: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict, repr=False)

    def _repr_html_(self) -> str:
        if self.form != ".pdf":
            return f"<p>{self.what}</p>"
        from sheetgen.pdf.pdfium import pictures  # imports PDFium

        first = next(pictures(self.data, dpi=SHOWN_DPI), b"")
        return picture(first, self.what)


def _project(where: Path | str | None = None) -> Project:
    return project_at(Path(where) if where else Path.cwd(), os.environ)


def _opened(pack: Pack | str, project: Project) -> Pack:
    return open_pack(project, pack) if isinstance(pack, str) else pack


def load(system: str, *, where: Path | None = None) -> Pack:
    """Return the checked pack of a name or a path; InputError with every problem of its files."""
    return open_pack(_project(where), system)


def read(path: Path | str, *, where: Path | None = None) -> Party:
    """Return the characters of a YAML, JSON or table file with their pack; InputError with all its problems.

    From a filled form (a PDF) it is the character whom it shows, and what is odd about it stands in the notes.
    """
    project = _project(where)
    if Path(path).suffix.lower() == ".pdf":
        (form,) = services.read_forms(project, [project.where / path])
        if isinstance(form, InputError):
            raise form
        return Party(form.pack, (form.character,), tuple(Problem(FilePlace(form.shown), line) for line in form.odd))
    return rerolling.with_edits_marked(read_party(project, project.where / path))


def read_forms(
    *paths: Path | str, system: str = "", map: Path | str | None = None, onto: Party | None = None
) -> list[services.ReadForm | InputError]:
    """Return for each filled form its character and what is odd about it, or in its place why it cannot be read.

    `system` names their game where the fields do not tell, `map` is a file that says which value goes into which field,
    and with `onto` each is somebody of these people, who keeps what the form does not change.
    """
    project = _project()
    by = project.where / map if map else None
    return list(services.read_forms(project, [project.where / path for path in paths], system=system, by=by, onto=onto))


def roll(
    pack: Pack | str,
    count: int = 1,
    *,
    seed: int,
    first: int = 1,
    method: str = "",
    archetype: str = "",
    options: Mapping[str, str] | None = None,
) -> People:
    """Return the characters number `first` and on of the run with that seed; UsageError for an unknown word."""
    opened = _opened(pack, _project())
    run = RollOptions(seed, count, first, method, archetype, dict(options or {}))
    return People(opened, islice(roll_run(opened, run), count))


def group(
    pack: Pack | str, name: str, *, seed: int, method: str = "", options: Mapping[str, str] | None = None
) -> People:
    """Return everybody of a group: a ready-made one of the pack, or one from a file; UsageError for an unknown name."""
    project = _project()
    opened = _opened(pack, project)
    found, _ = group_named(project, opened, name)
    group_run = GroupRun(found, seed, method, dict(options or {}))
    check_group(opened, group_run)
    return People(opened, roll_group(opened, group_run), group_heading(opened, group_run))


def _folk(who: People | Party | Path | str) -> People:
    party = read(who) if isinstance(who, (Path, str)) else who
    return party if isinstance(party, People) else People(party.pack, party.characters, heading_of(party.group))


def reroll(who: People | Party | Path | str, *steps: str, seed: int, keep: Sequence[str] = ()) -> People:
    """Return people with some steps or fields rolled again (or `"all"`) and everything else as it was.

    UsageError for a word that means nothing to any of them; InputError for each whom it would make illegal.
    """
    before = _folk(who)
    again = rerolling.reroll(Party(before.pack, tuple(before)), Reroll(steps, seed, tuple(keep)))
    return People(before.pack, again, heading_of(before.heading.group))


def write(
    pack: Pack | str,
    characters: Iterable[Character] | Party,
    path: Path | str | BinaryIO,
    *,
    shape: str = "sheet",
    paper: str = "a4",
    back: bool = False,
    form: str = "",
) -> Report:
    """Write characters to a .pdf, .html, .yaml, .json or table file, or to a stream; return a report on each.

    The shape is `sheet`, `card`, `index` or `roster`; a stream needs the format as `form`. A group keeps its title, and
    begins with its page; whoever was changed is marked as edited. UsageError for another shape or format; InputError,
    before anything is written, for characters that break a rule of their game.
    """
    shapes = [name for name in SHAPES if shape_named(name).filled is None]
    if shape not in shapes:
        raise UsageError(f"unknown shape {quoted(shape)}; there are {', '.join(shapes)}")
    project = _project()
    opened, target = _opened(pack, project), _target(project, path, form, FORMATS, FORMATS[0])
    checked_format(target.form, target.name)
    people = _folk(characters) if isinstance(characters, Party) else characters
    heading = people.heading if isinstance(people, People) else RosterHeading()
    found = _with_edits_marked(opened, people, heading)
    heading = replace(heading, reroll_hint=heading.reroll_hint or run_hint(found))
    in_front = heading.is_group and shape_named(shape).is_stamped
    printing = PrintOptions(
        paper,
        shape,
        back,
        heading=heading,
        roster=in_front,
        portraits=any(each.picture for each in found),
        asked=asks(opened, found),
    )
    return write_target(
        target,
        lambda put: write_people(project, opened, found, put, printing, form=target.form),
        inputs=sources(project, opened),
    )


def _with_edits_marked(pack: Pack, characters: Iterable[Character], heading: RosterHeading) -> list[Character]:
    """Return everybody, those whom a program changed marked as edited; InputError if they break a rule."""
    found = list(characters)
    doubtful = characters.unchecked(found) if isinstance(characters, People) else found
    if doubtful and (problems := problems_of(pack.system, doubtful)):
        raise InputError(problems)
    marked = rerolling.with_edits_marked(Party(pack, tuple(doubtful), group=heading.group)).characters
    changed = {id(old): new for old, new in zip(doubtful, marked, strict=True)}
    return [changed.get(id(each), each) for each in found]


def make(product: str, subject: Any = None, to: Place = None, **options: Any) -> Result:
    """Return a product: people of a pack (`npc`) or a file (`sheet`), what a pack has (`blank`, `book`, `cards`,
    `screen`, `reference`, `handouts`), a PDF imposed (`booklet`) or filled in (`fill`), a page to measure a printer by
    (`proof`), shards put together (`merge`).

    `to` is where it goes as well: a file, or a folder for several. The options are those of the verb: `make("book",
    "gamers", paper="a5")`; a stream, or no place at all, takes the format as `form=".html"`. UsageError names an option
    or a value that is unknown.
    """
    project, kind, form = _project(), product_named(product), str(options.pop("form", ""))
    chosen = chosen_options(kind.options, options)
    if isinstance(to, (Path, str)):
        wanted = kind.read_targets(chosen, [str(to)], "", project.where)
    else:
        wanted = (_target(project, BytesIO() if to is None else to, form, kind.formats, kind.formats[0]),)
    kind.check(chosen, wanted)
    record, stream = Reporter(), wanted[0].stream
    made = produce(kind, project, kind.open(project, subject, chosen), chosen, wanted=wanted, reporter=record)
    written = tuple(record.facts.get("written", ()))
    data = made[0].data if made else b""
    if not data and isinstance(stream, BytesIO):
        data = stream.getvalue()
    elif not data and written and wanted[0].path is not None and wanted[0].path.is_file():
        data = wanted[0].path.read_bytes()
    if not data and not written:
        raise SheetgenError("\n".join(record.facts.get("skipped", ["nothing was made"])))
    what, advice = (made[0].what, made[0].advice) if made else (f"{len(written)} files", ())
    return Result(data, what, wanted[0].form, written, advice, record.facts)


def _target(project: Project, place: Path | str | BinaryIO, form: str, formats: Sequence[str], usual: str) -> Target:
    if isinstance(place, (Path, str)):
        (target,) = targets([str(place)], "", project.where, formats)
        return target
    suffix = f".{(form or usual).removeprefix('.')}"
    if suffix not in formats:
        raise UsageError(f"the format must be {', '.join(formats)}, not {quoted(suffix)}")
    return Target("the stream", None, suffix, stream=place)


def fill(
    form: Path | str,
    who: People | Party | Path | str,
    to: Path | str,
    *,
    map: Path | str | None = None,
    flat: bool = False,
) -> Reporter:
    """Fill in anybody's fillable PDF for people and return what was written, and what found no place.

    `to` is a file for one person or with `flat`, which prints everybody into one file, and a folder otherwise; `map`
    is a file that says which value goes into which field.
    """
    folk, record, project = _folk(who), Reporter(), _project()
    options = {"flat": flat, **({"map": str(map)} if map else {})}
    kind = product_named("fill")
    chosen = chosen_options(kind.options, options)
    job = kind.open(project, (form, Party(folk.pack, tuple(folk))), chosen)
    folder = not flat and len(folk) != 1
    target = Target(str(to), project.where / to, ".pdf", folder=folder)
    produce(kind, project, job, chosen, wanted=[target], reporter=record)
    return record


def duel(
    pack: Pack | str,
    first: str,
    second: str,
    *,
    count: int = 1000,
    seed: int = 1,
    using: tuple[str, str] = ("", ""),
    given: Mapping[str, str] | None = None,
) -> duels.Tally:
    """Return how often each of two fighters wins: archetypes, `@FILE:NAME`, or records in YAML."""
    project = _project()
    fought = partial(duels.duel, project, _opened(pack, project), (first, second), using=using)
    return fought(given=dict(given or {}), count=count, seed=seed)


def play(
    pack: Pack | str, name: str, /, *, dice: Iterable[int] | None = None, seed: int = 1, **given: Any
) -> PlayResult:
    """Return what comes of a procedure and its log, with these faces or those of a seed; Wrong for a bad parameter."""
    opened = _opened(pack, _project())
    procedure = procedure_named(opened, name)
    source = RandomSource(seed, dice=tuple(dice) if dice is not None else None)
    return play_procedure(opened, procedure, _arguments(opened, procedure, given), source)


def odds(pack: Pack | str, name: str, /, *, of: str, policy: str = "", **given: Any) -> Odds:
    """Return the exact odds of one result of a procedure; LimitError when there are too many paths to walk."""
    opened = _opened(pack, _project())
    procedure = procedure_named(opened, name)
    return procedure_odds(opened, procedure, _arguments(opened, procedure, given), of=of, policy=policy)


def _arguments(pack: Pack, procedure: Procedure, given: Mapping[str, Any]) -> dict[str, Any]:
    from sheetgen.dice.source import Scripted

    rulings = rulings_of(pack.system)
    names = {name.rstrip("_"): value for name, value in given.items()}
    return procedure.arguments(plain_words(names), Play(pack.system, Scripted(()), rulings=rulings))


def product_names() -> tuple[str, ...]:
    """Return the names of all products that `make` takes."""
    return tuple(PRODUCTS)
