"""Lists whose entries have conditions on traits, and the entries that fit a character.

For each level of a trait, a bit mask of the entries that it allows is computed once; the masks of all traits together
give the entries that fit. Lists look at few traits, so that a run of thousands needs the same few selections.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Generic, TypeVar

from sheetgen.model.cast import Condition, Phrase

T = TypeVar("T")
MOST_REMEMBERED = 4096


class FittingPart(tuple[T, ...]):
    """The entries of a list that fit, in its order."""

    @cached_property
    def _known(self) -> frozenset[T]:
        return frozenset(self)

    def without(self, taken: AbstractSet[T]) -> Sequence[T]:
        """Return the entries that are not taken."""
        # Most often none of them is, and two sets find that out much faster than a copy is made.
        return self if taken.isdisjoint(self._known) else [thing for thing in self if thing not in taken]


class FittingParts(Generic[T]):
    """The selections of a list by bit mask, each put together once."""

    __slots__ = ("_all", "_known", "_things")

    def __init__(self, things: Iterable[tuple[int, T]]) -> None:
        listed = tuple(things)
        self._things = tuple((1 << at, thing) for at, thing in listed)
        self._all = sum(1 << at for at in {at for at, _ in listed})
        self._known: dict[int, FittingPart[T]] = {}

    def part(self, bits: int) -> FittingPart[T]:
        """Return the entries of these bits, in their order; bits of other entries are ignored."""
        found = self._known.get(bits & self._all)
        if found is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            found = self._known[bits & self._all] = FittingPart(thing for bit, thing in self._things if bits & bit)
        return found


class ConditionalChoices(Generic[T]):
    """Entries with conditions; `fitting` returns those that suit a character, in their order."""

    __slots__ = ("_conditions", "_every", "_left", "parts")

    def __init__(self, things: Iterable[tuple[T, tuple[Condition, ...]]]) -> None:
        listed = tuple(things)
        self._conditions = tuple(conditions for _, conditions in listed)
        self.parts = FittingParts(enumerate(thing for thing, _ in listed))
        self._every = (1 << len(listed)) - 1
        asked = dict.fromkeys(trait for conditions in self._conditions for trait, _ in conditions)
        self._left: tuple[tuple[str, dict[int | None, int]], ...] = tuple((trait, {}) for trait in asked)

    def fitting(self, levels: Mapping[str, int]) -> FittingPart[T]:
        """Return the entries of which every condition holds at these levels."""
        return self.parts.part(self.suiting(levels))

    def suiting(self, levels: Mapping[str, int]) -> int:
        """Return the same entries as a bit mask."""
        bits = self._every
        for trait, left in self._left:
            level = levels.get(trait)
            if level not in left:
                left[level] = self._allowing(trait, level)
            bits &= left[level]
        return bits

    def _allowing(self, trait: str, level: int | None) -> int:
        """Return the entries that this level of a trait allows, as a bit mask."""
        return sum(
            1 << at
            for at, conditions in enumerate(self._conditions)
            if all(level in allowed for asked, allowed in conditions if asked == trait)
        )


def choices_of(phrases: Iterable[Phrase]) -> ConditionalChoices[str]:
    """Return the words of phrases as conditional choices."""
    return ConditionalChoices((phrase.say, phrase.fits) for phrase in phrases)
