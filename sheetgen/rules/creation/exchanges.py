"""Steps that give one thing for another: levels that change places, coins of a purse or slots of a list for things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from sheetgen.dice.source import Dice
from sheetgen.errors import among, quoted, suggestion
from sheetgen.model.data import Word
from sheetgen.model.system import Trait
from sheetgen.rules.creation.draft import Draft, Making, StepFunction

MOST_BOUGHT = 50
HIGHEST_PRICE = 9_999
MOST_SLOTS = 100


def swap(making: Making) -> StepFunction:
    """Return a step that lets two levels of a `group` change places, so that what matters most has the highest.

    It does so at most `times` times (once if absent), and not where what matters has its level already. Without an
    archetype that says what matters, the dice say it.
    """
    making.only("group", "times")
    group, times = making.group(), making.number("times") if "times" in making.step.params else 1
    if len(group.members) < 2:
        raise making.wrong(f"{group.name} has one trait, which can change places with none", making.word("group"))
    if not 1 <= times < len(group.members):
        raise making.wrong(f"times must be 1 to {len(group.members) - 1}, one less than {group.name} has members")
    one = group.members[0]
    other = next((trait for trait in group.members if trait.range != one.range), None)
    if other is not None:
        raise making.wrong(f"levels of {one.name} and {other.name} cannot change places: their ranges differ")

    def step(draft: Draft, dice: Dice) -> None:
        fixed = _fixed(draft, group.name)
        held = {role: level for role, level in draft.groups.get(group.name, {}).items() if role not in fixed}
        draft.before_swap[group.name] = dict(held)
        order, changed = _most_important(draft, dice, list(held), times), list[str]()
        for at, role in enumerate(order):
            best = max((each for each in held if each not in order[:at]), key=lambda each: held[each])
            if held[best] > held[role]:
                held[role], held[best] = held[best], held[role]
                changed.append(f"{role} {group.write(held[role])} and {best} {group.write(held[best])}")
        draft.groups.setdefault(group.name, {}).update(held)
        draft.levels.update(held)
        draft.tell("changed places: " + ("; ".join(changed) or "none"))

    return step


def fewest_exchanges(pairs: Iterable[tuple[int, int]]) -> int:
    """Return how often two levels must change places, at least, until each that is the first is the second of a pair.

    The levels of all pairs must be the same before and after; equal ones count as one and the same.
    """
    return _fewest(tuple(sorted(pairs)))


@lru_cache(4096)
def _fewest(pairs: tuple[tuple[int, int], ...]) -> int:
    left = [pair for pair in pairs if pair[0] != pair[1]]
    for level, wanted in left:
        if (wanted, level) in left:  # no exchange does more than one that puts both right
            left.remove((level, wanted))
            left.remove((wanted, level))
            return 1 + _fewest(tuple(left))
    if not left:
        return 0
    level, wanted = left.pop(0)
    return 1 + min(_fewest(_without(left, pair, (level, pair[1]))) for pair in set(left) if pair[0] == wanted)


def _without(pairs: list[tuple[int, int]], one: tuple[int, int], other: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Return the pairs with another in the place of one."""
    at = pairs.index(one)
    return tuple(sorted([*pairs[:at], other, *pairs[at + 1 :]]))


def _fixed(draft: Draft, group: str) -> Mapping[str, int]:
    """Return the levels of a group that the archetype fixes, by role: no step changes them."""
    return draft.given.groups.get(group, {}) if draft.given is not None else {}


def _most_important(draft: Draft, dice: Dice, roles: list[str], count: int) -> list[str]:
    """Return so many roles, most important first: the archetype's order, then as the dice say."""
    wanted = draft.archetype.attributes if draft.archetype is not None else ()
    order, left = [role for role in wanted if role in roles], [role for role in roles if role not in wanted]
    while left and len(order) < count:
        order.append(left.pop(dice.choose(len(left), "what matters most")))
    return order[:count]


def pay(making: Making) -> StepFunction:
    """Return a step that buys things `from` a price list of the pack, a mapping from things to whole numbers.

    The `purse` is a trait, whose level goes down by each price, but not below `keep` (0). Things named under `first`
    are bought before others, which the dice choose; at most `most` things, each once, go `into` a list. Whose archetype
    fixes what is left in the purse buys nothing.
    """
    making.only("from", "purse", "into", "first", "keep", "most")
    prices, purse, field = _prices(making), making.trait("purse"), making.field("into", "list").name
    group = making.system.group_of[purse.name]
    keep = making.number("keep") if "keep" in making.step.params else 0
    most = _most(making)
    if keep not in purse.range:
        raise making.wrong(f"keep: {purse.name} cannot be at {keep}", making.data("keep"))
    first = _first(making, prices)

    def step(draft: Draft, dice: Dice) -> None:
        coins, bought = _level_of(draft, purse, purse.default), list[str]()
        owned = draft.values.get(field)
        things = list(owned) if isinstance(owned, tuple) else []
        while len(bought) < most and purse.role not in _fixed(draft, group.name):
            able = [each for each, price in prices.items() if each not in things and price <= coins - keep]
            needed = next((each for each in first if each in able), None)
            if not able:
                break
            thing = needed or able[dice.choose(len(able), making.step.name)]
            things.append(thing)
            bought.append(f"{thing} {prices[thing]}")
            coins -= prices[thing]
        draft.groups.setdefault(group.name, {})[purse.role] = draft.levels[purse.role] = coins
        if bought:
            draft.values[field] = tuple(things)
        draft.tell(f"bought: {', '.join(bought) or 'nothing'}; {purse.name} {group.write(coins)}")

    return step


def fill_slots(making: Making) -> StepFunction:
    """Return a step that fills the `slots` of a list `into` with things `from` a list of the pack.

    `slots` is how many there are, or a trait whose level says so. Instead of a list, `from` may be a mapping from
    things to the slots that each takes; where these are several, the line says so. What is in the list already takes
    room as well. Things named under `first` come before others, which the dice choose; `free` slots stay empty, and at
    most `most` things are added, each once. Creatures, which have names of their kind, own what is given to them.
    """
    making.only("from", "into", "slots", "free", "first", "most")
    sizes, field, room = _sizes(making), making.field("into", "list").name, _room(making)
    free = making.number("free") if "free" in making.step.params else 0
    most, first = _most(making), _first(making, sizes)
    slots = making.word("slots")
    whole = 0 if slots in making.system.by_role or slots in making.system.traits else making.number("slots") - free
    for each in first:
        if 0 < whole < sizes[each]:
            raise making.wrong(f"first: {each} takes {sizes[each]} slots, and {whole} are to be filled", slots)
    lines = {each: f"{each} ({size} slots)" if size > 1 else each for each, size in sizes.items()}
    taken = {**sizes, **{lines[each]: size for each, size in sizes.items()}}

    def step(draft: Draft, dice: Dice) -> None:
        owned = draft.values.get(field)
        things = list(owned) if isinstance(owned, tuple) else []
        left = room(draft) - free - sum(taken.get(each, 1) for each in things)
        added = list[str]()
        if things and draft.archetype is not None and draft.archetype.names:
            return
        while len(added) < most:
            held = {*things, *added}
            able = [each for each, size in sizes.items() if size <= left and not held & {each, lines[each]}]
            if not able:
                break
            needed = next((each for each in first if each in able), None)
            added.append(needed or able[dice.choose(len(able), making.step.name)])
            left -= sizes[added[-1]]
        draft.values[field] = (*things, *(lines[each] for each in added))
        draft.tell(f"slots: {', '.join(added) or 'nothing'}; {max(left, 0) + free} left")

    return step


def _sizes(making: Making) -> dict[str, int]:
    """Return how many slots each thing takes: what a mapping says, or one for each of a list."""
    word = making.word("from")
    listed = making.system.values.at(word) if making.system.values.has(word) else None
    if isinstance(listed, tuple) and listed and all(isinstance(each, Word) for each in listed):
        return {str(each): 1 for each in listed}
    return _prices(making, "slots of", "lists things, such as [rope, lantern], or {rope: 1, tent: 2}")


def _room(making: Making) -> Callable[[Draft], int]:
    """Return what tells how many slots somebody has: a number, or the level of a trait."""
    word = making.word("slots")
    trait = {**making.system.by_role, **making.system.traits}.get(word)
    if trait is not None:
        return lambda draft: _level_of(draft, trait, trait.default)
    slots = making.number("slots")
    if not 1 <= slots <= MOST_SLOTS:
        raise making.wrong(f"slots must be 1 to {MOST_SLOTS}, or a trait that says how many", word)
    return lambda draft: slots


def _most(making: Making) -> int:
    most = making.number("most") if "most" in making.step.params else MOST_BOUGHT
    if not 1 <= most <= MOST_BOUGHT:
        raise making.wrong(f"most must be 1 to {MOST_BOUGHT}")
    return most


def _level_of(draft: Draft, trait: Trait, default: int | None) -> int:
    return draft.levels.get(trait.role, default if default is not None else max(trait.range.low, 0))


def _prices(
    making: Making, called: str = "price of", kind: str = "lists prices: {rope: 5, lantern: 8}"
) -> dict[str, int]:
    """Return the price of each thing; InputError where the list is none, or at a price that is no whole number."""
    word = making.word("from")
    found = making.system.values.at(word) if making.system.values.has(word) else None
    if not isinstance(found, Mapping) or not found:
        near = suggestion(word, making.system.values.outermost) or f" that {kind}"
        raise making.wrong(f"from: the pack has no value {quoted(word)}{near}", word)
    prices = dict[str, int]()
    for thing, price in found.items():
        text = str(price)
        if not isinstance(price, Word) or not (text.isascii() and text.isdigit() and int(text) <= HIGHEST_PRICE):
            raise making.wrong(f"the {called} {thing} must be a whole number from 0 to {HIGHEST_PRICE:,}", thing)
        prices[str(thing)] = int(text)
    return prices


def _first(making: Making, listed: Mapping[str, int]) -> tuple[str, ...]:
    words = making.words("first") if "first" in making.step.params else ()
    for word in words:
        if word not in listed:
            raise making.wrong(f"first: {making.word('from')} has no {quoted(word)}{among(word, listed)}", word)
    return tuple(map(str, words))
