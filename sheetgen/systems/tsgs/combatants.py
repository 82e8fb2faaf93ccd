"""Who fights, and when (ledger, sections I to L): initiative, what a round allows, and how everybody stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from sheetgen.model.procedures import Named
from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.attacks import FISTS, Attacker, Defender
from sheetgen.systems.tsgs.dice_pool import (
    NORMAL,
    POLICIES,
    Ability,
    AttackMove,
    Count,
    Dice,
    HoldMove,
    Lasting,
    Level,
    Skill,
    Standing,
    bonus_die,
    first_throw,
    whole_throw,
    with_bonus_die,
)
from sheetgen.systems.tsgs.rolls import Roller, pool_of
from sheetgen.systems.tsgs.traits import levels_of, rank
from sheetgen.systems.tsgs.wounds import Weapon, additional

Order = tuple[tuple[str, ...], ...]
Numbers = tuple[int, ...]
Raced = tuple[Numbers, Numbers, Order, Numbers, Numbers]
State = Literal["fine", "wounded", "unconscious", "dying", "dead"]
_DOWN = ("unconscious", "dying")


@dataclass(frozen=True, slots=True)
class Fighter:
    """Somebody who rolls for initiative: by the better of agility and speed, or by cleverness if the GM lets it."""

    name: str
    agile: Level = NORMAL
    fast: Level = NORMAL
    clever: Level = NORMAL
    use: Literal["best", "clever"] = "best"
    wounds: Count = 0
    bonuses: Dice = 0
    penalties: Dice = 0


@procedure(
    "TSG-036 TSG-040 TSG-048 TSG-049 TSG-050",
    say="in which order fighters act in a round",
    results="pools results order dice_rolled bonus_left",
    policies=POLICIES,
)
def initiative(play: Play, *, fighters: tuple[Fighter, ...], bonus_order: tuple[str, ...] | None = None) -> Raced:
    """The order of action (`TSG-048` to `TSG-050`); bonus dice by name in `bonus_order`, or as the policy says.

    Pools, results and dice stand in the listed order, groups that act together in that in which they act.
    """
    names = tuple(fighter.name for fighter in fighters)
    if len(set(names)) < len(names):
        raise Wrong("fighters", "takes fighters whose names differ")
    for name in bonus_order or ():
        if name not in names:
            raise Wrong("bonus_order", f"takes names of fighters: {', '.join(names)}", name)
    return play.part(_raced, names, tuple(_pool(play, fighter) for fighter in fighters), bonus_order)


def _pool(play: Play, fighter: Fighter) -> int:
    """The dice for initiative: agility or speed, wounds telling, or cleverness less a die (`TSG-048`, `TSG-049`)."""
    clever = fighter.use == "clever"
    level = fighter.clever if clever else max(fighter.agile, fighter.fast, key=lambda each: rank(play.values, each))
    penalties = fighter.penalties + (play.values.number("initiative.clever_penalty") if clever else 0)
    roller = Roller(
        None, level, bonuses=fighter.bonuses, penalties=penalties, wounds=fighter.wounds, physical=not clever
    )
    return pool_of(play, roller, fighter.name)


def _raced(play: Play, names: tuple[str, ...], pools: Numbers, bonus_order: tuple[str, ...] | None) -> Raced:
    def thrown(throw: Callable[[Play, int, str], Standing]) -> list[Standing]:
        return [play.part(throw, pool, name) for pool, name in zip(pools, names, strict=True)]

    if bonus_order is not None:
        standings = thrown(first_throw)
        for name in bonus_order:
            place = names.index(name)
            standings[place] = with_bonus_die(play, standings[place], name, name)
    else:
        ways = {
            "none": lambda: thrown(first_throw),
            "all": lambda: thrown(whole_throw),
            "wise": lambda: _wisely_added(play, thrown(first_throw), names),
        }
        standings = play.decide(ways, "bonus dice")
    results = tuple(standing.result for standing in standings)
    order = _groups(names, results)
    play.tell(f"In order: {'; then '.join(' and '.join(group) for group in order) or 'nobody'}", "TSG-050")
    dice_rolled = tuple(standing.dice_rolled for standing in standings)
    return pools, results, order, dice_rolled, tuple(each.bonus_left for each in standings)


def _wisely_added(play: Play, standings: list[Standing], names: tuple[str, ...]) -> list[Standing]:
    """From the lowest up, whoever does not lead alone adds dice until then, until nobody wants more (`TSG-Q11`)."""
    added = list(standings)
    while True:
        for place in sorted(range(len(names)), key=lambda each: added[each].result):
            others = [standing.result for each, standing in enumerate(added) if each != place]
            if added[place].bonus_left and others and added[place].result <= max(others):
                lead = added[place].result - max(others)
                added[place] = added[place].gained(*play.part(_climb, lead, added[place].bonus_left, names[place]))
                break
        else:
            return added


def _climb(play: Play, lead: int, left: int, who: str) -> tuple[int, int]:
    """What bonus dice bring until their roller leads, and how many that takes."""
    if lead > 0 or not left:
        return 0, 0
    brought = play.part(bonus_die, who)
    more, used = play.part(_climb, lead + brought, left - 1, who)
    return brought + more, used + 1


def _groups(names: tuple[str, ...], results: tuple[int, ...]) -> Order:
    """Those with equal results act at the same time, more dice or not (`TSG-050`, `TSG-Q16`)."""
    by_result: dict[int, list[str]] = {}
    for name, result in zip(names, results, strict=True):
        by_result.setdefault(result, []).append(name)
    return tuple(tuple(by_result[result]) for result in sorted(by_result, reverse=True))


@procedure("TSG-047 TSG-057", say="whether one round allows so many attacks, defences and moves", results="legal")
def round_legal(play: Play, *, attacks: Count = 0, defences: Count = 0, moves: tuple[AttackMove, ...] = ()) -> bool:
    """One attack, any number of defences, and movement on one side of the attack only (`TSG-047`, `TSG-057`)."""
    most = play.values.number("round.attacks")
    play.tell(f"{attacks} attacks, {most} allowed; {defences} defences, any number allowed", "TSG-047")
    return moves_legal(play, moves) and attacks <= most


def moves_legal(play: Play, moves: tuple[str, ...]) -> bool:
    """Whether all movement is taken at one point of the round (`TSG-057`, `TSG-053`, `TSG-Q40`)."""
    legal = len(set(moves)) <= play.values.number("round.moves")
    if moves:
        places = " and ".join(dict.fromkeys(moves)).replace("_", " ")
        play.tell(f"Movement {places}: {'allowed' if legal else 'one or the other, never both'}", "TSG-057")
    return legal


@procedure(
    "TSG-051 TSG-052 TSG-053",
    say="what becomes of an action held until another acts",
    results="timing move_legal",
)
def hold(
    play: Play, *, actor_attacks_holder: bool, moves: tuple[HoldMove, ...] = ()
) -> tuple[Literal["simultaneous", "after"], bool]:
    """Simultaneous if the one waited for attacks the holder, else right after (`TSG-052`, `TSG-053`, `TSG-Q38`)."""
    if actor_attacks_holder:
        play.tell("The holder is attacked: both act at the same time", "TSG-052")
    else:
        play.tell("The holder is left alone, and may act right afterwards", "TSG-051", "TSG-Q38")
    return "simultaneous" if actor_attacks_holder else "after", moves_legal(play, moves)


@dataclass(frozen=True, slots=True)
class Combatant:
    """A fighter: traits (or levels by pair), skills, weapon, and the state it is in; `rounds` are those left lying."""

    name: str
    side: str = ""
    traits: tuple[str, ...] = ()
    levels: Mapping[str, Level] = Named({})
    attack: Ability | None = None
    attack_skill: Skill = "none"
    unskilled: Dice = 0
    defend: Ability = "agility"
    defend_skill: Skill = "none"
    medical: Skill = "none"
    weapon: Weapon = FISTS
    use: Literal["best", "clever"] = "best"
    ignores: Count = 0
    wounds: Count = 0
    condition: State = "fine"
    rounds: Lasting | None = None

    @property
    def is_up(self) -> bool:
        """Whether it can act and defend."""
        return self.condition not in (*_DOWN, "dead")

    def attacker(self, play: Play) -> Attacker:
        """It as it attacks now."""
        roll = self.attack or self._best_roll(play)
        level = self.levels[roll]
        return Attacker(roll, level, self.attack_skill, self.weapon, self.wounds, self.unskilled, name=self.name)

    def _best_roll(self, play: Play) -> str:
        """The roll that the rules always allow for its weapon, by the higher level, then by the harder hit."""

        def worth(pair: str) -> tuple[int, int]:
            level = self.levels[pair]
            return rank(play.values, level), additional(play, pair, level, self.weapon)

        return max(always_allowed(play, self.weapon), key=worth)

    def defender(self, play: Play) -> Defender:
        """It as it is attacked now."""
        level, tough = self.levels[self.defend], self.levels[play.values.text("wounds.toughness")]
        harm = self.wounds, self.ignores, not self.is_up
        return Defender(self.defend, level, self.defend_skill, tough, *harm, name=self.name)

    def roller(self, play: Play) -> Fighter:
        """It as it rolls for initiative."""
        agile, fast = (self.levels[pair] for pair in play.values.words("initiative.best_of"))
        clever = self.levels[play.values.text("initiative.clever")]
        return Fighter(self.name, agile, fast, clever, self.use, self.wounds)

    def wounded(self, points: int) -> Combatant:
        """It with so many wound points more."""
        state: State = "wounded" if points and self.is_up else self.condition
        return replace(self, wounds=self.wounds + points, condition=state)

    def fallen(self, condition: State, rounds: int) -> Combatant:
        """It after a failed toughness roll; who lies already cannot be better off for a new wound (`TSG-Q22`)."""
        if self.condition == "dying":
            return replace(self, rounds=min(self.rounds or rounds, rounds)) if condition == "dying" else self
        return replace(
            self, condition=condition, rounds=rounds if condition == "dying" else max(self.rounds or 0, rounds)
        )

    def aged(self, play: Play) -> Combatant:
        """It at the end of a round that it spent lying: nearer to waking, or to death (`TSG-Q23`, `TSG-Q25`)."""
        if self.rounds is None:
            return self
        if self.rounds > 1:
            return replace(self, rounds=self.rounds - 1)
        if self.condition == "dying":
            play.tell(f"{self.name} dies", "TSG-070")
            return replace(self, condition="dead", rounds=None)
        play.tell(f"{self.name} wakes", "TSG-069", "TSG-Q25")
        return replace(self, condition="wounded" if self.wounds else "fine", rounds=None)


def always_allowed(play: Play, weapon: Weapon) -> list[str]:
    """The rolls that need no leave for an attack with this weapon (`TSG-058` to `TSG-060`)."""
    path = f"rolls.attack.{weapon.kind}"
    return [pair for pair in play.values.names(path) if play.values.text(f"{path}.{pair}") == "always"]


def by_name(play: Play, fighters: Iterable[Combatant]) -> dict[str, Combatant]:
    """The fighters by name, all levels known, each in a state that can be; Wrong for what cannot."""
    known: dict[str, Combatant] = {}
    for fighter in fighters:
        if fighter.name in known:
            raise Wrong("fighters", "takes fighters whose names differ", fighter.name)
        if (fighter.condition in _DOWN) != (fighter.rounds is not None):
            raise Wrong(f"{fighter.name}.rounds", "takes the rounds left for one unconscious or dying, and only then")
        up: State = "wounded" if fighter.wounds else "fine"
        state = up if fighter.is_up else fighter.condition
        known[fighter.name] = replace(fighter, condition=state, levels=_all_levels(play, fighter))
    return known


def _all_levels(play: Play, fighter: Combatant) -> Mapping[str, str]:
    """The level of every pair; those given by level go before those written as traits (`TSG-012`)."""
    pairs = tuple(play.values.names("pairs"))
    if len(fighter.levels) == len(pairs):
        return fighter.levels
    for pair in fighter.levels:
        if pair not in pairs:
            raise Wrong(f"{fighter.name}.levels", f"takes {', '.join(pairs)}", pair)
    return Named({**levels_of(play.values, fighter.traits, f"{fighter.name}.traits"), **fighter.levels})
