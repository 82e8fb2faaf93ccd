"""Coming round and healing (sections 12 and 13): trying to wake, waiting, first aid, trauma care.

At the end stands what is kept of somebody from evening to evening. An injury is written into the log and not into the
levels of the file, which stay those of somebody well (`GAM-232`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from sheetgen.model.character import Character
from sheetgen.model.procedures import Named
from sheetgen.model.scale import HEX_DIGITS
from sheetgen.rules.consequences import LEVEL, YES, Consequence, Event, cited, counted, reads, trait_named
from sheetgen.rules.procedures.parameters import OneOf, Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure, taking
from sheetgen.rules.registry import engine_of
from sheetgen.systems.gamers.checks import (
    PLAIN,
    Block,
    CheckOutcome,
    Complement,
    Help,
    difficulty_or,
    outcome_of,
    roll_of,
)
from sheetgen.systems.gamers.injury import STATE_RULES, injure, state_of
from sheetgen.systems.gamers.terms import (
    HIGHEST,
    Difficulty,
    Kind,
    Level,
    Levels,
    kind_of,
    printed,
    require_names,
    require_triad,
    signed,
    triad,
    words,
)
from sheetgen.systems.gamers.traits import effective

State = Annotated[str, OneOf("recuperation.dm")]
Surroundings = Annotated[str, OneOf("recuperation.difficulty")]
TRAINED = {"attributes": "attribute", "features": "feature", "skills": "skill"}
SURROUNDINGS = "comfortable or equipped"
KINDS: tuple[Kind, ...] = ("physical", "mental")
LEADS = {"physical": "Endurance", "mental": "Grit"}  # GAM-Q64: what the check of a day of rest depends on


def led_by(play: Play, level: int) -> tuple[int, tuple[Complement, ...]]:
    """How an attribute leads a check: as its first complement, or added like a skill (`GAM-Q25`)."""
    return (level, ()) if play.ruling("GAM-Q25") == "added" else (0, (Complement(attribute=level),))


@procedure(
    "GAM-221 GAM-Q25 GAM-Q60",
    say="trying to wake, with Grit or Endurance",
    policies=("wise", "none", "all"),
    results="* wakes",
)
@taking(Help)
def wake_try(
    play: Play,
    aid: Help,
    *,
    level: Level,
    skill: Level = 0,
    difficulty: Difficulty | None = None,
) -> tuple[CheckOutcome, bool]:
    """Whether the character wakes, the zeroed attribute still at 0; once a round, for one action.

    `level` is the present level of Grit or Endurance: it is brought in before any other help, with its specialty
    where that applies, and confirms the roll unless `attribute` names another level.
    """
    number = difficulty_or(play, difficulty, "waking.difficulty")
    leads = effective(play, level, aid.specialty_applies)
    added, first = led_by(play, leads)
    confirms = leads if aid.attribute is None else aid.attribute
    led = replace(aid, specialty_applies=False, complements=(*first, *aid.complements), attribute=confirms)
    found = outcome_of(roll_of(play, led.side(skill, added), against=number), number)
    play.tell("awake, and able to act" if found.success else "still out", "GAM-221", "GAM-Q60")
    return found, found.success


@procedure("GAM-224 GAM-225 GAM-226 GAM-Q61", say="coming round by waiting", results="state wakes_after_minutes levels")
def wake_by_time(
    play: Play, *, kind: Kind, full: Levels, levels: Levels, state: State | None = None
) -> tuple[str, int | None, Named[str, int]]:
    """How long until the character comes round, and with which levels; never, for the dead and the disabled.

    `state` is the state as trauma care has left it, where that is no longer what the levels say.
    """
    names = require_triad(play, kind, levels)
    require_triad(play, kind, full, "full")
    now = state or state_of(play, kind, levels)
    after = {name: levels[name] for name in names}
    if not play.values.has(f"waking.minutes.{now}"):
        play.tell(f"{now}: waiting changes nothing", *(() if now == "up" else ("GAM-226",)))
        return now, None, Named(after)
    minutes, least = play.values.number(f"waking.minutes.{now}"), play.values.number("waking.least")
    halves = now == words(play.values, f"injury.states.{kind}")[1]
    for name in names:
        if not after[name]:
            half = full[name] // play.values.number("waking.share") if halves else least
            after[name] = min(max(half, least), full[name])
            play.tell(f"{printed(play, name)} is back at {after[name]}", "GAM-224" if halves else "GAM-225")
    play.tell(f"{now}: comes round after {minutes} minutes", "GAM-224" if halves else "GAM-225")
    return now, minutes, Named(after)


def mended(
    levels: Mapping[str, int], full: Mapping[str, int], order: tuple[str, ...], points: int
) -> tuple[dict[str, int], int]:
    """The levels with that many given back in order, never past the full level; and how many were used."""
    after, left = dict(levels), points
    for name in (*order, *levels):
        gain = min(left, max(full[name] - after[name], 0))
        after[name] += gain
        left -= gain
    return after, points - left


@procedure(
    "GAM-230 GAM-Q62",
    say="first aid: some levels back at once",
    policies=("wise", "none", "all"),
    results="* recovered levels state",
)
@taking(Help)
def first_aid(
    play: Play,
    aid: Help,
    *,
    skill: Level,
    levels: Levels,
    full: Levels,
    order: tuple[str, ...] = (),
    difficulty: Difficulty | None = None,
    tried: bool = False,
) -> tuple[CheckOutcome, int, Named[str, int], str]:
    """What Physician, or Psychology for the mind, gives back: 1d6 levels on a success, in the order the player names.

    One attempt for each patient and conflict (`tried` refuses another); it does not help the dead or the disabled.
    """
    kind = kind_of(play, levels)
    require_triad(play, kind, levels)
    require_triad(play, kind, full, "full")
    require_names("order", order, levels, "GAM-Q62")
    _require_fresh(tried, "first aid", "GAM-Q62")
    if not any(levels.values()):
        raise Refused("beyond_help", f"first aid does not help the {state_of(play, kind, levels)}", "GAM-Q62")
    values = play.values
    number = difficulty_or(play, difficulty, "first_aid.difficulty")
    found = outcome_of(roll_of(play, aid.side(skill), against=number), number)
    after, recovered = dict(levels), 0
    if found.success:
        points = play.dice.total(values.number("first_aid.dice"), values.number("first_aid.sides"), "levels given back")
        after, recovered = mended(levels, full, order, points)
        now = ", ".join(f"{printed(play, name)} {level}" for name, level in after.items())
        play.tell(f"first aid gives {points}, {recovered} of them needed: {now}", "GAM-230")
    return found, recovered, Named(after), state_of(play, kind, after)


def _require_fresh(tried: bool, what: str, rule: str) -> None:
    if tried:
        raise Refused("tried", f"{what} was tried already after this conflict", rule)


@procedure(
    "GAM-226 GAM-231 GAM-Q63",
    say="trauma care for the dead or disabled",
    policies=("wise", "none", "all"),
    results="* state",
)
@taking(Help)
def trauma_care(
    play: Play,
    aid: Help,
    *,
    skill: Level,
    state: State,
    difficulty: Difficulty | None = None,
    tried: bool = False,
) -> tuple[CheckOutcome, str]:
    """The state after the one attempt: severely wounded on a success, else as it was."""
    values = play.values
    worst = {words(values, f"injury.states.{kind}")[-1] for kind in ("physical", "mental")}
    if state not in worst:
        message = f"trauma care is for the {' or '.join(sorted(worst))}, not for the {state}"
        raise Refused("not_needed", message, "GAM-231")
    _require_fresh(tried, "trauma care", "GAM-Q63")
    number = difficulty_or(play, difficulty, "trauma_care.difficulty")
    side = aid.side(skill, values.number("trauma_care.dm"))
    found = outcome_of(roll_of(play, side, against=number), number)
    left = values.text("trauma_care.leaves") if found.success else state
    play.tell(f"the patient is {left}", "GAM-231", "GAM-Q63")
    return found, str(left)


@procedure(
    "GAM-232 GAM-233 GAM-234 GAM-235 GAM-236 GAM-Q25 GAM-Q64",
    say="one day of recuperation",
    policies=("wise", "none", "all"),
    results="* change",
)
@taking(Help)
def recuperate(
    play: Play,
    aid: Help,
    *,
    surroundings: Surroundings,
    level: Level,
    worst_state: State = "unconscious",
    skill: Level = 0,
    difficulty: Difficulty | None = None,
) -> tuple[CheckOutcome, int]:
    """The day's change: +1 on a success, +3 on a triumph, -1 on a balls-up, else nothing.

    `level` is that of Endurance or Grit: it confirms the roll, and helps where it is listed among the complements,
    as an attending Physician or Psychologist does; a table that adds it (`GAM-Q25`) leaves it out of them.
    """
    values = play.values
    number = difficulty_or(play, difficulty, f"recuperation.difficulty.{surroundings}")
    leads = effective(play, level, aid.specialty_applies)
    worst = values.number(f"recuperation.dm.{worst_state}")
    play.tell(f"{surroundings}: {number} to reach; {worst_state} at the worst: {signed(worst)}", "GAM-233", "GAM-234")
    led = replace(aid, specialty_applies=False, attribute=leads if aid.attribute is None else aid.attribute)
    rolled = roll_of(play, led.side(skill, led_by(play, leads)[0], worst), against=number)
    found = outcome_of(rolled, number)
    change = values.number(f"recuperation.change.{_result(rolled, found.success)}")
    play.tell(f"the day's change: {change:+d}", "GAM-236")
    return found, change


def _result(rolled: Block, success: bool) -> str:
    if rolled.rank != PLAIN:
        return "triumph" if rolled.triumph else "balls_up"
    return "success" if success else "failure"


@procedure(
    "GAM-232 GAM-236 GAM-Q64 GAM-Q69",
    say="rest, day after day, until healed",
    results="days levels state healed",
)
def convalesce(
    play: Play,
    *,
    kind: Kind,
    levels: Levels,
    full: Levels,
    surroundings: Surroundings,
    worst_state: State = "unconscious",
    rests_on: str = "Endurance",
    level: Level = 0,
    attendant: Level | None = None,
    order: tuple[str, ...] = (),
    days: Annotated[int, Whole(0, 999)] = 999,
) -> tuple[int, Named[str, int], str, bool]:
    """The levels after days of rest: gains go where the player's order says, a further injury where the die falls.

    The check rests on Endurance or Grit at its present level: from `levels` where it is one of them, else `level`.
    """
    names = require_triad(play, kind, levels)
    require_triad(play, kind, full, "full")
    require_names("order", order, names, "GAM-Q64")
    now, rested = play.rounds(
        _day,
        Named({name: levels[name] for name in names}),
        *(Named(full), order, Rest(kind, surroundings, worst_state, rests_on, level, attendant)),
        goes_on=lambda now: any(now[name] < full[name] for name in names),
        what="days of rest",
        most=days,
        counted=play.needs("days"),
        begins=lambda day: play.tell(f"day {day}", "GAM-232"),
    )
    healed = all(now[name] >= full[name] for name in names)
    return rested, now, state_of(play, kind, now), healed


@dataclass(frozen=True, slots=True)
class Rest:
    """What stays the same from day to day: the kind of injury, where one rests, on what, and who attends."""

    kind: Kind
    surroundings: str
    worst_state: str
    rests_on: str
    level: int
    attendant: int | None


def _day(
    play: Play, now: Named[str, int], full: Named[str, int], order: tuple[str, ...], rest: Rest
) -> Named[str, int]:
    lead = now.get(rest.rests_on, rest.level)
    change = play.part(_change, rest.surroundings, rest.worst_state, lead, rest.attendant)
    if change < 0:
        return play.part(_injured, rest.kind, -change, now)
    return Named(mended(now, full, order, change)[0])


def _injured(play: Play, kind: Kind, injury: int, levels: Named[str, int]) -> Named[str, int]:
    return injure(play, kind=kind, injury=injury, levels=levels)[1]


def _change(play: Play, surroundings: str, worst_state: str, lead: int, attendant: int | None) -> int:
    """What one day of rest gives back or takes, with the attribute it rests on and the attendant as helpers."""
    helpers = (*led_by(play, lead)[1], *((Complement(skill=attendant),) if attendant is not None else ()))
    _, change = recuperate(play, surroundings=surroundings, level=lead, worst_state=worst_state, complements=helpers)
    return change


@reads(on=True, helper=YES)
def experience(play: Play, character: Character, event: Event) -> Consequence:
    """Months of training, which raise one trait, with an instructor or alone (`GAM-120`, `GAM-123`)."""
    word = event.one("", "training raises traits")
    if not word:
        raise Refused("on", "months of training raise one attribute, feature or skill: name it with --on", "GAM-120")
    system = play.system
    group, name = trait_named(system, TRAINED, word)
    before = character.numbers(group).get(name, system.group(group).default or 0)
    training, level, left = engine_of(system).procedures["training"], before, event.amount
    while level < HIGHEST:
        aimed = {"what": TRAINED[group], "to_level": level + 1, "instructor": bool(event.helper)}
        needed = training.run(play, aimed)["permanent_months"]
        if needed > left:
            break
        level, left = level + 1, left - needed
    rule = "GAM-123" if group == "skills" else "GAM-120"
    if level == before:
        how = "with an instructor" if event.helper else "alone"
        told = f"a level of {name} takes {counted(needed, 'month')} {how}, not {event.amount}"
        raise Refused("months", f"{name} is as high as it may be" if before == HIGHEST else told, rule)
    over = f", {counted(left, 'month')} over" if left else ""
    said = cited(
        f"{counted(event.amount, 'month')} of training: {name} {HEX_DIGITS[before]} to {HEX_DIGITS[level]}{over}",
        rule,
    )
    return Consequence(said, {group: {**character.numbers(group), name: level}})


@reads(on=True)
def injury(play: Play, character: Character, event: Event) -> Consequence:
    """Levels of injury: physical, mental, or aimed at one attribute, from which the rest flows on (`GAM-214`)."""
    word, values = event.one(KINDS[0], "an injury strikes"), play.values
    target = None if word in KINDS else play.system.traits[trait_named(play.system, ("attributes",), word)[1]].role
    kind = word if target is None else next(each for each in KINDS if target in triad(values, each))
    before = _levels(play, character, kind, event.hurt)
    struck, after, state = injure(play, kind=kind, injury=event.amount, levels=before, target=target)  # type: ignore[arg-type]
    lost = {printed(play, name): before[name] - after[name] for name in dict.fromkeys(struck)}
    rules = STATE_RULES[min(sum(not level for level in after.values()), len(STATE_RULES) - 1)]
    told = ", ".join(_moved(play, name, before, after) for name in dict.fromkeys(struck))
    said = f"injury {event.amount}: {told or 'nothing left to lose'}; {state}"
    return Consequence(cited(said, "GAM-214", *rules), hurt={name: by for name, by in lost.items() if by})


@reads(on=True, helper=LEVEL)
def rest(play: Play, character: Character, event: Event) -> Consequence:
    """Days of rest in surroundings that may be named, tended by somebody of that level (`GAM-232`)."""
    surroundings = event.one(SURROUNDINGS, "one rests in surroundings")
    known = play.values.names("recuperation.difficulty")
    if surroundings not in known:
        raise Refused("on", f"surroundings are {' or '.join(known)}, not {surroundings}", "GAM-232")
    healed, told = dict[str, int](), list[str]()
    for kind in KINDS:
        full = _levels(play, character, kind, {})
        now = _levels(play, character, kind, event.hurt)
        if now == full:
            continue
        lead = LEADS[kind]
        _, after, _, _ = convalesce(
            play,
            kind=kind,
            levels=now,
            full=full,
            surroundings=surroundings,
            worst_state=state_of(play, kind, _worst(play, character, kind, event)),
            rests_on=lead,
            level=now.get(lead, 0),
            attendant=event.number(),
            days=event.amount,
        )
        changed = {printed(play, name): now[name] - after[name] for name in now if now[name] != after[name]}
        healed |= changed
        told += [_moved(play, name, now, after) for name in now if now[name] != after[name]]
    if not healed and not any(event.hurt.values()):
        raise Refused("unhurt", "nothing of the log is left to heal", "GAM-232")
    said = f"{counted(event.amount, 'day')} of rest: {', '.join(told) or 'no better yet'}"
    return Consequence(cited(said, "GAM-232"), hurt=healed)


def _moved(play: Play, name: str, before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """A level before and after, as sheets write them: `Strength C to 6` (`GAM-015`)."""
    return f"{printed(play, name)} {HEX_DIGITS[before[name]]} to {HEX_DIGITS[after[name]]}"


def _worst(play: Play, character: Character, kind: str, event: Event) -> dict[str, int]:
    """The levels of a triad when most of them were gone, since it was last full (`GAM-Q64`)."""
    full, seen = _levels(play, character, kind, {}), [_levels(play, character, kind, event.hurt)]
    for hurt in reversed(event.before):
        levels = _levels(play, character, kind, hurt)
        if levels == full:
            break
        seen.append(levels)
    return max(seen, key=lambda levels: sum(not level for level in levels.values()))


def _levels(play: Play, character: Character, kind: str, hurt: Mapping[str, int]) -> dict[str, int]:
    """The levels of a triad by role, with what is hurt taken off."""
    held, found = character.numbers("attributes"), dict[str, int]()
    for role in triad(play.values, kind):
        name = printed(play, role)
        if name not in held:
            raise Refused("levels", f"the file says nothing of {name}, which is injured and heals", "GAM-210")
        found[role] = max(held[name] - hurt.get(name, 0), 0)
    return found
