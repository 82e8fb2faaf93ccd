"""Stat blocks in books: of archetypes, kept people and ready-made groups, in the figures of each game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sheetgen.errors import InputError, Place
from sheetgen.model.book import Featured
from sheetgen.products.book_people import kept_characters, shown_people
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

HERE = Place("x.yaml", 1, 1)
GAMES = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix", "chalkdown")


def blocks(project: Project, game: str, *people: Featured) -> list[Any]:
    return list(shown_people(open_pack(project, game), people, {}))


@pytest.mark.parametrize("game", GAMES)
def test_every_archetype_has_a_block_with_its_dice(project: Project, game: str) -> None:
    pack = open_pack(project, game)
    people = [Featured(HERE, archetype=name) for name in pack.system.cast.archetypes]
    (shown,) = blocks(project, game, *people)
    assert len(shown["people"]) == len(people)
    for block in shown["people"]:
        assert block["name"] and block["want"] and block["attacks"], block  # noqa: PT018
        assert all(attack["shown"] for attack in block["attacks"])


@pytest.mark.parametrize("game", GAMES)
def test_every_ready_group_is_shown_with_its_line_and_all_its_names(project: Project, game: str) -> None:
    pack = open_pack(project, game)
    for name, group in list(pack.system.ready_groups.items())[:2]:
        (shown,) = blocks(project, game, Featured(HERE, group=name, seed=3))
        assert shown["say"].casefold() == group.say.casefold()
        assert [block["count"] for block in shown["people"]] == [member.count for member in group.members]
        assert all(
            len(set(block["alike"].split(", "))) == block["count"] for block in shown["people"] if block["alike"]
        )


def test_a_rating_of_nothing_takes_no_room_and_adds_nothing_to_dice_in_so_many_words(project: Project) -> None:
    """Ten ratings a person filled two lines with zeros, and a revolver had “2d6 0”."""
    people = (Featured(HERE, archetype="guard", seed=4), Featured(HERE, archetype="boss", seed=3))
    guard, boss = blocks(project, "genesix", *people)[0]["people"]
    assert [(each["name"], each["level"]) for each in guard["levels"]] == [
        ("Strength", "+2"),
        ("Social", "−2"),
        ("Cautiously", "+1"),
        ("Covertly", "−1"),
    ]
    assert boss["attacks"][0]["shown"] == ["2d6 +0", "harms Wounds"]


def test_words_of_the_author_stand_in_place_of_what_was_rolled(project: Project) -> None:
    said = Featured(HERE, archetype="guard", count=4, name="The Bell Street watch", trade="watch", want="Supper.")
    (block,) = blocks(project, "gamers", said)[0]["people"]
    assert (block["name"], block["count"], block["trade"], block["want"]) == (said.name, 4, "watch", "Supper.")


def test_whom_the_author_gives_no_want_has_the_line_of_the_archetype_and_kept_people_their_own(
    project: Project,
) -> None:
    pack = open_pack(project, "tsgs")
    kept = kept_characters(project, pack.system, pack.folder, "people/pier-nine.yaml")
    harker = Featured(HERE, file="people/pier-nine.yaml", only=("Walt Harker",))
    (shown,) = shown_people(pack, [Featured(HERE, archetype="guard"), harker], {harker.file: kept})
    assert [block["want"] for block in shown["people"]] == [
        "Keeps a door and remembers faces.",
        "Never to be asked what he did with Pete.",
    ]


def test_groups_stand_apart_from_single_people(project: Project) -> None:
    one, group = Featured(HERE, archetype="guard"), Featured(HERE, group="the night watch")
    assert [shown["title"] for shown in blocks(project, "gamers", one, one, group, one)] == ["", "The night watch", ""]


def test_who_cannot_be_rolled_is_told_at_their_place(project: Project) -> None:
    with pytest.raises(InputError, match="people: unknown option"):
        blocks(project, "gamers", Featured(HERE, archetype="guard", options={"tec": "5"}))


def test_a_file_of_the_pack_may_keep_several(project: Project, tmp_path: Path) -> None:
    system = open_pack(project, "gamers").system
    (tmp_path / "people.yaml").write_text("system: gamers\ncharacters: [{name: Ada}, {name: Bo}]\n")
    assert [each.text("name") for each in kept_characters(project, system, tmp_path, "people.yaml")] == ["Ada", "Bo"]
