"""Rolling alone: sheetgen against the same rules written down in plain Python, in one run.

usage: python benchmarks/rolling.py [COUNT]       (default 5000)

The plain way uses the global `random`, keeps no seed, no log and no order of its own, and looks through the whole list
whenever something has to fit; it reads the same names, trades, phrases and tables from the pack. Processor time counts.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence

from crowd import crowd, machine

from sheetgen.model.cast import Occupation, Phrase
from sheetgen.model.system import System
from sheetgen.people.rolling import RollOptions, roll


def two_dice() -> int:
    """What two dice show together."""
    return random.randint(1, 6) + random.randint(1, 6)


def fitting(phrases: Sequence[Phrase], levels: dict[str, int]) -> list[str]:
    """The phrases of which every condition holds."""
    return [each.say for each in phrases if all(levels.get(trait) in allowed for trait, allowed in each.fits)]


def plain_character(system: System) -> dict[str, object]:
    """One GAMERS character as somebody would write it on an afternoon."""
    cast, table = system.cast, system.tables["skills"]
    levels = {trait.role: two_dice() for group in ("attributes", "features") for trait in system.group(group).members}
    levels["Tech"] = 6
    skills: dict[str, int] = {}
    left = two_dice()
    while left:
        left -= 1
        entry = table.row(10 * random.randint(1, 6) + random.randint(1, 6))["is"]
        if entry == "player choice":
            entry = random.choice(list(skills)) if skills else "roll twice"
        elif entry == "GM choice":
            entry = random.choice([trait.role for trait in system.group("skills").members])
        if entry == "roll twice":
            left += 2
        else:
            skills[entry] = skills.get(entry, 0) + 1
    levels.update(skills)
    trade = random.choice(_apt(system, skills, levels) or list(cast.occupations.values()))
    gear = [thing for role in skills for thing in _some(fitting(cast.gear[role].basic, levels), 2)]
    gear += [*trade.gear, *_some(fitting(cast.belongings, levels), 2)]
    return {
        "name": f"{random.choice(cast.given)} {random.choice(cast.family)}",
        "occupation": trade.name,
        "levels": levels,
        "gear": gear,
        "specialties": {role: _some(fitting(cast.specialties[role], levels), 1) for role in list(skills)[:3]},
        "familiarities": {
            role: _some(fitting(cast.familiarities[role], levels), 3) for role in skills if role in cast.familiarities
        },
        "people": {random.choice(cast.given): random.choice(fitting(cast.relations, levels)) for _ in range(3)},
        "manner": random.choice(fitting(cast.manners, levels)),
        "hook": random.choice(fitting(cast.hooks, levels)),
    }


def _apt(system: System, skills: dict[str, int], levels: dict[str, int]) -> list[Occupation]:
    """The trades that fit and live by a skill that is held."""
    return [
        each
        for each in system.cast.occupations.values()
        if skills.keys() & set(each.skills) and all(levels.get(trait) in allowed for trait, allowed in each.fits)
    ]


def _some(things: list[str], count: int) -> list[str]:
    return random.sample(things, min(count, len(things)))


def main(count: int) -> None:
    """Prints the table."""
    party = crowd(1)
    system = party.pack.system
    for each in roll(party.pack, RollOptions(seed=1, count=50)):
        assert each.values
    started = time.process_time()
    done = sum(1 for _ in roll(party.pack, RollOptions(seed=7, count=count)))
    ours = (time.process_time() - started) / done
    fewer = max(count // 10, 50)
    started = time.process_time()
    for _ in range(fewer):
        plain_character(system)
    plain = (time.process_time() - started) / fewer
    print(f"{count:,} characters of GAMERS, one core; {machine()}")
    print(f"{'sheetgen':<20}{1e3 * ours:8.3f} ms a character{1 / ours:12,.0f} a second")
    print(f"{'plain Python':<20}{1e3 * plain:8.3f} ms a character{1 / plain:12,.0f} a second")
    print(f"rolling is {plain / ours:.1f} times faster than plain Python")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
