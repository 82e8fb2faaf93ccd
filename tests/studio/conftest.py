"""A studio opened in an empty folder, with a browser that was let in, and strangers that were not."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from sheetgen.studio.safety import Guard, OneTimeToken
from sheetgen.studio.server import make_app
from sheetgen.studio.studio import Studio

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

    def __post_init__(self) -> None:
        self.browser = self.stranger()
        self.browser.cookies.set("sheetgen-studio-8000", self.studio.secret)

    def stranger(self) -> TestClient:
        """A browser without the cookie, whose requests come from the page itself."""
        return TestClient(self.app, base_url=HERE, headers={"origin": HERE})


PACKS: dict[Path, Any] = {}  # opened once for all tests, as one studio would


def open_studio(folder: Path) -> Opened:
    """Open a folder; seeds come one after another."""
    seeds, told = count(100), list[str]()
    studio = Studio(folder, dict(os.environ), "the secret of this run", lambda: NOW, lambda: next(seeds), _packs=PACKS)
    token = OneTimeToken(told.append)
    return Opened(folder, studio, make_app(studio, token), token, told)


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    """The studio of an empty folder."""
    return open_studio(tmp_path)
