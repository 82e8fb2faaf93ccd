"""Steps for what somebody has learned since the start, by the rules of growth of a game, and for words that stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from sheetgen.dice.source import Dice
from sheetgen.errors import quoted
from sheetgen.model.data import Data
from sheetgen.model.system import Trait
from sheetgen.rules.creation.draft import Draft, Making, StepFunction
from sheetgen.rules.creation.steps import level_of

RISING = "rising"
ARMED = re.compile(r"(?P<thing>.+) \((?P<die>\d*d(?P<faces>\d+)\S*)\)")


def grow(making: Making, closed: Callable[[Draft], Collection[str]] = lambda draft: ()) -> StepFunction:
    """Return a step that spends `points` on levels, as the game prices growth.

    `costs` says for each group what the next level costs: a number, or `rising N` for N times the level aimed at. Of
    the traits in `best of` the one held best rises first, until it is at `to`. The rest goes to those in `also`, to the
    first `leaning` attributes of the archetype, and to its skills (those held, without one), none past `most` of its
    group nor by more than `each`. `noted` names the trait that counts what was spent; `closed` are skills that
    a character cannot have.
    """
    making.only("points", "costs", "best of", "to", "also", "leaning", "most", "each", "noted")
    points, leaning = _number(making, "points"), _number(making, "leaning")
    best_of, also = (_roles(making, name) for name in ("best of", "also"))
    noted = making.trait("noted") if "noted" in making.step.params else None
    scheme, aim = _scheme(making), 0
    for word, role in zip(making.words("best of") if best_of else (), best_of, strict=True):
        if role not in scheme.traits:
            raise making.wrong(f"best of: costs says nothing of the group of {quoted(word)}", word)
    if best_of:
        aim = level_of(making, scheme.traits[best_of[0]], str(making.word("to")), making.word("to"))

    def step(draft: Draft, dice: Dice) -> None:
        archetype = draft.archetype
        skills = tuple(draft.groups.get("skills", ()))
        if archetype is not None:
            skills = (*archetype.attributes[:leaning], *archetype.core, *archetype.also)
        rising = _Rising(scheme, draft, points)
        barred = closed(draft)
        arms = [role for role in best_of if role not in barred]
        likely = [role for role in arms if role in skills] or _own_arms(making, draft, arms)
        if likely:
            rising.up_to(max(likely, key=rising.level), aim)
        wishes = [role for role in (*also, *skills) if role in scheme.traits and role not in barred]
        while able := [role for role in wishes if rising.can(role)]:
            rising.rise(able[dice.choose(len(able), "what is learned")])
        spent = points - rising.left
        if noted is not None:
            counts = draft.groups.setdefault(making.system.group_of[noted.name].name, {})
            counts[noted.role] = draft.levels[noted.role] = draft.levels.get(noted.role, 0) + spent
        draft.tell(f"{spent} of {points}: {rising}")

    return step


def _own_arms(making: Making, draft: Draft, arms: Sequence[str]) -> Sequence[str]:
    """Return which skills somebody without any may fight by: all, but creatures only those of what they fight with."""
    if draft.archetype is None or not draft.archetype.names:
        return arms
    had = draft.values.get("gear", ())
    own = {skill for thing in (had if isinstance(had, tuple) else ()) for skill in making.system.cast.arms(thing)}
    return [role for role in arms if role in own]


@dataclass(frozen=True, slots=True)
class _Scheme:
    """What may rise: the traits by role, and of each its group, price and highest level; by how much at the most."""

    traits: Mapping[str, Trait]
    usual: Mapping[str, int | None]
    price: Mapping[str, Callable[[int], int]]
    highest: Mapping[str, int]
    group: Mapping[str, str]
    each: int


def _scheme(making: Making) -> _Scheme:
    prices, most = _by_group(making, "costs"), _by_group(making, "most")
    if not prices:
        raise making.wrong("needs costs: what a level of each group costs")
    groups = [making.system.group(name) for name in prices]
    members = [(group, trait) for group in groups for trait in group.members]
    highest = {
        group.name: level_of(making, group.members[0], str(most[group.name]), most[group.name])
        for group in groups
        if group.name in most
    }
    price = {name: _price(making, written) for name, written in prices.items()}
    return _Scheme(
        {trait.role: trait for _, trait in members},
        {trait.role: trait.default for _, trait in members},
        {trait.role: price[group.name] for group, trait in members},
        {trait.role: highest.get(group.name, trait.start.high) for group, trait in members},
        {trait.role: group.name for group, trait in members},
        _number(making, "each"),
    )


def _price(making: Making, written: Data) -> Callable[[int], int]:
    """Return what the step to a level costs."""
    kind, _, number = str(written).rpartition(" ")
    if kind not in ("", RISING) or not number.isascii() or not number.isdigit() or not int(number):
        raise making.wrong(f"costs takes a whole number, or “{RISING}” and one, not {quoted(str(written))}", written)
    by = int(number)
    return (lambda level: by * level) if kind else (lambda level: by)


class _Rising:
    """The traits of one draft while points are spent on them."""

    def __init__(self, scheme: _Scheme, draft: Draft, points: int) -> None:
        self.left = points
        self._scheme, self._draft, self._began = scheme, draft, dict(draft.levels)

    def level(self, role: str) -> int:
        """Return the level of a trait; one that is not written down is at its default, or at that of its section."""
        return self._level_of(role, self._draft.levels)

    def _level_of(self, role: str, levels: Mapping[str, int]) -> int:
        usual = self._scheme.usual[role]
        return levels.get(role, levels.get(self._scheme.traits[role].section, 0) if usual is None else usual)

    def can(self, role: str) -> bool:
        """Return whether a trait may rise by one level for the points that are left."""
        scheme, now = self._scheme, self.level(role)
        within = not scheme.each or now - self._level_of(role, self._began) < scheme.each
        return within and now < scheme.highest[role] and scheme.price[role](now + 1) <= self.left

    def rise(self, role: str) -> None:
        """Raise a trait by one level."""
        now = self.level(role) + 1
        self.left -= self._scheme.price[role](now)
        self._draft.levels[role] = now
        self._draft.groups.setdefault(self._scheme.group[role], {})[role] = now

    def up_to(self, role: str, level: int) -> None:
        """Raise a trait as far as that level, or as the points go."""
        while self.level(role) < level and self.can(role):
            self.rise(role)

    def __str__(self) -> str:
        now = {role: self.level(role) for role in self._scheme.traits if self._draft.levels.get(role)}
        risen = [f"{role} {level}" for role, level in now.items() if level != self._level_of(role, self._began)]
        return ", ".join(risen) or "nothing"


def _number(making: Making, name: str) -> int:
    return making.number(name) if name in making.step.params else 0


def _roles(making: Making, name: str) -> Sequence[str]:
    words = making.words(name) if name in making.step.params else ()
    return tuple(making.named_trait(word).role for word in words)


def _by_group(making: Making, name: str) -> Mapping[str, Data]:
    """Return a parameter that has a value for some groups of traits."""
    data = making.step.params.get(name, {})  # type: ignore[call-overload]
    if not isinstance(data, Mapping):
        raise making.wrong(f"{name} must name groups of traits, each with a value")
    for group in data:
        if group not in {each.name for each in making.system.groups}:
            raise making.wrong(f"{name}: there is no trait group {quoted(group)}", group)
    return {str(group): value for group, value in data.items()}


TRADE = "trade"


def train(making: Making) -> StepFunction:
    """Return a step that adds `points` to traits of a `group`, from where they stand, so many at a time (`by`, or 1).

    `of: trade` adds them to the skills of the trade, a number to so many others that the dice choose; what is not
    written down begins at the default. None goes beyond `most`, or the highest level at the start.
    """
    making.only("group", "points", "of", "by", "most")
    group, points = making.group(), making.number("points")
    by = making.number("by") if "by" in making.step.params else 1
    of = making.word("of")
    others = 0 if of == TRADE else making.number("of")
    if by < 1 or not (of == TRADE or 1 <= others <= len(group.members)):
        raise making.wrong(f"of is {TRADE}, or how many of {group.name}: 1 to {len(group.members)}", of)
    members = {trait.role: trait for trait in group.members}
    most = {
        role: making.number("most") if "most" in making.step.params else each.start.high
        for role, each in members.items()
    }

    def step(draft: Draft, dice: Dice) -> None:
        held = draft.groups.setdefault(group.name, {})
        levels = {role: held.get(role, trait.default or max(trait.range.low, 0)) for role, trait in members.items()}
        wanted = [role for role in (draft.occupation.skills if draft.occupation is not None else ()) if role in members]
        if of != TRADE:
            left = [role for role in members if role not in wanted] or list(members)
            wanted = [
                left.pop(dice.choose(len(left), "what is learned besides")) for _ in range(min(others, len(left)))
            ]
        before, rest = dict(levels), points
        while able := [role for role in wanted if levels[role] + by <= most[role] and by <= rest]:
            levels[able[dice.choose(len(able), "what is learned")]] += by
            rest -= by
        risen = {role: level for role, level in levels.items() if level != before[role]}
        held.update(risen)
        draft.levels.update(risen)
        draft.tell(
            f"{points - rest} points: {', '.join(f'{role} {level}' for role, level in risen.items()) or 'nothing'}"
        )

    return step


def note(making: Making) -> StepFunction:
    """Return a step that writes a word into a field: `is` it, or the word of an `option`.

    With `from`, a list, it is the thing there with the largest die in brackets (`bow (d6)` becomes `bow d6`), if any.
    """
    making.only("field", "is", "option", "from")
    field = making.field("field", "text", "choice").name
    option = making.option("option", "word").name if "option" in making.step.params else ""
    listed = making.field("from", "list").name if "from" in making.step.params else ""
    said = "" if option else str(making.word("is"))

    def step(draft: Draft, dice: Dice) -> None:
        things = draft.values.get(listed, ())
        found = [each for line in things if (each := ARMED.fullmatch(str(line)))]
        armed = max(found, key=lambda each: int(each["faces"]), default=None)
        usual = draft.words[option] if option else said
        draft.values[field] = word = f"{armed['thing']} {armed['die']}" if armed is not None else usual
        draft.tell(f"{field}: {word}")

    return step
