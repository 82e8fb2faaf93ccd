"""Nobody in a group has the first name, story, want, drive or manner of another, as long as there are enough of them.

Whoever would have one again gets it rolled again, by the first seed that gives another one; the origin says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from sheetgen.model.character import Character, Value
from sheetgen.people.rolling import RollOptions, roller
from sheetgen.rules.creation.draft import copy_of
from sheetgen.rules.rolling import Roller
from sheetgen.workspace.packs import Pack

PARTS = ("hook", "want", "drive", "manner")
GIVEN = "first name"
INTO = ("into", "want")  # the words of a step for the fields that it fills
TRIED = 200  # seeds by which a step is rolled again before its lines count as used up

Told = frozenset[tuple[str, str]]


@dataclass(slots=True)
class Apart:
    """What the people of a group have so far."""

    pack: Pack
    told: set[tuple[str, str]] = field(default_factory=set)
    used_up: set[tuple[str, str]] = field(default_factory=set)
    rollers: dict[str, Roller] = field(default_factory=dict)

    def unlike(self, character: Character, run: RollOptions) -> Character:
        """Return the character, with steps rolled again whose lines somebody before has."""
        again = _parts(character.values) & self.told
        if again and character.origin is not None:
            anew = partial(self._anew, character, run)
            character, used_up = anew() if self.pack.ours else self.pack.run_isolated(anew)
            self.used_up |= {(run.archetype, slot) for slot in used_up}
        self.told |= _parts(character.values)
        return character

    def _anew(self, character: Character, run: RollOptions) -> tuple[Character, list[str]]:
        """Return somebody unlike all before, and the steps that have no such lines left."""
        origin = character.origin
        assert origin is not None
        made, rerolled, used_up = self._roller(run, origin.rerolled), dict(origin.rerolled), list[str]()
        draft = made.begun(origin.index)
        for slot, fields in _slots(made):
            before = copy_of(draft)
            made.take(slot, draft)
            if not fields or not self._has(draft.values, fields) or (run.archetype, slot) in self.used_up:
                continue
            for seed in range(1, TRIED + 1):
                twin = copy_of(before)
                made.take(slot, twin, seed)
                if not self._has(twin.values, fields):
                    draft, rerolled[slot] = twin, seed
                    break
            else:
                used_up.append(slot)
        if rerolled == origin.rerolled:
            return character, used_up
        return Roller(made.system, made.plan, made.seed, rerolled).roll(origin.index), used_up

    def _has(self, values: Mapping[str, Value], fields: frozenset[str]) -> bool:
        return any(part in self.told for part in _parts(values) if part[0] in fields)

    def _roller(self, run: RollOptions, rerolled: Mapping[str, int]) -> Roller:
        key = repr((run.archetype, run.method, sorted(run.options.items()), sorted(rerolled.items())))
        if key not in self.rollers:
            first = roller(self.pack, run)
            self.rollers[key] = Roller(first.system, first.plan, first.seed, rerolled) if rerolled else first
        return self.rollers[key]


def _slots(made: Roller) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each step in order with the parts that it writes."""
    for slot in made.slots:
        step = made.making(slot).step
        fills = {value for name, value in step.params.items() if name in INTO}
        yield slot, frozenset((GIVEN,) if step.do == "name" else (part for part in PARTS if part in fills))


def _parts(values: Mapping[str, Value]) -> Told:
    """Return what somebody has by part; whom a story names does not make it another one.

    Creatures, which have no pronouns, may share the first word of their names.
    """
    friends = [
        who.partition(",")[0]
        for listed in values.values()
        if isinstance(listed, Mapping)
        for who in listed
        if ", " in who
    ]
    found = {part: str(values[part]) for part in PARTS if values.get(part)}
    for friend in friends:
        found = {part: text.replace(friend, "{friend}") for part, text in found.items()}
    if values.get("pronouns"):
        found[GIVEN] = str(values.get("name", "")).partition(" ")[0]
    return frozenset(found.items())
