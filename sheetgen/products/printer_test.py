"""The proof sheet: two sides to measure a printer by."""

from __future__ import annotations

from sheetgen.documents.printer_test import GREYS, HAIRLINES, TYPE, proof
from sheetgen.documents.render import environment, render
from sheetgen.geometry import PAPERS, Size, millimetres, paper_name
from sheetgen.model.print_job import Printer, Shift
from sheetgen.press.impose import shift_backs
from sheetgen.press.plan import Flip
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.workspace.project import Project

PROOF = "press/proof.html"
SIDES = 24.0  # mm: what is kept free left and right of the words
EXAMPLE: Shift = (0.8, -1.2)


def proof_sheet(project: Project, *, paper: str, flip: Flip, printer: Printer | None = None) -> bytes:
    """Return the sheet as PDF, front and back; the back is shifted for the printer, if one is given."""
    from sheetgen.pdf.flow.document import flow  # imports WeasyPrint

    size = PAPERS[paper]
    html = render(environment((project.templates,), project.shown), PROOF, _data(paper, size, flip, printer))
    use_bundled_fonts(project)
    pages = flow(html, root=project.templates, name="proof")
    return shift_backs(pages, printer.moves(flip)) if printer is not None else pages


def words_of(shift: Shift) -> str:
    """Return a shift as the command line takes it."""
    across, up = shift
    return f"{'=' if across < 0 else ' '}{across:g},{up:g}"


def _data(paper: str, size: Size, flip: Flip, printer: Printer | None) -> dict[str, object]:
    turned = " --flip short" if flip == "short" else ""
    name = printer.name if printer else "office"
    shift = printer.moves(flip) if printer else EXAMPLE
    margin = f" --margin {5 if printer is None or printer.margin is None else printer.margin:g}"
    return {
        "paper": paper_name(paper),
        "width": size.width,
        "height": size.height,
        "room": size.width - 2 * SIDES,
        "flip": flip,
        "printer": printer.name if printer else "",
        "name": name,
        "kept": [_signed(each) for each in shift],
        "command": f"sheetgen proof --save {name} --shift{words_of(shift)}{margin}{turned}",
        "again": f"sheetgen proof --printer {name}{turned}",
        "front": proof(size, back=False).data(),
        "back": proof(size, back=True).data(),
        "rules": _rules(),
        "greys": _greys(size.width - 2 * SIDES),
        "hairlines": [
            {"name": f"{points:g}", "width": round(millimetres(points), 4), "y": 2.5 + 5 * at}
            for at, points in enumerate(HAIRLINES)
        ],
        "type": TYPE,
    }


def _signed(length: float) -> str:
    return f"{'−' if length < 0 else '+'}{abs(length):g} mm"


def _rules() -> list[dict[str, object]]:
    """Return rulers of 100 mm and 50 mm, side by side, with a tick at every centimetre."""
    rules = []
    for start, length in ((0.2, 100), (110.2, 50)):
        ticks = " ".join(f"M{start + at:g} 3.4V{0.2 if at in (0, length) else 1.8}" for at in range(0, length + 1, 10))
        rules.append({"d": f"M{start:g} 3.4h{length} {ticks}", "x": start + length / 2, "name": f"{length} mm"})
    return rules


def _greys(room: float) -> list[dict[str, object]]:
    step = room / len(GREYS)
    return [
        {
            "x": round(at * step, 3),
            "width": round(step, 3),
            "fill": f"#{round(255 * (100 - grey) / 100):02x}" + f"{round(255 * (100 - grey) / 100):02x}" * 2,
            "name": str(grey),
        }
        for at, grey in enumerate(GREYS)
    ]
