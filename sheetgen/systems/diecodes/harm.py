"""What a hit does, going down, being saved and mending: rules of the house (`DIE-H1` to `DIE-H6`).

The pages speak of a roll for damage and give no figures for it (`DIE-215`, `DIE-Q22`).
"""

from __future__ import annotations

from typing import Annotated

from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import NONE, Wild, codes_of
from sheetgen.systems.diecodes.rolls import number_of, total_of
from sheetgen.systems.diecodes.rounds import working

Weapon = Annotated[str, OneOf("house.weapons")]
Armour = Annotated[str, OneOf("house.armour")]
Place = Annotated[str, OneOf("house.mending.number")]
Hit = tuple[str, int, int, int, str, int | None]
UNHARMED, STUNNED, WOUNDED, DOWN = "nothing", "stunned", "wounded", "down"


@procedure(
    "DIE-H1 DIE-H2 DIE-H5 DIE-H6",
    say="what a hit does: the force of the weapon against Strength (house rule)",
    results="force_code force resisted margin outcome rounds",
)
def harm(
    play: Play,
    *,
    weapon: Weapon,
    by: str = "3d",
    strength: str = "3d",
    armour: Armour = "none",
    wounded: bool = False,
    doubled: bool = False,
    by_doubled: bool = False,
    wild: Wild = "table",
) -> Hit:
    """Force against Strength, no penalty on either; the margin says what is left of the victim (`DIE-H1`, `DIE-H2`).

    `by` is the Strength of who strikes, for weapons that a muscle drives. Somebody wounded already goes down. Refused
    where a pack leaves it to the GM what a hit does.
    """
    codes, values = codes_of(play), play.values
    if play.ruling("DIE-H1") != "force rolled":
        raise Refused("house", "what a hit does is for the GM to say here", "DIE-H1")
    pips = force_of(play, weapon, by, doubled=by_doubled)
    held = working(play, codes.read(strength, "strength"), 0, doubled=doubled)
    if more := values.number(f"house.armour.{armour}.dice"):
        play.tell(f"armour, {armour}: {more}d more", "DIE-H6")
        held += codes.per_die * more
    force = play.part(total_of, pips, wild, "the force")
    resisted = play.part(total_of, held, wild, "Strength")
    margin = force - resisted
    outcome = _left_by(play, margin, wounded=wounded)
    rounds = None
    if outcome == DOWN and values.text(f"house.weapons.{weapon}.kills") == "yes":
        rounds = rounds_to_live(play, strength)
    play.tell(f"{force} against {resisted}: {outcome}", "DIE-H1")
    return codes.write(pips), force, resisted, margin, outcome, rounds


def force_of(play: Play, weapon: str, by: str, *, doubled: bool = False) -> int:
    """The pips that a weapon strikes with: its own, or the Strength behind it with so many dice more (`DIE-H5`)."""
    codes, path = codes_of(play), f"house.weapons.{weapon}"
    if play.values.has(f"{path}.force"):
        return codes.read(play.values.text(f"{path}.force"), "force")
    strength = working(play, codes.read(by, "by"), 0, doubled=doubled)
    return codes.kept(strength + codes.per_die * play.values.number(f"{path}.dice"))


def _left_by(play: Play, margin: int, *, wounded: bool) -> str:
    least = {name: play.values.number(f"house.harm.{name}") for name in (DOWN, WOUNDED, STUNNED)}
    outcome = next((name for name, needed in least.items() if margin >= needed), UNHARMED)
    if outcome == WOUNDED and wounded:
        play.tell("wounded before: a second wound brings down", "DIE-H2")
        return DOWN
    return outcome


def rounds_to_live(play: Play, strength: str) -> int:
    """The rounds that somebody lives who is down by what kills: one for each pip of Strength (`DIE-H3`)."""
    rounds = codes_of(play).read(strength, "strength") * play.values.number("house.dying.rounds")
    play.tell(f"dying: {rounds} rounds to live", "DIE-H3")
    return rounds


@procedure("DIE-H3", say="saving somebody who is dying, try after try (house rule)", results="saved tries")
def staunch(
    play: Play,
    *,
    code: str,
    strength: str = "3d",
    late: Annotated[int, Whole(0, 99)] = 0,
    wild: Wild = "table",
) -> tuple[bool, int]:
    """A try a round at the number for it, for as long as the dying one lives; `late` rounds are gone (`DIE-H3`).

    `code` is the helper's, with all that weighs on it taken off.
    """
    pips = codes_of(play).read(code, "code", empty=True)
    number, left = number_of(play, play.values.text("house.dying.number")), rounds_to_live(play, strength) - late
    if left < 1:
        play.tell("too late", "DIE-H3")
        return False, 0
    return play.rounds(
        *(_tended, False, pips, number, wild),
        goes_on=lambda saved: not saved,
        what="tries to save a life",
        most=left,
        counted=play.needs("tries"),
    )


def _tended(play: Play, done: bool, pips: int, number: int, wild: Wild) -> bool:
    total = play.part(total_of, pips, wild, "healing")
    reached = done or 0 < total >= number
    play.tell(f"{total} against {number}: {'it holds' if reached else 'not yet'}")
    return reached


@procedure("DIE-H4", say="days until a wound is closed (house rule)", results="days tended")
def mend(play: Play, *, code: str = NONE, place: Place = "roof", wild: Wild = "table") -> tuple[int, bool]:
    """The day on which a wound closes: by a healer's roll, one a day, or by itself after a week (`DIE-H4`)."""
    pips = codes_of(play).read(code, "code", empty=True)
    most = play.values.number("house.mending.days")
    if not pips:
        play.tell(f"nobody tends it: {most} days", "DIE-H4")
        return most, False
    number = number_of(play, play.values.text(f"house.mending.number.{place}"))
    tended, days = play.rounds(
        *(_tended, False, pips, number, wild),
        goes_on=lambda closed: not closed,
        what="days of tending",
        most=most,
        counted=True,
    )
    play.tell(f"closed on day {days}", "DIE-H4")
    return days, tended
