"""Duels: two fighters meet many times by the rules of their game, and the results are counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sheetgen.batch.pool import chunks
from sheetgen.dice.source import Seeded
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.character import Character
from sheetgen.model.data import Data
from sheetgen.model.procedures import as_data
from sheetgen.model.system import Duel
from sheetgen.notebook import table
from sheetgen.people.parameter_binding import parameters_from, person_named
from sheetgen.people.rolling import RollOptions, roller
from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.rules.rolling import cast_and_level
from sheetgen.table.play import Pace, as_words, procedure_named, read_value, set_at_path
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

RECORDS = ("the first", "the second")
AT_ONCE = 100  # conflicts between two looks at the limits of a stranger's pack

Arguments = Callable[[int], dict[str, object]]
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of many conflicts: wins of each side and of nobody, their lengths, and the cost to each side."""

    names: tuple[str, str]
    count: int
    wins: tuple[int, int]
    lengths: tuple[int, ...]
    costs: tuple[float, float] | None
    unit: str = "levels"

    def _repr_html_(self) -> str:
        sides = [*zip(self.names, self.wins, strict=True), ("nobody", self.undecided)]
        return table(["", "wins", "share"], [[name, wins, f"{self.share(wins):.1%}"] for name, wins in sides])

    @property
    def undecided(self) -> int:
        """Conflicts that nobody won."""
        return self.count - sum(self.wins)

    def share(self, number: int) -> float:
        """Return how much of `number` conflicts that is."""
        return number / self.count


def duel(
    project: Project,
    pack: Pack,
    words: tuple[str, str],
    *,
    using: tuple[str, str],
    given: Mapping[str, str],
    count: int,
    seed: int,
    progress: Progress = lambda done: None,
) -> Tally:
    """Return the tally of `count` conflicts between two fighters.

    A fighter is `@FILE:NAME`, an archetype (somebody new each time), or the procedure's own record in YAML. Those of a
    stranger's pack fight in a confined process; LimitError when it is stopped. LimitError, too, once it shows that all
    would take more than a minute of computing.
    """
    rules = pack.system.duel
    if rules is None:
        hint = "(`family: fight` under play is one)"
        raise UsageError(
            f"{pack.system.title} does not say how two of its characters fight: its pack has no duel {hint}"
        )
    procedure = procedure_named(pack, rules.procedure)
    sides = [
        _fighter(project, pack, rules, word, side=side, using=using[side], seed=seed) for side, word in enumerate(words)
    ]
    fought = _Conflicts(pack, procedure, rules, given, sides, seed)
    wins, lengths, costs = [0, 0], list[int](), [0.0, 0.0]
    refuse_slow = Pace(count, "fights", "-n")
    for numbers in chunks(count, AT_ONCE):
        for winner, length, spent in pack.run_isolated(partial(fought.results, numbers)):
            if winner in rules.winners:
                wins[rules.winners.index(winner)] += 1
            lengths.append(length)
            for side, cost in enumerate(spent):
                costs[side] += cost
        progress(numbers.stop)
        refuse_slow(numbers.stop)
    mean = (costs[0] / count, costs[1] / count) if rules.cost else None
    return Tally(_names(words), count, (wins[0], wins[1]), tuple(sorted(lengths)), mean, rules.unit)


@dataclass(frozen=True, slots=True)
class _Conflicts:
    """All conflicts of a duel, each by its number."""

    pack: Pack
    procedure: Procedure
    rules: Duel
    given: Mapping[str, str]
    sides: list[Arguments]
    seed: int

    def results(self, numbers: range) -> list[tuple[str, int, list[float]]]:
        """Return the winner, length and cost to each side of the conflicts with these numbers (from 0)."""
        rules, system = self.rules, self.pack.system
        rulings, found = rulings_of(system), []
        for number in range(numbers.start + 1, numbers.stop + 1):
            play = Play(system, Seeded(f"duel\0{self.seed}\0{number}".encode()), rulings=rulings)
            data = _fight_data(rules, self.given, self.sides, number)
            try:
                arguments = self.procedure.arguments(as_words(data), play)
            except Wrong as wrong:
                raise UsageError(f"{self.procedure.name}: {wrong}") from None
            outcome = as_data(self.procedure.run(play, arguments))
            spent = [
                abs(strength_of(at_path(data, before)) - strength_of(at_path(outcome, after)))
                for before, after in rules.cost
            ]
            found.append((str(at_path(outcome, rules.winner)), int(str(at_path(outcome, rules.length))), spent))
        return found


def _names(words: tuple[str, str]) -> tuple[str, str]:
    first, second = (
        word.rpartition(":")[2] if word.startswith("@") else RECORDS[side] if word.startswith("{") else word
        for side, word in enumerate(words)
    )
    return (first, second) if first != second else (f"first {first}", f"second {second}")


def _fighter(project: Project, pack: Pack, rules: Duel, word: str, *, side: int, using: str, seed: int) -> Arguments:
    """Return a function of the conflict's number that gives a fighter's parameters by dotted path."""
    system, parameter = pack.system, rules.fighters[side]

    def filled(person: Character) -> dict[str, object]:
        what = using or engine_of(system).best_weapon(system, person)
        return parameters_from(system, rules.procedure, parameter, person, what)

    if word.startswith("@"):
        always = filled(person_named(project, pack, word[1:], parameter))
        return lambda number: always
    if word.startswith("{"):
        record = read_value(parameter, word)
        if not isinstance(record, Mapping):
            raise UsageError(f"{parameter}: a fighter is @FILE:NAME, an archetype, or {{skill: 2, …}}")
        parts = {f"{parameter}.{name}": value for name, value in record.items()}
        return lambda number: dict(parts)
    cast = cast_and_level(system, word)
    if cast is None:
        if system.encounter is not None and (word[:1].isdigit() or "+" in word or word in system.known_groups):
            raise UsageError(f"{quoted(word)} is more than one, and a duel is between two: sheetgen encounter has many")
        near = suggestion(word, system.cast.archetype_words)
        raise UsageError(f"{quoted(word)} is no archetype of {system.title}{near}; a person is @FILE:NAME")
    people = roller(pack, RollOptions(seed, archetype=cast[0], options=cast[1]))
    return lambda number: filled(people.roll(2 * number + side))


def _fight_data(rules: Duel, given: Mapping[str, str], sides: list[Arguments], number: int) -> dict[str, Any]:
    data: dict[str, Any] = {str(name): open_data(value) for name, value in rules.given.items()}
    for name, text in given.items():
        set_at_path(data, name, read_value(name, text))
    for side in sides:
        for path, value in side(number).items():
            set_at_path(data, path, value)
    return data


def open_data(data: Data) -> Any:
    """Return data of a pack as dicts that more can be put into."""
    return {str(key): open_data(value) for key, value in data.items()} if isinstance(data, Mapping) else data


def at_path(data: object, path: str) -> object:
    """Return the value at a dotted path; numbers are places in a list, counted from 1."""
    for name in path.split("."):
        if isinstance(data, Mapping):
            data = data.get(name, 0)
        elif isinstance(data, (list, tuple)) and name.isdigit() and int(name) <= len(data):
            data = data[int(name) - 1]
    return data


def strength_of(value: object) -> float:
    """Return a number, or the sum of the numbers in a mapping; words that are no numbers count nothing."""
    if isinstance(value, Mapping):
        return sum(strength_of(each) for each in value.values())
    try:
        return float(str(value))
    except ValueError:
        return 0.0
