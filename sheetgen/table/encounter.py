"""Encounters: several on two sides fight many times by the rules of their game, and the results are counted.

Who is rolled is somebody new in each fight, as in a duel: of one against one the people and the dice are those of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import sqrt
from typing import Any

from sheetgen.batch.pool import chunks
from sheetgen.content.people.groups import in_short, member_in_short, scope_of
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.nodes import Scalar
from sheetgen.dice.source import Seeded
from sheetgen.errors import UsageError, quoted
from sheetgen.model.cast import Member
from sheetgen.model.character import Character
from sheetgen.model.procedures import as_data
from sheetgen.model.system import Encounter, Policy
from sheetgen.people.character_files import read_party
from sheetgen.people.groups import group_named
from sheetgen.people.parameter_binding import parameters_from, person_named
from sheetgen.people.rolling import RollOptions, roller
from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import Procedure
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.table.duel import Progress, at_path, open_data, strength_of
from sheetgen.table.play import COMMAND, Pace, as_words, procedure_named, read_value, set_at_path
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project

AT_ONCE, MOST_FIGHTERS = 50, 40
AND, FROM_FILE = " + ", "@"
WANTED = {"easy": 0.9, "even": 0.5, "hard": 0.3}  # the share of fights that the first side wins
TRIED, MOST_PROPOSED, SHOWN = 60, 12, 3
NEAR = 0.15  # how far from the share asked for a proposal may be, other than the best

Person = Callable[[int], Character]  # by the number of somebody in all fights


@dataclass(frozen=True, slots=True)
class Rank:
    """People alike on one side: what they are called, and who each of them is in a fight."""

    label: str
    count: int
    person: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Troop:
    """One side: what it is called, and its lines."""

    name: str
    lines: tuple[Rank, ...]

    @property
    def size(self) -> int:
        """How many fighters it has."""
        return sum(line.count for line in self.lines)


@dataclass(frozen=True, slots=True)
class LineTally:
    """What became of a line: on which side (0 or 1), how many are out on average, and what it cost each of them."""

    side: int
    label: str
    count: int
    fallen: float
    cost: float | None


@dataclass(frozen=True, slots=True)
class EncounterTally:
    """The results of many encounters: wins of each side, their lengths, what became of each line, by which policy."""

    names: tuple[str, str]
    count: int
    wins: tuple[int, int]
    lengths: tuple[int, ...]
    lines: tuple[LineTally, ...]
    policy: str
    say: str
    unit: str
    unhurt: float  # the share of fights that the first side wins without losing anybody

    @property
    def shares(self) -> tuple[float, float, float]:
        """The share of fights won by the first, by the second, and by nobody."""
        first, second = (won / self.count for won in self.wins)
        return first, second, max(0.0, 1 - first - second)


def give_or_take(share: float, count: int) -> float:
    """Return half the width of an interval that holds the true share in 19 cases of 20 (Wilson's)."""
    z = 1.96
    return z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)


def troop_of(project: Project, pack: Pack, word: str, seed: int) -> Troop:
    """Return the side that words mean: `2 wolves + 1 boss`, a group, `@FILE`, `@FILE:NAME`.

    UsageError otherwise, and for a game in which several cannot fight.
    """
    _rules_of(pack)
    lines = tuple(line for part in word.split(AND) for line in _lines(project, pack, part.strip(), seed))
    made = Troop(word, lines)
    if not 0 < made.size <= MOST_FIGHTERS:
        raise UsageError(f"{quoted(word)} has {made.size} fighters; from 1 to {MOST_FIGHTERS} are taken")
    return made


def _rules_of(pack: Pack) -> Encounter:
    if pack.system.encounter is None:
        raise UsageError(f"{pack.system.title} does not say how several fight: its pack has no encounter")
    return pack.system.encounter


def troop_present(name: str, people: Sequence[Character]) -> Troop:
    """Return the side of people who are there."""
    return Troop(name, tuple(_rank_of(each) for each in people))


def _rank_of(character: Character) -> Rank:
    return Rank(character.text("name"), 1, (lambda number: character,))


def _lines(project: Project, pack: Pack, part: str, seed: int) -> Iterator[Rank]:
    if part.startswith(FROM_FILE):
        name, colon, _ = part[1:].rpartition(":")
        if colon and name:
            yield _rank_of(person_named(project, pack, part[1:], "encounter"))
            return
        party = read_party(project, project.where / part[1:])
        if party.pack.system.id != pack.system.id:
            raise UsageError(f"{part[1:]} holds characters of {party.pack.system.title}")
        yield from map(_rank_of, party.characters)
        return
    problems = Problems()
    scope = scope_of(pack.system.creation, pack.system.cast, problems)
    member = member_in_short(part, Scalar(part, COMMAND, quoted=False), scope)
    if member.archetype:
        yield _rolled_rank(pack, member, part.partition(" ")[2] if part[:1].isdigit() else part, seed)
        return
    try:
        group, _ = group_named(project, pack, part)
    except UsageError as error:
        told = problems.found[0].message if problems.found else str(error)
        raise UsageError(f"{quoted(part)}: {told}; or a group, @FILE or @FILE:NAME") from None
    for each in group.members:
        made = replace(each, options={**group.options, **each.options}, method=each.method or group.method)
        yield _rolled_rank(pack, made, each.part or each.archetype, seed)


def _rolled_rank(pack: Pack, member: Member, label: str, seed: int) -> Rank:
    made = roller(pack, RollOptions(seed, 1, 1, member.method, member.archetype, dict(member.options)))

    return Rank(label, member.count, (made.roll,) * member.count)


def encounter(
    project: Project,
    pack: Pack,
    troops: tuple[Troop, Troop],
    *,
    policy: str = "",
    given: Mapping[str, str],
    count: int,
    seed: int,
    progress: Progress = lambda done: None,
) -> EncounterTally:
    """Return the tally of `count` fights of two sides; LimitError for what would take more than a minute.

    Those of a stranger's pack fight in a confined process.
    """
    rules = _rules_of(pack)
    named = policy or next(iter(rules.policies))
    if named not in rules.policies:
        raise UsageError(f"unknown policy {quoted(policy)}; there are {', '.join(rules.policies)}")
    fights = _Fights(pack, procedure_named(pack, rules.procedure), rules, rules.policies[named], given, troops, seed)
    counted = _Counted(troops)
    refuse_slow = Pace(count, "fights", "-n")
    for numbers in chunks(count, AT_ONCE):
        for winner, length, fallen, costs in pack.run_isolated(partial(fights.results, numbers)):
            counted.add(winner, length, fallen, costs)
        progress(numbers.stop)
        refuse_slow(numbers.stop)
    return counted.tally(count, named, rules)


Result = tuple[int, int, list[int], list[float]]  # the side that won or -1, the length, places that fell, the costs


@dataclass(frozen=True, slots=True)
class _Fights:
    """All fights of an encounter, each by its number."""

    pack: Pack
    procedure: Procedure
    rules: Encounter
    policy: Policy
    given: Mapping[str, str]
    troops: tuple[Troop, Troop]
    seed: int

    def results(self, numbers: range) -> list[Result]:
        """Return the results of the fights with these numbers (from 0)."""
        return [self._result(number) for number in range(numbers.start + 1, numbers.stop + 1)]

    def _result(self, number: int) -> Result:
        rules, system = self.rules, self.pack.system
        play = Play(system, Seeded(f"duel\0{self.seed}\0{number}".encode()), rulings=rulings_of(system))
        data, names = self._fight_data(number)
        try:
            arguments = self.procedure.arguments(as_words(data), play)
        except Wrong as wrong:
            raise UsageError(f"{self.procedure.name}: {wrong}") from None
        try:
            outcome = as_data(self.procedure.run(play, arguments))
        except Refused as refused:
            raise UsageError(str(refused)) from None
        winner, down = str(at_path(outcome, rules.winner)), at_path(outcome, rules.down)
        fallen = {str(each) for each in down} if isinstance(down, (list, tuple)) else set()
        places = [place for place, name in enumerate(names) if name in fallen]
        won = rules.sides.index(winner) if winner in rules.sides else -1
        return won, int(str(at_path(outcome, rules.length))), places, list(self._costs(data, outcome, len(names)))

    def _costs(self, data: object, outcome: object, fighters: int) -> Iterator[float]:
        if self.rules.cost is not None:
            before, after = self.rules.cost
            for at in range(1, fighters + 1):
                paths = before.replace("#", str(at)), after.replace("#", str(at))
                yield abs(strength_of(at_path(data, paths[0])) - strength_of(at_path(outcome, paths[1])))

    def _fight_data(self, number: int) -> tuple[dict[str, Any], list[str]]:
        """Return the parameters of a fight, and the name of each fighter in it."""
        rules, system = self.rules, self.pack.system
        data: dict[str, Any] = {str(name): open_data(value) for name, value in rules.given.items()}
        data |= {str(name): open_data(value) for name, value in self.policy.given.items()}
        first, names = f"{rules.fighters}.1", list[str]()
        everybody = [
            (side, person) for side, troop in enumerate(self.troops) for line in troop.lines for person in line.person
        ]
        engine = engine_of(system)
        for place, (side, person) in enumerate(everybody):
            character = person(number * len(everybody) + place)
            what = engine.best_weapon(system, character)
            own = f"{rules.fighters}.{place + 1}"
            for path, value in parameters_from(system, rules.procedure, first, character, what).items():
                set_at_path(data, own + path.removeprefix(first), value)
            for key, chosen in self.policy.each.items():
                set_at_path(data, f"{own}.{key}", open_data(chosen))
            names.append(f"{rules.sides[side]} {place + 1}")
            set_at_path(data, f"{own}.{rules.name}", names[-1])
            set_at_path(data, f"{own}.{rules.side}", rules.sides[side])
        for name, text in self.given.items():
            set_at_path(data, name, read_value(name, text))
        return data, names


class _Counted:
    """The results so far."""

    def __init__(self, troops: tuple[Troop, Troop]) -> None:
        self.troops = troops
        self.owner = [line for troop in troops for line in troop.lines for _ in range(line.count)]
        self.wins, self.lengths, self.unhurt = [0, 0], list[int](), 0
        self.fallen, self.costs = [0.0] * len(self.owner), [0.0] * len(self.owner)

    def add(self, winner: int, length: int, fallen: Sequence[int], costs: Sequence[float]) -> None:
        if winner >= 0:
            self.wins[winner] += 1
        self.lengths.append(length)
        self.unhurt += winner == 0 and not any(place < self.troops[0].size for place in fallen)
        for place in fallen:
            self.fallen[place] += 1
        for place, cost in enumerate(costs):
            self.costs[place] += cost

    def tally(self, count: int, policy: str, rules: Encounter) -> EncounterTally:
        lines, place = list[LineTally](), 0
        for side, troop in enumerate(self.troops):
            for line in troop.lines:
                part = slice(place, place + line.count)
                cost = sum(self.costs[part]) / count / line.count if rules.cost is not None else None
                lines.append(LineTally(side, line.label, line.count, sum(self.fallen[part]) / count, cost))
                place += line.count
        names = tuple(troop.name for troop in self.troops)
        if names[0] == names[1]:
            names = (f"first {names[0]}", f"second {names[1]}")
        say, wins = rules.policies[policy].say, (self.wins[0], self.wins[1])
        return EncounterTally(
            *((names[0], names[1]), count, wins, tuple(sorted(self.lengths)), tuple(lines), policy, say, rules.unit),
            self.unhurt / count,
        )


def _remembered(troop: Troop) -> Troop:
    """Return the same side, whose people are rolled once, however often the same fight is tried."""
    ways = {person: cache(person) for line in troop.lines for person in line.person}
    return Troop(
        troop.name, tuple(Rank(each.label, each.count, tuple(ways[one] for one in each.person)) for each in troop.lines)
    )


@dataclass(frozen=True, slots=True)
class Proposal:
    """A second side that makes an encounter as hard as asked for, and how it went."""

    words: str
    tally: EncounterTally


def proposals(
    project: Project,
    pack: Pack,
    first: Troop,
    archetype: str,
    *,
    wanted: str,
    policy: str = "",
    given: Mapping[str, str],
    count: int,
    seed: int,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> tuple[Proposal, ...]:
    """Return numbers and strengths of an archetype against which the first side wins as often as `wanted` says.

    Each strength is tried with more and more of them; the nearest are fought out `count` times, the best first. Others
    than the best, which may be the nearest there is, keep within `NEAR` of what was asked for. Trials have dice of
    their own, since luck that made somebody look near must not count again. `progress` is told how many strengths and
    fights are weighed, and of how many.
    """
    trial = Seeded(f"proposals\0{seed}".encode()).choose(1_000_000, "the seed of trials")
    strength, target, first = pack.system.creation.strength, WANTED[wanted], _remembered(first)
    levels = list(strength.levels) if strength is not None else [""]
    fight = partial(encounter, project, pack, policy=policy, given=given)
    near, shown = list[tuple[float, str]](), min(SHOWN, 2 * len(levels))
    for done, level in enumerate(levels):
        low, high = 1, MOST_PROPOSED
        everybody = _remembered(troop_of(project, pack, in_short(MOST_PROPOSED, level, archetype), trial)).lines

        @cache
        def share(number: int, everybody: tuple[Rank, ...] = everybody) -> float:
            some = Rank(everybody[0].label, number, everybody[0].person[:number])
            return fight((first, Troop(archetype, (some, *everybody[1:]))), count=TRIED, seed=trial).shares[0]

        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if share(middle) > target else (low, middle)
        for number in {low, max(1, low - 1)}:
            near.append((abs(share(number) - target), in_short(number, level, archetype)))
        progress(done + 1, len(levels) + shown)
    found = list[Proposal]()
    for _, words in sorted(near)[:SHOWN]:
        found.append(Proposal(words, fight((first, troop_of(project, pack, words, seed)), count=count, seed=seed)))
        progress(len(levels) + len(found), len(levels) + min(SHOWN, len(near)))
    best_first = sorted(found, key=lambda each: abs(each.tally.shares[0] - target))
    return tuple(each for at, each in enumerate(best_first) if not at or abs(each.tally.shares[0] - target) <= NEAR)
