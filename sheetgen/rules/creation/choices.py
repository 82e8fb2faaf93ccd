"""Choice forms: what a person may choose in a step that gives levels (own dice, an order, points, or prices).

A form states its limits, the current state, and why a choice is refused. A step without a form may be changed within
the ranges of the game, and the result is judged as a character file is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sheetgen.model.system import Span, TraitGroup
from sheetgen.rules.creation.answers import BrokenRule, RefusedAnswer, levels_in
from sheetgen.rules.creation.draft import Draft, Making
from sheetgen.rules.creation.exchanges import fewest_exchanges
from sheetgen.rules.creation.steps import COSTS, barred_traits, fixed_levels, level_cost, rolled_span

Levels = Mapping[str, int]
PRICED = 5
CLEAR = "none"


class ChoiceForm(Protocol):
    """The way in which a person fills in a step that gives levels."""

    @property
    def group(self) -> TraitGroup:
        """The traits that it gives levels to."""

    def how(self) -> str:
        """Return what may be typed, in a few words."""

    def help(self) -> tuple[str, ...]:
        """Return the limits, a line each."""

    def standing(self, levels: Levels) -> tuple[str, ...]:
        """Return the current state: what is spent and what is left, a line each."""

    def changed(self, levels: Levels, answer: str) -> dict[str, int]:
        """Return the levels after an answer; RefusedAnswer for one that cannot be read."""

    def refusal(self, levels: Levels) -> str:
        """Return why the levels are refused, empty if they are not."""


ChoiceFormMaker = Callable[[Making, Draft], Sequence[ChoiceForm]]


@dataclass(frozen=True, slots=True)
class _RolledInOrder:
    """Dice rolled in order; a person may type the results of own dice, within what the dice can show."""

    group: TraitGroup
    dice: str
    span: Span
    rolled: tuple[str, ...]

    def how(self) -> str:
        return f"type what your own dice fell, such as {_example(self.group, dict.fromkeys(self.rolled, self.span))}"

    def help(self) -> tuple[str, ...]:
        return (f"{self.dice} for each: {_span(self.group, self.span)}",)

    def standing(self, levels: Levels) -> tuple[str, ...]:
        return ()

    def changed(self, levels: Levels, answer: str) -> dict[str, int]:
        made = {**levels, **levels_in(answer, self.rolled, self.group.scale)}
        _check_spans(self.group, made, dict.fromkeys(self.rolled, self.span), f" with {self.dice}")
        return made

    def refusal(self, levels: Levels) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class _ArrangedResults:
    """Results that may be given to any member; typing one for a name swaps it with the member that has it."""

    group: TraitGroup
    results: tuple[int, ...]

    def how(self) -> str:
        return "type a name and the result it is to have: the two change places"

    def help(self) -> tuple[str, ...]:
        return (f"the results: {self._written()}, each for one of them",)

    def standing(self, levels: Levels) -> tuple[str, ...]:
        return (f"results: {self._written()}",)

    def _written(self) -> str:
        return ", ".join(map(self.group.write, self.results))

    def changed(self, levels: Levels, answer: str) -> dict[str, int]:
        return _swapped(self.group, levels, answer, list(levels))

    def refusal(self, levels: Levels) -> str:
        return "" if Counter(levels.values()) == Counter(self.results) else "these are not the results that fell"


def _swapped(group: TraitGroup, levels: Levels, answer: str, free: Sequence[str]) -> dict[str, int]:
    """Return the levels after the swaps that were typed, the first of them first; only free names change places."""
    made = dict(levels)
    settled = set[str]()
    for name, level in levels_in(answer, list(levels), group.scale).items():
        if name not in free:
            raise RefusedAnswer(f"{name} keeps its level")
        settled.add(name)
        other = next((each for each in free if made[each] == level and each not in settled), name)
        if made[other] != level:
            raise RefusedAnswer(f"there is no {group.write(level)} left among the results for {name}")
        made[name], made[other] = level, made[name]
    return made


@dataclass(frozen=True, slots=True)
class _ExchangedResults:
    """Levels of which two may change places, at most so many times; those that are not in `before` are fixed."""

    group: TraitGroup
    before: Levels
    times: int

    def how(self) -> str:
        return f"type a name and the result it is to have: the two change places; “{CLEAR}” puts all back"

    def help(self) -> tuple[str, ...]:
        return (f"exchanges: {self.times} at most, of {self._written()}",)

    def standing(self, levels: Levels) -> tuple[str, ...]:
        return (f"changed places: {self._count(levels)} of {self.times}",)

    def changed(self, levels: Levels, answer: str) -> dict[str, int]:
        if answer.casefold() == CLEAR:
            return {**levels, **self.before}
        return _swapped(self.group, levels, answer, list(self.before))

    def refusal(self, levels: Levels) -> str:
        count = self._count(levels)
        told = f"{count} exchanges, of which there may be {self.times}: they were {self._written()}"
        return told if count > self.times else ""

    def _count(self, levels: Levels) -> int:
        return fewest_exchanges((level, levels[name]) for name, level in self.before.items())

    def _written(self) -> str:
        return ", ".join(f"{name} {self.group.write(level)}" for name, level in self.before.items())


@dataclass(frozen=True, slots=True)
class PointBuy:
    """Levels bought with points, within a budget and within where a character starts; points may be left over.

    `price` is what a level of a name costs in all; `unit` says in what, `writes` how amounts are written; a name that
    costs nothing is left out if it `drops`.
    """

    group: TraitGroup
    points: int
    price: Callable[[str, int], int]
    start: Mapping[str, Span]
    unit: str = "points"
    writes: Callable[[int], str] = str
    drops: bool = False

    @property
    def _optional(self) -> bool:
        return self.drops or self.group.default is not None

    def how(self) -> str:
        """Return what may be typed, in a few words."""
        example = f"type other levels, such as {_example(self.group, self.start)}"
        return f"{example}; “{CLEAR}” gives all of them back" if self._optional else example

    def help(self) -> tuple[str, ...]:
        """Return the limits, a line each."""
        return f"{self._amount(self.points)} in all{self._prices()}", _starts(self.group, self.start)

    def standing(self, levels: Levels) -> tuple[str, ...]:
        """Return what each level costs (unless that is its own number), what is spent and what is left."""
        spent = self._account(levels)
        if all(self.price(name, level) == level for name, level in levels.items()):
            return (spent,)
        each = ", ".join(f"{name} {self.writes(self.price(name, level))}" for name, level in levels.items())
        return (f"costs{f' in {self.unit}' if self.unit else ''}: {each or 'nothing'}", spent)

    def changed(self, levels: Levels, answer: str) -> dict[str, int]:
        """Return the levels with those that were typed; one at the default is given back."""
        if answer.casefold() == CLEAR and self._optional:
            return {}
        typed = levels_in(answer, [trait.name for trait in self.group.members], self.group.scale)
        for name in typed:
            if name not in self.start:
                raise RefusedAnswer(f"{name} is not to be had here (an option may allow it)")
        _check_spans(self.group, typed, self.start, " at the start")
        usual = {trait.name: trait.default for trait in self.group.members}
        made = {name: level for name, level in {**levels, **typed}.items() if level != usual.get(name)}
        return {name: level for name, level in made.items() if not self.drops or self.price(name, level)}

    def refusal(self, levels: Levels) -> str:
        """Return why the levels are refused, empty if they are not."""
        return f"{self._account(levels)}: take some away" if self._spent(levels) > self.points else ""

    def _spent(self, levels: Levels) -> int:
        return sum(self.price(name, level) for name, level in levels.items())

    def _account(self, levels: Levels) -> str:
        spent = self._spent(levels)
        left = self.points - spent
        rest = f", {self.writes(left)} left" if left > 0 else f", {self.writes(-left)} too many" if left else ""
        return f"{self.writes(spent)} of {self._amount(self.points)} spent{rest}"

    def _amount(self, points: int) -> str:
        return f"{self.writes(points)} {self.unit}".rstrip()

    def _prices(self) -> str:
        """Return what the levels of the first name cost, where a level does not cost its own number."""
        name, span = next(iter(self.start.items()))
        costs = {level: self.price(name, level) for level in range(span.low, span.high + 1)[:PRICED]}
        if all(level == cost for level, cost in costs.items()):
            return ", one a level"
        return ": " + ", ".join(f"{self.group.write(level)} costs {self.writes(cost)}" for level, cost in costs.items())


def _example(group: TraitGroup, start: Mapping[str, Span]) -> str:
    some = list(start.items())[:2]
    default = {trait.name: trait.default for trait in group.members}
    usual = {name: (span.low + span.high) // 2 if (at := default[name]) is None else at + 1 for name, span in some}
    return ", ".join(f"{name} {group.scale.plain(level)}" for name, level in usual.items())


def _span(group: TraitGroup, span: Span) -> str:
    return f"{group.write(span.low)} to {group.write(span.high)}"


def _starts(group: TraitGroup, start: Mapping[str, Span]) -> str:
    spans = dict.fromkeys(_span(group, span) for span in start.values())
    if len(spans) == 1:
        return f"each from {next(iter(spans))}: {', '.join(start)}"
    return ", ".join(f"{name} from {_span(group, span)}" for name, span in start.items())


def _check_spans(group: TraitGroup, levels: Levels, spans: Mapping[str, Span], why: str) -> None:
    """Raise BrokenRule for a level outside its span."""
    for name, level in levels.items():
        if name in spans and level not in spans[name]:
            raise BrokenRule(f"{name} is {group.write(level)}, but runs from {_span(group, spans[name])}{why}")


def forms_of(making: Making, draft: Draft, forms: Mapping[str, ChoiceFormMaker]) -> dict[str, ChoiceForm]:
    """Return the forms of a step that has just made a draft, by group; `forms` has those of the game's own steps."""
    make = forms.get(str(making.step.do), FORMS.get(str(making.step.do)))
    found = make(making, draft) if make is not None else ()
    return {form.group.name: form for form in found if form.group.name in draft.groups}


def _rolled_in_order(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    group, dice, fixed = making.group(), making.dice(), fixed_levels(making)
    held = draft.groups.get(group.name, {})
    rolled = tuple(trait.name for trait in group.members if trait.role in held and trait.role not in fixed)
    times = f" times {making.number('times')}" if "times" in making.step.params else ""
    return (_RolledInOrder(group, f"{dice}{times}", rolled_span(making), rolled),)


def _arranged(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    group = making.group()
    return (_ArrangedResults(group, tuple(sorted(draft.groups.get(group.name, {}).values(), reverse=True))),)


def _exchanged(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    group, times = making.group(), making.number("times") if "times" in making.step.params else 1
    held = draft.before_swap.get(group.name, {})
    return (
        _ExchangedResults(group, {each.name: held[each.role] for each in group.members if each.role in held}, times),
    )


def _bought(making: Making, draft: Draft) -> tuple[ChoiceForm, ...]:
    """Return the form of levels that are bought, or shared out where a level costs its own number."""
    group, barred = making.group(), barred_traits(making)
    cost = level_cost(making, group) if making.step.do == "buy levels" else COSTS["one each"]
    start = {trait.name: trait.start for trait in group.members if trait.role not in barred}
    return (PointBuy(group, making.number("points"), lambda name, level: cost(level), start),)


FORMS: Mapping[str, ChoiceFormMaker] = {
    "roll each": _rolled_in_order,
    "roll and arrange": _arranged,
    "array": _arranged,
    "swap": _exchanged,
    "share points": _bought,
    "buy levels": _bought,
}
