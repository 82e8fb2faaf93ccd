"""Where one character is made by choice: a step is tried, what it made is changed, and both are judged alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sheetgen.model.character import Character, Value
from sheetgen.model.system import FieldSpec, Step, System
from sheetgen.rules.creation.answers import Refused
from sheetgen.rules.creation.choices import FormMaker
from sheetgen.rules.creation.draft import Draft
from sheetgen.rules.replay import copied, lay
from sheetgen.rules.rolling import Roller

Judge = Callable[[Character], Sequence[str]]
Made = dict[str, "Value | None"]

SEEDS = 2**63


@dataclass(frozen=True, slots=True)
class Trial:
    """What a step made of a draft: the draft after it, the log, and the fields that it filled."""

    slot: str
    tries: int
    draft: Draft
    log: tuple[str, ...]
    made: Made


@dataclass(slots=True)
class Desk:
    """Where one character is made: the game, the compiled steps, the judge, and the seeds of steps rolled again."""

    system: System
    roller: Roller
    judge: Judge
    again: dict[str, int] = field(default_factory=dict)
    forms: Mapping[str, FormMaker] = field(default_factory=dict)

    def seed(self, tries: int) -> int:
        """The seed of a further try at a step."""
        return (self.roller.seed + tries) % SEEDS

    def spec(self, name: str) -> FieldSpec:
        """What a field may hold."""
        return next(spec for spec in self.system.fields if spec.name == name)

    def complaints(self, draft: Draft) -> list[str]:
        """What a file would be refused for that held what the draft says so far."""
        return list(self.judge(self.roller.finished(draft)))

    def step(self, slot: str) -> Step:
        """The step that stands in a slot."""
        return self.roller.making(slot).step

    def tried(self, slot: str, draft: Draft, tries: int) -> Trial:
        """What a step makes of a draft at a further try; the draft itself stays as it is."""
        log: list[str] = []
        trial = copied(draft, log)
        before = self.roller.values(draft)
        self.roller.take(slot, trial, self.seed(tries))
        after = self.roller.values(trial)
        made: Made = {name: value for name, value in after.items() if value != before.get(name) and value}
        trial.log = None
        return Trial(slot, tries, trial, tuple(log), made)

    def laid(self, trial: Trial, now: Made) -> Draft:
        """The draft with a person's own values; Refused with what is wrong with them that was not wrong before."""
        draft = copied(trial.draft)
        for name, value in now.items():
            if value != trial.made[name]:
                lay(self.system, draft, name, value)
        before = self.complaints(trial.draft)
        wrong = [each for each in self.complaints(draft) if each not in before]
        if wrong:
            raise Refused(*wrong)
        return draft
