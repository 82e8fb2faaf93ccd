"""Tonight: an evening scene by scene, whom and what it takes pulled in from the left, its run sheet on the right."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sheetgen.content.session_files import LOG, read_log, with_entry
from sheetgen.content.yaml.edits import insert, set_value
from sheetgen.documents.markdown import plain_html
from sheetgen.errors import Place, UsageError
from sheetgen.model.data import Word
from sheetgen.model.session import LogEntry
from sheetgen.people.campaign_cast import findings, meant, read_cast
from sheetgen.people.character_files import name_in_files
from sheetgen.products.session import starter
from sheetgen.studio.evening_edits import check_files, edited, is_as_shown, label_of, number, others
from sheetgen.studio.evening_fights import routes_of_fights
from sheetgen.studio.evening_pages import routes_of_pages
from sheetgen.studio.evening_printed import changed_since, note_printed
from sheetgen.studio.evening_pulls import foes, meant_by_name, pulls, sides
from sheetgen.studio.evenings import (
    EveningFile,
    ReadEvening,
    evening_called,
    evening_files,
    read_evening,
    save_evening,
)
from sheetgen.studio.pages import Area, html, is_partial, moved, page, part
from sheetgen.studio.saving import conflict_page, fields_of
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.studio.wall import asked_game, games, usual_game
from sheetgen.workspace.campaigns import SESSIONS
from sheetgen.workspace.safekeeping import ChangedOutside, read_kept, save, steps
from sheetgen.workspace.write import slug

AREA = Area("/tonight", "Tonight", "2")
AGAIN = "the same people as on another line: each stands once on the run sheet"
FOUND = 40  # lines of the campaign that are told


def routes() -> list[Route]:
    """Return the addresses of this place."""
    return [
        Route(AREA.address, _first),
        Route(f"{AREA.address}/new", _new, methods=["POST"]),
        Route(f"{AREA.address}/preview", _preview, methods=["POST"]),
        Route(f"{AREA.address}/log", _log, methods=["POST"]),
        *routes_of_pages(AREA.address),
        *routes_of_fights(AREA.address),
        Route(f"{AREA.address}/{{ref}}/printed", _printed, methods=["POST"]),
        Route(f"{AREA.address}/{{ref}}", _first_scene),
        Route(f"{AREA.address}/{{ref}}/{{scene:int}}", _scene),
        Route(f"{AREA.address}/{{ref}}/{{scene:int}}", _change, methods=["POST"]),
    ]


def address_of(ref: str, scene: int, **query: str) -> str:
    """Return the address of a scene, from 1."""
    asked = {name: value for name, value in query.items() if value}
    return f"{AREA.address}/{quote(ref, safe='~')}/{scene}{'?' + urlencode(asked) if asked else ''}"


def _first(request: Request) -> Response:
    """The evening that was worked on last, or the way to begin one."""
    studio = studio_of(request)
    files = evening_files(studio)
    if files and "new" not in request.query_params:
        latest = max(files, key=lambda each: (studio.folder / each.file).stat().st_mtime_ns)
        return RedirectResponse(address_of(latest.ref, 1), 303)
    data = {
        "games": [(each.name, each.title) for each in games(studio)],
        "usual": usual_game(studio),
        "evenings": _evening_links(files, ""),
    }
    return page(request, "tonight_new", data, title="Tonight")


def _first_scene(request: Request) -> Response:
    return RedirectResponse(address_of(request.path_params["ref"], 1), 303)


async def _new(request: Request) -> Response:
    studio, asked = studio_of(request), await fields_of(request)
    title, game = " ".join(asked.get("title", "").split()) or "Tonight", asked_game(studio, asked.get("game"))
    folder = f"{SESSIONS}/" if studio.campaign is not None else ""
    stem = slug(title.casefold())
    taken = {each.ref for each in evening_files(studio)}
    stem = next(each for each in (stem, *(f"{stem}-{at}" for at in range(2, 1000))) if each not in taken)
    file, project, pack = f"{folder}{stem}.yaml", studio.project, studio.pack(game)
    if asked.get("filled"):
        named = name_in_files(project, pack)
        text = starter(project, pack, named=named, file=file, title=title, seed=studio.new_seed())
    else:
        text = insert(
            f"system: {name_in_files(project, pack)}\nseed: {studio.new_seed()}\n",
            ("scenes",),
            0,
            {"title": "The first scene"},
        )
        text = f"# An evening. `sheetgen session {file}` makes one PDF of it.\n" + _titled(text, title)
    save(
        studio.folder, file, text, seen=read_kept(studio.folder / file).seen, label=f"began {title}", now=studio.clock()
    )
    ref = next(each.ref for each in evening_files(studio) if each.file == file)
    return moved(request, address_of(ref, 1))


def _titled(text: str, title: str) -> str:
    return set_value(text, ("title",), title, order=("system", "title", "seed"))


def _scene(request: Request) -> Response:
    studio, scene = studio_of(request), request.path_params["scene"]
    evening = read_evening(studio, evening_called(studio, request.path_params["ref"]))
    return _scene_page(request, studio, evening, scene)


def _scene_page(request: Request, studio: Studio, evening: ReadEvening, scene: int, told: str = "") -> Response:
    data = _view(request, studio, evening, min(max(1, scene), max(len(evening.scenes), 1)))
    return page(request, "tonight", {**data, "told": told}, title=str(evening.data.get("title", "Tonight")))


def _view(request: Request, studio: Studio, evening: ReadEvening, scene: int) -> dict[str, Any]:
    ref, query, undone = evening.file.ref, request.query_params.get("q", ""), steps(studio.folder)
    scenes = evening.scenes
    return {
        "evening": {
            "title": evening.data.get("title") or evening.file.ref,
            "date": evening.data.get("date") or "",
            "notes": evening.data.get("notes") or "",
            "file": evening.file.file,
            "ref": ref,
            "seen": evening.seen,
            "address": f"{AREA.address}/{quote(ref, safe='~')}",
        },
        "system": {"title": evening.pack.system.title if evening.pack else ""},
        "problems": [str(each) for each in evening.problems],
        "scenes": [_row(ref, at, each, scene) for at, each in enumerate(scenes, 1)],
        "here": _opened(evening, scene - 1) if scenes else None,
        "others": others(evening, scene - 1),
        "number": scene,
        "address_here": address_of(ref, scene, q=query),
        "pulls": pulls(studio, evening, query),
        "query": query,
        "found": _campaign_findings(studio, query),
        "has_log": studio.campaign is not None,
        "foes": foes(evening.pack),
        "sides": sides(studio, evening),
        **_since(studio, evening),
        "oob": False,
        "undo": undone[-1].label if undone else "",
        "evenings": _evening_links(evening_files(studio), ref),
    }


def _since(studio: Studio, evening: ReadEvening) -> dict[str, Any]:
    """Return what the tray tells of printing: when it was, and what has changed since."""
    address = f"{AREA.address}/{quote(evening.file.ref, safe='~')}"
    return {"since": changed_since(studio, evening), "count": len(evening.scenes), "evening_address": address}


def _printed(request: Request) -> Response:
    """Note that the evening is printed as it is now."""
    studio = studio_of(request)
    evening = read_evening(studio, evening_called(studio, request.path_params["ref"]))
    note_printed(studio, evening)
    if is_partial(request):
        return part(request, "tonight_since", _since(studio, evening) | {"oob": False})
    return RedirectResponse(address_of(evening.file.ref, 1), 303)


def _evening_links(files: tuple[EveningFile, ...], ref: str) -> list[dict[str, Any]]:
    return [
        {"ref": each.ref, "file": each.file, "here": each.ref == ref, "address": address_of(each.ref, 1)}
        for each in files
    ]


def _row(ref: str, at: int, scene: dict[str, Any], here: int) -> dict[str, Any]:
    counts = [(len(scene.get(name) or ()), word) for name, word in (("people", "who"), ("handouts", "handout"))]
    told = []
    for count, word in counts:
        if count and word == "who":
            told.append(f"{count} line{'s' * (count != 1)} of people")
        elif count:
            told.append(f"{count} {word}{'s' * (count != 1)}")
    return {
        "number": at,
        "title": scene.get("title") or f"Scene {at}",
        "told": ", ".join(told) or "nobody yet",
        "here": at == here,
        "address": address_of(ref, at),
    }


def _opened(evening: ReadEvening, at: int) -> dict[str, Any]:
    """Return a scene as the page shows it: its texts, and the entries of its lists, each with who it brings."""
    scene = evening.scenes[at] if at < len(evening.scenes) else {}
    present = evening.opened.evening.scenes[at] if evening.opened else ()
    brought: dict[int, list[Any]] = {}
    for each in present:
        brought.setdefault(each.line, []).append(each)

    def people(line: int, item: object) -> dict[str, Any]:
        there = brought.get(line, [])
        names = [each.character.text("name") for each in there]
        about = there[0] if len(there) == 1 else None
        trade = about.character.text("occupation") if about else ""
        wants = about.wants or about.character.text("want") if about else ""
        said = ", ".join(filter(None, (trade, wants))) if about else ", ".join(names)
        said = AGAIN if evening.opened and not there else said
        return {"label": names[0] if len(names) == 1 else label_of(item), "told": said, "as": label_of(item)}

    lists = {
        name: [{"label": label_of(item), "told": _entry_label(name, item)} for item in scene.get(name) or ()]
        for name in ("handouts", "odds", "clocks", "tables", "boxes", "stakes", "fights")
    }
    return {
        "title": scene.get("title") or "",
        "where": scene.get("where") or "",
        "read": scene.get("read") or "",
        "notes": scene.get("notes") or "",
        "people": [people(line, item) for line, item in enumerate(scene.get("people") or ())],
        "lists": lists,
        "extra": [name for name in ("map", "dice") if scene.get(name)],
    }


def _entry_label(name: str, item: object) -> str:
    if not isinstance(item, dict):
        return ""
    keys = {"handouts": ("when",), "odds": ("with", "at"), "clocks": ("segments",), "tables": ("of",)}.get(name, ())
    words = " · ".join(str(item[key]) for key in keys if item.get(key))
    return f"{words} segments" if name == "clocks" and words else words


def _campaign_findings(studio: Studio, query: str) -> list[dict[str, object]]:
    campaign = studio.campaign
    if campaign is None or len(query.strip()) < 2:
        return []
    found = list(findings(studio.project, campaign, query.strip()))[:FOUND]
    return [{"file": each.file, "line": each.line, "who": each.who, "words": each.words} for each in found]


async def _change(request: Request) -> Response:
    """Do what a form asks for: saved at once if the file is as the page saw it and stays in order."""
    studio, asked = studio_of(request), await fields_of(request)
    ref, scene = request.path_params["ref"], max(1, request.path_params["scene"])
    evening = read_evening(studio, evening_called(studio, ref))
    asked = meant_by_name(studio, evening, asked)
    try:
        check_files(studio.folder, asked)
        text, label = edited(evening, scene - 1, asked)
        if asked.get("seen", "") != evening.seen and not is_as_shown(evening, scene - 1, asked):
            raise ChangedOutside(evening.file.file, evening.text, text)
        after = save_evening(studio, evening, text, label=label)
    except ChangedOutside as error:
        return conflict_page(request, error, asked, seen=read_kept(studio.folder / evening.file.file).seen)
    scene = min(scene + (asked["do"] == "add-scene"), max(1, len(after.scenes)))
    if asked["do"] == "move-scene":
        scene = min(number(asked, "to") + 1, len(after.scenes))
    if asked["do"] == "set" and is_partial(request):
        current = asked.get("seen", "") == evening.seen  # else the page has yet to learn what else was changed
        return _saved(request, after, label, seen=after.seen if current else asked.get("seen", ""))
    if is_partial(request):
        answer = _scene_page(request, studio, after, scene, told=label)
        answer.headers["HX-Push-Url"] = address_of(ref, scene, q=asked.get("q", ""))
        return answer
    return RedirectResponse(address_of(ref, scene), 303)


def _saved(request: Request, evening: ReadEvening, label: str, *, seen: str) -> Response:
    """Answer a field that saved itself: what the page must know of the file, and nothing that would disturb typing."""
    undone = steps(studio_of(request).folder)
    about = {"oob": True, "undo": undone[-1].label if undone else "", "address_here": request.url.path}
    about |= _since(studio_of(request), evening)
    told = html(request, "tonight_saved", {"label": label, "file": evening.file.file, **about})
    headers = {"HX-Trigger": f'{{"saved": {{"seen": "{seen}"}}}}'}
    return Response(told, media_type="text/html", headers=headers)


async def _preview(request: Request) -> Response:
    asked = await fields_of(request)
    return part(request, "tonight_preview", {"html": plain_html(asked.get("value", "")[:20_000])})


async def _log(request: Request) -> Response:
    """Add what happened to somebody of the campaign."""
    studio, asked = studio_of(request), await fields_of(request)
    campaign = studio.campaign
    if campaign is None:
        raise UsageError("this folder is no campaign, and has no log (sheetgen campaign new makes one)")
    who, what = asked.get("who", "").strip(), asked.get("what", "").strip()
    if not who or not what:
        raise UsageError("say who it was, and what happened")
    name, kept = meant(read_cast(studio.project, campaign), who).name, read_kept(campaign.folder / LOG)
    text = with_entry(kept.text or "log:\n", LogEntry(Word(name, Place(LOG)), what, asked.get("date", "")))
    read_log(text.encode(), LOG)
    save(campaign.folder, LOG, text, seen=kept.seen, label=f"noted of {name}: {what[:40]}", now=studio.clock())
    back = asked.get("back", "")
    return moved(request, back if back.startswith(f"{AREA.address}/") else AREA.address)
