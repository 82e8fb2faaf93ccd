"""Make docs/gallery.md and its pictures: one for each product, and those of the blocks of a layout.

python docs/gallery.py
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image, ImageOps

DOCS = Path(__file__).parent
WIDTH, HEIGHT, TONES, ACROSS, EDGE = 300, 300, 16, 3, "#999"
HEAD = """\
# Gallery

A picture of nearly everything that sheetgen prints, and the command that makes it.

## Products
"""
BLOCKS = """
## Blocks of a sheet

What [`layout:`](sheets.md) lays out, each with its example there.
"""
# Name: what it is, the line that makes it, and which of its pages is shown.
PRODUCTS: dict[str, tuple[str, str, int]] = {
    "npc": ("half a page for the GM", "npc slackwater -n 2 --seed 7", 1),
    "sheet": ("a filled sheet", "npc slackwater -n 1 --seed 7 --as sheet", 1),
    "blank": ("an empty sheet", "blank gamers", 1),
    "roster": ("a roster", "npc tsgs -n 24 --seed 7 --as roster", 1),
    "card": ("people on cards", "npc gamers -n 9 --seed 7 --as card", 1),
    "tarot": ("tarot cards", "npc genesix -n 4 --seed 7 --as tarot", 1),
    "index": ("index cards", "npc tsgs -n 4 --seed 7 --as index", 1),
    "token": ("tokens", "npc gamers -n 12 --seed 7 --as token", 1),
    "standee": ("standees", "npc gamers -n 8 --seed 7 --as standee", 1),
    "tent": ("tent cards", "npc gamers -n 3 --seed 7 --as tent", 1),
    "group": ("a group", "npc gamers --group 'the night watch' --seed 7", 1),
    "book": ("a rulebook", "book chalkdown --paper a5", 5),
    "booklet": ("a booklet to fold", "book chalkdown --booklet", 1),
    "cards": ("reference cards", "cards slackwater", 1),
    "deck": ("a deck to play with", "cards sixshooter --deck playing", 1),
    "screen": ("a GM screen", "screen chalkdown", 1),
    "reference": ("what players look up", "reference gamers", 1),
    "handouts": ("handouts", "handouts sixshooter", 1),
    "proof": ("a page to measure a printer by", "proof", 1),
}


def picture(line: str, page: int, file: Path) -> None:
    """Print a product and save one of its pages as a light picture."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.pdf"
        words = [sys.executable, "-m", "sheetgen", *shlex.split(line), "--quiet", "-o", str(made)]
        subprocess.run(words, check=True, capture_output=True)
        document = pypdfium2.PdfDocument(made)
        shown = document[page - 1].render(scale=2).to_pil().convert("RGB")
    shown.thumbnail((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    ImageOps.expand(shown, 1, EDGE).quantize(TONES).save(file, optimize=True)


def table(cells: list[str]) -> str:
    """Return cells as a table of the page, three to a row."""
    rows = [cells[at : at + ACROSS] for at in range(0, len(cells), ACROSS)]
    lines = [" | ".join([*row, *[""] * (ACROSS - len(row))]) for row in rows]
    return "\n" + "\n".join([f"|{'   |' * ACROSS}", f"|{'---|' * ACROSS}", *(f"| {line} |" for line in lines)]) + "\n"


def page() -> str:
    """Return the page, in Markdown."""
    products = [
        f"**{title}**<br>`sheetgen {line}`<br>![{title}](gallery/{name}.png)"
        for name, (title, line, _) in PRODUCTS.items()
    ]
    drawn = sorted(file.name for file in (DOCS / "layouts").glob("*.png"))
    blocks = [f"**{name.removesuffix('.png')}**<br>![{name.removesuffix('.png')}](layouts/{name})" for name in drawn]
    return HEAD + table(products) + BLOCKS + table(blocks)


def main(names: list[str]) -> None:
    """Make the page, and the pictures of these products, or all."""
    (DOCS / "gallery").mkdir(exist_ok=True)
    for name in names or PRODUCTS:
        _, line, shown = PRODUCTS[name]
        picture(line, shown, DOCS / "gallery" / f"{name}.png")
    (DOCS / "gallery.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
