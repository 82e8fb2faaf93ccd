"""Families that draw cards, and that go on from another roll: odds held against plain counting, and the manual."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "mechanics.md"
HEAD = "id: mist\ntitle: Mist\ncredit: Mist, by somebody\nlicence: CC0\n"
TRAITS = "traits: {virtues: {title: Virtues, range: 0-5, members: {Hope: {}}}}\n"

Sheetgen = Callable[..., Any]
Mist = Callable[..., None]


@pytest.fixture
def mist(tmp_path: Path) -> Mist:
    """The pack of the manual in the folder mist/, with words of it exchanged."""

    def write(right: str = "", wrong: str = "") -> None:
        section = DOCS.read_text().partition("## From one roll to the next")[2]
        system, tables = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)[:2]
        (tmp_path / "mist").mkdir(exist_ok=True)
        for name, text in {"system": HEAD + TRAITS + system, "tables": tables}.items():
            assert not right or right in system + tables
            (tmp_path / "mist" / f"{name}.yaml").write_text(text.replace(right, wrong) if right else text)

    return write


def counted(results: Iterable[object]) -> dict[str, Fraction]:
    """How likely each result is, all of them being as likely as the others."""
    found = Counter(map(str, results))
    return {value: Fraction(count, found.total()) for value, count in found.items()}


def odds(sheetgen: Sheetgen, *words: str) -> dict[str, Fraction]:
    ran = sheetgen("odds", "./mist", *words, "--json")
    assert ran.err == ""
    return {str(each["value"]): Fraction(each["p"]) for each in json.loads(ran.out)["odds"]}


WORTH = [*(rank for rank in (*range(2, 14), 1) for _ in range(4)), 15, 15]  # of the manual: the ace is 1


def row(total: int) -> Iterable[int]:
    """What a row of mishaps does, each of 36 ways."""
    return [0] * 36 if total <= 5 else [f for f, _ in pair()] if total <= 12 else [a + b for a, b in pair()]


def pair() -> list[tuple[int, int]]:
    return list(product(range(1, 7), repeat=2))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["luck", "target=9", "--of", "total"], counted(WORTH)),
        (["luck", "target=9", "advantage=2", "--of", "total"], counted(max(each) for each in combinations(WORTH, 3))),
        (["luck", "target=9", "advantage=-1", "--of", "total"], counted(min(each) for each in combinations(WORTH, 2))),
        (["mishap", "target=9", "--of", "harm"], counted(harm for card in WORTH for harm in row(card))),
        (
            ["strain", "target=45", "now=4", "--of", "now"],
            counted(3 if f == 1 else 4 if f <= 45 else 6 if f == 100 else 5 for f in range(1, 101)),
        ),
        (["strain", "target=45", "now=5", "--of", "full"], counted(f > 45 for f in range(1, 101))),
        (
            ["strike", "target=60", "weapon=1d10", "armour=1d4", "hits=7", "--of", "left"],
            counted(
                7 if f > 60 or f == 100 else max(7 - max(a - b, 1), 0)
                for f, a, b in product(range(1, 101), range(1, 11), range(1, 5))
            ),
        ),
    ],
)
def test_odds_are_those_of_plain_counting(
    mist: Mist, sheetgen: Sheetgen, words: list[str], expected: dict[str, Fraction]
) -> None:
    mist()
    assert odds(sheetgen, *words) == expected


@pytest.mark.parametrize(
    ("worth", "joker"),
    [("{A: 1}", 15), ("{A: 1, K: 90}", 91), ("{K: 99}", 100), ("{K: 90, JOKER: 0}", 0)],
)
def test_a_joker_beats_every_card_unless_its_worth_is_given(
    mist: Mist, sheetgen: Sheetgen, worth: str, joker: int
) -> None:
    mist("worth: {A: 1}", f"worth: {worth}")
    ran = sheetgen("play", "./mist", "luck", "target=9", "--cards", "JOKER", "--json")
    assert json.loads(ran.out)["outcome"]["total"] == joker


@pytest.mark.parametrize("cards", ["KX", "KS,1H", "joker", "10"])
def test_a_card_that_is_none_is_refused_in_one_line(mist: Mist, sheetgen: Sheetgen, cards: str) -> None:
    mist()
    ran = sheetgen("play", "./mist", "luck", "target=8", "--cards", cards)
    wrong = cards.rpartition(",")[2]
    assert ran.code == 2
    assert ran.err.startswith(f'"{wrong}" is no card: a card is a rank (2, 3,')
    assert ran.err.count("\n") == 1


def test_every_suit_is_as_likely(mist: Mist, sheetgen: Sheetgen) -> None:
    mist()
    found = odds(sheetgen, "luck", "target=9", "--of", "suit")
    assert found == {
        **dict.fromkeys(("clubs", "diamonds", "spades", "hearts"), Fraction(13, 54)),
        "joker": Fraction(1, 27),
    }


def test_the_commands_of_the_manual_run(mist: Mist, sheetgen: Sheetgen) -> None:
    mist()
    section = DOCS.read_text().partition("## From one roll to the next")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("$ sheetgen ")]
    for line in lines:
        ran = sheetgen(*shlex.split(line)[2:])
        assert (ran.code, ran.err) == (0, ""), line
    assert {"play", "odds", "duel"} == {line.split()[2] for line in lines}


def test_a_drawn_card_stands_in_a_worked_example(mist: Mist, sheetgen: Sheetgen, tmp_path: Path) -> None:
    mist()
    (tmp_path / "mist" / "examples.yaml").write_text(
        "- {id: m-1, given: {do: luck, target: 9, advantage: 1}, cards: [AS, 10H], expect: {total: 10, suit: hearts}}\n"
        "- {id: m-2, given: {do: mishap, target: 9}, cards: [JC], dice: [4], expect: {what: a spark, harm: 4}}\n"
    )
    ran = sheetgen("check", "./mist")
    assert ran.code == 0
    assert "2 worked examples" in ran.out


def test_a_chapter_tells_an_example_of_cards_and_shows_each_of_them(
    mist: Mist, sheetgen: Sheetgen, tmp_path: Path
) -> None:
    mist()
    (tmp_path / "mist" / "examples.yaml").write_text(
        "- {id: m-1, given: {do: luck, target: 9, advantage: 1}, cards: [KS, 10H], expect: {total: 13}}\n"
    )
    (tmp_path / "mist" / "rules").mkdir()
    (tmp_path / "mist" / "rules" / "01-luck.yaml").write_text(
        "title: Luck\nopening: Draw.\nrules:\n  luck:\n    title: Luck\n    text: Draw.\n"
        "    examples: [{case: m-1, told: Ada draws., scene: [{say: The better counts., dice: [luck, luck]}]}]\n"
    )
    assert sheetgen("check", "./mist").err == ""
    sheetgen("book", "./mist", "-o", "book.html")
    page = (tmp_path / "book.html").read_text()
    assert re.findall(r'class="card">(\w+).{9,99}?aria-label="(\w+)"', page) == [("K", "spades"), ("10", "hearts")]


def test_a_chart_says_in_words_what_two_sides_bring(mist: Mist, sheetgen: Sheetgen, tmp_path: Path) -> None:
    mist()
    (tmp_path / "mist" / "rules").mkdir()
    (tmp_path / "mist" / "rules" / "01-fight.yaml").write_text(
        "title: Fights\nopening: Hit.\nrules:\n  fight:\n    title: Fights\n    text: Hit.\n"
        "    odds: {do: fight, of: winner, value: a, rows: {a: [{hits: 5, target: 55}, {hits: 9, target: 60}]},\n"
        "      given: {b: {hits: 6, target: 40}}, named: {'hits 9, target 60': a captain}}\n"
    )
    ran = sheetgen("book", "./mist", "-o", "book.html")
    assert ran.code == 0
    page = (tmp_path / "book.html").read_text()
    assert "hits 5, target 55" in page
    assert "a captain" in page
    assert "{&#39;" not in page


def test_all_odds_of_a_fight_with_armour_dice_add_up(mist: Mist, sheetgen: Sheetgen) -> None:
    mist()
    sides = ("a={hits: 5, target: 55}", "b={hits: 6, target: 40, armour: 1d4, weapon: 1d6}")
    found = odds(sheetgen, "fight", *sides, "--of", "winner")
    assert abs(sum(found.values()) - 1) < Fraction(1, 10**6)
    assert set(found) == {"a", "b"}


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("roll: luck, by: total", "roll: lukc, by: total", 'play mishap: unknown roll "lukc" (did you mean "luck"?)'),
        ("by: total", "by: colour", 'luck has no result "colour" that is a number (there are total, margin)'),
        ("table: mishaps", "table: mishap", 'play mishap: unknown table "mishap" (did you mean "mishaps"?)'),
        ("rolls: [harm]", "rolls: [hurt]", 'play mishap: the table has no column "hurt" (there are what, harm)'),
        ("harm: 1d6}", "harm: some}", 'rolls: harm of mishaps has "some"'),
        ("{fumble: 2", "{fumbel: 2", 'degree of test is never "fumbel" (did you mean "fumble"?)'),
        ("fumble: 2", "fumble: -2d", 'fumble: "2d" does not say how many sides'),
        ("fumble: 2", "fumble: two", 'fumble counts by a whole number, not "two"'),
        ("range: 0-6", "range: 6", "play strain: range is a range such as 0-6"),
        ("hit: success", "hit: total", 'test has no result "total" that is yes or no (there are success)'),
        ("worth: {A: 1}", "worth: {B: 1}", 'worth: no card is "B"'),
        ("jokers: 2", "jokers: 3", "play luck: a deck has 0 to 2 jokers"),
        ("dice: 1d8, least", "dice: 1d8, lest", 'play strike: unknown key "lest" (did you mean "least"?)'),
    ],
)
def test_what_does_not_hold_is_told_at_its_place(
    mist: Mist, sheetgen: Sheetgen, right: str, wrong: str, told: str
) -> None:
    mist(right, wrong)
    ran = sheetgen("check", "./mist")
    assert told in ran.err
    assert ran.code == 1


TEST = "family: percentile, degrees: {regular: 1, hard: 2}, doubles: yes"


def with_rolls(folder: Path, **rolls: str) -> None:
    """A pack of no more than these rolls."""
    lines = "".join(f"  {name}: {{{words}}}\n" for name, words in rolls.items())
    (folder / "mist").mkdir()
    (folder / "mist" / "system.yaml").write_text(f"{HEAD}{TRAITS}play:\n{lines}")


def test_a_track_falls_by_dice(tmp_path: Path, sheetgen: Sheetgen) -> None:
    """Sanity falls by one where the roll holds, by a die where it does not, and is gone at 0."""
    track = "family: track, roll: test, by: success, range: 0-99, steps: {yes: -1, no: -1d6}"
    with_rolls(tmp_path, test=TEST, nerve=track)
    expected = counted(7 - (1 if f <= 40 else lost) for f, lost in product(range(1, 101), range(1, 7)))
    assert odds(sheetgen, "nerve", "target=40", "now=7", "--of", "now") == expected
    gone = counted(f > 40 and lost >= 4 for f, lost in product(range(1, 101), range(1, 7)))
    assert odds(sheetgen, "nerve", "target=40", "now=4", "--of", "full") == gone


def test_two_sides_use_a_roll_of_the_pack_against_each_other(tmp_path: Path, sheetgen: Sheetgen) -> None:
    """The better degree wins, between equal ones the higher total, and of two that fail alike nobody."""
    with_rolls(tmp_path, test=TEST, against="family: opposed rolls, roll: test, by: [degree, total]")

    def came(f: int, target: int) -> tuple[int, int]:
        under = f <= target
        double = f % 11 == 0 or f == 100
        rank = (4 if under else 0) if double else (3 if f * 2 <= target else 2) if under else 1
        return rank, f

    pairs = [(came(a, 60), came(b, 30)) for a, b in product(range(1, 101), repeat=2)]
    expected = counted("a" if one > other else "b" if other > one else "nobody" for one, other in pairs)
    assert odds(sheetgen, "against", "a={target: 60}", "b={target: 30}", "--of", "winner") == expected


LADDER = "family: step dice, ladder: [d4, d6, d8]"


@pytest.mark.parametrize("by", ["total", "[total]"])
def test_where_only_the_total_counts_nobody_is_asked_for_a_target(tmp_path: Path, sheetgen: Sheetgen, by: str) -> None:
    with_rolls(tmp_path, test=LADDER, against=f"family: opposed rolls, roll: test, by: {by}")
    expected = counted("a" if a > b else "b" if b > a else "nobody" for a, b in product(range(1, 9), range(1, 5)))
    assert odds(sheetgen, "against", "a={die: d8}", "b={die: d4}", "--of", "winner") == expected
    assert odds(sheetgen, "against", "a={die: d8, target: 3}", "b={die: d4}", "--of", "winner") == expected
    played = sheetgen("play", "./mist", "against", "a={die: d8}", "b={die: d4}", "--dice", "5,2")
    assert (played.code, "d8: 5 = 5\n" in played.out, "against None" in played.out) == (0, True, False)


def test_where_success_counts_as_well_the_target_is_asked_for(tmp_path: Path, sheetgen: Sheetgen) -> None:
    with_rolls(tmp_path, test=LADDER, against="family: opposed rolls, roll: test, by: [success, total]")
    ran = sheetgen("odds", "./mist", "against", "a={die: d8}", "b={die: d4}", "--of", "winner")
    assert (ran.code, "target" in ran.err) == (2, True)


def test_a_track_a_table_and_a_fight_that_take_a_total_ask_for_no_target(tmp_path: Path, sheetgen: Sheetgen) -> None:
    with_rolls(
        tmp_path,
        test=LADDER,
        luck="family: drawn cards",
        blow="family: sum against a target, dice: 1d6",
        climb="family: track, roll: test, by: total, range: 0-9",
        fall="family: row of a table, table: falls, roll: luck, by: total",
        brawl="family: fight, roll: blow, takes: total, own: bonus",
    )
    (tmp_path / "mist" / "tables.yaml").write_text(
        "tables: {falls: {title: Falls, over: 2-14, rows: {2-9: soft, 10-14: hard}}}\n"
    )
    assert odds(sheetgen, "climb", "die=d4", "now=2", "--of", "now") == counted(2 + face for face in range(1, 5))
    assert odds(sheetgen, "fall", "--of", "is") == {"soft": Fraction(8, 13), "hard": Fraction(5, 13)}
    expected = counted("a" if a >= 4 else "b" if b >= 1 else "none" for a, b in product(range(1, 7), range(1, 7)))
    one = odds(sheetgen, "brawl", "a={hits: 1}", "b={hits: 4}", "--of", "winner")
    assert one == expected


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("roll: test", "needs by, the results of test that decide: [total]"),
        ("roll: test, by: [degre]", 'test has no result "degre" (did you mean "degree"?)'),
        ("roll: tset, by: [degree]", 'unknown roll "tset" (did you mean "test"?)'),
        ("roll: test, by: [degree], ties: c", 'ties go to nobody, a or b, not to "c"'),
        ("roll: test, by: [degree], dice: 2d6", "say either dice or roll"),
    ],
)
def test_opposed_rolls_that_do_not_hold_are_told(tmp_path: Path, sheetgen: Sheetgen, words: str, told: str) -> None:
    with_rolls(tmp_path, test=TEST, against=f"family: opposed rolls, {words}")
    ran = sheetgen("check", "./mist")
    assert told in ran.err
    assert ran.err.count("\n") == 1


def test_what_goes_on_from_a_roll_that_is_wrong_is_not_told_as_well(tmp_path: Path, sheetgen: Sheetgen) -> None:
    strike, fight = "family: damage, roll: test, hit: success, dice: 1d6", "family: fight, roll: strike, own: [target]"
    with_rolls(tmp_path, test="family: percentile, douples: yes", strike=strike, fight=f"{fight}, takes: harm")
    ran = sheetgen("check", "./mist")
    assert 'unknown key "douples" (did you mean "doubles"?)' in ran.err
    assert ran.err.count("\n") == 1


@pytest.fixture
def pipes(tmp_path: Path) -> Mist:
    """The pack of the manual whose table leads on in the folder mist/, with words of it exchanged."""

    def write(right: str = "", wrong: str = "") -> None:
        section = DOCS.read_text().partition("## A row that leads on")[2]
        system, tables = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)[:2]
        (tmp_path / "mist").mkdir(exist_ok=True)
        for name, text in {"system": HEAD + TRAITS + system, "tables": tables}.items():
            (tmp_path / "mist" / f"{name}.yaml").write_text(text.replace(right, wrong) if right else text)

    return write


def test_a_row_leads_to_another_roll(pipes: Mist, sheetgen: Sheetgen) -> None:
    pipes()
    section = DOCS.read_text().partition("## A row that leads on")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("$ sheetgen ")]
    assert [(ran := sheetgen(*shlex.split(line)[2:])).err or ran.code for line in lines] == [0, 0]
    for dice, then in (("4,13", "no"), ("6,5", "to the chin")):
        ran = sheetgen("play", "./mist", "pipes", "target=12", "--dice", dice, "--json")
        assert json.loads(ran.out)["outcome"]["then"] == then
    chances = {"": Fraction(1, 2), "yes": Fraction(1, 3) * Fraction(12, 20), "no": Fraction(1, 3) * Fraction(8, 20)}
    chances |= {"to the knee": Fraction(1, 9), "to the chin": Fraction(1, 18)}
    assert odds(sheetgen, "pipes", "target=12", "--of", "then") == chances


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("then: depth", "then: deeps", 'play pipes: leads: pipes has no roll "deeps" (did you mean "depth"?)'),
        ("save.success", "save.sucess", 'play pipes: leads: save has no result "sucess" (did you mean "success"?)'),
        ("leads: [then]", "leads: [than]", 'the table has no column "than" (did you mean "then"?)'),
        ("then: depth", "then: pipes", 'play pipes: leads: pipes has no roll "pipes"'),
        ("then: depth}", "then: other}\n      7: {is: x}", "7 cannot come up"),
    ],
)
def test_where_a_row_cannot_lead_is_told(pipes: Mist, sheetgen: Sheetgen, right: str, wrong: str, told: str) -> None:
    pipes(right, wrong)
    ran = sheetgen("play", "./mist", "pipes", "target=12")
    assert ran.code == 2
    assert told in ran.err


def test_numbers_of_a_family_may_be_values_of_the_pack(sheetgen: Sheetgen, tmp_path: Path) -> None:
    (tmp_path / "mist").mkdir()
    bands = "play: {move: {family: bands of results, dice: 2d6, bands: {strong: roll.high, weak: roll.low, miss: 2}}}\n"
    values = "values: {roll: {high: 10, low: 7}}\n"
    (tmp_path / "mist" / "system.yaml").write_text(HEAD + TRAITS + values + bands)
    assert odds(sheetgen, "move", "--of", "band")["strong"] == Fraction(1, 6)
    (tmp_path / "mist" / "system.yaml").write_text(HEAD + TRAITS + values.replace("10", "11") + bands)
    assert odds(sheetgen, "move", "--of", "band")["strong"] == Fraction(1, 12)
    (tmp_path / "mist" / "system.yaml").write_text(HEAD + TRAITS + values + bands.replace("roll.high", "rol.high"))
    told = sheetgen("play", "./mist", "move").err
    assert 'play move: strong begins at a whole number, not "rol.high"' in told


def test_percentile_dice_are_thrown_in_the_order_that_the_manual_says(mist: Mist, sheetgen: Sheetgen) -> None:
    assert "`--dice 8,1` is 18" in DOCS.read_text()
    mist()
    ran = sheetgen("play", "./mist", "test", "target=45", "--dice", "8,1", "--json")
    assert json.loads(ran.out)["outcome"]["total"] == 18


def test_bands_of_a_reckoning_rank_as_they_are_listed(tmp_path: Path, sheetgen: Sheetgen) -> None:
    (tmp_path / "mist").mkdir()
    (tmp_path / "mist" / "system.yaml").write_text(
        f"{HEAD}{TRAITS}play:\n"
        "  risk: {family: reckoning, say: risk it, takes: {dice: 1 to 3},\n"
        "    results: {band: {band: {most: {faces: dice, sides: 6}}, of: {clean: 6, cost: 4, worse: 1}}}}\n"
        "  contest: {family: opposed rolls, roll: risk, by: band}\n"
    )

    def rank(*faces: int) -> int:
        return 2 if max(faces) == 6 else 1 if max(faces) > 3 else 0

    rolls = product(range(1, 7), repeat=3)
    expected = counted("a" if rank(a, b) > rank(c) else "b" if rank(c) > rank(a, b) else "nobody" for a, b, c in rolls)
    assert odds(sheetgen, "contest", "a={dice: 2}", "b={dice: 1}", "--of", "winner") == expected
