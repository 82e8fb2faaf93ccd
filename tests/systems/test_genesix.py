"""GeneSix by its ledger: every example, exact odds against plain counting, refusals, whole encounters, and logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from sheetgen.content.packs.folders import Library, read_file
from sheetgen.content.packs.play import read_examples
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import parse
from sheetgen.dice.source import Dice, Scripted, Seeded
from sheetgen.model.procedures import Example, as_data
from sheetgen.model.system import System
from sheetgen.rules.odds import Odds, exact_odds
from sheetgen.rules.procedures.parameters import Wrong, plain_words
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.table.examples import run_example
from tests.reading import ledger, read_pack

ROOT = Path(__file__).resolve().parents[2]


def examples() -> tuple[Example, ...]:
    """The worked examples of the pack."""
    problems = Problems()
    cases = read_examples(parse(read_file(ROOT / "content/genesix/examples.yaml", "examples"), "examples"), problems)
    problems.raise_if_any()
    return cases


@pytest.fixture(scope="module")
def system(library: Library) -> System:
    return read_pack(library.packs["genesix"], library)


class Table:
    """A table at which procedures are played with the faces given, or with a seed."""

    def __init__(self, system: System) -> None:
        self.system, self.engine = system, engine_of(system)
        self.log: list[str] = []

    def play(self, do: str, dice: tuple[int, ...] | int = (), policy: str = "", **given: Any) -> Any:
        source: Dice = Seeded(b"genesix %d" % dice) if isinstance(dice, int) else Scripted(dice)
        self.log = []
        rulings = rulings_of(self.system)
        play = Play(self.system, source, rulings=rulings, log=self.log, policy=policy)
        procedure = self.engine.procedures[do]
        outcome = procedure.run(play, procedure.arguments(plain_words(given), play))
        if isinstance(source, Scripted):
            source.finish()
        return outcome

    def odds(self, do: str, of: str, **given: Any) -> Odds:
        procedure = self.engine.procedures[do]
        arguments = procedure.arguments(plain_words(given), Play(self.system, Scripted(())))
        return exact_odds(self.system, procedure, arguments, of=of)


@pytest.fixture
def table(system: System) -> Table:
    return Table(system)


def counted(ways: Iterator[object]) -> dict[object, Fraction]:
    """How often each result comes up among equally likely ways."""
    found = Counter(ways)
    return {value: Fraction(count, found.total()) for value, count in found.items()}


def kept(faces: tuple[int, ...], mode: str) -> tuple[int, int]:
    """The two dice that count, by the words of GEN-056 and GEN-057."""
    order = sorted(faces)
    low, high = {"normal": order, "advantage": order[1:], "disadvantage": order[:2]}[mode]
    return low, high


def reading(low: int, high: int) -> str:
    """The ledger's table of readings, written down a second time (GEN-035)."""
    if (low, high) in ((1, 1), (6, 6)):
        return "critical_failure" if low == 1 else "critical_success"
    if (low + high) % 2:
        return "none"
    word = "disadvantageous" if low % 2 else "advantageous"
    return f"significantly_{word}" if low == high else word


def rolls(mode: str) -> list[tuple[int, int]]:
    """Every pair of dice that count, as often as it comes up."""
    return [kept(faces, mode) for faces in product(range(1, 7), repeat=2 if mode == "normal" else 3)]


MODES: dict[str, dict[str, int]] = {"normal": {}, "advantage": {"advantage": 1}, "disadvantage": {"disadvantage": 1}}


@pytest.mark.parametrize("case", examples(), ids=lambda case: case.id)
def test_every_example_of_the_ledger(system: System, case: Example) -> None:
    assert run_example(system, engine_of(system), case) == ""


def test_every_rule_to_be_computed_is_named(system: System) -> None:
    named = {rule for procedure in engine_of(system).procedures.values() for rule in procedure.rules} | system.covered
    computed = {rule for rule, kind in ledger("genesix").items() if kind != "content"}
    assert computed - named == set()
    assert named - set(ledger("genesix")) == set()


# Why a rule that is computed has no example of its own.
NO_EXAMPLE = {
    "GEN-005": "the order of events, in every check",
    "GEN-010": "the words and figures of the source, all used elsewhere",
    "GEN-022": "time limits: gen-ex-064 to 066 and 070 have one",
    "GEN-055": "names the two sorts of modifier: gen-ex-001 and 004",
    "GEN-083": "two pools: every Luck example has them",
    "GEN-109": "challenge sizes: test_challenge_sizes",
    "GEN-221": "what a turn and a round are",
    "GEN-228": "spending a reading on initiative: test_other_readings_may_be_spent_on_initiative",
}


def test_rules_without_an_example_are_known() -> None:
    shown = {rule for case in examples() for rule in case.rules}
    computed = {rule for rule, kind in ledger("genesix").items() if kind != "content"}
    assert computed - shown == set(NO_EXAMPLE)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("difficulty", "modifier"), [("Simple", -4), ("Average", 0), ("Hard", 3), (11, 2), (14, 1)])
def test_odds_of_a_check(table: Table, mode: str, difficulty: str | int, modifier: int) -> None:
    ladder = {"Simple": 3, "Average": 7, "Hard": 9}
    target = ladder[difficulty] if isinstance(difficulty, str) else difficulty
    given = {"difficulty": difficulty, "attribute": modifier, **MODES[mode]}
    wanted = counted(sum(pair) + modifier >= target for pair in rolls(mode))
    assert dict(table.odds("check", "success", **given).odds) == wanted
    deltas = counted(sum(pair) + modifier - target for pair in rolls(mode))
    assert dict(table.odds("check", "delta", **given).odds) == deltas


@pytest.mark.parametrize("mode", MODES)
def test_odds_of_a_reading(table: Table, mode: str) -> None:
    wanted = counted(reading(*pair) for pair in rolls(mode))
    assert dict(table.odds("check", "row", difficulty=7, **MODES[mode]).odds) == wanted


def test_the_ledgers_table_of_readings(table: Table) -> None:
    """GEN-040: under Advantage, 105 of 216 say nothing and 16 are Critical Successes."""
    odds = table.odds("check", "row", difficulty=7, advantage=1)
    assert odds.chance("none") == Fraction(105, 216)
    assert odds.chance("critical_success") == Fraction(16, 216)
    assert odds.chance("significantly_disadvantageous") == Fraction(20, 216)


def sides(a: str, b: str, lead: int) -> Iterator[tuple[int, str, str]]:
    """Every way an opposed check can fall: the lead of a, and both readings."""
    for one, other in product(rolls(a), rolls(b)):
        yield sum(one) + lead - sum(other), reading(*one), reading(*other)


@pytest.mark.parametrize(("a", "b", "lead"), [("normal", "normal", 0), ("advantage", "disadvantage", -3)])
def test_odds_of_an_opposed_check(table: Table, a: str, b: str, lead: int) -> None:
    given = {"a": {"attribute": lead, **MODES[a]}, "b": MODES[b]}
    ways = counted(ahead for ahead, _, _ in sides(a, b, lead))
    tie = ways.get(0, Fraction())
    odds = table.odds("opposed", "winner", **given)
    wins = sum((chance for ahead, chance in ways.items() if int(str(ahead)) > 0), Fraction()) + tie / 2
    assert 0 <= wins - odds.chance("a") <= odds.bound <= tie / 6**12
    rounds = table.odds("opposed", "tie_rounds", **given)
    assert rounds.chance(0) == 1 - tie
    assert rounds.chance(3) == tie * Fraction(1, 6) ** 2 * Fraction(5, 6)
    both = counted((one, other) for _, one, other in sides(a, b, lead))
    first = sum((chance for (one, _), chance in both.items() if one == "none"), Fraction())  # type: ignore[misc]
    assert abs(table.odds("opposed", "a_row", **given).chance("none") - first) <= odds.bound


def test_odds_of_the_leads_in_an_opposed_check(table: Table) -> None:
    ways = counted(abs(ahead) for ahead, _, _ in sides("advantage", "normal", 1))
    odds = table.odds("opposed", "delta", a={"attribute": 1, "advantage": 1}, b={})
    assert {value: chance for value, chance in odds.odds if value} == {
        value: chance for value, chance in ways.items() if value
    }
    assert ways[0] - odds.chance(0) == odds.bound


def test_odds_of_three_sides(table: Table) -> None:
    odds = table.odds("contest", "winner", sides=[{"who": "A", "attribute": 2}, {"who": "B"}, {"who": "C"}])
    wins = Fraction()
    for a, b, c in product(rolls("normal"), repeat=3):
        shown = (sum(a) + 2, sum(b), sum(c))
        if shown[0] == max(shown):
            wins += Fraction(1, 36**3 * shown.count(shown[0]))
    assert 0 <= wins - odds.chance("A") <= odds.bound < Fraction(1, 10**6)
    assert odds.chance("B") == odds.chance("C")


def test_odds_of_what_a_power_costs(table: Table) -> None:
    wanted = counted(max(sum(pair) - 9, 0) for pair in rolls("normal"))
    assert dict(table.odds("unnatural", "stress", difficulty=10, approach=1).odds) == wanted


def mean(odds: Odds) -> Fraction:
    return sum((int(str(value)) * chance for value, chance in odds.odds), Fraction())


@pytest.mark.parametrize(("attribute", "toughness", "points"), [(3, 0, "3.19"), (1, 2, "1.00")])
def test_what_an_attack_does_on_average(table: Table, attribute: int, toughness: int, points: str) -> None:
    """GEN-278: a hero at Near range against an ordinary person, and the answer."""
    odds = table.odds("attack", "taken", attribute=attribute, toughness=toughness, range="Near")
    assert f"{float(mean(odds)):.2f}" == points


def test_what_a_strike_does(table: Table) -> None:
    wins = counted(ahead for ahead, _, _ in sides("normal", "normal", 2))
    odds = table.odds("strike", "taken", a={"attribute": 2}, b={}, toughness=3)
    for taken in (2, 3, 7):
        assert odds.chance(taken) == wins[taken + 3]


@pytest.mark.parametrize(("grade", "wounds", "stress"), [("hero", "8.8", "8.2"), ("ordinary", "8.0", "7.0")])
def test_a_rolled_character_on_average(table: Table, grade: str, wounds: str, stress: str) -> None:
    """GEN-278, and the loops of again-rolls leave nothing over."""
    for name, wanted in (("wounds", wounds), ("stress", stress)):
        odds = table.odds("random_build", name, grade=grade)
        assert odds.bound == 0
        assert f"{float(mean(odds)):.1f}" == wanted


def test_odds_of_an_ordinary_persons_strong_suit(table: Table) -> None:
    """Lowered twice out of five, then raised twice out of those left, counted by hand."""
    chance = Fraction()
    for lowered in product(range(5), repeat=2):
        left = [place for place in range(5) if place not in lowered]
        for raised in product(left, repeat=2):
            if raised == (0, 0):
                chance += Fraction(1, 25 * len(left) ** 2)
    assert table.odds("random_build", "attributes.Strength", grade="ordinary").chance(2) == chance


def test_the_standard_chase_is_an_even_race(table: Table) -> None:
    """GEN-108: just under four exchanges between equals."""
    odds = table.odds("pursuit", "outcome", quarry={}, pursuer={}, standard=True, most=30)
    assert odds.chance("caught") == odds.chance("escaped") > Fraction(49, 100)
    ends = table.odds("pursuit", "ended_at", quarry={}, pursuer={}, standard=True, most=30)
    length = sum(int(str(value)) * float(chance) for value, chance in ends.odds if value is not None)
    assert 3.7 < length < 4


def test_a_chase_and_a_challenge_tell_every_step_and_odds_none(table: Table) -> None:
    """GEN-018, GEN-023, GEN-025: what each exchange and each check came to, and what it left behind."""
    sides_of = {"quarry": {"attribute": 2}, "pursuer": {"attribute": 1}, "standard": True}
    ran = table.play("pursuit", dice=[3, 3, 2, 3, 6, 5, 1, 2], **sides_of)
    assert [(each.quarry, each.pursuer, each.gap) for each in ran.course] == [(8, 6, 7), (13, 4, 16)]
    about = {"threshold": "short", "difficulty": "Average", "participants": [{"attribute": 1}, {"opposing": True}]}
    tried = table.play("challenge", dice=[4, 4, 5, 4, 6, 6], limit=3, **about)
    assert [(each.result, each.delta, each.gained, each.lost) for each in tried.course] == [
        (9, 2, 2, 0),
        (9, -2, 0, 0),
        (13, 6, 6, 0),
    ]
    assert [value for value, _ in table.odds("pursuit", "course", **sides_of, most=2).odds] == [None]


def test_odds_of_a_short_chase(table: Table) -> None:
    """Two exchanges from a head start of 3, counted over every pair of leads."""
    leads = [ahead for ahead, _, _ in sides("normal", "normal", 0)]
    single = Counter(leads)
    caught = Fraction()
    for first, ways in single.items():
        if 3 + first <= 0:
            caught += Fraction(ways, len(leads))
            continue
        caught += Fraction(ways, len(leads)) * Fraction(sum(3 + first + ahead <= 0 for ahead in leads), len(leads))
    odds = table.odds("pursuit", "outcome", quarry={}, pursuer={}, head_start=3, most=2)
    assert odds.chance("caught") == caught
    assert odds.chance("escaped") == 0


def test_odds_of_a_challenge(table: Table) -> None:
    """Three checks at +1 against 7 for a total of 4, counted over every way they can fall."""
    deltas = Counter(sum(pair) - 6 for pair in rolls("normal"))
    won = Fraction()
    for course in product(deltas, repeat=3):
        totals = [sum(course[:number]) for number in (1, 2, 3)]
        if any(total >= 4 for total in totals):
            won += Fraction(deltas[course[0]] * deltas[course[1]] * deltas[course[2]], 36**3)
    given = {"participants": [{"attribute": 1}], "threshold": "short", "difficulty": 7, "limit": 3}
    assert table.odds("challenge", "outcome", **given).chance("success") == won


def test_odds_of_initiative(table: Table) -> None:
    """The player goes first on level Deltas (GEN-272)."""
    ways = counted(ahead >= 0 for ahead, _, _ in sides("normal", "normal", 0))
    odds = table.odds("initiative", "slots", fighters=[{"who": "Raider", "side": "npc"}, {"who": "Cy", "side": "pc"}])
    assert odds.chance(("pc", "npc")) == ways[True]


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("check", {"difficulty": 7, "attribute": "two"}, 'attribute: takes a whole number from -99 to 99, not "two"'),
    ("check", {"difficulty": 7, "skill": 2}, "skill: is not a parameter"),
    ("check", {"difficulty": 7, "atribute": 2}, 'atribute: is not a parameter (did you mean "attribute"?)'),
    ("check", {}, "a target number comes from difficulty or from range: give one of the two [GEN-029]"),
    ("check", {"difficulty": 7, "range": "Far"}, "a target number comes from difficulty or from range"),
    (
        "check",
        {"difficulty": "Tricky"},
        "difficulty: takes a whole number from -99 to 99, or Simple, Easy, Average, Hard or Formidable",
    ),
    ("check", {"range": "Far off"}, "range: takes Close, Near, Far or Distant"),
    ("check", {"difficulty": 7, "advantage": -1}, "advantage: takes a whole number from 0 to 99, not -1"),
    ("check", {"difficulty": 7, "tags": ["Superb"]}, "tags[1]: takes Ongoing, "),
    ("row", {"kept": [1, 7]}, "kept[2]: takes a whole number from 1 to 6, not 7"),
    ("row", {"kept": [1, 2, 3]}, "kept: takes the two dice that count, not 3 of them"),
    ("opposed", {"a": {}}, "b: is missing"),
    ("opposed", {"a": {}, "b": {}, "helpful": 1}, "helpful: an opposed check has no target number to move"),
    ("contest", {"sides": [{"who": "A"}, {"who": "A"}]}, "sides: takes two or more, each with a `who` of its own"),
    ("group", {"members": [{"attribute": 1}], "difficulty": 7}, "members: a group has at least two [GEN-Q19]"),
    ("single", {"threshold": 0}, "threshold: takes a whole number from 1 to 999, or short, medium or long"),
    (
        "single",
        {"threshold": 4, "deltas": [1], "opposing": [True, False]},
        "opposing: takes one true or false for each",
    ),
    ("luck", {"players": 0}, "players: takes a whole number from 1 to 99, not 0"),
    ("luck", {"players": 1, "spends": ["all"]}, "spends[1]: takes players or gm"),
    ("luck", {"players": 1, "spends": ["players"] * 2}, "no Luck token is left on the side of the players [GEN-087]"),
    (
        "luck_use",
        {"use": "scene", "by": "gm", "players": 2, "gm_pool": 0},
        "no Luck token is left on the side of the GM",
    ),
    (
        "effects",
        {"queue": [{"effect": "advantage_ally_any", "source": "Ana", "side": "pc"}]},
        "target: advantage_ally_any",
    ),
    ("derive", {"attributes": {"Strenght": 1}}, 'attributes: there is no Strenght (did you mean "Strength"?)'),
    ("grow", {"what": 1, "kind": "skill"}, "kind: takes attribute or approach"),
    ("suffer", {"stress_capacity": 7, "wounds_capacity": 8, "wounds": 9}, "wounds: 9 marked, but the track holds 8"),
    ("suffer", {"stress_capacity": 7, "wounds_capacity": 8, "changes": [{}]}, "changes[1]: takes stress or wounds"),
    ("recover", {"event": "week"}, "event: takes scene or night"),
    (
        "unnatural",
        {"difficulty": 7, "powerless": True},
        "a character without an unnatural power cannot act unnaturally",
    ),
    ("initiative", {"fighters": [{"who": "A", "side": "pc"}] * 2}, "fighters: A stands there twice"),
    ("round_order", {"slots": ["pc"], "sides": {"A": "pc"}, "uses": []}, "uses: takes one for each of 1 slots, not 0"),
    ("round_order", {"slots": ["pc"], "sides": {"A": "pc"}, "uses": ["B"]}, "uses: B stands on no side"),
    ("turn", {"actions": ["run"]}, "actions[1]: takes check, "),
    ("load", {"items": ["Gigantic"]}, "items[1]: takes Tiny, Small, Medium, Large or Huge"),
    (
        "circumstance",
        {"row": "none", "effect": "suffer_1", "stress_capacity": 7, "wounds_capacity": 8},
        "effect: none offers",
    ),
    ("encounter", {"fighters": []}, "fighters: takes at least one pc and one npc"),
]


@pytest.mark.parametrize(("do", "given", "message"), REFUSED)
def test_what_is_refused_says_why_in_one_line(table: Table, do: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises((Wrong, Refused)) as refusal:
        table.play(do, **given)
    assert str(refusal.value).startswith(message)
    assert "\n" not in str(refusal.value)


def test_challenge_sizes(table: Table) -> None:
    """GEN-109: both tracks alike unless told otherwise."""
    assert table.play("single", threshold="short", deltas=[4]).outcome == "success"
    assert table.play("double", positive="medium", deltas=[-7]).outcome == "running"
    assert table.play("double", positive="medium", deltas=[-7, -1]).outcome == "failure"
    assert table.play("double", positive="long", negative=2, deltas=[-2]).ended_at == 1


def test_what_comes_after_the_end_is_not_read(table: Table) -> None:
    assert table.play("single", threshold=4, deltas=[5, -9]).totals == (5,)
    assert table.play("chase", deltas=[-1, 5]).gaps == (0,)
    assert table.play("chase", standard=True, deltas=[2, 3]).outcome == "escaped"


def test_other_readings_may_be_spent_on_initiative(table: Table) -> None:
    """GEN-227, GEN-228, GEN-Q44"""
    assert as_data(table.play("recheck", row="disadvantageous")) == {"allowed": False, "spendable": True}
    assert table.play("recheck", row="critical_failure").decides == "gm"
    assert table.play("recheck", row="critical_success").decides == "roller"
    assert not table.play("recheck", row="significantly_disadvantageous").allowed
    assert not table.play("recheck", row="none").spendable


def test_an_effect_on_the_encounter_lies_on_every_check_of_a_side(table: Table) -> None:
    """GEN-054, GEN-Q21"""
    queue = [{"effect": "advantage_encounter", "source": "Ana", "side": "pc"}]
    checks = [{"who": who, "side": side} for who, side in (("Ana", "pc"), ("Orc", "npc"), ("Bo", "pc"), ("Ana", "pc"))]
    assert table.play("effects", queue=queue, checks=checks).nets == (1, 0, 1, 1)


@pytest.mark.parametrize(
    ("start", "end", "actions", "turns"),
    [
        ("Close", "Close", ("incidental",), 1),
        ("Far", "Far", ("minor",), 1),
        ("Far", "Close", ("major", "minor"), 1),
        ("Near", "Distant", ("major", "major", "major"), 3),
        ("Distant", "Close", ("major", "major", "major", "minor"), 3),
    ],
)
def test_moves(table: Table, start: str, end: str, actions: tuple[str, ...], turns: int) -> None:
    """GEN-233, GEN-275"""
    outcome = table.play("move", **{"from": start, "to": end})
    assert (outcome.actions, outcome.turns) == (actions, turns)


@pytest.mark.parametrize(
    ("given", "legal"),
    [
        ({"actions": ["aim", "gear", "quip", "talk", "drop"]}, True),
        ({"actions": ["quip", "talk", "drop", "pick_up"]}, False),
        ({"actions": ["check", "aim", "gear"]}, False),
        ({"actions": ["aim", "gear", "reload"]}, False),
        ({"actions": ["move_close"], "tag": "Immobilizing"}, False),
        ({"actions": ["check"], "tag": "Immobilizing"}, True),
        ({"actions": ["quip"], "incapacitated": True}, False),
    ],
)
def test_turns(table: Table, given: dict[str, Any], legal: bool) -> None:
    """GEN-222, GEN-240, GEN-264, GEN-274"""
    assert table.play("turn", **given).legal is legal


def test_a_reading_carried_out(table: Table) -> None:
    """GEN-047, GEN-050: the policy picks; Stress without room becomes Wounds."""
    tracks = {"stress_capacity": 7, "wounds_capacity": 8, "stress": 6, "wounds": 1}
    worse = table.play("circumstance", row="significantly_disadvantageous", effect="suffer_2", **tracks)
    assert as_data(worse) == {"effect": "suffer_2", "stress": 7, "wounds": 2, "waits": False}
    better = table.play("circumstance", policy="second", row="advantageous", **tracks)
    assert (better.effect, better.waits) == ("disadvantage_opponent_next", True)


def test_a_group_pays_for_its_power(table: Table) -> None:
    """GEN-Q35: whoever lent the Unnaturally."""
    members = [{"attribute": 2}, {"approach": 2}]
    outcome = table.play("group", (1, 2), members=members, difficulty=9, unnatural=True)
    assert (outcome.delta, outcome.wounds, outcome.payer) == (-2, 2, 2)


def test_ranking_two_normal_checks(table: Table) -> None:
    """GEN-Q5"""
    assert table.play("rank", a_delta=-1, b_delta=-2).winner == "a"
    assert table.play("rank", (3, 3, 1, 2), a_delta=1, b_delta=1).tie_rounds == 2


def test_a_contest_of_three_with_a_roll_off_of_two(table: Table) -> None:
    """GEN-Q27: only those tied for the highest roll off."""
    names = [{"who": "A"}, {"who": "B"}, {"who": "C"}]
    outcome = table.play("contest", (4, 4, 1, 2, 5, 3, 2, 5), sides=names)
    assert as_data(outcome) == {
        "results": {"A": 8, "B": 3, "C": 8},
        "rows": {"A": "significantly_advantageous", "B": "none", "C": "disadvantageous"},
        "winner": "C",
        "delta": 0,
        "quality": "barely",
        "tie_rounds": 1,
        "prices": {},
    }


def fighter(who: str, side: str, **more: Any) -> dict[str, Any]:
    return {"who": who, "side": side, "wounds_capacity": 8, "stress_capacity": 7, **more}


def test_a_round_takes_the_state_and_gives_it_back(table: Table) -> None:
    """Ana stuns the raider with a burning shot; in the next round the raider burns and has no major action."""
    ana = fighter("Ana", "pc", attribute=2, range="Near", tags=["Stunning", "Ongoing"])
    first = table.play("round", (4, 3), fighters=[ana, fighter("Raider", "npc", toughness=1)], slots=["pc"])
    raider = first.fighters[1]
    assert (raider.wounds, raider.stunned, raider.ongoing) == (1, 3, 3)
    again = [as_data(each) for each in first.fighters]
    second = table.play("round", fighters=again, slots=["npc"], round=2)
    raider = second.fighters[1]
    assert (raider.wounds, raider.stunned, raider.ongoing) == (2, 2, 2)
    assert second.winner is None


def test_the_surprised_have_no_turn_in_the_first_round(table: Table) -> None:
    """GEN-273"""
    people = [fighter("Ana", "pc"), fighter("Raider", "npc")]
    table.play("round", (), fighters=people, slots=["npc"], surprised="npc")
    assert table.log == ["A slot of npc lapses: surprised [GEN-273]"]
    table.play("round", (3, 2, 4, 4), fighters=people, slots=["npc"], surprised="npc", round=2)
    assert table.log[0] == "Raider attacks Ana [GEN-223]"


def test_a_reading_helps_the_next_ally(table: Table) -> None:
    """Ana misses with two even dice; by the guideline Bo shoots with Advantage (GEN-047, GEN-051)."""
    people = [fighter("Ana", "pc", range="Far"), fighter("Bo", "pc", range="Far"), fighter("Raider", "npc")]
    plain = table.play("round", (2, 4, 1, 2), fighters=people, slots=["pc", "pc"])
    assert plain.waiting == ()
    helped = table.play("round", (2, 4, 1, 6, 5), policy="guideline", fighters=people, slots=["pc", "pc"])
    assert helped.fighters[2].wounds == 2
    assert helped.waiting == ()


@pytest.mark.parametrize("policy", ["plain", "guideline"])
@pytest.mark.parametrize("seed", range(8))
def test_a_fight_ends_with_one_side_standing(table: Table, seed: int, policy: str) -> None:
    people = [
        fighter("Ana", "pc", attribute=2, approach=1, toughness=2),
        fighter("Bo", "pc", approach=1, range="Near", tags=["Accurate"]),
        fighter("Raider", "npc", attribute=1, tags=["Inferior"]),
        fighter("Witch", "npc", approach=2, track="stress", tags=["Armor piercing"]),
    ]
    outcome = table.play("encounter", seed, policy=policy, fighters=people, rounds=60)
    standing = {each.side for each in outcome.fighters if each.wounds < each.wounds_capacity}
    assert standing == {outcome.winner}
    assert len(outcome.incapacitated) >= 2
    assert sorted(outcome.slots) == ["npc", "npc", "pc", "pc"]
    assert all(0 <= each.stress <= 7 and 0 <= each.wounds <= 8 for each in outcome.fighters)


def test_odds_of_two_against_one(table: Table) -> None:
    """A fight of three is followed to its end: the odds are those of many fights, and nothing is left over but time."""
    people = [fighter("Ana", "pc", attribute=1), fighter("Bo", "pc", range="Near"), fighter("Ogre", "npc", attribute=3)]
    odds = table.odds("encounter", "winner", fighters=people)
    assert odds.bound == 0
    assert sum(chance for _, chance in odds.odds) == 1
    won = sum(table.play("encounter", seed, fighters=people).winner == "pc" for seed in range(400)) / 400
    assert abs(won - float(odds.chance("pc"))) < 0.1
    assert odds.chance(None) < Fraction(1, 10**6)


def test_odds_of_two_against_two(table: Table) -> None:
    sides = ("pc", "npc", "pc", "npc")
    people = [
        {
            "who": who,
            "side": side,
            "attribute": level,
            "approach": level,
            "wounds_capacity": 6 + level,
            "stress_capacity": 6,
        }
        for level, (who, side) in enumerate(zip("ABCD", sides, strict=True))
    ]
    odds = table.odds("encounter", "winner", fighters=people)
    won = sum(table.play("encounter", seed, fighters=people).winner == "npc" for seed in range(200)) / 200
    assert abs(won - float(odds.chance("npc"))) < 0.15


def test_luck_goes_back_and_forth_and_none_is_lost(table: Table) -> None:
    """GEN-085, GEN-086"""
    outcome = table.play("luck", players=4, spends=["players", "gm", "gm", "players"])
    assert (outcome.player_pool, outcome.gm_pool) == (4, 1)
    spent = table.play("luck_use", use="advantage", by="players", players=3, player_pool=1, gm_pool=3, disadvantage=1)
    assert (spent.player_pool, spent.gm_pool, spent.mode) == (0, 4, "normal")


LOGS: list[tuple[str, tuple[int, ...], dict[str, Any], list[str]]] = [
    (
        "check",
        (3, 6, 2),
        {"attribute": 2, "approach": -1, "difficulty": "Hard", "harmful": 1, "advantage": 1},
        [
            "Target number: Hard 9, +1 for 1 harmful circumstance = 10 [GEN-029, GEN-061]",
            "Advantage 1 against Disadvantage 0: Advantage [GEN-059]",
            "3, 6, 2 with Advantage: the 2 is dropped [GEN-056]",
            "3 + 6 + Attribute 2 - Approach 1 = 10, against 10: success by a hair [GEN-007, GEN-008, GEN-009]",
            "The dice read 3 and 6: nothing further [GEN-035, GEN-036]",
        ],
    ),
    (
        "opposed",
        (4, 4, 1, 6, 5, 2),
        {"a": {"attribute": 1, "unnatural": True}, "b": {"approach": 2}},
        [
            "a:",
            "4 + 4 + Attribute 1 + Approach 0 = 9 [GEN-007, GEN-012]",
            "The dice read 4 and 4: significantly advantageous [GEN-035, GEN-036]",
            "b:",
            "1 + 6 + Attribute 0 + Approach 2 = 9 [GEN-007, GEN-012]",
            "The dice read 1 and 6: nothing further [GEN-035, GEN-036]",
            "9 against 9: a tie [GEN-014]",
            "Roll-off: a 5, b 2: a wins [GEN-014]",
            "9 against 9: a wins after a roll-off [GEN-013]",
            "The price of the power: a suffers nothing [GEN-214]",
        ],
    ),
    (
        "harm",
        (),
        {"delta": 4, "toughness": 2, "protective": 1, "piercing": 2},
        [
            "Harm: Delta 4, at least 1 = 4 [GEN-267]",
            "Toughness 2 + 1 protective - 2 piercing resists 1: 4 - 1, at least 1 = 3 taken [GEN-268, GEN-269]",
        ],
    ),
    (
        "chase",
        (),
        {"head_start": 3, "deltas": [2, -6]},
        [
            "Head start 3, no escape mark [GEN-018]",
            "Exchange 1: gap 3 +2 = 5: the chase goes on [GEN-018, GEN-019]",
            "Exchange 2: gap 5 -6 = 0: caught [GEN-018, GEN-019]",
        ],
    ),
    (
        "luck_use",
        (),
        {"use": "disadvantage", "by": "gm", "players": 2},
        [
            "At the start: players 2, GM 1 [GEN-082, GEN-084]",
            "The GM spends a token: players 3, GM 0 [GEN-085, GEN-086]",
            "Advantage 0 against Disadvantage 1: Disadvantage [GEN-059]",
        ],
    ),
]


@pytest.mark.parametrize(("do", "dice", "given", "lines"), LOGS, ids=[log[0] for log in LOGS])
def test_logs_read_like_a_gm(
    table: Table, do: str, dice: tuple[int, ...], given: dict[str, Any], lines: list[str]
) -> None:
    table.play(do, dice, **given)
    assert table.log == lines


def test_house_defaults_are_marked(system: System) -> None:
    """Part R of the ledger is named in the data, and only what the ledger has."""
    house = system.values.at("house.rules")
    assert {str(rule) for rule in house} <= set(ledger("genesix"))
    assert {"GEN-108", "GEN-260", "GEN-278"} <= {str(rule) for rule in house}


def test_outcomes_can_be_counted(table: Table) -> None:
    """Odds merge equal outcomes, so every one must have a hash."""
    asks: list[Callable[[], Any]] = [
        lambda: table.play("check", (1, 2), difficulty=7),
        lambda: table.play("random_build", 5, grade="hero"),
        lambda: table.play("initiative", 5, fighters=[{"who": "A", "side": "pc"}]),
        lambda: table.play("encounter", 5, fighters=[fighter("A", "pc"), fighter("B", "npc")]),
    ]
    for ask in asks:
        assert hash(ask()) == hash(ask())
