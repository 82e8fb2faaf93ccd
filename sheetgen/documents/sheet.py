"""Character sheets: what a template is told about a game, and the text of every field for one character."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.documents.figures.icons import RED, SUITS
from sheetgen.documents.provenance import again
from sheetgen.model.character import Character
from sheetgen.model.system import FieldSpec, System, Table, TraitGroup

MORE = "more.html"
TEMPLATE = "sheet.html"
DOT = "\u00a0· "  # the dot stays at the end of its line
LONGEST_NOTE = 20
BACK_PEOPLE, BACK_FAMILIAR, BACK_GEAR = 8, 8, 10


def game(system: System) -> dict[str, object]:
    """A game as plain data for templates: no objects, no methods."""
    return {
        "id": system.id,
        "title": system.title,
        "subtitle": system.subtitle,
        "motto": system.motto,
        "credit": system.credit,
        "licence": " ".join(system.licence.split()),
        "accent": system.accent,
        "red": system.tone.of(RED),
        "ink_saver": system.tone.ink_saver,
        "groups": {group.name: _group(group) for group in system.groups},
        "names": {trait.role: trait.name for trait in system.all_traits()},
        "specs": [{"name": spec.name, "title": spec.title, "kind": spec.kind} for spec in system.fields],
        "values": system.values.plain(),
        "tables": {table.name: _rows(table) for table in system.tables.values()},
        "suits": dict(SUITS),
    }


def _rows(table: Table) -> list[dict[str, object]]:
    """The rows of a table: the lowest and the highest result of each, and its columns."""
    return [{"low": row.span.low, "high": row.span.high, **row.columns} for row in table.rows]


def _group(group: TraitGroup) -> dict[str, object]:
    return {
        "title": group.title,
        "hint": group.hint,
        "default": "" if group.default is None else group.write(group.default),
        "traits": [
            {
                **{"name": trait.name, "role": trait.role, "hint": trait.hint},
                **{"kind": trait.kind, "section": trait.section},
                "start": [group.write(trait.start.low), group.write(trait.start.high)],
            }
            for trait in group.members
        ],
        "sections": {name: [trait.name for trait in members] for name, members in group.sections.items()},
    }


def sheet_values(system: System, character: Character, figures: Mapping[str, str]) -> dict[str, str]:
    """The text of every field of a sheet that says something, by field name.

    Fields are named after what they hold: `name`, `attributes.Grit`, `note.Fire` (a specialty, or what the level
    means), `gear`, `gear.1`, `people.1.name`, `figure.move`; empty fields are left out.
    """
    values: dict[str, str] = {}
    for name, text in figures.items():
        if name.partition(".")[0] in system.rows:
            values[name] = text
        elif not name.startswith(("word.", "thing.")):
            values[f"figure.{name}"] = text
    values.update(_notes(system, character, figures))
    for spec in system.fields:
        if spec.name in character.values:
            values.update(_field(system, character, spec, figures))
    if character.origin is not None:
        values["seed"] = again(system, character.origin)
    return {name: text for name, text in values.items() if text}


def _field(system: System, character: Character, spec: FieldSpec, figures: Mapping[str, str]) -> dict[str, str]:
    name = spec.name
    if spec.kind == "choice":
        return {name: _sentence(character.text(name))}
    if spec.kind == "text":
        return {name: _sentence(character.text(name)) if name == "occupation" else character.text(name)}
    if spec.kind == "list":
        lines = [_thing(line, figures.get(f"thing.{line.casefold()}", "")) for line in character.lines(name)]
        return {name: DOT.join(lines), **_numbered(name, lines)}
    if spec.kind == "levels":
        written = system.written
        return {f"{name}.{trait}": written[trait](level) for trait, level in character.numbers(name).items()}
    if spec.kind == "ratings":
        rated = [(who, _share(system, spec, level)) for who, level in character.numbers(name).items()]
        rows = {f"{name}.{at}.name": who for at, (who, _) in enumerate(rated, 1)}
        rows.update({f"{name}.{at}.level": level for at, (_, level) in enumerate(rated, 1)})
        return {name: "\n".join(f"{level}{DOT}{who}" for who, level in rated), **rows}
    if spec.kind == "list per trait":
        listed = character.lists(name)
        rows = {f"{name}.{at}.trait": trait for at, trait in enumerate(listed, 1)}
        rows.update({f"{name}.{at}.list": ", ".join(things) for at, things in enumerate(listed.values(), 1)})
        return {name: DOT.join(f"{trait}: {', '.join(things)}" for trait, things in listed.items()), **rows}
    return {}


def _share(system: System, spec: FieldSpec, level: int) -> str:
    """A rating as the trait that it is a share of would be written."""
    pool = system.by_role.get(spec.within)
    return system.write(pool.name, level) if pool is not None else str(level)


def _numbered(name: str, lines: list[str]) -> dict[str, str]:
    return {f"{name}.{number}": line for number, line in enumerate(lines, 1)}


def _thing(line: str, note: str) -> str:
    """A thing of a list with what the figures have to add to it."""
    return f"{_sentence(line)} ({note})" if note else _sentence(line)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _notes(system: System, character: Character, figures: Mapping[str, str]) -> dict[str, str]:
    """What stands beside a level: its specialty first, then what the level means."""
    notes: dict[str, list[str]] = {}
    for spec in system.fields:
        if spec.kind == "text per trait":
            for name, text in character.notes(spec.name).items():
                notes.setdefault(name, []).append(text)
        if spec.kind == "ratings" and spec.within in system.by_role:
            shares = "\u00a0+\u00a0".join(
                _share(system, spec, level) for level in character.numbers(spec.name).values()
            )
            said = notes.setdefault(system.by_role[spec.within].name, [])
            if not said or sum(map(len, said)) + len(shares) <= LONGEST_NOTE:
                said.append(shares)
    for trait in system.banded:
        word = figures.get(f"word.{trait.role}")
        if word and not trait.kind:
            said = notes.setdefault(trait.name, [])
            if not said or sum(map(len, said)) + len(word) <= LONGEST_NOTE:
                said.append(word)
    return {f"note.{name}": DOT.join(words) for name, words in notes.items()}


def unknown_fields(names: tuple[str, ...], system: System, also: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The field names of a form that no character of this game could ever fill; `also` names more heads of fields."""
    known = {"name", "seed", "text", "player", "campaign", "date"}
    known.update(spec.name for spec in system.fields)
    heads = {f"{name}." for name in (*(spec.name for spec in system.fields), *system.rows, "figure", "pencil")}
    heads.update(also)
    traits = {f"{group.name}.{trait.name}" for group in system.groups for trait in group.members}
    traits.update(f"note.{trait.name}" for trait in system.all_traits())
    levels = {f"{group.name}." for group in system.groups}
    found = []
    for name in names:
        head = f"{name.partition('.')[0]}."
        if name in known or name in traits or (head in heads and head not in levels):
            continue
        found.append(name)
    return tuple(found)
