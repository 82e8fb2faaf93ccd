"""`sheetgen cards`: decks to cut out, to send to a print shop, or to lay on a virtual table."""

from __future__ import annotations

from sheetgen.cli.product_verb import pack_verb

EXAMPLE = """  sheetgen cards gamers
  sheetgen cards tsgs --size tarot --paper letter --bleed -o deck.pdf
  sheetgen cards gamers --single -o for-the-print-shop.pdf
  sheetgen cards sixshooter --deck playing -o for-the-virtual-table.zip
  sheetgen cards sixshooter --deck operators -n 6 --seed 7 --option genre=noir"""

run = pack_verb("cards", "Prints decks of cards: on sheets to cut out, or one by one.", EXAMPLE)
