"""What a hit does, going down, being saved and mending: rules of the house (`DIE-H1` to `DIE-H6`).

The pages speak of a roll for damage and give no figures for it (`DIE-215`, `DIE-Q22`). At the end stands what is kept
of somebody from adventure to adventure: pips of growth, luck that comes back, wounds, which are written into the log,
since the sheet has boxes for them and the file has none.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from sheetgen.model.character import Character
from sheetgen.rules.consequences import LEVEL, Consequence, Event, cited, counted, levels_with, reads, trait_named
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import NONE, Wild, codes_in, codes_of
from sheetgen.systems.diecodes.figures import FORCE_ROLLED, HARM, all_codes, force_of
from sheetgen.systems.diecodes.making import end_adventure
from sheetgen.systems.diecodes.rolls import number_of, total_of
from sheetgen.systems.diecodes.rounds import working

Weapon = Annotated[str, OneOf("house.weapons")]
Armour = Annotated[str, OneOf("house.armour")]
Place = Annotated[str, OneOf("house.mending.number")]
Hit = tuple[str, int, int, int, str, int | None]
UNHARMED, STUNNED, WOUNDED, DOWN = "nothing", "stunned", "wounded", "down"
LUCK, OWED, GROWTH = "luck", "owed", "growth"
NO_CODE, ROOF = "none", "roof"


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
    if play.ruling(HARM) != FORCE_ROLLED:
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


@reads(on=True)
def experience(play: Play, character: Character, event: Event) -> Consequence:
    """The end of an adventure: pips handed out, one to each skill named, and the luck that comes back (`DIE-108`)."""
    fortune, levels = character.numbers("fortune"), all_codes(play.system, character)
    names = [trait_named(play.system, ("skills",), each)[1] for each in event.on]
    unknown = next((name for name in names if name not in levels), "")
    if unknown:
        raise Refused("skills", f"the file does not say at which code {unknown} stands", "DIE-018")
    codes = codes_in(play.system)
    after, luck = end_adventure(
        play,
        luck=fortune.get(LUCK, 0),
        owed=fortune.get(OWED, 0),
        skills={name: codes.write(levels[name]) for name in names},
        awards=Counter(names),
        pips=event.amount,
    )
    grown = {name: codes.read(code, name) for name, code in after.items()}
    told = [f"{name} {codes.write(levels[name])} to {after[name]}" for name in grown]
    told += [f"luck {fortune.get(LUCK, 0)} to {luck}"] if fortune.get(OWED) else []
    told += [f"{counted(event.amount - len(names), 'pip')} not taken"] if event.amount > len(names) else []
    changed = {LUCK: luck, OWED: 0, GROWTH: fortune.get(GROWTH, 0) + len(names)}
    values = {"fortune": levels_with(character, "fortune", changed)}
    values |= {"skills": {**character.numbers("skills"), **grown}} if grown else {}
    rules = ("DIE-108", "DIE-053") if fortune.get(OWED) else ("DIE-108",)
    return Consequence(cited(f"{counted(event.amount, 'pip')}: {', '.join(told)}", *rules), values)


@reads()
def injury(play: Play, character: Character, event: Event) -> Consequence:
    """Wounds; a second one brings down (`DIE-H2`). Refused where a pack leaves it to the GM what a hit does."""
    _by_house_rule(play)
    before = event.hurt.get(WOUNDED, 0)
    wounds = before + event.amount
    said = WOUNDED if wounds == 1 else f"{wounds} wounds: down"
    return Consequence(cited(said, "DIE-H2"), hurt={WOUNDED: event.amount})


@reads(on=True, helper=LEVEL)
def rest(play: Play, character: Character, event: Event) -> Consequence:
    """Days until wounds are closed, one after the other; with a healer, under a roof or on the road (`DIE-H4`)."""
    _by_house_rule(play)
    open_wounds, left, closed = event.hurt.get(WOUNDED, 0), event.amount, 0
    if not open_wounds:
        raise Refused("unhurt", "nothing of the log is left to heal", "DIE-H4")
    place = event.one(ROOF, "one rests in places")
    if not play.values.has(f"house.mending.number.{place}"):
        known = " or ".join(play.values.names("house.mending.number"))
        raise Refused("on", f"one rests under a {known}, not {place}", "DIE-H4")
    while closed < open_wounds:
        days, _ = mend(play, code=event.helper or NO_CODE, place=place)
        if days > left:
            if not closed:  # days are not kept, and would be lost
                told = f"{counted(days, 'day')} in one go close a wound, not {event.amount}"
                raise Refused("days", told, "DIE-H4")
            break
        left, closed = left - days, closed + 1
    told = f"{closed} of {open_wounds} closed" if open_wounds > 1 else "the wound is closed"
    said = f"{counted(event.amount, 'day')} of rest: {told}"
    return Consequence(cited(said, "DIE-H4"), hurt={WOUNDED: -closed})


def _by_house_rule(play: Play) -> None:
    if play.ruling(HARM) == "the GM says":
        raise Refused("harm", "what a hit does is left to the GM: write it as words", HARM)
