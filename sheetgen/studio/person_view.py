"""What the page shows of people: a card on the wall, and the form of one of them, as plain data for the templates."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from sheetgen.model.character import Character
from sheetgen.model.system import FieldSpec, System, TraitGroup
from sheetgen.studio.person_form import BETWEEN, FEW_TRAITS, ControlNote, control_id, texts_of
from sheetgen.studio.rolled_people import first_rolled, rerollable
from sheetgen.studio.studio import Studio
from sheetgen.workspace.packs import Pack

UNDER = "occupation"  # stands below a name where the roster of the game says nothing else
MANNER = "manner"
SHORT = 80  # a text that is never longer takes part of a line
FEW_FIGURES = 8
MOST_BEST = 2
SPELT = 3  # letters of a trait whose initial is not its own
AFTERWARDS = ("notes",)


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
