"""Conflicts (sections 9 to 12): who goes first, how one may respond, and one attack with its damage and injury."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from math import isqrt
from typing import Annotated, Literal

from sheetgen.model.procedures import Named, spread
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers import figures
from sheetgen.systems.gamers.checks import PLAIN, Block, Side, opposed, prevails, roll_of
from sheetgen.systems.gamers.injury import Size, Worn, damage, injure, require_target, shield, state_of
from sheetgen.systems.gamers.terms import Kind, Level, Levels, Modifier, not_below_zero, require_triad, signed

ATTACKS = ("attack", "mental attack")
NO_DEFENCE = Block((), 0, False, False, None, None, None)


@procedure(
    "GAM-153 GAM-154 GAM-155 GAM-Q33 GAM-Q34",
    say="who goes first",
    policies=("wise", "none", "all"),
    results="initiator_* other_* first",
)
def initiative(
    play: Play, *, initiator: Side, other: Side, other_expects_attack: bool = True
) -> tuple[Block, Block, Literal["initiator", "other"]]:
    """Who goes first: a contest of conflict skills, in an ambush of the ambusher's Stealth; ties to the initiator."""
    if not other_expects_attack:
        unready = play.values.number("conflict.unready")
        play.tell(f"the other side expects nothing: {signed(unready)}", "GAM-155")
        other = replace(other, dm=(*other.dm, unready))
    mine, theirs = roll_of(play, initiator, who="initiator"), roll_of(play, other, who="other side")
    first: Literal["initiator", "other"] = "initiator" if prevails(mine, theirs, ties=True) else "other"
    begins = (initiator.name or "the initiator") if first == "initiator" else (other.name or "the other side")
    play.tell(f"{mine.total} against {theirs.total}: {begins} goes first", "GAM-153")
    return mine, theirs, first


@dataclass(frozen=True, slots=True)
class Party(Side):
    """A party among several; `initiates` marks the side that started it."""

    initiates: bool = False


@procedure("GAM-153 GAM-Q33", say="in which order several parties act", results="order totals")
def turn_order(play: Play, *, parties: tuple[Party, ...]) -> tuple[tuple[str, ...], Named[str, int]]:
    """The order from high to low, special results first; on a tie whoever started it leads."""
    names = [party.name for party in parties]
    if "" in names or len(set(names)) < len(names):
        raise Refused("parties", "parties: each needs a name of its own", "GAM-Q33")
    rolled = {party.name: roll_of(play, party) for party in parties}
    starts = {party.name: party.initiates for party in parties}
    order = sorted(names, key=lambda name: (-rolled[name].rank, -rolled[name].total, not starts[name]))
    play.tell(f"they act in this order: {', '.join(order)}", "GAM-Q33")
    return tuple(order), Named({name: rolled[name].total for name in names})


@procedure(
    "GAM-156 GAM-157 GAM-168 GAM-171 GAM-187 GAM-Q36 GAM-Q40 GAM-Q43",
    say="what a round may hold, and at which DMs",
    results="legal dm may_defend_against_physical aim_lost",
)
def round_actions(
    play: Play, *, actions: tuple[Annotated[str, OneOf("round.kinds")], ...]
) -> tuple[bool, tuple[int, ...] | None, bool, bool]:
    """Whether the actions fit into one round; attacks after the first, and defences after the first, suffer a DM.

    A table may count the two together (`GAM-Q36`). Posture and defuse are mental attacks: no defence against a
    physical reply in that round. An aim must be followed by the shot, or by more aiming.
    """
    values = play.values
    kinds = [values.text(f"round.kinds.{action}") for action in actions]
    most, again = values.number("round.actions"), values.number("round.again")
    open_to_defence = "mental attack" not in kinds
    aim_lost = any(one == "aim" and then not in ("aim", "attack") for one, then in pairwise(kinds))
    if len(actions) > most:
        play.tell(f"{len(actions)} actions; a round has {most}", "GAM-156")
        return False, None, open_to_defence, aim_lost
    dms, counts = [], {"attack": 0, "defence": 0}
    for action, kind in zip(actions, kinds, strict=True):
        sort = "attack" if kind in ATTACKS else kind
        before = sum(counts.values()) if play.ruling("GAM-Q36") == "together" else counts.get(sort, 0)
        dms.append(again if sort in counts and before else 0)
        if sort in counts:
            counts[sort] += 1
        if dms[-1]:
            play.tell(f"{action}, once more this round: {signed(dms[-1])}", "GAM-157")
    if not open_to_defence:
        play.tell("after a mental attack there is no defence against a physical one", "GAM-168")
    return True, tuple(dms), open_to_defence, aim_lost


@procedure(
    "GAM-132 GAM-163 GAM-Q41",
    say="flight: does somebody get away",
    policies=("wise", "none", "all"),
    results="active_* opposing_* active_wins escapes",
)
def flight(play: Play, *, active: Side, opposing: Side) -> tuple[Block, Block, bool, bool]:
    """Whether the one who flees, as the active side, wins the contest against the pursuer."""
    mine, theirs, wins = opposed(play, active=active, opposing=opposing)
    play.tell("away" if wins else "caught", "GAM-Q41")
    return mine, theirs, wins, wins


@dataclass(frozen=True, slots=True)
class Rolls:
    """Both rolls of an attack, and whether it hits."""

    strikes: Block
    defends: Block
    hit: bool


@dataclass(frozen=True, slots=True)
class Blow:
    """What strikes, what it strikes, and what stands between."""

    kind: Kind
    size: str
    injury_attributes: tuple[int, ...]
    armour: Worn
    levels: Named[str, int]
    target: str | None


@dataclass(frozen=True, slots=True)
class Wound:
    """What an attack does; damage, cover and injury are told where it hits."""

    damage: int | None
    covered: bool | None
    injury: int | None
    levels: Named[str, int]
    state: str


@procedure(
    "GAM-150 GAM-161 GAM-163 GAM-169 GAM-170 GAM-189 GAM-190 GAM-201 GAM-202 GAM-210 GAM-211 GAM-212 GAM-213 GAM-214",
    "GAM-215 GAM-216 GAM-217 GAM-220 GAM-222 GAM-223 GAM-Q29 GAM-Q30 GAM-Q37 GAM-Q48 GAM-Q57",
    say="one attack, from the rolls to the state of the victim",
    policies=("wise", "none", "all"),
    results="attack_* defence_* hit *",
)
def attack(
    play: Play,
    *,
    kind: Kind,
    attacker: Side,
    levels: Levels,
    defender: Side | None = None,
    size: Size | None = None,
    injury_attributes: tuple[Level, ...] = (),
    armour: Worn = None,
    target: str | None = None,
    triumph_target: str | None = None,
) -> tuple[Block, Block, bool, Wound]:
    """What one attack does to a victim of these levels; without a defender the defence is 0 and takes no dice.

    `target` names the attribute to strike, its DM-3 among the attacker's modifiers; `triumph_target` the one that a
    triumph strikes, which costs nothing.
    """
    names = require_triad(play, kind, levels)
    for named in (target, triumph_target):
        require_target(play, levels, named)
    victim = Named({name: levels[name] for name in names})
    only_what_follows = play.asked_for("hit", "damage", "covered", "injury", "levels", "state")
    blow = Blow(kind, size or smallest(play, kind), injury_attributes, armour, victim, target)
    rolls, wound = struck(play, attacker, defender, blow, triumph_target, whole=not only_what_follows)
    return rolls.strikes, rolls.defends, rolls.hit, wound


def struck(
    play: Play, attacker: Side, defender: Side | None, blow: Blow, triumph_target: str | None = None, *, whole: bool
) -> tuple[Rolls, Wound]:
    """Both rolls of an attack, told as a `whole` or only as far as something follows from them, and what it does."""
    rolls = play.part(_rolls if whole else _hit, attacker, defender)
    play.settled(**spread(rolls.strikes, "attack_"), **spread(rolls.defends, "defence_"), hit=rolls.hit)
    if not rolls.hit:
        return rolls, Wound(None, None, None, blow.levels, state_of(play, blow.kind, blow.levels))
    if rolls.strikes.triumph and triumph_target is not None:
        blow = replace(blow, target=triumph_target)
    return rolls, play.part(_wound, blow)


def _rolls(play: Play, attacker: Side, defender: Side | None) -> Rolls:
    strikes = roll_of(play, attacker, who="attack")
    defends = roll_of(play, defender, who="defence") if defender is not None else NO_DEFENCE
    return Rolls(strikes, defends, lands(play, strikes, defends, undefended=defender is None))


def _hit(play: Play, attacker: Side, defender: Side | None) -> Rolls:
    """The same with nothing in it but whether it hits, and by a triumph, for odds that ask only what follows."""
    rolls = _rolls(play, attacker, defender)
    return Rolls(Block((), 0, rolls.strikes.triumph, False, None, None, None), NO_DEFENCE, rolls.hit)


def lands(play: Play, strikes: Block, defends: Block, *, undefended: bool) -> bool:
    """Whether an attack hits: it must exceed the defence; special results come before totals (`GAM-170`, `GAM-Q30`)."""
    hit = prevails(strikes, defends, ties=False)
    rules = ("GAM-190", "GAM-Q37") if undefended else ("GAM-170",)
    if strikes.rank != PLAIN or defends.rank != PLAIN:
        rules = (*rules, "GAM-Q30")
    play.tell(f"{strikes.total} against {defends.total}: {'a hit' if hit else 'a miss'}", *rules)
    return hit


def smallest(play: Play, kind: str) -> str:
    """The size of an attack that is given none (`GAM-Q55`)."""
    return play.values.text("injury.unarmed" if kind == "physical" else "injury.mental")


def _wound(play: Play, blow: Blow) -> Wound:
    """What a hit does, its dice in the order of `GAM-C05`."""
    *_, dealt = damage(play, size=blow.size, injury_attributes=blow.injury_attributes)
    through = shield(play, blow.armour, dealt)
    _, levels, state = injure(play, kind=blow.kind, injury=through.injury, levels=blow.levels, target=blow.target)
    return Wound(dealt, through.covered, through.injury, levels, state)


@procedure("GAM-180 GAM-181 GAM-Q44", say="how far something can be thrown", results="metres")
def throw_range(play: Play, *, strength: Level, weapon_kg: Decimal) -> int:
    """The greatest distance in metres: Strength squared by the weight, 1 kg at the least, halves upward."""
    not_below_zero("weapon_kg", weapon_kg)
    metres = figures.throw_range(play.values, strength, weapon_kg)
    kg = max(weapon_kg, play.values.decimal("throw.least_kg"))
    play.tell(f"{strength} x {strength} / {kg} kg: {metres} m", "GAM-180", "GAM-181")
    return metres


@procedure("GAM-182 GAM-Q45", say="how far a bow shoots", results="metres")
def bow_range(play: Play, *, strength: Level, multiplier: Decimal | Annotated[str, OneOf("bow")]) -> int:
    """The greatest range in metres: (Strength x multiplier) squared; the pack names bows and their multipliers."""
    times = play.values.decimal(f"bow.{multiplier}") if isinstance(multiplier, str) else multiplier
    not_below_zero("multiplier", times)
    metres = figures.bow_range(strength, times)
    play.tell(f"({strength} x {times}) squared: {metres} m", "GAM-182", "GAM-Q45")
    return metres


@procedure("GAM-183", say="how far a firearm shoots", results="metres")
def firearm_range(play: Play, *, weapon_strength: Annotated[int, Whole(0, 999)]) -> int:
    """The greatest range in metres: the square of the weapon's own Strength."""
    metres = figures.firearm_range(weapon_strength)
    play.tell(f"{weapon_strength} squared: {metres} m", "GAM-183")
    return metres


@procedure("GAM-184 GAM-185 GAM-Q46", say="the range number of a distance", results="range_number")
def range_number(play: Play, *, metres: Decimal) -> int:
    """The whole part of the square root, 1 at the least: number n stands for n squared metres."""
    not_below_zero("metres", metres)
    number = max(isqrt(int(metres)), play.values.number("range.least"))
    play.tell(f"{metres} m: range number {number}", "GAM-185")
    return number


@procedure("GAM-186 GAM-187 GAM-188 GAM-191 GAM-Q47", say="the DM of a shot", results="range_number dm")
def range_dm(
    play: Play,
    *,
    metres: Decimal,
    awareness: Level,
    aimed: bool = False,
    other_dm: tuple[Modifier, ...] = (),
    greatest_metres: Decimal | None = None,
) -> tuple[int, int]:
    """Awareness if the shot was aimed, less the range number, and what sights add; refused beyond the reach."""
    if greatest_metres is not None and metres > greatest_metres:
        raise Refused("out_of_range", f"metres: {metres} is beyond the greatest range, {greatest_metres}", "GAM-Q47")
    number = range_number(play, metres=metres)
    dm = (awareness if aimed else 0) - number + sum(other_dm)
    shot = f"aimed, Awareness {awareness}" if aimed else "a snap shot"
    sights = f", {signed(sum(other_dm))} besides" if other_dm else ""
    play.tell(f"{shot}, less {number}{sights}: {signed(dm)}", "GAM-186")
    return number, dm
