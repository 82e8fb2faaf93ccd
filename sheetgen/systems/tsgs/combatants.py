"""Those who fight, from round to round (ledger, sections I to L): what they can do, and the state they are in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.tsgs.abilities import Ability, Level, levels_of, rank
from sheetgen.systems.tsgs.attacks import FISTS, Attacker, Defender
from sheetgen.systems.tsgs.healing import Lasting
from sheetgen.systems.tsgs.initiative import Fighter
from sheetgen.systems.tsgs.rolls import Points, Some
from sheetgen.systems.tsgs.skills import Skill
from sheetgen.systems.tsgs.wounds import ToughnessOutcome, Weapon, additional

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
    unskilled: Some = 0
    defend: Ability = "agility"
    defend_skill: Skill = "none"
    medical: Skill = "none"
    weapon: Weapon = FISTS
    use: Literal["best", "clever"] = "best"
    ignores: Points = 0
    wounds: Points = 0
    condition: State = "fine"
    rounds: Lasting | None = None

    @property
    def is_up(self) -> bool:
        """Whether it can act and defend."""
        return self.condition not in (*_DOWN, "dead")

    def of_side(self, side: str) -> Combatant:
        """It on that side."""
        return replace(self, side=side)

    def attacker(self, play: Play) -> Attacker:
        """It as it attacks now."""
        roll = self.attack or self._best_roll(play)
        level = self.levels[roll]
        return Attacker(roll, level, self.attack_skill, self.weapon, self.wounds, self.unskilled, name=self.name)

    def _best_roll(self, play: Play) -> str:
        """The roll that the rules always allow for its weapon, by the higher level, then by the harder hit."""
        values = play.values
        path = f"rolls.attack.{self.weapon.kind}"
        always = [pair for pair in values.names(path) if values.text(f"{path}.{pair}") == "always"]

        def worth(pair: str) -> tuple[int, int]:
            level = self.levels[pair]
            return rank(values, level), additional(play, pair, level, self.weapon)

        return max(always, key=worth)

    def defender(self, play: Play) -> Defender:
        """It as it is attacked now."""
        level = self.levels[self.defend]
        tough = self.levels[play.values.text("wounds.toughness")]
        helpless = not self.is_up
        return Defender(
            self.defend, level, self.defend_skill, tough, self.wounds, self.ignores, helpless, name=self.name
        )

    def roller(self, play: Play) -> Fighter:
        """It as it rolls for initiative."""
        agile, fast = (self.levels[str(pair)] for pair in play.values.at("initiative.best_of"))
        clever = self.levels[play.values.text("initiative.clever")]
        return Fighter(self.name, agile, fast, clever, self.use, self.wounds)

    def wounded(self, points: int) -> Combatant:
        """It with so many wound points more."""
        state: State = "wounded" if points and self.is_up else self.condition
        return replace(self, wounds=self.wounds + points, condition=state)

    def after(self, roll: ToughnessOutcome) -> Combatant:
        """It after the toughness roll; who lies already cannot be better off for a new wound (`TSG-Q22`)."""
        if roll.success:
            return self
        if roll.condition == "dying":
            sooner = self.rounds if self.condition == "dying" else None
            return self._lying("dying", min(filter(None, (sooner, roll.rounds))))
        if self.condition == "dying":
            return self
        return self._lying("unconscious", max(self.rounds or 0, roll.rounds or 0))

    def tended(self, rounds: int) -> Combatant:
        """It once tended: out of danger, and asleep for so many rounds (`TSG-071`)."""
        return self._lying("unconscious", rounds)

    def _lying(self, condition: State, rounds: int) -> Combatant:
        return replace(self, condition=condition, rounds=rounds)

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


def by_name(play: Play, fighters: Iterable[Combatant]) -> dict[str, Combatant]:
    """The fighters by name, all levels known, each in a state that can be; Wrong for what cannot."""
    found: dict[str, Combatant] = {}
    for fighter in fighters:
        if fighter.name in found:
            raise Wrong("fighters", "takes fighters whose names differ", fighter.name)
        if (fighter.condition in _DOWN) != (fighter.rounds is not None):
            raise Wrong(f"{fighter.name}.rounds", "takes the rounds left for one unconscious or dying, and only then")
        up: State = "wounded" if fighter.wounds else "fine"
        state = up if fighter.is_up else fighter.condition
        found[fighter.name] = replace(fighter, condition=state, levels=_all_levels(play, fighter))
    return found


def _all_levels(play: Play, fighter: Combatant) -> Mapping[str, str]:
    """The level of every pair; those given by level go before those written as traits (`TSG-012`)."""
    pairs = tuple(play.values.names("pairs"))
    if len(fighter.levels) == len(pairs):
        return fighter.levels
    for pair in fighter.levels:
        if pair not in pairs:
            raise Wrong(f"{fighter.name}.levels", f"takes {', '.join(pairs)}", pair)
    written = levels_of(play.values, fighter.traits, f"{fighter.name}.traits")
    return Named({**written, **fighter.levels})
