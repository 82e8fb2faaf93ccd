"""Parts of the characters of a file rolled again, and a line on what changed for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sheetgen.content.packs.folders import read_file
from sheetgen.content.yaml.encoding import decoded
from sheetgen.documents.export.characters import patched
from sheetgen.errors import InputError, Problem, SheetgenError, UsageError, problems_at
from sheetgen.model.character import Character
from sheetgen.people.character_files import MOST, Party, problems_of
from sheetgen.people.groups import titled, within
from sheetgen.people.rolling import CHUNK
from sheetgen.rules.rerolling import Reroll, Reroller
from sheetgen.rules.rolling import Roller, plan_again
from sheetgen.workspace.packs import Pack
from sheetgen.workspace.project import Project


def reroll(party: Party, request: Reroll) -> tuple[Character, ...]:
    """Return the characters of a party with what the request names rolled again, everything else as it was.

    UsageError for a word that means nothing to any of them; InputError with a line for each character of which it
    cannot be done, or which would break a rule of its game.
    """
    made: list[Character] = []
    for start in range(0, len(party.characters), CHUNK):
        chunk = party.characters[start : start + CHUNK]
        made += party.pack.run_isolated(lambda chunk=chunk: _rerolled(party, chunk, request))  # type: ignore[misc]
    return tuple(made)


def _rerolled(party: Party, characters: Sequence[Character], request: Reroll) -> tuple[Character, ...]:
    system, reroller = party.pack.system, Reroller(party.pack.system, request)
    made: list[Character] = []
    problems: list[Problem] = []
    wrong: list[UsageError] = []
    for character in characters:
        try:
            made.append(reroller.reroll(character))
        except UsageError as error:
            problems += problems_at(character.place, error, _name(character))
            wrong.append(error)
    if len({str(error) for error in wrong}) == 1 and len(wrong) == len(characters) and type(wrong[0]) is UsageError:
        raise wrong[0]
    if not problems and problems_of(system, made):
        problems = [problem for each in made for problem in _broken(party, each)]
    if problems:
        raise InputError(problems)
    return tuple(made)


def _broken(party: Party, character: Character) -> Iterator[Problem]:
    """Yield the problems of a character that come from keeping what was changed by hand, or was to be kept."""
    for problem in problems_of(party.pack.system, [character]):
        message = f"{_name(character)}: what is kept no longer fits: {problem.message} (roll that again, too)"
        yield Problem(character.place, message, problem.rule)


def patched_text(project: Project, path: Path, party: Party, people: Sequence[Character]) -> str | None:
    """Return the text of a YAML file with its own comments and order, changed where its people were.

    Return None if that cannot be done.
    """
    if path.suffix.lower() not in (".yaml", ".yml"):
        return None
    shown = project.shown(path)
    text = decoded(read_file(path, shown, most=MOST), shown, most=MOST)
    return patched(party.pack.system, text, party.characters, people)


def differences(before: Character, after: Character) -> str:
    """Return one line that tells which fields changed: `Ada: skills, gear`."""
    names = dict.fromkeys((*after.values, *before.values))
    changed = [name for name in names if (before.values.get(name) or None) != (after.values.get(name) or None)]
    return f"{_name(after)}: {', '.join(changed) or 'nothing changed'}"


def explanation(party: Party, characters: Sequence[Character]) -> Iterator[str]:
    """Yield how the dice of each character fell, those that fell again by their own seed; what was kept is not told."""
    for character in characters:
        origin = character.origin
        if origin is not None:
            plan = plan_again(party.pack.system, origin)
            roller = Roller(party.pack.system, plan, origin.seed, origin.rerolled)
            yield f"{_name(character)} (seed {origin.seed}, no. {origin.index})"
            yield from party.pack.run_isolated(lambda roller=roller, index=origin.index: roller.explain(index)[1])  # type: ignore[misc]


def _name(character: Character) -> str:
    return character.text("name") or "a character without a name"


def with_edits_marked(party: Party) -> Party:
    """Return the party, with everybody marked as edited whom the seed and number of the origin do not give.

    The names of a group's people may tell the part that they play in it, too.
    """
    made: list[Character] = []
    for start in range(0, len(party.characters), CHUNK):
        chunk = party.characters[start : start + CHUNK]
        made += party.pack.run_isolated(lambda chunk=chunk: _marked(party, chunk))  # type: ignore[misc]
    if party.group is not None:
        made = [within(each, titled(party.group.title)) for each in made]
    return replace(party, characters=tuple(made))


def as_rolled(pack: Pack, character: Character) -> Character | None:
    """Return somebody as their seed gives them, with what was rolled again; None for who was not rolled, or so long ago
    that the game has changed since.
    """
    origin, system = character.origin, pack.system
    if origin is None:
        return None
    try:
        plan = plan_again(system, origin)
        made = Roller(system, plan, origin.seed, origin.rerolled)
        return pack.run_isolated(lambda: made.roll(origin.index))
    except SheetgenError:
        return None


def rolled_fields(pack: Pack, character: Character) -> frozenset[str]:
    """Return the fields that the dice of somebody fill, each of which can be rolled again; none for who was not."""
    origin = character.origin
    if origin is None:
        return frozenset()
    return pack.run_isolated(lambda: Reroller(pack.system, Reroll((), origin.seed)).fields(origin))


def _marked(party: Party, characters: Sequence[Character]) -> tuple[Character, ...]:
    rollers: dict[str, Roller] = {}
    return tuple(_with_mark(party, character, rollers) for character in characters)


def _with_mark(party: Party, character: Character, rollers: dict[str, Roller]) -> Character:
    origin, system = character.origin, party.pack.system
    if origin is None:
        return character
    key = repr(replace(origin, index=1))
    try:
        if key not in rollers:
            rollers[key] = Roller(system, plan_again(system, origin), origin.seed, origin.rerolled)
        rolled = rollers[key].roll(origin.index)
    except SheetgenError:  # the game has changed since: nobody can tell any more
        return character
    return marked_by(character, rolled)


def marked_by(character: Character, rolled: Character) -> Character:
    """Return somebody, marked as edited if they are not as rolled.

    The name of somebody of a group may tell the part that they play in it, too.
    """
    origin = character.origin
    if origin is None:
        return character
    name, own = character.text("name"), origin.name or rolled.text("name")
    part = name.endswith(f" {own}") or name.startswith(f"{own}, ")
    if (name == own or part) and _filled_values(character) == _filled_values(rolled):
        return character
    return replace(character, origin=replace(origin, edited=True))


def _filled_values(character: Character) -> dict[str, object]:
    """Return the values of a character other than the name and empty ones."""
    return {field: value for field, value in character.values.items() if value and field != "name"}
