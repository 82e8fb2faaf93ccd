"""`sheetgen systems`: what is there, and what each can make."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.errors import EXIT_OK, EXIT_SOME, SheetgenError, printable
from sheetgen.workspace.pack_cache import cached_facts
from sheetgen.workspace.project import Project, project_at

if TYPE_CHECKING:
    from sheetgen.model.system import Option, System
    from sheetgen.workspace.packs import Pack

EXAMPLE = "  sheetgen systems\n  sheetgen systems gamers"


def run_systems(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """List the systems in sight, or tells all about the ones named."""
    parse = parser("systems", "Lists the systems that are there, and what can be asked of each.", EXAMPLE)
    parse.add_argument("names", nargs="*", metavar="SYSTEM", help="tell of these with methods, options and archetypes")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    told: list[dict[str, Any]] = []
    problems: list[SheetgenError] = []
    for name in args.names or sorted(project.library.packs):
        try:
            told.append(_about(project, name))
        except SheetgenError as error:
            if args.names:
                raise
            problems.append(error)
    _show(told, args)
    sys.stdout.flush()  # the good ones first, even where both streams go to one file
    for problem in problems:
        print("\n".join(printable(line) for line in str(problem).splitlines()), file=sys.stderr)
    return EXIT_SOME if problems else EXIT_OK


def _about(project: Project, word: str) -> dict[str, Any]:
    """Return the description of a pack: `facts` for programs, `head` and `details` as lines for people."""
    folder = project.pack_folder(word)

    def make() -> dict[str, Any]:
        from sheetgen.workspace.packs import open_pack  # reads packs, which those in the cache need not be

        pack = open_pack(project, word)
        facts, system = _facts(project, pack), pack.system
        head = [f"{system.id:<12} {system.title}, {system.subtitle}: {system.motto}"]
        head += [f"{'':<12} makes {', '.join(facts['makes'])}"]
        head += [f"{'':<12} from {facts['from']}"] if facts["from"] else []
        return {"facts": facts, "head": head, "details": _details(system)}

    return cached_facts(project, folder.name, make) if project.is_lasting(folder) else make()


def _show(told: Sequence[Mapping[str, Any]], args: Namespace) -> None:
    if args.json:
        print(json.dumps([each["facts"] for each in told], ensure_ascii=False))
        return
    for each in told:
        print("\n".join(printable(line) for line in (*each["head"], *(each["details"] if args.names else ()))))
    if not args.names:
        print("\nsheetgen systems NAME tells its methods, options and archetypes.")


def _products(project: Project, pack: Pack) -> list[str]:
    """Return a line for each product of a system."""
    from sheetgen.products.product import products_of
    from sheetgen.rules.registry import engine_of

    system = pack.system
    products = list(dict.fromkeys(words for _, words, _ in products_of(project, pack)))
    if system.creation.methods:
        products.insert(1, "make")
    rules = ["play", "odds"] if engine_of(system).procedures else []
    fights = [name for name, is_there in (("duel", system.duel), ("encounter", system.encounter)) if is_there]
    return [*products, "session", *rules, *fights]


def _facts(project: Project, pack: Pack) -> dict[str, Any]:
    system = pack.system
    return {
        "id": system.id,
        "title": system.title,
        "credit": system.credit,
        "licence": system.licence,
        "from": project.origin(pack.folder),
        "makes": _products(project, pack),
        "methods": list(system.creation.methods),
        "options": list(system.creation.options),
        "archetypes": list(system.cast.archetypes),
        "groups": {name: group.say for name, group in system.ready_groups.items()},
    }


def _details(system: System) -> list[str]:
    lines = ["", f"  {system.credit}", f"  {system.licence}", "", "  methods (--method)"]
    lines += _columns((method.name, method.say) for method in system.creation.methods.values())
    lines += ["", "  options (--option NAME=VALUE)"]
    lines += _columns((option.name, _option(option)) for option in system.creation.options.values())
    lines += ["", "  archetypes (--archetype)"]
    lines += _columns((archetype.name, archetype.say) for archetype in system.cast.archetypes.values())
    if system.ready_groups:
        lines += ["", "  groups (--group)"]
        lines += _columns((name, group.say) for name, group in system.ready_groups.items())
    return lines


def _option(option: Option) -> str:
    """Return what an option is about, with the words that it takes."""
    words = ", ".join(option.among or option.steps)
    return f"{option.say}{': ' if words else ''}{words}; default {option.default}"


def _columns(entries: Iterable[tuple[str, str]]) -> list[str]:
    """Return names in a column, with what is said of each."""
    entries = list(entries)
    width = max((len(name) for name, _ in entries), default=0)
    return [f"    {name:<{width}}  {said}" for name, said in entries]
