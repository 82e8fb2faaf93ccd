"""The comments at the head of a character file: what may be changed, within which limits, and how to print it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sheetgen.model.character import Character
from sheetgen.model.scale import MINUS
from sheetgen.model.system import FieldSpec, System, Trait, TraitGroup

WIDTH = 112
MOST_WORDS = 12
TELLING = ("skills", "gear", "hook")  # what people are likely to roll again, the likeliest first


def preface(system: System, characters: Sequence[Character]) -> Iterator[str]:
    """Yield the comment lines of a YAML file with these characters: once a file, however many there are."""
    count = len(characters)
    yield f"# {system.title}: {count:,} character{'s' if count != 1 else ''}. Change what you like, then:"
    orders = {"sheetgen sheet FILE": "prints them, or says what breaks which rule"}
    slots = [slot for method in system.creation.methods.values() for slot in method.steps]
    word = next((word for word in (*TELLING, *slots) if word in slots), "")
    if word and any(character.origin for character in characters):
        orders[f"sheetgen npc --reroll {word} FILE"] = "rolls one thing again and keeps what you changed"
    yield from _table(orders.items(), gap=3)
    limits = [(spec.name, said) for spec in system.fields if (said := _limits(system, spec))]
    if limits:
        yield "#"
        yield from _table(limits, gap=2)


def _table(rows: Iterable[tuple[str, str]], *, gap: int) -> Iterator[str]:
    rows = list(rows)
    width = max(len(name) for name, _ in rows) + gap
    return (f"#   {name:<{width}}{said}" for name, said in rows)


def _limits(system: System, spec: FieldSpec) -> str:
    """Return what a field takes, in a line, and the rule that says so; nothing where any text will do."""
    said = [bound for bound in _bounds(system, spec) if bound.replace("-", MINUS) not in spec.hint.replace("-", MINUS)]
    said += [spec.hint] if spec.hint else []
    if not said:
        return ""
    rule = spec.rule or (system.group(spec.name).rule if spec.kind == "levels" else "")
    return "; ".join(dict.fromkeys(said)) + (f" [{rule}]" if rule else "")


def _bounds(system: System, spec: FieldSpec) -> list[str]:
    if spec.kind == "levels":
        group = system.group(spec.name)
        unwritten = [] if group.default is None or spec.hint else [f"left out: {group.scale.plain(group.default)}"]
        return [_range(group), *unwritten]
    if spec.kind == "choice":
        more = " …" if len(spec.among) > MOST_WORDS else ""
        return [f"one of {', '.join(spec.among[:MOST_WORDS])}{more}"]
    if spec.kind == "ratings":
        return [f"{spec.least_level} to 15"]
    return []


def _range(group: TraitGroup) -> str:
    """Return the levels that every member may have, or those that some member may."""
    low = min(group.members, key=_lowest).range.low
    high = max(group.members, key=_highest).range.high
    return f"{group.scale.plain(low)} to {group.scale.plain(high)}"


def _lowest(trait: Trait) -> int:
    return trait.range.low


def _highest(trait: Trait) -> int:
    return trait.range.high
