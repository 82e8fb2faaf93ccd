"""Luck (ledger O): tokens in two pools, spent before the dice, moving from one side of the table to the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.checks import mode_of, tell_net
from sheetgen.systems.genesix.terms import Count, Mode

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
