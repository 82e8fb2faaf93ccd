"""The rules of GAMERS as procedures: worked examples, every ID of the ledger, exact odds, refusals, whole stories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.content.packs.play import read_examples
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.dice.source import Scripted, Seeded
from sheetgen.errors import SheetgenError
from sheetgen.model.procedures import Example, as_data
from sheetgen.model.system import System
from sheetgen.rules.odds import Odds, exact_odds
from sheetgen.rules.procedures.parameters import Wrong, plain_words
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.table.examples import run_example
from tests.reading import ledger, read_pack

ROOT = Path(__file__).parents[2]
SKINS = {"agents": "AGENTS", "fright": "FRIGHT", "heroic": "HEROIC", "spacer": "SPACER", "waster": "WASTER"}
BODY = {"Endurance": 7, "Strength": 6, "Reflexes": 7}
DIE = range(1, 7)


def cases() -> tuple[Example, ...]:
    """The worked examples of the pack."""
    path, problems = ROOT / "content" / "gamers" / "examples.yaml", Problems()
    found = read_examples(parse(path.read_bytes(), path.name), problems)
    problems.raise_if_any()
    return found


CASES = cases()


def play_of(
    system: System, procedure: str, given: Mapping[str, Any], *, dice: Iterable[int] | int = (), policy: str = ""
) -> tuple[dict[str, Any], list[str]]:
    """What a procedure comes to, as plain data, and its log; `dice` are faces, all of which must be used, or a seed."""
    engine, log = engine_of(system), list[str]()
    faces = Seeded(str(dice).encode()) if isinstance(dice, int) else Scripted(dice)
    play = Play(system, faces, rulings=rulings_of(system), log=log, policy=policy)
    found = engine.procedures[procedure]
    outcome = as_data(found.run(play, found.arguments(plain_words(given), play)))
    if isinstance(faces, Scripted):
        faces.finish()
    assert isinstance(outcome, dict)
    return outcome, log


def odds_of(system: System, procedure: str, of: str, *, policy: str = "", **given: Any) -> Odds:
    """The exact odds of one result."""
    found = engine_of(system).procedures[procedure]
    arguments = found.arguments(plain_words(given), Play(system, Scripted(())))
    return exact_odds(system, found, arguments, of=of, policy=policy)


# Examples and coverage


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_worked_example_comes_out_as_it_says(gamers: System, case: Example) -> None:
    assert run_example(gamers, engine_of(gamers), case) == ""


def test_all_cases_of_the_ledger_are_here() -> None:
    assert [case.id for case in CASES][:160] == [f"gamers-ex-{number:03}" for number in range(1, 161)]


def computed() -> list[str]:
    """The rules that code must know."""
    return [rule for rule, kind in ledger("gamers").items() if kind in ("engine", "both")]


def test_the_ledger_has_its_186_rules() -> None:
    assert Counter(ledger("gamers").values()) == {"engine": 82, "both": 60, "content": 44}


def test_every_rule_to_be_computed_is_named_by_a_procedure_or_by_the_pack(gamers: System) -> None:
    named = {rule for procedure in engine_of(gamers).procedures.values() for rule in procedure.rules}
    assert [rule for rule in computed() if rule not in named | gamers.covered] == []


def test_procedures_name_only_rules_that_exist(gamers: System) -> None:
    ours = {*(f"GAM-Q{number}" for number in range(1, 75)), *(f"GAM-H{number}" for number in range(1, 8))}
    numbered = {*ledger("gamers"), *ours}
    named = {rule for procedure in engine_of(gamers).procedures.values() for rule in procedure.rules}
    assert sorted(rule for rule in named if rule.startswith("GAM-") and rule not in numbered) == []


WITHOUT_EXAMPLE = {
    "GAM-003": "skins: tested below, in their own packs",
    "GAM-010": "two dice: the mechanism of every check",
    "GAM-013": "the three families of traits: the shape of the pack",
    "GAM-046": "what People is; GAM-047 has the cases",
    "GAM-070": "the list of skills and their default: the shape of the pack",
    **{f"GAM-{number:03}": "a group of skills: the shape of the pack" for number in range(81, 93)},
    "GAM-093": "the count of skills: tests/systems/test_gamers.py",
    "GAM-260": "the list of options: creation.yaml",
}


def test_rules_without_an_example_are_known_and_have_a_reason() -> None:
    shown = {rule for case in CASES for rule in case.rules}
    assert {rule for rule in computed() if rule not in shown} == set(WITHOUT_EXAMPLE)


def test_every_procedure_says_in_one_line_what_it_is(gamers: System) -> None:
    for name, procedure in engine_of(gamers).procedures.items():
        assert procedure.say, name
        assert "\n" not in procedure.say, name
        assert procedure.rules, name


# Exact odds, against a count over all faces


Ranked = dict[tuple[int, int], Fraction]


def helps(kind: str, level: int, rung: int) -> Fraction:
    """How likely one complementary roll is to pass."""
    passing = sum(
        one + two + level >= rung if kind == "skill" else one + two <= level for one, two in product(DIE, DIE)
    )
    return Fraction(passing, 36)


def helpers(complements: list[tuple[str, int]], rung: int = 8) -> dict[int, Fraction]:
    """How likely each number of successes is before the first failure."""
    if not complements:
        return {0: Fraction(1)}
    (kind, level), *rest = complements
    passes = helps(kind, level, rung)
    found = {0: 1 - passes}
    for count, chance in helpers(rest, rung + 2 * (kind == "skill")).items():
        found[count + 1] = passes * chance
    return found


def counted(skill: int, dm: int, attribute: int | None, complements: list[tuple[str, int]]) -> Ranked:
    """How likely each (rank, total) of one party's roll is, counted face by face."""
    found: Ranked = {}
    for count, chance in helpers(complements).items():
        for one, two in product(DIE, DIE):
            total, weight = one + two + skill + dm + count, chance / 36
            triumph, balls_up = one + two == 12, one + two == 2 or total <= 0
            if attribute is None or not (triumph or balls_up):
                found[1, total] = found.get((1, total), Fraction()) + weight
                continue
            passed = Fraction(sum(a + b <= attribute + skill for a, b in product(DIE, DIE)), 36)
            for rank, part in ((2 if triumph else 1, passed), (1 if triumph else 0, 1 - passed)):
                found[rank, total] = found.get((rank, total), Fraction()) + weight * part
    return found


def succeeding(ranked: Ranked, difficulty: int) -> Fraction:
    """How likely a roll is to reach a difficulty."""
    return sum(
        (chance for (rank, total), chance in ranked.items() if rank == 2 or (rank == 1 and total >= difficulty)),
        Fraction(),
    )


CHECKS = [
    (0, 0, 8, None, []),
    (2, 0, 8, None, []),
    (2, -1, 10, 7, []),
    (0, -8, 6, 7, []),
    (0, -13, 6, 7, []),
    (5, 3, 4, 3, []),
    (1, 0, 10, 6, [("skill", 2), ("attribute", 9), ("skill", 2), ("skill", 3)]),
    (2, 0, 8, 12, [("attribute", 7), ("feature", 2)]),
]


@pytest.mark.parametrize("case", CHECKS, ids=str)
def test_odds_of_a_check(gamers: System, case: tuple[int, int, int, int | None, list[tuple[str, int]]]) -> None:
    skill, dm, difficulty, attribute, complements = case
    given = {"skill": skill, "dm": [dm], "difficulty": difficulty, "attribute": attribute}
    given["complements"] = [{kind: level} for kind, level in complements]
    expected = counted(skill, dm, attribute, complements)
    assert odds_of(gamers, "check", "success", **given).chance(True) == succeeding(expected, difficulty)
    totals = odds_of(gamers, "check", "total", **given)
    for total in range(-20, 30):
        assert totals.chance(total) == sum(chance for (_, each), chance in expected.items() if each == total)
    triumphs = sum((chance for (rank, _), chance in expected.items() if rank == 2), Fraction())
    assert odds_of(gamers, "check", "triumph", **given).chance(True) == triumphs


def test_the_best_known_odds(gamers: System) -> None:
    """8+ on two dice is 15 in 36; with skill 2 it is 26 in 36; coverage 8 protects in 21 of 36 (GAM-Q49)."""
    assert odds_of(gamers, "check", "success", skill=0, difficulty=8).chance(True) == Fraction(15, 36)
    assert odds_of(gamers, "check", "success", skill=2, difficulty=8).chance(True) == Fraction(26, 36)
    assert odds_of(gamers, "coverage", "protects", coverage=8).chance(True) == Fraction(21, 36)
    assert odds_of(gamers, "coverage", "protects", coverage=2).chance(True) == 0
    assert odds_of(gamers, "coverage", "protects", coverage=13).chance(True) == 1


def contest(one: Ranked, other: Ranked, *, ties: bool) -> Fraction:
    """How likely the first is to beat the other."""
    return sum(
        (
            mine * theirs
            for (roll, mine), (against, theirs) in product(one.items(), other.items())
            if roll > against or (ties and roll == against)
        ),
        Fraction(),
    )


@pytest.mark.parametrize(
    ("active", "opposing"),
    [
        ((1, 0, None, []), (2, 0, None, [])),
        ((2, 0, 7, []), (2, 0, 7, [])),
        ((0, -9, 6, []), (3, 1, 9, [("attribute", 8)])),
        ((2, 0, 7, [("skill", 2), ("skill", 3)]), (1, 0, 5, [("attribute", 7), ("skill", 1)])),
    ],
)
def test_odds_of_a_contest_and_of_a_hit(gamers: System, active: Any, opposing: Any) -> None:
    """A tie is the active side's in a quickie (GAM-Q26) and the defender's in an attack (GAM-170)."""
    one, other = (
        {"skill": skill, "dm": [dm], "attribute": attribute, "complements": [{kind: level} for kind, level in help_]}
        for skill, dm, attribute, help_ in (active, opposing)
    )
    mine, theirs = counted(*active), counted(*opposing)
    wins = odds_of(gamers, "opposed", "active_wins", active=one, opposing=other)
    assert wins.chance(True) == contest(mine, theirs, ties=True)
    hits = odds_of(
        gamers, "attack", "hit", kind="physical", attacker=one, defender=other, size="small", levels=dict(BODY)
    )
    assert hits.chance(True) == contest(mine, theirs, ties=False)
    first = odds_of(gamers, "initiative", "first", initiator=one, other=other)
    assert first.chance("initiator") == contest(mine, theirs, ties=True)


@pytest.mark.parametrize("dm", [3, -5, -9, -13])
def test_odds_of_a_shot_at_somebody_who_stands_still(gamers: System, dm: int) -> None:
    """The total must exceed 0, and a balls-up misses (GAM-190, GAM-Q48)."""
    found = odds_of(
        gamers, "attack", "hit", kind="physical", attacker={"skill": 1, "dm": [dm], "attribute": 6}, levels=dict(BODY)
    )
    assert found.chance(True) == contest(counted(1, dm, 6, []), {(1, 0): Fraction(1)}, ties=False)


def spread(levels: tuple[int, ...], injury: int) -> dict[tuple[int, ...], Fraction]:
    """What an injury leaves of three levels, each that is above 0 struck with equal chance."""
    able = [each for each, level in enumerate(levels) if level]
    if not injury or not able:
        return {levels: Fraction(1)}
    found: dict[tuple[int, ...], Fraction] = {}
    for each in able:
        left = tuple(max(level - injury, 0) if place == each else level for place, level in enumerate(levels))
        for end, chance in spread(left, max(injury - levels[each], 0)).items():
            found[end] = found.get(end, Fraction()) + chance / len(able)
    return found


@pytest.mark.parametrize("injury", [0, 1, 6, 7, 13, 14, 19, 20, 40])
def test_odds_of_an_injury(gamers: System, injury: int) -> None:
    found = odds_of(gamers, "injure", "levels", kind="physical", injury=injury, levels=dict(BODY))
    expected = spread((7, 6, 7), injury)
    assert {tuple(levels.values()): chance for levels, chance in found.odds} == expected  # type: ignore[attr-defined]
    assert found.bound == 0


def test_odds_of_a_whole_attack_in_armour(gamers: System) -> None:
    """Hit, damage of three dice and a bonus of one, a vest that covers under 8, and where the rest strikes."""
    found = odds_of(
        gamers,
        "attack",
        "state",
        kind="physical",
        attacker={"skill": 2, "attribute": 7},
        defender={"skill": 1, "attribute": 7},
        size="large",
        injury_attributes=[10],
        armour={"coverage": 8, "rating": 4},
        levels=dict(BODY),
    )
    hit = contest(counted(2, 0, 7, []), counted(1, 0, 7, []), ties=False)
    states = ["up", "unconscious", "severely wounded", "dead"]
    expected = dict.fromkeys(states, Fraction())
    expected["up"] = 1 - hit
    for faces in product(DIE, DIE, DIE):
        dealt = sum(faces) + 1
        through = max(dealt - 8, 0) + max(min(dealt, 8) - 4, 0) // 2
        for injury, chance in ((through, Fraction(21, 36)), (dealt, Fraction(15, 36))):
            for levels, part in spread((7, 6, 7), injury).items():
                expected[states[levels.count(0)]] += hit * chance * part / 216
    assert {state: found.chance(state) for state in states} == expected


def test_odds_of_effort_turned_after_the_dice_have_fallen(gamers: System) -> None:
    """One die may be turned to 6 if that makes the difference (GAM-252, GAM-254)."""
    given = {"skill": 0, "difficulty": 9, "effort": {"mode": "cinematic", "injuries": 1, "decided": "after"}}
    expected = Fraction(sum(one + two >= 9 or max(one, two) + 6 >= 9 for one, two in product(DIE, DIE)), 36)
    assert odds_of(gamers, "check", "success", **given).chance(True) == expected
    assert odds_of(gamers, "check", "success", policy="none", **given).chance(True) == Fraction(10, 36)


def test_odds_of_a_day_of_rest(gamers: System) -> None:
    """Endurance 7 as helper, an attendant with Physician 2, a patient once severely wounded, in a cave."""
    given = {"surroundings": "sparse", "worst_state": "severely wounded", "level": 7}
    ranked = counted(0, -1, 7, [("attribute", 7), ("skill", 2)])
    found = odds_of(gamers, "recuperate", "change", **given, complements=[{"attribute": 7}, {"skill": 2}])
    assert found.chance(3) == sum((chance for (rank, _), chance in ranked.items() if rank == 2), Fraction())
    assert found.chance(-1) == sum((chance for (rank, _), chance in ranked.items() if rank == 0), Fraction())
    assert found.chance(1) == succeeding(ranked, 10) - found.chance(3)
    assert sum(chance for _, chance in found.odds) == 1


# What is refused, in one line


@pytest.mark.parametrize(
    ("procedure", "given", "message"),
    [
        ("check", {"skill": "two", "difficulty": 8}, 'skill: takes a whole number from 0 to 15, not "two"'),
        ("check", {"skill": 16, "difficulty": 8}, "skill: takes a whole number from 0 to 15, not 16"),
        ("check", {"skill": 2}, "difficulty: is missing"),
        ("check", {"skill": 2, "difficulty": 8, "dms": [1]}, 'dms: is not a parameter (did you mean "dm"?)'),
        ("check", {"skill": 2, "difficulty": 8, "dm": 1}, 'dm: takes a list, not "1"'),
        (
            "check",
            {"skill": 2, "difficulty": 8, "complements": [{"attribute": 7, "skill": 2}]},
            "complements[1]: takes one of attribute, feature and skill [GAM-140]",
        ),
        (
            "check",
            {"skill": 2, "difficulty": 8, "effort": {"mode": "cinematic", "injuries": 3}},
            "effort: the most is 2 levels, one for each die [GAM-Q68]",
        ),
        (
            "check",
            {"skill": 2, "difficulty": 8, "effort": {"injuries": 4, "level": 3}},
            "effort: 4 levels from an attribute at 3 [GAM-Q68]",
        ),
        (
            "attack",
            {"kind": "physical", "attacker": {"skill": 1}, "levels": {"Endurance": 7}},
            "levels: Strength, Reflexes missing [GAM-210]",
        ),
        (
            "attack",
            {"kind": "physical", "attacker": {"skill": 1, "skil": 2}, "levels": BODY},
            'attacker.skil: is not a parameter (did you mean "skill"?)',
        ),
        (
            "attack",
            {"kind": "physical", "attacker": {"skill": 1}, "levels": BODY, "target": "Grit"},
            "target: takes Endurance, Strength, Reflexes; not Grit [GAM-216]",
        ),
        (
            "attack",
            {"kind": "physical", "attacker": {"skill": 1}, "levels": BODY, "size": "gigantic"},
            'size: takes small, medium, large or huge, not "gigantic"',
        ),
        ("hex", {}, "takes a level or a symbol, and not both [GAM-015]"),
        ("hex", {"symbol": "G"}, 'symbol: takes one digit from 0 to 9 or A to F, not "G" [GAM-015]'),
        ("encumbrance", {"ers": "46", "kg": 8}, 'ers: takes 3 hexadecimal digits, not "46" [GAM-033]'),
        ("throw_range", {"strength": 7, "weapon_kg": -1}, "weapon_kg: takes a number of 0 or more, not -1"),
        ("buy_skills", {"skills": {"Sord": 1}}, 'skills: unknown name "Sord"'),
        ("training", {"what": "skill"}, "to_level: is missing; a skill takes longer the higher it is [GAM-123]"),
        ("trauma_care", {"skill": 2, "state": "unconscious"}, "trauma care is for the dead or permanently disabled"),
        (
            "range_dm",
            {"metres": 226, "awareness": 7, "greatest_metres": 225},
            "metres: 226 is beyond the greatest range, 225 [GAM-Q47]",
        ),
        (
            "first_aid",
            {"skill": 2, "levels": dict.fromkeys(BODY, 0), "full": BODY},
            "first aid does not help the dead [GAM-Q62]",
        ),
    ],
)
def test_a_wrong_parameter_is_told_in_one_line(
    gamers: System, procedure: str, given: Mapping[str, Any], message: str
) -> None:
    with pytest.raises((Wrong, Refused)) as refused:
        play_of(gamers, procedure, given)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


# Rulings that a pack may change


def ruled(gamers: System, **rulings: str) -> System:
    """GAMERS with points ruled otherwise, such as Q36='together'."""
    return replace(gamers, rulings={f"GAM-{point}": way for point, way in rulings.items()})


def test_attacks_and_defences_may_be_counted_together(gamers: System) -> None:
    given = {"actions": ["attack", "defend"]}
    assert play_of(gamers, "round_actions", given)[0]["dm"] == [0, 0]
    assert play_of(ruled(gamers, Q36="together"), "round_actions", given)[0]["dm"] == [0, -1]


def test_a_named_attribute_may_be_added_instead_of_helping(gamers: System) -> None:
    """GAM-Q25: by default Endurance 7 helps by 1 at the most; added, it brings 7."""
    assert play_of(gamers, "wake_try", {"level": 7}, dice=[3, 4, 1, 2])[0]["total"] == 4
    assert play_of(ruled(gamers, Q25="added"), "wake_try", {"level": 7}, dice=[1, 2])[0]["total"] == 10


def test_a_confirm_roll_may_repeat_the_check_or_test_both(gamers: System) -> None:
    given = {"skill": 2, "difficulty": 10, "attribute": 7}
    assert play_of(gamers, "check", given, dice=[6, 6, 5, 4])[0]["triumph"]
    repeated = ruled(gamers, Q28="repeat")
    assert not play_of(repeated, "check", given, dice=[6, 6, 4, 3])[0]["triumph"]
    assert play_of(repeated, "check", given, dice=[6, 6, 5, 3])[0]["triumph"]
    both = ruled(gamers, Q28="both")
    assert not play_of(both, "check", given, dice=[6, 6, 5, 4])[0]["triumph"]
    assert not play_of(both, "check", given, dice=[6, 6, 4, 3, 3, 2])[0]["triumph"]
    assert play_of(both, "check", given, dice=[6, 6, 4, 3, 3, 3])[0]["triumph"]


def test_a_march_may_be_taken_to_the_letter(gamers: System) -> None:
    given = {"ers": "777", "hours": 9}
    assert play_of(gamers, "march", given)[0] == {"ers": "011", "hours_marched": 7, "state": "unconscious"}
    harsh = play_of(ruled(gamers, Q67="to the letter"), "march", given)[0]
    assert harsh == {"ers": "000", "hours_marched": 7, "state": "dead"}


# Choices


def test_effort_after_the_roll_is_spent_as_the_policy_says(gamers: System) -> None:
    given = {"skill": 1, "difficulty": 8, "effort": {"mode": "plain", "injuries": 3, "decided": "after"}}
    spent = {
        policy: play_of(gamers, "check", given, dice=[4, 1], policy=policy)[0]["effort"]
        for policy in ("wise", "none", "all")
    }
    assert spent == {"wise": 2, "none": 0, "all": 3}


def test_effort_that_could_not_help_is_not_spent(gamers: System) -> None:
    given = {"skill": 1, "difficulty": 12, "effort": {"injuries": 3, "decided": "after"}}
    assert (
        play_of(gamers, "check", given, dice=[4, 1])[0] | {"total": 6, "effort": 0, "success": False}
        == play_of(gamers, "check", given, dice=[4, 1])[0]
    )


def test_a_triumph_may_name_what_it_strikes(gamers: System) -> None:
    given = {"kind": "physical", "attacker": {"skill": 1, "attribute": 9}, "size": "small", "levels": BODY}
    struck, _ = play_of(gamers, "attack", {**given, "triumph_target": "Strength"}, dice=[6, 6, 2, 2, 4])
    assert struck["levels"] == {"Endurance": 7, "Strength": 2, "Reflexes": 7}
    plain, _ = play_of(gamers, "attack", {**given, "triumph_target": "Strength"}, dice=[5, 4, 4, 6])
    assert plain["levels"] == {"Endurance": 7, "Strength": 6, "Reflexes": 3}


def test_several_parties_act_from_high_to_low(gamers: System) -> None:
    """GAM-Q33: on a tie the side that started it comes first."""
    parties = [{"name": "Ada", "skill": 1}, {"name": "Bo", "skill": 2, "initiates": True}, {"name": "Cy", "skill": 0}]
    found, _ = play_of(gamers, "turn_order", {"parties": parties}, dice=[4, 4, 4, 3, 6, 5])
    assert found == {"order": ["Cy", "Bo", "Ada"], "totals": {"Ada": 9, "Bo": 9, "Cy": 11}}


def test_flight_is_a_contest_that_the_fleer_wins_on_a_tie(gamers: System) -> None:
    found, _ = play_of(gamers, "flight", {"active": {"skill": 1}, "opposing": {"skill": 2}}, dice=[4, 4, 4, 3])
    assert (found["active_total"], found["opposing_total"], found["escapes"]) == (9, 9, True)


# Skins


@pytest.mark.parametrize("skin", SKINS)
def test_a_skin_plays_by_the_same_rules_in_its_own_order(library: Library, skin: str) -> None:
    """GAM-003, GAM-Q3: attributes are rolled in the order of the title's letters, and go by their roles."""
    system = read_pack(library.packs[skin], library)
    faces = [face for level in range(2, 8) for face in (1, level - 1)]
    found, log = play_of(system, "roll_attributes", {}, dice=faces)
    assert list(found["attributes"].values()) == [2, 3, 4, 5, 6, 7]
    assert set(found["attributes"]) == {"Grit", "Awareness", "Mind", "Endurance", "Reflexes", "Strength"}
    assert "".join(line[0] for line in log[:6]) == SKINS[skin]
    assert (found["code"], log[6]) == ("234567", f"{SKINS[skin]} 234567 [GAM-033]")


# Logs


def test_the_log_of_a_check(gamers: System) -> None:
    """Written as a GM would say it, with the rules."""
    given = {"skill": 2, "difficulty": 8, "trait": "Melee"}
    assert play_of(gamers, "check", given, dice=[4, 3])[1] == ["4 + 3 + Melee 2 = 9, against 8: success by 1 [GAM-133]"]


def test_the_log_of_a_check_with_everything(gamers: System) -> None:
    complements = [{"attribute": 7, "trait": "Reflexes"}, {"skill": 3}]
    given = {"skill": 2, "difficulty": 8, "trait": "Melee", "attribute": 7, "unfamiliar": True, "dm": [-1]}
    log = play_of(gamers, "check", {**given, "complements": complements}, dice=[3, 4, 3, 1, 6, 6, 2, 2])[1]
    assert log == [
        "complement: 3 + 4 = 7, at or under Reflexes 7: it helps, DM+1 [GAM-141]",
        "complement: 3 + 1 = 4, + skill 3 = 7, against 8: no help, and no more tries [GAM-142]",
        "6 + 6 + Melee 2 - 1 - unfamiliar 3 + help 1 = 11, against 8: success by 3 [GAM-133]",
        "a triumph threatens; confirm roll 2 + 2 = 4 at or under 7 + Melee 2 = 9: a triumph [GAM-137, GAM-Q28]",
    ]


def test_the_log_of_an_attack(gamers: System) -> None:
    given = {
        "kind": "physical",
        "attacker": {"skill": 2, "name": "Ada", "trait": "Melee"},
        "defender": {"skill": 1, "name": "Bo", "trait": "Brawling"},
        "size": "medium",
        "injury_attributes": [11],
        "armour": {"coverage": 8, "rating": 2},
        "levels": {"Endurance": 3, "Strength": 8, "Reflexes": 6},
    }
    assert play_of(gamers, "attack", given, dice=[5, 2, 3, 4, 4, 1, 3, 3, 2, 5])[1] == [
        "Ada: 5 + 2 + Melee 2 = 9 [GAM-133]",
        "Bo: 3 + 4 + Brawling 1 = 8 [GAM-133]",
        "9 against 8: a hit [GAM-170]",
        "damage: 5 + 2 = 7 [GAM-211, GAM-212]",
        "coverage: 6 is under 8, the armour protects [GAM-201, GAM-Q49]",
        "armour 2 against 7: 2 stopped, 2 halved, 3 more pass: injury 4 [GAM-202, GAM-204]",
        "Endurance 3 takes 3: 0 left [GAM-214]",
        "1 more flow on [GAM-215]",
        "Reflexes 6 takes 1: 5 left [GAM-214]",
        "state: unconscious [GAM-220]",
    ]


def test_the_log_of_a_march(gamers: System) -> None:
    assert play_of(gamers, "march", {"ers": "246", "hours": 5})[1] == [
        "hour 1: 135 [GAM-244]",
        "hour 2: 024 [GAM-244, GAM-Q67]",
        "after 2 hours: unconscious [GAM-244]",
    ]


def test_a_log_changes_nothing(gamers: System) -> None:
    """With and without a log the same faces come to the same result."""
    engine = engine_of(gamers)
    for case in CASES:
        procedure = engine.procedures[case.do]
        ends = []
        for log in (None, list[str]()):
            play = Play(gamers, Scripted(case.dice), rulings=rulings_of(gamers), log=log)
            try:
                ends.append(procedure.run(play, procedure.arguments(case.given, play)))
            except SheetgenError as error:
                ends.append(str(error))
        assert ends[0] == ends[1], case.id


# Whole stories


def test_from_the_blow_to_the_sickbed(gamers: System) -> None:
    """Felled in a fight, bandaged, awake after ten minutes, and well again after a stay in a good clinic."""
    full = {"Endurance": 7, "Strength": 8, "Reflexes": 6}
    blow = {"kind": "physical", "attacker": {"skill": 2}, "size": "large", "levels": full}
    struck, _ = play_of(gamers, "attack", blow, dice=[4, 4, 6, 5, 4, 1, 2])
    assert (struck["levels"], struck["state"]) == ({"Endurance": 0, "Strength": 0, "Reflexes": 6}, "severely wounded")
    tired, _ = play_of(gamers, "fatigue", {"kind": "physical", "levels": struck["levels"]})
    assert tired["levels"] == {"Endurance": 0, "Strength": 0, "Reflexes": 5}
    aid = {"skill": 2, "levels": tired["levels"], "full": full, "order": ["Endurance"]}
    bandaged, _ = play_of(gamers, "first_aid", aid, dice=[4, 3, 2])
    assert (bandaged["levels"], bandaged["state"]) == ({"Endurance": 2, "Strength": 0, "Reflexes": 5}, "unconscious")
    awake, _ = play_of(gamers, "wake_by_time", {"kind": "physical", "full": full, "levels": bandaged["levels"]})
    assert (awake["wakes_after_minutes"], awake["levels"]["Strength"]) == (10, 4)
    rest = {"kind": "physical", "levels": awake["levels"], "full": full, "worst_state": "severely wounded"}
    home, _ = play_of(
        gamers, "convalesce", {**rest, "surroundings": "comfortable and equipped", "attendant": 3}, dice=11
    )
    assert (home["levels"], home["healed"]) == (full, True)
    assert home["days"] >= 4


def test_dead_is_not_the_end_for_a_good_surgeon(gamers: System) -> None:
    gone = dict.fromkeys(BODY, 0)
    waiting, _ = play_of(gamers, "wake_by_time", {"kind": "physical", "full": BODY, "levels": gone})
    assert waiting == {"state": "dead", "levels": gone}
    saved, _ = play_of(gamers, "trauma_care", {"skill": 3, "state": "dead"}, dice=[4, 4])
    again = {"kind": "physical", "full": BODY, "levels": gone, "state": saved["state"]}
    assert play_of(gamers, "wake_by_time", again)[0] == {
        "state": "severely wounded",
        "wakes_after_minutes": 180,
        "levels": dict.fromkeys(BODY, 1),
    }


DUEL = {
    "kind": "physical",
    "initiator": {"skill": 3, "name": "Ada", "weapon": "held", "size": "medium", "levels": BODY},
    "other": {"skill": 1, "name": "Bo", "levels": BODY, "tactic": "all out"},
}


@pytest.mark.parametrize("seed", range(20))
def test_a_conflict_ends_with_one_side_out_and_both_tired(gamers: System, seed: int) -> None:
    found, log = play_of(gamers, "conflict", DUEL, dice=seed)
    assert found["ending"] == "out"
    loser = "other" if found["winner"] == "initiator" else "initiator"
    assert found[f"{loser}_state"] != "up"
    for who in ("initiator", "other"):
        assert sum(found[f"{who}_levels"].values()) < sum(BODY.values())
    assert sum(line.startswith("round ") for line in log) == found["rounds"]


def test_the_better_fighter_wins_more_often(gamers: System) -> None:
    winners = Counter(play_of(gamers, "conflict", DUEL, dice=seed)[0]["winner"] for seed in range(300))
    assert winners["initiator"] > 2 * winners["other"]


def test_a_timid_side_gives_in_before_it_falls(gamers: System) -> None:
    timid = {**DUEL, "other": {"skill": 0, "levels": BODY, "yields_at": 6}}
    found, _ = play_of(gamers, "conflict", timid, dice=[4, 4, 3, 3, 5, 4, 3, 3, 1, 1, 1, 2, 4])
    assert (found["winner"], found["ending"], found["rounds"]) == ("initiator", "submits", 1)


def test_a_fight_may_end_undecided(gamers: System) -> None:
    short = {**DUEL, "rounds": 1, "other": {**DUEL["other"], "tactic": "guarded"}}  # type: ignore[dict-item]
    dice = [4, 3, 2, 3, 1, 2, 6, 5, 1, 2, 5, 6, 1, 6]
    found, _ = play_of(gamers, "conflict", short, dice=dice)
    assert (found["ending"], found.get("winner"), found["rounds"]) == ("undecided", None, 1)


def test_a_conflict_of_words_wounds_the_mind(gamers: System) -> None:
    mind = {"Awareness": 7, "Mind": 6, "Grit": 5}
    words = {"kind": "mental", "initiator": {"skill": 2, "levels": mind}, "other": {"skill": 1, "levels": mind}}
    found, _ = play_of(gamers, "conflict", words, dice=3)
    assert set(found["other_levels"]) == set(mind)
    assert found["ending"] == "out"


def test_a_load_shortens_every_hour_of_a_journey(gamers: System) -> None:
    free, _ = play_of(gamers, "journey", {"ers": "777", "kilometres": 40})
    laden, _ = play_of(gamers, "journey", {"ers": "777", "kilometres": 40, "kg": 14})
    assert (free["kilometres"], free["hours_marched"], free["state"]) == (28, 7, "unconscious")
    assert (laden["kilometres"], laden["hours_marched"], laden["state"]) == (21, 6, "up")
