"""Raising and growing (ledger parts C and N): what may rise when, and what an adventure brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from sheetgen.model.outcome import Named
from sheetgen.rules.procedures.parameters import Whole
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import CodeOutcome, codes_of
from sheetgen.systems.diecodes.luck import Points
from sheetgen.systems.diecodes.making import Raise, skill_named

Pips = Annotated[int, Whole(0, 99)]


@dataclass(frozen=True, slots=True)
class GrowthOutcome:
    """The codes of the skills after an adventure."""

    codes: Named[str, str]


@dataclass(frozen=True, slots=True)
class AdventureEnd:
    """A character when the adventure is over: the codes of the skills, and the luck points held."""

    codes: Named[str, str]
    luck: int


@procedure("DIE-011", "DIE-016", "DIE-017", "DIE-020", "DIE-104", "DIE-201", say="a stat or skill raised by some pips")
def raise_(
    play: Play, *, what: Literal["stat", "skill"], code: str, pips: Raise, when: Literal["creation", "play"] = "play"
) -> CodeOutcome:
    """The higher code; Refused for a stat in play (`DIE-016`) and beyond the limits of creation (`DIE-104`)."""
    codes, values = codes_of(play), play.values
    before = codes.read(code, "code")
    after = before + pips
    if what == "stat" and when == "play":
        raise Refused("stat", "what: stats cannot be raised in play", "DIE-016")
    if pips < 1:
        raise Refused("pips", f"pips: raising takes at least one pip, not {pips}", "DIE-020")
    if what == "stat" and after > codes.read(values.text("stats.most"), "stats.most"):
        raise Refused("pips", f"pips: a stat is at most {values.text('stats.most')} at creation", "DIE-201")
    if what == "skill" and when == "creation" and pips > codes.read(values.text("skills.most"), "skills.most"):
        raise Refused("pips", f"pips: a skill is raised by at most {values.text('skills.most')} at creation", "DIE-104")
    play.tell(f"{codes.write(before)} and {pips} pips: {codes.write(after)}", "DIE-011", "DIE-017")
    return CodeOutcome(codes.write(after))


@procedure("DIE-017", "DIE-108", say="skills grown after an adventure")
def growth(
    play: Play, *, skills: Mapping[str, str], awards: Mapping[str, Raise], pips: Pips | None = None
) -> GrowthOutcome:
    """The codes after the awards; Refused beyond the pips handed out or the pips a skill may gain (`DIE-108`)."""
    codes, each = codes_of(play), play.values.number("growth.each")
    handed_out = play.values.number("growth.pips") if pips is None else pips
    for name, award in awards.items():
        if name not in skills:
            raise Refused("awards", f"awards.{name}: the skill is not among those given", "DIE-108")
        skill_named(play, name, "awards")
        if not 0 <= award <= each:
            message = f"awards.{name}: a skill gains at most {each} pip in an adventure, not {award}"
            raise Refused("awards", message, "DIE-108")
    if sum(awards.values()) > handed_out:
        message = f"awards: {sum(awards.values())} pips are more than the {handed_out} handed out"
        raise Refused("awards", message, "DIE-108")
    after = {}
    for name, code in skills.items():
        before = codes.read(code, f"skills.{name}")
        after[name] = codes.write(before + awards.get(name, 0))
        if after[name] != codes.write(before):
            play.tell(f"{name} grows from {codes.write(before)} to {after[name]}", "DIE-108")
    return GrowthOutcome(Named(after))


@procedure("DIE-053", "DIE-108", say="the end of an adventure: luck comes back, skills grow")
def end_adventure(
    play: Play,
    *,
    luck: Points = 0,
    owed: Points = 0,
    skills: Mapping[str, str],
    awards: Mapping[str, Raise],
    pips: Pips | None = None,
) -> AdventureEnd:
    """The luck points held once those owed are back (`DIE-053`), and the skills after growth (`DIE-108`)."""
    play.tell(f"luck {luck} and {owed} that come back: {luck + owed}", "DIE-053")
    return AdventureEnd(growth(play, skills=skills, awards=awards, pips=pips).codes, luck + owed)
