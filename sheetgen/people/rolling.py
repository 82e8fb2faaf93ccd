"""Rolling: the characters of a run, one after another, how each was rolled, and the code that rolls one again.

What a stranger's pack asks for may take for ever, so its characters are rolled in confined processes, some at a time.

`SG1/GAMERS/7/57/OUTLAW//TECH:9` is format 1, system, seed, number (or `1-12` for a run), archetype, method, options.
Capitals, digits and `/:-%` only: a QR code holds those in two thirds of the room (ISO/IEC 18004, alphanumeric mode).
What is none of these stands as `%` and two hexadecimal digits for each byte of UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sheetgen.batch.pool import Series
from sheetgen.dice.source import LARGEST_SEED
from sheetgen.errors import UsageError, quoted
from sheetgen.model.character import Character
from sheetgen.model.system import System
from sheetgen.rules.rolling import Roller, plan_of, unusual_words
from sheetgen.workspace.packs import Pack

T = TypeVar("T")

MOST_CHARACTERS = 1_000_000  # that a code stands for
MOST_ROLLED = 100_000_000
CHUNK = 200  # characters that a confined process rolls within the limits of one
FORMAT = "SG1"
LONGEST = 400  # characters of a code that is read
MOST_OPTIONS = 20
_UNESCAPED = re.compile(r"[A-Z0-9 .$*+-]")
_NUMBERS = re.compile(r"([1-9][0-9]{0,9})(?:-([1-9][0-9]{0,9}))?")


@dataclass(frozen=True, slots=True)
class RollOptions:
    """A run: how many people, from which index on, with seed, method, archetype and options."""

    seed: int
    count: int = 1
    first: int = 1
    method: str = ""
    archetype: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


def roller(pack: Pack, run: RollOptions) -> Roller:
    """Return the compiled creation of a run; UsageError for a method, archetype or option that the pack lacks."""
    plan = plan_of(pack.system, method=run.method, archetype=run.archetype, options=run.options)
    return Roller(pack.system, plan, run.seed)


def check_run(pack: Pack, run: RollOptions) -> None:
    """Raise UsageError for a method, archetype or option that the pack lacks, before anything is rolled."""
    pack.run_isolated(lambda: bool(roller(pack, run)))


def roll(pack: Pack, run: RollOptions) -> Series[Character]:
    """Return the characters of a run in order of their index.

    Raise LimitError when a stranger's pack takes too long over them.
    """

    def begin() -> Callable[[range], Iterator[Character]]:
        made = roller(pack, run)
        return lambda numbers: made.roll_all(_indices(run, numbers))

    def begin_confined() -> Callable[[range], Iterator[Character]]:
        work = lambda indices: tuple(roller(pack, run).roll_all(indices))  # noqa: E731
        return lambda numbers: _in_chunks(pack, _indices(run, numbers), work)

    return Series(run.count, begin if pack.ours else begin_confined)


def explanation(pack: Pack, run: RollOptions, rerolled: Mapping[str, int] | None = None) -> Iterator[str]:
    """Return how each character of a run was rolled: its name, then the log line by line with rule IDs.

    `rerolled` names the steps that were rolled again, each with its seed.
    """

    def begin() -> Roller:
        made = roller(pack, run)
        return made.again(rerolled) if rerolled else made

    if pack.ours:
        made = begin()
        return (line for number in _indices(run) for line in _explained(made, number))

    def lines(numbers: Sequence[int]) -> tuple[str, ...]:
        made = begin()
        return tuple(line for number in numbers for line in _explained(made, number))

    return _in_chunks(pack, _indices(run), lines)


def _explained(made: Roller, number: int) -> tuple[str, ...]:
    character, log = made.explain(number)
    return (f"{character.text('name')} (seed {made.seed}, no. {number})", *log)


def _indices(run: RollOptions, numbers: range | None = None) -> range:
    """Return the indices of a run, or those of some of its numbers, which begin at 0."""
    numbers = range(run.count) if numbers is None else numbers
    return range(run.first + numbers.start, run.first + numbers.stop)


def _in_chunks(pack: Pack, indices: range, work: Callable[[Sequence[int]], tuple[T, ...]]) -> Iterator[T]:
    for start in range(0, len(indices), CHUNK):
        chunk = indices[start : start + CHUNK]
        yield from pack.run_isolated(lambda chunk=chunk: work(chunk))  # type: ignore[misc]


def roll_code(system: System, character: Character) -> str:
    """Return the code of a character as rolled; nothing for one that was not rolled, or rolled again in part."""
    origin = character.origin
    if origin is None or origin.rerolled or origin.edited:
        return ""
    method, options = unusual_words(system, origin)
    return _code(system, origin.seed, str(origin.index), [origin.archetype, method], options)


def code_of_run(system: System, run: RollOptions) -> str:
    """Return the code of everybody of a run: `SG1/GAMERS/7/1-12`."""
    numbers = str(run.first) if run.count == 1 else f"{run.first}-{run.first + run.count - 1}"
    return _code(system, run.seed, numbers, [run.archetype, run.method], run.options)


def _code(system: System, seed: int, numbers: str, words: Sequence[str], options: Mapping[str, str]) -> str:
    parts = [FORMAT, system.id, str(seed), numbers, *words, *(f"{name}:{value}" for name, value in options.items())]
    while parts[-1] == "":
        parts.pop()
    return "/".join(":".join(map(_escaped, part.split(":", 1))) for part in parts)


def read_roll_code(code: str, systems: Iterable[str]) -> tuple[str, RollOptions]:
    """Return the system that a code names, as one of `systems`, and the run; UsageError for what is no such code.

    Names come back as they stand in the code: `known_words` finds how the pack spells them.
    """
    parts = code.strip().split("/")
    if len(code) > LONGEST or len(parts) < 4 or parts[0].upper() != FORMAT:
        raise UsageError(f"{quoted(code)} is no code of a rolled person: it begins like {FORMAT}/GAMERS/7/57")
    _, system, seed, numbers, archetype, method, *options = [*parts, *[""] * (6 - len(parts))]
    asked = _NUMBERS.fullmatch(numbers)
    if not (seed.isascii() and seed.isdigit() and int(seed) <= LARGEST_SEED) or asked is None:
        raise UsageError(f"{quoted(code)} names no seed and number, as {FORMAT}/GAMERS/7/57 does")
    first, last = int(asked[1]), int(asked[2] or asked[1])
    if not first <= last < first + MOST_CHARACTERS or len(options) > MOST_OPTIONS:
        raise UsageError(f"{quoted(code)} asks for numbers {first:,} to {last:,}")
    pairs: dict[str, str] = {}
    for option in options:
        word, _, value = option.partition(":")
        pairs[_unescaped(word)] = _unescaped(value)
    name = _unescaped(system)
    found = next((each for each in systems if each.casefold() == name.casefold()), name.lower())
    return found, RollOptions(int(seed), last - first + 1, first, _unescaped(method), _unescaped(archetype), pairs)


def known_words(system: System, run: RollOptions) -> RollOptions:
    """Return the run with method, archetype and options spelled as the pack spells them; unknown ones stay."""
    creation = system.creation
    options = {_like(name, creation.options): value for name, value in run.options.items()}
    for name, value in options.items():
        option = creation.options.get(name)
        options[name] = _like(value, (*option.among, *option.steps)) if option else value
    method, archetype = _like(run.method, creation.methods), _like(run.archetype, system.cast.archetype_words)
    return RollOptions(run.seed, run.count, run.first, method, archetype, options)


def _like(word: str, known: Iterable[str] | Mapping[str, object]) -> str:
    """Return the known word that is the same but for capitals, or else the word in small letters."""
    return next((each for each in known if each.casefold() == word.casefold()), word.lower())


def _escaped(text: str) -> str:
    capitals = text.upper()
    if capitals.casefold() != text.casefold():  # as ß, whose capital is two letters
        capitals = text
    return "".join(
        each if _UNESCAPED.fullmatch(each) else "".join(f"%{byte:02X}" for byte in each.encode()) for each in capitals
    )


def _unescaped(text: str) -> str:
    try:
        data = re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), text.encode())
        return data.decode()
    except UnicodeDecodeError:
        raise UsageError(f"{quoted(text)} is no part of a code of a rolled person") from None
