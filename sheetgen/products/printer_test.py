"""The proof sheet: two sides to measure a printer by."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.documents.press_pages import GREYS, HAIRLINES, TYPE, proof
from sheetgen.documents.render import environment, render
from sheetgen.geometry import PAPERS, Size, millimetres, paper_name
from sheetgen.model.printing import Printer, Shift
from sheetgen.press.impose import shift_backs
from sheetgen.press.plan import Flip
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.products.options import Options, choice, flip_option, paper_option
from sheetgen.products.product import Product, ProductResult, known_printer
from sheetgen.workspace.project import Project

PROOF = "press/proof.html"
SIDES = 24.0  # mm: what is kept free left and right of the words
EXAMPLE: Shift = (0.8, -1.2)


@dataclass(frozen=True, kw_only=True)
class ProofOptions(Options):
    """How the page is printed: turned over which edge, for which printer, on which paper."""

    flip: Flip = flip_option()
    printer: str = choice("", "print the page as it comes with what is kept", read=str, metavar="NAME")
    paper: str = paper_option()


def make_proof(project: Project, nothing: object, options: ProofOptions, form: str) -> ProductResult:
    """Return the sheet, front and back; the back is shifted for the printer, if one is named."""
    from sheetgen.pdf.flow.document import flow  # imports WeasyPrint

    known, flip = (known_printer(project, options.printer) if options.printer else None), options.flip
    data = _proof_data(options.paper, PAPERS[options.paper], flip, known)
    html = render(environment((project.templates,), project.shown), PROOF, data)
    use_bundled_fonts(project)
    pages = flow(html, root=project.templates, name="proof", flip=flip)
    advice = f"print both sides at actual size (100 %), turned over the {flip} edge; it says how to go on"
    return ProductResult(
        shift_backs(pages, known.moves(flip)) if known is not None else pages,
        f"a proof page of two sides for {paper_name(options.paper)}",
        (advice,),
    )


def words_of(shift: Shift) -> str:
    """Return a shift as the command line takes it."""
    across, up = shift
    return f"{'=' if across < 0 else ' '}{across:g},{up:g}"


def profile_words(known: Printer) -> str:
    """Return what is known of a printer, in a line."""
    across, up = known.shift
    margin = "" if known.margin is None else f"; prints up to {known.margin:g} mm from the edge"
    sides, heights = "right" if across >= 0 else "left", "up" if up >= 0 else "down"
    moved = f"backs move {abs(across):g} mm to the {sides} and {abs(up):g} mm {heights}"
    return f"{moved if any(known.shift) else 'backs stay where they are'}{margin}"


def _proof_data(paper: str, size: Size, flip: Flip, printer: Printer | None) -> dict[str, object]:
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


PROOF_PRODUCT: Product[None, ProofOptions] = Product(
    "proof",
    "a page to measure a printer by, and a profile of what you read",
    formats=(".pdf",),
    options=ProofOptions,
    arguments=(),
    open=lambda project, given, options: None,
    stem=lambda nothing, options: "-".join(filter(None, ("proof", options.printer, options.paper))),
    make=make_proof,
)
