"""`sheetgen fill`, `read`, `import` and `export`: people onto anybody’s forms, back, and in other formats."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_output, add_watch, again_and_again, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.product_verbs import options_from, product_parser, run_product
from sheetgen.content.schema import schema_of_characters
from sheetgen.errors import EXIT_OK, InputError, UsageError, printable
from sheetgen.people.character_files import Party, read_party
from sheetgen.people.rerolling import differences, patched_text
from sheetgen.products.finished.filled_form import (
    FILL,
    FillOptions,
    FormJob,
    names_of_fields,
    open_form,
    placed,
    read_form,
    starter_map,
)
from sheetgen.products.people.options import PeopleOptions
from sheetgen.products.people.people import SHEETS
from sheetgen.products.product import produce
from sheetgen.services.read_forms import FORMATS, Doubt, ReadForm, onto_party, read_forms, text_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import STDOUT, Target, own_targets, refuse_inputs, targets, write_target
from sheetgen.workspace.write import slugs


def run_fill(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the forms that the words ask for."""
    args, project = _fill_arguments(words), project_at(where, environ)
    options = options_from(args, FillOptions)
    if args.names:
        return _name_fields(project, where / args.form, args, options)
    if args.list or args.map_out:
        return _write_map(project, open_form(project, (args.form, args.people), options), args)
    return run_product(FILL, args, project, environ)


def _fill_arguments(words: Sequence[str]) -> Namespace:
    parse = product_parser(FILL)
    parse.add_argument("--map-out", default="", metavar="FILE", help="write such a map to begin with, and nothing else")
    parse.add_argument("--list", action="store_true", help="print such a map, and make nothing")
    parse.add_argument(
        "--names", action="store_true", help="a copy with the name of each field in its place, to see which is which"
    )
    args = parse.read(words)
    if not args.people and not args.names:
        raise UsageError("sheetgen fill: which CHARACTERS? (only --names goes without); sheetgen fill --help explains")
    if args.names and (args.people or args.map or args.list or args.map_out or args.flat):
        raise UsageError("--names fills fields with their names: it goes with the form alone")
    if (args.list or args.map_out) and (args.output or args.flat):
        raise UsageError("--list and --map-out tell of a form and fill in none: leave out -o and --flat")
    return args


def _write_map(project: Project, job: FormJob, args: Namespace) -> int:
    """Print the map, or write it where there is no file yet: a map that was edited is not lost so easily."""
    text = starter_map(job.plan, job.party.pack.system, job.people, people_named=args.people)
    if args.list:
        print(text, end="")
    if not args.map_out:
        return EXIT_OK
    reporter = ConsoleReporter.of(args, form=args.form)
    path = project.where / args.map_out
    if path.exists():
        raise UsageError(f"{args.map_out} is there already: give the map another name")
    target = Target(args.map_out, path, ".yaml")
    write_target(target, lambda write: write(text.encode()), inputs=job.inputs)
    reporter.wrote(args.map_out, f"a map of {args.form}: edit it, then say --map {args.map_out}")
    return reporter.finish()


def _name_fields(project: Project, path: Path, args: Namespace, options: FillOptions) -> int:
    """Write a flat copy of the form that shows the name of each field in its place."""
    wanted = FILL.read_targets(options, args.output, args.to, project.where)
    reporter = ConsoleReporter.of(args, to_stderr=any(each.is_stdout for each in wanted), form=args.form)
    refuse_inputs(wanted, [path])
    form = read_form(project, path)
    data, own = names_of_fields(project, path, form), f"{path.stem}-names"
    target = placed(project, wanted, own, own, reporter)
    write_target(target, lambda write: write(data), inputs=[path])
    if target.path is not None:
        reporter.wrote(target.name, f"{len(form.blanks)} fields by name; of boxes to tick the end of it, in red")
    return reporter.finish()


READ_SAY = """Reads filled forms back into character files: sheets of ours that somebody filled in with a PDF
reader, and with a map anybody's. Without -o each form becomes a file of its own in output/;
one -o takes all of them. What is ambiguous is asked at a terminal, and else taken as is likeliest, and
told. What no character file holds, or no rule allows, is listed; exit 1 then."""
READ_EXAMPLE = """  sheetgen read ada.pdf                            output/ada.yaml
  sheetgen read forms                              thirty forms of a folder: a file each
  sheetgen read forms -o class.xlsx                or one table
  sheetgen read ada.pdf --onto heroes.yaml -o heroes-2.yaml
  sheetgen read club-form.pdf --system gamers --map club-form.yaml"""


def run_read(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the characters of the forms that the words name."""
    return read_into_files("read", READ_SAY, READ_EXAMPLE, words, where, environ)


def read_into_files(  # noqa: PLR0917  # of a verb and its words
    verb: str, say: str, example: str, words: Sequence[str], where: Path, environ: Mapping[str, str]
) -> int:
    """Write the characters of forms, or of files of other programs, as the words of a verb ask for it."""
    parse = parser(verb, say, example)
    parse.add_argument(
        "forms",
        nargs="+",
        metavar="FILE",
        help="filled PDF forms or folders of them, a character each; tables and JSON of other programs",
    )
    parse.add_argument("--system", default="", metavar="NAME", help="their game, where the fields do not tell")
    parse.add_argument("--map", default="", metavar="FILE", help="YAML that says which value goes into which field")
    parse.add_argument(
        "--onto", default="", metavar="FILE", help="characters of whom the forms change what they change"
    )
    parse.add_argument(
        "--ask",
        action="store_true",
        help="ask what is ambiguous off a terminal, too: answers are piped in",
    )
    add_output(parse, formats=".yaml, .json, .csv, .tsv, .xlsx or .ods")
    add_watch(parse, "read them again")
    args = parse.read(words)
    if not args.watch:
        return _characters(args, where, environ)
    files = [where / name for name in (*args.forms, args.map) if name]
    return again_and_again(lambda: _characters(args, where, environ), lambda: files)


def _characters(args: Namespace, where: Path, environ: Mapping[str, str]) -> int:
    """Write the characters of the forms once; return the exit code."""
    project = project_at(where, environ)
    wanted = targets(args.output, args.to, where, FORMATS)
    paths, by = list(_forms(project, args.forms)), where / args.map if args.map else None
    onto_path = where / args.onto if args.onto else None
    refuse_inputs(wanted, [*paths, *([by] if by else []), *([onto_path] if onto_path else [])])
    onto = read_party(project, onto_path) if onto_path is not None else None
    reporter = ConsoleReporter.of(args, to_stderr=any(target.is_stdout for target in wanted))
    forms, refused = _read_each(project, paths, args, by, onto)
    for form in forms:
        reporter.note((f"{form.shown}: {line}" for line in form.odd), "odd")
        reporter.note(form.notes, "noted")
    reporter.note(refused, "skipped")
    reporter.failed = bool(refused) or any(form.odd for form in forms)
    if onto is not None and onto_path is not None and forms:
        _write_onto(project, (onto_path, onto), forms, wanted, reporter)
    elif wanted:
        for target in wanted if forms else ():
            _write(target, text_of(project, target.form, forms), f"{_count_of_people(len(forms))}", reporter)
    else:
        of_paths = [
            [form for form in forms if form.path == path] for path in dict.fromkeys(each.path for each in forms)
        ]
        for some, stem in zip(of_paths, slugs(some[0].path.stem for some in of_paths), strict=True):
            (target,) = own_targets(project, stem, (".yaml",), reporter.say)
            who = some[0].character.text("name") or "nobody's name"
            _write(
                target,
                text_of(project, ".yaml", some),
                who if len(some) == 1 else _count_of_people(len(some)),
                reporter,
            )
    written = sum(len(form.by_hand) for form in forms)
    if written and not args.quiet:
        where_to = "they stand as comments in the YAML" if not wanted or wanted[0].form == ".yaml" else "see --json"
        reporter.say(f"  {written} marks by hand are no part of a character: {where_to}")
    reporter.facts["forms"] = [
        {"form": form.shown, "system": form.pack.system.id, "odd": list(form.odd), "by_hand": list(form.by_hand)}
        for form in forms
    ]
    return reporter.finish()


def _forms(project: Project, words: Sequence[str]) -> Iterator[Path]:
    """Yield the forms that are named, and those of the folders that are; UsageError for a folder without any."""
    for word in words:
        path = project.where / word
        if not path.is_dir():
            yield path
            continue
        found = sorted(each for each in path.iterdir() if each.suffix.lower() == ".pdf")
        if not found:
            raise UsageError(f"{project.shown(path)}: no PDF in this folder")
        yield from found


def _read_each(
    project: Project, paths: Sequence[Path], args: Namespace, by: Path | None, onto: Party | None
) -> tuple[list[ReadForm], list[str]]:
    """Return the forms that could be read, and why the others could not; InputError if that is all of them."""
    ask = _ask if args.ask or _is_somebody_there(args) else None
    found = list(read_forms(project, paths, system=args.system, by=by, onto=onto, ask=ask))
    forms = [each for each in found if isinstance(each, ReadForm)]
    problems = [problem for each in found if isinstance(each, InputError) for problem in each.problems]
    if not forms:
        raise InputError(problems)
    return forms, [str(problem) for problem in problems]


def _is_somebody_there(args: Namespace) -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty() and not args.quiet and not args.json


def _ask(doubt: Doubt) -> int | None:
    return asked(f"{doubt.shown}: {doubt.question}", doubt.choices)


def _write_onto(
    project: Project,
    files: tuple[Path, Party],
    forms: Sequence[ReadForm],
    wanted: Sequence[Target],
    reporter: ConsoleReporter,
) -> None:
    """Write everybody of a file, with what the forms changed; a YAML file keeps its own comments and order."""
    path, onto = files
    people = onto_party(onto, forms)
    for before, after in zip(onto.characters, people, strict=True):
        if before != after:
            reporter.say(f"  {differences(before, after)}")
    made = [ReadForm(path, project.shown(path), onto.pack, each, (), ()) for each in people]
    patched = patched_text(project, path, onto, people)
    for target in wanted or own_targets(project, f"{path.stem}-read", (".yaml",), reporter.say):
        own = patched.encode() if target.form == ".yaml" and patched is not None else None
        _write(target, own or text_of(project, target.form, made), _count_of_people(len(people)), reporter)


def _write(target: Target, data: bytes, what: str, reporter: ConsoleReporter) -> None:
    write_target(target, lambda write: write(data))
    if target.path is not None:
        reporter.wrote(target.name, what)


def _count_of_people(count: int) -> str:
    return "1 person" if count == 1 else f"{count} people"


def asked(question: str, choices: Sequence[str]) -> int | None:
    """Return the number of the choice, from 0, that is answered by its number from 1; None for Enter or no answer."""
    print(printable(question), file=sys.stderr)
    for number, choice in enumerate(choices, 1):
        print(f"  {number}  {printable(choice)}", file=sys.stderr)
    while True:
        print("Which? [1] ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        if not sys.stdin.isatty():
            print(printable(answer.strip()), file=sys.stderr)
        if not answer.strip():
            return None
        if answer.strip().isdecimal() and 1 <= int(answer.strip()[:4]) <= len(choices):
            return int(answer) - 1
        print(f"  ! a number from 1 to {len(choices)}, or Enter", file=sys.stderr)


IMPORT_SAY = """Takes characters of other programs in: a table (.csv, .tsv, .xlsx, .ods) with a row for each, or JSON.
Columns are matched with the values of a game by their names, as fields of forms are; --map says what the names do not.
What has no place is told, asked or kept as a comment; exit 1 then. Tables and files of our own need no import, since
every verb reads them; they come through it as they are."""
IMPORT_EXAMPLE = """  sheetgen import sign-up.csv --system gamers             output/sign-up.yaml
  sheetgen import actors.json --system tsgs --map actors.yaml -o heroes.yaml"""


def run_import(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the characters of the files that the words name."""
    return read_into_files("import", IMPORT_SAY, IMPORT_EXAMPLE, words, where, environ)


EXPORT_SAY = """\
Writes the characters of files in another format: tables for spreadsheets (.csv, .tsv, .xlsx, .ods), of one
game or several; YAML and JSON, of one game. Columns of your own are kept: those named x-…, and all with --keep-columns.
With --schema it tells what files of a game's characters may hold, as a JSON Schema (draft 7)."""
EXPORT_EXAMPLE = """  sheetgen export heroes.yaml villains.yaml -o everybody.xlsx
  sheetgen export everybody.xlsx --only Ada -o ada.csv
  sheetgen export sign-up.csv --keep-columns -o heroes.yaml
  sheetgen export --schema gamers -o gamers.schema.json"""


def run_export(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the characters that the words name, or a schema."""
    parse = parser("export", EXPORT_SAY, EXPORT_EXAMPLE)
    parse.add_argument("files", nargs="*", metavar="CHARACTERS", help="files of characters, of one game or several")
    parse.add_argument("--schema", metavar="SYSTEM", default="", help="the JSON Schema of a game's character files")
    parse.add_argument("--only", metavar="NAME", action="append", default=[], help="only this one, by name or number")
    parse.add_argument("--keep-columns", action="store_true", help="keep columns that the game does not know")
    add_output(parse, formats=", ".join(FORMATS))
    add_watch(parse, "write it again")
    args = parse.read(words)
    if not args.watch:
        return _exported(args, where, environ)
    files = [where / name for name in args.files]
    return again_and_again(lambda: _exported(args, where, environ), lambda: files)


def _exported(args: Namespace, where: Path, environ: Mapping[str, str]) -> int:
    """Write what the words name once; return the exit code."""
    if bool(args.schema) == bool(args.files):
        raise UsageError("sheetgen export: name files of characters, or --schema SYSTEM")
    project = project_at(where, environ)
    if args.schema:
        names, to = (args.output, args.to) if args.output else ([STDOUT], "json")
        return _write_schema(project, args.schema, targets(names, to, where, (".json",)))
    if not args.output:
        raise UsageError(f"sheetgen export: say the file with -o: {', '.join(FORMATS)}")
    wanted = targets(args.output, args.to, where, FORMATS)
    options = PeopleOptions(only=tuple(args.only), keep_columns=args.keep_columns)
    SHEETS.check(options, wanted)
    reporter = ConsoleReporter.of(args, to_stderr=any(target.is_stdout for target in wanted))
    produce(SHEETS, project, SHEETS.open(project, args.files, options), options, wanted=wanted, reporter=reporter)
    return reporter.finish()


def _write_schema(project: Project, system: str, wanted: Sequence[Target]) -> int:
    schema = json.dumps(schema_of_characters(open_pack(project, system).system), ensure_ascii=False, indent=1)
    for target in wanted:
        write_target(target, lambda write: write(f"{schema}\n".encode()))
    return EXIT_OK
