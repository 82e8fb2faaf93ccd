"""The people of Die Codes: legal however they are made, spread as the ledger says, and no two of them alike."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.dice.source import Scripted, Seeded
from sheetgen.documents.people.sheet import sheet_values
from sheetgen.errors import InputError
from sheetgen.model.character import Character, Value
from sheetgen.model.people_pages import RosterColumn
from sheetgen.model.system import System
from sheetgen.pdf.form.stamp import Row, Stamp
from sheetgen.products.form_cache import continuation_form, sheet_form
from sheetgen.rules.odds import exact_odds
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.systems.diecodes.figures import figures, judge
from sheetgen.systems.diecodes.making import random_skills, random_stats
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project
from tests.reading import read_pack

STATS = ("Dexterity", "Knowledge", "Perception", "Strength")
ARMED = Character("diecodes", {"stats": dict.fromkeys(STATS, 9), "gear": ("horn bow", "machete")})
PEOPLE = 300


@pytest.fixture(scope="module")
def system(library: Library) -> System:
    return read_pack(library.packs["diecodes"], library)


def roller(system: System, seed: int = 7, *, method: str = "", archetype: str = "", **options: str) -> Roller:
    return Roller(system, plan_of(system, method=method, archetype=archetype, options=options), seed=seed)


WAYS = {
    "as the dice fall": ("random", "rolled"),
    "stats shared": ("arrange", "rolled"),
    "skills bought": ("random", "bought"),
    "all by choice": ("arrange", "bought"),
}


@pytest.mark.parametrize("way", WAYS)
def test_everybody_is_legal(system: System, way: str) -> None:
    """DIE-201: twelve dice of stats; DIE-104: seven of skill; each skill from its stat upward, by 2d at the most."""
    method, how = WAYS[way]
    made = roller(system, method=method, skills=how)
    stat = {trait.name: trait.section for trait in system.group("skills").members}
    for person in made.roll_all(range(1, PEOPLE + 1)):
        stats, skills = person.numbers("stats"), person.numbers("skills")
        assert judge(system, person) == ()
        assert sum(stats.values()) == 36
        assert all(6 <= pips <= 12 for pips in stats.values())
        raises = [pips - stats[stat[name]] for name, pips in skills.items()]
        assert sum(raises) == 21
        assert all(0 < pips <= 6 for pips in raises)


@pytest.mark.parametrize("method", ["random", "arrange"])
def test_every_archetype_is_legal_and_keeps_its_core(system: System, method: str) -> None:
    for name, archetype in system.cast.archetypes.items():
        made = roller(system, method=method, archetype=name)
        for person in made.roll_all(range(1, 31)):
            assert judge(system, person) == (), name
            stats, skills = person.numbers("stats"), person.numbers("skills")
            for skill, pips in archetype.core.items():
                stat = next(trait.section for trait in system.group("skills").members if trait.name == skill)
                assert skills[skill] - stats[stat] >= pips, (name, skill)
            assert person.text("occupation") in (*archetype.occupations, archetype.gives.get("occupation"))


def test_an_archetype_puts_more_into_what_matters_to_it(system: System) -> None:
    for name, archetype in system.cast.archetypes.items():
        if "stats" not in archetype.gives:
            made = roller(system, archetype=name)
            people = [each.numbers("stats") for each in made.roll_all(range(1, 101))]
            means = [sum(person[stat] for person in people) for stat in archetype.attributes]
            assert means == sorted(means, reverse=True), name


def shared_out(pips: int, room: int) -> dict[tuple[int, ...], Fraction]:
    """DIE-222 by another way: each pip falls alike on any stat that is not full; rolling again changes nothing else."""
    found = {(0,) * len(STATS): Fraction(1)}
    for _ in range(pips):
        following: dict[tuple[int, ...], Fraction] = {}
        for placed, chance in found.items():
            open_to = [at for at, held in enumerate(placed) if held < room]
            for at in open_to:
                after = tuple(held + (number == at) for number, held in enumerate(placed))
                following[after] = following.get(after, Fraction()) + chance / len(open_to)
        found = following
    return found


def test_rolled_stats_are_spread_as_the_ledger_says(system: System) -> None:
    """DIE-222, every way the twelve pips may fall: the odds of all four stats at once."""
    procedure = engine_of(system).procedures["random_stats"]
    found = exact_odds(system, procedure, {}, of="stats")
    codes = ("2d", "2d+1", "2d+2", "3d", "3d+1", "3d+2", "4d")
    told = {tuple(codes.index(dict(value)[name]) for name in STATS): chance for value, chance in found.odds}  # type: ignore[call-overload]
    wanted = shared_out(12, 6)
    assert set(told) == set(wanted)
    assert told == wanted
    assert found.bound == 0


def test_random_skills_are_spread_as_so_many_dice_fall(system: System) -> None:
    """DIE-223: seven dice on thirty-six skills, two at most on each, counted by how many skills have one or two."""
    ways = {(0, 0): Fraction(1)}
    for _ in range(7):
        further: dict[tuple[int, int], Fraction] = {}
        for (once, twice), chance in ways.items():
            for state, number in (((once + 1, twice), 36 - once - twice), ((once - 1, twice + 1), once)):
                if number:
                    further[state] = further.get(state, Fraction()) + chance * number / (36 - twice)
        ways = further
    procedure = engine_of(system).procedures["random_skills"]
    different: dict[object, Fraction] = {}
    for (once, twice), chance in ways.items():
        different[once + twice] = different.get(once + twice, Fraction()) + chance
    assert dict(exact_odds(system, procedure, {}, of="different").odds) == different
    stealth = exact_odds(system, procedure, {}, of="raises.stealth")
    assert stealth.chance(6) == sum(chance * twice / 36 for (_, twice), chance in ways.items())
    assert stealth.chance(None) == 1 - sum(chance * (once + twice) / 36 for (once, twice), chance in ways.items())


def test_each_skill_is_picked_alike(system: System) -> None:
    """DIE-221: thirty-six faces, thirty-six skills."""
    found = exact_odds(system, engine_of(system).procedures["pick_skill"], {}, of="skill")
    skills = [trait.name for trait in system.group("skills").members]
    assert dict(found.odds) == dict.fromkeys(skills, Fraction(1, 36))


def test_a_rolled_character_is_what_the_procedures_make_of_the_same_dice(system: System) -> None:
    made = roller(system, method="random")
    for seed in range(50):
        person = made.with_dice(1, lambda step, seed=seed: Seeded(f"{step} {seed}".encode()))  # type: ignore[misc]
        stats = random_stats(Play(system, Seeded(f"stats rolled {seed}".encode())))
        raises = random_skills(Play(system, Seeded(f"skills rolled {seed}".encode())))[0]
        group = system.group("stats")
        assert {name: group.write(pips) for name, pips in person.numbers("stats").items()} == dict(stats)
        of = {trait.name: trait.section for trait in system.group("skills").members}
        assert {n: pips - person.numbers("stats")[of[n]] for n, pips in person.numbers("skills").items()} == raises


def test_the_dice_of_a_worked_example_make_that_character(system: System) -> None:
    """die-ex-164 and die-ex-165"""
    scripts = {
        "stats rolled": Scripted([4, 3, 2, 1, 1, 2, 3, 4, 4, 4, 3, 3]),
        "skills rolled": Scripted([1, 2, 1, 2, 1, 2, 3, 4, 5, 5, 5, 2, 6, 6, 4, 6]),
    }
    made = roller(system, method="random")
    person = made.with_dice(1, lambda step: scripts.get(step, Seeded(step.encode())))
    for script in scripts.values():
        script.finish()
    values = sheet_values(system, person, figures(system, person))
    assert [values[f"stats.{name}"] for name in STATS] == ["2d+2", "2d+2", "3d+1", "3d+1"]
    wanted = {"blaster": "4d+2", "repair": "3d+2", "climbing": "4d+1", "stealth": "4d+1", "dodge": "2d+2"}
    assert {name: values[f"figure.code.{name}"] for name in wanted} == wanted


def test_luck_may_be_left_out_for_opponents(system: System) -> None:
    """DIE-044 and DIE-Q28"""
    assert roller(system).roll(1).numbers("fortune") == {"luck": 1}
    assert not roller(system, luck="no").roll(1).numbers("fortune")
    assert not roller(system, archetype="ruin hound").roll(1).numbers("fortune")


def test_fifty_in_a_row_are_fifty_people(system: System) -> None:
    for seed in (1, 2, 3):
        made = roller(system, seed)
        people = list(made.roll_all(range(1, 51)))
        different = {name: len({person.text(name) for person in people}) for name in ("name", "occupation", "hook")}
        assert different["name"] == 50
        assert different["occupation"] >= 25
        assert different["hook"] >= 40
        assert all(person.lines("gear") and person.text("look") and person.text("home") for person in people)


def test_the_lists_are_long_and_name_nothing_twice(system: System) -> None:
    cast = system.cast
    assert min(len(cast.given), len(cast.family)) >= 200
    assert not set(cast.given) & set(cast.family)
    assert len(cast.occupations) >= 60
    assert len(cast.archetypes) >= 10
    assert len(cast.manners) >= 80
    assert len(cast.hooks) >= 100
    assert len(cast.belongings) >= 60
    own = [archetype.hooks for archetype in cast.archetypes.values()]
    for phrases in (cast.manners, cast.hooks, cast.belongings, tuple(chain(*own))):
        assert max(Counter(phrase.say for phrase in phrases).values()) == 1
    assert all(len(phrase.say) <= 42 for phrase in cast.manners)
    assert all(55 <= len(phrase.say) <= 112 for phrase in chain(cast.hooks, *own))


def test_nobody_is_he_or_she(system: System) -> None:
    cast = system.cast
    said = [phrase.say for phrase in chain(cast.manners, cast.hooks, cast.belongings)]
    said += [phrase.say for each in cast.archetypes.values() for phrase in chain(each.manners, each.hooks)]
    assert [line for line in said if re.search(r"\b(he|she|his|hers?|him)\b", line)] == []


def test_what_a_skill_is_used_with_is_owned_by_whoever_raised_it(system: System) -> None:
    """Somebody trained with a weapon has one, and everybody has something to hit with."""
    arms, things = set(system.values.names("arms")), system.cast.things
    made = roller(system)
    for person in made.roll_all(range(1, PEOPLE + 1)):
        used = {str(things[thing].facts.get("skill")) for thing in person.lines("gear") if thing in things}  # type: ignore[call-overload]
        assert used & arms
        trained = [name for name in person.numbers("skills") if name in arms - {"brawling"}]
        assert len(used & set(trained)) >= min(2, len(trained))


def test_every_thing_names_a_skill_and_every_skill_has_a_thing_or_bare_hands(system: System) -> None:
    skills = {trait.name for trait in system.group("skills").members}
    used = {str(thing.facts.get("skill")) for thing in system.cast.things.values()}  # type: ignore[call-overload]
    assert used == skills
    trades = {skill for trade in system.cast.occupations.values() for skill in trade.skills}
    assert trades == skills


def read(system: System, text: str) -> list[str]:
    """The problems of a character file, each with its rule."""
    problems = Problems()
    head = f"system: diecodes\nformat: 1\ncharacters:\n- name: Ada\n{text}"
    read_characters(parse(head.encode(), "ada.yaml"), system, problems, judge=judge)
    return [str(problem).partition(": ")[2] for problem in problems.found]


EVEN = "  stats: {Dexterity: 3d, Knowledge: 3d, Perception: 3d, Strength: 3d}\n"
SEVEN = "  skills: {dodge: 5d, blaster: 5d, healing: 5d, climbing: 4d}\n"
REFUSED = {
    "DIE-201 too much": (
        "  stats: {Dexterity: 3d+1, Knowledge: 3d, Perception: 3d, Strength: 3d}\n" + SEVEN.replace("5d,", "5d+1,", 2),
        "the stats take 12d+1 in all, not 12d [DIE-201]",
    ),
    "DIE-201 too high": ("  stats: {Dexterity: 4d+1}\n", 'Dexterity is "4d+1", but must be 2d to 4d [DIE-201]'),
    "DIE-200 one missing": (
        "  stats: {Dexterity: 4d, Knowledge: 4d, Perception: 4d}\n",
        "Strength is missing [DIE-200]",
    ),
    "DIE-020": (EVEN + "  skills: {dodge: 2d+2}\n", "dodge is below its stat [DIE-020]"),
    "DIE-104 too high": (EVEN + "  skills: {dodge: 5d+1}\n", "dodge is raised by 2d+1, more than 2d [DIE-104]"),
    "DIE-104 too little": (
        EVEN + "  skills: {dodge: 5d}\n",
        "the skills are raised by 2d in all, not by 7d [DIE-104]",
    ),
    "DIE-108": (
        EVEN + SEVEN + "  fortune: {growth: 2}\n",
        "the skills are raised by 7d in all, not by 7d+2 [DIE-108]",
    ),
    "DIE-Q31": ("  stats: {Dexterity: 3d+3}\n", 'Dexterity is "3d+3", but must be 2d to 4d [DIE-201]'),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_illegal_build_is_refused_with_its_rule(system: System, case: str) -> None:
    text, message = REFUSED[case]
    assert any(problem.endswith(message) for problem in read(system, text)), read(system, text)


def test_a_legal_build_passes_at_creation_and_after_growth(system: System) -> None:
    assert read(system, EVEN + SEVEN) == []
    grown = SEVEN.replace("dodge: 5d", "dodge: 5d+1").replace("climbing: 4d", "climbing: 4d+1")
    assert read(system, EVEN + grown + "  fortune: {luck: 2, growth: 2}\n") == []
    assert read(system, "  notes: no more than a name\n") == []


def test_every_skill_of_a_sheet_has_its_code_and_says_by_how_much_it_was_raised(system: System) -> None:
    """DIE-018, and DIE-224: code and raised by."""
    values: dict[str, Value] = {
        "stats": {"Dexterity": 9, "Knowledge": 6, "Perception": 9, "Strength": 12},
        "skills": {"dodge": 10, "healing": 12, "brawling": 17},
    }
    found = figures(system, Character("diecodes", values))
    assert (found["code.dodge"], found["raise.dodge"]) == ("3d+1", "+1")
    assert (found["code.healing"], found["raise.healing"]) == ("4d", "+2d")
    assert (found["code.brawling"], found["raise.brawling"]) == ("5d+2", "+1d+2")
    assert (found["code.climbing"], found.get("raise.climbing")) == ("4d", None)


def test_the_table_of_penalties_is_what_the_rules_leave(system: System) -> None:
    """DIE-066, DIE-047: doubled is 11d+1; three dice off 2d+2 leave nothing to roll."""
    values: dict[str, Value] = {
        "stats": {"Dexterity": 8, "Knowledge": 9, "Perception": 9, "Strength": 10},
        "skills": {"brawling": 17},
        "gear": ("meat cleaver",),
    }
    found = figures(system, Character("diecodes", values))
    columns = ("name", "code", "force", "reach", "less.1", "less.2", "less.3", "double")
    assert [tuple(found.get(f"act.{row}.{name}", "") for name in columns) for row in (1, 2, 3)] == [
        ("Brawling", "5d+2", "2d+1", "hand", "4d+2", "3d+2", "2d+2", "11d+1"),
        ("Meat cleaver", "2d+2", "4d+1", "hand", "1d+2", "—", "—", "5d+1"),
        ("Dodge", "2d+2", "", "", "1d+2", "—", "—", "5d+1"),
    ]
    assert found["fight"] == (
        "Brawling 5d+2, force 2d+1\nMeat cleaver 2d+2, force 4d+1\nDodge 2d+2\u00a0· Melee parry 2d+2"
    )


def test_an_attack_of_a_roster_keeps_its_numbers_where_a_column_has_its_name(system: System) -> None:
    assert system.roster is not None
    column = RosterColumn("Brawling", shows=("{figure.code.brawling}",))
    roster = replace(system.roster, columns=(*system.roster.columns, column))
    values: dict[str, Value] = {"stats": dict.fromkeys(STATS, 9), "skills": {"brawling": 17}, "gear": ("horn bow",)}
    found = figures(replace(system, roster=roster), Character("diecodes", values))
    rows = [tuple(found.get(f"fights.{row}.{name}", "") for name in ("name", "code", "reach")) for row in (1, 2)]
    assert rows == [("Brawling", "5d+2", "hand"), ("Horn bow", "3d", "Long")]


def told_of(system: System, *gear: str, strength: int = 9) -> dict[str, str]:
    """What each attack of somebody average says of itself, by what it is made with."""
    stats: Value = {**dict.fromkeys(STATS, 9), "Strength": strength}
    found = figures(system, Character("diecodes", {"stats": stats, "gear": gear}))
    rows = [row for row in ("1", "2", "3") if f"attack.{row}.name" in found]
    return {found[f"attack.{row}.name"]: found[f"attack.{row}.rolled"] for row in rows}


def test_a_hit_has_a_force_of_the_arm_or_of_the_weapon_and_what_flies_a_reach(system: System) -> None:
    told = told_of(system, "old pike", "horn bow", "javelins", strength=8)
    assert told == {
        "Old pike": "3d, force 4d+2",
        "Horn bow": "3d, force 3d+2, Long",
        "Javelins": "3d, force 3d+2, Short",
    }
    assert told_of(system, "beam pistol", strength=6) == {"Beam pistol": "3d, force 5d, Medium"}
    assert told_of(system, strength=6) == {"Brawling": "2d, force 1d"}


@pytest.mark.parametrize("house", [{"rulings": {"DIE-H1": "the GM says"}}, {"without": ("DIE-H5",)}])
def test_a_table_that_leaves_hits_to_the_gm_has_no_force_on_its_pages(system: System, house: dict[str, Any]) -> None:
    assert told_of(replace(system, **house), "horn bow") == {"Horn bow": "3d"}
    assert not [name for name in figures(replace(system, **house), ARMED) if name.endswith((".force", ".reach"))]


def test_everything_that_is_fought_with_hits_like_a_weapon_of_the_house(system: System) -> None:
    """What is thrown or held, and teeth; whatever is used with another skill is no weapon."""
    fought = {thing.name: thing.text("arm") for thing in system.cast.things.values() if thing.has("arm")}
    arms = set(system.values.names("arms"))
    used = {thing.name for thing in system.cast.things.values() if thing.text("skill") in arms}
    assert set(fought) == used
    assert set(fought.values()) <= set(system.values.names("house.weapons"))


def test_a_parry_with_a_weapon_takes_a_weapon(system: System) -> None:
    stats: Value = dict.fromkeys(STATS, 9)
    bare = figures(system, Character("diecodes", {"stats": stats}))["fight"]
    shielded = figures(system, Character("diecodes", {"stats": stats, "gear": ("car-door shield",)}))["fight"]
    assert "Melee parry" not in bare
    assert "Melee parry" in shielded


def stamped(project: Project, system: System, person: Character, paper: str) -> tuple[str, ...]:
    """The fields that go to another page when somebody is printed."""
    pack = open_pack(project, "diecodes")
    more = continuation_form(project, pack, paper=paper)
    stamp = Stamp(sheet_form(project, pack, paper=paper), io.BytesIO().write, title="", author="", more=more)
    return stamp.add(Row(person.text("name"), sheet_values(system, person, figures(system, person)))).continued


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_rolled_people_need_one_page(project: Project, system: System, paper: str) -> None:
    pack = open_pack(project, "diecodes")
    more = continuation_form(project, pack, paper=paper)
    stamp = Stamp(sheet_form(project, pack, paper=paper), io.BytesIO().write, title="", author="", more=more)
    for archetype in ("", *system.cast.archetypes):
        made = roller(system, archetype=archetype)
        for person in made.roll_all(range(1, 21 if archetype else 201)):
            values = sheet_values(system, person, figures(system, person))
            assert stamp.add(Row(person.text("name"), values)).continued == (), person.text("name")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_hostile_character_loses_nothing(project: Project, system: System, paper: str) -> None:
    """A name of sixty letters in three alphabets, every skill raised, more gear than a mule carries: one page."""
    skills = {trait.name: 38 for trait in system.group("skills").members}
    values: dict[str, Value] = {
        "name": "Wilhelmina Übermäßig-Đorđević y Ångström von Łódź-Περικλής Жук",
        "occupation": "Переводчик at the court of the lamp keepers",
        "stats": dict.fromkeys(STATS, 9),
        "skills": skills,
        "fortune": {"luck": 12, "owed": 3, "growth": 99},
        "gear": tuple(thing for thing in system.cast.things)[:16],
    }
    person = Character("diecodes", values)
    assert stamped(project, system, person, paper) == ()
    wordy = {**values, "hook": "word " * 80}
    assert stamped(project, system, replace(person, values=wordy), paper) == ()  # goes on in the notes
    full = {**wordy, "notes": "line of notes\n" * 4}
    assert set(stamped(project, system, replace(person, values=full), paper)) == {"Story"}
    printed = sheet_values(system, person, figures(system, person))
    assert printed["figure.luck.more"] == "+ 7"
    assert printed["figure.code.missile weapons"] == "12d+2"


def test_a_character_fills_in_what_a_procedure_asks_for(sheetgen: Callable[..., object], tmp_path: Path) -> None:
    text = (
        "system: diecodes\nformat: 1\ncharacters:\n- name: Ada\n" + EVEN + SEVEN + "  gear: [relic blaster, machete]\n"
    )
    Path(tmp_path, "two.yaml").write_text(text + text.partition("characters:\n")[2].replace("Ada", "Bo"), "utf-8")
    codes: Mapping[str, str] = MappingProxyType({"climbing": "4d", "machete": "3d", "Strength": "3d", "": "5d"})
    for word, code in codes.items():
        ran = sheetgen("play", "diecodes", "working_code", "who=@two.yaml:Ada", f"with={word}")
        assert f"code     {code}\n" in ran.out  # type: ignore[attr-defined]
    ran = sheetgen("play", "diecodes", "test", "who=@two.yaml:Ada", "with=machette", "number=8")
    assert "no skill, stat or thing is called" in ran.err  # type: ignore[attr-defined]
    ran = sheetgen("duel", "diecodes", "@two.yaml:Ada", "@two.yaml:Bo", "-n", "40", "--with", "machete")
    assert (ran.code, "Bo" in ran.out) == (0, True)  # type: ignore[attr-defined]


def test_an_archetype_that_gives_too_much_is_refused_at_its_step(system: System) -> None:
    guard = system.cast.archetypes["guard"]
    for changed, rule in (
        (replace(guard, gives={"stats": {"Strength": 12, "Dexterity": 12, "Perception": 12}}), "DIE-201"),
        (replace(guard, core={"melee": 7}), "DIE-104"),
    ):
        cast = replace(system.cast, archetypes={"guard": changed})
        with pytest.raises(InputError, match=rule):
            roller(replace(system, cast=cast), archetype="guard")
