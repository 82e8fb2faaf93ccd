"""The reference for authors, made from declarations; `python -m sheetgen.services.reference` prints it."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

from sheetgen.content.handout_files import FILE, HELP, handout_record, read_catalogue
from sheetgen.content.schema import FILES
from sheetgen.content.yaml.containers import Key, RecordOf
from sheetgen.content.yaml.decoder import Decoder
from sheetgen.model.handout import Catalogue
from sheetgen.rules.procedures.families import FAMILIES
from sheetgen.rules.registry import load_engine

HEAD = """\
# What files may hold

Every file of a pack and every file that you write for one, key by key. This page is made from what the program itself
reads by (`python -m sheetgen.services.reference`), so that it says neither more nor less. [A pack of your
own](packs.md) tells how the files work together.

A text is taken as it is written: `NO` stays `NO`. A pack that `extends` another may leave out whatever that one has.
"""
_OPENING = re.compile(r"^(?:Return a|A) step that (\w)")  # a table of steps need not say so of each
_RECORD = re.compile(r"\{([^{}]*)\}")


def reference(catalogue: Catalogue) -> str:
    """Return the whole page, in Markdown."""
    parts, described = [HEAD], set[str]()
    for kind in FILES.values():
        parts.append(f"\n## {kind.file}\n\n{kind.say}\n")
        parts += _sections(kind.holds, described)
        if kind.file == "creation.yaml":
            parts.append(_calls("### What a step may `do`", "step", load_engine("").steps))
        if kind.file == "system.yaml":
            parts.append(_calls("### Families for `play`", "family", FAMILIES))
    parts.append("\n## handouts/*.md and *.yaml\n\nThe fields of each style.\n")
    parts.append(_handouts(catalogue))
    return "".join(parts)


def _sections(holds: Decoder[Any], described: set[str]) -> Iterator[str]:
    """Yield the tables of a file: the record that it is, then those within it, each once."""
    if isinstance(holds, RecordOf):
        described.add(holds.name)
        yield _table(holds.keys)
    else:
        yield f"\nThe file is a {_linked(str(holds))}.\n"
    for record in _records(holds, described):
        yield f"\n### {record.name}\n{_table(record.keys)}"


def _records(decoder: Decoder[Any], described: set[str]) -> Iterator[RecordOf[Any]]:
    """Yield the records within a decoder that were not described before, the outer ones first."""
    found = [part for part in decoder.parts() if isinstance(part, RecordOf) and part.name not in described]
    for record in found:
        if record.name not in described:
            described.add(record.name)
            yield record
    for part in decoder.parts():
        yield from _records(part, described)


def _table(keys: Iterable[Key]) -> str:
    rows = [f"| `{key.name}` | {_linked(str(key.takes))} | {_default(key)} | {_cell(key.help)} |\n" for key in keys]
    return "\n| key | takes | if absent | |\n|---|---|---|---|\n" + "".join(rows)


def _default(key: Key) -> str:
    if key.is_needed:
        return "**needed**"
    if isinstance(key.default, bool):
        return "yes" if key.default else "no"
    return _cell(f"`{key.default}`") if isinstance(key.default, str | int) and key.default != "" else ""


def _linked(words: str) -> str:
    return _cell(_RECORD.sub(lambda found: f"[{found[1]}](#{found[1].lower().replace(' ', '-')})", words))


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


def _calls(title: str, what: str, calls: Mapping[str, Callable[..., object]]) -> str:
    """Return a table of Python functions by name: their keys, and what their docstrings say."""
    rows = [f"| `{name}` | {_keys(call)} | {_cell(_summary(call))} |\n" for name, call in calls.items()]
    return f"\n{title}\n\n| {what} | keys | |\n|---|---|---|\n" + "".join(rows)


def _summary(call: Callable[..., object]) -> str:
    return _OPENING.sub(lambda found: found[1].upper(), " ".join((inspect.getdoc(call) or "").split()))


def _keys(call: Callable[..., object]) -> str:
    """Return the keys that a call reads: the words of its first `only(...)`, which refuses all others."""
    for node in ast.walk(ast.parse(dedent(inspect.getsource(call)))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "only":
            words = [str(each.value) for each in node.args if isinstance(each, ast.Constant) and each.value]
            return ", ".join(f"`{word}`" for word in words)
    return ""


def _handouts(catalogue: Catalogue) -> str:
    rows = []
    for name, style in catalogue.styles.items():
        record = handout_record(style, catalogue)
        fields = [key for key in record.keys if key.name not in ("style", "look", "hand")]
        needed, optional = ([key.name for key in fields if key.is_needed is needed] for needed in (True, False))
        rows.append(f"| `{name}` | {_names(needed, style.fields)} | {_names(optional, style.fields)} | {style.say} |\n")
    kinds = "".join(f"| {kind} | {_cell(help)} |\n" for kind, help in HELP.items())
    return (
        "\n| style | needs | may have | |\n|---|---|---|---|\n" + "".join(rows) + "\nEvery style may have a `look`: "
        f"{', '.join(f'`{look}`' for look in catalogue.looks)}; and a `hand`: "
        f"{', '.join(f'`{hand}`' for hand in catalogue.hands)}.\n\n| kind of field | |\n|---|---|\n{kinds}"
    )


def _names(names: Iterable[str], kinds: Mapping[str, str]) -> str:
    return ", ".join(f"`{name}`" + (f" ({kinds[name]})" if kinds.get(name, "line") != "line" else "") for name in names)


if __name__ == "__main__":
    styles = Path(__file__).parents[2] / "templates" / FILE
    sys.stdout.write(reference(read_catalogue([(styles.read_bytes(), FILE)])))
