"""How fast filled sheets are made, as ratios in one run: sheetgen against WeasyPrint laying out each page anew.

usage: python benchmarks/sheets.py [COUNT]       (default 2000; WeasyPrint does one in a hundred of them)

The same rolled characters go through both, on one core, with the form compiled beforehand.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from sheetgen.documents.sheet import sheet_values
from sheetgen.pdf.stamp import Row, Stamp
from sheetgen.recipes.forms import continuation_form, sheet_form, sheet_html, use_bundled_fonts
from sheetgen.recipes.npcs import Run, roll
from sheetgen.recipes.packs import open_pack
from sheetgen.recipes.project import project_at
from sheetgen.rules.registry import engine_of


def main(count: int) -> None:
    """Prints the table."""
    project = project_at(Path.cwd(), os.environ)
    pack = open_pack(project, "gamers")
    form, more = sheet_form(project, pack, paper="a4"), continuation_form(project, pack, paper="a4")
    figures = engine_of(pack.system).figures

    started = time.perf_counter()
    people = list(roll(pack, Run(seed=7, count=count)))
    rolled = time.perf_counter() - started

    started = time.perf_counter()
    values = [sheet_values(pack.system, each, figures(pack.system, each)) for each in people]
    filled = time.perf_counter() - started

    with tempfile.TemporaryFile() as file:
        started = time.perf_counter()
        stamp = Stamp(form, file.write, title="benchmark", author="", more=more)
        for each, fields in zip(people, values, strict=True):
            stamp.add(Row(each.text("name"), fields))
        stamp.close()
        stamped = time.perf_counter() - started
        size = file.tell()

    slow = max(count // 100, 5)
    use_bundled_fonts(project)
    from weasyprint import HTML  # after the fonts are set

    pages = [sheet_html(project, pack, paper="a4", values=fields) for fields in values[:slow]]
    HTML(string=pages[0]).write_pdf()
    started = time.perf_counter()
    for page in pages:
        HTML(string=page).write_pdf()
    loop = (time.perf_counter() - started) / slow

    whole = (rolled + filled + stamped) / count
    print(f"{count} characters, one core, Python {sys.version.split()[0]}")
    print(f"{'roll':<28}{1e3 * rolled / count:8.3f} ms a character")
    print(f"{'fill the fields':<28}{1e3 * filled / count:8.3f} ms a sheet")
    print(f"{'stamp':<28}{1e3 * stamped / count:8.3f} ms a sheet, {size / count:,.0f} bytes a sheet")
    print(f"{'all of it':<28}{1e3 * whole:8.3f} ms a sheet")
    print(f"{'WeasyPrint, page by page':<28}{1e3 * loop:8.3f} ms a sheet")
    print(f"stamping is {loop * count / stamped:,.0f} times faster, rolled and printed {loop / whole:,.0f} times")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
