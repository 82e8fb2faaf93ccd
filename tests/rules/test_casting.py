"""Casting: names, pronouns, kin, ages, and what people want, on a pack of a village with two peoples."""

from __future__ import annotations

import os
from collections import Counter
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

import sheetgen
from sheetgen.errors import InputError
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.creation.casting import numeral
from sheetgen.rules.creation.gear import kinds_in
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project, project_at

VILLAGE = {
    "system.yaml": """
        id: ford
        title: Ford
        credit: Ford, by somebody
        licence: as you like it
        traits:
          ties: {title: Ties, range: 0-9, default: 0, members: {People: {}}}
    """,
    "creation.yaml": """
        options:
          culture: {is: word, among: [any, hill, marsh], default: any}
          pronouns: {is: word, among: [any, she, he, they], default: any}
        steps:
          ties: {do: roll each, group: ties, dice: 1d6+2}
          trade: {do: occupation}
          name: {do: name, pronouns: pronouns}
          age: {do: age, into: age}
          people: {do: share out, of: People, into: people}
          hook: {do: phrase, from: hooks, into: hook, want: want, voice: voice}
        methods:
          random: {steps: [ties, trade, name, age, people, hook]}
    """,
    "sheet.yaml": """
        character:
          name: {is: text, title: Name}
          pronouns: {is: text, title: Pronouns}
          age: {is: text, title: Age}
          occupation: {is: text, title: Trade}
          ties: {is: levels, title: Ties}
          people: {is: ratings, title: People, within: People}
          hook: {is: text, title: Story}
          want: {is: text, title: Wants from you}
          voice: {is: text, title: Says}
    """,
    "npcs.yaml": """
        names:
          sets:
            - {women: [Ada, Bea], men: [Cole, Dan], given: [Fen], family: [Reed, Sedge], fits: {culture: [any, hill]}}
            - {women: [Oda, Pia], men: [Quin, Rolf], family: [Mire, Slough], fits: {culture: [any, marsh]}}
        ages: {young: [barely twenty], old: [past sixty, stooped with age]}
        relations: [{say: sister, who: she}, {say: father, who: he}, creditor]
        occupations:
          apprentice: {ages: [young]}
          elder: {ages: [old]}
        hooks:
          - say: Owes {friend} a boat.
            want: Find {friend} a boat.
            voice: It floats lower than it did.
    """,
}
HILL, MARSH = {"Reed", "Sedge"}, {"Mire", "Slough"}
WOMEN, MEN = {"Ada", "Bea", "Oda", "Pia"}, {"Cole", "Dan", "Quin", "Rolf"}


def village(folder: Path, file: str = "", old: str = "", new: str = "") -> System:
    """The pack of this page, with one piece of a file exchanged."""
    (folder / "ford").mkdir()
    for name, text in VILLAGE.items():
        assert name != file or old in text
        (folder / "ford" / name).write_text(dedent(text.replace(old, new, 1) if name == file else text).lstrip())
    return open_pack(project_at(folder, os.environ), "./ford").system


@pytest.fixture(name="ford")
def ford_pack(tmp_path: Path) -> System:
    return village(tmp_path)


def people(system: System, count: int, **options: str) -> list[Character]:
    roller = Roller(system, plan_of(system, options=options), 7)
    return list(roller.roll_all(range(1, count + 1)))


def first_and_family(character: Character) -> tuple[str, str]:
    first, family = character.text("name").split()[:2]
    return first, family


def test_first_and_family_name_are_of_one_people(ford: System) -> None:
    for first, family in map(first_and_family, people(ford, 16)):
        assert (first in {"Ada", "Bea", "Cole", "Dan", "Fen"}) == (family in HILL)


def test_peoples_are_dealt_in_turn_and_no_name_comes_twice(ford: System) -> None:
    names = [each.text("name") for each in people(ford, 16)]
    assert len(set(names)) == 16
    assert Counter(name.split()[1] in HILL for name in names) == {True: 8, False: 8}


def test_when_a_people_has_no_names_left_it_borrows_families_and_only_then_counts(ford: System) -> None:
    names = [each.text("name") for each in people(ford, 21, culture="hill")]
    assert all(name.split()[1] in HILL for name in names[:10])
    assert len(set(names)) == 21
    assert [name for name in names if name.endswith(" II")] == names[10:20]


@pytest.mark.parametrize(("culture", "families"), [("hill", HILL), ("marsh", MARSH)])
def test_a_village_of_one_culture(ford: System, culture: str, families: set[str]) -> None:
    assert {first_and_family(each)[1] for each in people(ford, 8, culture=culture)} <= families


def test_pronouns_go_with_names(ford: System) -> None:
    for each in people(ford, 18):
        first, _ = first_and_family(each)
        expected = {"she"} if first in WOMEN else {"he"} if first in MEN else {"she", "he"}
        assert each.text("pronouns") in expected


@pytest.mark.parametrize(("pronoun", "never"), [("she", MEN), ("he", WOMEN)])
def test_an_option_keeps_to_one_pronoun(ford: System, pronoun: str, never: set[str]) -> None:
    cast = people(ford, 12, pronouns=pronoun)
    assert {each.text("pronouns") for each in cast} == {pronoun}
    assert not never & {first_and_family(each)[0] for each in cast}


def test_they_bear_names_that_anybody_may_bear(ford: System) -> None:
    cast = people(ford, 4, pronouns="they", culture="hill")
    assert {first_and_family(each)[0] for each in cast} == {"Fen"}
    assert {each.text("pronouns") for each in cast} == {"they"}


def test_they_of_a_people_whose_names_all_tell_bear_any_of_them(ford: System) -> None:
    cast = people(ford, 8, pronouns="they", culture="marsh")
    assert {each.text("pronouns") for each in cast} == {"they"}
    assert {first_and_family(each)[0] for each in cast} == {"Oda", "Pia", "Quin", "Rolf"}


def test_kin_have_names_that_fit_the_word(ford: System) -> None:
    kin = [who.split(", ") for each in people(ford, 40) for who in each.numbers("people")]
    assert {name for name, relation in kin if relation == "sister"} <= WOMEN | {"Fen"}
    assert {name for name, relation in kin if relation == "father"} <= MEN | {"Fen"}
    assert {"sister", "father", "creditor"} == {relation for _, relation in kin}


def test_an_age_is_one_at_which_the_trade_is_held(ford: System) -> None:
    ages = {(each.text("occupation"), each.text("age")) for each in people(ford, 40)}
    assert ages == {("apprentice", "barely twenty"), ("elder", "past sixty"), ("elder", "stooped with age")}


def test_a_hook_brings_what_is_wanted_and_said(ford: System) -> None:
    (someone,) = people(ford, 1)
    friend = next(iter(someone.numbers("people"))).split(",")[0]
    assert someone.text("hook") == f"Owes {friend} a boat."
    assert someone.text("want") == f"Find {friend} a boat."
    assert someone.text("voice") == "It floats lower than it did."


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("npcs.yaml", "ages: [old]", "ages: [ancient]", 'unknown age "ancient"'),
        ("npcs.yaml", "who: she", "who: her", 'unknown pronoun "her"'),
        (
            "npcs.yaml",
            "want: Find {friend} a boat.",
            "trades: [elders]",
            'unknown occupation "elders" (did you mean "elder"?)',
        ),
        ("npcs.yaml", "family: [Mire, Slough], ", "", 'set of names lacks "family" (add a line "family: ...")'),
        ("creation.yaml", "want: want", "want: wish", 'step hook: unknown field "wish"'),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        people(village(tmp_path, file, old, new), 1)
    assert any(message in str(problem) and file in str(problem) for problem in error.value.problems), error.value


@pytest.mark.parametrize("name", ["gamers", "waster", "tsgs", "sixshooter", "genesix", "diecodes"])
def test_nobody_owns_two_things_of_a_kind_beyond_what_the_trade_brings(name: str) -> None:
    system = open_pack(project_at(Path.cwd(), os.environ), name).system
    assert system.cast.only_one
    kinds_of = kinds_in(system.cast)
    for each in people(system, 60):
        trade = system.cast.occupations.get(each.text("occupation"))
        own = trade.gear if trade is not None else ()
        kinds = [kind for thing in each.lines("gear") if thing not in own for kind in kinds_of(thing)]
        kinds += {kind for thing in own for kind in kinds_of(thing)}
        assert len(set(kinds)) == len(kinds), each.lines("gear")


@pytest.mark.parametrize("name", ["gamers", "tsgs"])
def test_who_is_trained_with_a_weapon_has_one_and_no_trade_arms_the_untrained(name: str) -> None:
    system = open_pack(project_at(Path.cwd(), os.environ), name).system
    cast = system.cast
    for each in people(system, 100):
        held = each.numbers("skills")
        arms = {skill for thing in each.lines("gear") for skill in cast.arms(thing)}
        assert arms <= {*held, "Brawling", "Dagger"}, each.values  # anybody may carry a knife as a tool
        if name == "tsgs":
            weapons = {skill for thing in cast.things for skill in cast.arms(thing)} - {"Brawling", "Athletics"}
            assert held.keys() & weapons <= arms, each.values


def test_ties_are_of_an_age_and_nobody_has_two_of_a_kind(tmp_path: Path) -> None:
    kin = "[{say: father, who: he, ages: [young]}, {say: grandchild, ages: [old]}, creditor, debtor, rival]"
    ford = village(tmp_path, "npcs.yaml", "[{say: sister, who: she}, {say: father, who: he}, creditor]", kin)
    met = set()
    for person in people(ford, 60):
        ties = [written.partition(", ")[2] for written in person.numbers("people")]
        assert len(ties) == len(set(ties))
        assert ("father" if person.text("age") != "barely twenty" else "grandchild") not in ties
        met |= set(ties)
    assert met == {"father", "grandchild", "creditor", "debtor", "rival"}


def test_a_story_keeps_to_its_age_and_away_from_those_who_are_known(tmp_path: Path) -> None:
    more = """hooks:
          - {say: Swapped two infants long ago., ages: [old]}
          - {say: Is to be married tomorrow., without: [creditor]}
          - {say: Knows no tools., without: [apprentice]}
          - {say: Has lost a hat., ages: [young]}
          - {say: Sits in judgement tomorrow., trades: [elder]}
    """
    cast = people(village(tmp_path, "npcs.yaml", "hooks:\n", dedent(more)), 60)
    some = {"Swapped two infants long ago.", "Has lost a hat.", "Sits in judgement tomorrow."}
    assert some < {each.text("hook") for each in cast}
    for each in cast:
        story, relations = each.text("hook"), [who.partition(", ")[2] for who in each.numbers("people")]
        assert "infants" not in story or each.text("age") != "barely twenty"
        assert "hat" not in story or each.text("age") == "barely twenty"
        assert "married" not in story or "creditor" not in relations
        assert "tools" not in story or each.text("occupation") != "apprentice"
        assert "judgement" not in story or each.text("occupation") == "elder"


@pytest.mark.parametrize("name", ["tsgs", "diecodes", "genesix"])
def test_nobody_lives_by_a_skill_that_they_lack(name: str) -> None:
    system = open_pack(project_at(Path.cwd(), os.environ), name).system
    for each in people(system, 100):
        held = {**each.numbers("skills"), **each.numbers("approaches"), **each.numbers("attributes")}
        assert held.get(system.cast.occupations[each.text("occupation")].skills[0]), each.values


@pytest.mark.parametrize("setting", ["medieval", "thirties"])
def test_weapons_of_war_are_carried_by_those_who_live_by_them_and_tools_by_their_trade(setting: str) -> None:
    cast = open_pack(project_at(Path.cwd(), os.environ), "tsgs").system.cast
    for each in people(open_pack(project_at(Path.cwd(), os.environ), "tsgs").system, 200, setting=setting):
        trade = cast.occupations[each.text("occupation")]
        for thing in set(each.lines("gear")) - set(trade.gear):
            assert "trade" not in cast.tags(thing), each.values
            assert "war" not in cast.tags(thing) or cast.arms(thing) <= set(trade.skills), each.values


@pytest.mark.parametrize("tech", ["5", "7", "9", "B"])
def test_who_teaches_fencing_has_a_blade(gamers: System, tech: str) -> None:
    roller = Roller(gamers, plan_of(gamers, options={"tech": tech}), 3)
    teachers = [each for each in roller.roll_all(range(1, 801)) if each.text("occupation") == "fencing teacher"]
    swords = {name for name, item in gamers.cast.items["weapons"].items() if "sword" in item.tags}
    assert teachers
    for each in teachers:
        assert each.numbers("skills")["Melee"]
        assert swords & set(each.lines("gear")), each.values


@pytest.mark.parametrize("name", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix", "chalkdown", "slackwater"])
def test_the_words_for_an_age_do_not_come_again_soon(name: str) -> None:
    system = open_pack(project_at(Path.cwd(), os.environ), name).system
    said = [each.text("age") for each in people(system, 100)]
    assert all(age not in said[max(at - 19, 0) : at] for at, age in enumerate(said) if age)


@pytest.mark.parametrize("name", ["agents", "fright", "heroic", "spacer", "waster", "chalkdown", "slackwater"])
def test_no_story_comes_again_soon_and_those_of_a_job_are_told_of_those_who_have_it(
    project: Project, name: str
) -> None:
    system = open_pack(project, name).system
    of_a_job = {hook.say: hook.trades for hook in system.cast.hooks if hook.trades}
    cast = people(system, 200)
    said = [each.text("hook") for each in cast]
    assert all(each.text("occupation") in of_a_job.get(each.text("hook"), (each.text("occupation"),)) for each in cast)
    assert len(of_a_job) >= 3
    assert len(set(said)) > 50
    told = [hook.say for each in cast for hook in system.cast.hooks if is_told(each.text("hook"), hook.say)]
    assert len(told) == len(said)
    again = [story for at, story in enumerate(told) if story in told[max(at - 19, 0) : at]]
    assert len(again) <= 1  # somebody whose trade and age none of their own lines fits takes one of all others


def is_told(story: str, line: str) -> bool:
    """Whether a story is that of this line, in which somebody's friend may be named."""
    before, named, after = line.partition("{friend}")
    return story == line if not named else story.startswith(before) and story.endswith(after)


def test_people_of_the_chalk_hills_have_the_pronouns_of_their_names(project: Project) -> None:
    system = open_pack(project, "chalkdown").system
    assert {each.text("pronouns") for each in people(system, 40)} == {"she", "he"}
    assert {each.text("pronouns") for each in people(system, 10, pronouns="she")} == {"she"}


@pytest.mark.parametrize("tech", ["5", "6", "8"])
def test_a_warlord_is_armed_and_who_charts_the_world_has_a_head_for_it(gamers: System, tech: str) -> None:
    cast = people(gamers, 1500, tech=tech)
    warlords, geographers = (
        [each for each in cast if each.text("occupation") == trade] for trade in ("warlord", "chief geographer")
    )
    assert warlords
    assert geographers
    assert all(any(map(gamers.cast.arms, each.lines("gear"))) for each in warlords)
    assert all(each.numbers("attributes")["Mind"] >= 6 for each in geographers)


def test_who_throws_firepots_has_some_and_who_wrestles_is_strong(project: Project) -> None:
    throwers = [
        each for each in people(open_pack(project, "diecodes").system, 900) if "firepot" in each.text("occupation")
    ]
    assert throwers
    assert all("firepots" in each.lines("gear") for each in throwers)
    wrestlers = [
        each for each in people(open_pack(project, "genesix").system, 300) if each.text("occupation") == "wrestler"
    ]
    assert wrestlers
    assert all(each.numbers("attributes")["Strength"] > 0 for each in wrestlers)


@pytest.mark.parametrize("name", ["chalkdown", "slackwater"])
def test_few_trades_come_round_in_another_order_and_none_soon(name: str) -> None:
    system = open_pack(project_at(Path.cwd(), os.environ), name).system
    trades = [each.text("occupation") for each in people(system, 60)]
    assert trades[19:39] != trades[39:59]
    assert all(trade not in trades[max(at - 14, 0) : at] for at, trade in enumerate(trades))


@pytest.mark.parametrize("name", ["gamers", "agents", "heroic", "spacer", "waster"])
def test_a_native_tongue_goes_with_the_name(name: str) -> None:
    cast = open_pack(project_at(Path.cwd(), os.environ), name).system.cast
    for each in people(open_pack(project_at(Path.cwd(), os.environ), name).system, 60):
        first, _, family = each.text("name").partition(" ")
        sets = [one for one in cast.name_sets if first in one.borne_by("") and family in one.family]
        spoken = [set(one.tongues) & set(cast.languages) for one in sets]
        assert not all(spoken) or any(each.text("native") in tongues for tongues in spoken), each.values


@pytest.mark.parametrize("name", ["gamers", "agents", "fright", "spacer", "tsgs", "sixshooter", "genesix"])
def test_whom_a_story_keeps_away_from_is_there(name: str) -> None:
    cast = open_pack(project_at(Path.cwd(), os.environ), name).system.cast
    known = {relation.say for relation in cast.relations} | cast.occupations.keys()
    assert {word for hook in cast.hooks for word in hook.without} <= known


@pytest.mark.parametrize("name", ["gamers", "tsgs", "sixshooter", "diecodes", "genesix"])
def test_nobody_near_in_a_run_lives_by_the_trade_of_two_others(project: Project, name: str) -> None:
    trades = [each.text("occupation") for each in people(open_pack(project, name).system, 100)]
    twenties = [Counter(trades[at : at + 20]) for at in range(81)]
    assert max(count for twenty in twenties for count in twenty.values()) <= 3
    assert sum(max(twenty.values()) == 3 for twenty in twenties) < 20


@pytest.mark.parametrize(("name", "most"), [("gamers", 18), ("waster", 30), ("genesix", 30)])
def test_a_trade_seldom_comes_again_within_twenty(project: Project, name: str, most: int) -> None:
    trades = [each.text("occupation") for each in people(open_pack(project, name).system, 300)]
    assert sum(trade in trades[max(at - 19, 0) : at] for at, trade in enumerate(trades)) <= most


def test_a_standing_one_level_off_is_no_bar_to_a_trade_but_another_world_is(project: Project) -> None:
    system = open_pack(project, "waster").system
    cast, beside = system.cast, 0
    for each in people(system, 300):
        levels = {system.traits[name].role: level for name, level in each.numbers("features").items()}
        for trait, allowed in cast.occupations[each.text("occupation")].fits:
            away = min(abs(levels.get(trait, 1) - level) for level in allowed) if trait in levels else 0
            assert away <= (trait != "Tech"), each.values
            beside += away
    assert beside


def test_where_no_set_of_names_fits_wholly_the_last_condition_decides(tmp_path: Path) -> None:
    ford = village(tmp_path, "npcs.yaml", "fits: {culture: [any, marsh]}", "fits: {People: 9, culture: [any, marsh]}")
    assert {first_and_family(each)[1] for each in people(ford, 8)} <= HILL
    assert {first_and_family(each)[1] for each in people(ford, 8, culture="marsh")} <= MARSH


@pytest.mark.parametrize("tech", ["5", "7", "9", "B"])
def test_who_stands_guard_wears_armour(gamers: System, tech: str) -> None:
    roller = Roller(gamers, plan_of(gamers, archetype="guard", options={"tech": tech}), 7)
    on_guard = [each for each in roller.roll_all(range(1, 41)) if each.text("occupation") == "gate guard"]
    assert on_guard
    for person in on_guard:
        assert gamers.cast.items["armours"].keys() & set(person.lines("gear")), person.values


def test_a_kit_has_so_many_things_beyond_those_of_the_trade() -> None:
    system = open_pack(project_at(Path.cwd(), os.environ), "genesix").system
    for person in people(system, 40):
        own = system.cast.occupations[person.text("occupation")].gear
        assert len(set(person.lines("gear")) - set(own)) <= 3


def test_the_ruins_lack_what_the_old_world_had() -> None:
    system = open_pack(project_at(Path.cwd(), os.environ), "waster").system
    things = [phrase.say for listed in system.cast.gear.values() for phrase in (*listed.basic, *listed.advanced)]
    assert "phrase book" in things
    assert not {"season ticket to opera", "small motor yacht"} & set(things)
    assert "remembers every servant’s name" not in {phrase.say for phrase in system.cast.manners}


@pytest.mark.parametrize(("word", "name"), [("bandit", "outlaw"), ("guardsman", "guard"), ("cop", "investigator")])
def test_an_archetype_is_found_by_what_else_it_is_called(gamers: System, word: str, name: str) -> None:
    plan = plan_of(gamers, archetype=word)
    assert plan.archetype is not None
    assert plan.archetype.name == name
    assert Roller(gamers, plan, 7).roll(3) == Roller(gamers, plan_of(gamers, archetype=name), 7).roll(3)


@pytest.mark.parametrize("archetype", ["", "guard", "healer"])
def test_one_people_for_a_whole_run_and_its_archetypes(gamers: System, archetype: str) -> None:
    def families(seed: int, archetype: str) -> set[int]:
        run = Roller(gamers, plan_of(gamers, archetype=archetype, options={"culture": "one"}), seed)
        last = [each.text("name").split()[-1] for each in run.roll_all(range(1, 11))]
        sets = enumerate(gamers.cast.name_sets)
        return {at for at, names in sets if all(name in names.family for name in last)}

    assert all(families(seed, archetype) & families(seed, "") for seed in range(8))
    assert len({min(families(seed, "")) for seed in range(8)}) > 3


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("gamers", {"bandit": "outlaw", "mage": "scholar", "host": "innkeeper", "hag": "witch"}),
        ("tsgs", {"bandit": "thief", "cleric": "priest", "pilot": "driver", "scientist": "scholar"}),
        ("sixshooter", {"knight": "duellist", "preacher": "priest", "seaman": "sailor", "wizard": "scholar"}),
        ("diecodes", {"boss": "raider chief", "farmer": "settler", "hunter": "pathfinder", "thug": "raider"}),
        ("genesix", {"wizard": "adept", "merchant": "fixer", "cop": "soldier", "bear": "beast"}),
    ],
)
def test_what_a_gm_would_type_finds_an_archetype(system: str, words: dict[str, str]) -> None:
    called = sheetgen.load(system).system.cast.archetype_words
    assert {word: called[word].name for word in words} == words


@pytest.mark.parametrize("run", ["gamers", "fright", "waster", "tsgs medieval", "genesix present"])
def test_three_hundred_people_break_none_of_the_written_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: str
) -> None:
    monkeypatch.syspath_prepend("benchmarks")
    casting, system = import_module("casting"), run.partition(" ")[0]
    written, npcs = casting.read(casting.ROOT / "benchmarks/casting.yaml"), casting.npcs_of(casting.ROOT, system)
    made = casting.people(casting.ROOT, system, written["runs"][run], 5, tmp_path)
    rules = casting.Rules(written)
    assert [(each["name"], each["occupation"], said) for each in made for said in rules.broken(each, run)] == []
    assert [each["name"] for each in made if casting.unskilled(each, npcs) or casting.foreign(each, npcs)] == []


@pytest.mark.parametrize(
    ("number", "written"), [(2, "II"), (9, "IX"), (14, "XIV"), (39, "XXXIX"), (40, "40"), (20_117, "20117")]
)
def test_names_that_come_again_are_numbered_shortly(number: int, written: str) -> None:
    assert numeral(number) == written
