"""What is kept of somebody from evening to evening: months of training, levels lost to injury, days of rest.

An injury is written into the log and not into the levels of the file, which stay those of somebody well (`GAM-232`).
"""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.model.character import Character
from sheetgen.model.scale import HEX_DIGITS
from sheetgen.rules.consequences import LEVEL, YES, Consequence, Event, cited, counted, reads, trait_named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import engine_of
from sheetgen.systems.gamers.healing import convalesce
from sheetgen.systems.gamers.injury import STATE_RULES, injure, state_of
from sheetgen.systems.gamers.terms import HIGHEST, Kind, printed, triad

TRAINED = {"attributes": "attribute", "features": "feature", "skills": "skill"}
SURROUNDINGS = "comfortable or equipped"
KINDS: tuple[Kind, ...] = ("physical", "mental")
LEADS = {"physical": "Endurance", "mental": "Grit"}  # GAM-Q64: what the check of a day of rest depends on


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
