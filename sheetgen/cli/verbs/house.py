"""`sheetgen house`: the house rules of the folder one is in, and what a game lets be ruled otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sheetgen.cli.options import add_verbosity, parser
from sheetgen.content.packs.house_rules import FILE, HOUSE
from sheetgen.errors import EXIT_OK, printable
from sheetgen.model.system import System
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

EXAMPLE = "  sheetgen house\n  sheetgen house gamers --find difficulty"
HOW = f"""A house rule stands in {FILE}, in the folder you work in, and holds for all that is made there:
  [{HOUSE}.gamers]
  quickie.difficulty.trained = 9
`sheetgen {HOUSE} GAME` lists what a game lets you change."""


def run_house(words: Sequence[str], where: Path, environ: Mapping[str, str]) -> int:
    """List the house rules in force, or the values and open points of a game."""
    parse = parser("house", "Lists your house rules, or all that a game lets you rule otherwise.", EXAMPLE)
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
        f"\n{HOW}" if not args.systems else f"\nwrite one under [{HOUSE}.{told[0]['system']}] in {FILE}" if told else ""
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
