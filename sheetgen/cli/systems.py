"""`sheetgen systems`: what is there, and what each can make."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetgen.cli.words import add_telling, parser
from sheetgen.errors import EXIT_OK, EXIT_SOME, SheetgenError, printable
from sheetgen.model.system import System
from sheetgen.recipes.packs import open_pack
from sheetgen.recipes.project import project_at
from sheetgen.rules.registry import engine_of

EXAMPLE = "  sheetgen systems\n  sheetgen systems gamers"


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Lists the systems in sight, or tells all about the ones named."""
    parse = parser("systems", "Lists the systems that are there, and what can be asked of each.", EXAMPLE)
    parse.add_argument("names", nargs="*", metavar="SYSTEM", help="tell of these with methods, options and archetypes")
    add_telling(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    if args.names:
        return _show([open_pack(project, name).system for name in args.names], args)
    systems: list[System] = []
    problems: list[SheetgenError] = []
    for name in sorted(project.library.packs):
        try:
            systems.append(open_pack(project, name).system)
        except SheetgenError as error:
            problems.append(error)
    code = _show(systems, args)
    sys.stdout.flush()  # the good ones first, even where both streams go to one file
    for problem in problems:
        print("\n".join(printable(line) for line in str(problem).splitlines()), file=sys.stderr)
    return EXIT_SOME if problems else code


def _show(systems: Sequence[System], args: Namespace) -> int:
    if args.json:
        print(json.dumps([_facts(system) for system in systems], ensure_ascii=False))
        return EXIT_OK
    for system in systems:
        print(printable(f"{system.id:<12} {system.title}, {system.subtitle}: {system.motto}"))
        print(f"{'':<12} makes {', '.join(_products(system))}")
        if args.names:
            print("\n".join(printable(line) for line in _details(system)))
    if not args.names:
        print("\nsheetgen systems NAME tells its methods, options and archetypes.")
    return EXIT_OK


def _products(system: System) -> list[str]:
    """What a system can be asked for."""
    sheets = ["sheet", "blank", "blank --fillable"] if system.fields else []
    people = ["npc"] if system.creation.methods else []
    rules = ["play", "odds"] if engine_of(system).procedures else []
    return [*people, *sheets, *rules]


def _facts(system: System) -> dict[str, object]:
    return {
        "id": system.id,
        "title": system.title,
        "credit": system.credit,
        "licence": system.licence,
        "makes": _products(system),
        "methods": list(system.creation.methods),
        "options": list(system.creation.options),
        "archetypes": list(system.cast.archetypes),
    }


def _details(system: System) -> list[str]:
    lines = ["", f"  {system.credit}", f"  {system.licence}", "", "  methods (--method)"]
    lines += [f"    {method.name:<12} {method.say}" for method in system.creation.methods.values()]
    lines += ["", "  options (--option NAME=VALUE)"]
    lines += [
        f"    {option.name:<12} {option.say}; default {option.default}" for option in system.creation.options.values()
    ]
    lines += ["", "  archetypes (--archetype)"]
    lines += [f"    {archetype.name:<12} {archetype.say}" for archetype in system.cast.archetypes.values()]
    return lines
