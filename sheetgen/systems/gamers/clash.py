"""A whole conflict of two, or of several on two sides: round after round, until one side is out or gives in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from sheetgen.model.procedures import Named, spread
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.gamers.checks import Complement, Side
from sheetgen.systems.gamers.conflict import Blow, Party, initiative, round_actions, smallest, struck, turn_order
from sheetgen.systems.gamers.figures import injury_bonus
from sheetgen.systems.gamers.injury import Size, Worn, fatigue, state_of
from sheetgen.systems.gamers.terms import Kind, Level, Levels, Modifier, require_names, require_triad, words

LevelsOf = dict[str, Named[str, int]]
Role = Literal["initiator", "other"]
How = Literal["out", "submits", "undecided"]
Attacks = tuple[tuple[Role, int], ...]
ROLES: tuple[Role, ...] = ("initiator", "other")
Tactic = Literal["guarded", "all out", "helped", "aimed"]
ACTIONS: Mapping[Tactic, tuple[str, ...]] = {
    "guarded": ("attack", "defend"),
    "all out": ("attack", "attack"),
    "helped": ("complement", "attack"),
    "aimed": ("aim", "attack"),
}


@dataclass(frozen=True, slots=True)
class Fighter:
    """One side of a conflict: its skills, its triad, what it strikes with, and how it spends its two actions.

    `opening` is the skill for going first (in an ambush, Stealth), else `skill`; `defence` likewise. `attribute` names
    the one that confirms. `yields_at`: gives in when an attribute is at that level or under it.
    """

    skill: Level
    levels: Levels
    name: str = ""
    opening: Level | None = None
    defence: Level | None = None
    dm: tuple[Modifier, ...] = ()
    attribute: str | None = None
    weapon: Annotated[str, OneOf("injury.adds")] | None = None
    size: Size | None = None
    armour: Worn = None
    tactic: Tactic = "guarded"
    complements: tuple[Complement, ...] = ()
    awareness: Level = 0
    yields_at: Level = 0


@dataclass(frozen=True, slots=True)
class Tired:
    """What a conflict cost a side, fatigue included."""

    levels: Named[str, int]
    state: str


@dataclass(frozen=True, slots=True)
class Ending:
    """Who prevailed, and whether the other side is out or gave in."""

    winner: Role
    how: Literal["out", "submits"]


@dataclass(frozen=True, slots=True)
class Clash:
    """A conflict that is being fought: its kind, both sides, and who goes first."""

    kind: Kind
    initiator: Fighter
    other: Fighter
    first: Role
    alike: tuple[Role, ...] = ()  # sides of which odds need not know which attribute has which level
    unasked: tuple[Role, ...] = ()  # sides of which, once they are out, odds need nothing at all

    def side(self, who: Role) -> Fighter:
        """The fighter of that side."""
        return self.initiator if who == "initiator" else self.other

    def name(self, who: Role) -> str:
        """What the log calls a side."""
        return self.side(who).name or f"the {who}"


@dataclass(frozen=True, slots=True)
class Standing:
    """Both sides between two actions: their levels, how the conflict ended if it did, and where the round stands.

    `done` attacks of the round are over; `defences` are the sides that still have one to defend with.
    """

    initiator: Named[str, int]
    other: Named[str, int]
    ending: Ending | None = None
    done: int = 0
    defences: tuple[Role, ...] = ()

    def levels(self, who: Role) -> Named[str, int]:
        """What is left of a side."""
        return self.initiator if who == "initiator" else self.other


@procedure(
    "GAM-150 GAM-153 GAM-154 GAM-155 GAM-156 GAM-157 GAM-161 GAM-163 GAM-169 GAM-170 GAM-171 GAM-187 GAM-189 GAM-213",
    "GAM-218 GAM-220 GAM-Q58 GAM-Q69 GAM-Q72 GAM-Q74",
    say="a whole conflict between two sides",
    results="first rounds winner ending initiator_* other_*",
)
def conflict(
    play: Play,
    *,
    kind: Kind,
    initiator: Fighter,
    other: Fighter,
    other_expects_attack: bool = True,
    rounds: Annotated[int, Whole(1, 100)] = 100,
) -> tuple[Role, int, Role | None, How, Tired, Tired]:
    """How a conflict goes: first place, rounds of two actions each in that order, and fatigue for both at the end.

    A guarded fighter keeps one action to defend against the first attack; the other tactics leave no defence.
    """
    begun = Standing(ready(play, kind, "initiator", initiator), ready(play, kind, "other", other))
    openings = [Side(skill=level_or(each.opening, each.skill), name=each.name) for each in (initiator, other)]
    first = play.part(_goes_first, *openings, other_expects_attack)
    play.settled(first=first)
    clash = Clash(kind, initiator, other, first)
    if play.explores:
        alike = tuple(who for who in ROLES if _is_alike(play, clash, who))
        unasked = tuple(who for who in alike if not play.needs(f"{who}_state"))
        clash = replace(clash, alike=alike, unasked=unasked)
    attacks = _attacks(play, clash)
    if play.asked_for("winner", "ending", "rounds") and clash.alike == ROLES:
        end, count = play.part(_each_alone, begun, clash, attacks, rounds)
    else:
        end, made = _fought(play, begun, clash, attacks, rounds, counted=play.needs("rounds"))
        count = -(-made // len(attacks))
    winner = end.ending.winner if end.ending is not None else None
    how: How = end.ending.how if end.ending is not None else "undecided"
    play.settled(winner=winner, ending=how, rounds=count)
    after = dict[Role, Tired]()
    for who in ROLES:
        play.tell(f"{clash.name(who)}, after it all:", "GAM-Q58")
        if play.needs(f"{who}_levels", f"{who}_state"):
            after[who] = Tired(*fatigue(play, kind=kind, levels=end.levels(who))[1:])
    play.tell(f"after {count} rounds: {f'{clash.name(winner)} prevails' if winner else 'nobody prevails'}", "GAM-Q74")
    for who, tired in after.items():
        play.settled(**spread(tired, f"{who}_"))
    return first, count, winner, how, after["initiator"], after["other"]


def _is_alike(play: Play, clash: Clash, who: Role) -> bool:
    """Whether the attributes of a side bear on nothing but how long it lasts: none confirms, adds, or is asked for."""
    fighter = clash.side(who)
    adds = adding(play, clash.kind, fighter, fighter.levels)
    return bool(play.asked) and fighter.attribute is None and not adds and not play.needs(f"{who}_levels")


def _goes_first(play: Play, initiator: Side, other: Side, other_expects_attack: bool) -> Role:
    """Who goes first, and nothing else of the two rolls."""
    return initiative(play, initiator=initiator, other=other, other_expects_attack=other_expects_attack)[2]


def level_or(level: int | None, otherwise: int) -> int:
    """Return a level, or another one where none is given."""
    return otherwise if level is None else level


def ready(play: Play, kind: Kind, who: str, fighter: Fighter) -> Named[str, int]:
    """Return the levels a side begins with; refuses one that is out already."""
    names = require_triad(play, kind, fighter.levels, f"{who}.levels")
    if fighter.attribute is not None:
        require_names(f"{who}.attribute", (fighter.attribute,), names, "GAM-137")
    if not all(fighter.levels.values()):
        raise Refused("levels", f"{who}.levels: is out of the fight already", "GAM-220")
    return Named({name: fighter.levels[name] for name in names})


def _attacks(play: Play, clash: Clash) -> Attacks:
    """The attacks of a round in their order: whose each is, and at which DM (`GAM-Q72`)."""
    found = list[tuple[Role, int]]()
    for who in (clash.first, _foe(clash.first)):
        actions = ACTIONS[clash.side(who).tactic]
        dms = round_actions(play, actions=actions)[1] or ()
        found += [(who, dm) for action, dm in zip(actions, dms, strict=True) if action == "attack"]
    return tuple(found)


def _fought(
    play: Play, ready: Standing, clash: Clash, attacks: Attacks, rounds: int, *, counted: bool = True
) -> tuple[Standing, int]:
    """How both sides stand at the end of a conflict with these attacks a round, and how many were made."""
    return play.rounds(
        _attack,
        ready,
        *(clash, attacks),
        goes_on=lambda standing: standing.ending is None,
        what="rounds of the conflict",
        most=rounds * len(attacks),
        counted=counted,
        begins=lambda number: None if (number - 1) % len(attacks) else _tell_round(play, number // len(attacks) + 1),
    )


def _each_alone(play: Play, ready: Standing, clash: Clash, attacks: Attacks, rounds: int) -> tuple[Standing, int]:
    """The end that comes first, and its round, where what one side suffers changes nothing for the other.

    Odds work out for each side by itself how long it lasts, instead of following both at once.
    """
    found = [(rounds, len(attacks), ready)]
    for victim in ROLES:
        places = [place for place, (who, _) in enumerate(attacks) if who != victim]
        end, made = _fought(play, ready, clash, tuple(attacks[place] for place in places), rounds)
        if end.ending is not None:
            found.append((-(-made // len(places)), places[(made - 1) % len(places)], end))
    count, _, end = min(found, key=lambda each: each[:2])
    return replace(ready, ending=end.ending), count


def _foe(who: Role) -> Role:
    return "other" if who == "initiator" else "initiator"


def _tell_round(play: Play, number: int) -> None:
    play.tell(f"round {number}", "GAM-156")


def _attack(play: Play, now: Standing, clash: Clash, attacks: Attacks) -> Standing:
    """Both sides after one attack, against which the other side defends if it still can in this round."""
    who, dm = attacks[now.done]
    mine, foe = clash.side(who), _foe(who)
    theirs, left = clash.side(foe), now.defences
    if not now.done:
        left = tuple(each for each in ROLES for action in ACTIONS[clash.side(each).tactic] if action == "defend")
    levels, ending = play.part(
        _struck,
        (striking(mine, now.levels(who), dm), defending(theirs, now.levels(foe)) if foe in left else None),
        Blow(
            clash.kind,
            mine.size or smallest(play, clash.kind),
            adding(play, clash.kind, mine, now.levels(who)),
            theirs.armour,
            now.levels(foe),
            None,
        ),
        *(clash, foe),
    )
    sides = (now.initiator, levels) if foe == "other" else (levels, now.other)
    left = tuple(each for each in left if each != foe)
    return Standing(*sides, ending, (now.done + 1) % len(attacks), left)


def _struck(
    play: Play, sides: tuple[Side, Side | None], blow: Blow, clash: Clash, foe: Role
) -> tuple[Named[str, int], Ending | None]:
    """The levels of the victim after one attack, and whether that ends the conflict."""
    levels = struck(play, *sides, blow, whole=False)[1].levels
    ending = _ended(play, clash, foe, levels)
    if ending is not None and foe in clash.unasked:
        levels = Named(dict.fromkeys(levels, 0))
    elif foe in clash.alike:
        levels = Named(dict(zip(levels, sorted(levels.values()), strict=True)))
    return levels, ending


def striking(fighter: Fighter, levels: Mapping[str, int], dm: int) -> Side:
    """Return a fighter as it rolls to strike."""
    aim = (fighter.awareness,) if fighter.tactic == "aimed" else ()
    return Side(
        skill=fighter.skill,
        dm=(*fighter.dm, *aim, dm),
        complements=fighter.complements if fighter.tactic == "helped" else (),
        attribute=levels[fighter.attribute] if fighter.attribute else None,
        name=fighter.name,
    )


def defending(fighter: Fighter, levels: Mapping[str, int]) -> Side:
    """Return a fighter as it rolls to defend."""
    attribute = levels[fighter.attribute] if fighter.attribute else None
    return Side(skill=level_or(fighter.defence, fighter.skill), attribute=attribute, name=fighter.name)


def adding(play: Play, kind: Kind, fighter: Fighter, levels: Mapping[str, int]) -> tuple[int, ...]:
    """Return the present levels of those attributes that add something to injury (`GAM-213`, `GAM-Q69`)."""
    weapon = fighter.weapon or ("unarmed" if kind == "physical" else "mental")
    names = [name for name in words(play.values, f"injury.adds.{weapon}") if name in levels]
    return tuple(levels[name] for name in names if injury_bonus(play.values, levels[name]))


def _ended(play: Play, clash: Clash, foe: Role, levels: Mapping[str, int]) -> Ending | None:
    """Whether the side that was struck is out, or gives in (`GAM-163`, `GAM-Q74`)."""
    winner = _foe(foe)
    state = state_of(play, clash.kind, levels)
    if not all(levels.values()):
        play.tell(f"{clash.name(foe)} is {state}", "GAM-220")
        return Ending(winner, "out")
    if min(levels.values()) <= clash.side(foe).yields_at:
        play.tell(f"{clash.name(foe)} gives in", "GAM-163", "GAM-Q74")
        return Ending(winner, "submits")
    return None


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
    levels: LevelsOf = {each.name: ready(play, kind, each.name, each) for each in fighters}
    count, standing = 0, list(sides)
    while len(standing) > 1 and count < rounds:
        count += 1
        play.tell(f"round {count}", "GAM-156")
        _round(play, kind, order, by_name, levels)
        standing = [
            side
            for side in sides
            if any(_up(by_name[name], levels) for name in order if _is_on_side(by_name, name, side))
        ]
    winner = standing[0] if len(standing) == 1 else None
    play.tell(f"after {count} rounds: {f'{winner} prevails' if winner else 'nobody prevails'}", "GAM-Q74")
    tired = {name: fatigue(play, kind=kind, levels=left)[1] for name, left in levels.items()}
    after = tuple(Skirmished(each.name, tired[each.name]) for each in fighters)
    down = tuple(each.name for each in fighters if not _up(each, levels))
    return winner, count, after, down, order


def _is_on_side(by_name: Mapping[str, Skirmisher], name: str, side: str) -> bool:
    return by_name[name].side == side


def _up(each: Skirmisher, levels: LevelsOf) -> bool:
    """Whether somebody is neither out nor has given in (`GAM-220`, `GAM-163`)."""
    return all(levels[each.name].values()) and min(levels[each.name].values()) > each.yields_at


def _round(play: Play, kind: Kind, order: tuple[str, ...], by_name: Mapping[str, Skirmisher], levels: LevelsOf) -> None:
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
