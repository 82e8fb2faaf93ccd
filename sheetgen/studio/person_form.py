"""Somebody as a form made from the fields of the game, and read back: by the reader of character files, with places.

A control stands for a field, or for a trait or a row of one; its key is `manner`, `skills.Melee`, `people.0`. What is
not legal is told of under its control, and stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import cast

from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.content.yaml.nodes import Sequence as Items
from sheetgen.documents.export.characters import origin_words
from sheetgen.errors import InputError, Place
from sheetgen.model.character import Character, Value
from sheetgen.model.system import FieldSpec, System
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack

BETWEEN = "\x1f"  # level and name of a row
FEW_TRAITS = 12  # a group of so many stands as boxes, a larger one as the rows of those that somebody has
MOST_REMEDIES = 3


@dataclass(frozen=True, slots=True)
class ControlNote:
    """What is wrong with a control: the words, the rule, and what would be legal, as label and text."""

    said: tuple[str, ...]
    rule: str = ""
    remedies: tuple[tuple[str, str], ...] = ()
    keeps: str = ""


@dataclass(frozen=True, slots=True)
class EditedPerson:
    """Somebody with what was legal of an edit, and a note on each control that was not, by key."""

    character: Character
    notes: Mapping[str, ControlNote] = field(default_factory=dict)


def control_id(key: str) -> str:
    """Return the key as a name that HTML takes for an element."""
    return f"c{blake2b(key.encode(), digest_size=5).hexdigest()}"


def texts_of(system: System, character: Character) -> dict[str, str]:
    """Return the text of each control that says something, by key."""
    return {key: text for spec in system.fields for key, text in _texts(system, spec, character.values.get(spec.name))}


def _texts(system: System, spec: FieldSpec, value: Value | None) -> Iterable[tuple[str, str]]:
    if isinstance(value, str):
        yield spec.name, value
    elif isinstance(value, tuple):
        yield spec.name, "\n".join(value)
    elif isinstance(value, Mapping):
        scale = system.group(spec.name).scale if spec.kind == "levels" else system.usual_scale
        for at, (name, said) in enumerate(value.items()):
            if isinstance(said, int):
                level = scale.plain(said)
                yield (
                    (f"{spec.name}.{at}", f"{level}{BETWEEN}{name}")
                    if spec.kind == "ratings"
                    else (
                        f"{spec.name}.{name}",
                        level,
                    )
                )
            else:
                yield f"{spec.name}.{name}", said if isinstance(said, str) else joined(cast(Sequence[str], said))


def joined(things: Sequence[str]) -> str:
    """Return a short list on one line."""
    return (
        f"{'; '.join(things)}{';' if len(things) == 1 else ''}"
        if any("," in each for each in things)
        else ", ".join(things)
    )


def parted(line: str) -> list[str]:
    """Return the things of a short list: between semicolons, or between commas where there is none."""
    return [each.strip() for each in line.split(";" if ";" in line else ",") if each.strip()]


def edit(pack: Pack, before: Character, texts: Mapping[str, str]) -> EditedPerson:
    """Return somebody with these controls changed, as far as they are legal by the rules of the game."""
    accepted, notes = dict(texts), dict[str, ControlNote]()
    while accepted:
        character, problems = _read(pack, before, accepted)
        if character is not None and not problems.found:
            break
        guilty = {key: [each for each in problems.found if _belongs_to(each.place.file, key)] for key in accepted}
        if not any(guilty.values()):  # a rule that another field tells of
            guilty = {key: list(problems.found) for key in accepted}
        for key, found in guilty.items():
            if found:
                said = tuple(dict.fromkeys(each.message for each in found))
                notes[key] = ControlNote(said, next((each.rule for each in found if each.rule), ""))
                del accepted[key]
    else:
        character = before
    assert character is not None
    return EditedPerson(character, {key: _with_remedies(pack, character, key, note) for key, note in notes.items()})


def _belongs_to(place: str, key: str) -> bool:
    """Return whether a place is that of a control: its own, or its whole field's, or of something in it."""
    return place == key or key.startswith(f"{place}.") or place.startswith(f"{key}.")


def _with_remedies(pack: Pack, character: Character, key: str, note: ControlNote) -> ControlNote:
    """Return the note with texts that would be legal, and the one that stays meanwhile."""
    name, _, trait = key.partition(".")
    spec, keeps = pack.system.spec(name), texts_of(pack.system, character).get(key, "")
    tried = [keeps] if keeps and BETWEEN not in keeps else []
    if spec is not None and spec.kind == "levels" and trait in pack.system.traits:
        group, span = pack.system.group(name), pack.system.traits[trait].range
        tried = [group.scale.plain(span.high), group.scale.plain(span.low), *tried]
    elif spec is not None and spec.kind == "choice":
        tried = [*tried, *spec.among[:8]]
    legal = []
    for text in dict.fromkeys(tried):
        made, problems = _read(pack, character, {key: text})
        if made is not None and not problems.found:
            legal.append((f"Back to {text}" if text == keeps else f"Make it {text}", text))
    return replace(note, remedies=tuple(legal[:MOST_REMEDIES]), keeps=keeps.partition(BETWEEN)[0])


def _read(pack: Pack, before: Character, texts: Mapping[str, str]) -> tuple[Character | None, Problems]:
    """Return somebody with these controls changed, read as from a file, and every problem, each at its key."""
    system, problems = pack.system, Problems()
    entries = list[tuple[Scalar, Node]]()
    for spec in system.fields:
        node = _field_node(system, spec, before.values.get(spec.name), texts)
        if node is not None:
            entries.append((Scalar(spec.name, Place(spec.name), True), node))
    if before.origin is not None:
        rolled = parse(f"rolled: {{{', '.join(origin_words(before))}}}".encode(), "rolled")
        entries += rolled.entries if isinstance(rolled, MappingNode) else ()
    try:
        (made,) = read_characters(
            MappingNode(tuple(entries), Place("")), system, problems, judge=engine_of(system).judge
        )
    except InputError as error:
        problems.extend(error)
        return None, problems
    origin = before.origin and made.origin and replace(made.origin, edited=before.origin.edited)
    kept = replace(made, origin=origin, place=before.place, places={}, picture=before.picture, own=before.own)
    return kept, problems


def _field_node(system: System, spec: FieldSpec, value: Value | None, texts: Mapping[str, str]) -> Node | None:
    """Return a field as a file would have it: what was changed from its text, all else as it is."""
    if spec.kind in ("text", "choice", "list"):
        if spec.name in texts:
            text = texts[spec.name].strip()
            lines = [line.strip() for line in text.split("\n") if line.strip()]
            return None if not text else _items(lines, spec.name) if spec.kind == "list" else _scalar(text, spec.name)
        return (
            None if value is None else _scalar(value, spec.name) if isinstance(value, str) else _items(value, spec.name)
        )
    shown = dict(_texts(system, spec, value))
    named = dict(zip(shown, value.items(), strict=True)) if isinstance(value, Mapping) else {}
    entries = list[tuple[Scalar, Node]]()
    for key in dict.fromkeys((*shown, *(each for each in texts if each.startswith(f"{spec.name}.")))):
        if key in texts:
            entries += _typed(spec, key, texts[key])
        else:
            name, said = named[key]
            entries.append((_scalar(name, key), _untouched_node(said, shown[key], key)))
    return MappingNode(tuple(entries), Place(spec.name)) if entries else None


def _typed(spec: FieldSpec, key: str, text: str) -> Iterable[tuple[Scalar, Node]]:
    """Yield the entry of a trait or a row that was typed; nothing for an empty one."""
    if spec.kind == "ratings":
        level, _, name = text.partition(BETWEEN)
        if level.strip() or name.strip():
            yield _scalar(name.strip(), key), _level_node(level, key)
    elif text.strip():
        trait = _scalar(key.partition(".")[2], key)
        if spec.kind == "levels":
            yield trait, _level_node(text, key)
        else:
            yield trait, _items(parted(text), key) if spec.kind == "list per trait" else _scalar(text.strip(), key)


def _untouched_node(said: object, text: str, key: str) -> Node:
    """Return the node of a value that was not touched: of a level from its text."""
    if isinstance(said, int):
        return _level_node(text.partition(BETWEEN)[0], key)
    return _items(said, key) if isinstance(said, tuple) else _scalar(str(said), key)


def _level_node(text: str, key: str) -> Scalar:
    return Scalar(text.strip(), Place(key), quoted=False)


def _scalar(text: str, key: str) -> Scalar:
    return Scalar(text, Place(key), quoted=True)


def _items(lines: Iterable[str], key: str) -> Items:
    return Items(tuple(_scalar(line, key) for line in lines), Place(key))
