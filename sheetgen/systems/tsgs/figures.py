"""Figures for the sheet, what a character fills in for procedures, and what makes one illegal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from sheetgen.errors import Place, Problem, UsageError, quoted, suggestion
from sheetgen.model.cast import Item
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.creation.draft import ROLLED
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.systems.tsgs.abilities import EXPLAINED, check_character, written
from sheetgen.systems.tsgs.combatants import Combatant
from sheetgen.systems.tsgs.movement import paces_of
from sheetgen.systems.tsgs.rolls import Makings, pool_of
from sheetgen.systems.tsgs.skills import price, skill_label, universal_in
from sheetgen.systems.tsgs.standing import (
    NONE,
    arms,
    attack_dice,
    best_armed,
    fighter,
    labels,
    levels_by_pair,
    quiet,
    skill_for,
    skill_levels,
)

MOST_ARMS, SKILL_ROWS, MOST_TICKS = 3, 10, 12
ON = "x"
UNSIZED = "needs no weapon"


def figures(system: System, character: Character) -> Mapping[str, str]:
    """Every figure of the sheet by name; abilities and what follows from them only where some are written."""
    found = dict(_skills(system, character))
    found.update(_tracks(system, character))
    if "abilities" in character.values:
        found.update(_ladders(system, character))
        found.update(_arms(system, character))
        found.update(_glance(system, character))
    return found


def _ladders(system: System, character: Character) -> Iterator[tuple[str, str]]:
    """For each ability the word for it, its dice, the rung to ring, or what stands above the last rung."""
    values = system.values
    top = values.number(f"levels.{values.text('creation.highest.pc')}.dice")
    for pair, level in levels_by_pair(system, character).items():
        dice = values.number(f"levels.{level}.dice")
        yield f"trait.{pair}", written(values, pair, level, short=False)
        yield f"dice.{pair}", str(dice)
        yield (f"beyond.{pair}", f"{level} {dice}") if dice > top else (f"rung.{pair}.{dice}", ON)


def _skills(system: System, character: Character) -> Iterator[tuple[str, str]]:
    """The skills paid for, best first, each with what it is mostly rolled with; and what everybody can do."""
    rows = list(_skill_rows(system, character))
    shown = rows if len(rows) <= SKILL_ROWS else rows[: SKILL_ROWS - 1]
    for number, (name, ability, dice) in enumerate(shown, 1):
        yield f"skill.{number}.name", name
        yield f"skill.{number}.with", ability
        yield f"skill.{number}.dice", dice
    rest = rows[len(shown) :]
    if rest:
        yield f"skill.{SKILL_ROWS}.name", "; ".join(f"{name} {dice}".strip() for name, _, dice in rest)
    if character.values:
        yield "free.universal", ", ".join(sorted(universal_in(system.values, character.text("setting"))))


def _skill_rows(system: System, character: Character) -> Iterator[tuple[str, str, str]]:
    values, play, pairs = system.values, quiet(system), levels_by_pair(system, character)
    about, held = character.notes("about"), skill_levels(system, character)
    names = {trait.role: trait.name for trait in system.all_traits()}
    known = "abilities" in character.values
    for name, level in sorted(character.numbers("skills").items(), key=lambda item: -item[1]):
        if not level:
            continue
        role = system.traits[name].role
        label = skill_label(name, level - 1)
        told = f"{label}: {about[name]}" if name in about else label
        pair = values.text(f"skills.usual.{role}") if values.has(f"skills.usual.{role}") else ""
        pool = pool_of(play, Makings(pairs[pair], held[role]), name) if pair and known else 0
        yield told, names[pair] if pair else "", str(pool) if pair and known else ""
    for name, level in character.numbers("own").items():
        yield skill_label(name, level - 1), "", ""


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to attack: what with, what is rolled, the dice and the wound points of a hit."""

    line: str
    fights: Combatant
    roll: str
    dice: int
    wounds: int

    @property
    def worth(self) -> tuple[int, int]:
        return self.dice, self.wounds


def _way(play: Play, line: str, fights: Combatant) -> _Way:
    roll = fights.attacker(play).roll
    return _Way(line, fights, roll, *attack_dice(play, fights, roll))


def _arms(system: System, character: Character) -> Iterator[tuple[str, str]]:
    """The rows of the weapon table, most dice first and bare hands last; what finds no row is noted with the thing."""
    play, owned = quiet(system), arms(system, character)
    ways = [_way(play, line, fighter(system, character, thing)) for line, thing in owned.items()]
    ways.sort(key=lambda way: way.worth, reverse=True)
    natural = any(way.fights.weapon.kind == "barehanded" for way in ways)
    shown = ways[: MOST_ARMS if natural else MOST_ARMS - 1]
    for way in ways[len(shown) :]:
        yield f"thing.{way.line.casefold()}", f"{system.by_role[way.roll].name} {way.dice}, wound {way.wounds}"
    if not natural:
        shown.append(_way(play, "bare hands", fighter(system, character, None)))
    for number, way in enumerate(shown, 1):
        for name, text in _arm_row(system, play, way).items():
            yield f"arms.{number}.{name}", text
    best = max(shown, key=lambda way: way.worth)
    yield "fight", f"{_sentence(best.line)}: {best.dice} {_dice(best.dice)}, wound {best.wounds}"


def _arm_row(system: System, play: Play, way: _Way) -> dict[str, str]:
    """One weapon: its best roll, the dice and wounds of each roll that is always allowed, and what a fall means."""
    values, fights = system.values, way.fights
    path = f"rolls.attack.{fights.weapon.kind}"
    row = {
        "name": _sentence(way.line),
        "roll": f"{system.by_role[way.roll].name} {way.dice}",
        "injury": f"wound {way.wounds}",
        "fells": "dying" if fights.weapon.lethal else "out cold",
        "note": ", ".join(filter(None, (fights.weapon.size or UNSIZED, "untrained" if fights.unskilled else ""))),
    }
    for roll in values.names(path):
        if values.text(f"{path}.{roll}") == "always":
            pool, points = way.worth if roll == way.roll else attack_dice(play, fights, roll)
            row[roll] = f"{pool} {_dice(pool)}, wound {points}"
    return row


def _glance(system: System, character: Character) -> Iterator[tuple[str, str]]:
    """Defence, initiative, movement and toughness, unhurt; the wound penalty is the player's to take off."""
    values, pairs, held = system.values, levels_by_pair(system, character), skill_levels(system, character)
    engine = engine_of(system)
    play = Play(system, quiet(system).dice, rulings=rulings_of(system, engine))
    dodge, defend = held.get(values.text("skills.dodge"), NONE), values.text("skills.dodges_with")
    dice = {pair: pool_of(play, Makings(level), pair) for pair, level in pairs.items()}
    names = {trait.role: trait.name for trait in system.group("abilities").members}
    guard = pool_of(play, Makings(pairs[defend], dodge), defend)
    yield "defence", f"{names[defend]} {guard}"
    others = [f"{names[roll]} {dice[roll]}" for roll in values.names("rolls.defence.melee") if roll != defend]
    yield "others", ", ".join(others)
    best = max((str(pair) for pair in values.at("initiative.best_of")), key=lambda pair: dice[pair])
    yield "initiative", f"{names[best]} {dice[best]}"
    clever = values.text("initiative.clever")
    yield "initiative.clever", f"{names[clever]} {max(dice[clever] - values.number('initiative.clever_penalty'), 0)}"
    fast = pairs[values.text("movement.pair")]
    yield "move", f"{paces_of(play, fast, 0, '')}, hurt {paces_of(play, fast, 1, '')}"
    tough = values.text("wounds.toughness")
    yield "toughness", f"{dice[tough]} {_dice(dice[tough])}"
    tend, medical = values.text("tending.clever"), held.get(values.text("tending.skill"), NONE)
    yield "tend", f"{names[tend]} {pool_of(play, Makings(pairs[tend], medical), tend)}"


def _tracks(system: System, character: Character) -> Iterator[tuple[str, str]]:
    """Ticks for the wound points suffered and for the experience points of the next pick."""
    tally, names = character.numbers("tally"), {trait.role: trait.name for trait in system.group("tally").members}
    wounds, points = tally.get(names["wounds"], 0), tally.get(names["xp"], 0)
    for number in range(1, min(wounds, MOST_TICKS) + 1):
        yield f"wound.{number}", ON
    for number in range(1, min(points, MOST_TICKS) + 1):
        yield f"xp.{number}", ON
    less = tally.get(names["ignores"], 0)
    more = [f"Shrugs off {less} wound point{'' if less == 1 else 's'} of each attack."] if less else []
    more += [f"{wounds} wounds."] if wounds > MOST_TICKS else []
    more += [f"{points} experience points."] if points > MOST_TICKS else []
    yield "more.else", " ".join((*more, character.text("special"))).strip()


def _dice(count: int) -> str:
    return "die" if count == 1 else "dice"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """Everything that may be filled in; `what` is the weapon, skill or ability used, the best weapon if nothing.

    UsageError for a word that is none of these.
    """
    values, held, pairs = system.values, skill_levels(system, character), levels_by_pair(system, character)
    pair, skill, thing = _used(system, character, what)
    armed = fighter(system, character, thing)
    attack = armed.attacker(quiet(system))
    physical = {str(name) for name in values.at("wounds.physical")}
    return {
        "level": pairs[pair] if pair else None,
        "skill": held.get(skill, NONE) if skill else NONE,
        "physical": pair in physical,
        "levels": pairs,
        "roll": attack.roll,
        "roll_level": attack.level,
        "weapon": _weapon(armed),
        "weapon_skill": armed.attack_skill,
        "unskilled": armed.unskilled,
        "defend": armed.defend,
        "defend_level": pairs[armed.defend],
        "defend_skill": armed.defend_skill,
        "clever": pairs[values.text("tending.clever")],
        "medical": armed.medical,
        "tough": pairs[values.text("wounds.toughness")],
        "fast": pairs[values.text("movement.pair")],
        "ignores": armed.ignores,
        "wounds": armed.wounds,
        "xp": character.numbers("tally").get(system.by_role["xp"].name, 0),
        "skills": labels(system, character),
        "universal": sorted(universal_in(values, character.text("setting"))),
    }


def _used(system: System, character: Character, what: str) -> tuple[str, str, Item | None]:
    """The ability and the skill that a word stands for, and the weapon that goes with it."""
    values, word = system.values, what.casefold()
    things = {thing.name.casefold(): thing for thing in system.cast.things.values()}
    owned = arms(system, character)
    if not what:
        return "", "", best_armed(system, character)
    if word in things:
        thing = things[word]
        return fighter(system, character, thing).attacker(quiet(system)).roll, skill_for(system, thing), thing
    for pair in values.names("pairs"):
        if word in (pair, *(values.text(f"pairs.{pair}.{half}").casefold() for half in ("ability", "disability"))):
            return pair, "", best_armed(system, character)
    for skill in values.names("skills.usual"):
        if word == skill.casefold():
            trained = [thing for thing in owned.values() if skill_for(system, thing) == skill]
            return values.text(f"skills.usual.{skill}"), skill, next(iter(trained), None)
    known = [*things, *values.names("skills.usual"), *values.names("pairs")]
    raise UsageError(f"with: no weapon, skill or ability is called {quoted(what)}{suggestion(what, known)}")


def _weapon(armed: Combatant) -> dict[str, object]:
    weapon = armed.weapon
    found: dict[str, object] = {"kind": weapon.kind, "lethal": weapon.lethal, "name": weapon.words}
    return found if weapon.size is None else {**found, "size": weapon.size}


PC, NPC = "pc", "npc"


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of a character; one without abilities (or skills) is a sketch that they are not asked of yet."""
    found = list(_monstrous(system, character))
    if "abilities" in character.values:
        found += _abilities(system, character)
    if character.numbers("skills") or character.numbers("own"):
        found += _skill_problems(system, character)
    return tuple(found)


def _kind(character: Character) -> str:
    return character.text("kind") or PC


def _abilities(system: System, character: Character) -> Iterator[Problem]:
    """The picks of abilities and disabilities, by the procedure that plays them (`TSG-006` to `TSG-010`)."""
    values = system.values
    levels = levels_by_pair(system, character)
    marks = tuple(filter(None, (written(values, pair, level, short=False) for pair, level in levels.items())))
    limit = character.origin.options.get("disabilities", "") if character.origin is not None else ""
    option = system.creation.options.get("disabilities")
    limits = [word for word in option.among if word.isdigit()] if option else []
    if limit == ROLLED:  # any of them may have come up
        limit = max(limits, key=int, default="")
    asked = int(limit) if limit in limits else None
    kind: Literal["pc", "npc"] = "npc" if _kind(character) == NPC else "pc"
    outcome = check_character(quiet(system), kind=kind, traits=marks, disability_limit=asked)
    place = character.places.get("abilities", character.place)
    for code in sorted(outcome.problems):
        said, rule = EXPLAINED[code]
        count = f" ({outcome.picks_used} used, {outcome.picks_allowed} allowed)" if "picks" in code else ""
        yield Problem(place, f"{said[:1].lower()}{said[1:]}{count}: {', '.join(marks) or 'no ability'}", rule)


def _skill_problems(system: System, character: Character) -> Iterator[Problem]:
    """What the skills cost against the picks there were, and how high they may stand (`TSG-018` to `TSG-020`)."""
    values, tally = system.values, _tally(system, character)
    free = universal_in(values, character.text("setting"))
    pluses = {system.traits[name].role: level - 1 for name, level in character.numbers("skills").items() if level}
    pluses.update({name: level - 1 for name, level in character.numbers("own").items() if level})
    place = character.places.get("skills", character.places.get("own", character.place))
    yield from _banned(system, character)
    if _kind(character) == NPC:
        return
    yield from _too_high(system, pluses, tally["bought"], place=place)
    die, sides, extra = (values.number(f"skills.die.{name}") for name in ("count", "sides", "plus"))
    least, most = die + extra, die * sides + extra
    rolled = tally["skill_picks"]
    if rolled and not least <= rolled <= most:
        message = f"{rolled} skill picks cannot be rolled: a die and {extra} come to {least} to {most}"
        yield Problem(character.places.get("tally", character.place), message, "TSG-018")
    cost = sum(price(values, plus, universal=name in free) for name, plus in pluses.items())
    picks = (rolled or most) + tally["bought"]
    if cost > picks:
        had = f"{picks} were to be had" if rolled or tally["bought"] else f"{most} are the most a die can give"
        yield Problem(place, f"the skills cost {cost} picks, but {had}", "TSG-018")


def _too_high(system: System, pluses: dict[str, int], bought: int, *, place: Place) -> Iterator[Problem]:
    values = system.values
    start, limit = values.number("skills.highest_at_start"), values.number("experience.advanced_limit")
    above = [name for name, plus in pluses.items() if plus > start]
    if not above:
        return
    if not bought:
        yield Problem(place, f"{', '.join(above)}: nobody begins with a skill above +{start}", "TSG-089")
    elif len(above) > limit:
        yield Problem(place, f"{', '.join(above)}: skills above +{start} are {limit or 'none'} here", "TSG-088")


def _banned(system: System, character: Character) -> Iterator[Problem]:
    """A skill that would be nothing but a bonus to one ability (`TSG-024`)."""
    values = system.values
    words = {trait.name.casefold() for trait in system.group("abilities").members}
    words |= {values.text(f"pairs.{pair}.ability").casefold() for pair in values.names("pairs")}
    for name in character.numbers("own"):
        if name.casefold() in words:
            message = f"{quoted(name)} would be a lasting bonus to one ability, and no skill may be that"
            yield Problem(character.places.get("own", character.place), message, "TSG-024")


def _monstrous(system: System, character: Character) -> Iterator[Problem]:
    """What only monsters have: harm they shrug off, and powers of their own (`TSG-090`, `TSG-092`)."""
    if _kind(character) == NPC:
        return
    if _tally(system, character)["ignores"]:
        place = character.places.get("tally", character.place)
        yield Problem(place, "only monsters shrug off wound points (write kind: npc)", "TSG-092")
    if character.text("special"):
        place = character.places.get("special", character.place)
        yield Problem(place, "only monsters have special rules of their own (write kind: npc)", "TSG-090")


def _tally(system: System, character: Character) -> dict[str, int]:
    held = character.numbers("tally")
    return {trait.role: held.get(trait.name, 0) for trait in system.group("tally").members}
