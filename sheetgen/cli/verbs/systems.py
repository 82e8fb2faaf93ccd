"""`sheetgen systems` and `house`: what is there, what each can make, and what a table rules otherwise."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.content.packs.house_rules import FILE, HOUSE
from sheetgen.errors import EXIT_OK, EXIT_SOME, SheetgenError, printable
from sheetgen.model.system import System
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.pack_cache import cached_facts
from sheetgen.workspace.packs import open_pack
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


HOUSE_EXAMPLE = "  sheetgen house\n  sheetgen house gamers --find difficulty"
HOUSE_HOW = f"""A house rule stands in {FILE}, in the folder you work in, and holds for all that is made there:
  [{HOUSE}.gamers]
  quickie.difficulty.trained = 9
`sheetgen {HOUSE} GAME` lists what a game lets you change."""


def run_house(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """List the house rules in force, or the values and open points of a game."""
    parse = parser("house", "Lists your house rules, or all that a game lets you rule otherwise.", HOUSE_EXAMPLE)
    parse.add_argument("systems", nargs="*", metavar="SYSTEM", help="list what can be changed in these games")
    parse.add_argument("--find", default="", metavar="WORD", help="only what has this word in its path")
    add_verbosity(parse)
    args = parse.read(words)
    project = project_at(where, environ)
    told: list[dict[str, Any]] = []
    for word in args.systems or sorted(project.library.house):
        system = open_pack(project, word).system
        lines = _house_rules(system) if args.systems else ({**rule._asdict()} for rule in system.house_rules)
        told += ({"system": system.id, **line} for line in lines if args.find.casefold() in line["path"].casefold())
    if args.json:
        print(json.dumps(told, ensure_ascii=False))
        return EXIT_OK
    print("\n".join(printable(_rule_line(each)) for each in told) or "no house rules here", end="\n")
    print(
        f"\n{HOUSE_HOW}"
        if not args.systems
        else f"\nwrite one under [{HOUSE}.{told[0]['system']}] in {FILE}"
        if told
        else ""
    )
    return EXIT_OK


def _house_rules(system: System) -> Iterator[dict[str, Any]]:
    """Yield each value of a game and each open point, as it is here, as printed, and what it may be."""
    printed = dict(system.as_printed.values.flat())
    for path, here in system.values.flat():
        yield {"path": path, "here": here, "printed": printed.get(path, "")}
    yield from ({"path": point, "here": "off", "printed": ""} for point in system.without)
    for point, ways in engine_of(system).rulings.items():
        first = system.as_printed.rulings.get(point, ways[0])
        yield {"path": point, "here": system.rulings.get(point, ways[0]), "printed": first, "ways": list(ways)}


def _rule_line(rule: Mapping[str, Any]) -> str:
    changed = f" (printed: {rule['printed']})" if rule["here"] != rule["printed"] and rule["printed"] else ""
    ways = f" (or {' or '.join(way for way in rule['ways'] if way != rule['here'])})" if "ways" in rule else ""
    return f"{rule['system']}: {rule['path']} = {rule['here']}{changed or ways}"
