"""A handout as the fields of a form, and a form as the file that the command line prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sheetgen.content.handout_files import HELP, HandoutSource, handout_parts, read_handout
from sheetgen.content.yaml.edits import plain
from sheetgen.content.yaml.quoting import block_value
from sheetgen.errors import InputError, Problem
from sheetgen.model.handout import Catalogue, Handout, Kind, Style
from sheetgen.model.wording import capital

TEXT, STYLE, LOOK, HAND = "text", "style", "look", "hand"
_LACKS = re.compile(r'lacks "(\w+)"')
LONG: tuple[Kind, ...] = ("list", "pairs", "symbols", "map")  # kinds that take several lines


@dataclass(frozen=True, slots=True)
class HandoutField:
    """One field of a kind of handout: what it takes, whether it must be there, what it says, what is wrong with it."""

    name: str
    label: str
    help: str
    lines: bool
    needed: bool
    value: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class WrittenHandout:
    """The file that a form stands for, and the line, from 1, on which each of its fields begins."""

    data: str
    lines: Mapping[str, int] = field(default_factory=dict)

    def field_at(self, line: int) -> str:
        """Return the field that a line belongs to; empty for a line above all."""
        before = [(start, name) for name, start in self.lines.items() if start <= line]
        return max(before)[1] if before else ""


def form_fields(style: Style, values: Mapping[str, str], problems: Mapping[str, str]) -> list[HandoutField]:
    """Return the fields of a kind of handout, the needed ones first, the text among them if it is needed."""
    found = [
        HandoutField(
            name,
            capital(name).replace("_", " "),
            HELP[kind] if kind != "line" else "",
            kind in LONG,
            name in style.needs,
            values.get(name, ""),
            problems.get(name, ""),
        )
        for name, kind in style.fields.items()
    ]
    if style.text != "no":
        say = "Markdown: *slanted*, **strong**, # a heading; an empty line begins a paragraph"
        needed = style.text == "needs"
        found.append(HandoutField(TEXT, "The text", say, True, needed, values.get(TEXT, ""), problems.get(TEXT, "")))
    return sorted(found, key=lambda each: not each.needed)


def written_handout(style: Style, values: Mapping[str, str], suffix: str) -> WrittenHandout:
    """Return the file, YAML or Markdown with its fields on top, that says what the fields of a form say."""
    markdown = suffix == ".md"
    lines, starts = ["---"] if markdown else [], dict[str, int]()
    for name in (STYLE, LOOK, HAND, *style.fields):
        value = style.name if name == STYLE else values.get(name, "").replace("\r\n", "\n").strip()
        if value:
            starts[name] = len(lines) + 1
            lines += _lines(name, value, style.fields.get(name, "line"))
    text = values.get(TEXT, "").replace("\r\n", "\n").strip("\n")
    if markdown:
        starts[TEXT] = len(lines) + 2
        return WrittenHandout("\n".join([*lines, "---", text]).rstrip("\n") + "\n", starts)
    if text.strip():
        starts[TEXT] = len(lines) + 1
        lines += block_value({TEXT: f"{text}\n"}, 0).lines
    return WrittenHandout("\n".join(lines) + "\n", starts)


def _lines(name: str, value: str, kind: Kind) -> list[str]:
    rows = [line for line in value.split("\n") if line.strip()]
    if kind == "map":
        return [f"{name}:", *(f"  {line}" for line in value.split("\n"))]
    if kind == "list":
        return block_value({name: [line.strip() for line in rows]}, 0).lines
    if kind in ("pairs", "symbols"):
        pairs = [line.partition(":") for line in rows]
        return block_value({name: {head.strip(): rest.strip() for head, _, rest in pairs}}, 0).lines
    return block_value({name: " ".join(line.strip() for line in rows)}, 0).lines


def read_form_of_handout(
    written: WrittenHandout, catalogue: Catalogue, name: str, suffix: str
) -> tuple[Handout | None, dict[str, str]]:
    """Return the handout that a form stands for, or the problems of its fields by name; "" for those of none."""
    try:
        return read_handout(HandoutSource(written.data.encode(), name, suffix, name), catalogue), {}
    except InputError as error:
        return None, problems_by_field(written, error.problems)


def problems_by_field(written: WrittenHandout, problems: Iterable[Problem]) -> dict[str, str]:
    """Return problems by the field that they are of, each in one line; "" for those of none."""
    found = dict[str, list[str]]()
    for each in sorted(problems):
        lacking = _LACKS.search(each.message)
        name = lacking[1] if lacking else written.field_at(each.place.line)
        found.setdefault(name, []).append("is needed" if lacking else each.message)
    return {name: "; ".join(messages) for name, messages in found.items()}


def values_in(source: HandoutSource) -> dict[str, str]:
    """Return the fields of a form that say what a file says, its `style` among them, also where it is not sound yet.

    InputError for what is no YAML.
    """
    node, body = handout_parts(source)
    said = plain(node)
    found = {str(name): _as_lines(value) for name, value in said.items()} if isinstance(said, Mapping) else {}
    return found if body is None else {**found, TEXT: body.text}


def _as_lines(value: Any) -> str:
    if isinstance(value, Mapping):
        pairs = all(not isinstance(each, Mapping | list) for each in value.values())
        lines = [f"{name}: {each}" for name, each in value.items()] if pairs else block_value(value, 0).lines
        return "\n".join(lines)
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value or "").rstrip("\n")


def example_of(style: Style) -> dict[str, str]:
    """Return the fields of a form with the example of a kind of handout."""
    suffix = ".md" if style.example.startswith("---") else ".yaml"
    return values_in(HandoutSource(style.example.encode(), style.name, suffix, f"the example of a {style.name}"))
