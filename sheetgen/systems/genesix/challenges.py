"""Challenges (ledger F): long efforts made of several checks, with one track or with two."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.checks import Call, Ratings, Roller, called, resolve
from sheetgen.systems.genesix.gear import Band, Capacity, Count, Delta, Difficulty, Most, Threshold

End: TypeAlias = Literal["success", "failure", "running"]


@dataclass(frozen=True, slots=True)
class Participant(Roller):
    """Somebody who works for the goal, or against it."""

    helpers: Count = 0
    opposing: bool = False


@dataclass(frozen=True, slots=True)
class Goal:
    """What has to be reached: one threshold on a signed total, or two on tracks of their own; perhaps in time."""

    positive: int
    negative: int | None
    limit: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """What a check of a challenge came to against its target, its Delta for the goal, and both totals after it."""

    result: int
    target: int
    delta: int
    gained: int
    lost: int


@dataclass(frozen=True, slots=True)
class Progress:
    """What the Deltas so far add up to, after how many checks; a single metric is all `gained`, signed.

    Odds know no `course`: they merge what stands alike.
    """

    gained: int = 0
    lost: int = 0
    checks: int = 0
    stands: End = "running"
    course: tuple[Step, ...] = ()


def size_of(play: Play, threshold: int | str) -> int:
    """A threshold as the GM set it, or as its size says (GEN-109)."""
    return threshold if isinstance(threshold, int) else play.values.number(f"challenge.sizes.{threshold}")


def advance(play: Play, goal: Goal, before: Progress, delta: int, opposing: bool) -> Progress:
    """The tracks after one check; an opponent's Delta counts with its sign turned (GEN-023 to GEN-026, GEN-Q13)."""
    own, checks = -delta if opposing else delta, before.checks + 1
    if goal.negative is None:
        gained, lost, full = before.gained + own, 0, False
        tracks, rule = f"total {gained} of {goal.positive}", "GEN-023"
    else:
        gained, lost = before.gained + max(own, 0), before.lost + max(-own, 0)
        full = lost >= goal.negative
        tracks, rule = f"{gained} of {goal.positive} for, {lost} of {goal.negative} against", "GEN-025"
    late = goal.limit is not None and checks >= goal.limit
    stands: End = "success" if gained >= goal.positive else "failure" if full or late else "running"
    turned = ", made against the goal" if opposing else ""
    end = "it goes on" if stands == "running" else stands
    play.tell(f"Check {checks}: Delta {delta:+d}{turned}: {tracks}: {end}", rule)
    return Progress(gained, lost, checks, stands)


def add_up(play: Play, goal: Goal, deltas: tuple[int, ...], opposing: tuple[bool, ...]) -> tuple[Progress, ...]:
    """The challenge at the start and after each check up to the one that ends it."""
    if opposing and len(opposing) != len(deltas):
        message = f"opposing: takes one true or false for each of {len(deltas)} deltas, not {len(opposing)}"
        raise Refused("opposing", message, "GEN-Q13")
    course = [Progress()]
    for delta, against in zip(deltas, opposing or (False,) * len(deltas), strict=True):
        if course[-1].stands == "running":
            course.append(advance(play, goal, course[-1], delta, against))
    return tuple(course)


@procedure(
    "GEN-021 GEN-022 GEN-023 GEN-024 GEN-027 GEN-109",
    say="a challenge on one track, from its Deltas",
    results="totals outcome ended_at",
)
def single(
    play: Play,
    *,
    threshold: Threshold,
    deltas: tuple[Delta, ...] = (),
    limit: Capacity | None = None,
    opposing: tuple[bool, ...] = (),
) -> tuple[tuple[int, ...], End, int | None]:
    """One signed total against one threshold; what comes after the end is not read; GEN-023, GEN-024, GEN-Q11."""
    course = add_up(play, Goal(size_of(play, threshold), None, limit), deltas, opposing)
    return tuple(each.gained for each in course[1:]), course[-1].stands, ended_at(course[-1])


@procedure(
    "GEN-021 GEN-022 GEN-025 GEN-026 GEN-027 GEN-109",
    say="a challenge on two tracks, from its Deltas",
    results="positive_track negative_track outcome ended_at",
)
def double(
    play: Play,
    *,
    positive: Threshold,
    negative: Threshold | None = None,
    deltas: tuple[Delta, ...] = (),
    limit: Capacity | None = None,
    opposing: tuple[bool, ...] = (),
) -> tuple[tuple[int, ...], tuple[int, ...], End, int | None]:
    """Two tracks, each with its threshold, equal ones unless told otherwise; GEN-025, GEN-026, GEN-109, GEN-Q14."""
    goal = Goal(size_of(play, positive), size_of(play, positive if negative is None else negative), limit)
    course = add_up(play, goal, deltas, opposing)
    tracks = tuple(each.gained for each in course[1:]), tuple(each.lost for each in course[1:])
    return *tracks, course[-1].stands, ended_at(course[-1])


def ended_at(end: Progress) -> int | None:
    """The check that ended a challenge, if one did."""
    return None if end.stands == "running" else end.checks


def delta_of_check(play: Play, ratings: Ratings, target: int, net: int) -> int:
    """The Delta of one check."""
    return resolve(play, ratings, target, net).delta


def work_on(play: Play, before: Progress, goal: Goal, rolls: tuple[tuple[Ratings, int, int, bool], ...]) -> Progress:
    """The challenge after the next participant's check; odds count checks only as far as they matter."""
    ratings, target, net, opposing = rolls[before.checks % len(rolls)]
    delta = play.part(delta_of_check, ratings, target, net)
    after = advance(play, goal, before, delta, opposing)
    if play.explores:
        if after.stands != "running":
            return Progress(stands=after.stands)
        return replace(after, checks=after.checks % len(rolls)) if goal.limit is None else after
    step = Step(target + delta, target, -delta if opposing else delta, after.gained, after.lost)
    return replace(after, course=(*before.course, step))


@procedure(
    "GEN-021 GEN-022 GEN-023 GEN-024 GEN-025 GEN-026 GEN-027 GEN-109",
    say="a challenge rolled to its end, on one track or on two",
    results="outcome ended_at total positive negative course",
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
    limit: Capacity | None = None,
    most: Most | None = 20,
) -> tuple[End, int | None, int | None, int | None, int | None, tuple[Step, ...] | None]:
    """Checks in the listed order, over and over, two tracks if there is a negative threshold; GEN-023 to GEN-027.

    How it stands, the check that ended it, or its tracks while it still runs. `most` checks are made at most; without
    it, as many as it takes. `course` are its checks; odds have none.
    """
    if not participants:
        raise Refused("participants", "participants: takes at least one", "GEN-021")
    goal = Goal(size_of(play, threshold), None if negative is None else size_of(play, negative), limit)
    rolls = []
    for each in participants:
        bears = (each.advantage, each.disadvantage, each.helpers)
        call = Call(difficulty, range_, harmful, helpful, *bears, burdened=each.burdened)
        rolls.append((each.ratings, *called(play, call), each.opposing))
    end, count = play.rounds(
        work_on,
        Progress(),
        *(goal, tuple(rolls)),
        goes_on=lambda progress: progress.stands == "running",
        what="checks of the challenge",
        most=most,
        counted=play.needs("ended_at"),
    )
    course = end.course or None
    if end.stands != "running":
        return end.stands, count, None, None, None, course
    if goal.negative is None:
        return end.stands, None, end.gained, None, None, course
    return end.stands, None, None, end.gained, end.lost, course
