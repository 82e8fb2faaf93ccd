"""What players and GM look up on the sheet: the method and its suit, the hand in words, the Operator as a challenge."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.dice.deck import parse_card
from sheetgen.model.character import Character
from sheetgen.model.data import Values
from sheetgen.model.system import System
from sheetgen.systems.sixshooter.cards import GONE, UP, spoken
from sheetgen.systems.sixshooter.creation import DESCRIPTOR
from sheetgen.systems.sixshooter.operators import own_method, suit_of
from sheetgen.systems.sixshooter.parameters import lucky_numbers, strikes

MARK = "yes"


def figures(system: System, character: Character) -> Mapping[str, str]:
    """Every figure of the sheet by name; what the character does not say is left out."""
    values, found = system.values, dict[str, str]()
    lucky = lucky_numbers(system, character)
    if lucky:
        found["lucky"] = " · ".join(map(str, lucky))
    found.update({f"strike.{number}": MARK for number in range(1, strikes(system, character) + 1)})
    found["gear"] = "\n".join(thing[:1].upper() + thing[1:] for thing in character.lines("gear"))
    found.update(_hand(values, character))
    own = character.text(DESCRIPTOR)
    if own in values.names("descriptors"):
        found.update(_best(values, own))
    return found


def _best(values: Values, own: str) -> dict[str, str]:
    """What the Descriptor means: which mark to tick, and the numbers to beat where the Operator is a challenge."""
    method = own_method(values, own)
    met = {name: values.number(f"met.{own}.{name}") for name in values.names("methods")}
    found = {f"met.{name}": str(number) for name, number in met.items()}
    found[f"best.{method}"] = MARK
    found["method"] = method
    found["suit"] = values.text(f"suits.{suit_of(values, method)}").capitalize()
    found["fight"] = "Critical Numbers: " + ", ".join(f"{name} {number}" for name, number in met.items())
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
            said = spoken(values, parse_card(card)).removeprefix("the ")
        except ValueError:
            continue
        found[f"card.{place}"] = said[:1].upper() + said[1:]
        if face == UP:
            found[f"up.{place}"] = MARK
    return found
