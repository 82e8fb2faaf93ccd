"""Anybody's fillable PDF filled in for characters; it is read and written in confined processes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.field_map import read_map
from sheetgen.documents.people.form_fields import matched, starter, value_names, value_test
from sheetgen.documents.people.sheet import sheet_values
from sheetgen.errors import LimitError, UsageError, quoted
from sheetgen.model.acroform import Acroform, Blank, FieldRule
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.pdf.acroform.field_values import Shortfall, faces_for
from sheetgen.pdf.acroform.fill import fill_form, flatten_form, label_fields
from sheetgen.pdf.acroform.reader import read
from sheetgen.pdf.fonts.bundled import load_face
from sheetgen.pdf.fonts.face import AddedFont, Face, FaceName
from sheetgen.pdf.form.text_fitting import MARK
from sheetgen.people.character_files import Party, read_party
from sheetgen.press.pages import Pdf
from sheetgen.products.options import Options, choice, font_option
from sheetgen.products.product import Argument, Product, ProductResult, Reporter, fonts_of
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.foreign_files import read_pdf
from sheetgen.workspace.project import Project
from sheetgen.workspace.targets import STDOUT, Target, own_targets, targets, write_target
from sheetgen.workspace.write import slugs

MOST_PEOPLE = 500
FEW = 8
UNREPORTED = ("seed",)  # what nobody misses on a form of somebody else's
ALWAYS = f" {MARK}"

Faces = Mapping[FaceName, Face]
Answers = dict[str, str]


@dataclass(frozen=True, slots=True)
class FormPerson:
    """The values of a person's sheet, by name, and the levels behind those values that are levels."""

    name: str
    values: Mapping[str, str]
    levels: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class FillPlan:
    """A form, the rule for the value of each of its fields, and added fonts to set values in."""

    path: Path
    shown: str
    form: Acroform
    rules: Mapping[str, FieldRule | None]
    strict: bool = False  # as a map says it: a tick without its value is taken out
    fonts: tuple[AddedFont, ...] = ()

    def answers(self, person: FormPerson) -> Answers:
        """Return what each field is given; fields without a value are left out, and stay as they are."""
        found = {}
        for name, rule in self.rules.items():
            said = rule.fill(person.values, person.levels) if rule is not None else ""
            if said or (rule is not None and rule.tick and self.strict):
                found[name] = said
        return found

    @property
    def used(self) -> frozenset[str]:
        """The names of the values that have a field."""
        return frozenset(name for rule in self.rules.values() if rule is not None for name in rule.names)

    @property
    def open(self) -> tuple[str, ...]:
        """The names of the fields that no rule is for."""
        return tuple(blank.name for blank in self.form.blanks if blank.name not in self.rules)


def read_form(project: Project, path: Path) -> Acroform:
    """Return the fields of a PDF; InputError for one that cannot be used or has nothing to fill in."""
    shown = project.shown(path)
    return read_pdf(path, shown, lambda source: read(source, shown))


def people_of(party: Party) -> tuple[FormPerson, ...]:
    """Return the characters of a file with their values for forms; LimitError for too many."""
    if len(party.characters) > MOST_PEOPLE:
        raise LimitError(f"a form is filled for {MOST_PEOPLE} people at a time, not {len(party.characters):,}")
    system = party.pack.system
    figures = engine_of(system).figures
    return tuple(
        FormPerson(each.text("name"), sheet_values(system, each, figures(system, each)), _levels(system, each))
        for each in party.characters
    )


def _levels(system: System, character: Character) -> dict[str, int]:
    named = (spec.name for spec in system.fields if spec.kind == "levels")
    return {f"{name}.{trait}": level for name in named for trait, level in character.numbers(name).items()}


def plan_of(
    project: Project, path: Path, form: Acroform, *, system: System, people: Sequence[FormPerson], by: Path | None
) -> FillPlan:
    """Return which value goes into which field: by the map `by` or, without one, by the names of fields and values.

    InputError for a map that names what is not there.
    """
    shown, names = project.shown(path), value_names(system, [each.values for each in people])
    if by is None:
        return FillPlan(path, shown, form, matched(form.blanks, names, system))
    file = project.shown(by)
    rules = read_map(read_file(by, file), file, form.blanks, names, value_test(system, names))
    return FillPlan(path, shown, form, rules, strict=True)


def starter_map(plan: FillPlan, system: System, people: Sequence[FormPerson], *, people_named: str) -> str:
    """Return a map of the form to edit: the values found by name, and all that could go into the other fields."""
    rules = {name: rule for name, rule in plan.rules.items() if rule is not None}
    values = people[0].values if people else {}
    return starter(plan.form, rules, system, values, named=(plan.shown, people_named))


def faces_of(plan: FillPlan, answers: Iterable[Answers]) -> Faces:
    """Return the faces for these answers, cut to the letters used."""
    letters = {*ALWAYS, *(char for each in answers for said in each.values() for char in said)}
    for blank in plan.form.blanks:
        letters.update(blank.value, *(shown for _, shown in blank.options))
    return {name: load_face(name, letters) for name in faces_for(plan.form)}


def filled_pdf(plan: FillPlan, answers: Answers, faces: Faces) -> tuple[bytes, tuple[Shortfall, ...]]:
    """Return the form filled in, still a form, and what found no room in it."""

    def work(source: Pdf) -> tuple[bytes, tuple[Shortfall, ...]]:
        return fill_form(source, plan.shown, answers, faces, added=plan.fonts)

    return read_pdf(plan.path, plan.shown, work)


def flat_pdf(
    plan: FillPlan, people: Sequence[tuple[str, Answers]], faces: Faces
) -> tuple[bytes, tuple[tuple[Shortfall, ...], ...]]:
    """Return the pages of the form, flat, for each of the people (a name and answers each), and what found no room."""
    return read_pdf(
        plan.path, plan.shown, lambda source: flatten_form(source, plan.shown, people, faces, added=plan.fonts)
    )


def names_of_fields(project: Project, path: Path, form: Acroform) -> bytes:
    """Return the pages of the form with the name of each field in its place."""
    shown = project.shown(path)
    faces = faces_of(FillPlan(path, shown, form, {}), [{"": blank.name + _states(blank)} for blank in form.blanks])
    return read_pdf(path, shown, lambda source: label_fields(source, shown, faces))


def _states(blank: Blank) -> str:
    return "".join(spot.state for spot in blank.spots)


def values_without_field(plan: FillPlan, people: Iterable[FormPerson]) -> tuple[str, ...]:
    """Return the names of values that no field takes, alone or within a list; figures come last."""
    used = plan.used
    heads = {name.partition(".")[0] for name in used}
    names = sorted(dict.fromkeys(name for person in people for name in person.values), key=_is_figure)
    return tuple(
        name
        for name in names
        if name not in used and _list_name(name) not in used and not ("." not in name and name in heads)
        if name not in UNREPORTED and not any(_list_name(name) == _list_name(row) for row in _rows(used))
    )


def _is_figure(name: str) -> bool:
    return name.startswith("figure.")


def lists_without_fields(plan: FillPlan, person: FormPerson) -> tuple[Shortfall, ...]:
    """Return the lists for which a form has some lines, but too few for a person."""
    used = plan.used
    found = []
    for whole in dict.fromkeys(map(_list_name, _rows(used))):
        if whole in used:
            continue
        rows = {name.split(".")[1] for name in person.values if _list_name(name) == whole and name != whole}
        taken = {name.split(".")[1] for name in _rows(used) if _list_name(name) == whole}
        if left := sorted(rows - taken, key=int):
            texts = [person.values.get(f"{whole}.{row}", person.values.get(f"{whole}.{row}.name", row)) for row in left]
            have = "has" if len(left) == 1 else "have"
            message = f"has {len(rows)} lines, and {len(left)} {have} no field: {', '.join(texts)}"
            found.append(Shortfall(whole, message))
    return tuple(found)


def _rows(names: Iterable[str]) -> list[str]:
    """Return the names of lines of lists: gear.1, arms.2.roll."""
    return [name for name in names if _list_name(name) != name]


def _list_name(name: str) -> str:
    """Return the list that a line is one of: gear for gear.1; any other name is itself."""
    parts = name.split(".")
    return parts[0] if len(parts) > 1 and parts[1].isdigit() else name


@dataclass(frozen=True, kw_only=True)
class FillOptions(Options):
    """How a form is filled in."""

    map: str = choice("", "YAML that says which value goes into which field", read=str, metavar="FILE")
    flat: bool = choice(False, "print the values into the pages: one file, no fields")
    font: tuple[str, ...] = font_option()


@dataclass(frozen=True, slots=True)
class FormJob:
    """A form to fill and for whom, a default name for all of it, and the files it is made from."""

    plan: FillPlan
    party: Party
    people: tuple[FormPerson, ...]
    stem: str
    inputs: tuple[Path, ...]


def open_form(project: Project, given: Sequence[Any], options: FillOptions) -> FormJob:
    """Return what is to be filled in, of a form and the characters for it: a file, or those of a party."""
    path, who = project.where / given[0], given[1]
    files = [] if isinstance(who, Party) else [project.where / who]
    party = who if isinstance(who, Party) else read_party(project, files[0])
    people, by = people_of(party), project.where / options.map if options.map else None
    form = read_form(project, path)
    plan = plan_of(project, path, form, system=party.pack.system, people=people, by=by)
    fonts, font_files = fonts_of(project, options.font)
    inputs = (path, *files, *([by] if by else []), *font_files)
    stem = f"{files[0].stem if files else party.pack.system.id}-{path.stem}"
    return FormJob(replace(plan, fonts=fonts), party, people, stem, inputs)


def _targets(options: FillOptions, names: Sequence[str], to: str, where: Path) -> tuple[Target, ...]:
    """Return the file or folder that is named."""
    if len(names) > 1:
        raise UsageError("sheetgen fill takes one -o: a file, or a folder for several forms")
    if not names or names[0] == STDOUT or Path(names[0]).suffix.lower() == ".pdf":
        return targets(names, to or "pdf" if names and names[0] == STDOUT else to, where, (".pdf",))
    return (Target(names[0], where / names[0], ".pdf", folder=True),)


def _suits(project: Project, job: FormJob, options: FillOptions, wanted: Sequence[Target]) -> None:
    """Raise UsageError if a file is named for several forms, or one of another format."""
    one = options.flat or len(job.people) == 1
    for target in wanted:
        if one and target.folder and Path(target.name).suffix:
            raise UsageError(f"{quoted(target.name)}: the format must be .pdf")
        if not one and not target.folder:
            what = "standard output" if target.is_stdout else target.name
            count = len(job.people)
            raise UsageError(f"{what} takes one form, and {count} are one file each: name a folder, or say --flat")


def fill_forms(
    product: object,
    project: Project,
    job: FormJob,
    options: FillOptions,
    *,
    wanted: Sequence[Target],
    reporter: Reporter,
) -> tuple[ProductResult, ...]:
    """Write the form filled in for everybody, in one flat file or one form each, and report what found no place."""
    plan, people = job.plan, job.people
    reporter.note(map(str, job.party.notes), "noted")
    answers = [plan.answers(person) for person in people]
    faces, count = faces_of(plan, answers), len(people)
    made: list[ProductResult] = []

    def put(data: bytes, what: str, own: str, alone: str) -> Target:
        target = placed(project, wanted, own, alone, reporter)
        write_target(target, lambda write: write(data), inputs=job.inputs)
        made.append(ProductResult(data, what))
        return target

    if options.flat:
        named = [(person.name, each) for person, each in zip(people, answers, strict=True)]
        data, shortfalls = flat_pdf(plan, named, faces)
        target = put(data, f"{count} {'person' if count == 1 else 'people'}, printed flat", job.stem, job.stem)
        for person, short in zip(people, shortfalls, strict=True):
            _report_shortfalls(plan, person, short, reporter)
        _report_written(target, made[-1], reporter)
    else:
        for person, said, own in zip(people, answers, slugs(each.name for each in people), strict=True):
            data, short = filled_pdf(plan, said, faces)
            what = f"{person.name}, {len(said)} of {len(plan.form.blanks)} fields"
            target = put(data, what, own, f"{plan.path.stem}-{own}" if count == 1 else f"{job.stem}/{own}")
            _report_shortfalls(plan, person, short, reporter)
            _report_written(target, made[-1], reporter)
    _report_unused(plan, people, reporter)
    return tuple(made)


def placed(project: Project, wanted: Sequence[Target], own: str, alone: str, reporter: Reporter) -> Target:
    """Return the named file, the file `own` in a named folder, or else one called `alone` in the output folder."""
    if not wanted:
        return own_targets(project, alone, (".pdf",), reporter.say)[0]
    (given,) = wanted
    if not given.folder or given.path is None:
        return given
    return Target(os.path.join(given.name, f"{own}.pdf"), given.path / f"{own}.pdf", ".pdf")


def _report_written(target: Target, made: ProductResult, reporter: Reporter) -> None:
    if target.path is not None:
        reporter.wrote(target.name, made.what)


def _report_shortfalls(plan: FillPlan, person: FormPerson, short: Sequence[Shortfall], reporter: Reporter) -> None:
    """Report the values that have no room in a form."""
    lines = [f"{plan.shown}: {person.name}: {quoted(each.name)}: {each.message}" for each in short]
    lines += [f"{plan.shown}: {person.name}: {each.name} {each.message}" for each in lists_without_fields(plan, person)]
    if lines:
        reporter.note(lines, "skipped")
        reporter.failed = True


def _report_unused(plan: FillPlan, people: Sequence[FormPerson], reporter: Reporter) -> None:
    """Report notes on the form, fields that stay empty, and values without a field."""
    left, homeless = plan.open, values_without_field(plan, people)
    reporter.facts.update(fields=len(plan.form.blanks), unmatched=list(left), unplaced=list(homeless))
    for note in plan.form.notes:
        reporter.say(f"  note: {note}")
    if left:
        reporter.say(f"  fields that stay as they are: {_first_names(left)}")
    if homeless and not plan.strict:
        reporter.say(f"  values without a field: {_first_names(homeless)}")
    if (left or homeless) and not plan.strict:
        reporter.say("  --map-out FILE writes a map to edit, which says what goes where")


def _first_names(names: Sequence[str]) -> str:
    rest = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + rest


FILL: Product[FormJob, FillOptions] = Product(
    "fill",
    "anybody’s fillable PDF, filled in for your characters",
    formats=(".pdf",),
    options=FillOptions,
    arguments=(
        Argument("form", "a PDF with fields to fill in", "FORM.pdf"),
        Argument("people", "a file of characters of one system", "CHARACTERS", "?"),
    ),
    open=open_form,
    stem=lambda job, options: job.stem,
    inputs=lambda project, job: job.inputs,
    facts=lambda project, job: {"form": job.plan.shown, "system": job.party.pack.system.id},
    targets=_targets,
    suits=_suits,
    deliver=fill_forms,
    output_help=".pdf, or a folder for several forms",
)
