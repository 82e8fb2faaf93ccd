"""Several on two sides: Operators against what the GM has, or against other Operators, until one side is out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.sixshooter.attempts import Stake, play_roll
from sheetgen.systems.sixshooter.cards import Piles, written
from sheetgen.systems.sixshooter.contests import Fought, fought_out
from sheetgen.systems.sixshooter.figures import numbers_to_beat
from sheetgen.systems.sixshooter.luck import Luck, Operator, is_removed, read_luck
from sheetgen.systems.sixshooter.showdown import Rival, cards_left, staked_by
from sheetgen.systems.sixshooter.table import dealt_hands
from sheetgen.systems.sixshooter.terms import Count, own_method

FOES = 2


@dataclass(frozen=True, slots=True)
class Contender(Rival):
    """Somebody of one of two sides, with a name of their own."""

    side: str = ""


@dataclass(frozen=True, slots=True)
class Contended:
    """What a standoff left of somebody: the cards lost, and the Strikes."""

    name: str
    cards_lost: int
    strikes: int


Ended = tuple[str, int, tuple[Contended, ...], tuple[str, ...]]


@procedure(
    "SIX-013 SIX-014 SIX-015 SIX-040 SIX-053 SIX-054 SIX-055 SIX-058 SIX-061 SIX-062",
    say="several on two sides, until one side is out of it",
    results="winner rounds fighters down",
)
def standoff(play: Play, *, fighters: tuple[Contender, ...], jokers: Count = 0) -> Ended:
    """Operators try in turn, as listed, to overcome the first opponent who is left, until a third Strike removes them.

    Against other Operators the first two meet in a contest; who loses it is out, and the next one steps up (`SIX-062`).
    Hands are dealt once, and cards that are lost stay lost.
    """
    sides = tuple(dict.fromkeys(each.side for each in fighters))
    if len(sides) != FOES:
        raise Refused("sides", f"fighters: stand on two sides, not {len(sides)}", "SIX-061")
    given = {side: [each for each in fighters if each.side == side] for side in sides}
    gms = [side for side in sides if all(each.opponent for each in given[side])]
    mixed = [side for side in sides if side not in gms and any(each.opponent for each in given[side])]
    if len(gms) == FOES or mixed:
        message = "opponents of the GM do not roll: one whole side must be Operators, the other opponents or Operators"
        raise Refused("two_opponents", message, "SIX-002")
    operators = [each for each in fighters if not each.opponent]
    turned = {each.name: each.turn_up for each in operators if each.turn_up is not None}
    hands, deck = dealt_hands(play, tuple(each.name for each in operators), jokers, turned)
    lucks = {
        each.name: read_luck(
            play,
            f"{each.name}.",
            Operator(each.descriptor, written(hands[each.name]), each.lucky, each.strikes, each.name),
        )
        for each in operators
    }
    piles = Piles(cards_left(deck), ())
    if gms:
        return _overcome(play, fighters, (next(side for side in sides if side not in gms), gms[0]), lucks, piles)
    return _meet(play, fighters, sides, lucks, piles)


def _stake(play: Play, each: Contender, luck: Luck) -> Stake:
    method = each.method or own_method(play.values, each.descriptor)
    return staked_by(play, Stake(luck, method, path=f"{each.name}."), each.spends)


def _overcome(
    play: Play, fighters: tuple[Contender, ...], sides: tuple[str, str], lucks: dict[str, Luck], piles: Piles
) -> Ended:
    """Challenge upon challenge (`SIX-055`, `SIX-058`)."""
    operators = [each for each in fighters if each.side == sides[0]]
    numbers = {
        each.name: numbers_to_beat(play.values, each.descriptor, each.opponent or "")
        for each in fighters
        if each.side == sides[1]
    }
    needed, count = {name: each[1] for name, each in numbers.items()}, 0

    def playing(each: Contender) -> bool:
        return not is_removed(play, lucks[each.name].strikes)

    while any(needed.values()) and any(map(playing, operators)):
        count += 1
        play.tell(f"Turn {count}", "SIX-055")
        for each in operators:
            foe = next((name for name, left in needed.items() if left), None)
            if foe is None or not playing(each):
                continue
            stake = _stake(play, each, lucks[each.name])
            played = play_roll(play, stake, numbers[foe][0][stake.method], piles)
            lucks[each.name], piles = played.stake.luck, replace(played.piles, laid=())
            needed[foe] -= played.overcome
    won = not any(needed.values())
    down = tuple(
        each.name
        for each in fighters
        if (each.name in needed and not needed[each.name]) or (each.name in lucks and not playing(each))
    )
    return sides[0] if won else sides[1], count, _left(fighters, lucks), down


def _meet(
    play: Play, fighters: tuple[Contender, ...], sides: tuple[str, ...], lucks: dict[str, Luck], piles: Piles
) -> Ended:
    """Contest upon contest: who loses one is out of it, and both are where both gain a Strike (`SIX-062`)."""
    waiting = {side: [each for each in fighters if each.side == side] for side in sides}
    by_name, exchanges, down = {each.name: each for each in fighters}, 0, list[str]()

    def further(play: Play, stake: Stake) -> Stake:
        return staked_by(play, stake, by_name[stake.luck.who].spends)

    while all(waiting.values()):
        pair = tuple(waiting[side][0] for side in sides)
        stakes = tuple(_stake(play, each, lucks[each.name]) for each in pair)
        end = fought_out(play, Fought(stakes, piles), further=further)
        exchanges, piles = exchanges + end.exchanges, replace(end.piles, laid=())
        for letter, each, side, stake in zip("ab", pair, sides, end.sides, strict=True):
            lucks[each.name] = stake.luck
            if end.loser in (letter, "both"):
                down.append(each.name)
                waiting[side].pop(0)
    left = [side for side in sides if waiting[side]]
    return left[0] if left else "none", exchanges, _left(fighters, lucks), tuple(down)


def _left(fighters: tuple[Contender, ...], lucks: Mapping[str, Luck]) -> tuple[Contended, ...]:
    """What is left of everybody; opponents of the GM have neither cards nor Strikes."""
    return tuple(
        Contended(each.name, lucks[each.name].hand.count(None), lucks[each.name].strikes)
        if each.name in lucks
        else Contended(each.name, 0, 0)
        for each in fighters
    )
