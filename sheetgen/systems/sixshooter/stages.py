"""Section L: challenges that need several successes, counted over everybody, and whole challenges played to the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.attempts import Played, Position, play_roll
from sheetgen.systems.sixshooter.cards import bad, written, written_cards
from sheetgen.systems.sixshooter.challenges import CN, IMPOSSIBLE, Effective, Result, check_methods, tell_impossible
from sheetgen.systems.sixshooter.combat import Enough, Try, read_try
from sheetgen.systems.sixshooter.luck import Luck, is_removed, read_luck
from sheetgen.systems.sixshooter.operators import Count, Descriptor, Method, Number, own_method
from sheetgen.systems.sixshooter.piles import Piles, countable, read_piles
from sheetgen.systems.sixshooter.using import Stake, best_card

POLICIES = ("none", "all")


@dataclass(frozen=True, slots=True)
class Stages:
    """How many tries counted, whether that is enough, and how often a hand was rolled."""

    successes: int
    complete: bool
    hand_rolls: int


@dataclass(frozen=True, slots=True)
class Seat:
    """An Operator at the table."""

    name: str
    descriptor: Descriptor
    hand: tuple[str, ...]
    lucky: tuple[Number, ...] = ()
    strikes: Count = 0
    archetype: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One try of a whole challenge: who, how, and what is spent; `helper` is another Operator's name."""

    who: str
    method: Method
    use: Position | None = None
    wager: Count = 0
    helper: str | None = None
    helper_use: Position | None = None
    replace: bool = True


@dataclass(frozen=True, slots=True)
class TurnResult:
    """How one turn of a whole challenge went."""

    who: str
    outcome: Result
    effective: Effective
    die: int | None
    rolled_hand: int | None


@dataclass(frozen=True, slots=True)
class MultiStage:
    """A whole challenge: its turns, its count, and the table as it is left."""

    successes: int
    complete: bool
    hand_rolls: int
    failures: int
    applied: bool | None
    turns: tuple[TurnResult, ...]
    hands: Named[str, tuple[str, ...]]
    strikes: Named[str, int]
    removed: Named[str, bool]
    deck: tuple[str, ...]
    discard: tuple[str, ...] | None


@procedure("SIX-023", "SIX-025", "SIX-031", "SIX-058", say="counting the successes of a multi-stage challenge")
def stages(play: Play, *, needed: Enough, attempts: tuple[Try, ...]) -> Stages:
    """Whether tries that were made, by all Operators together, are enough for a challenge of several stages.

    Source: SIX-058; an automatic success counts (SIX-Q34), a failed try may be made again (SIX-031).
    """
    read = [read_try(play, tried, f"attempts[{number}]") for number, tried in enumerate(attempts, 1)]
    successes, hand_rolls = sum(overcome for overcome, _ in read), sum(rolled for _, rolled in read)
    complete = successes >= needed
    rest = "overcome" if complete else f"{needed - successes} to go"
    play.tell(f"{successes} successes of {needed}: {rest}; Roll Your Hand {hand_rolls} times", "SIX-058", "SIX-033")
    return Stages(successes, complete, hand_rolls)


@dataclass(slots=True)
class _Table:
    """A challenge being played: everybody's luck, the piles, and the turns so far."""

    seats: dict[str, Seat]
    luck: dict[str, Luck]
    piles: Piles
    cns: Mapping[str, CN]
    needed: int
    turns: list[TurnResult] = field(default_factory=list)

    def count(self, *results: Result) -> int:
        """How many turns ended so."""
        return sum(turn.outcome in results for turn in self.turns)

    @property
    def successes(self) -> int:
        """How many turns counted."""
        return self.count("success", "success_at_cost", "automatic")


@procedure(
    *("SIX-022", "SIX-023", "SIX-028", "SIX-031", "SIX-033", "SIX-035", "SIX-036", "SIX-038", "SIX-040", "SIX-044"),
    *("SIX-045", "SIX-049", "SIX-053", "SIX-054", "SIX-057", "SIX-058"),
    say="a whole challenge: turn after turn until it is overcome or nobody is left",
    policies=POLICIES,
)
def multi_stage(
    play: Play,
    *,
    operators: tuple[Seat, ...],
    cns: Mapping[str, CN],
    needed: Enough = 1,
    turns: tuple[Turn, ...] | None = None,
    rounds: Annotated[int, Whole(1, 100)] = 10,
    after: Enough | None = None,
    deck: tuple[str, ...] = (),
    discard: tuple[str, ...] | None = None,
    shuffled: tuple[str, ...] | None = None,
) -> MultiStage:
    """A challenge with its Critical Number for each method, taken on by these Operators, given in turn order.

    `turns` says who does what; without it everybody in turn uses the method that is easiest, for so many `rounds`, and
    spends cards by the policy. `after` so many failures the agreed effect applies. Source: SIX-028, SIX-057, SIX-058.
    """
    check_methods(play.values, cns)
    table = _Table({}, {}, read_piles(deck, discard, shuffled), cns, needed)
    for index, seat in enumerate(operators, 1):
        path = f"operators[{index}]."
        if seat.name in table.seats:
            raise bad(f"{path}name", f"takes every name once; {seat.name} stands twice")
        luck = read_luck(play, path, hand=seat.hand, lucky=seat.lucky, strikes=seat.strikes, takes=True, who=seat.name)
        table.seats[seat.name], table.luck[seat.name] = seat, luck
    if turns is None:
        _play_rounds(play, table, rounds)
    else:
        _play_turns(play, table, turns)
    return _left(play, table, after)


def _play_turns(play: Play, table: _Table, turns: tuple[Turn, ...]) -> None:
    for index, turn in enumerate(turns, 1):
        path = f"turns[{index}]."
        if table.successes >= table.needed:
            play.tell("The challenge is overcome; what else was planned is not played", "SIX-058")
            return
        for name, what in ((turn.who, "who"), (turn.helper, "helper")):
            if name is not None and name not in table.seats:
                raise bad(f"{path}{what}", f"takes one of {', '.join(table.seats)}, not {name}")
            if name is not None and is_removed(play, table.luck[name].strikes):
                raise Refused("removed", f"{path}{what}: {name} is out of play", "SIX-038")
        if turn.helper == turn.who:
            raise bad(f"{path}helper", "takes another Operator's name", "SIX-044")
        helper = table.luck[turn.helper] if turn.helper else None
        stake = Stake(
            table.seats[turn.who].descriptor,
            turn.method,
            replace(table.luck[turn.who], takes=turn.replace),
            turn.use,
            turn.wager,
            table.seats[turn.helper].descriptor if turn.helper else "",
            replace(helper, takes=turn.replace) if helper else None,
            turn.helper_use if turn.helper else None,
            path,
        )
        _play_turn(play, table, turn.who, stake, turn.helper)


def _play_rounds(play: Play, table: _Table, rounds: int) -> None:
    for count in range(rounds):
        for name in table.seats:
            if table.successes >= table.needed or is_removed(play, table.luck[name].strikes):
                continue
            method = _easiest(play, table, name)
            if method is None:
                tell_impossible(play)
                continue
            descriptor, luck = table.seats[name].descriptor, table.luck[name]
            use = play.decide(
                {"none": lambda: None, "all": lambda: best_card(play.values, descriptor, method, luck)},  # noqa: B023
                "a card for the roll",
            )
            _play_turn(play, table, name, Stake(descriptor, method, luck, use), None)
        if table.successes >= table.needed:
            return
        play.again(count, "a challenge")


def _easiest(play: Play, table: _Table, name: str) -> str | None:
    """The method of the lowest Critical Number, the Operator's own among equals; none if all are Impossible."""
    own = own_method(play.values, table.seats[name].descriptor)
    open_ = [(cn, method != own, method) for method, cn in table.cns.items() if cn != IMPOSSIBLE]
    return min(open_)[2] if open_ else None


def _play_turn(play: Play, table: _Table, name: str, stake: Stake, helper: str | None) -> None:
    cn = table.cns.get(stake.method, IMPOSSIBLE)
    countable(play, len(table.turns) + 1, "a challenge")
    play.tell(f"{name} tries {stake.method}", "SIX-028")
    played: Played = play_roll(play, stake, cn, table.piles)
    table.luck[name], table.piles = played.stake.luck, played.piles
    if helper is not None and played.stake.helper is not None:
        table.luck[helper] = played.stake.helper
    table.turns.append(TurnResult(name, played.result, played.effective, played.die, played.rolled_hand))


def _left(play: Play, table: _Table, after: int | None) -> MultiStage:
    failures, complete = table.count("failure"), table.successes >= table.needed
    play.tell(f"{table.successes} successes of {table.needed}: {'overcome' if complete else 'not overcome'}", "SIX-058")
    if after is not None and failures >= after:
        play.tell(f"{failures} failures of {after}: the agreed effect applies", "SIX-057")
    return MultiStage(
        successes=table.successes,
        complete=complete,
        hand_rolls=sum(turn.rolled_hand is not None for turn in table.turns),
        failures=failures,
        applied=None if after is None else failures >= after,
        turns=tuple(table.turns),
        hands=Named({name: written(luck.hand) for name, luck in table.luck.items()}),
        strikes=Named({name: luck.strikes for name, luck in table.luck.items()}),
        removed=Named({name: is_removed(play, luck.strikes) for name, luck in table.luck.items()}),
        deck=written_cards(table.piles.deck),
        discard=None if table.piles.discard is None else written_cards(table.piles.discard),
    )
