"""Lists of which only a part fits a character: the part is worked out once for all characters alike in what matters.

Most phrases depend on two or three traits, and often on what the whole table settled; a run of thousands then asks
the same question again and again. Where it is new, what fits is put together from what each trait by itself leaves: a
number with a bit for every thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from sheetgen.model.cast import Condition, Phrase

T = TypeVar("T")
MOST_KEPT = 4096


class Menu(Generic[T]):
    """Things with conditions; `fitting` tells which of them suit a character, in their order."""

    __slots__ = ("_asked", "_kept", "_left", "_some", "_things")

    def __init__(self, things: Iterable[tuple[T, tuple[Condition, ...]]]) -> None:
        self._things = tuple(things)
        self._asked = tuple(dict.fromkeys(trait for _, conditions in self._things for trait, _ in conditions))
        self._left: tuple[dict[int | None, int], ...] = tuple({} for _ in self._asked)
        self._some: dict[int, tuple[T, ...]] = {}
        self._kept: dict[tuple[int | None, ...], tuple[T, ...]] = {}

    def fitting(self, levels: Mapping[str, int]) -> tuple[T, ...]:
        """The things of which every condition holds at these levels."""
        key = tuple(map(levels.get, self._asked))
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = self._found(key)
        return found

    def _found(self, key: Iterable[int | None]) -> tuple[T, ...]:
        """What fits at these levels of the traits that are asked for."""
        bits = (1 << len(self._things)) - 1
        for trait, left, level in zip(self._asked, self._left, key, strict=True):
            if level not in left:
                left[level] = self._allowing(trait, level)
            bits &= left[level]
        found = self._some.get(bits)
        if found is None:
            if len(self._some) >= MOST_KEPT:
                self._some.clear()
            found = self._some[bits] = tuple(thing for at, (thing, _) in enumerate(self._things) if bits >> at & 1)
        return found

    def _allowing(self, trait: str, level: int | None) -> int:
        """The things that this level of a trait allows, a bit for each."""
        return sum(
            1 << at
            for at, (_, conditions) in enumerate(self._things)
            if all(level in allowed for asked, allowed in conditions if asked == trait)
        )


def menu_of(phrases: Iterable[Phrase]) -> Menu[str]:
    """The words of phrases as a menu."""
    return Menu((phrase.say, phrase.fits) for phrase in phrases)
