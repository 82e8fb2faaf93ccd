"""Advancement (ledger, section O, and advanced skills of P): experience, and what its picks may buy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from sheetgen.rules.procedures.parameters import Whole, Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.skills import plus_of, skill_label, universal_skills


@dataclass(frozen=True, slots=True)
class AdvanceOutcome:
    """What a session's end comes to: the experience left, the skills as they stand now, and what was not allowed."""

    legal: bool
    xp: int
    skills: frozenset[str]
    problems: frozenset[str]


@procedure(
    "TSG-030",
    "TSG-080",
    "TSG-081",
    "TSG-082",
    "TSG-083",
    "TSG-084",
    "TSG-087",
    "TSG-088",
    say="experience at a session's end, and the skill picks it buys",
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
    advanced_limit: Annotated[int, Whole(0, 99)] | None = None,
) -> AdvanceOutcome:
    """The award added, and one pick for each skill in `buy`, all or none (`TSG-080` to `TSG-084`, `TSG-088`)."""
    values = play.values
    least, most = values.number("experience.award.least"), values.number("experience.award.most")
    if not least <= award <= most:
        raise Wrong("award", f"takes a whole number from {least} to {most}", award)
    total, cost = xp + award, len(buy) * values.number("experience.pick")
    play.tell(f"{xp} + {award} = {total} experience points", "TSG-080", "TSG-081")
    limit = values.number("experience.advanced_limit") if advanced_limit is None else advanced_limit
    held = dict(plus_of(skill) for skill in skills)
    wanted, problems = dict(held), set[str]()
    for problem, line, rule in _picked(wanted, buy, universal_skills(values, universal), tutored):
        play.tell(line, rule)
        problems.update(filter(None, (problem,)))
    if _too_many_advanced(held, wanted, values.number("experience.plain"), limit):
        play.tell(f"Skills above +{values.number('experience.plain')} allowed: {limit}", "TSG-088")
        problems.add("advanced_not_allowed")
    if cost > total:
        play.tell(f"{len(buy)} picks cost {cost}: too few points", "TSG-082")
        problems.add("not_enough_xp")
    if problems:
        play.tell("Nothing is bought; the points stay")
        return AdvanceOutcome(False, total, _labels(held), frozenset(problems))
    play.tell(f"{total} − {cost} = {total - cost} left", "TSG-082")
    return AdvanceOutcome(True, total - cost, _labels(wanted), frozenset())


def _picked(
    wanted: dict[str, int], buy: tuple[str, ...], free: frozenset[str], tutored: tuple[str, ...]
) -> Iterator[tuple[str, str, str]]:
    """Each pick put into a skill: what is wrong with it, if anything, a line on it, and its rule."""
    for words in buy:
        skill = plus_of(words)[0]
        if skill in wanted or skill in free:
            wanted[skill] = wanted.get(skill, 0) + 1
            yield "", f"A pick makes it {skill_label(skill, wanted[skill])}", "TSG-083"
            continue
        wanted[skill] = 0
        if skill in tutored:
            yield "", f"A pick for {skill}, newly learnt", "TSG-084"
        else:
            yield "no_tutor", f"Nobody taught {skill}", "TSG-084"


def _too_many_advanced(held: dict[str, int], wanted: dict[str, int], plain: int, limit: int) -> bool:
    """Whether a skill rises above the plain plus and more stand there than the GM allows."""
    above = [skill for skill, plus in wanted.items() if plus > plain]
    rising = [skill for skill in above if wanted[skill] > held.get(skill, 0)]
    return bool(rising) and len(above) > limit


def _labels(skills: dict[str, int]) -> frozenset[str]:
    written: Iterable[str] = (skill_label(name, plus) for name, plus in skills.items())
    return frozenset(written)
