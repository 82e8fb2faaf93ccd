"""A tuck box for a deck, as one page to cut, fold and glue; lengths in mm."""

from __future__ import annotations

from sheetgen.documents.render import environment, render
from sheetgen.documents.sheet import TemplateData
from sheetgen.errors import UsageError
from sheetgen.geometry import CARDS, PAPERS, Size, paper_name
from sheetgen.products.page_cache import pdf_of
from sheetgen.workspace.packs import Pack, template_folders
from sheetgen.workspace.project import Project

TEMPLATE = "press/tuckbox.html"
THICKNESS = 0.3  # of a card
PLAY = (1.0, 1.5, 1.0)  # more than the cards take: width, height, depth
LEAST_DEPTH = 6.0
GLUE, TONGUE, THUMB = 11.0, 14.0, 8.0  # the long flap, what tucks in, half the notch for the thumb
HOW = 42.0  # below the net, for the steps and the ruler


def inside(card: Size, count: int) -> tuple[float, float, float]:
    """Return what a box for so many cards measures inside: width, height and depth."""
    depth = max(count * THICKNESS + PLAY[2], LEAST_DEPTH)
    return round(card.width + PLAY[0], 2), round(card.height + PLAY[1], 2), round(depth, 2)


def net_of(card: Size, count: int) -> TemplateData:
    """Return the net of a box: its size, where its faces are, and the paths of cuts and folds.

    From the left the flap to glue, front, side, back with the lid above it, side.
    """
    wide, high, deep = inside(card, count)
    a, b, c = GLUE, GLUE + wide, GLUE + wide + deep
    e, f = c + wide, c + wide + deep
    top = TONGUE + deep
    foot, flap = top + high, 0.8 * deep
    middle = (a + b) / 2
    cuts = (
        f"M{a:.2f} {top:.2f}L0 {top + 6:.2f}V{foot - 6:.2f}L{a:.2f} {foot:.2f}"
        f"L{a + 1:.2f} {foot + deep:.2f}H{b - 1:.2f}L{b:.2f} {foot:.2f}"
        f"L{b + 1:.2f} {foot + flap:.2f}H{c - 3:.2f}L{c:.2f} {foot:.2f}"
        f"L{c + 1:.2f} {foot + deep - 0.5:.2f}H{e - 1:.2f}L{e:.2f} {foot:.2f}"
        f"L{e + 3:.2f} {foot + flap:.2f}H{f - 1:.2f}L{f:.2f} {foot:.2f}V{top:.2f}"
        f"L{f - 1:.2f} {top - flap:.2f}H{e + 3:.2f}L{e:.2f} {top:.2f}"
        f"V{TONGUE:.2f}H{e - 1.5:.2f}V7A7 7 0 0 0 {e - 8.5:.2f} 0H{c + 8.5:.2f}A7 7 0 0 0 {c + 1.5:.2f} 7V{TONGUE:.2f}"
        f"H{c:.2f}V{top:.2f}L{c - 3:.2f} {top - flap:.2f}H{b + 1:.2f}L{b:.2f} {top:.2f}"
        f"H{middle + THUMB:.2f}A{THUMB} {THUMB} 0 0 1 {middle - THUMB:.2f} {top:.2f}Z"
    )
    folds = "".join(f"M{x:.2f} {top:.2f}V{foot:.2f}" for x in (a, b, c, e))
    folds += f"M{b:.2f} {top:.2f}H{f:.2f}M{c + 1.5:.2f} {TONGUE:.2f}H{e - 1.5:.2f}M{a:.2f} {foot:.2f}H{f:.2f}"

    def face(x: float, y: float, width: float, height: float) -> dict[str, float]:
        return {"x": round(x, 2), "y": round(y, 2), "width": round(width, 2), "height": round(height, 2)}

    return {
        "width": round(f, 2),
        "height": round(foot + deep, 2),
        "front": face(a, top, wide, high),
        "back": face(c, top, wide, high),
        "sides": [face(b, top, deep, high), face(e, top, deep, high)],
        "lid": face(c, TONGUE, wide, deep),
        "glue": [face(2, top + 10, GLUE - 4, high - 20), face(c + 8, foot + 1.5, wide - 16, deep - 4)],
        "type": round(min(0.55 * deep, 7), 2),
        "cuts": cuts,
        "folds": folds,
    }


def box_page(project: Project, pack: Pack, data: TemplateData, *, size: str, count: int, say: str, paper: str) -> bytes:
    """Return the page of a box for a deck; UsageError for a paper that is too small for its net."""
    net, card = net_of(CARDS[size], count), CARDS[size]
    wide, high = float(str(net["width"])), float(str(net["height"]))
    sheet = PAPERS[paper]
    sheets = (sheet, Size(sheet.height, sheet.width))
    fitting = [each for each in sheets if wide + 12 <= each.width and high + 10 + HOW <= each.height]
    if not fitting:
        raise UsageError(
            f"a box for {count} {size} cards is {wide:.0f} × {high:.0f} mm flat: too large for {paper_name(paper)}"
        )
    chosen = fitting[0]
    width, height, depth = inside(card, count)
    shown = {
        **data,
        "net": net,
        "paper": {"width": chosen.width, "height": chosen.height},
        "left": round((chosen.width - wide) / 2, 2),
        "top": round(max(8.0, (chosen.height - high - HOW) / 3), 2),
        "inside": {"width": f"{width:g}", "height": f"{height:g}", "depth": f"{depth:g}"},
        "count": count,
        "say": say,
    }
    html = render(environment(template_folders(project, pack), project.shown), TEMPLATE, shown)
    return pack.run_isolated(lambda: pdf_of(project, pack, html, name=f"{pack.system.id} box"))
