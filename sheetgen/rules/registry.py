"""The hook through which a system brings what YAML cannot say.

A system is an installed module with `register(engine: Engine) -> None`, found by the name its pack gives under
`engine:` among the entry points of the group `sheetgen.systems`. The systems that come with sheetgen use the same door.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from weakref import ref

from sheetgen.errors import InputError, Problem, quoted, suggestion
from sheetgen.model.character import Character, Value
from sheetgen.model.system import System
from sheetgen.rules.consequences import KINDS, EventRule
from sheetgen.rules.creation.casting import age, given, people_names, phrase, share_out
from sheetgen.rules.creation.choices import ChoiceFormMaker
from sheetgen.rules.creation.draft import Making, StepFunction
from sheetgen.rules.creation.exchanges import fill_slots, pay, swap
from sheetgen.rules.creation.gear import gear, kit
from sheetgen.rules.creation.growth import grow, note, train
from sheetgen.rules.creation.picks import derive, from_table, pick
from sheetgen.rules.creation.skills import familiarities, specialties
from sheetgen.rules.creation.steps import array, buy_levels, roll_and_arrange, roll_each, share_points
from sheetgen.rules.creation.trades import occupation
from sheetgen.rules.procedures.families import family_procedures
from sheetgen.rules.procedures.procedure import Procedure, procedures_in

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

GROUP = "sheetgen.systems"
BUILT_IN = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix")

StepMaker = Callable[[Making], StepFunction]
Figures = Callable[[System, Character], Mapping[str, str]]
FigureReader = Callable[[System, Mapping[str, str]], Mapping[str, Value]]
Judge = Callable[[System, Character], tuple[Problem, ...]]
Parameters = Callable[[System, Character, str], Mapping[str, object]]


@dataclass(slots=True)
class Engine:
    """The parts of a game that need Python: creation steps, procedures, figures of a sheet, legality of characters.

    `rulings` names each open point that a pack may rule otherwise, with the ways to rule it, the default first; `forms`
    has the limits within which levels are chosen by hand, for steps of the game's own.
    `shown_by` says which figures show a field on a sheet that has no field of its name, as patterns: `*` stands
    for any letters, `{name}` and `{role}` for those of a trait; all that match must have a place on the sheet.
    `read_figures` gives the values of fields that the figures of a filled sheet spell out; others are found by trying.
    `parameters` gives what a pack's `uses:` may name, as `told.NAME` or by itself: what a character fills in who uses a
    skill or weapon, and under `with` the trait that this stands for. `best_weapon` is what a fighter uses unless told.
    `consequences` gives what experience, injury and rest make of people between two evenings, by these words.
    """

    steps: dict[str, StepMaker] = field(default_factory=dict)
    rulings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    figures: Figures = lambda system, character: {}
    shown_by: dict[str, tuple[str, ...]] = field(default_factory=dict)
    read_figures: FigureReader = lambda system, said: {}
    judge: Judge = lambda system, character: ()
    forms: dict[str, ChoiceFormMaker] = field(default_factory=dict)
    parameters: Parameters = lambda system, character, what: {}
    best_weapon: Callable[[System, Character], str] = lambda system, character: ""
    consequences: Callable[[], Mapping[str, EventRule]] = dict
    _found: dict[str, Procedure] = field(default_factory=dict)
    _later: list[Callable[[], Mapping[str, Procedure]]] = field(default_factory=list)

    @property
    def told(self) -> Parameters:
        """The `parameters` by their former name, under which engines made for 0.1.0 set them."""
        return self.parameters

    @told.setter
    def told(self, parameters: Parameters) -> None:
        self.parameters = parameters

    @property
    def procedures(self) -> dict[str, Procedure]:
        """Every procedure by its name; their modules are imported when this is first asked for."""
        while self._later:
            self._found.update(self._later.pop(0)())
        return self._found

    def add_consequences(self, module: str, package: str) -> None:
        """Take `consequences` from the functions of a module that are so called, which is imported when they are asked
        for; a name that begins with a dot is that of a module inside `package`.
        """
        self.consequences = partial(_consequences_in, module, package)

    def add(self, *modules: ModuleType | str, package: str = "") -> None:
        """Add every procedure that the modules declare; those given by name are imported when they are needed.

        A name that begins with a dot is that of a module inside `package`.
        """
        self._later += [partial(_declared, module, package) for module in modules]


def _declared(module: ModuleType | str, package: str) -> dict[str, Procedure]:
    return procedures_in(importlib.import_module(module, package) if isinstance(module, str) else module)


def _consequences_in(module: str, package: str) -> Mapping[str, EventRule]:
    found = importlib.import_module(module, package)
    return {kind: getattr(found, kind) for kind in KINDS if hasattr(found, kind)}


def _shared() -> Engine:
    return Engine(
        {
            "roll each": roll_each,
            "roll and arrange": roll_and_arrange,
            "array": array,
            "share points": share_points,
            "buy levels": buy_levels,
            "occupation": occupation,
            "given": given,
            "name": people_names,
            "age": age,
            "phrase": phrase,
            "share out": share_out,
            "gear": gear,
            "kit": kit,
            "specialties": specialties,
            "familiarities": familiarities,
            "swap": swap,
            "pay": pay,
            "fill slots": fill_slots,
            "table": from_table,
            "pick": pick,
            "derive": derive,
            "grow": grow,
            "note": note,
            "train": train,
        }
    )


@cache
def load_engine(name: str) -> Engine:
    """The engine of that name with the shared steps, or the shared steps alone for a pack that names none.

    Raises KeyError when nothing of that name is installed.
    """
    engine = _shared()
    if not name:
        return engine
    if name in BUILT_IN:
        module = importlib.import_module(f"sheetgen.systems.{name}")
    else:
        found = _installed(name)
        if not found:
            raise KeyError(name)
        module = next(iter(found)).load()
    module.register(engine)
    return engine


def _installed(name: str = "") -> EntryPoints:
    """The engines of that name that are installed beside sheetgen, or all of them."""
    from importlib.metadata import entry_points  # which is slow, and hardly ever needed

    return entry_points(group=GROUP, name=name) if name else entry_points(group=GROUP)


def engine_code(name: str) -> Path | None:
    """The folder or file of an engine that somebody installed; None for those that come with sheetgen."""
    for point in () if name in ("", *BUILT_IN) else _installed(name):
        spec = importlib.util.find_spec(point.module.partition(".")[0])
        if spec is not None and spec.submodule_search_locations:
            return Path(next(iter(spec.submodule_search_locations)))
        if spec is not None and spec.origin:
            return Path(spec.origin)
    return None


MOST_MADE = 16
_made: dict[int, tuple[ref[System], Engine]] = {}  # since engines are asked for once for each person


def engine_of(system: System) -> Engine:
    """The engine that a pack asks for, with the procedures of its `play`.

    InputError at the pack when the engine is not installed, and at what is wrong in `play`.
    """
    known, engine = _made.get(id(system), (None, None))
    if engine is not None and known is not None and known() is system:
        return engine
    try:
        shared = load_engine(system.engine)
    except KeyError:
        installed = [*BUILT_IN, *(point.name for point in _installed())]
        message = f"engine {quoted(system.engine)} is not installed{suggestion(system.engine, installed)}"
        raise InputError([Problem(system.place, message)]) from None
    if not system.play:
        return shared
    families = family_procedures(system)
    engine = replace(shared, _found={}, _later=[lambda: shared.procedures, lambda: families])
    while len(_made) >= MOST_MADE:
        del _made[next(iter(_made))]
    _made[id(system)] = ref(system), engine
    return engine


def rulings_of(system: System) -> dict[str, str]:
    """Return how each open point is ruled: as the pack says, else by the engine's default."""
    return {point: system.rulings.get(point, ways[0]) for point, ways in engine_of(system).rulings.items()}
