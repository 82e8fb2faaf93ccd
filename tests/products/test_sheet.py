"""Print runs: what they write, and that they tell how far they are."""

from __future__ import annotations

import pytest

from sheetgen.errors import LimitError
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.people.printing import MOST_ON_A_PAGE, write_people
from sheetgen.products.report import NobodyPrinted
from sheetgen.products.shapes import PrintOptions
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project


@pytest.mark.parametrize("form", [".pdf", ".html", ".yaml", ".json", ".csv"])
def test_every_format_tells_how_far_it_is(project: Project, form: str) -> None:
    pack, told = open_pack(project, "gamers"), list[int]()
    people = roll(pack, RollOptions(seed=7, count=5))
    write_people(project, pack, people, lambda data: None, PrintOptions(), form=form, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 5
    assert len(set(told)) >= 5


def test_a_web_page_has_a_most_and_writes_nothing_beyond(project: Project) -> None:
    pack, written = open_pack(project, "gamers"), list[bytes]()
    people = roll(pack, RollOptions(seed=7, count=MOST_ON_A_PAGE + 1))
    with pytest.raises(LimitError, match="2,000 people at the most"):
        write_people(project, pack, people, written.append, PrintOptions(), form=".html")
    assert written == []


def test_nobody_at_all_is_no_file(project: Project) -> None:
    pack, written = open_pack(project, "gamers"), list[bytes]()
    with pytest.raises(NobodyPrinted):
        write_people(project, pack, [], written.append, PrintOptions(), form=".pdf")
    assert written == []
