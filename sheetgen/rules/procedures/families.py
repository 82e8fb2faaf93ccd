"""Mechanics that a pack without Python can choose by name: its rolls become procedures like any other.

    play:
      attempt: {family: sum against a target, dice: 2d6, say: try something}

Each family is a maker of a procedure from the pack's words; the parameters are the same in every pack that uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from sheetgen.dice.deck import JOKER, RANKS, DealtCards, full_deck
from sheetgen.errors import InputError, Problem, among, quoted, suggestion
from sheetgen.model.reckoning import RECKONING, Reckoning
from sheetgen.model.system import FIGHT, Step, System
from sheetgen.rules.procedures.family_words import FamilyWords
from sheetgen.rules.procedures.fights import fight
from sheetgen.rules.procedures.linked_families import LINKED
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import Procedure, declared
from sheetgen.rules.procedures.reckoning import reckoned
from sheetgen.rules.procedures.result_families import (
    Advantage,
    bands_of_results,
    exploding_dice,
    highest_face,
    matching_faces,
    percentile,
    roll_under,
    step_dice,
    usage_die,
)
from sheetgen.rules.procedures.sum_families import (
    Number,
    against,
    aimed,
    count_successes,
    critical_number,
    die_codes,
    sum_against,
    sum_of_kept,
)

LOWEST, MOST_JOKERS, MOST_WORTH = 2, 2, 99
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts", "": "joker"}
BLACK, RED = "black", "red"
Suit = Literal["clubs", "diamonds", "spades", "hearts", "joker"]
Colour = Literal["black", "red", "joker"]


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """The card that counts: its worth with the bonus against a target, its suit and its colour."""

    total: int
    success: bool
    margin: int
    suit: Suit
    colour: Colour


def drawn_cards(words: FamilyWords) -> Callable[..., DrawnCard]:
    """Draw a card of a fresh deck; its worth and a bonus against a target. Advantage draws more: the best one counts.

    A number is worth itself, J to A are worth 11 to 14, unless `worth` says so otherwise; `jokers` are above all: 15,
    or one more than the highest worth.
    """
    words.only("jokers", "worth")
    jokers = words.number("jokers", "0")
    if jokers > MOST_JOKERS:
        raise words.wrong(f"a deck has 0 to {MOST_JOKERS} jokers", words.step.params.get("jokers"))  # type: ignore[call-overload]
    deck, worth, name = full_deck(jokers), _worth(words), words.step.name

    @aimed
    def roll(play: Play, *, target: Number, bonus: Number = 0, advantage: Advantage = 0) -> DrawnCard:
        cards = DealtCards(deck, play.dice) if isinstance(play.cards, DealtCards) else play.cards
        sign = 1 if advantage >= 0 else -1
        best = cards.best(abs(advantage) + 1, lambda card: sign * worth[card.rank or JOKER], name)
        total = worth[best.rank or JOKER] + bonus
        found = against(play, total, target, f"{best}{f' {bonus:+}' if bonus else ''}")
        colour: Colour = "joker" if best.is_joker else RED if best.suit in "DH" else BLACK  # type: ignore[assignment]
        return DrawnCard(total, found.success, found.margin, SUIT_NAMES[best.suit], colour)  # type: ignore[arg-type]

    return roll


def _worth(words: FamilyWords) -> dict[str, int]:
    """Return what each rank is worth; a joker is worth more than every card unless its own worth is given."""
    joker = len(RANKS) + LOWEST
    found = {rank: at for at, rank in enumerate(RANKS, LOWEST)} | {JOKER: joker}
    given = words.step.params.get("worth", {})  # type: ignore[call-overload]
    if not isinstance(given, Mapping):
        raise words.wrong("worth names ranks and what they count: {A: 1, J: 10}", given)
    for rank, number in given.items():
        if rank not in found:
            raise words.wrong(f"worth: no card is {quoted(rank)}{among(rank, found)}", rank)
        if not (str(number).isascii() and str(number).isdigit() and int(str(number)) <= MOST_WORTH):
            raise words.wrong(f"worth: {rank} counts a whole number from 0 to {MOST_WORTH}", rank)
        found[str(rank)] = int(str(number))
    return found if JOKER in given else found | {JOKER: max(joker, *(found[rank] + 1 for rank in RANKS))}


FAMILIES: Mapping[str, Callable[[FamilyWords], Callable[..., object]]] = {
    "sum against a target": sum_against,
    "sum of the kept dice": sum_of_kept,
    "count successes": count_successes,
    "die codes": die_codes,
    "critical number": critical_number,
    "roll under": roll_under,
    "bands of results": bands_of_results,
    "highest face": highest_face,
    "step dice": step_dice,
    "usage die": usage_die,
    "percentile": percentile,
    "exploding dice": exploding_dice,
    "matching faces": matching_faces,
    "drawn cards": drawn_cards,
    **LINKED,
    FIGHT: fight,
}


def family_procedures(system: System) -> dict[str, Procedure]:
    """The procedures that a pack's `play:` asks for; InputError at the words that do not hold."""
    found, problems, failed = dict[str, Procedure](), list[Problem](), set[str]()
    for name, step in sorted(system.play.items(), key=lambda each: _tier(each[1])):
        rolls = {each: known for each, known in found.items() if _tier(system.play[each]) < _tier(step)}
        if isinstance(step, Step) and _tier(step) and step.params.get("roll") in failed:  # type: ignore[call-overload]
            failed.add(name)
            continue  # what is wrong with its roll is told there
        try:
            found[name] = reckoned(step, system) if isinstance(step, Reckoning) else _rolled(name, step, rolls, system)
        except InputError as error:
            failed.add(name)
            problems += error.problems
    if problems:
        raise InputError(problems)
    return {name: found[name] for name in system.play}


def _tier(step: Step | Reckoning) -> int:
    """Return what may go on from what: 1 from rolls of 0, a table that leads on (2) from both, a fight from all."""
    if isinstance(step, Reckoning):
        return 0
    if step.do == FIGHT or "leads" in step.params:
        return 3 if step.do == FIGHT else 2
    return int(step.do in LINKED and ("roll" in step.params or step.do != "opposed rolls"))


def _rolled(name: str, step: Step, rolls: Mapping[str, Procedure], system: System) -> Procedure:
    if step.do not in FAMILIES:
        near = suggestion(step.do, FAMILIES) or f" (one of: {', '.join((*FAMILIES, RECKONING))})"
        raise InputError([Problem(step.do.place, f"play {name}: unknown family {quoted(step.do)}{near}")])
    work = FAMILIES[step.do](FamilyWords(step, rolls, system.tables, system.values))
    return declared(work, name=name, say=step.say or step.do, rules=(step.rule,) if step.rule else ())
