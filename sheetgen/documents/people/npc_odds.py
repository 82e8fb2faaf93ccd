"""How likely what half a page tells of is: each chance of a game is worked out once for everybody of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from weakref import ref

from sheetgen.dice.source import Scripted
from sheetgen.errors import LimitError, UsageError
from sheetgen.model.data import Data, Word
from sheetgen.model.people_pages import NUMBER, Chance, filled, slots_of
from sheetgen.model.system import System
from sheetgen.rules.odds import exact_odds
from sheetgen.rules.procedures.parameters import Wrong
from sheetgen.rules.procedures.play import Play, Refused
from sheetgen.rules.registry import engine_of, rulings_of

MOST_KEPT, MOST_SYSTEMS = 5_000, 16
_made: dict[int, tuple[ref[System], NpcOdds]] = {}  # since they are asked for once for each person


class NpcOdds:
    """The chances in a game, by what was asked before; UsageError for what its pack asks wrongly."""

    def __init__(self, system: System) -> None:
        self._system, self._known = system, dict[str, Fraction | None]()

    @property
    def known(self) -> dict[str, str]:
        """What was worked out so far, as plain text for a cache."""
        return {asked: "" if likely is None else str(likely) for asked, likely in self._known.items()}

    def learn(self, known: Mapping[str, str]) -> None:
        """Take what was worked out in an earlier run."""
        self._known |= {asked: Fraction(likely) if likely else None for asked, likely in known.items()}

    def against(
        self, chances: tuple[Chance, ...], number: int, values: Mapping[str, str]
    ) -> tuple[tuple[str, Fraction], ...]:
        """Return what each opponent is called with the chance against it: those of the first that can be asked.

        What names fields that say nothing cannot be asked.
        """
        for chance in chances:
            found = tuple(self._against(chance, number, values))
            if found:
                return found
        return ()

    def _against(self, chance: Chance, number: int, values: Mapping[str, str]) -> Iterator[tuple[str, Fraction]]:
        for opponent in chance.against:
            given = _with_fields(_merged(chance.given, opponent.given), number, values)
            if given is not None:
                asked = f"{chance.procedure} {chance.of} {chance.policy} {given!r}"
                if asked not in self._known:
                    if len(self._known) >= MOST_KEPT:
                        self._known.clear()
                    self._known[asked] = self._worked_out(chance, given)
                likely = self._known[asked]
                if likely is not None:
                    yield opponent.say, likely

    def _worked_out(self, chance: Chance, given: Data) -> Fraction | None:
        """Return how likely the result is; None if that would take too long to work out."""
        system = self._system
        engine = engine_of(system)
        procedure = engine.procedures.get(chance.procedure)
        if procedure is None:
            raise UsageError(f"npc: {system.title} has no procedure {chance.procedure}")
        try:
            arguments = procedure.arguments(given, Play(system, Scripted(()), rulings=rulings_of(system)))
            return exact_odds(system, procedure, arguments, of=chance.of, policy=chance.policy).chance(True)
        except (Wrong, Refused) as wrong:
            raise UsageError(f"npc: {chance.procedure}: {wrong}") from wrong  # which an attempt tells in other words
        except LimitError:
            return None


def odds_of(system: System) -> NpcOdds:
    """Return the chances in a game, with what was worked out before."""
    known = _made.get(id(system))
    if known is None or known[0]() is not system:
        while len(_made) >= MOST_SYSTEMS:
            del _made[next(iter(_made))]
        known = _made[id(system)] = ref(system), NpcOdds(system)
    return known[1]


def _merged(given: Data, more: Data) -> Data:
    """Return parameters with more of them, those within mappings too."""
    if not (isinstance(given, Mapping) and isinstance(more, Mapping)):
        return more
    return {**given, **{name: _merged(given[name], each) if name in given else each for name, each in more.items()}}


def _with_fields(data: Data, number: int, values: Mapping[str, str]) -> Data | None:
    """Return parameters with the fields of a sheet filled in; None where one of them says nothing."""
    if isinstance(data, Word):
        line = data.replace(NUMBER, str(number))
        if not slots_of(line):
            return data
        said = filled(line, values).replace("−", "-").removeprefix("+")
        return Word(said, data.place) if said else None
    if isinstance(data, Mapping):
        inside = {name: _with_fields(each, number, values) for name, each in data.items()}
        return None if None in inside.values() else inside  # type: ignore[return-value]
    items = tuple(_with_fields(each, number, values) for each in data)
    return None if None in items else items  # type: ignore[return-value]
