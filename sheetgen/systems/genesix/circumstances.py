"""What comes beside success (ledger G, H, I): the effects that a reading offers, on whose checks they lie, and Luck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sheetgen.model.data import Values
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.genesix.checks import mode_of, net_of
from sheetgen.systems.genesix.gear import Count, Effect, Mode, Players, Row, Spender, Use, spoken
from sheetgen.systems.genesix.tracks import Tracks


@dataclass(frozen=True, slots=True)
class Waiting:
    """An effect that waits for its check: who rolled it, on which side, and whom it names if it names anybody."""

    effect: Effect
    source: str
    side: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Coming:
    """Somebody about to make a check."""

    who: str
    side: str


def options_of(values: Values, row: str) -> tuple[str, ...]:
    """The effects that a reading offers (GEN-047 to GEN-050, GEN-054)."""
    return tuple(map(str, values.at(f"rows.{row}.options")))


def stress_of(values: Values, effect: str) -> int:
    """The points of Stress that an effect is, recovered ones negative; 0 for effects that lie on checks."""
    path = f"effects.{effect}.stress"
    return values.number(path) if values.has(path) else 0


def falls_on(values: Values, waiting: Waiting, who: str, side: str) -> bool:
    """Whether an effect lies on a check by this one (GEN-051, GEN-Q20, GEN-Q21)."""
    if stress_of(values, waiting.effect):
        return False
    on = values.text(f"effects.{waiting.effect}.on")
    if on == "side":
        return side == waiting.side
    if values.text(f"effects.{waiting.effect}.lasts") == "any":
        return who == waiting.target
    return who != waiting.source and (side == waiting.side) == (on == "ally")


def due(values: Values, queue: tuple[Waiting, ...], who: str, side: str) -> tuple[int, tuple[Waiting, ...]]:
    """The net applications on a check by this one, and the effects that still wait after it (GEN-052)."""
    net, left = 0, list[Waiting]()
    for waiting in queue:
        falls = falls_on(values, waiting, who, side)
        net += values.number(f"effects.{waiting.effect}.net") if falls else 0
        if not falls or values.text(f"effects.{waiting.effect}.lasts") == "encounter":
            left.append(waiting)
    return net, tuple(left)


def refuse_wrong_target(values: Values, waiting: Waiting, sides: dict[str, str]) -> None:
    """An effect of the `any` kind names an ally other than its source, or an opponent; no other names anybody."""
    effect, target, path = waiting.effect, waiting.target, f"effects.{waiting.effect}"
    names = values.has(f"{path}.lasts") and values.text(f"{path}.lasts") == "any"
    if names == (target is None):
        need = "has to name somebody" if names else "does not name anybody"
        raise Refused("target", f"target: {effect} {need}", "GEN-051")
    if target is None:
        return
    ally, side = values.text(f"{path}.on") == "ally", sides.get(target)
    if target == waiting.source or (side is not None and (side == waiting.side) != ally):
        whom = "somebody else on the same side" if ally else "somebody on the other side"
        raise Refused("target", f"target: {effect} names {whom}, not {target}", "GEN-Q20")


@procedure(
    "GEN-047 GEN-048 GEN-049 GEN-050 GEN-053 GEN-054",
    say="the effects that a reading offers",
    results="options",
)
def options(play: Play, *, row: Row) -> tuple[str, ...]:
    """The guideline effects to choose one from; GEN-047 to GEN-050, GEN-054, GEN-Q21, GEN-Q22."""
    offered = options_of(play.values, row)
    either = " or ".join(map(spoken, offered)) or "nothing"
    play.tell(f"{spoken(row)} offers {either}", "GEN-047", "GEN-048", "GEN-049", "GEN-050", "GEN-054")
    return offered


@procedure("GEN-051 GEN-052 GEN-054 GEN-059", say="on whose checks waiting effects lie", results="nets")
def effects(play: Play, *, queue: tuple[Waiting, ...] = (), checks: tuple[Coming, ...] = ()) -> tuple[int, ...]:
    """The net applications on each of the coming checks, in acting order; GEN-051, GEN-052, GEN-Q20, GEN-Q21."""
    sides, nets = {check.who: check.side for check in checks}, list[int]()
    for waiting in queue:
        refuse_wrong_target(play.values, waiting, sides)
    for check in checks:
        net, queue = due(play.values, queue, check.who, check.side)
        nets.append(net)
        play.tell(f"{check.who}: net {net:+d}" if net else f"{check.who}: nothing", "GEN-051", "GEN-052")
    return tuple(nets)


@procedure(
    "GEN-047 GEN-048 GEN-049 GEN-050 GEN-053 GEN-054 GEN-091 GEN-268",
    say="one effect of a reading chosen and carried out",
    policies=("first", "second", "third"),
    results="effect stress wounds waits",
)
@taking(Tracks)
def circumstance(
    play: Play, tracks: Tracks, *, row: Row, effect: Effect | None = None
) -> tuple[str | None, int, int, bool]:
    """The chosen effect, or the one that the policy picks: Stress is marked at once, others wait; GEN-Q22."""
    offered = options_of(play.values, row)
    if effect is not None and effect not in offered:
        takes = ", ".join(offered) or "nothing"
        raise Refused("effect", f"effect: {row} offers {takes}, not {effect}", "GEN-Q22")
    if not offered:
        play.tell(f"{spoken(row)}: no effect", "GEN-035")
        return None, tracks.stress, tracks.wounds, False
    chosen = effect or play.decide(
        {
            "first": lambda: offered[0],
            "second": lambda: offered[:2][-1],
            "third": lambda: offered[:3][-1],
        },
        "the effect of a reading",
    )
    play.tell(f"{spoken(row)}: {spoken(chosen)}", "GEN-051")
    points = stress_of(play.values, chosen)
    after = tracks.after(stress=points)
    if points:
        after.tell(play, f"{points:+d} Stress, not resisted")
    return chosen, after.stress, after.wounds, not points


Pools = tuple[int, int]  # the tokens of the players and of the GM


def pools_at_start(play: Play, players: int) -> Pools:
    """One token a player and one for the GM (GEN-082, GEN-084)."""
    pools = players * play.values.number("luck.tokens.player"), play.values.number("luck.tokens.gm")
    play.tell(f"At the start: players {pools[0]}, GM {pools[1]}", "GEN-082", "GEN-084")
    return pools


def spent(play: Play, pools: Pools, by: str) -> Pools:
    """The pools after one token went from the spender's side to the other (GEN-085 to GEN-087)."""
    mine, step, who, spend = (0, -1, "the players", "spend") if by == "players" else (1, 1, "the GM", "spends")
    if pools[mine] < 1:
        raise Refused("empty_pool", f"no Luck token is left on the side of {who}", "GEN-087")
    pools = pools[0] + step, pools[1] - step
    play.tell(f"T{who[1:]} {spend} a token: players {pools[0]}, GM {pools[1]}", "GEN-085", "GEN-086")
    return pools


@procedure(
    "GEN-082 GEN-083 GEN-084 GEN-085 GEN-086 GEN-087",
    say="the Luck pools after some tokens were spent",
    results="player_pool gm_pool",
)
def luck(play: Play, *, players: Players, spends: tuple[Spender, ...] = ()) -> Pools:
    """The pools of a session after each side spent as listed; GEN-082 to GEN-087."""
    pools = pools_at_start(play, players)
    for by in spends:
        pools = spent(play, pools, by)
    return pools


@procedure(
    "GEN-081 GEN-085 GEN-086 GEN-087 GEN-088 GEN-089",
    say="one Luck token put to use",
    results="player_pool gm_pool mode",
)
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
) -> tuple[int, int, Mode | None]:
    """Spends a token for the story or on a check not yet rolled, whose mode it tells; GEN-081, GEN-088, GEN-089."""
    if when == "after":
        raise Refused("too_late", "when: takes before; a token comes ahead of the dice and cannot mend them", "GEN-089")
    fresh = pools_at_start(play, players)
    pools = fresh[0] if player_pool is None else player_pool, fresh[1] if gm_pool is None else gm_pool
    after = spent(play, pools, by)
    if not play.values.has(f"luck.nets.{use}"):
        play.tell(f"Spent on the story ({use}); what it brings about is the GM's to judge", "GEN-081")
        return *after, None
    net = play.values.number(f"luck.nets.{use}")
    return *after, mode_of(net_of(play, advantage + max(net, 0), disadvantage + max(-net, 0)))
