"""What a TSGS character file must keep beyond its shapes: picks of abilities, picks of skills, and what is an NPC's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from sheetgen.errors import Place, Problem, quoted
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.creation.draft import ROLLED
from sheetgen.systems.tsgs.abilities import EXPLAINED, check_character, written
from sheetgen.systems.tsgs.skills import price, universal_in
from sheetgen.systems.tsgs.standing import levels_by_pair, quiet

PC, NPC = "pc", "npc"


def judge(system: System, character: Character) -> tuple[Problem, ...]:
    """The problems of a character; one without abilities (or skills) is a sketch that they are not asked of yet."""
    found = list(_monstrous(system, character))
    if "abilities" in character.values:
        found += _abilities(system, character)
    if character.numbers("skills") or character.numbers("own"):
        found += _skills(system, character)
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


def _skills(system: System, character: Character) -> Iterator[Problem]:
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
