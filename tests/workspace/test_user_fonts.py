"""Print runs with added fonts: the same file whoever composes it, whole or in shards."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sheetgen.batch.pool import Series, series_of
from sheetgen.errors import InputError
from sheetgen.model.character import Character
from sheetgen.pdf.fonts import shaping
from sheetgen.pdf.fonts.face import AddedFont
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.batch_pdf import sharded, write_people_pdf
from sheetgen.products.finished.merge import MergeOptions, Shards, merge
from sheetgen.products.product import Reporter, Sink
from sheetgen.products.shapes import PrintOptions
from sheetgen.workspace.foreign_files import read_fonts
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write

COUNT = 230


@pytest.fixture(name="pack")
def gamers_pack(project: Project) -> Pack:
    return open_pack(project, "gamers")


@pytest.fixture
def fonts(project: Project, small_font: Callable[..., bytes]) -> tuple[AddedFont, ...]:
    for name, characters in (("chinese.ttf", "山田太郎"), ("all.ttf", None)):
        (project.where / name).write_bytes(small_font(characters) if characters else small_font())
    return read_fonts(project, [project.where / "chinese.ttf", project.where / "all.ttf"])


@pytest.fixture
def people(pack: Pack) -> Series[Character]:
    """Every third has a name that needs an added font, no two the same."""
    found = list(roll(pack, RollOptions(seed=7, count=COUNT)))
    for at in range(0, COUNT, 3):
        name = "山田太郎"[at % 4] + ("بلا"[at % 3] * (1 + at % 7) if at % 2 else "田" * (at % 9))
        found[at] = replace(found[at], values={**found[at].values, "name": name})
    return series_of(found)


def printed(
    project: Project, pack: Pack, people: Series[Character], fonts: tuple[AddedFont, ...], *, workers: int = 1
) -> bytes:
    pieces: list[bytes] = []
    report = write_people_pdf(project, pack, people, pieces.append, PrintOptions(workers=workers, fonts=fonts))
    assert report.skipped == []
    return b"".join(pieces)


def merged_into(project: Project, paths: list[Path], write: Write, fonts: Sequence[AddedFont] = ()) -> None:
    merge(project, Shards(tuple(paths), tuple(fonts)), MergeOptions(), Sink(".pdf", write, Reporter()))


def in_shards(project: Project, pack: Pack, people: Series[Character], fonts: tuple[AddedFont, ...]) -> list[Path]:
    files = []
    for number in (1, 2, 3):
        part, about = sharded(people, number, 3)
        file = project.where / f"{number}.pdf"
        with file.open("wb") as out:
            write_people_pdf(project, pack, part, out.write, PrintOptions(fonts=fonts), shard=about)
        files.append(file)
    return files


def test_the_file_is_the_same_to_the_byte_however_many_work_on_it(
    project: Project, pack: Pack, people: Series[Character], fonts: tuple[AddedFont, ...]
) -> None:
    alone = printed(project, pack, people, fonts)
    assert printed(project, pack, people, fonts) == alone
    assert printed(project, pack, people, fonts, workers=2) == alone
    assert printed(project, pack, people, fonts, workers=3) == alone


def test_shards_merged_are_the_single_run_to_the_byte(
    project: Project, pack: Pack, people: Series[Character], fonts: tuple[AddedFont, ...]
) -> None:
    merged: list[bytes] = []
    merged_into(project, in_shards(project, pack, people, fonts), merged.append, fonts)
    assert b"".join(merged) == printed(project, pack, people, fonts)


def test_shards_are_merged_with_the_fonts_they_were_made_with_or_not_at_all(
    project: Project, pack: Pack, people: Series[Character], fonts: tuple[AddedFont, ...]
) -> None:
    files = in_shards(project, pack, people, fonts)
    for given, what in (((), "added fonts"), (fonts[:1], "other fonts"), (fonts[::-1], "other fonts")):
        with pytest.raises(InputError) as caught:
            merged_into(project, files, [].append, given)
        assert str(caught.value) == f"1.pdf: was made with {what}: give the same --font FILE, in the same order"
    plain = roll(pack, RollOptions(seed=7, count=30))
    with pytest.raises(InputError, match=r"1\.pdf: was made without --font: leave it out"):
        merged_into(project, in_shards(project, pack, plain, ()), [].append, fonts)


def test_every_fault_of_every_file_is_told_at_once(project: Project, small_font: Callable[..., bytes]) -> None:
    (project.where / "bad.ttf").write_bytes(b"no font")
    (project.where / "shut.ttf").write_bytes(small_font("A", allowed=2))
    with pytest.raises(InputError) as caught:
        read_fonts(project, [project.where / name for name in ("bad.ttf", "shut.ttf", "none.ttf")])
    assert [str(problem).partition(":")[0] for problem in caught.value.problems] == ["bad.ttf", "shut.ttf", "none.ttf"]


def test_a_font_that_brings_its_reader_down_is_refused_by_its_name(
    project: Project, small_font: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shaping, "subset_glyphs", lambda data, glyphs: os.abort())
    (project.where / "evil.ttf").write_bytes(small_font())
    with pytest.raises(InputError) as caught:
        read_fonts(project, [project.where / "evil.ttf"])
    assert str(caught.value) == "evil.ttf: crashed the process that reads it (SIGABRT)"


def test_a_font_given_twice_counts_once(project: Project, fonts: tuple[AddedFont, ...]) -> None:
    path = project.where / "all.ttf"
    assert [font.digest for font in read_fonts(project, [path, path])] == [fonts[1].digest]
