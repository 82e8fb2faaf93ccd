"""Steps that choose specialties, and the things that each skill is familiar with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from sheetgen.dice.source import Dice
from sheetgen.model.cast import Phrase, spaced
from sheetgen.rules.creation.dealing import MOST_REMEMBERED, choices_of
from sheetgen.rules.creation.draft import Draft, Making, StepFunction

NOTABLE = 9


def specialties(making: Making) -> StepFunction:
    """Return a step that picks specialties, at most `most`, one a trait, for traits of level `least` or better.

    The best skills come first; the last place may go to another trait of level `notable` or better, or another skill.
    Gear that is owned already suggests the specialty.
    """
    making.only("most", "least", "notable")
    most, least = making.number("most"), making.number("least")
    lists = making.system.cast.specialties
    names = {trait.role: trait.name for trait in making.system.all_traits()}
    apt = AptSpecialties(lists, making.system.cast.tags)
    skills = [role for role in lists if making.system.group_of[names[role]].default is not None]
    others = [role for role in lists if role not in skills]
    least, notable = max(least, 1), max(least, making.number("notable") if "notable" in making.step.params else NOTABLE)

    def step(draft: Draft, dice: Dice) -> None:
        levels = draft.levels
        trade = draft.occupation.skills if draft.occupation else ()
        held = [role for role in skills if levels.get(role, 0) >= least]
        held.sort(key=lambda role: (-levels[role], trade.index(role) if role in trade else len(trade)))
        chosen = held[: most - 1]
        rest = held[most - 1 :][:1]
        rest += [role for role in others if levels.get(role, 0) >= notable]
        if rest and len(chosen) < most:
            chosen.append(rest[dice.choose(len(rest), "one more specialty")])
        owned = _owned(draft)
        found: dict[str, str] = {}
        for role in chosen:
            among = apt.phrases(role, levels, owned)
            if among:
                found[names[role]] = among[dice.choose(len(among), "specialty")]
        if found:
            draft.values["specialties"] = found
        if draft.log is not None:
            draft.tell("specialties: " + (", ".join(f"{name} ({said})" for name, said in found.items()) or "none"))

    return step


def _owned(draft: Draft) -> tuple[str, ...]:
    gear = draft.values.get("gear", ())
    return gear if isinstance(gear, tuple) else ()


class AptSpecialties:
    """The specialties of each trait, from which those that mean some of a character's gear are taken first.

    What a thing means is looked up for all traits together, since most of them have nothing to do with it.
    """

    def __init__(self, lists: Mapping[str, Sequence[Phrase]], tags: Callable[[str], tuple[str, ...]]) -> None:
        self._tags, self._menus = tags, {role: choices_of(phrases) for role, phrases in lists.items()}
        self._worded = dict[str, list[tuple[str, int, str]]]()  # by the first word of a phrase
        self._naming = dict[str, list[tuple[str, int]]]()  # the phrases that list a name
        for role, phrases in lists.items():
            for at, phrase in enumerate(phrases):
                for word in () if phrase.names else spaced(phrase.say).split()[:1]:
                    self._worded.setdefault(word, []).append((role, 1 << at, spaced(phrase.say)))
                for name in phrase.names:
                    self._naming.setdefault(name, []).append((role, 1 << at))
        self._known = dict[str, dict[str, int]]()

    def phrases(self, role: str, levels: Mapping[str, int], owned: Iterable[str]) -> Sequence[str]:
        """Return the phrases to take one of for a trait, at these levels and with these things."""
        menu, meant = self._menus[role], 0
        for thing in owned:
            meant |= (self._known[thing] if thing in self._known else self._meaning(thing)).get(role, 0)
        suiting = menu.suiting(levels)
        return menu.parts.part(suiting & meant) or menu.parts.part(suiting)

    def _meaning(self, thing: str) -> dict[str, int]:
        """Return the phrases that mean a thing (see `Phrase.means`) by role, with a bit for each; remembered."""
        words, found = spaced(thing), dict[str, int]()
        for word in words.split():
            for role, bit, said in self._worded.get(word, ()):
                if said in words:
                    found[role] = found.get(role, 0) | bit
        for name in (thing, *self._tags(thing)):
            for role, bit in self._naming.get(name, ()):
                found[role] = found.get(role, 0) | bit
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[thing] = found
        return found


def familiarities(making: Making) -> StepFunction:
    """Return a step that lists what each skill is familiar with, `each` things a level, owned ones first.

    `room` is how many letters the whole list may take on a sheet; past it, things with shorter names take the places
    of longer ones that are not owned.
    """
    making.only("group", "each", "room")
    group, each = making.group(), making.number("each")
    room = making.number("room") if "room" in making.step.params else None
    menus = {role: choices_of(phrases) for role, phrases in making.system.cast.familiarities.items()}
    traits = [(trait.role, trait.name, menus[trait.role]) for trait in group.members if trait.role in menus]
    cast = making.system.cast
    used_with = {name: item.text("skill") for listed in cast.items.values() for name, item in listed.items()}

    def step(draft: Draft, dice: Dice) -> None:
        found: dict[str, list[str]] = {}
        spare: dict[str, list[str]] = {}
        owned, levels = _owned(draft), draft.levels
        arms = _by_skill(owned, used_with)
        for role, name, menu in traits:
            level = levels.get(role)
            if not level:
                continue
            known = list(arms[role])[: level * each] if role in arms else []
            fitting = list(menu.fitting(levels).without(frozenset(known)))
            for _ in range(min(level * each - len(known), len(fitting))):
                known.append(fitting.pop(dice.choose(len(fitting), "familiarity")))
            if known:
                found[name] = known
                spare[name] = fitting
        if room is not None:
            _shorten(found, spare, room, owned)
        if found:
            draft.values["familiarities"] = {name: tuple(known) for name, known in found.items()}
        if draft.log is not None:
            told = "; ".join(f"{name}: {', '.join(known)}" for name, known in found.items())
            draft.tell(f"familiar with: {told or 'nothing'}")

    return step


def _by_skill(owned: Iterable[str], used_with: Mapping[str, str]) -> dict[str, dict[str, None]]:
    """Return the things that are used with a skill, by that skill, each once."""
    found: dict[str, dict[str, None]] = {}
    for thing in owned:
        if skill := used_with.get(thing):
            found.setdefault(skill, {})[thing] = None
    return found


def _shorten(found: Mapping[str, list[str]], spare: Mapping[str, list[str]], room: int, owned: Sequence[str]) -> None:
    """Swap the longest names for shorter spare ones, the best swap first, until the list fits or none helps."""
    over = -room
    for name, known in found.items():
        over += len(name) + 3 + sum(map(len, known)) + 2 * len(known)
    while over > 0:
        swaps = []
        for name, known in found.items():
            longest = max((thing for thing in known if thing not in owned), key=len, default="")
            shortest = min(spare[name], key=len, default=longest)
            swaps.append((len(longest) - len(shortest), name, longest, shortest))
        gain, name, longest, shortest = max(swaps, default=(0, "", "", ""))
        if gain <= 0:
            return
        found[name][found[name].index(longest)] = shortest
        spare[name].remove(shortest)
        over -= gain
