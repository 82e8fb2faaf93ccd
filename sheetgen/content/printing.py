"""The files of print shops and of printer profiles: YAML to records, and profiles back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from sheetgen.content.yaml.containers import Key, ListOf, MapOf, RecordOf, Then
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import Node, parse
from sheetgen.content.yaml.scalars import ChoiceOf, DecimalNumber, OneLine, WholeNumber
from sheetgen.geometry import CARDS, DRAWN_BLEED
from sheetgen.model.printing import CONDITIONS, PDF_X, Printer, PrintShop

NONE = "none"
MOST_SHIFT = 10  # mm: more is no drift of a printer but another size of paper
MOST_MARGIN = 50  # mm


def _length(value: Decimal, node: Node, scope: Scope) -> float:
    return float(value)


def _standard(value: str, node: Node, scope: Scope) -> str:
    return "" if value == NONE else value


SHOP = RecordOf(
    "the print shop",
    PrintShop,
    Key("title", OneLine(80), "what the shop is called"),
    Key("file", ChoiceOf(("pdf", "pictures")), "what it takes: a PDF, or a ZIP of pictures", "pdf"),
    Key(
        "bleed",
        Then(DecimalNumber(0, int(DRAWN_BLEED)), _length),
        "what it cuts away around a card or page, in mm",
        3.0,
    ),
    Key("safe", Then(DecimalNumber(0, 20), _length), "what text keeps from the cut, in mm", 3.0),
    Key(
        "standard",
        Then(ChoiceOf((PDF_X, NONE)), _standard),
        "the standard of its PDFs; with pdf/x-1a colours become inks, and black is black ink alone",
        "",
    ),
    Key("condition", ChoiceOf(tuple(CONDITIONS)), "the printing condition that the inks are meant for", "FOGRA39"),
    Key("ink", WholeNumber(200, 400), "the most ink on a spot, all four together, in per cent", 300),
    Key("dots", WholeNumber(150, 1200), "dots an inch: of the pictures that it takes, and the least in a PDF", 300),
    Key(
        "cards",
        ListOf(ChoiceOf(tuple(CARDS), "a size of cards"), most=20),
        "the sizes that it cuts; all if left out",
        (),
    ),
    Key("first", ChoiceOf(("front", "back")), "which side of a card comes first in a PDF, before the other", "front"),
)


def read_shop(data: bytes, file: str, name: str) -> PrintShop:
    """Return the print shop of a file, called `name`; InputError with every problem and its place."""
    problems = Problems()
    found = SHOP.read(parse(data, file), Scope(problems), "")
    problems.raise_if_any()
    return replace(found, name=name)


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
