"""Challenges (ledger F): long efforts made of several checks, with one track or with two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.checks import Call, Ratings, Roller, called, resolve
from sheetgen.systems.genesix.tags import Band, Count, Delta, Difficulty

Threshold: TypeAlias = Annotated[int, Whole(1, 999)] | Annotated[str, OneOf("challenge.sizes")]
Limit: TypeAlias = Annotated[int, Whole(1, 999)]
End: TypeAlias = Literal["success", "failure", "running"]


@dataclass(frozen=True, slots=True)
class SingleOutcome:
    """The running total after each check, how the challenge stands, and the check that ended it."""

    totals: tuple[int, ...]
    outcome: End
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class DoubleOutcome:
    """Both tracks after each check, how the challenge stands, and the check that ended it."""

    positive_track: tuple[int, ...]
    negative_track: tuple[int, ...]
    outcome: End
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class Participant(Roller):
    """Somebody who works for the goal, or against it."""

    helpers: Count = 0
    opposing: bool = False


@dataclass(frozen=True, slots=True)
class ChallengeOutcome:
    """How a challenge played out: how it stands, the check that ended it, or its tracks while it still runs."""

    outcome: End
    ended_at: int | None
    total: int | None
    positive: int | None
    negative: int | None


@dataclass(frozen=True, slots=True)
class Goal:
    """What has to be reached: one threshold on a signed total, or two on tracks of their own; perhaps in time."""

    positive: int
    negative: int | None
    limit: int | None

    def stands(self, gained: int, lost: int, checks: int) -> End:
        """How it stands with these tracks after so many checks (GEN-024, GEN-026, GEN-Q14)."""
        if gained >= self.positive:
            return "success"
        full = self.negative is not None and lost >= self.negative
        return "failure" if full or (self.limit is not None and checks >= self.limit) else "running"


@dataclass(frozen=True, slots=True)
class Progress:
    """What the Deltas so far add up to, and how many checks they took; a single metric is all `gained`, signed."""

    gained: int = 0
    lost: int = 0
    checks: int = 0


def size_of(play: Play, threshold: int | str) -> int:
    """A threshold as the GM set it, or as its size says (GEN-109)."""
    return threshold if isinstance(threshold, int) else play.values.number(f"challenge.sizes.{threshold}")


def advance(play: Play, goal: Goal, before: Progress, delta: int, opposing: bool) -> tuple[Progress, End]:
    """The tracks after one check; an opponent's Delta counts with its sign turned (GEN-023, GEN-025, GEN-Q13)."""
    own = -delta if opposing else delta
    if goal.negative is None:
        after = Progress(before.gained + own, 0, before.checks + 1)
        tracks, rule = f"total {after.gained} of {goal.positive}", "GEN-023"
    else:
        after = Progress(before.gained + max(own, 0), before.lost + max(-own, 0), before.checks + 1)
        tracks, rule = f"{after.gained} of {goal.positive} for, {after.lost} of {goal.negative} against", "GEN-025"
    stands = goal.stands(after.gained, after.lost, after.checks)
    turned = ", made against the goal" if opposing else ""
    end = {"running": "it goes on", "success": "success", "failure": "failure"}[stands]
    play.tell(f"Check {after.checks}: Delta {delta:+d}{turned}: {tracks}: {end}", rule)
    return after, stands


def add_up(
    play: Play, goal: Goal, deltas: tuple[int, ...], opposing: tuple[bool, ...]
) -> tuple[tuple[Progress, ...], End]:
    """The tracks after each check up to the one that ends it, and how it stands."""
    if opposing and len(opposing) != len(deltas):
        message = f"opposing: takes one true or false for each of {len(deltas)} deltas, not {len(opposing)}"
        raise Refused("opposing", message, "GEN-Q13")
    progress, course, stands = Progress(), list[Progress](), "running"
    for delta, against in zip(deltas, opposing or (False,) * len(deltas), strict=True):
        progress, stands = advance(play, goal, progress, delta, against)
        course.append(progress)
        if stands != "running":
            return tuple(course), stands
    return tuple(course), "running"


@procedure(
    "GEN-021", "GEN-022", "GEN-023", "GEN-024", "GEN-027", "GEN-109", say="a challenge on one track, from its Deltas"
)
def single(
    play: Play,
    *,
    threshold: Threshold,
    deltas: tuple[Delta, ...] = (),
    limit: Limit | None = None,
    opposing: tuple[bool, ...] = (),
) -> SingleOutcome:
    """One signed total against one threshold; what comes after the end is not read; GEN-023, GEN-024, GEN-Q11."""
    course, stands = add_up(play, Goal(size_of(play, threshold), None, limit), deltas, opposing)
    totals = tuple(each.gained for each in course)
    return SingleOutcome(totals, stands, None if stands == "running" else len(course))


@procedure(
    "GEN-021", "GEN-022", "GEN-025", "GEN-026", "GEN-027", "GEN-109", say="a challenge on two tracks, from its Deltas"
)
def double(
    play: Play,
    *,
    positive: Threshold,
    negative: Threshold | None = None,
    deltas: tuple[Delta, ...] = (),
    limit: Limit | None = None,
    opposing: tuple[bool, ...] = (),
) -> DoubleOutcome:
    """Two tracks, each with its threshold, equal ones unless told otherwise; GEN-025, GEN-026, GEN-109, GEN-Q14."""
    goal = Goal(size_of(play, positive), size_of(play, positive if negative is None else negative), limit)
    course, stands = add_up(play, goal, deltas, opposing)
    return DoubleOutcome(
        tuple(each.gained for each in course),
        tuple(each.lost for each in course),
        stands,
        None if stands == "running" else len(course),
    )


@dataclass(frozen=True, slots=True)
class Effort:
    """A challenge as it stands: its tracks, and the end if it has come."""

    progress: Progress = Progress()
    stands: End = "running"


def work_on(play: Play, effort: Effort, goal: Goal, rolls: tuple[tuple[Ratings, int, int, bool], ...]) -> Effort:
    """The challenge after the next participant's check; odds count checks only as far as they matter."""
    before = effort.progress
    ratings, target, net, opposing = rolls[before.checks % len(rolls)]
    delta = play.part(delta_of_check, ratings, target, net)
    after, stands = advance(play, goal, before, delta, opposing)
    if play.explores and stands != "running":
        after = Progress()
    elif play.explores and goal.limit is None:
        after = Progress(after.gained, after.lost, after.checks % len(rolls))
    return Effort(after, stands)


def delta_of_check(play: Play, ratings: Ratings, target: int, net: int) -> int:
    """The Delta of one check."""
    return resolve(play, ratings, target, net).delta


@procedure(
    *("GEN-021", "GEN-022", "GEN-023", "GEN-024", "GEN-025", "GEN-026", "GEN-027", "GEN-109"),
    say="a challenge rolled to its end, on one track or on two",
)
def challenge(
    play: Play,
    *,
    participants: tuple[Participant, ...],
    threshold: Threshold,
    negative: Threshold | None = None,
    difficulty: Difficulty | None = None,
    range_: Band | None = None,
    harmful: Count = 0,
    helpful: Count = 0,
    limit: Limit | None = None,
    most: Annotated[int, Whole(1, 60)] | None = 20,
) -> ChallengeOutcome:
    """Checks in the listed order, over and over, two tracks if there is a negative threshold; GEN-023 to GEN-027.

    `most` checks are made at most; without it, as many as it takes.
    """
    if not participants:
        raise Refused("participants", "participants: takes at least one", "GEN-021")
    goal = Goal(size_of(play, threshold), None if negative is None else size_of(play, negative), limit)
    rolls = []
    for each in participants:
        call = Call(
            *(difficulty, range_, harmful, helpful, each.advantage, each.disadvantage, each.helpers),
            burdened=each.burdened,
        )
        rolls.append((each.ratings, *called(play, call), each.opposing))
    end, count = play.rounds(
        work_on,
        Effort(),
        *(goal, tuple(rolls)),
        goes_on=lambda effort: effort.stands == "running",
        what="checks of the challenge",
        most=most,
        counted=play.needs("ended_at"),
    )
    gained, lost = end.progress.gained, end.progress.lost
    if end.stands != "running":
        return ChallengeOutcome(end.stands, count, None, None, None)
    if goal.negative is None:
        return ChallengeOutcome(end.stands, None, gained, None, None)
    return ChallengeOutcome(end.stands, None, None, gained, lost)
