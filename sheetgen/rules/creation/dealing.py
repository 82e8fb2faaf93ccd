"""Dealing lists over a run, so that neighbours do not share a line and nobody's line depends on anybody else's.

A list is shuffled by the run's key into as many hands as there are neighbours to keep apart, and the person with index
`i` takes from hand `i` modulo that number. Whom a line fits differs from person to person, but no two of so many
neighbours hold the same hand; and who comes to a hand again takes the line behind the one that was taken before. Lines
with the same conditions are spread over all hands, so that where there are enough of them each hand has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Generic, TypeVar

from sheetgen.dice.source import Dice, shuffled
from sheetgen.model.cast import Condition
from sheetgen.rules.creation.conditional_choices import ConditionalChoices

T = TypeVar("T")
APART = 20  # neighbours that share no line, where the list is long enough


class Dealer(Generic[T]):
    """Deals the lines of a list that fit."""

    __slots__ = ("_every", "_hands")

    def __init__(self, lines: Iterable[tuple[T, tuple[Condition, ...]]], key: bytes, apart: int = APART) -> None:
        listed = tuple(lines)
        alike: dict[tuple[Condition, ...], list[int]] = {}
        for at in shuffled(len(listed), key):
            alike.setdefault(listed[at][1], []).append(at)
        order = [at for conditions in sorted(alike, key=_in_order) for at in alike[conditions]]
        hands = max(min(apart, len(listed)), 1)
        self._hands = tuple(ConditionalChoices([listed[at] for at in order[hand::hands]]) for hand in range(hands))
        self._every = ConditionalChoices(listed)

    def deal(
        self,
        index: int,
        levels: Mapping[str, int],
        dice: Dice,
        *,
        taken: AbstractSet[T] = frozenset(),
        usable: Callable[[T], bool] | None = None,
        purpose: str = "another line",
    ) -> T | None:
        """Return a line for the person with this index, none of those taken; None if none fits.

        If no line of the person's own hand fits, the dice choose among all others.
        """
        round, hand = divmod(index, len(self._hands))
        own = self._hands[hand].fitting(levels).without(taken)
        # Whoever cannot have their line takes one before it: those behind it are for the others of this hand.
        for at in range(len(own)):
            line = own[(round - at) % len(own)]
            if usable is None or usable(line):
                return line
        every = self._left(self._every, levels, taken, usable)
        return every[dice.choose(len(every), purpose)] if every else None

    def _left(
        self,
        lines: ConditionalChoices[T],
        levels: Mapping[str, int],
        taken: AbstractSet[T],
        usable: Callable[[T], bool] | None,
    ) -> Sequence[T]:
        left = lines.fitting(levels).without(taken)
        return left if usable is None else [line for line in left if usable(line)]


def _in_order(conditions: tuple[Condition, ...]) -> list[tuple[str, list[int]]]:
    return sorted((trait, sorted(allowed)) for trait, allowed in conditions)
