"""Find: one box over people, rules, handouts, evenings and everything that can be done, from every page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sheetgen.content.handout_files import FOLDER, READABLE
from sheetgen.content.yaml.edits import plain
from sheetgen.content.yaml.nodes import parse
from sheetgen.errors import SheetgenError
from sheetgen.products.session.session import MOST
from sheetgen.studio.evenings import EveningFile, evening_files
from sheetgen.studio.pages import is_partial, page, part
from sheetgen.studio.people.cast_folder import cast_of, found_in
from sheetgen.studio.people.wall import usual_game
from sheetgen.studio.printing.shop import PRINT, printables
from sheetgen.studio.rules.rules import RULES, around, contents_in
from sheetgen.studio.studio import Studio, studio_of

FIND = "/find"
LONGEST, SHOWN = 100, 6  # letters that are looked for; of a kind that are shown
DOING = (
    ("Roll people", "a wall of them; keep whom you like", "/people"),
    ("See the cast", "everybody who is kept", "/people?find="),
    ("Prepare an evening", "Tonight: scenes, who is there, the run sheet", "/tonight"),
    ("Begin another evening", "a new session", "/tonight?new=1"),
    ("Look up a rule", "the rules, played and with odds", RULES),
    ("Print something", "everything that can be printed", PRINT),
    ("Write a handout", "a letter, a telegram, a wanted poster", f"{PRINT}/handouts"),
    ("Set up your printer", "its margins, and backs behind their fronts", f"{PRINT}/printers"),
    ("See the tray", "what is printed together", f"{PRINT}/tray"),
    ("Change a game", "its files, house rules, a game of your own", "/edit"),
)
Row = dict[str, str]


def routes() -> list[Route]:
    """Return the addresses of this place."""
    return [Route(FIND, _find)]


def _find(request: Request) -> Response:
    """Return what was found: as a list below the box, as a page, or as the way to the first of it."""
    studio, query = studio_of(request), request.query_params
    words = " ".join(query.get("q", "").split())[:LONGEST]
    game = _game(studio, query.get("here", ""))
    found = list(_groups(studio, game, words, query.get("here", ""))) if words else []
    if words and query.get("go"):
        return RedirectResponse(found[0]["rows"][0]["address"], 303)
    if is_partial(request):
        return part(request, "find/found", {"groups": found, "q": words})
    return page(request, "find", {"groups": found, "q": words}, title="Find")


def _game(studio: Studio, here: str) -> str:
    """Return the game that one is at, by the address of the page, or else the usual one."""
    parts = here.split("/")
    named = parts[2] if len(parts) > 2 and f"/{parts[1]}" in (RULES, PRINT) else ""
    return named if named in studio.project.library.packs else usual_game(studio)


def _groups(studio: Studio, game: str, words: str, here: str) -> Iterator[dict[str, Any]]:
    """Yield what was found by kind, that of the place one is at first; at the end the places that look further."""
    kinds: list[tuple[str, str, Callable[[], Iterator[Row]]]] = [
        ("People", "/people", lambda: _people_found(studio, words)),
        ("Tonight", "/tonight", lambda: _evenings(studio, words)),
        ("Handouts", f"{PRINT}/handouts", lambda: _handouts(studio, words)),
        ("To do", "", lambda: _doing(studio, game, words)),
        ("Rules", RULES, lambda: _rules(studio, game, words)),
    ]
    kinds.sort(key=lambda each: not (each[1] and here.startswith(each[1])))
    for title, _, look in kinds:
        try:
            rows = [row for row, _ in zip(look(), range(SHOWN), strict=False)]
        except SheetgenError:  # is told where these stand
            continue
        if rows:
            yield {"title": title, "rows": rows}
    further = [
        _row(f"“{words}” in the cast", "all that is said of people", f"/people?{urlencode({'find': words})}"),
        _row(f"“{words}” in the rules", "their whole text", f"{RULES}/{game}?{urlencode({'find': words})}"),
    ]
    yield {"title": "Look further", "rows": further[::-1] if here.startswith(RULES) else further}


def _row(label: str, told: str, address: str) -> Row:
    return {"label": label, "told": told, "address": address}


def _has(words: str, *texts: str) -> bool:
    whole = " ".join(texts).casefold()
    return all(word in whole for word in words.casefold().split())


def _people_found(studio: Studio, words: str) -> Iterator[Row]:
    for each in found_in(cast_of(studio), words):
        yield _row(each.name, each.character.text("occupation"), f"/people/{quote(each.ref)}")


def _evenings(studio: Studio, words: str) -> Iterator[Row]:
    for each in evening_files(studio):
        try:
            title, scenes = studio.lately.get(_stamp(studio, each), partial(_titles, studio, each))
        except OSError:  # deleted in between
            continue
        address = f"/tonight/{quote(each.ref, safe='~')}"
        if _has(words, title, each.ref):
            yield _row(title, each.file, f"{address}/1")
        for at, scene in enumerate(scenes, 1):
            if _has(words, scene):
                yield _row(scene, f"scene {at} of {title}", f"{address}/{at}")


def _stamp(studio: Studio, each: EveningFile) -> object:
    return "evening", each.file, (studio.folder / each.file).stat().st_mtime_ns


def _titles(studio: Studio, each: EveningFile) -> tuple[str, tuple[str, ...]]:
    try:
        data = plain(parse((studio.folder / each.file).read_bytes(), each.file, most=MOST))
    except (SheetgenError, OSError):
        return each.ref, ()
    data = data if isinstance(data, dict) else {}
    scenes = data.get("scenes")
    named = [str(one.get("title") or "") for one in scenes if isinstance(one, dict)] if isinstance(scenes, list) else []
    return str(data.get("title") or each.ref), tuple(named)


def _handouts(studio: Studio, words: str) -> Iterator[Row]:
    folder = studio.folder / FOLDER
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.suffix in READABLE and not path.name.startswith("."):
            name = Path(FOLDER, path.name).as_posix()
            title = path.stem.replace("-", " ")
            if _has(words, title, path.name):
                yield _row(title, name, f"{PRINT}/handouts/edit?{urlencode({'file': name})}")


def _rules(studio: Studio, game: str, words: str) -> Iterator[Row]:
    for each in contents_in(studio, game).found(words):
        yield _row(each.title, around(each.text, words), f"{RULES}/{game}/{each.id}")


def _doing(studio: Studio, game: str, words: str) -> Iterator[Row]:
    """Yield what can be done: places, everything that can be printed, and whom one may roll."""
    for label, told, address in DOING:
        if _has(words, label, told):
            yield _row(label, told, address)
    for each in printables(studio, game):
        if _has(words, "print", each["title"], each["say"]):
            yield _row(f"Print: {each['title']}", each["say"], each["address"])
    system = studio.pack(game).system
    for kind in (*system.cast.archetypes, *system.ready_groups):
        if _has(words, "roll", kind):
            yield _row(f"Roll: {kind}", system.title, f"/people?{urlencode({'game': game, 'kind': kind})}")
