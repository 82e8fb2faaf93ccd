"""Authors: the files of a pack as text, with what may stand where, problems as one types, and the pages they move."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from threading import Event
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from sheetgen.content.packs.folders import MANIFEST
from sheetgen.content.packs.house_rules import FILE as HOUSE_FILE
from sheetgen.content.schema import FILES, explain_place, schema_of
from sheetgen.content.yaml.decoder import Schema
from sheetgen.errors import InputError, Problem, SheetgenError, UsageError, quoted
from sheetgen.studio.assets import asset_file, served, static_address, web_folder
from sheetgen.studio.authoring.files import (
    GAME,
    HERE,
    AuthoredFile,
    beside_inherited,
    chapter_takers,
    judged_alone,
    judged_whole,
    line_of,
    opened_file,
    packs_in_sight,
    paper_of,
)
from sheetgen.studio.drawing import Drawings, drawings_of
from sheetgen.studio.evenings import EveningFile, judged
from sheetgen.studio.pages import awaited, compared, conflict_page, fields_of, moved, page, part
from sheetgen.studio.people.wall import asked_game, games, usual_game
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.safekeeping import (
    ChangedOutside,
    KeptDraft,
    ReadText,
    draft_of,
    keep_draft,
    read_kept,
    save,
    steps,
    throw_away,
)
from sheetgen.workspace.scaffold import checked_name, starter, variant
from sheetgen.workspace.write import slug

EDIT = "/edit"  # reached from the rules: authoring is no place of its own
EDITOR = "@codemirror/view"
NO_RULE = "-"
MOST_TOLD = 40  # problems
OF_PACKS = {"system": ("extends",), "session": ("system",)}  # keys at the top of files whose value is a game's name
HOUSE_RULES = """\
# What your table plays otherwise: values of the game by their paths, open points and optional rules by their IDs.
# `sheetgen house {game}` lists them. Everything made in this folder follows, and shows them with a sign.
[house.{game}]
# difficulty.hard = 9
"""
LANGUAGES = {".yaml": "yaml", ".yml": "yaml", ".css": "css", ".html": "html"}


def routes() -> list[Route]:
    """Return the addresses of this place."""
    at = f"{EDIT}/{{where}}/{{file:path}}"
    return [
        Route(EDIT, _packs),
        Route(f"{EDIT}-new", _new, methods=["POST"]),
        Route(f"{EDIT}-rule/{{game}}/{{rule}}", _rule),
        Route(f"{EDIT}-paper/{{where}}/{{file:path}}", awaited(_paper)),
        Route(f"{EDIT}-take/{{where}}/{{file:path}}", _take, methods=["POST"]),
        Route(at, _editor),
        Route(at, _asked, methods=["POST"]),
    ]


def _packs(request: Request) -> Response:
    """The packs in sight: one's own to edit, built-in ones to look at, or to begin one's own from."""
    studio = studio_of(request)
    titles = {each.name: each.title for each in games(studio)}
    packs = [
        {
            "name": each.name,
            "title": titles.get(each.name, each.name),
            "own": each.where != GAME,
            "files": [{"name": name, "address": f"{EDIT}/{quote(each.address(name))}"} for name in each.files],
        }
        for each in packs_in_sight(studio)
    ]
    return page(
        request, "authors", {"packs": packs, "from": request.query_params.get("from", "")}, title="Games to change"
    )


def _rule(request: Request) -> Response:
    """The way to the line of a rule, in the pack or in the one that it extends; to all packs where there is none."""
    studio, rule = studio_of(request), request.path_params["rule"]
    game = studio.pack(asked_game(studio, request.path_params["game"]))
    folders = [game.folder, *(studio.project.library.packs[name] for name in game.system.lineage)]
    for folder in (each.resolve() for each in folders):
        pack = next((each for each in packs_in_sight(studio) if each.folder == folder), None)
        for name in (each for each in (pack.files if pack else ()) if each.startswith("rules/")):
            if pack is not None and (line := line_of(read_kept(folder / name).text, rule)):
                return RedirectResponse(f"{EDIT}/{quote(pack.address(name))}?line={line}", 303)
        if pack is not None and rule == NO_RULE:
            return RedirectResponse(f"{EDIT}/{quote(pack.address(MANIFEST))}", 303)
    return RedirectResponse(EDIT, 303)


async def _new(request: Request) -> Response:
    """Begin a pack: a small game, or a variant of one; built-in ones are changed so, and stay as they are."""
    studio, asked = studio_of(request), await fields_of(request)
    project = studio.project
    name = checked_name(project, slug(asked.get("name", "").casefold()) if asked.get("name", "").strip() else "")
    folder = studio.folder / "content" / name
    if folder.exists():
        raise UsageError(f"content/{name} is there already, and is left as it is: take another name")
    parent = asked.get("from", "")
    files = variant(project, name, open_pack(project, parent)) if parent else starter(project, name)
    for path, data in files.items():
        place = f"content/{name}/{path}"
        if path.startswith("."):  # schemas for other editors
            continue
        seen = read_kept(studio.folder / place).seen
        save(studio.folder, place, data.decode(), seen=seen, label=f"began {name}", now=studio.clock())
    return moved(request, f"{EDIT}/{HERE}/content/{name}/system.yaml?begun=yes")


def _opened(request: Request) -> tuple[Studio, AuthoredFile]:
    studio = studio_of(request)
    return studio, opened_file(studio, request.path_params["where"], request.path_params["file"])


def _editor(request: Request) -> Response:
    studio, file = _opened(request)
    kept, draft = read_kept(file.path), None if file.read_only else draft_of(file.root, file.file)
    if not kept.seen and file.file == HOUSE_FILE and draft is None:
        game = request.query_params.get("game", "")
        kept = ReadText(
            HOUSE_RULES.format(game=game if game in studio.project.library.packs else usual_game(studio)), ""
        )
    elif not kept.seen and draft is None and file.pack is None:
        raise UsageError(f"there is no file {file.file} in this folder")
    told = f"begun in content/{file.pack.name}" if file.pack and "begun" in request.query_params else ""
    return page(request, "author", _view(request, studio, file, kept, draft, told=told), title=file.path.name)


def _view(
    request: Request,
    studio: Studio,
    file: AuthoredFile,
    kept: ReadText,
    draft: KeptDraft | None,
    *,
    problems: Sequence[Problem] = (),
    told: str = "",
) -> dict[str, Any]:
    text = draft.text if draft else kept.text
    address = f"{EDIT}/{file.where}/{quote(file.file)}"
    undone = () if file.read_only else steps(file.root)
    return {
        "file": {
            "name": file.inside,
            "path": file.file,
            "address": address,
            "paper": f"{EDIT}-paper/{file.where}/{quote(file.file)}",
            "take": f"{EDIT}-take/{file.where}/{quote(file.file)}",
            "seen": draft.seen if draft else kept.seen,
            "text": text,
            "read_only": file.read_only,
            "language": LANGUAGES.get(file.path.suffix, "text"),
            "explained": bool(file.kind),
            "pack": file.pack.name if file.pack else "",
            "drawn": bool(file.pack),
        },
        "takers": [pack.name for pack in chapter_takers(studio, file)],
        "draft": {"at": when(draft.at, studio.clock()), "lines": compared(kept.text, draft.text)} if draft else None,
        "problems": [_as_data(each) for each in problems],
        "told": told,
        "files": _siblings(studio, file),
        "line": request.query_params.get("line", ""),
        "imports": _imports(studio) if asset_file(f"{EDITOR}/dist/index.js") else "",
        "undo": undone[-1].label if undone else "",
        "address_here": address,
        "oob": False,
    }


def _siblings(studio: Studio, file: AuthoredFile) -> list[dict[str, Any]]:
    pack = next((each for each in packs_in_sight(studio) if file.pack and each.folder == file.pack.resolve()), None)
    found = []
    for name in pack.files if pack else ():
        address = pack.address(name) if pack else ""
        drafted = not file.read_only and draft_of(file.root, address.partition("/")[2]) is not None
        where = f"{EDIT}/{quote(address)}"
        found.append({"name": name, "address": where, "here": name == file.inside, "draft": drafted})
    return found


def when(at: datetime, now: datetime) -> str:
    """Return when something was, as people say it: 20:15, yesterday, on a day."""
    days = (now.date() - at.date()).days
    clock = at.strftime("%H:%M")
    return clock if days == 0 else f"yesterday, {clock}" if days == 1 else f"{at:%d %B %Y}, {clock}"


def _imports(studio: Studio) -> str:
    return import_map(static_address(studio.project.templates))


@cache
def import_map(static: str) -> str:
    """Return where scripts find the modules of the editor, as JSON: all of them are served from here."""
    imports = dict[str, str]()
    for name in served():
        about = json.loads((web_folder() / "node_modules" / name / "package.json").read_text("utf-8"))
        exported = about.get("exports")
        entry = exported.get("import") if isinstance(exported, dict) else None
        main = entry if isinstance(entry, str) else about.get("module") or about.get("main") or "index.js"
        imports[name] = f"{static}/npm/{name}/{main.removeprefix('./')}"
    return json.dumps({"imports": imports})


@cache
def _schema(kind: str) -> Schema:
    return schema_of(FILES[kind])


async def _asked(request: Request) -> Response:
    """What the editor, or its form, asks for: explain, judge, keep as a draft, throw that away, save."""
    studio, file = _opened(request)
    asked = await fields_of(request)
    do, kept = asked.get("do", ""), read_kept(file.path)
    text = _as_in_file(kept.text, asked.get("text", ""))
    if do == "explain":
        return JSONResponse(_explained(studio, file, text, asked))
    if do == "whole":

        def whole(request: Request, unwanted: Event) -> Response:
            return JSONResponse(_check_pack(studio, drawings_of(request), file, (kept.text, text), unwanted))

        return await awaited(whole)(request)
    if do in ("judge", "draft"):
        if do == "draft" and not file.read_only:
            keep_draft(file.root, file.file, text, seen=asked.get("seen", ""), now=studio.clock())
        return JSONResponse(await run_in_threadpool(lambda: _judged(studio, file, text)))
    if file.read_only:
        raise UsageError("built-in games stay as they are: begin a variant of your own, or write a house rule")
    if do == "throw":
        throw_away(file.root, file.file)
        return RedirectResponse(request.url.path, 303)
    if do == "check":
        keep_draft(file.root, file.file, text, seen=asked.get("seen", ""), now=studio.clock())
        drawings = drawings_of(request)
        problems = await run_in_threadpool(lambda: _all_problems(studio, drawings, file, text))
        data = _view(request, studio, file, kept, draft_of(file.root, file.file), problems=problems, told="checked")
        return page(request, "author", data, title=file.path.name)
    if do != "save":
        raise UsageError("the editor saves, checks, keeps drafts and explains")
    return _save(request, studio, file, text, asked)


async def _take(request: Request) -> Response:
    """Copy a chapter of a game into one's own variant of it, where it stands in for that of the game from then on."""
    (studio, file), asked = _opened(request), await fields_of(request)
    into = asked.get("take", "")
    taker = next((each for each in chapter_takers(studio, file) if each.name == into), None)
    if taker is None:
        raise UsageError(f"{quoted(into)} takes no copy of {file.inside}: it has no such chapter from another game")
    where, label = taker.root, f"took {file.inside} into {taker.name}"
    manifest, copy = (taker.address(name).partition("/")[2] for name in (MANIFEST, file.inside))
    said, chapter, there = read_kept(where / manifest), read_kept(file.path), read_kept(where / copy)
    has_both = studio.pack(str(taker.folder)).system.leaves_out is not None  # by what it varies, perhaps
    joined = said.text if has_both else beside_inherited(said.text, manifest)  # nothing is saved before all is read
    save(where, manifest, joined, seen=said.seen, label=label, now=studio.clock())
    save(where, copy, chapter.text, seen=there.seen, label=label, now=studio.clock())
    line = asked.get("line", "")
    return moved(request, f"{EDIT}/{quote(taker.address(file.inside))}?line={line if line.isdecimal() else ''}")


def _save(request: Request, studio: Studio, file: AuthoredFile, text: str, asked: dict[str, str]) -> Response:
    try:
        label = f"saved {file.inside}"
        seen = save(file.root, file.file, text, seen=asked.get("seen", ""), label=label, now=studio.clock())
    except ChangedOutside as error:
        keep_draft(file.root, file.file, text, seen=asked.get("seen", ""), now=studio.clock())
        if asked.get("as") == "data":
            return JSONResponse({"conflict": str(error), "lines": compared(error.theirs, error.mine)}, 409)
        return conflict_page(request, error, {"do": "save", "text": text}, seen=read_kept(file.path).seen)
    throw_away(file.root, file.file)
    if asked.get("as") == "data":
        return JSONResponse({"seen": seen, "told": f"saved {studio.clock():%H:%M}"})
    return RedirectResponse(request.url.path, 303)


def _as_in_file(before: str, text: str) -> str:
    """Return a text of a form with the line ends of the file, and its mark at the beginning if it has one."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = plain.replace("\n", "\r\n") if "\r\n" in before else plain
    return plain if not before.startswith("\ufeff") or plain.startswith("\ufeff") else f"\ufeff{plain}"


def _as_data(problem: Problem, severity: str = "error") -> dict[str, Any]:
    place = problem.place
    return {"file": place.file, "line": place.line, "column": place.column, "message": problem.message, "is": severity}


def _alone(studio: Studio, file: AuthoredFile, text: str) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    if file.kind == "session":
        return judged(studio, EveningFile("", file.file), text, "").problems, ()
    return judged_alone(studio, file, text)


def _all_problems(studio: Studio, drawings: Drawings, file: AuthoredFile, text: str) -> tuple[Problem, ...]:
    alone = _alone(studio, file, text)[0]
    return (*alone, *judged_whole(studio, drawings, file, text, text, unwanted=Event())[0]) if file.pack else alone


def _judged(studio: Studio, file: AuthoredFile, text: str) -> dict[str, Any]:
    problems, notes = _alone(studio, file, text)
    found = [*(_as_data(each) for each in problems), *(_as_data(each, "warning") for each in notes)]
    return {"problems": found, "draft": f"draft, {studio.clock():%H:%M}"}


def _check_pack(
    studio: Studio, drawings: Drawings, file: AuthoredFile, texts: tuple[str, str], unwanted: Event
) -> dict[str, Any]:
    """Return the problems of the whole pack with a text in it, here and in other files, and what the change moves."""
    before, text = texts
    if file.pack is None:
        return {**_judged(studio, file, text), "elsewhere": [], "moves": []}
    problems, moves = judged_whole(studio, drawings, file, text, before, unwanted=unwanted)
    return {**_placed(studio, file, problems), "moves": moves}


def _placed(studio: Studio, file: AuthoredFile, problems: Sequence[Problem]) -> dict[str, Any]:
    """Return problems of a file at their lines, and those of other files as they are told."""
    shown = studio.project.shown(file.path)
    here = [_as_data(each) for each in problems if each.place.file == shown]
    elsewhere = [str(each) for each in problems if each.place.file != shown]
    return {"problems": here, "elsewhere": elsewhere[:MOST_TOLD]}


def _explained(studio: Studio, file: AuthoredFile, text: str, asked: dict[str, str]) -> dict[str, Any]:
    if not file.kind:
        return {"keys": [], "values": [], "key": "", "help": "", "path": []}
    at = [int(asked[name]) if asked.get(name, "").isdecimal() else 1 for name in ("line", "column")]
    found = explain_place(_schema(file.kind), text, at[0], at[1])
    keys = [{"word": each.word, "help": each.help, "takes": each.takes, "needed": each.needed} for each in found.keys]
    words = [each.word for each in found.values]
    if not found.path and found.key in OF_PACKS.get(file.kind, ()):
        words = [each for each in studio.project.library.packs if not file.pack or each != file.pack.name]
    return {"keys": keys, "values": words, "key": found.key, "help": found.help, "path": list(found.path)}


def _paper(request: Request, unwanted: Event) -> Response:
    """The pages that show the line one is at, of the draft if there is one; nothing new while it has problems."""
    studio, file = _opened(request)
    draft = None if file.read_only else draft_of(file.root, file.file)
    text = draft.text if draft else read_kept(file.path).text
    line = request.query_params.get("line", "")
    at = int(line) if line.isdecimal() and len(line) < 8 else 1
    try:
        data = paper_of(studio, drawings_of(request), file, text, at, unwanted=unwanted)
    except InputError as error:
        if "again" in request.query_params:  # the last pictures stay, and the editor tells why
            told = json.dumps({"undrawn": _placed(studio, file, error.problems[:MOST_TOLD])})
            return Response(status_code=204, headers={"HX-Trigger": told})
        first = error.problems[0]
        data = {"problem": f"Nothing is drawn while there are problems: {first}", "pictures": []}
    except SheetgenError as error:
        data = {"problem": str(error), "pictures": []}
    return part(request, "author_paper", data)
