"""Values written as YAML: texts plain where nothing can be misread, in double quotes elsewhere; blocks and brackets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sheetgen.content.yaml.scalars import is_decimal

STEP, LONGEST_FLOW = 2, 100

_BLOCK_LINE = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]*")
_PLAIN = re.compile(r"[^\W\d_][\w’'.&+/()\-–— ]*(?:, [\w’'.&+/()\-–— ]+)*", re.UNICODE)
_NOT_PLAIN = frozenset(("null", "~", "yes", "no", "true", "false", "on", "off"))


def scalar(text: str) -> str:
    """Return the text as a YAML scalar in block context: plain where nothing can be misread, else in double quotes."""
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_PLAIN and text == text.strip():
        return text
    return json.dumps(text, ensure_ascii=False)


def flow_scalar(text: str) -> str:
    """Return the text as a YAML scalar inside brackets, where a comma would end it."""
    return json.dumps(text, ensure_ascii=False) if "," in text else scalar(text)


def as_texts(value: Any) -> Any:
    """The value as reading gives it back: all scalars are texts, and an empty one is a text, too."""
    if isinstance(value, Mapping):
        return {str(key): as_texts(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_texts(each) for each in value]
    return None if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A value in block style: what stands behind the colon, and the lines below."""

    head: str
    lines: list[str]

    @property
    def tail(self) -> str:
        """The lines below, each behind a line break."""
        return "".join(f"\n{each}" for each in self.lines)


def block_value(value: Any, indent: int) -> Rendered:
    """Return a value as it stands below a key or behind it, its lines indented by so much."""
    value = as_texts(value)
    if isinstance(value, dict) and value:
        return Rendered("", [line for key, each in value.items() for line in _pair(key, each, indent)])
    if isinstance(value, list) and value:
        return Rendered("", [line for each in value for line in list_entry(each, indent)[:-1].split("\n")])
    if isinstance(value, str) and "\n" in value and _may_be_block(value):
        head = "|" if value.endswith("\n") else "|-"
        return Rendered(
            head, [f"{' ' * indent}{each}" if each else "" for each in value.removesuffix("\n").split("\n")]
        )
    return Rendered(flow_value(value) if isinstance(value, dict | list) else _scalar(value, scalar), [])


def _may_be_block(text: str) -> bool:
    """Return whether a text reads back as it stands below `|`: it begins with a letter and ends with one line break."""
    lines = text.removesuffix("\n").split("\n")
    plain_lines = all(_BLOCK_LINE.fullmatch(each) and (each == "" or each.strip()) for each in lines)
    return bool(lines[0]) and not lines[0].startswith((" ", "\t")) and bool(lines[-1]) and plain_lines


def _pair(key: str, value: Any, indent: int) -> list[str]:
    rendered = block_value(value, indent + STEP)
    return [f"{' ' * indent}{scalar(key)}:{f' {rendered.head}' if rendered.head else ''}", *rendered.lines]


def list_entry(value: Any, indent: int) -> str:
    """Return an entry of a list with its dash, and a line break at its end."""
    value = as_texts(value)
    if isinstance(value, dict | list) and _is_short(value):
        return f"{' ' * indent}- {flow_value(value)}\n"
    rendered = block_value(value, indent + STEP)
    lines = rendered.lines if not rendered.head else [f"{' ' * (indent + STEP)}{rendered.head}", *rendered.lines]
    lines = lines or [" " * (indent + STEP)]
    return "\n".join((f"{' ' * indent}- {lines[0][indent + STEP :]}".rstrip(), *lines[1:], ""))


def _is_short(value: Any) -> bool:
    flow = flow_value(value)
    return (
        len(flow) <= LONGEST_FLOW
        and "\\n" not in flow
        and not (isinstance(value, dict) and "title" in value and len(value) == 1)
    )


def flow_value(value: Any) -> str:
    """Return a value in one line, with brackets where it holds others."""
    value = as_texts(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow_scalar(key)}: {flow_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow_value(each) for each in value) + "]"
    return _scalar(value, flow_scalar)


def _scalar(value: str | None, written: Callable[[str], str]) -> str:
    if value is None:
        return "null"
    return value if is_decimal(value) else written(value)
