"""Things that are made by number, so that any process can make any part of them: who makes which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

Maker = Callable[[range], Iterable[T]]


@dataclass(frozen=True, slots=True)
class Series(Generic[T]):
    """So many things, numbered from 0; `begin` readies whoever makes some of them, once, and gives what makes them."""

    count: int
    begin: Callable[[], Maker[T]]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[T]:
        return iter(self.begin()(range(self.count)))

    def part(self, numbers: range) -> Series[T]:
        """Only the things of these numbers, which are consecutive, as a series of its own."""
        first = numbers.start

        def begin() -> Maker[T]:
            make = self.begin()
            return lambda some: make(range(first + some.start, first + some.stop))

        return Series(len(numbers), begin)

    def shard(self, number: int, of: int) -> range:
        """The numbers of shard `number` (from 1) of `of`: consecutive, of nearly the same size, each thing in one."""
        return range(self.count * (number - 1) // of, self.count * number // of)


def series_of(things: Iterable[T]) -> Series[T]:
    """Things that are there already, as a series."""
    if isinstance(things, Series):
        return things
    kept: Sequence[T] = things if isinstance(things, (list, tuple)) else tuple(things)
    return Series(len(kept), lambda: lambda numbers: (kept[number] for number in numbers))


def chunks(count: int, size: int) -> tuple[range, ...]:
    """Numbers from 0 in runs of `size`, the last one shorter."""
    return tuple(range(start, min(start + size, count)) for start in range(0, count, size))
