"""Attacks (ledger R): shots against the range, blows and words as opposed checks, and the harm they do."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.genesix.checks import Call, CheckOutcome, Ratings, called, resolve
from sheetgen.systems.genesix.contests import Contestant, OpposedOutcome, contest_of, refuse_circumstances
from sheetgen.systems.genesix.tags import lasting, tag_figures, tag_sum
from sheetgen.systems.genesix.terms import Count, Rating, Tag, Track, results
from sheetgen.systems.genesix.tracks import HarmOutcome, harm_of


@dataclass(frozen=True, slots=True)
class Struck:
    """What an attack does to its target: on which track, and what its item goes on doing."""

    hit: bool
    harm: int
    taken: int
    track: Track
    turns: int
    repeat: int


@dataclass(frozen=True, slots=True)
class AttackOutcome(CheckOutcome):
    """A shot: the check, and what it does."""

    hit: bool
    harm: int
    taken: int
    track: Track
    turns: int
    repeat: int


@dataclass(frozen=True, slots=True)
class StrikeOutcome(OpposedOutcome):
    """A blow, or words: the opposed check, attacker first, and what it does."""

    hit: bool = False
    harm: int = 0
    taken: int = 0
    track: Track = "wounds"
    turns: int = 0
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class Guard:
    """What stands between an attack and its target."""

    toughness: int
    protective: int
    piercing: int


def struck(play: Play, *, hit: bool, delta: int, guard: Guard, tags: tuple[str, ...], track: Track) -> Struck:
    """The harm of an attack and what its item goes on doing (GEN-267 to GEN-271)."""
    piercing = guard.piercing + tag_sum(play.values, tags, "piercing")
    harm: HarmOutcome = harm_of(
        play,
        delta=delta if hit else -1,
        toughness=guard.toughness,
        protective=guard.protective,
        piercing=piercing,
    )
    if not hit:
        return Struck(False, harm.harm, harm.taken, track, 0, 0)
    play.tell(f"{harm.taken} on the {track} of the target", "GEN-267")
    after = lasting(play, tags=tags)
    return Struck(True, harm.harm, harm.taken, track, after.turns, after.repeat)


@procedure(
    *("GEN-007", "GEN-008", "GEN-009", "GEN-241", "GEN-267", "GEN-268", "GEN-269", "GEN-270", "GEN-271", "GEN-276"),
    say="an attack from afar, against the range",
)
@taking(Ratings, Call)
def attack(
    play: Play,
    ratings: Ratings,
    call: Call,
    *,
    toughness: Rating = 0,
    protective: Count = 0,
    piercing: Count = 0,
    track: Track = "wounds",
) -> AttackOutcome:
    """A normal check whose Delta is the harm, less what is resisted; GEN-267 to GEN-271, GEN-276 (house defaults)."""
    came = resolve(play, ratings, *called(play, call))
    guard = Guard(toughness, protective, piercing)
    done = struck(play, hit=came.success, delta=came.delta, guard=guard, tags=call.tags, track=track)
    return AttackOutcome(**results(came), **results(done))


def armed(play: Play, a: Contestant, tags: tuple[str, ...]) -> Contestant:
    """The attacker with what the weapon's tags give in dice; marks on the target number find none (GEN-241, GEN-Q8)."""
    gives = tag_figures(play, tags)
    return replace(a, advantage=a.advantage + gives.advantage, disadvantage=a.disadvantage + gives.disadvantage)


@procedure(
    *("GEN-012", "GEN-013", "GEN-014", "GEN-241", "GEN-267", "GEN-268", "GEN-269", "GEN-271", "GEN-276"),
    say="an attack hand to hand or with words, as an opposed check",
)
def strike(
    play: Play,
    *,
    a: Contestant,
    b: Contestant,
    harmful: Count = 0,
    helpful: Count = 0,
    tags: tuple[Tag, ...] = (),
    toughness: Rating = 0,
    protective: Count = 0,
    piercing: Count = 0,
    track: Track = "wounds",
) -> StrikeOutcome:
    """Attacker a against defender b, harm only if a wins; GEN-267 to GEN-271, GEN-276 (house defaults)."""
    refuse_circumstances(harmful, helpful)
    came = contest_of(play, armed(play, a, tags), b, names=("The attacker", "The defender"))
    guard = Guard(toughness, protective, piercing)
    done = struck(play, hit=came.winner == "a", delta=came.delta, guard=guard, tags=tags, track=track)
    return StrikeOutcome(**results(came), **results(done))
