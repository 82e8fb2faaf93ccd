"""Attacks (ledger R): shots against the range, blows and words as opposed checks, and the harm they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.systems.genesix.characters import ratings_of
from sheetgen.systems.genesix.checks import Call, CheckOutcome, Ratings, called, resolve
from sheetgen.systems.genesix.contests import Contestant, OpposedOutcome, contest_of, refuse_circumstances
from sheetgen.systems.genesix.gear import Thing
from sheetgen.systems.genesix.tags import Count, Rating, Tag, Track, lasting, results, tag_figures, tag_sum
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


@dataclass(frozen=True, slots=True)
class Attack:
    """A way to attack: the thing it is done with, and the ratings that are added."""

    thing: Thing
    attribute: str
    approach: str
    total: int
    power: bool = False


def attacks_of(system: System, character: Character, things: tuple[Thing, ...]) -> tuple[Attack, ...]:
    """Every way a character who carries these things can attack, weapons first, the best of them before the others.

    An attribute is added with the best approach for a fight; at the table the player names whichever is used
    (`GEN-005`). Unnaturally is left to those who have a power (`GEN-262`).
    """
    ratings = {group: ratings_of(system, character, group) for group in ("attributes", "approaches")}
    weapons = [thing for thing in things if thing.attribute]
    weapons = list(dict.fromkeys(weapons))
    found = sorted((_attack(system, thing, ratings) for thing in weapons), key=lambda attack: -attack.total)
    values = system.values
    hands = Thing("bare hands", attribute=values.text("fight.hands"))
    words = Thing("words or fear", attribute=values.text("fight.words"), track="stress")
    found += [_attack(system, hands, ratings), _attack(system, words, ratings)]
    if character.text("power"):
        found.append(_unnatural(system, character, ratings))
    return tuple(found)


def _attack(system: System, thing: Thing, ratings: Mapping[str, Mapping[str, int]]) -> Attack:
    approaches = ratings["approaches"]
    order = [str(name) for name in system.values.at("fight.approaches")]
    approach = max(order, key=lambda name: approaches.get(name, 0))
    total = ratings["attributes"].get(thing.attribute, 0) + approaches.get(approach, 0)
    return Attack(thing, thing.attribute, approach, total)


def _unnatural(system: System, character: Character, ratings: Mapping[str, Mapping[str, int]]) -> Attack:
    """An attack with the power, drawing on whichever attribute serves best (`GEN-213`)."""
    attributes, name = ratings["attributes"], system.values.text("creation.power")
    best = max((str(each) for each in system.values.at("fight.power")), key=lambda each: attributes.get(each, 0))
    total = attributes.get(best, 0) + ratings["approaches"].get(name, 0)
    return Attack(Thing(character.text("power").lower()), best, name, total, power=True)
