"""The table at which a procedure is played: its dice and cards, the pack's numbers and rulings, and the log."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

from sheetgen.dice.deck import DealtCards, full_deck
from sheetgen.dice.paths import DEEPEST, Budget, Hidden, Loop, PathDice, Spread, Tail, merged
from sheetgen.dice.source import Dice
from sheetgen.dice.ways import Ways
from sheetgen.errors import LimitError, SheetgenError
from sheetgen.model.data import Values
from sheetgen.model.procedures import Named
from sheetgen.model.system import System

T = TypeVar("T")
S = TypeVar("S", bound=Hashable)
MOST_ROUNDS = 1000
NOTES = "notes"
NO_LIMIT = 10**18
LOOKUP = 1  # steps that finding what was worked out before takes


class Refused(SheetgenError):
    """What the rules do not allow: a code for programs, a sentence for people, and the rule it breaks."""

    def __init__(self, code: str, message: str, rule: str = "") -> None:
        self.code, self.message, self.rule = code, message, rule
        super().__init__(code, message, rule)

    def __str__(self) -> str:
        return f"{self.message} [{self.rule}]" if self.rule else self.message


class Settled(Exception):
    """Odds have the one result they ask for, and follow this path no further."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__()


class Play:
    """What a procedure gets: `dice`, the pack's `values`, its rulings, and a place to tell what happened."""

    def __init__(
        self,
        system: System,
        dice: Dice,
        *,
        rulings: Mapping[str, str] | None = None,
        cards: Any = None,
        log: list[str] | None = None,
        policy: str = "",
        parts: dict[Any, Any] | None = None,
        budget: Budget | None = None,
        asked: tuple[str, ...] = (),
    ) -> None:
        self.system, self.dice, self.log = system, dice, log
        self._cards = cards
        self._budget = Budget(NO_LIMIT) if budget is None else budget
        self.rulings = rulings or {}
        self.policy, self.asked = policy, asked
        self._parts = {} if parts is None else parts

    @property
    def values(self) -> Values:
        """The named numbers and words of the pack."""
        self._budget.left -= 1  # a rule looks up about as much as it works: odds count that too
        return self.system.values

    @property
    def explores(self) -> bool:
        """Whether every path is followed for odds; at a table there is one."""
        return isinstance(self.dice, PathDice)

    @property
    def cards(self) -> Any:
        """Where the next card comes from: a script, or a full deck dealt by these dice, shuffled when first asked."""
        if self._cards is None:
            self._cards = DealtCards(full_deck(), self.dice)
        return self._cards

    def tell(self, line: str, *rules: str) -> None:
        """Adds a line to the log with the IDs of the rules it follows, if a log is kept."""
        self._budget.left -= 1
        if self.log is not None:
            self.log.append(f"{line} [{', '.join(rules)}]" if rules else line)

    def note(self, line: str, *rules: str) -> None:
        """Tells something of what is asked, not of how it went: odds pass it on as well."""
        self._parts.setdefault(NOTES, {})[line] = None
        self.tell(line, *rules)

    def ruling(self, point: str) -> str:
        """How an open point is ruled at this table: the pack's word, or the engine's named default."""
        return self.rulings[point]

    def settled(self, **results: object) -> None:
        """Tells results that no further die can change: odds that ask for one of them need no more dice.

        They are results of the procedure that is played: in one that it contains, and in parts, nothing is asked.
        """
        if self.asked:
            for name, value in results.items():
                if name.rstrip("_") == self.asked[0]:
                    raise Settled(value)

    def asked_for(self, *results: str) -> bool:
        """Whether odds ask for one of these results of the procedure that is played; at a table nobody does."""
        return bool(self.asked) and self.asked[0] in results

    def needs(self, *results: str) -> bool:
        """Whether any of these results is wanted: False only where odds ask for another one of this procedure."""
        return not self.asked or self.asked[0] in results

    def wanted(self, result: str, names: Iterable[str]) -> tuple[str, ...]:
        """Which names of a mapping among the results are wanted: all, unless odds ask for one or for another result."""
        if self.needs(result):
            return tuple(name for name in names if self.asked[1:2] in ((), (name,)))
        return ()

    def each(self, result: str, names: Iterable[str], work: Callable[[str], T]) -> dict[str, T]:
        """What `work` gives for each name, one after another; odds of `RESULT.NAME` work out that one alone.

        The works must not depend on each other.
        """
        every = tuple(names)
        if self.asked[:1] == (result,) and self.asked[1:2] and self.asked[1] in every:
            raise Settled(Named({self.asked[1]: work(self.asked[1])}))
        return {name: work(name) for name in every}

    def part(self, work: Callable[..., T], *args: Any) -> T:
        """A sub-roll. At the table it is played; for odds it is worked out once per argument and equal ends merged."""
        if not isinstance(self.dice, PathDice):
            return work(self, *args)
        return self.dice.branch(self._worked_out(work, args))

    def hidden(self, work: Callable[..., int], *args: Any) -> int | Hidden:
        """A total that is only compared. At the table it is rolled; odds tell apart no more than comparisons ask."""
        if not isinstance(self.dice, PathDice):
            return work(self, *args)
        key = (Spread, work, args)
        if key not in self._parts:
            ways = self._worked_out(work, args)
            self._parts[key] = Spread(dict(zip(ways.values, ways.weights, strict=True)), ways.whole)
        return self.dice.hidden(self._parts[key])

    def is_higher(self, total: int | Hidden, other: int | Hidden) -> bool:
        """Whether a total is higher than another one; odds can compare neither of them again."""
        if isinstance(self.dice, PathDice) and isinstance(total, Hidden) and isinstance(other, Hidden):
            one, two = total.spread, other.spread
            del total.spread, other.spread
            return self.dice.is_higher(one, two)
        return total > other

    def rounds(
        self,
        step: Callable[..., S],
        start: S,
        *args: Any,
        goes_on: Callable[[S], bool],
        what: str,
        most: int | None = None,
        counted: bool = True,
        begins: Callable[[int], object] | None = None,
    ) -> tuple[S, int]:
        """The state after `step(play, state, *args)` has been repeated while `goes_on(state)`, and how many rounds.

        Odds follow states, not paths: each round is worked out once for a state, and equal states are merged. `most`
        rounds are played at most; `begins` tells the log of each. Where the number of rounds is not `counted`, odds
        give 0 for it, and a loop without `most` over few states is solved in closed form. LimitError when a loop
        without `most` does not end at the table.
        """
        if isinstance(self.dice, PathDice):
            key = (Loop, step, args)
            loop: Loop[S] | None = self._parts.get(key)
            if loop is None:
                loop = Loop(lambda state: self._merged(step, (state, *args)), goes_on, self._budget)
                self._parts[key] = loop
            ends = (loop, start, most, counted)
            if ends not in self._parts:
                self._parts[ends] = loop.ends(start, most, counted=counted)
            return self.dice.branch(self._parts[ends])  # type: ignore[no-any-return]
        state, count = start, 0
        while goes_on(state) and (most is None or count < most):
            if count >= MOST_ROUNDS:
                raise LimitError(f"{what}: stopped after {MOST_ROUNDS} rounds")
            count += 1
            if begins is not None:
                begins(count)
            state = step(self, state, *args)
        return state, count

    def _worked_out(self, work: Callable[..., T], args: tuple[Any, ...]) -> Ways[T]:
        """What a sub-roll with these arguments may come to, worked out the first time it is asked for."""
        key = (work, args)
        self._budget.left -= LOOKUP
        if key not in self._parts:
            self._parts[key] = self._merged(work, args)
        return self._parts[key]  # type: ignore[no-any-return]

    def _merged(self, work: Callable[..., T], args: tuple[Any, ...]) -> Ways[T]:
        return merged(lambda dice: work(self._with_dice(dice), *args), self._budget)

    def _with_dice(self, dice: Dice) -> Play:
        return Play(
            self.system,
            dice,
            rulings=self.rulings,
            policy=self.policy,
            parts=self._parts,
            budget=self._budget,
        )

    def again(self, count: int, what: str) -> None:
        """Must be called before each further round of a loop: cuts off endless ones, and the tail of odds."""
        if isinstance(self.dice, PathDice) and count >= DEEPEST:
            raise Tail
        if count >= MOST_ROUNDS:
            raise LimitError(f"{what}: stopped after {MOST_ROUNDS} rounds")

    def decide(self, policies: Mapping[str, Callable[[], T]], what: str) -> T:
        """A choice that is left to the player, made by the policy of that name, or by the first one."""
        name = self.policy or next(iter(policies))
        if name not in policies:
            raise Refused("policy", f"{what}: unknown policy {name!r}; there are {', '.join(policies)}")
        return policies[name]()
