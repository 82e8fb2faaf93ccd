"""Opposed checks, group checks and help (ledger C, D, G): each side its own dice, ties by a bare die."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.dice.paths import AtLeast, Tail
from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.genesix.checks import (
    Call,
    CheckOutcome,
    ModeOutcome,
    Ratings,
    Roller,
    called,
    mode_of,
    net_of,
    quality_of,
    resolve,
    tell_net,
    tell_row,
    throw,
)
from sheetgen.systems.genesix.tags import Count, Delta, Mode, Rating, Row, counted, results, signed


@dataclass(frozen=True, slots=True)
class Price:
    """What a power costs whoever used it, in points."""

    stress: int
    wounds: int


@dataclass(frozen=True, slots=True)
class UnnaturalOutcome(CheckOutcome):
    """A check with a power, and its price."""

    stress: int
    wounds: int


def price_of(play: Play, who: str, success: bool, delta: int) -> Price:
    """The size of a Delta as Stress after a success, as Wounds after a failure (GEN-214, GEN-Q35)."""
    price = Price(delta, 0) if success else Price(0, delta)
    pays = counted(delta, "point") + (" of Stress" if success else " of Wounds") if delta else "nothing"
    play.tell(f"The price of the power: {who} suffers {pays}", "GEN-214")
    return price


@procedure(
    *("GEN-007", "GEN-008", "GEN-009", "GEN-213", "GEN-214", "GEN-262", "GEN-268"),
    say="a check with an unnatural power, and its price",
)
@taking(Ratings, Call)
def unnatural(play: Play, ratings: Ratings, call: Call, *, powerless: bool = False) -> UnnaturalOutcome:
    """A normal check whose Delta is also the price, which Toughness does not lessen; GEN-213, GEN-214, GEN-268."""
    if powerless:
        raise Refused("powerless", "a character without an unnatural power cannot act unnaturally", "GEN-262")
    came = resolve(play, ratings, *called(play, call))
    price = price_of(play, "the one who acted", came.success, abs(came.delta))
    return UnnaturalOutcome(**results(came), stress=price.stress, wounds=price.wounds)


@dataclass(frozen=True, slots=True)
class Contestant(Roller):
    """One side of an opposed check: who rolls, and whether a power is used."""

    unnatural: bool = False


@dataclass(frozen=True, slots=True)
class Entrant(Contestant):
    """One of several sides, by name."""

    who: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """One of a group: the ratings it could lend."""

    attribute: Rating = 0
    approach: Rating = 0


@dataclass(frozen=True, slots=True)
class Showing:
    """What one side of a contest shows."""

    mode: Mode
    kept: tuple[int, ...]
    result: int
    row: Row


@dataclass(frozen=True, slots=True)
class OpposedOutcome:
    """What a contest came to: Delta is the winner's lead, 0 after a roll-off; a price only where a power was used."""

    a_mode: Mode
    a_kept: tuple[int, ...]
    a_result: int
    a_row: Row
    b_mode: Mode
    b_kept: tuple[int, ...]
    b_result: int
    b_row: Row
    winner: str
    delta: int
    quality: str
    tie_rounds: int
    a_price: Price | None = None
    b_price: Price | None = None


@dataclass(frozen=True, slots=True)
class ContestOutcome:
    """What a contest of several sides came to; Delta is the lead over the next best."""

    results: Named[str, int]
    rows: Named[str, str]
    winner: str
    delta: int
    quality: str
    tie_rounds: int
    prices: Named[str, Price]


@dataclass(frozen=True, slots=True)
class RankOutcome:
    """Who is ahead."""

    winner: str
    tie_rounds: int


@dataclass(frozen=True, slots=True)
class GroupOutcome(CheckOutcome):
    """A check of a whole group: the ratings it used, and if a power was used its price, with the number of who pays."""

    attribute: int
    approach: int
    stress: int | None = None
    wounds: int | None = None
    payer: int | None = None


def show(play: Play, ratings: Ratings, net: int) -> Showing:
    """The dice of one side and its result (GEN-012)."""
    thrown = throw(play, net, "the opposed check")
    result = sum(thrown.kept) + ratings.total
    play.tell(f"{' + '.join(map(str, thrown.kept))} {ratings} = {result}", "GEN-007", "GEN-012")
    tell_row(play, thrown.kept)
    return Showing(thrown.mode, thrown.kept, result, thrown.row)


def show_briefly(play: Play, ratings: Ratings, net: int, read: bool) -> tuple[int, str]:
    """Return the result and, if it is to be `read`, its reading: fewer ends differ where many sides meet."""
    shown = show(play, ratings, net)
    return shown.result, shown.row if read else ""


def rolled_with(play: Play, side: Contestant, name: str) -> tuple[Ratings, int]:
    """What a side adds to its dice and the net of its applications (GEN-012, GEN-265)."""
    play.tell(f"{name}:")
    return side.ratings, net_of(play, side)


def showing(play: Play, side: Contestant, name: str) -> Showing:
    """What a side shows, worked out as a part of its own."""
    return play.part(show, *rolled_with(play, side, name))


def roll_off_round(play: Play, names: tuple[str, ...]) -> tuple[str, ...]:
    """Who shows the highest of one bare die each (GEN-014, GEN-Q7)."""
    faces = play.dice.roll(len(names), play.values.number("dice.sides"), f"roll-off, {' then '.join(names)}")
    best = max(faces)
    ahead = tuple(name for name, face in zip(names, faces, strict=True) if face == best)
    shown = ", ".join(f"{name} {face}" for name, face in zip(names, faces, strict=True))
    play.tell(f"Roll-off: {shown}: {f'{ahead[0]} wins' if len(ahead) == 1 else 'again'}", "GEN-014")
    return ahead


def roll_off(play: Play, names: tuple[str, ...]) -> tuple[str, int]:
    """Who wins a tie, and after how many rounds of bare dice (GEN-014).

    Where odds cut the loop off, those still level are alike, so each is as likely to win: who wins stays exact, and
    only the number of rounds is open: that many or more.
    """
    rounds = 0
    try:
        while len(names) > 1:
            play.again(rounds, "the roll-off")
            names = play.part(roll_off_round, names)
            rounds += 1
    except Tail:
        return names[play.dice.choose(len(names), "the roll-off")], AtLeast(rounds)
    return names[0], rounds


def contest_of(play: Play, a: Contestant, b: Contestant, *, names: tuple[str, str] = ("a", "b")) -> OpposedOutcome:
    """Two sides against each other; the winner is "a" or "b", `names` are for the log (GEN-012 to GEN-014)."""
    first, second = showing(play, a, names[0]), showing(play, b, names[1])
    delta, rounds = abs(first.result - second.result), 0
    if delta:
        winner = "a" if first.result > second.result else "b"
    else:
        play.tell(f"{first.result} against {second.result}: a tie", "GEN-014")
        ahead, rounds = play.part(roll_off, names)
        winner = "a" if ahead == names[0] else "b"
    quality = quality_of(play, True, delta)
    lead = f"by {delta}{', a wild success' if quality == 'wild' else ''}" if delta else "after a roll-off"
    play.tell(f"{first.result} against {second.result}: {names[winner == 'b']} wins {lead}", "GEN-013")
    return OpposedOutcome(
        *(first.mode, first.kept, first.result, first.row, second.mode, second.kept, second.result, second.row),
        *(winner, delta, quality, rounds),
        price_of(play, names[0], winner == "a", delta) if a.unnatural else None,
        price_of(play, names[1], winner == "b", delta) if b.unnatural else None,
    )


def refuse_circumstances(harmful: int, helpful: int) -> None:
    """Circumstances move a target number, and an opposed check has none (GEN-Q8)."""
    for name, number in (("harmful", harmful), ("helpful", helpful)):
        if number:
            message = f"{name}: an opposed check has no target number to move; give Advantage or Disadvantage instead"
            raise Refused("opposed_circumstance", message, "GEN-Q8")


@procedure(
    "GEN-012", "GEN-013", "GEN-014", "GEN-033", "GEN-120", "GEN-202", "GEN-214", "GEN-265", say="two against each other"
)
def opposed(play: Play, *, a: Contestant, b: Contestant, harmful: Count = 0, helpful: Count = 0) -> OpposedOutcome:
    """An opposed check: all dice of a, all dice of b, then roll-offs; GEN-012 to GEN-014."""
    refuse_circumstances(harmful, helpful)
    return contest_of(play, a, b)


@procedure("GEN-012", "GEN-013", "GEN-014", "GEN-214", say="three or more sides against each other")
def contest(play: Play, *, sides: tuple[Entrant, ...], harmful: Count = 0, helpful: Count = 0) -> ContestOutcome:
    """The highest result wins; only those tied for it roll off; GEN-Q27."""
    refuse_circumstances(harmful, helpful)
    names = [side.who for side in sides]
    if len(sides) < 2 or not all(names) or len(set(names)) < len(names):
        raise Refused("sides", "sides: takes two or more, each with a `who` of its own", "GEN-Q27")
    read = play.needs("rows")
    shown = {side.who: play.part(show_briefly, *rolled_with(play, side, side.who), read) for side in sides}
    order = sorted(names, key=lambda name: -shown[name][0])
    best = shown[order[0]][0]
    tied = tuple(name for name in names if shown[name][0] == best)
    winner, rounds = play.part(roll_off, tied)
    delta = best - shown[order[1]][0]
    play.tell(f"{winner} wins with {best}, {delta} ahead of the next", "GEN-013")
    prices = {side.who: price_of(play, side.who, side.who == winner, delta) for side in sides if side.unnatural}
    return ContestOutcome(
        Named({name: result for name, (result, _) in shown.items()}),
        Named({name: row for name, (_, row) in shown.items()}),
        *(winner, delta, quality_of(play, True, delta), rounds),
        Named(prices),
    )


@procedure("GEN-009", "GEN-014", say="which of two normal checks is ahead")
def rank(play: Play, *, a_delta: Delta, b_delta: Delta) -> RankOutcome:
    """The higher Delta is ahead, a roll-off if they are equal; GEN-Q5."""
    if a_delta != b_delta:
        winner = "a" if a_delta > b_delta else "b"
        play.tell(f"Delta {a_delta} against {b_delta}: {winner} is ahead", "GEN-009")
        return RankOutcome(winner, 0)
    return RankOutcome(*play.part(roll_off, ("a", "b")))


@procedure(
    *("GEN-005", "GEN-006", "GEN-007", "GEN-008", "GEN-009", "GEN-016", "GEN-120", "GEN-202", "GEN-214"),
    say="one check for a whole group",
)
@taking(Call)
def group(
    play: Play, call: Call, *, members: tuple[Member, ...], monetary: Rating = 0, unnatural: bool = False
) -> GroupOutcome:
    """A check with the best Attribute and the best Approach among the members; GEN-016, GEN-Q19, price GEN-Q35."""
    if len(members) < play.values.number("group.least"):
        raise Refused("members", "members: a group has at least two", "GEN-Q19")
    attribute = max(member.attribute for member in members)
    approach = max(member.approach for member in members)
    play.tell(f"The group's best: {signed(attribute, 'Attribute')} {signed(approach, 'Approach')}", "GEN-016")
    came = resolve(play, Ratings(attribute, approach, monetary), *called(play, call))
    shared = {**results(came), "attribute": attribute, "approach": approach}
    if not unnatural:
        return GroupOutcome(**shared)
    payer = next(number for number, member in enumerate(members, 1) if member.approach == approach)
    price = price_of(play, f"member {payer}, who lent the power,", came.success, abs(came.delta))
    return GroupOutcome(**shared, stress=price.stress, wounds=price.wounds, payer=payer)


@procedure("GEN-028", "GEN-058", "GEN-059", say="what help makes of a check")
def help_(
    play: Play, *, helpers: Count = 0, accepted: bool = False, advantage: Count = 0, disadvantage: Count = 0
) -> ModeOutcome:
    """Each helper is one application of Advantage, if the one rolling takes the help; GEN-028, GEN-Q15."""
    given = helpers * play.values.number("helper") if accepted else 0
    play.tell(f"{helpers} offering help, {'accepted' if accepted else 'declined'}", "GEN-028")
    return ModeOutcome(mode_of(tell_net(play, advantage + given, disadvantage)))
