"""What is kept of somebody from adventure to adventure: pips of growth, luck that comes back, wounds and their mending.

A wound is written into the log, since the sheet has boxes for it and the file has none.
"""

from __future__ import annotations

from collections import Counter

from sheetgen.model.character import Character
from sheetgen.rules.consequences import LEVEL, Consequence, Event, cited, counted, levels_with, reads, trait_named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.systems.diecodes.codes import codes_in
from sheetgen.systems.diecodes.figures import all_codes
from sheetgen.systems.diecodes.harm import WOUNDED, mend
from sheetgen.systems.diecodes.making import end_adventure

LUCK, OWED, GROWTH = "luck", "owed", "growth"
NO_CODE, ROOF, HARM = "none", "roof", "DIE-H1"


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
