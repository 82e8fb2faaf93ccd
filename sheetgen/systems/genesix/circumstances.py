"""Circumstances (ledger K, L, M): the guideline effects of a reading, and on whose check they lie."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.model.data import Values
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.genesix.tags import Capacity, Effect, Marks, Row
from sheetgen.systems.genesix.tracks import tell_tracks, tracks_of


@dataclass(frozen=True, slots=True)
class OptionsOutcome:
    """The effects that a reading offers, in the ledger's order."""

    options: tuple[str, ...]


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


@dataclass(frozen=True, slots=True)
class EffectsOutcome:
    """The net applications on each check."""

    nets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CircumstanceOutcome:
    """The effect that was chosen, how the one who rolled stands after it, and the effect that waits, if one does."""

    effect: str | None
    stress: int
    wounds: int
    waits: bool


def options_of(values: Values, row: str) -> tuple[str, ...]:
    """The effects that a reading offers (GEN-047 to GEN-050, GEN-054)."""
    return tuple(map(str, values.at(f"rows.{row}.options")))


def stress_of(values: Values, effect: str) -> int:
    """The points of Stress that an effect is, recovered ones negative; 0 for effects that lie on checks."""
    path = f"effects.{effect}.stress"
    return values.number(path) if values.has(path) else 0


def falls_on(values: Values, waiting: Waiting, who: str, side: str) -> bool:
    """Whether an effect lies on a check by this one (GEN-051, GEN-Q20, GEN-Q21)."""
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
        falls = not stress_of(values, waiting.effect) and falls_on(values, waiting, who, side)
        if falls:
            net += values.number(f"effects.{waiting.effect}.net")
        if not falls or values.text(f"effects.{waiting.effect}.lasts") == "encounter":
            left.append(waiting)
    return net, tuple(left)


def refuse_wrong_target(play: Play, waiting: Waiting, sides: dict[str, str]) -> None:
    """An effect of the `any` kind names an ally other than its source, or an opponent; no other names anybody."""
    lasts, on = f"effects.{waiting.effect}.lasts", f"effects.{waiting.effect}.on"
    if not play.values.has(lasts) or play.values.text(lasts) != "any":
        if waiting.target is not None:
            raise Refused("target", f"target: {waiting.effect} does not name anybody", "GEN-051")
        return
    if waiting.target is None:
        raise Refused("target", f"target: {waiting.effect} has to name somebody", "GEN-051")
    ally, side = play.values.text(on) == "ally", sides.get(waiting.target)
    if waiting.target == waiting.source or (side is not None and (side == waiting.side) != ally):
        wanted = "somebody else on the same side" if ally else "somebody on the other side"
        raise Refused("target", f"target: {waiting.effect} names {wanted}, not {waiting.target}", "GEN-Q20")


@procedure("GEN-047", "GEN-048", "GEN-049", "GEN-050", "GEN-053", "GEN-054", say="the effects that a reading offers")
def options(play: Play, *, row: Row) -> OptionsOutcome:
    """The guideline effects to choose one from; GEN-047 to GEN-050, GEN-054, GEN-Q21, GEN-Q22."""
    found = options_of(play.values, row)
    offered = " or ".join(each.replace("_", " ") for each in found) or "nothing"
    play.tell(f"{row.replace('_', ' ')} offers {offered}", "GEN-047", "GEN-048", "GEN-049", "GEN-050", "GEN-054")
    return OptionsOutcome(found)


@procedure("GEN-051", "GEN-052", "GEN-054", "GEN-059", say="on whose checks waiting effects lie")
def effects(play: Play, *, queue: tuple[Waiting, ...] = (), checks: tuple[Coming, ...] = ()) -> EffectsOutcome:
    """The net applications on each of the coming checks, in acting order; GEN-051, GEN-052, GEN-Q20, GEN-Q21."""
    sides = {check.who: check.side for check in checks}
    for waiting in queue:
        refuse_wrong_target(play, waiting, sides)
    nets = list[int]()
    for check in checks:
        net, queue = due(play.values, queue, check.who, check.side)
        nets.append(net)
        play.tell(f"{check.who}: net {net:+d}" if net else f"{check.who}: nothing", "GEN-051", "GEN-052")
    return EffectsOutcome(tuple(nets))


@procedure(
    *("GEN-047", "GEN-048", "GEN-049", "GEN-050", "GEN-053", "GEN-054", "GEN-091", "GEN-268"),
    say="one effect of a reading chosen and carried out",
    policies=("first", "second", "third"),
)
def circumstance(
    play: Play,
    *,
    row: Row,
    effect: Effect | None = None,
    stress_capacity: Capacity,
    wounds_capacity: Capacity,
    stress: Marks = 0,
    wounds: Marks = 0,
) -> CircumstanceOutcome:
    """The chosen effect, or the one that the policy picks: Stress is marked at once, others wait; GEN-Q22."""
    offered = options_of(play.values, row)
    tracks = tracks_of(stress, wounds, stress_capacity, wounds_capacity)
    if effect is not None and effect not in offered:
        takes = ", ".join(offered) or "nothing"
        raise Refused("effect", f"effect: {row} offers {takes}, not {effect}", "GEN-Q22")
    if not offered:
        play.tell(f"{row.replace('_', ' ')}: no effect", "GEN-035")
        return CircumstanceOutcome(None, stress, wounds, False)
    chosen = effect or play.decide(
        {
            "first": lambda: offered[0],
            "second": lambda: offered[min(1, len(offered) - 1)],
            "third": lambda: offered[min(2, len(offered) - 1)],
        },
        "the effect of a reading",
    )
    play.tell(f"{row.replace('_', ' ')}: {chosen.replace('_', ' ')}", "GEN-051")
    points = stress_of(play.values, chosen)
    after = tracks.after(stress=points)
    if points:
        tell_tracks(play, after, f"{points:+d} Stress, not resisted")
    return CircumstanceOutcome(chosen, after.stress, after.wounds, not points)
