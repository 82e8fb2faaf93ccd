"""Creation: the dice of the worked examples, exact odds, and a character that is the same everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from sheetgen.dice.paths import merged
from sheetgen.dice.source import Dice, Reading, Scripted
from sheetgen.errors import LimitError, UsageError
from sheetgen.model.cast import Phrase, fits
from sheetgen.model.character import Character
from sheetgen.model.data import Word
from sheetgen.model.system import Span, System
from sheetgen.rules.creation.skills import AptSpecialties
from sheetgen.rules.creation.steps import rising_cost
from sheetgen.rules.engine_check import audit
from sheetgen.rules.rolling import TOGETHER, Roller, plan_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

LEVELS = {"Tech": 6, "Status": 7, "Wealth": 7, "Psyche": 7}


def rolled(system: System, scripts: Mapping[str, Dice], method: str = "random", **options: str) -> Character:
    """A character whose named steps use the dice given and whose other steps a fixed stream of plain ones."""
    roller = Roller(system, plan_of(system, method=method, options=options), seed=1)

    def dice_for(step: str) -> Dice:
        return scripts.get(step) or Scripted([3, 4] * 60)

    return roller.with_dice(1, dice_for)


def test_attributes_fall_in_order(gamers: System) -> None:
    """gamers-ex-052"""
    dice = Scripted([4, 3, 6, 3, 5, 6, 1, 1, 6, 6, 2, 3])
    character = rolled(gamers, {"attributes rolled": dice})
    dice.finish()
    group = gamers.group("attributes")
    assert "".join(group.write(level) for level in character.numbers("attributes").values()) == "79B2C5"


def test_a_tech_set_by_the_gm_takes_no_dice(gamers: System) -> None:
    """gamers-ex-060"""
    dice = Scripted([3, 4, 2, 2, 5, 1, 6, 4, 1, 2])
    character = rolled(gamers, {"features": dice}, tech="9")
    dice.finish()
    expected = {"Licence": 7, "People": 4, "Psyche": 6, "Status": 10, "Tech": 9, "Wealth": 3}
    assert character.numbers("features") == expected


def test_tech_may_be_rolled(gamers: System) -> None:
    """gamers-ex-061"""
    dice = Scripted([3, 3, 1, 4, 6, 6, 2, 5, 4, 4, 1, 2])
    character = rolled(gamers, {"features": dice}, tech="rolled")
    dice.finish()
    expected = {"Licence": 6, "People": 5, "Psyche": 12, "Status": 7, "Tech": 8, "Wealth": 3}
    assert character.numbers("features") == expected


def test_random_skills_with_a_roll_twice_and_a_choice(gamers: System) -> None:
    """gamers-ex-072: the player choice takes the first skill held, which is Fire."""
    dice = Scripted([1, 3, 1, 5, 6, 6, 2, 5, 6, 4, 2, 5, 3, 1], choices=[0])
    character = rolled(gamers, {"skills rolled": dice})
    dice.finish()
    assert character.numbers("skills") == {"Fire": 2, "Search": 2, "Aircraft": 1}


def test_a_first_choice_becomes_roll_twice_and_the_gm_chooses_freely(gamers: System) -> None:
    """gamers-ex-073: Survival is the 33rd of the 33 skills a GM may choose from while there is no Psi."""
    names = [trait.name for trait in gamers.group("skills").members if trait.section != "Magic or Psi"]
    dice = Scripted([1, 1, 6, 4, 6, 5, 3, 6, 6, 2], choices=[names.index("Survival")])
    character = rolled(gamers, {"skills rolled": dice})
    dice.finish()
    assert character.numbers("skills") == {"Survival": 2, "Technician": 1}


def test_an_attribute_has_the_odds_of_two_dice(gamers: System) -> None:
    """Without an archetype what is rolled is spread as the ledger says (GAM-030): 2d6, each attribute alike."""
    roller = Roller(gamers, plan_of(gamers), seed=1)

    def first_attribute(dice: Dice) -> int:
        stand_in = Scripted([3, 4] * 60)

        class First:
            """The first total from every path, whatever comes later from a script."""

            asked = 0

            def total(self, count: int, sides: int, purpose: str) -> int:
                self.asked += 1
                return dice.total(count, sides, purpose) if self.asked == 1 else stand_in.total(count, sides, purpose)

            def roll(self, count: int, sides: int, purpose: str) -> tuple[int, ...]:
                return stand_in.roll(count, sides, purpose)

            def pool(self, count: int, sides: int, reading: Reading, purpose: str) -> tuple[int, ...]:
                return stand_in.pool(count, sides, reading, purpose)

            def choose(self, count: int, purpose: str) -> int:
                return 0

        source = First()
        character = roller.with_dice(1, lambda step: source if step == "attributes rolled" else Scripted([3, 4] * 60))
        return character.numbers("attributes")["Grit"]

    odds = dict(merged(first_attribute).chances())
    assert odds == {total: Fraction(6 - abs(total - 7), 36) for total in range(2, 13)}


@pytest.mark.parametrize(("level", "points"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10), (5, 15)])
def test_each_level_costs_its_own_number_more(level: int, points: int) -> None:
    assert rising_cost(level) == points


PRICES = (2, 5, 9, 15, 25, *range(40, 50))


@pytest.mark.parametrize(
    ("costs", "total"),
    [("rising", rising_cost), ("one each", lambda level: level), ("prices", lambda level: (0, *PRICES)[level])],
)
def test_a_pack_says_what_levels_cost(project: Project, costs: str, total: Callable[[int], int]) -> None:
    """By a family of prices, or by a list of what each level costs in all: no more than fifteen points are spent."""
    dear = project.where / "dear"
    dear.mkdir()
    (dear / "system.yaml").write_text(f"{{id: dear, extends: gamers, title: Dear, values: {{prices: {list(PRICES)}}}}}")
    (dear / "creation.yaml").write_text(f"steps: {{skills bought: {{costs: {costs}}}}}")
    system = open_pack(project, "./dear").system
    roller = Roller(system, plan_of(system, options={"skills": "bought", "features": "none", "tech": "8"}), seed=3)
    spent = [sum(map(total, roller.roll(index).numbers("skills").values())) for index in range(1, 41)]
    assert max(spent) == 15
    assert min(spent) >= 14


@pytest.mark.parametrize("archetype", ["guard", "scholar", "thief", "merchant", "soldier", "healer"])
def test_an_archetype_keeps_the_rules_of_creation(gamers: System, archetype: str) -> None:
    roller = Roller(gamers, plan_of(gamers, archetype=archetype), seed=3)
    for character in roller.roll_all(range(1, 101)):
        assert sum(map(rising_cost, character.numbers("skills").values())) == 15
        assert all(2 <= level <= 12 for level in character.numbers("attributes").values())
        ranked = [character.numbers("attributes")[name] for name in gamers.cast.archetypes[archetype].attributes]
        assert ranked == sorted(ranked, reverse=True)
        assert character.text("occupation") in gamers.cast.archetypes[archetype].occupations


def test_forty_five_points_are_all_spent_within_the_range(gamers: System) -> None:
    roller = Roller(gamers, plan_of(gamers, method="points"), seed=3)
    for each in roller.roll_all(range(1, 201)):
        levels = each.numbers("attributes").values()
        assert sum(levels) == 45
        assert all(2 <= level <= 12 for level in levels)


def test_every_rolled_character_keeps_its_sums(gamers: System) -> None:
    roller = Roller(gamers, plan_of(gamers), seed=11)
    for character in roller.roll_all(range(1, 1001)):
        skills = character.numbers("skills")
        assert sum(character.numbers("people").values()) <= character.numbers("features")["People"]
        assert sum(character.numbers("languages").values()) == skills.get("Languages", 0)
        assert len(character.notes("specialties")) <= 3
        for skill, things in character.lists("familiarities").items():
            assert len(things) == len(set(things)) <= 3 * skills[skill]


def test_features_can_be_left_out_one_by_one(gamers: System) -> None:
    none = Roller(gamers, plan_of(gamers, options={"features": "none"}), seed=1).roll(1)
    assert "features" not in none.values
    assert "people" not in none.values
    some = Roller(gamers, plan_of(gamers, options={"features": "Status, Wealth"}), seed=1).roll(1)
    assert list(some.numbers("features")) == ["Status", "Wealth"]


def test_nobody_learns_anything_without_tools(gamers: System) -> None:
    """GAM-057: at Tech 0 there is neither schooling nor skill."""
    for skills in ("rolled", "bought"):
        options = {"tech": "0", "skills": skills}
        assert not Roller(gamers, plan_of(gamers, options=options), seed=1).roll(1).numbers("skills")


def test_psi_comes_with_the_setting_only(gamers: System) -> None:
    def skills(psi: str) -> set[str]:
        options = {"psi": psi, "skills": "bought"}
        roller = Roller(gamers, plan_of(gamers, options=options), seed=5)
        return {skill for each in roller.roll_all(range(1, 400)) for skill in each.numbers("skills")}

    psi = {"Body Psi", "Elements Psi", "Mind Psi"}
    assert not psi & skills("no")
    assert psi <= skills("yes")


def test_number_57_is_the_same_alone_and_in_a_run(gamers: System) -> None:
    in_a_run = list(Roller(gamers, plan_of(gamers), seed=7).roll_all(range(1, 101)))[56]
    assert Roller(gamers, plan_of(gamers), seed=7).roll(57) == in_a_run
    assert Roller(gamers, plan_of(gamers), seed=8).roll(57) != in_a_run


def test_many_taken_together_are_what_each_is_alone(gamers: System) -> None:
    numbers = range(31, 31 + 2 * TOGETHER + 7)
    alone = Roller(gamers, plan_of(gamers), seed=7)
    assert list(Roller(gamers, plan_of(gamers), seed=7).roll_all(numbers)) == [alone.roll(index) for index in numbers]


def test_one_who_cannot_be_rolled_ends_a_run_at_their_place(gamers: System) -> None:
    """A skill table of too many *Roll twice* goes on for ever, though not for everybody (`GAM-077`)."""
    table, twice = gamers.tables["skills"], gamers.values.text("choices.twice")
    rows = tuple(replace(row, columns={"is": twice}) if at % 9 < 4 else row for at, row in enumerate(table.rows))
    endless = replace(gamers, tables={**gamers.tables, "skills": replace(table, rows=rows)})
    roller, alone = Roller(endless, plan_of(endless), seed=3), list[Character]()
    with pytest.raises(LimitError):
        alone.extend(roller.roll(index) for index in range(1, TOGETHER))
    came = list[Character]()
    with pytest.raises(LimitError):
        came.extend(roller.roll_all(range(1, TOGETHER)))
    assert came == alone
    assert came


def test_the_log_tells_how_the_same_character_was_rolled(gamers: System) -> None:
    roller = Roller(gamers, plan_of(gamers), seed=7)
    character, log = roller.explain(57)
    assert character == roller.roll(57)
    assert log[0] == "Attributes rolled [GAM-030]"
    told = {}
    for line in log[1:7]:
        name, sum_told = re.fullmatch(r"  (\w+): \d \+ \d = (\d+)", line).groups()  # type: ignore[union-attr]
        told[name] = int(sum_told)
    assert told == character.numbers("attributes")


def test_a_specialty_that_means_what_is_owned_is_never_overlooked(gamers: System) -> None:
    """A specialty means the weapons it names, or what has its words in its name as whole words."""
    roller, cast, found = Roller(gamers, plan_of(gamers), seed=7), gamers.cast, 0
    apt = AptSpecialties(cast.specialties, cast.tags)
    for person in roller.roll_all(range(1, 41)):
        gear = person.lines("gear")
        for role, phrases in cast.specialties.items():
            fitting = [phrase for phrase in phrases if fits(phrase.fits, LEVELS)]
            meant = [phrase.say for phrase in fitting if any(phrase.means(thing, cast.tags(thing)) for thing in gear)]
            found += bool(meant)
            assert list(apt.phrases(role, LEVELS, gear)) == (meant or [phrase.say for phrase in fitting])
    assert found


@pytest.mark.parametrize(
    ("phrase", "thing", "means"),
    [
        (Phrase("bows", names=("bow",)), "shortbow", True),
        (Phrase("bows", names=("bow",)), "crossbow", False),
        (Phrase("bows", names=("shortbow",)), "shortbow", True),
        (Phrase("bows"), "spare bowstrings", False),
        (Phrase("boar"), "cardboard box", False),
        (Phrase("shotgun"), "Pump-action Shotgun", True),
        (Phrase("battle axe"), "battle-axe", False),
    ],
)
def test_no_specialty_means_a_thing_by_letters_inside_a_word(phrase: Phrase, thing: str, *, means: bool) -> None:
    tags = ("bow",) if thing == "shortbow" else ()
    assert phrase.means(thing, tags) == means


def test_fifty_people_do_not_look_alike(gamers: System) -> None:
    for seed in (1, 7, 99):
        people = list(Roller(gamers, plan_of(gamers), seed).roll_all(range(1, 51)))
        assert len({each.text("name") for each in people}) == 50
        assert len({each.text("occupation") for each in people}) >= 25
        assert len({each.text("hook") for each in people}) >= 40


def test_names_do_not_repeat_within_a_run_of_ten_thousand(gamers: System) -> None:
    roller = Roller(gamers, plan_of(gamers, options={"features": "none", "skills": "bought"}), seed=7)
    assert len({each.text("name") for each in roller.roll_all(range(1, 10_001))}) == 10_000


def test_every_archetype_works_in_every_age(gamers: System) -> None:
    for archetype in gamers.cast.archetypes:
        for tech in "456789A":
            roller = Roller(gamers, plan_of(gamers, archetype=archetype, options={"tech": tech}), seed=2)
            character = roller.roll(1)
            assert character.text("occupation")
            assert character.lines("gear")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"method": "randon"}, 'unknown method "randon" (did you mean "random"?)'),
        ({"archetype": "gaurd"}, 'unknown archetype "gaurd" (did you mean "guard"?)'),
        ({"options": {"teck": "6"}}, 'unknown option "teck" (did you mean "tech"?)'),
        ({"options": {"tech": "D"}}, 'option tech takes 0 to C, or rolled; not "D"'),
        ({"options": {"psi": "maybe"}}, 'option psi takes yes or no, not "maybe"'),
        ({"options": {"skills": "stolen"}}, 'option skills takes rolled or bought, not "stolen"'),
        ({"options": {"features": "Statsu"}}, 'option features: unknown name "Statsu" (did you mean "Status"?)'),
    ],
)
def test_a_wrong_word_is_named_with_the_nearest_right_one(
    gamers: System, words: Mapping[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        plan_of(gamers, **words)  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["A", "a", "10"])
def test_a_level_is_kept_as_its_group_writes_it(gamers: System, word: str) -> None:
    assert plan_of(gamers, options={"tech": word}).options["tech"] == "A"


def test_a_level_beyond_sixteen_can_be_set(gamers: System) -> None:
    tech = gamers.by_role["Tech"]
    wide = replace(tech, range=Span(0, 40), start=Span(0, 40))
    groups = tuple(
        replace(group, members=tuple(wide if member is tech else member for member in group.members))
        for group in gamers.groups
    )
    system = replace(gamers, groups=groups)
    character = Roller(system, plan_of(system, options={"tech": "20"}), seed=1).roll(1)
    assert character.numbers("features")["Tech"] == 20


def test_what_the_engine_finds_wrong_comes_all_at_once(gamers: System) -> None:
    steps = {name: replace(step, do=Word("rol", step.place)) for name, step in gamers.creation.steps.items()}
    system = replace(gamers, creation=replace(gamers.creation, steps=steps), rulings={"GAM-Q0": "yes"})
    found = audit(system)
    assert len(found) == 1 + len(steps)
    assert sum("GAM-Q0" in problem.message for problem in found) == 1
