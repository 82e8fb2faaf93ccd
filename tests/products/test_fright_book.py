"""What the book of FRIGHT says of people whom the engine rolls, it says of those who come out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sheetgen.people.groups import GroupRun, people_of_line
from sheetgen.products.book_people import shown_people
from sheetgen.products.chapters import Rulebook, prose_of
from sheetgen.workspace.packs import Pack

BookOf = Callable[[str], tuple[Pack, Rulebook]]


def test_whoever_wants_something_in_a_scene_is_of_its_group(book_of: BookOf) -> None:
    pack, rulebook = book_of("fright")
    groups: Any = shown_people(pack, rulebook.book.rules["ready-groups"].people, rulebook.people)
    scenes = re.split(r"^### ", rulebook.book.rules["behind-it"].text.text, flags=re.MULTILINE)[1:]
    assert len(scenes) == len(groups)
    for scene, group in zip(scenes, groups, strict=True):
        assert scene.startswith(group["title"])
        shown = " ".join(f"{who['name']} {who['alike']}" for who in group["people"])
        (wants,) = re.findall(r"\*\*They want\.\*\*.*?(?=\n\n)", scene, re.DOTALL)
        names = [name.split()[-1] for name in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", wants)]
        assert len(names) > 5
        assert [name for name in names if name not in shown] == []


def test_those_of_the_night_ward_are_as_in_the_ready_group(book_of: BookOf) -> None:
    pack, rulebook = book_of("fright")
    kept = {who.text("name").split()[-1]: who for who in rulebook.people["people/night-ward.yaml"]}
    rolled = [
        who
        for member, run in GroupRun(pack.system.known_groups["the night ward"], 3, "", {}).runs
        for who in people_of_line(pack, member, run)
    ]
    names = {who.text("name").partition(",")[0].split()[-1]: who for who in rolled}
    assert names.keys() < kept.keys()
    for name, who in names.items():
        assert kept[name].values["attributes"] == who.values["attributes"], name
        assert kept[name].values["skills"].items() <= who.values["skills"].items(), name


def test_no_page_is_of_another_game(book_of: BookOf) -> None:
    """Its examples flew a mail airship out of Port Ambry."""
    _, rulebook = book_of("fright")
    told = " ".join(prose.text for prose in prose_of(rulebook.book))
    assert not re.findall(r"Vanja|Ishaan|Bex|Jo Tamm|Port Ambry|airship|pence\b", told)
