"""Ratings chosen by hand: the bounds and the sums of a new character (`GEN-201`, `GEN-209`, `GEN-210`)."""

from __future__ import annotations

from sheetgen.model.system import Span
from sheetgen.rules.creation.choices import ChoiceForm, PointBuy
from sheetgen.rules.creation.draft import Draft, Making
from sheetgen.systems.genesix.characters import TABLES
from sheetgen.systems.genesix.creation import closed_to


def ratings(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """The limits of attributes and of approaches; an approach that needs a power is closed to who has none."""
    system, values, closed = making.system, making.system.values, closed_to(making.system, draft)
    forms = []
    for name in TABLES:
        group = system.group(name)
        span = Span(*(values.number(f"creation.{name}.{end}") for end in ("low", "high")))
        start = {trait.name: span for trait in group.members if trait.role not in closed}
        forms.append(PointBuy(group, values.number(f"creation.{name}.sum"), lambda name, level: level, start))
    return tuple(forms)
