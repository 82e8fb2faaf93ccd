"""Rolling steps of a character again: their fields and what depends on them change, all else stays.

The character is rolled three times: as it was first rolled, as its file has it now, and with new dice in the named
steps. A step with the same result in the last two does not depend on the new dice, so its fields stay. Where the
results differ, the fields change, but edits of a person survive: the difference between the first roll and the file is
applied to the new result, name by name and thing by thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.character import Character, Origin, Value
from sheetgen.model.system import System
from sheetgen.rules.creation.draft import ROLLED, copy_of, set_field
from sheetgen.rules.rolling import Roller, plan_again

EVERYTHING = "all"
TRIED = 8  # characters rolled to see which fields a step fills

Values = Mapping[str, Value]


class NotRolled(UsageError):
    """A character without a record of how it was rolled."""


@dataclass(frozen=True, slots=True)
class Reroll:
    """The steps (or fields that steps fill) to roll again, the seed, and the fields to keep nevertheless."""

    again: tuple[str, ...]
    seed: int
    keep: tuple[str, ...] = ()


@dataclass(slots=True)
class Reroller:
    """Rolls steps of characters again, each by its own origin; compiled rollers are shared."""

    system: System
    request: Reroll
    _rollers: dict[object, Roller] = field(default_factory=dict)
    _fills: dict[object, dict[str, frozenset[str]]] = field(default_factory=dict)

    def reroll(self, character: Character) -> Character:
        """Return the character with the requested steps rolled again; the same one where they give it nothing.

        NotRolled for a character that was not; UsageError for one that was rolled by a method, archetype or option
        that its game lacks, and for a word that is no step and no field of it.
        """
        origin = character.origin
        if origin is None:
            raise NotRolled("was not rolled (it has no `rolled:`), so nothing of it can be rolled again")
        first = self._roller(origin)
        fills = self._fields_filled(first, origin)
        slots, asked = _steps_named(self.request.again, fills, self.system)
        kept = _fields_to_keep(self.request.keep, fills, self.system)
        if not asked:  # a step that gives nothing to such a character: another one's powers, say
            return character
        if asked <= kept:
            raise UsageError(
                f"{', '.join(self.request.again)}: all of it is to be kept, so nothing can be rolled again"
            )
        fresh = replace(origin, rerolled={**origin.rerolled, **dict.fromkeys(slots, self.request.seed)})
        second = self._roller(fresh)
        return self._merged(character, first, second, fills=fills, asked=asked - kept, kept=kept)

    def fields(self, origin: Origin) -> frozenset[str]:
        """Return every field that a step fills for somebody of that origin."""
        return frozenset().union(*self._fields_filled(self._roller(origin), origin).values())

    def _roller(self, origin: Origin) -> Roller:
        chosen = (tuple(sorted(origin.options.items())), tuple(sorted(origin.rerolled.items())))
        key = (origin.method, origin.seed, origin.archetype, *chosen)
        if key not in self._rollers:
            plan = plan_again(self.system, origin)
            self._rollers[key] = Roller(self.system, plan, origin.seed, origin.rerolled)
        return self._rollers[key]

    def _fields_filled(self, roller: Roller, origin: Origin) -> dict[str, frozenset[str]]:
        """Return the fields that each step of a roller fills, for this character and for some others."""
        key = id(roller)
        if key not in self._fills:
            self._fills[key] = _fields_of(roller, range(1, TRIED + 1))
        own = _fields_of(roller, (origin.index,))
        return {slot: fields | own[slot] for slot, fields in self._fills[key].items()}

    def _merged(
        self,
        character: Character,
        first: Roller,
        second: Roller,
        *,
        fills: Mapping[str, frozenset[str]],
        asked: frozenset[str],
        kept: frozenset[str],
    ) -> Character:
        origin = character.origin
        assert origin is not None
        written, fallen = character.values, first.roll(origin.index).values
        filed, anew = first.begun(origin.index), second.begun(origin.index)
        open_fields = {name for names in fills.values() for name in names}
        last = {name: slot for slot in first.slots for name in fills[slot]}
        for slot in first.slots:
            before, after, follow = first.values(filed), second.values(anew), copy_of(anew)
            first.take(slot, filed)
            first.take(slot, follow)
            second.take(slot, anew)
            here, there, follows = first.values(filed), second.values(anew), first.values(follow)
            touched = _differing(before, here) | _differing(after, there)
            open_fields |= touched
            for name in sorted(touched | fills[slot]):
                if last.get(name, slot) != slot:  # a later step has the last word on it
                    continue
                if name in asked:
                    value = there.get(name)
                elif name in kept or (here.get(name) or None) == (follows.get(name) or None):
                    value = written.get(name)
                else:
                    value = merged(fallen.get(name), written.get(name), follows.get(name))
                set_field(self.system, filed, name, written.get(name))
                set_field(self.system, anew, name, value)
        made = second.finished(anew)
        values = {**made.values, **{name: value for name, value in written.items() if name not in open_fields}}
        values = {spec.name: values[spec.name] for spec in self.system.fields if spec.name in values}
        origin = _normalized(made.origin, second)
        return replace(character, values=values, origin=origin, places={})


def _normalized(origin: Origin | None, roller: Roller) -> Origin | None:
    """Return the origin as of a character of another run where every step fell anew by that run's seed."""
    seeds = set(roller.rerolled.values())
    if origin is None or len(seeds) != 1 or len(roller.rerolled) < len(roller.slots):
        return origin
    words = [option.name for option in roller.system.creation.options.values() if option.among]
    if any(roller.plan.options[name] == ROLLED for name in words):  # the seed of the run decides those
        return origin
    return replace(origin, seed=seeds.pop(), rerolled={})


def _fields_of(roller: Roller, indexes: Iterable[int]) -> dict[str, frozenset[str]]:
    found = dict.fromkeys(roller.slots, frozenset[str]())
    for index in indexes:
        draft = roller.begun(index)
        then = roller.values(draft)
        for slot in roller.slots:
            roller.take(slot, draft)
            now = roller.values(draft)
            found[slot] |= _differing(then, now)
            then = now
    return found


def _differing(before: Values, after: Values) -> set[str]:
    return {name for name, value in after.items() if value != before.get(name)}


def _steps_named(
    words: Sequence[str], fills: Mapping[str, frozenset[str]], system: System
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the steps that words name, in order, and the fields of theirs that are to change."""
    slots: set[str] = set()
    asked: set[str] = set()
    for word in words:
        found = set(fills) if word == EVERYTHING else {word} if word in fills else _filling(word, fills, system)
        slots |= found
        is_field = word not in (EVERYTHING, *fills) and system.spec(word) is not None
        asked.update((word,) if is_field else (name for slot in found for name in fills[slot]))
    return tuple(slot for slot in fills if slot in slots), frozenset(asked)


def _filling(word: str, fills: Mapping[str, frozenset[str]], system: System) -> set[str]:
    """Return the steps that fill a field, or the one that stands in an option's place; UsageError if there is none."""
    found = {slot for slot, fields in fills.items() if word in fields}
    options = system.creation.options
    found |= {slot for slot in fills if slot in options and word in options[slot].steps.values()}
    if found:
        return found
    if system.spec(word):
        raise UsageError(f"no step of this method fills {word}, so it cannot be rolled again")
    near = suggestion(word, names := [*fills, *(name for fields in fills.values() for name in sorted(fields))])
    raise UsageError(f"no step {quoted(word)}{near or f'; there are {_comma_list(names)}, or {EVERYTHING}'}")


def _fields_to_keep(words: Sequence[str], fills: Mapping[str, frozenset[str]], system: System) -> frozenset[str]:
    """Return the fields that words name, each by itself or by the step that fills it; UsageError for any other word."""
    fields = {spec.name: frozenset((spec.name,)) for spec in system.fields}
    known = {**fills, **fields}
    for word in words:
        if word not in known:
            near = suggestion(word, known) or f"; there are {_comma_list(fields)}"
            raise UsageError(f"no field {quoted(word)} to keep{near}")
    return frozenset(name for word in words for name in known[word])


def _comma_list(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def merged(fallen: Value | None, written: Value | None, anew: Value | None) -> Value | None:
    """Return a new result with a person's edits of the first one: texts whole, lists and levels entry by entry."""
    if written == fallen:
        return anew
    if isinstance(anew, tuple):
        old, own = fallen or (), written or ()
        return _merged_list(old, own, anew) if isinstance(old, tuple) and isinstance(own, tuple) else written
    if isinstance(anew, Mapping):
        before, after = fallen or {}, written or {}
        both = isinstance(before, Mapping) and isinstance(after, Mapping)
        return _merged_entries(before, after, anew) if both else written  # type: ignore[arg-type]
    return written


def _merged_list(fallen: Sequence[str], written: Sequence[str], anew: Sequence[str]) -> tuple[str, ...]:
    added = [thing for thing in written if thing not in fallen]
    stays = [thing for thing in anew if thing in written or thing not in fallen]
    return (*stays, *(thing for thing in added if thing not in anew))


def _merged_entries(fallen: Mapping[str, object], written: Mapping[str, object], anew: Mapping[str, object]) -> Value:
    own = {name: said for name, said in written.items() if said != fallen.get(name)}
    gone = {name for name in fallen if name not in written}
    made = {name: own.pop(name, said) for name, said in anew.items() if name not in gone}
    return {**made, **own}  # type: ignore[return-value]
