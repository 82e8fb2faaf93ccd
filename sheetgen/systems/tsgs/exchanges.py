"""Two who strike at each other at the same moment (ledger, sections I to L): equal initiative, or a held action."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.abilities import NORMAL, Ability, Level
from sheetgen.systems.tsgs.attacks import FISTS, Attacker, Defender, Harm, Victim, harmed, landed
from sheetgen.systems.tsgs.pools import Points
from sheetgen.systems.tsgs.skills import Skill
from sheetgen.systems.tsgs.wounds import Condition, ToughnessOutcome, Weapon


@dataclass(frozen=True, slots=True)
class Exchanger:
    """One of two who strike at each other at the same moment."""

    attack: Ability
    attack_level: Level
    defend: Ability = "agility"
    defend_level: Level = NORMAL
    tough: Level = NORMAL
    wounds: Points = 0
    weapon: Weapon = FISTS
    attack_skill: Skill = "none"
    defend_skill: Skill = "none"
    ignores: Points = 0
    name: str = ""

    def attacker(self, name: str) -> Attacker:
        """This one striking."""
        return Attacker(self.attack, self.attack_level, self.attack_skill, self.weapon, self.wounds, name=name)

    def defender(self, name: str) -> Defender:
        """This one being struck at."""
        return Defender(
            self.defend, self.defend_level, self.defend_skill, self.tough, self.wounds, self.ignores, name=name
        )


@dataclass(frozen=True, slots=True)
class ExchangeSide:
    """What the other's attack did to one of the two."""

    hit_by_other: bool
    wound_points: int
    total_wounds: int
    toughness: ToughnessOutcome | None
    condition: Condition
    rounds: int | None


@dataclass(frozen=True, slots=True)
class ExchangeOutcome:
    """Both, after striking at each other at the same moment."""

    a: ExchangeSide
    b: ExchangeSide


@procedure("TSG-050", "TSG-052", "TSG-064", "TSG-067", say="two attacks on each other at the same moment")
def exchange(play: Play, *, a: Exchanger, b: Exchanger) -> ExchangeOutcome:
    """Both rolls from the state before, all wounds, then toughness (`TSG-050`, `TSG-Q39`); no bonus dice."""
    names = a.name or "Side a", b.name or "Side b"
    on_b = _blow(play, a, b, names)
    on_a = _blow(play, b, a, (names[1], names[0]))
    harm_a = harmed(play, Victim(names[0], a.tough, a.wounds), on_a[1], b.weapon.lethal, 0)
    harm_b = harmed(play, Victim(names[1], b.tough, b.wounds), on_b[1], a.weapon.lethal, 0)
    return ExchangeOutcome(_side(on_a, harm_a), _side(on_b, harm_b))


def _blow(play: Play, by: Exchanger, on: Exchanger, names: tuple[str, str]) -> tuple[bool, int]:
    return play.part(landed, by.attacker(names[0]), on.defender(names[1]), ())


def _side(blow: tuple[bool, int], harm: Harm) -> ExchangeSide:
    return ExchangeSide(*blow, harm.total_wounds, harm.toughness, harm.condition, harm.rounds)
