"""Families of mechanics whose dice mean something by where they fall: under a level, into a band, on a highest face.

Advantage is a whole number: so many more rolls or dice, of which the best counts; the worst if it is below 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from sheetgen.dice.notation import Notation
from sheetgen.errors import quoted
from sheetgen.rules.procedures.family_words import FamilyWords
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import worded
from sheetgen.rules.procedures.sum_families import Count, Number, Sum, against, aimed, shown

MOST_LEVEL = 999
TENS = 10
HUNDRED = 100
Level = Annotated[int, Whole(-MOST_LEVEL, MOST_LEVEL)]
Advantage = Annotated[int, Whole(-5, 5)]
CRITICAL, FUMBLE, SUCCESS, FAILURE = "critical", "fumble", "success", "failure"
GONE = "used up"
NO_HELP = "none"


@dataclass(frozen=True, slots=True)
class Under:
    """A roll under a level: the total, whether it is low enough, by how much, and how well in a word.

    The margin of a success in a game of blackjack is the total itself.
    """

    total: int
    success: bool
    margin: int
    degree: str


@dataclass(frozen=True, slots=True)
class Banded:
    """A total and the band of results that it falls into."""

    total: int
    band: str


@dataclass(frozen=True, slots=True)
class Highest:
    """What the highest face of a pool means."""

    band: str


@dataclass(frozen=True, slots=True)
class Used:
    """The face of a usage die, the die that is left, and whether there is none."""

    face: int
    left: str
    used_up: bool


@dataclass(frozen=True, slots=True)
class Degree:
    """A total on a hundred and how good it is."""

    total: int
    success: bool
    degree: str


@dataclass(frozen=True, slots=True)
class Matched:
    """The largest set of equal faces, the higher of two such sets: how many there are, and the face."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Opposed:
    """Who of two has the better total, and by how much."""

    winner: str
    margin: int


def roll_under(words: FamilyWords) -> Callable[..., Under]:
    """Roll at or under a level; `doubles`, a least and a most face, or blackjack, as the game has it."""
    words.only("dice", "always", "never", "doubles", "blackjack")
    notation, name = words.dice(), words.step.name
    always, never = words.number("always", "0"), words.number("never", str(MOST_LEVEL))
    doubles, blackjack = words.switch("doubles"), words.switch("blackjack")
    if doubles and not _has_doubles(notation):
        raise words.wrong("doubles need two dice, or a d100 whose digits are read")

    def roll(play: Play, *, target: Level, bonus: Number = 0, advantage: Advantage = 0) -> Under:
        tries, level = [_thrown(play, notation, name, doubles) for _ in range(abs(advantage) + 1)], target + bonus
        in_order = sorted(tries, key=lambda each: -each[0] if blackjack and each[0] <= level else each[0])
        total, double = in_order[0 if advantage >= 0 else -1]
        success = total <= always or (total <= level and total < never)
        special = double or total <= always or total >= never
        degree = (CRITICAL if success else FUMBLE) if special else SUCCESS if success else FAILURE
        margin = total if blackjack and success else level - total
        rolled = " or ".join(str(each) for each, _ in tries)
        play.tell(f"{notation}: {rolled}, against {level} or less: {degree}")
        return Under(total, success, margin, degree)

    roll.__annotations__["return"] = worded(Under, degree=(CRITICAL, SUCCESS, FAILURE, FUMBLE))
    return roll


def _has_doubles(notation: Notation) -> bool:
    return (notation.count, notation.sides) == (1, HUNDRED) or (notation.count == 2 and not notation.keep)


def _thrown(play: Play, notation: Notation, name: str, doubles: bool) -> tuple[int, bool]:
    """Return a total, and whether it is a double where doubles mean something."""
    if notation.count == 1:
        total = play.dice.total(1, notation.sides, name)
        return total + notation.modifier, doubles and _is_double(total)
    if not doubles and not notation.keep and not notation.tens:
        return play.dice.total(notation.count, notation.sides, name) + notation.modifier, False
    faces = play.dice.roll(notation.count, notation.sides, name)
    return notation.total(faces), doubles and len(set(faces)) == 1


def _is_double(total: int) -> bool:
    """Return whether the two digits of a hundred are the same; a hundred is 00."""
    return total % 11 == 0 or total == HUNDRED


def bands_of_results(words: FamilyWords) -> Callable[..., Banded]:
    """Add up dice and a bonus; the total falls into one of several bands, each named with its least total."""
    words.only("dice", "bands")
    base, bands, name = words.dice(), words.bands(), words.step.name

    def roll(play: Play, *, bonus: Number = 0, advantage: Advantage = 0) -> Banded:
        if not advantage and not base.keep and not base.tens:
            faces: tuple[int, ...] = (play.dice.total(base.count, base.sides, name),)
            total = faces[0] + base.modifier + bonus
        else:
            kept = abs(base.keep) or base.count
            more = replace(base, count=base.count + abs(advantage), keep=kept if advantage >= 0 else -kept)
            notation = more if advantage else base
            faces = play.dice.roll(notation.count, base.sides, name)
            total = notation.total(faces) + bonus
        band = _band(bands, total)
        play.tell(f"{base}: {shown(faces, bonus + base.modifier)} = {total}: {band}")
        return Banded(total, band)

    roll.__annotations__["return"] = worded(Banded, band=bands)
    return roll


def _band(bands: dict[str, int], total: int) -> str:
    """Return the band of a total; the lowest one has no bottom."""
    return next((band for band, least in bands.items() if total >= least), [*bands][-1])


def highest_face(words: FamilyWords) -> Callable[..., Highest]:
    """Roll a pool and read its highest face; without dice roll two and read the lower one."""
    words.only("sides", "bands", "twice")
    sides, bands, twice, name = words.sides(), words.bands(), words.word("twice", "-"), words.step.name
    faces = range(1, sides + 1)
    reading = tuple(tuple(face for face in faces if _band(bands, face) == band) for band in bands)
    best = (sides,)
    split = (best, tuple(face for face in reading[0] if face != sides), *reading[1:])

    def roll(play: Play, *, dice: Count) -> Highest:
        found = play.dice.pool(dice or 2, sides, split, name)
        counts = (found[0] + found[1], *found[2:])
        met = [band for band, count in zip(bands, counts, strict=True) if count]
        band = met[0] if dice else met[-1]
        if dice and found[0] > 1 and twice != "-":
            band = twice
        play.tell(f"{dice or 2}d{sides}{'' if dice else ', the lower one'}: {band}")
        return Highest(band)

    roll.__annotations__["return"] = worded(Highest, band=(*bands, *((twice,) if twice != "-" else ())))
    return roll


def step_dice(words: FamilyWords) -> Callable[..., Sum | Banded]:
    """Roll a die of a ladder against a target or into `bands`; one `beside` it counts if better, `explode` rolls on."""
    words.only("ladder", "beside", "explode", "bands")
    ladder, explode, name = words.ladder(), words.switch("explode"), words.step.name
    beside = words.word("beside", "d0")
    if beside != "d0" and int(beside[1:] if beside[1:].isdigit() else 0) not in range(2, 101):
        raise words.wrong(f"beside is a die such as d6, not {quoted(beside)}", words.step.params.get("beside"))  # type: ignore[call-overload]
    bands = words.bands() if "bands" in words.step.params else {}

    def rolled(play: Play, die: str, aid: str, bonus: int) -> tuple[int, str]:
        dice = [each for each in (die, beside, aid) if each not in ("d0", NO_HELP)]
        faces = [_rolled_on(play, int(each[1:]), name, explode) for each in dice]
        said = f"{' and '.join(dice)}: {' or '.join(map(str, faces))}{f' {bonus:+}' if bonus else ''}"
        return max(faces) + bonus, said

    @aimed
    def roll(play: Play, *, die: str, target: Number, bonus: Number = 0, help: str = NO_HELP) -> Sum:
        total, said = rolled(play, die, help, bonus)
        return against(play, total, target, said)

    def read(play: Play, *, die: str, bonus: Number = 0, help: str = NO_HELP) -> Banded:
        total, said = rolled(play, die, help, bonus)
        band = _band(bands, total)
        play.tell(f"{said} = {total}: {band}")
        return Banded(total, band)

    chosen: Callable[..., Sum | Banded] = read if bands else roll
    chosen.__annotations__["die"] = _words_of(ladder)
    chosen.__annotations__["help"] = Literal[(NO_HELP, *(f"d{sides}" for sides in ladder))]
    if bands:
        chosen.__annotations__["return"] = worded(Banded, band=bands)
    return chosen


def _words_of(ladder: tuple[int, ...]) -> Any:
    return Literal[tuple(f"d{sides}" for sides in ladder)]


def _rolled_on(play: Play, sides: int, name: str, explode: bool) -> int:
    """Return the face of a die; one that explodes is rolled again and added after its highest face."""
    total, count = 0, 0
    while True:
        face = play.dice.total(1, sides, name)
        total, count = total + face, count + 1
        if not explode or face < sides:
            return total
        play.again(count, name)


def usage_die(words: FamilyWords) -> Callable[..., Used]:
    """Roll a die of a ladder; up to a low face it becomes the next smaller die, the smallest one is used up."""
    words.only("ladder", "until")
    ladder, until, name = words.ladder(), words.number("until", "2"), words.step.name

    def roll(play: Play, *, die: str, advantage: Advantage = 0) -> Used:
        faces = [play.dice.total(1, int(die[1:]), name) for _ in range(abs(advantage) + 1)]
        face = max(faces) if advantage >= 0 else min(faces)
        at = ladder.index(int(die[1:]))
        left = die if face > until else f"d{ladder[at - 1]}" if at else GONE
        play.tell(f"{die}: {' or '.join(map(str, faces))}: {'it holds' if left == die else left}")
        return Used(face, left, left == GONE)

    roll.__annotations__["die"] = _words_of(ladder)
    return roll


def percentile(words: FamilyWords) -> Callable[..., Degree]:
    """Roll a hundred at or under a level, in degrees by fractions of it; more tens dice are advantage.

    A least and a most total are critical and fumble, and with `doubles` so are equal digits, 00 among them.
    """
    words.only("degrees", "critical", "fumble", "doubles")
    degrees = words.bands("degrees") if "degrees" in words.step.params else {SUCCESS: 1}
    critical, fumble, name = words.number("critical", "0"), words.number("fumble", "101"), words.step.name
    doubles = words.switch("doubles")
    if degrees[min(degrees, key=lambda each: degrees[each])] < 1:
        raise words.wrong("degrees are parts of the level: {regular: 1, hard: 2, extreme: 5}")

    def roll(play: Play, *, target: Level, advantage: Advantage = 0) -> Degree:
        units = play.dice.total(1, TENS, name) % TENS
        tens = [play.dice.total(1, TENS, name) % TENS for _ in range(abs(advantage) + 1)]
        totals = [10 * each + units or HUNDRED for each in tens]
        total = min(totals) if advantage >= 0 else max(totals)
        found = next((degree for degree, part in degrees.items() if total * part <= target), FAILURE)
        double = doubles and _is_double(total)
        if total <= critical or (double and total < fumble and found != FAILURE):
            found = CRITICAL
        elif total >= fumble or double:
            found = FUMBLE
        play.tell(f"d100: {' or '.join(map(str, totals))}, against {target}: {found}")
        return Degree(total, found not in (FAILURE, FUMBLE), found)

    roll.__annotations__["return"] = worded(Degree, degree=(CRITICAL, *degrees, FAILURE, FUMBLE))
    return roll


def exploding_dice(words: FamilyWords) -> Callable[..., Sum]:
    """Add up dice, each rolled again and added after its highest face, against a target."""
    words.only("dice")
    notation, name = words.dice(), words.step.name
    if notation.keep or notation.tens or notation.sides < 2:
        raise words.wrong("exploding dice are all added up: write 2d6 or 3d8+1")

    @aimed
    def roll(play: Play, *, target: Number, bonus: Number = 0) -> Sum:
        total = play.part(_exploded, notation.count, notation.sides, name)
        return against(play, total + notation.modifier + bonus, target, f"{notation}: {shown((total,), bonus)}")

    return roll


def _exploded(play: Play, count: int, sides: int, name: str) -> int:
    """Return the sum of dice that explode; odds merge equal sums after each die."""
    before = play.part(_exploded, count - 1, sides, name) if count > 1 else 0
    return before + _rolled_on(play, sides, name, True)


def matching_faces(words: FamilyWords) -> Callable[..., Matched]:
    """Roll a pool and take the largest set of equal faces: how many, and which."""
    words.only("sides")
    sides, name = words.sides(), words.step.name

    def roll(play: Play, *, dice: Annotated[int, Whole(1, 15)]) -> Matched:
        width, height = play.dice.matched(dice, sides, name)
        play.tell(f"{dice}d{sides}: {width} × {height}")
        return Matched(width, height)

    return roll


def opposed_rolls(words: FamilyWords) -> Callable[..., Opposed]:
    """Let two sides add up the same dice, each with a bonus; the higher total wins, and `ties` says who wins a tie."""
    words.only("dice", "ties")
    notation, ties, name = words.dice(), words.ties(), words.step.name

    def roll(play: Play, *, a: Number = 0, b: Number = 0) -> Opposed:
        one, other = (_thrown(play, notation, name, False)[0] + bonus for bonus in (a, b))
        winner = "a" if one > other else "b" if other > one else ties
        play.tell(f"{notation}: {one} against {other}: {winner}")
        return Opposed(winner, abs(one - other))

    return roll
