"""Make docs/gallery.md and its pictures, one for each product, and those of pages that stand in the README.

python docs/gallery.py          all of them
python docs/gallery.py NAME …   these alone
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
SCALE, GAP, FRONT_TONES, LANCZOS = 2, 12, 64, Image.Resampling.LANCZOS
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
# Pictures of the README: how high in pixels, how many stand side by side, the line and the page that each shows, and
# the part of a page in mm, from its left and upper edge, if it is not the whole.
FIRST = "npc gamers --archetype soldier --seed 1 --as sheet"
CARDS_ROW = (10.5, 16.5, 199.5, 104.5)
FRONT: dict[str, tuple[int, int, list[tuple[str, int]], tuple[float, ...]]] = {
    "gamers-sheet": (1052, 1, [(FIRST, 1)], ()),
    "sheets": (
        780,
        5,
        [
            (FIRST, 1),
            *((f"npc {game} --seed 7 --as sheet", 1) for game in ("tsgs", "sixshooter", "diecodes", "genesix")),
        ],
        (),
    ),
    "cards": (
        350,
        1,
        [(f"npc {game} -n 3 --seed 7 --as card", 1) for game in ("gamers", "sixshooter", "diecodes")],
        CARDS_ROW,
    ),
    "books": (
        520,
        6,
        [
            ("book sixshooter --paper a5", 1),
            ("book sixshooter --paper a5", 15),
            ("book gamers --paper a5", 13),
            ("book gamers --paper a5", 88),
            ("book genesix --paper a5", 1),
            ("book tsgs --paper a5", 72),
        ],
        (),
    ),
}


def shown(line: str, page: int, part: tuple[float, ...] = ()) -> Image.Image:
    """Print a product and return one of its pages, or a part of it in mm."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.pdf"
        words = [sys.executable, "-m", "sheetgen", *shlex.split(line), "--quiet", "-o", str(made)]
        subprocess.run(words, check=True, capture_output=True)
        whole = pypdfium2.PdfDocument(made)[page - 1].render(scale=SCALE).to_pil().convert("RGB")
    return whole.crop(tuple(round(at * SCALE * 72 / 25.4) for at in part)) if part else whole


def picture(line: str, page: int, file: Path) -> None:
    """Save a page of a product as a light picture."""
    drawn = shown(line, page)
    drawn.thumbnail((WIDTH, HEIGHT), LANCZOS)
    ImageOps.expand(drawn, 1, EDGE).quantize(TONES).save(file, optimize=True)


def front(name: str) -> None:
    """Save a picture of the README: pages of one height side by side, in rows."""
    height, across, pages, part = FRONT[name]
    drawn = [shown(line, page, part) for line, page in pages]
    drawn = [
        ImageOps.expand(each.resize((each.width * height // each.height, height), LANCZOS), 1, EDGE) for each in drawn
    ]
    wide, high = max(each.width for each in drawn) + GAP, height + 2 + GAP
    rows = -(-len(drawn) // across)
    sheet = Image.new("RGB", (wide * across - GAP, high * rows - GAP), "white")
    for at, each in enumerate(drawn):
        sheet.paste(each, (at % across * wide, at // across * high))
    sheet.quantize(FRONT_TONES, Image.Quantize.MAXCOVERAGE).save(DOCS / f"{name}.png", optimize=True)


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
    """Make the page, and these pictures of products or of the README, or all."""
    (DOCS / "gallery").mkdir(exist_ok=True)
    for name in names or (*PRODUCTS, *FRONT):
        if name in FRONT:
            front(name)
        if name in PRODUCTS:
            _, line, number = PRODUCTS[name]
            picture(line, number, DOCS / "gallery" / f"{name}.png")
    (DOCS / "gallery.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
