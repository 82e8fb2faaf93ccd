"""Sections H and I: which card may be spent on a roll and by whom, and Strikes wagered on All Or Nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from sheetgen.dice.deck import Card
from sheetgen.model.data import Values
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import Held, Piles, read_card, reduction, spoken
from sheetgen.systems.sixshooter.challenges import Off, strikes_text, wagered
from sheetgen.systems.sixshooter.creation import Count, Descriptor, Method, own_method, suit_of
from sheetgen.systems.sixshooter.luck import Luck, part_with, with_cards_alike

User = Literal["self", "other"]


@dataclass(frozen=True, slots=True)
class Use:
    """Whether a card may be used, by how much it lowers the number, and the code of everything in the way."""

    legal: bool
    reduces: int
    problems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stake:
    """What is put on one roll before the die falls: whose luck it is, the method, and a card, a helper or a wager.

    `use` and `helper_use` are positions in the two hands; `path` leads to the parameters in messages.
    """

    descriptor: str
    method: str
    luck: Luck
    use: int | None = None
    wager: int = 0
    helper_descriptor: str = ""
    helper: Luck | None = None
    helper_use: int | None = None
    path: str = ""


def obstacles(values: Values, *, user: User, descriptor: str, method: str, held: Held, wager: int) -> dict[str, str]:
    """Everything that keeps a card from being used: each code with the rule it breaks.

    Source: suits SIX-042 to SIX-044, face-up SIX-040, jokers SIX-073, wagers SIX-052.
    """
    found = {}
    if held.card.is_joker:
        found["joker"] = "SIX-073"
    if not held.up:
        found["face_down"] = "SIX-040"
    if wager:
        found["card_with_wager"] = "SIX-052"
    if not held.card.is_joker:
        own = own_method(values, descriptor) == method
        suits = held.card.suit == suit_of(values, method)
        if user == "self" and not (suits or own):
            found["wrong_suit"] = "SIX-042"
        if user == "other" and not (suits and own):
            found["wrong_suit"] = "SIX-044"
    return found


def _why(values: Values, code: str, held: Held, method: str, user: User) -> str:
    card = spoken(values, held.card)
    return {
        "joker": "a joker cannot be used",
        "face_down": f"{card} lies face-down",
        "card_with_wager": f"{card} may not be spent on a roll with a wager",
        "wrong_suit": f"{card} does not suit {method}"
        + (", or the helper's Descriptor does not" if user == "other" else ""),
    }[code]


@procedure(
    *("SIX-005", "SIX-006", "SIX-040", "SIX-041", "SIX-042", "SIX-043", "SIX-044", "SIX-052", "SIX-073"),
    say="whether a card may be used on a roll, and what it is worth",
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
) -> Use:
    """Whether the player of an Operator with this Descriptor may spend a card on their own or another's roll.

    Source: SIX-040 to SIX-044, SIX-052; the helper's card is always of the helper's own suit (SIX-Q18).
    """
    values, held = play.values, Held(read_card(card, "card"), face == "up")
    found = obstacles(values, user=for_, descriptor=descriptor, method=method, held=held, wager=wager)
    for code, rule in found.items():
        play.tell(f"No: {_why(values, code, held, method, for_)}", rule)
    reduces = 0 if found else reduction(values, held.card)
    if not found:
        play.tell(f"{spoken(values, held.card).capitalize()} takes {reduces} off the Critical Number", "SIX-041")
    return Use(not found, reduces, frozenset(found))


def check_stake(play: Play, stake: Stake) -> None:
    """Refuses what may not be put on a roll; nothing has been discarded or rolled by then.

    Source: one card SIX-045, SIX-Q19; none with a wager SIX-052; the wager's size SIX-049.
    """
    cards = sum(position is not None for position in (stake.use, stake.helper_use))
    if cards > 1:
        raise Refused("two_cards", f"{stake.path}use: one card on a roll, whoever spends it", "SIX-045")
    if cards and stake.wager:
        message = f"{stake.path}wager: with a wager no card may be spent on the roll"
        raise Refused("card_with_wager", message, "SIX-052")
    most = play.values.number("strikes.removal")
    if stake.wager + stake.luck.strikes > most:
        held = strikes_text(stake.luck.strikes)
        message = f"{stake.path}wager: with {held} held it takes at most {most - stake.luck.strikes}, not {stake.wager}"
        raise Refused("wager_too_big", message, "SIX-049")
    if stake.use is not None:
        _check_card(play, stake, stake.luck, stake.use, user="self")
    if stake.helper_use is not None and stake.helper is not None:
        _check_card(play, stake, stake.helper, stake.helper_use, user="other")


def _check_card(play: Play, stake: Stake, luck: Luck, position: int, *, user: User) -> None:
    own = user == "self"
    path, descriptor = (
        (f"{stake.path}use", stake.descriptor) if own else (f"{stake.path}helper.use", stake.helper_descriptor)
    )
    held = luck.hand[position - 1] if position <= len(luck.hand) else None
    if held is None:
        raise Refused("no_such_card", f"{path}: there is no card in place {position} of the hand", "SIX-040")
    found = obstacles(play.values, user=user, descriptor=descriptor, method=stake.method, held=held, wager=0)
    for code, rule in found.items():
        raise Refused(code, f"{path}: {_why(play.values, code, held, stake.method, user)}", rule)


def spend(play: Play, stake: Stake, piles: Piles) -> tuple[Off, Stake, Piles]:
    """What the number is lowered by, and the stake and the piles once the card is discarded.

    Source: the card goes before the die is rolled (SIX-040); wagers SIX-050; whose Lucky Number counts SIX-Q20.
    """
    values = play.values
    if stake.wager:
        play.tell(f"All Or Nothing: {stake.luck.who} wagers {strikes_text(stake.wager)}", "SIX-049")
        return wagered(values, stake.wager), stake, piles
    luck, position = (stake.luck, stake.use) if stake.helper_use is None else (stake.helper, stake.helper_use)
    if luck is None or position is None:
        return Off(), stake, piles
    held = luck.hand[position - 1]
    assert held is not None
    card = spoken(values, held.card)
    off = Off(reduction(values, held.card), card, "SIX-041")
    after, piles = _discarded(play, luck, position, card, piles)
    if stake.helper_use is None:
        return off, replace(stake, luck=after), piles
    return off, replace(stake, helper=after), piles


def _discarded(play: Play, luck: Luck, position: int, card: str, piles: Piles) -> tuple[Luck, Piles]:
    play.tell(f"{luck.who[:1].upper()}{luck.who[1:]} spends {card} from place {position}", "SIX-040")
    return part_with(play, luck, position, piles)


def followed(play: Play, luck: Luck, descriptor: str, method: str | None) -> Luck:
    """The luck as far as odds have to follow it when nobody asks for the hand, with the cards that a policy may use."""

    def usable(card: Card) -> bool:
        if play.policy in ("", "none") or method is None:
            return False
        held = Held(card, up=True)
        return not obstacles(play.values, user="self", descriptor=descriptor, method=method, held=held, wager=0)

    return with_cards_alike(luck, usable)


def best_card(values: Values, descriptor: str, method: str, luck: Luck) -> int | None:
    """The place of the card in the player's own hand that would lower the number most, if any may be used."""
    best: tuple[int, int] | None = None
    for position, held in enumerate(luck.hand, 1):
        if held is None or obstacles(values, user="self", descriptor=descriptor, method=method, held=held, wager=0):
            continue
        if best is None or reduction(values, held.card) > best[0]:
            best = (reduction(values, held.card), position)
    return best[1] if best else None
