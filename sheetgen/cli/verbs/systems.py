"""`sheetgen systems`: what is there, and what each can make."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sheetgen.cli.options import add_telling, parser
from sheetgen.errors import EXIT_OK, EXIT_SOME, SheetgenError, printable
from sheetgen.model.system import Option, System
from sheetgen.products.registry import products_of
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at

EXAMPLE = "  sheetgen systems\n  sheetgen systems gamers"


def run(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """Lists the systems in sight, or tells all about the ones named."""
    parse = parser("systems", "Lists the systems that are there, and what can be asked of each.", EXAMPLE)
    parse.add_argument("names", nargs="*", metavar="SYSTEM", help="tell of these with methods, options and archetypes")
    add_telling(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    if args.names:
        return _show(project, [open_pack(project, name) for name in args.names], args)
    packs: list[Pack] = []
    problems: list[SheetgenError] = []
    for name in sorted(project.library.packs):
        try:
            packs.append(open_pack(project, name))
        except SheetgenError as error:
            problems.append(error)
    code = _show(project, packs, args)
    sys.stdout.flush()  # the good ones first, even where both streams go to one file
    for problem in problems:
        print("\n".join(printable(line) for line in str(problem).splitlines()), file=sys.stderr)
    return EXIT_SOME if problems else code


def _show(project: Project, packs: Sequence[Pack], args: Namespace) -> int:
    if args.json:
        print(json.dumps([_facts(project, pack) for pack in packs], ensure_ascii=False))
        return EXIT_OK
    for pack in packs:
        system = pack.system
        print(printable(f"{system.id:<12} {system.title}, {system.subtitle}: {system.motto}"))
        print(f"{'':<12} makes {', '.join(_products(project, pack))}")
        if args.names:
            print("\n".join(printable(line) for line in _details(system)))
    if not args.names:
        print("\nsheetgen systems NAME tells its methods, options and archetypes.")
    return EXIT_OK


def _products(project: Project, pack: Pack) -> list[str]:
    """What a system can be asked for."""
    system = pack.system
    people = ["npc", "make"] if system.creation.methods else []
    sheets = ["sheet"] if system.fields else []
    products = [words for _, words, _ in products_of(project, pack)]
    rules = ["play", "odds"] if engine_of(system).procedures else []
    fights = ["duel"] if system.duel else []
    return [*people, *sheets, *products, *rules, *fights]


def _facts(project: Project, pack: Pack) -> dict[str, object]:
    system = pack.system
    return {
        "id": system.id,
        "title": system.title,
        "credit": system.credit,
        "licence": system.licence,
        "makes": _products(project, pack),
        "methods": list(system.creation.methods),
        "options": list(system.creation.options),
        "archetypes": list(system.cast.archetypes),
        "groups": {name: group.say for name, group in system.ready_groups.items()},
    }


def _details(system: System) -> list[str]:
    lines = ["", f"  {system.credit}", f"  {system.licence}", "", "  methods (--method)"]
    lines += _listed((method.name, method.say) for method in system.creation.methods.values())
    lines += ["", "  options (--option NAME=VALUE)"]
    lines += _listed((option.name, _option(option)) for option in system.creation.options.values())
    lines += ["", "  archetypes (--archetype)"]
    lines += _listed((archetype.name, archetype.say) for archetype in system.cast.archetypes.values())
    if system.ready_groups:
        lines += ["", "  groups (--group)"]
        lines += _listed((name, group.say) for name, group in system.ready_groups.items())
    return lines


def _option(option: Option) -> str:
    """What an option is about, with the words that it takes."""
    words = ", ".join(option.among or option.steps)
    return f"{option.say}{': ' if words else ''}{words}; default {option.default}"


def _listed(entries: Iterable[tuple[str, str]]) -> list[str]:
    """Names in a column, with what is said of each."""
    entries = list(entries)
    width = max((len(name) for name, _ in entries), default=0)
    return [f"    {name:<{width}}  {said}" for name, said in entries]
