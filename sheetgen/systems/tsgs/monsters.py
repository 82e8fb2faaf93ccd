"""Advanced options (ledger, section P): monsters as the pack lists them, ready for a fight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from sheetgen.model.data import Values
from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import OneOf
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.abilities import levels_of, read_mark
from sheetgen.systems.tsgs.movement import paces_of


@dataclass(frozen=True, slots=True)
class MonsterOutcome:
    """A monster's traits, the level of every pair, the wound points it shrugs off, and its paces."""

    traits: tuple[str, ...]
    levels: Named[str, str]
    ignores: int
    paces: int


@dataclass(frozen=True, slots=True)
class Fought:
    """A monster in the form that a table plays it: its traits, and the wound points it shrugs off."""

    traits: tuple[str, ...]
    ignores: int


def monster_names(values: Values) -> tuple[str, ...]:
    """The monsters of the pack."""
    return tuple(values.names("monsters"))


def as_fought(values: Values, monster: str, *, stronger: bool, ignores: bool) -> Fought:
    """A monster of the pack with what the GM takes up of what it may be (`TSG-091`, `TSG-092`)."""
    path = f"monsters.{monster}"
    traits = tuple(map(str, values.at(f"{path}.traits")))
    if stronger and values.has(f"{path}.stronger"):
        better = {read_mark(values, str(words), "stronger").pair: str(words) for words in values.at(f"{path}.stronger")}
        traits = tuple(better.get(read_mark(values, words, "traits").pair, words) for words in traits)
    less = values.number(f"{path}.ignores") if ignores and values.has(f"{path}.ignores") else 0
    return Fought(traits, less)


@procedure("TSG-056", "TSG-085", "TSG-092", say="a monster of the pack, as it stands in a fight")
def monster(
    play: Play, *, monster: Annotated[str, OneOf("monsters")], stronger: bool = False, ignores: bool = False
) -> MonsterOutcome:
    """Its traits and levels; `stronger` and `ignores` take up what the GM may allow (`TSG-091`, `TSG-092`)."""
    values = play.values
    fought = as_fought(values, monster, stronger=stronger, ignores=ignores)
    traits, less = fought.traits, fought.ignores
    levels = levels_of(values, traits, "traits")
    play.tell(f"{monster.capitalize()}: {', '.join(traits)}", "TSG-085")
    if less:
        play.tell(f"Each attack deals {less} wound point{'' if less == 1 else 's'} less", "TSG-092")
    paces = paces_of(play, levels[values.text("movement.pair")], 0, monster.capitalize())
    return MonsterOutcome(traits, Named(levels), less, paces)
