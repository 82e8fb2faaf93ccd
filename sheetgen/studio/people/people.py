"""People: whoever is rolled or kept, on a wall, in a form, and on paper; what is kept goes to the files of the cast."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sheetgen.errors import SheetgenError, UsageError, quoted
from sheetgen.model.character import Character
from sheetgen.people.character_files import Party
from sheetgen.people.rerolling import reroll
from sheetgen.products.people.options import PeopleOptions
from sheetgen.products.shapes import SHAPES, shape_named
from sheetgen.rules.rerolling import EVERYTHING, Reroll
from sheetgen.studio.pages import Area, is_partial, part
from sheetgen.studio.people import cast_folder
from sheetgen.studio.people.cast_folder import CastMember, KeptCast, cast_of, found_in, home_of
from sheetgen.studio.people.paper import USUAL, VIEWS, paper_of, people_pdf, usual_paper
from sheetgen.studio.people.person import BETWEEN, ControlNote, all_controls, card, edit, person_form, texts_of
from sheetgen.studio.people.trays import Ticked, parties_of, tick_of, ticked, turn_tick, untick_all
from sheetgen.studio.people.wall import PEOPLE, Wall, is_group, number_on, read_wall, rolled, sentence, usual_game
from sheetgen.studio.studio import Studio, studio_of
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.safekeeping import steps, undo_last

AREA = Area(PEOPLE, "People", "1")
LONGEST_NAMES = 90
MOST_LISTED = 400  # people of the cast on one page


@dataclass(frozen=True, slots=True)
class PersonShown:
    """Who is looked at: a number of the wall, 0 for none, or somebody of the cast; what is wrong and was typed."""

    pack: Pack
    character: Character
    number: int = 0
    member: CastMember | None = None
    notes: Mapping[str, ControlNote] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=dict)

    @property
    def who(self) -> str:
        """The name in addresses."""
        return self.member.ref if self.member else str(self.number)


def routes() -> list[Route]:
    """Return the addresses of this place."""
    doing = {"edit": _edit, "keep": _keep, "throw": _throw, "reroll": _reroll, "tick": _tick, "undo": _undo}
    return [
        Route(PEOPLE, _wall_page),
        Route(f"{PEOPLE}/print.pdf", _print),
        *(Route(f"{PEOPLE}/{name}", _form_of(do), methods=["POST"]) for name, do in doing.items()),
        Route(f"{PEOPLE}/{{who}}", _wall_page),
    ]


def warm(studio: Studio, stopping: Callable[[], bool]) -> None:
    """Make ready what the first page needs, while the browser starts: game, fonts, forms. End when it is `stopping`."""
    with suppress(SheetgenError):
        pack = studio.pack(usual_game(studio))
        anybody = Party(pack, tuple(rolled(studio, pack, Wall(pack.system.id)).values())[:1])
        for view in VIEWS:
            if stopping():
                return
            people_pdf(studio, [anybody], PeopleOptions(shape=view, paper=usual_paper(studio), workers=1))
        cast_of(studio)


# What is looked at.


def _wall_page(request: Request) -> Response:
    studio, query = studio_of(request), request.query_params
    wall = read_wall(studio, query)
    if query.get("had", wall.game) != wall.game:  # another game has other kinds and choices
        wall = Wall(wall.game, number=wall.number, seed=wall.seed)
    if query.get("roll"):
        wall = replace(wall, seed=studio.new_seed(), gone=(), away=(), stead=())
    if "had" in query and not is_partial(request):
        return RedirectResponse(wall.address(**_view(request)), 303)
    return _answer(request, wall, request.path_params.get("who") or query.get("who", ""))


def _person_shown(studio: Studio, wall: Wall, who: str, cast: KeptCast) -> PersonShown | None:
    """Return who is looked at: who is asked for, else the first on the wall; whoever is kept, as the file has them."""
    if who and not who.isdigit():
        called = cast.called(who)
        return PersonShown(called.pack, called.character, number_on(studio, wall, called.character, called.ref), called)
    if wall.find is not None:
        return next((PersonShown(each.pack, each.character, member=each) for each in found_in(cast, wall.find)), None)
    pack = studio.pack(wall.game)
    everybody = rolled(studio, pack, wall)
    left = [at for at in everybody if at not in wall.gone]
    number = int(who) if who and int(who[:6]) in everybody else next(iter(left or everybody))
    member = cast.rolled(everybody[number], wall.stands(number))
    return PersonShown(pack, member.character if member else everybody[number], number, member)


def _answer(
    request: Request, wall: Wall, who: str, *, shown: PersonShown | None = None, said: str = "", status: int = 200
) -> Response:
    """Return the page of a wall and somebody of it, or for htmx its parts; `said` is told, once."""
    studio = studio_of(request)
    cast = cast_of(studio)
    shown = shown or _person_shown(studio, wall, who, cast)
    data = _Board(request, wall, shown, cast, said).whole()
    if not is_partial(request):
        return part(request, "people", data, status=status)
    answer = part(request, "people/parts", data, status=status)
    if request.method == "POST" or "had" in request.query_params:
        answer.headers["HX-Push-Url"] = wall.address(shown.who if shown else "", **_view(request))
    return answer


def _view(request: Request) -> dict[str, str]:
    asked = request.query_params.get("as", "")
    return {"as": asked} if asked in VIEWS and asked != USUAL else {}


@dataclass(frozen=True, slots=True)
class _Board:
    """What lies on the page, as plain data for the templates."""

    request: Request
    wall: Wall
    shown: PersonShown | None
    cast: KeptCast
    said: str = ""

    @property
    def studio(self) -> Studio:
        return studio_of(self.request)

    @property
    def view(self) -> dict[str, str]:
        return _view(self.request)

    def whole(self) -> dict[str, Any]:
        """Return all of the page."""
        pack = self.studio.pack(self.wall.game)
        printing = ticked(self.studio, self.cast)
        return self.one(printing) | {
            "asked": bool(self.request.path_params.get("who") or self.request.query_params.get("who")),
            "title": self.shown.character.text("name") if self.shown else "People",
            "ask": sentence(self.studio, pack, self.wall),
            "system": {"title": (self.shown.pack if self.shown else pack).system.title},
            "cards": list(self._cards(pack, {each.key for each in printing})),
            "cast": {"size": len(self.cast.members), "problems": [str(each) for each in self.cast.problems]},
        }

    def one(self, printing: list[Ticked]) -> dict[str, Any]:
        """Return somebody with form and paper, and what stands at the foot of the page."""
        undoable = steps(home_of(self.studio))
        names = ", ".join(each.character.text("name") for each in printing)
        data: dict[str, Any] = {
            "wall": {"query": self.wall.query(**self.view), "find": self.wall.find, "as": self.view.get("as", "")},
            "undo": undoable[-1].label if undoable else "",
            "said": self.said,
            "tray": {
                "count": len(printing),
                "names": names if len(names) <= LONGEST_NAMES else f"{names[:LONGEST_NAMES]} …",
                "shapes": [
                    {"name": name, "title": VIEWS.get(name, name.capitalize())}
                    for name in SHAPES
                    if shape_named(name).filled is None
                ],
            },
            "who": None,
        }
        if self.shown is not None:
            shown = self.shown
            data["who"] = self._who(shown)
            data["form"] = person_form(self.studio, shown.pack, shown.character, shown.notes, shown.typed)
            data["paper"] = self._paper(shown)
        return data

    def card(self) -> dict[str, Any] | None:
        """Return the card of who is shown; None for somebody who is not on the wall."""
        assert self.shown is not None
        shown, ticks = self.shown, {each.key for each in ticked(self.studio, self.cast)}
        if not shown.number and self.wall.find is None:
            return None
        return card(shown.pack.system, shown.character) | self._state(shown.number, shown.member, ticks, chosen=True)

    def _who(self, shown: PersonShown) -> dict[str, Any]:
        return {
            "ref": shown.who,
            "name": shown.character.text("name") or "nobody yet",
            "kept": shown.member is not None,
            "file": shown.member.file.name if shown.member else "",
            "alone": shown.member is None or shown.member.alone,
            "bad": len(shown.notes),
            "rolled": shown.character.origin is not None,
        }

    def _cards(self, pack: Pack, ticks: set[str]) -> Iterator[dict[str, Any]]:
        """Yield the cards of the wall, or of those of the cast who were found."""
        here = self.shown.member.ref if self.shown and self.shown.member else ""
        if self.wall.find is not None:
            for member in found_in(self.cast, self.wall.find)[:MOST_LISTED]:
                state = self._state(0, member, ticks, chosen=member.ref == here)
                yield card(member.pack.system, member.character) | state | {"game": member.pack.system.title}
            return
        for at, character in rolled(self.studio, pack, self.wall).items():
            kept = self.cast.rolled(character, self.wall.stands(at))
            chosen = kept.ref == here if kept else self.shown is not None and self.shown.number == at
            state = self._state(at, kept, ticks, chosen=chosen)
            yield card(pack.system, kept.character if kept else character) | state

    def _state(self, at: int, member: CastMember | None, ticks: set[str], *, chosen: bool) -> dict[str, Any]:
        """Return where a card leads, and how it stands there; whoever was thrown back has two ways to go on."""
        wall, tick = self.wall, tick_of(self.wall.query(), at, member)
        left = tuple(each for each in wall.gone if each != at)
        return {
            "slot": str(at) if at else member.ref if member else "",
            "kept": member is not None,
            "chosen": chosen,
            "address": wall.address(member.ref if member else str(at), **self.view),
            "tick": tick,
            "ticked": tick in ticks,
            "game": "",
            "gone": at in wall.gone,
            "back": replace(wall, gone=left).address(str(at), **self.view),
            "another": replace(wall, gone=left, away=(*wall.away, at)).address(**self.view),
        }

    def _paper(self, shown: PersonShown) -> dict[str, Any]:
        view, studio, wall = self.view.get("as", USUAL), self.studio, self.wall
        everybody = [shown.character]
        if shape_named(view).listing and wall.find is not None:
            of_game = [each for each in found_in(self.cast, wall.find) if each.pack is shown.pack]
            everybody = [each.character for each in of_game] or everybody
        elif shape_named(view).listing and shown.pack is studio.pack(wall.game):
            people = {at: each for at, each in rolled(studio, shown.pack, wall).items() if at not in wall.gone}
            kept = {at: self.cast.rolled(each, wall.stands(at)) for at, each in people.items()}
            everybody = [each.character if (each := kept[at]) else people[at] for at in people] or everybody
        return paper_of(studio, shown.pack, everybody, view, wall.address(shown.who))


# What is done.


def _form_of(do: Any) -> Any:
    """Return the endpoint of a form: read here, then done in a thread of its own, as everything that waits is."""

    async def endpoint(request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        form = await request.form(max_files=0, max_fields=600)
        result: Response = await run_in_threadpool(do, request, form)
        return result

    return endpoint


def _form_text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def _after_change(request: Request, wall: Wall, who: str, said: str) -> Response:
    """Return the page after something was done: for htmx its parts, else the way to it."""
    if is_partial(request):
        return _answer(request, wall, who, said=said)
    return RedirectResponse(wall.address(who, **_view(request)), 303)


def _begin(request: Request, form: FormData) -> tuple[Studio, Wall, PersonShown]:
    """Return the wall that a form stands beside, and whom it is about; UsageError where nobody is."""
    studio = studio_of(request)
    wall = read_wall(studio, request.query_params)
    shown = _person_shown(studio, wall, _form_text(form, "who"), cast_of(studio))
    if shown is None:
        raise UsageError("there is nobody to do that to")
    return studio, wall, shown


def _keep(request: Request, form: FormData) -> Response:
    studio, wall, shown = _begin(request, form)
    if shown.member is not None:
        return _after_change(request, wall, shown.who, "")
    member = cast_folder.keep(studio, shown.pack, shown.character)
    return _after_change(request, wall, member.ref, f"kept {member.name} in {member.file.name}")


def _throw(request: Request, form: FormData) -> Response:
    """Throw somebody back: out of the cast, and struck out on the wall."""
    studio, wall, shown = _begin(request, form)
    name = shown.character.text("name")
    if shown.member is not None:
        cast_folder.throw_back(studio, shown.member)
        return _after_change(request, wall, str(shown.number or ""), f"threw {name} back")
    wall = replace(wall, gone=tuple(sorted({*wall.gone, shown.number})))
    people = [at for at in wall.shown if at not in wall.gone]
    following = next((at for at in people if at > shown.number), people[-1] if people else shown.number)
    return _after_change(request, wall, str(following), f"threw {name} back")


def _reroll(request: Request, form: FormData) -> Response:
    """Roll a part of somebody again, who is kept by that; all of somebody in pencil makes room for another."""
    (studio, wall, shown), wanted = _begin(request, form), _form_text(form, "part") or EVERYTHING
    if wanted == EVERYTHING and shown.member is None and not is_group(shown.pack.system, wall.kind):
        following = replace(wall, away=tuple(sorted({*wall.away, shown.number})))
        return _after_change(request, following, str(following.shown[-1]), "rolled another")
    member = shown.member or cast_folder.keep(studio, shown.pack, shown.character)
    seed = studio.new_seed()

    def again(character: Character) -> Character:
        with studio.making:
            return reroll(Party(shown.pack, (character,)), Reroll((wanted,), seed))[0]

    said = f"rolled {wanted} of {member.name} again"
    made = cast_folder.change_member(studio, member, again, name=said)
    if wanted == EVERYTHING and made.name != member.name:
        said = f"{made.name} came in place of {member.name}, and has the file {made.file.name}, whose name stays"
        wall = wall.given(shown.number, made.ref)
    return _after_change(request, wall, made.ref, said)


def _undo(request: Request, form: FormData) -> Response:
    studio = studio_of(request)
    wall, who = read_wall(studio, request.query_params), _form_text(form, "who")
    step = undo_last(home_of(studio))
    try:
        _person_shown(studio, wall, who, cast_of(studio))
    except SheetgenError:  # who was looked at is not there any more
        who = ""
    return _after_change(request, wall, who, f"undone: {step.label}" if step else "there is nothing to undo")


def _edit(request: Request, form: FormData) -> Response:
    """Save what is legal of a form in the file of somebody, who is kept by that, and tell what is not."""
    studio, wall, shown = _begin(request, form)
    was = _was(form)
    given = _controls(form)
    changed = {key: text for key, text in given.items() if text != was.get(key, "")}
    member, notes = shown.member, dict[str, ControlNote]()
    if changed:
        kept = member or cast_folder.keep(studio, shown.pack, shown.character)

        def change(current: Character) -> Character:
            standing = texts_of(shown.pack.system, current)
            clash = {key for key in changed if standing.get(key, "") not in (was.get(key, ""), changed[key])}
            notes.update((key, _theirs(standing.get(key, ""), changed[key])) for key in clash)
            made = edit(shown.pack, current, {key: text for key, text in changed.items() if key not in clash})
            notes.update(made.notes)
            return made.character

        member = cast_folder.change_member(studio, kept, change, name=f"changed {kept.name}")
    character = member.character if member else shown.character
    typed = {key: text for key, text in changed.items() if key in notes}
    now = PersonShown(shown.pack, character, shown.number, member, notes, typed)
    said = "" if shown.member or not member else f"kept {member.name} in {member.file.name}"
    if not is_partial(request):
        if notes:
            return _answer(request, wall, now.who, shown=now, status=422)
        return RedirectResponse(wall.address(now.who, **_view(request)), 303)
    whole = bool(_form_text(form, "set")) or _added(form, now)
    told = set(map(str, form.getlist("noted")))  # their notes go when the old text is back
    return _saved(request, wall, now, changed.keys() | told, whole=whole, said=said)


def _was(form: FormData) -> dict[str, str]:
    try:
        found = json.loads(_form_text(form, "was"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise UsageError("the form was sent without what it showed: reload the page")
    return {str(key): str(text) for key, text in found.items()}


def _added(form: FormData, now: PersonShown) -> bool:
    """Return whether there is a row more, or less, than the form shows."""
    rows = {name[2:] for name in form if name.startswith("f.")}
    standing = texts_of(now.pack.system, now.character)
    return any(key not in rows for key in standing)


def _controls(form: FormData) -> dict[str, str]:
    """Return the text of each control of a form, by key; the button that was pressed has the last word."""
    found = {name[2:]: _form_text(form, name).strip() for name in form if name.startswith("f.")}
    for name in form:
        if name.startswith("n."):  # the name of a row, whose level stands under its key
            level, called = found.get(name[2:], ""), _form_text(form, name).strip()
            found[name[2:]] = f"{level}{BETWEEN}{called}" if level or called else ""
        if name.startswith("add.") and (trait := _form_text(form, name)):
            found[f"{name[4:]}.{trait}"] = _form_text(form, f"level.{name[4:]}").strip() or "1"
    pressed, is_set, text = _form_text(form, "set").partition("=")
    return found | {pressed: text} if is_set else found


def _theirs(theirs: str, mine: str) -> ControlNote:
    """Return the note on a control that was changed here and elsewhere."""
    remedies = ((f"Keep {theirs or 'it empty'}", theirs), (f"Make it {mine or 'empty'}", mine))
    return ControlNote((f"This was changed outside, to “{theirs}”.",), remedies=remedies, keeps=theirs)


def _saved(request: Request, wall: Wall, shown: PersonShown, touched: set[str], *, whole: bool, said: str) -> Response:
    """Return what an edit changes on the page, and nothing that somebody is typing in."""
    cast = cast_of(studio_of(request))
    board = _Board(request, wall, shown, cast, said)
    data = board.one(ticked(studio_of(request), cast))
    form = data["form"]
    data |= {
        "card": board.card(),
        "whole": whole,
        "touched": [each for each in all_controls(form) if each["key"] in touched],
    }
    answer = part(request, "people/saved", data)
    answer.headers["HX-Replace-Url"] = wall.address(shown.who, **board.view)
    return answer


def _tick(request: Request, form: FormData) -> Response:
    """Tick somebody to be printed, or no longer; or clear the tray."""
    studio = studio_of(request)
    wall, who = read_wall(studio, request.query_params), _form_text(form, "who")
    if _form_text(form, "clear"):
        untick_all(studio)
    elif tick := _form_text(form, "tick"):
        turn_tick(studio, cast_of(studio), tick)
    return _after_change(request, wall, who, "")


def _print(request: Request) -> Response:
    """Return whom the tray holds as one PDF, in the shape that is asked for."""
    studio = studio_of(request)
    people = ticked(studio, cast_of(studio))
    if not people:
        raise UsageError("nobody is ticked to be printed")
    view = request.query_params.get("as", USUAL)
    if view not in SHAPES or shape_named(view).filled is not None:
        raise UsageError(f"people are not printed as {quoted(view)}")
    options = PeopleOptions(shape=view, paper=usual_paper(studio), workers=1)
    data = people_pdf(studio, parties_of(people), options)
    named = {"Content-Disposition": f'inline; filename="people-{view}.pdf"'}
    return Response(data, media_type="application/pdf", headers=named)
