"""All products there are, found by name: a new one is a module and a line here."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.products.options import Options
from sheetgen.products.product import Product
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

# Each name with the constant that declares it; its module is imported when the product is asked for.
PRODUCTS = {
    "blank": "blank.BLANK",
    "book": "book.BOOK_PRODUCT",
    "cards": "cards.CARDS_PRODUCT",
    "screen": "screen.SCREEN",
    "reference": "reference.REFERENCE",
    "handouts": "handouts.HANDOUTS",
    "booklet": "booklet.BOOKLET",
}


def product_named(name: str) -> Product[Any, Any]:
    """Return the product of that name; UsageError with the nearest one if there is none."""
    if name not in PRODUCTS:
        raise UsageError(
            f"unknown product {quoted(name)}{suggestion(name, PRODUCTS) or f'; there are {list(PRODUCTS)}'}"
        )
    module, constant = PRODUCTS[name].split(".")
    made: Product[Any, Any] = getattr(import_module(f"sheetgen.products.{module}"), constant)
    return made


def products_of(project: Project, pack: Pack) -> Iterator[tuple[Product[Any, Any], str, Options]]:
    """Yield what a pack can make: the product, the words that ask for it, and its options."""
    for name in PRODUCTS:
        product = product_named(name)
        for words, options in product.variants(project, pack):
            yield product, words, options
