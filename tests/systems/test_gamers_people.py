"""The people that GAMERS rolls: trades and gear of their own age, honest prices, a log that reads, tables that end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

import pytest

from sheetgen.errors import InputError, LimitError
from sheetgen.model.cast import fits
from sheetgen.model.character import Character, Value
from sheetgen.model.data import Word
from sheetgen.model.scale import HEX_DIGITS
from sheetgen.model.system import System, TableRow
from sheetgen.rules.creation.skills import AptSpecialties
from sheetgen.rules.creation.steps import rising_cost
from sheetgen.rules.engine_check import check_steps
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.systems.gamers.figures import figures
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

AGES = range(13)


def roller(system: System, *, archetype: str = "", **options: str) -> Roller:
    return Roller(system, plan_of(system, archetype=archetype, options=options), seed=7)


def of_the_age(system: System, person: Character, tech: int) -> bool:
    trade = system.cast.occupations[person.text("occupation")]
    return all(tech in allowed for trait, allowed in trade.fits if trait == "Tech")


@pytest.mark.parametrize("tech", AGES)
def test_every_archetype_has_a_trade_of_its_age(gamers: System, tech: int) -> None:
    """No systems programmers among people with no tools at all."""
    for archetype in gamers.cast.archetypes:
        made = roller(gamers, archetype=archetype, tech=HEX_DIGITS[tech])
        for person in made.roll_all(range(1, 6)):
            assert of_the_age(gamers, person, tech), (archetype, person.text("occupation"))


def test_an_archetype_whose_trades_all_miss_the_world_takes_one_that_does_not(gamers: System) -> None:
    modern = replace(gamers.cast.archetypes["engineer"], occupations=("systems programmer", "railway engineer"))
    system = replace(gamers, cast=replace(gamers.cast, archetypes={"engineer": modern}))
    person = roller(system, archetype="engineer", tech="4").roll(1)
    trade = system.cast.occupations[person.text("occupation")]
    assert of_the_age(system, person, 4)
    assert set(trade.skills) & set(person.numbers("skills"))


def test_the_nearest_trade_is_the_one_whose_range_is_least_far_away(gamers: System) -> None:
    """With no trade for the stone age at hand, steam is nearer to it than electronics."""
    names = ("systems programmer", "railway engineer")
    trades = {name: gamers.cast.occupations[name] for name in names}
    engineer = replace(gamers.cast.archetypes["engineer"], occupations=names)
    system = replace(gamers, cast=replace(gamers.cast, archetypes={"engineer": engineer}, occupations=trades))
    made = roller(system, archetype="engineer", tech="2")
    assert {each.text("occupation") for each in made.roll_all(range(1, 30))} == {"railway engineer"}


@pytest.mark.parametrize("tech", [1, 2])
def test_every_skill_brings_gear_and_familiar_things_before_metal(gamers: System, tech: int) -> None:
    levels = {"Tech": tech}
    for role, kept in gamers.cast.gear.items():
        assert sum(fits(phrase.fits, levels) for phrase in kept.basic) >= 3, role
        assert sum(fits(phrase.fits, levels) for phrase in kept.advanced) >= 2, role
    for role, phrases in gamers.cast.familiarities.items():
        assert sum(fits(phrase.fits, levels) for phrase in phrases) >= 8, role


def test_people_have_four_to_seven_things_along_however_much_they_can(gamers: System) -> None:
    """A list of fifteen is read by nobody, and leaves a card no room for what somebody wants."""
    things = [len(person.lines("gear")) for person in roller(gamers).roll_all(range(1, 301))]
    assert min(things) >= 4
    assert max(things) <= 7


def test_weapons_and_their_gear_are_of_the_same_age(gamers: System) -> None:
    """A weapon in a list of gear can be carried in the ages in which it is made, and in no other."""
    cast, listed = gamers.cast, 0
    for kept in cast.gear.values():
        for phrase in (*kept.basic, *kept.advanced):
            weapon = cast.items["weapons"].get(phrase.say)
            if weapon is not None:
                listed += 1
                assert phrase.fits == weapon.fits, phrase.say
    assert listed >= len(cast.items["weapons"])


def armed(
    *gear: str, skills: Mapping[str, int], special: str = "", familiar: Mapping[str, tuple[str, ...]] | None = None
) -> Character:
    values: dict[str, Value] = {"attributes": {"Strength": 7, "Reflexes": 7}, "skills": skills, "gear": gear}
    if special:
        values["specialties"] = {"Melee": special}
    if familiar:
        values["familiarities"] = familiar
    return Character("gamers", values)


@pytest.mark.parametrize(
    ("skill", "special", "familiar", "roll"),
    [
        (2, "", {}, "2d6+2"),
        (2, "long sword", {}, "2d6+3"),
        (2, "sword", {"Melee": ("mace",)}, "2d6+3"),
        (2, "fencing", {}, "2d6+2"),
        (2, "Long sword, two-handed", {}, "2d6+3"),
        (15, "long sword", {}, "2d6+15"),
        (2, "", {"Melee": ("long sword", "mace")}, "2d6+2"),
        (2, "", {"Melee": ("mace",)}, "2d6−1"),
        (3, "", {"Melee": ("mace",)}, "2d6"),
        (4, "mace", {"Melee": ("mace",)}, "2d6+1"),
        (0, "", {}, "2d6−3"),
        (0, "", {"Melee": ("long sword",)}, "2d6"),
    ],
)
def test_what_a_weapon_adds_to_the_roll(
    gamers: System, skill: int, special: str, familiar: Mapping[str, tuple[str, ...]], roll: str
) -> None:
    """GAM-100: one level higher in a specialty, never past F; GAM-071 and GAM-105: −3 with what is not familiar."""
    person = armed("long sword", skills={"Melee": skill} if skill else {}, special=special, familiar=familiar)
    assert figures(gamers, person)["arms.1.roll"] == roll


def test_a_specialty_counts_with_the_weapons_that_the_pack_says_it_names(gamers: System) -> None:
    """GAM-100: Guda Steyn, Fire 1 and bows, shoots her shortbow one level better."""
    guda = Roller(gamers, plan_of(gamers, options={"tech": "4"}), seed=3).roll(255)
    assert (guda.text("name"), guda.numbers("skills")["Fire"]) == ("Guda Steyn", 1)
    assert (guda.notes("specialties")["Fire"], "shortbow" in guda.lines("gear")) == ("bows", True)
    found = figures(gamers, guda)
    assert (found["arms.1.name"], found["arms.1.roll"]) == ("Shortbow", "2d6+2")


@pytest.mark.parametrize(
    ("special", "weapon", "bonus"),
    [
        ("bows", "longbow", 1),
        ("bows", "light crossbow", 0),
        ("crossbow", "light crossbow", 1),
        ("machine guns", "submachine gun", 1),
        ("machine gun", "submachine gun", 0),
        ("hunting rifle", "bolt-action rifle", 1),
        ("hunting rifle", "sniper rifle", 0),
        ("recoilless arms", "recoilless carbine", 1),
        ("bow", "shortbow", 0),
        ("my old longbow", "longbow", 1),
    ],
)
def test_which_weapons_a_specialty_names(gamers: System, special: str, weapon: str, bonus: int) -> None:
    """Words of a player's own count as whole words: a `bow` is no shortbow unless the pack says so."""
    values: dict[str, Value] = {"skills": {"Fire": 2}, "gear": (weapon,), "specialties": {"Fire": special}}
    assert figures(gamers, Character("gamers", values))["arms.1.roll"] == f"2d6+{2 + bonus}"


def test_bare_hands_are_never_unfamiliar(gamers: System) -> None:
    """GAM-Q21"""
    assert figures(gamers, armed(skills={"Fire": 1}))["arms.1.roll"] == "2d6"


def test_what_is_handled_best_comes_first(gamers: System) -> None:
    person = armed("musket", "mace", skills={"Fire": 1, "Melee": 1}, special="mace")
    found = figures(gamers, person)
    assert (found["arms.1.name"], found["arms.2.name"]) == ("Mace", "Musket")


def test_rolled_people_are_familiar_with_the_weapons_they_own(gamers: System) -> None:
    checked = 0
    for archetype in ("soldier", "guard", "outlaw", "brute"):
        made = roller(gamers, archetype=archetype)
        for person in made.roll_all(range(1, 101)):
            levels, known = person.numbers("skills"), person.lists("familiarities")
            for thing in person.lines("gear"):
                weapon = gamers.cast.items["weapons"].get(thing)
                if weapon is not None and levels.get(weapon.text("skill"), 0):
                    checked += 1
                    assert thing in known[weapon.text("skill")], (person.text("name"), thing)
    assert checked > 200


@pytest.mark.parametrize(
    ("trade", "skill", "special"),
    [
        ("locksmith", "Technician", "locks"),
        ("midwife", "Physician", "childbirth"),
        ("shipwright", "Engineering", "ships’ hulls"),
        ("mountain guide", "Climbing", "leading others"),
        ("printer", "Technician", "setting type"),
        ("lute maker", "Handicrafts", "musical strings"),
        ("historian", "Liberal Arts", "history"),
        ("dairy farmer", "Veterinary", "cattle"),
    ],
)
def test_a_tool_of_the_trade_says_what_its_people_are_best_at(
    gamers: System, trade: str, skill: str, special: str
) -> None:
    """No locksmith who is best at printing presses, and no midwife at post-mortems."""
    own = gamers.cast.occupations[trade]
    assert own.skills[0] == skill
    known = AptSpecialties(gamers.cast.specialties, gamers.cast.tags)
    assert tuple(known.phrases(skill, {"Tech": 6}, own.gear)) == (special,)


@pytest.mark.parametrize(
    ("ers", "load"),
    [
        ((4, 6, 8), "8 / 16 / 24 kg"),
        ((2, 6, 8), "8 / 16 / — kg"),
        ((4, 1, 8), "8 / — / — kg"),
        ((9, 9, 2), "2 / 4 / — kg"),
        ((4, 6, 0), "0 / — / — kg"),
    ],
)
def test_a_load_that_cannot_be_carried_is_a_dash(gamers: System, ers: tuple[int, int, int], load: str) -> None:
    """GAM-Q66: a load that would bring Endurance, Reflexes or Strength to 0 cannot be carried."""
    attributes = dict(zip(("Endurance", "Reflexes", "Strength"), ers, strict=True))
    assert figures(gamers, Character("gamers", {"attributes": attributes}))["load"] == load


def with_room(system: System, letters: int) -> System:
    """The game with another number of letters for the list of familiar things."""
    step = system.creation.steps["familiarities"]
    narrow = replace(step, params={**step.params, Word("room", step.place): Word(str(letters), step.place)})
    steps = {**system.creation.steps, "familiarities": narrow}
    return replace(system, creation=replace(system.creation, steps=steps))


def test_a_long_list_of_familiar_things_takes_shorter_names(gamers: System) -> None:
    """Three things a level whatever the room (GAM-103), and owned weapons are not swapped for others."""
    wide, narrow = (roller(with_room(gamers, letters), archetype="soldier") for letters in (9999, 1))
    for index in range(1, 101):
        free, short = (made.roll(index).lists("familiarities") for made in (wide, narrow))
        assert {name: len(things) for name, things in free.items()} == {
            name: len(set(things)) for name, things in short.items()
        }
        assert letters_of(short) < letters_of(free)
        owned = set(wide.roll(index).lines("gear")) & set(gamers.cast.items["weapons"])
        assert owned.intersection(chain(*free.values())) <= owned.intersection(chain(*short.values()))


def letters_of(listed: Mapping[str, tuple[str, ...]]) -> int:
    return sum(map(len, chain(*listed.values())))


def test_three_foreign_tongues_are_the_most_and_further_levels_deepen_them(gamers: System) -> None:
    """Everybody here learns nothing but languages."""
    made = roller(with_table(gamers, {0: "Languages"}))
    for person in made.roll_all(range(1, 201)):
        spoken = person.numbers("languages")
        assert len(spoken) <= 3
        assert sum(spoken.values()) == person.numbers("skills")["Languages"]
    assert len({len(each.numbers("languages")) for each in made.roll_all(range(1, 201))}) == 3


def test_where_only_one_tongue_is_spoken_it_is_learned_better(gamers: System) -> None:
    """GAM-Q19: levels may go to the native language too."""
    alone = replace(gamers, cast=replace(gamers.cast, languages=("Osk",)))
    person = roller(with_table(alone, {0: "Languages"})).roll(1)
    assert person.numbers("languages") == {"Osk": person.numbers("skills")["Languages"]}


def test_what_everybody_speaks_is_a_floor_and_stands_behind_their_own(project: Project) -> None:
    """The list of AGENTS had “Speaks English 1” below a rule by which everybody has it at 2."""
    game = open_pack(project, "agents").system
    levels: dict[str, Value] = {"Education": 9}

    def spoken(native: str, **learned: int) -> str:
        person = {"attributes": levels, "native": native, "languages": dict(learned)}
        return figures(game, Character("agents", person))["languages"]

    assert spoken("German") == "German 3 · English 2"
    assert spoken("German", Turkish=1, English=1) == "German 3 · Turkish 1 · English 2"
    assert spoken("English", Turkish=1, English=1) == "English 4 · Turkish 1"


@pytest.mark.parametrize("archetype", ["", "scholar", "merchant", "spy", "sailor"])
def test_bought_skills_cost_what_was_spent_with_each_language_priced_by_itself(gamers: System, archetype: str) -> None:
    """GAM-Q19: each language is a skill of its own, so levels of Languages all go to one."""
    made, deep = roller(gamers, archetype=archetype, skills="bought"), 0
    for person in made.roll_all(range(1, 201)):
        others = [level for name, level in person.numbers("skills").items() if name != "Languages"]
        tongues = person.numbers("languages").values()
        deep += any(level > 1 for level in tongues)
        assert sum(map(rising_cost, chain(others, tongues))) == 15
    assert deep


def test_the_log_tells_what_two_dice_read_on_the_skill_table(gamers: System) -> None:
    """GAM-Q16: tens first."""
    made, lines = roller(gamers), list[str]()
    for index in range(1, 60):
        lines += [line.strip() for line in made.explain(index)[1] if line.startswith("  skill table")]
    table = gamers.tables["skills"]
    for line in lines:
        tens, units, number, read = re.match(r"skill table: (\d), (\d) -> (\d\d) (.+)", line).groups()  # type: ignore[union-attr]
        assert number == tens + units
        assert read.startswith(table.row(int(number))["is"])
    assert any(re.fullmatch(r"skill table: 6, 5 -> 65 GM choice: .+, now \d", line) for line in lines)
    assert "skill table: 6, 6 -> 66 roll twice" in lines


@pytest.mark.parametrize("options", [{}, {"tech": "0"}, {"features": "none"}])
def test_every_heading_of_the_log_has_something_below_it(gamers: System, options: Mapping[str, str]) -> None:
    made = roller(gamers, **options)
    for index in range(1, 40):
        person, log = made.explain(index)
        for line, following in zip(log, (*log[1:], ""), strict=True):
            featureless = line.startswith("Features") and options.get("features") == "none"
            assert line.startswith("  ") or following.startswith("  ") or featureless, line
        for name in ("name", "occupation", "manner", "hook"):
            assert f"  {name}: {person.text(name)}" in log


def with_table(system: System, entries: Mapping[int, str]) -> System:
    """The game with other entries in its skill table; 0 stands for every row."""
    table = system.tables["skills"]
    rows = [
        TableRow(row.span, {"is": entries.get(row.span.low, entries.get(0, row.columns["is"]))}) for row in table.rows
    ]
    return replace(system, tables={**system.tables, "skills": replace(table, rows=tuple(rows))})


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({0: "roll twice"}, "table skills names no skill"),
        ({0: "player choice", 11: "roll twice"}, "table skills names no skill"),
        ({11: "Sord"}, 'table skills: unknown skill "Sord"'),
        ({11: "Swiming"}, 'table skills: unknown skill "Swiming" (did you mean "Swimming"?)'),
        ({11: "Grit"}, 'table skills: unknown skill "Grit"'),
    ],
)
def test_a_skill_table_without_skills_is_refused_at_its_step(
    gamers: System, entries: Mapping[int, str], message: str
) -> None:
    system = with_table(gamers, entries)
    problem = check_steps(system)[0]
    assert problem.place == gamers.creation.steps["skills rolled"].place
    assert problem.message.startswith(f"step skills rolled: {message}")
    with pytest.raises(InputError, match=re.escape(message)):
        roller(system)


def test_a_table_of_little_but_roll_twice_stops(gamers: System) -> None:
    """GAM-077: with one skill in 36, two rolls for one never run out by themselves."""
    system = with_table(gamers, {0: "roll twice", 11: "Swimming"})
    with pytest.raises(LimitError, match=r"more than 1,000 rolls on the skill table \[GAM-077\]"):
        roller(system).roll(1)


def test_of_weapons_wielded_alike_the_one_that_hurts_more_stands_first(gamers: System) -> None:
    values = {"name": "Ada", "attributes": {"Strength": 6}, "skills": {"Melee": 2}}
    found = figures(gamers, Character("gamers", {**values, "gear": ("knife", "club", "two-handed sword")}))
    assert found["arms.1.name"] == "Two-handed sword"
