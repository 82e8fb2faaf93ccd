"""The cache of pages: the same result from it as without it, and nothing in it that could be out of date."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sheetgen.pdf.flow import layout
from sheetgen.products import page_cache
from sheetgen.products.handouts.handouts import pack_files, printed_handouts
from sheetgen.products.handouts.layout import HandoutsOptions
from sheetgen.products.page_cache import heights_of, overfull_parts, pdf_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at

PAGE = """<!DOCTYPE html><html lang="en"><head><title>fog</title><style>@page { size: 60mm }
#a { height: 9mm }</style></head><body>
<div id="a" data-part="fog" data-name="fog"><p>Fog.</p><p>More fog.</p><p>Still more of it.</p></div></body></html>"""
FETCHING = ('<img src="a.svg">', '<p style="background: url(a.svg)">', "<style>@import 'a.css'</style>")


@pytest.fixture
def fresh(tmp_path: Path) -> tuple[Project, Pack]:
    """A project whose cache is empty, and a pack of ours."""
    project = project_at(tmp_path, {"SHEETGEN_CACHE": str(tmp_path / "cache")})
    return project, open_pack(project, "tsgs")


def pages(project: Project) -> list[Path]:
    """What the cache holds of pages."""
    return sorted((project.cache / "pages").iterdir()) if (project.cache / "pages").is_dir() else []


MAKERS: tuple[Callable[..., object], ...] = (heights_of, overfull_parts)


@pytest.mark.parametrize("make", MAKERS)
def test_what_comes_out_of_the_cache_is_what_went_in(fresh: tuple[Project, Pack], make: Callable[..., object]) -> None:
    made = make(*fresh, PAGE, name="fog")
    assert len(pages(fresh[0])) == 1
    assert make(*fresh, PAGE, name="fog") == made
    assert make(*fresh, PAGE.replace("9mm", "8mm"), name="fog") is not None
    assert len(pages(fresh[0])) == 2, "another page is another file"


def test_a_pdf_comes_out_of_the_cache_and_a_damaged_one_is_made_anew(fresh: tuple[Project, Pack]) -> None:
    made = pdf_of(*fresh, PAGE, name="fog")
    (cached,) = pages(fresh[0])
    assert cached.read_bytes() == made
    cached.write_bytes(b"half a f")
    assert pdf_of(*fresh, PAGE, name="fog") == made == cached.read_bytes()


@pytest.mark.parametrize("link", FETCHING)
def test_a_page_that_fetches_files_is_not_cached(
    fresh: tuple[Project, Pack], link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, pack = fresh
    folder = project.where / "templates"
    folder.mkdir()
    (folder / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    (folder / "a.css").write_text("p { color: red }")
    monkeypatch.setattr(page_cache, "template_root", lambda project, pack: folder)
    assert heights_of(project, pack, PAGE.replace("<body>", f"<body>{link}"), name="fog")
    assert pages(project) == []


def test_a_page_that_carries_its_pictures_fetches_nothing(fresh: tuple[Project, Pack]) -> None:
    """Every handout has a dot of a fine pattern in its style."""
    dot = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/%3E"
    assert heights_of(*fresh, PAGE.replace("#a {", f'#a {{ background: url("{dot}");'), name="fog")
    assert len(pages(fresh[0])) == 1


def test_a_handout_of_ours_is_set_once_and_the_same_ever_after(
    fresh: tuple[Project, Pack], monkeypatch: pytest.MonkeyPatch
) -> None:
    project, pack = fresh
    file = next(file for file in pack_files(project, pack) if file.suffix == ".md")
    (made,) = printed_handouts(project, pack, [file], HandoutsOptions())
    assert pages(project)
    monkeypatch.setattr(layout, "_render", None)
    assert list(printed_handouts(project, pack, [file], HandoutsOptions())) == [made]


def test_pages_of_a_strangers_pack_are_not_cached(fresh: tuple[Project, Pack]) -> None:
    project, pack = fresh
    assert heights_of(project, replace(pack, ours=False), PAGE, name="fog")
    assert pages(project) == []


def test_the_cache_forgets_what_is_oldest(fresh: tuple[Project, Pack], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "MOST_CACHED", 2)
    for height in (7, 8, 9):
        heights_of(*fresh, PAGE.replace("9mm", f"{height}mm"), name="fog")
    assert len(pages(fresh[0])) == 2
