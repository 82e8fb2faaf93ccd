"""Lists whose entries have conditions on traits: which entries fit a character, and how they are dealt over a run.

For each level of a trait, a bit mask of the entries that it allows is computed once; the masks of all traits together
give the entries that fit. Lists look at few traits, so that a run of thousands needs the same few selections.

Neighbours do not share a line, and nobody's line depends on anybody else's.
A list is shuffled by the run's key into at least as many hands as there are neighbours to keep apart, and the person
with index `i` takes from hand `i` − 1 modulo that number. Whom a line fits differs from person to person, but no two of
so many neighbours hold the same hand; and who comes to a hand again takes the line behind those that were taken before.
Lines with the same conditions are spread over all hands, so that where there are enough of them each hand has one, and
lie in each of them in any order. Lists that are dealt side by side have different numbers of hands where they are long
enough, and do not come round together: who has the line of somebody before has not all other lines of theirs as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from sheetgen.dice.source import Dice, shuffled
from sheetgen.model.cast import Condition, Phrase

T = TypeVar("T")
MOST_REMEMBERED = 4096
OF_FEW: Condition = ("", frozenset())  # tells apart, among lines with the same conditions, those that only some may use
APART = 20  # neighbours that share no line, where the list is long enough
OF_ONE_MOTIF = 6  # neighbours that hold no lines of one motif, where other lines are left for them


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
    """The selections of a list by bit mask, each put together once; `things` come with the numbers of their bits."""

    __slots__ = ("_all", "_known", "_of_bit", "_things")

    def __init__(self, things: Iterable[tuple[int, T]]) -> None:
        self._things = tuple(things)
        self._of_bit: dict[int, list[T]] = {}  # once it is asked for: many lists never are
        self._all = -1
        self._known: dict[int, FittingPart[T]] = {}

    def part(self, bits: int) -> FittingPart[T]:
        """Return the entries of these bits, in the order of the bits; bits of other entries are ignored."""
        bits &= self._all
        found = self._known.get(bits)
        if found is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            found = self._known[bits] = FittingPart(self._entries(bits))
        return found

    def _entries(self, bits: int) -> list[T]:
        if self._all < 0:
            of_bit = dict[int, list[T]]()
            for at, thing in self._things:
                of_bit.setdefault(1 << at, []).append(thing)
            self._of_bit, self._all = of_bit, sum(of_bit)
            bits &= self._all
        # Most often a few of many, so that to go from bit to bit is faster than to ask every entry.
        found: list[T] = []
        while bits:
            lowest = bits & -bits
            found += self._of_bit[lowest]
            bits ^= lowest
        return found


class ConditionalChoices(Generic[T]):
    """Entries with conditions; `fitting` returns those that suit a character, in their order."""

    __slots__ = ("_asked", "_every", "_left", "parts")

    def __init__(self, things: Iterable[tuple[T, tuple[Condition, ...]]]) -> None:
        listed = tuple(things)
        self.parts = FittingParts(enumerate(thing for thing, _ in listed))
        self._every = (1 << len(listed)) - 1
        self._asked: dict[str, list[tuple[int, Container[int]]]] = {}  # by trait the entries that ask for levels of it
        for at, (_, conditions) in enumerate(listed):
            for trait, allowed in conditions:
                self._asked.setdefault(trait, []).append((1 << at, allowed))
        self._left: tuple[tuple[str, dict[int | None, int]], ...] = tuple((trait, {}) for trait in self._asked)

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
        shut = 0
        for bit, allowed in self._asked[trait]:
            if level not in allowed:
                shut |= bit
        return self._every & ~shut


def choices_of(phrases: Iterable[Phrase]) -> ConditionalChoices[str]:
    """Return the words of phrases as conditional choices."""
    return ConditionalChoices((phrase.say, phrase.fits) for phrase in phrases)


def parted(
    lines: Iterable[tuple[T, tuple[Condition, ...]]], parts: int, key: bytes
) -> tuple[list[tuple[T, tuple[Condition, ...]]], ...]:
    """Return a list in so many parts, in each of which all kinds of lines are; in fewer where they would be short."""
    listed = tuple(lines)
    alike = _alike(listed, shuffled(len(listed), key))
    order = [listed[at] for conditions in sorted(alike, key=_in_order) for at in alike[conditions]]
    parts = max(min(parts, _enough(alike) // APART), 1)
    return tuple(order[part::parts] for part in range(parts))


class Dealer(Generic[T]):
    """Deals the lines of a list that fit."""

    __slots__ = ("_each", "_every", "_few", "_hands")

    def __init__(
        self,
        lines: Iterable[tuple[T, tuple[Condition, ...]]],
        key: bytes,
        *,
        each: int = 1,
        spare: int = 2,
        wider: int = 0,
        few: Collection[T] = (),
        motif: Callable[[T], str] = lambda line: "",
    ) -> None:
        """Deal the lines into hands.

        `each` are for a person, `spare` are in a hand at least, and `wider` is how many hands more than APART there
        are, counted round as far as the lines suffice. `few` are the lines that only some may use: they are spread over
        the hands for themselves, so that each of these has lines for everybody else. `motif` tells what one is about.
        """
        listed = tuple(lines)
        mixed = {at: place for place, at in enumerate(shuffled(len(listed), key))}
        alike = _alike(
            [(line, (*conditions, OF_FEW) if line in few else conditions) for line, conditions in listed], mixed
        )
        hands = _number_of_hands(alike, spare, wider)
        motifs = [motif(line) for line, _ in listed]
        order = _motifs_apart([alike[conditions] for conditions in sorted(alike, key=_in_order)], motifs, hands)
        held = [sorted(order[hand::hands], key=mixed.__getitem__) for hand in range(hands)]
        # Lines with motifs lie in the first hands, so a run begins with any of them.
        first = shuffled(hands, key + b"\0first")[0] if any(motifs) else 0
        held = held[first:] + held[:first]
        self._hands = tuple(ConditionalChoices([listed[at] for at in hand]) for hand in held)
        self._every = ConditionalChoices(listed)
        self._each, self._few = each, frozenset(few)

    def deal(
        self,
        index: int,
        levels: Mapping[str, int],
        dice: Dice,
        *,
        taken: AbstractSet[T] = frozenset(),
        usable: Callable[[T], bool] | None = None,
        purpose: str = "another line",
        turn: int = 0,
        stray: bool = True,
    ) -> T | None:
        """Return a line for the person with this index, none of those taken; None if none fits.

        `turn` counts the lines that the person has been dealt before. If no line of the person's own hand fits, the
        dice choose among all others, which a neighbour may have; not so without `stray`.
        """
        round, hand = divmod(index - 1, len(self._hands))
        own: Sequence[T] = self._hands[hand].fitting(levels)
        for line in self._in_turn(own, round * self._each + turn):
            if line not in taken and (usable is None or usable(line)):
                return line
        if not stray:
            return None
        every = self._lines_left(self._every, levels, taken, usable)
        return every[dice.choose(len(every), purpose)] if every else None

    def _in_turn(self, own: Sequence[T], turn: int) -> Iterator[T]:
        """Yield the lines of a hand in the order in which somebody tries them.

        First the one whose turn it is, if only some may use it; then, of those that anybody may use, the one whose turn
        it is, and those half a hand later, which the next people of this hand will not need soon.
        """
        if own and (first := own[turn % len(own)]) in self._few:
            yield first
        if usual := [line for line in own if line not in self._few] if self._few else own:
            yield usual[turn % len(usual)]
            far = turn + len(usual) // 2
            yield from (usual[(far + ahead) % len(usual)] for ahead in range(len(usual)))
        yield from own

    def _lines_left(
        self,
        lines: ConditionalChoices[T],
        levels: Mapping[str, int],
        taken: AbstractSet[T],
        usable: Callable[[T], bool] | None,
    ) -> Sequence[T]:
        left = lines.fitting(levels).without(taken)
        return left if usable is None else [line for line in left if usable(line)]


class Rotation:
    """Where each name of a list stands; fewer than two for each neighbour come round in another order each time."""

    def __init__(self, names: Sequence[str], key: bytes) -> None:
        self._names, self._key = names, key
        self._round = max(min(len(names) // 2 * 2, APART), 2)
        self._places = lru_cache(MOST_REMEMBERED)(self._shuffled)

    def places(self, index: int) -> Mapping[str, int]:
        """Return the places for the person of that index: in a round, each part of the list is shuffled for itself."""
        return self._places(index // self._round if len(self._names) < 2 * APART else 0)

    def _shuffled(self, turn: int) -> dict[str, int]:
        order, size = list(self._names), max(self._round // 4, 1)
        for start in range(0, len(order) if turn else 0, size):
            part = order[start : start + size]
            order[start : start + size] = [part[at] for at in shuffled(len(part), self._key + b"%d %d" % (turn, start))]
        return {name: place for place, name in enumerate(order)}


def _motifs_apart(groups: Iterable[Sequence[int]], motifs: Sequence[str], hands: int) -> list[int]:
    """Return the lines of groups, each in an order that, dealt round, lays no motif into two hands near each other."""
    order, shut = list[int](), dict[str, set[int]]()  # for each motif the hands that are too near to one that has it
    for group in groups:
        left = dict[str, list[int]]()
        for at in reversed(group):
            left.setdefault(motifs[at], []).append(at)
        for _ in group:
            hand = len(order) % hands
            some = [name for name in left if name and hand not in shut.get(name, ())]
            name = max(some, key=lambda name: len(left[name]), default="" if "" in left else next(iter(left)))
            order.append(left[name].pop())
            if not left[name]:
                del left[name]
            if name:
                near = {(hand + by) % hands for by in range(-OF_ONE_MOTIF, OF_ONE_MOTIF + 1)}
                shut.setdefault(name, set()).update(near - {hand})
    return order


def _alike(
    listed: Sequence[tuple[T, tuple[Condition, ...]]], order: Iterable[int]
) -> dict[tuple[Condition, ...], list[int]]:
    """Return the places of the lines that have the same conditions, in this order."""
    alike: dict[tuple[Condition, ...], list[int]] = {}
    for at in order:
        alike.setdefault(listed[at][1], []).append(at)
    return alike


def _enough(alike: Mapping[tuple[Condition, ...], Sequence[int]]) -> int:
    """Return how many lines that fit alike there are to reckon with: those for everybody, or the fewest of many."""
    everybody = len(alike.get((), ()))
    return (
        everybody
        if everybody >= APART
        else min((len(some) for some in alike.values() if len(some) >= APART), default=0)
    )


def _number_of_hands(alike: Mapping[tuple[Condition, ...], Sequence[int]], spare: int, wider: int) -> int:
    """Return a number from APART to twice that, for which the lines that fit alike leave `spare` in each hand."""
    room = max(min(_enough(alike) // spare, 2 * APART - 1), APART) - APART
    return max(min(APART + wider % (room + 1), sum(map(len, alike.values()))), 1)


def _in_order(conditions: tuple[Condition, ...]) -> list[tuple[str, list[int]]]:
    return sorted((trait, sorted(allowed)) for trait, allowed in conditions)
