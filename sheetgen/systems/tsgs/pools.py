"""Building the pool (ledger, section D): the level, the skill, what the GM adds or takes, and the wounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from sheetgen.rules.procedures.parameters import Whole, Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.abilities import Level
from sheetgen.systems.tsgs.skills import Skill

Some = Annotated[int, Whole(0, 60)]
Points = Annotated[int, Whole(0, 99)]


@dataclass(frozen=True, slots=True)
class PoolOutcome:
    """How many dice are rolled."""

    dice: int


@dataclass(frozen=True, slots=True)
class Makings:
    """Everything that a pool is built from: a level, or the dice themselves, and what adds or takes."""

    level: str | None
    skill: str = "none"
    unskilled: int = 0
    bonuses: int = 0
    penalties: int = 0
    hampered: bool = False
    dice: int = 0

    def parts(self, play: Play) -> tuple[tuple[int, str, str], ...]:
        """Each part that counts, the first always: how many dice, what for, by which rule."""
        values = play.values
        first = (self.dice, "dice", "TSG-029")
        if self.level is not None:
            first = (values.number(f"levels.{self.level}.dice"), f"for {self.level}", "TSG-028")
        others = (
            (values.number(f"skills.dice.{self.skill}"), f"for skill {self.skill}", "TSG-030"),
            (-self.unskilled if self.skill == "none" else 0, "unskilled", "TSG-022"),
            (self.bonuses, "bonus", "TSG-031"),
            (-self.penalties, "penalty", "TSG-031"),
            (-values.number("pool.wound_penalty") * self.hampered, "wounded", "TSG-072"),
        )
        return (first, *(part for part in others if part[0]))


def makings_of(pool: int | None, level: str | None, path: str, **more: Any) -> Makings:
    """What a roll is built from: its dice as given or the level of an ability; Wrong unless it is just one of them."""
    if (pool is None) == (level is None):
        raise Wrong(f"{path}pool", "takes the number of dice, unless level says which level is rolled")
    return Makings(level, dice=pool or 0, **more)


def pool_of(play: Play, makings: Makings, who: str) -> int:
    """All parts added up, and only then kept from falling below none (`TSG-029` to `TSG-032`, `TSG-Q13`)."""
    parts = makings.parts(play)
    dice = max(sum(part[0] for part in parts), play.values.number("pool.least"))
    if play.log is not None and len(parts) > 1:
        first, *others = parts
        terms = [f"{first[0]} {first[1]}", *(f"{'−' if n < 0 else '+'} {abs(n)} {what}" for n, what, _ in others)]
        floor = ("TSG-032",) if sum(part[0] for part in parts) < dice else ()
        play.tell(f"{who}: {' '.join(terms)} = {dice} dice", *dict.fromkeys(part[2] for part in parts), *floor)
    return dice


@procedure(
    "TSG-012",
    "TSG-022",
    "TSG-028",
    "TSG-029",
    "TSG-030",
    "TSG-031",
    "TSG-032",
    "TSG-072",
    "TSG-073",
    "TSG-086",
    "TSG-087",
    say="how many dice a roll has",
)
def pool(
    play: Play,
    *,
    level: Level,
    skill: Skill = "none",
    unskilled: Some = 0,
    bonuses: Some = 0,
    penalties: Some = 0,
    wounds: Points = 0,
    physical: bool = False,
    against_wounds: bool = False,
) -> PoolOutcome:
    """The dice for a level with its skill and everything that adds or takes (`TSG-028` to `TSG-032`, `TSG-072`)."""
    hampered = wounds > 0 and physical and not against_wounds
    makings = Makings(level, skill, unskilled, bonuses, penalties, hampered)
    dice = pool_of(play, makings, "The pool")
    play.tell(f"Roll {dice} dice" if dice != 1 else "Roll 1 die", "TSG-028")
    return PoolOutcome(dice)
