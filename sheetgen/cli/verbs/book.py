"""`sheetgen book`: the rulebook of a system, printed or as one web page."""

from __future__ import annotations

from sheetgen.cli.product_verb import pack_verb

EXAMPLE = """  sheetgen book gamers --paper a5
  sheetgen book tsgs -o rules.pdf -o rules.html
  sheetgen book diecodes --booklet --paper letter"""

run = pack_verb("book", "Prints the rulebook of a system, with contents, page references and an index.", EXAMPLE)
