"""The step that finds somebody's trade: of the world, within their standing, for the skills that they have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from sheetgen.dice.source import Dice, shuffled
from sheetgen.model.cast import Cast, Condition, Occupation
from sheetgen.rules.creation.dealing import APART, MOST_REMEMBERED, ConditionalChoices, FittingParts, Rotation
from sheetgen.rules.creation.draft import Draft, Making, StepFunction

HELD_BEST = (3, 2, 1, 1)
RINGS = (5, 4, 3, 2, 1, 0)  # sixths of the points of the trade that suits best
TURNS = (20, 10, 4)  # a trade has its turn once in so many people, as far as trades allow


def occupation(
    making: Making,
    known: Callable[[Draft], Collection[str]] = lambda draft: (),
    closed: Callable[[Draft], Collection[str]] = lambda draft: (),
) -> StepFunction:
    """A step that finds a trade for the skills a character has: the better its skills are held, the likelier it is.

    An archetype has trades of its own; where not one of them belongs to the world, every trade of the pack is open.
    Nobody has a trade whose weapons they have not learnt, or one of those `closed` to them, if they can have another;
    `known` are skills that all have.
    """
    making.only()
    trades = making.system.cast.occupations
    if not trades:
        raise making.wrong("the pack has no occupations")
    every = tuple(trades.values())
    options = making.system.creation.options.values()
    world = frozenset(option.of if option.kind == "level" else option.name for option in options)
    cast = making.system.cast
    suited = _suited(every, frozenset(cast.standing) - world)
    asked = tuple(dict.fromkeys(trait for trade in every for trait, _ in trade.fits))

    @lru_cache(MOST_REMEMBERED)
    def nearest(levels: tuple[int | None, ...]) -> list[Occupation]:
        known = {trait: level for trait, level in zip(asked, levels, strict=True) if level is not None}
        return _nearest(every, known, world)

    unlearnt = {trait.role: trait.default for trait in making.system.all_traits()}
    trained = {group.name for group in making.system.groups if group.default is not None}
    fought, unarmed = _unarmed(every, cast)
    turns = _turns(making, trades)

    def likely(draft: Draft, levels: Mapping[str, int]) -> Iterator[list[Occupation]]:
        own = [trades[name] for name in draft.archetype.occupations] if draft.archetype is not None else []
        of_the_world = [trade for trade in own if not _misfit(trade, levels, world)[0]]

        def found() -> Iterator[Iterator[list[Occupation]]]:
            if of_the_world:
                yield iter([_nearest(of_the_world, levels, world)])
            else:
                yield suited(levels)
                yield iter([nearest(tuple(levels.get(trait, unlearnt.get(trait)) for trait in asked))])

        return _first_of(found, closed(draft), levels)

    def step(draft: Draft, dice: Dice) -> None:
        levels, rings = draft.levels, likely(draft, draft.levels)
        if draft.groups.keys() & trained:
            able = known(draft)
            bare = unarmed(tuple([skill for skill in fought if levels.get(skill) or skill in able]))
            rings = (_lived_by(ring, levels, bare) for ring in rings)
        trade = _unlike_neighbours(rings, turns.places(draft.index), draft.index, dice)
        draft.occupation = trade
        draft.values["occupation"] = trade.name
        draft.tell(f"occupation: {trade.name}")

    return step


def _turns(making: Making, trades: Mapping[str, Occupation]) -> Rotation:
    """Return whose turn it is when: trades for the same people follow each other, so that at each turn there is one."""
    listed = making.plan.archetype.occupations if making.plan.archetype is not None else tuple(trades)
    order = [trades[listed[at]] for at in shuffled(len(listed), making.key("trades"))]
    kinds = {kind: at for at, kind in enumerate(dict.fromkeys((each.fits, each.skills[:1]) for each in order))}
    order.sort(key=lambda each: kinds[each.fits, each.skills[:1]])
    return Rotation([trade.name for trade in order], making.key("turns"))


def _lived_by(some: list[Occupation], levels: Mapping[str, int], bare: Collection[str]) -> list[Occupation]:
    """Return the trades whose first skill is held, or else any of their skills, without those that are bare of arms."""
    held = [trade for trade in some if trade.skills and levels.get(trade.skills[0])]
    some = held or [trade for trade in some if any(map(levels.get, trade.skills))] or some
    return [trade for trade in some if trade.name not in bare] or some


def _first_of(
    found: Callable[[], Iterator[Iterator[list[Occupation]]]], shut: Collection[str], levels: Mapping[str, int]
) -> Iterator[list[Occupation]]:
    """Return the rings of the first that has any, of trades that are not shut if these are enough."""
    still_open = (_open(rings, shut, levels) for rings in (found() if shut else ()))
    for rings in chain(still_open, found()):
        for ring in rings:
            return chain([ring], rings)
    return iter(())


def _open(
    rings: Iterable[list[Occupation]], shut: Collection[str], levels: Mapping[str, int]
) -> Iterator[list[Occupation]]:
    """Yield the rings of those trades that are not shut and whose first skill is held, without empty ones."""
    held = ([each for each in ring if each.skills and levels.get(each.skills[0])] for ring in rings)
    yield from (left for ring in held if (left := [each for each in ring if each.name not in shut]))


def _unarmed(trades: Iterable[Occupation], cast: Cast) -> tuple[list[str], Callable[[tuple[str, ...]], frozenset[str]]]:
    """Return the skills that trades fight with, and a function that finds the trades without arms for those held."""
    asking = dict[frozenset[str], set[str]]()  # the trades that bring a weapon of one of these skills
    for trade in trades:
        for skills in filter(None, map(cast.arms, trade.gear)):
            asking.setdefault(skills, set()).add(trade.name)

    @lru_cache(MOST_REMEMBERED)
    def unarmed(held: tuple[str, ...]) -> frozenset[str]:
        return frozenset(name for skills, names in asking.items() if skills.isdisjoint(held) for name in names)

    return sorted({skill for skills in asking for skill in skills}), unarmed


def _unlike_neighbours(
    rings: Iterable[Sequence[Occupation]], places: Mapping[str, int], index: int, dice: Dice
) -> Occupation:
    """Return a trade of one of the rings: one that nobody near in the run has, or else one that suits best.

    Each trade has its turn, every so many people, and a list of an archetype is dealt in turn. Most often the first
    rings have one whose turn it is, and the others are not asked for.
    """
    apart = [max(len(places) // 2 * 2, 2)] if len(places) <= APART else TURNS
    met = list[Sequence[Occupation]]()

    def one_by_one() -> Iterator[Sequence[Occupation]]:
        for ring in rings:
            met.append(ring)
            yield ring

    for turn in (*apart, 2):
        for ring in met or one_by_one():
            some = [trade for trade in ring if (places.get(trade.name, index) - index) % turn == 0]
            if some:
                return some[dice.choose(len(some), "trade")]
    return met[0][dice.choose(len(met[0]), "trade")]


def _nearest(trades: Sequence[Occupation], levels: Mapping[str, int], world: frozenset[str]) -> list[Occupation]:
    """The trades that fit best: what the world lacks comes first, then how far a standing is too high or too low."""
    misfits = [_misfit(trade, levels, world) for trade in trades]
    least = min(misfits)
    return [trade for trade, misfit in zip(trades, misfits, strict=True) if misfit == least]


def _misfit(trade: Occupation, levels: Mapping[str, int], world: frozenset[str]) -> tuple[int, int]:
    """Return by how many levels the world, and by how many the character, lies outside the ranges of a trade."""
    of_the_world = of_the_person = 0
    for trait, allowed in trade.fits:
        level = levels.get(trait)
        if level is None or level in allowed:
            continue
        away = min((abs(level - each) for each in allowed), default=1)
        if trait in world:
            of_the_world += away
        else:
            of_the_person += away
    return of_the_world, of_the_person


@lru_cache(maxsize=16)  # every roll of a trade begins with the same ones
def _suited(
    trades: tuple[Occupation, ...], standing: frozenset[str]
) -> Callable[[Mapping[str, int]], Iterator[list[Occupation]]]:
    """Return a function that yields the trades that fit, in rings: first those whose skills are nearly as high as those
    of the best, then those with lower ones, too, and last those for a standing one level higher or lower; no ring if
    nothing fits.
    """
    lists: dict[str, list[tuple[int, tuple[int, int]]]] = {}
    leads = [trade.skills[0] if trade.skills else "" for trade in trades]
    led: dict[str, list[tuple[int, Occupation]]] = {}
    for at, trade in enumerate(trades):
        for skill, weight in zip(trade.skills, HELD_BEST, strict=False):
            lists.setdefault(skill, []).append((at, (at, weight)))
        led.setdefault(leads[at], []).append((at, trade))
    by_skill = tuple((skill, FittingParts(listed)) for skill, listed in lists.items())
    by_lead = tuple((skill, FittingParts(listed)) for skill, listed in led.items() if skill)
    menu = ConditionalChoices((trade, trade.fits) for trade in trades)
    wider = ConditionalChoices((trade, _wider(trade.fits, standing)) for trade in trades)

    def suited(levels: Mapping[str, int]) -> Iterator[list[Occupation]]:
        suiting = menu.suiting(levels)
        score: dict[int, int] = {}
        for skill, living_by_it in by_skill:
            level = levels.get(skill)
            if level:
                for at, weight in living_by_it.part(suiting):
                    points = level * weight
                    score[at] = score[at] + points if at in score else points
        if not score:
            return
        # Nobody lives by a trade whose first skill they lack, as long as there is another one.
        first = {at: points for at, points in score.items() if levels.get(leads[at], 0) > 0}
        score = first if max(first.values(), default=0) > 0 else score
        best = max(score.values())
        for part in RINGS:
            yield [trades[at] for at, points in score.items() if 6 * points >= best * part]
        near = wider.suiting(levels)
        yield [trade for skill, some in by_lead if levels.get(skill, 0) > 0 for trade in some.part(near)]

    return suited


def _wider(conditions: tuple[Condition, ...], standing: frozenset[str]) -> tuple[Condition, ...]:
    """Return conditions that let through one level more and one less of a standing."""
    return tuple(
        (trait, allowed | {level + by for level in allowed for by in (-1, 1)} if trait in standing else allowed)
        for trait, allowed in conditions
    )
