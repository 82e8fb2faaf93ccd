"""`sheetgen blank`: an empty sheet for pencil, or for a PDF reader."""

from __future__ import annotations

from sheetgen.cli.product_verb import pack_verb

EXAMPLE = """  sheetgen blank gamers --paper letter
  sheetgen blank gamers --fillable -o form.pdf"""

run = pack_verb("blank", "Prints an empty character sheet, front and back.", EXAMPLE)
