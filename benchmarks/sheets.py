"""Filled sheets side by side: sheetgen and every other way to make them, on the same people, as ratios in one run.

usage: python benchmarks/sheets.py [COUNT [PLOT.svg]]       (default 2000; slow peers make a few of them)

All on one core, forms and templates ready beforehand. A peer that is not installed is named and left out:
pip install typst dungeonsheets; dungeonsheets also wants pdftk (Debian: pdftk-java).
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO, StringIO
from math import log10
from pathlib import Path

from crowd import Crowd, crowd, machine

from sheetgen.pdf.form.stamp import Row, Stamp
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.batch_pdf import write_people_pdf
from sheetgen.products.form_cache import fillable_sheet, sheet_form, sheet_html, use_bundled_fonts
from sheetgen.products.shapes import SHEET, PrintOptions

HERE = Path(__file__).parent
HERO = """\
dungeonsheets_version = "0.19.0"
name, player_name, race, background = "Ada Reed", "Bo", "Human", "Sage"
alignment, classes, levels, subclasses = "Neutral good", ["Rogue"], [3], [None]
strength, dexterity, constitution, intelligence, wisdom, charisma = 10, 16, 12, 13, 11, 14
skill_proficiencies, languages, hp_max = ("acrobatics", "stealth"), "Common, Elvish", 21
weapons, armor, shield, equipment = ["shortsword"], "leather armor", None, "rope, lamp"
"""


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds and bytes a sheet, of so many."""

    name: str
    seconds: float
    size: float
    count: int


def timed(name: str, work: Callable[[], int], count: int) -> Result:
    """What a piece of work takes; it gives the bytes it made."""
    started = time.perf_counter()
    size = work()
    return Result(name, (time.perf_counter() - started) / count, size / count, count)


def sheetgen_whole(party: Crowd, count: int) -> Result:
    """Rolled, filled and stamped, as `sheetgen npc` does it."""

    def work() -> int:
        made = BytesIO()
        people = roll(party.pack, RollOptions(seed=7, count=count))
        write_people_pdf(party.project, party.pack, people, made.write, PrintOptions())
        return made.tell()

    return timed("sheetgen, rolled and printed", work, count)


def sheetgen_stamp(party: Crowd, count: int) -> Result:
    """Stamped only, the text of every field being there already, as for the peers below."""
    form = sheet_form(party.project, party.pack, paper="a4")
    more = sheet_form(party.project, party.pack, paper="a4", template=SHEET.more)

    def work() -> int:
        made = BytesIO()
        stamp = Stamp(form, made.write, title="benchmark", author="", more=more)
        for each, fields in zip(party.people, party.values, strict=True):
            stamp.add(Row(each.text("name"), fields))
        stamp.close()
        return made.tell()

    return timed("sheetgen, printed", work, count)


def weasyprint(party: Crowd, count: int) -> Result:
    """The same HTML template laid out anew for each person."""
    use_bundled_fonts(party.project)
    from weasyprint import HTML  # after the fonts are set

    pages = [sheet_html(party.project, party.pack, paper="a4", values=fields) for fields in party.values[:count]]
    HTML(string=pages[0]).write_pdf()
    return timed("WeasyPrint, page by page", lambda: sum(len(HTML(string=page).write_pdf()) for page in pages), count)


def typst(party: Crowd, count: int) -> Result:
    """An equivalent sheet in Typst, all people in one compilation; only the compilation is timed."""
    import font_source_sans_pro as sans
    import font_source_serif_pro as serif
    import typst as engine

    skills = [f"skills.{trait.name}" for trait in party.pack.system.group("skills").members]
    told = [{**dict.fromkeys(skills, ""), **fields} for fields in party.values[:count]]
    fonts = [str(Path(each.__file__).parent) for each in (serif, sans)]
    compiler = engine.Compiler(str(HERE / "sheet.typ"), font_paths=fonts, sys_inputs={"people": json.dumps(told)})
    return timed("Typst, one compilation", lambda: len(compiler.compile()), count)


def reportlab(party: Crowd, count: int) -> Result:
    """Every box, rule and value drawn on every page with Canvas methods."""
    import font_source_serif_pro as serif
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    found = next(Path(serif.__file__).parent.rglob("*Regular*.ttf"))
    pdfmetrics.registerFont(TTFont("Serif", str(found)))
    form = sheet_form(party.project, party.pack, paper="a4")

    def work() -> int:
        made = BytesIO()
        canvas = Canvas(made, pagesize=form.pages[0])
        for fields in party.values[:count]:
            canvas.setFont("Serif", 9)
            for field in form.fields:
                canvas.rect(field.box.x, field.box.y, field.box.width, field.box.height)
                canvas.drawString(field.box.x, field.box.top + 1, field.title[:24])
                if field.name in fields:
                    canvas.drawString(field.box.x + 2, field.box.y + 2, fields[field.name][:90])
            canvas.showPage()
        canvas.save()
        return made.tell()

    return timed("reportlab, drawn naively", work, count)


def pypdf(party: Crowd, count: int) -> Result:
    """The fillable sheet filled once a person."""
    from pypdf import PdfReader, PdfWriter

    form = fillable_sheet(party.project, party.pack, paper="a4")

    def one(fields: dict[str, str]) -> int:
        writer = PdfWriter(clone_from=PdfReader(BytesIO(form)))
        writer.update_page_form_field_values(writer.pages[0], dict(fields), auto_regenerate=False)
        made = BytesIO()
        writer.write(made)
        return made.tell()

    return timed("pypdf, a form filled each", lambda: sum(map(one, party.values[:count])), count)


def dungeonsheets(party: Crowd, count: int) -> Result:
    """Its own game and its own character; what it asks of LaTeX is left out where LaTeX is not installed."""
    from dungeonsheets import make_sheets

    if shutil.which("pdftk") is None:
        raise ModuleNotFoundError("pdftk")
    silence = StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(silence), redirect_stderr(silence):
        hero = Path(folder) / "hero.py"
        hero.write_text(HERO)
        made = range(count)
        return timed("dungeonsheets, its own hero", lambda: sum(_hero(make_sheets, hero) for _ in made), count)


def _hero(make_sheets: object, hero: Path) -> int:
    make_sheets.make_sheet(hero, output_format="pdf")  # type: ignore[attr-defined]
    return max((made.stat().st_size for made in hero.parent.glob("hero*.pdf")), default=0)


PEERS: tuple[tuple[str, Callable[[Crowd, int], Result], int], ...] = (
    ("weasyprint", weasyprint, 100),
    ("typst", typst, 4),
    ("reportlab", reportlab, 4),
    ("pypdf", pypdf, 40),
    ("dungeonsheets", dungeonsheets, 500),
)


def main(count: int, drawn: Path | None) -> None:
    """Prints the table, and draws it where that is asked for."""
    party = crowd(count)
    sheetgen_stamp(party, count)  # the first run fills the caches of the fonts
    results = [sheetgen_whole(party, count), sheetgen_stamp(party, count)]
    print(f"{count:,} people of GAMERS, one core each; {machine()}")
    for name, peer, share in PEERS:
        try:
            results.append(peer(party, max(count // share, 3)))
        except (ModuleNotFoundError, PackageNotFoundError) as error:
            print(f"{name} is left out: {error} is not installed")
    table(results)
    if drawn:
        plot(results, drawn)
    print(", ".join(f"{name} {_version(name)}" for name in ("sheetgen", *(name for name, _, _ in PEERS))))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


def table(results: Sequence[Result]) -> None:
    """Prints a line for each way, with how many times longer it takes than sheetgen does for the same."""
    whole, stamp = results[:2]
    print(f"{'':<30}{'ms a sheet':>12}{'bytes a sheet':>15}{'sheets':>8}{'times printed':>15}{'times whole':>13}")
    for each in results:
        ratios = f"{each.seconds / stamp.seconds:15,.1f}{each.seconds / whole.seconds:13,.1f}"
        print(f"{each.name:<30}{1e3 * each.seconds:12.3f}{each.size:15,.0f}{each.count:8,}{ratios}")


def plot(results: Sequence[Result], path: Path) -> None:
    """Draws the milliseconds a sheet as bars, each step to the right ten times as long."""
    row, left, decade = 22, 200, 90
    longest = max(log10(each.seconds * 1e5) for each in results)
    height = row * len(results) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + decade * longest + 90:.0f} {height}" '
        'font-family="sans-serif" font-size="12">',
        '<text x="0" y="14" font-weight="600">Milliseconds a sheet (each bar step is ten times as long)</text>',
    ]
    for number, each in enumerate(results):
        y, length = 24 + row * number, decade * log10(each.seconds * 1e5)
        fill = "#9b1c1f" if each.name.startswith("sheetgen") else "#777"
        parts.append(f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{each.name}</text>')
        parts.append(f'<rect x="{left}" y="{y + 3}" width="{length:.1f}" height="{row - 8}" fill="{fill}"/>')
        parts.append(f'<text x="{left + length + 6:.1f}" y="{y + 14}">{each.seconds * 1e3:,.3g}</text>')
    path.write_text("\n".join([*parts, "</svg>", ""]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, Path(sys.argv[2]) if len(sys.argv) > 2 else None)
