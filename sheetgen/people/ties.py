"""Who in a group knows whom, and who knows more of its trouble: cast from the pack's relations and people's stories."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

from sheetgen.dice.source import Seeded, shuffled
from sheetgen.model.character import Character
from sheetgen.model.group import Tie
from sheetgen.model.system import System

MOST_TIES = 3
_NUMBERED = re.compile(r"\D+ \d+ (?=\S)")


def ties_between(system: System, people: Sequence[Character]) -> tuple[Tie, ...]:
    """Return up to three ties between different people of a group; none where the pack has no relations.

    They follow from the seed and number of its first member, so that they stay while others are edited. Creatures,
    which have no trade, have no ties, and a relation that asks who somebody is stays out.
    """
    able = [each for each in people if each.text("occupation")]
    relations = [each.say for each in system.cast.relations if not (each.fits or each.who or each.ages)]
    if len(able) < 2 or not relations:
        return ()
    key = _key(able[0])
    order, said = shuffled(len(able), key + b"who"), shuffled(len(relations), key + b"how")
    step = 2 if len(able) >= 2 * MOST_TIES else 1
    count = min(MOST_TIES, len(able) if len(able) > 2 else 1, len(relations))
    names = _own_names(able)
    pairs = [(order[step * at], order[(step * at + 1) % len(order)]) for at in range(count)]
    return tuple(Tie(names[one], names[other], relations[how]) for (one, other), how in zip(pairs, said, strict=False))


def who_knows_more(people: Sequence[Character]) -> Character | None:
    """Return the member whose story the trouble of the group begins with; None where nobody has a story."""
    told = [each for each in people if each.text("hook")]
    return told[Seeded(_key(people[0]) + b"trouble").choose(len(told), "trouble")] if told else None


def _key(first: Character) -> bytes:
    origin = first.origin
    named = f"{origin.seed} {origin.archetype} {origin.index}" if origin is not None else first.text("name")
    return blake2b(named.encode(), digest_size=16).digest()


def _own_names(people: Sequence[Character]) -> list[str]:
    """Return everybody's name without what stands behind it, and without a numbered part where it is told apart."""
    called = [each.text("name").partition(", ")[0] for each in people]
    plain = [_NUMBERED.sub("", name, count=1) for name in called]
    alike = Counter(plain)
    return [own if alike[own] == 1 else name for own, name in zip(plain, called, strict=True)]
