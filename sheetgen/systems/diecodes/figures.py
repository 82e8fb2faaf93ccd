"""What a Die Codes character says beyond the file: figures of the sheet, arms, what procedures take, what is illegal.

The pages have no figures for any weapon (`DIE-Q22`): force and reach are rules of the house (`DIE-H5`), and a table
that leaves them to the GM has none on its pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sheetgen.dice.source import Scripted
from sheetgen.errors import Problem, UsageError, quoted, suggestion
from sheetgen.model.cast import Item
from sheetgen.model.character import Character
from sheetgen.model.people_pages import slots_of
from sheetgen.model.system import System
from sheetgen.model.wording import DOT, capital
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.diecodes.codes import Codes, codes_in, codes_of
from sheetgen.systems.diecodes.making import Budgets, Fault
from sheetgen.systems.diecodes.rounds import reactions_of, working

HARM, ARMS, FORCE_ROLLED = "DIE-H1", "DIE-H5", "force rolled"
ARM, HAND = "arm", "hand"


class Attack(NamedTuple):
    """One way to attack: what with, the skill, its pips, the code of its force, and its reach, or a hand's."""

    name: str
    skill: str
    level: int
    force: str
    reach: str


def owned(system: System, character: Character) -> list[Item]:
    """The things in somebody's gear that the pack knows."""
    by_name = {name.casefold(): thing for name, thing in system.cast.things.items()}
    return [by_name[line.casefold()] for line in character.lines("gear") if line.casefold() in by_name]


def weapons(system: System, character: Character) -> dict[str, str]:
    """The things owned that a fight is fought with, and the skill of each; bare hands come last."""
    arms, hands = tuple(system.values.names("arms")), system.values.text("exchange.bare_hands")
    used = {thing.name: thing.text("skill") for thing in owned(system, character)}
    armed = {name: skill for name, skill in used.items() if skill in arms}
    return armed if hands in armed.values() else {**armed, hands: hands}


def attacks(system: System, character: Character, levels: dict[str, int]) -> list[Attack]:
    """The attacks by the pips of each skill, the best first, in the order of the gear where they are as good."""
    table = Play(system, Scripted(()))
    found = [
        Attack(name, skill, levels[skill], *_hits(table, character, name, skill))
        for name, skill in weapons(system, character).items()
        if skill in levels
    ]
    return sorted(found, key=lambda attack: -attack.level)


def _hits(table: Play, character: Character, name: str, skill: str) -> tuple[str, str]:
    """The code of the force of a thing, or of bare hands, and its reach; nothing where that is for the GM to say."""
    system, values = table.system, table.values
    thing = system.cast.things.get(name)
    weapon = values.text("house.unarmed") if thing is None else thing.text(ARM)
    left_to_gm = system.rulings.get(HARM, FORCE_ROLLED) != FORCE_ROLLED or {HARM, ARMS} & set(system.without)
    if left_to_gm or weapon not in values.names("house.weapons"):
        return "", ""
    path, behind = f"house.weapons.{weapon}", character.numbers("stats").get(values.text("house.harm.stat"))
    if behind is None and not values.has(f"{path}.force"):
        return "", ""
    codes = codes_in(system)
    force = force_of(table, weapon, codes.write(behind) if behind is not None else "")
    return codes.write(force), _reach(table, path, values.text(f"arms.{skill}"))


def _reach(table: Play, path: str, distance: str) -> str:
    """A hand's reach, or how far it flies: what is held may be thrown by who throws it."""
    if distance == HAND:
        return HAND
    return table.values.text(f"{path}.thrown" if table.values.has(f"{path}.thrown") else f"{path}.reach")


def force_of(play: Play, weapon: str, by: str, *, doubled: bool = False) -> int:
    """The pips that a weapon strikes with: its own, or the Strength behind it with so many dice more (`DIE-H5`)."""
    codes, path = codes_of(play), f"house.weapons.{weapon}"
    if play.values.has(f"{path}.force"):
        return codes.read(play.values.text(f"{path}.force"), "force")
    strength = working(play, codes.read(by, "by"), 0, doubled=doubled)
    return codes.kept(strength + codes.per_die * play.values.number(f"{path}.dice"))


ROWS = 6  # of the table of penalties on the sheet
MOST_REACTIONS, MOST_WEAPONS = 2, 3
PENALTIES = (1, 2, 3)
LUCK_BOXES = 5
BEST = 3  # of what is no fight, on a roster
CODE_OF = "figure.code."  # a column of the roster for one skill, which stands nowhere else there
NO_DICE = "—"

_Rows = list[tuple[str, int]]  # names with their codes in pips


def stat_of_skills(system: System) -> dict[str, str]:
    """The stat of every skill."""
    return {trait.name: trait.section for trait in system.group("skills").members}


def figures(system: System, character: Character) -> Mapping[str, str]:
    """Every figure by name: `code.dodge`, `raise.dodge`, rows `act.1.name` with its codes, `fight`, `luck.1`.

    An attack has its force and its reach as well, in its row and in `attack.1.force`. For a roster `fights` and `good`
    are those rows parted, without reactions and skills that have a column of their own.
    """
    pips = all_codes(system, character)
    if not pips:
        return {}
    codes, skills = codes_in(system), character.numbers("skills")
    fought, reactions = _fight(system, character, pips)
    strikes = [(capital(attack.name), attack.level) for attack in fought]
    found = {f"code.{name}": codes.write(level) for name, level in pips.items()}
    for name, more in _raises(system, character).items():
        if more > 0:
            found[f"raise.{name}"] = f"+{codes.raised(more)}"
    used = {*weapons(system, character).values(), *reactions_of(Play(system, Scripted(())))}
    others = sorted(((capital(name), level) for name, level in skills.items() if name not in used), key=_best_first)
    for number, (name, level) in enumerate([*strikes, *reactions, *others][:ROWS], 1):
        found.update({f"act.{number}.{column}": text for column, text in _row(system, name, level)})
    alone = _in_columns(system)
    beside, good = ([row for row in rows if row[0].casefold() not in alone] for rows in (reactions, others))
    for kind, rows in (("fights", [*strikes, *beside][:ROWS]), ("good", good[:BEST])):
        for number, (name, level) in enumerate(rows, 1):
            found.update({f"{kind}.{number}.{column}": text for column, text in _row(system, name, level)})
    for number, attack in enumerate(fought, 1):
        told = _told(codes, attack)
        found |= {f"attack.{number}.{column}": text for column, text in told.items() if text}
        shown = (f"act.{number}.force", f"act.{number}.reach", f"fights.{number}.force", f"fights.{number}.reach")
        found |= {name: text for name in shown if (text := told[name.rpartition(".")[2]])}
    for number, (name, level) in enumerate(reactions, 1):
        found |= {f"reaction.{number}.name": name, f"reaction.{number}.code": codes.write(level)}
    lines = [f"{capital(attack.name)} {_told(codes, attack)['rolled']}" for attack in fought]
    answers = DOT.join(f"{name} {codes.write(level)}" for name, level in reactions)
    found["fight"] = "\n".join(filter(None, (*lines, answers)))
    held = character.numbers("fortune").get("luck", 0)
    found.update({f"luck.{number}": "on" for number in range(1, min(held, LUCK_BOXES) + 1)})
    return {**found, "luck.more": f"+ {held - LUCK_BOXES}"} if held > LUCK_BOXES else found


def _in_columns(system: System) -> frozenset[str]:
    """The skills for which the roster of the pack has a column each."""
    columns = system.roster.columns if system.roster is not None else ()
    slots = (slot for column in columns for line in column.shows for slot in slots_of(line))
    return frozenset(slot.removeprefix(CODE_OF) for slot in slots if slot.startswith(CODE_OF))


def _told(codes: Codes, attack: Attack) -> dict[str, str]:
    """An attack by its columns; `hits` is the force with the reach of what flies, `rolled` all of it in a line."""
    far = attack.reach if attack.reach != HAND else ""
    return {
        "name": capital(attack.name),
        "code": codes.write(attack.level),
        "force": attack.force,
        "reach": attack.reach,
        "hits": ", ".join(filter(None, (attack.force, far))),
        "rolled": ", ".join(filter(None, (codes.write(attack.level), attack.force and f"force {attack.force}", far))),
    }


def _best_first(row: tuple[str, int]) -> int:
    """Sorts the best first."""
    return -row[1]


def _raises(system: System, character: Character) -> dict[str, int]:
    """The pips of each skill written down above its stat, where the stat is known."""
    stats, stat = character.numbers("stats"), stat_of_skills(system)
    skills = character.numbers("skills").items()
    return {name: pips - stats[stat[name]] for name, pips in skills if stat.get(name) in stats}


def all_codes(system: System, character: Character) -> dict[str, int]:
    """The pips of every skill whose stat is known: as written, else those of its stat (`DIE-018`)."""
    stats, raised = character.numbers("stats"), character.numbers("skills")
    return {name: raised.get(name, stats[stat]) for name, stat in stat_of_skills(system).items() if stat in stats}


def _row(system: System, name: str, level: int) -> Iterator[tuple[str, str]]:
    """A line of the table: the code, what is left of it under one, two and three dice of penalty, and doubled."""
    table, codes = Play(system, Scripted(())), codes_in(system)
    left = {f"less.{dice}": working(table, level, dice) for dice in PENALTIES}
    left |= {"code": level, "double": working(table, level, 0, doubled=True)}
    yield "name", name
    for column, pips in left.items():
        yield column, codes.write(pips) if pips else NO_DICE


def _reactions(system: System, character: Character, pips: Mapping[str, int]) -> list[tuple[str, int]]:
    """The reactions that somebody can throw in, the best first: one that needs a thing in hand needs one owned."""
    needs = {name: system.values.text(f"exchange.needs.{name}") for name in system.values.names("exchange.needs")}
    in_hand = {thing.text("skill") for thing in owned(system, character)}
    names = [name for name in system.values.words("exchange.answers.hand") if name in pips]
    able = [name for name in names if name not in needs or {name, needs[name]} & in_hand]
    return sorted(((name, pips[name]) for name in able), key=_best_first)


def _fight(system: System, character: Character, pips: dict[str, int]) -> tuple[list[Attack], _Rows]:
    """Attacks, the best first, then reactions, the best first; bare hands only where nothing owned is better."""
    hands = system.values.text("exchange.bare_hands")
    found = [each for at, each in enumerate(attacks(system, character, pips)) if not at or each.name != hands]
    reactions = [(capital(name), level) for name, level in _reactions(system, character, pips)]
    return found[:MOST_WEAPONS], reactions[:MOST_REACTIONS]


def parameters(system: System, character: Character, what: str) -> Mapping[str, object]:
    """What `told.NAME` in the pack's `uses:` stands for, for somebody who uses a skill, a stat or a thing.

    Without a word it is the weapon wielded best. UsageError for a word that means nothing, or a stat not written down.
    """
    codes, stats, skills = codes_in(system), character.numbers("stats"), all_codes(system, character)
    skill = _used_skill(system, character, what)
    levels = {**stats, **skills}
    if skill not in levels:
        raise UsageError(f"{character.text('name')} has no {stat_of_skills(system).get(skill, skill)}")
    able = {name: codes.write(pips) for name, pips in _reactions(system, character, skills)}
    values, senses = system.values, system.values.text("exchange.declares_by")
    is_arm = skill in values.names("arms")
    meeting = values.words(f"exchange.answers.{values.text(f'arms.{skill}')}") if is_arm else tuple(able)
    return {
        "code": codes.write(levels[skill]),
        "skill": skill if is_arm else None,
        "reactions": able,
        "reaction": next((code for name, code in able.items() if name in meeting), None),
        "codes": {name: codes.write(skills[name]) for name in character.numbers("skills")},
        "stats": {name: codes.write(pips) for name, pips in stats.items()},
        "raises": _raises(system, character),
        "perception": codes.write(stats[senses]) if senses in stats else None,
        "strength": codes.write(stats[tough]) if (tough := values.text("house.harm.stat")) in stats else None,
    }


def _used_skill(system: System, character: Character, what: str) -> str:
    """The skill or stat that a word stands for, or that a thing is used with; without a word, that of the best arm."""
    if not what:
        levels = all_codes(system, character)
        return max(weapons(system, character).values(), key=lambda skill: levels.get(skill, 0))
    if what in system.cast.things:
        return system.cast.things[what].text("skill")
    names = [trait.name for group in ("stats", "skills") for trait in system.group(group).members]
    if what not in names:
        near = suggestion(what, [*names, *system.cast.things])
        raise UsageError(f"no skill, stat or thing is called {quoted(what)}{near}")
    return what


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of a character: stats that do not share the budget, skills below their stat or beyond theirs.

    Somebody without any stats or skills is no more than a name, and legal.
    """
    budgets, skills = Budgets(system), character.numbers("skills")
    stats, raises = character.numbers("stats"), _raises(system, character)
    if not stats and not skills:
        return ()
    problems = [_problem(character, "stats", fault) for fault in budgets.stat_faults(stats)]
    if len(raises) == len(skills):
        faults = budgets.skill_faults(raises, character.numbers("fortune").get("growth", 0))
        problems += [_problem(character, "skills", fault) for fault in faults]
    return tuple(problems)


def _problem(character: Character, field: str, fault: Fault) -> Problem:
    places = character.places
    place = places.get(f"{field}.{fault.name}", places.get(field, character.place))
    return Problem(place, fault.message, fault.rule)
