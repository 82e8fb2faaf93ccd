"""Answers that take a while: worked out in a thread, given up when the browser no longer waits or the studio stops."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from threading import Event

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from sheetgen.batch.warm import Outdated

_BEAT = 0.08  # seconds between looks whether the browser is still there
GIVEN_UP = 499  # nobody is left to hear it

Answer = Callable[[Request, Event], Response]


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
