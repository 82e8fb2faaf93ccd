"""What a character file means at the table: levels by pair, skills as they count, weapons, and how it fights.

At the end stands what is kept of somebody from session to session: experience, wound points, days of rest.
"""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.dice.source import Scripted
from sheetgen.errors import UsageError, quoted, suggestion
from sheetgen.model.cast import Item
from sheetgen.model.character import Character, Value
from sheetgen.model.data import Word
from sheetgen.model.procedures import Named
from sheetgen.model.system import System
from sheetgen.rules.consequences import YES, Consequence, Event, cited, counted, levels_with, reads, trait_named
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import rulings_of
from sheetgen.systems.tsgs.attacks import FISTS
from sheetgen.systems.tsgs.combatants import Combatant
from sheetgen.systems.tsgs.rolls import Roller, pool_of
from sheetgen.systems.tsgs.traits import advance, plus_of, skill_label, universal_in, written
from sheetgen.systems.tsgs.wounds import Weapon, extra_wounds, recover

NONE, BASIC = "none", "basic"
WEAPON_FACTS = ("kind", "lethal")
REFUSED = {
    "no_tutor": ("nobody taught {}: --helper says that somebody did", "TSG-084"),
    "not_enough_xp": ("too few points for {}", "TSG-082"),
    "advanced_not_allowed": ("{} would be more advanced than the GM allows", "TSG-088"),
}


def quiet(system: System) -> Play:
    """A table at which nothing is rolled or told, for the rules that only reckon."""
    return Play(system, Scripted(()), rulings=rulings_of(system))


def levels_by_pair(system: System, character: Character) -> dict[str, str]:
    """The level of every pair, by the pair's role; what is not written is normal (`TSG-012`)."""
    group, written = system.group("abilities"), character.numbers("abilities")
    return {trait.role: group.scale.plain(written.get(trait.name, trait.default or 0)) for trait in group.members}


def skill_levels(system: System, character: Character) -> dict[str, str]:
    """Every skill held, by role, as the procedures write it; what everybody can do is held at least plainly."""
    group, written = system.group("skills"), character.numbers("skills")
    free = universal_in(system.values, character.text("setting"))
    names = {trait.role: written.get(trait.name, 0) for trait in group.members}
    return {
        role: group.scale.plain(level) if level else BASIC for role, level in names.items() if level or role in free
    }


def tally(system: System, character: Character) -> dict[str, int]:
    """Every count that changes in play, by role."""
    held = character.numbers("tally")
    return {trait.role: held.get(trait.name, 0) for trait in system.group("tally").members}


def pluses(character: Character) -> dict[str, int]:
    """The plus of each skill that was paid for, by name: 0 for a plain one."""
    held = {**character.numbers("skills"), **character.numbers("own")}
    return {name: level - 1 for name, level in held.items() if level}


def arms(system: System, character: Character) -> dict[str, Item]:
    """The weapons among somebody's belongings, by the words that name them there."""
    things = system.cast.things
    named = {line: things.get(line) or things.get(line.casefold()) for line in character.lines("gear")}
    return {line: thing for line, thing in named.items() if thing is not None and _is_weapon(thing)}


def _is_weapon(thing: Item) -> bool:
    return all(isinstance(thing.facts.get(name), Word) for name in WEAPON_FACTS)  # type: ignore[call-overload]


def weapon_of(thing: Item) -> Weapon:
    """The weapon that a thing of the pack is."""
    lethal = thing.text("lethal").lower() in ("yes", "true", "on")
    return Weapon(thing.text("kind"), thing.text("size") or None, lethal, name=thing.name)  # type: ignore[arg-type]


def skill_for(system: System, thing: Item | None) -> str:
    """The skill that trains a weapon, or bare hands; nothing for what needs no learning."""
    return system.values.text("skills.unarmed") if thing is None else thing.text("skill")


def fighter(system: System, character: Character, thing: Item | None) -> Combatant:
    """Somebody as a fight knows them, armed with a thing or with bare hands (`TSG-025`, `TSG-027`, `TSG-092`)."""
    values, held, counts = system.values, skill_levels(system, character), tally(system, character)
    trained = skill_for(system, thing)
    skill = held.get(trained, NONE) if trained else BASIC
    untrained = values.number("skills.unskilled_weapon") if skill == NONE and thing is not None else 0
    return Combatant(
        name=character.text("name"),
        levels=Named(levels_by_pair(system, character)),
        attack_skill=skill,
        unskilled=untrained,
        defend=values.text("skills.dodges_with"),
        defend_skill=held.get(values.text("skills.dodge"), NONE),
        medical=held.get(values.text("tending.skill"), NONE),
        weapon=weapon_of(thing) if thing is not None else FISTS,
        ignores=counts["ignores"],
        wounds=counts["wounds"],
    )


def best_armed(system: System, character: Character) -> Item | None:
    """The weapon with which somebody rolls most dice, the harder hit first; None where bare hands roll more."""
    play, ways = quiet(system), (*arms(system, character).values(), None)
    return max(ways, key=lambda thing: attack_dice(play, fighter(system, character, thing)))


def attack_dice(play: Play, armed: Combatant, roll: str = "") -> tuple[int, int]:
    """The dice of an attack by somebody unhurt, and the wound points of a hit (`TSG-058` to `TSG-066`).

    Without a roll, the one that a fight would use.
    """
    used = roll or armed.attacker(play).roll
    level = armed.levels[used]
    pool = pool_of(play, Roller(None, level, armed.attack_skill, armed.unskilled), armed.name)
    return pool, extra_wounds(play, roll_used=used, level=level, weapon=armed.weapon)


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """Everything that may be filled in; `what` is the weapon, skill or ability used, the best weapon if nothing.

    UsageError for a word that is none of these.
    """
    values, held, pairs = system.values, skill_levels(system, character), levels_by_pair(system, character)
    pair, skill, thing = _used(system, character, what)
    armed = fighter(system, character, thing)
    attack, weapon = armed.attacker(quiet(system)), armed.weapon
    arm = {"kind": weapon.kind, "lethal": weapon.lethal, "name": weapon.words}
    return {
        "level": pairs[pair] if pair else None,
        "skill": held.get(skill, NONE) if skill else NONE,
        "physical": pair in values.words("wounds.physical"),
        "levels": pairs,
        "roll": attack.roll,
        "roll_level": attack.level,
        "weapon": arm if weapon.size is None else {**arm, "size": weapon.size},
        "weapon_skill": armed.attack_skill,
        "unskilled": armed.unskilled,
        "defend": armed.defend,
        "defend_level": pairs[armed.defend],
        "defend_skill": armed.defend_skill,
        "clever": pairs[values.text("tending.clever")],
        "medical": armed.medical,
        "tough": pairs[values.text("wounds.toughness")],
        "fast": pairs[values.text("movement.pair")],
        "agile": pairs[values.text("skills.dodges_with")],
        "traits": [name for pair, level in pairs.items() if (name := written(values, pair, level))],
        "ignores": armed.ignores,
        "wounds": armed.wounds,
        "xp": tally(system, character)["xp"],
        "skills": [skill_label(name, plus) for name, plus in pluses(character).items()],
        "universal": sorted(universal_in(values, character.text("setting"))),
    }


def _used(system: System, character: Character, what: str) -> tuple[str, str, Item | None]:
    """The ability and the skill that a word stands for, and the weapon that goes with it."""
    values, word = system.values, what.casefold()
    things = {thing.name.casefold(): thing for thing in system.cast.things.values()}
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
            trained = (each for each in arms(system, character).values() if skill_for(system, each) == skill)
            return values.text(f"skills.usual.{skill}"), skill, next(trained, None)
    known = [*things, *values.names("skills.usual"), *values.names("pairs")]
    raise UsageError(f"with: no weapon, skill or ability is called {quoted(what)}{suggestion(what, known)}")


@reads(on=True, helper=YES)
def experience(play: Play, character: Character, event: Event) -> Consequence:
    """The award of a session, and a skill pick for each skill named (`TSG-080` to `TSG-084`)."""
    system, counts = play.system, tally(play.system, character)
    least, most = (play.values.number(f"experience.award.{name}") for name in ("least", "most"))
    if not least <= event.amount <= most:
        told = f"a session gives {least} to {most} points, not {event.amount}"
        raise Refused("award", told, "TSG-080")
    if event.helper and not event.on:
        raise Refused("helper", "a teacher teaches a skill: name it with --on, or leave --helper out", "TSG-084")
    own = {name.casefold(): ("own", name) for name in character.numbers("own")}
    bought = [own.get(each.casefold()) or trait_named(system, ("skills",), each) for each in event.on]
    names = tuple(name for _, name in bought)
    legal, left, skills, problems = advance(
        play,
        xp=counts["xp"],
        award=event.amount,
        skills=tuple(skill_label(name, plus) for name, plus in pluses(character).items()),
        universal=tuple(universal_in(play.values, character.text("setting"))),
        buy=names,
        tutored=names if event.helper else (),
    )
    if not legal:
        words, rule = REFUSED[min(problems)]
        raise Refused(min(problems), words.format(", ".join(names)), rule)
    after = {name: plus + 1 for name, plus in map(plus_of, skills)}
    changes = _tally(play, character, xp=left, bought=counts["bought"] + len(names))
    values: dict[str, Value] = {**changes}
    for group in {group for group, _ in bought}:
        values[group] = levels_with(character, group, {name: after[name] for each, name in bought if each == group})
    gained = f", {' and '.join(skill_label(name, after[name] - 1) for name in dict.fromkeys(names))}" if names else ""
    rules = ("TSG-081", "TSG-082") if names else ("TSG-081",)
    return Consequence(cited(f"experience {counts['xp']} to {left}{gained}", *rules), values)


@reads()
def injury(play: Play, character: Character, event: Event) -> Consequence:
    """Wound points, added to those that are open (`TSG-065`)."""
    before = tally(play.system, character)["wounds"]
    after = before + event.amount
    said = cited(f"wounds {before} to {after}", "TSG-065")
    return Consequence(said, _tally(play, character, wounds=after))


@reads(helper=YES)
def rest(play: Play, character: Character, event: Event) -> Consequence:
    """Days of rest, with a medic where somebody helps (`TSG-075` to `TSG-077`)."""
    before = tally(play.system, character)["wounds"]
    if not before:
        raise Refused("unhurt", "there is no wound point to close", "TSG-075")
    tough = levels_by_pair(play.system, character)[play.values.text("wounds.toughness")]
    medic = bool(event.helper)
    left, _ = recover(play, tough=tough, wounds=before, days=event.amount, medic=medic)
    came = f"wounds {before} to {left}" if left < before else f"no better yet, wounds {before}"
    said = cited(f"{counted(event.amount, 'day')} of rest: {came}", "TSG-075", *(("TSG-076",) if medic else ()))
    return Consequence(said, _tally(play, character, wounds=left))


def _tally(play: Play, character: Character, **counts: int) -> dict[str, dict[str, int]]:
    names = {trait.role: trait.name for trait in play.system.group("tally").members}
    return {"tally": levels_with(character, "tally", {names[role]: count for role, count in counts.items()})}
