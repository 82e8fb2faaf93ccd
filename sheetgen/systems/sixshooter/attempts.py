"""Sections E to J in one roll: an Operator takes on a challenge, with a card, a helper or a wager."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import Piles, read_piles, written, written_cards
from sheetgen.systems.sixshooter.challenges import (
    CN,
    IMPOSSIBLE,
    Effective,
    Result,
    is_automatic,
    lowered,
    read_die,
    tell_impossible,
)
from sheetgen.systems.sixshooter.creation import Count, Descriptor, Method, Number
from sheetgen.systems.sixshooter.luck import Luck, is_removed, read_luck, roll_your_hand, struck
from sheetgen.systems.sixshooter.using import Stake, check_stake, spend

Position: TypeAlias = Annotated[int, Whole(1, 99)]


@dataclass(frozen=True, slots=True)
class Operator:
    """The Operator who rolls."""

    descriptor: Descriptor
    hand: tuple[str, ...]
    lucky: tuple[Number, ...] = ()
    strikes: Count = 0
    name: str = ""
    archetype: str = ""


@dataclass(frozen=True, slots=True)
class Helper:
    """Another Operator, whose player may spend a card on the roll (`SIX-044`)."""

    descriptor: Descriptor
    hand: tuple[str, ...]
    lucky: tuple[Number, ...] = ()
    use: Position | None = None
    strikes: Count = 0
    replace: bool = True
    name: str = ""
    archetype: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a roll went and what it cost; `discarded` are the cards that went to the discard pile, in order."""

    effective: Effective
    outcome: Result
    overcome: bool
    die: int | None
    rolled_hand: int | None
    hand: tuple[str, ...]
    helper_hand: tuple[str, ...] | None
    strikes: int
    removed: bool
    discarded: tuple[str, ...]
    deck: tuple[str, ...]
    discard: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Played:
    """One roll in the making: the result so far, and the stake and piles as they now lie."""

    result: Result
    effective: Effective
    stake: Stake
    piles: Piles
    die: int | None = None
    rolled_hand: int | None = None

    @property
    def overcome(self) -> bool:
        """Whether the challenge is overcome."""
        return self.result in ("success", "success_at_cost", "automatic")


def helper_luck(play: Play, helper: Helper | None, path: str, takes: bool, whose: str) -> Luck | None:
    """The luck of a helper, if there is one."""
    if helper is None:
        return None
    return read_luck(
        play,
        f"{path}helper.",
        hand=helper.hand,
        lucky=helper.lucky,
        strikes=helper.strikes,
        takes=takes and helper.replace,
        who=helper.name or f"{whose}'s helper",
    )


def play_roll(play: Play, stake: Stake, cn: CN, piles: Piles) -> Played:
    """One roll of an Operator against a Critical Number, from what is spent to the cost of it.

    Source: SIX-022 to SIX-027, SIX-033, SIX-040, SIX-049 to SIX-052; a card that makes the roll needless is spent all
    the same (SIX-Q36).
    """
    if cn == IMPOSSIBLE:
        tell_impossible(play)
        return Played("not_possible", IMPOSSIBLE, stake, piles)
    check_stake(play, stake)
    off, stake, piles = spend(play, stake, piles)
    effective = lowered(play, cn, stake.luck.strikes, off)
    if is_automatic(play.values, effective):
        vanished = ", and the wager vanishes" if stake.wager else ""
        play.tell(f"No roll is needed: overcome, and the hand is left alone{vanished}", "SIX-025")
        return Played("automatic", effective, stake, piles)
    (die,) = play.dice.roll(1, play.values.number("die.sides"), f"{stake.luck.who}: {stake.method}")
    return _paid(play, Played(read_die(play, die, effective), effective, stake, piles, die))


def _paid(play: Play, played: Played) -> Played:
    """The roll with its cost: a lost wager first, then Roll Your Hand (`SIX-033`, `SIX-051`, `SIX-Q14`)."""
    luck, stake = played.stake.luck, played.stake
    if stake.wager and played.overcome:
        play.tell("The wager vanishes", "SIX-051")
    elif stake.wager:
        luck = struck(play, luck, stake.wager, "SIX-051", "SIX-Q14")
    face, piles = None, played.piles
    if played.result != "success" and not is_removed(play, luck.strikes):
        face, luck, piles = roll_your_hand(play, luck, piles)
    return replace(played, stake=replace(stake, luck=luck), piles=piles, rolled_hand=face)


@procedure(
    *("SIX-022", "SIX-023", "SIX-024", "SIX-025", "SIX-027", "SIX-031", "SIX-033", "SIX-034", "SIX-035", "SIX-036"),
    *("SIX-037", "SIX-038", "SIX-040", "SIX-041", "SIX-042", "SIX-043", "SIX-044", "SIX-045", "SIX-049", "SIX-050"),
    *("SIX-051", "SIX-052", "SIX-053", "SIX-054", "SIX-073"),
    say="an Operator takes on a challenge: the roll, and Roll Your Hand if it comes to that",
)
def attempt(
    play: Play,
    *,
    actor: Operator,
    method: Method,
    cn: CN,
    use: Position | None = None,
    helper: Helper | None = None,
    wager: Count = 0,
    deck: tuple[str, ...] = (),
    discard: tuple[str, ...] | None = None,
    shuffled: tuple[str, ...] | None = None,
    replace_: bool = True,
) -> Attempt:
    """One try at a challenge; `use` is the place of the card spent, `replace` whether a Lucky Number's card is taken.

    Source: sections E to J. The dice are the roll itself, then Roll Your Hand. A failed challenge may be tried again
    (SIX-031).
    """
    luck = read_luck(
        play,
        "actor.",
        hand=actor.hand,
        lucky=actor.lucky,
        strikes=actor.strikes,
        takes=replace_,
        who=actor.name or "the Operator",
    )
    stake = Stake(
        actor.descriptor,
        method,
        luck,
        use,
        wager,
        helper.descriptor if helper else "",
        helper_luck(play, helper, "", replace_, luck.who),
        helper.use if helper else None,
    )
    return _told(play, play_roll(play, stake, cn, read_piles(deck, discard, shuffled)))


def _told(play: Play, played: Played) -> Attempt:
    luck, helper, piles = played.stake.luck, played.stake.helper, played.piles
    return Attempt(
        effective=played.effective,
        outcome=played.result,
        overcome=played.overcome,
        die=played.die,
        rolled_hand=played.rolled_hand,
        hand=written(luck.hand),
        helper_hand=None if helper is None else written(helper.hand),
        strikes=luck.strikes,
        removed=is_removed(play, luck.strikes),
        discarded=written_cards(piles.laid),
        deck=written_cards(piles.deck),
        discard=None if piles.discard is None else written_cards(piles.discard),
    )
