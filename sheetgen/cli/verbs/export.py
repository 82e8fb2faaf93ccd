"""`sheetgen export`: character files in another format, and the JSON Schema that they keep to."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_output, parser
from sheetgen.cli.outputs import ConsoleReporter
from sheetgen.cli.watching import add_watch, again_and_again
from sheetgen.content.schema import schema_of_characters
from sheetgen.errors import EXIT_OK, UsageError
from sheetgen.products.people import SHEETS
from sheetgen.products.people_options import PeopleOptions
from sheetgen.products.people_print import FORMATS
from sheetgen.products.product import produce
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.targets import STDOUT, Target, targets, write_target

WRITTEN = FORMATS[2:]  # PDF and HTML are printed, by `sheet`
SAY = """Writes the characters of files in another format: tables for spreadsheets (.csv, .tsv, .xlsx, .ods), of one
game or several; YAML and JSON, of one game. Columns of your own are kept: those named x-…, and all with --keep-columns.
With --schema it tells what files of a game's characters may hold, as a JSON Schema (draft 7)."""
EXAMPLE = """  sheetgen export heroes.yaml villains.yaml -o everybody.xlsx
  sheetgen export everybody.xlsx --only Ada -o ada.csv
  sheetgen export sign-up.csv --keep-columns -o heroes.yaml
  sheetgen export --schema gamers -o gamers.schema.json"""


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Write the characters that the words name, or a schema."""
    parse = parser("export", SAY, EXAMPLE)
    parse.add_argument("files", nargs="*", metavar="CHARACTERS", help="files of characters, of one game or several")
    parse.add_argument("--schema", metavar="SYSTEM", default="", help="the JSON Schema of a game's character files")
    parse.add_argument("--only", metavar="NAME", action="append", default=[], help="only this one, by name or number")
    parse.add_argument("--keep-columns", action="store_true", help="keep columns that the game does not know")
    add_output(parse, formats=", ".join(WRITTEN))
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
        raise UsageError(f"sheetgen export: say the file with -o: {', '.join(WRITTEN)}")
    wanted = targets(args.output, args.to, where, WRITTEN)
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
