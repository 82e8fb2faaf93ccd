"""Characters as text that travels: YAML that is pleasant to edit, JSON for programs, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sheetgen.content.spreadsheet import GUARDED
from sheetgen.model.character import FORMAT_VERSION, Character, Value
from sheetgen.model.system import FieldSpec, System

WIDTH = 112

_PLAIN = re.compile(r"[^\W\d_][\w’'.&+/()\-–— ]*(?:, [\w’'.&+/()\-–— ]+)*", re.UNICODE)
_NOT_PLAIN = frozenset(("null", "~", "yes", "no", "true", "false", "on", "off"))
_ENDING = re.compile(r"[\\\n|]")
_COLON = re.compile(r":(?= |$)")


def yaml_text(system: System, characters: Sequence[Character]) -> Iterator[str]:
    """The characters as YAML, piece by piece: a heading with comments, then one block a character."""
    yield f"# {system.title}: {len(characters)} character{'s' if len(characters) != 1 else ''}.\n"
    yield "# Change what you like, then print with: sheetgen sheet FILE\n"
    for spec in system.fields:
        if spec.hint:
            yield f"# {spec.name}: {spec.hint}\n"
    yield f"system: {system.id}\nformat: {FORMAT_VERSION}\ncharacters:\n"
    for character in characters:
        yield yaml_character(system, character)


def yaml_character(system: System, character: Character) -> str:
    """One character as an entry of a YAML list, its fields in the order of the pack."""
    lines: list[str] = []
    for spec in system.fields:
        if spec.name in character.values:
            lines += _yaml_field(system, spec, character.values[spec.name])
    if character.origin is not None:
        lines.append(f"rolled: {{{', '.join(_origin(character))}}}")
    return "- " + "\n  ".join(lines) + "\n"


def _origin(character: Character) -> Iterator[str]:
    origin = character.origin
    if origin is None:
        return
    yield f"method: {scalar(origin.method)}"
    if origin.archetype:
        yield f"archetype: {scalar(origin.archetype)}"
    yield f"seed: {origin.seed}"
    yield f"index: {origin.index}"
    if origin.options:
        yield f"options: {{{', '.join(f'{name}: {scalar(value)}' for name, value in origin.options.items())}}}"


def _yaml_field(system: System, spec: FieldSpec, value: Value) -> list[str]:
    name = scalar(spec.name)
    if isinstance(value, str):
        return [f"{name}: {scalar(value)}"]
    if isinstance(value, tuple):
        return [f"{name}:", *(f"  - {scalar(item)}" for item in value)] if value else []
    if spec.kind == "levels":
        written = {key: system.write(key, level) for key, level in value.items() if isinstance(level, int)}
        flow = f"{name}: {{{', '.join(f'{scalar(key)}: {level}' for key, level in written.items())}}}"
        return (
            [flow]
            if len(flow) <= WIDTH
            else [f"{name}:", *(f"  {scalar(key)}: {level}" for key, level in written.items())]
        )
    if not value:
        return []
    return [f"{name}:", *(f"  {scalar(key)}: {_nested(item)}" for key, item in value.items())]


def _nested(item: object) -> str:
    if isinstance(item, tuple):
        return f"[{', '.join(flow_scalar(str(each)) for each in item)}]"
    return str(item) if isinstance(item, int) else scalar(str(item))


def scalar(text: str) -> str:
    """The text as a YAML scalar in block context: plain where nothing can be misread, else in double quotes."""
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_PLAIN and text == text.strip():
        return text
    return json.dumps(text, ensure_ascii=False)


def flow_scalar(text: str) -> str:
    """The text as a YAML scalar inside brackets, where a comma would end it."""
    return json.dumps(text, ensure_ascii=False) if "," in text else scalar(text)


def json_text(system: System, characters: Sequence[Character]) -> Iterator[str]:
    """The characters as JSON of the same shape as the YAML, levels as plain numbers."""
    head = json.dumps({"system": system.id, "format": FORMAT_VERSION}, ensure_ascii=False)
    yield head[:-1] + ', "characters": ['
    for number, character in enumerate(characters):
        yield ("," if number else "") + "\n  " + json.dumps(plain(character), ensure_ascii=False)
    yield "\n]}\n"


def plain(character: Character) -> dict[str, object]:
    """A character as dicts, lists, strings and numbers."""
    made: dict[str, object] = {name: _plain(value) for name, value in character.values.items()}
    origin = character.origin
    if origin is not None:
        rolled: dict[str, object] = {"method": origin.method, "seed": origin.seed, "index": origin.index}
        if origin.archetype:
            rolled["archetype"] = origin.archetype
        if origin.options:
            rolled["options"] = dict(origin.options)
        made["rolled"] = rolled
    return made


def _plain(value: Value) -> object:
    if isinstance(value, Mapping):
        return {key: list(item) if isinstance(item, tuple) else item for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


def csv_columns(system: System) -> list[str]:
    """The columns of a CSV file: one a field, one a trait for levels, and `rolled`."""
    columns = ["system"]
    for spec in system.fields:
        if spec.kind == "levels":
            columns += [f"{spec.name}.{trait.name}" for trait in system.group(spec.name).members]
        else:
            columns.append(spec.name)
    return [*columns, "rolled"]


def csv_text(system: System, characters: Iterable[Character]) -> Iterator[str]:
    """The characters as CSV, a row each; what a spreadsheet would take for a formula is written as text."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, csv_columns(system), lineterminator="\n")
    writer.writeheader()
    for character in characters:
        writer.writerow({column: _guarded(text) for column, text in _row(system, character).items()})
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _guarded(text: str) -> str:
    return f"'{text}" if text.startswith(GUARDED) else text


def _row(system: System, character: Character) -> dict[str, str]:
    row = {"system": system.id}
    for spec in system.fields:
        if spec.name not in character.values:
            continue
        value = character.values[spec.name]
        if spec.kind == "levels":
            row.update({f"{spec.name}.{trait}": str(level) for trait, level in character.numbers(spec.name).items()})
        else:
            row[spec.name] = _cell(value)
    if character.origin is not None:
        row["rolled"] = "{" + ", ".join(_origin(character)) + "}"
    return row


def _cell(value: Value) -> str:
    """A value as the text of one cell: a line for each thing it holds, bars between the items of a trait."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return "\n".join(_escaped(item) for item in value)
    return "\n".join(f"{_key(key)}: {_side_by_side(item)}" for key, item in value.items())


def _key(text: str) -> str:
    """The name before a colon, its own colons marked where they could be taken for that one."""
    return _COLON.sub(r"\\:", _escaped(text))


def _side_by_side(item: object) -> str:
    return " | ".join(_escaped(each) for each in item) if isinstance(item, tuple) else _escaped(str(item))


def _escaped(text: str) -> str:
    """The text with a backslash before what would end it in a cell, as `content.spreadsheet` undoes it."""
    return _ENDING.sub(lambda found: "\\n" if found[0] == "\n" else f"\\{found[0]}", text)
