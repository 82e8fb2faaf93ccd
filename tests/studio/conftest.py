"""A studio opened in an empty folder, with a browser that was let in, and strangers that were not."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from sheetgen.studio.assets import web_folder
from sheetgen.studio.drawing import Drawings
from sheetgen.studio.server import Guard, OneTimeToken, make_app
from sheetgen.studio.studio import Studio
from sheetgen.workspace.packs import OpenedPacks

HERE = "http://127.0.0.1:8000"
NOW = datetime(2026, 11, 21, 20, 15)


@dataclass
class Opened:
    """The studio of a folder: `browser` has its cookie, `told` are the addresses that it told of since."""

    folder: Path
    studio: Studio
    app: Guard
    token: OneTimeToken
    told: list[str]
    browser: TestClient = field(init=False)
    drawings: Drawings = field(init=False)

    def __post_init__(self) -> None:
        self.drawings = self.app.app.state.drawings  # type: ignore[attr-defined]
        self.browser = self.stranger()
        self.browser.cookies.set("sheetgen-studio-8000", self.studio.secret)

    def stranger(self) -> TestClient:
        """A browser without the cookie, whose requests come from the page itself."""
        return TestClient(self.app, base_url=HERE, headers={"origin": HERE})


PACKS = OpenedPacks()  # opened once for all tests, as one studio would


def open_studio(folder: Path) -> Opened:
    """Open a folder; seeds come one after another."""
    seeds, told = count(100), list[str]()
    studio = Studio(folder, dict(os.environ), "the secret of this run", lambda: NOW, lambda: next(seeds), _packs=PACKS)
    token = OneTimeToken(told.append)
    return Opened(folder, studio, make_app(studio, token), token, told)


@pytest.fixture(scope="module")
def drawings() -> Iterator[Drawings]:
    """The processes that draw, warm for all tests."""
    shared = Drawings()
    yield shared
    shared.processes.end()


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    """The studio of an empty folder."""
    return open_studio(tmp_path)


PATIENCE_S = 90  # that something takes on a machine with much else to do

AXE = web_folder() / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")
ENDED = ("htmx:afterRequest", "htmx:sendAbort")  # what htmx says of a request that a newer one took the place of


@pytest.fixture(autouse=True)
def closing_windows(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close what a test opened in the browser: windows that are left go on asking and listening."""
    yield
    for context in request.getfixturevalue("browser").contexts if "browser" in request.fixturenames else ():
        context.close()


@contextmanager
def serving(opened: Opened) -> Iterator[str]:
    """A studio served on a free port: its address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(opened.app, log_level="warning", lifespan="off", ws="none"))
        opened.app.app.state.stopping = lambda: server.should_exit  # type: ignore[attr-defined]  # as `serve` has it
        thread = threading.Thread(target=lambda: server.run(sockets=[listening]))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            opened.drawings.processes.end()  # its own, not those that several tests share
            opened.app.app.state.fights.processes.end()  # type: ignore[attr-defined]


def letting_in(browser: Any, opened: Opened, base: str, **context: Any) -> Any:
    """A page of a browser that has the cookie; what the browser complains of is in `page.wrong`."""
    made = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **context})
    port = base.rpartition(":")[2]
    made.add_cookies([{"name": f"sheetgen-studio-{port}", "value": opened.studio.secret, "url": base}])
    made.set_default_timeout(1000 * PATIENCE_S)
    page = made.new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda said: page.wrong.append(said.text) if _is_wrong(said) else None)
    return page


def _is_wrong(said: Any) -> bool:
    return said.type == "error" and not said.text.startswith(ENDED)


def axe_findings(page: Any) -> list[str]:
    """What axe finds serious on a page."""
    if not AXE.is_file():
        pytest.skip("needs axe-core: ./run test fetches it")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{each['id']}: {node['target']} {node['failureSummary'][:200]}"
        for each in found["violations"]
        if each["impact"] in GRAVE
        for node in each["nodes"]
    ]


ON_ITS_WAY = ".htmx-request:not(.count), .htmx-swapping, .htmx-settling, .htmx-added"
SETTLED = f"!document.querySelector('{ON_ITS_WAY}')"


def eventually(page: Any, true: Any, *, settled: bool = True) -> None:
    """Wait until an expression, or a function of ours, is true, and what was asked for stands on the page.

    What only a file is to say need not be `settled`: pages are drawn long after it was written.
    """
    end = monotonic() + PATIENCE_S
    while not ((asked(page, true) if isinstance(true, str) else true()) and (not settled or asked(page, SETTLED))):
        if monotonic() > end:
            awaited = page.locator(ON_ITS_WAY).evaluate_all("all => all.map(e => e.outerHTML.slice(0, 200))")
            raise AssertionError(f"it never came true; on its way: {awaited}; the page says: {page.inner_text('body')}")
        page.wait_for_timeout(50)


def asked(page: Any, true: str) -> bool:
    """Whether an expression is true on the page; not while it makes way for another."""
    from playwright.sync_api import Error

    try:
        return bool(page.evaluate(true))
    except Error as error:
        if "context was destroyed" not in error.message:
            raise
        return False
