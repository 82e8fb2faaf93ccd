"""Runs of strangers' packs, rolled some at a time in confined processes, are the runs of ours."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

from sheetgen.people.rolling import CHUNK, RollOptions, explanation, roll
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project


def test_a_strangers_characters_are_those_of_ours(project: Project) -> None:
    ours = open_pack(project, "gamers")
    theirs = dataclasses.replace(ours, ours=False)
    run = RollOptions(seed=7, count=CHUNK + 3, first=5)
    assert list(roll(theirs, run)) == list(roll(ours, run))
    few = RollOptions(seed=7, count=2)
    assert list(explanation(theirs, few)) == list(explanation(ours, few))


def test_ours_are_rolled_here_and_a_strangers_elsewhere(project: Project, tmp_path: Path) -> None:
    ours = open_pack(project, "gamers")
    assert ours.run_isolated(os.getpid) == os.getpid()
    assert dataclasses.replace(ours, ours=False).run_isolated(os.getpid) != os.getpid()
