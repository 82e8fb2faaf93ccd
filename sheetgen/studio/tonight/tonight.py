"""Tonight: an evening scene by scene, whom and what it takes pulled in from the left, its run sheet on the right.

What was printed of it is kept as a digest of each part, so that the page can tell what has changed since.
"""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import blake2b
from os.path import getsize, isfile
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sheetgen.content.session_files import LOG, read_log, with_entry
from sheetgen.content.yaml.edits import insert, set_value
from sheetgen.documents.markdown import plain_html
from sheetgen.errors import InputError, Place, UsageError, without_places
from sheetgen.model.data import Word
from sheetgen.model.session import LogEntry
from sheetgen.people.campaign_cast import findings, meant, read_cast
from sheetgen.people.character_files import name_in_files
from sheetgen.products.session.session import starter
from sheetgen.studio.evenings import (
    EveningFile,
    ReadEvening,
    evening_called,
    evening_files,
    read_evening,
    save_evening,
)
from sheetgen.studio.pages import Area, conflict_page, fields_of, html, is_partial, moved, page, part
from sheetgen.studio.people.wall import asked_game, games, usual_game
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.studio.tonight.edits import (
    check_files,
    edited,
    foes,
    is_as_shown,
    label_of,
    meant_by_name,
    number,
    others,
    pulls,
    sides,
)
from sheetgen.studio.tonight.fights import routes_of_fights
from sheetgen.studio.tonight.paper import routes_of_pages
from sheetgen.workspace.campaigns import SESSIONS
from sheetgen.workspace.safekeeping import ChangedOutside, read_kept, save, steps
from sheetgen.workspace.write import locked, slug, write_file

FILE = Path(".sheetgen") / "printed-evenings.json"
LARGEST = 1_000_000  # bytes
FIRST_PAGE = "the first page"
MOST_TOLD = 4

Parts = list[list[str]]  # what each is called, and its digest
AREA = Area("/tonight", "Tonight", "2")
AGAIN = "the same people as on another line: each stands once on the run sheet"
FOUND = 40  # lines of the campaign that are told


def note_printed(studio: Studio, evening: ReadEvening) -> None:
    """Keep how an evening is now as how it was printed, beside those of which there are files still.

    InputError with what is wrong in its file; UsageError where the notes are too long to be read again.
    """
    if evening.opened is None:
        raise InputError(evening.problems)
    path = studio.folder / FILE
    path.parent.mkdir(exist_ok=True)
    with locked(path.parent):
        now = {"at": f"{studio.clock():%Y-%m-%d %H:%M}", "parts": _digests(evening)}
        there = {name: each for name, each in _read_kept(studio).items() if isfile(studio.folder / name)}
        data = json.dumps({**there, evening.file.file: now}, ensure_ascii=False).encode()
        if max(len(data), getsize(path) if isfile(path) else 0) > LARGEST:
            raise UsageError(f"{FILE.as_posix()} is too long: delete it, and say again what is printed")
        write_file(path, data, shown=str(FILE))


def changed_since(studio: Studio, evening: ReadEvening) -> dict[str, Any] | None:
    """Return when an evening was printed and what has changed since, in words; None if it was not, or has mistakes."""
    kept = _read_kept(studio).get(evening.file.file)
    if not isinstance(kept, dict) or evening.opened is None:
        return None
    parts = kept.get("parts")
    if not isinstance(parts, list):
        return None
    before = [tuple(map(str, each)) for each in parts if isinstance(each, list) and len(each) == 2]
    return {
        "date": str(kept.get("at", "")),
        "lines": _changes(before, [(name, mark) for name, mark in _digests(evening)]),
    }


def _changes(before: list[Any], now: list[Any]) -> list[str]:
    old, new = dict(before), dict(now)
    changed = [name for name, mark in now if name in old and old[name] != mark]
    come = [name for name, _ in now if name not in old]
    gone = [name for name, _ in before if name not in new]
    moved = [name for name, _ in before if name in new] != [name for name, _ in now if name in old]
    words = [
        *([f"{_names(changed)} changed"] if changed else []),
        *([f"{_names(come)} new"] if come else []),
        *([f"{_names(gone)} gone"] if gone else []),
        *(["another order"] if moved else []),
    ]
    return words


def _names(names: list[str]) -> str:
    more = f" and {len(names) - MOST_TOLD} more" if len(names) > MOST_TOLD else ""
    return ", ".join(names[:MOST_TOLD]) + more


def _digests(evening: ReadEvening) -> Parts:
    """Return a digest of what only the first page shows, and of each scene; places in the file do not count."""
    opened = evening.opened
    assert opened is not None
    session, found = opened.session, Parts()
    whole = (session.title, session.date, session.notes, session.people_as, session.reference, session.screen)
    found.append([FIRST_PAGE, _digest(whole)])
    taken = dict[str, int]()
    for scene, people, files in zip(session.scenes, opened.evening.scenes, opened.handouts, strict=True):
        taken[scene.title] = taken.get(scene.title, 0) + 1
        name = scene.title if taken[scene.title] == 1 else f"{scene.title} ({taken[scene.title]})"
        there = [(each.character, each.wants, each.note) for each in people]
        found.append([name, _digest((session.seed, scene, there, [_read_bytes(file) for file in files]))])
    return found


def _read_bytes(file: Path) -> bytes:
    with suppress(OSError):
        return file.read_bytes()
    return b""


def _digest(what: object) -> str:
    return blake2b(without_places(what).encode(), digest_size=12).hexdigest()


def _read_kept(studio: Studio) -> dict[str, Any]:
    path = studio.folder / FILE
    with suppress(OSError, ValueError, RecursionError):
        if path.stat().st_size <= LARGEST:
            found = json.loads(path.read_text("utf-8"))
            return found if isinstance(found, dict) else {}
    return {}


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
