"""Making characters of TSGS: the skills that a rolled number of picks buys, and the fields that some skills have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from sheetgen.dice.source import Dice
from sheetgen.model.cast import Archetype, Occupation
from sheetgen.model.data import Values
from sheetgen.model.system import System
from sheetgen.rules.creation.draft import Draft, Making, StepFunction
from sheetgen.rules.procedures.parameters import Whole, Wrong
from sheetgen.rules.procedures.play import Play
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.tsgs.creation import LEANING, count, is_given, is_npc, leaning_of
from sheetgen.systems.tsgs.skills import picks_rolled, plus_of, price, skill_label, universal_in, universal_skills
from sheetgen.systems.tsgs.standing import skill_for

FANCY = 6  # one pick in so many goes to a fancy
UNHELD = -1  # one less than the plus of a skill that is held plainly


@dataclass(frozen=True, slots=True)
class School:
    """What can be learnt in a setting: the skills, those that everybody has, the prices, the highest plus at first."""

    skills: list[str]
    free: frozenset[str]
    highest: int
    ordinary: tuple[int, ...]
    universal: tuple[int, ...]

    def has(self, role: str) -> int:
        """The plus at which a skill stands before any pick."""
        return 0 if role in self.free else UNHELD

    def cost(self, role: str, plus: int) -> int:
        """What the next step of a skill at that plus costs (`TSG-019`, `TSG-020`)."""
        return (self.universal if role in self.free else self.ordinary)[plus - UNHELD]


def school_of(system: System, setting: str) -> School:
    """The skills of a setting and what each step of them costs."""
    values = system.values
    absent = {str(name) for name in values.at(f"settings.{setting}.absent")}
    highest = values.number("skills.highest_at_start")
    return School(
        [trait.role for trait in system.group("skills").members if trait.role not in absent],
        universal_in(values, setting),
        highest,
        _steps(values, highest, universal=False),
        _steps(values, highest, universal=True),
    )


def _steps(values: Values, highest: int, *, universal: bool) -> tuple[int, ...]:
    """What each step costs, the first one for a skill not held at all."""
    whole = [price(values, plus, universal=universal) for plus in range(highest + 1)]
    return tuple(after - before for before, after in zip((0, *whole), whole, strict=False))


@dataclass(slots=True)
class Learner:
    """Somebody with picks to spend, and the pluses bought so far."""

    school: School
    left: int
    pluses: dict[str, int] = field(default_factory=dict)

    def buys(self, wished: Sequence[str], dice: Dice) -> None:
        """One step of one of the skills wished for, drawn evenly from those that can be had."""
        able = [role for role in wished if self._plus(role) < self.school.highest and self._cost(role) <= self.left]
        if able:
            role = able[dice.choose(len(able), "a skill")]
            self.left -= self._cost(role)
            self.pluses[role] = self._plus(role) + 1

    def _plus(self, role: str) -> int:
        return self.pluses[role] if role in self.pluses else self.school.has(role)

    def _cost(self, role: str) -> int:
        return self.school.cost(role, self._plus(role))


def skills(making: Making) -> StepFunction:
    """A step that rolls the skill picks and spends them, an archetype's on its core first (`TSG-018` to `TSG-020`)."""
    making.only("setting")
    option = making.option("setting", "word")
    system, values = making.system, making.system.values
    archetypes = {each.name: each for each in system.cast.archetypes.values() if each.attributes}
    schools = {name: school_of(system, name) for name in values.names("settings")}
    scale = system.group("skills").scale
    levels = [scale.read(f"+{plus}" if plus else "basic") or 0 for plus in range(len(scale.words))]

    def step(draft: Draft, dice: Dice) -> None:
        if is_npc(draft) or is_given(draft, "skills"):
            draft.tell("as given")
            return
        setting = draft.words[option.name]
        leans = draft.archetype is not None or LEANING in draft.words
        leaning = leaning_of(draft, dice, archetypes) if leans else None
        shown, picks = picks_rolled(values, dice)
        learner = Learner(schools[setting], picks)
        wishes = _wishes(leaning, draft.occupation, _armed(system, draft), learner.school.skills, dice)
        while learner.left:
            learner.buys(next(wishes), dice)
        held = {role: levels[learner.pluses[role]] for role in learner.school.skills if role in learner.pluses}
        draft.values["setting"] = setting
        draft.groups["skills"] = held
        draft.levels.update(held)
        count(draft, "skill_picks", picks)
        draft.tell(f"{shown} and {picks - shown} more: {picks} skill picks")
        draft.tell(", ".join(skill_label(role, plus) for role, plus in learner.pluses.items()))

    return step


def _wishes(
    leaning: Archetype | None, trade: Occupation | None, armed: Sequence[str], everything: list[str], dice: Dice
) -> Iterator[list[str]]:
    """What each pick may go to: the core, what the calling lives by, what is liked; without a leaning, anything."""
    if leaning is not None:
        core = [role for role, picks in leaning.core.items() for _ in range(picks) if role in everything]
        yield from ([role] for role in core)
        own = [role for role in (*armed, *trade.skills) if role in everything] if trade is not None else []
        yield own[:1]
        liked = list(dict.fromkeys((*core, *own, *(role for role in leaning.also if role in everything))))
        for _ in liked:
            yield everything if not dice.choose(FANCY, "a fancy of one’s own") else liked
    while True:
        yield everything


def _armed(system: System, draft: Draft) -> list[str]:
    """The skills of the weapons that a calling brings."""
    things, gear = system.cast.things, draft.occupation.gear if draft.occupation is not None else ()
    return [skill for thing in gear if thing in things and (skill := skill_for(system, things[thing]))]


def fields(making: Making) -> StepFunction:
    """A step that names the field of a skill that has fields, such as Knowledge (`TSG-026`)."""
    making.only()
    values = making.system.values
    listed = {name: [str(word) for word in values.at(f"fields.{name}")] for name in values.names("fields")}
    names = {trait.role: trait.name for trait in making.system.group("skills").members}

    def step(draft: Draft, dice: Dice) -> None:
        found = {
            names[role]: words[dice.choose(len(words), f"field of {role}")]
            for role, words in listed.items()
            if draft.levels.get(role)
        }
        if found:
            draft.values["about"] = found
        draft.tell("; ".join(f"{name}: {field}" for name, field in found.items()) or "nothing")

    return step


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
