"""Figures for the sheet, and what makes a character illegal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sheetgen.errors import Problem, quoted
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.model.wording import capital
from sheetgen.rules.creation.draft import ROLLED
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.tsgs.attacks import FLYING
from sheetgen.systems.tsgs.characters import (
    NONE,
    arms,
    attack_dice,
    fighter,
    levels_by_pair,
    pluses,
    quiet,
    skill_levels,
    tally,
)
from sheetgen.systems.tsgs.combatants import Combatant, always_allowed
from sheetgen.systems.tsgs.dice_pool import Kind
from sheetgen.systems.tsgs.rolls import Roller, pool_of
from sheetgen.systems.tsgs.traits import EXPLAINED, check_character, paces_of, price, skill_label, universal_in, written

MOST_ARMS, SKILL_ROWS, MOST_TICKS = 3, 10, 12
ON = "x"
UNSIZED = "needs no weapon"


def figures(system: System, character: Character) -> Mapping[str, str]:
    """Every figure of the sheet by name; abilities and what follows from them only where some are written."""
    parts = [_skills, _tracks]
    if "abilities" in character.values:
        parts += [_ladders, _arms, _glance]
    return {name: text for part in parts for name, text in part(system, character)}


def _ladders(system: System, character: Character) -> Iterator[tuple[str, str]]:
    """For each ability the word for it, its dice, the rung to ring, or what stands above the last rung."""
    values = system.values
    top = values.number(f"levels.{values.text('creation.highest.pc')}.dice")
    for pair, level in levels_by_pair(system, character).items():
        dice = values.number(f"levels.{level}.dice")
        yield f"trait.{pair}", written(values, pair, level)
        yield f"dice.{pair}", str(dice)
        yield (f"beyond.{pair}", f"{level} {dice}") if dice > top else (f"rung.{pair}.{dice}", ON)


def _skills(system: System, character: Character) -> Iterator[tuple[str, str]]:
    """The skills paid for, best first, each with what it is mostly rolled with; and what everybody can do."""
    rows = list(_skill_rows(system, character))
    count = SKILL_ROWS if len(rows) <= SKILL_ROWS else SKILL_ROWS - 1
    for number, (name, ability, dice) in enumerate(rows[:count], 1):
        yield f"skill.{number}.name", name
        yield f"skill.{number}.with", ability
        yield f"skill.{number}.dice", dice
    if rows[count:]:
        yield f"skill.{SKILL_ROWS}.name", "; ".join(f"{name} {dice}".strip() for name, _, dice in rows[count:])
    if character.values:
        yield "free.universal", ", ".join(sorted(universal_in(system.values, character.text("setting"))))


def _skill_rows(system: System, character: Character) -> Iterator[tuple[str, str, str]]:
    """The name of each skill, the ability that it is mostly rolled with, and the dice of both."""
    values, play, pairs = system.values, quiet(system), levels_by_pair(system, character)
    about, held = character.notes("about"), skill_levels(system, character)
    for name, level in sorted(character.numbers("skills").items(), key=lambda item: -item[1]):
        if not level:
            continue
        role = system.traits[name].role
        label = skill_label(name, level - 1) + (f": {about[name]}" if name in about else "")
        pair = values.text(f"skills.usual.{role}") if values.has(f"skills.usual.{role}") else ""
        dice = ""
        if pair and "abilities" in character.values:
            dice = str(pool_of(play, Roller(level=pairs[pair], skill=held[role]), name))
        yield label, system.by_role[pair].name if pair else "", dice
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
    """The rows of the weapon table, most dice first and bare hands last; what finds no row is noted with the thing.

    Bare hands leave their row to a weapon that somebody has learnt and that would find none.
    """
    play = quiet(system)
    ways = [_way(play, line, fighter(system, character, thing)) for line, thing in arms(system, character).items()]
    ways.sort(key=lambda way: way.worth, reverse=True)
    natural = any(way.fights.weapon.kind == "barehanded" for way in ways)
    hands = [] if natural else [_way(play, "bare hands", fighter(system, character, None))]
    learnt = any(not way.fights.unskilled for way in ways[MOST_ARMS - 1 :])
    count = MOST_ARMS if natural or learnt else MOST_ARMS - 1
    rows = (ways[:count] + hands)[:MOST_ARMS]
    for way in ways[count:]:
        yield f"thing.{way.line.casefold()}", f"{system.by_role[way.roll].name} {way.dice}, wound {way.wounds}"
    for number, way in enumerate(rows, 1):
        for name, text in _arm_row(system, play, way):
            yield f"arms.{number}.{name}", text
    best = max(ways[:count] + hands, key=lambda way: way.worth)
    yield "fight", f"{capital(best.line)}: {_dice(best.dice)}, wound {best.wounds}"


def _arm_row(system: System, play: Play, way: _Way) -> Iterator[tuple[str, str]]:
    """One weapon: its best roll, the dice and wounds of each roll that is always allowed, and what a fall means."""
    fights = way.fights
    yield "name", capital(way.line)
    yield "roll", f"{system.by_role[way.roll].name} {way.dice}"
    yield "dice", str(way.dice)
    yield "pool", _dice(way.dice)
    yield "block", f"{_dice(way.dice)}{_sources(system, play, way)}, {way.wounds} wound{'' if way.wounds == 1 else 's'}"
    yield "injury", f"wound {way.wounds}"
    yield "fells", "dying" if fights.weapon.lethal else "out cold"
    yield "note", ", ".join(filter(None, (fights.weapon.size or UNSIZED, "untrained" if fights.unskilled else "")))
    for roll in always_allowed(play, fights.weapon):
        pool, points = way.worth if roll == way.roll else attack_dice(play, fights, roll)
        yield roll, f"{_dice(pool)}, wound {points}"


def _sources(system: System, play: Play, way: _Way) -> str:
    """In brackets, where the dice of an attack come from: the ability, and what a skill adds or its lack takes.

    Nothing where it is the plain ability that anybody would think of: strength in the hand, dexterity at a distance.
    """
    ability, level = system.by_role[way.roll].name, way.fights.attacker(play).level
    dice = pool_of(play, Roller(level=level), ability)
    if way.dice != dice:
        other = f"skill +{way.dice - dice}" if way.dice > dice else f"untrained −{dice - way.dice}"
        return f" ({ability} {dice}, {other})"
    return "" if way.roll == ("dexterity" if way.fights.weapon.kind in FLYING else "strength") else f" ({ability})"


def _glance(system: System, character: Character) -> Iterator[tuple[str, str]]:
    """Defence, initiative, movement and toughness, unhurt; the wound penalty is the player's to take off."""
    values, pairs, held = system.values, levels_by_pair(system, character), skill_levels(system, character)
    play, names = quiet(system), {trait.role: trait.name for trait in system.group("abilities").members}

    def pool(pair: str, skill: str = NONE) -> int:
        return pool_of(play, Roller(level=pairs[pair], skill=skill), pair)

    def trained(pair: str, skill: str) -> str:
        return f"{names[pair]} {pool(pair, held.get(values.text(skill), NONE))}"

    defend, clever, fast = (values.text(path) for path in ("skills.dodges_with", "initiative.clever", "movement.pair"))
    yield "defence", trained(defend, "skills.dodge")
    others = [f"{names[roll]} {pool(roll)}" for roll in values.names("rolls.defence.melee") if roll != defend]
    yield "others", ", ".join(others)
    best = max(values.words("initiative.best_of"), key=pool)
    yield "initiative", f"{names[best]} {pool(best)}"
    yield "initiative.clever", f"{names[clever]} {max(pool(clever) - values.number('initiative.clever_penalty'), 0)}"
    yield "move", f"{paces_of(play, pairs[fast], 0, '')}, hurt {paces_of(play, pairs[fast], 1, '')}"
    yield "toughness", _dice(pool(values.text("wounds.toughness")))
    yield "tend", trained(values.text("tending.clever"), "tending.skill")


def _tracks(system: System, character: Character) -> Iterator[tuple[str, str]]:
    """Ticks for the wound points suffered and for the experience points of the next pick."""
    counts = tally(system, character)
    wounds, points, less = counts["wounds"], counts["xp"], counts["ignores"]
    price = system.values.number("experience.pick")
    for name, count, most in (("wound", wounds, MOST_TICKS), ("xp", points, price)):
        yield from ((f"{name}.{number}", ON) for number in range(1, min(count, most) + 1))
    more = [f"Shrugs off {less} wound point{'' if less == 1 else 's'} of each attack."] if less else []
    more += [f"{wounds} wounds."] if wounds > MOST_TICKS else []
    more += [f"{points} experience points."] if points > price else []
    yield "more.else", " ".join((*more, character.text("special"))).strip()


def _dice(count: int) -> str:
    return f"{count} {'die' if count == 1 else 'dice'}"


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of a character; one without abilities (or skills) is a sketch that they are not asked of yet."""
    problems = list(_monstrous(system, character))
    if "abilities" in character.values:
        problems += _abilities(system, character)
    if character.numbers("skills") or character.numbers("own"):
        problems += _skill_problems(system, character)
    return tuple(problems)


def _kind_of(character: Character) -> Kind:
    return "npc" if character.text("kind") == "npc" else "pc"


def _problem(character: Character, message: str, rule: str, *fields: str) -> Problem:
    """A problem at the first of these fields that the file has."""
    place = next((character.places[field] for field in fields if field in character.places), character.place)
    return Problem(place, message, rule)


def _abilities(system: System, character: Character) -> Iterator[Problem]:
    """The picks of abilities and disabilities, by the procedure that plays them (`TSG-006` to `TSG-010`)."""
    levels = levels_by_pair(system, character)
    marks = tuple(filter(None, (written(system.values, pair, level) for pair, level in levels.items())))
    limit = character.origin.options.get("disabilities", "") if character.origin is not None else ""
    option = system.creation.options.get("disabilities")
    limits = [word for word in option.among if word.isdigit()] if option else []
    if limit == ROLLED:  # any of them may have come up
        limit = max(limits, key=int, default="")
    most = int(limit) if limit in limits else None
    _, used, allowed, problems = check_character(
        quiet(system), kind=_kind_of(character), traits=marks, disability_limit=most
    )
    for code in sorted(problems):
        text, rule = EXPLAINED[code]
        count = f" ({used} used, {allowed} allowed)" if "picks" in code else ""
        message = f"{text[:1].lower()}{text[1:]}{count}: {', '.join(marks) or 'no ability'}"
        yield _problem(character, message, rule, "abilities")


def _skill_problems(system: System, character: Character) -> Iterator[Problem]:
    """What the skills cost against the picks there were, and how high they may stand (`TSG-018` to `TSG-020`)."""
    values, counts = system.values, tally(system, character)
    yield from _banned(system, character)
    if _kind_of(character) == "npc":
        return
    bought, rolled = counts["bought"], counts["skill_picks"]
    yield from _too_high(system, character, bought)
    die, sides, extra = (values.number(f"skills.die.{name}") for name in ("count", "sides", "plus"))
    least, most = die + extra, die * sides + extra
    if rolled and not least <= rolled <= most:
        message = f"{rolled} skill picks cannot be rolled: a die and {extra} come to {least} to {most}"
        yield _problem(character, message, "TSG-018", "tally")
    free = universal_in(values, character.text("setting"))
    roles = {trait.name: trait.role for trait in system.group("skills").members}
    prices = (price(values, plus, universal=roles.get(name, name) in free) for name, plus in pluses(character).items())
    cost, picks = sum(prices), (rolled or most) + bought
    if cost > picks:
        had = f"{picks} were to be had" if rolled or bought else f"{most} are the most a die can give"
        yield _problem(character, f"the skills cost {cost} picks, but {had}", "TSG-018", "skills", "own")


def _too_high(system: System, character: Character, bought: int) -> Iterator[Problem]:
    """Skills above what anybody begins with, or more advanced ones than the GM allows (`TSG-088`, `TSG-089`)."""
    start, limit = (system.values.number(path) for path in ("skills.highest_at_start", "experience.advanced_limit"))
    above = [name for name, plus in pluses(character).items() if plus > start]
    if above and not bought:
        message = f"{', '.join(above)}: nobody begins with a skill above +{start}"
        yield _problem(character, message, "TSG-089", "skills", "own")
    elif len(above) > limit:
        message = f"{', '.join(above)}: skills above +{start} are {limit or 'none'} here"
        yield _problem(character, message, "TSG-088", "skills", "own")


def _banned(system: System, character: Character) -> Iterator[Problem]:
    """A skill that would be nothing but a bonus to one ability (`TSG-024`)."""
    values = system.values
    words = {trait.name.casefold() for trait in system.group("abilities").members}
    words |= {values.text(f"pairs.{pair}.ability").casefold() for pair in values.names("pairs")}
    for name in character.numbers("own"):
        if name.casefold() in words:
            message = f"{quoted(name)} would be a lasting bonus to one ability, and no skill may be that"
            yield _problem(character, message, "TSG-024", "own")


def _monstrous(system: System, character: Character) -> Iterator[Problem]:
    """What only monsters have: harm they shrug off, and powers of their own (`TSG-090`, `TSG-092`)."""
    if _kind_of(character) == "npc":
        return
    if tally(system, character)["ignores"]:
        yield _problem(character, "only monsters shrug off wound points (write kind: npc)", "TSG-092", "tally")
    if character.text("special"):
        message = "only monsters have special rules of their own (write kind: npc)"
        yield _problem(character, message, "TSG-090", "special")
