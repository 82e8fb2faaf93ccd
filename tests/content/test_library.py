"""Packs that are wrong: each mistake gets one line with its place, and all of a pack's mistakes come at once."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest

from sheetgen.content.packs.folders import Library, find_packs
from sheetgen.errors import InputError
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at
from tests.reading import read_pack

GOOD = {
    "system.yaml": """
        id: mist
        title: Mist
        credit: Mist, by somebody
        licence: as you like it
        traits:
          virtues:
            title: Virtues
            range: 0-5
            members:
              Hope: {}
              Wit: {}
    """,
    "tables.yaml": """
        tables:
          weather:
            title: Weather
            dice: 2d6
            rows:
              2-6: rain
              7: fog
              8-12: sun
    """,
    "creation.yaml": """
        steps:
          virtues: {do: roll each, group: virtues, dice: 1d4}
        methods:
          random: {steps: [virtues]}
    """,
    "sheet.yaml": """
        character:
          name: {is: text, title: Name}
          virtues: {is: levels, title: Virtues}
    """,
    "npcs.yaml": """
        occupations:
          lamplighter: {skills: [Wit], fits: {Hope: 2-5}}
        archetypes:
          watcher: {say: waits, attributes: [Wit, Hope], core: {Wit: 1}, also: [Hope], occupations: [lamplighter]}
    """,
}


def write_pack(folder: Path, **changed: tuple[str, str]) -> Path:
    """The good pack with one piece of text exchanged in some of its files."""
    pack = folder / "mist"
    pack.mkdir()
    for name, text in GOOD.items():
        old, new = changed.get(name.partition(".")[0], ("", ""))
        assert old in text
        (pack / name).write_text(dedent(text.replace(old, new, 1) if old else text).lstrip())
    return pack


def problems_of(folder: Path, pack: Path) -> list[str]:
    """The lines that a pack gets, steps included, with paths relative to its folder."""
    project = project_at(folder, os.environ)
    with pytest.raises(InputError) as caught:
        open_pack(project, "./mist")
    return str(caught.value).splitlines()


def test_the_good_pack_is_good(tmp_path: Path) -> None:
    write_pack(tmp_path)
    system = open_pack(project_at(tmp_path, os.environ), "./mist").system
    assert [trait.name for trait in system.all_traits()] == ["Hope", "Wit"]


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "system",
            "credit:",
            "credits:",
            'mist/system.yaml:3:1: unknown key "credits" in system.yaml (did you mean "credit"?)',
        ),
        (
            "system",
            "Hope: {}",
            "Hope: {hit: x}",
            'mist/system.yaml:10:14: unknown key "hit" in Hope (did you mean "hint"?)',
        ),
        (
            "system",
            "range: 0-5",
            "range: 5-0",
            "mist/system.yaml:8:12: range of virtues runs from 5 down to 0: write the lower end first",
        ),
        (
            "system",
            "range: 0-5",
            "range: 0-5\n            start: 1-9",
            "mist/system.yaml:9:12: start of virtues reaches beyond its range",
        ),
        (
            "system",
            "Wit: {}",
            "Hope: {}",
            'mist/system.yaml:11:7: key "Hope" stands twice in members, first at mist/system.yaml:10:7 (keep one)',
        ),
        ("tables", "8-12", "9-12", "mist/tables.yaml:3:5: table weather: no row for 8"),
        ("tables", "8-12", "7-12", "mist/tables.yaml:8:7: table weather: 7 stands in another row too (line 7)"),
        (
            "tables",
            "7: fog",
            "7: {is: fog, and no end}",
            'mist/tables.yaml:7:7: table weather: the column "and no end" says nothing in any row (put a text with a '
            "comma in quotes, or give the column a head)",
        ),
        (
            "tables",
            "7: fog",
            "7: '{rain}'",
            "mist/tables.yaml:7:7: table weather: {rain} stays as it is in a table (write the words)",
        ),
        ("tables", "8-12", "8-13", "mist/tables.yaml:8:7: table weather: 13 cannot come up"),
        ("tables", "2d6", "2d", 'mist/tables.yaml:4:11: table weather: "2d" does not say how many sides: write 2d6'),
        (
            "creation",
            "roll each",
            "rol each",
            'mist/creation.yaml:2:17: unknown step "rol each" (did you mean "roll each"?)',
        ),
        (
            "creation",
            "roll each",
            "choose",
            'mist/creation.yaml:2:17: unknown step "choose" (one of: roll each, roll and arrange, array, share points, '
            "buy levels, occupation, given, name, age, phrase, share out, gear, kit, specialties, familiarities, "
            "swap, pay, fill slots, "
            "table, pick, derive, grow, note, train)",
        ),
        (
            "creation",
            "group: virtues",
            "group: virtue",
            'mist/creation.yaml:2:35: step virtues: unknown trait group "virtue" (did you mean "virtues"?)',
        ),
        (
            "creation",
            "dice: 1d4",
            "dices: 1d4",
            'mist/creation.yaml:2:44: step virtues: unknown key "dices" (did you mean "dice"?)',
        ),
        (
            "creation",
            "[virtues]",
            "[virtue]",
            'mist/creation.yaml:4:20: unknown step "virtue" (did you mean "virtues"?)',
        ),
        (
            "system",
            "id: mist",
            "id: ../../evil",
            'mist/system.yaml:1:5: id "../../evil" cannot name files '
            "(write up to 40 small letters, digits and hyphens, a letter first, such as evil)",
        ),
        (
            "system",
            "id: mist",
            "id: Mist of Old",
            'mist/system.yaml:1:5: id "Mist of Old" cannot name files '
            "(write up to 40 small letters, digits and hyphens, a letter first, such as mist-of-old)",
        ),
        (
            "system",
            "Hope: {}",
            "Hope: {range: 0-9, start: 12-14}",
            "mist/system.yaml:10:33: start of Hope lies outside its range",
        ),
        (
            "creation",
            "dice: 1d4",
            "dice: 100d6",
            "mist/creation.yaml:2:50: step virtues: 100d6 gives 100 to 600, but Hope runs from 0 to 5 "
            "(change the dice or the range)",
        ),
        (
            "creation",
            "roll each, group: virtues, dice: 1d4",
            "roll and arrange, group: virtues, dice: 1d6+1",
            "mist/creation.yaml:2:57: step virtues: 1d6+1 gives 2 to 7, but Hope runs from 0 to 5 "
            "(change the dice or the range)",
        ),
        (
            "creation",
            "roll each, group: virtues, dice: 1d4",
            "buy levels, group: virtues, points: 5, needs: {Hope: zz}",
            'mist/creation.yaml:2:70: step virtues: "zz" is not a level of Hope (write one from 0 to 5)',
        ),
        (
            "creation",
            "roll each, group: virtues, dice: 1d4",
            "buy levels, group: virtues, points: 5, costs: dear",
            "mist/creation.yaml:2:63: step virtues: costs must be rising, one each, or name a value that lists a whole "
            "number for each level up to 5",
        ),
        (
            "sheet",
            "is: text",
            "is: ratings, within: Nope",
            'mist/sheet.yaml:2:31: unknown trait "Nope" (did you mean "Hope"?)',
        ),
        (
            "sheet",
            "is: levels",
            "is: level",
            'mist/sheet.yaml:3:17: unknown kind of field "level" (did you mean "levels"?)',
        ),
        ("npcs", "skills: [Wit]", "skills: [Wits]", 'mist/npcs.yaml:2:26: unknown skill "Wits" (did you mean "Wit"?)'),
        (
            "npcs",
            "fits: {Hope",
            "fits: {Hop",
            'mist/npcs.yaml:2:39: unknown key "Hop" in fits of lamplighter (did you mean "Hope"?)',
        ),
        (
            "npcs",
            "[lamplighter]}",
            "[lamplighters]}",
            'mist/npcs.yaml:4:94: unknown occupation "lamplighters" (did you mean "lamplighter"?)',
        ),
        (
            "npcs",
            "archetypes:",
            "things: {hooks: {facts: {}}}\n        specialties: {Wit: [{say: a, names: [hook]}]}\n        archetypes:",
            'mist/npcs.yaml:4:38: unknown thing or tag "hook" (did you mean "hooks"?)',
        ),
    ],
)
def test_a_mistake_gets_one_line_with_its_place(tmp_path: Path, file: str, old: str, new: str, expected: str) -> None:
    pack = write_pack(tmp_path, **{file: (old, new)})
    assert problems_of(tmp_path, pack) == [expected]


OPTIONS = """
steps:
  virtues: {do: roll each, group: virtues, dice: 1d4}
  others: {do: share points, group: virtues, points: 4}
methods:
  random: {steps: [virtues]}
options:
  use: OPTION
"""


@pytest.mark.parametrize(
    ("option", "column", "expected"),
    [
        ("{is: members, of: Nope, default: all}", 26, 'unknown trait group "Nope" (one of: virtues)'),
        ("{is: members, default: all}", 8, "option use needs of: the trait group that it is about"),
        ("{is: members, of: virtues, default: Hop}", 44, 'option use: unknown name "Hop" (did you mean "Hope"?)'),
        ("{is: level, of: Hop, default: 2}", 24, 'unknown trait "Hop" (did you mean "Hope"?)'),
        ("{is: level, of: Hope, default: 99}", 39, "default of option use is 99 (write a whole number from 0 to 5)"),
        ("{is: level, of: Hope, default: A}", 39, 'default of option use is "A", not a plain whole number'),
        ("{is: level, of: Hope, default: 2d6}", 39, 'default of option use is "2d6", not a plain whole number'),
        ("{is: switch, default: perhaps}", 30, 'default of option use is "perhaps", not yes or no (write yes or no)'),
        ("{is: switch, default: no, steps: {a: virtues}}", 41, "only an option that `is: step` has steps"),
        ("{is: step, steps: {a: virtue}, default: a}", 30, 'unknown step "virtue" (did you mean "virtues"?)'),
        ("{is: step, steps: {a: virtues}, default: b}", 49, "option use: its default must be one of a"),
    ],
)
def test_an_option_that_cannot_be_used_is_told_where_it_stands(
    tmp_path: Path, option: str, column: int, expected: str
) -> None:
    pack = write_pack(tmp_path)
    (pack / "creation.yaml").write_text(OPTIONS.lstrip().replace("OPTION", option))
    (line,) = problems_of(tmp_path, pack)
    assert line.startswith(f"mist/creation.yaml:7:{column}: ")
    assert expected in line


@pytest.mark.parametrize(
    ("option", "step", "expected"),
    [
        ("{is: switch, default: no}", "only: use", "option use must be one that says `is: members`"),
        ("{is: level, of: Wit, default: 2}", "fixed: {Hope: use}", "option use sets Wit, not Hope"),
        ("{is: level, of: Wit, default: 2}", "fixed: {Wit: us}", 'unknown option "us" (did you mean "use"?)'),
        (
            "{is: members, of: virtues, default: all}",
            "fixed: {Wit: use}",
            "option use must be one that says `is: level`",
        ),
    ],
)
def test_a_step_takes_only_an_option_of_its_kind(tmp_path: Path, option: str, step: str, expected: str) -> None:
    pack = write_pack(tmp_path)
    text = OPTIONS.lstrip().replace("OPTION", option).replace("dice: 1d4", f"dice: 1d4, {step}")
    (pack / "creation.yaml").write_text(text)
    (line,) = problems_of(tmp_path, pack)
    assert line.startswith("mist/creation.yaml:2:")
    assert expected in line


@pytest.mark.parametrize("step", ["{rolled: skills rolled, bought: skills bought}", "{}"])
def test_a_choice_of_steps_with_a_wrong_default_gives_no_other_trouble(
    tmp_path: Path, library: Library, step: str
) -> None:
    """The steps of GAMERS look at this option, too."""
    (tmp_path / "mist").mkdir()
    (tmp_path / "mist" / "system.yaml").write_text("id: mist\nextends: gamers\ntitle: Mist\n")
    text = (library.packs["gamers"] / "creation.yaml").read_text()
    text = text.replace("{rolled: skills rolled, bought: skills bought}", step).replace(
        "default: rolled", "default: no"
    )
    (tmp_path / "mist" / "creation.yaml").write_text(text)
    (tmp_path / "content").symlink_to(library.packs["gamers"].parent)
    (line,) = problems_of(tmp_path, tmp_path / "mist")
    assert "option skills: its default must be one of" in line


def test_mistakes_in_words_and_in_steps_come_at_once(tmp_path: Path) -> None:
    pack = write_pack(
        tmp_path,
        system=("id: mist", "id: MIST\n        moto: x"),
        creation=("dice: 1d4", "dices: 1d4"),
        sheet=("is: levels", "is: level"),
        npcs=("skills: [Wit]", "skills: [Wits]"),
    )
    found = [line.partition(":")[0] for line in problems_of(tmp_path, pack)]
    assert found == ["mist/creation.yaml", "mist/npcs.yaml", "mist/sheet.yaml", "mist/system.yaml", "mist/system.yaml"]


def test_a_file_that_cannot_be_read_hides_no_mistake_in_others_and_makes_none(tmp_path: Path) -> None:
    pack = write_pack(
        tmp_path, system=("range: 0-5", "range: 0-5\n            bands: weather"), sheet=("is: levels", "is: level")
    )
    (pack / "tables.yaml").write_text("tables: [\n")
    assert problems_of(tmp_path, pack) == [
        'mist/sheet.yaml:3:17: unknown kind of field "level" (did you mean "levels"?)',
        "mist/tables.yaml:1:9: [ is never closed (add ])",
    ]


def test_traits_that_cannot_be_read_make_no_mistakes_elsewhere(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, system=("traits:", "trait:"))
    assert problems_of(tmp_path, pack) == [
        'mist/system.yaml:5:1: unknown key "trait" in system.yaml (did you mean "traits"?)'
    ]


def test_ten_mistakes_get_ten_lines(tmp_path: Path) -> None:
    pack = write_pack(tmp_path)
    (pack / "tables.yaml").write_text(
        "tables:\n" + "".join(f"  t{n}:\n    title: T\n    dice: 1d6\n    rows: {{1-5: x}}\n" for n in range(10))
    )
    lines = problems_of(tmp_path, pack)
    assert len(lines) == 10
    assert lines[0] == "mist/tables.yaml:2:3: table t0: no row for 6" or lines[0].endswith("table t0: no row for 6")


def test_more_than_twenty_mistakes_are_counted(tmp_path: Path) -> None:
    pack = write_pack(tmp_path)
    (pack / "tables.yaml").write_text("tables:\n" + "".join(f"  t{n}: {{titel: T}}\n" for n in range(30)))
    assert problems_of(tmp_path, pack)[-1].startswith("and ")


def test_packs_that_extend_each_other_are_named_in_a_circle(tmp_path: Path) -> None:
    for name, parent in (("a", "b"), ("b", "a")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "system.yaml").write_text(f"id: {name}\nextends: {parent}\n")
    library = Library(find_packs([tmp_path]), lambda path: path.relative_to(tmp_path).as_posix())
    with pytest.raises(InputError, match="packs extend each other: b -> a -> b"):
        read_pack(tmp_path / "a", library)


def test_a_folder_without_a_pack_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: no pack here: there is no system.yaml in this folder"):
        open_pack(project_at(tmp_path, os.environ), "./empty")


def test_a_link_out_of_the_pack_is_not_followed(tmp_path: Path) -> None:
    pack = write_pack(tmp_path)
    secret = tmp_path / "secret.yaml"
    secret.write_text("tables: {}\n")
    (pack / "tables.yaml").unlink()
    (pack / "tables.yaml").symlink_to(secret)
    assert problems_of(tmp_path, pack) == ["mist/tables.yaml: is a link to a file outside the pack"]


def test_a_pipe_in_a_pack_does_not_hang(tmp_path: Path) -> None:
    pack = write_pack(tmp_path)
    (pack / "tables.yaml").unlink()
    os.mkfifo(pack / "tables.yaml")
    assert problems_of(tmp_path, pack) == ["mist/tables.yaml: is not a regular file"]


SKIN = """
id: mist2
extends: mist
title: {title}
traits: {{virtues: {{spells_title: MIST-7}}}}
skin:
  virtues:
    {first}: {{role: Hope}}
    {second}: {{role: {role}}}
"""


@pytest.mark.parametrize(
    ("title", "second", "role", "expected"),
    [
        ("GO", "Oath", "Hope", ["Hope has two names: Grace and Oath", "the skin gives no name to Wit"]),
        ("GO", "Wit", "Wit", ["the initials spell GW, not GO [MIST-7]"]),
    ],
)
def test_a_skin_names_each_role_once_and_spells_its_title(
    tmp_path: Path, title: str, second: str, role: str, expected: list[str]
) -> None:
    write_pack(tmp_path)
    (tmp_path / "skin").mkdir()
    text = SKIN.format(title=title, first="Grace", second=second, role=role)
    (tmp_path / "skin" / "system.yaml").write_text(text.lstrip())
    library = Library(find_packs([tmp_path]), lambda path: path.relative_to(tmp_path).as_posix())
    with pytest.raises(InputError) as caught:
        read_pack(tmp_path / "skin", library)
    for line in expected:
        assert line in str(caught.value)


def test_a_skin_spells_its_title_only_where_the_game_asks_for_it(tmp_path: Path) -> None:
    write_pack(tmp_path)
    (tmp_path / "skin").mkdir()
    text = SKIN.format(title="Fog", first="Grace", second="Oath", role="Wit")
    text = text.replace("spells_title: MIST-7", "hint: fog")
    (tmp_path / "skin" / "system.yaml").write_text(text.lstrip())
    library = Library(find_packs([tmp_path]), lambda path: path.relative_to(tmp_path).as_posix())
    assert [trait.name for trait in read_pack(tmp_path / "skin", library).all_traits()] == ["Grace", "Oath"]


def test_a_pack_that_extends_a_skin_has_a_title_of_its_own(tmp_path: Path) -> None:
    write_pack(tmp_path)
    for name in ("skin", "deeper"):
        (tmp_path / name).mkdir()
    text = SKIN.format(title="GO", first="Grace", second="Oath", role="Wit")
    (tmp_path / "skin" / "system.yaml").write_text(text.lstrip())
    (tmp_path / "deeper" / "system.yaml").write_text("id: deeper\nextends: skin\ntitle: Deeper and Deeper\n")
    library = Library(find_packs([tmp_path]), lambda path: path.relative_to(tmp_path).as_posix())
    system = read_pack(tmp_path / "deeper", library)
    assert (system.title, [trait.name for trait in system.all_traits()]) == ("Deeper and Deeper", ["Grace", "Oath"])
    assert system.lineage == ("skin", "mist")


def test_a_head_field_is_told_once_however_often_it_is_read(tmp_path: Path) -> None:
    write_pack(tmp_path)
    (tmp_path / "skin").mkdir()
    text = SKIN.format(title="[GO]", first="Grace", second="Oath", role="Wit")
    (tmp_path / "skin" / "system.yaml").write_text(text.lstrip())
    library = Library(find_packs([tmp_path]), lambda path: path.relative_to(tmp_path).as_posix())
    with pytest.raises(InputError) as caught:
        read_pack(tmp_path / "skin", library)
    assert str(caught.value) == "skin/system.yaml:3:8: title is a list, not a text (write a text)"


def test_our_packs_are_good(library: Library) -> None:
    for folder in library.packs.values():
        assert read_pack(folder, library).id == folder.name


@pytest.mark.parametrize(
    ("skin", "initials"),
    [("agents", "AGENTS"), ("fright", "FRIGHT"), ("heroic", "HEROIC"), ("spacer", "SPACER"), ("waster", "WASTER")],
)
def test_a_skin_renames_and_reorders_the_six_roles(library: Library, skin: str, initials: str) -> None:
    """GAM-Q3"""
    system = read_pack(library.packs[skin], library)
    attributes = system.group("attributes").members
    assert "".join(trait.name[0] for trait in attributes) == initials
    assert sorted(trait.role for trait in attributes) == sorted(
        ["Grit", "Awareness", "Mind", "Endurance", "Reflexes", "Strength"]
    )


def test_a_range_may_begin_below_zero(tmp_path: Path) -> None:
    write_pack(tmp_path, system=("range: 0-5", "range: -2-5"))
    (tmp_path / "mist" / "sheet.yaml").unlink()
    system = open_pack(project_at(tmp_path, os.environ), "./mist").system
    assert (system.groups[0].members[0].range.low, system.groups[0].members[0].range.high) == (-2, 5)
