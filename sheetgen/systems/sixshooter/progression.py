"""Section N: between adventures — Lucky Numbers given, third Strikes survived or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sheetgen.dice.deck import Card
from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.cards import bad, read_hand, spoken
from sheetgen.systems.sixshooter.operators import Number, check_lucky, is_lucky_number


@dataclass(frozen=True, slots=True)
class Award:
    """A Lucky Number that one player presents to an Operator, whose player chose it (`SIX-065`, `SIX-066`)."""

    giver: str
    hand: tuple[str, ...]
    to: str
    number: Number
    removed: bool = False


@dataclass(frozen=True, slots=True)
class EndOfAdventure:
    """Which awards stand, in their order, and everybody's Lucky Numbers afterwards."""

    accepted: tuple[bool, ...]
    lucky: Named[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class ThirdStrike:
    """What a third Strike means now and later; `strikes_next` are those at the next adventure, for who returns."""

    adventure: Literal["out"]
    career: Literal["returns", "retired"]
    lucky: tuple[int, ...]
    strikes_next: int | None


@procedure("SIX-065", "SIX-066", "SIX-067", "SIX-073", say="the end of an adventure: Lucky Numbers for face cards")
def end_adventure(play: Play, *, lucky: Mapping[str, tuple[Number, ...]], awards: tuple[Award, ...]) -> EndOfAdventure:
    """Which awards of additional Lucky Numbers stand, taken one after the other.

    Source: SIX-065 to SIX-067; range and doubles SIX-Q29; one award for each player SIX-Q30; the player of a removed
    Operator gives all the same (SIX-Q31).
    """
    for name, held in lucky.items():
        check_lucky(play.values, held, f"lucky.{name}")
    numbers, accepted, given = dict(lucky), list[bool](), set[str]()
    for index, award in enumerate(awards, 1):
        if award.to not in numbers:
            raise bad(f"awards[{index}].to", f"takes one of {', '.join(numbers)}, not {award.to}")
        cards = _face_cards(play, award, f"awards[{index}].hand")
        refusal = _refusal(play, award, cards, award.giver in given, numbers[award.to])
        accepted.append(not refusal)
        if refusal:
            play.tell(f"{award.giver} gives {award.to} nothing: {refusal[0]}", refusal[1])
            continue
        given.add(award.giver)
        numbers[award.to] = (*numbers[award.to], award.number)
        shown = spoken(play.values, cards[0])
        play.tell(f"{award.giver}, who holds {shown}, gives {award.to} the Lucky Number {award.number}", "SIX-065")
    return EndOfAdventure(tuple(accepted), Named(numbers))


def _face_cards(play: Play, award: Award, path: str) -> tuple[Card, ...]:
    ranks = play.values.at("progression.cards")
    hand = read_hand(play, award.hand, path)
    return tuple(held.card for held in hand if held is not None and held.up and held.card.rank in ranks)


def _refusal(
    play: Play, award: Award, cards: tuple[Card, ...], given: bool, held: tuple[int, ...]
) -> tuple[str, str] | tuple[()]:
    """Why an award does not stand, and the rule; nothing if it stands."""
    values = play.values
    if not cards:
        return "no jack, queen, king or ace lies face-up in that hand", "SIX-065"
    if given:
        return "one award for each player", "SIX-Q30"
    if len(held) >= values.number("lucky.held"):
        return f"{len(held)} Lucky Numbers are the most", "SIX-067"
    if not is_lucky_number(values, award.number):
        return f"{award.number} is not from {values.text('lucky.least')} to {values.text('lucky.most')}", "SIX-Q29"
    if award.number in held:
        return f"{award.number} is lucky for {award.to} already", "SIX-Q29"
    return ()


@procedure("SIX-038", "SIX-068", "SIX-069", "SIX-070", say="what becomes of an Operator after the third Strike")
def third_strike(
    play: Play, *, lucky: tuple[Number, ...] = (), sacrifice: Number | Literal["none"] = "none"
) -> ThirdStrike:
    """Whether an Operator returns by giving up a Lucky Number, or retires for good.

    Source: SIX-068, SIX-069; Strikes start anew (SIX-070); who has none left plays on with none (SIX-Q33).
    """
    check_lucky(play.values, lucky, "lucky")
    play.tell("The third Strike: out of the present adventure", "SIX-068")
    if sacrifice == "none":
        why = "no Lucky Number is given up" if lucky else "there is no Lucky Number to give up"
        play.tell(f"Retired for good: {why}", "SIX-068" if lucky else "SIX-069")
        return ThirdStrike("out", "retired", lucky, None)
    if sacrifice not in lucky:
        held = ", ".join(map(str, lucky)) or "no Lucky Number"
        raise Refused("no_such_number", f"sacrifice: takes a number the Operator has ({held}) or none", "SIX-068")
    left = tuple(number for number in lucky if number != sacrifice)
    start = play.values.number("strikes.start")
    play.tell(f"{sacrifice} is given up: back for the next adventure with {start} Strikes", "SIX-068", "SIX-070")
    return ThirdStrike("out", "returns", left, start)
