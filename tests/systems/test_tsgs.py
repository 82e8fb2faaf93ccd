"""TSGS: its worked examples, exact odds against a plain count over all faces, whole fights, and what its logs say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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
from sheetgen.dice.source import Recorded, Scripted, Seeded
from sheetgen.model.procedures import Example
from sheetgen.model.system import System
from sheetgen.rules.engine_check import check_rulings
from sheetgen.rules.odds import Odds, exact_odds
from sheetgen.rules.procedures.parameters import Wrong, plain_words
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.table.examples import run_example
from tests.reading import ledger, played, read_pack

ROOT = Path(__file__).parents[2]
SWORD = {"kind": "melee", "size": "one-handed", "lethal": True, "name": "sword"}
CLUB = {"kind": "melee", "size": "one-handed", "lethal": False, "name": "club"}


def cases() -> tuple[Example, ...]:
    """The worked examples of the pack."""
    problems = Problems()
    found = read_examples(parse((ROOT / "content/tsgs/examples.yaml").read_bytes(), "examples.yaml"), problems)
    problems.raise_if_any()
    return found


def computed() -> list[str]:
    """The rules that the engine must follow."""
    return [rule for rule, kind in ledger("tsgs").items() if kind in ("engine", "both")]


@pytest.fixture(scope="module")
def system(library: Library) -> System:
    return read_pack(library.packs["tsgs"], library)


def odds(system: System, do: str, *, of: str = "", policy: str = "", **given: object) -> Odds:
    """The exact odds of one result of a procedure."""
    procedure = engine_of(system).procedures[do]
    play = Play(system, Scripted(()))
    return exact_odds(system, procedure, procedure.arguments(plain_words(given), play), of=of, policy=policy)  # type: ignore[arg-type]


@pytest.mark.parametrize("example", cases(), ids=lambda example: example.id)
def test_a_worked_example(system: System, example: Example) -> None:
    assert run_example(system, engine_of(system), example) == ""


def test_every_rule_is_followed_somewhere(system: System) -> None:
    followed = {rule for procedure in engine_of(system).procedures.values() for rule in procedure.rules}
    assert [rule for rule in computed() if rule not in followed | system.covered] == []


def test_rules_without_an_example(system: System) -> None:
    """The dice themselves, the two kinds of roll, the list of pairs, and what a pool rests on: in every example."""
    shown = {rule for example in cases() for rule in example.rules}
    assert [rule for rule in computed() if rule not in shown] == ["TSG-002", "TSG-004", "TSG-005", "TSG-029"]


def test_every_procedure_has_an_example(system: System) -> None:
    assert set(engine_of(system).procedures) == {str(example.do) for example in cases()}


# Odds by counting: every face of every die, one by one, and never through the engine.


def read_faces(faces: tuple[int, ...]) -> tuple[int, int]:
    """Result and sixes."""
    return sum(face > 3 for face in faces) - faces.count(1), faces.count(6)


def bonus_results(count: int) -> Iterator[int]:
    """What so many bonus dice bring, once for each way they can fall."""
    yield from (read_faces(faces)[0] for faces in product(range(1, 7), repeat=count))


def static_chance(pool: int, difficulty: int, policy: str) -> Fraction:
    """How likely success is."""

    def wins(result: int, left: int) -> Fraction:
        if result >= difficulty or not left or policy == "none":
            return Fraction(result >= difficulty)
        return sum((wins(result + more, left - 1) for more in bonus_results(1)), Fraction()) / 6

    chance = Fraction()
    for faces in product(range(1, 7), repeat=pool):
        result, sixes = read_faces(faces)
        if policy == "all":
            ways = [result + more >= difficulty for more in bonus_results(sixes)]
            chance += Fraction(sum(ways), len(ways))
        else:
            chance += wins(result, sixes)
    return chance / 6**pool


@pytest.mark.parametrize("policy", ["none", "all", "wise"])
@pytest.mark.parametrize(
    ("pool", "difficulty"), [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 2), (3, 2), (4, 4), (4, 9)]
)
def test_the_odds_of_a_static_roll(system: System, pool: int, difficulty: int, policy: str) -> None:
    found = odds(system, "static", of="success", policy=policy, pool=pool, difficulty=difficulty)
    assert found.chance(True) == static_chance(pool, difficulty, policy)
    assert found.bound == 0


def test_the_odds_of_scripted_bonus_dice_take_as_many_as_each_roll_allows(system: System) -> None:
    """One die: a 4 or a 5 reaches 1, and so does a 6 unless its bonus die takes it back with a 1."""
    found = odds(system, "static", pool=1, difficulty=1, bonus_taken=1, of="success")
    assert found.chance(True) == Fraction(2, 6) + Fraction(1, 6) * Fraction(5, 6)


def test_a_fight_between_equals_is_even(system: System) -> None:
    pair = [{"name": "Ash", "side": "a"}, {"name": "Bo", "side": "b"}]
    found = odds(system, "fight", fighters=pair, of="winner")
    assert found.chance("a") == found.chance("b")
    assert found.bound < Fraction(1, 10**12)


def test_the_state_after_a_fight_agrees_with_who_wins_it(system: System) -> None:
    """With every state followed, and with only who wins followed, a short fight comes to the same."""
    pair = [{"name": "Ash", "side": "a"}, {"name": "Bo", "side": "b"}]
    whole = odds(system, "fight", fighters=pair, most_rounds=1, of="fighters")
    brief = odds(system, "fight", fighters=pair, most_rounds=1, of="winner")
    up: dict[str, Fraction] = {}
    for fighters, chance in whole.odds:
        sides = [each.side for each in fighters if each.is_up]  # type: ignore[attr-defined]
        winner = sides[0] if len(sides) == 1 else "none"
        up[winner] = up.get(winner, Fraction()) + chance
    assert dict(brief.odds) == up


Position = tuple[int, int, int]


def opposed_chances(pools: tuple[int, int], policy: str) -> dict[str, Fraction]:
    """How likely each side is to win, with the choices of the policy made die by die."""
    chances = dict.fromkeys(("a", "b", "none"), Fraction())

    def settle(a: Position, b: Position, weight: Fraction) -> None:
        """Positions are result, dice rolled, bonus dice left."""
        lead = (a[0] - b[0], a[1] - b[1])
        if policy != "none" and a[2] and (policy == "all" or lead <= (0, 0)):
            for more in bonus_results(1):
                settle((a[0] + more, a[1] + 1, a[2] - 1), b, weight / 6)
        elif policy != "none" and b[2] and (policy == "all" or lead >= (0, 0)):
            for more in bonus_results(1):
                settle(a, (b[0] + more, b[1] + 1, b[2] - 1), weight / 6)
        else:
            chances["none" if lead == (0, 0) else "a" if lead > (0, 0) else "b"] += weight

    starts = [Counter((*read_faces(faces), pool) for faces in product(range(1, 7), repeat=pool)) for pool in pools]
    for (a, a_ways), (b, b_ways) in product(starts[0].items(), starts[1].items()):
        ways = Fraction(a_ways * b_ways, 6 ** sum(pools))
        settle((a[0], a[2], a[1]), (b[0], b[2], b[1]), ways)
    return chances


@pytest.mark.parametrize("policy", ["none", "all", "wise"])
@pytest.mark.parametrize("pools", [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2), (1, 3), (3, 3), (4, 2)])
def test_the_odds_of_an_opposed_roll(system: System, pools: tuple[int, int], policy: str) -> None:
    found = odds(system, "opposed", of="winner", policy=policy, a={"pool": pools[0]}, b={"pool": pools[1]})
    chances = opposed_chances(pools, policy)
    assert {str(value): weight for value, weight in found.odds} == {
        side: chance for side, chance in chances.items() if chance
    }


def test_a_sole_die_against_none(system: System) -> None:
    """No die is 0, and beats a 1; it loses to any success and to a plain failure, which is one die more (TSG-042)."""
    found = odds(system, "opposed", of="winner", a={"pool": 0}, b={"pool": 1})
    assert (found.chance("a"), found.chance("b")) == (Fraction(1, 6), Fraction(5, 6))


def test_a_wise_defender_is_content_with_a_dead_level(system: System) -> None:
    """One die each: a level is a miss, so the defender's 6 is spent only when behind (TSG-Q15)."""
    attacker = {"roll": "strength", "level": "Disability"}
    found = odds(system, "attack", of="hit", policy="wise", attacker=attacker, defender={"level": "Disability"})
    rolls, hits = Counter[str](), Fraction()
    for a, b in product(range(1, 7), repeat=2):
        own, other = read_faces((a,)), read_faces((b,))
        rolls["ahead" if own[0] > other[0] else "level" if own[0] == other[0] else "behind"] += 1
        hits += _hit_chance(own[0] - other[0], own[1], other[1], 0)
    assert rolls == {"level": 14, "ahead": 11, "behind": 11}
    assert found.chance(True) == hits / 36


def _hit_chance(gap: int, attackers: int, defenders: int, dice: int) -> Fraction:
    if attackers and (gap, dice) <= (0, 0):
        return (
            sum(
                (_hit_chance(gap + more, attackers - 1, defenders, dice + 1) for more in (1, 1, 1, 0, 0, -1)),
                Fraction(),
            )
            / 6
        )
    if defenders and (gap, dice) > (0, 0):
        return (
            sum(
                (_hit_chance(gap - more, attackers, defenders - 1, dice - 1) for more in (1, 1, 1, 0, 0, -1)),
                Fraction(),
            )
            / 6
        )
    return Fraction((gap, dice) > (0, 0))


def test_the_odds_of_being_felled(system: System) -> None:
    """Two dice against two points: both must be successes; else the two dice of the round count are rolled."""
    found = odds(system, "toughness", of="condition", level="Normal", wounds=2, lethal=True)
    assert found.chance("wounded") == Fraction(1, 4)
    rounds = odds(system, "toughness", of="rounds", level="Normal", wounds=2, lethal=False)
    assert rounds.chance(7) == Fraction(3, 4) * Fraction(6, 36)


def test_the_odds_of_a_rescue_are_those_of_its_tries(system: System) -> None:
    once = odds(system, "tend", of="success", clever="Ability", victim_wounds=2).chance(True)
    thrice = odds(system, "rescue", of="saved", clever="Ability", victim_wounds=2, rounds=3).chance(False)
    assert thrice == (1 - once) ** 3
    unknown = odds(system, "rescue", of="saved", clever="Ability", victim_wounds=2).chance(False)
    assert unknown == sum(((1 - once) ** rounds for rounds in range(1, 7)), Fraction()) / 6


def test_a_rescue_of_many_helpers_for_many_rounds_ends(system: System) -> None:
    """Nine helpers have sixty rounds, and no chance: all 540 tries fail."""
    given = {"clever": "Normal", "victim_wounds": 23, "rounds": 60, "helpers": 9}
    assert odds(system, "rescue", of="saved", **given).chance(True) == 0
    outcome, log = played(system, "rescue", [1] * 540 * 2, **given)
    assert (outcome.saved, outcome.tries) == (False, 540)
    assert log[-1] == "The last round is over, and so is the victim [TSG-070]"


def test_the_odds_of_nights_of_rest(system: System) -> None:
    night = odds(system, "heal", of="success", tough="Normal", wounds=1, cause="sleep").chance(True)
    found = odds(system, "recover", of="days", tough="Normal", wounds=1, days=3)
    assert found.chance(2) == (1 - night) * night
    assert found.chance(None) == (1 - night) ** 3


@pytest.mark.parametrize("policy", ["none", "all", "wise"])
def test_the_odds_of_initiative(system: System, policy: str) -> None:
    """Two fighters share the lead as often as two results are level; nobody is favoured by being listed first."""
    fighters = [{"name": "A"}, {"name": "B"}]
    found = odds(system, "initiative", of="order", policy=policy, fighters=fighters)
    assert sum((weight for _, weight in found.odds), Fraction()) == 1
    if policy != "wise":
        assert found.chance((("A",), ("B",))) == found.chance((("B",), ("A",)))
    if policy == "none":
        results = Counter(read_faces(faces)[0] for faces in product(range(1, 7), repeat=2))
        assert found.chance((("A", "B"),)) == Fraction(sum(ways**2 for ways in results.values()), 6**4)


def test_the_odds_of_a_whole_round_add_up(system: System) -> None:
    fighters = [{"name": "A", "traits": ["Weak", "Clumsy"]}, {"name": "B", "traits": ["Weak", "Clumsy"]}]
    found = odds(system, "combat_round", of="deeds", fighters=fighters, plans=[{"name": "A", "attack": "B"}])
    assert sum((weight for _, weight in found.odds), Fraction()) == 1


# Bad parameters: one line, naming the parameter and what it takes.

BAD: list[tuple[str, dict[str, object], str]] = [
    ("static", {"pool": "two", "difficulty": 1}, 'pool: takes a whole number from 0 to 60, not "two"'),
    ("static", {"pool": -1, "difficulty": 1}, "pool: takes a whole number from 0 to 60, not "),
    ("static", {"difficulty": 1}, "pool: takes the number of dice, unless level says which level is rolled"),
    ("static", {"pool": 2, "level": "Very", "difficulty": 1}, "pool: takes the number of dice, unless"),
    ("static", {"pool": 2}, "difficulty: is missing"),
    ("opposed", {"a": {"pool": 2}, "b": {"pol": 2}}, 'b.pol: is not a parameter (did you mean "pool"?)'),
    ("opposed", {"a": {"pool": 2}, "b": {}}, "b.pool: takes the number of dice"),
    ("opposed", {"a": {"pool": 2}, "b": {"pool": 2}, "bonus_order": ["c"]}, 'bonus_order[1]: takes a or b, not "c"'),
    ("pool", {"level": "Strong"}, 'Super or Ultra, not "Strong" (did you mean "Ability"?)'),
    ("pool", {"level": "Very", "skill": "+9"}, "skill: takes none, basic, +1, +2, +3, +4, +5 or +6, not"),
    ("count", {}, "pool: is missing: say how many dice, or type the faces in"),
    ("check_character", {"kind": "hero", "traits": []}, 'kind: takes pc or npc, not "hero"'),
    ("check_character", {"kind": "pc", "traits": ["Strng"]}, "traits[1]: takes abilities and disabilities"),
    ("label", {}, "ability: takes the ability to be written, unless skill says which skill is"),
    ("label", {"ability": "Strong", "skill": "Bow"}, "ability: takes the ability to be written"),
    (
        "extra_wounds",
        {"roll_used": "strength", "level": "Ability", "weapon": {"kind": "melee"}},
        "weapon.size: takes small",
    ),
    (
        "extra_wounds",
        {"roll_used": "strenth", "level": "Ability", "weapon": SWORD},
        "roll_used: takes strength, toughness",
    ),
    ("initiative", {"fighters": [{"name": "A"}, {"name": "A"}]}, "fighters: takes fighters whose names differ"),
    ("initiative", {"fighters": [{"name": "A"}], "bonus_order": ["B"]}, "bonus_order: takes names of fighters: A, not"),
    ("heal", {"tough": "Normal", "wounds": 0, "cause": "sleep"}, "wounds: takes a whole number from 1 to 99, not 0"),
    ("advance", {"award": 4}, "award: takes a whole number from 1 to 3, not 4"),
    ("fight", {"fighters": [{"name": "A"}]}, "fighters: takes fighters of two sides or more"),
    ("fight", {"fighters": [{"name": "A", "side": "none"}, {"name": "B"}]}, "A.side: takes any word but"),
    ("fight", {"fighters": [{"name": "A", "condition": "dying"}, {"name": "B"}]}, "A.rounds: takes the rounds left"),
    ("fight", {"fighters": [{"name": "A", "levels": {"luck": "Very"}}, {"name": "B"}]}, "A.levels: takes strength"),
    ("combat_round", {"fighters": [{"name": "A"}], "plans": [{"name": "B"}]}, "plans[1].name: takes names of fighters"),
    ("combat_round", {"fighters": [{"name": "A"}], "order": [["B"]]}, "order: takes names of fighters: A, not"),
    ("monster", {"monster": "ghost"}, "monster: takes zombie, ghoul, "),
]


@pytest.mark.parametrize(("do", "given", "message"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_a_bad_parameter(system: System, do: str, given: dict[str, object], message: str) -> None:
    faces: Any = Scripted([3] * 20) if do != "count" else Seeded(b"")
    play = Play(system, faces, rulings=rulings_of(system))
    procedure = engine_of(system).procedures[do]
    with pytest.raises(Wrong) as caught:
        procedure.run(play, procedure.arguments(plain_words(given), play))  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ([{"name": "A", "attack": "B", "tend": "B"}], "two_actions"),
        ([{"name": "A", "attack": "B"}, {"name": "A", "attack": "B"}], "two_actions"),
        ([{"name": "A", "attack": "A"}], "own_target"),
        ([{"name": "A", "attack": "B", "moves": ["before_attack", "after_attack"]}], "split_move"),
    ],
)
def test_a_plan_that_no_round_allows(system: System, plan: list[object], code: str) -> None:
    with pytest.raises(Refused) as caught:
        played(system, "combat_round", [], fighters=[{"name": "A"}, {"name": "B"}], plans=plan)
    assert caught.value.code == code


# Characters: the awkward ones.


@pytest.mark.parametrize(
    ("traits", "problems"),
    [
        (["Strong", "Strong", "Tough"], set()),
        (["Strong", "Very Strong", "Tough"], {"level_too_high", "too_many_picks"}),
        (["V. Strong", "Tough"], set()),
        (["Strong", "Tough", "Wise", "Very Ugly"], {"repeated_disability"}),
        (["Strong", "Weak", "Tough", "Wise"], {"opposed_pair"}),
        ([], {"too_few_picks"}),
    ],
)
def test_traits(system: System, traits: list[str], problems: set[str]) -> None:
    outcome, _ = played(system, "check_character", [], kind="pc", traits=traits)
    assert outcome.problems == problems
    assert outcome.legal is (not problems)


def test_npcs_climb_to_ultra_and_no_further(system: System) -> None:
    assert played(system, "check_character", [], kind="npc", traits=["Ultra Fast"])[0].legal
    outcome, _ = played(system, "check_character", [], kind="npc", traits=["Ultra Fast", "Fast"])
    assert outcome.problems == {"level_too_high"}
    assert outcome.picks_allowed is None


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ({"ability": "Strong", "level": "Normal"}, ""),
        ({"ability": "Strong", "level": "Disability"}, "Weak"),
        ({"ability": "Ugly"}, "Ugly"),
        ({"ability": "Fast", "level": "Ultra", "short": True}, "Ultra Fast"),
        ({"skill": "Reading +1", "bonus": 2}, "Reading +2"),
        ({"skill": "Reading"}, "Reading"),
    ],
)
def test_a_label(system: System, given: dict[str, object], label: str) -> None:
    assert played(system, "label", [], **given)[0].label == label


def test_a_skill_named_twice_is_picked_twice(system: System) -> None:
    outcome, _ = played(system, "skill_picks", [6], choose=["Riding", "Riding", "Native Tongue"])
    assert (outcome.cost, outcome.legal) == (2, True)


def test_a_held_skill_takes_the_penalty_away(system: System) -> None:
    assert played(system, "pool", [], level="Normal", skill="basic", unskilled=2)[0].dice == 2


def test_advanced_skills_count_against_the_limit_only_when_one_rises(system: System) -> None:
    given = {"xp": 30, "award": 1, "skills": ["Driving +2", "Riding"], "buy": ["Riding"], "advanced_limit": 0}
    assert played(system, "advance", [], **given)[0].skills == {"Driving +2", "Riding +1"}
    outcome, _ = played(system, "advance", [], **{**given, "buy": ["Riding", "Riding"], "advanced_limit": 1})
    assert outcome.problems == {"advanced_not_allowed"}
    assert outcome.xp == 31


@pytest.mark.parametrize(("incidents", "used", "allowed"), [(0, 0, False), (1, 0, True), (1, 1, False), (2, 1, True)])
def test_treatment_beyond_the_daily_one(system: System, incidents: int, used: int, allowed: bool) -> None:
    given = {"cause": "treatment", "treated_today": 1, "incidents": incidents, "incident_rolls_used": used}
    assert played(system, "heal_allowed", [], **given)[0].allowed is allowed
    assert played(system, "heal_allowed", [], cause="sleep", treated_today=9)[0].allowed


# Rounds and fights.


def fighter(outcome: Any, name: str) -> Any:
    """The fighter of that name as a round or a fight leaves it."""
    return next(each for each in outcome.fighters if each.name == name)


def test_equal_initiative_lets_both_blows_land(system: System) -> None:
    """Both strike from the state before either; each rolls toughness only then (TSG-Q39)."""
    pair = [{"name": "A", "attack": "strength", "weapon": CLUB}, {"name": "B", "attack": "strength", "weapon": CLUB}]
    plans = [{"name": "A", "attack": "B"}, {"name": "B", "attack": "A"}]
    dice = [4, 2, 4, 2, 4, 5, 2, 2, 4, 5, 2, 2, 2, 3, 1, 1, 2, 2, 3, 4]
    outcome, _ = played(system, "combat_round", dice, fighters=pair, plans=plans)
    assert outcome.order == (("A", "B"),)
    assert [deed.success for deed in outcome.deeds] == [True, True]
    assert [(each.condition, each.rounds) for each in outcome.fighters] == [("unconscious", 2), ("unconscious", 7)]


def test_who_falls_before_acting_does_not_act(system: System) -> None:
    pair = [{"name": "A", "attack": "strength", "weapon": SWORD}, {"name": "B"}]
    plans = [{"name": "A", "attack": "B"}, {"name": "B", "attack": "A"}]
    dice = [4, 5, 2, 3, 2, 3, 6]
    outcome, _ = played(system, "combat_round", dice, fighters=pair, plans=plans, order=[["A"], ["B"]])
    assert [deed.name for deed in outcome.deeds] == ["A"]
    assert (fighter(outcome, "B").condition, fighter(outcome, "B").rounds) == ("dying", 6)


@pytest.mark.parametrize(
    ("condition", "wounds", "ends"), [("dying", 3, "dead"), ("unconscious", 3, "wounded"), ("unconscious", 0, "fine")]
)
def test_lying_is_counted_in_whole_rounds(system: System, condition: str, wounds: int, ends: str) -> None:
    """Two rounds left are two more rounds; the end comes with the last of them (TSG-Q23, TSG-Q25)."""
    lying: Any = {"name": "A", "condition": condition, "wounds": wounds, "rounds": 2}
    once, _ = played(system, "combat_round", [], fighters=[lying], order=[])
    assert (once.fighters[0].condition, once.fighters[0].rounds) == (condition, 1)
    twice, _ = played(system, "combat_round", [], fighters=[{**lying, "rounds": 1}], order=[])
    assert (twice.fighters[0].condition, twice.fighters[0].rounds) == (ends, None)


def test_tending_takes_the_action_and_brings_back_from_the_brink(system: System) -> None:
    pair: list[Any] = [
        {"name": "Medic", "traits": ["Clever"], "medical": "+1"},
        {"name": "Patient", "wounds": 2, "condition": "dying", "rounds": 1},
    ]
    outcome, log = played(
        system,
        "combat_round",
        [4, 5, 2, 2, 6, 5],
        fighters=pair,
        plans=[{"name": "Medic", "tend": "Patient"}],
        order=[["Medic"]],
    )
    patient = fighter(outcome, "Patient")
    assert (patient.condition, patient.rounds, patient.wounds) == ("unconscious", 11, 2)
    assert log == [
        "Medic tends Patient: 3 for Ability + 1 for skill +1 = 4 dice [TSG-028, TSG-030]",
        "Medic tends Patient, 4 dice: 4, 5, 2, 2 = 2 successes [TSG-033]",
        "Medic tends Patient: 2 against 2: success [TSG-044]",
        "The victim is no longer dying [TSG-071]",
        "The victim: unconscious for 11 rounds [TSG-069]",
    ]


def three(hold_for: str) -> list[Any]:
    """A and B attack C; A holds its action for somebody."""
    return [
        {"name": "A", "attack": "C", "hold_for": hold_for, "moves": ["after_action"]},
        {"name": "B", "attack": "C"},
        {"name": "C", "attack": "B"},
    ]


MISS = [2, 2, 2, 2]  # a blow of two dice against two: a dead level, so a miss


@pytest.mark.parametrize(("hold_for", "deeds"), [("", ["A", "B", "C"]), ("B", ["B", "A", "C"]), ("C", ["B", "C", "A"])])
def test_a_held_action_comes_right_after_the_one_it_waits_for(system: System, hold_for: str, deeds: list[str]) -> None:
    fighters, order = [{"name": name} for name in "ABC"], [["A"], ["B"], ["C"]]
    given: Any = {"fighters": fighters, "plans": three(hold_for), "order": order}
    outcome, log = played(system, "combat_round", MISS * 3, **given)
    assert [deed.name for deed in outcome.deeds] == deeds
    assert ("A waits for B [TSG-051]" in log) is (hold_for == "B")


def test_two_who_wait_for_each_other_both_lose_their_action(system: System) -> None:
    pair = [{"name": "A"}, {"name": "B"}]
    plans = [{"name": "A", "attack": "B", "hold_for": "B"}, {"name": "B", "attack": "A", "hold_for": "A"}]
    outcome, log = played(system, "combat_round", [], fighters=pair, plans=plans, order=[["A"], ["B"]])
    assert outcome.deeds == ()
    assert log[-1] == "B held on too long: the action is lost [TSG-Q38]"


def test_a_blow_at_somebody_who_lies_there(system: System) -> None:
    """No defence, only a difficulty of 1; a second failure brings death nearer, never further (TSG-Q42)."""
    lying = {"name": "B", "wounds": 1, "condition": "dying", "rounds": 2}
    pair: list[Any] = [{"name": "A", "attack": "strength", "weapon": SWORD}, lying]
    given: Any = {"fighters": pair, "plans": [{"name": "A", "attack": "B"}], "order": [["A"]]}
    outcome, _ = played(system, "combat_round", [4, 3, 2, 3, 6], **given)
    victim = fighter(outcome, "B")
    assert (victim.wounds, victim.condition, victim.rounds) == (2, "dying", 1)


def test_an_attack_on_the_helpless(system: System) -> None:
    attacker = {"roll": "dexterity", "weapon": {"kind": "missile", "lethal": True}}
    hit, log = played(
        system, "attack", [6, 1, 4, 4, 5], attacker=attacker, defender={"helpless": True}, bonus_order=["a"]
    )
    assert (hit.winner, hit.hit, hit.condition) == ("a", True, "wounded")
    assert log[0] == "The attacker attacks the defender with missile: dexterity, which cannot be resisted [TSG-064]"


def test_what_hampers_a_defence_is_not_told_of_the_helpless(system: System) -> None:
    """Cover and heavy armour count where somebody defends; the distance counts for whoever attacks."""
    attacker = {"roll": "dexterity", "weapon": {"kind": "missile"}, "distance": "far"}
    defender = {"helpless": True, "roll": "speed", "cover": "half", "armour": "heavy"}
    _, log = played(system, "attack", [1], attacker=attacker, defender=defender)
    told = [line for line in log if "TSG-H" in line]
    assert [line.partition(" is ")[0] for line in told] == ["The target"]


HEROES: list[Any] = [
    {"name": "John", "side": "living", "traits": ["Strong", "Dexterous", "Tough"], "weapon": SWORD},
    {"name": "Amelia", "side": "living", "traits": ["Clever", "Attractive", "Very Charming", "Foolish"]},
]
ZOMBIE: Any = {"side": "dead", "traits": ["Strong", "Very Tough", "Clumsy", "Slow"], "ignores": 1}


@pytest.mark.parametrize("policy", ["none", "all", "wise"])
@pytest.mark.parametrize("seed", range(5))
def test_a_fight_goes_on_until_one_side_is_down(system: System, policy: str, seed: int) -> None:
    engine = engine_of(system)
    play = Play(system, Seeded(str(seed).encode()), rulings=rulings_of(system), policy=policy)
    given: Any = {"fighters": [*HEROES, {**ZOMBIE, "name": "Zed"}, {**ZOMBIE, "name": "Zoe"}], "tending": True}
    outcome = engine.procedures["fight"].run(play, engine.procedures["fight"].arguments(plain_words(given), play))  # type: ignore[arg-type]
    up = {each.side for each in outcome.fighters if each.condition in ("fine", "wounded")}
    assert up == ({outcome.winner} if outcome.winner != "none" else set()) or outcome.rounds == 100


def test_a_fight_that_nobody_can_win_is_called_off(system: System) -> None:
    """Bare hands deal one point, and both shrug off one."""
    engine = engine_of(system)
    play = Play(system, Seeded(b"1"), rulings=rulings_of(system))
    fight = engine.procedures["fight"]
    given: Any = {"fighters": [{"name": "A", "ignores": 1}, {"name": "B", "ignores": 1}], "most_rounds": 7}
    outcome = fight.run(play, fight.arguments(plain_words(given), play))  # type: ignore[arg-type]
    assert (outcome.winner, outcome.rounds) == ("none", 7)


# What a pack may change.


def test_the_rulings_that_a_pack_may_change(system: System) -> None:
    assert check_rulings(system) == ()
    assert engine_of(system).rulings == {
        "TSG-Q17": ("each round", "once a fight"),
        "TSG-Q27": ("lowest row", "one below"),
    }


def test_a_wounded_slow_character_by_either_ruling(system: System) -> None:
    lower = replace(system, rulings={"TSG-Q27": "one below"})
    assert played(system, "move", [], fast="Disability", wounds=1)[0].paces == 7
    assert played(lower, "move", [], fast="Disability", wounds=1)[0].paces == 5


def test_initiative_once_a_fight(system: System) -> None:
    """The same blows, with one roll for initiative or with one each round (TSG-Q17)."""
    blow, felled = [2, 2, 2, 2], [4, 5, 2, 2, 2, 2, 1, 1]
    once = replace(system, rulings={"TSG-Q17": "once a fight"})
    pair, first = [{"name": "A"}, {"name": "B"}], [4, 4, 2, 2]
    assert played(once, "fight", [*first, *blow, *blow, *felled], fighters=pair)[0].rounds == 2
    assert played(system, "fight", [*first, *blow, *blow, *first, *felled], fighters=pair)[0].rounds == 2


def test_a_pack_may_give_the_merely_strong_something_for_a_larger_weapon(library: Library, tmp_path: Path) -> None:
    (tmp_path / "system.yaml").write_text(
        "extends: tsgs\nid: heavy\nvalues: {wounds: {additional: {strength: {larger: {Ability: 1}}}}}\n",
        encoding="utf-8",
    )
    heavy = read_pack(tmp_path, Library(library.packs, str))
    given: Any = {"roll_used": "strength", "weapon": {"kind": "melee", "size": "larger"}}
    assert played(heavy, "extra_wounds", [], level="Ability", **given)[0].wound_points == 2
    assert played(heavy, "extra_wounds", [], level="Very", **given)[0].wound_points == 3


# Logs, as the table reads them.

LOGS: list[tuple[str, list[int], dict[str, object], str]] = [
    (
        "opposed",
        [6, 5, 2, 6, 4, 1, 2],
        {"a": {"name": "John", "pool": 3}, "b": {"name": "Barney", "pool": 3}, "bonus_order": ["b"]},
        """
        John, 3 dice: 6, 5, 2 = 2 successes; the 6 allows a bonus die [TSG-033, TSG-035]
        Barney, 3 dice: 6, 4, 1 = 2 successes − 1 for a 1 = 1; the 6 allows a bonus die [TSG-033, TSG-034, TSG-035]
        Barney adds a bonus die: 2, nothing more [TSG-039]
        John 2, Barney 1: John wins [TSG-041]
        """,
    ),
    (
        "static",
        [6, 2, 1],
        {"level": "Ability", "wounds": 2, "physical": True, "difficulty": 2, "bonus_taken": 1},
        """
        The pool: 3 for Ability − 1 wounded = 2 dice [TSG-028, TSG-072]
        The roll, 2 dice: 6, 2 = 1 success; the 6 allows a bonus die [TSG-033, TSG-035]
        The roll adds a bonus die: 1, one success less [TSG-038]
        The roll: 0 against 2: failure [TSG-044]
        """,
    ),
    (
        "attack",
        [5, 4, 2, 4, 1, 3, 4, 4, 2, 1, 3],
        {
            "attacker": {"name": "John", "roll": "strength", "level": "Ability", "weapon": SWORD},
            "defender": {"name": "Barney", "skill": "+1", "tough": "Very"},
        },
        """
        John attacks Barney with sword: strength, against agility [TSG-064]
        Barney: 2 for Normal + 1 for skill +1 = 3 dice [TSG-028, TSG-030]
        John, 3 dice: 5, 4, 2 = 2 successes [TSG-033]
        Barney, 3 dice: 4, 1, 3 = 1 success − 1 for a 1 = 0 [TSG-033, TSG-034]
        John 2, Barney 0: John wins [TSG-041]
        John hits [TSG-064]
        The hit: 1 + 1 for Ability strength with sword = 2 wound points [TSG-065, TSG-066]
        Toughness of Barney, 4 dice: 4, 4, 2, 1 = 2 successes − 1 for a 1 = 1 [TSG-033, TSG-034]
        Toughness of Barney: 1 against 2: failure [TSG-044]
        Toughness of Barney: dying, and dead after 3 rounds unless tended [TSG-068, TSG-070]
        """,
    ),
    (
        "advance",
        [],
        {"xp": 12, "award": 1, "skills": ["Riding"], "buy": ["Tracking"]},
        """
        12 + 1 = 13 experience points [TSG-080, TSG-081]
        Nobody taught Tracking [TSG-084]
        Nothing is bought; the points stay
        """,
    ),
    (
        "initiative",
        [3, 4, 6, 1, 5],
        {
            "fighters": [{"name": "Ann", "fast": "Ability", "wounds": 2}, {"name": "Bo"}],
            "bonus_order": ["Bo"],
        },
        """
        Ann: 3 for Ability − 1 wounded = 2 dice [TSG-028, TSG-072]
        Ann, 2 dice: 3, 4 = 1 success [TSG-033]
        Bo, 2 dice: 6, 1 = 1 success − 1 for a 1 = 0; the 6 allows a bonus die [TSG-033, TSG-034, TSG-035]
        Bo adds a bonus die: 5, one success more [TSG-039]
        In order: Ann and Bo [TSG-050]
        """,
    ),
]


@pytest.mark.parametrize(("do", "dice", "given", "text"), LOGS, ids=[each[0] for each in LOGS])
def test_a_log(system: System, do: str, dice: list[int], given: dict[str, object], text: str) -> None:
    assert played(system, do, dice, **given)[1] == [line.strip() for line in text.strip().splitlines()]


def test_dice_fall_the_same_with_and_without_a_log(system: System) -> None:
    engine, given = engine_of(system), {"a": {"pool": 5}, "b": {"pool": 4}}
    opposed = engine.procedures["opposed"]
    ends = []
    for log in (None, list[str]()):
        play = Play(system, Seeded(b"same"), rulings=rulings_of(system), log=log, policy="wise")
        ends.append(opposed.run(play, opposed.arguments(plain_words(given), play)))  # type: ignore[arg-type]
    assert ends[0] == ends[1]


def test_count_reads_all_dice_that_were_typed_in(system: System) -> None:
    engine = engine_of(system)
    play = Play(system, Recorded(Scripted([4, 1, 6]), lambda roll: None), rulings=rulings_of(system))
    outcome = engine.procedures["count"].run(play, {})
    assert (outcome.successes, outcome.ones, outcome.sixes, outcome.result) == (2, 1, 1, 1)
