"""News of files: what the command line or an editor changes in the folder reaches every open page as a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from threading import Lock

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sheetgen.errors import SheetgenError
from sheetgen.studio.studio import studio_of
from sheetgen.workspace.safekeeping import read_kept
from sheetgen.workspace.watching import States, states

EVENTS = "/events"
SESSION_FILES = ("sessions/*.y*ml", "sessions/*/session.yaml")
WATCHED = ("*.y*ml", "cast/*.y*ml", *SESSION_FILES, "groups/*.y*ml", "handouts/*")
MOST_FILES, MOST_TOLD = 2_000, 50
MOST_STREAMS = 4  # browsers open six connections to a host, and pages need some of them
LOOK = "event: look\ndata: all\n\n"  # what a page shows may be otherwise now
BEAT = 0.25  # seconds between looks whether the stream is to end
LOOKED = 4  # beats between looks at the files
ALIVE = 60  # beats between signs of life, without which nobody notices that a page is gone


@dataclass(slots=True)
class News:
    """Where the files of a folder are looked at for the streams of pages, and how many of these there are."""

    folder: Path
    streams: int = 0
    _turn: Lock = field(default_factory=Lock)

    def states(self) -> States:
        """Return time and size of each file that pages show, at most so many."""
        paths = islice((path for pattern in WATCHED for path in sorted(self.folder.glob(pattern))), MOST_FILES)
        return states(path for path in paths if not path.name.startswith(".") and path.is_file())

    def changed(self, before: States, now: States) -> dict[str, str] | None:
        """Return the files that differ, each with the digest of what it says now; empty for one that is gone.

        None for more than are told one by one: every page is to look itself.
        """
        names = sorted({Path(file).relative_to(self.folder).as_posix() for file, _, _ in before ^ now})
        return {name: self._digest(name) for name in names} if len(names) <= MOST_TOLD else None

    def _digest(self, name: str) -> str:
        with suppress(OSError, SheetgenError):
            return read_kept(self.folder / name).seen if (self.folder / name).is_file() else ""
        return ""

    def count(self, more: int) -> None:
        """Note that a page listens (1), or no longer (-1)."""
        with self._turn:
            self.streams += more


def routes() -> list[Route]:
    """Return the address of this place."""
    return [Route(EVENTS, _events)]


async def _events(request: Request) -> Response:
    """Return the stream of a page; 204, after which browsers ask no more, for one too many."""
    state = request.app.state
    if not hasattr(state, "news"):
        state.news = News(studio_of(request).folder)
    news: News = state.news
    if news.streams >= MOST_STREAMS:
        return Response(status_code=204)
    stopping: Callable[[], bool] = getattr(state, "stopping", lambda: False)
    return StreamingResponse(_told(news, stopping), media_type="text/event-stream")


async def _told(news: News, stopping: Callable[[], bool]) -> AsyncIterator[str]:
    """Yield what changes until the page is gone, or the server stops."""
    news.count(1)
    try:
        known = await run_in_threadpool(news.states)
        yield f"retry: 3000\n{LOOK}"  # for what changed before anybody listened
        beat = 0
        while not stopping():
            await asyncio.sleep(BEAT)
            beat += 1
            if beat % LOOKED == 0:
                now = await run_in_threadpool(news.states)
                if now != known:
                    files = await run_in_threadpool(news.changed, known, now)
                    known = now
                    yield LOOK if files is None else f"event: changed\ndata: {json.dumps(files)}\n\n"
            if beat % ALIVE == 0:
                yield ": still here\n\n"
    finally:
        news.count(-1)
