"""What all places share that save files: forms read, conflicts told and settled, the last step undone."""

from __future__ import annotations

from difflib import unified_diff
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sheetgen.errors import UsageError
from sheetgen.studio.pages import is_partial, moved, part
from sheetgen.studio.studio import studio_of
from sheetgen.workspace.safekeeping import ChangedOutside, undo_last

CONFLICT = 409
MOST_SHOWN = 400  # lines of a comparison
KINDS = {"+": "came", "-": "went", "@": "gap"}


def routes() -> list[Route]:
    """Return the addresses of this module."""
    return [Route("/undo", _undo, methods=["POST"])]


async def fields_of(request: Request) -> dict[str, str]:
    """Return the fields of a form that are texts; the last of each name counts."""
    async with request.form(max_files=0, max_fields=200) as form:
        return {name: value for name, value in form.multi_items() if isinstance(value, str)}


def compared(theirs: str, mine: str) -> list[dict[str, str]]:
    """Return the lines of two texts that differ, with some around them, each with what it is: came, went, gap, same."""
    lines = unified_diff(theirs.splitlines(), mine.splitlines(), "theirs", "mine", lineterm="", n=2)
    found = [line for line in lines if not line.startswith(("---", "+++"))][:MOST_SHOWN]
    return [{"is": KINDS.get(line[:1], "same"), "text": line[1:] if line[:1] in "+- " else ""} for line in found]


def conflict_page(request: Request, error: ChangedOutside, asked: dict[str, str], *, seen: str) -> Response:
    """Return the page of a file that was changed outside: theirs, mine, what differs, and the two ways on."""
    data: dict[str, Any] = {
        "file": error.file,
        "lines": compared(error.theirs, error.mine),
        "fields": {name: value for name, value in asked.items() if name != "seen"},
        "seen": seen,
        "action": request.url.path,
        "title": "Changed outside",
    }
    if is_partial(request):
        answer = part(request, "conflict", data)
        answer.headers["HX-Retarget"], answer.headers["HX-Reswap"] = "body", "innerHTML"
        answer.headers["HX-Reselect"] = "main"
        return answer
    return part(request, "conflict", data, status=CONFLICT)


async def _undo(request: Request) -> Response:
    studio, asked = studio_of(request), await fields_of(request)
    step = undo_last(studio.folder)
    if step is None:
        raise UsageError("there is nothing to undo, or what was done was changed outside since")
    back = asked.get("back", "/")
    return moved(request, back if back.startswith("/") and not back.startswith("//") else "/")
