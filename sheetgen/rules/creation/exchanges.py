"""Steps that give one thing for another: two rolled levels that change places, coins of a purse for things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from sheetgen.dice.source import Dice
from sheetgen.errors import among, quoted, suggestion
from sheetgen.model.data import Word
from sheetgen.model.system import Trait
from sheetgen.rules.creation.draft import Draft, Making, StepFunction

MOST_BOUGHT = 50
HIGHEST_PRICE = 9_999


def swap(making: Making) -> StepFunction:
    """Return a step that lets two levels of a `group` change places, so that what matters most has the highest.

    It does so at most `times` times (once if absent), and not where what matters has its level already. Without an
    archetype that says what matters, the dice say it.
    """
    making.only("group", "times")
    group, times = making.group(), making.number("times") if "times" in making.step.params else 1
    if not 1 <= times < max(len(group.members), 2):
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
    most = making.number("most") if "most" in making.step.params else MOST_BOUGHT
    if not 1 <= most <= MOST_BOUGHT:
        raise making.wrong(f"most must be 1 to {MOST_BOUGHT}")
    if keep not in purse.range:
        raise making.wrong(f"keep: {purse.name} cannot be at {keep}", making.data("keep"))
    first = _first(making, prices)

    def step(draft: Draft, dice: Dice) -> None:
        coins, bought = _level(draft, purse, group.default), list[str]()
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


def _level(draft: Draft, trait: Trait, default: int | None) -> int:
    return draft.levels.get(trait.role, default if default is not None else max(trait.range.low, 0))


def _prices(making: Making) -> dict[str, int]:
    """Return the price of each thing; InputError where the list is none, or at a price that is no whole number."""
    word = making.word("from")
    found = making.system.values.at(word) if making.system.values.has(word) else None
    if not isinstance(found, Mapping) or not found:
        near = suggestion(word, making.system.values.outermost) or " that lists prices: {rope: 5, lantern: 8}"
        raise making.wrong(f"from: the pack has no value {quoted(word)}{near}", word)
    prices = dict[str, int]()
    for thing, price in found.items():
        text = str(price)
        if not isinstance(price, Word) or not (text.isascii() and text.isdigit() and int(text) <= HIGHEST_PRICE):
            raise making.wrong(f"the price of {thing} must be a whole number from 0 to {HIGHEST_PRICE:,}", thing)
        prices[str(thing)] = int(text)
    return prices


def _first(making: Making, prices: Mapping[str, int]) -> tuple[str, ...]:
    words = making.words("first") if "first" in making.step.params else ()
    for word in words:
        if word not in prices:
            raise making.wrong(f"first: no price for {quoted(word)}{among(word, prices)}", word)
    return tuple(map(str, words))
