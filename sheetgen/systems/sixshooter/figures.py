"""Figures for the sheet, what an Operator fills in for procedures, and what makes one illegal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheetgen.dice.deck import JOKER, parse_card
from sheetgen.errors import Problem, quoted
from sheetgen.model.character import Character, Value
from sheetgen.model.data import Values, capital
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Refused
from sheetgen.systems.sixshooter.cards import DOWN, GONE, UP, heard, own_method, read_hand, spoken, suit_of
from sheetgen.systems.sixshooter.creation import DESCRIPTOR

LUCK, STRIKES, OPPONENT = "luck", "strikes", "opponent"


def lucky_numbers(system: System, character: Character) -> tuple[int, ...]:
    """The Lucky Numbers that an Operator holds, in the order of the pack (`SIX-010`, `SIX-067`)."""
    held = character.numbers(LUCK)
    return tuple(held[trait.name] for trait in system.group(LUCK).members if held.get(trait.name))


def strikes(system: System, character: Character) -> int:
    """How many Strikes an Operator has; none unless the file says so (`SIX-070`)."""
    start = system.values.number("strikes.start")
    return character.numbers(STRIKES).get(system.group(STRIKES).members[0].name, start)


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """Everything of an Operator that may be filled in; what is used makes no difference in this game."""
    hand = character.lines("hand")
    return {
        "descriptor": character.text("descriptor") or None,
        "archetype": character.text("occupation") or None,
        "lucky": list(lucky_numbers(system, character)),
        "strikes": strikes(system, character),
        "hand": list(hand) if hand else None,
        "opponent": character.text(OPPONENT) or None,
    }


MARK = "yes"


def figures(system: System, character: Character) -> Mapping[str, str]:
    """Every figure of the sheet by name; what the character does not say is left out."""
    values, found = system.values, dict[str, str]()
    lucky = lucky_numbers(system, character)
    if lucky:
        found["lucky"] = " · ".join(map(str, lucky))
    found.update({f"strike.{number}": MARK for number in range(1, strikes(system, character) + 1)})
    found["gear"] = "\u00a0· ".join(capital(thing) for thing in character.lines("gear"))
    found.update(_hand(values, character))
    own = character.text(DESCRIPTOR)
    if own in values.names("descriptors"):
        found.update(_best(values, own, character.text(OPPONENT)))
    return found


def numbers_to_beat(values: Values, descriptor: str, opponent: str) -> tuple[dict[str, int], int]:
    """Return the number to beat with each method, and how many successes it takes; `opponent` says how strong."""
    adds, needs = (values.number(f"opponents.{opponent}.{name}") if opponent else 0 for name in ("adds", "needs"))
    low, high = values.number("critical.least"), values.number("critical.most")
    usual = {name: values.number(f"met.{descriptor}.{name}") for name in values.names("methods")}
    return {name: min(max(number + adds, low), high) for name, number in usual.items()}, max(needs, 1)


def _best(values: Values, own: str, opponent: str) -> dict[str, str]:
    """What the Descriptor means: which mark to tick, and the numbers to beat where the Operator is a challenge."""
    method = own_method(values, own)
    met, needs = numbers_to_beat(values, own, opponent)
    found = {f"met.{name}": str(number) for name, number in met.items()}
    for at, name in enumerate(sorted(met, key=met.__getitem__), 1):
        found |= {f"way.{at}.name": name, f"way.{at}.number": str(met[name])}
    found[f"best.{method}"] = MARK
    found["method"] = method
    found["suit"] = values.text(f"suits.{suit_of(values, method)}").capitalize()
    found["fight"] = "Critical Numbers: " + ", ".join(f"{name} {number}" for name, number in met.items())
    found["successes"] = str(needs)
    if needs == 1:
        found["way.once"] = "One success beats them"
    else:
        found["needs"], found["takes"] = str(needs), f"takes {needs} successes"
        found["fight"] += f"; {needs} successes"
    return found


def _hand(values: Values, character: Character) -> dict[str, str]:
    """The cards that lie in the six places, in words, with a mark for those that are up or gone."""
    found = {}
    for place, entry in enumerate(character.lines("hand"), 1):
        if entry == GONE:
            found[f"gone.{place}"] = MARK
            continue
        card, _, face = entry.partition(" ")
        try:
            name = spoken(values, parse_card(card)).removeprefix("the ")
        except ValueError:
            continue
        found[f"card.{place}"] = capital(name)
        if face == UP:
            found[f"up.{place}"] = MARK
    return found


def read_figures(system: System, said: Mapping[str, str]) -> Mapping[str, Value]:
    """Return the hand that a filled sheet shows: a card in words or in short (`KS`, `K♠`) in each place, or none."""
    values, entries = system.values, list[str]()
    for place in range(1, values.number("hand.places") + 1):
        card = heard(values, said.get(f"figure.card.{place}", ""))
        lies = card is not None and not said.get(f"figure.gone.{place}")
        entries.append(f"{card} {UP if said.get(f'figure.up.{place}') else DOWN}" if lies else GONE)
    touched = any(text for name, text in said.items() if name.startswith(("figure.card.", "figure.gone.")))
    return {"hand": tuple(entries)} if touched else {}


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of an Operator: one Lucky Number held twice (`SIX-Q29`), or a hand that no deal gives."""
    return tuple(
        Problem(character.places.get(field, character.place), message, rule)
        for field, message, rule in (*_luck_problems(system, character), *_hand_problems(system, character))
    )


def _luck_problems(system: System, character: Character) -> Iterator[tuple[str, str, str]]:
    held = lucky_numbers(system, character)
    if len(set(held)) < len(held):
        yield LUCK, f"{held[0]} stands twice among the Lucky Numbers: the second must be another one", "SIX-Q29"


def _hand_problems(system: System, character: Character) -> Iterator[tuple[str, str, str]]:
    """A hand has six places (`SIX-014`), each a card up or down or gone, and no card of a deck twice (`SIX-013`)."""
    entries = character.lines("hand")
    try:
        hand = read_hand(system.values, entries, "hand") if entries else ()
    except Refused as refused:
        yield "hand", refused.message, refused.rule or "SIX-014"
        return
    cards = [str(held.card) for held in hand if held is not None]
    for card in dict.fromkeys(cards):
        most = system.values.number("jokers.most") if card == JOKER else 1
        if cards.count(card) > most:
            yield "hand", f"hand: {quoted(card)} lies there {cards.count(card)} times", "SIX-013"
