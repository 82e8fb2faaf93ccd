"""Fights of a scene weighed: two sides coarsely, then finer; and who would make an easy, an even, a hard fight."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from sheetgen.batch.warm import Tell, WarmProcesses
from sheetgen.errors import SheetgenError, UsageError
from sheetgen.model.wording import hundredths, in_per_cent
from sheetgen.products.session.parts import OpenSession, SessionOptions
from sheetgen.products.session.session import open_session
from sheetgen.studio.evenings import ReadEvening
from sheetgen.studio.pages import awaited, is_partial, part
from sheetgen.studio.studio import Studio
from sheetgen.studio.tonight.edits import check_sides
from sheetgen.studio.tonight.paper import opened_evening
from sheetgen.table.encounter import (
    WANTED,
    EncounterTally,
    Troop,
    encounter,
    give_or_take,
    proposals,
    troop_of,
    troop_present,
)
from sheetgen.workspace.project import Project, project_at

HERE = "here"  # stands for the people of the scene
COUNTS = (60, 300, 1500)  # fights: told at once, then more exactly
LONG_S = 4.0  # seconds after which more of them would keep one waiting, at five times as many
PROPOSED = 120  # fights of each that is proposed
SO_FAR = "/so-far"  # behind the address of what is asked for
NOBODY = "Say who meets them: 3 guards, a group, a file of people."


def routes_of_fights(place: str) -> list[Route]:
    """Return the addresses of fights of an evening."""
    return [
        Route(f"{place}/{{ref}}/{{scene:int}}/odds", awaited(_odds)),
        Route(f"{place}/{{ref}}/{{scene:int}}/proposals", awaited(_proposals)),
        Route(f"{place}/{{ref}}/{{scene:int}}/{{asked:str}}{SO_FAR}", _so_far),
    ]


@dataclass(frozen=True)
class Fights:
    """The process that lets them fight, which ends at once when nobody waits, and how far it is, by who asked."""

    processes: WarmProcesses = field(
        default_factory=lambda: WarmProcesses(answer, processes=1, imports=(__name__,), grace_s=0)
    )
    so_far: dict[str, str] = field(default_factory=dict)


def _fights(request: Request) -> Fights:
    return cast(Fights, request.app.state.fights)


def _so_far(request: Request) -> Response:
    """How far the fights are that an address asks for, which is this one without its end; nothing before they begin."""
    asked = str(request.url.path).removesuffix(SO_FAR)
    return PlainTextResponse(_fights(request).so_far.get(f"{asked}?{request.url.query}", ""))


def _troop(project: Project, opened: OpenSession, scene: int, word: str) -> Troop:
    """Return the side that a word means in a scene, from 1; UsageError for nobody."""
    if word != HERE:
        return troop_of(project, opened.pack, word, opened.session.seed)
    there = opened.evening.scenes[scene - 1] if scene <= len(opened.evening.scenes) else ()
    if not there:
        raise UsageError("nobody is in this scene yet: pull somebody in")
    return troop_present("those here", [each.character for each in there])


def _odds(request: Request, unwanted: Event) -> Response:
    """Two sides fought out: a few times at once, then the page asks for more, until it is exact enough.

    More of them, which take a while, are fought in a process of its own: saving and drawing do not wait for it.
    """
    query = request.query_params
    first, second = query.get("first", "").strip(), query.get("second", "").strip() or HERE
    asked = query.get("n", "")
    count = next((each for each in COUNTS if str(each) == asked), COUNTS[0])
    address = f"{request.url.path}"
    data: dict[str, Any] = {"first": first, "second": second, "address": address, "problem": "", "more": 0}
    if not first:
        return _answered(request, "tonight_odds", data | {"problem": NOBODY})
    begun = monotonic()
    try:
        if count > COUNTS[0]:
            asked_more = {"first": first, "second": second, "count": count, "policy": query.get("policy", "")}
            told = _asked_aside(request, asked_more, unwanted)
        else:
            told = _few(request, (first, second), query.get("policy", ""))
    except SheetgenError as error:
        return _answered(request, "tonight_odds", data | {"problem": str(error).splitlines()[0]})
    following = next((each for each in COUNTS if each > count and monotonic() - begun < LONG_S), 0)
    return _answered(request, "tonight_odds", data | told | {"more": following})


def _few(request: Request, sides: tuple[str, str], policy: str) -> dict[str, Any]:
    """Return what a few fights tell, fought out here and now."""
    studio, _, opened = _fighting(request, *sides)
    with studio.making:
        return _fought(studio.project, opened, request.path_params["scene"], sides, count=COUNTS[0], policy=policy)


def _fought(project: Project, opened: OpenSession, scene: int, sides: tuple[str, str], **how: Any) -> dict[str, Any]:
    troops = _troop(project, opened, scene, sides[0]), _troop(project, opened, scene, sides[1])
    return _tallied(encounter(project, opened.pack, troops, given={}, seed=opened.session.seed, **how))


def _fighting(request: Request, *sides: str) -> tuple[Studio, ReadEvening, OpenSession]:
    """Return the evening that fights are of; UsageError for a game that has none, and for sides of files elsewhere."""
    studio, evening, opened = opened_evening(request)
    if opened.pack.system.encounter is None:
        raise UsageError(f"{opened.pack.system.title} does not say how several fight")
    check_sides(studio.folder, *sides)
    return studio, evening, opened


def _asked_aside(request: Request, asked: Mapping[str, Any], unwanted: Event) -> dict[str, Any]:
    """Return what the process answers that lets them fight; Outdated when nobody waits for it any more."""
    studio, evening, _ = _fighting(request, asked["first"], asked.get("second", HERE))
    around = {"where": str(studio.project.where), "environ": dict(studio.environ), "file": evening.file.file}
    question = json.dumps({**around, "scene": request.path_params["scene"], **asked}).encode()
    fights, who, last = _fights(request), f"{request.url.path}?{request.url.query}", ""

    def tell(so_far: bytes) -> None:
        nonlocal last
        fights.so_far[who] = last = so_far.decode()

    try:
        told: dict[str, Any] = json.loads(fights.processes.ask(question, unwanted, tell))
    except EOFError:
        raise UsageError("the process that lets them fight has died: try again") from None
    finally:
        if fights.so_far.get(who) == last:  # another window may ask the same
            fights.so_far.pop(who, None)
    return told | {"seen": evening.seen}


def _answered(request: Request, template: str, data: dict[str, Any]) -> Response:
    """Return an answer beside the scene, or without script as a page that leads back to it."""
    if is_partial(request):
        return part(request, template, data)
    scene = {"title": "If it comes to blows", "back": request.url.path.rpartition("/")[0]}
    return part(request, "tonight_answer", data | scene | {"answer": f"studio/{template}.html"})


def _tallied(tally: EncounterTally) -> dict[str, Any]:
    """Return what a page tells of fights: shares in per cent, their error, lengths, and who falls how often."""
    first, second, _ = tally.shares
    parts = in_per_cent(tally.shares)
    half = tally.lengths[len(tally.lengths) // 2] if tally.lengths else 0
    return {
        "names": tally.names,
        "wins": parts[:2],
        "bar": {"first": round(1000 * first), "second_at": round(1000 * (1 - second)), "second": round(1000 * second)},
        "draws": parts[2],
        "error": max(1, round(100 * give_or_take(first, tally.count))),
        "count": f"{tally.count:,}",
        "unhurt": how_often(tally.unhurt),
        "half": half,
        "say": tally.say,
        "lines": [
            {"label": line.label, "count": line.count, "fallen": round(line.fallen, 1), "side": line.side}
            for line in tally.lines
        ],
    }


def how_often(share: float) -> str:
    """Return a share in words; what happened once is not told as never, nor what failed once as always."""
    if share in (0, 1):
        return "always" if share else "never"
    if 0.005 <= share < 0.995:
        return f"in {max(1, hundredths(share))} %"
    return "in less than 1 %" if share < 0.5 else "in more than 99 %"


# Who would make it easy, even, hard.


def _proposals(request: Request, unwanted: Event) -> Response:
    """Return whom to let them meet, worked out in a process of its own, which ends when nobody waits any more."""
    query = request.query_params
    first, wanted = query.get("first", "").strip(), query.get("wanted", "")
    wanted = wanted if wanted in WANTED else "even"
    data: dict[str, Any] = {"first": first, "wanted": wanted, "found": [], "problem": ""}
    if not first:
        return _answered(request, "tonight_proposals", data | {"problem": NOBODY})
    try:
        data |= _asked_aside(request, {"first": first, "kind": query.get("of", ""), "wanted": wanted}, unwanted)
    except SheetgenError as error:
        data["problem"] = str(error).splitlines()[0]
    return _answered(request, "tonight_proposals", data | {"address_here": request.url.path.rpartition("/")[0]})


def answer(request: bytes, tell: Tell) -> bytes:
    """Return the proposals, or the fights, that a request asks for, as JSON, or the problem there is instead.

    `tell` hears in a few words how far they are.
    """
    asked = json.loads(request)
    try:
        project = project_at(Path(asked["where"]), asked["environ"])
        opened = open_session(project, asked["file"], SessionOptions())
        if "count" in asked:
            sides = asked["first"], asked["second"]
            of = asked["count"]
            how: dict[str, Any] = {"count": of, "policy": asked["policy"]}
            how["progress"] = lambda done: tell(f"{done:,} of {of:,} fights".encode())
            return json.dumps(_fought(project, opened, asked["scene"], sides, **how)).encode()
        first = _troop(project, opened, asked["scene"], asked["first"])
        how = {"wanted": asked["wanted"], "given": {}, "count": PROPOSED, "seed": opened.session.seed}
        how["progress"] = lambda done, of: tell(f"{done} of {of} weighed".encode())
        found = proposals(project, opened.pack, first, asked["kind"], **how)
    except SheetgenError as error:
        return json.dumps({"problem": str(error).splitlines()[0]}).encode()
    rows = []
    for each in found:
        fallen = sum(line.fallen for line in each.tally.lines if line.side == 0)
        wins, margin = each.tally.shares[0], give_or_take(each.tally.shares[0], each.tally.count)
        about = {"words": each.words, "wins": hundredths(wins), "error": max(1, round(100 * margin))}
        rows.append({**about, "fallen": f"{fallen:.1f}", "size": first.size, "name": first.name})
    return json.dumps({"found": rows}).encode()
