"""What a Die Codes sheet says beyond the file: every skill's code, what penalties leave of it, what a fight needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheetgen.dice.source import Scripted
from sheetgen.model.cast import Item
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play
from sheetgen.systems.diecodes.codes import codes_in
from sheetgen.systems.diecodes.creation import fact
from sheetgen.systems.diecodes.rounds import reactions_of, working

ROWS = 6  # of the table of penalties on the sheet
MOST_REACTIONS, MOST_WEAPONS = 2, 3
PENALTIES = (1, 2, 3)
LUCK_BOXES = 5
NO_DICE = "—"


def figures(system: System, character: Character) -> Mapping[str, str]:
    """Every figure by name: `code.dodge`, `raise.dodge`, rows `act.1.name` with its codes, `fight`, `luck.1`."""
    pips = all_codes(system, character)
    if not pips:
        return {}
    codes, stats = codes_in(system), character.numbers("stats")
    found = {f"code.{name}": codes.write(level) for name, level in pips.items()}
    stat = {trait.name: trait.section for trait in system.group("skills").members}
    for name, level in character.numbers("skills").items():
        if name in stat and level > stats.get(stat[name], level):
            found[f"raise.{name}"] = f"+{codes.raised(level - stats[stat[name]])}"
    acts = list(_acts(system, character, pips))
    for number, (said, level) in enumerate(acts[:ROWS], 1):
        found.update({f"act.{number}.{name}": text for name, text in _row(system, said, level).items()})
    found["fight"] = "\n".join(f"{said} {codes.write(level)}" for said, level in _fight(system, character, pips))
    found.update(_luck(system, character))
    return found


def all_codes(system: System, character: Character) -> dict[str, int]:
    """The pips of every skill whose stat is known: as written, else those of its stat (`DIE-018`)."""
    stats, raised = character.numbers("stats"), character.numbers("skills")
    return {
        trait.name: raised.get(trait.name, stats[trait.section])
        for trait in system.group("skills").members
        if trait.section in stats
    }


def _row(system: System, said: str, level: int) -> dict[str, str]:
    """A line of the table: the code, what is left of it under one, two and three dice of penalty, and doubled."""
    table, codes = Play(system, Scripted(())), codes_in(system)
    left = {f"less.{dice}": working(table, level, dice) for dice in PENALTIES}
    left.update({"code": level, "double": working(table, level, 0, doubled=True)})
    return {"name": said, **{name: codes.write(pips) if pips else NO_DICE for name, pips in left.items()}}


def weapons(system: System, character: Character) -> dict[str, str]:
    """The things owned that a fight is fought with, and the skill of each; bare hands come last."""
    arms, hands = tuple(system.values.names("arms")), system.values.text("exchange.bare_hands")
    owned = {thing.name: fact(thing, "skill") for thing in _owned(system, character)}
    found = {name: skill for name, skill in owned.items() if skill in arms}
    return found if hands in found.values() else {**found, hands: hands}


def _owned(system: System, character: Character) -> list[Item]:
    by_name = {name.casefold(): thing for name, thing in system.cast.things.items()}
    return [by_name[line.casefold()] for line in character.lines("gear") if line.casefold() in by_name]


def answers(system: System, character: Character, pips: Mapping[str, int]) -> list[tuple[str, int]]:
    """The reactions that somebody can throw in, the best first: one that needs a thing in hand needs one owned."""
    needs = {name: system.values.text(f"exchange.needs.{name}") for name in system.values.names("exchange.needs")}
    in_hand = {fact(thing, "skill") for thing in _owned(system, character)}
    names = [str(name) for name in listed(system, "exchange.answers.hand")]
    able = [name for name in names if name in pips and (name not in needs or {name, needs[name]} & in_hand)]
    return sorted(((name, pips[name]) for name in able), key=lambda answer: -answer[1])


def listed(system: System, path: str) -> tuple[str, ...]:
    """The words of a list among the pack's values."""
    words = system.values.at(path)
    return tuple(str(word) for word in words) if isinstance(words, tuple) else (str(words),)


def _fight(system: System, character: Character, pips: Mapping[str, int]) -> list[tuple[str, int]]:
    """Attacks, the best first, then reactions, the best first; bare hands only where nothing owned is better."""
    hands = system.values.text("exchange.bare_hands")
    attacks = [
        (f"{_capital(name)} ({skill})" if name != skill else _capital(skill), pips[skill])
        for name, skill in weapons(system, character).items()
        if skill in pips
    ]
    attacks.sort(key=lambda attack: -attack[1])
    attacks = [each for at, each in enumerate(attacks) if not at or each[0] != _capital(hands)]
    reactions = [(_capital(name), level) for name, level in answers(system, character, pips)]
    return attacks[:MOST_WEAPONS] + reactions[:MOST_REACTIONS]


def _acts(system: System, character: Character, pips: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The rows of the table of penalties: the fight first, then what else was raised, the best first."""
    fight = _fight(system, character, pips)
    yield from fight
    used = {*weapons(system, character).values(), *reactions_of(Play(system, Scripted(())))}
    raised = [(name, level) for name, level in character.numbers("skills").items() if name not in used]
    for name, level in sorted(raised, key=lambda pair: -pair[1]):
        yield _capital(name), level


def _luck(system: System, character: Character) -> dict[str, str]:
    held = character.numbers("fortune").get("luck", 0)
    found = {f"luck.{number}": "on" for number in range(1, min(held, LUCK_BOXES) + 1)}
    return {**found, "luck.more": f"+ {held - LUCK_BOXES}"} if held > LUCK_BOXES else found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
