"""Falls, fire and water: rules of the house (`TSG-H6` to `TSG-H8`), which end in the wounds that all others end in."""

from __future__ import annotations

from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.attacks import Defender, harmed
from sheetgen.systems.tsgs.dice_pool import NORMAL, POLICIES, Condition, Count, Dice, Lasting, Level, Skill
from sheetgen.systems.tsgs.rolls import Roller, attempt
from sheetgen.systems.tsgs.wounds import in_points, rounds_of

Fallen = tuple[int, int, Condition, int | None]
Burning = tuple[bool, int, Condition, int | None]  # out, all wounds, and what becomes of it
Drowning = tuple[int, int, Condition, int | None]


@procedure(
    "TSG-H6",
    say="a fall, and whether somebody gets up from it (house rule)",
    policies=POLICIES,
    results="wound_points total_wounds condition rounds",
)
def fall(
    play: Play,
    *,
    paces: Annotated[int, Whole(0, 999)],
    agile: Level = NORMAL,
    skill: Skill = "none",
    tough: Level = NORMAL,
    wounds: Count = 0,
    bonuses: Dice = 0,
    name: str = "",
) -> Fallen:
    """A wound point for so many paces, less one for a good landing; deep falls kill (`TSG-H6`)."""
    depth, who = play.values.number("house.fall.paces"), name or "The faller"
    points = paces // depth
    play.tell(f"{who} falls {paces} paces: {in_points(points)}", "TSG-H6")
    if points:
        landing = Roller(level=agile, skill=skill, wounds=wounds, physical=True, bonuses=bonuses)
        if attempt(play, landing, points, None, who).success:
            points -= play.values.number("house.fall.saved")
            play.tell(f"{who} lands well: {in_points(points)}", "TSG-H6")
    lethal = points >= play.values.number("house.fall.kills")
    total, _, condition, rounds = harmed(play, Defender(tough=tough, wounds=wounds, name=name), points, lethal, None)
    return points, total, condition, rounds


@procedure(
    "TSG-H7",
    say="burning, round after round, until the flames are out (house rule)",
    policies=POLICIES,
    results="out rounds_burning total_wounds condition rounds",
)
def burn(
    play: Play,
    *,
    agile: Level = NORMAL,
    skill: Skill = "none",
    tough: Level = NORMAL,
    wounds: Count = 0,
    bonuses: Dice = 0,
    most: Lasting = 20,
    name: str = "",
) -> tuple[bool, int, int, Condition, int | None]:
    """A try at putting it out each round, and a wound point for each that fails; fire kills (`TSG-H7`)."""
    start: Burning = False, wounds, "wounded" if wounds else "fine", None
    roller = Roller(level=agile, skill=skill, physical=True, bonuses=bonuses)
    end, burning = play.rounds(
        *(_flames, start, roller, tough, name or "The burning"),
        goes_on=lambda state: not state[0] and state[2] != "dying",
        what="rounds in flames",
        most=most,
    )
    return (end[0], burning, *end[1:])


def _flames(play: Play, state: Burning, roller: Roller, tough: Level, who: str) -> Burning:
    """How it stands after one more round in flames."""
    _, wounds, condition, _ = state
    hurt = Roller(level=roller.level, skill=roller.skill, wounds=wounds, physical=True, bonuses=roller.bonuses)
    if play.part(_put_out, hurt, who):
        play.tell(f"{who} puts the flames out", "TSG-H7")
        return True, wounds, condition, None
    points = play.values.number("house.fire.wounds")
    play.tell(f"{who} burns: {in_points(points)}", "TSG-H7")
    total, _, condition, rounds = harmed(play, Defender(tough=tough, wounds=wounds, name=who), points, True, None)
    return False, total, condition, rounds


def _put_out(play: Play, roller: Roller, who: str) -> bool:
    return attempt(play, roller, play.values.number("house.fire.difficulty"), None, who).success


@procedure(
    "TSG-H8",
    say="under water, until the breath gives out (house rule)",
    policies=POLICIES,
    results="breath rounds_under condition rounds",
)
def drown(
    play: Play, *, tough: Level = NORMAL, bonuses: Dice = 0, most: Annotated[int, Whole(1, 99)] = 99, name: str = ""
) -> Drowning:
    """Breath for so many rounds a die, then Toughness against a difficulty that rises each round (`TSG-H8`).

    The rounds of breath, the rounds under water in all, and what becomes of whoever is there after `most` of them.
    """
    who = name or "The diver"
    dice = play.values.number(f"levels.{tough}.dice")
    breath = dice * play.values.number("house.breath.rounds")
    play.tell(f"{who} holds the breath for {breath} rounds", "TSG-H8")
    if most <= breath:
        return breath, most, "fine", None
    (fails, held), _ = play.rounds(
        *(_gasps, (False, 0), Roller(level=tough, bonuses=bonuses), who),
        goes_on=lambda state: not state[0],
        what="rounds without breath",
        most=most - breath,
        counted=False,
    )
    if not fails:
        return breath, breath + held, "fine", None
    return breath, breath + held, "dying", rounds_of(play, "dying", who)


def _gasps(play: Play, state: tuple[bool, int], roller: Roller, who: str) -> tuple[bool, int]:
    """Whether the breath gives out in one more round, and how many those were."""
    number = state[1] + 1
    return not play.part(_holds, roller, number, who), number


def _holds(play: Play, roller: Roller, difficulty: int, who: str) -> bool:
    return attempt(play, roller, difficulty, None, who).success
