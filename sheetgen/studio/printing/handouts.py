"""Handouts: choose a kind and a look, type, see it; saved to the folder as the file that the command line prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sheetgen.content.handout_files import FOLDER, READABLE, HandoutSource, read_handout, source_at, title_of
from sheetgen.errors import InputError, SheetgenError, UsageError, quoted, suggestion
from sheetgen.model.handout import Catalogue, Style
from sheetgen.products.handouts.forms import (
    HAND,
    LOOK,
    STYLE,
    WrittenHandout,
    example_of,
    form_fields,
    problems_by_field,
    read_form_of_handout,
    values_in,
    written_handout,
)
from sheetgen.products.handouts.handouts import PLAIN_LOOK, catalogue_of
from sheetgen.studio.drawing import DrawingOrder, drawings_of, key_of
from sheetgen.studio.pages import awaited, conflict_page, fields_of, is_partial, moved, page, part
from sheetgen.studio.people.trays import tray_data
from sheetgen.studio.printing.shop import PRINT, sent_file
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.safekeeping import (
    NOTHING,
    ChangedOutside,
    draft_of,
    drafts,
    file_in,
    keep_draft,
    read_kept,
    save,
    throw_away,
)
from sheetgen.workspace.write import slug

PLACE = f"{PRINT}/handouts"
USUAL = "letter"
LONGEST_NAME = 60
SHOWN_WIDTH = 620  # px that a page of A4 takes


@dataclass(frozen=True, slots=True)
class HandoutAtWork:
    """A handout as the page has it: its kind, the texts of its fields, its file (none yet if new), what was seen."""

    studio: Studio
    catalogue: Catalogue
    pack: Pack | None
    style: Style
    values: Mapping[str, str]
    file: str = ""
    seen: str = NOTHING
    name: str = ""

    @property
    def suffix(self) -> str:
        """The suffix of its file."""
        return Path(self.file).suffix.lower() or ".yaml"

    @property
    def written(self) -> WrittenHandout:
        """The file that its fields stand for."""
        return written_handout(self.style, self.values, self.suffix)


def routes() -> list[Route]:
    """Return the addresses of this place."""
    return [
        Route(PLACE, _overview),
        Route(f"{PLACE}/new", awaited(_new)),
        Route(f"{PLACE}/edit", awaited(_edit)),
        Route(f"{PLACE}/kind/{{style}}.png", awaited(_sample)),
        Route(f"{PLACE}/print.pdf", awaited(_print)),
        Route(f"{PLACE}/typed", _typed, methods=["POST"]),
        Route(f"{PLACE}/save", _save, methods=["POST"]),
        Route(f"{PLACE}/throw-away", _throw_away, methods=["POST"]),
    ]


def _game(studio: Studio) -> Pack | None:
    """Return the game whose looks and kinds there are: that of the campaign, or none in particular."""
    campaign = studio.campaign
    return studio.pack(campaign.system) if campaign is not None else None


def _catalogue(studio: Studio, pack: Pack | None) -> Catalogue:
    def read() -> Catalogue:
        with studio.making:
            project = studio.project
            return (
                catalogue_of(project, pack) if pack is None else pack.run_isolated(lambda: catalogue_of(project, pack))
            )

    return studio.lately.get(("handouts", studio.mark(pack) if pack else ""), read)


def _overview(request: Request) -> Response:
    """Return all kinds of handouts with an example of each, and those that the folder has."""
    studio = studio_of(request)
    catalogue = _catalogue(studio, _game(studio))
    files = [
        {"file": file, "title": _title(studio, catalogue, file), "address": f"{PLACE}/edit?{urlencode({'file': file})}"}
        for file in _files(studio)
    ]
    kept = [each for each in drafts(studio.folder) if each.file.startswith(f"{FOLDER}/")]
    data = {
        "kinds": [
            {"name": style.name, "say": style.say, "picture": f"{PLACE}/kind/{style.name}.png"}
            for style in catalogue.styles.values()
        ],
        "files": files,
        "drafts": [
            {
                "file": each.file,
                "at": f"{each.at:%-d %B, %H:%M}",
                "address": f"{PLACE}/edit?{urlencode({'file': each.file})}",
            }
            for each in kept
            if each.file not in {one["file"] for one in files}
        ],
        "tray": tray_data(studio),
    }
    return page(request, "handouts", data, title="Handouts")


def _files(studio: Studio) -> list[str]:
    inside = studio.folder / FOLDER
    found = sorted(each.name for each in inside.iterdir() if each.suffix in READABLE) if inside.is_dir() else []
    return [f"{FOLDER}/{name}" for name in found if not name.startswith(".")]


def _title(studio: Studio, catalogue: Catalogue, file: str) -> str:
    try:
        path = file_in(studio.folder, file, suffixes=READABLE)
        found = read_handout(source_at(path, file, inside=studio.folder), catalogue)
        return f"{found.style.name}: {title_of(found)}"
    except SheetgenError:
        return Path(file).stem


def _style_named(catalogue: Catalogue, name: str) -> Style:
    if name not in catalogue.styles:
        raise UsageError(f"unknown kind of handout {quoted(name)}{suggestion(name, catalogue.styles)}")
    return catalogue.styles[name]


def _new(request: Request, unwanted: Event) -> Response:
    """Return the form of a new handout, with the words of the example to be overwritten."""
    studio, query = studio_of(request), request.query_params
    pack = _game(studio)
    catalogue = _catalogue(studio, pack)
    style = _style_named(catalogue, query.get(STYLE, USUAL))
    values = example_of(style)
    if query.get(LOOK) in catalogue.looks:
        values[LOOK] = query[LOOK]
    at_work = HandoutAtWork(studio, catalogue, pack, style, values)
    return _handout_page(request, replace(at_work, file=_new_file(at_work)), unwanted)


def _edit(request: Request, unwanted: Event) -> Response:
    """Return the form of a file, with its draft if there is one; of what no form can show, the file's problems."""
    studio, file = studio_of(request), request.query_params.get("file", "")
    pack = _game(studio)
    catalogue, path = _catalogue(studio, pack), file_in(studio.folder, file, suffixes=READABLE)
    kept, draft = read_kept(path), draft_of(studio.folder, file)
    if kept.seen == NOTHING and draft is None:
        return RedirectResponse(PLACE, 303)
    text = draft.text if draft is not None and not request.query_params.get("saved") else kept.text
    try:
        style, values = _values(catalogue, file, text)
    except InputError as error:
        problems = [str(each) for each in sorted(error.problems)]
        return part(request, "told", {"title": file, "problems": problems}, status=422)
    at_work = HandoutAtWork(studio, catalogue, pack, style, values, file, kept.seen)
    about = f"a draft of {draft.at:%-d %B, %H:%M}" if draft is not None and text == draft.text else ""
    return _handout_page(request, at_work, unwanted, draft=about)


def _values(catalogue: Catalogue, file: str, text: str) -> tuple[Style, dict[str, str]]:
    """Return the kind and the fields of a file; a draft may lack what its kind needs."""
    values = values_in(HandoutSource(text.encode(), Path(file).stem, Path(file).suffix.lower(), file))
    return _style_named(catalogue, values.pop(STYLE, USUAL)), values


def _at_work(request: Request, asked: Mapping[str, str]) -> HandoutAtWork:
    """Return what a form that was sent stands for; UsageError for a kind or a file that cannot be."""
    studio = studio_of(request)
    pack = _game(studio)
    catalogue = _catalogue(studio, pack)
    style = _style_named(catalogue, asked.get(STYLE, ""))
    names = (LOOK, HAND, "text", *style.fields)
    values = {name: asked[f"f-{name}"] for name in names if asked.get(f"f-{name}")}
    file = asked.get("file", "")
    if file:
        file_in(studio.folder, file, suffixes=READABLE)
    return HandoutAtWork(
        studio, catalogue, pack, style, values, file, asked.get("seen", NOTHING), asked.get("name", "")
    )


async def _typed(request: Request) -> Response:
    """Return the pages and the notes for what was typed so far, which is kept as a draft."""
    asked = await fields_of(request)

    def answer(request: Request, unwanted: Event) -> Response:
        at_work = _at_work(request, asked)
        if at_work.file:
            keep_draft(
                at_work.studio.folder,
                at_work.file,
                at_work.written.data,
                seen=at_work.seen,
                now=at_work.studio.clock(),
            )
        if not is_partial(request) or "restyle" in asked:
            return _handout_page(request, at_work, unwanted)
        return part(request, "handouts/changed", _page_data(request, at_work, unwanted))

    return await awaited(answer)(request)


async def _save(request: Request) -> Response:
    """Save what the form says, if it is sound, to its file; a new one gets its name from the form."""
    asked = await fields_of(request)
    at_work = _at_work(request, asked)
    _, problems = read_form_of_handout(at_work.written, at_work.catalogue, at_work.file or "handout", at_work.suffix)
    if problems:
        return await awaited(lambda request, unwanted: _handout_page(request, at_work, unwanted, status=422))(request)
    studio, drafted = at_work.studio, at_work.file
    file = _new_file(at_work) if not drafted or (at_work.seen == NOTHING and at_work.name.strip()) else drafted
    try:
        label = f"saved {Path(file).stem}"
        save(studio.folder, file, at_work.written.data, seen=at_work.seen, label=label, now=studio.clock())
    except ChangedOutside as error:
        again = {**asked, "file": file, "name": ""}
        return conflict_page(request, error, again, seen=read_kept(studio.folder / file).seen)
    for each in {file, drafted} - {""}:
        throw_away(studio.folder, each)
    return moved(request, f"{PLACE}/edit?{urlencode({'file': file})}")


def _new_file(at_work: HandoutAtWork) -> str:
    """Return a name that no file has yet, from what the form calls it."""
    said = at_work.name.strip()[:LONGEST_NAME] or at_work.style.name
    stem = slug(said.casefold()) or at_work.style.name
    taken = {Path(each).stem for each in _files(at_work.studio)}
    stem = next(each for each in (stem, *(f"{stem}-{at}" for at in range(2, 1000))) if each not in taken)
    return f"{FOLDER}/{stem}.yaml"


async def _throw_away(request: Request) -> Response:
    asked, studio = await fields_of(request), studio_of(request)
    file = asked.get("file", "")
    path = file_in(studio.folder, file, suffixes=READABLE)
    throw_away(studio.folder, file)
    return moved(request, f"{PLACE}/edit?{urlencode({'file': file})}" if path.is_file() else PLACE)


def _order(at_work: HandoutAtWork) -> DrawingOrder:
    file = at_work.file or f"{FOLDER}/{at_work.style.name}{at_work.suffix}"
    given = (file, *([at_work.studio.campaign.system] if at_work.pack and at_work.studio.campaign else []))
    return DrawingOrder("handouts", given, text=at_work.written.data)


def _page_data(request: Request, at_work: HandoutAtWork, unwanted: Event, *, draft: str = "") -> dict[str, Any]:
    """Return all that the page shows: the fields with their notes, and the pages of what is sound."""
    written, catalogue, studio = at_work.written, at_work.catalogue, at_work.studio
    name = at_work.file or "handout"
    _, problems = read_form_of_handout(written, catalogue, name, at_work.suffix)
    pages, notes = list[dict[str, Any]](), list[str]()
    if not problems:
        order = _order(at_work)
        key = key_of(
            studio.project, order, at_work.pack, studio.lately, studio.mark(at_work.pack) if at_work.pack else ""
        )
        try:
            made = drawings_of(request).drawn(studio.project, studio.environ, order, key, unwanted)
            address = studio.pictures.register(("handout", key), lambda: made.data)
            pages = [
                {
                    "address": f"{address}-{number}.png",
                    "number": number,
                    "width": round(width * SHOWN_WIDTH / 595),
                    "height": round(height * SHOWN_WIDTH / 595),
                }
                for number, (width, height) in enumerate(made.sizes, 1)
            ]
            notes = list(made.notes)
        except InputError as error:
            problems = problems_by_field(written, error.problems)
        except SheetgenError as error:
            problems = {"": str(error)}
    fields = form_fields(at_work.style, at_work.values, problems)
    known = {each.name for each in fields}
    return {
        "fields": fields,
        "problems": [message for name, message in problems.items() if name not in known],
        "kind": at_work.style.name,
        "say": at_work.style.say,
        "kinds": [{"name": each.name, "say": each.say} for each in catalogue.styles.values()],
        "looks": [{"name": each.name, "say": each.say} for each in catalogue.looks.values()],
        "hands": [{"name": each.name, "say": each.say} for each in catalogue.hands.values()],
        "usual_look": (at_work.pack.system.look if at_work.pack else "") or PLAIN_LOOK,
        "look": at_work.values.get(LOOK, ""),
        "hand": at_work.values.get(HAND, ""),
        "file": at_work.file,
        "seen": at_work.seen,
        "name": at_work.name,
        "pages": pages,
        "notes": notes,
        "draft": draft,
        "source": written.data,
        "is_new": at_work.seen == NOTHING,
        "print": f"{PLACE}/print.pdf?{urlencode({'file': at_work.file})}" if at_work.seen != NOTHING else "",
        "tray": tray_data(studio),
    }


def _handout_page(
    request: Request, at_work: HandoutAtWork, unwanted: Event, *, draft: str = "", status: int = 200
) -> Response:
    data = _page_data(request, at_work, unwanted, draft=draft)
    title = Path(at_work.file).stem if at_work.seen != NOTHING else f"A new handout: {at_work.style.name}"
    answer = page(request, "handouts/edit", {**data, "heading": title}, title=title)
    answer.status_code = status
    return answer


def _sample(request: Request, unwanted: Event) -> Response:
    """Return the example of a kind as a small picture."""
    studio = studio_of(request)
    pack = _game(studio)
    catalogue = _catalogue(studio, pack)
    style = _style_named(catalogue, request.path_params["style"])
    at_work = HandoutAtWork(studio, catalogue, pack, style, example_of(style))
    order = _order(at_work)
    key = key_of(studio.project, order, pack, studio.lately, studio.mark(pack) if pack else "")
    made = drawings_of(request).drawn(studio.project, studio.environ, order, key, unwanted)
    width = made.sizes[0][0] / 72
    data = studio.pictures.picture(made.data, 1, max(30, min(90, round(300 / width))))
    return Response(data, media_type="image/png", headers={"Cache-Control": "private, max-age=600"})


def _print(request: Request, unwanted: Event) -> Response:
    """Return a saved handout on its sheet of paper, as the command line prints it."""
    studio, file = studio_of(request), request.query_params.get("file", "")
    if not file_in(studio.folder, file, suffixes=READABLE).is_file():
        return RedirectResponse(PLACE, 303)
    pack, campaign = _game(studio), studio.campaign
    fields = (("paper", campaign.paper),) if campaign else ()
    given = (file, *([campaign.system] if campaign else []))
    order = DrawingOrder("handouts", given, fields)
    key = key_of(studio.project, order, pack, studio.lately, studio.mark(pack) if pack else "")
    made = drawings_of(request).drawn(studio.project, studio.environ, order, key, unwanted)
    return sent_file(made.data, f"{Path(file).stem}.pdf", download="download" in request.query_params)
