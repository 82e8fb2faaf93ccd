"""Abilities and disabilities (ledger, sections B and J): the ladder of levels, a legal character, and its paces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sheetgen.errors import suggestion
from sheetgen.model.data import Values
from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.terms import Count, Digit, Kind, Level


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


EXPLAINED = {
    "opposed_pair": ("Nobody can hold both halves of one pair", "TSG-006"),
    "repeated_disability": ("A disability cannot be doubled", "TSG-Q7"),
    "level_too_high": ("An ability stands above the highest level for such a character", "TSG-010"),
    "too_many_disabilities": ("More disabilities than the campaign permits", "TSG-009"),
    "too_many_picks": ("More picks used than there are", "TSG-007"),
    "too_few_picks": ("The first picks must all be used", "TSG-Q43"),
}


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
