"""The rulebooks that come with sheetgen, each opened once for all tests that read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from typing import Any

import pytest

from sheetgen.pdf.flow import layout
from sheetgen.products.books.book import bound_sheets, places_behind
from sheetgen.products.books.bound_handouts import bound_handouts, room_for_handouts
from sheetgen.products.books.setting import book_html
from sheetgen.products.chapters import Rulebook, open_book
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.workspace.packs import Pack, open_pack, template_root
from sheetgen.workspace.project import project_at


@pytest.fixture(scope="session")
def book_of(tmp_path_factory: pytest.TempPathFactory, world: dict[str, str]) -> Callable[[str], tuple[Pack, Rulebook]]:
    """The pack of a system with its rulebook: `pack, rulebook = book_of("gamers")`."""
    project = project_at(tmp_path_factory.mktemp("books"), world)

    @cache
    def opened(system: str) -> tuple[Pack, Rulebook]:
        pack = open_pack(project, system)
        return pack, open_book(project, pack)

    return opened


@dataclass(frozen=True)
class LaidOut:
    """A rulebook as it is printed: its HTML, its pages as boxes, its PDF."""

    html: str
    document: Any

    @property
    def pages(self) -> list[Any]:
        return [page._page_box for page in self.document.pages]

    @cached_property
    def pdf(self) -> bytes:
        return layout.to_pdf(self.document, [], name="rulebook")


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory, world: dict[str, str]) -> Iterator[Callable[..., LaidOut]]:
    """The rulebook of a system on A5 or another paper as it is printed, once for all tests in a row that measure it.

    One is kept at a time, and none behind the last: the pages of a book are a gigabyte, which slows every look for
    garbage and every process that is started.
    """
    project = project_at(tmp_path_factory.mktemp("pages"), world)

    @lru_cache(maxsize=1)
    def made(system: str, paper: str = "a5") -> LaidOut:
        pack = open_pack(project, system)
        sheets = partial(bound_sheets, project, pack, paper)
        handouts = partial(bound_handouts, project, pack, paper, room_for_handouts(paper))
        html = book_html(
            project, pack, paper, "print", behind=partial(places_behind, sheets, handouts, room_for_handouts(paper))
        )
        use_bundled_fonts(project)
        with layout.collect_problems(system) as problems:
            document = layout.lay_out(html, problems, root=template_root(project, pack), name=system)
        return LaidOut(html, document)

    yield made
    made.cache_clear()
