"""Where faces come from: the same seed the same faces, scripts to the letter, and every path exactly once."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from hashlib import blake2b
from itertools import count as numbers_from
from itertools import islice, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.dice.notation import parse_notation
from sheetgen.dice.paths import DEEPEST, Budget, Tail, merged
from sheetgen.dice.source import Dice, Recorded, Roll, Scripted, Seeded, Typed, latin_pair, shuffled
from sheetgen.dice.ways import ways_of_matches, ways_of_pool, ways_of_total
from sheetgen.errors import LimitError, SheetgenError


def test_a_seed_gives_these_faces_on_every_machine() -> None:
    """A golden stream: if it ever changes, every printed seed in the world means somebody else."""
    dice = Seeded(b"sheetgen")
    assert dice.roll(12, 6, "golden") == (5, 4, 6, 4, 6, 5, 6, 5, 3, 3, 2, 5)
    assert [dice.choose(1000, "golden") for _ in range(4)] == [364, 455, 68, 242]


def test_a_total_takes_the_same_faces_as_a_roll() -> None:
    assert Seeded(b"k").total(5, 6, "") == sum(Seeded(b"k").roll(5, 6, ""))


@given(st.binary(max_size=20), st.lists(st.tuples(st.integers(0, 90), st.sampled_from([2, 6, 20, 256])), max_size=6))
def test_every_question_reads_on_where_the_last_one_stopped(key: bytes, asked: list[tuple[int, int]]) -> None:
    """Byte by byte as the stream is defined: BLAKE2b of the key and a counter, bytes beyond whole turns thrown away."""
    stream = (byte for turn in numbers_from(0) for byte in blake2b(key + turn.to_bytes(8, "big")).digest())
    dice = Seeded(key)
    for number, sides in asked:
        fair = (byte % sides for byte in stream if byte < 256 - 256 % sides)
        expected = list(islice(fair, number))
        assert dice.roll(number, sides, "") == tuple(face + 1 for face in expected)
        assert dice.total(3, sides, "") == sum(islice(fair, 3)) + 3
        assert dice.choose(sides, "") == next(fair)


@given(st.binary(max_size=80), st.integers(2, 400))
def test_faces_stay_on_the_die(key: bytes, sides: int) -> None:
    assert all(1 <= face <= sides for face in Seeded(key).roll(40, sides, ""))


def test_every_byte_that_counts_makes_each_face_equally_often() -> None:
    """Rejection keeps 252 of 256 bytes for a d6, and each face stands for 42 of them."""
    kept = [byte % 6 for byte in range(256) if byte < 256 - 256 % 6]
    assert set(Counter(kept).values()) == {42}


def test_a_script_is_used_to_the_last_face() -> None:
    dice = Scripted([4, 3, 6])
    assert dice.total(2, 6, "Grit") == 7
    with pytest.raises(SheetgenError, match="not enough dice: Mind takes 2, 1 left"):
        dice.roll(2, 6, "Mind")
    with pytest.raises(SheetgenError, match="dice left over: 6"):
        dice.finish()
    assert dice.roll(1, 6, "last") == (6,)
    dice.finish()


def test_a_script_cannot_show_a_seven() -> None:
    with pytest.raises(SheetgenError, match="a die with 6 sides cannot show 7"):
        Scripted([7]).roll(1, 6, "Grit")


def test_typed_dice_ask_again_until_they_can_be_right() -> None:
    answers = iter(["", "4", "4 9", "four 3", "4, 3"])
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return next(answers)

    assert Typed(ask).roll(2, 6, "Melee") == (4, 3)
    assert asked[0] == "Melee: 2d6 "
    assert asked[-1] == "Melee: 2d6 (type 2 numbers from 1 to 6) "


def test_recorded_dice_tell_what_each_roll_was_for() -> None:
    kept: list[Roll] = []
    dice = Recorded(Scripted([4, 3, 5], choices=[2]), kept.append)
    assert dice.total(2, 6, "Grit") == 7
    assert dice.choose(5, "a name") == 2
    assert dice.roll(1, 6, "which") == (5,)
    assert [str(roll) for roll in kept] == ["Grit: 4 + 3 = 7", "which: 5"]


def test_every_path_of_two_dice_is_the_triangle() -> None:
    odds = dict(merged(lambda dice: dice.total(2, 6, "")).chances())
    assert odds == {total: Fraction(6 - abs(total - 7), 36) for total in range(2, 13)}
    assert ways_of_total(2, 6).values == tuple(range(2, 13))


def test_paths_may_branch_on_what_was_rolled_before() -> None:
    def rule(dice: Dice) -> int:
        first = dice.total(1, 6, "first")
        return first + dice.total(1, 6, "again") if first == 6 else first

    found = list(merged(rule).chances())
    assert sum(weight for _, weight in found) == 1
    assert dict(found)[12] == Fraction(1, 36)
    assert len(found) == 11


def test_kept_dice_and_choices_have_exact_odds() -> None:
    advantage = parse_notation("2d6kh1")
    assert dict(merged(lambda dice: advantage.total(dice.roll(2, 6, ""))).chances())[6] == Fraction(11, 36)
    assert dict(merged(lambda dice: dice.choose(4, "")).chances())[3] == Fraction(1, 4)


def test_work_that_would_explode_is_refused() -> None:
    with pytest.raises(LimitError, match="more than 1,000 steps"):
        merged(lambda dice: dice.roll(5, 6, ""), Budget(1000))


@given(st.integers(1, 60), st.binary(max_size=8))
def test_a_shuffle_holds_every_number_once(count: int, key: bytes) -> None:
    assert sorted(shuffled(count, key)) == list(range(count))


@given(st.integers(1, 12), st.integers(1, 12))
def test_the_walk_visits_each_pair_once(rows: int, columns: int) -> None:
    assert len({latin_pair(index, rows, columns) for index in range(rows * columns)}) == rows * columns


def test_neighbours_on_the_walk_share_nothing() -> None:
    pairs = [latin_pair(index, 20, 23) for index in range(20)]
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == 20


READING = ((1,), (2, 3), (4, 5), (6,))


def test_a_pool_branches_on_counts_and_keeps_its_weights() -> None:
    ways = dict(ways_of_pool(2, 6, READING).chances())
    assert sum(ways.values()) == 1
    assert len(ways) == 10
    assert ways[(0, 1, 1, 0)] == Fraction(2 * 2 * 2, 36)
    assert dict(ways_of_pool(2, 6, ((6,),)).chances())[(1,)] == Fraction(10, 36)
    assert Scripted([6, 1, 3]).pool(3, 6, READING, "pool") == (1, 1, 0, 1)


def test_a_loop_is_cut_where_its_tail_no_longer_matters() -> None:
    def rule(dice: Dice) -> int:
        for count in range(DEEPEST):
            if dice.total(1, 6, "again") < 6:
                return count
        raise Tail

    odds = dict(merged(rule).chances())
    assert odds[0] == Fraction(5, 6)
    assert 1 - sum(odds.values()) == Fraction(1, 6**DEEPEST)


def test_a_rule_that_only_comes_to_its_tail_has_no_odds() -> None:
    def rule(dice: Dice) -> int:
        raise Tail

    assert merged(rule).values == ()
    assert merged(lambda dice: dice.branch(merged(rule))).values == ()  # type: ignore[attr-defined]


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(2, 6)), min_size=1, max_size=3))
def test_equal_results_are_merged_without_losing_any_weight(rolls: list[tuple[int, int]]) -> None:
    def rule(dice: Dice) -> int:
        totals = [dice.total(count, sides, "") for count, sides in rolls]
        return max(totals) - min(totals)

    ways = [Counter(map(sum, product(range(1, sides + 1), repeat=count))) for count, sides in rolls]
    weights = Counter[int]()
    for totals in product(*ways):
        weights[max(totals) - min(totals)] += prod(way[total] for way, total in zip(ways, totals, strict=True))
    assert dict(merged(rule).chances()) == {
        result: Fraction(weight, weights.total()) for result, weight in weights.items()
    }


@pytest.mark.parametrize(("count", "sides"), [(1, 1), (1, 6), (4, 1), (4, 3), (5, 4), (3, 10)])
def test_ways_of_matches_are_those_of_all_rolls(count: int, sides: int) -> None:
    rolls = Counter(
        max((faces.count(face), face) for face in faces) for faces in product(range(1, sides + 1), repeat=count)
    )
    ways = ways_of_matches(count, sides)
    assert dict(zip(ways.values, ways.weights, strict=True)) == rolls
    assert ways.whole == sides**count


def test_all_ways_of_the_largest_pool_are_counted() -> None:
    ways = ways_of_matches(15, 100)
    assert sum(ways.weights) == ways.whole


def test_the_largest_set_of_equal_faces_is_that_of_the_dice_that_fell() -> None:
    assert Scripted([3, 5, 3, 5, 1]).matched(5, 6, "a match") == (2, 5)
    assert Scripted([3, 5, 3, 6, 1]).matched(5, 6, "a match") == (2, 3)
