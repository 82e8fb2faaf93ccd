"""A trade in the book of Chalkdown brings what it brings to whoever is rolled."""

from __future__ import annotations

from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project


def test_every_trade_to_roll_for_brings_what_the_pack_gives_it(project: Project) -> None:
    system = open_pack(project, "chalkdown").system
    rows = [row.columns for row in system.tables["trades"].rows]
    assert len(rows) == 20
    for row in rows:
        trade = system.cast.occupations[row["trade"]]
        assert row["brings"] == ", ".join(trade.gear), row
