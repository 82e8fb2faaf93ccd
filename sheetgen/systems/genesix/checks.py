"""Checks of one roll (ledger B, C, F, H, K, L, R): who helps, what a power costs, what gear takes, a whole group."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.genesix.gear import (
    Band,
    Count,
    Difficulty,
    Face,
    Mode,
    Rating,
    Row,
    Tag,
    counted,
    spoken,
    tags_,
)


@dataclass(frozen=True)
class CheckOutcome:
    """What a check came to; `kept` are the two dice that count, in rising order."""

    mode: Mode
    kept: tuple[int, ...]
    result: int
    target: int
    success: bool
    delta: int
    quality: str
    row: Row


@dataclass(frozen=True)
class Price:
    """What a power costs whoever used it, in points."""

    stress: int
    wounds: int


@dataclass(frozen=True, slots=True)
class Ratings:
    """What is added to the dice."""

    attribute: Rating = 0
    approach: Rating = 0
    monetary: Rating = 0

    @property
    def total(self) -> int:
        return self.attribute + self.approach + self.monetary

    def __str__(self) -> str:
        names = {"Attribute": self.attribute, "Approach": self.approach, "Monetary": self.monetary}
        added = {name: number for name, number in names.items() if number or name != "Monetary"}
        return " ".join(f"{'-' if number < 0 else '+'} {name} {abs(number)}" for name, number in added.items())


@dataclass(frozen=True, slots=True)
class Roller(Ratings):
    """Somebody who rolls: the ratings in use, what lies on this check alone, and whether Stress is full."""

    advantage: Count = 0
    disadvantage: Count = 0
    burdened: bool = False

    @property
    def ratings(self) -> Ratings:
        return Ratings(self.attribute, self.approach, self.monetary)


@dataclass(frozen=True, slots=True)
class Member:
    """One of a group: the ratings it could lend."""

    attribute: Rating = 0
    approach: Rating = 0


@dataclass(frozen=True, slots=True)
class Call:
    """What the GM calls for: how hard it is, and all that makes it harder or easier."""

    difficulty: Difficulty | None = None
    range_: Band | None = None
    harmful: Count = 0
    helpful: Count = 0
    advantage: Count = 0
    disadvantage: Count = 0
    helpers: Count = 0
    tags: tuple[Tag, ...] = ()
    aimed: bool = False
    burdened: bool = False


def mode_of(net: int) -> Mode:
    """The mode that a net of applications leaves (GEN-059)."""
    return "advantage" if net > 0 else "disadvantage" if net < 0 else "normal"


def net_of(play: Play, advantage: int, disadvantage: int, *, burdened: bool = False) -> int:
    """Advantages less Disadvantages, full Stress among them; the log has them when there are any (GEN-059, GEN-265)."""
    disadvantage += play.values.number("tracks.burden") if burdened else 0
    net = advantage - disadvantage
    if advantage or disadvantage:
        ends = {"normal": "a plain check", "advantage": "Advantage", "disadvantage": "Disadvantage"}[mode_of(net)]
        play.tell(f"Advantage {advantage} against Disadvantage {disadvantage}: {ends}", "GEN-059")
    return net


def reading(play: Play, kept: tuple[int, ...]) -> str:
    """How two faces read: doubles first, then odd and even (GEN-035, GEN-036, GEN-Q2)."""
    low, high = kept
    if low == high:
        row = play.values.text(f"doubles.{low}")
    else:
        row = play.values.text(f"reading.{('even', 'mixed', 'odd')[low % 2 + high % 2]}")
    kind = play.values.text(f"rows.{row}.kind")
    turns = ": the tide of the scene turns" if kind == "scene-altering" else ""
    read = "nothing further" if kind == "none" else spoken(row) + turns
    play.tell(f"The dice read {low} and {high}: {read}", "GEN-035", "GEN-036")
    return row


def throw(play: Play, net: int, what: str) -> tuple[int, ...]:
    """The two dice that count, of three the highest or the lowest (GEN-006, GEN-056, GEN-057)."""
    values, mode = play.values, mode_of(net)
    count = values.number("dice.count")
    faces = play.dice.roll(count + (values.number("dice.extra") if net else 0), values.number("dice.sides"), what)
    order = sorted(faces)
    if net:
        dropped, rule = (order[0], "GEN-056") if mode == "advantage" else (order[-1], "GEN-057")
        play.tell(f"{', '.join(map(str, faces))} with {mode.capitalize()}: the {dropped} is dropped", rule)
    return tuple(order[-count:] if mode == "advantage" else order[:count])


def target_number(play: Play, call: Call) -> int:
    """The number to reach: difficulty or range, and one up or down a circumstance (GEN-029, GEN-061, GEN-276)."""
    values, harmful, helpful = play.values, call.harmful, call.helpful
    if (call.difficulty is None) == (call.range_ is None):
        raise Refused("target", "a target number comes from difficulty or from range: give one of the two", "GEN-029")
    if call.range_ is not None:
        start, name, rule = values.number(f"range.{call.range_}"), f"{call.range_} range ", "GEN-276"
    elif isinstance(call.difficulty, str):
        start, name, rule = values.number(f"difficulty.{call.difficulty}"), f"{call.difficulty} ", "GEN-029"
    else:
        start, name, rule = int(call.difficulty or 0), "", "GEN-250"
    if not harmful and not helpful:
        play.tell(f"Target number: {name}{start}", rule)
        return start
    shift = harmful * values.number("circumstance.harmful") + helpful * values.number("circumstance.helpful")
    noun = "circumstance" if harmful + helpful == 1 else "circumstances"
    why = " and ".join(f"{number} {kind}" for number, kind in ((harmful, "harmful"), (helpful, "helpful")) if number)
    play.tell(f"Target number: {name}{start}, {shift:+d} for {why} {noun} = {start + shift}", rule, "GEN-061")
    return start + shift


def called(play: Play, call: Call) -> tuple[int, int]:
    """The target number and the net of applications that a call comes to."""
    tags = tags_(play, tags=call.tags)
    aim = play.values.number("aim") if call.aimed else 0
    if aim:
        play.tell("Aimed: one helpful circumstance", "GEN-270")
    if call.helpers:
        play.tell(f"Helped by {call.helpers}, who roll nothing", "GEN-028")
    if call.burdened:
        play.tell("Burdened: one application of Disadvantage", "GEN-265")
    whole = replace(call, harmful=call.harmful + tags.harmful, helpful=call.helpful + tags.helpful + aim)
    target = target_number(play, whole)
    advantage = call.advantage + tags.advantage + call.helpers * play.values.number("helper")
    return target, net_of(play, advantage, call.disadvantage + tags.disadvantage, burdened=call.burdened)


def quality_of(play: Play, success: bool, delta: int) -> str:
    """How well it went, in a word (GEN-032, GEN-033, GEN-Q25)."""
    if not success:
        return "failed"
    if delta == play.values.number("delta.barely"):
        return "barely"
    return "wild" if delta >= play.values.number("delta.wild") else "plain"


def resolve(play: Play, ratings: Ratings, target: int, net: int) -> CheckOutcome:
    """One check rolled and read against a target number (GEN-007 to GEN-009, GEN-035 to GEN-039)."""
    kept = throw(play, net, "the check")
    result = sum(kept) + ratings.total
    delta, success = result - target, result >= target
    quality = quality_of(play, success, delta)
    ends = {"barely": "success by a hair", "wild": f"wild success by {delta}", "plain": f"success by {delta}"}
    end = ends.get(quality, f"failure by {-delta}")
    faces = " + ".join(map(str, kept))
    play.tell(f"{faces} {ratings} = {result}, against {target}: {end}", "GEN-007", "GEN-008", "GEN-009")
    return CheckOutcome(mode_of(net), kept, result, target, success, delta, quality, reading(play, kept))


def price_of(play: Play, who: str, success: bool, delta: int) -> Price:
    """The size of a Delta as Stress after a success, as Wounds after a failure (GEN-214, GEN-Q35)."""
    pays = counted(delta, "point") + (" of Stress" if success else " of Wounds") if delta else "nothing"
    play.tell(f"The price of the power: {who} suffers {pays}", "GEN-214")
    return Price(delta, 0) if success else Price(0, delta)


@procedure(
    "GEN-055 GEN-058 GEN-059 GEN-060",
    say="what applications of Advantage and Disadvantage leave",
    results="mode",
)
def mode(play: Play, *, advantage: Count = 0, disadvantage: Count = 0) -> Mode:
    """The mode of a check; applications cancel one for one; GEN-058 to GEN-060."""
    return mode_of(net_of(play, advantage, disadvantage))


@procedure("GEN-028 GEN-058 GEN-059", say="what help makes of a check", results="mode")
def help_(
    play: Play, *, helpers: Count = 0, accepted: bool = False, advantage: Count = 0, disadvantage: Count = 0
) -> Mode:
    """Each helper is one application of Advantage, if the one rolling takes the help; GEN-028, GEN-Q15."""
    given = helpers * play.values.number("helper") if accepted else 0
    play.tell(f"{helpers} offering help, {'accepted' if accepted else 'declined'}", "GEN-028")
    return mode_of(net_of(play, advantage + given, disadvantage))


@procedure("GEN-029 GEN-061 GEN-232 GEN-250 GEN-276", say="the number a check has to reach", results="target")
def target(
    play: Play,
    *,
    difficulty: Difficulty | None = None,
    range_: Band | None = None,
    harmful: Count = 0,
    helpful: Count = 0,
) -> int:
    """The target number, without floor or ceiling; GEN-029, GEN-061, GEN-Q9, by range GEN-276."""
    return target_number(play, Call(difficulty, range_, harmful, helpful))


@procedure("GEN-035 GEN-036 GEN-037 GEN-039", say="what the two dice that count say beside success", results="row")
def row(play: Play, *, kept: tuple[Face, ...]) -> Row:
    """How two faces read; GEN-035, GEN-036."""
    if len(kept) != play.values.number("dice.count"):
        raise Refused("kept", f"kept: takes the two dice that count, not {len(kept)} of them", "GEN-039")
    return reading(play, tuple(sorted(kept)))


@procedure(
    "GEN-005 GEN-006 GEN-007 GEN-008 GEN-009 GEN-010 GEN-028 GEN-032 GEN-033 GEN-035 GEN-036 GEN-037 GEN-038 GEN-039",
    "GEN-055 GEN-056 GEN-057 GEN-058 GEN-059 GEN-061 GEN-120 GEN-202 GEN-265 GEN-270 GEN-276",
    say="a normal check against a target number",
)
@taking(Ratings, Call)
def check(play: Play, ratings: Ratings, call: Call) -> CheckOutcome:
    """2d6 (3d6 with Advantage or Disadvantage) + Attribute + Approach against the target number; GEN-005 to GEN-009."""
    return resolve(play, ratings, *called(play, call))


@procedure(
    "GEN-007 GEN-008 GEN-009 GEN-213 GEN-214 GEN-262 GEN-268",
    say="a check with an unnatural power, and its price",
    results="* *",
)
@taking(Ratings, Call)
def unnatural(play: Play, ratings: Ratings, call: Call, *, powerless: bool = False) -> tuple[CheckOutcome, Price]:
    """A normal check whose Delta is also the price, which Toughness does not lessen; GEN-213, GEN-214, GEN-268."""
    if powerless:
        raise Refused("powerless", "a character without an unnatural power cannot act unnaturally", "GEN-262")
    came = resolve(play, ratings, *called(play, call))
    return came, price_of(play, "the one who acted", came.success, abs(came.delta))


@procedure(
    "GEN-005 GEN-006 GEN-007 GEN-008 GEN-009 GEN-016 GEN-120 GEN-202 GEN-214",
    say="one check for a whole group",
    results="* attribute approach * payer",
)
@taking(Call)
def group(
    play: Play, call: Call, *, members: tuple[Member, ...], monetary: Rating = 0, unnatural: bool = False
) -> tuple[CheckOutcome, int, int, Price | None, int | None]:
    """A check with the best Attribute and the best Approach among the members; GEN-016, GEN-Q19, price GEN-Q35.

    The ratings it used, and if a power was used its price, with the number of who pays.
    """
    if len(members) < play.values.number("group.least"):
        raise Refused("members", "members: a group has at least two", "GEN-Q19")
    best = Ratings(max(each.attribute for each in members), max(each.approach for each in members))
    play.tell(f"The group's best: {best}", "GEN-016")
    came = resolve(play, replace(best, monetary=monetary), *called(play, call))
    if not unnatural:
        return came, best.attribute, best.approach, None, None
    payer = next(number for number, member in enumerate(members, 1) if member.approach == best.approach)
    price = price_of(play, f"member {payer}, who lent the power,", came.success, abs(came.delta))
    return came, best.attribute, best.approach, price, payer


@procedure("GEN-007 GEN-008 GEN-009 GEN-202 GEN-245 GEN-246", say="coming by gear", results="check_needed *")
@taking(Ratings, Call)
def acquire(play: Play, ratings: Ratings, call: Call, *, mundane: bool = False) -> tuple[bool, CheckOutcome | None]:
    """No check for everyday gear; for the rest a check with Monetary added, a negative one too; GEN-245, GEN-246."""
    if mundane:
        play.tell("Everyday gear is simply had, at a fitting moment and at the GM's word", "GEN-245")
        return False, None
    play.tell("Extraordinary gear takes a check, Monetary added", "GEN-246")
    return True, resolve(play, ratings, *called(play, call))
