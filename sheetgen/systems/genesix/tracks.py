"""Stress and Wounds (ledger P, R): marked up to a capacity, taken away by rest; harm and what Toughness takes off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.checks import mode_of, tell_net
from sheetgen.systems.genesix.tags import Capacity, Count, Delta, Marks, Mode, Rating

Event: TypeAlias = Annotated[str, OneOf("recovery")]


@dataclass(frozen=True, slots=True)
class MarksOutcome:
    """The points marked on both tracks."""

    stress: int
    wounds: int


@dataclass(frozen=True, slots=True)
class Change:
    """Points suffered, or recovered if negative, on one of the tracks."""

    stress: Delta | None = None
    wounds: Delta | None = None


@dataclass(frozen=True, slots=True)
class SufferOutcome:
    """The marks after each change, and how the character stands at the end."""

    stress: tuple[int, ...]
    wounds: tuple[int, ...]
    burdened: bool
    incapacitated: bool


@dataclass(frozen=True, slots=True)
class HarmOutcome:
    """The harm an attack does, and what gets through."""

    harm: int
    taken: int


@dataclass(frozen=True, slots=True)
class Tracks:
    """A character's two tracks: what is marked, and how much they hold."""

    stress: int
    wounds: int
    stress_capacity: int
    wounds_capacity: int

    @property
    def burdened(self) -> bool:
        """Whether Stress is full (GEN-265)."""
        return self.stress >= self.stress_capacity

    @property
    def incapacitated(self) -> bool:
        """Whether Wounds are full (GEN-264)."""
        return self.wounds >= self.wounds_capacity

    def after(self, *, stress: int = 0, wounds: int = 0) -> Tracks:
        """The tracks after a change: never under 0, Stress without room run over into Wounds (GEN-263 to GEN-265)."""
        strain = max(self.stress + stress, 0)
        over = max(strain - self.stress_capacity, 0)
        hurt = min(max(self.wounds + wounds, 0) + over, self.wounds_capacity)
        return Tracks(strain - over, hurt, self.stress_capacity, self.wounds_capacity)


def tell_tracks(play: Play, tracks: Tracks, why: str) -> None:
    """Tells how the tracks stand."""
    stands = f"Stress {tracks.stress}/{tracks.stress_capacity}, Wounds {tracks.wounds}/{tracks.wounds_capacity}"
    play.tell(f"{why}: {stands}", "GEN-263")
    if tracks.burdened:
        play.tell("Stress is full: burdened, each check with Disadvantage once more", "GEN-265")
    if tracks.incapacitated:
        play.tell("Wounds are full: incapacitated, no actions of any kind", "GEN-264")


def tracks_of(stress: int, wounds: int, stress_capacity: int, wounds_capacity: int) -> Tracks:
    """Tracks as they stand; refused when more is marked than they hold."""
    for name, marked, holds in (("stress", stress, stress_capacity), ("wounds", wounds, wounds_capacity)):
        if marked > holds:
            raise Refused("over_capacity", f"{name}: {marked} marked, but the track holds {holds}", "GEN-263")
    return Tracks(stress, wounds, stress_capacity, wounds_capacity)


@procedure("GEN-091", "GEN-263", say="the tracks of a new character")
def start(play: Play) -> MarksOutcome:
    """Nothing marked on either track; GEN-263 (house default)."""
    marks = MarksOutcome(play.values.number("tracks.stress"), play.values.number("tracks.wounds"))
    play.tell(f"A new character has {marks.stress} Stress and {marks.wounds} Wounds marked", "GEN-263")
    return marks


@procedure("GEN-091", "GEN-203", "GEN-204", "GEN-263", "GEN-264", "GEN-265", say="points suffered and recovered")
def suffer(
    play: Play,
    *,
    stress_capacity: Capacity,
    wounds_capacity: Capacity,
    stress: Marks = 0,
    wounds: Marks = 0,
    changes: tuple[Change, ...] = (),
) -> SufferOutcome:
    """The tracks after each change; GEN-263 to GEN-265 (house defaults)."""
    tracks = tracks_of(stress, wounds, stress_capacity, wounds_capacity)
    course = list[Tracks]()
    for number, change in enumerate(changes, 1):
        if (change.stress is None) == (change.wounds is None):
            raise Refused("change", f"changes[{number}]: takes stress or wounds, one of the two", "GEN-263")
        tracks = tracks.after(stress=change.stress or 0, wounds=change.wounds or 0)
        points, name = (change.wounds, "Wounds") if change.stress is None else (change.stress, "Stress")
        tell_tracks(play, tracks, f"{points:+d} {name}")
        course.append(tracks)
    return SufferOutcome(
        tuple(each.stress for each in course),
        tuple(each.wounds for each in course),
        tracks.burdened,
        tracks.incapacitated,
    )


def rested(play: Play, marked: int, path: str) -> int:
    """The marks left on a track after a rest that takes away so many, or all."""
    return 0 if play.values.text(path) == "all" else max(marked - play.values.number(path), 0)


@procedure("GEN-091", "GEN-263", "GEN-266", say="what a quiet scene or a night's rest takes away")
def recover(play: Play, *, stress: Marks = 0, wounds: Marks = 0, event: Event) -> MarksOutcome:
    """The marks left after a quiet scene or a night; GEN-266 (house default)."""
    left = MarksOutcome(
        rested(play, stress, f"recovery.{event}.stress"), rested(play, wounds, f"recovery.{event}.wounds")
    )
    play.tell(f"A {event} of rest: Stress {stress} to {left.stress}, Wounds {wounds} to {left.wounds}", "GEN-266")
    return left


def harm_of(play: Play, *, delta: int, toughness: int, protective: int, piercing: int) -> HarmOutcome:
    """The harm of an attack with this Delta and what Toughness lets through (GEN-267 to GEN-269)."""
    least = play.values.number("harm.least")
    if delta < 0:
        play.tell("A failed attack does no harm", "GEN-267")
        return HarmOutcome(play.values.number("harm.failed"), play.values.number("harm.failed"))
    harm, resist = max(delta, least), max(0, toughness + protective - piercing)
    taken = max(harm - resist, least)
    armour = f" + {protective} protective" if protective else ""
    holes = f" - {piercing} piercing" if piercing else ""
    play.tell(f"Harm: Delta {delta}, at least {least} = {harm}", "GEN-267")
    play.tell(
        f"Toughness {toughness}{armour}{holes} resists {resist}: {harm} - {resist}, at least {least} = {taken} taken",
        *("GEN-268", "GEN-269"),
    )
    return HarmOutcome(harm, taken)


@procedure("GEN-205", "GEN-267", "GEN-268", "GEN-269", say="the harm of an attack, and how much gets through")
def harm(play: Play, *, delta: Delta, toughness: Rating = 0, protective: Count = 0, piercing: Count = 0) -> HarmOutcome:
    """Delta as harm, Toughness taken off, one point at least; GEN-267 to GEN-269 (house defaults)."""
    return harm_of(play, delta=delta, toughness=toughness, protective=protective, piercing=piercing)


Players: TypeAlias = Annotated[int, Whole(1, 99)]
Spender: TypeAlias = Literal["players", "gm"]
Use: TypeAlias = Annotated[str, OneOf("luck.uses")]


@dataclass(frozen=True, slots=True)
class LuckOutcome:
    """The tokens in each pool."""

    player_pool: int
    gm_pool: int


@dataclass(frozen=True, slots=True)
class LuckUseOutcome(LuckOutcome):
    """The tokens in each pool after one was spent; the mode of the check it was spent on, if on one."""

    mode: Mode | None


def pools_at_start(play: Play, players: int) -> LuckOutcome:
    """One token a player and one for the GM (GEN-082, GEN-084)."""
    values = play.values
    pools = LuckOutcome(players * values.number("luck.tokens.player"), values.number("luck.tokens.gm"))
    play.tell(f"At the start: players {pools.player_pool}, GM {pools.gm_pool}", "GEN-082", "GEN-084")
    return pools


def spent(play: Play, pools: LuckOutcome, by: str) -> LuckOutcome:
    """The pools after one token went from the spender's side to the other (GEN-085 to GEN-087)."""
    mine = pools.player_pool if by == "players" else pools.gm_pool
    if mine < 1:
        who = "the players" if by == "players" else "the GM"
        raise Refused("empty_pool", f"no Luck token is left on the side of {who}", "GEN-087")
    step = -1 if by == "players" else 1
    after = LuckOutcome(pools.player_pool + step, pools.gm_pool - step)
    who = "The players spend" if by == "players" else "The GM spends"
    play.tell(f"{who} a token: players {after.player_pool}, GM {after.gm_pool}", "GEN-085", "GEN-086")
    return after


@procedure(
    "GEN-082", "GEN-083", "GEN-084", "GEN-085", "GEN-086", "GEN-087", say="the Luck pools after some tokens were spent"
)
def luck(play: Play, *, players: Players, spends: tuple[Spender, ...] = ()) -> LuckOutcome:
    """The pools of a session after each side spent as listed; GEN-082 to GEN-087."""
    pools = pools_at_start(play, players)
    for by in spends:
        pools = spent(play, pools, by)
    return pools


@procedure("GEN-081", "GEN-085", "GEN-086", "GEN-087", "GEN-088", "GEN-089", say="one Luck token put to use")
def luck_use(
    play: Play,
    *,
    use: Use,
    by: Spender,
    when: Literal["before", "after"] = "before",
    players: Players,
    player_pool: Count | None = None,
    gm_pool: Count | None = None,
    advantage: Count = 0,
    disadvantage: Count = 0,
) -> LuckUseOutcome:
    """Spends a token for the story or on a check not yet rolled; GEN-081, GEN-088, GEN-089."""
    if when == "after":
        raise Refused("too_late", "when: takes before; a token comes ahead of the dice and cannot mend them", "GEN-089")
    fresh = pools_at_start(play, players)
    pools = LuckOutcome(
        fresh.player_pool if player_pool is None else player_pool, fresh.gm_pool if gm_pool is None else gm_pool
    )
    after = spent(play, pools, by)
    if not play.values.has(f"luck.nets.{use}"):
        play.tell(f"Spent on the story ({use}); what it brings about is the GM's to judge", "GEN-081")
        return LuckUseOutcome(after.player_pool, after.gm_pool, None)
    net = play.values.number(f"luck.nets.{use}")
    mode = mode_of(tell_net(play, advantage + max(net, 0), disadvantage + max(-net, 0)))
    return LuckUseOutcome(after.player_pool, after.gm_pool, mode)
