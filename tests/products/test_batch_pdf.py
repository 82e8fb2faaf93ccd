"""The batch path: the same file whoever composes it, and everybody accounted for."""

from __future__ import annotations

import io
import pickle
from dataclasses import replace
from pathlib import Path

import pikepdf
import pymupdf
import pytest

from sheetgen.batch.pool import Series, chunks, series_of
from sheetgen.errors import InputError
from sheetgen.model.character import Character
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.batch_pdf import Shard, write_people_pdf
from sheetgen.products.finished.merge import MergeOptions, Shards, merge
from sheetgen.products.product import ProductResult, Reporter, Sink
from sheetgen.products.report import NobodyPrinted, Report
from sheetgen.products.shapes import PrintOptions
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project
from sheetgen.workspace.write import Write


@pytest.fixture(name="pack")
def gamers_pack(project: Project) -> Pack:
    return open_pack(project, "gamers")


def merged_into(project: Project, paths: list[Path], write: Write) -> ProductResult:
    return merge(project, Shards(tuple(paths)), MergeOptions(), Sink(".pdf", write, Reporter()))


def printed(project: Project, pack: Pack, people: Series[Character], *, workers: int, shape: str = "sheet") -> bytes:
    pieces: list[bytes] = []
    write_people_pdf(project, pack, people, pieces.append, PrintOptions(shape=shape, workers=workers))
    return b"".join(pieces)


@pytest.mark.parametrize("shape", ["sheet", "card"])
def test_the_file_is_the_same_to_the_byte_however_many_work_on_it(project: Project, pack: Pack, shape: str) -> None:
    people = roll(pack, RollOptions(seed=7, count=330))
    alone = printed(project, pack, people, workers=1, shape=shape)
    assert printed(project, pack, people, workers=2, shape=shape) == alone
    assert printed(project, pack, people, workers=3, shape=shape) == alone


def test_people_from_a_list_and_people_rolled_on_the_way_make_the_same_file(project: Project, pack: Pack) -> None:
    people = roll(pack, RollOptions(seed=7, count=250))
    assert printed(project, pack, series_of(list(people)), workers=2) == printed(project, pack, people, workers=2)


def test_who_cannot_be_printed_is_named_and_the_rest_goes_on(project: Project, pack: Pack, tmp_path: Path) -> None:
    people = list(roll(pack, RollOptions(seed=7, count=230)))
    for number in (3, 150, 229):
        people[number] = replace(people[number], values={**people[number].values, "name": f"龍 {number}"})
    pieces: list[bytes] = []
    seen: list[int] = []
    report = write_people_pdf(project, pack, people, pieces.append, PrintOptions(workers=2), progress=seen.append)
    assert (report.printed, len(report.skipped)) == (227, 3)
    assert [line.partition(":")[0] for line in report.skipped] == ["龍 3", "龍 150", "龍 229"]
    assert seen == list(range(1, 231))
    with pymupdf.open(stream=b"".join(pieces)) as document:
        assert len(document.get_toc()) == 227


def test_nobody_printed_writes_nothing(project: Project, pack: Pack) -> None:
    (one,) = roll(pack, RollOptions(seed=7))
    pieces: list[bytes] = []
    with pytest.raises(NobodyPrinted, match="龍"):
        write_people_pdf(
            project,
            pack,
            [replace(one, values={**one.values, "name": "龍"})],
            pieces.append,
            PrintOptions(),
        )
    assert not pieces


def test_the_error_reaches_another_process_with_its_report() -> None:
    report = Report(skipped=["龍: Name: no bundled font can print it"], continued=["Ada: Notes"])
    again = pickle.loads(pickle.dumps(NobodyPrinted(report)))
    assert (str(again), again.report) == (str(NobodyPrinted(report)), report)


def test_numbers_are_dealt_whole(pack: Pack) -> None:
    assert chunks(250, 100) == (range(100), range(100, 200), range(200, 250))
    people = roll(pack, RollOptions(seed=7, count=10, first=5))
    for shards in (1, 3, 4, 10):
        parts = [people.shard(number, shards) for number in range(1, shards + 1)]
        assert [number for part in parts for number in part] == list(range(10))
        together = [each for part in parts for each in people.part(part)]
        assert together == list(people)


def shard_file(
    project: Project,
    pack: Pack,
    people: Series[Character],
    number: int,
    of: int,
    *,
    shape: str,
    run: str = "seed 7",
    asked: bool = False,
    paper: str = "a4",
) -> Path:
    path = project.where / f"{shape}-{run}-{number}.pdf"
    part = people.part(people.shard(number, of))
    about = Shard(number, of, people.count, run)
    with path.open("wb") as file:
        printing = PrintOptions(paper, shape=shape, back=shape == "sheet", asked=asked)
        write_people_pdf(project, pack, part, file.write, printing, shard=about)
    return path


@pytest.mark.parametrize(("shape", "asked"), [("sheet", False), ("sheet", True), ("card", False)])
def test_shards_merged_are_the_single_run_to_the_byte(project: Project, pack: Pack, shape: str, *, asked: bool) -> None:
    """A shard remembers whether its sheets have a row for what people want, so that the merged pages have it too."""
    people = roll(pack, RollOptions(seed=7, count=25))
    pieces: list[bytes] = []
    write_people_pdf(
        project, pack, people, pieces.append, PrintOptions(shape=shape, back=shape == "sheet", asked=asked)
    )
    shards = [shard_file(project, pack, people, number, 3, shape=shape, asked=asked) for number in (3, 1, 2)]
    merged: list[bytes] = []
    done = merged_into(project, shards, merged.append)
    assert done.what == "25 of GAMERS, from 3 shards"
    assert b"".join(merged) == b"".join(pieces)


def test_shards_of_sheets_of_three_pages_are_the_single_run_too(project: Project) -> None:
    """The empty page between two people is in a shard as well, and none stands behind the last person."""
    pack = open_pack(project, "chalkdown")
    people = roll(pack, RollOptions(seed=7, count=5))
    pieces: list[bytes] = []
    write_people_pdf(project, pack, people, pieces.append, PrintOptions("a5", back=True))
    shards = [shard_file(project, pack, people, number, 2, shape="sheet", paper="a5") for number in (1, 2)]
    merged: list[bytes] = []
    merged_into(project, shards, merged.append)
    assert b"".join(merged) == b"".join(pieces)
    with pikepdf.open(io.BytesIO(b"".join(merged))) as pdf:
        assert len(pdf.pages) == 5 * 3 + 4


def test_shards_that_do_not_belong_together_are_told_apart(project: Project, pack: Pack) -> None:
    people = roll(pack, RollOptions(seed=7, count=6))
    first, second, third = (shard_file(project, pack, people, number, 3, shape="card") for number in (1, 2, 3))
    other = shard_file(project, pack, people, 2, 3, shape="card", run="seed 8")
    plain = project.where / "plain.pdf"
    plain.write_bytes(printed(project, pack, people, workers=1, shape="card"))
    for files, problem in (
        ([first, third], "is one of 3 shards; missing: 2"),
        ([first, second, second, third], "is shard 2, as is"),
        ([first, other, third], "belongs to another run than"),
        ([first, plain, third], "is no shard: make one with --shard 1/4"),
    ):
        pieces: list[bytes] = []
        with pytest.raises(InputError, match=problem):
            merged_into(project, files, pieces.append)
        assert not pieces
