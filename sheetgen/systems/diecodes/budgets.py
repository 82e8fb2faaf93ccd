"""What stats and skills may take (ledger parts M1 and N): limits and budgets, for procedures and for files alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheetgen.model.system import System
from sheetgen.systems.diecodes.codes import Codes, codes_in


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
        limits = f"{codes.write(low)} to {codes.write(high)}"
        faults = [Fault(name, f"{name} is no stat", "DIE-200") for name in stats if name not in names]
        faults += [Fault("", f"{name} is missing", "DIE-200") for name in names if name not in stats]
        outside = [name for name, pips in stats.items() if not low <= pips <= high]
        faults += [Fault(name, f"{name} is not {limits}", "DIE-201") for name in outside]
        total = codes.write(sum(stats.values()))
        if sum(stats.values()) != budget and set(names) <= set(stats):
            faults.append(Fault("", f"the stats take {total} in all, not {codes.write(budget)}", "DIE-201"))
        return faults

    def skill_faults(self, raises: Mapping[str, int], grown: int = 0) -> list[Fault]:
        """What is wrong with the pips put on skills: none below its stat, none too high, the budget spent (`DIE-104`).

        `grown` pips have come from adventures since, which give a skill one pip each (`DIE-108`).
        """
        names, most = self.names("skills"), self.worth("skills.most") + grown
        total, budget = sum(raises.values()), self.worth("skills.budget") + grown
        faults = [Fault(name, f"{name} is no skill", "DIE-221") for name in raises if name not in names]
        faults += [Fault(name, f"{name} is below its stat", "DIE-020") for name, pips in raises.items() if pips < 0]
        high = [name for name, pips in raises.items() if pips > most]
        rule, limit = "DIE-108" if grown else "DIE-104", self.codes.raised(most)
        faults += [
            Fault(name, f"{name} is raised by {self.codes.raised(raises[name])}, more than {limit}", rule)
            for name in high
        ]
        if total != budget:
            all_told, wanted = self.codes.raised(total), self.codes.raised(budget)
            faults.append(Fault("", f"the skills are raised by {all_told} in all, not by {wanted}", rule))
        return faults
