"""The file of printer profiles: YAML to records and back."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from sheetgen.content.yaml.decode import Problems, decimal, fields, items, pairs
from sheetgen.content.yaml.nodes import Node, Scalar, parse
from sheetgen.model.printer import Printer

MOST_SHIFT = 10  # mm: more is no drift of a printer but another size of paper
MOST_MARGIN = 50  # mm


def read_printers(data: bytes, file: str) -> dict[str, Printer]:
    """The printers of a profile file by name; InputError with every problem and its place."""
    problems = Problems()
    found = fields(parse(data, file), problems, what="the printers file", needs=["printers"])
    printers: dict[str, Printer] = {}
    if "printers" in found:
        printers = pairs(
            found["printers"], problems, lambda name, node: _printer(name, node, problems), what="printers", most=100
        )
    problems.raise_if_any()
    return printers


def _printer(name: Scalar, node: Node, problems: Problems) -> Printer:
    given = fields(node, problems, what=f"printer {name.text}", may=["shift", "margin"])
    shift, margin = (0.0, 0.0), None
    if "shift" in given:
        read = items(given["shift"], problems, lambda each: _length(each, problems, "shift", -MOST_SHIFT), what="shift")
        if len(read) == 2:
            shift = (read[0], read[1])
        elif read:
            problems.add(given["shift"].place, "shift takes two lengths in mm: [to the right, up]")
    if "margin" in given:
        margin = _length(given["margin"], problems, "margin", 0, MOST_MARGIN)
    return Printer(name.text, shift, margin)


def _length(node: Node, problems: Problems, what: str, low: int, high: int = MOST_SHIFT) -> float:
    return float(decimal(node, problems, what=what, low=Decimal(low), high=Decimal(high)))


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
