"""What a pack may say beyond numbers: ladders, signs, die codes, words to choose, and what a kind of person has."""

from __future__ import annotations

import os
import re
from pathlib import Path
from textwrap import dedent

import pytest

from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decoder import Problems, Scope
from sheetgen.content.yaml.levels import LevelRange
from sheetgen.content.yaml.nodes import Scalar, parse
from sheetgen.documents.export.characters import yaml_text
from sheetgen.errors import InputError, Place
from sheetgen.model.character import Character
from sheetgen.model.scale import KINDS, Scale
from sheetgen.model.system import System
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import project_at

PACK = {
    "system.yaml": """
        id: fen
        title: Fen
        credit: Fen, by somebody
        licence: as you like it
        traits:
          virtues: {title: Virtues, notation: words, words: ladder, range: 1-3, default: 2, members: {Hope: {}}}
          moods: {title: Moods, notation: signed, range: -2-2, members: {Joy: {}}}
          pools: {title: Pools, notation: code, range: 1d-4d, members: {Arm: {start: 2d+1-3d}}}
        values:
          ladder: {Low: {}, Plain: {}, High: {}}
          pips: {die: 3}
          sides: [east, west]
    """,
    "creation.yaml": """
        options:
          age: {is: word, among: [stone, iron], default: iron}
          wind: {is: word, among: sides, default: rolled}
          arm: {is: level, of: Arm, default: 2d+2}
        steps:
          given: {do: given}
          virtues: {do: roll each, group: virtues, dice: 1d3}
          moods: {do: roll each, group: moods, dice: 1d3-2}
          pools: {do: roll each, group: pools, dice: 1d2+6, fixed: {Arm: arm}}
          trade: {do: occupation}
          name: {do: name}
          manner: {do: phrase, from: manners, into: manner}
          kit: {do: kit, most: 3}
        methods:
          random: {steps: [given, virtues, moods, pools, trade, name, manner, kit]}
    """,
    "sheet.yaml": """
        character:
          name: {is: text, title: Name}
          side: {is: choice, title: Side, among: sides}
          occupation: {is: text, title: Trade}
          virtues: {is: levels, title: Virtues}
          moods: {is: levels, title: Moods}
          pools: {is: levels, title: Pools}
          manner: {is: text, title: Manner}
          gear: {is: list, title: Things}
    """,
    "npcs.yaml": """
        names: {given: [Ada, Bo], family: [Reed, Sedge]}
        occupations:
          flint knapper: {fits: {age: stone}}
          smith: {fits: {age: [iron]}, gear: [hammer]}
        things:
          hammer: {facts: {damage: 2d+1}, fits: {age: iron}}
        belongings:
          - {say: bone needle, fits: {age: stone}}
          - {say: iron pot, fits: {age: iron, Hope: Plain-High}}
          - a hat
        manners: [hums]
        archetypes:
          ghost:
            say: cannot leave
            gives: {virtues: {Hope: High}, moods: {Joy: -2}, side: west, gear: [chain], occupation: drowned bailiff}
            names: [The Grey Bailiff]
            manners: [drips]
    """,
}


def written(folder: Path, **changed: tuple[str, str]) -> Pack:
    """The pack of this page with one piece of text exchanged in some of its files, opened."""
    (folder / "fen").mkdir()
    for name, text in PACK.items():
        old, new = changed.get(name.partition(".")[0], ("", ""))
        assert old in text
        (folder / "fen" / name).write_text(dedent(text.replace(old, new, 1) if old else text).lstrip())
    return open_pack(project_at(folder, os.environ), "./fen")


@pytest.fixture(name="fen")
def fen_pack(tmp_path: Path) -> System:
    return written(tmp_path).system


def rolled(system: System, index: int = 1, archetype: str = "", **options: str) -> Character:
    return Roller(system, plan_of(system, archetype=archetype, options=options), 7).roll(index)


def read_back(system: System, text: str) -> tuple[tuple[Character, ...], list[str]]:
    problems = Problems()
    characters = read_characters(parse(text.encode(), "x.yaml"), system, problems, judge=lambda system, character: ())
    return characters, [str(problem) for problem in problems.found]


def test_levels_are_written_and_read_as_their_group_says(fen: System) -> None:
    character = rolled(fen, archetype="ghost")
    text = "".join(yaml_text(fen, [character]))
    assert "virtues: {Hope: High}" in text
    assert 'moods: {Joy: "-2"}' in text or "moods: {Joy: -2}" in text
    assert "pools: {Arm: 2d+2}" in text
    (again,), problems = read_back(fen, text)
    assert not problems
    assert again == character


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("virtues: {Hope: Hihg}", 'x.yaml:2:17: Hope is "Hihg" (did you mean "High"?)'),
        ("virtues: {Hope: 3}", 'x.yaml:2:17: Hope is "3", but must be Low, Plain, High'),
        ("moods: {Joy: +3}", 'x.yaml:2:14: Joy is "+3", but must be −2 to +2'),
        ("pools: {Arm: 4d+1}", 'x.yaml:2:14: Arm is "4d+1", but must be 1d to 4d'),
        ("pools: {Arm: 7}", 'x.yaml:2:14: Arm is "7", but must be 1d to 4d'),
        ("side: wset", 'x.yaml:2:7: unknown side "wset" (did you mean "west"?)'),
    ],
)
def test_a_level_that_is_none_is_told_in_one_line(fen: System, line: str, problem: str) -> None:
    assert read_back(fen, f"system: fen\n{line}\n")[1] == [problem]


def test_an_option_by_words_decides_what_fits(fen: System) -> None:
    for index in range(1, 9):
        iron, stone = rolled(fen, index), rolled(fen, index, age="stone")
        assert (iron.text("occupation"), stone.text("occupation")) == ("smith", "flint knapper")
        assert "iron pot" not in stone.lines("gear")
        assert "bone needle" not in iron.lines("gear")
        assert iron.lines("gear")[0] == "hammer"
        if iron.numbers("virtues").get("Hope", 2) == 1:
            assert "iron pot" not in iron.lines("gear")


def test_a_word_left_to_the_dice_is_the_same_for_the_same_character(fen: System) -> None:
    roller = Roller(fen, plan_of(fen), 7)
    winds = [line for index in range(1, 30) for line in roller.explain(index)[1] if line.startswith("  wind: ")]
    assert set(winds) == {"  wind: east", "  wind: west"}
    assert winds == [line for n in range(1, 30) for line in roller.explain(n)[1] if line.startswith("  wind: ")]


def test_what_a_kind_is_given_no_step_takes_away(fen: System) -> None:
    for index in range(1, 9):
        ghost = rolled(fen, index, archetype="ghost")
        assert (ghost.numbers("virtues")["Hope"], ghost.numbers("moods")) == (3, {"Joy": -2})
        assert (ghost.text("side"), ghost.text("occupation"), ghost.text("manner")) == (
            "west",
            "drowned bailiff",
            "drips",
        )
        assert ghost.lines("gear")[0] == "chain"
    names = [rolled(fen, index, archetype="ghost").text("name") for index in (1, 2, 3)]
    assert names == ["The Grey Bailiff", "The Grey Bailiff II", "The Grey Bailiff III"]


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("system", "words: ladder", "words: ladders", 'the path of a pack value, not "ladders"'),
        ("system", "range: 1-3", "range: 1-4", "virtues runs from 1 to 4, but has 3 words"),
        ("system", "range: 1d-4d", "range: 3-18", 'range of pools is "3", but must be a code such as 3d+1'),
        ("system", "pips: {die: 3}", "pips: {dice: 3}", "notation code needs the pack value pips.die"),
        ("creation", "among: sides", "among: side", 'the pack has no value "side", and this is no list'),
        ("creation", "default: 2d+2", "default: 5d", 'default of option arm is "5d", but must be 2d+1 to 3d'),
        ("npcs", "age: stone}}", "age: ston}}", 'unknown age "ston" (did you mean "stone"?)'),
        ("npcs", "Hope: High}", "Hope: Top}", 'Hope is "Top", but must be Low, Plain, High'),
        ("npcs", "side: west", "seid: west", 'unknown key "seid" in gives (did you mean "side"?)'),
        ("sheet", "among: sides", "longest: 9", "`is: choice` and among: (the words it is one of) go together"),
    ],
)
def test_a_pack_that_gets_them_wrong_is_told(tmp_path: Path, file: str, old: str, new: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        written(tmp_path, **{file: (old, new)})
    assert problem in str(caught.value)


def test_a_phrase_joins_a_list_and_comes_back_from_its_file(tmp_path: Path) -> None:
    """The ghost is given a chain; the phrase that is dealt into the same list stands behind it, and not twice."""
    fen = written(tmp_path, creation=("into: manner", "into: gear")).system
    ghost = rolled(fen, archetype="ghost")
    assert ghost.lines("gear")[:2] == ("chain", "drips")
    assert read_back(fen, "".join(yaml_text(fen, [ghost]))) == ((ghost,), [])


@pytest.mark.parametrize(
    ("into", "told"),
    [
        ("virtues", "into takes a field that is: text or choice or list; virtues is: levels"),
        ("maner", 'unknown field "maner" (did you mean "manner"?)'),
        ("zeal", 'unknown field "zeal"; sheet.yaml has name, side, occupation, virtues'),
    ],
)
def test_a_phrase_goes_into_a_field_that_holds_one(tmp_path: Path, into: str, told: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"creation.yaml:12:45: step manner: {told}")):
        written(tmp_path, creation=("into: manner", f"into: {into}"))


def test_letters_are_levels_in_a_game_that_writes_some_of_its_levels_so() -> None:
    node = Scalar("9-C", Place("x.yaml", 1, 9), False)
    told = {}
    for kind in KINDS[:2]:
        scope = Scope(Problems(), facts={"usual scale": Scale(kind)})
        told[kind] = (LevelRange().read(node, scope, "row").high, [str(each) for each in scope.problems.found])
    assert told == {
        "hex": (12, []),
        "decimal": (9, ['x.yaml:1:9: row is "C", not a plain whole number (write a whole number from 0 to 999)']),
    }
