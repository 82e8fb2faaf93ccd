"""Die Codes: the ledger's examples, exact odds against an independent count, refusals, logs, and whole stories."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
from sheetgen.model.procedures import Example
from sheetgen.model.system import System
from sheetgen.rules.odds import Odds, exact_odds
from sheetgen.rules.procedures.parameters import Wrong, plain_words
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import engine_of
from sheetgen.table.examples import run_example
from tests.reading import ledger, played, read_pack

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "content" / "diecodes" / "examples.yaml"

# Rules that no example names, and why that is so.
WITHOUT_EXAMPLE = {
    "DIE-004": "what stats and skills are; every case with a code shows it",
    "DIE-005": "what rolling is; every case with dice shows it",
    "DIE-025": "that there are two kinds of test; `test` and `opposed` are they",
    "DIE-026": "that the GM sets the number",
    "DIE-035": "how the wild die is told apart at a table",
    "DIE-043": "the odds of the wild die: held against a count of their own below",
    "DIE-045": "that luck may be spent at any time: told by a story below",
    "DIE-057": "that a use takes a round",
    "DIE-065": "that uses are declared first",
    "DIE-075": "what a round keeps: told by a story below",
    "DIE-120": "the order of dice: every case with dice shows it",
}


def cases() -> tuple[Example, ...]:
    problems = Problems()
    found = read_examples(parse(EXAMPLES.read_bytes(), "examples.yaml"), problems)
    problems.raise_if_any()
    return found


@pytest.fixture(scope="module")
def system(library: Library) -> System:
    return read_pack(library.packs["diecodes"], library)


def result(system: System, do: str, dice: str = "", **given: object) -> Any:
    """What a procedure comes to with these faces, a digit each."""
    return played(system, do, map(int, dice.replace(" ", "")), **given)[0]


def told(system: System, do: str, dice: str = "", **given: object) -> list[str]:
    return played(system, do, map(int, dice.replace(" ", "")), **given)[1]


def odds(system: System, do: str, of: str, **given: object) -> Odds:
    procedure = engine_of(system).procedures[do]
    arguments = procedure.arguments(plain_words(given), Play(system, Scripted(())))
    return exact_odds(system, procedure, arguments, of=of)


@pytest.mark.parametrize("example", cases(), ids=lambda example: example.id)
def test_an_example_comes_out_as_it_says(system: System, example: Example) -> None:
    assert run_example(system, engine_of(system), example) == ""


def test_every_rule_of_the_engine_is_named_by_what_plays_it(system: System) -> None:
    named = {rule for each in engine_of(system).procedures.values() for rule in each.rules} | system.covered
    assert [rule for rule, kind in ledger("diecodes").items() if kind != "content" and rule not in named] == []


def test_no_procedure_names_a_rule_that_is_not_there(system: System) -> None:
    named = {rule for each in engine_of(system).procedures.values() for rule in each.rules} | system.covered
    assert {rule for rule in named if not re.fullmatch(r"DIE-[QH]\d+", rule)} <= set(ledger("diecodes"))


def test_a_rule_without_an_example_has_a_reason() -> None:
    shown = {rule for example in cases() for rule in example.rules}
    bare = {rule for rule, kind in ledger("diecodes").items() if kind != "content" and rule not in shown}
    assert bare == set(WITHOUT_EXAMPLE)


# How likely each total is, counted without the engine: every face of the plain dice, and the wild die as 6k + r.
def counted(dice: int, plus: int, longest: int = 9) -> dict[int, Fraction]:
    wild = {6 * k + r: Fraction(1, 6 ** (k + 1)) for k in range(longest) for r in range(1, 6)}
    found: dict[int, Fraction] = {}
    for faces in product(range(1, 7), repeat=dice - 1):
        for run, weight in wild.items():
            total = sum(faces) + run + plus
            found[total] = found.get(total, Fraction()) + weight / 6 ** (dice - 1)
    return found


def chance(dice: int, plus: int, number: int) -> Fraction:
    """The chance to reach a number: what is left of 1 by the totals that fall short, of which there is an end."""
    return 1 - sum((weight for total, weight in counted(dice, plus).items() if total < number), Fraction())


def test_the_long_shot_of_the_first_page(system: System) -> None:
    """DIE-041: two dice against 13."""
    assert odds(system, "test", "success", code="2d", number=13).chance(True) == Fraction(7, 72)


@pytest.mark.parametrize("wild", ["table", "chat"])
@pytest.mark.parametrize(
    ("dice", "plus", "number"),
    [(1, 0, 3), (1, 2, 8), (1, 0, 6), (1, 0, 7), (2, 0, 25), (2, 1, 13), (3, 0, 13), (3, 2, 31), (4, 0, 3), (5, 0, 18)],
)
def test_a_test_has_exact_odds(system: System, wild: str, dice: int, plus: int, number: int) -> None:
    code = f"{dice}d+{plus}" if plus else f"{dice}d"
    found = odds(system, "test", "success", code=code, number=number, wild=wild)
    assert found.chance(True) == chance(dice, plus, number)
    assert found.bound == 0


def test_a_number_out_of_all_reach_still_has_exact_odds(system: System) -> None:
    """1d against 100: sixteen sixes in a row and then 4 or more (DIE-043)."""
    found = odds(system, "test", "success", code="1d", number=100)
    assert (found.chance(True), found.bound) == (Fraction(1, 6**16) * Fraction(3, 6), 0)


def test_no_dice_are_certain_to_fail(system: System) -> None:
    """DIE-Q1"""
    assert odds(system, "test", "success", code="2d", number=3, uses=3).odds == ((False, Fraction(1)),)


@pytest.mark.parametrize(
    ("code", "percent"),
    [
        ("2d", ("91.7", "44.4", "9.7", "2.0")),
        ("3d", ("99.5", "83.8", "31.3", "6.9")),
        ("3d+2", ("100.0", "95.4", "52.5", "12.5")),
        ("4d", ("100.0", "97.3", "67.8", "22.4")),
        ("5d", ("100.0", "99.7", "90.4", "53.0")),
    ],
)
def test_the_chances_of_the_ledger(system: System, code: str, percent: tuple[str, ...]) -> None:
    """DIE-111: the middle of each band from Very Easy to Difficult."""
    bands = ("Very Easy", "Easy", "Moderate", "Difficult")
    found = [odds(system, "test", "success", code=code, number=name).chance(True) for name in bands]
    assert tuple(f"{float(100 * weight):.1f}" for weight in found) == percent


@pytest.mark.parametrize("wild", ["table", "chat"])
def test_both_procedures_roll_the_same_totals(system: System, wild: str) -> None:
    """DIE-042, DIE-043: no multiple of six for a lone wild die; what is not followed is told as a bound."""
    found = odds(system, "roll", "total", code="1d", wild=wild)
    for total in range(1, 48):
        runs, rest = divmod(total, 6)
        assert found.chance(total) == (Fraction(1, 6 ** (runs + 1)) if rest else 0)
    assert found.bound == 1 - sum(weight for _, weight in found.odds)
    assert 0 < found.bound < Fraction(1, 6**12)


@pytest.mark.parametrize(("dice", "plus"), [(2, 0), (3, 2), (4, 1)])
def test_totals_of_a_pool(system: System, dice: int, plus: int) -> None:
    found = odds(system, "roll", "total", code=f"{dice}d+{plus}" if plus else f"{dice}d")
    reference = counted(dice, plus)
    assert all(found.chance(total) == reference[total] for total in range(dice + plus, 54))


def test_the_mean_is_known(system: System) -> None:
    """DIE-043: 3.5 a die, 0.7 for the wild one, and the plus."""
    found = odds(system, "roll", "total", code="3d+2")
    mean = sum(value * weight for value, weight in found.odds if isinstance(value, int))
    assert abs(mean - Fraction(132, 10)) < Fraction(1, 10**8)


@pytest.mark.parametrize(("left", "right"), [((2, 0), (2, 0)), ((3, 1), (2, 2)), ((1, 0), (3, 0))])
def test_a_contest(system: System, left: tuple[int, int], right: tuple[int, int]) -> None:
    """DIE-030, DIE-Q12: the higher total, and a tie is nobody's."""
    a, b = counted(*left), counted(*right)
    written = [f"{dice}d+{plus}" if plus else f"{dice}d" for dice, plus in (left, right)]
    found = odds(system, "opposed", "winner", a=written[0], b=written[1])
    slack = Fraction(1, 6**8)
    for winner, weight in {
        "a": sum(p * q for x, p in a.items() for y, q in b.items() if x > y),
        "b": sum(p * q for x, p in a.items() for y, q in b.items() if x < y),
        "none": sum(p * q for x, p in a.items() for y, q in b.items() if x == y),
    }.items():
        assert abs(found.chance(winner) - weight) < slack
    assert found.bound < slack


def test_an_attack_with_and_without_an_answer(system: System) -> None:
    """DIE-Q13: the number alone is exact; with a dodge the attack must beat that too."""
    assert odds(system, "attack", "hit", code="4d", number=14).chance(True) == chance(4, 0, 14)
    a, b = counted(3, 0), counted(2, 0)
    hits = sum(p * q for x, p in a.items() for y, q in b.items() if x >= 8 and x > y)
    found = odds(system, "attack", "hit", code="3d", number=8, reaction="2d")
    assert abs(found.chance(True) - hits) < Fraction(1, 6**8)
    assert found.chance(True) + found.chance(False) + found.bound == 1


def test_two_shooters(system: System) -> None:
    """DIE-212 to DIE-216: equal codes, and each as likely as the other to lose the shot."""
    sides = [
        {"who": "Ash", "act": "blaster", "code": "3d", "number": 11, "stuns": "Bex"},
        {"who": "Bex", "act": "blaster", "code": "3d", "number": 11, "stuns": "Ash"},
    ]
    found = odds(system, "clash", "lost", sides=sides)
    assert found.chance(("Ash",)) == found.chance(("Bex",)) > 0
    a = counted(3, 0)
    first = sum(p * q for x, p in a.items() for y, q in a.items() if x >= 11 and x > y)
    assert abs(found.chance(("Bex",)) - first) < Fraction(1, 6**8)


NEAR = Fraction(1, 6**7)  # what the counts here leave out of wild dice that run on
SHOT = {"act": "blaster", "code": "5d", "number": 11, "at": "Bex", "effect": "wounded"}


def higher(a: dict[int, Fraction], b: dict[int, Fraction]) -> Fraction:
    return Fraction(sum(p * q for x, p in a.items() for y, q in b.items() if x > y))


def test_two_who_shoot_and_dodge_have_exact_odds(system: System) -> None:
    """DIE-Q13, DIE-Q34: one round, every pair of shots counted, and each shot against every dodge at a die less."""
    side = {"code": "3d", "skill": "blaster", "reactions": {"dodge": "2d"}}
    found = odds(system, "exchange", "winner", a=side, b=side, number=8, rounds=1)
    shots, dodges = counted(3, 0), counted(1, 0)
    hits = {x: sum(q for y, q in dodges.items() if y < x) if x >= 8 else Fraction() for x in shots}
    pairs = [(x, y, p * q) for x, p in shots.items() for y, q in shots.items()]
    a_alone = sum(weight * hits[x] * (1 - hits[y]) for x, y, weight in pairs)
    a_first = sum(weight * hits[x] * hits[y] for x, y, weight in pairs if x > y)
    assert abs(found.chance("a") - a_alone - a_first) < NEAR
    assert found.chance("a") == found.chance("b")
    assert sum(weight for _, weight in found.odds) + found.bound == 1


def test_three_attacks_against_one_have_exact_odds(system: System) -> None:
    """DIE-061, DIE-062, DIE-205: 3d and 2d collide, then come two attacks more, one with a wound if one was taken.

    Hand to hand without reactions every blow comes off that has dice: the first one decides.
    """
    found = odds(system, "exchange", "winner", a={"code": "5d", "attacks": 3}, b={"code": "2d"}, rounds=1)
    assert abs(found.chance("a") - higher(counted(3, 0), counted(2, 0))) < NEAR
    assert abs(found.chance("b") - higher(counted(2, 0), counted(3, 0))) < NEAR


def test_rounds_without_a_blow_are_followed_to_the_last(system: System) -> None:
    """An exchange by its defaults: each round alike until a blow, a hundred rounds at most."""
    a, b = {"code": "3d", "skill": "blaster"}, {"code": "none"}
    shown = odds(system, "exchange", "rounds", a=a, b=b, number=16)
    hit = odds(system, "test", "success", code="3d", number=16).chance(True)
    for number in (1, 2, 30):
        assert abs(shown.chance(number) - hit * (1 - hit) ** (number - 1)) < NEAR


def test_three_shots_of_one_fighter_have_exact_odds(system: System) -> None:
    """DIE-061: 5d three times is 3d each; whoever is hit at all is wounded."""
    fighters = [fighter("Ash", SHOT, SHOT, SHOT), fighter("Bex")]
    found = odds(system, "fight_round", "fighters", fighters=fighters)
    missed = sum(weight for after, weight in found.odds if not any(each.wounded for each in after))  # type: ignore[attr-defined]
    assert abs(missed - (1 - chance(3, 0, 11)) ** 3) < NEAR


def test_what_totals_are_only_compared_for_agrees_with_all_that_is_rolled(system: System) -> None:
    """DIE-070, DIE-225: a shot that stuns and a dodge, once by every total and once by the comparisons alone."""
    stun = {**SHOT, "code": "2d", "number": 6, "effect": "stunned", "reaction": {"name": "dodge", "code": "2d+1"}}
    fighters = [fighter("Ash", stun), fighter("Bex")]
    turns, after = (odds(system, "fight_round", of, fighters=fighters) for of in ("turns", "fighters"))
    hit = sum(weight for found, weight in turns.odds if found[0].success)  # type: ignore[index]
    assert hit == sum(weight for found, weight in after.odds if found[1].was_stunned)  # type: ignore[index]
    assert 0 < hit < 1


def test_random_stats_favour_nobody(system: System) -> None:
    """DIE-222: the mean is 3d for each, and 2d to 4d are all there is."""
    found = {name: odds(system, "random_stats", f"stats.{name}") for name in ("Dexterity", "Strength")}
    assert found["Dexterity"].odds == found["Strength"].odds
    codes = ("2d", "2d+1", "2d+2", "3d", "3d+1", "3d+2", "4d")
    assert tuple(value for value, _ in found["Dexterity"].odds) == codes
    mean = sum((6 + codes.index(str(code))) * weight for code, weight in found["Strength"].odds)
    assert abs(mean - 9) < Fraction(1, 1000)


BAD = {
    "takes a die code such as 3d or 3d+2, or none": ("test", {"code": "two", "number": 8}, "code: "),
    "uses: takes a whole number from 1 to 99, not 0": ("working_code", {"code": "3d", "uses": 0}, ""),
    "code: is missing": ("roll", {}, ""),
    "cod: is not a parameter (did you mean": ("roll", {"cod": "3d"}, ""),
    "wild: takes table or chat, not": ("roll", {"code": "3d", "wild": "cards"}, ""),
    "number: takes a whole number from -999 to 999, or Very Easy, Easy": ("test", {"code": "3d", "number": "Hard"}, ""),
    "band: takes Point Blank, Short, Medium or Long, not": ("band_default", {"band": "Lon", "scale": "range"}, ""),
    "effect: takes double or cheat_death": ("luck", {"points": 1, "effect": "triple"}, ""),
    "manner: takes unheroic, heroic or dramatic": ("luck", {"points": 1, "effect": "double", "manner": "bold"}, ""),
    "stats.Dexterity: takes a die code such as": (
        "check_stats",
        {"stats": {"Dexterity": "9"}},
        "",
    ),
    "declared[1].code: is missing": ("round", {"declared": [{"name": "melee"}]}, ""),
    'skill: there is no skill "doge" (did you mean "dodge"?)': ("skill_of", {"skill": "doge"}, ""),
    'acts[2]: takes move, a skill or a stat, not "sing"': (
        "segments",
        {"plans": [{"who": "Ash", "acts": ["move", "sing"]}]},
        "plans[1].",
    ),
    'sides[2].who: "Ash" stands twice': (
        "clash",
        {"sides": [{"who": "Ash", "act": "melee", "code": "3d"}, {"who": "Ash", "act": "melee", "code": "3d"}]},
        "",
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_a_bad_parameter_gets_one_line_that_names_it(system: System, message: str) -> None:
    do, given, before = BAD[message]
    with pytest.raises((Wrong, Refused)) as caught:
        result(system, do, "3333", **given)
    assert str(caught.value).startswith(before + message)
    assert "\n" not in str(caught.value)


REFUSED: list[tuple[str, str, Mapping[str, object]]] = [
    ("code", "parse", {"text": "3d+0"}),
    ("code", "parse", {"text": "03d"}),
    ("code", "parse", {"text": "3d-1"}),
    ("code", "parse", {"text": "101d"}),
    ("order", "ladder", {"from": "4d", "to": "2d"}),
    ("prepared", "test", {"code": "3d", "number": 8, "uses": 2, "prepared": True}),
    ("points", "luck", {"points": 0, "effect": "double"}),
    ("doubled", "luck", {"points": 2, "effect": "double", "doubled": True}),
    ("doomed", "luck", {"points": 1, "effect": "cheat_death", "explanation": "a rope", "doomed": False}),
    ("explanation", "luck", {"points": 1, "effect": "cheat_death", "explanation": "  "}),
    ("pips", "raise", {"what": "skill", "code": "3d", "pips": -1}),
    ("pips", "raise", {"what": "skill", "code": "3d", "pips": 7, "when": "creation"}),
    ("pips", "raise", {"what": "stat", "code": "4d", "pips": 1, "when": "creation"}),
    ("awards", "growth", {"skills": {"dodge": "3d"}, "awards": {"melee": 1}}),
    ("awards", "growth", {"skills": {"dodge": "3d", "melee": "3d"}, "awards": {"dodge": 1, "melee": 1}, "pips": 1}),
    ("reaction", "round", {"declared": [{"name": "dodge", "code": "3d"}]}),
    ("move", "round", {"declared": [{"name": "move", "code": "3d"}]}),
    ("wait", "segments", {"plans": [{"who": "Ash", "acts": ["move", ""]}]}),
]


@pytest.mark.parametrize(("code", "do", "given"), REFUSED)
def test_what_the_rules_refuse(system: System, code: str, do: str, given: Mapping[str, object]) -> None:
    with pytest.raises(Refused) as caught:
        result(system, do, **given)
    assert caught.value.code == code


def test_preparing_and_reactions(system: System) -> None:
    """DIE-Q15: a reaction before the prepared roll cancels the bonus; one after it comes too late to."""
    shot, dodge = {"name": "blaster", "code": "3d+1"}, {"name": "dodge", "code": "3d"}
    assert result(system, "round", declared=[shot], prepared=True).codes == ("4d+1",)
    spoilt = result(system, "round", declared=[shot], order=[dodge, "declared"], prepared=True)
    assert spoilt.codes == ("2d", "2d+1")
    late = result(system, "round", declared=[shot], order=["declared", dodge], prepared=True)
    assert late.codes == ("4d+1", "2d")


def test_luck_in_the_middle_of_a_round(system: System) -> None:
    """DIE-Q20: what was rolled stands, what is still to come doubles."""
    shots = [{"name": "blaster", "code": "4d"}] * 2
    assert result(system, "round", declared=shots, doubled=True, doubled_from=2).codes == ("3d", "7d")


def test_a_pack_may_hold_the_extra_point_back(system: System) -> None:
    """DIE-Q18, ruled otherwise."""
    procedure = engine_of(system).procedures["luck"]
    given = plain_words({"points": 1, "effect": "double", "manner": "dramatic"})
    for way, at_end in (("extra point", 2), ("no extra point", 1)):
        play = Play(system, Scripted(()), rulings={"DIE-Q18": way})
        assert procedure.run(play, procedure.arguments(given, play)).at_end == at_end


def test_an_act_stands_though_its_owner_is_wounded_first(system: System) -> None:
    """DIE-Q35, and ruled otherwise."""
    sides = [
        {"who": "Ash", "act": "melee", "code": "2d", "number": 6, "wounds": "Bex"},
        {"who": "Bex", "act": "melee", "code": "1d", "number": 3},
    ]
    procedure = engine_of(system).procedures["clash"]
    for way, acted, lost in (("act stands", ("Ash", "Bex"), ()), ("act lost", ("Ash",), ("Bex",))):
        play = Play(system, Scripted((4, 4, 5)), rulings={"DIE-Q35": way})
        outcome = procedure.run(play, procedure.arguments(plain_words({"sides": sides}), play))
        assert (outcome.acted, outcome.lost, outcome.wounded) == (acted, lost, ("Bex",))


def test_a_reaction_among_acts_that_collide(system: System) -> None:
    """DIE-Q39: it is rolled when the attack's turn comes, and stops it when it is not lower."""
    sides = [
        {"who": "Ash", "act": "melee", "code": "2d", "number": 6, "stuns": "Bex", "reaction": "1d"},
        {"who": "Bex", "act": "melee", "code": "1d", "number": 3, "stuns": "Ash"},
    ]
    parried = result(system, "clash", "44 3 62", sides=sides)
    assert (parried.came_off, parried.lost, parried.reactions["Ash"]) == (("Bex",), (), 8)
    struck = result(system, "clash", "44 3 5", sides=sides)
    assert (struck.came_off, struck.lost) == (("Ash",), ("Bex",))


def test_an_attack_that_falls_short_calls_for_no_reaction(system: System) -> None:
    """DIE-Q39"""
    outcome = result(system, "attack", "12", code="2d", number=8, reaction="3d")
    assert (outcome.hit, outcome.reaction_total) == (False, None)


def test_hand_to_hand_only_the_comparison_counts(system: System) -> None:
    """DIE-Q13"""
    assert result(system, "attack", "12 11", code="2d", reaction="2d").hit
    assert not result(system, "attack", "12 21", code="2d", reaction="2d").hit


def test_a_band_stands_for_its_middle(system: System) -> None:
    """DIE-107: house default"""
    outcome = result(system, "test", "664", code="2d", number="Moderate")
    assert (outcome.number, outcome.success) == (13, True)
    assert result(system, "attack", "54", code="2d", number="Short").hit


def fighter(who: str, *acts: Mapping[str, object], **more: object) -> dict[str, object]:
    return {"who": who, "perception": "3d", "acts": list(acts), **more}


def test_a_round_from_declaring_to_its_end(system: System) -> None:
    """The full worked case (DIE-076) as a round: three shots, a dodge before the second, and its price after it."""
    shot = {"act": "blaster", "code": "4d+2", "number": 6}
    dive = {"name": "dodge", "code": "4d"}
    bolt = {"act": "blaster", "code": "3d", "number": 8, "at": "Ash", "effect": "wounded", "reaction": dive}
    outcome = result(
        system,
        "fight_round",
        "22 432 64 1 5",
        fighters=[fighter("Ash", shot, shot, shot), fighter("Bex", bolt, perception="2d")],
        linked=[],
    )
    assert outcome.order == (("Bex",), ("Ash",))
    assert [(turn.who, turn.code, turn.total, turn.success) for turn in outcome.turns] == [
        ("Ash", "2d+2", 6, True),
        ("Bex", "3d", 9, False),
        ("Ash", "1d+2", 3, False),
        ("Ash", "1d+2", 7, True),
    ]
    assert outcome.turns[1].reaction_total == 10
    assert not outcome.fighters[0].wounded


def test_a_stun_costs_the_rest_of_the_round_and_is_gone_in_the_next(system: System) -> None:
    """DIE-216, DIE-225: Bex is hit first, loses both acts, and stands again when the next round begins."""
    blow = {"act": "melee", "code": "3d", "number": 8, "at": "Bex", "effect": "stunned"}
    back = {"act": "melee", "code": "4d", "number": 8, "at": "Ash", "effect": "stunned"}
    outcome = result(system, "fight_round", "555 111", fighters=[fighter("Ash", blow), fighter("Bex", back, back)])
    assert [(turn.who, turn.success, turn.lost) for turn in outcome.turns] == [
        ("Ash", True, False),
        ("Bex", False, True),
        ("Bex", False, True),
    ]
    assert [(each.was_stunned, each.stunned) for each in outcome.fighters] == [(False, False), (True, False)]


def test_luck_shrugs_a_stun_off_in_its_own_round(system: System) -> None:
    """DIE-047, DIE-049: a point is spent as the round begins, comes back later, and the blow is returned at once."""
    blow = {"act": "melee", "code": "3d", "number": 8, "at": "Bex", "effect": "stunned"}
    back = {"act": "melee", "code": "1d", "number": 6, "at": "Ash", "effect": "stunned"}
    lucky = fighter("Bex", back, luck=1, doubles_in=1, manner="heroic")
    outcome = result(system, "fight_round", "555 44", fighters=[fighter("Ash", blow), lucky])
    bex = outcome.fighters[1]
    assert (bex.was_stunned, bex.luck, bex.owed) == (False, 0, 1)
    assert [turn.success for turn in outcome.turns] == [True, True]
    end = result(system, "end_adventure", luck=bex.luck, owed=bex.owed, skills={"melee": "3d+2"}, awards={"melee": 1})
    assert (end.luck, end.codes["melee"]) == (1, "4d")


def test_aiming_for_a_round_pays_in_the_next(system: System) -> None:
    """DIE-058 to DIE-060: nothing at all in one round, one die more in the next."""
    first = result(system, "fight_round", fighters=[fighter("Ash")])
    assert first.fighters[0].prepared
    shot = {"act": "missile weapons", "code": "3d+1", "number": 11}
    second = result(system, "fight_round", "2222", fighters=[fighter("Ash", shot, prepared=True)])
    assert second.turns[0].code == "4d+1"
    assert not second.fighters[0].prepared


def test_a_runner_rolls_dexterity_only_where_it_matters(system: System) -> None:
    """DIE-212, DIE-Q36: for the door against a shot; otherwise a move is no roll."""
    run = {"act": "move"}
    shot = {"act": "blaster", "code": "3d", "number": 8, "at": "Ash", "effect": "stunned"}
    raced = result(
        system, "fight_round", "666 1 222", fighters=[fighter("Ash", run, dexterity="3d"), fighter("Bex", shot)]
    )
    assert [(turn.who, turn.total) for turn in raced.turns] == [("Ash", 19), ("Bex", 6)]
    alone = result(system, "fight_round", fighters=[fighter("Ash", run)])
    assert alone.turns[0].total is None


def test_the_same_seed_makes_the_same_character(system: System) -> None:
    """DIE-222, DIE-223: and whatever the dice make keeps the rules."""
    engine = engine_of(system)
    for seed in range(20):
        play = Play(system, Seeded(f"diecodes {seed}".encode()))
        stats = engine.procedures["random_stats"].run(play, {}).stats
        raises = engine.procedures["random_skills"].run(play, {}).raises
        assert result(system, "check_stats", stats=dict(stats)).valid
        assert result(system, "check_skills", stats=dict(stats), raises=dict(raises)).valid


def test_the_log_of_a_test(system: System) -> None:
    assert told(system, "test", "6 3 64", code="4d+2", number=13, uses=2, wounded=True) == [
        "4d+2, 2d off: 2d+2 is rolled [DIE-068]",
        "2d+2: wild die 6 + 6 + 4 = 16, the other die 3, plus 2: total 21 [DIE-031, DIE-032, DIE-033]",
        "21 against 13: success by 8 [DIE-024, DIE-003]",
    ]


def test_the_log_of_a_roll_in_the_chat_room(system: System) -> None:
    assert told(system, "roll", "6 3 641", code="2d", wild="chat") == [
        "the batch is 6, 4, 1: 6, 4 count [DIE-037, DIE-038]",
        "2d: wild die 6 + 6 + 4 = 16, the other die 3: total 19 [DIE-031, DIE-032, DIE-033]",
    ]


def test_the_log_of_a_round(system: System) -> None:
    shots = [{"name": "blaster", "code": "4d+2"}] * 2
    order = ["declared", {"name": "dodge", "code": "2d"}, "declared"]
    assert told(system, "round", declared=shots, order=order) == [
        "blaster: 2 declared: 1d off [DIE-074]",
        "4d+2, 1d off: 3d+2 is rolled [DIE-068]",
        "dodge: 2 declared, 1 thrown in: 2d off [DIE-074]",
        "2d, 2d off: no dice are left [DIE-068, DIE-Q1]",
        "blaster: 2 declared, 1 thrown in: 2d off [DIE-074]",
        "4d+2, 2d off: 2d+2 is rolled [DIE-068]",
    ]


def test_the_log_of_a_clash(system: System) -> None:
    sides = [
        {"who": "Ash", "act": "blaster", "code": "2d", "number": 6, "stuns": "Bex"},
        {"who": "Bex", "act": "blaster", "code": "1d+2", "number": 6, "stuns": "Ash"},
    ]
    assert told(system, "clash", "54 5", sides=sides) == [
        "Ash, blaster: 2d: wild die 5, the other die 4: total 9 [DIE-031]",
        "Bex, blaster: 1d+2: wild die 5, plus 2: total 7 [DIE-031]",
        "Ash acts on 9: blaster comes off [DIE-212, DIE-213]",
        "Bex is stunned [DIE-216]",
        "Bex is stunned: blaster never happens [DIE-216]",
    ]


def test_the_log_of_cheating_death(system: System) -> None:
    given = {"points": 1, "effect": "cheat_death", "manner": "heroic", "explanation": "a rope where no rope was"}
    assert told(system, "luck", **given) == [
        "a luck point, and the character is safe: a rope where no rope was [DIE-050, DIE-051]",
        "the manner was heroic: 1 comes back when the adventure ends [DIE-053]",
        "0 held now, 1 when the adventure ends [DIE-053]",
    ]


@pytest.mark.parametrize(
    ("dice", "wounded", "outcome", "rounds"),
    [
        ("2 3 2 3 3 3", False, "nothing", None),  # 9 against 9
        ("2 3 3 3 3 3", False, "stunned", None),  # 10 against 9
        ("3 4 4 3 3 3", False, "stunned", None),  # 13 against 9
        ("4 4 4 3 3 3", False, "wounded", None),  # 14 against 9
        ("4 4 4 3 3 3", True, "down", 9),  # a second wound, by what kills
        ("3 4 4 3 3 3", True, "stunned", None),  # a stun is no second wound
        ("5 6 5 3 3 3", False, "wounded", None),  # 18 against 9
        ("5 6 6 3 3 3", False, "down", 9),  # 19 against 9
    ],
)
def test_the_margin_of_a_hit_says_what_it_does(
    system: System, dice: str, wounded: bool, outcome: str, rounds: int | None
) -> None:
    hit = result(system, "harm", dice, weapon="bow", wounded=wounded)
    assert (hit.outcome, hit.rounds) == (outcome, rounds)


def test_luck_doubles_the_arm_behind_a_blade_and_no_bullet(system: System) -> None:
    blade = result(system, "harm", "3333333 333", weapon="blade or spear", by_doubled=True)
    bullet = result(system, "harm", "3333 333", weapon="pistol", by_doubled=True)
    assert (blade.force_code, bullet.force_code) == ("7d", "4d")


def test_what_does_not_kill_leaves_nobody_dying(system: System) -> None:
    asleep = result(system, "harm", "55555 222", weapon="stunner")
    assert (asleep.outcome, asleep.rounds) == ("down", None)


def test_who_comes_too_late_saves_nobody(system: System) -> None:
    assert result(system, "staunch", code="5d", strength="2d", late=6).saved is False


def test_a_life_is_saved_as_often_as_one_of_so_many_tries_succeeds(system: System) -> None:
    once = odds(system, "test", "success", code="4d", number=13).chance(True)
    saved = odds(system, "staunch", "saved", code="4d", strength="3d", late=6).chance(True)
    assert float(saved) == pytest.approx(float(1 - (1 - once) ** 3), abs=1e-5)  # the wild die is cut off somewhere


def test_a_table_may_leave_it_to_the_gm_what_a_hit_does(system: System) -> None:
    procedure = engine_of(system).procedures["harm"]
    play = Play(system, Scripted(()), rulings={"DIE-H1": "the GM says"})
    with pytest.raises(Refused, match="for the GM to say"):
        procedure.run(play, procedure.arguments(plain_words({"weapon": "bow"}), play))
