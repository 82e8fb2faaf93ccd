"""Making characters and their growth (ledger, parts C, M1 and N): four stats and thirty-six skills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sheetgen.errors import quoted, suggestion
from sheetgen.model.procedures import Named
from sheetgen.model.system import System
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.procedures.procedure import procedure
from sheetgen.systems.diecodes.codes import Codes, Count, Raise, codes_in, codes_of


@dataclass(frozen=True, slots=True)
class Fault:
    """A limit that is not kept: what it is about (a name, or nothing for the sum), in words, and the rule."""

    name: str
    message: str
    rule: str


@dataclass(frozen=True, slots=True)
class Budgets:
    """The limits that a pack sets, all of them in pips."""

    system: System

    @property
    def codes(self) -> Codes:
        """How the pack writes codes."""
        return codes_in(self.system)

    def names(self, group: str) -> tuple[str, ...]:
        """The names of the stats or skills in the pack's order."""
        return tuple(trait.name for trait in self.system.group(group).members)

    def worth(self, path: str) -> int:
        """The pips of a code that the pack states."""
        return self.codes.read(self.system.values.text(path), path)

    def stat_faults(self, stats: Mapping[str, int]) -> list[Fault]:
        """What is wrong with the pips of all stats: all there, each within limits, the budget spent (`DIE-201`)."""
        codes, names = self.codes, self.names("stats")
        low, high, budget = (self.worth(f"stats.{path}") for path in ("least", "most", "budget"))
        limits, total = f"{codes.write(low)} to {codes.write(high)}", sum(stats.values())
        faults = [Fault(name, f"{name} is no stat", "DIE-200") for name in stats if name not in names]
        faults += [Fault("", f"{name} is missing", "DIE-200") for name in names if name not in stats]
        outside = [name for name, pips in stats.items() if not low <= pips <= high]
        faults += [Fault(name, f"{name} is not {limits}", "DIE-201") for name in outside]
        if total != budget and set(names) <= set(stats):
            message = f"the stats take {codes.write(total)} in all, not {codes.write(budget)}"
            faults.append(Fault("", message, "DIE-201"))
        return faults

    def skill_faults(self, raises: Mapping[str, int], grown: int = 0) -> list[Fault]:
        """What is wrong with the pips put on skills: none below its stat, none too high, the budget spent (`DIE-104`).

        `grown` pips have come from adventures since, which give a skill one pip each (`DIE-108`).
        """
        names, most = self.names("skills"), self.worth("skills.most") + grown
        total, budget = sum(raises.values()), self.worth("skills.budget") + grown
        raised, rule = self.codes.raised, "DIE-108" if grown else "DIE-104"
        faults = [Fault(name, f"{name} is no skill", "DIE-221") for name in raises if name not in names]
        faults += [Fault(name, f"{name} is below its stat", "DIE-020") for name, pips in raises.items() if pips < 0]
        for name, pips in raises.items():
            if pips > most:
                faults.append(Fault(name, f"{name} is raised by {raised(pips)}, more than {raised(most)}", rule))
        if total != budget:
            faults.append(Fault("", f"the skills are raised by {raised(total)} in all, not by {raised(budget)}", rule))
        return faults


@procedure("DIE-044 DIE-109", say="what a new character begins with", results="luck wounded stunned")
def start(play: Play) -> tuple[int, bool, bool]:
    """Luck points and both boxes of a new character (`DIE-044`, `DIE-109`)."""
    points = play.values.number("luck.start")
    play.tell(f"luck {points}, neither wounded nor stunned", "DIE-044", "DIE-109")
    return points, False, False


@procedure("DIE-004 DIE-018 DIE-019 DIE-020", say="the code at which a skill begins", results="code")
def skill_start(play: Play, *, stat: str) -> str:
    """The code of the stat itself (`DIE-018`)."""
    codes = codes_of(play)
    code = codes.write(codes.read(stat, "stat"))
    play.tell(f"every skill on a stat of {code} begins at {code}", "DIE-018")
    return code


@procedure("DIE-200 DIE-201 DIE-203", say="what some stats take from the budget", results="pips code left left_pips")
def spent(play: Play, *, codes: tuple[str, ...]) -> tuple[int, str, str, int]:
    """The codes added up, and what is left of the dice to share out (`DIE-201`)."""
    ladder = codes_of(play)
    pips = sum(ladder.read(code, f"codes[{number}]") for number, code in enumerate(codes, 1))
    budget = Budgets(play.system).worth("stats.budget")
    left = max(0, budget - pips)
    plus = f"+{left}" if 0 < left < ladder.per_die else ladder.write(left)
    play.tell(f"{' and '.join(codes) or 'nothing'} take {pips} of {budget} pips; {left} left", "DIE-201", "DIE-203")
    return pips, ladder.write(pips), plus, left


@procedure("DIE-200 DIE-201 DIE-202 DIE-Q32", say="whether four stats keep the rules", results="valid total_pips")
def check_stats(play: Play, *, stats: Mapping[str, str]) -> tuple[bool, int]:
    """Whether all stats are there, each within its limits, and the whole budget spent (`DIE-201`)."""
    codes = codes_of(play)
    pips = {name: codes.read(code, f"stats.{name}") for name, code in stats.items()}
    faults, total = Budgets(play.system).stat_faults(pips), sum(pips.values())
    play.tell("; ".join(fault.message for fault in faults) or f"{total} pips on the stats: in order", "DIE-201")
    return not faults, total


@procedure(
    "DIE-004 DIE-017 DIE-018 DIE-020 DIE-104 DIE-221",
    say="whether raised skills keep the rules",
    results="valid total_pips codes",
)
def check_skills(
    play: Play, *, stats: Mapping[str, str], raises: Mapping[str, Raise]
) -> tuple[bool, int, Named[str, str]]:
    """Whether the raises are allowed and use up the budget (`DIE-104`), and every skill's code (`DIE-018`)."""
    codes, budgets = codes_of(play), Budgets(play.system)
    names = budgets.names("stats")
    for name in (*stats, *names):
        if name not in names:
            raise Refused("stat", f"stats: there is no stat {quoted(name)}", "DIE-200")
        if name not in stats:
            raise Refused("stat", f"stats.{name}: is missing", "DIE-200")
    faults, total = budgets.skill_faults(raises), sum(raises.values())
    in_order = f"{total} pips on {len(raises)} skills: in order"
    play.tell("; ".join(fault.message for fault in faults) or in_order, "DIE-104")
    begins = {name: codes.read(code, f"stats.{name}") for name, code in stats.items()}
    skills = play.system.group("skills").members
    worth = {trait.name: begins[trait.section] + max(0, raises.get(trait.name, 0)) for trait in skills}
    return not faults, total, Named({name: codes.write(pips) for name, pips in worth.items()})


@procedure("DIE-069 DIE-221", say="the stat of a skill, and whether it is a reaction", results="skill stat reaction")
def skill_of(play: Play, *, skill: str) -> tuple[str, str, bool]:
    """The stat that a skill belongs to (`DIE-221`); Refused for a skill that is not on the list."""
    _, stat, reaction = found = _skill_named(play, skill, "skill")
    play.tell(f"{skill} goes with {stat}{', a reaction' if reaction else ''}", "DIE-221")
    return found


def _skill_named(play: Play, skill: str, what: str) -> tuple[str, str, bool]:
    """What the pack says of a skill; Refused for a name that is not on its list."""
    for trait in play.system.group("skills").members:
        if trait.name == skill:
            return skill, trait.section, trait.kind == "reaction"
    near = suggestion(skill, Budgets(play.system).names("skills"))
    raise Refused("skill", f"{what}: there is no skill {quoted(skill)}{near}", "DIE-221")


@procedure("DIE-069 DIE-221", say="a skill picked with two dice", results="skill stat reaction")
def pick_skill(play: Play) -> tuple[str, str, bool]:
    """The skill that two dice name, read as tens and ones (`DIE-221`)."""
    tens, ones = play.dice.roll(2, play.values.number("dice.sides"), "a skill, tens and ones")
    skill, stat, _ = found = _skill_named(
        play, play.system.tables["skills"].row(10 * tens + ones)["is"], "tables: skills"
    )
    play.tell(f"{tens} and {ones}: {skill}, which goes with {stat}", "DIE-221")
    return found


@procedure("DIE-012 DIE-201 DIE-220 DIE-222", say="four stats at random", results="stats")
def random_stats(play: Play) -> Named[str, str]:
    """The stats when each pip above the least falls where a die says (`DIE-222`)."""
    codes, budgets = codes_of(play), Budgets(play.system)
    names, least = budgets.names("stats"), budgets.worth("stats.least")
    placed = play.part(_placed, budgets.worth("stats.budget") - least * len(names))
    written = {name: codes.write(least + pips) for name, pips in zip(names, placed, strict=True)}
    play.tell(", ".join(f"{name} {code}" for name, code in written.items()), "DIE-222")
    return Named(written)


def _placed(play: Play, count: int) -> tuple[int, ...]:
    """How many of so many pips fell on each stat; a part of its own, so that odds need not know the order."""
    budgets = Budgets(play.system)
    names, room = budgets.names("stats"), budgets.worth("stats.most") - budgets.worth("stats.least")
    if not count:
        return (0,) * len(names)
    before = play.part(_placed, count - 1)
    lucky = play.part(_open_stat, tuple(name for name, pips in zip(names, before, strict=True) if pips < room))
    return tuple(pips + (name == lucky) for name, pips in zip(names, before, strict=True))


def _open_stat(play: Play, still_open: tuple[str, ...]) -> str:
    """The stat that the dice name, rolled again for one that is full and for a face that names none (`DIE-222`)."""
    return play.rounds(
        _named_stat, "", still_open, goes_on=lambda name: not name, what="a pip for a stat", counted=False
    )[0]


def _named_stat(play: Play, before: str, still_open: tuple[str, ...]) -> str:
    """The stat that one die names, or nothing."""
    table, sides = play.system.tables["stats"], play.values.number("dice.sides")
    named = {face: table.row(face)["is"] for face in table.over}
    reading = tuple(tuple(face for face, name in named.items() if name == stat) for stat in still_open)
    fallen = play.dice.pool(1, sides, reading, "a pip for a stat")
    if not any(fallen):
        play.tell("no stat, or a full one: roll again", "DIE-222")
        return ""
    name = still_open[fallen.index(1)]
    play.tell(f"{name} +1", "DIE-220", "DIE-222")
    return name


@procedure("DIE-104 DIE-221 DIE-223", say="the skills of a new character at random", results="raises different")
def random_skills(play: Play) -> tuple[Named[str, int], int]:
    """The raises when each die of the budget falls on a skill picked with two dice (`DIE-223`)."""
    budgets = Budgets(play.system)
    step, skills = budgets.worth("skills.random_step"), budgets.names("skills")
    asked, nothing = play.wanted("raises", skills), Named[str, int]({})
    raises, _ = play.rounds(
        *(_raise_one, nothing, _alike(play, tuple(name for name in skills if name not in asked))),
        goes_on=lambda raises: True,
        what="skills at random",
        most=budgets.worth("skills.budget") // step,
        counted=False,
    )
    per_die = codes_of(play).per_die
    play.tell(", ".join(f"{name} +{pips // per_die}d" for name, pips in raises.items()), "DIE-223")
    return raises, len(raises)


def _alike(play: Play, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some skills that odds need not tell apart, because two dice name each of them equally often."""
    rows = [row.columns["is"] for row in play.system.tables["skills"].rows]
    return names if play.explores and len({rows.count(name) for name in names}) == 1 else ()


def _raise_one(play: Play, raises: Named[str, int], alike: tuple[str, ...]) -> Named[str, int]:
    """The raises with one more die on a skill that has room for it; those of skills that are alike in falling order."""
    budgets = Budgets(play.system)
    step, most = budgets.worth("skills.random_step"), budgets.worth("skills.most")
    full = tuple(name for name, pips in raises.items() if pips + step > most)
    skill, _ = play.rounds(_open_skill, "", full, goes_on=lambda skill: not skill, what="a skill", counted=False)
    after = {**raises, skill: raises.get(skill, 0) + step}
    if alike:
        pips = sorted((after.pop(name) for name in alike if name in after), reverse=True)
        after.update(zip(alike, pips, strict=False))
    return Named(after)


def _open_skill(play: Play, before: str, full: tuple[str, ...]) -> str:
    """The skill that two dice name, or nothing for one that is as high as it may be."""
    skill, *_ = pick_skill(play)
    if skill not in full:
        return skill
    play.tell(f"{skill} is as high as it may be: roll both dice again", "DIE-223")
    return ""


@procedure("DIE-011 DIE-016 DIE-017 DIE-020 DIE-104 DIE-201", say="a stat or skill raised by some pips", results="code")
def raise_(
    play: Play, *, what: Literal["stat", "skill"], code: str, pips: Raise, when: Literal["creation", "play"] = "play"
) -> str:
    """The higher code; Refused for a stat in play (`DIE-016`) and beyond the limits of creation (`DIE-104`)."""
    codes, values, budgets = codes_of(play), play.values, Budgets(play.system)
    before = codes.read(code, "code")
    after = before + pips
    if what == "stat" and when == "play":
        raise Refused("stat", "what: stats cannot be raised in play", "DIE-016")
    if pips < 1:
        raise Refused("pips", f"pips: raising takes at least one pip, not {pips}", "DIE-020")
    if what == "stat" and after > budgets.worth("stats.most"):
        raise Refused("pips", f"pips: a stat is at most {values.text('stats.most')} at creation", "DIE-201")
    if what == "skill" and when == "creation" and pips > budgets.worth("skills.most"):
        raise Refused("pips", f"pips: a skill is raised by at most {values.text('skills.most')} at creation", "DIE-104")
    play.tell(f"{codes.write(before)} and {pips} pips: {codes.write(after)}", "DIE-011", "DIE-017")
    return codes.write(after)


@procedure("DIE-017 DIE-108", say="skills grown after an adventure", results="codes")
def growth(
    play: Play, *, skills: Mapping[str, str], awards: Mapping[str, Raise], pips: Count | None = None
) -> Named[str, str]:
    """The codes after the awards; Refused beyond the pips handed out or the pips a skill may gain (`DIE-108`)."""
    codes, each = codes_of(play), play.values.number("growth.each")
    handed_out = play.values.number("growth.pips") if pips is None else pips
    for name, award in awards.items():
        if name not in skills:
            raise Refused("awards", f"awards.{name}: the skill is not among those given", "DIE-108")
        _skill_named(play, name, "awards")
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
    return Named(after)


@procedure("DIE-053 DIE-108", say="the end of an adventure: luck comes back, skills grow", results="codes luck")
def end_adventure(
    play: Play,
    *,
    luck: Count = 0,
    owed: Count = 0,
    skills: Mapping[str, str],
    awards: Mapping[str, Raise],
    pips: Count | None = None,
) -> tuple[Named[str, str], int]:
    """The luck points held once those owed are back (`DIE-053`), and the skills after growth (`DIE-108`)."""
    play.tell(f"luck {luck} and {owed} that come back: {luck + owed}", "DIE-053")
    return growth(play, skills=skills, awards=awards, pips=pips), luck + owed
