"""Characters as parameters: what a pack's `uses:` take from a character, by the pack and by its engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sheetgen.errors import UsageError
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.parameter_binding import parameters_from, person_named
from sheetgen.rules.registry import Engine, engine_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import project_at

ADA = Character(
    "gamers",
    {
        "name": "Ada",
        "attributes": {"Awareness": 5, "Endurance": 6, "Strength": 7, "Reflexes": 11},
        "skills": {"Fire": 2, "Melee": 1},
        "gear": ("shortbow", "club", "leather jerkin"),
    },
)


@pytest.mark.parametrize(
    ("what", "filled"),
    [
        ("shortbow", {"attacker.skill": 2, "size": "medium", "injury_attributes": [7, 11]}),
        ("Melee", {"attacker.skill": 1, "size": "small", "injury_attributes": [7]}),
        ("Brawling", {"attacker.skill": 0, "size": "small", "injury_attributes": [7]}),
        ("musket", {"attacker.skill": 2, "size": "large", "injury_attributes": [11]}),
    ],
)
def test_an_attacker_uses_a_weapon_a_skill_or_bare_hands(
    gamers: System, what: str, filled: Mapping[str, object]
) -> None:
    """GAM-213: held and thrown weapons add Strength, bows Strength and Reflexes, firearms Reflexes."""
    found = parameters_from(gamers, "attack", "attacker", ADA, what)
    assert found == {"kind": "physical", "attacker.name": "Ada", "attacker.attribute": 11, **filled}


def test_a_defender_wears_the_armour_it_owns(gamers: System) -> None:
    found = parameters_from(gamers, "attack", "defender", ADA, "Melee")
    assert found["armour"] == [{"coverage": 8, "rating": 2}]
    assert found["levels"] == {"Endurance": 6, "Strength": 7, "Reflexes": 11}


def test_what_the_engine_gives_of_somebody_is_worked_out_once_for_all_parameters(
    gamers: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, asked = engine_of(gamers), list[str]()
    parameters = engine.parameters

    def counted(system: System, character: Character, what: str) -> Mapping[str, object]:
        asked.append(what)
        return parameters(system, character, what)

    monkeypatch.setattr(engine, "parameters", counted)
    assert len(parameters_from(gamers, "attack", "attacker", ADA, "Melee")) > 1
    assert asked == ["Melee"]


def test_an_engine_made_for_the_first_version_may_still_call_its_parameters_told(gamers: System) -> None:
    engine = Engine()
    engine.told = lambda system, character, what: {"name": what}
    assert engine.parameters(gamers, ADA, "Melee") == {"name": "Melee"}


def test_somebody_fights_with_the_weapon_wielded_best(gamers: System) -> None:
    best = engine_of(gamers).best_weapon
    assert best(gamers, ADA) == "shortbow"
    assert best(gamers, replace(ADA, values={"skills": {"Melee": 2}})) == "Brawling"


@pytest.mark.parametrize(
    ("source", "what", "message"),
    [
        ("skills.{with}", "", "attacker: say with which skill or weapon, such as with=Melee"),
        ("skills.{with}", "shortbo", 'attacker: no skill or weapon is called "shortbo" (did you mean "shortbow"?)'),
        ("weapon.colour", "Fire", 'attacker: the pack\'s uses name "weapon.colour", which nothing fills in'),
        ("told.colour", "Fire", 'attacker: the pack\'s uses name "told.colour", which nothing fills in'),
    ],
)
def test_what_nothing_fills_in_is_refused(gamers: System, source: str, what: str, message: str) -> None:
    system = replace(gamers, uses={"attack": {"attacker": {"x": source}}})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match=re.escape(message)):
        parameters_from(system, "attack", "attacker", ADA, what)


STEPS = """
id: mist
title: Mist
credit: Mist, by somebody
licence: CC0
traits:
  dice: {title: Dice, notation: words, words: ladder, range: 1-3, members: {Grit: {}, Grace: {}}}
  arms: {title: Arms, notation: code, range: 1d-6d, members: {Sword: {}}}
  body: {title: Body, range: 0-20, members: {Hits: {}}}
values: {ladder: {d4: {}, d6: {}, d8: {}}, pips: {die: 3}, beat: 4}
play:
  test: {family: step dice, ladder: [d4, d6, d8]}
  throw: {family: die codes}
  fight: {family: fight, roll: test, own: [die], other: [target], hit: success}
uses:
  test: {who: {die: 'dice.{with}', target: beat}}
  throw: {who: {code: 'arms.{with}', target: 7}}
  fight:
    a: {a.hits: body.Hits, a.die: dice.Grit, a.target: 3}
    b: {b.hits: body.Hits, b.die: dice.Grit, b.target: 3}
"""
SHEET = (
    "character: {name: {is: text, title: Name}, dice: {is: levels, title: Dice}, arms: {is: levels, title: Arms}, "
    "body: {is: levels, title: Body}}\n"
)
TWO = """
system: ./mist
characters:
- {name: Ada, dice: {Grit: d8, Grace: d4}, arms: {Sword: 2d+1}, body: {Hits: 3}}
- {name: Bo, dice: {Grit: d4, Grace: d6}, arms: {Sword: 3d}, body: {Hits: 2}}
"""


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    """A game whose traits are dice and codes, and two people of it."""
    (tmp_path / "mist").mkdir()
    (tmp_path / "mist" / "system.yaml").write_text(STEPS.lstrip())
    (tmp_path / "mist" / "sheet.yaml").write_text(SHEET)
    (tmp_path / "two.yaml").write_text(TWO.lstrip())
    return tmp_path / "mist" / "system.yaml"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["test", "who=@two.yaml:Ada", "with=Grit", "--dice", "5"], "d8: 5 = 5, against 4: success by 1"),
        (["throw", "who=@two.yaml:Ada", "with=Sword", "--dice", "3,4"], "against 7: success by 1"),
        (["fight", "a=@two.yaml:Ada", "b=@two.yaml:Bo", "--dice", "3,6"], "d8: 3 = 3, against 3: success by 0"),
    ],
)
def test_a_trait_that_is_a_die_or_a_code_is_rolled_as_it_is_written(
    steps: Path, sheetgen: Callable[..., Any], words: list[str], told: str
) -> None:
    ran = sheetgen("play", "./mist", *words)
    assert (ran.err, ran.code) == ("", 0)
    assert told in ran.out


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("target: beat", "target: baet", 'nothing fills in "baet" (did you mean "beat"?)'),
        ("a.die: dice.Grit", "a.dei: dice.Grit", 'uses: fight takes no "a.dei" (did you mean "a.die"?)'),
        ("b.die: dice.Grit", "b.die: dice.Girt", 'dice has no trait "Girt" (did you mean "Grit"?)'),
        ("b.hits: body.Hits", "b.hits: arms.Hits", 'fight: arms has no trait "Hits" (did you mean "body.Hits"?)'),
        ("  throw: {who", "  thorw: {who", 'uses: no procedure is called "thorw" (did you mean "throw"?)'),
    ],
)
def test_check_tells_what_no_character_can_fill_in(
    steps: Path, sheetgen: Callable[..., Any], right: str, wrong: str, told: str
) -> None:
    steps.write_text(steps.read_text().replace(right, wrong))
    ran = sheetgen("check", "./mist")
    assert told in ran.err
    assert ran.code == 1


DOCS = Path(__file__).parents[2] / "docs" / "mechanics.md"
HEAD = "id: mist\ntitle: Mist\ncredit: Mist, by somebody\nlicence: CC0\n"
CREW = "system: ./mist\ncharacters:\n- {name: Ada, dice: {Grit: d8}}\n"


def test_the_example_of_the_manual_is_played(tmp_path: Path, sheetgen: Callable[..., Any]) -> None:
    section = DOCS.read_text().partition("## What a character fills in")[2]
    found = re.findall(r"```(?:yaml)?\n(.*?)```", section, re.DOTALL)
    (tmp_path / "mist").mkdir()
    (tmp_path / "mist" / "system.yaml").write_text(HEAD + found[0])
    (tmp_path / "mist" / "sheet.yaml").write_text(
        "character: {name: {is: text, title: Name}, dice: {is: levels, title: Dice}}\n"
    )
    (tmp_path / "crew.yaml").write_text(CREW)
    ran = sheetgen(*found[1].split()[2:], "--dice", "7")
    assert "d8: 7 = 7, against 4: success by 3" in ran.out


GANG = "system: gamers\ncharacters: [{name: Boss Old Marn}, {name: 'Outlaw 1, Bo'}, {name: Outlaw 2 Ada Marsh},"
GANG += " {name: 'Orrin Pardoe, guard 2'}]\n"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Boss Old Marn", "Boss Old Marn"),
        ("Old Marn", "Boss Old Marn"),
        ("bo", "Outlaw 1, Bo"),
        ("Ada", "Outlaw 2 Ada Marsh"),
        ("Orrin", "Orrin Pardoe, guard 2"),
        ("orrin pardoe, guard 2", "Orrin Pardoe, guard 2"),
    ],
)
def test_somebody_of_a_file_is_found_by_the_words_of_the_name(tmp_path: Path, said: str, name: str) -> None:
    (tmp_path / "gang.yaml").write_text(GANG)
    project = project_at(tmp_path, {})
    pack = open_pack(project, "gamers")
    assert person_named(project, pack, f"gang.yaml:{said}", "attacker").text("name") == name
    with pytest.raises(UsageError, match=r"\(it may be Outlaw 1, Bo, Outlaw 2 Ada Marsh\)"):
        person_named(project, pack, "gang.yaml:Outlaw", "attacker")


SHORT = """id: mist
title: Mist
credit: by us
licence: free
traits:
  abilities:
    title: Abilities
    range: 1-20
    members: {Strength: {short: STR}, Dexterity: {short: DEX}, Stealth: {short: ST}, Stamina: {short: ST}}
play: {save: {family: roll under, dice: 1d20}}
uses: {save: {who: {target: 'abilities.{with}'}}}
"""


@pytest.fixture
def mist(tmp_path: Path) -> Callable[[str], None]:
    """A game whose traits have short names, and a file of one person with these abilities."""
    (tmp_path / "mist").mkdir()
    (tmp_path / "mist" / "system.yaml").write_text(SHORT)
    (tmp_path / "mist" / "creation.yaml").write_text(
        "steps: {all: {do: roll each, group: abilities, dice: 1d20}}\nmethods: {random: {steps: [all]}}\n"
    )
    (tmp_path / "mist" / "sheet.yaml").write_text(
        "character: {name: {is: text, title: Name}, abilities: {is: levels, title: Abilities}}\n"
    )

    def write(abilities: str) -> None:
        (tmp_path / "ada.yaml").write_text(f"system: ./mist\nname: Ada\nabilities: {{{abilities}}}\n")

    return write


def test_a_short_name_stands_for_a_long_one_in_files_and_at_the_table(
    mist: Callable[[str], None], sheetgen: Callable[..., Any]
) -> None:
    mist("STR: 12, dex: 9, Stealth: 3, Stamina: 4")
    assert sheetgen("check", "ada.yaml").code == 0
    assert sheetgen("sheet", "ada.yaml", "-o", "ada-2.yaml").code == 0
    assert "Strength: 12" in Path("ada-2.yaml").read_text()
    for word in ("STR", "str", "Strength"):
        played = sheetgen("play", "./mist", "save", "who=@ada.yaml:Ada", f"with={word}", "--dice", "11")
        assert "against 12 or less: success" in played.out


def test_a_short_name_of_two_traits_is_told(mist: Callable[[str], None], sheetgen: Callable[..., Any]) -> None:
    mist("STR: 12, DEX: 9, ST: 3")
    told = sheetgen("check", "ada.yaml").err
    assert told.startswith('ada.yaml:3:30: "ST" under abilities may be Stealth or Stamina (write which)')
    mist("STR: 12, Strength: 9, DEX: 9, Stealth: 3, Stamina: 4")
    assert "ada.yaml:3:22: Strength stands twice under abilities" in sheetgen("check", "ada.yaml").err
    mist("STR: 12, DEX: 9, Stealth: 3, Stamina: 4")
    told = sheetgen("play", "./mist", "save", "who=@ada.yaml:Ada", "with=ST", "--dice", "11").err
    assert 'who: "ST" may be Stealth or Stamina: say which' in told
