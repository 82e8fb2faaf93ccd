"""Somebody on the page: a card on the wall; a form made from the fields of the game, and read back, with places.

A control stands for a field, or for a trait or a row of one; its key is `manner`, `skills.Melee`, `people.0`. What is
not legal is told of under its control, and stays as it was. Rolled people are kept, to mark who was changed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, cast
from urllib.parse import quote, urlencode

from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.content.yaml.nodes import Sequence as Items
from sheetgen.documents.export.characters import origin_words
from sheetgen.errors import InputError, Place
from sheetgen.model.character import Character, Value
from sheetgen.model.system import FieldSpec, System, TraitGroup
from sheetgen.people.rerolling import as_rolled, marked_by, rolled_fields
from sheetgen.rules.registry import engine_of
from sheetgen.studio.studio import Studio
from sheetgen.workspace.packs import Pack

BETWEEN = "\x1f"  # level and name of a row
FEW_TRAITS = 12  # a group of so many stands as boxes, a larger one as the rows of those that somebody has
MOST_REMEDIES = 3
UNDER = "occupation"  # stands below a name where the roster of the game says nothing else
MANNER = "manner"
SHORT = 80  # a text that is never longer takes part of a line
FEW_FIGURES = 8
MOST_BEST = 2
SPELT = 3  # letters of a trait whose initial is not its own
AFTERWARDS = ("notes",)


def first_rolled(studio: Studio, pack: Pack, character: Character) -> Character | None:
    """Return somebody as the dice fell; None for who was not rolled."""

    def make() -> Character | None:
        with studio.making:
            return as_rolled(pack, character)

    return studio.lately.get(_key(studio, pack, character), make) if character.origin is not None else None


def just_rolled(studio: Studio, pack: Pack, character: Character) -> None:
    """Remember somebody who was rolled this moment, so that it need not be done again."""
    studio.lately.get(_key(studio, pack, character), lambda: character)


def rerollable(studio: Studio, pack: Pack, character: Character) -> frozenset[str]:
    """Return the fields of somebody that can be rolled again: those of their method, archetype and options."""
    origin = character.origin
    if origin is None or first_rolled(studio, pack, character) is None:
        return frozenset()

    def make() -> frozenset[str]:
        with studio.making:
            return rolled_fields(pack, character)

    kind = origin.method, origin.archetype, tuple(sorted(origin.options.items()))
    return studio.lately.get(("rerollable", studio.mark(pack), *kind), make)


def marked(studio: Studio, pack: Pack, character: Character) -> Character:
    """Return somebody, marked as edited if something was changed by hand."""
    first = first_rolled(studio, pack, character)
    return character if first is None else marked_by(character, first)


def _key(studio: Studio, pack: Pack, character: Character) -> tuple[object, ...]:
    assert character.origin is not None
    return "first", studio.mark(pack), repr(replace(character.origin, edited=False))


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


def figures(system: System, character: Character) -> list[dict[str, str]]:
    """Return the few levels that tell most of somebody: those of the first group, or the best of it."""
    group = next((group for group in system.groups if character.numbers(group.name)), None)
    if group is None:
        return []
    levels = character.numbers(group.name)
    if len(group.members) <= FEW_FIGURES and group.scale.kind != "words":
        names = _short_names(group)
        shown = [(names[each.name], each.name) for each in group.members if each.name in levels]
    else:
        usual = {each.name: each.default for each in group.members}
        best = sorted((name for name in levels if levels[name] != usual.get(name)), key=lambda name: -levels[name])
        shown = [(name, name) for name in best[:MOST_BEST]]
    return [{"trait": short, "whole": name, "level": group.write(levels[name])} for short, name in shown]


def _short_names(group: TraitGroup) -> dict[str, str]:
    names = [each.name for each in group.members]
    if len(names) <= MOST_BEST:
        return dict(zip(names, names, strict=True))
    initials = len({name[:1].casefold() for name in names}) == len(names)
    return {each.name: each.short or each.name[: 1 if initials else SPELT] for each in group.members}


def card(system: System, character: Character) -> dict[str, Any]:
    """Return what the wall shows of somebody."""
    under = system.roster.under if system.roster and system.roster.under else UNDER
    return {
        "name": character.text("name") or "nobody yet",
        "trade": character.text(under),
        "manner": character.text(MANNER) or character.text("look"),
        "figures": figures(system, character),
    }


def person_form(
    studio: Studio, pack: Pack, character: Character, notes: Mapping[str, ControlNote], typed: Mapping[str, str]
) -> dict[str, Any]:
    """Return the form of somebody: the parts in the order of the sheet, with what was typed where that is not legal."""
    system, texts = pack.system, texts_of(pack.system, character)
    first, again = first_rolled(studio, pack, character), rerollable(studio, pack, character)
    by_dice = texts_of(system, first) if first is not None else {}
    made = _Form(system, texts, by_dice, again, notes, typed)
    parts = [part for spec in system.fields if spec.name not in AFTERWARDS and (part := made.part(spec))]
    said = [part for part in parts if part["kind"] == "text"]
    return {
        "name": next((part["controls"][0] for part in said if part["name"] == "name"), None),
        "short": [each for each in said if each["short"] and each["name"] != "name"],
        "said": [each for each in said if not each["short"] and each["name"] != "name"],
        "parts": [each for each in parts if each["kind"] != "text"],
        "after": [part for name in AFTERWARDS if (spec := system.spec(name)) and (part := made.part(spec))],
        "was": json.dumps(texts, ensure_ascii=False),
        "rolled": character.origin is not None,
        "by_hand": any(texts.get(key) != text for key, text in by_dice.items()),
    }


@dataclass(frozen=True, slots=True)
class _Form:
    """The parts of a form, field by field: texts by key as they are, as the dice gave them, as they were typed."""

    system: System
    texts: Mapping[str, str]
    by_dice: Mapping[str, str]
    again: frozenset[str]
    notes: Mapping[str, ControlNote]
    typed: Mapping[str, str]

    def part(self, spec: FieldSpec) -> dict[str, Any]:
        """Return the part of the form for a field; texts for traits stand beside these, where those have a row."""
        kinds = {"list": "lines", "choice": "text", "text": "text", "ratings": "ratings", "levels": "levels"}
        kind = kinds.get(spec.kind, "beside")
        controls = list(self._controls(spec))
        found: dict[str, Any] = {
            "name": spec.name,
            "title": spec.title,
            "hint": spec.hint,
            "rule": spec.rule,
            "kind": kind,
            "short": kind == "text" and spec.longest <= SHORT,
            "again": spec.name in self.again,
            "controls": controls,
        }
        if kind == "levels":
            group = self.system.group(spec.name)
            boxes = len(group.members) <= FEW_TRAITS
            rated = [control["title"] for control in controls]
            found |= {
                "boxes": boxes,
                "wide": group.scale.kind in ("words", "code"),
                "hint": group.hint or spec.hint,
                "rule": group.rule,
                "addable": [] if boxes else [each.name for each in group.members if each.name not in rated],
                "words": list(group.scale.words) if group.scale.kind == "words" else [],
            }
        return {} if kind == "beside" and not controls else found

    def _controls(self, spec: FieldSpec) -> Iterator[dict[str, Any]]:
        if spec.kind in ("text", "choice", "list"):
            yield self._control(spec, spec.name, spec.title)
        elif spec.kind == "levels":
            group = self.system.group(spec.name)
            for trait in group.members:
                key = f"{spec.name}.{trait.name}"
                if len(group.members) <= FEW_TRAITS or key in self.texts or key in self.typed:
                    beside = [
                        self._control(each, f"{each.name}.{trait.name}", f"{each.title}: {trait.name}")
                        for each in self.system.fields
                        if each.kind in ("text per trait", "list per trait")
                        and group.name in each.groups
                        and (len(group.members) > FEW_TRAITS or f"{each.name}.{trait.name}" in self.texts)
                    ]
                    hint = trait.hint or f"{group.write(trait.range.low)} to {group.write(trait.range.high)}"
                    yield self._control(spec, key, trait.name) | {"hint": hint, "beside": beside}
        elif spec.kind == "ratings":
            rows = sum(key.startswith(f"{spec.name}.") for key in self.texts)
            for at in range(rows + 1):
                made = self._control(spec, f"{spec.name}.{at}", spec.title)
                level, _, name = made["value"].partition(BETWEEN)
                yield made | {"value": level, "called": name}

    def _control(self, spec: FieldSpec, key: str, title: str) -> dict[str, Any]:
        note, value = self.notes.get(key), self.typed.get(key, self.texts.get(key, ""))
        first = self.by_dice.get(key, "")
        changed = bool(first) and BETWEEN not in first and first != value and spec.kind != "list"
        return {
            "key": key,
            "id": control_id(key),
            "title": title,
            "value": value,
            "several": spec.several_lines or spec.kind == "list" or (spec.kind == "text" and spec.longest > 100),
            "longest": spec.longest,
            "among": list(spec.among),
            "first": first if changed else "",
            "beside": [],
            "note": note
            and {
                "said": list(note.said),
                "rule": note.rule,
                "explained": f"/rules/{quote(self.system.id)}?{urlencode({'find': note.rule})}",
                "remedies": [{"label": label, "text": text} for label, text in note.remedies],
                "keeps": note.keeps,
            },
        }


def all_controls(form: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every control of a form, those beside others too."""
    parts = [*form["short"], *form["said"], *form["parts"], *form["after"]]
    for control in ([form["name"]] if form["name"] else []) + [each for part in parts for each in part["controls"]]:
        yield control
        yield from control["beside"]
