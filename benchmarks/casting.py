"""Casting: who comes twice, and who cannot be. For 300 people of each game, beside 0.1.0 in the same run.

    python benchmarks/casting.py [RUN …] [--old] [--seed 5] [--show 3]

A figure is how many times something stands at somebody of whom one of the nineteen before has it already: manner,
story, drive, a part of a look, a small thing out of the pack's belongings that no trade brings along, a trade, the
words for an age; then the most of one trade in any twenty in a row, the neighbours who share two things, and those who
have two of these pieces in common with one person before, however far; then how many different lines there are; then
the contradictions by the rules of casting.yaml, the kin whose names are of another gender, trades whose first skill is
lacking, and native tongues that do not go with the name, which each count once. --old adds 0.1.0, --show names so many
people for each broken rule.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from startup import OLD, ROOT, unpacked

from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.model.cast import has_words

PEOPLE, APART = 300, 20
WORDS = ("specialties", "familiarities", "people", "about", "languages", "rolled")
SHARED = ("manner", "hook", "drive", "look")
Person = Mapping[str, Any]
Pack = Mapping[str, Any]


def people(source: Path, system: str, options: Mapping[str, str], seed: int, where: Path) -> list[Person]:
    """Return the people that a version rolls."""
    words = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
    command = [sys.executable, "-m", "sheetgen", "npc", system, "-n", str(PEOPLE), "--seed", str(seed), *words]
    environ = {**os.environ, "PYTHONPATH": str(source)}
    subprocess.run([*command, "-o", "people.json"], cwd=where, env=environ, check=True, capture_output=True)
    made = json.loads((where / "people.json").read_text("utf-8"))["characters"]
    (where / "people.json").unlink()
    return list(made)


def plain(node: Node) -> Any:
    """Return YAML as dicts, lists and words."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, MappingNode):
        return {key.text: plain(value) for key, value in node.entries}
    return [plain(item) for item in node.items]


def read(path: Path) -> Any:
    """Return a YAML file as dicts, lists and words."""
    return plain(parse(path.read_bytes(), path.name))


def npcs_of(source: Path, system: str) -> dict[str, Any]:
    """Return the npcs/ of a pack as plain data, with those of the packs that it extends."""
    pack = source / "content" / system
    above = read(pack / "system.yaml").get("extends")
    found = npcs_of(source, above) if above else {}
    for path in sorted((pack / "npcs").glob("*.yaml")):
        found.update(read(path))
    return found


def said(lines: Sequence[Any]) -> set[str]:
    """Return the words of phrases."""
    return {line["say"] if isinstance(line, dict) else str(line) for line in lines}


def pieces(person: Person, keepsakes: set[str]) -> dict[str, list[str]]:
    """Return what strikes a reader, by kind; whom a story names does not make it another one."""
    friends = [name.partition(",")[0] for name in person.get("people", {})]
    found: dict[str, list[str]] = {}
    for kind in SHARED:
        text = str(person.get(kind, ""))
        for friend in friends:
            text = text.replace(friend, "{friend}")
        found[kind] = [part for part in (text.split("; ") if kind == "look" else [text]) if part]
    found["thing"] = [thing for thing in person.get("gear", ()) if thing in keepsakes]
    found["trade"] = [str(person.get("occupation", ""))]
    found["age"] = [person["age"]] if "age" in person else []
    return found


def repeats(found: Sequence[dict[str, list[str]]], kind: str) -> int:
    """Return how often a piece stood at one of the nineteen people before."""
    before: deque[list[str]] = deque(maxlen=APART - 1)
    count = 0
    for each in found:
        count += sum(any(piece in other for other in before) for piece in each[kind])
        before.append(each[kind])
    return count


def doubles(found: Sequence[dict[str, list[str]]]) -> int:
    """Return how many people share two pieces, beyond their trade, with one and the same person before."""
    owners: dict[tuple[str, str], list[int]] = {}
    count = 0
    for at, each in enumerate(found):
        met: Counter[int] = Counter()
        for kind in (*SHARED, "thing"):
            for piece in each[kind]:
                met.update(owners.setdefault((kind, piece), []))
                owners[kind, piece].append(at)
        count += any(shared > 1 for shared in met.values())
    return count


class Rules:
    """The written rules, which find the contradictions of a person."""

    def __init__(self, written: Mapping[str, Any]) -> None:
        self.words: dict[str, list[str]] = written["words"]
        self.rules: list[dict[str, Any]] = written["rules"]

    def broken(self, person: Person, run: str) -> Iterator[str]:
        """Yield what each broken rule says."""
        parts = [part for name, part in person.items() if isinstance(part, dict) and name not in WORDS]
        levels = {name: level for part in parts for name, level in part.items()}
        for rule in self.rules:
            if any(run == each or run.startswith(f"{each} ") for each in rule.get("runs", (run,))) and self._holds(
                rule, person, levels
            ):
                yield rule["say"]

    def _holds(self, rule: Mapping[str, Any], person: Person, levels: Mapping[str, Any]) -> bool:
        trade, gear = str(person.get("occupation", "")), person.get("gear", ())
        story = " ".join(str(person.get(part, "")) for part in ("hook", "want", "voice"))
        ties = [written.partition(", ")[2] for written in person.get("people", {})]
        owned = {
            thing: self._one_of(thing, rule.get("has") or rule.get("lacks") or rule.get("twice")) for thing in gear
        }
        return (
            ("trade" not in rule or self._one_of(trade, rule["trade"]))
            and not self._one_of(trade, rule.get("but", ()))
            and all(_within(levels.get(name, 0), span) for name, span in rule.get("levels", {}).items())
            and ("has" not in rule or any(owned.values()))
            and ("lacks" not in rule or not any(owned.values()))
            and ("twice" not in rule or sum(owned.values()) > 1)
            and ("look" not in rule or self._one_of(str(person.get("look", "")), rule["look"]))
            and ("aged" not in rule or self._one_of(str(person.get("age", "")), rule["aged"]))
            and ("story" not in rule or self._one_of(story, rule["story"]))
            and ("knows" not in rule or any(self._one_of(tie, rule["knows"]) for tie in ties))
            and ("alike" not in rule or len(set(ties)) < len(ties))
        )

    def _one_of(self, text: str, words: str | Sequence[str] | None) -> bool:
        return any(has_words(text, word) for word in self._every(words or ()))

    def _every(self, words: str | Sequence[str]) -> Iterator[str]:
        """Yield words, and in place of the name of a list all that stands in it."""
        for word in self.words[words] if isinstance(words, str) else words:
            if word in self.words and word != words:
                yield from self._every(word)
            else:
                yield word


def _within(level: object, span: object) -> bool:
    low, _, high = str(span).partition("-")
    return int(low) <= (level if isinstance(level, int) else 1) <= int(high or low)


def kin_broken(person: Person, npcs: Pack) -> Iterator[str]:
    """Yield those whose relation has a gender and whose name has the other one."""
    who = {line["say"]: line["who"] for line in npcs.get("relations", ()) if isinstance(line, dict) and "who" in line}
    names = npcs.get("names", {})
    sets = names.get("sets", [names])
    women, men = ({name for each in sets for name in each.get(part, ())} for part in ("women", "men"))
    for written in person.get("people", {}):
        name, _, relation = written.partition(", ")
        other = {"she": men - women, "he": women - men}.get(who.get(relation, ""), set())
        if name in other:
            yield written


def unskilled(person: Person, npcs: Pack) -> bool:
    """Return whether a person lacks the first skill of their trade, and might live by one that they have."""
    trades = npcs.get("occupations", {})
    parts = [part for name, part in person.items() if isinstance(part, dict) and name not in WORDS]
    held = {name: level for part in parts for name, level in part.items() if level}
    own = trades.get(person.get("occupation"), {}).get("skills", [])[:1]
    others = (trade for trade in trades.values() if trade.get("skills", [""])[0] in held)
    return bool(own) and own[0] not in held and any(_fits(trade.get("fits", {}), held) for trade in others)


def _fits(fits: Mapping[str, Any], levels: Mapping[str, Any]) -> bool:
    """Return whether every range that a trade asks for holds; what is a word, such as a world, is never held here."""
    try:
        spans = {name: [int(level, 16) for level in str(span).split("-")] for name, span in fits.items()}
    except ValueError:
        return False
    return all(_within(levels.get(name, 0), f"{span[0]}-{span[-1]}") for name, span in spans.items())


def foreign(person: Person, npcs: Pack) -> bool:
    """Return whether a native tongue is one of other people than those whose name it is."""
    first, _, family = str(person.get("name", "")).partition(" ")
    known = set(npcs.get("languages", ()))
    borne = [
        known.intersection(each.get("tongues", ()))
        for each in npcs.get("names", {}).get("sets", ())
        if family in each["family"] and any(first in each.get(part, ()) for part in ("given", "women", "men"))
    ]
    return "native" in person and any(borne) and not any(person["native"] in tongues for tongues in borne)


def report(run: str, made: Sequence[Person], packs: tuple[Pack, Pack], rules: Rules, show: int) -> str:
    """Return the figures of one run, and people for each rule that is broken; the packs are its own and today’s."""
    npcs, now = packs
    keepsakes = said(npcs.get("belongings", ())) - {
        str(thing) for trade in npcs.get("occupations", {}).values() for thing in trade.get("gear", ())
    }
    found = [pieces(person, keepsakes) for person in made]
    kinds = (*SHARED, "thing", "trade", "age")
    trades = [person.get("occupation") for person in made]
    most = max(max(Counter(trades[at : at + APART]).values()) for at in range(max(len(trades) - APART + 1, 1)))
    kits = sum(len(set(one.get("gear", ())) & set(other.get("gear", ()))) > 1 for one, other in pairwise(made))
    wrong = [(say, person) for person in made for say in dict.fromkeys(rules.broken(person, run))]
    wrong += [("kin of another gender", person) for person in made for _ in kin_broken(person, now)]
    wrong += [("a trade without its first skill", person) for person in made if unskilled(person, now)]
    wrong += [("a native tongue of other people", person) for person in made if foreign(person, now)]
    again = "".join(f"{repeats(found, kind):>7}" for kind in kinds)
    distinct = "".join(f"{len({piece for each in found for piece in each[kind]}):>7}" for kind in kinds)
    lines = [f"{again}{most:>8}{kits:>6}{doubles(found):>8}  {distinct}{len(wrong):>9}"]
    for say, count in Counter(say for say, _ in wrong).most_common() if show else ():
        lines.append(f"    {count:>3} {say}")
        some = [person for each, person in wrong if each == say][:show]
        lines += [
            f"          {each['name']}, {each.get('occupation')}: {'; '.join(each.get('gear', ()))}" for each in some
        ]
    return "\n".join(lines)


def main() -> None:
    """Prints a line for each run, and one for 0.1.0."""
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", nargs="*")
    parser.add_argument("--old", action="store_true")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--show", type=int, default=0)
    asked = parser.parse_args()
    written = read(Path(__file__).parent / "casting.yaml")
    rules = Rules(written)
    heads = "".join(f"{kind:>7}" for kind in (*SHARED, "thing", "trade", "age")).replace("hook", "story")
    print(f"{'':<27}{'again within 20':^49}{'most':>8}{'kit':>6}{'two':>8}  {'different':^49}{'cannot':>9}")
    print(f"{f'{PEOPLE} people each':<27}{heads}{'trade':>8}{'2nd':>6}{'alike':>8}  {heads}{'be':>9}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sources = {"now": ROOT}
        if asked.old:
            (folder / "source").mkdir()
            sources["0.1.0"] = unpacked(OLD, folder / "source")
        for run, options in written["runs"].items():
            if asked.runs and run not in asked.runs and run.split()[0] not in asked.runs:
                continue
            for version, source in sources.items():
                made = people(source, run.split()[0], options, asked.seed, folder)
                npcs = npcs_of(source, run.split()[0])
                now = npcs_of(ROOT, run.split()[0])
                line = report(run, made, (npcs, now), rules, asked.show if version == "now" else 0)
                print(f"{run:<20}{version:<7}{line}", flush=True)


if __name__ == "__main__":
    main()
