"""Those who fight, from round to round (ledger, sections I to L): what they can do, and the state they are in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.tsgs.abilities import levels_of, rank
from sheetgen.systems.tsgs.attacks import FISTS, Attacker, Defender
from sheetgen.systems.tsgs.initiative import Fighter
from sheetgen.systems.tsgs.terms import Ability, Count, Dice, Lasting, Level, Skill
from sheetgen.systems.tsgs.wounds import Weapon, additional

State = Literal["fine", "wounded", "unconscious", "dying", "dead"]
_DOWN = ("unconscious", "dying")


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
