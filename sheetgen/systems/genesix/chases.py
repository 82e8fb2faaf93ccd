"""Chases (ledger E): a run of opposed checks whose Deltas open and close a gap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.contests import Contestant, showing
from sheetgen.systems.genesix.tags import Count, Delta

End: TypeAlias = Literal["caught", "escaped", "running"]


@dataclass(frozen=True, slots=True)
class ChaseOutcome:
    """The gap after each exchange, how the chase stands, and the exchange that ended it."""

    gaps: tuple[int, ...]
    outcome: End
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class PursuitOutcome:
    """How a chase played out: how it stands, the exchange that ended it, or the gap while it still runs."""

    outcome: End
    ended_at: int | None
    gap: int | None


@dataclass(frozen=True, slots=True)
class Course:
    """The marks of a chase: where it starts and where it is won."""

    start: int
    escape: int | None

    def stands(self, gap: int, caught: int) -> End:
        """How the chase stands at a gap (GEN-019, GEN-Q10)."""
        if gap <= caught:
            return "caught"
        return "escaped" if self.escape is not None and gap >= self.escape else "running"


def course_of(play: Play, head_start: int | None, escape: int | None, standard: bool) -> Course:
    """The marks as the GM set them, else those of the standard chase, else none (GEN-108, GEN-Q10)."""
    usual = play.values.number("chase.standard.head_start" if standard else "chase.head_start")
    if standard and escape is None:
        escape = play.values.number("chase.standard.escape")
    course = Course(usual if head_start is None else head_start, escape)
    mark = f"away at {escape}" if escape is not None else "no escape mark"
    play.tell(f"Head start {course.start}, {mark}", "GEN-018", *(("GEN-108",) if standard else ()))
    return course


def moved(play: Play, course: Course, gap: int, delta: int, number: int) -> tuple[int, End]:
    """The gap after an exchange, never shown under the mark of capture, and how the chase stands (GEN-Q10)."""
    caught = play.values.number("chase.caught")
    after = gap + delta
    stands = course.stands(after, caught)
    ends = {"caught": "caught", "escaped": "away", "running": "the chase goes on"}[stands]
    play.tell(f"Exchange {number}: gap {gap} {delta:+d} = {max(after, caught)}: {ends}", "GEN-018", "GEN-019")
    return max(after, caught), stands


@procedure("GEN-018", "GEN-019", "GEN-108", say="a chase from the Deltas of its exchanges")
def chase(
    play: Play,
    *,
    deltas: tuple[Delta, ...] = (),
    head_start: Count | None = None,
    escape: Count | None = None,
    standard: bool = False,
) -> ChaseOutcome:
    """The gap after each exchange, Deltas from the quarry's side; what comes after the end is not read; GEN-Q10."""
    course = course_of(play, head_start, escape, standard)
    gap, gaps = course.start, list[int]()
    for number, delta in enumerate(deltas, 1):
        gap, stands = moved(play, course, gap, delta, number)
        gaps.append(gap)
        if stands != "running":
            return ChaseOutcome(tuple(gaps), stands, number)
    return ChaseOutcome(tuple(gaps), "running", None)


def exchange(play: Play, quarry: Contestant, pursuer: Contestant) -> int:
    """The Delta of one exchange from the quarry's side; a tie leaves the gap, so nothing is rolled off (GEN-Q10)."""
    return showing(play, quarry, "The quarry").result - showing(play, pursuer, "The pursuer").result


@dataclass(frozen=True, slots=True)
class Running:
    """A chase as it stands: the gap, the end if it has come, and the number of the last exchange for the log."""

    gap: int
    stands: End = "running"
    number: int = 0


def run_on(play: Play, running: Running, course: Course, quarry: Contestant, pursuer: Contestant) -> Running:
    """The chase after one more exchange; once it has ended the gap no longer matters."""
    delta = play.part(exchange, quarry, pursuer)
    number = 0 if play.explores else running.number + 1
    gap, stands = moved(play, course, running.gap, delta, number)
    return Running(gap if stands == "running" else 0, stands, number)


@procedure("GEN-012", "GEN-018", "GEN-019", "GEN-108", "GEN-120", say="a chase rolled to its end")
def pursuit(
    play: Play,
    *,
    quarry: Contestant,
    pursuer: Contestant,
    head_start: Count | None = None,
    escape: Count | None = None,
    standard: bool = False,
    most: Annotated[int, Whole(1, 60)] | None = 20,
) -> PursuitOutcome:
    """A whole chase of at most so many exchanges, or to its end; the quarry rolls first; GEN-018, GEN-019, GEN-Q10."""
    course = course_of(play, head_start, escape, standard)
    end, count = play.rounds(
        run_on,
        Running(course.start),
        *(course, quarry, pursuer),
        goes_on=lambda running: running.stands == "running",
        what="exchanges of the chase",
        most=most,
        counted=play.needs("ended_at"),
    )
    if end.stands == "running":
        return PursuitOutcome("running", None, end.gap)
    return PursuitOutcome(end.stands, count, None)
