"""Abilities and disabilities (ledger, section B): the ladder of levels, how traits are written, a legal character."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from sheetgen.errors import suggestion
from sheetgen.model.data import Values
from sheetgen.rules.procedures.parameters import OneOf, Whole, Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure

Level = Annotated[str, OneOf("levels")]
Ability = Annotated[str, OneOf("pairs")]
NORMAL: Level = "Normal"


@dataclass(frozen=True, slots=True)
class Mark:
    """One trait as a sheet has it: the pair it belongs to, its level, and how often it was picked if an ability."""

    pair: str
    level: str
    picks: int
    doubled: bool = False

    @property
    def is_disability(self) -> bool:
        """Whether it is the lower half of its pair, which costs no pick."""
        return not self.picks


@dataclass(frozen=True, slots=True)
class CharacterOutcome:
    """Whether a set of traits is allowed; `picks_allowed` is None for characters without a limit."""

    legal: bool
    picks_used: int
    picks_allowed: int | None
    problems: frozenset[str]


def rank(values: Values, level: str) -> int:
    """How high a level stands on the ladder, from 0 (`TSG-086`)."""
    return list(values.names("levels")).index(level)


def step_down(values: Values, level: str) -> str | None:
    """The level one rung lower, or None on the lowest."""
    ladder = list(values.names("levels"))
    place = ladder.index(level)
    return ladder[place - 1] if place else None


def level_for_picks(values: Values, picks: int) -> str:
    """The level that so many picks of one ability come to; the highest there is if they go beyond (`TSG-010`)."""
    ladder = list(values.names("levels"))
    worth = [name for name in ladder if values.number(f"levels.{name}.picks") == picks]
    return worth[-1] if worth else ladder[-1]


def read_mark(values: Values, written: str, path: str) -> Mark:
    """The trait that a sheet's words mean: Strong, Very Strong, V. Strong, Weak; Wrong if there is none such."""
    names = {}
    for pair in values.names("pairs"):
        names[values.text(f"pairs.{pair}.ability")] = (pair, True)
        names[values.text(f"pairs.{pair}.disability")] = (pair, False)
    prefixes = dict(_prefixes(values))
    start, _, rest = written.partition(" ")
    level = prefixes.get(start) if rest else None
    name = rest if level else written
    if name not in names:
        raise Wrong(
            path, f"takes abilities and disabilities such as Strong, Very Tough, Weak{suggestion(name, names)}", written
        )
    pair, is_ability = names[name]
    if not is_ability:
        return Mark(pair, values.text("rungs.disability"), 0, doubled=level is not None)
    level = level or values.text("rungs.ability")
    return Mark(pair, level, values.number(f"levels.{level}.picks"))


def _prefixes(values: Values) -> Iterator[tuple[str, str]]:
    for level in values.names("levels"):
        if rank(values, level) > rank(values, values.text("rungs.ability")):
            yield level, level
            if values.has(f"levels.{level}.short"):
                yield values.text(f"levels.{level}.short"), level


def levels_of(values: Values, traits: tuple[str, ...], path: str) -> dict[str, str]:
    """The level of every pair of a character; what is not written down is normal (`TSG-012`)."""
    levels = dict.fromkeys(values.names("pairs"), values.text("rungs.normal"))
    for number, written in enumerate(traits, 1):
        mark = read_mark(values, written, f"{path}[{number}]")
        levels[mark.pair] = mark.level
    return levels


def written(values: Values, pair: str, level: str, *, short: bool) -> str:
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
    "TSG-005",
    "TSG-006",
    "TSG-007",
    "TSG-008",
    "TSG-009",
    "TSG-010",
    "TSG-012",
    "TSG-085",
    say="whether a character's abilities and disabilities are allowed",
)
def check_character(
    play: Play,
    *,
    kind: Literal["pc", "npc"],
    traits: tuple[str, ...],
    disability_limit: Annotated[int, Whole(0, 9)] | None = None,
) -> CharacterOutcome:
    """Picks used and allowed, and every problem of the traits (`TSG-006` to `TSG-010`; NPCs: `TSG-085`)."""
    values = play.values
    limit = values.number("creation.disability_limit") if disability_limit is None else disability_limit
    marks = [read_mark(values, trait, f"traits[{number}]") for number, trait in enumerate(traits, 1)]
    picks: dict[str, int] = {}
    for mark in marks:
        if not mark.is_disability:
            picks[mark.pair] = picks.get(mark.pair, 0) + mark.picks
    lacking = [mark.pair for mark in marks if mark.is_disability]
    disabilities = set(lacking)
    used = sum(picks.values())
    allowed = values.number("creation.picks")
    allowed += values.number("creation.picks_a_disability") * min(len(disabilities), limit)
    problems = set(_trait_problems(values, kind, picks, marks))
    if kind == "pc":
        problems |= set(_pick_problems(values, used, allowed, len(disabilities) > limit))
        play.tell(f"{used} picks used, {allowed} allowed", "TSG-007", "TSG-008")
    for problem in sorted(problems):
        play.tell(EXPLAINED[problem][0], EXPLAINED[problem][1])
    play.tell("Not allowed" if problems else "All is in order")
    return CharacterOutcome(not problems, used, allowed if kind == "pc" else None, frozenset(problems))


EXPLAINED = {
    "opposed_pair": ("Nobody can hold both halves of one pair", "TSG-006"),
    "repeated_disability": ("A disability cannot be doubled", "TSG-Q7"),
    "level_too_high": ("An ability stands above the highest level for such a character", "TSG-010"),
    "too_many_disabilities": ("More disabilities than the campaign permits", "TSG-009"),
    "too_many_picks": ("More picks used than there are", "TSG-007"),
    "too_few_picks": ("The first picks must all be used", "TSG-Q43"),
}


def _trait_problems(values: Values, kind: str, picks: dict[str, int], marks: list[Mark]) -> Iterator[str]:
    """What no character may have, player's or not."""
    lacking = [mark.pair for mark in marks if mark.is_disability]
    if set(lacking) & set(picks):
        yield "opposed_pair"
    if len(lacking) > len(set(lacking)) or any(mark.doubled for mark in marks):
        yield "repeated_disability"
    highest = values.number(f"levels.{values.text(f'creation.highest.{kind}')}.picks")
    if max(picks.values(), default=0) > highest:
        yield "level_too_high"


def _pick_problems(values: Values, used: int, allowed: int, over_limit: bool) -> Iterator[str]:
    """What a player's character may not have besides."""
    if over_limit:
        yield "too_many_disabilities"
    if used > allowed:
        yield "too_many_picks"
    if used < values.number("creation.picks"):
        yield "too_few_picks"
