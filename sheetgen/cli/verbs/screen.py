"""`sheetgen screen`: the panels of a GM screen, and of its players' side."""

from __future__ import annotations

from sheetgen.cli.product_verb import pack_verb

EXAMPLE = """  sheetgen screen gamers
  sheetgen screen tsgs --panels 4 --portrait --side gm --paper letter -o screen.pdf"""

run = pack_verb("screen", "Prints the panels of a GM screen: what is looked up in play, one page a panel.", EXAMPLE)
