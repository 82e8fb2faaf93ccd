"""The file of a print shop: YAML to a record."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from sheetgen.content.yaml.containers import Key, ListOf, RecordOf, Then
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.nodes import Node, parse
from sheetgen.content.yaml.scalars import ChoiceOf, DecimalNumber, OneLine, WholeNumber
from sheetgen.geometry import CARDS, DRAWN_BLEED
from sheetgen.model.printing import CONDITIONS, PDF_X, PrintShop

NONE = "none"


def _millimetres(value: Decimal, node: Node, scope: Scope) -> float:
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
        Then(DecimalNumber(0, int(DRAWN_BLEED)), _millimetres),
        "what it cuts away around a card or page, in mm",
        3.0,
    ),
    Key("safe", Then(DecimalNumber(0, 20), _millimetres), "what text keeps from the cut, in mm", 3.0),
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
