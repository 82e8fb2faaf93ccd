"""Steps that give belongings: what skills bring, what the trade needs, what somebody can afford."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from sheetgen.dice.source import Dice
from sheetgen.model.cast import Phrase
from sheetgen.rules.creation.conditional_choices import FittingPart, choices_of
from sheetgen.rules.creation.dealing import Dealer
from sheetgen.rules.creation.draft import Draft, Making, StepFunction

_COUNTED = re.compile(r"(one|a few|many) (basic|advanced) items?")

Choices = tuple[tuple[int, bool], ...]


def equipment_choices(columns: Mapping[str, str], few: int, many: int) -> Choices:
    """Return the ways a row of the equipment table may be taken, each (number of items, whether advanced).

    ValueError for words other than “one, a few, many” and “basic, advanced”.
    """
    counts = {"one": 1, "a few": few, "many": many}
    choices = []
    for words in columns.values():
        match = _COUNTED.fullmatch(words)
        if match is None:
            raise ValueError(words)
        choices.append((counts[match[1]], match[2] == "advanced"))
    return tuple(choices)


def gear(making: Making) -> StepFunction:
    """Return a step that lists belongings: of each skill, of the trade, what Wealth affords, and a keepsake."""
    making.only("table")
    table, values, cast = making.table(), making.system.values, making.system.cast
    few, many = values.number("gear.few"), values.number("gear.many")
    try:
        by_level = {level: equipment_choices(table.row(level), few, many) for level in table.over}
    except ValueError as error:
        raise making.wrong(f'table {table.name}: "{error}" is not “one basic item” or the like') from None
    lowest, highest = min(by_level), max(by_level)
    arms = cast.kinds
    basic = {role: SkillGear(listed.basic, arms) for role, listed in cast.gear.items()}
    better = {role: SkillGear(listed.advanced, arms) for role, listed in cast.gear.items()}
    afforded = (belongings_of(making, of_means=True), belongings_of(making, of_means=False))

    def step(draft: Draft, dice: Dice) -> None:
        owned, levels = Belongings(), draft.levels
        held = [role for role in cast.gear if levels.get(role)]
        for role in sorted(held, key=levels.__getitem__, reverse=True):
            choices = by_level[min(max(levels[role], lowest), highest)]
            count, advanced = choices[dice.choose(len(choices), "fewer or better things")]
            (better if advanced else basic)[role].take(count, owned, levels, dice)
        if draft.occupation is not None:
            owned.add(draft.occupation.gear)
        for belongings in afforded:
            owned.deal(belongings, draft, dice)
        owned.write_to(draft)

    return step


def kit(making: Making) -> StepFunction:
    """Return a step that lists belongings without rules: those given, those of the trade, and others up to `most`."""
    making.only("most")
    most, belongings = making.number("most"), belongings_of(making)

    def step(draft: Draft, dice: Dice) -> None:
        had = draft.values.get("gear", ())
        owned = Belongings(had if isinstance(had, tuple) else ())
        if draft.occupation is not None:
            owned.add(draft.occupation.gear)
        while len(owned.things) < most:
            if not owned.deal(belongings, draft, dice):
                break
        owned.write_to(draft)

    return step


def belongings_of(making: Making, *, of_means: bool | None = None) -> Dealer[str]:
    """Return the small things of the pack, to be dealt: all, or only those that say of what means their owner is."""
    settled = making.settled
    things = [thing for thing in making.system.cast.belongings if making.may_fit(thing.fits)]
    some = [thing for thing in things if any(trait not in settled for trait, _ in thing.fits) is (of_means is True)]
    chosen = things if of_means is None else some
    return Dealer(((thing.say, thing.fits) for thing in chosen), making.key("belongings", of_means))


class Belongings:
    """The things that a character owns so far, in order."""

    __slots__ = ("_known", "things")

    def __init__(self, things: Iterable[str] = ()) -> None:
        self.things = list(things)
        self._known = set(self.things)

    def add(self, things: Iterable[str]) -> None:
        """Add the things that are not owned yet."""
        new = [thing for thing in things if thing not in self._known]
        self.things += new
        self._known.update(new)

    def one_of(self, things: FittingPart[str], dice: Dice, purpose: str) -> bool:
        """Add one of the things that is not owned yet; return whether there was one."""
        among = things.without(self._known)
        if not among:
            return False
        thing = among[dice.choose(len(among), purpose)]
        self.things.append(thing)
        self._known.add(thing)
        return True

    def deal(self, belongings: Dealer[str], draft: Draft, dice: Dice) -> bool:
        """Add a belonging that neither the character nor a neighbour in the run owns; return whether there was one."""
        thing = belongings.deal(draft.index, draft.levels, dice, taken=self._known, purpose="belonging")
        if thing is not None:
            self.things.append(thing)
            self._known.add(thing)
        return thing is not None

    def write_to(self, draft: Draft) -> None:
        """Write the things into a draft."""
        if self.things:
            draft.values["gear"] = tuple(self.things)
        if draft.log is not None:
            draft.tell("belongings: " + ("; ".join(self.things) or "none"))


class SkillGear:
    """The things of a skill; where those that fit a character include arms, the first that is taken is one."""

    __slots__ = ("_all", "_arms")

    def __init__(self, phrases: Sequence[Phrase], arms: frozenset[str]) -> None:
        armed = [phrase for phrase in phrases if phrase.say in arms]
        self._all = choices_of(phrases)
        self._arms = choices_of(armed) if armed else None

    def take(self, count: int, owned: Belongings, levels: Mapping[str, int], dice: Dice) -> None:
        """Add `count` different things, or as many as there are."""
        if count and self._arms is not None and owned.one_of(self._arms.fitting(levels), dice, "thing"):
            count -= 1
        fitting = self._all.fitting(levels)
        for _ in range(count):
            owned.one_of(fitting, dice, "thing")
