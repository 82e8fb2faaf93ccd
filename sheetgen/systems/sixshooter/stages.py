"""Section L: challenges that need several successes, counted over everybody, and whole challenges played to the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from sheetgen.model.procedures import Named, spread
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.sixshooter.attempts import Played, Stake, best_card, followed, play_roll
from sheetgen.systems.sixshooter.cards import (
    CN,
    IMPOSSIBLE,
    Count,
    Effective,
    Given,
    Method,
    Piles,
    Positive,
    Result,
    bad,
    own_method,
    read_piles,
    written,
)
from sheetgen.systems.sixshooter.challenges import check_cn, check_methods, is_automatic, tell_impossible
from sheetgen.systems.sixshooter.luck import Luck, Operator, is_removed, read_luck


@dataclass(frozen=True, slots=True)
class Try:
    """One try at a challenge: the die, absent if none was rolled, and the effective Critical Number."""

    effective: CN
    die: Positive | None = None


@dataclass(frozen=True, slots=True)
class Seat(Operator):
    """An Operator at the table."""

    name: str = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Turn:
    """One try of a whole challenge: who, how, and what is spent; `helper` is another Operator's name."""

    who: str
    method: Method
    use: Positive | None = None
    wager: Count = 0
    helper: str | None = None
    helper_use: Positive | None = None
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


def read_try(play: Play, tried: Try, path: str) -> tuple[bool, bool]:
    """Whether a try overcomes the challenge, and whether the hand is rolled (`SIX-023`, `SIX-025`, `SIX-Q34`)."""
    values, die, effective = play.values, tried.die, tried.effective
    if effective == IMPOSSIBLE:
        return False, False
    if die is not None and die > values.number("die.sides"):
        raise bad(f"{path}.die", f"takes a face from 1 to {values.text('die.sides')}, not {die}")
    if is_automatic(values, effective):
        return True, False
    if die is None:
        raise bad(f"{path}.die", f"is missing: a die is rolled against {effective}", "SIX-022")
    return die >= effective, die <= effective


@procedure(
    "SIX-055",
    say="what a fight comes to: a challenge for each enemy, or one for the crowd",
    results="challenges",
)
def combat(
    play: Play, *, enemies: Positive, cn: CN, model: Literal["each", "crowd"] = "each", crowd: CN | None = None
) -> tuple[Effective, ...]:
    """The challenges of a fight against enemies of this Critical Number; `crowd` is the number of all of them at once.

    How much higher the number of a crowd is, the GM decides.
    """
    for path, number in (("cn", cn), ("crowd", crowd)):
        if number is not None and number != IMPOSSIBLE:
            check_cn(play.values, number, path)
    if model == "each":
        play.tell(f"{enemies} enemies, {enemies} challenges of Critical Number {cn}", "SIX-055")
        return (cn,) * enemies
    if crowd is None:
        raise bad("crowd", "is missing: a crowd has a Critical Number of its own", "SIX-055")
    if crowd != IMPOSSIBLE and (cn == IMPOSSIBLE or crowd <= cn):
        raise bad("crowd", f"takes a Critical Number above that of one enemy, {cn}; not {crowd}", "SIX-055")
    play.tell(f"{enemies} enemies as one crowd: one challenge of Critical Number {crowd}", "SIX-055")
    return (crowd,)


@procedure("SIX-057", say="the optional effect of having failed so many times", results="failures applied")
def failure_cost(play: Play, *, after: Positive, attempts: tuple[Try, ...]) -> tuple[int, bool]:
    """Whether these tries hold enough failures for an effect that the table agreed on, such as being knocked out."""
    read = [read_try(play, tried, f"attempts[{number}]") for number, tried in enumerate(attempts, 1)]
    failures = sum(not overcome for overcome, _ in read)
    applied = failures >= after
    what = "the agreed effect applies" if applied else "no effect yet"
    play.tell(f"{failures} failures of {after}: {what}", "SIX-057")
    return failures, applied


@procedure(
    "SIX-023 SIX-025 SIX-031 SIX-058",
    say="counting the successes of a multi-stage challenge",
    results="successes complete hand_rolls",
)
def stages(play: Play, *, needed: Positive, attempts: tuple[Try, ...]) -> tuple[int, bool, int]:
    """Whether the tries of all Operators together are enough; an automatic success counts (SIX-Q34)."""
    read = [read_try(play, tried, f"attempts[{number}]") for number, tried in enumerate(attempts, 1)]
    successes, hand_rolls = sum(overcome for overcome, _ in read), sum(rolled for _, rolled in read)
    complete = successes >= needed
    rest = "overcome" if complete else f"{needed - successes} to go"
    play.tell(f"{successes} successes of {needed}: {rest}; Roll Your Hand {hand_rolls} times", "SIX-058", "SIX-033")
    return successes, complete, hand_rolls


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge as it is set: who takes it on, its Critical Numbers, what it takes, and who does what if planned.

    `tells` are the results that are wanted; of the others no record is kept. `alike` says that hands are followed only
    as far as they matter.
    """

    seats: tuple[Seat, ...]
    cns: Named[str, CN]
    needed: int
    planned: tuple[Turn, ...] | None
    tells: frozenset[str]
    alike: bool

    def place(self, name: str | None) -> int:
        """Where somebody sits, from 0; -1 for nobody of that name."""
        return next((at for at, seat in enumerate(self.seats) if seat.name == name), -1)


@dataclass(frozen=True, slots=True)
class Underway:
    """A challenge being played: everybody's luck in seat order, the piles, whose turn is next, and the count so far."""

    luck: tuple[Luck, ...]
    piles: Piles
    turn: int = 0
    successes: int = 0
    failures: int = 0
    hand_rolls: int = 0
    turns: tuple[TurnResult, ...] = ()


@procedure(
    "SIX-022 SIX-023 SIX-028 SIX-031 SIX-033 SIX-035 SIX-036 SIX-038 SIX-040 SIX-044 SIX-045 SIX-049 SIX-053 SIX-054",
    "SIX-057 SIX-058",
    say="a whole challenge: turn after turn until it is overcome or nobody is left",
    policies=("none", "all"),
)
@taking(Given)
def multi_stage(
    play: Play,
    given: Given,
    *,
    operators: tuple[Seat, ...],
    cns: Mapping[str, CN],
    needed: Positive = 1,
    turns: tuple[Turn, ...] | None = None,
    rounds: Annotated[int, Whole(1, 100)] = 10,
    after: Positive | None = None,
) -> MultiStage:
    """A challenge with its Critical Number for each method, taken on by these Operators, given in turn order.

    `turns` says who does what; without it everybody in turn uses the method that is easiest, for so many `rounds`, and
    spends cards by the policy. `after` so many failures the agreed effect applies.
    """
    check_methods(play.values, cns)
    lucks = list[Luck]()
    for index, seat in enumerate(operators, 1):
        path = f"operators[{index}]."
        if seat.name in (before.name for before in operators[: index - 1]):
            raise bad(f"{path}name", f"takes every name once; {seat.name} stands twice")
        lucks.append(read_luck(play, path, seat))
    alike = play.explores and turns is None and given.discard is None and not play.needs("hands", "deck", "discard")
    tells = frozenset(name for name in ("failures", "applied", "hand_rolls", "turns") if play.needs(name))
    challenge = Challenge(operators, Named(cns), needed, turns, tells, alike)
    start = Underway(tuple(_followed(play, challenge, luck) for luck in lucks), read_piles(given))
    count = len(operators) * rounds if turns is None else len(turns)
    end, _ = play.rounds(
        _next_turn,
        start,
        challenge,
        goes_on=lambda now: now.successes < needed and (turns is None or now.turn < len(turns)),
        what="turns of the challenge",
        most=count,
        counted=False,
    )
    if turns is not None and end.turn < len(turns):
        play.tell("The challenge is overcome; what else was planned is not played", "SIX-058")
    return _challenge_state(play, challenge, end, after)


def _next_turn(play: Play, now: Underway, challenge: Challenge) -> Underway:
    """The challenge after one more turn: the next that was planned, or that of the next Operator in turn."""
    if challenge.planned is not None:
        turn = challenge.planned[now.turn]
        stake, helper = _planned_stake(play, challenge, now, turn)
        after = _play_turn(play, challenge, now, stake, (challenge.place(turn.who), helper))
        return replace(after, turn=now.turn + 1)
    place, following = now.turn, replace(now, turn=(now.turn + 1) % len(challenge.seats))
    luck = now.luck[place]
    if is_removed(play, luck.strikes):
        return following
    method = _easiest(play, challenge, luck)
    if method is None:
        tell_impossible(play)
        return following
    use = play.decide(
        {"none": lambda: None, "all": lambda: best_card(play.values, luck, method)},
        "a card for the roll",
    )
    return _play_turn(play, challenge, following, Stake(luck, method, use), (place, -1))


def _planned_stake(play: Play, challenge: Challenge, now: Underway, turn: Turn) -> tuple[Stake, int]:
    """What a planned turn puts on the roll, and where the helper sits; Refused for somebody who cannot take part."""
    path = f"turns[{now.turn + 1}]."
    for name, what in ((turn.who, "who"), (turn.helper, "helper")):
        place = challenge.place(name)
        if name is not None and place < 0:
            names = ", ".join(seat.name for seat in challenge.seats)
            raise bad(f"{path}{what}", f"takes one of {names}, not {name}")
        if name is not None and is_removed(play, now.luck[place].strikes):
            raise Refused("removed", f"{path}{what}: {name} is out of play", "SIX-038")
    if turn.helper == turn.who:
        raise bad(f"{path}helper", "takes another Operator's name", "SIX-044")
    who, helper = challenge.place(turn.who), challenge.place(turn.helper)
    luck, theirs = replace(now.luck[who], takes=turn.replace), replace(now.luck[helper], takes=turn.replace)
    lent, use = (theirs, turn.helper_use) if turn.helper else (None, None)
    return Stake(luck, turn.method, turn.use, turn.wager, lent, use, path), helper


def _easiest(play: Play, challenge: Challenge, luck: Luck) -> str | None:
    """The method of the lowest Critical Number, the Operator's own among equals; none if all are Impossible."""
    own = own_method(play.values, luck.descriptor)
    open_ = [(cn, method != own, method) for method, cn in challenge.cns.items() if cn != IMPOSSIBLE]
    return min(open_)[2] if open_ else None


def _play_turn(play: Play, challenge: Challenge, now: Underway, stake: Stake, places: tuple[int, int]) -> Underway:
    """The challenge after one try; `places` are the seats of the one who tries and of a helper, or -1."""
    name, tells = challenge.seats[places[0]].name, challenge.tells
    play.tell(f"{name} tries {stake.method}", "SIX-028")
    cn = challenge.cns.get(stake.method, IMPOSSIBLE)
    played = play.part(_played, stake, cn, now.piles, "turns" in tells)
    lucks = list(now.luck)
    for place, luck in zip(places, (played.stake.luck, played.stake.helper), strict=True):
        if place >= 0 and luck is not None:
            lucks[place] = _followed(play, challenge, luck)
    result = TurnResult(name, played.result, played.effective, played.die, played.rolled_hand)
    return replace(
        now,
        luck=tuple(lucks),
        piles=played.piles,
        successes=now.successes + played.overcome,
        failures=now.failures + (played.result == "failure" and not tells.isdisjoint(("failures", "applied"))),
        hand_rolls=now.hand_rolls + (played.rolled_hand is not None and "hand_rolls" in tells),
        turns=(*now.turns, result) if "turns" in tells else (),
    )


def _played(play: Play, stake: Stake, cn: CN, piles: Piles, whole: bool) -> Played:
    """One try; without its `whole` story only what it comes to and costs."""
    played = play_roll(play, stake, cn, piles)
    left = replace(played.piles, laid=())
    if whole:
        return replace(played, piles=left)
    return replace(played, piles=left, die=None, rolled_hand=None if played.rolled_hand is None else 0)


def _followed(play: Play, challenge: Challenge, luck: Luck) -> Luck:
    """The luck of somebody, for odds only as far as it matters."""
    return followed(play, luck, _easiest(play, challenge, luck)) if challenge.alike else luck


def _challenge_state(play: Play, challenge: Challenge, end: Underway, after: int | None) -> MultiStage:
    complete, failures = end.successes >= challenge.needed, end.failures
    done = "overcome" if complete else "not overcome"
    play.tell(f"{end.successes} successes of {challenge.needed}: {done}", "SIX-058")
    if after is not None and failures >= after:
        play.tell(f"{failures} failures of {after}: the agreed effect applies", "SIX-057")
    lucks = {seat.name: luck for seat, luck in zip(challenge.seats, end.luck, strict=True)}
    return MultiStage(
        successes=end.successes,
        complete=complete,
        hand_rolls=end.hand_rolls,
        failures=failures,
        applied=None if after is None else failures >= after,
        turns=end.turns,
        hands=Named({name: written(luck.hand) for name, luck in lucks.items()}),
        strikes=Named({name: luck.strikes for name, luck in lucks.items()}),
        removed=Named({name: is_removed(play, luck.strikes) for name, luck in lucks.items()}),
        **spread(end.piles.left),
    )
