"""The people that GeneSix rolls: legal by the ledger, spread as its dice spread, and alive enough to meet in a row."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.content.people.characters import read_characters
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.dice.paths import PathDice, merged
from sheetgen.dice.source import Dice, Scripted
from sheetgen.documents.export.characters import yaml_text
from sheetgen.model.system import System
from sheetgen.rules.registry import engine_of
from sheetgen.rules.rolling import Roller, plan_of
from tests.reading import read_pack

WORLDS = ("past", "present", "future")
GRADES = ("ordinary", "hero")
ALL_ABOUT = {
    "Strength": ("wrestler", "weightlifter", "weight lifter at fairs", "knight errant", "firefighter"),
    "Agility": ("dancer", "acrobat", "duellist", "getaway driver", "competition shooter", "duelling champion"),
    "Mental": ("scholar", "hacker", "quiz champion", "professor of dead tongues", "star historian"),
    "Social": ("preacher", "radio host", "con artist", "herald", "colony speaker"),
}


@pytest.fixture(scope="module")
def system(library: Library) -> System:
    return read_pack(library.packs["genesix"], library)


def roller(system: System, *, method: str = "", archetype: str = "", seed: int = 7, **options: str) -> Roller:
    return Roller(system, plan_of(system, method=method, archetype=archetype, options=options), seed)


def judged(system: System, written: str) -> list[str]:
    """The problems of a character file, each with its rule."""
    problems = Problems()
    read_characters(parse(f"system: genesix\n{written}".encode(), "x"), system, problems, judge=engine_of(system).judge)
    return [f"{problem.rule} {problem.message}" for problem in problems.found]


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("power", ["none", "rolled"])
@pytest.mark.parametrize("method", ["random", "arrange"])
def test_everybody_rolled_keeps_the_rules(system: System, grade: str, power: str, method: str) -> None:
    made = roller(system, method=method, grade=grade, power=power, world="rolled")
    people = list(made.roll_all(range(1, 126)))
    problems = Problems()
    node = parse("".join(yaml_text(system, people)).encode(), "people")
    again = read_characters(node, system, problems, judge=engine_of(system).judge)
    assert not problems.found
    assert again == tuple(people)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("grade", GRADES)
def test_nobody_is_weak_in_what_their_trade_is_about(system: System, grade: str, world: str) -> None:
    """A lifter of weights is not weak and a host on the radio not shy."""
    people = roller(system, grade=grade, world=world).roll_all(range(1, 301))
    about = {trade: attribute for attribute, trades in ALL_ABOUT.items() for trade in trades}
    found = [(each.text("occupation"), each.numbers("attributes")) for each in people]
    met = [(trade, levels.get(about[trade], 0)) for trade, levels in found if trade in about]
    assert met
    assert [(trade, level) for trade, level in met if level < 0] == []


@pytest.mark.parametrize(("grade", "sums"), [("hero", (2, 3)), ("ordinary", (0, 0))])
@pytest.mark.parametrize("method", ["random", "arrange"])
def test_a_grade_has_its_sums(system: System, grade: str, sums: tuple[int, int], method: str) -> None:
    """GEN-260: heroes exactly at the limits; GEN-261: ordinary people at nought."""
    made = roller(system, method=method, grade=grade)
    for person in made.roll_all(range(1, 101)):
        assert (sum(person.numbers("attributes").values()), sum(person.numbers("approaches").values())) == sums


def picks(ratings: Mapping[tuple[int, ...], Fraction], *, by: int, most: int) -> dict[tuple[int, ...], Fraction]:
    """Ratings after one more pick, written down from GEN-260 by hand: a die that names a closed one rolls again."""
    found: dict[tuple[int, ...], Fraction] = {}
    for before, weight in ratings.items():
        lowered = [rating < 0 for rating in before]
        open_ = [at for at, rating in enumerate(before) if by < 0 or (not lowered[at] and rating < most)]
        for at in open_:
            after = (*before[:at], before[at] + by, *before[at + 1 :])
            found[after] = found.get(after, Fraction()) + weight / len(open_)
    return found


def by_hand(names: int, lower: int, rise: int) -> dict[tuple[int, ...], Fraction]:
    ratings: dict[tuple[int, ...], Fraction] = {(0,) * names: Fraction(1)}
    for _ in range(lower):
        ratings = picks(ratings, by=-1, most=2)
    for _ in range(rise):
        ratings = picks(ratings, by=1, most=2)
    return ratings


class OneGroup(PathDice):
    """Dice of which every path is followed for the picks of one group; all others take the first that is open."""

    def __init__(self, dice: Dice, asked_from: int, picks: int) -> None:
        super().__init__([])
        self.dice, self.followed, self.asked = dice, range(asked_from, asked_from + picks), 0

    def choose(self, count: int, purpose: str) -> int:
        at, self.asked = self.asked, self.asked + 1
        return self.dice.choose(count, purpose) if at in self.followed else 0


@pytest.mark.parametrize(
    ("grade", "power", "group", "names", "changes"),
    [
        ("hero", "none", "attributes", 5, (2, 4)),
        ("ordinary", "none", "attributes", 5, (2, 2)),
        ("hero", "none", "approaches", 4, (1, 4)),
        ("hero", "Magic", "approaches", 5, (1, 4)),
        ("ordinary", "none", "approaches", 4, (1, 1)),
        ("ordinary", "Magic", "approaches", 5, (1, 1)),
    ],
)
def test_rolled_ratings_are_spread_exactly_as_the_ledger_says(
    system: System, *, grade: str, power: str, group: str, names: int, changes: tuple[int, int]
) -> None:
    """GEN-260 to GEN-262, over every path of the dice: a 5 counts for an approach only with a power."""
    made = roller(system, grade=grade, power=power)
    attributes_first = {"hero": 6, "ordinary": 4}[grade]
    asked_from = 0 if group == "attributes" else attributes_first

    def ratings(dice: Dice) -> tuple[int, ...]:
        own = OneGroup(dice, asked_from, sum(changes))
        person = made.with_dice(1, lambda step: own if step == "ratings by dice" else Scripted([3, 4] * 60))
        return tuple(person.numbers(group).values())[:names]

    found: dict[tuple[int, ...], Fraction] = {}
    for result, weight in merged(ratings).chances():
        found[result] = found.get(result, Fraction()) + weight
    assert found == by_hand(names, *changes)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("grade", GRADES)
def test_archetypes_lead_with_what_they_are_good_at_and_stay_legal(system: System, world: str, grade: str) -> None:
    for name, archetype in system.cast.archetypes.items():
        made = roller(system, archetype=name, world=world, grade=grade)
        for person in made.roll_all(range(1, 7)):
            assert not engine_of(system).judge(system, person)
            for group, order in (("attributes", archetype.attributes), ("approaches", archetype.also)):
                ratings = person.numbers(group)
                assert ratings[order[0]] == max(ratings.values()) > 0
            assert person.text("hook")
            assert person.text("manner")
            if archetype.occupations:
                trade = system.cast.occupations[person.text("occupation")]
                assert trade.name in archetype.occupations
                assert set(trade.gear[:1]) <= set(person.lines("gear"))


def test_an_archetype_with_a_power_brings_it_along(system: System) -> None:
    kinds = {"adept": "Magic", "mentalist": "Psionics", "marvel": "Superpowers"}
    for name, kind in kinds.items():
        person = roller(system, archetype=name).roll(1)
        assert person.text("power") == kind
        assert person.text("gift") in {row.columns[kind] for row in system.tables["gifts"].rows}
        assert person.numbers("approaches")["Unnaturally"] > 0


@pytest.mark.parametrize("world", WORLDS)
def test_fifty_people_in_a_row_read_like_fifty_people(system: System, world: str) -> None:
    for seed in (1, 7, 99):
        made = roller(system, seed=seed, world=world)
        people = list(made.roll_all(range(1, 51)))
        assert len({each.text("name") for each in people}) == 50
        assert len({each.text("occupation") for each in people}) >= 25
        assert len({each.text("hook") for each in people}) >= 40
        assert len({each.text("manner") for each in people}) >= 40


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        (
            "attributes: {Strength: 2, Agility: 1}",
            "GEN-201 attributes add up to +3; at the start +2 each and +2 in all, no milestone since",
        ),
        ("attributes: {Strength: 3, Agility: -2}", "GEN-201 attributes add up to +1; at the start +2 each"),
        ("attributes: {Strength: -3}", "GEN-200 Strength is"),
        (
            "approaches: {Cautiously: 2, Covertly: 2}",
            "GEN-210 approaches add up to +4; at the start +2 each and +3 in all",
        ),
        ("approaches: {Cautiously: 3}", "GEN-209 Cautiously is"),
        ("approaches: {Unnaturally: 1}", "GEN-262 Unnaturally is +1, but the character has no power"),
        ("gift: walks through walls", "GEN-211 a gift needs power"),
        ("power: Luck", ' unknown power "Luck"'),
        ("state: {Wounds: 9}", "GEN-263 Wounds: 9 marked, but the track holds 8"),
        ("state: {Stress: 8}", "GEN-263 Stress: 8 marked, but the track holds 7"),
        ("gear: [shotgun, hunting rifle, riot shield, tool box, full backpack]", "GEN-243 gear of load 10 is carried"),
    ],
)
def test_what_the_ledger_forbids_is_refused_with_its_rule(system: System, written: str, problem: str) -> None:
    (found,) = judged(system, f"name: Ada\n{written}\n")
    assert problem in found


def test_milestones_explain_what_creation_could_not(system: System) -> None:
    """GEN-216, GEN-Q33: each raises one rating, and an attribute may pass +2."""
    ratings = "attributes: {Strength: 3, Agility: 1}\napproaches: {Cautiously: 2, Covertly: 2}\n"
    assert judged(system, f"name: Ada\nstate: {{Milestones: 3}}\n{ratings}") == []
    assert len(judged(system, f"name: Ada\nstate: {{Milestones: 2}}\n{ratings}")) == 1
