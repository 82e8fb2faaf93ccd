"""Steps that give belongings: what skills bring, what the trade needs, what somebody can afford."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from sheetgen.dice.source import Dice
from sheetgen.model.cast import Cast, Occupation, Phrase, is_usual, spaced
from sheetgen.rules.creation.dealing import MOST_REMEMBERED, ConditionalChoices, Dealer, FittingPart, choices_of, parted
from sheetgen.rules.creation.draft import Draft, Making, StepFunction

_COUNTED = re.compile(r"(one|a few|many) (basic|advanced) items?")

Choices = tuple[tuple[int, bool], ...]
Kinds = Callable[[str], frozenset[int]]
MOST_ALONG = 100
MOST_TRIES = 8  # at another thing, where somebody has one of its kind


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
    """Return a step that lists belongings: of each skill, of the trade, what Wealth affords, and a keepsake.

    `most` is how many of them somebody has along: of many skills those that are fought with come first, then the best,
    and what the others bring is left at home.
    """
    making.only("table", "most")
    cast, by_level = making.system.cast, _choices_by_level(making)
    lowest, highest = min(by_level), max(by_level)
    # Of many skills one person has few: what a skill brings along is sorted when somebody first has it.
    declared = cast.kinds
    of_skill = cache(lambda role, advanced: SkillGear(role, cast, declared, advanced=advanced))
    afforded = (*belongings_of(making, of_means=True), *belongings_of(making, of_means=False))
    worn = {trade.name: _worn(trade, cast) for trade in cast.occupations.values() if trade.wears}
    kinds = kinds_in(cast)
    room = (making.number("most") if "most" in making.step.params else MOST_ALONG) - len(afforded)
    outfits = {trade.name: _arms_of(trade, cast) for trade in cast.occupations.values()}
    fought = {role for role, listed in cast.gear.items() if any(role in cast.arms(each.say) for each in listed.basic)}

    def step(draft: Draft, dice: Dice) -> None:
        trade, levels = draft.occupation, draft.levels
        own, lived, among = (trade.gear, trade.skills, worn.get(trade.name)) if trade is not None else ((), (), None)
        arms, armed = outfits[trade.name] if trade is not None else ((), frozenset[str]())
        owned = Belongings(arms, kinds, own)
        held = [role for role in cast.gear if levels.get(role)]
        held.sort(key=lambda role: (role not in fought, -levels[role], role not in lived))
        unarmed = [role for role in held if role in fought and role not in armed]
        for role in held:
            choices = by_level[min(max(levels[role], lowest), highest)]
            count, advanced = choices[dice.choose(len(choices), "fewer or better things")]
            unarmed = unarmed[unarmed[:1] == [role] :]  # each that follows has room left for its weapon
            free = room - owned.count - (among is not None) - len(unarmed)
            of_skill(role, advanced).take(max(min(count, free), 0), owned, draft, dice, armed=role in armed)
        if trade is not None and among is not None:
            kind = cast.items.get(trade.wears, {})
            if not any(thing in kind for thing in owned.things):
                owned.one_of(among.fitting(levels), dice, trade.wears)
        owned.add(own)
        owned.fill(len(owned.things) + len(afforded), afforded, draft, dice)
        owned.write_to(draft)

    return step


def _choices_by_level(making: Making) -> Mapping[int, Choices]:
    """Return what the table of a step lets somebody take for a skill, by its level; InputError for other words."""
    table, values = making.table(), making.system.values
    few, many = values.number("gear.few"), values.number("gear.many")
    try:
        return {level: equipment_choices(table.row(level), few, many) for level in table.over}
    except ValueError as error:
        raise making.wrong(f'table {table.name}: "{error}" is not “one basic item” or the like') from None


def _arms_of(trade: Occupation, cast: Cast) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the weapons that a trade brings along, and the skills that they are used with."""
    arms = tuple(thing for thing in trade.gear if cast.arms(thing))
    return arms, frozenset(skill for thing in arms for skill in cast.arms(thing))


def _worn(trade: Occupation, cast: Cast) -> ConditionalChoices[str]:
    """Return the things of the kind that a trade wears, among what its skills bring."""
    kind, lists = cast.items.get(trade.wears, {}), [cast.gear[skill] for skill in trade.skills if skill in cast.gear]
    things = [thing for listed in lists for thing in (*listed.basic, *listed.advanced) if thing.say in kind]
    return choices_of(things)


def kit(making: Making) -> StepFunction:
    """Return a step that lists belongings without rules: those given, those of the trade, and others up to `most`.

    `others` is how many of these there may be, beyond what is given and what the trade brings. Creatures, which have
    names of their kind, own what is given to their kind and nothing else.
    """
    making.only("most", "others")
    most = making.number("most")
    others = making.number("others") if "others" in making.step.params else most
    belongings = belongings_of(making, each=others if others < most else max(most - 1, 1))
    kinds = kinds_in(making.system.cast)

    def step(draft: Draft, dice: Dice) -> None:
        had = draft.values.get("gear", ())
        owned = Belongings(had if isinstance(had, tuple) else (), kinds)
        if had and draft.archetype is not None and draft.archetype.names:
            return
        if draft.occupation is not None:
            owned.add(draft.occupation.gear)
        owned.fill(min(most, len(owned.things) + others), belongings, draft, dice)
        owned.write_to(draft)

    return step


def belongings_of(making: Making, *, of_means: bool | None = None, each: int = 1) -> tuple[Dealer[str], ...]:
    """Return the small things of the pack, to be dealt: all, or only those that say of what means their owner is.

    What some trade brings along is not among them. `each` is how many somebody may have; where there are enough, these
    come out of as many parts of the list, so that two things seldom meet twice.
    """
    settled, cast = making.settled, making.system.cast
    brought = {thing for trade in cast.occupations.values() for thing in trade.gear}
    things = [thing for thing in cast.belongings if making.may_fit(thing.fits) and thing.say not in brought]
    asked = [(thing.say, tuple(each for each in thing.fits if each[0] not in settled)) for thing in things]
    chosen = asked if of_means is None else [line for line in asked if bool(line[1]) is of_means]
    parts = parted(chosen, each, making.key("belongings", of_means))
    spare, first = (2, 0) if of_means is False else (1, 1) if of_means else (1, 2)
    return tuple(
        Dealer(
            part,
            making.key("belongings", of_means, at),
            each=-(-each // len(parts)),
            spare=spare,
            wider=first + 4 * at,
        )
        for at, part in enumerate(parts)
    )


def kinds_in(cast: Cast) -> Kinds:
    """Return a function that finds the numbers of the lists in `only_one` that a thing has a word of.

    It remembers what it found: everybody in a run is asked about the same things.
    """

    lists = [tuple(map(spaced, words)) for words in cast.only_one]

    @lru_cache(MOST_REMEMBERED)
    def kinds(thing: str) -> frozenset[int]:
        said = spaced(thing)
        return frozenset(at for at, words in enumerate(lists) if any(word in said for word in words))

    return kinds


class Belongings:
    """The things that a character owns so far, in order; no two of a kind of which nobody has two.

    What the trade brings in the end counts from the beginning.
    """

    __slots__ = ("_kinds", "_kinds_of", "_known", "_to_come", "things")

    def __init__(self, things: Iterable[str], kinds_of: Kinds, trade: Collection[str] = ()) -> None:
        self.things = list(things)
        self._kinds_of = kinds_of
        self._known = set(self.things)
        self._to_come = {*trade} - self._known
        self._kinds = {kind for thing in (*self.things, *trade) for kind in kinds_of(thing)}

    @property
    def count(self) -> int:
        """How many things there are with those that the trade brings."""
        return len(self.things) + len(self._to_come)

    def add(self, things: Iterable[str]) -> None:
        """Add the things that are not owned yet."""
        for thing in things:
            if thing not in self._known:
                self._take(thing)

    def _take(self, thing: str) -> None:
        self.things.append(thing)
        self._known.add(thing)
        self._to_come.discard(thing)
        self._kinds |= self._kinds_of(thing)

    def _is_another(self, thing: str) -> bool:
        return self._kinds.isdisjoint(self._kinds_of(thing))

    def one_of(self, things: FittingPart[str], dice: Dice, purpose: str) -> bool:
        """Add one of the things that is not owned yet; return whether there was one."""
        among = things.without(self._known)
        for _ in range(MOST_TRIES if among else 0):
            thing = among[dice.choose(len(among), purpose)]
            if self._is_another(thing):
                self._take(thing)
                return True
        return False

    def _deal(self, belongings: Dealer[str], draft: Draft, dice: Dice, turn: int, *, stray: bool) -> bool:
        thing = belongings.deal(
            draft.index,
            draft.levels,
            dice,
            taken=self._known,
            usable=self._is_another if self._kinds else None,
            purpose="belonging",
            turn=turn,
            stray=stray,
        )
        if thing is not None:
            self._take(thing)
        return thing is not None

    def fill(self, most: int, belongings: Sequence[Dealer[str]], draft: Draft, dice: Dice) -> None:
        """Add belongings until there are so many things, or no other one: out of each list in turn.

        They are such as neither the character nor a neighbour in the run owns, as long as one of the lists has one.
        """
        for turn in range(most - len(self.things)):
            lists = [belongings[(draft.index + turn + at) % len(belongings)] for at in range(len(belongings))]
            drawn = turn // len(lists)
            if not any(self._deal(each, draft, dice, drawn, stray=False) for each in lists) and not any(
                self._deal(each, draft, dice, drawn, stray=True) for each in lists
            ):
                return

    def write_to(self, draft: Draft) -> None:
        """Write the things into a draft."""
        if self.things:
            draft.values["gear"] = tuple(self.things)
        if draft.log is not None:
            draft.tell("belongings: " + ("; ".join(self.things) or "none"))


class _Weapon(NamedTuple):
    """A weapon among the lines of a list: the bit of its line, its name, its tags, the skills that it is used with."""

    bit: int
    name: str
    tags: tuple[str, ...]
    skills: frozenset[str]


def _weapons(lines: Sequence[Phrase], role: str, cast: Cast) -> tuple[_Weapon, ...]:
    """Return the lines that are weapons of a skill."""
    arms = ((1 << at, line.say, cast.arms(line.say)) for at, line in enumerate(lines))
    return tuple(_Weapon(bit, name, cast.tags(name), skills) for bit, name, skills in arms if role in skills)


class SkillGear:
    """The things of a skill: the first that is taken is a weapon for it where one fits, if its owner has none."""

    __slots__ = ("_armed", "_arms", "_menu", "_of_trade", "_other_arms", "_others", "_tools", "_unusual")

    def __init__(self, role: str, cast: Cast, declared: Container[str], *, advanced: bool) -> None:
        both = cast.gear[role].advanced, cast.gear[role].basic
        lines, others = both if advanced else both[::-1]
        others = tuple(line for line in others if role in cast.arms(line.say))
        self._menu, self._others = choices_of(lines), choices_of(others)
        self._arms = _weapons(lines, role, cast)
        self._other_arms = _weapons(others, role, cast)
        self._armed = sum(arm.bit for arm in self._arms)
        self._unusual = sum(arm.bit for arm in self._arms if not is_usual(arm.tags))
        self._tools = sum(1 << at for at, line in enumerate(lines) if line.say not in declared)
        self._of_trade: dict[str, tuple[int, int, int]] = {}

    def take(self, count: int, owned: Belongings, draft: Draft, dice: Dice, *, armed: bool) -> None:
        """Add `count` different things, or as many as there are; somebody `armed` by the trade gets no other weapon.

        The weapon is one that the trade names, or else one that suits it, as long as there is such a one.
        """
        levels, every = draft.levels, self._menu.parts
        fitting = self._menu.suiting(levels)
        if armed:
            suiting = self._tools
        else:
            named, others_named, unsuited = self._suiting(draft.occupation)
            suiting = ~unsuited
            if count and self._arms:
                arms = self._armed & fitting
                found = (
                    every.part(arms & named)
                    or self._others.parts.part(self._others.suiting(levels) & others_named)
                    or every.part(arms & suiting)
                    or every.part(arms)
                )
                count -= bool(found) and owned.one_of(found, dice, "thing")
        rest = every.part(fitting & suiting)
        for _ in range(count):
            owned.one_of(rest, dice, "thing")

    def _suiting(self, trade: Occupation | None) -> tuple[int, int, int]:
        """Return the weapons that a trade names, here and among the others, and those that do not suit it, as bits."""
        if trade is None or not (self._arms or self._other_arms):
            return 0, 0, self._unusual
        if trade.name not in self._of_trade:
            named, others_named = (
                sum(each.bit for each in arms if trade.names(each.name, each.tags))
                for arms in (self._arms, self._other_arms)
            )
            carried = sum(each.bit for each in self._arms if trade.carries(each.name, each.tags, each.skills))
            self._of_trade[trade.name] = named, others_named, self._unusual & ~carried
        return self._of_trade[trade.name]
