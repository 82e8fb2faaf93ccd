"""The rulebooks that come with sheetgen, each opened once for all tests that read it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from sheetgen.products.chapters import Rulebook, open_book
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import project_at


@pytest.fixture(scope="session")
def book_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Pack, Rulebook]]:
    """The pack of a system with its rulebook: `pack, rulebook = book_of("gamers")`."""
    project = project_at(tmp_path_factory.mktemp("books"), {})

    @cache
    def opened(system: str) -> tuple[Pack, Rulebook]:
        pack = open_pack(project, system)
        return pack, open_book(project, pack)

    return opened
