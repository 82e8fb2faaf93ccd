"""Versions of packs and of sheetgen, compared by their first three numbers."""

from __future__ import annotations

import re

_LEAST = re.compile(r">= ?(\d{1,4}(?:\.\d{1,4}){0,2})")


def release(version: str) -> tuple[int, ...]:
    """Return a version as three numbers to compare: 1.2 is (1, 2, 0)."""
    numbers = [int(each) for each in re.findall(r"\d{1,9}", version)[:3]]
    return (*numbers, *[0] * (3 - len(numbers)))


def least_version(written: str) -> tuple[int, ...] | None:
    """Return the version that `>=1.2` asks for at least; None for anything else."""
    found = _LEAST.fullmatch(written)
    return release(found[1]) if found else None
