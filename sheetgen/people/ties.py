"""Who in a group knows whom, and who knows more of its trouble: cast from the pack's words and people's stories."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from sheetgen.dice.source import Seeded, shuffled
from sheetgen.model.cast import Relation, Tie
from sheetgen.model.character import Character
from sheetgen.model.system import System

MOST_TIES = 3
_NUMBERED = re.compile(r"\D+ \d+ (?=\S)")


def ties_between(system: System, people: Sequence[Character]) -> tuple[Tie, ...]:
    """Return up to three ties between different people of a group; none where the pack has no words for any.

    They follow from the seed and number of its first member, so that they stay while others are edited. Creatures,
    which have no trade or have names of their kind, have no ties. A relation that asks who or how old somebody is stays
    out, and so does one that either of the two has to somebody else already.
    """
    able = _able(system, people)
    told = system.cast.ties or [_sentence(each.say) for each in system.cast.relations if _is_plain(each)]
    if len(able) < 2 or not told:
        return ()
    key = _key(able[0])
    order, left = shuffled(len(able), key + b"who"), [told[at] for at in shuffled(len(told), key + b"how")]
    step = 2 if len(able) >= 2 * MOST_TIES else 1
    names, found = _own_names(able), list[Tie]()
    for at in range(MOST_TIES if len(able) > 2 else 1):
        pair = (order[step * at], order[(step * at + 1) % len(order)])
        taken = {_sentence(relation) for member in pair for relation in _relations_of(able[member])}
        say = next((say for say in left if say not in taken), None)
        if say is not None:
            left.remove(say)
            found.append(Tie(names[pair[0]], names[pair[1]], say))
    return tuple(found)


def numbers_by_name(system: System, people: Sequence[Character]) -> dict[str, int]:
    """Return the number in the group of everybody who may have ties, by the name that ties call them by."""
    able = _able(system, people)
    return {name: people.index(each) + 1 for name, each in zip(_own_names(able), able, strict=True)}


def _able(system: System, people: Sequence[Character]) -> list[Character]:
    return [each for each in people if each.text("occupation") and not _is_creature(system, each)]


def _is_creature(system: System, member: Character) -> bool:
    archetype = system.cast.archetypes.get(member.origin.archetype) if member.origin is not None else None
    return archetype is not None and bool(archetype.names)


def _is_plain(relation: Relation) -> bool:
    return not (relation.fits or relation.who or relation.ages)


def _sentence(relation: str) -> str:
    return f"{{one}}’s {relation}{',' if ',' in relation else ''} is {{other}}."


def _relations_of(character: Character) -> Iterator[str]:
    """Yield what the people whom somebody knows are to them: `spouse` of `Enzo, spouse`."""
    for listed in character.values.values():
        if isinstance(listed, Mapping):
            yield from (relation for _, _, relation in (who.partition(", ") for who in listed) if relation)


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
    called = [each.name_and_part[0] for each in people]
    plain = [_NUMBERED.sub("", name, count=1) for name in called]
    alike = Counter(plain)
    return [own if alike[own] == 1 else name for own, name in zip(plain, called, strict=True)]
