"""A draft between two steps: copied, so that a step may be tried, and laid over with what a file or a person says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sheetgen.model.character import Value
from sheetgen.model.system import System
from sheetgen.rules.creation.draft import Draft


def copied(draft: Draft, log: list[str] | None = None) -> Draft:
    """A draft of its own with the same contents; it writes to a log of its own."""
    twin = Draft(draft.index, draft.archetype)
    for name in Draft.__slots__:
        setattr(twin, name, _copy(getattr(draft, name)))
    twin.log = log
    return twin


def _copy(part: Any) -> Any:
    return {name: _copy(each) for name, each in part.items()} if isinstance(part, dict) else part


def lay(system: System, draft: Draft, name: str, value: Value | None) -> None:
    """Puts a value, or its absence, in the place of what steps made of a field; what is given no longer holds there."""
    before = draft.values.get(name)
    if any(group.name == name for group in system.groups):
        _lay_levels(system, draft, name, value if isinstance(value, Mapping) else {})
    elif value is None:
        draft.values.pop(name, None)
    else:
        draft.values[name] = value
    if name == "occupation" and value != before:
        draft.occupation = system.cast.occupations.get(value) if isinstance(value, str) else None
    if draft.friend and draft.friend == _first_name(before):
        draft.friend = _first_name(value)
    if draft.given is not None:
        groups = {group: levels for group, levels in draft.given.groups.items() if group != name}
        values = {field: each for field, each in draft.given.values.items() if field != name}
        draft.given = replace(draft.given, groups=groups, values=values)


def _lay_levels(system: System, draft: Draft, name: str, levels: Mapping[str, Any]) -> None:
    """Levels by name into a draft, where they go by role; one that is not written stands at the group's default."""
    group = system.group(name)
    draft.groups[name] = {trait.role: levels[trait.name] for trait in group.members if trait.name in levels}
    for trait in group.members:
        if trait.name in levels:
            draft.levels[trait.role] = levels[trait.name]
        elif group.default is not None:
            draft.levels.pop(trait.role, None)


def _first_name(people: Value | None) -> str:
    return next(iter(people), "").partition(",")[0] if isinstance(people, Mapping) else ""
