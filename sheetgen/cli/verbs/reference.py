"""`sheetgen reference`: all that a player looks up, on one leaf or in a little book for the pocket."""

from __future__ import annotations

from sheetgen.cli.product_verb import pack_verb

EXAMPLE = """  sheetgen reference gamers
  sheetgen reference sixshooter --pocket --paper letter
  sheetgen reference genesix -o reference.html"""

run = pack_verb("reference", "Prints what players look up: a page, two at most, or a little book.", EXAMPLE)
