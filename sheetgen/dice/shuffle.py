"""Orders that follow from a key: how names and hooks are dealt so that a run does not repeat them."""

from __future__ import annotations

from sheetgen.dice.source import Seeded


def shuffled(count: int, key: bytes) -> tuple[int, ...]:
    """The numbers 0 to `count` − 1 in an order that follows from the key (Fisher and Yates)."""
    dice = Seeded(key)
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = dice.choose(last + 1, "")
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def latin_pair(index: int, rows: int, columns: int) -> tuple[int, int]:
    """The `index`-th cell (from 0) of a walk over `rows` × `columns` that visits each cell once before it starts anew.

    Neighbours on the walk share neither row nor column, so that first names and family names both keep changing.
    """
    turn, row = divmod(index, rows)
    return row, (row + turn) % columns
