"""Section M: Operator against Operator, one exchange of dice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.attempts import Helper, Position, helper_luck
from sheetgen.systems.sixshooter.cards import Piles, read_piles, written, written_cards
from sheetgen.systems.sixshooter.challenges import Off, strikes_text, with_strikes
from sheetgen.systems.sixshooter.creation import Count, Descriptor, Method, Number
from sheetgen.systems.sixshooter.luck import Luck, is_removed, read_luck, roll_your_hand, struck
from sheetgen.systems.sixshooter.using import Stake, check_stake, followed, spend

Lower = Literal["a", "b", "both"]
Loser = Literal["a", "b", "both", "none"]


@dataclass(frozen=True, slots=True)
class Side:
    """One Operator of a contest, with the method chosen and what is spent or wagered before the dice fall."""

    descriptor: Descriptor
    method: Method
    hand: tuple[str, ...]
    lucky: tuple[Number, ...] = ()
    strikes: Count = 0
    use: Position | None = None
    wager: Count = 0
    helper: Helper | None = None
    replace: bool = True
    name: str = ""
    archetype: str = ""


@dataclass(frozen=True, slots=True)
class Versus:
    """How an exchange went for both; `loser` has gained a Strike and so lost the contest."""

    scores: Named[str, int]
    lower: Lower
    a_rolled_hand: int | None
    b_rolled_hand: int | None
    a_hand: tuple[str, ...]
    b_hand: tuple[str, ...]
    a_helper_hand: tuple[str, ...] | None
    b_helper_hand: tuple[str, ...] | None
    strikes: Named[str, int]
    removed: Named[str, bool]
    loser: Loser
    discarded: tuple[str, ...]
    deck: tuple[str, ...]
    discard: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Exchange:
    """One exchange as played: both stakes and the piles as they now lie, the scores, and the places rolled."""

    a: Stake
    b: Stake
    piles: Piles
    scores: tuple[int, int]
    rolled: tuple[int | None, int | None]
    struck: tuple[bool, bool]

    @property
    def lower(self) -> Lower:
        """Who rolled lower."""
        a, b = self.scores
        return "both" if a == b else "a" if a < b else "b"

    @property
    def loser(self) -> Loser:
        """Who gained a Strike, and so loses the contest (`SIX-062`, `SIX-Q25`)."""
        a, b = self.struck
        return "both" if a and b else "a" if a else "b" if b else "none"


def read_side(play: Play, side: Side, letter: str) -> Stake:
    """What one side puts on its roll."""
    path = f"{letter}."
    luck = read_luck(
        play,
        path,
        hand=side.hand,
        lucky=side.lucky,
        strikes=side.strikes,
        takes=side.replace,
        who=side.name or f"Operator {letter.upper()}",
    )
    helper = side.helper
    return Stake(
        side.descriptor,
        side.method,
        luck,
        side.use,
        side.wager,
        helper.descriptor if helper else "",
        helper_luck(play, helper, path, side.replace, luck.who),
        helper.use if helper else None,
        path,
    )


def exchange(play: Play, a: Stake, b: Stake, piles: Piles, *, alike: bool = False) -> Exchange:
    """One exchange: both declare, both roll, and whoever is lower pays.

    With `alike`, odds ask for neither hands nor scores: only who is lower is told, and places are not told apart.
    Source: SIX-061 to SIX-063; each side's Strikes, card and wager act on the other's die (SIX-Q23).
    """
    check_stake(play, a)
    check_stake(play, b)
    off_b, a, piles = spend(play, a, piles)
    off_a, b, piles = spend(play, b, piles)
    throwers = (a.luck.who, a.method, b.luck, off_a), (b.luck.who, b.method, a.luck, off_b)
    score_a, score_b = play.part(_order if alike else _scores, *throwers)
    if score_a == score_b:
        play.tell(f"{score_a} to {score_b}: equal, so both Roll Their Hands", "SIX-061")
    else:
        low = a.luck.who if score_a < score_b else b.luck.who
        play.tell(f"{score_a} to {score_b}: {low} is lower and must Roll Their Hand", "SIX-061")
    a_rolled, luck_a, piles = play.part(_settled, a, score_a - score_b, piles, alike)
    b_rolled, luck_b, piles = play.part(_settled, b, score_b - score_a, piles, alike)
    hit = (luck_a.strikes > a.luck.strikes, luck_b.strikes > b.luck.strikes)
    a, b = replace(a, luck=luck_a), replace(b, luck=luck_b)
    return Exchange(a, b, piles, (score_a, score_b), (a_rolled, b_rolled), hit)


Thrower = tuple[str, str, Luck, Off]  # who, by which method, against whose luck, and what that one takes off


def _scores(play: Play, a: Thrower, b: Thrower) -> tuple[int, int]:
    """What both dice come to."""
    sides = play.values.number("die.sides")
    dice = [play.dice.roll(1, sides, f"{who}: {method}")[0] for who, method, _, _ in (a, b)]
    return _score(play, a[0], dice[0], *a[2:]), _score(play, b[0], dice[1], *b[2:])


def _order(play: Play, a: Thrower, b: Thrower) -> tuple[int, int]:
    """Who is higher, as 1 against 0, or 0 against 0."""
    ours, theirs = _scores(play, a, b)
    return int(ours > theirs), int(theirs > ours)


def _score(play: Play, who: str, die: int, other: Luck, off: Off) -> int:
    """A die as the opponent's Strikes raise it and the opponent's card or wager lowers it (`SIX-063`, `SIX-Q23`)."""
    raised = with_strikes(play, die, other.strikes)
    line = f"{who} rolls {die}"
    if other.strikes:
        make = "makes" if other.strikes == 1 else "make"
        line += f", {strikes_text(other.strikes)} of {other.who} {make} it {raised}"
    if off.by:
        line += f", {off.because} takes {off.by} off: {raised - off.by}"
    play.tell(line, "SIX-063" if other.strikes or off.by else "SIX-061")
    return raised - off.by


def _settled(play: Play, stake: Stake, margin: int, piles: Piles, alike: bool) -> tuple[int | None, Luck, Piles]:
    """The place rolled if any, and the luck and piles of a side that is ahead by a margin (`SIX-061`, `SIX-Q24`)."""
    luck = stake.luck
    if stake.wager and margin < 0:
        luck = struck(play, luck, stake.wager, "SIX-051", "SIX-Q24")
    elif stake.wager:
        play.tell(f"The wager of {luck.who} vanishes", "SIX-051", "SIX-Q24")
    if margin > 0 or is_removed(play, luck.strikes):
        return None, luck, piles
    face, luck, piles = roll_your_hand(play, luck, piles)
    if alike:
        return None, followed(play, luck, stake.descriptor, stake.method), replace(piles, laid=())
    return face, luck, piles


def tell_loser(play: Play, loser: Loser, a: Luck, b: Luck) -> None:
    """A line on whoever loses by a Strike."""
    if loser == "both":
        play.tell("Both gain a Strike: both lose", "SIX-062", "SIX-Q25")
    elif loser != "none":
        play.tell(f"{a.who if loser == 'a' else b.who} gains a Strike and loses the contest", "SIX-062")


@procedure(
    *("SIX-034", "SIX-035", "SIX-036", "SIX-037", "SIX-038", "SIX-040", "SIX-041", "SIX-042", "SIX-043", "SIX-044"),
    *("SIX-045", "SIX-049", "SIX-050", "SIX-051", "SIX-052", "SIX-053", "SIX-054", "SIX-061", "SIX-062", "SIX-063"),
    *("SIX-073",),
    say="Operator against Operator: one exchange of dice",
)
def versus(
    play: Play,
    *,
    a: Side,
    b: Side,
    deck: tuple[str, ...] = (),
    discard: tuple[str, ...] | None = None,
    shuffled: tuple[str, ...] | None = None,
) -> Versus:
    """One exchange of a contest; dice fall in this order: roll of a, roll of b, then the hand of a, the hand of b.

    Source: section M; cards and wagers as in sections H and I (SIX-Q23, SIX-Q24), helpers too (SIX-Q26).
    """
    played = exchange(play, read_side(play, a, "a"), read_side(play, b, "b"), read_piles(deck, discard, shuffled))
    tell_loser(play, played.loser, played.a.luck, played.b.luck)
    return told_exchange(play, played)


def told_exchange(play: Play, played: Exchange) -> Versus:
    """An exchange as an outcome."""
    a, b, piles = played.a, played.b, played.piles
    return Versus(
        scores=Named({"a": played.scores[0], "b": played.scores[1]}),
        lower=played.lower,
        a_rolled_hand=played.rolled[0],
        b_rolled_hand=played.rolled[1],
        a_hand=written(a.luck.hand),
        b_hand=written(b.luck.hand),
        a_helper_hand=None if a.helper is None else written(a.helper.hand),
        b_helper_hand=None if b.helper is None else written(b.helper.hand),
        strikes=Named({"a": a.luck.strikes, "b": b.luck.strikes}),
        removed=Named({"a": is_removed(play, a.luck.strikes), "b": is_removed(play, b.luck.strikes)}),
        loser=played.loser,
        discarded=written_cards(piles.laid),
        deck=written_cards(piles.deck),
        discard=None if piles.discard is None else written_cards(piles.discard),
    )
