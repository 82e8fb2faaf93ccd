"""Pages and parts: templates of `templates/studio/` filled and sent, forms that save files, and slow answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from functools import cache, partial
from pathlib import Path
from threading import Event
from typing import Any

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from sheetgen.batch.warm import Outdated
from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.documents.render import environment, render
from sheetgen.errors import InputError, Problem, SheetgenError, UsageError
from sheetgen.studio.assets import HTMX, asset_file, install_hint, static_address
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.workspace.project import TEMPLATES
from sheetgen.workspace.safekeeping import ChangedOutside, steps, undo_last

BAD_INPUT = 422
LONGEST = 100_000  # bytes of a project file whose lines are shown
CONFLICT = 409
MOST_SHOWN = 400  # lines of a comparison
KINDS = {"+": "came", "-": "went", "@": "gap"}
_BEAT = 0.08  # seconds between looks whether the browser is still there
GIVEN_UP = 499  # nobody is left to hear it
Answer = Callable[[Request, Event], Response]


def routes() -> list[Route]:
    """Return the address of what undoes a step."""
    return [Route("/undo", _undo, methods=["POST"])]


@dataclass(frozen=True, slots=True)
class Area:
    """A place of the page as the top line names it: its address, its name, its key, and what else lies in it."""

    address: str
    title: str
    key: str
    also: tuple[str, ...] = ()  # addresses


@cache
def _environment(templates: Path) -> Any:
    return environment((templates,), str)


def part(request: Request, template: str, data: Mapping[str, object], *, status: int = 200) -> Response:
    """Return a piece of a page, made of `templates/studio/TEMPLATE.html`."""
    return HTMLResponse(html(request, template, data), status)


def html(request: Request, template: str, data: Mapping[str, object]) -> str:
    """Return the HTML of a template of the studio, filled with the data and with what every page knows."""
    studio = studio_of(request)
    whole = {
        "studio": {
            "name": studio.name,
            "folder": str(studio.folder),
            "static": static_address(TEMPLATES),
            "htmx": asset_file(HTMX) is not None,
            "missing": "" if asset_file(HTMX) else install_hint(),
        },
        "areas": [
            {
                "address": area.address,
                "title": area.title,
                "key": area.key,
                "here": f"{request.url.path}/".startswith(tuple(f"{each}/" for each in (area.address, *area.also))),
            }
            for area in request.app.state.areas
        ],
        "address": request.url.path,
        "nonce": request.state.nonce,
        **data,
    }
    return render(_environment(TEMPLATES), f"studio/{template}.html", whole)


def is_partial(request: Request) -> bool:
    """Return whether a part is asked for, by htmx; else a whole page."""
    return "hx-request" in request.headers and "hx-history-restore-request" not in request.headers


def moved(request: Request, address: str) -> Response:
    """Return the way to another page after a form was sent; for htmx, which follows in place, as its header."""
    if is_partial(request):
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, 303)


def told(request: Request, error: SheetgenError) -> Response:
    """Return a page, or a note for htmx, that tells of an error line by line."""
    problems = sorted(error.problems) if isinstance(error, InputError) else str(error).splitlines()
    data = {"problems": [str(each) for each in problems], "title": "That cannot be done"}
    if not is_partial(request):
        wrong = error.problems if isinstance(error, InputError) else ()
        if {each.place.file for each in wrong} == {HOUSE_FILE}:
            return part(request, "mend", data | _mending(studio_of(request), wrong), status=BAD_INPUT)
        return part(request, "told", data, status=BAD_INPUT)
    answer = part(request, "note", data, status=BAD_INPUT)
    answer.headers["HX-Retarget"], answer.headers["HX-Reswap"] = "#told", "innerHTML"
    answer.headers["HX-Reselect"] = ".note"  # whatever the form would have taken out of a page
    return answer


def _mending(studio: Studio, problems: Sequence[Problem]) -> dict[str, Any]:
    """Return what a page tells of a project file that is wrong, without which no other is made: its lines, the remedy.

    What was saved in it last can be taken back here, where nothing else was saved since.
    """
    text = ""
    with suppress(OSError):
        text = (studio.folder / HOUSE_FILE).read_bytes()[:LONGEST].decode("utf-8", "replace")
    lines, last = text.split("\n"), next(iter(steps(studio.folder)[-1:]), None)
    numbers = sorted({each.place.line for each in problems if 0 < each.place.line <= len(lines)})
    return {
        "title": f"{HOUSE_FILE} has to be mended first",
        "file": HOUSE_FILE,
        "lines": [(number, lines[number - 1]) for number in numbers],
        "undo": last.label if last is not None and last.file == HOUSE_FILE else "",
        "address_here": "/",
        "oob": False,
    }


def page(request: Request, template: str, data: Mapping[str, object], *, title: str) -> Response:
    """Return a whole page of the studio."""
    return part(request, template, {"title": title, **data})


def areas_of(modules: Sequence[Any]) -> tuple[Area, ...]:
    """Return the places of the top line that modules offer, as their `AREA`."""
    return tuple(module.AREA for module in modules if hasattr(module, "AREA"))


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


def awaited(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that makes its answer in a thread; the event is set as soon as nobody waits for it."""

    async def endpoint(request: Request) -> Response:
        unwanted, stopping = Event(), getattr(request.app.state, "stopping", bool)

        async def look() -> None:
            while True:
                await anyio.sleep(_BEAT)
                if stopping() or await request.is_disconnected():
                    unwanted.set()

        made: list[Response] = []
        failed: list[Exception] = []

        async def work() -> None:
            try:
                made.append(await run_in_threadpool(partial(answer, request, unwanted)))
            except Exception as error:  # told below, outside the group, as itself
                failed.append(error)

        async with anyio.create_task_group() as group:
            group.start_soon(look)
            await work()
            group.cancel_scope.cancel()
        if failed and not isinstance(failed[0], Outdated):
            raise failed[0]
        return made[0] if made else Response(status_code=GIVEN_UP)

    return endpoint
