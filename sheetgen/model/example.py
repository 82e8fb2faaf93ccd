"""A worked example: what is given, the dice and cards in their order, and what must come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheetgen.errors import Place
from sheetgen.model.data import Data, Word


@dataclass(frozen=True, slots=True)
class Example:
    """One case of an examples file; `do` names the procedure, `given` holds the rest of its parameters."""

    id: str
    rules: tuple[str, ...]
    do: Word
    given: Mapping[Word, Data]
    dice: tuple[int, ...]
    cards: tuple[str, ...]
    expect: Mapping[Word, Data]
    place: Place
    note: str = ""
