"""The file of printer profiles: YAML to records and back."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sheetgen.content.yaml.containers import Key, ListOf, MapOf, RecordOf, Then
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import Node, parse
from sheetgen.content.yaml.scalars import DecimalNumber
from sheetgen.model.printing import Printer

MOST_SHIFT = 10  # mm: more is no drift of a printer but another size of paper
MOST_MARGIN = 50  # mm


def _millimetres(value: tuple[Decimal, ...] | Decimal, node: Node, scope: Scope) -> object:
    return tuple(map(float, value)) if isinstance(value, tuple) else float(value)


PRINTER = RecordOf(
    "printer {key}",
    Printer,
    Key(
        "shift",
        Then(
            ListOf(DecimalNumber(-MOST_SHIFT, MOST_SHIFT), exactly=2, meaning="two lengths in mm: [to the right, up]"),
            _millimetres,
        ),
        "how far the back of a page is printed off",
        (0.0, 0.0),
    ),
    Key("margin", Then(DecimalNumber(0, MOST_MARGIN), _millimetres), "the edge left white, in mm", None),
    key="name",
)
PRINTERS = RecordOf[dict[str, Any]](
    "the printers file", dict, Key("printers", MapOf(PRINTER, most=100), "the printers, each under its name")
)


def read_printers(data: bytes, file: str) -> dict[str, Printer]:
    """Return the printers of a profile file by name; InputError with every problem and its place."""
    problems = Problems()
    printers: dict[str, Printer] = PRINTERS.read(parse(data, file), Scope(problems), "")["printers"]
    problems.raise_if_any()
    return printers


def written_printers(printers: Mapping[str, Printer]) -> str:
    """The profiles as the text of their file, in the order of their names."""
    lines = ["# What sheetgen knows of printers, in mm; sheetgen proof prints the page to measure by.", "printers:"]
    for name in sorted(printers):
        printer = printers[name]
        across, up = printer.shift
        lines += [f"  {name}:", f"    shift: [{across:g}, {up:g}]"]
        if printer.margin is not None:
            lines.append(f"    margin: {printer.margin:g}")
    return "\n".join(lines) + "\n"
