"""The code on a rolled sheet: short enough for a small QR code, and enough to make the same person again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import pytest

from sheetgen.errors import UsageError
from sheetgen.people.character_files import Party
from sheetgen.people.rerolling import reroll
from sheetgen.people.rolling import RollOptions, known_words, read_roll_code, roll, roll_code
from sheetgen.rules.rerolling import Reroll
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project


class Ran(Protocol):
    """How a run of the command line ended."""

    code: int
    out: str
    err: str


SYSTEMS = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix", "waster")


@pytest.mark.parametrize(
    ("run", "code"),
    [
        (RollOptions(7, first=57), "SG1/GAMERS/7/57"),
        (RollOptions(7, archetype="outlaw"), "SG1/GAMERS/7/1/OUTLAW"),
        (RollOptions(7, archetype="outlaw", options={"tech": "9"}), "SG1/GAMERS/7/1/OUTLAW//TECH:9"),
        (RollOptions(2**63 - 1, first=10**9), "SG1/GAMERS/9223372036854775807/1000000000"),
    ],
)
def test_what_a_code_looks_like(project: Project, run: RollOptions, code: str) -> None:
    pack = open_pack(project, "gamers")
    assert roll_code(pack.system, next(iter(roll(pack, run)))) == code


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_code_makes_the_same_person_again(project: Project, system: str) -> None:
    pack = open_pack(project, system)
    archetypes = ["", *list(pack.system.cast.archetypes)]
    for number, archetype in enumerate(archetypes[:12], 1):
        (person,) = roll(pack, RollOptions(11, first=number, archetype=archetype))
        named, run = read_roll_code(roll_code(pack.system, person), project.library.packs)
        assert named == system
        (again,) = roll(pack, known_words(pack.system, run))
        assert again == person


def test_whoever_was_rolled_again_in_part_has_no_code(project: Project) -> None:
    pack = open_pack(project, "gamers")
    people = tuple(roll(pack, RollOptions(7)))
    (changed,) = reroll(Party(pack, people), Reroll(("gear",), 8))
    assert roll_code(pack.system, changed) == ""


@pytest.mark.parametrize("strange", ["Ünder/100%: ß", "a:b", "night watch"])
def test_names_of_any_letters_travel(strange: str) -> None:
    from sheetgen.people.rolling import _escaped

    code = f"SG1/MIST/7/1/{_escaped(strange)}//{_escaped(strange)}:{_escaped('Größe 9')}"
    _, run = read_roll_code(code, ["mist"])
    assert run.archetype.casefold() == strange.casefold()
    assert {name.casefold(): value.casefold() for name, value in run.options.items()} == {
        strange.casefold(): "größe 9".casefold()
    }


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("hello", "is no code of a rolled person"),
        ("SG2/GAMERS/7/1", "is no code of a rolled person"),
        ("SG1/GAMERS/x/1", "names no seed and number"),
        ("SG1/GAMERS/7/0", "names no seed and number"),
        ("SG1/GAMERS/7/9-3", "asks for numbers 9 to 3"),
        ("SG1/GAMERS/7/1/%FF", "is no part of a code"),
        ("SG1/" + "A" * 500, "is no code of a rolled person"),
        ("SG1/GAMERS/99999999999999999999/1", "names no seed and number"),
    ],
)
def test_what_is_no_code_is_told_in_a_line(code: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        read_roll_code(code, ["gamers"])
    assert len(str(caught.value)) < 200


def test_npc_makes_whoever_the_code_stands_for(sheetgen: Callable[..., Ran]) -> None:
    out = ("-o", "-", "--to", "csv")
    made = sheetgen("npc", "--from-code", "sg1/gamers/7/2-3/outlaw", *out)
    asked = sheetgen("npc", "gamers", "--seed", "7", "--index", "2", "-n", "2", "--archetype", "outlaw", *out)
    assert made.code == 0
    assert made.out == asked.out
    refused = sheetgen("npc", "gamers", "--from-code", "SG1/GAMERS/7/1")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    unknown = sheetgen("npc", "--from-code", "SG1/NOSUCH/7/1")
    assert (unknown.code, unknown.err.count("\n")) == (2, 1)
    assert "nosuch" in unknown.err
    assert sheetgen("npc").err == "sheetgen npc: which SYSTEM? sheetgen systems lists them\n"
