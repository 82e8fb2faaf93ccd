"""Normal checks (ledger B, H, I, J, N): target number, the third die, the result, its Delta and what the faces say."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.genesix.tags import Band, Count, Difficulty, Face, Mode, Rating, Row, Tag, signed, tag_figures


@dataclass(frozen=True, slots=True)
class ModeOutcome:
    """Whether a check is rolled plain, with Advantage, or with Disadvantage."""

    mode: Mode


@dataclass(frozen=True, slots=True)
class TargetOutcome:
    """The number to reach."""

    target: int


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """What two faces say beside success and failure."""

    row: Row


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Thrown:
    """The dice of one check: the two that count, and how they read."""

    mode: Mode
    kept: tuple[int, ...]
    row: Row


@dataclass(frozen=True, slots=True)
class Ratings:
    """What is added to the dice."""

    attribute: Rating = 0
    approach: Rating = 0
    monetary: Rating = 0

    @property
    def total(self) -> int:
        """All of it."""
        return self.attribute + self.approach + self.monetary

    def __str__(self) -> str:
        money = f" {signed(self.monetary, 'Monetary')}" if self.monetary else ""
        return f"{signed(self.attribute, 'Attribute')} {signed(self.approach, 'Approach')}{money}"


@dataclass(frozen=True, slots=True)
class Roller:
    """Somebody who rolls: the ratings in use, what lies on this check alone, and whether Stress is full."""

    attribute: Rating = 0
    approach: Rating = 0
    monetary: Rating = 0
    advantage: Count = 0
    disadvantage: Count = 0
    burdened: bool = False

    @property
    def ratings(self) -> Ratings:
        """What is added to the dice."""
        return Ratings(self.attribute, self.approach, self.monetary)


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


def tell_net(play: Play, advantage: int, disadvantage: int) -> int:
    """Advantages less Disadvantages, told in the log when there are any (GEN-059)."""
    net = advantage - disadvantage
    if advantage or disadvantage:
        ends = {"normal": "a plain check", "advantage": "Advantage", "disadvantage": "Disadvantage"}[mode_of(net)]
        play.tell(f"Advantage {advantage} against Disadvantage {disadvantage}: {ends}", "GEN-059")
    return net


def net_of(play: Play, one: Roller) -> int:
    """The net of somebody's own applications, full Stress among them (GEN-059, GEN-265)."""
    burden = play.values.number("tracks.burden") if one.burdened else 0
    return tell_net(play, one.advantage, one.disadvantage + burden)


def row_of(system: System, kept: tuple[int, ...]) -> str:
    """How two faces read: doubles first, then odd and even (GEN-035, GEN-036, GEN-Q2)."""
    low, high = kept
    if low == high:
        return system.tables["doubles"].row(low)["is"]
    odd = low % 2 + high % 2
    return system.values.text(f"reading.{('even', 'mixed', 'odd')[odd]}")


def tell_row(play: Play, kept: tuple[int, ...]) -> str:
    """How two faces read, told in the log."""
    row, faces = row_of(play.system, kept), " and ".join(map(str, kept))
    kind = play.values.text(f"rows.{row}.kind")
    turns = ": the tide of the scene turns" if kind == "scene-altering" else ""
    told = "nothing further" if kind == "none" else row.replace("_", " ") + turns
    play.tell(f"The dice read {faces}: {told}", "GEN-035", "GEN-036")
    return row


def throw(play: Play, net: int, what: str) -> Thrown:
    """The dice of a check: two, or three of which the lowest or the highest is dropped (GEN-006, GEN-056, GEN-057)."""
    values, mode = play.values, mode_of(net)
    count = values.number("dice.count")
    rolled = play.dice.roll(count + (values.number("dice.extra") if net else 0), values.number("dice.sides"), what)
    order = sorted(rolled)
    kept = tuple(order[-count:] if mode == "advantage" else order[:count])
    if net:
        dropped = order[0] if mode == "advantage" else order[-1]
        rule = "GEN-056" if mode == "advantage" else "GEN-057"
        play.tell(f"{', '.join(map(str, rolled))} with {mode.capitalize()}: the {dropped} is dropped", rule)
    return Thrown(mode, kept, row_of(play.system, kept))


def target_number(play: Play, call: Call, *, harmful: int = 0, helpful: int = 0) -> int:
    """The number to reach: difficulty or range, and one up or down a circumstance (GEN-029, GEN-061, GEN-276)."""
    values = play.values
    if (call.difficulty is None) == (call.range_ is None):
        raise Refused("target", "a target number comes from difficulty or from range: give one of the two", "GEN-029")
    if call.range_ is not None:
        start, name, rule = values.number(f"range.{call.range_}"), f"{call.range_} range ", "GEN-276"
    elif isinstance(call.difficulty, str):
        start, name, rule = values.number(f"difficulty.{call.difficulty}"), f"{call.difficulty} ", "GEN-029"
    else:
        start, name, rule = int(call.difficulty or 0), "", "GEN-250"
    harmful, helpful = call.harmful + harmful, call.helpful + helpful
    up, down = harmful * values.number("circumstance.harmful"), helpful * values.number("circumstance.helpful")
    if not harmful and not helpful:
        play.tell(f"Target number: {name}{start}", rule)
        return start
    noun = "circumstance" if harmful + helpful == 1 else "circumstances"
    why = " and ".join(f"{number} {kind}" for number, kind in ((harmful, "harmful"), (helpful, "helpful")) if number)
    target = start + up + down
    play.tell(f"Target number: {name}{start}, {up + down:+d} for {why} {noun} = {target}", rule, "GEN-061")
    return target


def called(play: Play, call: Call) -> tuple[int, int]:
    """The target number and the net of applications that a call comes to."""
    tags = tag_figures(play, call.tags)
    aim = play.values.number("aim") if call.aimed else 0
    if aim:
        play.tell("Aimed: one helpful circumstance", "GEN-270")
    if call.helpers:
        play.tell(f"Helped by {call.helpers}, who roll nothing", "GEN-028")
    if call.burdened:
        play.tell("Burdened: one application of Disadvantage", "GEN-265")
    target = target_number(play, call, harmful=tags.harmful, helpful=tags.helpful + aim)
    advantage = call.advantage + tags.advantage + call.helpers * play.values.number("helper")
    burden = play.values.number("tracks.burden") if call.burdened else 0
    return target, tell_net(play, advantage, call.disadvantage + tags.disadvantage + burden)


def quality_of(play: Play, success: bool, delta: int) -> str:
    """How well it went, in a word (GEN-032, GEN-033, GEN-Q25)."""
    if not success:
        return "failed"
    if delta == play.values.number("delta.barely"):
        return "barely"
    return "wild" if delta >= play.values.number("delta.wild") else "plain"


def resolve(play: Play, ratings: Ratings, target: int, net: int) -> CheckOutcome:
    """One check rolled and read against a target number (GEN-007 to GEN-009, GEN-035 to GEN-039)."""
    thrown = throw(play, net, "the check")
    result = sum(thrown.kept) + ratings.total
    delta = result - target
    success = result >= target
    quality = quality_of(play, success, delta)
    ends = {"barely": "success by a hair", "wild": f"wild success by {delta}", "plain": f"success by {delta}"}
    end = ends.get(quality, f"failure by {-delta}")
    faces = " + ".join(map(str, thrown.kept))
    play.tell(f"{faces} {ratings} = {result}, against {target}: {end}", "GEN-007", "GEN-008", "GEN-009")
    tell_row(play, thrown.kept)
    return CheckOutcome(thrown.mode, thrown.kept, result, target, success, delta, quality, thrown.row)


@procedure("GEN-055", "GEN-058", "GEN-059", "GEN-060", say="what applications of Advantage and Disadvantage leave")
def mode(play: Play, *, advantage: Count = 0, disadvantage: Count = 0) -> ModeOutcome:
    """The mode of a check; applications cancel one for one; GEN-058 to GEN-060."""
    return ModeOutcome(mode_of(tell_net(play, advantage, disadvantage)))


@procedure("GEN-029", "GEN-061", "GEN-232", "GEN-250", "GEN-276", say="the number a check has to reach")
def target(
    play: Play,
    *,
    difficulty: Difficulty | None = None,
    range_: Band | None = None,
    harmful: Count = 0,
    helpful: Count = 0,
) -> TargetOutcome:
    """The target number, without floor or ceiling; GEN-029, GEN-061, GEN-Q9, by range GEN-276."""
    return TargetOutcome(target_number(play, Call(difficulty, range_, harmful, helpful)))


@procedure("GEN-035", "GEN-036", "GEN-037", "GEN-039", say="what the two dice that count say beside success")
def row(play: Play, *, kept: tuple[Face, ...]) -> RowOutcome:
    """How two faces read; GEN-035, GEN-036."""
    if len(kept) != play.values.number("dice.count"):
        raise Refused("kept", f"kept: takes the two dice that count, not {len(kept)} of them", "GEN-039")
    return RowOutcome(tell_row(play, tuple(sorted(kept))))


@procedure(
    *("GEN-005", "GEN-006", "GEN-007", "GEN-008", "GEN-009", "GEN-010", "GEN-028", "GEN-032", "GEN-033", "GEN-035"),
    *("GEN-036", "GEN-037", "GEN-038", "GEN-039", "GEN-055", "GEN-056", "GEN-057", "GEN-058", "GEN-059", "GEN-061"),
    *("GEN-120", "GEN-202", "GEN-265", "GEN-270", "GEN-276"),
    say="a normal check against a target number",
)
@taking(Ratings, Call)
def check(play: Play, ratings: Ratings, call: Call) -> CheckOutcome:
    """2d6 (3d6 with Advantage or Disadvantage) + Attribute + Approach against the target number; GEN-005 to GEN-009."""
    return resolve(play, ratings, *called(play, call))
