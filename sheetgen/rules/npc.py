"""Steps that make somebody of rolled numbers: a name, a trade, the people in a life, a manner and a story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheetgen.dice.shuffle import latin_pair, shuffled
from sheetgen.dice.source import Dice
from sheetgen.model.cast import Occupation, Phrase, fits
from sheetgen.rules.draft import Draft, Making, StepFunction

SLOT = "{friend}"
HELD_BEST = (3, 2, 1, 1)
TRIES = 8


def people_names(making: Making) -> StepFunction:
    """A step that names the character; names do not repeat before every first name has met every family name."""
    making.only()
    cast = making.system.cast
    if not cast.given or not cast.family:
        raise making.wrong("the pack has no names: npcs.yaml needs given and family names")
    given = [cast.given[at] for at in shuffled(len(cast.given), making.key("given"))]
    family = [cast.family[at] for at in shuffled(len(cast.family), making.key("family"))]
    cells = len(given) * len(family)

    def step(draft: Draft, dice: Dice) -> None:
        turn, cell = divmod(draft.index - 1, cells)
        first, last = latin_pair(cell, len(given), len(family))
        again = f" {_roman(turn + 1)}" if turn else ""
        draft.values["name"] = name = f"{given[first]} {family[last]}{again}"
        draft.tell(f"name: {name}")

    return step


def _roman(number: int) -> str:
    signs = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"))
    written = ""
    for value, sign in (*signs, (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        written += sign * (number // value)
        number %= value
    return written


def occupation(making: Making) -> StepFunction:
    """A step that finds a trade for the skills a character has: the better its skills are held, the likelier it is.

    An archetype has trades of its own; where not one of them belongs to the world, every trade of the pack is open.
    """
    making.only()
    trades = making.system.cast.occupations
    if not trades:
        raise making.wrong("the pack has no occupations")
    by_skill: dict[str, list[tuple[Occupation, int]]] = {}
    for trade in trades.values():
        for skill, weight in zip(trade.skills, HELD_BEST, strict=False):
            by_skill.setdefault(skill, []).append((trade, weight))
    every = tuple(trades.values())
    world = frozenset(option.of for option in making.system.creation.options.values() if option.kind == "level")

    def step(draft: Draft, dice: Dice) -> None:
        levels = draft.levels
        own = [trades[name] for name in draft.archetype.occupations] if draft.archetype is not None else []
        of_the_world = [trade for trade in own if not _misfit(trade, levels, world)[0]]
        candidates = _nearest(of_the_world, levels, world) if of_the_world else _suited(by_skill, levels)
        candidates = candidates or _nearest(every, levels, world)
        trade = candidates[dice.choose(len(candidates), "trade")]
        draft.occupation = trade
        draft.values["occupation"] = trade.name
        draft.tell(f"occupation: {trade.name}")

    return step


def _nearest(trades: Sequence[Occupation], levels: Mapping[str, int], world: frozenset[str]) -> list[Occupation]:
    """The trades that fit best: what the world lacks comes first, then how far a standing is too high or too low."""
    misfits = [_misfit(trade, levels, world) for trade in trades]
    least = min(misfits)
    return [trade for trade, misfit in zip(trades, misfits, strict=True) if misfit == least]


def _misfit(trade: Occupation, levels: Mapping[str, int], world: frozenset[str]) -> tuple[int, int]:
    """By how many levels the world, and by how many the character, lies outside the ranges of a trade."""
    of_the_world = of_the_person = 0
    for trait, low, high in trade.fits:
        level = levels.get(trait, low)
        away = max(low - level, level - high, 0)
        if trait in world:
            of_the_world += away
        else:
            of_the_person += away
    return of_the_world, of_the_person


def _suited(by_skill: Mapping[str, list[tuple[Occupation, int]]], levels: Mapping[str, int]) -> list[Occupation]:
    """The trades that fit and whose skills are held nearly as well as those of the best."""
    score: dict[str, int] = {}
    found: dict[str, Occupation] = {}
    for skill, trades in by_skill.items():
        level = levels.get(skill, 0)
        if level:
            for trade, weight in trades:
                score[trade.name] = score.get(trade.name, 0) + level * weight
                found[trade.name] = trade
    fitting = [(points, name) for name, points in score.items() if fits(found[name].fits, levels)]
    if not fitting:
        return []
    least = max(fitting)[0] * 3 // 4
    return [found[name] for points, name in fitting if points >= least]


def share_out(making: Making) -> StepFunction:
    """A step that divides a rating among named people, each with a share of its own (`GAM-047`)."""
    making.only("of", "into")
    pool, into = making.trait("of").role, str(making.word("into"))
    cast = making.system.cast
    if not cast.given or not cast.relations:
        raise making.wrong("the pack has no given names or no relations")

    def step(draft: Draft, dice: Dice) -> None:
        rating = draft.levels.get(pool, 0)
        if not rating:
            draft.tell("people: nobody")
            return
        people: dict[str, int] = {}
        for share in _shares(rating, dice):
            name = _new_name(cast.given, draft, people, dice)
            relation = pick(cast.relations, draft.levels, dice, "relation")
            people[f"{name}, {relation}" if relation else name] = share
        draft.values[into] = people
        draft.friend = next(iter(people)).partition(",")[0]
        draft.tell("people: " + "; ".join(f"{name} {share}" for name, share in people.items()))

    return step


def _shares(rating: int, dice: Dice) -> list[int]:
    """The rating in one to four whole parts of 2 or more where it is large enough, the largest first."""
    count = 1 + dice.choose(min(4, max(rating // 2, 1)), "how many people")
    shares = [min(2, rating)] * count
    for _ in range(rating - sum(shares)):
        shares[dice.choose(count, "who matters more")] += 1
    return sorted(shares, reverse=True)


def _new_name(given: Sequence[str], draft: Draft, people: Mapping[str, int], dice: Dice) -> str:
    own = str(draft.values.get("name", "")).partition(" ")[0]
    taken = {own, *(name.partition(",")[0] for name in people)}
    at = dice.choose(len(given), "a name")
    for step in range(len(given)):
        if given[(at + step) % len(given)] not in taken:
            return given[(at + step) % len(given)]
    return given[at]


def pick(phrases: Sequence[Phrase], levels: Mapping[str, int], dice: Dice, purpose: str) -> str:
    """One of the phrases that fit, or nothing when none does."""
    if not phrases:
        return ""
    at = dice.choose(len(phrases), purpose)
    for step in range(len(phrases)):
        phrase = phrases[(at + step) % len(phrases)]
        if fits(phrase.fits, levels):
            return phrase.say
    return ""


def phrase(making: Making) -> StepFunction:
    """A step that gives a character one line from a list; a run deals the whole list before it starts again.

    Each character takes the line at its own place in the run's shuffled order, or another one if that does not fit.
    """
    making.only("from", "into")
    lists = {"manners": making.system.cast.manners, "hooks": making.system.cast.hooks}
    name, into = making.word("from"), str(making.word("into"))
    if name not in lists:
        raise making.wrong(f'"{name}" is not a list of phrases: use {" or ".join(lists)}', name)
    phrases = [lists[name][at] for at in shuffled(len(lists[name]), making.key(name))]
    size = len(phrases)

    def step(draft: Draft, dice: Dice) -> None:
        at = draft.index % size
        for tried in range(size):
            line = phrases[at]
            if fits(line.fits, draft.levels) and (draft.friend or SLOT not in line.say):
                draft.values[into] = said = line.say.replace(SLOT, draft.friend)
                draft.tell(f"{into}: {said}")
                return
            # Not the next line, which is the next character's: any other one, and in the end each in turn.
            at = dice.choose(size, "another line") if tried < TRIES else (at + 1) % size
        draft.tell(f"{into}: none that fits")

    return step
