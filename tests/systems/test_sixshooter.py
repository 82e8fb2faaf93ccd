"""The rules of Six Shooter as procedures: worked examples, every ID of the ledger, exact odds, refusals, stories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from sheetgen.content.packs.folders import Library
from sheetgen.content.packs.play import read_examples
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.dice.deck import Cards, DealtCards, ScriptedCards, full_deck
from sheetgen.dice.source import Scripted, Seeded
from sheetgen.errors import LimitError
from sheetgen.model.procedures import Example, as_data
from sheetgen.model.system import System
from sheetgen.rules.engine_check import check_rulings
from sheetgen.rules.odds import Odds, exact_odds, sampled_odds
from sheetgen.rules.procedures.parameters import Wrong, plain_words
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.table.examples import run_example
from tests.reading import ledger, read_pack

ROOT = Path(__file__).parents[2]
DIE = range(1, 7)
HOUSE = [f"SIX-H{number}" for number in range(1, 5)]
HAND = ["2C down", "9D up", "KS down", "4H down", "AC down", "7D down"]
OTHER = ["QC up", "3D down", "5S down", "6H down", "8C down", "10D down"]
WORN = ["gone", "9D up", "KS down", "gone", "AC up", "JOKER up"]


def cases() -> tuple[Example, ...]:
    """The worked examples of the pack."""
    path, problems = ROOT / "content" / "sixshooter" / "examples.yaml", Problems()
    found = read_examples(parse(path.read_bytes(), path.name), problems)
    problems.raise_if_any()
    return found


CASES = cases()


@pytest.fixture(scope="session")
def system(library: Library) -> System:
    """Six Shooter, read and checked."""
    return read_pack(library.packs["sixshooter"], library)


def play_of(
    system: System, procedure: str, *, dice: Iterable[int] | int = (), cards: Iterable[str] | None = (), **given: Any
) -> tuple[dict[str, Any], list[str]]:
    """What a procedure comes to, as plain data, and its log; `dice` are faces, all of which must be used, or a seed.

    `cards` are those drawn, all of them too; None deals from a shuffled deck.
    """
    engine, log = engine_of(system), list[str]()
    faces = Seeded(str(dice).encode()) if isinstance(dice, int) else Scripted(dice)
    dealt: Cards = DealtCards(full_deck(), Seeded(b"cards")) if cards is None else ScriptedCards(cards)
    play = Play(system, faces, rulings=rulings_of(system), cards=dealt, log=log)
    found = engine.procedures[procedure]
    outcome = as_data(found.run(play, found.arguments(plain_words(given), play)))
    if isinstance(faces, Scripted):
        faces.finish()
    if isinstance(dealt, ScriptedCards):
        dealt.finish()
    assert isinstance(outcome, dict)
    return outcome, log


def odds_of(system: System, procedure: str, of: str, *, policy: str = "", **given: Any) -> dict[object, Fraction]:
    """The exact odds of one result."""
    found = engine_of(system).procedures[procedure]
    arguments = found.arguments(plain_words(given), Play(system, Scripted(())))
    odds = exact_odds(system, found, arguments, of=of, policy=policy)
    assert odds.bound == 0
    return dict(odds.odds)


def operator(hand: list[str] = HAND, **more: Any) -> dict[str, Any]:
    """A Sly Operator with that hand."""
    return {"descriptor": "Sly", "lucky": [4], "hand": hand, **more}


# Examples and coverage


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_worked_example_comes_out_as_it_says(system: System, case: Example) -> None:
    assert run_example(system, engine_of(system), case) == ""


def test_all_cases_of_the_ledger_are_here() -> None:
    assert [case.id for case in CASES][:83] == [f"SIX-X{number:02}" for number in range(1, 84)]


def computed() -> set[str]:
    """The rules that code must know."""
    return {rule for rule, kind in ledger("sixshooter").items() if kind in ("engine", "both")}


def test_the_ledger_has_its_74_rules() -> None:
    assert list(ledger("sixshooter")) == [f"SIX-{number:03}" for number in range(1, 75)]
    assert set(ledger("sixshooter").values()) == {"engine", "content", "both"}


def test_every_rule_to_be_computed_is_named_by_a_procedure_or_by_the_pack(system: System) -> None:
    named = {rule for procedure in engine_of(system).procedures.values() for rule in procedure.rules}
    assert computed() - named - system.covered == set()


def test_procedures_name_only_rules_that_exist(system: System) -> None:
    numbered = {*ledger("sixshooter"), *(f"SIX-Q{number}" for number in range(1, 39)), *HOUSE}
    named = {rule for procedure in engine_of(system).procedures.values() for rule in procedure.rules}
    assert named - numbered == set()


def test_every_rule_to_be_computed_has_an_example_and_so_has_every_procedure(system: System) -> None:
    assert computed() - {rule for case in CASES for rule in case.rules} == set()
    assert set(engine_of(system).procedures) == {str(case.do) for case in CASES}


def test_the_open_points_are_ruled_one_way_only(system: System) -> None:
    assert engine_of(system).rulings == {}
    assert check_rulings(system) == ()


# Exact odds, against a count over all faces


def ladder(number: int) -> dict[object, Fraction]:
    """How a die may come out against an effective Critical Number: counted face by face, as SIX-023 to SIX-025 say."""
    if number <= 0:
        return {"automatic": Fraction(1)}
    found = {
        "success": Fraction(sum(face > number for face in DIE), 6),
        "success_at_cost": Fraction(sum(face == number for face in DIE), 6),
        "failure": Fraction(sum(face < number for face in DIE), 6),
    }
    return {result: chance for result, chance in found.items() if chance}


@pytest.mark.parametrize("cn", range(1, 8))
@pytest.mark.parametrize("strikes", range(3))
@pytest.mark.parametrize(
    ("card", "off"), [(None, 0), ("2S", 1), ("10S", 1), ("JS", 2), ("QS", 3), ("KS", 4), ("AS", 5)]
)
def test_the_ladder_with_each_card(system: System, cn: int, strikes: int, card: str | None, off: int) -> None:
    hand = [f"{card} up", *HAND[1:]] if card else HAND
    actor = operator(hand, strikes=strikes, lucky=[])
    use = {"use": 1} if card else {}
    found = odds_of(system, "attempt", "outcome", actor=actor, method="Slyness", cn=cn, **use)
    assert found == ladder(min(7, cn + strikes) - off)


@pytest.mark.parametrize("cn", range(1, 8))
@pytest.mark.parametrize(("strikes", "wager"), [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (2, 1)])
def test_all_or_nothing(system: System, cn: int, strikes: int, wager: int) -> None:
    """A whole hand cannot give a Strike, so that all Strikes gained are those of the wager (SIX-051)."""
    given = {"actor": operator(strikes=strikes), "method": "Charm", "cn": cn, "wager": wager}
    number = min(7, cn + strikes) - wager
    assert odds_of(system, "attempt", "outcome", **given) == ladder(number)
    lost = Fraction(sum(face < number for face in DIE), 6) if number > 0 else Fraction()
    found = odds_of(system, "attempt", "strikes", **given)
    assert found.get(strikes + wager, Fraction()) == lost
    assert found.get(strikes, Fraction()) == 1 - lost
    assert odds_of(system, "attempt", "removed", **given).get(True, Fraction()) == (strikes + wager >= 3) * lost


@pytest.mark.parametrize("cn", range(1, 8))
@pytest.mark.parametrize("strikes", range(3))
def test_a_worn_hand_gives_strikes(system: System, cn: int, strikes: int) -> None:
    """Two of six places are empty: a third of all Roll Your Hand ends in a Strike."""
    found = odds_of(system, "attempt", "strikes", actor=operator(WORN, strikes=strikes), method="Danger", cn=cn)
    number = min(7, cn + strikes)
    struck = Fraction(sum(face <= number and place in (1, 4) for face, place in product(DIE, DIE)), 36)
    assert found == {strikes + 1: struck, strikes: 1 - struck}


def test_what_roll_your_hand_may_hit(system: System) -> None:
    found = odds_of(system, "roll_hand", "discarded", hand=WORN, lucky=[9], deck=["QS", "2D"])
    assert found == {(): Fraction(4, 6), ("9D",): Fraction(1, 6), ("AC",): Fraction(1, 6)}
    assert odds_of(system, "roll_hand", "deck", hand=WORN, lucky=[9], deck=["QS", "2D"]) == {
        ("QS", "2D"): Fraction(5, 6),
        ("2D",): Fraction(1, 6),
    }
    assert odds_of(system, "roll_hand", "removed", hand=WORN, strikes=2) == {
        True: Fraction(1, 3),
        False: Fraction(2, 3),
    }


def against(a: int, b: int, *, strikes: tuple[int, int], off: tuple[int, int]) -> tuple[int, int]:
    """The scores of two dice: each as the other's Strikes raise it and the other's card or wager lowers it."""
    return min(7, a + strikes[1]) - off[1], min(7, b + strikes[0]) - off[0]


@pytest.mark.parametrize("strikes", list(product(range(3), range(3))))
@pytest.mark.parametrize(("use", "wager", "off"), [(False, 0, (0, 0)), (True, 0, (4, 0)), (True, 1, (4, 1))])
def test_operator_against_operator(
    system: System, strikes: tuple[int, int], use: bool, wager: int, off: tuple[int, int]
) -> None:
    """Who is lower, and who is struck, over all 36 pairs of dice and all places that may then be hit."""
    a = operator(["KS up", "gone", *HAND[2:]], strikes=strikes[0], method="Slyness", **({"use": 1} if use else {}))
    b = operator(OTHER, strikes=strikes[1], method="Danger", wager=wager)
    gone_a = {1, 2} if use else {2}
    lower, loser = dict[str, Fraction](), dict[str, Fraction]()
    for die_a, die_b, place in product(DIE, DIE, DIE):
        score_a, score_b = against(die_a, die_b, strikes=strikes, off=off)
        who = "a" if score_a < score_b else "b" if score_b < score_a else "both"
        lower[who] = lower.get(who, Fraction()) + Fraction(1, 216)
        struck_a, struck_b = who != "b" and place in gone_a, who == "b" and wager > 0
        lost = "both" if struck_a and struck_b else "a" if struck_a else "b" if struck_b else "none"
        loser[lost] = loser.get(lost, Fraction()) + Fraction(1, 216)
    assert odds_of(system, "versus", "lower", a=a, b=b) == lower
    assert odds_of(system, "versus", "loser", a=a, b=b) == loser


def test_tries_add_up_over_a_whole_challenge(system: System) -> None:
    """Two rounds at Critical Number 4 with a whole hand: 1 − ½ × ½; a queen on the first try: 1 − 0 × ½."""
    ash = {"name": "Ash", **operator()}
    given = {"operators": [ash], "cns": {"Slyness": 4}, "rounds": 2}
    assert odds_of(system, "multi_stage", "complete", **given) == {True: Fraction(3, 4), False: Fraction(1, 4)}
    ash["hand"] = ["QS up", *HAND[1:]]
    assert odds_of(system, "multi_stage", "complete", policy="all", **given) == {True: Fraction(1)}


def test_a_contest_that_is_conceded_after_one_exchange(system: System) -> None:
    """Only the empty place of B can end it sooner: 21 of 36 pairs make B roll, a sixth of them on it."""
    a, b = operator(method="Slyness"), operator(["gone", *OTHER[1:]], method="Danger")
    found = odds_of(system, "contest", "loser", a=a, b=b, concedes="a", after=1)
    assert found == {"b": Fraction(21, 216), "a": Fraction(195, 216)}


@pytest.mark.parametrize("policy", ["none", "all"])
@pytest.mark.parametrize(
    ("procedure", "results", "given"),
    [
        (
            "contest",
            ("loser", "exchanges", "strikes"),
            {
                "a": operator(["KS up", *HAND[1:]], method="Slyness", use=1),
                "b": operator(WORN, method="Danger"),
                "concedes": "a",
                "after": 1,
            },
        ),
        (
            "multi_stage",
            ("complete", "failures", "hand_rolls", "strikes"),
            {
                "operators": [{"name": "Ash", **operator(["gone", "JOKER up", *HAND[2:]])}],
                "cns": {"Slyness": 4},
                "needed": 2,
                "rounds": 2,
            },
        ),
    ],
)
def test_hands_that_nobody_asks_for_are_followed_only_as_far_as_they_matter(
    system: System, policy: str, procedure: str, results: tuple[str, ...], given: dict[str, Any]
) -> None:
    whole = odds_of(system, procedure, "", policy=policy, **given)
    for result in results:
        found: dict[object, Fraction] = {}
        for outcome, chance in whole.items():
            value = getattr(outcome, result)
            found[value] = found.get(value, Fraction()) + chance
        assert odds_of(system, procedure, result, policy=policy, **given) == found


def test_a_challenge_and_a_contest_are_followed_to_their_ends(system: System) -> None:
    ash = {**operator(), "lucky": []}
    challenge = {"operators": [{"name": "Ash", **ash}], "cns": {"Slyness": 4}, "needed": 5}
    assert odds_of(system, "multi_stage", "successes", **challenge).keys() == set(range(6))
    ash["hand"] = ["gone", *HAND[1:]]
    found = odds_of(system, "contest", "loser", a={"method": "Slyness", **ash}, b={"method": "Slyness", **ash})
    assert found["a"] == found["b"]


@pytest.mark.parametrize(
    ("procedure", "given"),
    [
        ("turn_order", {"players": ["Ash", "Bo", "Cy", "Di"]}),
        ("deal", {"players": ["Ash"]}),
        ("contest", {"a": operator(method="Slyness"), "b": operator(OTHER, method="Danger")}),
        ("multi_stage", {"operators": [{"name": "Ash", **operator()}], "cns": {"Danger": 5}, "needed": 4}),
    ],
)
def test_what_can_go_in_too_many_ways_is_refused_at_once_and_can_be_sampled(
    system: System, procedure: str, given: dict[str, Any]
) -> None:
    with pytest.raises(LimitError, match="--samples"):
        odds_of(system, procedure, "", **given)
    found = engine_of(system).procedures[procedure]
    arguments = found.arguments(plain_words(given), Play(system, Scripted(())))
    assert sampled_odds(system, found, arguments, of="", samples=20, seed=1).samples == 20


def turn_order_odds(system: System, players: tuple[str, ...], of: str, jokers: int = 0) -> Odds:
    found = engine_of(system).procedures["turn_order"]
    return exact_odds(system, found, {"players": players, "jokers": jokers}, of=of)


@pytest.mark.parametrize("players", [("Ash", "Bo"), ("Ash", "Bo", "Cy")])
def test_turn_order_favours_nobody(system: System, players: tuple[str, ...]) -> None:
    """Every order is as likely as any other; what is missing are draws that tie a dozen times over."""
    odds = turn_order_odds(system, players, "order")
    orders = factorial(len(players))
    assert odds.bound < Fraction(1, 10**15)
    assert {weight for _, weight in odds.odds} == {(1 - odds.bound) / orders}
    assert len(odds.odds) == orders


def test_how_many_cards_a_turn_order_takes(system: System) -> None:
    """A tie leaves 51 cards of which 3 match; then 50, of which one pair is short by two. Two jokers tie as well."""
    odds = turn_order_odds(system, ("Ash", "Bo"), "discarded")
    tie = Fraction(3, 51)
    second = Fraction(12 * 4 * 3 + 2 * 1, 50 * 49)
    assert odds.chance(2) == 1 - tie
    assert odds.chance(4) == tie * (1 - second)
    with_jokers = turn_order_odds(system, ("Ash", "Bo"), "discarded", jokers=2)
    assert with_jokers.chance(2) == 1 - Fraction(13 * 4 * 3 + 2 * 1, 54 * 53)


def test_exact_turn_order_agrees_with_cards_that_are_drawn(system: System) -> None:
    found = engine_of(system).procedures["turn_order"]
    players = ("Ash", "Bo", "Cy")
    exact = turn_order_odds(system, players, "discarded")
    drawn = sampled_odds(system, found, {"players": players}, of="discarded", samples=3000, seed=7)
    assert all(abs(drawn.chance(number) - exact.chance(number)) < 4 * drawn.error for number in (3, 5, 6, 7))


# Cards


def test_a_deal_from_a_shuffled_deck_gives_every_card_once(system: System) -> None:
    players = ["Ash", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]
    told_, _ = play_of(system, "deal", dice=5, cards=None, players=players)
    dealt = [card for hand in told_["hands"].values() for card in hand]
    assert told_["deck_left"] == 4
    assert len({card.split()[0] for card in dealt}) == 48
    assert not any(card.startswith("JOKER") for card in dealt)
    assert all(sum(card.endswith(" up") for card in hand) == 1 for hand in told_["hands"].values())


def test_a_new_deck_that_nobody_scripts_is_shuffled(system: System) -> None:
    told_, _ = play_of(system, "reshuffle", dice=3, cards=None, deck=["5C"], discard=["KH", "2S", "9D"], draws=2)
    assert told_["drawn"][0] == "5C"
    assert sorted([*told_["deck"], *told_["discard"]]) == ["2S", "5C", "9D", "KH"]
    assert told_["discard"] == told_["drawn"][1:]


def test_draws_that_cannot_be_made_are_lost(system: System) -> None:
    """SIX-Q9; for a Lucky Number nothing goes to the discard pile, so that there is nothing to shuffle."""
    assert play_of(system, "reshuffle", reason="lucky_number", deck=["5C"], discard=[], draws=2)[0] == {
        "drawn": ["5C"],
        "deck": [],
        "discard": [],
    }
    hand = ["9D up", *OTHER[1:]]
    lost, log = play_of(system, "roll_hand", dice=[1], hand=hand, lucky=[9])
    assert lost["hand"][0] == "gone"
    assert "The deck is out and cannot be renewed: that draw is lost [SIX-Q9]" in log


def test_a_player_who_is_alone_draws_no_card(system: System) -> None:
    assert play_of(system, "turn_order", players=["Ash"])[0] == {"order": ["Ash"], "discarded": 0}


# Refusals

ATTEMPT = {"actor": operator(), "method": "Slyness", "cn": 4}
SIDES = {"a": operator(method="Slyness"), "b": operator(OTHER, method="Danger")}


def having(given: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {**given, **more}


@pytest.mark.parametrize(
    ("procedure", "given", "message"),
    [
        ("attempt", having(ATTEMPT, actor=operator([*HAND, "2D up"])), "actor.hand: takes 6 places, each a card with up"
         " or down, or gone; 7 are given [SIX-014]"),
        ("attempt", having(ATTEMPT, actor=operator(["2C", *HAND[1:]])), "actor.hand[1]: takes a card with up or down,"
         ' such as KS up, or gone; not "2C"'),
        ("roll_hand", {"hand": ["1C up", *HAND[1:]]}, "hand[1]: takes a card: a card is a rank (2, 3, 4, 5, 6, 7, 8, 9,"
         ' 10, J, Q, K, A) and a suit (C, D, S, H), or JOKER; not "1C"'),
        ("attempt", having(ATTEMPT, method="Magic"), 'method: takes Danger, Sharpness, Slyness or Charm, not'),
        (
            "attempt",
            having(ATTEMPT, method="Slynes"),
            'method: takes Danger, Sharpness, Slyness or Charm, not "Slynes" (did you mean "Slyness"?)',
        ),
        ("attempt", having(ATTEMPT, cn=8), "cn: takes a whole number from 1 to 7, or Impossible, not 8 [SIX-026]"),
        ("attempt", having(ATTEMPT, cn="four"), 'cn: takes a whole number from -99 to 99 or Impossible, not "four"'),
        ("attempt", having(ATTEMPT, use=7), "use: there is no card in place 7 of the hand [SIX-040]"),
        ("attempt", having(ATTEMPT, method="Danger", use=2), "use: the 9 of diamonds does not suit Danger [SIX-042]"),
        ("attempt", having(ATTEMPT, use=1), "use: the 2 of clubs lies face-down [SIX-040]"),
        ("attempt", having(ATTEMPT, use=2, wager=1), "wager: with a wager no card may be spent on the roll [SIX-052]"),
        ("attempt", having(ATTEMPT, actor=operator(strikes=1), wager=3), "wager: with 1 Strike held it takes at most 2,"
         " not 3 [SIX-049]"),
        ("attempt", having(ATTEMPT, actor=operator(strikes=3)), "actor.strikes: with 3 Strikes an Operator is out of"
         " play and can neither act nor help [SIX-038]"),
        ("attempt", having(ATTEMPT, actor=operator(lucky=[11])), "actor.lucky: takes whole numbers from 2 to 10, not 11"
         " [SIX-010]"),
        ("attempt", having(ATTEMPT, actor=operator(lucky=[2, 3, 4])), "actor.lucky: takes at most 2 Lucky Numbers, not"
         " 3 [SIX-067]"),
        ("attempt", having(ATTEMPT, actor=operator(descriptor="Brave")), "actor.descriptor: takes Dangerous, Sharp, Sly"
         " or Charming, not"),
        ("attempt", having(ATTEMPT, helper=operator(WORN, use=6)), "helper.use: a joker cannot be used [SIX-073]"),
        ("versus", having(SIDES, b=operator(OTHER, method="Charm", use=1)), "b.use: the queen of clubs does not suit"
         " Charm [SIX-042]"),
        ("critical", {"cn": 5, "card": "JOKER"}, "card: a joker cannot be used [SIX-073]"),
        ("critical", {"cn": 5, "card": "2C", "wager": 1}, "card: none may be spent on a roll with a wager [SIX-052]"),
        ("check_challenge", {"cns": {"Sharpnes": 4}}, 'cns.Sharpnes: is not a method (did you mean "Sharpness"?); there'
         " are Danger, Sharpness, Slyness, Charm [SIX-028]"),
        ("deal", {"players": ["Ash"], "jokers": 3}, "jokers: takes 0 to 2, not 3 [SIX-Q27]"),
        ("deal", {"players": ["Ash", "Ash"]}, "players: takes every name once; Ash stands 2 times"),
        ("deal", {"players": ["Ash"], "turn_up": {"Ash": 7}}, "turn_up.Ash: takes a place from 1 to 6, not 7"),
        ("deal", {"players": list("ABCDEFGHI")}, "players: takes at most 8 names, not 9 [SIX-Q2]"),
        ("turn_order", {"players": ["A", "B"], "deck": []}, "deck: takes at least one card to draw for turn order"
         " [SIX-016]"),
        ("reshuffle", {"deck": [], "discard": ["2C"], "shuffled": ["3C"]}, "shuffled: takes the discard pile in its new"
         " order, that is 2C [SIX-020]"),
        ("stages", {"needed": 0, "attempts": []}, "needed: takes a whole number from 1 to 99, not 0"),
        ("stages", {"needed": 1, "attempts": [{"effective": 3}]}, "attempts[1].die: is missing: a die is rolled against"
         " 3 [SIX-022]"),
        ("combat", {"enemies": 4, "cn": 3, "model": "crowd", "crowd": 3}, "crowd: takes a Critical Number above that of"
         " one enemy, 3; not 3 [SIX-055]"),
        ("third_strike", {"lucky": [6], "sacrifice": 5}, "sacrifice: takes a number the Operator has (6) or none"
         " [SIX-068]"),
        ("end_adventure", {"lucky": {"Ash": [4]}, "awards": [{"giver": "Ash", "hand": HAND, "to": "Bo", "number": 5}]},
         "awards[1].to: takes one of Ash, not Bo"),
    ],
)  # fmt: skip
def test_a_refusal_is_one_line_that_says_what_is_taken(
    system: System, procedure: str, given: dict[str, Any], message: str
) -> None:
    with pytest.raises((Refused, Wrong)) as refused:
        play_of(system, procedure, **given)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


# Stories


def test_a_night_at_the_vault(system: System) -> None:
    """From the deal to the last stage: hands, Strikes and piles go from one roll to the next."""
    cards = ["3S", "9D", "KS", "4H", "AC", "7D", "QH", "JH", "10C", "5D", "JS", "8H"]
    dealt, _ = play_of(system, "deal", cards=cards, players=["Ash", "Bo"], turn_up={"Ash": 1, "Bo": 2})
    ash = operator(dealt["hands"]["Ash"], lucky=[3], name="Ash")
    first, _ = play_of(
        system, "attempt", dice=[5, 1], actor=ash, method="Danger", cn=6, deck=["2D", "6H"], discard=["KD"]
    )
    assert first["hand"] == ["2D up", "9D down", "KS down", "4H down", "AC down", "7D down"]
    assert (first["outcome"], first["deck"], first["discard"]) == ("failure", ["6H"], ["KD", "3S"])
    ash["hand"] = first["hand"]
    bo = {"descriptor": "Charming", "lucky": [5], "hand": dealt["hands"]["Bo"], "use": 2}
    second, _ = play_of(
        system, "attempt", dice=[6], actor=ash, helper=bo, method="Charm", cn=7, deck=first["deck"],
        discard=first["discard"],
    )  # fmt: skip
    assert (second["effective"], second["outcome"], second["helper_hand"][1]) == (5, "success", "gone")
    assert second["discard"] == ["KD", "3S", "JH"]
    counted, _ = play_of(
        system,
        "stages",
        needed=1,
        attempts=[{"die": one["die"], "effective": one["effective"]} for one in (first, second)],
    )
    assert counted == {"successes": 1, "complete": True, "hand_rolls": 1}


def test_a_career(system: System) -> None:
    """An award, a third Strike, a sacrifice, and a new adventure with one Lucky Number less."""
    hand = ["KS up", *HAND[1:]]
    award = {"giver": "Bo", "hand": hand, "to": "Ash", "number": 9}
    ended, _ = play_of(system, "end_adventure", lucky={"Ash": [4], "Bo": [5]}, awards=[award])
    assert ended["lucky"] == {"Ash": [4, 9], "Bo": [5]}
    out, _ = play_of(system, "third_strike", lucky=ended["lucky"]["Ash"], sacrifice=4)
    assert (out["career"], out["lucky"]) == ("returns", [9])
    anew, _ = play_of(system, "start_adventure", dice=1, cards=None, lucky={"Ash": out["lucky"], "Bo": [5]})
    assert (anew["lucky"], anew["strikes"]) == ({"Ash": [9], "Bo": [5]}, {"Ash": 0, "Bo": 0})


@pytest.mark.parametrize("seed", range(20))
def test_every_contest_ends_with_a_strike(system: System, seed: int) -> None:
    ended, _ = play_of(system, "contest", dice=seed, a=SIDES["a"], b=SIDES["b"])
    strikes = ended["strikes"]
    assert ended["loser"] == ("both" if strikes["a"] and strikes["b"] else "a" if strikes["a"] else "b")
    assert ended["winner"] == {"a": "b", "b": "a", "both": "none"}[ended["loser"]]
    assert ended["exchanges"] >= 2, "no whole hand is worn out by one exchange"


def test_a_challenge_that_is_impossible_for_everybody_is_not_rolled(system: System) -> None:
    seats = [{"name": "Ash", **operator()}]
    told_, _ = play_of(system, "multi_stage", operators=seats, cns={"Charm": "Impossible"}, rounds=2)
    assert (told_["complete"], told_["turns"]) == (False, [])


# Logs


def test_the_log_of_a_roll_that_costs_a_lucky_card(system: System) -> None:
    _, log = play_of(
        system, "attempt", dice=[2, 2], method="Slyness", cn=3, use=2, deck=["6H", "10S"],
        actor=operator(lucky=[9], strikes=0, name="Ash"),
    )  # fmt: skip
    assert log == [
        "Ash spends the 9 of diamonds from place 2 [SIX-040]",
        "9 is a Lucky Number of Ash: the top card takes its place [SIX-053, SIX-054]",
        "It is the 6 of hearts, face-up in place 2 [SIX-054, SIX-Q21]",
        "Critical Number 3, the 9 of diamonds takes 1 off: 2 [SIX-022, SIX-041]",
        "The die shows 2 against 2: overcome, but luck is strained [SIX-023]",
        "Roll Your Hand: 2, Ash's 6 of hearts, face-up: discarded for nothing [SIX-034, SIX-035]",
    ]


def test_the_log_of_all_or_nothing_lost(system: System) -> None:
    _, log = play_of(system, "attempt", dice=[2], actor=operator(strikes=1), method="Danger", cn=6, wager=2)
    assert log == [
        "All Or Nothing: the Operator wagers 2 Strikes [SIX-049]",
        "Critical Number 6, 1 Strike held makes it 7, the wager of 2 Strikes takes 2 off: 5 [SIX-036, SIX-050]",
        "The die shows 2 against 5: not overcome [SIX-023]",
        "The Operator gains 2 Strikes and has 3 [SIX-051, SIX-Q14]",
        "That is Strike 3: the Operator is out [SIX-038]",
    ]


def test_the_log_of_an_exchange(system: System) -> None:
    a = operator(["2C down", "9D down", "KS up", *HAND[3:]], method="Slyness", strikes=2, use=3)
    _, log = play_of(system, "versus", dice=[4, 6, 1], a=a, b=operator(["gone", *OTHER[1:]], method="Sharpness"))
    assert log == [
        "Operator A spends the king of spades from place 3 [SIX-040]",
        "Operator A rolls 4 [SIX-061]",
        "Operator B rolls 6, 2 Strikes of Operator A make it 7, the king of spades takes 4 off: 3 [SIX-063]",
        "4 to 3: Operator B is lower and must Roll Their Hand [SIX-061]",
        "Roll Your Hand: 1, Operator B's empty place [SIX-034, SIX-035]",
        "Operator B gains 1 Strike and has 1 [SIX-035]",
        "Operator B gains a Strike and loses the contest [SIX-062]",
    ]


def test_the_log_of_a_turn_order_with_a_tie(system: System) -> None:
    _, log = play_of(system, "turn_order", cards=["9D", "QS", "9C", "2H", "JOKER"], players=["Ash", "Bo", "Cy"])
    assert log == [
        "Drawn and discarded: Ash 9 of diamonds, Bo queen of spades, Cy 9 of clubs [SIX-016]",
        "Ash and Cy tie and draw again [SIX-018]",
        "Drawn and discarded: Ash 2 of hearts, Cy joker [SIX-016]",
        "Turn order: Bo, Ash, Cy [SIX-017]",
    ]


def test_the_log_of_what_a_card_is_worth_and_why_not(system: System) -> None:
    given = {"for": "other", "descriptor": "Sly", "method": "Slyness"}
    assert play_of(system, "can_use", card="JS", **given)[1] == [
        "The jack of spades takes 2 off the Critical Number [SIX-041]"
    ]
    assert play_of(system, "can_use", card="AC", face="down", **given)[1] == [
        "No: the ace of clubs lies face-down [SIX-040]",
        "No: the ace of clubs does not suit Slyness, or the helper's Descriptor does not [SIX-044]",
    ]


@pytest.mark.parametrize("cn", range(2, 7))
def test_the_book_says_how_many_challenges_an_operator_lasts(system: System, cn: int) -> None:
    said = system.values.numbers(f"house.evening.{cn}")
    spent, saved = (play_of(system, "evening", cn=cn, spends=spends)[0] for spends in (True, False))
    assert said == {"first": spent["first"], "last": spent["last"], "saving": saved["last"]}


def test_an_operator_who_never_spends_lasts_as_long_as_a_hundred_and_fifty_played_evenings_say(system: System) -> None:
    def lasts(seed: int) -> int:
        hand, strikes, tries = HAND, 0, 0
        while strikes < 3:
            actor = {"descriptor": "Sly", "hand": hand, "strikes": strikes}
            outcome, _ = play_of(system, "attempt", dice=1000 * seed + tries, actor=actor, method="Danger", cn=5)
            hand, strikes, tries = list(outcome["hand"]), outcome["strikes"], tries + 1
        return tries

    mean = sum(map(lasts, range(150))) / 150
    assert abs(mean - play_of(system, "evening", cn=5, spends=False)[0]["last"]) < 1
