"""Character files that break a rule: file, line, column and the rule's ID; and files that travel unharmed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Protocol

import pytest

from sheetgen.batch.sandbox import STANDARD, confined
from sheetgen.errors import InputError
from sheetgen.people.character_files import MOST, read_party
from sheetgen.workspace.project import Project

ROOT = Path(__file__).resolve().parents[2]


class Ran(Protocol):
    """How a run of the command line ended."""

    code: int
    err: str


def write_readme_pack(where: Path) -> None:
    """The pack `mist/` that README.md shows, file by file."""
    shown = re.search(r"```yaml\n(# mist/.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    for part in re.split(r"^# (?=mist/)", shown[1], flags=re.MULTILINE)[1:]:
        name, _, text = part.partition("\n")
        (where / name).parent.mkdir(exist_ok=True)
        (where / name).write_text(text, encoding="utf-8")


def problems_of(project: Project, text: str, name: str = "people.yaml") -> list[str]:
    """The lines that a character file gets."""
    path = project.where / name
    path.write_text(dedent(text).lstrip("\n") if text.strip() else text)
    with pytest.raises(InputError) as caught:
        read_party(project, path)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("attributes: {Strength: 19}", "3:24: Strength is 19 (write 0 to F, which is 0 to 15) [GAM-016]"),
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


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("people.yaml", 'system: gamers\nname: "A\\tB"\n', "2:7: name"),
        ("people.json", '{"system": "gamers", "name": "A\\tB"}\n', "1:30: name"),
        ("people.csv", 'system,name\ngamers,"A\tB"\n', "2:2: name"),
        ("people.yaml", 'system: gamers\nname: Ada\nlanguages: {"Low\\tOsk": 1}\n', "3:13: name under languages"),
    ],
)
def test_a_tab_has_no_place_in_a_field_of_one_line(project: Project, name: str, text: str, place: str) -> None:
    expected = f"{name}:{place} holds the control character U+0009, a tab (write a space)"
    assert expected in problems_of(project, text, name)


def test_a_note_may_be_laid_out_with_tabs(project: Project) -> None:
    path = project.where / "people.yaml"
    path.write_text('system: gamers\nname: Ada\nnotes: "rope\\t3 kg"\n')
    (ada,) = read_party(project, path).characters
    assert ada.text("notes") == "rope\t3 kg"


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
        (
            "system: gamer\nname: Ada\n",
            'people.yaml:1:9: unknown system "gamer" (did you mean "gamers"?); no such pack',
        ),
        ("# hm\nsystem: ./nowhere\n", 'people.yaml:2:9: system "./nowhere": no such folder'),
        ("system: .\n", 'people.yaml:1:9: system ".": no pack here'),
        (f"system: ./{'é' * 199}\n".replace("é", "\u20ac"), "people.yaml:1:9: system is 201 characters long"),
        (f"system: ./{'é' * 190}\n".replace("é", "\u20ac"), "people.yaml:1:9: system "),
        (f"system: {'é' * 190}\n".replace("é", "\u20ac"), "people.yaml:1:9: unknown system "),
        ("system: gamers\nformat: 2\nwings: 2\n", "people.yaml:2:9: this file is of format 2; this sheetgen reads"),
        ("system: gamers\nformat: x\nwings: 2\n", 'people.yaml:2:9: format is "x"'),
        ("system: gamers\ncharacters: []\n", "people.yaml:2:13: no characters here"),
        ("system: gamers\ncharacters:\n", "people.yaml:2:12: no characters here"),
        ("system: gamers\ncharacters: Ada\n", 'people.yaml:2:13: characters is "Ada", not a list'),
    ],
)
def test_a_file_must_say_what_it_is(project: Project, text: str, expected: str) -> None:
    (line,) = problems_of(project, text)
    assert line.startswith(expected)


def test_a_pack_that_is_at_fault_keeps_its_own_places(project: Project) -> None:
    (project.where / "mist").mkdir()
    (project.where / "mist" / "system.yaml").write_text("id: mist\ntitle: [Mist]\n")
    found = problems_of(project, "system: mist\nname: Ada\n")
    assert found[0].startswith("mist/system.yaml:")
    assert problems_of(project, "system: ./mist\nname: Ada\n") == found


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("skills: {Fire: 1.5}\nspecialties: {Fire: bows}", ["3:16: Fire is "]),
        ("skills: {Fier: 1}\nspecialties: {Fire: bows}", ['3:10: unknown name "Fier"']),
        ("skils: {Fire: 1}\nspecialties: {Fire: bows}", ['3:1: unknown key "skils"']),
        ("skills: Fire\nspecialties: {Fire: bows}", ['3:9: skills is "Fire", not a mapping']),
        ("features: {People: 99}\npeople: {Ines: 12, Bo: 9}", ["3:20: People is 99"]),
        ("features: {People: 4}\npeople: {Ines: 99, Bo: 3}", ["4:16: Ines is 99"]),
        ("features: {People: 4}\npeople: {Ines: x, Bo: 5}", ["4:9: people add up to at least 5", "4:16: Ines is "]),
        ("skills: {Languages: 1.5}\nlanguages: {Osk: 3}", ["3:21: Languages is "]),
        ("skills: {Languages: 1}\nlanguages: {Osk: 99}", ["4:18: Osk is 99"]),
        (
            "skills: {Fire: 0x10}",
            ['3:16: Fire is "0x10", not a plain whole number (write a whole number from 0 to 15)'],
        ),
        ("rolled: {}", ["3:9: rolled lacks method and seed and index"]),
    ],
)
def test_one_mistake_is_one_line(project: Project, lines: str, expected: list[str]) -> None:
    found = problems_of(project, f"system: gamers\nname: Ada\n{lines}\n")
    assert len(found) == len(expected), found
    for line, start in zip(found, expected, strict=True):
        assert line.startswith(f"people.yaml:{start}")


def test_a_name_is_one_line_and_a_story_may_have_several(project: Project) -> None:
    refused = problems_of(project, 'system: gamers\nname: "Ada\\nBo"\nnative: "Low\\nHigh"\n')
    assert refused == [
        "people.yaml:2:7: name has a line break (write it on one line)",
        "people.yaml:3:9: native has a line break (write it on one line)",
    ]
    path = project.where / "ada.yaml"
    path.write_text('system: gamers\nname: |\n  Ada\nhook: "One.\\nTwo."\n')
    (ada,) = read_party(project, path).characters
    assert (ada.text("name"), ada.text("hook")) == ("Ada", "One.\nTwo.")


def test_only_some_kinds_of_file_hold_characters(project: Project) -> None:
    assert problems_of(project, "", "people.txt") == [
        "people.txt: characters are read from .yaml, .yml, .json, .csv, .tsv, .xlsx, .ods files"
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
        "people.csv:2:3: Strength is 19 (write 0 to F, which is 0 to 15) [GAM-016]",
        "people.csv:2:5: people add up to 3, but People is 0 [GAM-Q9]",
        'people.csv:3:1: this row has 3 cells, the header 5: "gamers, Bo, 7" (mend its commas and quotes)',
    ]


HEADER = "system,name,attributes.Grit,gear,rolled"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: this CSV file is empty (its first row must name the columns: system, name and so on)"),
        ("\n\n", "1:1: this CSV file is empty (its first row must name the columns: system, name and so on)"),
        (
            f"{HEADER}\n\n",
            '1:1: no row below the header "system, name, attributes.Grit, gear, rolled" (write one for each character)',
        ),
        (
            "system|name\ngamers|Ada, the\n",
            '1:1: this header is a single column, "system|name" (part its columns by commas, semicolons or tabs, '
            "one of them named system)",
        ),
        (
            "name,gear\nAda,rope\n",
            '1:1: this table has no column "system" among "name, gear" (add one, with the name of the game in each '
            "row)",
        ),
        (
            "Sytem,name\ngamers,Ada\n",
            '1:1: this table has no column "system" among "Sytem, name" (call "Sytem" so)',
        ),
        ("a," * 1_000_000 + "\n", "1:1: has 1,000,000 columns; the most is 500 (delete those that hold no character)"),
        ("system,name\n,Ada\n", "2:1: this row names no system (write gamers or the like)"),
        ("system,name\ngamers,Ada\nmist,Bo\n", '3:1: unknown system "mist"'),
        ("system,name,gaer\ngamers,Ada,rope\n", '1:3: unknown column "gaer" (did you mean "gear"?)'),
        ("system,name,name\ngamers,Ada,Bo\n", '1:3: column "name" stands twice (keep one)'),
        (
            "system;name;gear\ngamers;Ada;rope\ngamers;Bo\n",
            '3:1: this row has 2 cells, the header 3: "gamers, Bo" (mend its semicolons and quotes)',
        ),
        (
            'system,name,gear\ngamers,Ada,rope\ngamers,"Bo,rope\ngamers,Cy,rope\n',
            '3:2: a quote opens here and is never closed: "gamers,"Bo,rope" (add " where the text ends)',
        ),
        (
            'system,name,gear\ngamers,"Bo,rope\ngamers,"Cy",rope\n',
            '2:2: text goes on after the closing quote, 1 line further down: "gamers,"Bo,rope" (write "" for a quote '
            "inside a cell)",
        ),
        (
            f"{HEADER}\ngamers,{'W' * 1_000_001},7,,\n",
            f'2:2: a cell has more than 1,000,000 characters: "gamers,{"W" * 41}…{"W" * 6},7,," (shorten it)',
        ),
        (
            f"{HEADER}\ngamers,Ada,7,,oops\n",
            '2:5: rolled is "oops", not a mapping (write "method: ..." and "seed: ..." ',
        ),
        (f'{HEADER}\ngamers,Ada,7,,"{{method: random, see"\n', "2:5: rolled: { is never closed (add })"),
        (f'{HEADER}\ngamers,Ada,7,,"{{method: random, sed: x}}"\n', '2:5: unknown key "sed" in rolled'),
        (f"{HEADER}\ngamers,Ada,7,,{{method: random}}\n", "2:5: rolled lacks seed and index"),
        ("system,name,people\ngamers,Ada,Ines\n", '2:3: people: "Ines" is no "name: value" (write one on each line'),
        ("system,name\ngamer,Ada\n", '2:1: unknown system "gamer" (did you mean "gamers"?)'),
    ],
    ids=lambda text: text[:30],
)
def test_a_csv_file_is_told_what_is_really_wrong_with_it(project: Project, text: str, expected: str) -> None:
    (line,) = problems_of(project, text, "people.csv")
    assert line.startswith(f"people.csv:{expected}")


@pytest.mark.parametrize("begin", ["", "\ufeff", "sep={0}\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_csv_file_may_part_its_columns_in_three_ways(project: Project, begin: str, delimiter: str) -> None:
    rows = ["system,name,attributes.Grit,gear,", 'gamers,"Ada, ""the; eye""",7,"rope\nlamp",', ",Bo,A,,", ",,,,"]
    text = begin.format(delimiter)
    text += "\n".join(re.sub(r",(?! )", delimiter, row) for row in rows)
    path = project.where / "people.csv"
    path.write_text(text + "\n", encoding="utf-8")
    ada, bo = read_party(project, path).characters
    assert ada.text("name") == 'Ada, "the; eye"'
    assert ada.lines("gear") == ("rope", "lamp")
    assert bo.numbers("attributes") == {"Grit": 10}


def test_a_cell_that_a_person_wrote_keeps_its_apostrophe(project: Project) -> None:
    path = project.where / "people.csv"
    path.write_text("system,name,gear\ngamers,'Ndrangheta Bo,'-5 degrees coat\n")
    (person,) = read_party(project, path).characters
    assert (person.text("name"), person.lines("gear")) == ("'Ndrangheta Bo", ("-5 degrees coat",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"system": "gamers",\n "name": "Ada",\n}', "2:15: JSON has no comma before } (delete it)"),
        ('{"system": "gamers",\n "gear": ["rope", ]}', "2:17: JSON has no comma before ] (delete it)"),
        ('{"system": "gamers",\n \'name\': "Ada"}', "2:2: JSON has no single quotes (write double ones)"),
        ('{"system": "gamers", # game\n "name": "Ada"}', "1:22: JSON has no comments"),
        ('{"system": gamers}', "1:12: this is no JSON (put the text in double quotes"),
        ("system: gamers\nname: Ada\n", "1:1: this is no JSON (put the text in double quotes"),
        ('{"system": "gamers"', "1:1: { is never closed (add })"),
    ],
)
def test_a_json_file_is_json(project: Project, text: str, expected: str) -> None:
    (line,) = problems_of(project, text, "people.json")
    assert line.startswith(f"people.json:{expected}")


def test_a_file_of_more_characters_than_fit_is_told_how_to_split(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (MOST.size, MOST.values) == (60_000_000, 1_250_000)
    monkeypatch.setattr("sheetgen.people.character_files.MOST", replace(MOST, size=9_000, values=1_000))
    told = "split it into files of fewer characters; `sheetgen sheet` takes several at once"
    (line,) = problems_of(project, "system: gamers\ncharacters: [" + "a," * 1_000 + "]")
    assert line.endswith(f"more than 1,000 values in one file ({told})")
    (line,) = problems_of(project, "system,name\n" + "gamers,Ada\n" * 1_000, "people.csv")
    assert line == f"people.csv: has 11,012 bytes; the most is 9,000 ({told})"


def test_a_file_of_more_than_half_a_million_values_is_read(project: Project) -> None:
    one = "- {name: Ada, gear: [" + "rope, " * 199 + "rope]}\n"
    path = project.where / "people.yaml"
    path.write_text("system: gamers\ncharacters:\n" + one * 2_500)
    assert len(read_party(project, path).characters) == 2_500


def test_the_pack_of_the_readme_rolls_prints_and_prints_again(
    project: Project, sheetgen: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    patient = partial(confined, limits=replace(STANDARD, wall_s=120))  # this test is no race
    monkeypatch.setattr("sheetgen.workspace.packs.confined", patient)
    write_readme_pack(project.where)
    rolled = sheetgen("npc", "./mist", "-n", "3")
    assert (rolled.code, rolled.err) == (0, "")
    assert (project.where / "output" / "mist-npcs.yaml").read_text().count("system: mist") == 1
    again = sheetgen("sheet", "output/mist-npcs.yaml")
    assert (again.code, again.err) == (0, "")
    monkeypatch.chdir(project.where / "output")
    assert sheetgen("check", "./mist-npcs.yaml").code == 0


def test_a_folder_of_that_name_must_be_a_pack_of_that_name(project: Project) -> None:
    write_readme_pack(project.where)
    (project.where / "mist").rename(project.where / "fog")
    (project.where / "files").mkdir()
    (line,) = problems_of(project, "system: fog\nname: Ada\n", "files/people.yaml")
    assert line.startswith('files/people.yaml:1:9: unknown system "fog"')
    assert line.endswith('; fog is of system "mist"; no such pack in fog, files/fog (or write the path of its folder)')


def test_one_character_may_stand_alone_in_a_file(project: Project) -> None:
    path = Path(project.where / "ada.yaml")
    path.write_text("system: gamers\nname: Łucja Ωμέγα\nattributes: {Grit: A, Mind: 10}\n")
    (ada,) = read_party(project, path).characters
    assert ada.numbers("attributes") == {"Grit": 10, "Mind": 10}
