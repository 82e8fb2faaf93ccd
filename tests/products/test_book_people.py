"""Stat blocks in books: of archetypes, kept people and ready-made groups, in the figures of each game."""

from __future__ import annotations

import re
from dataclasses import replace
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


def test_a_level_stays_with_its_skill(project: Project) -> None:
    """A line of a spy ended with Diplomacy, and the next held nothing but a 1."""
    (shown,) = blocks(project, "gamers", Featured(HERE, archetype="spy", seed=4))
    skills = shown["people"][0]["skills"]
    assert "\u00a0" in skills
    assert not re.search(r" \d", skills)


def test_what_comes_to_nothing_is_not_printed(project: Project) -> None:
    """Ten ratings a person filled two lines with zeros; a revolver had “2d6 +0”, a liar “Takes 0 off harm”."""
    people = (Featured(HERE, archetype="guard", seed=4), Featured(HERE, archetype="boss", seed=3))
    guard, boss = blocks(project, "genesix", *people)[0]["people"]
    assert [(each["name"], each["level"]) for each in guard["levels"]] == [
        ("Strength", "+2"),
        ("Social", "−2"),
        ("Cautiously", "+1"),
        ("Covertly", "−1"),
    ]
    assert boss["attacks"][0]["shown"] == ["2d6 to Near, Inaccurate, harms Wounds"]
    for block in blocks(project, "genesix", *(Featured(HERE, archetype="driver", seed=n) for n in range(1, 9)))[0][
        "people"
    ]:
        assert not re.search(r"[+−]0\b|\b0 (off|of)\b", str(block)), block


def test_an_attack_in_tsgs_says_how_many_dice_where_they_come_from_and_what_a_hit_is(project: Project) -> None:
    """A great sword “rolls Dexterity 4 … Swordsman +1 3” left the sum to the GM."""
    said = Featured(HERE, archetype="soldier", seed=6)
    (soldier,) = blocks(project, "tsgs", said)[0]["people"]
    assert [(each["name"], each["shown"]) for each in soldier["attacks"]] == [
        ("Great sword", ["4 dice (Dexterity 3, skill +1), 1 wound"]),
        ("Spear", ["3 dice (Dexterity), 1 wound"]),
        ("Bare hands", ["3 dice (Dexterity), 1 wound"]),
    ]
    (guard,) = blocks(project, "tsgs", Featured(HERE, archetype="guard", seed=4))[0]["people"]
    assert [each["shown"] for each in guard["attacks"]] == [["3 dice, 2 wounds"], ["3 dice, 1 wound"]]
    (hunter,) = blocks(project, "tsgs", Featured(HERE, archetype="hunter", seed=7))[0]["people"]
    assert [each["shown"] for each in hunter["attacks"]] == [["3 dice, 1 wound"], ["3 dice (Dexterity), 1 wound"]]


def test_a_trade_that_the_name_says_already_stands_once_and_a_note_is_written_as_the_pack_writes_it(
    project: Project,
) -> None:
    spy = Featured(HERE, archetype="spy", seed=2, name="A spy")
    officer = Featured(HERE, archetype="officer", seed=3, name="An officer")
    first, second = blocks(project, "gamers", spy, officer)[0]["people"]
    assert (first["trade"], second["trade"]) == ("", "cashiered officer")
    assert second["attacks"][0]["note"] == "range 25 m"


def test_two_of_an_archetype_are_not_told_of_in_the_same_line(project: Project) -> None:
    """The gang and the speakeasy each had a boss who “never raises a voice, and everybody hears”."""
    for game, groups in (("tsgs", ("the gang", "the speakeasy")), ("genesix", ("the night shift", "the quiet circle"))):
        shown = blocks(project, game, *(Featured(HERE, group=name, seed=3) for name in groups))
        told = [block["want"] for group in shown for block in group["people"]]
        assert len(set(told)) == len(told)
    pack = open_pack(project, "genesix")
    kept = kept_characters(project, pack, "cast.yaml")
    (crew,) = shown_people(
        pack, [Featured(HERE, file="cast.yaml", only=("Bo Tarrant", "Ana Quill"))], {"cast.yaml": kept}
    )
    assert {block["want"] for block in crew["people"]} == {""}  # nothing is no line to repeat


def test_only_a_title_stands_before_a_name(project: Project) -> None:
    """A book said “Next to go down Dinah Stonewell”, as if that were her name."""
    (keepers,) = blocks(project, "waster", Featured(HERE, group="the well keepers", seed=3))
    (finder,) = [block for block in keepers["people"] if block["trade"] == "next to go down, well finder"]
    assert "down" not in finder["name"]
    (watch,) = blocks(project, "gamers", Featured(HERE, group="the night watch", seed=3))
    assert watch["people"][0]["name"].startswith("Captain ")


def test_words_of_the_author_stand_in_place_of_what_was_rolled(project: Project) -> None:
    said = Featured(HERE, archetype="guard", count=4, name="The Bell Street watch", trade="watch", want="Supper.")
    (block,) = blocks(project, "gamers", said)[0]["people"]
    assert (block["name"], block["count"], block["trade"], block["want"]) == (said.name, 4, "watch", "Supper.")


def test_whom_the_author_gives_no_want_has_the_line_of_the_archetype_and_kept_people_their_own(
    project: Project,
) -> None:
    pack = open_pack(project, "tsgs")
    kept = kept_characters(project, pack, "people/pier-nine.yaml")
    harker = Featured(HERE, file="people/pier-nine.yaml", only=("Walt Harker",))
    (shown,) = shown_people(pack, [Featured(HERE, archetype="guard"), harker], {harker.file: kept})
    assert [block["want"] for block in shown["people"]] == [
        "Keeps a door and remembers faces.",
        "Never to be asked what he did with Pete.",
    ]


def test_groups_stand_apart_from_single_people(project: Project) -> None:
    one, group = Featured(HERE, archetype="guard"), Featured(HERE, group="the night watch")
    assert [shown["title"] for shown in blocks(project, "gamers", one, one, group, one)] == ["", "The night watch", ""]


def test_a_group_of_the_game_above_is_shown_as_the_own_one_that_stands_for_it(project: Project) -> None:
    (shown,) = blocks(project, "heroic", Featured(HERE, group="the inquiry"))
    assert shown["title"] == "The moot"


def test_a_part_that_is_the_trade_goes_unsaid(project: Project) -> None:
    """A block once read “Law speaker Ilgun Late-Thunder, law speaker”."""
    (shown,) = blocks(project, "heroic", Featured(HERE, group="the moot"))
    speaker, accuser = shown["people"][:2]
    assert (speaker["trade"], speaker["name"].startswith("Law speaker")) == ("law speaker", False)
    assert accuser["trade"].startswith("accuser, ")


def test_who_cannot_be_rolled_is_told_at_their_place(project: Project) -> None:
    with pytest.raises(InputError, match="people: unknown option"):
        blocks(project, "gamers", Featured(HERE, archetype="guard", options={"tec": "5"}))


def test_a_file_of_the_pack_may_keep_several(project: Project, tmp_path: Path) -> None:
    pack = replace(open_pack(project, "gamers"), folder=tmp_path)
    (tmp_path / "people.yaml").write_text("system: gamers\ncharacters: [{name: Ada}, {name: Bo}]\n")
    assert [each.text("name") for each in kept_characters(project, pack, "people.yaml")] == ["Ada", "Bo"]


def test_how_far_a_weapon_reaches_stands_behind_its_figures(project: Project) -> None:
    """A book said “**Single-barrelled shotgun (range 49 m)** 2d6+1, 3d6”, and the next line put it behind."""
    soldiers = [Featured(HERE, archetype="soldier", seed=seed) for seed in range(1, 13)]
    attacks = [attack for block in blocks(project, "gamers", *soldiers)[0]["people"] for attack in block["attacks"][1:]]
    assert [attack["note"][:6] for attack in attacks if attack["note"]].count("range ") > 3
    assert not [attack["name"] for attack in attacks if "(" in attack["name"]]
