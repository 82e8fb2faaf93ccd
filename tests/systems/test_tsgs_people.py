"""The people that TSGS rolls: legal by the ledger, spread as it says, and refused with the rule when they are not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import pypdf
import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.dice.paths import merged
from sheetgen.dice.source import Dice, Reading, Scripted
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.products.form_cache import sheet_form
from sheetgen.rules.registry import engine_of
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.systems.tsgs.characters import arms, fighter, levels_by_pair, parameters, weapon_of
from sheetgen.systems.tsgs.figures import figures, judge
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project
from tests.reading import read_pack

SETTINGS = ("medieval", "thirties")
Sheetgen = Callable[..., Any]
T = TypeVar("T")


@pytest.fixture(scope="module")
def tsgs(library: Library) -> System:
    return read_pack(library.packs["tsgs"], library)


def roller(system: System, *, archetype: str = "", method: str = "", **options: str) -> Roller:
    return Roller(system, plan_of(system, archetype=archetype, method=method, options=options), seed=7)


def people_of(system: System) -> list[str]:
    """The archetypes that pick like players do."""
    return [name for name, archetype in system.cast.archetypes.items() if not archetype.gives]


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("method", ["random", "arrange"])
@pytest.mark.parametrize("disabilities", ["0", "1", "3", "rolled"])
def test_everybody_rolled_is_legal(tsgs: System, setting: str, method: str, disabilities: str) -> None:
    """TSG-005 to TSG-020: sixteen ways of a hundred and fifty each."""
    made = roller(tsgs, method=method, setting=setting, disabilities=disabilities)
    for person in made.roll_all(range(1, 151)):
        assert judge(tsgs, person) == ()


def test_nobody_of_the_thirties_fences_or_draws_a_bow_by_chance(tsgs: System) -> None:
    made = roller(tsgs, setting="thirties")
    people = [made.roll(index) for index in range(1, 201)]
    trades = {name: set(trade.skills) for name, trade in tsgs.cast.occupations.items()}
    liked = {role for archetype in tsgs.cast.archetypes.values() for role in (*archetype.core, *archetype.also)}
    seldom = set(tsgs.values.words("settings.thirties.seldom"))
    assert seldom >= {"Bow", "Swordsman"}
    for person in people:
        held = seldom & set(person.numbers("skills"))
        assert held <= trades[person.text("occupation")] | liked, person.text("name")
    assert sum("Bow" in person.numbers("skills") for person in people) < 4


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_archetype_keeps_to_the_picks_or_is_no_players_character(tsgs: System, setting: str) -> None:
    for archetype in tsgs.cast.archetypes:
        made = roller(tsgs, archetype=archetype, setting=setting)
        for person in made.roll_all(range(1, 21)):
            assert judge(tsgs, person) == ()
            assert person.text("kind") == tsgs.cast.archetypes[archetype].gives.get("kind", "")


@pytest.mark.parametrize("level", ["", "weak"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_nobody_lacks_what_the_calling_lives_by(tsgs: System, setting: str, level: str) -> None:
    """A knife thrower is not clumsy with the hands: what a trade’s skills are mostly rolled with is no disability."""
    made = roller(tsgs, setting=setting, disabilities="1", **({"level": level} if level else {}))
    usual = {skill: tsgs.values.text(f"skills.usual.{skill}") for skill in tsgs.values.names("skills.usual")}
    first, any_of_them = 0, 0
    for person in made.roll_all(range(1, 401)):
        trade, levels = tsgs.cast.occupations[person.text("occupation")], levels_by_pair(tsgs, person)
        lacking = [skill for skill in trade.skills if levels[usual[skill]] == "Disability"]
        first += trade.skills[0] in lacking
        any_of_them += bool(lacking)
    assert first == 0
    assert any_of_them <= 2  # who has one skill, and a disability that forbids every calling that begins with it


def test_a_thousand_written_down_are_read_back(tsgs: System, sheetgen: Sheetgen) -> None:
    assert sheetgen("npc", "tsgs", "-n", "1000", "--seed", "5", "-o", "crowd.yaml").code == 0
    ran = sheetgen("check", "crowd.yaml")
    assert (ran.code, ran.err) == (0, "")


class FirstTotal:
    """The first total from every path, all else from a script: what one die decides of a whole character."""

    def __init__(self, dice: Dice) -> None:
        self.dice, self.rest, self.asked = dice, Scripted([3, 4] * 60), 0

    def total(self, count: int, sides: int, purpose: str) -> int:
        self.asked += 1
        return (self.dice if self.asked == 1 else self.rest).total(count, sides, purpose)

    def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        return self.rest.roll(count, sides, purpose)

    def pool(self, count: int, sides: int, reading: Reading, purpose: str) -> tuple[int, ...]:
        return self.rest.pool(count, sides, reading, purpose)

    def choose(self, count: int, purpose: str) -> int:
        return 0


@pytest.mark.parametrize("method", ["random", "arrange"])
def test_skill_picks_are_a_die_and_one(tsgs: System, method: str) -> None:
    """TSG-018, exactly: two to seven, each as likely as any other; and all of them are spent."""
    made = roller(tsgs, method=method)

    def picks(dice: Dice) -> tuple[int, int]:
        first = FirstTotal(dice)
        person = made.with_dice(1, lambda step: first if step == "skill picks" else FirstTotal(dice).rest)
        return person.numbers("tally")["Skill Picks"], sum(person.numbers("skills").values())

    assert dict(merged(picks).chances()) == {(number, number): Fraction(1, 6) for number in range(2, 8)}


def summed(paths: Iterable[tuple[T, Fraction]]) -> dict[T, Fraction]:
    """The probability of each result, its paths taken together."""
    odds: dict[T, Fraction] = {}
    for result, chance in paths:
        odds[result] = odds.get(result, Fraction(0)) + chance
    return odds


def drawn(tsgs: System, limit: str) -> dict[tuple[int, ...], Fraction]:
    """The exact odds of each set of abilities, as levels in the order of the pack."""
    made = Roller(tsgs, plan_of(tsgs, options={"disabilities": limit}), 0)
    making = made.making("abilities drawn")
    step = engine_of(tsgs).steps["tsgs picks"](making)

    def levels(dice: Dice) -> tuple[int, ...]:
        draft = made.begun(1)
        step(draft, dice)
        return tuple(draft.groups["abilities"].values())

    return summed(merged(levels).chances())


def test_abilities_are_drawn_evenly_pick_by_pick(tsgs: System) -> None:
    """TSG-Q45 and TSG-010, exactly: three picks fall on nine abilities, and no third one on the same."""
    odds = drawn(tsgs, "0")
    assert len(odds) == 84 + 9 * 8
    for levels, chance in odds.items():
        doubled = levels.count(4)
        # A double falls as AAB, after which eight are open for the third pick, or as ABA or BAA, when nine still were.
        assert chance == (Fraction(1, 81) * (Fraction(1, 8) + Fraction(2, 9)) if doubled else Fraction(6, 729))


def test_half_of_all_have_a_disability_and_any_of_the_nine(tsgs: System) -> None:
    """TSG-008, TSG-009, TSG-Q45, exactly: a disability brings a fourth pick, and never the other half of its pair."""
    odds = drawn(tsgs, "1")
    for levels in odds:
        assert sum(max(level - 2, 0) for level in levels) == (4 if 1 in levels else 3)
    lacking = summed((levels.index(1) if 1 in levels else -1, chance) for levels, chance in odds.items())
    assert lacking.pop(-1) == Fraction(1, 2)
    assert lacking == dict.fromkeys(range(9), Fraction(1, 18))


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("method", ["random", "arrange"])
def test_fifty_in_a_row_read_like_fifty_people(tsgs: System, setting: str, method: str) -> None:
    fifty = list(roller(tsgs, method=method, setting=setting).roll_all(range(1, 51)))
    assert len({person.text("name") for person in fifty}) == 50
    assert len({person.text("hook") for person in fifty}) >= 40
    assert len({person.text("manner") for person in fifty}) >= 40
    assert len({person.text("occupation") for person in fifty}) >= 25


@pytest.mark.parametrize("setting", SETTINGS)
def test_callings_and_weapons_are_at_home_in_their_setting(tsgs: System, setting: str) -> None:
    number = SETTINGS.index(setting)
    for archetype in people_of(tsgs):
        for person in roller(tsgs, archetype=archetype, setting=setting).roll_all(range(1, 21)):
            trade = tsgs.cast.occupations[person.text("occupation")]
            assert all(number in allowed for name, allowed in trade.fits if name == "setting"), trade.name
            for thing in arms(tsgs, person).values():
                assert all(number in allowed for name, allowed in thing.fits if name == "setting"), thing.name


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("archetype", ["guard", "soldier", "captain", "hunter"])
def test_who_carries_a_weapon_for_a_living_is_mostly_trained_in_it(tsgs: System, archetype: str, setting: str) -> None:
    made = roller(tsgs, archetype=archetype, setting=setting)
    trained = armed = 0
    for person in made.roll_all(range(1, 61)):
        trade = tsgs.cast.occupations[person.text("occupation")]
        for line, thing in arms(tsgs, person).items():
            if line in trade.gear:
                armed += 1
                trained += not fighter(tsgs, person, thing).unskilled
    assert trained >= armed * 0.6 > 0


def test_every_thing_with_facts_is_a_weapon_of_the_rules(tsgs: System) -> None:
    roles = {trait.role for trait in tsgs.group("skills").members}
    for thing in tsgs.cast.things.values():
        weapon = weapon_of(thing)
        assert weapon.kind in ("melee", "thrown", "missile", "barehanded"), thing.name
        assert weapon.size in ("small", "one-handed", "larger", None), thing.name
        assert weapon.size is not None or weapon.kind == "barehanded", thing.name
        assert thing.facts.get("skill", "Bow") in roles, thing.name  # type: ignore[call-overload]


def test_every_skill_has_an_ability_that_it_is_mostly_rolled_with(tsgs: System) -> None:
    assert {trait.role for trait in tsgs.group("skills").members} == set(tsgs.values.names("skills.usual"))
    pairs = set(tsgs.values.names("pairs"))
    assert all(tsgs.values.text(f"skills.usual.{name}") in pairs for name in tsgs.values.names("skills.usual"))


def test_a_zombie_is_the_ledgers(tsgs: System) -> None:
    """TSG-091; TSG-092 only where the GM takes it up."""
    plain = roller(tsgs, archetype="zombie").roll(1)
    assert levels_by_pair(tsgs, plain) == {
        "strength": "Ability",
        "toughness": "Very",
        **dict.fromkeys(("cleverness", "wisdom", "dexterity", "agility", "speed", "charm", "looks"), "Disability"),
    }
    assert "Shrugs Off" not in plain.numbers("tally")
    worse = roller(tsgs, archetype="zombie", stronger="yes", relentless="yes").roll(1)
    assert levels_by_pair(tsgs, worse)["strength"] == "Very"
    assert worse.numbers("tally")["Shrugs Off"] == 1


@pytest.mark.parametrize("name", ["John Northcrosse", "Ugly Jack", "Barney Black", "Amelia Abernathy"])
def test_the_ready_made_characters_are_those_of_the_ledger(tsgs: System, name: str) -> None:
    """TSG-014, TSG-027: every skill pick spent."""
    person = roller(tsgs, archetype=name).roll(1)
    assert (person.text("name"), judge(tsgs, person)) == (name, ())
    picks = person.numbers("tally")["Skill Picks"]
    fewer = {**person.values, "tally": {"Skill Picks": picks - 1}}
    assert [problem.rule for problem in judge(tsgs, Character("tsgs", fewer))] == ["TSG-018"]


BARNEY = "abilities: {Strength: Ability, Toughness: Very}"


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("abilities: {Strength: Very, Toughness: Very}", "TSG-007"),
        ("abilities: {Strength: Ability, Toughness: Ability}", "TSG-Q43"),
        ("abilities: {Strength: Extremely}", "TSG-010"),
        (
            "abilities: {Strength: Very, Toughness: Very, Speed: Ability, Looks: Disability, Charm: Disability}",
            "TSG-009",
        ),
        ("abilities: {Strength: Strong}", "TSG-028"),
        ("skills: {Riding: +1, Bow: +1, Sling: +1, Dagger: +1}", "TSG-018"),
        ("skills: {Riding: +1}\n  tally: {Skill Picks: 1}", "TSG-018"),
        ("skills: {Reading: +1, Medical: basic}\n  tally: {Skill Picks: 2}", "TSG-018"),
        ("skills: {Riding: +2}", "TSG-089"),
        ("skills: {Riding: +2}\n  tally: {Picks Bought: 1}", "TSG-088"),
        ("skills: {Riding: +9}", "TSG-026"),
        ("own: {Clever: 1}", "TSG-024"),
        ("tally: {Shrugs Off: 1}", "TSG-092"),
        ("special: breathes fire", "TSG-090"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused_with_its_rule(
    sheetgen: Sheetgen, tmp_path: Path, written: str, rule: str
) -> None:
    (tmp_path / "x.yaml").write_text(f"system: tsgs\ncharacters:\n- name: X\n  {written}\n")
    ran = sheetgen("check", "x.yaml")
    assert ran.code == 1
    assert f"[{rule}]" in ran.err


@pytest.mark.parametrize(
    "written",
    [
        f"{BARNEY}\n  setting: thirties\n  skills: {{Brawling: +1, Dodging: +1, Driving: +1}}",
        "abilities: {Cleverness: Ability, Agility: Ability, Speed: Ability, Dexterity: Ability, Looks: Disability}",
        "skills: {Reading: +1, Medical: basic}\n  setting: thirties\n  tally: {Skill Picks: 2}",
        "skills: {Riding: +1, Bow: basic}\n  tally: {Skill Picks: 2, Picks Bought: 1}",
        "kind: npc\n  abilities: {Strength: Ultra, Wisdom: Disability, Speed: Disability}\n  skills: {Bow: +6}",
        "kind: npc\n  tally: {Shrugs Off: 1}\n  special: breathes fire",
        "own: {Beekeeping: 2}",
    ],
)
def test_what_the_rules_allow_is_read(sheetgen: Sheetgen, tmp_path: Path, written: str) -> None:
    """TSG-014, TSG-020, TSG-027, TSG-082, TSG-085, TSG-087"""
    (tmp_path / "x.yaml").write_text(f"system: tsgs\ncharacters:\n- name: X\n  {written}\n")
    assert (sheetgen("check", "x.yaml").err, sheetgen("check", "x.yaml").code) == ("", 0)


JACK = Character(
    "tsgs",
    {
        "name": "Ugly Jack",
        "abilities": {"Cleverness": 3, "Agility": 3, "Speed": 3, "Dexterity": 3, "Looks": 1},
        "skills": {"Sling": 1, "Dagger": 2, "Lock Picking": 1, "Pick Pockets": 1, "Sneaking": 1},
        "gear": ("sling", "dagger", "longbow"),
    },
)


def test_what_a_sheet_says_of_a_fight(tsgs: System) -> None:
    """TSG-028, TSG-030, TSG-048, TSG-056, TSG-058 to TSG-066, TSG-074"""
    found = figures(tsgs, JACK)
    assert (found["arms.1.name"], found["arms.1.dexterity"], found["arms.1.strength"]) == (
        "Dagger",
        "4 dice, wound 2",
        "3 dice, wound 1",
    )
    assert (found["arms.2.name"], found["arms.2.dexterity"]) == ("Sling", "3 dice, wound 1")
    assert "arms.2.strength" not in found
    assert found["arms.3.name"] == "Bare hands"
    assert found["thing.longbow"] == "Dexterity 2, wound 1"
    assert (found["defence"], found["initiative"], found["move"]) == ("Agility 3", "Agility 3", "12, hurt 10")
    assert (found["rung.looks.1"], found["rung.strength.2"], found["trait.looks"]) == ("x", "x", "Ugly")
    assert (found["skill.1.name"], found["skill.1.dice"]) == ("Dagger +1", "4")


def test_bare_hands_leave_their_row_to_a_weapon_that_was_learnt(tsgs: System) -> None:
    """TSG-025, TSG-027"""
    skills = {"Sling": 1, "Dagger": 2, "Bow": 1}
    found = figures(tsgs, Character("tsgs", {**JACK.values, "skills": skills}))
    assert {found[f"arms.{number}.name"] for number in (1, 2, 3)} == {"Dagger", "Sling", "Longbow"}
    assert "thing.longbow" not in found


def test_what_fills_in_for_a_procedure(tsgs: System) -> None:
    """TSG-022, TSG-029: a skill with its usual ability, an ability by any of its names, or a weapon."""
    used = [parameters(tsgs, JACK, what) for what in ("Lock Picking", "Ugly")]
    assert [(each["level"], each["skill"]) for each in used] == [("Ability", "basic"), ("Disability", "none")]
    assert parameters(tsgs, JACK, "longbow")["unskilled"] == 1
    assert parameters(tsgs, JACK, "")["weapon"] == {"kind": "melee", "size": "small", "lethal": True, "name": "dagger"}


@pytest.mark.parametrize("pair", [("guard", "zombie"), ("champion", "young dragon"), ("thief", "thief")])
def test_archetypes_fight(sheetgen: Sheetgen, pair: tuple[str, str]) -> None:
    ran = sheetgen("duel", "tsgs", *pair, "-n", "20", "--seed", "1")
    assert ran.code == 0
    assert ran.out.count("wins") == 3


HOSTILE = """
system: tsgs
characters:
- name: Αλέξανδρος Őrült-Żółć Ñandú von Hohenzollern-Sigmaringen Ж
  occupation: Великий князь и хранитель ключей всех северных ворот города
  kind: npc
  abilities: {{Strength: Ultra, Toughness: Super, Charm: Extremely, Speed: Disability}}
  skills: {{{skills}}}
  tally: {{Experience: 99, Wounds: 99, Shrugs Off: 9}}
  gear: [{gear}]
  special: {special}
"""


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_sheet_is_one_page_and_its_back_another(project: Project, paper: str) -> None:
    pack = open_pack(project, "tsgs")
    assert len(sheet_form(project, pack, paper=paper).pages) == 1
    assert len(sheet_form(project, pack, paper=paper, back=True).pages) == 2


def test_nothing_is_lost_of_too_much(tsgs: System, sheetgen: Sheetgen, tmp_path: Path) -> None:
    """Every skill there is, fifty things and a long rule: what does not fit goes on, and the run says so."""
    text = HOSTILE.format(
        skills=", ".join(f"{trait.name}: +6" for trait in tsgs.group("skills").members),
        gear=", ".join(f"thing number {number} of a great many" for number in range(1, 51)),
        special="breathes frost on Tuesdays and on other days regrets it " * 7,
    )
    (tmp_path / "x.yaml").write_text(text, encoding="utf-8")
    ran = sheetgen("sheet", "x.yaml", "-o", "x.pdf")
    assert ran.code == 0
    assert ran.err.endswith(": Belongings continued on a page of its own\n")
    front, *more = [page.extract_text() for page in pypdf.PdfReader(tmp_path / "x.pdf").pages]
    for title in ("Further skills", "What else"):  # short enough for the notes
        assert f"{title}: " in front
    for number in range(1, 51):
        assert f"number {number} of a great many" in " ".join(" ".join([front, *more]).split())


def test_the_words_are_many_short_and_without_gender(tsgs: System) -> None:
    cast = tsgs.cast
    assert min(len(cast.given), len(cast.family)) >= 200
    assert len(cast.occupations) >= 60
    assert len(people_of(tsgs)) >= 10
    assert sum("kind" in archetype.gives for archetype in cast.archetypes.values()) >= 4
    own = [phrase.say for archetype in cast.archetypes.values() for phrase in archetype.hooks]
    hooks = [phrase.say for phrase in cast.hooks] + own
    assert len(set(hooks)) == len(hooks) >= 100
    assert [hook for hook in hooks if not 60 <= len(hook) <= 110] == []
    manners = [phrase.say for phrase in cast.manners]
    assert len(set(manners)) == len(manners) >= 80
    assert [manner for manner in manners if len(manner) > 42] == []
    words = {word.strip(".,;").lower() for line in (*hooks, *manners) for word in line.split()}
    assert words.isdisjoint({"he", "she", "his", "her", "him", "hers", "himself", "herself"})
