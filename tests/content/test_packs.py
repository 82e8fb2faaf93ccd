"""Packs as they lie on disk: what does not belong there, what their pages lack, and whose hands they pass through."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from sheetgen.errors import InputError
from sheetgen.rules.registry import Engine
from sheetgen.services.check import check
from sheetgen.workspace import packs
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project, project_at

PACK = {
    "system.yaml": """
        id: mist
        title: Mist
        credit: Mist, by somebody
        licence: as you like it
        traits:
          virtues: {title: Virtues, range: 0-5, members: {Hope: {}, Wit: {}}}
    """,
    "creation.yaml": """
        steps:
          virtues: {do: roll each, group: virtues, dice: 1d4}
        methods:
          random: {steps: [virtues]}
    """,
    "sheet.yaml": """
        character:
          virtues: {is: levels, title: Virtues}
    """,
}


@pytest.fixture
def mist(tmp_path: Path) -> Path:
    """A small good pack whose characters have no names."""
    return written(tmp_path / "mist")


def written(folder: Path) -> Path:
    """The small pack in a folder."""
    folder.mkdir(parents=True)
    for name, text in PACK.items():
        (folder / name).write_text(dedent(text).lstrip())
    return folder


def lines_of(work: Callable[[], object]) -> list[str]:
    """The problems that work ends with."""
    with pytest.raises(InputError) as caught:
        work()
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("creaton.yaml", 'unknown file "creaton.yaml" in a pack (did you mean "creation.yaml"?)'),
        ("sheet.yml", 'unknown file "sheet.yml" in a pack (did you mean "sheet.yaml"?)'),
        ("tempates/x.html", 'unknown folder "tempates" in a pack (did you mean "templates"?)'),
        ("npc/x.yaml", 'unknown folder "npc" in a pack (did you mean "npcs"?)'),
        ("qqq.yaml", 'unknown file "qqq.yaml" in a pack (a pack has system.yaml, tables.yaml, creation.yaml, '),
        ("npcs/names.yml", "is not read (name it names.yaml)"),
    ],
)
def test_a_misspelt_file_or_folder_is_told(project: Project, mist: Path, name: str, expected: str) -> None:
    (mist / name).parent.mkdir(exist_ok=True)
    (mist / name).write_text("x: y\n")
    (line,) = lines_of(lambda: open_pack(project, "./mist"))
    assert line.startswith(f"mist/{name if name.startswith('npcs/') else name.partition('/')[0]}: {expected}")


@pytest.mark.parametrize(
    "name",
    [
        *("README", "README.md", "LICENSE.txt", "Licence", "NOTES.md", "handouts/letter.md", "rules/01-first.yaml"),
        *("output/old.yaml", ".git/config.yaml", ".hidden.yaml", "templates/deep/er/block.html", "people.pdf"),
        *("engine.py", "native.so", "site.pth", "__pycache__/x.pyc"),
    ],
)
def test_what_may_lie_beside_the_parts_is_left_alone(project: Project, mist: Path, name: str) -> None:
    (mist / name).parent.mkdir(parents=True, exist_ok=True)
    (mist / name).write_text("raise SystemExit('this was run')\n")
    assert open_pack(project, "./mist").system.id == "mist"


def test_characters_may_lie_in_their_pack(project: Project, mist: Path) -> None:
    (mist / "heroes.yaml").write_text("# mine\nsystem: mist\nvirtues: {Hope: 2}\n")
    assert open_pack(project, "./mist").system.id == "mist"


@pytest.mark.parametrize("name", ["templates/logo.png", "handouts", "notes.txt", "npcs/names.yaml"])
def test_a_link_out_of_the_pack_is_refused_wherever_it_lies(
    project: Project, tmp_path: Path, mist: Path, name: str
) -> None:
    (tmp_path / "secret").mkdir()
    (mist / name).parent.mkdir(exist_ok=True)
    (mist / name).symlink_to(tmp_path / "secret")
    assert lines_of(lambda: open_pack(project, "./mist")) == [f"mist/{name}: is a link to a file outside the pack"]


@pytest.mark.parametrize("name", ["system.yaml", "npcs/names.yaml", "templates/x.html"])
def test_links_in_a_circle_lead_nowhere(project: Project, mist: Path, name: str) -> None:
    (mist / name).parent.mkdir(exist_ok=True)
    (mist / name).unlink(missing_ok=True)
    (mist / name).symlink_to(mist / name)
    lines = lines_of(lambda: open_pack(project, "./mist"))
    assert f"mist/{name}: is a link that leads nowhere (delete it)" in lines


def test_a_link_inside_the_pack_is_fine(project: Project, mist: Path) -> None:
    (mist / "templates").mkdir()
    (mist / "templates" / "same.txt").symlink_to(mist / "system.yaml")
    assert open_pack(project, "./mist").system.id == "mist"


def test_a_pipe_anywhere_in_a_pack_is_refused(project: Project, mist: Path) -> None:
    (mist / "templates" / "deep").mkdir(parents=True)
    os.mkfifo(mist / "templates" / "deep" / "logo.png")
    assert lines_of(lambda: open_pack(project, "./mist")) == [
        "mist/templates/deep/logo.png: is not a regular file",
    ]


def test_a_misspelt_manifest_is_suggested(project: Project, mist: Path) -> None:
    (mist / "system.yaml").rename(mist / "sytem.yaml")
    assert lines_of(lambda: open_pack(project, "./mist")) == [
        'mist: no pack here: there is no system.yaml in this folder (did you mean "sytem.yaml"?)'
    ]
    (mist / "sytem.yaml").rename(mist / "t.yaml")
    assert lines_of(lambda: open_pack(project, "./mist")) == [
        "mist: no pack here: there is no system.yaml in this folder"
    ]


def test_a_pack_without_names_can_be_checked_and_printed(sheetgen: Callable[..., Any], mist: Path) -> None:
    assert sheetgen("check", "./mist").code == 0
    ran = sheetgen("npc", "./mist", "-n", "2", "-o", "people.pdf")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>{{ game.titel }}</p>", "mist/templates/sheet.html:1: titel: no such value (did you mean title?)"),
        ("<p>{% if %}</p>", "mist/templates/sheet.html:1: "),
        (
            '<html><head><title>x</title></head><body><input name="hpp" title="HP">',
            'mist/templates/sheet.html: field "hpp": no character of Mist has it',
        ),
        ('{% include "gone.html" %}', "mist/templates/sheet.html:1: template gone.html not found in the pack"),
        ("{% if back %}{{ oops }}{% endif %}", "mist/templates/sheet.html:1: oops: no such value"),
    ],
)
def test_check_looks_at_the_pages_of_a_pack(project: Project, mist: Path, page: str, expected: str) -> None:
    (mist / "templates").mkdir()
    (mist / "templates" / "sheet.html").write_text(page)
    (line,) = lines_of(lambda: check(project, "./mist"))
    assert line.startswith(expected)


def test_check_looks_at_the_page_for_what_did_not_fit(project: Project, mist: Path) -> None:
    (mist / "templates").mkdir()
    (mist / "templates" / "more.html").write_text("{{ gmae }}")
    (mist / "examples.yaml").write_text("- {id: a, given: {do: nothing}, expect: {total: 1}}\n")
    first, second = lines_of(lambda: check(project, "./mist"))
    assert first.startswith("mist/examples.yaml:1")
    assert second == "mist/templates/more.html:1: gmae: no such value (did you mean game?)"


def test_one_broken_pack_does_not_hide_the_others(sheetgen: Callable[..., Any], tmp_path: Path) -> None:
    pack = written(tmp_path / "content" / "mist")
    (pack / "sheet.yaml").write_text("charcter: {}\n")
    ran = sheetgen("systems")
    assert ran.code == 1
    assert "gamers " in ran.out
    assert "tsgs " in ran.out
    assert ran.err.startswith("content/mist/sheet.yaml:1:1: ")
    told = sheetgen("systems", "--json")
    assert told.code == 1
    assert "gamers" in [each["id"] for each in json.loads(told.out)]
    assert sheetgen("systems", "mist").code == 2


def test_a_pack_of_ours_that_extends_a_strangers_is_not_ours(tmp_path: Path) -> None:
    ours = project_at(tmp_path, os.environ)
    assert open_pack(ours, "agents").ours
    shadow = tmp_path / "content" / "gamers"
    shadow.mkdir(parents=True)
    for part in ours.content.joinpath("gamers").glob("*.yaml"):
        (shadow / part.name).write_bytes(part.read_bytes())
    (shadow / "npcs").mkdir()
    for part in ours.content.joinpath("gamers", "npcs").glob("*.yaml"):
        (shadow / "npcs" / part.name).write_bytes(part.read_bytes())
    with (shadow / "system.yaml").open("a") as manifest:
        manifest.write("override: yes\n")
    project = project_at(tmp_path, os.environ)
    assert not open_pack(project, "gamers").ours
    assert not open_pack(project, "agents").ours
    assert open_pack(project, "tsgs").ours


def test_a_strangers_steps_are_tried_out_elsewhere(
    project: Project, mist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that would end the process, or never end, does so in a process that is there for it."""
    (mist / "system.yaml").write_text(
        (mist / "system.yaml").read_text().replace("title: Mist", "title: Mist\nengine: deadly")
    )
    (mist / "creation.yaml").write_text("steps: {a: {do: die}}\nmethods: {random: {steps: [a]}}\n")
    parent = os.getpid()

    def die(making: object) -> None:
        assert os.getpid() != parent
        sys.exit(3)

    for name in ("engine_of", "load_engine"):
        monkeypatch.setattr(f"sheetgen.rules.engine_check.{name}", lambda asked: Engine({"die": die}))  # type: ignore[dict-item]
    assert lines_of(lambda: open_pack(project, "./mist")) == ["mist: cannot be used (SystemExit: 3)"]


def test_our_own_packs_need_no_other_process(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(packs, "confined", never)
    assert isinstance(open_pack(project, "agents"), Pack)


def test_a_path_or_a_name_that_leads_to_no_pack_has_the_nearest_one(project: Project, tmp_path: Path) -> None:
    (written(tmp_path / "mist") / "system.yaml").write_text("id: mist\nextends: fog\n")
    written(tmp_path / "fog")
    assert lines_of(lambda: project.pack_folder("./mits")) == ['./mits: no such folder (did you mean "./mist"?)']
    assert lines_of(lambda: project.pack_folder("./gamers")) == ['./gamers: no such folder (did you mean "gamers"?)']
    assert lines_of(lambda: project.pack_folder("./nowhere")) == ["./nowhere: no such folder"]
    assert lines_of(lambda: open_pack(project, "./mist"))[0] == (
        'mist/system.yaml:2:10: unknown pack "fog" (it lies beside this one: name the folder of both with --packs, '
        "or move them to content/)"
    )
