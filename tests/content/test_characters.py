"""Character files that break a rule: file, line, column and the rule's ID; and files that travel unharmed."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from sheetgen.errors import InputError
from sheetgen.recipes.characters import read_party
from sheetgen.recipes.project import Project


def problems_of(project: Project, text: str, name: str = "people.yaml") -> list[str]:
    """The lines that a character file gets."""
    path = project.where / name
    path.write_text(dedent(text).lstrip())
    with pytest.raises(InputError) as caught:
        read_party(project, path)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("attributes: {Strength: 19}", "3:24: Strength is 19 (write a whole number from 0 to 15) [GAM-016]"),
        ("attributes: {Strength: G}", '3:24: Strength is "G"'),
        ("skills: {Sword: 2}", '3:10: unknown name "Sword" under skills'),
        ("skills: {Mele: 2}", '3:10: unknown name "Mele" under skills (did you mean "Melee"?)'),
        ("specialties: {Fire: bows}", "3:15: Fire is below 1, so it cannot hold an entry under specialties [GAM-101]"),
        ("people: {Ines: 3}", "3:9: people add up to 3, but People is 0 [GAM-Q9]"),
        ("languages: {Osk: 1}", "3:12: languages add up to 1, but Languages is at 0 [GAM-096]"),
        ("gear: a rope", '3:7: gear is "a rope", not a list'),
        ("atributes: {Grit: 7}", '3:1: unknown key "atributes" in character (did you mean "attributes"?)'),
        ("hook: [a, b]", "3:7: hook is a list"),
        ("rolled: {method: random, seed: x, index: 1}", '3:32: seed is "x"'),
    ],
)
def test_an_illegal_value_gets_its_place_and_the_rule(project: Project, line: str, expected: str) -> None:
    found = problems_of(project, f"system: gamers\nname: Ada\n{line}\n")
    assert len(found) == 1
    assert found[0].startswith(f"people.yaml:{expected}")


def test_two_specialties_on_one_trait_break_the_rule_however_they_are_written(project: Project) -> None:
    twice = """
        system: gamers
        name: Ada
        skills: {Fire: 1}
        specialties:
          Fire: bows
          Fire: guns
    """
    assert problems_of(project, twice) == [
        "people.yaml:6:3: Fire stands twice under specialties (first on line 5) [GAM-101]"
    ]
    listed = "system: gamers\nname: Ada\nskills: {Fire: 1}\nspecialties: {Fire: [bows, guns]}\n"
    assert problems_of(project, listed) == ["people.yaml:4:21: Fire has 2 specialties, but a trait holds one [GAM-101]"]


def test_a_file_that_is_wrong_in_ten_places_gets_ten_lines(project: Project) -> None:
    found = problems_of(
        project,
        """
        system: gamers
        characters:
        - name: Ada
          attributes: {Grit: 99, Mimd: 4}
          skills: {Melee: -1, Fire: 1.5}
          gear: rope
        - name: Bo
          nmae: Bo
          attributes: {Strength: 19}
          specialties: {Melee: sabre}
          people: {Ines: 2}
          rolled: {method: random, seed: 1, index: 0}
        """,
    )
    assert len(found) == 10
    assert found == sorted(found, key=lambda line: int(line.split(":")[1]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "name: Ada\n",
            "people.yaml:1:1: this is not a character file: it must begin with `system: gamers` or the like",
        ),
        ("system: gamer\nname: Ada\n", 'people.yaml: unknown system "gamer" (did you mean "gamers"?)'),
        ("system: gamers\ncharacters: []\n", "people.yaml:1:1: no characters here"),
    ],
)
def test_a_file_must_say_what_it_is(project: Project, text: str, expected: str) -> None:
    assert problems_of(project, text)[0].startswith(expected)


def test_only_some_kinds_of_file_hold_characters(project: Project) -> None:
    assert problems_of(project, "", "people.txt") == [
        "people.txt: characters are read from .yaml, .yml, .json, .csv files"
    ]


def test_a_misspelt_path_gets_the_nearest_name(project: Project) -> None:
    (project.where / "people.yaml").write_text("")
    with pytest.raises(InputError, match=r'peple.yaml: no such file \(did you mean "people.yaml"\?\)'):
        read_party(project, project.where / "peple.yaml")


def test_a_csv_row_is_checked_like_any_character(project: Project) -> None:
    found = problems_of(
        project,
        """
        system,name,attributes.Strength,skills.Melee,people
        gamers,Ada,19,2,Ines: 3
        gamers,Bo,7
        """,
        "people.csv",
    )
    assert found == [
        "people.csv:2:3: Strength is 19 (write a whole number from 0 to 15) [GAM-016]",
        "people.csv:2:5: people add up to 3, but People is 0 [GAM-Q9]",
        "people.csv:3:1: this row has 3 cells, the header 5: gamers, Bo, 7 …",
    ]


def test_one_character_may_stand_alone_in_a_file(project: Project) -> None:
    path = Path(project.where / "ada.yaml")
    path.write_text("system: gamers\nname: Łucja Ωμέγα\nattributes: {Grit: A, Mind: 10}\n")
    (ada,) = read_party(project, path).characters
    assert ada.numbers("attributes") == {"Grit": 10, "Mind": 10}
