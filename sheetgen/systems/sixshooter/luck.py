"""Sections F, G, J and O: Roll Your Hand, Strikes, Lucky Numbers, and jokers that stay where they lie.

At the end stands what is kept of an Operator from adventure to adventure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Literal

from sheetgen.dice.deck import Card
from sheetgen.model.character import Character, Value
from sheetgen.model.procedures import Named
from sheetgen.model.system import System
from sheetgen.model.wording import capital
from sheetgen.rules.consequences import Consequence, Event, cited, reads
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.sixshooter.cards import (
    CN,
    IMPOSSIBLE,
    Count,
    Descriptor,
    Given,
    Hand,
    Held,
    LeftPiles,
    Number,
    Piles,
    Positive,
    bad,
    check_lucky,
    draw,
    is_lucky_number,
    lay,
    placed,
    read_hand,
    read_piles,
    renewed,
    spoken,
    strikes_text,
    written,
    written_cards,
)
from sheetgen.systems.sixshooter.characters import LUCK, STRIKES, lucky_numbers, strikes


@dataclass(frozen=True, slots=True)
class Operator:
    """An Operator as the table sees one: the Descriptor, the hand, Lucky Numbers and Strikes."""

    descriptor: Descriptor
    hand: tuple[str, ...]
    lucky: tuple[Number, ...] = ()
    strikes: Count = 0
    name: str = ""
    archetype: str = ""


@dataclass(frozen=True, slots=True)
class Luck:
    """What stands between an Operator of a Descriptor and the end: the hand, the Lucky Numbers and the Strikes.

    `takes` says whether the player takes the card that a Lucky Number offers (`SIX-Q38`); `who` is for the log.
    """

    hand: Hand
    lucky: tuple[int, ...] = ()
    strikes: int = 0
    takes: bool = True
    who: str = "the Operator"
    descriptor: str = ""


def read_luck(play: Play, path: str, one: Operator, *, takes: bool = True, who: str = "the Operator") -> Luck:
    """The luck that the parameters of an Operator state, who is still in play (`SIX-038`, `SIX-Q31`)."""
    check_lucky(play.values, one.lucky, f"{path}lucky")
    if is_removed(play, one.strikes):
        message = f"with {strikes_text(one.strikes)} an Operator is out of play and can neither act nor help"
        raise Refused("removed", f"{path}strikes: {message}", "SIX-038")
    hand = read_hand(play.values, one.hand, f"{path}hand")
    return Luck(hand, one.lucky, one.strikes, takes, one.name or who, one.descriptor)


def is_removed(play: Play, strikes: int) -> bool:
    """Whether so many Strikes remove an Operator from play (`SIX-038`)."""
    return strikes >= play.values.number("strikes.removal")


def struck(play: Play, luck: Luck, count: int, *rules: str) -> Luck:
    """The luck with more Strikes; the third one removes the Operator (`SIX-038`)."""
    after = replace(luck, strikes=luck.strikes + count)
    play.tell(f"{capital(luck.who)} gains {strikes_text(count)} and has {after.strikes}", *rules)
    if is_removed(play, after.strikes):
        play.tell(f"That is Strike {play.values.text('strikes.removal')}: {luck.who} is out", "SIX-038")
    return after


def part_with(play: Play, luck: Luck, position: int, piles: Piles) -> tuple[Luck, Piles]:
    """The luck and the piles once the card at a position is discarded, and replaced if it was lucky.

    The new card lies face-up in the same place, one for each discard (SIX-053, SIX-054, SIX-Q21, SIX-Q22).
    """
    held = luck.hand[position - 1]
    assert held is not None
    piles = lay(piles, held.card)
    new: Held | None = None
    if held.card.rank in map(str, luck.lucky):
        number = held.card.rank
        if luck.takes:
            play.tell(f"{number} is a Lucky Number of {luck.who}: the top card takes its place", "SIX-053", "SIX-054")
            card, piles = draw(play, piles)
            if card is not None:
                play.tell(f"It is {spoken(play.values, card)}, face-up in place {position}", "SIX-054", "SIX-Q21")
                new = Held(card, up=True)
        else:
            play.tell(f"{number} is a Lucky Number of {luck.who}, who draws nothing for it", "SIX-053", "SIX-Q38")
    return replace(luck, hand=placed(luck.hand, position, new)), renewed(play, piles)


def roll_your_hand(play: Play, luck: Luck, piles: Piles) -> tuple[int, Luck, Piles]:
    """The position that the die names, and the luck and piles after what happens there (`SIX-034`, `SIX-035`)."""
    values = play.values
    (face,) = play.dice.roll(1, values.number("hand.places"), f"{luck.who}: Roll Your Hand")
    held = luck.hand[face - 1]
    at = f"Roll Your Hand: {face}, {luck.who}'s"
    if held is None:
        play.tell(f"{at} empty place", "SIX-034", "SIX-035")
        return face, struck(play, luck, values.number("hand.strikes"), "SIX-035"), piles
    card = spoken(values, held.card)
    if not held.up:
        play.tell(f"{at} face-down card: it is {card}, and stays face-up", "SIX-034", "SIX-035")
        return face, replace(luck, hand=placed(luck.hand, face, replace(held, up=True))), piles
    if held.card.is_joker:
        play.tell(f"{at} face-up joker: it stays, and no Strike follows", "SIX-073", "SIX-Q28")
        return face, luck, piles
    play.tell(f"{at} {card.removeprefix('the ')}, face-up: discarded for nothing", "SIX-034", "SIX-035")
    return face, *part_with(play, luck, face, piles)


@procedure(
    "SIX-014 SIX-033 SIX-034 SIX-035 SIX-038 SIX-053 SIX-054 SIX-073",
    say="Roll Your Hand: one die decides which of six cards is hit",
    results="rolled_hand hand strikes removed discarded *",
)
@taking(Given)
def roll_hand(
    play: Play,
    given: Given,
    *,
    hand: tuple[str, ...],
    lucky: tuple[Number, ...] = (),
    strikes: Count = 0,
    replace_: bool = True,
) -> tuple[int, tuple[str, ...], int, bool, tuple[str, ...], LeftPiles]:
    """What one die does to a hand: turns a card up, takes one away, or finds nothing left but a Strike."""
    luck = read_luck(play, "", Operator("", hand, lucky, strikes), takes=replace_)
    face, luck, piles = roll_your_hand(play, luck, read_piles(given))
    removed, laid = is_removed(play, luck.strikes), written_cards(piles.laid)
    return face, written(luck.hand), luck.strikes, removed, laid, piles.left


@dataclass(frozen=True, slots=True)
class Award:
    """A Lucky Number that one player presents to an Operator, whose player chose it (`SIX-065`, `SIX-066`)."""

    giver: str
    hand: tuple[str, ...]
    to: str
    number: Number
    removed: bool = False


@procedure(
    "SIX-065 SIX-066 SIX-067 SIX-073",
    say="the end of an adventure: Lucky Numbers for face cards",
    results="accepted lucky",
)
def end_adventure(
    play: Play, *, lucky: Mapping[str, tuple[Number, ...]], awards: tuple[Award, ...]
) -> tuple[tuple[bool, ...], Named[str, tuple[int, ...]]]:
    """Which awards stand, in their order, and everybody's Lucky Numbers afterwards.

    Range and doubles SIX-Q29; one award for each player SIX-Q30, who gives it for a removed Operator too (SIX-Q31).
    """
    for name, held in lucky.items():
        check_lucky(play.values, held, f"lucky.{name}")
    numbers, accepted, givers, ranks = dict(lucky), list[bool](), set[str](), play.values.at("progression.cards")
    for index, award in enumerate(awards, 1):
        if award.to not in numbers:
            raise bad(f"awards[{index}].to", f"takes one of {', '.join(numbers)}, not {award.to}")
        hand = read_hand(play.values, award.hand, f"awards[{index}].hand")
        cards = [held.card for held in hand if held is not None and held.up and held.card.rank in ranks]
        refusal = _refusal(play, award, cards, award.giver in givers, numbers[award.to])
        accepted.append(not refusal)
        if refusal:
            play.tell(f"{award.giver} gives {award.to} nothing: {refusal[0]}", refusal[1])
            continue
        givers.add(award.giver)
        numbers[award.to] = (*numbers[award.to], award.number)
        card = spoken(play.values, cards[0])
        play.tell(f"{award.giver}, who holds {card}, gives {award.to} the Lucky Number {award.number}", "SIX-065")
    return tuple(accepted), Named(numbers)


def _refusal(
    play: Play, award: Award, cards: list[Card], given: bool, held: tuple[int, ...]
) -> tuple[str, str] | tuple[()]:
    """Why an award does not stand, and the rule; nothing if it stands."""
    if not cards:
        return "no jack, queen, king or ace lies face-up in that hand", "SIX-065"
    if given:
        return "one award for each player", "SIX-Q30"
    return number_refused(play, award.number, held, award.to)


def number_refused(play: Play, number: int, held: tuple[int, ...], to: str) -> tuple[str, str] | tuple[()]:
    """Why somebody who holds these cannot be given one more Lucky Number, and the rule; nothing if they can."""
    values = play.values
    if len(held) >= values.number("lucky.held"):
        return f"{len(held)} Lucky Numbers are the most", "SIX-067"
    if not is_lucky_number(values, number):
        return f"{number} is not from {values.text('lucky.least')} to {values.text('lucky.most')}", "SIX-Q29"
    if number in held:
        return f"{number} is lucky for {to} already", "SIX-Q29"
    return ()


@procedure(
    "SIX-038 SIX-068 SIX-069 SIX-070",
    say="what becomes of an Operator after the third Strike",
    results="adventure career lucky strikes_next",
)
def third_strike(
    play: Play, *, lucky: tuple[Number, ...] = (), sacrifice: Number | Literal["none"] = "none"
) -> tuple[Literal["out"], Literal["returns", "retired"], tuple[int, ...], int | None]:
    """Whether an Operator returns, with no Strikes, by giving up a Lucky Number, even the last, or retires; SIX-Q33."""
    check_lucky(play.values, lucky, "lucky")
    play.tell("The third Strike: out of the present adventure", "SIX-068")
    if sacrifice == "none":
        why = "no Lucky Number is given up" if lucky else "there is no Lucky Number to give up"
        play.tell(f"Retired for good: {why}", "SIX-068" if lucky else "SIX-069")
        return "out", "retired", lucky, None
    if sacrifice not in lucky:
        held = ", ".join(map(str, lucky)) or "no Lucky Number"
        raise Refused("no_such_number", f"sacrifice: takes a number the Operator has ({held}) or none", "SIX-068")
    left = tuple(number for number in lucky if number != sacrifice)
    start = play.values.number("strikes.start")
    play.tell(f"{sacrifice} is given up: back for the next adventure with {start} Strikes", "SIX-068", "SIX-070")
    return "out", "returns", left, start


@procedure(
    "SIX-H2",
    say="how many challenges an Operator lasts, on average",
    results="first last table",
)
def evening(play: Play, *, cn: CN, players: Positive = 1, spends: bool = True) -> tuple[int, int, int]:
    """Whole challenges before the first and the last Strike, and so many Operators' before their first.

    With `spends`, every face-up card is spent at once and suits; no Lucky Number, helper or wager comes to the rescue.
    """
    if cn == IMPOSSIBLE:
        raise Refused("not_possible", "cn: takes a number, since nothing is rolled against Impossible", "SIX-027")
    first, last = (_lasts(play, cn, most, spends) for most in (1, play.values.number("strikes.removal")))
    play.tell(f"About {round(first)} challenges until the first Strike, {round(last)} until the last", "SIX-H2")
    return round(first), round(last), round(first * players)


def _lasts(play: Play, cn: int, most: int, spends: bool) -> Fraction:
    """The exact mean number of challenges until an Operator has so many Strikes."""
    values = play.values
    sides, places, top = (values.number(path) for path in ("die.sides", "hand.places", "critical.most"))
    worth, each = tuple(values.numbers("cards.reduces").values()), values.number("strikes.each")

    @cache
    def left(down: int, up: int, strikes: int) -> Fraction:
        if strikes >= most:
            return Fraction(0)
        total, stays = Fraction(1), Fraction(0)
        off = worth if spends and up else (0,)
        still = up - (spends and up > 0)
        for less in off:
            pays = Fraction(min(max(min(top, cn + each * strikes) - less, 0), sides), sides)
            ways = {
                (down, still, strikes): 1 - pays,
                (down - 1, still + 1, strikes): pays * down / places,
                (down, still - 1, strikes): pays * still / places,
                (down, still, strikes + 1): pays * (places - down - still) / places,
            }
            for state, chance in ways.items():
                if state == (down, up, strikes):
                    stays += chance / len(off)
                elif chance:
                    total += chance / len(off) * left(*state)
        return total / (1 - stays)

    if cn <= 0:
        raise Refused("endless", "cn: takes at least 1, since nobody is worn down by less", "SIX-026")
    return left(places - 1, 1, 0)


@reads()
def experience(play: Play, character: Character, event: Event) -> Consequence:
    """A Lucky Number presented at the end of an adventure; the amount is the number itself (`SIX-065`, `SIX-066`)."""
    held = lucky_numbers(play.system, character)
    refusal = number_refused(play, event.amount, held, character.text("name"))
    if refusal:
        raise Refused("number", *refusal)
    said = cited(f"Lucky Number {event.amount}", "SIX-065", "SIX-066")
    return Consequence(said, _luck(play.system, (*held, event.amount)))


@reads(on=True)
def injury(play: Play, character: Character, event: Event) -> Consequence:
    """Strikes; after the third the Lucky Number named is given up, or the Operator retires (`SIX-068`, `SIX-069`)."""
    held, before = lucky_numbers(play.system, character), strikes(play.system, character)
    removal, after = play.values.number("strikes.removal"), before + event.amount
    if after > removal:
        raise Refused("strikes", f"{removal} Strikes are the most, and there were {before}", "SIX-038")
    if after < removal:
        if event.on:
            raise Refused("on", f"a Lucky Number is given up at Strike {removal}, and this is {after}", "SIX-068")
        return Consequence(cited(f"Strikes {before} to {after}", "SIX-036"), _strikes(play.system, after))
    word = event.one("none", "Lucky Numbers are given up")
    if word != "none" and not word.isdecimal():
        raise Refused("on", f"what is given up is a Lucky Number, not {word}", "SIX-068")
    given = int(word) if word.isdecimal() else "none"
    _, career, left, start = third_strike(play, lucky=held, sacrifice=given)  # type: ignore[arg-type]
    if career == "retired" or start is None:
        said = cited(f"Strikes {before} to {after}: retired for good", "SIX-068" if held else "SIX-069")
        return Consequence(said, _strikes(play.system, after))
    said = cited(f"the third Strike: gives up the Lucky Number {given}, back next adventure", "SIX-068")
    return Consequence(said, {**_luck(play.system, left), **_strikes(play.system, start)})


@reads(amount=False)
def rest(play: Play, character: Character, event: Event) -> Consequence:
    """The next adventure starts, and Strikes return to none, but not for somebody retired (`SIX-070`)."""
    before, start = strikes(play.system, character), play.values.number("strikes.start")
    if before >= play.values.number("strikes.removal"):
        raise Refused("retired", "retired for good by the third Strike", "SIX-068")
    if before == start:
        raise Refused("strikes", "there is no Strike to take away", "SIX-070")
    return Consequence(cited(f"Strikes {before} to {start}", "SIX-070"), _strikes(play.system, start))


def _luck(system: System, numbers: tuple[int, ...]) -> dict[str, Value]:
    members = system.group(LUCK).members
    return {LUCK: {trait.name: number for trait, number in zip(members, numbers, strict=False)}}


def _strikes(system: System, count: int) -> dict[str, Value]:
    return {STRIKES: {system.group(STRIKES).members[0].name: count} if count else {}}
