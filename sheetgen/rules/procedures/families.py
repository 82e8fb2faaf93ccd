"""Mechanics that a pack without Python can choose by name: its rolls become procedures like any other.

    play:
      attempt: {family: sum against a target, dice: 2d6, say: try something}

Each family is a maker of a procedure from the pack's words; the parameters are the same in every pack that uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, make_dataclass
from keyword import iskeyword
from typing import Annotated, Any, Literal, get_origin

from sheetgen.dice.deck import JOKER, RANKS, DealtCards, full_deck
from sheetgen.dice.notation import Notation, NotationError, parse_notation
from sheetgen.errors import InputError, Problem, among, quoted, suggestion
from sheetgen.model.procedures import RECKONING, Reckoning
from sheetgen.model.system import FIGHT, Step, System
from sheetgen.rules.procedures.family_words import FamilyWords, there_are
from sheetgen.rules.procedures.linked_families import LINKED
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
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

A, B, NOBODY = "a", "b", "nobody"
BY_TURNS, BY_LOT, AT_ONCE = "by turns", "by lot", "at once"
ORDERS = (BY_TURNS, BY_LOT, AT_ONCE)
OWN_FIELDS = ("hits", "weapon", "armour")
Hits = Annotated[int, Whole(1, 200)]
Armour = Annotated[int, Whole(0, 99)]
Left = tuple[int, int]
LOWEST, MOST_JOKERS, MOST_WORTH = 2, 2, 99
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts", "": "joker"}
BLACK, RED = "black", "red"
Suit = Literal["clubs", "diamonds", "spades", "hearts", "joker"]
Colour = Literal["black", "red", "joker"]


@dataclass(frozen=True, slots=True)
class Fought:
    """Who won a fight (a, b or nobody), after how many rounds, and the hits that each has left."""

    winner: str
    rounds: int
    a_hits: int
    b_hits: int


@dataclass(frozen=True, slots=True, eq=False)
class _Attack:
    """How a side hits: the roll, which fields of whom fill it in, and which result is a hit or what it takes."""

    roll: Procedure
    own: tuple[str, ...]
    other: tuple[str, ...]
    hit: str
    takes: str
    least: int

    def harm(self, play: Play, one: Any, other: Any) -> int:
        """Return what one side's attack takes from the hits of the other."""
        given = {name: getattr(one, name) for name in self.own} | {name: getattr(other, name) for name in self.other}
        whole = {each.name: each.default for each in self.roll.parameters if not each.needed} | given
        outcome = self.roll.run(play, whole)
        if self.takes:
            return max(int(_result(outcome, self.takes) or 0), 0)
        if not _result(outcome, self.hit):
            return 0
        dice = _dice(one.weapon)
        plain = not dice.keep and not dice.tens
        rolled = (
            play.dice.total(dice.count, dice.sides, "damage") + dice.modifier
            if plain
            else dice.total(play.dice.roll(dice.count, dice.sides, "damage"))
        )
        harm: int = max(rolled - other.armour, self.least)
        play.tell(f"damage {one.weapon}: {rolled}{f' less {other.armour}' if other.armour else ''} = {harm}")
        return harm


def fight(words: FamilyWords) -> Callable[..., Fought]:
    """Let two sides attack in turn with a `roll` of the pack until one has no hits; `takes`, or `hit`, reads it."""
    words.only("roll", "own", "other", "hit", "takes", "weapon", "least", "order", "most")
    attack, order, most = _attack(words), words.word("order", BY_TURNS), words.number("most", "100")
    if order not in ORDERS:
        raise words.wrong(f"order is {', '.join(ORDERS)}, not {quoted(order)}{suggestion(order, ORDERS)}", order)
    if most < 1:
        raise words.wrong("most is at least 1 round", words.step.params.get("most"))  # type: ignore[call-overload]

    def strike(play: Play, one: Any, other: Any, who: str) -> int:
        harm = play.part(attack.harm, one, other)
        play.tell(f"{who} takes {harm}" if harm else f"{who} takes nothing")
        return harm

    def one_round(play: Play, left: Left, a: Any, b: Any) -> Left:
        a_left, b_left = left
        a_begins = order != BY_LOT or play.dice.total(1, 2, "who begins") == 1
        for who in (A, B) if a_begins else (B, A):
            if who == A:
                b_left = max(b_left - strike(play, a, b, B), 0)
            else:
                a_left = max(a_left - strike(play, b, a, A), 0)
            if order != AT_ONCE and not (a_left and b_left):
                break
        return a_left, b_left

    def whole(play: Play, *, a: Any, b: Any) -> Fought:
        (a_left, b_left), rounds = play.rounds(
            one_round,
            (a.hits, b.hits),
            a,
            b,
            goes_on=all,
            what=words.step.name,
            most=most,
            counted=play.needs("rounds"),
            begins=lambda count: play.tell(f"round {count}"),
        )
        winner = NOBODY if bool(a_left) == bool(b_left) else A if a_left else B
        play.tell(f"{winner} wins: a has {a_left} hits left, b {b_left}")
        return Fought(winner, rounds, a_left, b_left)

    fighter = _fighter(words, attack)
    whole.__annotations__ |= {"a": fighter, "b": fighter, "return": Fought}
    return whole


def _attack(words: FamilyWords) -> _Attack:
    roll = words.roll()
    if "takes" in words.step.params:
        roll = roll.asked_for(words.word("takes"))
    name = roll.name
    own, other = words.words("own"), words.words("other")
    known = {each.name: each for each in roll.parameters}
    for each in (*own, *other):
        if each not in known:
            raise words.wrong(
                f"{name} takes no {quoted(each)}{suggestion(each, known) or there_are(tuple(known))}", each
            )
        kept = each in OWN_FIELDS[:1] or iskeyword(each) or not each.isidentifier()
        if kept or get_origin(known[each].wanted) in (tuple, frozenset, Mapping):
            raise words.wrong(f"{each} of {name} cannot come from a fighter", each)
    both = [each for each in other if each in own]
    if both:
        raise words.wrong(f"{both[0]} stands under own and under other", both[0])
    missing = [each.name for each in roll.parameters if each.needed and each.name not in (*own, *other)]
    if missing:
        raise words.wrong(f"{name} needs {', '.join(missing)}: name it under own or other")
    given = words.step.params
    if ("takes" in given) == ("hit" in given):
        raise words.wrong("say either takes (a result that is a number) or hit (a result that is yes or no)")
    if "takes" in given:
        extra = next((each for each in given if each in ("weapon", "least")), None)
        if extra is not None:
            raise words.wrong(f"{extra} goes with hit, not with takes", extra)
        return _Attack(roll, own, other, "", words.result(roll, "takes", int), 0)
    return _Attack(roll, own, other, words.result(roll, "hit", bool), "", words.number("least", "0"))


def _fighter(words: FamilyWords, attack: _Attack) -> type:
    """Return the record of a fighter: hits, what the roll takes, and weapon and armour where a hit rolls damage."""
    known = {each.name: each for each in attack.roll.parameters}
    found: list[Any] = [("hits", Hits)]
    for name in (*attack.own, *attack.other):
        each = known[name]
        found.append((name, each.wanted) if each.needed else (name, each.wanted, field(default=each.default)))
    if attack.hit:
        taken = next((each for each in (*attack.own, *attack.other) if each in OWN_FIELDS), None)
        if taken is not None:
            raise words.wrong(f"{taken} of a fighter is its own already: rename the parameter", taken)
        weapon = words.word("weapon", "1d6")
        try:
            parse_notation(weapon)
        except NotationError as error:
            raise words.wrong(f"weapon: {error.message}", weapon) from None
        found += [("weapon", str, field(default=weapon)), ("armour", Armour, field(default=0))]
    return make_dataclass("Fighter", sorted(found, key=len), frozen=True)


def _dice(text: str) -> Notation:
    try:
        return parse_notation(text)
    except NotationError as error:
        raise Refused("weapon", f"weapon: {error.message}") from None


def _result(outcome: Any, name: str) -> Any:
    return outcome[name] if isinstance(outcome, Mapping) else getattr(outcome, name)


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
            found[name] = (
                reckoned(step, system) if isinstance(step, Reckoning) else _roll_procedure(name, step, rolls, system)
            )
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


def _roll_procedure(name: str, step: Step, rolls: Mapping[str, Procedure], system: System) -> Procedure:
    if step.do not in FAMILIES:
        near = suggestion(step.do, FAMILIES) or f" (one of: {', '.join((*FAMILIES, RECKONING))})"
        raise InputError([Problem(step.do.place, f"play {name}: unknown family {quoted(step.do)}{near}")])
    work = FAMILIES[step.do](FamilyWords(step, rolls, system.tables, system.values))
    return declared(work, name=name, say=step.say or step.do, rules=(step.rule,) if step.rule else ())
