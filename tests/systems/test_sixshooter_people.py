"""The Operators that Six Shooter rolls: legal however they are made, of one genre, each with a luck of their own."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import chain

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.dice.paths import merged
from sheetgen.dice.source import Dice, Seeded
from sheetgen.documents.export.characters import yaml_text
from sheetgen.errors import UsageError
from sheetgen.model.cast import fits
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.people.groups import GroupRun, roll_group
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.systems.sixshooter.characters import judge
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project
from tests.reading import read_pack

GENRES = ("western", "noir", "space", "fantasy", "pirate", "spy")
DESCRIPTORS = ("Dangerous", "Sharp", "Sly", "Charming")
TABLE = 8
PEOPLE = 300


@pytest.fixture(scope="module")
def system(library: Library) -> System:
    return read_pack(library.packs["sixshooter"], library)


def roller(system: System, seed: int = 7, *, method: str = "", archetype: str = "", **options: str) -> Roller:
    return Roller(system, plan_of(system, method=method, archetype=archetype, options=options), seed=seed)


def lucky(person: Character) -> int:
    return person.numbers("luck")["Lucky Number"]


def numbers_at(made: Roller, table: int) -> list[int]:
    """The Lucky Numbers of a table, from 0."""
    return [lucky(made.roll(TABLE * table + seat)) for seat in range(1, TABLE + 1)]


# Legal, as the file of a character is read


def problems_of(system: System, text: str) -> list[str]:
    """What is wrong with a character file, in lines without their place."""
    problems = Problems()
    read_characters(parse(text.encode(), "x.yaml"), system, problems, judge=judge)
    return [re.sub(r"^x\.yaml:\d+:\d+: ", "", str(problem)) for problem in problems.found]


@pytest.mark.parametrize("genre", GENRES)
def test_everybody_is_legal_and_starts_with_exactly_three_things(system: System, genre: str) -> None:
    """SIX-004: one Descriptor, one Archetype, one Lucky Number from 2 to 10; SIX-070: no Strikes."""
    made = roller(system, genre=genre)
    people = list(made.roll_all(range(1, PEOPLE + 1)))
    assert problems_of(system, "".join(yaml_text(system, people))) == []
    for person in people:
        assert person.text("descriptor") in DESCRIPTORS
        assert person.text("occupation")
        assert lucky(person) in range(2, 11)
        assert set(person.values) == {
            *("name", "pronouns", "age", "descriptor", "occupation", "manner", "luck", "gear", "hook", "want", "voice")
        }


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("descriptor: Brave", 'unknown descriptor "Brave" (one of: Dangerous, Sharp, Sly, Charming) [SIX-005]'),
        ("luck: {Lucky Number: 1}", "Lucky Number is 1 (write a whole number from 2 to 10) [SIX-010]"),
        ("luck: {Lucky Number: 11}", "Lucky Number is 11 (write a whole number from 2 to 10) [SIX-010]"),
        (
            "luck: {Lucky Number: 7, Second Lucky Number: 7}",
            "7 stands twice among the Lucky Numbers: the second must be another one [SIX-Q29]",
        ),
        ("strikes: {Strikes: 4}", "Strikes is 4 (write a whole number from 0 to 3) [SIX-038]"),
        (
            "hand: [KS up]",
            "hand: takes 6 places, each a card with up or down, or gone; 1 are given [SIX-014]",
        ),
        (
            "hand: [KS, gone, gone, gone, gone, gone]",
            'hand[1]: takes a card with up or down, such as KS up, or gone; not "KS" [SIX-014]',
        ),
        ("hand: [KS up, KS down, gone, gone, gone, gone]", 'hand: "KS" lies there 2 times [SIX-013]'),
        ("hand: [JOKER up, JOKER down, JOKER up, gone, gone, gone]", 'hand: "JOKER" lies there 3 times [SIX-013]'),
    ],
)
def test_what_no_table_could_hold_is_refused_by_its_rule(system: System, line: str, problem: str) -> None:
    assert problems_of(system, f"system: sixshooter\nname: Ash\n{line}\n") == [problem]


@pytest.mark.parametrize(
    "line",
    [
        "luck: {Lucky Number: 7, Second Lucky Number: 2}",
        "strikes: {Strikes: 3}",
        "hand: [KS up, 7C down, gone, JOKER up, JOKER down, QD down]",
        "descriptor: Sly",
    ],
)
def test_what_may_happen_in_play_may_stand_in_a_file(system: System, line: str) -> None:
    """SIX-067, SIX-038, SIX-072; an Operator who gave up the last Lucky Number plays on with none (SIX-Q33)."""
    assert problems_of(system, f"system: sixshooter\nname: Ash\n{line}\n") == []


# What falls, and what is chosen


def test_each_descriptor_is_as_likely_as_the_others(system: System) -> None:
    """SIX-Q37"""
    made = roller(system)

    def fallen(dice: Dice) -> str:
        return made.with_dice(1, lambda step: dice if step == "descriptor rolled" else Seeded(b"x")).text("descriptor")

    found = Counter[str]()
    for word, weight in merged(fallen).chances():
        found[word] += weight  # type: ignore[assignment]
    assert found == dict.fromkeys(DESCRIPTORS, Fraction(1, 4))


def test_nobody_at_a_table_of_eight_shares_a_lucky_number(system: System) -> None:
    """SIX-010, SIX-011, SIX-Q2"""
    for seed in range(20):
        made = roller(system, seed)
        for table in range(5):
            assert len(set(numbers_at(made, table))) == TABLE


def test_each_lucky_number_is_as_likely_as_the_others_at_every_seat(system: System) -> None:
    """SIX-Q37: 900 tables give each of nine numbers about 100 times at a seat, never half or twice as often."""
    made = roller(system)
    for seat in (1, 8):
        counts = Counter(lucky(made.roll(TABLE * table + seat)) for table in range(900))
        assert set(counts) == set(range(2, 11))
        assert all(60 < count < 140 for count in counts.values())


def test_a_lucky_number_that_is_named_goes_to_the_first_of_each_table(system: System) -> None:
    made = roller(system, lucky="7")
    for table in range(3):
        numbers = numbers_at(made, table)
        assert numbers[0] == 7
        assert len(set(numbers)) == TABLE


@pytest.mark.parametrize("method", ["random", "choice"])
@pytest.mark.parametrize("word", DESCRIPTORS)
def test_by_choice(system: System, method: str, word: str) -> None:
    person = roller(system, method=method, descriptor=word, lucky="2").roll(1)
    assert (person.text("descriptor"), lucky(person)) == (word, 2)
    assert problems_of(system, "".join(yaml_text(system, [person]))) == []


@pytest.mark.parametrize(
    ("method", "archetype", "options", "message"),
    [
        ("choice", "", {}, "name the Descriptor: --option descriptor=Dangerous, or Sharp, Sly, Charming"),
        ("choice", "", {"descriptor": "Sly"}, "name the Lucky Number: --option lucky=7, or any from 2 to 10 [SIX-010]"),
        ("", "guard", {"descriptor": "Sly"}, "the guard is Dangerous, not Sly: leave out one of the two [SIX-004]"),
        ("", "", {"lucky": "11"}, "option lucky takes 2 to 10, or rolled"),
        ("", "", {"descriptor": "Brave"}, 'option descriptor: unknown word "Brave"'),
        ("", "", {"genre": "westen"}, 'option genre: unknown word "westen" (did you mean "western"?)'),
    ],
)
def test_what_cannot_be_made_is_refused(
    system: System, *, method: str, archetype: str, options: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(message)}"):
        Roller(system, plan_of(system, method=method, archetype=archetype, options=options), seed=7).roll(1)


def test_the_log_tells_what_fell_with_its_rule(system: System) -> None:
    person, log = roller(system).explain(11)
    assert "Descriptor rolled [SIX-Q37]" in log
    assert f"  Descriptor: {person.text('descriptor')}" in log
    assert f"  Lucky Number: {lucky(person)}, seat 3 of table 2" in log


# Who they are


@pytest.mark.parametrize("genre", GENRES)
def test_trades_names_and_belongings_are_of_the_genre(system: System, genre: str) -> None:
    """SIX-009: no private eye among knights."""
    made = roller(system, genre=genre)
    of_the_genre = {"genre": GENRES.index(genre), "culture": 0}
    sets = [each for each in system.cast.name_sets if fits(each.fits, of_the_genre)]
    of_others = {
        phrase.say
        for phrase in (*system.cast.belongings, *system.cast.hooks, *system.cast.manners)
        if not fits(phrase.fits, {"genre": GENRES.index(genre)})
    }
    for index in range(1, 61):
        person = made.roll(index)
        first, _, last = person.text("name").partition(" ")
        assert any(first in names.borne_by("") and last in names.family for names in sets)
        levels = {"genre": GENRES.index(genre), "descriptor": ("any", *DESCRIPTORS).index(person.text("descriptor"))}
        assert fits(system.cast.occupations[person.text("occupation")].fits, levels)
        brought = system.cast.occupations[person.text("occupation")].gear
        own = {thing for thing in person.lines("gear") if thing not in brought}
        assert not of_others & {*own, person.text("hook"), person.text("manner")}


@pytest.mark.parametrize("genre", GENRES)
def test_every_archetype_is_legal_and_has_trades_of_its_own_in_every_genre(system: System, genre: str) -> None:
    for name, archetype in system.cast.archetypes.items():
        made = roller(system, archetype=name, genre=genre)
        people = list(made.roll_all(range(1, 13)))
        assert problems_of(system, "".join(yaml_text(system, people))) == [], name
        assert len({person.text("occupation") for person in people}) >= 2, name
        for person in people:
            assert person.text("descriptor") == archetype.gives["descriptor"]
            assert person.text("occupation") in archetype.occupations


@pytest.mark.parametrize("seed", [1, 2, 7])
@pytest.mark.parametrize("genre", GENRES)
def test_fifty_in_a_row_are_fifty_people(system: System, genre: str, seed: int) -> None:
    made = roller(system, seed, genre=genre)
    people = list(made.roll_all(range(1, 51)))
    assert len({person.text("name") for person in people}) == 50
    assert len({person.text("hook") for person in people}) == 50
    assert len({person.text("manner") for person in people}) == 50
    assert len({person.text("occupation") for person in people}) >= 25


def test_the_cast_is_large_and_says_nothing_twice(system: System) -> None:
    cast = system.cast
    assert len(set(cast.given)) == len(cast.given) >= 200
    assert len(set(cast.family)) == len(cast.family) >= 200
    assert not set(cast.given) & set(cast.family)
    for phrases, least in ((cast.manners, 80), (cast.hooks, 100), (cast.belongings, 60)):
        assert len({phrase.say for phrase in phrases}) == len(phrases) >= least
    assert sum(not phrase.fits for phrase in cast.hooks) == 78
    assert all(60 <= len(phrase.say) <= 110 for phrase in cast.hooks)
    assert all(len(thing) <= 36 for trade in cast.occupations.values() for thing in trade.gear)
    pronouns = {"he", "she", "his", "her", "hers", "him", "himself", "herself"}
    for said in chain(cast.occupations, (each.say for each in (*cast.manners, *cast.hooks, *cast.belongings))):
        assert not pronouns & set(re.findall(r"[a-z]+", said.casefold())), said


@pytest.mark.parametrize("seed", range(8))
def test_a_ready_made_group_is_one_table(project: Project, seed: int) -> None:
    """SIX-011, SIX-Q2: eight at most, and no Lucky Number twice."""
    pack = open_pack(project, "sixshooter")
    assert len(pack.system.ready_groups) >= 2 * len(GENRES)
    for name, group in pack.system.ready_groups.items():
        people = list(roll_group(pack, GroupRun(group, seed)))
        assert len({lucky(person) for person in people}) == len(people) <= TABLE, name
        assert len({person.text("name") for person in people}) == len(people)
