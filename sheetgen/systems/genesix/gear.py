"""The things a character carries: what the pack knows of each by name, or what stands in brackets behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sheetgen.model.cast import Item as Listed
from sheetgen.model.character import Character
from sheetgen.model.data import Values
from sheetgen.model.system import System

_BRACKETS = re.compile(r"(.+?)\s*\(([^()]+)\)")


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that is carried: its size if that is known, its tags, and as a weapon how it is used.

    `attribute` is what an attack with it draws on, `reach` the furthest band it works at (none: hand to hand),
    `track` what its harm goes to.
    """

    name: str
    size: str = ""
    tags: tuple[str, ...] = ()
    attribute: str = ""
    reach: str = ""
    track: str = "wounds"
    protective: int = 0


def things_of(system: System, character: Character) -> tuple[Thing, ...]:
    """What a character carries, in the order of the file."""
    return things_named(system, character.lines("gear"))


def things_named(system: System, lines: tuple[str, ...]) -> tuple[Thing, ...]:
    """The things that lines of a gear list mean, in their order."""
    return tuple(_thing(system, line) for line in lines)


def _listed(system: System, line: str) -> Thing | None:
    """The thing of the pack that has this name, in capitals or not."""
    things = system.cast.things
    if line not in things:
        line = next((name for name in things if name.casefold() == line.casefold()), "")
    return _from_facts(system.values, things[line]) if line else None


def _thing(system: System, line: str) -> Thing:
    """A thing by its name in the pack, or by what stands in brackets: `sling (Small, Near, Agility)` (`GEN-240`)."""
    match, values = _BRACKETS.fullmatch(line), system.values
    words = [word.strip() for word in match[2].split(",")] if match else []
    if match is None or not all(_says(system, word) for word in words):
        return _listed(system, line) or Thing(line)
    name = match[1]
    found = _listed(system, name) or Thing(name)
    tags = tuple(word for word in words if values.has(f"tags.{word}"))
    return Thing(
        name,
        size=next((word for word in words if values.has(f"load.{word}")), found.size),
        tags=tuple(dict.fromkeys((*found.tags, *tags))),
        attribute=next((word for word in words if word in _attributes(system)), found.attribute),
        reach=next((word for word in words if values.has(f"range.{word}")), found.reach),
        track=found.track,
        protective=max(found.protective, _protective(values, tags)),
    )


def _attributes(system: System) -> tuple[str, ...]:
    return tuple(trait.role for trait in system.group("attributes").members)


def _says(system: System, word: str) -> bool:
    """Whether a word in brackets is a size, a tag, a range band or an attribute."""
    paths = (f"load.{word}", f"tags.{word}", f"range.{word}")
    return word in _attributes(system) or ("." not in word and any(system.values.has(path) for path in paths))


def _from_facts(values: Values, listed: Listed) -> Thing:
    said = {str(key): value for key, value in listed.facts.items()}
    tags = tuple(map(str, said.get("tags", ())))
    return Thing(
        listed.name,
        size=str(said.get("size", "")),
        tags=tags,
        attribute=str(said.get("attribute", "")),
        reach=str(said.get("range", "")),
        track=str(said.get("track", "wounds")),
        protective=int(str(said.get("protective", 0))) or _protective(values, tags),
    )


def _protective(values: Values, tags: tuple[str, ...]) -> int:
    """What the Protective tag adds unless the thing has a figure of its own (`GEN-269`)."""
    return sum(values.number(f"tags.{tag}.protective") for tag in tags if values.has(f"tags.{tag}.protective"))
