"""A printer set up by a guided proof: print it, read four numbers off it, print it again, and the crosses meet."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Event

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sheetgen.content.printing import MOST_SHIFT
from sheetgen.errors import SheetgenError, UsageError
from sheetgen.geometry import SHEET_PAPERS, paper_name
from sheetgen.model.printing import Printer
from sheetgen.products.options import MOST_MM, millimetres
from sheetgen.products.printer_test import profile_words
from sheetgen.studio.assets import KEPT_FOR_EVER
from sheetgen.studio.drawing import DrawingOrder, DrawnProduct, drawings_of, key_of
from sheetgen.studio.pages import awaited, page
from sheetgen.studio.people.trays import tray_data
from sheetgen.studio.printing.shop import PRINT, sent_file
from sheetgen.studio.studio import studio_of
from sheetgen.workspace.printers import printers, remember
from sheetgen.workspace.write import slug

PRINTERS = f"{PRINT}/printers"
EDGES = {"long": "the long edge, as a book", "short": "the short edge, as a pad"}
PROOF_DPI = 64
LONGEST_NAME = 40


def routes() -> list[Route]:
    """Return the addresses of the guided proof."""
    return [
        Route(PRINTERS, _printers),
        Route(f"{PRINTERS}/proof.png", awaited(_proof_picture)),
        Route(f"{PRINTERS}/proof.pdf", awaited(_file)),
        Route(f"{PRINTERS}/keep", _keep, methods=["POST"]),
    ]


def read_profile(form: Mapping[str, str]) -> tuple[Printer, dict[str, str]]:
    """Return the printer that was measured, its name as profiles have it, and the problems of the form by field.

    What was read on a page turned over the short edge is kept as it is over the long one.
    """
    values, problems = dict[str, float](), dict[str, str]()
    limits = {"right": millimetres(-MOST_SHIFT, MOST_SHIFT), "up": millimetres(-MOST_SHIFT, MOST_SHIFT)}
    for name, read in {**limits, "margin": millimetres(0, MOST_MM)}.items():
        text = form.get(name, "").strip().replace("−", "-").replace(",", ".").removeprefix("+")
        try:
            values[name] = round(read(text), 2) if text else 0.0
        except ValueError as error:
            problems[name] = str(error)
    margin = values.get("margin") if form.get("margin", "").strip() else None
    shift = Printer("", (values.get("right", 0.0), values.get("up", 0.0))).moves(form.get("flip", "long"))
    name = form.get("name", "").strip()
    return Printer(slug(name.casefold())[:LONGEST_NAME].strip("-") if name else "", shift, margin), problems


def _printers(request: Request) -> Response:
    return _setup_page(request, dict(request.query_params), {})


def _setup_page(request: Request, typed: Mapping[str, str], problems: Mapping[str, str], status: int = 200) -> Response:
    studio = studio_of(request)
    known, flip, paper = printers(studio.project), _edge(typed), _paper(typed)
    chosen = known.get(typed.get("printer", ""))
    proof = f"?paper={paper}&flip={flip}" + (f"&printer={chosen.name}" if chosen else "")
    data = {
        "known": [{"name": each.name, "said": profile_words(each)} for each in known.values()],
        "typed": {**(_written(chosen, flip) if chosen else {"name": ""}), **typed},
        "problems": problems,
        "chosen": chosen.name if chosen else "",
        "edges": EDGES.items(),
        "papers": [(name, paper_name(name)) for name in SHEET_PAPERS],
        "flip": flip,
        "paper": paper,
        "proof": proof,
        "tray": tray_data(studio),
    }
    answer = page(request, "print/printers", {**data, "edges": list(EDGES.items())}, title="Your printer")
    answer.status_code = status
    return answer


def _written(printer: Printer, flip: str) -> dict[str, str]:
    """Return what is known of a printer as its owner typed it, read off a page turned over that edge."""
    right, up = printer.moves(flip)
    known = {"right": right, "up": up, "margin": printer.margin}
    return {"name": printer.name, **{name: f"{length:g}" for name, length in known.items() if length is not None}}


async def _keep(request: Request) -> Response:
    form: FormData = await request.form()
    typed = {name: value for name, value in form.items() if isinstance(value, str)}
    made, problems = read_profile(typed)
    if not problems:
        try:
            kept = remember(studio_of(request).project, made.name, shift=made.shift, margin=made.margin)
            edge, paper = _edge(typed), _paper(typed)
            return RedirectResponse(f"{PRINTERS}?printer={kept.name}&flip={edge}&paper={paper}#again", 303)
        except UsageError as error:
            problems = {"name": str(error)}
    return _setup_page(request, typed, problems, 422)


def _edge(typed: Mapping[str, str]) -> str:
    flip = typed.get("flip", "long")
    return flip if flip in EDGES else "long"


def _paper(typed: Mapping[str, str]) -> str:
    paper = typed.get("paper", SHEET_PAPERS[0])
    return paper if paper in SHEET_PAPERS else SHEET_PAPERS[0]


def _proof(request: Request, unwanted: Event) -> DrawnProduct:
    studio, query = studio_of(request), dict(request.query_params)
    fields = [("flip", _edge(query)), ("paper", _paper(query))]
    if query.get("printer"):
        fields.append(("printer", query["printer"]))
    order = DrawingOrder("proof", (), tuple(fields))
    key = key_of(studio.project, order, None, studio.lately)
    return drawings_of(request).drawn(studio.project, studio.environ, order, key, unwanted)


def _proof_picture(request: Request, unwanted: Event) -> Response:
    number = 2 if request.query_params.get("page") == "2" else 1
    try:
        made = _proof(request, unwanted)
    except SheetgenError as error:
        return Response(str(error), 422, media_type="text/plain")
    data = studio_of(request).pictures.picture(made.data, number, PROOF_DPI)
    kept = not request.query_params.get("printer")
    return Response(data, media_type="image/png", headers=KEPT_FOR_EVER if kept else {})


def _file(request: Request, unwanted: Event) -> Response:
    return sent_file(_proof(request, unwanted).data, "proof.pdf", download="download" in request.query_params)
