"""The figures of a TSGS sheet: the rung of each ability, the dice of skills, attacks and defences, and the tracks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.registry import engine_of, rulings_of
from sheetgen.systems.tsgs.abilities import written
from sheetgen.systems.tsgs.combatants import Combatant
from sheetgen.systems.tsgs.movement import paces_of
from sheetgen.systems.tsgs.pools import Makings, pool_of
from sheetgen.systems.tsgs.skills import skill_label, universal_in
from sheetgen.systems.tsgs.standing import (
    NONE,
    arms,
    attack_dice,
    fighter,
    levels_by_pair,
    quiet,
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
