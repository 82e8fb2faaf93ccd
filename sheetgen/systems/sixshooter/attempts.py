"""Sections E to J in one roll: an Operator takes on a challenge, with a card, a helper or a wager."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from sheetgen.dice.deck import Card
from sheetgen.model.data import Values
from sheetgen.model.procedures import spread
from sheetgen.model.wording import capital
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.sixshooter.cards import (
    CN,
    IMPOSSIBLE,
    Count,
    Descriptor,
    Effective,
    Given,
    Held,
    Method,
    Piles,
    Positive,
    Result,
    own_method,
    read_card,
    read_piles,
    reduction,
    spoken,
    strikes_text,
    suit_of,
    written,
    written_cards,
)
from sheetgen.systems.sixshooter.challenges import Off, is_automatic, lowered, read_die, tell_impossible, wagered
from sheetgen.systems.sixshooter.luck import (
    Luck,
    Operator,
    is_removed,
    part_with,
    read_luck,
    roll_your_hand,
    struck,
)

User = Literal["self", "other"]


@dataclass(frozen=True, slots=True)
class Helper(Operator):
    """Another Operator, whose player may spend a card on the roll (`SIX-044`)."""

    use: Positive | None = None
    replace: bool = True


@dataclass(frozen=True, slots=True)
class Stake:
    """What is put on one roll before the die falls: whose luck it is, the method, and a card, a helper or a wager.

    `use` and `helper_use` are positions in the two hands; `path` leads to the parameters in messages.
    """

    luck: Luck
    method: str
    use: int | None = None
    wager: int = 0
    helper: Luck | None = None
    helper_use: int | None = None
    path: str = ""


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
        return self.result in ("success", "success_at_cost", "automatic")


def obstacles(
    values: Values, *, descriptor: str, method: str, held: Held, user: User = "self", wager: int = 0
) -> dict[str, str]:
    """Everything that keeps a card from being used: each code with the rule it breaks."""
    own = own_method(values, descriptor) == method
    suits = held.card.suit == suit_of(values, method)
    wrong = (not (suits or own), "SIX-042") if user == "self" else (not (suits and own), "SIX-044")
    found = {
        "joker": (held.card.is_joker, "SIX-073"),
        "face_down": (not held.up, "SIX-040"),
        "card_with_wager": (wager > 0, "SIX-052"),
        "wrong_suit": (not held.card.is_joker and wrong[0], wrong[1]),
    }
    return {code: rule for code, (holds, rule) in found.items() if holds}


def _why(values: Values, code: str, held: Held, method: str, user: User) -> str:
    card = spoken(values, held.card)
    helper = ", or the helper's Descriptor does not" if user == "other" else ""
    return {
        "joker": "a joker cannot be used",
        "face_down": f"{card} lies face-down",
        "card_with_wager": f"{card} may not be spent on a roll with a wager",
        "wrong_suit": f"{card} does not suit {method}{helper}",
    }[code]


@procedure(
    "SIX-005 SIX-006 SIX-040 SIX-041 SIX-042 SIX-043 SIX-044 SIX-052 SIX-073",
    say="whether a card may be used on a roll, and what it is worth",
    results="legal reduces problems",
)
def can_use(
    play: Play,
    *,
    for_: User,
    descriptor: Descriptor,
    method: Method,
    card: str,
    face: Literal["up", "down"] = "up",
    wager: Count = 0,
) -> tuple[bool, int, frozenset[str]]:
    """Whether an Operator's player may spend a card on a roll, a helper's only of the helper's own suit; SIX-Q18."""
    values, held = play.values, Held(read_card(card, "card"), face == "up")
    problems = obstacles(values, user=for_, descriptor=descriptor, method=method, held=held, wager=wager)
    for code, rule in problems.items():
        play.tell(f"No: {_why(values, code, held, method, for_)}", rule)
    reduces = 0 if problems else reduction(values, held.card)
    if not problems:
        play.tell(f"{spoken(values, held.card).capitalize()} takes {reduces} off the Critical Number", "SIX-041")
    return not problems, reduces, frozenset(problems)


def check_stake(play: Play, stake: Stake) -> None:
    """Refuses what may not be put on a roll, before anything is discarded or rolled (SIX-045, SIX-049, SIX-Q19)."""
    cards = sum(position is not None for position in (stake.use, stake.helper_use))
    if cards > 1:
        raise Refused("two_cards", f"{stake.path}use: one card on a roll, whoever spends it", "SIX-045")
    if cards and stake.wager:
        message = f"{stake.path}wager: with a wager no card may be spent on the roll"
        raise Refused("card_with_wager", message, "SIX-052")
    strikes, most = stake.luck.strikes, play.values.number("strikes.removal")
    if stake.wager + strikes > most:
        message = f"with {strikes_text(strikes)} held it takes at most {most - strikes}, not {stake.wager}"
        raise Refused("wager_too_big", f"{stake.path}wager: {message}", "SIX-049")
    if stake.use is not None:
        _check_card(play, stake, stake.luck, stake.use, user="self")
    if stake.helper_use is not None and stake.helper is not None:
        _check_card(play, stake, stake.helper, stake.helper_use, user="other")


def _check_card(play: Play, stake: Stake, luck: Luck, position: int, *, user: User) -> None:
    path = "use" if user == "self" else "helper.use"
    held = luck.hand[position - 1] if position <= len(luck.hand) else None
    if held is None:
        message = f"{stake.path}{path}: there is no card in place {position} of the hand"
        raise Refused("no_such_card", message, "SIX-040")
    problems = obstacles(play.values, user=user, descriptor=luck.descriptor, method=stake.method, held=held)
    for code, rule in problems.items():
        raise Refused(code, f"{stake.path}{path}: {_why(play.values, code, held, stake.method, user)}", rule)


def spend(play: Play, stake: Stake, piles: Piles) -> tuple[Off, Stake, Piles]:
    """What the number is lowered by, and the stake and the piles once the card is discarded (SIX-040, SIX-Q20)."""
    if stake.wager:
        play.tell(f"All Or Nothing: {stake.luck.who} wagers {strikes_text(stake.wager)}", "SIX-049")
        return wagered(play.values, stake.wager), stake, piles
    luck, position = (stake.luck, stake.use) if stake.helper_use is None else (stake.helper, stake.helper_use)
    held = None if luck is None or position is None else luck.hand[position - 1]
    if luck is None or position is None or held is None:
        return Off(), stake, piles
    card = spoken(play.values, held.card)
    play.tell(f"{capital(luck.who)} spends {card} from place {position}", "SIX-040")
    after, piles = part_with(play, luck, position, piles)
    off = Off(reduction(play.values, held.card), card, "SIX-041")
    return off, replace(stake, luck=after) if stake.helper_use is None else replace(stake, helper=after), piles


def followed(play: Play, luck: Luck, method: str | None) -> Luck:
    """The luck as far as odds have to follow it when nobody asks for the hand: places are alike, and unusable cards.

    Jokers and Lucky Numbers stay what they are, since they act when Roll Your Hand finds them; cards that a policy may
    use stay in their order, since the first of equal ones is used.
    """

    def is_usable(card: Card) -> bool:
        if play.policy in ("", "none") or method is None:
            return False
        return not obstacles(play.values, descriptor=luck.descriptor, method=method, held=Held(card, up=True))

    lucky = (*map(str, luck.lucky), "")
    usable = [held for held in luck.hand if held and is_usable(held.card)]
    others = [held for held in luck.hand if held is None or not is_usable(held.card)]
    plain = min((held.card for held in others if held and held.card.rank not in lucky), default=None)
    if plain is not None:
        others = [held if held is None or held.card.rank in lucky else replace(held, card=plain) for held in others]
    return replace(luck, hand=(*usable, *sorted(others, key=str)))


def best_card(values: Values, luck: Luck, method: str) -> int | None:
    """The place of the card in the player's own hand that would lower the number most, if any may be used."""
    usable = {
        position: reduction(values, held.card)
        for position, held in enumerate(luck.hand, 1)
        if held is not None and not obstacles(values, descriptor=luck.descriptor, method=method, held=held)
    }
    return max(usable, key=lambda position: usable[position], default=None)


def play_roll(play: Play, stake: Stake, cn: CN, piles: Piles) -> Played:
    """One roll against a Critical Number, from what is spent to the cost of it (SIX-022 to SIX-027, SIX-033).

    A card that makes the roll needless is spent all the same (SIX-Q36).
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Side(Operator):
    """An Operator who rolls, with the method chosen and what is spent or wagered before the dice fall."""

    method: Method
    use: Positive | None = None
    wager: Count = 0
    helper: Helper | None = None
    replace: bool = True


def read_stake(play: Play, side: Side, who: str, path: str, own: str) -> Stake:
    """What one side puts on its roll; `path` leads to its parameters in messages, `own` to those of the Operator."""
    luck, helper = read_luck(play, own, side, takes=side.replace, who=who), None
    if side.helper is not None:
        takes = side.replace and side.helper.replace
        helper = read_luck(play, f"{path}helper.", side.helper, takes=takes, who=f"{luck.who}'s helper")
    use = None if side.helper is None else side.helper.use
    return Stake(luck, side.method, side.use, side.wager, helper, use, path)


@procedure(
    "SIX-022 SIX-023 SIX-024 SIX-025 SIX-027 SIX-031 SIX-033 SIX-034 SIX-035 SIX-036 SIX-037 SIX-038 SIX-040 SIX-041",
    "SIX-042 SIX-043 SIX-044 SIX-045 SIX-049 SIX-050 SIX-051 SIX-052 SIX-053 SIX-054 SIX-073",
    say="an Operator takes on a challenge: the roll, and Roll Your Hand if it comes to that",
)
@taking(Given)
def attempt(
    play: Play,
    given: Given,
    *,
    actor: Operator,
    method: Method,
    cn: CN,
    use: Positive | None = None,
    helper: Helper | None = None,
    wager: Count = 0,
    replace_: bool = True,
) -> Attempt:
    """One try at a challenge; `use` is the place of the card spent, `replace` whether a Lucky Number's card is taken.

    The dice are the roll itself, then Roll Your Hand. A failed challenge may be tried again (SIX-031).
    """
    side = Side(**spread(actor), method=method, use=use, wager=wager, helper=helper, replace=replace_)
    stake = read_stake(play, side, "the Operator", "", "actor.")
    played = play_roll(play, stake, cn, read_piles(given))
    helped, luck = played.stake.helper, played.stake.luck
    return Attempt(
        effective=played.effective,
        outcome=played.result,
        overcome=played.overcome,
        die=played.die,
        rolled_hand=played.rolled_hand,
        hand=written(luck.hand),
        helper_hand=None if helped is None else written(helped.hand),
        strikes=luck.strikes,
        removed=is_removed(play, luck.strikes),
        discarded=written_cards(played.piles.laid),
        **spread(played.piles.left),
    )
