"""A conflict of several on two sides: rounds in the order of one contest, until one side alone is still up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers.attack import Blow, smallest, struck
from sheetgen.systems.gamers.clash import ACTIONS, Fighter, adding, defending, level_or, ready, striking
from sheetgen.systems.gamers.conflict import Party, round_actions, turn_order
from sheetgen.systems.gamers.injury import fatigue
from sheetgen.systems.gamers.terms import Kind

Levels = dict[str, Named[str, int]]


@dataclass(frozen=True, slots=True)
class Skirmisher(Fighter):
    """A fighter of one of two sides; everybody has a name of their own."""

    side: str = ""


@dataclass(frozen=True, slots=True)
class Skirmished:
    """What a skirmish left of somebody, fatigue included."""

    name: str
    levels: Named[str, int]


@procedure(
    "GAM-150 GAM-153 GAM-156 GAM-157 GAM-161 GAM-163 GAM-170 GAM-213 GAM-218 GAM-220 GAM-Q33 GAM-Q58 GAM-Q72 GAM-Q74",
    say="a conflict of several on two sides",
    results="winner rounds fighters down order",
)
def skirmish(
    play: Play,
    *,
    kind: Kind,
    fighters: tuple[Skirmisher, ...],
    rounds: Annotated[int, Whole(1, 100)] = 100,
) -> tuple[str | None, int, tuple[Skirmished, ...], tuple[str, ...], tuple[str, ...]]:
    """Each strikes at the first enemy who is still up, as listed, in the order of one contest (`GAM-Q33`).

    The side listed first has started it. A guarded fighter keeps one action to defend against the first attack.
    """
    sides = tuple(dict.fromkeys(each.side for each in fighters))
    if len(sides) != 2:
        raise Refused("sides", f"fighters: stand on two sides, not {len(sides)}", "GAM-150")
    by_name = {each.name: each for each in fighters}
    parties = tuple(
        Party(skill=level_or(each.opening, each.skill), name=each.name, initiates=each.side == sides[0])
        for each in fighters
    )
    order, _ = turn_order(play, parties=parties)
    levels: Levels = {each.name: ready(play, kind, each.name, each) for each in fighters}
    count, standing = 0, list(sides)
    while len(standing) > 1 and count < rounds:
        count += 1
        play.tell(f"round {count}", "GAM-156")
        _round(play, kind, order, by_name, levels)
        standing = [
            side for side in sides if any(_up(by_name[name], levels) for name in order if _on(by_name, name, side))
        ]
    winner = standing[0] if len(standing) == 1 else None
    play.tell(f"after {count} rounds: {f'{winner} prevails' if winner else 'nobody prevails'}", "GAM-Q74")
    tired = {name: fatigue(play, kind=kind, levels=left)[1] for name, left in levels.items()}
    after = tuple(Skirmished(each.name, tired[each.name]) for each in fighters)
    down = tuple(each.name for each in fighters if not _up(each, levels))
    return winner, count, after, down, order


def _on(by_name: Mapping[str, Skirmisher], name: str, side: str) -> bool:
    return by_name[name].side == side


def _up(each: Skirmisher, levels: Levels) -> bool:
    """Whether somebody is neither out nor has given in (`GAM-220`, `GAM-163`)."""
    return all(levels[each.name].values()) and min(levels[each.name].values()) > each.yields_at


def _round(play: Play, kind: Kind, order: tuple[str, ...], by_name: Mapping[str, Skirmisher], levels: Levels) -> None:
    """The actions of everybody who is up when it is their turn."""
    guarding = {name for name, each in by_name.items() if "defend" in ACTIONS[each.tactic]}
    for name in order:
        mine = by_name[name]
        actions = ACTIONS[mine.tactic]
        dms = round_actions(play, actions=actions)[1] or ()
        for action, dm in zip(actions, dms, strict=True):
            foe = next((each for each in by_name.values() if each.side != mine.side and _up(each, levels)), None)
            if action != "attack" or foe is None or not _up(mine, levels):
                continue
            theirs = levels[foe.name]
            blow = Blow(
                kind,
                mine.size or smallest(play, kind),
                adding(play, kind, mine, levels[name]),
                foe.armour,
                theirs,
                None,
            )
            answer = defending(foe, theirs) if foe.name in guarding else None
            levels[foe.name] = struck(play, striking(mine, levels[name], dm), answer, blow, whole=False)[1].levels
            guarding.discard(foe.name)
            if not _up(foe, levels):
                play.tell(f"{foe.name} is out of it", "GAM-220")
