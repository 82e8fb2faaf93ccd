"""Movement (ledger, section J): how many paces a round allows."""

from __future__ import annotations

from dataclasses import dataclass

from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.abilities import Level, step_down
from sheetgen.systems.tsgs.rolls import Points


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """Paces in one combat round."""

    paces: int


@procedure("TSG-056", "TSG-057", "TSG-074", say="how many paces somebody moves in a round")
def move(play: Play, *, fast: Level, wounds: Points = 0) -> MoveOutcome:
    """The paces of a level, or of the level below when wounded (`TSG-056`, `TSG-074`)."""
    return MoveOutcome(paces_of(play, fast, wounds, "In one round"))


def paces_of(play: Play, fast: str, wounds: int, who: str) -> int:
    """The paces that somebody with so many wounds can move."""
    values = play.values
    if not wounds:
        paces = values.number(f"levels.{fast}.paces")
        play.tell(f"{who}: {paces} paces for {fast} speed", "TSG-056")
        return paces
    lower = step_down(values, fast)
    if lower is not None:
        paces = values.number(f"levels.{lower}.paces")
        play.tell(f"{who}: wounded, so {paces} paces as for {lower} speed", "TSG-074")
        return paces
    stays = play.ruling("TSG-Q27") == "lowest row"
    paces = values.number(f"levels.{fast}.paces" if stays else "movement.below_lowest")
    play.tell(f"{who}: wounded, and no row lies below {fast}: {paces} paces", "TSG-074", "TSG-Q27")
    return paces
