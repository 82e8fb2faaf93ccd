"""Lazy sequences whose items are made by number, so that any process can make any part of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

Maker = Callable[[range], Iterable[T]]


@dataclass(frozen=True, slots=True)
class Series(Generic[T]):
    """A sequence of `count` items, numbered from 0 and made on demand; `begin` prepares a process once and returns the
    maker.
    """

    count: int
    begin: Callable[[], Maker[T]]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[T]:
        return iter(self.begin()(range(self.count)))

    def part(self, numbers: range) -> Series[T]:
        """Return the items with these consecutive numbers as a series of its own."""
        first = numbers.start

        def begin() -> Maker[T]:
            make = self.begin()
            return lambda some: make(range(first + some.start, first + some.stop))

        return Series(len(numbers), begin)

    def shard(self, number: int, of: int) -> range:
        """Return the numbers of shard `number` (from 1) of `of`: consecutive, of nearly the same size, each thing in
        one.
        """
        return range(self.count * (number - 1) // of, self.count * number // of)


def series_of(things: Iterable[T]) -> Series[T]:
    """Return existing items as a series."""
    if isinstance(things, Series):
        return things
    kept: Sequence[T] = things if isinstance(things, (list, tuple)) else tuple(things)
    return Series(len(kept), lambda: lambda numbers: (kept[number] for number in numbers))


def chunks(count: int, size: int) -> tuple[range, ...]:
    """Return the numbers from 0 to `count` in ranges of `size`; the last one may be shorter."""
    return tuple(range(start, min(start + size, count)) for start in range(0, count, size))
