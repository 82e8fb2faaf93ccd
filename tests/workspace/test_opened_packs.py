"""Packs kept open: read anew when what shapes their system changes, and no more often."""

from __future__ import annotations

import pytest

from sheetgen.errors import InputError
from sheetgen.workspace.packs import LASTING, OpenedPacks
from sheetgen.workspace.project import Project, project_at
from sheetgen.workspace.scaffold import starter, write_folder


@pytest.fixture
def mist(project: Project) -> Project:
    write_folder(project.where / "content" / "mist", starter(project, "mist"))
    return project_at(project.where, {})


def test_an_edit_of_a_chapter_leaves_the_system_and_forgets_what_was_worked_out(mist: Project) -> None:
    opened = OpenedPacks()
    before = opened.pack(mist, "mist")
    assert opened.pack(mist, "mist") is before
    assert before.cached("rules", lambda: "old") == "old"
    assert before.cached((LASTING, "roll"), lambda: "rolls of the system") == "rolls of the system"
    chapter = next((mist.where / "content/mist/rules").glob("*.yaml"))
    chapter.write_text(f"{chapter.read_text()}# more\n")
    after = opened.pack(mist, "mist")
    assert after.system is before.system
    assert after.cached("rules", lambda: "new") == "new"
    assert after.cached((LASTING, "roll"), lambda: "worked out again") == "rolls of the system"
    assert opened.mark(after) != opened.mark(before)


def test_an_edit_of_a_value_and_a_file_that_does_not_belong_there_are_seen(mist: Project) -> None:
    opened, manifest = OpenedPacks(), mist.where / "content/mist/system.yaml"
    opened.pack(mist, "mist")
    manifest.write_text(manifest.read_text().replace("title: ", "title: Old ", 1))
    assert opened.pack(mist, "mist").system.title.startswith("Old ")
    (mist.where / "content/mist/rules/away.yaml").symlink_to("/etc/passwd")
    with pytest.raises(InputError, match=r"away\.yaml"):
        opened.pack(mist, "mist")
