"""Abilities, disabilities and skills (ledger, sections B, C, J and N): levels, a legal character, picks, experience."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from sheetgen.dice.source import Dice
from sheetgen.errors import suggestion
from sheetgen.model.data import Values
from sheetgen.rules.procedures.parameters import Whole, Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.dice_pool import Count, Digit, Kind, Level, signed

EXPLAINED = {
    "opposed_pair": ("Nobody can hold both halves of one pair", "TSG-006"),
    "repeated_disability": ("A disability cannot be doubled", "TSG-Q7"),
    "level_too_high": ("An ability stands above the highest level for such a character", "TSG-010"),
    "too_many_disabilities": ("More disabilities than the campaign permits", "TSG-009"),
    "too_many_picks": ("More picks used than there are", "TSG-007"),
    "too_few_picks": ("The first picks must all be used", "TSG-Q43"),
}
_PLUS = re.compile(r"^(?P<name>.*\S)\s*\+(?P<plus>[0-9]{1,2})$")


@dataclass(frozen=True, slots=True)
class Mark:
    """One trait as a sheet has it: its pair, its level, and the picks it took; a disability takes none."""

    pair: str
    level: str
    picks: int
    doubled: bool = False


def rank(values: Values, level: str) -> int:
    """How high a level stands on the ladder, from 0 (`TSG-086`)."""
    return list(values.names("levels")).index(level)


def level_for_picks(values: Values, picks: int) -> str:
    """The level that so many picks of one ability come to; the highest there is if they go beyond (`TSG-010`)."""
    ladder = list(values.names("levels"))
    worth = [name for name in ladder if values.number(f"levels.{name}.picks") == picks]
    return worth[-1] if worth else ladder[-1]


def read_mark(values: Values, written: str, path: str) -> Mark:
    """The trait that a sheet's words mean: Strong, Very Strong, V. Strong, Weak; Wrong if there is none such."""
    pairs = tuple(values.names("pairs"))
    names = {values.text(f"pairs.{pair}.{half}"): (pair, half) for pair in pairs for half in ("ability", "disability")}
    first, _, rest = written.partition(" ")
    level = dict(_prefixes(values)).get(first) if rest else None
    name = rest if level else written
    if name not in names:
        takes = f"takes abilities and disabilities such as Strong, Very Tough, Weak{suggestion(name, names)}"
        raise Wrong(path, takes, written)
    pair, half = names[name]
    if half == "disability":
        return Mark(pair, values.text("rungs.disability"), 0, doubled=level is not None)
    level = level or values.text("rungs.ability")
    return Mark(pair, level, values.number(f"levels.{level}.picks"))


def _prefixes(values: Values) -> Iterator[tuple[str, str]]:
    """Each word that stands before an ability, with the level it means."""
    for level in values.names("levels"):
        if rank(values, level) > rank(values, values.text("rungs.ability")):
            yield level, level
            if values.has(f"levels.{level}.short"):
                yield values.text(f"levels.{level}.short"), level


def levels_of(values: Values, traits: tuple[str, ...], path: str) -> dict[str, str]:
    """The level of every pair of a character; what is not written down is normal (`TSG-012`)."""
    marks = (read_mark(values, trait, f"{path}[{number}]") for number, trait in enumerate(traits, 1))
    normal = dict.fromkeys(values.names("pairs"), values.text("rungs.normal"))
    return {**normal, **{mark.pair: mark.level for mark in marks}}


def written(values: Values, pair: str, level: str, *, short: bool = False) -> str:
    """How a level of a pair stands on the sheet; nothing for the normal level (`TSG-011`, `TSG-012`)."""
    if level == values.text("rungs.normal"):
        return ""
    if level == values.text("rungs.disability"):
        return values.text(f"pairs.{pair}.disability")
    name = values.text(f"pairs.{pair}.ability")
    if level == values.text("rungs.ability"):
        return name
    shortened = short and values.has(f"levels.{level}.short")
    return f"{values.text(f'levels.{level}.short') if shortened else level} {name}"


@procedure(
    "TSG-005 TSG-006 TSG-007 TSG-008 TSG-009 TSG-010 TSG-012 TSG-085",
    say="whether a character's abilities and disabilities are allowed",
    results="legal picks_used picks_allowed problems",
)
def check_character(
    play: Play, *, kind: Kind, traits: tuple[str, ...], disability_limit: Digit | None = None
) -> tuple[bool, int, int | None, frozenset[str]]:
    """Picks used and allowed, and every problem of the traits (`TSG-006` to `TSG-010`).

    Characters whom no player plays may have as many picks as they like (`TSG-085`).
    """
    values = play.values
    limit = values.number("creation.disability_limit") if disability_limit is None else disability_limit
    marks = [read_mark(values, trait, f"traits[{number}]") for number, trait in enumerate(traits, 1)]
    picks: dict[str, int] = {}
    for mark in marks:
        if mark.picks:
            picks[mark.pair] = picks.get(mark.pair, 0) + mark.picks
    lacking = {mark.pair for mark in marks if not mark.picks}
    used, first = sum(picks.values()), values.number("creation.picks")
    allowed = first + values.number("creation.picks_a_disability") * min(len(lacking), limit)
    highest = values.number(f"levels.{values.text(f'creation.highest.{kind}')}.picks")
    doubled = any(mark.doubled for mark in marks) or len(lacking) < sum(not mark.picks for mark in marks)
    wrong = {
        "opposed_pair": bool(lacking & set(picks)),
        "repeated_disability": doubled,
        "level_too_high": max(picks.values(), default=0) > highest,
    }
    if kind == "pc":
        play.tell(f"{used} picks used, {allowed} allowed", "TSG-007", "TSG-008")
        wrong["too_many_disabilities"] = len(lacking) > limit
        wrong["too_many_picks"], wrong["too_few_picks"] = used > allowed, used < first
    problems = frozenset(problem for problem, holds in wrong.items() if holds)
    for problem in sorted(problems):
        play.tell(*EXPLAINED[problem])
    play.tell("Not allowed" if problems else "All is in order")
    return not problems, used, allowed if kind == "pc" else None, problems


@procedure("TSG-056 TSG-057 TSG-074", say="how many paces somebody moves in a round", results="paces")
def move(play: Play, *, fast: Level, wounds: Count = 0) -> int:
    """The paces of a level, or of the level below when wounded (`TSG-056`, `TSG-074`)."""
    return paces_of(play, fast, wounds, "In one round")


def paces_of(play: Play, fast: str, wounds: int, who: str) -> int:
    """The paces that somebody with so many wounds can move in a round."""
    values, below = play.values, rank(play.values, fast) - 1
    if not wounds:
        paces = values.number(f"levels.{fast}.paces")
        play.tell(f"{who}: {paces} paces for {fast} speed", "TSG-056")
    elif below >= 0:
        lower = list(values.names("levels"))[below]
        paces = values.number(f"levels.{lower}.paces")
        play.tell(f"{who}: wounded, so {paces} paces as for {lower} speed", "TSG-074")
    else:
        stays = play.ruling("TSG-Q27") == "lowest row"
        paces = values.number(f"levels.{fast}.paces" if stays else "movement.below_lowest")
        play.tell(f"{who}: wounded, and no row lies below {fast}: {paces} paces", "TSG-074", "TSG-Q27")
    return paces


def plus_of(skill: str) -> tuple[str, int]:
    """The name and the plus of a skill as written: `Reading +1` is Reading and 1, a plain name 0 (`TSG-021`)."""
    found = _PLUS.match(skill)
    return (found["name"], int(found["plus"])) if found else (skill.strip(), 0)


def skill_label(name: str, plus: int) -> str:
    """The name with its plus, or the plain name (`TSG-021`)."""
    return f"{name} +{plus}" if plus else name


def universal_skills(values: Values, campaign: Iterable[str]) -> frozenset[str]:
    """The skills that everybody has: the campaign's, and those that always are (`TSG-016`)."""
    return frozenset(plus_of(name)[0] for name in (*campaign, *values.words("skills.always_universal")))


def universal_in(values: Values, setting: str) -> frozenset[str]:
    """The skills that everybody has in a setting of the pack, the first one if none is named (`TSG-016`, `TSG-025`)."""
    place = setting or next(iter(values.names("settings")))
    return universal_skills(values, values.words(f"settings.{place}.universal"))


def picks_rolled(values: Values, dice: Dice) -> tuple[int, int]:
    """What the dice for skill picks show, and the picks there are (`TSG-018`, `TSG-Q35`)."""
    number, sides, extra = (values.number(f"skills.die.{name}") for name in ("count", "sides", "plus"))
    shown = dice.total(number, sides, "skill picks")
    return shown, shown + extra


def price(values: Values, plus: int, *, universal: bool) -> int:
    """What a skill costs in picks: a universal one is free at first (`TSG-019`, `TSG-020`)."""
    first = 0 if universal else values.number("skills.first_pick")
    return first + plus * values.number("skills.pick_a_plus")


@procedure(
    "TSG-016 TSG-018 TSG-019 TSG-020 TSG-021 TSG-089",
    say="a die for skill picks, and whether a choice of skills can be paid",
    results="picks cost left legal problems",
)
def skill_picks(
    play: Play, *, universal: tuple[str, ...] = (), choose: tuple[str, ...] = ()
) -> tuple[int, int, int, bool, frozenset[str]]:
    """The picks rolled, what the chosen skills cost, and what is wrong (`TSG-018` to `TSG-020`, `TSG-089`).

    What is left is below 0 for a choice that is too dear.
    """
    values = play.values
    shown, picks = picks_rolled(values, play.dice)
    play.tell(f"{shown} + {picks - shown} = {picks} skill picks", "TSG-018", "TSG-Q35")
    free = universal_skills(values, universal)
    cost, highest = 0, 0
    for skill, plus in _chosen_skills(choose, free).items():
        paid = price(values, plus, universal=skill in free)
        cost, highest = cost + paid, max(highest, plus)
        play.tell(f"{skill_label(skill, plus)}: {paid}", "TSG-020" if skill in free else "TSG-019")
    problems = set()
    if cost > picks:
        problems.add("not_enough_picks")
    if highest > values.number("skills.highest_at_start"):
        problems.add("skill_too_high")
        play.tell(f"No skill may start above +{values.number('skills.highest_at_start')}", "TSG-089")
    play.tell(f"{cost} spent, {signed(picks - cost)} left{': too dear' if cost > picks else ''}")
    return picks, cost, picks - cost, not problems, frozenset(problems)


def _chosen_skills(choose: tuple[str, ...], free: frozenset[str]) -> dict[str, int]:
    """Each chosen skill with its plus; an ordinary skill named again is picked again (`TSG-019`)."""
    found: dict[str, int] = {}
    for words in choose:
        skill, plus = plus_of(words)
        again = found[skill] + 1 if skill in found and skill not in free else 0
        found[skill] = max(plus, found.get(skill, 0)) if skill in free else plus + again
    return found


@procedure("TSG-011 TSG-021", say="how an ability or a skill stands on the sheet", results="label")
def label(
    play: Play,
    *,
    ability: str | None = None,
    level: Level | None = None,
    short: bool = False,
    skill: str | None = None,
    bonus: Digit = 0,
) -> str:
    """The words for an ability at a level, or for a skill with its plus (`TSG-011`, `TSG-021`)."""
    if (ability is None) == (skill is None):
        raise Wrong("ability", "takes the ability to be written, unless skill says which skill is")
    if skill is not None:
        words = skill_label(plus_of(skill)[0], bonus)
        play.tell(f"Written {words}", "TSG-021")
    else:
        mark = read_mark(play.values, ability or "", "ability")
        words = written(play.values, mark.pair, level or mark.level, short=short)
        play.tell(f"Written {words}" if words else "Nothing is written for the normal level", "TSG-011")
    return words


@procedure(
    "TSG-030 TSG-080 TSG-081 TSG-082 TSG-083 TSG-084 TSG-087 TSG-088",
    say="experience at a session's end, and the skill picks it buys",
    results="legal xp skills problems",
)
def advance(
    play: Play,
    *,
    xp: Annotated[int, Whole(0, 9999)] = 0,
    award: int,
    skills: tuple[str, ...] = (),
    universal: tuple[str, ...] = (),
    buy: tuple[str, ...] = (),
    tutored: tuple[str, ...] = (),
    advanced_limit: Count | None = None,
) -> tuple[bool, int, frozenset[str], frozenset[str]]:
    """The award added, and one pick for each skill in `buy`, all or none (`TSG-080` to `TSG-084`, `TSG-088`).

    The experience that is left, the skills as they stand now, and what was not allowed.
    """
    values, problems = play.values, set[str]()
    least, most = values.number("experience.award.least"), values.number("experience.award.most")
    if not least <= award <= most:
        raise Wrong("award", f"takes a whole number from {least} to {most}", award)
    total, cost = xp + award, len(buy) * values.number("experience.pick")
    play.tell(f"{xp} + {award} = {total} experience points", "TSG-080", "TSG-081")
    limit = values.number("experience.advanced_limit") if advanced_limit is None else advanced_limit
    before = dict(map(plus_of, skills))
    after = dict(before)
    for problem, line, rule in _picked(after, buy, universal_skills(values, universal), tutored):
        play.tell(line, rule)
        problems.update(filter(None, (problem,)))
    plain = values.number("experience.plain")
    advanced = [skill for skill, plus in after.items() if plus > plain]
    if len(advanced) > limit and any(after[skill] > before.get(skill, 0) for skill in advanced):
        play.tell(f"Skills above +{plain} allowed: {limit}", "TSG-088")
        problems.add("advanced_not_allowed")
    if cost > total:
        play.tell(f"{len(buy)} picks cost {cost}: too few points", "TSG-082")
        problems.add("not_enough_xp")
    if problems:
        play.tell("Nothing is bought; the points stay")
        return False, total, _labels(before), frozenset(problems)
    play.tell(f"{total} − {cost} = {total - cost} left", "TSG-082")
    return True, total - cost, _labels(after), frozenset()


def _picked(
    pluses: dict[str, int], buy: tuple[str, ...], free: frozenset[str], tutored: tuple[str, ...]
) -> Iterator[tuple[str, str, str]]:
    """Puts each pick into a skill, and gives its problem, if any, a line on it, and its rule."""
    for words in buy:
        skill = plus_of(words)[0]
        if skill in pluses or skill in free:
            pluses[skill] = pluses.get(skill, 0) + 1
            yield "", f"A pick makes it {skill_label(skill, pluses[skill])}", "TSG-083"
            continue
        pluses[skill] = 0
        if skill in tutored:
            yield "", f"A pick for {skill}, newly learnt", "TSG-084"
        else:
            yield "no_tutor", f"Nobody taught {skill}", "TSG-084"


def _labels(pluses: Mapping[str, int]) -> frozenset[str]:
    return frozenset(skill_label(name, plus) for name, plus in pluses.items())
