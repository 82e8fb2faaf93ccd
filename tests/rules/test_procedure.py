"""Procedures: parameters read and refused in one line, outcomes compared, odds from the very code that is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal

import pytest

from sheetgen.dice.paths import AtLeast, Tail
from sheetgen.dice.source import Scripted
from sheetgen.errors import Place, UsageError
from sheetgen.model.data import Data, Word
from sheetgen.model.procedures import Example, Named, as_data
from sheetgen.model.system import System
from sheetgen.rules.odds import exact_odds, sampled_odds
from sheetgen.rules.procedures.parameters import OneOf, Whole, Wrong, described, plain_words
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import Procedure, declared, procedure, taking
from sheetgen.rules.registry import Engine
from sheetgen.table.examples import run_example

NOBODY: Named[str, int] = Named({})
Level = Annotated[int, Whole(0, 15)]


@dataclass(frozen=True, slots=True)
class Side:
    """Somebody in a contest."""

    skill: Level
    dm: tuple[int, ...] = ()
    kind: Literal["plain", "fancy"] = "plain"


@dataclass(frozen=True, slots=True)
class Contest:
    """What came of it."""

    total: int
    success: bool
    seen: frozenset[str] = frozenset()
    levels: Named[str, int] = NOBODY
    note: str | None = None


def helps(play: Play, level: int) -> bool:
    """A sub-roll: at or under the level."""
    return play.dice.total(2, 6, "help") <= level


@procedure("TST-1", "TST-2", say="a test of the whole machine", policies=("bold", "shy"))
def contest(
    play: Play,
    *,
    side: Side,
    for_: int = 8,
    kg: Decimal = Decimal(1),
    size: Annotated[str, OneOf("injury.dice")] = "small",
    helpers: tuple[Level, ...] = (),
    cn: Annotated[int, Whole(1, 9)] | Literal["Impossible"] = 5,
    seen: frozenset[str] = frozenset(),
    levels: Mapping[str, int] | None = None,
) -> Contest:
    """A contest that uses all there is."""
    if side.skill > 12:
        raise Refused("too_good", "nobody is that good", "TST-2")
    total = play.dice.total(2, 6, "contest") + side.skill + sum(side.dm)
    total += sum(play.part(helps, level) for level in helpers)
    total += play.decide({"bold": lambda: 1, "shy": lambda: 0}, "daring")
    play.tell(f"{total} against {for_}", "TST-1")
    return Contest(total, total >= for_, seen, Named(levels or {}))


CONTEST: Procedure = contest.__procedure__  # type: ignore[attr-defined]


def words(data: object) -> Data:
    return plain_words(data)


def played(system: System, given: object, dice: list[int], policy: str = "shy") -> Contest:
    """The contest with these faces."""
    script = Scripted(dice)
    play = Play(system, script, policy=policy)
    outcome: Contest = CONTEST.run(play, CONTEST.arguments(words(given), play))
    script.finish()
    return outcome


def test_parameters_are_typed_as_declared(gamers: System) -> None:
    given = {"side": {"skill": 2, "dm": [-1]}, "for": 8, "kg": "0.5", "cn": "Impossible", "note": "free text"}
    assert played(gamers, given, [4, 3]) == Contest(8, True)
    assert CONTEST.name == "contest"
    assert [each.name for each in CONTEST.parameters][:2] == ["side", "for"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "side: is missing"),
        ({"side": {}}, "side.skill: is missing"),
        ({"side": 3}, 'side: takes a mapping of skill, dm or kind, not "3"'),
        ({"side": {"skill": "two"}}, 'side.skill: takes a whole number from 0 to 15, not "two"'),
        ({"side": {"skill": 16}}, "side.skill: takes a whole number from 0 to 15, not 16"),
        ({"side": {"skill": 1.5}}, 'side.skill: takes a whole number from 0 to 15, not "1.5"'),
        ({"side": {"skill": True}}, 'side.skill: takes a whole number from 0 to 15, not "true"'),
        ({"side": {"skill": 1, "dm": 2}}, 'side.dm: takes a list, not "2"'),
        ({"side": {"skill": 1, "dm": [1, "x"]}}, 'side.dm[2]: takes a whole number, not "x"'),
        (
            {"side": {"skill": 1, "kind": "fanzy"}},
            'side.kind: takes plain or fancy, not "fanzy" (did you mean "fancy"?)',
        ),
        ({"side": {"skil": 1}}, 'side.skil: is not a parameter (did you mean "skill"?)'),
        ({"side": {"skill": 1}, "kg": "heavy"}, 'kg: takes a number, not "heavy"'),
        ({"side": {"skill": 1}, "kg": "inf"}, 'kg: takes a number, not "inf"'),
        ({"side": {"skill": 1}, "size": "mediun"}, "size: takes small, medium, large or huge"),
        ({"side": {"skill": 1}, "cn": 12}, "cn: takes a whole number from 1 to 9 or Impossible"),
        ({"side": {"skill": 1}, "what": 1}, "what: is not a parameter"),
    ],
)
def test_a_bad_parameter_is_named_with_what_it_takes(gamers: System, given: object, message: str) -> None:
    with pytest.raises(Wrong) as caught:
        played(gamers, given, [])
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_bad_parameters_are_told_at_once_with_what_they_take(gamers: System) -> None:
    cases: list[tuple[dict[str, object], str]] = [
        (
            {"kg": "heavy"},
            'kg: takes a number, not "heavy"; side: is missing (it takes {skill: …, dm?, kind?})',
        ),
        (
            {"side": {"dm": ["x"], "kin": 1}},
            'side.dm[1]: takes a whole number, not "x"; side.kin: is not a parameter (did you mean "kind"?)'
            "; side.skill: is missing (it takes a whole number from 0 to 15)",
        ),
        ({"sid": {}}, 'sid: is not a parameter (did you mean "side"?)'),
    ]
    for given, message in cases:
        with pytest.raises(Wrong) as caught:
            played(gamers, given, [])
        assert str(caught.value) == message


def test_types_describe_themselves(gamers: System) -> None:
    takes = {each.name: described(each.wanted, gamers.values) for each in CONTEST.parameters}
    assert takes["side"] == "{skill: …, dm?, kind?}"
    assert takes["size"] == "small, medium, large or huge"
    assert takes["helpers"] == "a list, each a whole number from 0 to 15"
    assert takes["cn"] == "a whole number from 1 to 9 or Impossible"


def case(given: object, expect: object, dice: tuple[int, ...] = ()) -> Example:
    """A worked example of the contest."""
    place = Place("cases.yaml", 3, 1)
    return Example("case-1", (), Word("contest", place), words(given), dice, (), words(expect), place)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "dice", "expect", "failure"),
    [
        ({"side": {"skill": 2}}, (4, 3), {"total": 10, "success": True}, ""),
        ({"side": {"skill": 2}}, (4, 3), {"total": 9}, "expected total 9, got 10"),
        ({"side": {"skill": 2}}, (4, 3), {"totl": 9}, 'totl: no such outcome (did you mean "total"?)'),
        ({"side": {"skill": 2}}, (4, 3), {"note": None}, ""),
        ({"side": {"skill": 2}, "seen": ["b", "a"]}, (4, 3), {"seen": ["a", "b"]}, ""),
        ({"side": {"skill": 2}, "levels": {"a": 1}}, (4, 3), {"levels": {"a": 1}}, ""),
        ({"side": {"skill": 2}, "levels": {"a": 1, "b": 2}}, (4, 3), {"levels": {"a": 1}}, ""),
        (
            {"side": {"skill": 2}, "levels": {"a": 1}},
            (4, 3),
            {"levels": {"a": 1, "b": 2}},
            "expected levels {'a': 1, 'b': 2}, got {'a': 1}",
        ),
        ({"side": {"skill": 2}}, (4,), {}, "not enough dice: contest takes 2, 1 left"),
        ({"side": {"skill": 2}}, (4, 3, 6), {}, "dice left over: 6"),
        ({"side": {"skill": 13}}, (), {"error": True}, ""),
        ({"side": {"skill": 13}}, (), {"error": "too_good"}, ""),
        (
            {"side": {"skill": 13}},
            (),
            {"error": "too_bad"},
            "expected the refusal too_bad, got too_good: nobody is that good [TST-2]",
        ),
        ({"side": {"skill": 13}}, (), {"total": 1}, "refused: nobody is that good [TST-2]"),
        ({"side": {"skill": "two"}}, (), {"error": True}, ""),
        (
            {"side": {"skill": 2}},
            (4, 3),
            {"error": True},
            "expected a refusal, got {'total': 10, 'success': True, 'seen': [], 'levels': {}}",
        ),
    ],
)
def test_a_worked_example_passes_or_says_what_differs(
    gamers: System, given: object, dice: tuple[int, ...], expect: object, failure: str
) -> None:
    engine = Engine()
    engine.procedures.update({"contest": CONTEST})
    assert run_example(gamers, engine, case(given, expect, dice)) == failure


def test_an_unknown_procedure_gets_the_nearest_name(gamers: System) -> None:
    engine = Engine()
    engine.procedures.update({"contests": CONTEST})
    assert run_example(gamers, engine, case({}, {})) == 'unknown procedure "contest" (did you mean "contests"?)'


def test_dice_for_a_trait_that_the_game_has_not_are_told(gamers: System) -> None:
    """Such faces never fell, and the case passed."""
    engine = Engine()
    engine.procedures.update({"contest": CONTEST})
    typed = replace(case({}, {}), dice_for={"Gritt": (6, 6)})
    assert run_example(gamers, engine, typed) == 'dice for: unknown trait "Gritt" (did you mean "Grit"?)'


def arguments(system: System, given: object) -> dict[str, object]:
    """The typed arguments of a contest."""
    return CONTEST.arguments(words(given), Play(system, Scripted(())))


def test_odds_come_from_the_procedure_itself(gamers: System) -> None:
    shy = exact_odds(gamers, CONTEST, arguments(gamers, {"side": {"skill": 2}}), of="success", policy="shy")
    assert shy.chance(True) == Fraction(26, 36)
    bold = exact_odds(gamers, CONTEST, arguments(gamers, {"side": {"skill": 2}}), of="success", policy="bold")
    assert bold.chance(True) == Fraction(30, 36)
    assert shy.bound == 0


def test_helpers_are_worked_out_once_and_merged(gamers: System) -> None:
    given = {"side": {"skill": 0}, "helpers": [7] * 10}
    odds = exact_odds(gamers, CONTEST, arguments(gamers, given), of="total", policy="shy")
    half = Fraction(21, 36)
    assert odds.chance(22) == Fraction(1, 36) * half**10
    assert sum(weight for _, weight in odds.odds) == 1


def test_samples_state_their_error(gamers: System) -> None:
    odds = sampled_odds(
        gamers, CONTEST, arguments(gamers, {"side": {"skill": 2}}), of="success", policy="shy", samples=2000, seed=1
    )
    assert abs(float(odds.chance(True)) - 26 / 36) < 5 * odds.error
    assert 0 < odds.error < 0.02


def test_an_outcome_is_told_plainly() -> None:
    outcome = Contest(7, False, frozenset({"b", "a"}), Named({"Grit": 3}))
    assert as_data(outcome) == {"total": 7, "success": False, "seen": ["a", "b"], "levels": {"Grit": 3}}
    assert len({outcome, Contest(7, False, frozenset({"a", "b"}), Named({"Grit": 3}))}) == 1


@taking(Side)
def spread(play: Play, side: Side, *, bonus: int = 0) -> int:
    """What a record of shared parameters and one of its own come to."""
    return side.skill + sum(side.dm) + bonus


def test_shared_parameters_are_spread_from_a_record(gamers: System) -> None:
    made = declared(spread, name="spread", say="a sum")
    assert [each.name for each in made.parameters] == ["skill", "bonus", "dm", "kind"]
    play = Play(gamers, Scripted([]))
    given = plain_words({"skill": 3, "dm": [-1], "bonus": 2})
    assert made.run(play, made.arguments(given, play)) == 4
    with pytest.raises(Wrong, match="skill"):
        made.arguments({}, play)


@procedure(say="one named result", results="level")
def lesson(play: Play, *, level: Level) -> Level:
    """A level and one more."""
    return level + 1


@procedure(say="two named results, out of another procedure", results="level graduates")
def school(play: Play, *, level: Level) -> tuple[Level, bool]:
    """Two lessons."""
    after = lesson(play, level=lesson(play, level=level))
    return after, after > play.dice.total(1, 6, "examination")


def test_results_are_named_where_no_record_is_needed(gamers: System) -> None:
    learned = school.__procedure__  # type: ignore[attr-defined]
    outcome = learned.run(Play(gamers, Scripted((5,))), {"level": 4})
    assert (outcome.level, outcome.graduates, as_data(outcome)) == (6, True, {"level": 6, "graduates": True})
    assert exact_odds(gamers, learned, {"level": 2}, of="graduates").chance(True) == Fraction(1, 2)
    with pytest.raises(UsageError, match=r'no result "grade" \(did you mean "graduates"\?\)'):
        exact_odds(gamers, learned, {"level": 2}, of="grade")


@dataclass(frozen=True, slots=True)
class Shot:
    """An arrow on its way."""

    far: int
    lost: bool


@procedure(say="two arrows, the second if it is wanted", results="first_* * best")
def arrows(play: Play, *, second: bool = False) -> tuple[Shot, Shot | None, int]:
    """How far they fly."""
    shots = [Shot(far, far > 5) for far in play.dice.roll(1 + second, 6, "arrows")]
    return shots[0], shots[1] if second else None, max(shot.far for shot in shots)


@pytest.mark.parametrize(
    ("faces", "told"),
    [
        ((4,), {"first_far": 4, "first_lost": False, "best": 4}),
        ((4, 6), {"first_far": 4, "first_lost": False, "far": 6, "lost": True, "best": 6}),
    ],
)
def test_a_star_among_the_results_stands_for_a_record(
    gamers: System, faces: tuple[int, ...], told: dict[str, object]
) -> None:
    shot = arrows.__procedure__  # type: ignore[attr-defined]
    given = {"second": len(faces) > 1}
    assert as_data(shot.run(Play(gamers, Scripted(faces)), given)) == told
    assert exact_odds(gamers, shot, given, of="first_lost").chance(True) == Fraction(1, 6)


@procedure(say="a die rolled again while it shows a six", results="sixes kept")
def luck(play: Play) -> tuple[int, bool]:
    """How many sixes come first."""
    sixes = 0
    try:
        while play.dice.total(1, 6, "luck") == 6:
            sixes += 1
            play.again(sixes, "luck")
    except Tail:
        return AtLeast(sixes), True
    return sixes, sixes > 0


def test_named_results_tell_where_a_loop_was_cut_off(gamers: System) -> None:
    odds = exact_odds(gamers, luck.__procedure__, {})  # type: ignore[attr-defined]
    assert odds.bound == Fraction(1, 6**12)
    assert as_data(odds.odds[0][0]) == {"sixes": 0, "kept": False}
